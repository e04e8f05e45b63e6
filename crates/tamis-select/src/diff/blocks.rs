//! Which blocks of a changed method changed (SPEC 3.5).
//!
//! Old and new flow graphs are walked together, depth first from the entry, each pair once, along
//! equally labelled edges. Where the blocks arrived at differ, the old one is marked and not gone
//! below; where a way exists on one side only, the old block it starts from is marked.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use tamis_classfile::checksum::{BlockChecksums, DebugInfo};
use tamis_classfile::flow::{Block, EdgeLabel};
use tamis_facts::MethodId;

use crate::class_state::{ClassState, Parts};

/// What changed in the body of a changed method.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangedBlocks {
    /// These blocks of the old body, by number.
    Some(BTreeSet<u32>),
    /// All of it counts: something but code changed, or the blocks cannot be compared.
    All {
        /// Why, in words.
        reason: String,
    },
}

/// Lines and variables count and stand in no block, so blocks cannot tell who is concerned.
pub(super) const DEBUG_INFO_COUNTS: &str = "debug information counts";

/// The number of pairs of blocks that a walk visits at most; two large bodies that have nothing but
/// their labels in common would take the product of their sizes.
const MAX_PAIRS: usize = 1 << 20;

/// What changed in the body of a method of this name that both states have. All of it counts where that is not one and the
/// same method, or where anything but its code changed.
pub fn blocks_changed(
    old: &ClassState<'_>,
    new: &ClassState<'_>,
    method: &MethodId,
) -> ChangedBlocks {
    let all = |reason: &str| ChangedBlocks::All {
        reason: reason.to_owned(),
    };
    if old.debug_info == DebugInfo::Counted || new.debug_info == DebugInfo::Counted {
        return all(DEBUG_INFO_COUNTS);
    }
    let (Ok(old), Ok(new)) = (&old.parts, &new.parts) else {
        return all("the class cannot be taken apart");
    };
    match (position_of(old, method), position_of(new, method)) {
        (Some(old_position), Some(new_position)) => {
            changed_blocks(old, old_position, new, new_position)
        }
        _ => all("there is no one method of that name"),
    }
}

/// The position of the one method that has this name, if it is known by it.
fn position_of(parts: &Parts<'_>, id: &MethodId) -> Option<usize> {
    let methods = parts.checksums.methods.iter().enumerate();
    let mut named = methods.filter(|(_, method)| method.id == *id);
    let (position, method) = named.next()?;
    (!method.is_known_by_content && named.next().is_none()).then_some(position)
}

pub(super) fn changed_blocks(
    old: &Parts<'_>,
    old_position: usize,
    new: &Parts<'_>,
    new_position: usize,
) -> ChangedBlocks {
    let all = |reason: String| ChangedBlocks::All { reason };
    match (old.declaration(old_position), new.declaration(new_position)) {
        (Ok(old), Ok(new)) if old == new => {}
        (Ok(_), Ok(_)) => return all("the declaration changed".to_owned()),
        (Err(error), _) | (_, Err(error)) => return all(error.to_string()),
    }
    let (old_blocks, new_blocks) = match (old.blocks(old_position), new.blocks(new_position)) {
        (Ok(Some(old_blocks)), Ok(Some(new_blocks))) => (old_blocks, new_blocks),
        (Err(error), _) | (_, Err(error)) => return all(error.to_string()),
        _ => return all("one of the two has no code".to_owned()),
    };
    match Walk::new(&old_blocks, &new_blocks).run() {
        None => all("the bodies are too different to compare".to_owned()),
        Some(marked) if marked.is_empty() => {
            all("the blocks are equal: their order, the frames or the limits changed".to_owned())
        }
        Some(marked) => ChangedBlocks::Some(marked),
    }
}

struct Walk<'w> {
    old: &'w BlockChecksums<'w>,
    new: &'w BlockChecksums<'w>,
    marked: BTreeSet<u32>,
    seen: HashSet<(u32, u32)>,
    stack: Vec<(u32, u32)>,
}

impl<'w> Walk<'w> {
    fn new(old: &'w BlockChecksums<'w>, new: &'w BlockChecksums<'w>) -> Self {
        Self {
            old,
            new,
            marked: BTreeSet::new(),
            seen: HashSet::new(),
            stack: Vec::new(),
        }
    }

    fn run(mut self) -> Option<BTreeSet<u32>> {
        self.arrive(0, 0);
        while let Some((old, new)) = self.stack.pop() {
            if self.seen.len() > MAX_PAIRS {
                return None;
            }
            self.compare_ways(old, new);
        }
        Some(self.marked)
    }

    /// Arrives at a pair of blocks, by equally labelled ways.
    fn arrive(&mut self, old: u32, new: u32) {
        if !self.seen.insert((old, new)) {
            return;
        }
        if self.old.checksums[old as usize] == self.new.checksums[new as usize] {
            self.stack.push((old, new));
        } else {
            self.marked.insert(old);
        }
    }

    fn compare_ways(&mut self, old: u32, new: u32) {
        let old_ways = ways(&self.old.graph.blocks[old as usize]);
        let new_ways = ways(&self.new.graph.blocks[new as usize]);
        if old_ways.len() != new_ways.len() || !old_ways.keys().eq(new_ways.keys()) {
            self.marked.insert(old);
        }
        for (label, old_target) in &old_ways {
            if let Some(new_target) = new_ways.get(label) {
                self.arrive(*old_target, *new_target);
            }
        }
    }
}

/// The ways out of a block, by label.
fn ways<'b>(block: &'b Block<'_>) -> BTreeMap<EdgeLabel<'b>, u32> {
    block
        .edges
        .iter()
        .map(|edge| (edge.label, edge.target))
        .collect()
}
