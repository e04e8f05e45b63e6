//! Methods that changed and of which some records know which blocks ran: for whom they changed (SPEC 3.5).
//!
//! The old code is in the store, as the class file that a record saw. Where that is gone or damaged, where anything but the code
//! of the method changed, and for records that know nothing of blocks, the method counts as a whole.

use std::collections::{BTreeMap, BTreeSet};

use tamis_classfile::attribute::{AttributeContent, Code};
use tamis_facts::{Checksum, ClassName, MethodId, Subject, SubjectKind};
use tamis_select::{ChangedBlocks, ClassState, Parts, blocks_changed};
use tamis_store::{ClassFacts, FactSet, Facts};

use super::State;
use super::class_states::ClassStates;
use super::class_sums::smart;

/// Class files as they were when tests ran.
pub trait KeptClasses {
    /// The file of the class that has this checksum as a whole; none if it is not kept, or cannot be read.
    fn class_file(&self, checksum: Checksum) -> Option<Vec<u8>>;
}

/// A method that changed, and the blocks in which it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChangedMethod {
    /// The number of the fact about the method.
    pub(crate) method: u32,
    /// Those of the facts about all its blocks.
    pub(crate) blocks: FactSet,
    /// Of the blocks that changed, with the source lines that they begin at, where these are known.
    pub(crate) changed: BTreeMap<u32, Option<u16>>,
}

/// What is known of the blocks of methods that are `broken`.
pub(crate) fn changed_methods(
    facts: &Facts,
    broken: &FactSet,
    classes: &ClassStates<'_>,
    kept: &dyn KeptClasses,
) -> Vec<ChangedMethod> {
    let with_blocks = broken.iter().map(|number| facts.fact(number));
    let with_blocks = with_blocks.filter(|fact| fact.kind == SubjectKind::Block);
    let with_blocks: BTreeSet<&ClassName> = with_blocks.filter_map(|fact| fact.class()).collect();
    if with_blocks.is_empty() {
        return Vec::new();
    }
    let mut changed = Vec::new();
    for class in facts.of_classes() {
        let name = class.class();
        if with_blocks.contains(name) {
            let known = KnownBlocks::of(class, broken);
            changed.extend(known.compare(name, class, classes, kept));
        }
    }
    changed
}

/// What records know of the changed methods of a class.
struct KnownBlocks {
    /// By method and its checksum.
    methods: BTreeMap<(MethodId, Checksum), KnownMethod>,
}

#[derive(Default)]
struct KnownMethod {
    /// The number of the fact about the method, and those about its blocks with the numbers of these.
    fact: Option<u32>,
    blocks: Vec<(u32, u32)>,
}

impl KnownBlocks {
    fn of(class: ClassFacts<'_>, broken: &FactSet) -> Self {
        let mut methods: BTreeMap<_, KnownMethod> = BTreeMap::new();
        for fact in class.parts().filter(|fact| broken.contains(fact.number)) {
            let Some(value) = fact.value else { continue };
            match fact.subject() {
                Subject::Method(_, method) => {
                    methods.entry((method, value)).or_default().fact = Some(fact.number);
                }
                Subject::Block(_, method, block) => {
                    let known = methods.entry((method, value)).or_default();
                    known.blocks.push((fact.number, block));
                }
                _ => {}
            }
        }
        methods.retain(|_, known| known.fact.is_some() && !known.blocks.is_empty());
        Self { methods }
    }

    /// Compares each state of the class that is kept with today's.
    fn compare(
        mut self,
        name: &ClassName,
        class: ClassFacts<'_>,
        classes: &ClassStates<'_>,
        kept: &dyn KeptClasses,
    ) -> Vec<ChangedMethod> {
        let debug_info = classes.debug_info();
        let State::Known((bytes, _)) = classes.bytes(name) else {
            return Vec::new();
        };
        let new = ClassState::of(&bytes, debug_info);
        // What is compared is what all other facts are compared with.
        if classes.smart(name) != State::Known(new.smart()) {
            return Vec::new();
        }
        let mut changed = Vec::new();
        let wholes = class
            .wholes()
            .filter(|whole| whole.kind != SubjectKind::Aspect);
        for whole in wholes {
            let kept = whole
                .value
                .and_then(|then| Some((then, kept.class_file(then)?)));
            let Some((then, bytes)) = kept.filter(|_| !self.methods.is_empty()) else {
                continue;
            };
            if smart(&bytes, debug_info) == then {
                let old = ClassState::of(&bytes, debug_info);
                changed.extend(self.compare_with(&old, &new));
            }
        }
        changed
    }

    /// Takes out the methods that one state of the class tells of.
    fn compare_with(&mut self, old: &ClassState<'_>, new: &ClassState<'_>) -> Vec<ChangedMethod> {
        let Ok(parts) = &old.parts else {
            return Vec::new();
        };
        let mut changed = Vec::new();
        self.methods.retain(|(method, then), known| {
            let sums = parts.checksums.methods.iter();
            let is_this = sums
                .clone()
                .any(|sum| sum.id == *method && sum.checksum == *then);
            if !is_this {
                return true;
            }
            changed.extend(known.compare(method, old, new, parts));
            false
        });
        changed
    }
}

impl KnownMethod {
    fn compare(
        &self,
        method: &MethodId,
        old: &ClassState<'_>,
        new: &ClassState<'_>,
        parts: &Parts<'_>,
    ) -> Option<ChangedMethod> {
        let ChangedBlocks::Some(marked) = blocks_changed(old, new, method) else {
            return None;
        };
        let lines = Lines::of(parts, method)?;
        // A block that the method never had is damage.
        let are_there = self.blocks.iter().all(|(_, block)| lines.has(*block));
        let changed = self
            .blocks
            .iter()
            .filter(|(_, block)| marked.contains(block));
        Some(ChangedMethod {
            method: self.fact.filter(|_| are_there)?,
            blocks: self.blocks.iter().map(|(number, _)| *number).collect(),
            changed: changed
                .map(|(number, block)| (*number, lines.of_block(*block)))
                .collect(),
        })
    }
}

/// Where the blocks of a method begin.
struct Lines<'c> {
    code: &'c Code<'c>,
    starts: Vec<u32>,
}

impl<'c> Lines<'c> {
    fn of(parts: &'c Parts<'c>, method: &MethodId) -> Option<Self> {
        let sums = parts.checksums.methods.iter();
        let position = sums.clone().position(|sum| sum.id == *method)?;
        let blocks = parts.blocks(position).ok()??;
        Some(Self {
            code: parts.class.methods.get(position)?.code()?,
            starts: blocks
                .graph
                .blocks
                .iter()
                .map(|block| block.start)
                .collect(),
        })
    }

    fn has(&self, block: u32) -> bool {
        (block as usize) < self.starts.len()
    }

    /// The source line that a block begins at.
    fn of_block(&self, block: u32) -> Option<u16> {
        let start = *self.starts.get(block as usize)?;
        let tables = self.code.attributes.iter();
        let rows = tables.filter_map(|attribute| match &attribute.content {
            AttributeContent::LineNumberTable(rows) => Some(rows.iter()),
            _ => None,
        });
        let rows = rows.flatten().filter(|row| u32::from(row.start) <= start);
        rows.max_by_key(|row| row.start).map(|row| row.line)
    }
}
