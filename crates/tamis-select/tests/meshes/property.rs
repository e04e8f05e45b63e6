//! The property that holds all meshes together: whoever sees no change sees none in any part either.

use std::collections::BTreeMap;

use tamis_classfile::checksum::{
    BlockChecksums, Checksummer, ClassChecksums, DebugInfo, MethodChecksum,
};
use tamis_classfile::flow::EdgeLabel;
use tamis_classfile::{ClassFile, Result};
use tamis_facts::{Checksum, MethodId};
use tamis_select::Blake3;

/// A class with its checksums.
pub(crate) struct Summed<'c> {
    class: &'c ClassFile<'c>,
    checksummer: Checksummer<'c>,
    pub(crate) sums: ClassChecksums,
}

/// What identifies a method when two states of a class are compared.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key<'s> {
    Name(&'s MethodId),
    Content(Checksum),
}

/// The blocks of a method, without what may differ between equal ones: their offsets.
type Blocks<'b> = std::result::Result<Vec<(Checksum, Vec<(EdgeLabel<'b>, u32)>)>, ()>;

impl<'c> Summed<'c> {
    pub(crate) fn of(class: &'c ClassFile<'c>) -> Result<Self> {
        let checksummer = Checksummer::new(class, &Blake3, DebugInfo::Ignored)?;
        let sums = checksummer.all()?;
        Ok(Self {
            class,
            checksummer,
            sums,
        })
    }

    /// Positions of methods by what identifies them; of several with one content, any.
    fn by_key(&self) -> BTreeMap<Key<'_>, (usize, Checksum)> {
        let methods = self.sums.methods.iter().enumerate();
        let keyed = methods.map(|(position, method)| (key(method), (position, method.checksum)));
        keyed.collect()
    }

    fn blocks(&self, position: usize) -> Result<Option<BlockChecksums<'_>>> {
        self.checksummer.blocks(&self.class.methods[position])
    }

    /// Whether nothing that a method of both can refer to differs.
    fn has_same_surroundings(&self, other: &Self) -> bool {
        self.class.constant_pool == other.class.constant_pool
            && self.class.attributes == other.class.attributes
    }
}

fn key(method: &MethodChecksum) -> Key<'_> {
    if method.is_known_by_content {
        Key::Content(method.checksum)
    } else {
        Key::Name(&method.id)
    }
}

/// What contradicts the property in a pair of classes, if anything does.
pub(crate) fn violation(a: &Summed<'_>, b: &Summed<'_>) -> Option<String> {
    let (x, y) = (&a.sums, &b.sums);
    if x.smart == y.smart {
        let part = differing_part(x, y);
        if part.is_some() {
            return part.map(|part| format!("smart is equal, {part} not"));
        }
    }
    if x.members == y.members && x.listing != y.listing {
        return Some("members are equal, listing not".to_owned());
    }
    if x.members == y.members && !are_fields_equal(x, y) {
        return Some("members are equal, fields not".to_owned());
    }
    method_with_differing_blocks(a, b)
        .map(|method| format!("{method} is equal, its blocks are not"))
}

/// The first part that differs; the smart checksum is none.
pub(crate) fn differing_part(x: &ClassChecksums, y: &ClassChecksums) -> Option<&'static str> {
    let equal = [
        ("head", x.head == y.head),
        ("signatures", x.signatures == y.signatures),
        ("members", x.members == y.members),
        ("listing", x.listing == y.listing),
        ("fields", are_fields_equal(x, y)),
        ("methods", methods(x) == methods(y)),
    ];
    let mut differing = equal.iter().filter(|(_, is_equal)| !is_equal);
    differing.next().map(|(part, _)| *part)
}

fn are_fields_equal(x: &ClassChecksums, y: &ClassChecksums) -> bool {
    let of = |sums: &ClassChecksums| {
        let fields = sums.fields.iter().map(|f| (f.id.clone(), f.checksum));
        fields.collect::<Vec<_>>()
    };
    of(x) == of(y)
}

/// All methods as a bag: their order does not count.
fn methods(sums: &ClassChecksums) -> Vec<(Key<'_>, Checksum)> {
    let keyed = sums.methods.iter().map(|m| (key(m), m.checksum));
    let mut all: Vec<_> = keyed.collect();
    all.sort();
    all
}

fn method_with_differing_blocks(a: &Summed<'_>, b: &Summed<'_>) -> Option<String> {
    let (of_a, of_b) = (a.by_key(), b.by_key());
    let is_same_place = a.has_same_surroundings(b);
    for (key, (in_a, checksum)) in &of_a {
        let Some((in_b, other)) = of_b.get(key) else {
            continue;
        };
        // The same bytes in the same surroundings prove nothing.
        if checksum != other || is_same_place && a.class.methods[*in_a] == b.class.methods[*in_b] {
            continue;
        }
        let (blocks_a, blocks_b) = (a.blocks(*in_a), b.blocks(*in_b));
        if comparable(&blocks_a) != comparable(&blocks_b) {
            return Some(a.sums.methods[*in_a].id.to_string());
        }
    }
    None
}

fn comparable<'b>(blocks: &'b Result<Option<BlockChecksums<'_>>>) -> Blocks<'b> {
    let Some(blocks) = blocks.as_ref().map_err(|_| ())? else {
        return Ok(Vec::new());
    };
    let edges = blocks.graph.blocks.iter().map(|block| {
        let edges = block.edges.iter().map(|edge| (edge.label, edge.target));
        edges.collect()
    });
    Ok(blocks.checksums.iter().copied().zip(edges).collect())
}
