//! The body of a method: its blocks, the ways between them, and what it names.

use serde::Serialize;
use tamis_classfile::checksum::Checksummer;
use tamis_classfile::flow::{Edge, EdgeLabel, FlowGraph};
use tamis_classfile::{ClassFile, Error, Method, Reference, ReferenceKind, Uses};

use crate::escape;

/// What a method does when it is called.
#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub(crate) enum BodyView {
    /// It is abstract or native.
    NoCode,
    /// Its code in blocks.
    Divided {
        n_blocks: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        blocks: Option<Vec<BlockView>>,
    },
    /// Its code cannot be divided; it counts as one.
    NotDivided { reason: String },
}

/// Instructions that run one after the other.
#[derive(Debug, Serialize)]
pub(crate) struct BlockView {
    /// The offset of the first instruction in the code.
    pub(crate) start: u32,
    /// The offset after the last one.
    pub(crate) end: u32,
    pub(crate) checksum: String,
    pub(crate) edges: Vec<EdgeView>,
}

/// A way to another block.
#[derive(Debug, Serialize)]
pub(crate) struct EdgeView {
    #[serde(flatten)]
    pub(crate) label: LabelView,
    pub(crate) target: u32,
}

/// What makes control go that way.
#[derive(Debug, Serialize)]
#[serde(tag = "label", rename_all = "snake_case")]
pub(crate) enum LabelView {
    FallThrough,
    Taken,
    Case { value: i32 },
    Default,
    Caught { class: Option<String> },
}

/// What a method names.
#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub(crate) enum UsesView {
    Known {
        classes: Vec<String>,
        members: Vec<ReferenceView>,
    },
    NotKnown {
        reason: String,
    },
}

/// A field or method that code names.
#[derive(Debug, Serialize)]
pub(crate) struct ReferenceView {
    pub(crate) kind: &'static str,
    pub(crate) owner: String,
    pub(crate) name: String,
    pub(crate) descriptor: String,
}

impl BodyView {
    /// Divides a body; blocks are described where somebody is there to compute their checksums.
    pub(super) fn of<'c>(
        class: &'c ClassFile<'c>,
        method: &'c Method<'c>,
        checksummer: Option<&Checksummer<'c>>,
    ) -> Self {
        let body = match checksummer {
            None => Self::counted(class, method),
            Some(checksummer) => Self::described(method, checksummer),
        };
        body.unwrap_or_else(|error| Self::NotDivided {
            reason: error.to_string(),
        })
    }

    fn counted<'c>(class: &'c ClassFile<'c>, method: &Method<'_>) -> Result<Self, Error> {
        let Some(code) = method.code() else {
            return Ok(Self::NoCode);
        };
        let graph = FlowGraph::of(code, &class.constant_pool)?;
        Ok(Self::Divided {
            n_blocks: graph.blocks.len(),
            blocks: None,
        })
    }

    fn described<'c>(method: &'c Method<'c>, checksummer: &Checksummer<'c>) -> Result<Self, Error> {
        let Some(blocks) = checksummer.blocks(method)? else {
            return Ok(Self::NoCode);
        };
        let with_checksums = blocks.graph.blocks.iter().zip(&blocks.checksums);
        let blocks: Vec<BlockView> = with_checksums
            .map(|(block, checksum)| BlockView {
                start: block.start,
                end: block.end,
                checksum: checksum.to_string(),
                edges: block.edges.iter().map(EdgeView::from).collect(),
            })
            .collect();
        Ok(Self::Divided {
            n_blocks: blocks.len(),
            blocks: Some(blocks),
        })
    }

    /// How many blocks there are, if there is code and it can be divided.
    pub(crate) fn n_blocks(&self) -> Option<usize> {
        match self {
            Self::Divided { n_blocks, .. } => Some(*n_blocks),
            Self::NoCode | Self::NotDivided { .. } => None,
        }
    }
}

impl From<&Edge<'_>> for EdgeView {
    fn from(edge: &Edge<'_>) -> Self {
        let label = match edge.label {
            EdgeLabel::FallThrough => LabelView::FallThrough,
            EdgeLabel::Taken => LabelView::Taken,
            EdgeLabel::Case(value) => LabelView::Case { value },
            EdgeLabel::Default => LabelView::Default,
            EdgeLabel::Caught { class, .. } => LabelView::Caught {
                class: class.map(escape::name),
            },
        };
        Self {
            label,
            target: edge.target,
        }
    }
}

impl UsesView {
    pub(super) fn of<'c>(class: &'c ClassFile<'c>, method: &Method<'_>) -> Self {
        match Uses::of(class, method) {
            Ok(uses) => Self::Known {
                classes: uses.classes.iter().map(|name| escape::name(name)).collect(),
                members: uses.members.iter().map(ReferenceView::from).collect(),
            },
            Err(error) => Self::NotKnown {
                reason: error.to_string(),
            },
        }
    }
}

impl From<&Reference<'_>> for ReferenceView {
    fn from(reference: &Reference<'_>) -> Self {
        let kind = match reference.kind {
            ReferenceKind::Field => "field",
            ReferenceKind::StaticMethod => "static_method",
            ReferenceKind::VirtualMethod => "virtual_method",
            ReferenceKind::SpecialMethod => "special_method",
            ReferenceKind::InterfaceMethod => "interface_method",
        };
        Self {
            kind,
            owner: escape::name(reference.member.owner),
            name: escape::name(reference.member.name),
            descriptor: escape::name(reference.member.descriptor),
        }
    }
}
