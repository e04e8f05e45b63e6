//! Puts the probes into a class: a mark at the start of each method, or of each basic block, and a bracket around the
//! initialiser.

use tamis_classfile::Error;
use tamis_classfile::probe::{BlockPlan, Bracket, EntryPlan, Slots, bracket};
use tamis_wire::Initialiser;

use crate::helper_class::{CALLS, holder_name};
use crate::registry::Slot;

/// A class that is to have probes.
pub(crate) struct ProbePlan<'a> {
    /// Where its methods begin.
    pub(crate) entries: EntryPlan<'a>,
    /// Where their blocks begin; none if only methods are marked.
    pub(crate) blocks: Option<BlockPlan<'a>>,
}

/// The class with its probes.
pub(crate) struct Instrumented {
    pub(crate) bytes: Vec<u8>,
    /// How many marks it uses, from the first of its slot on.
    pub(crate) n_units: u32,
    pub(crate) initialiser: Initialiser,
}

impl<'a> ProbePlan<'a> {
    /// Looks at a class; what cannot be told block by block is told method by method.
    pub(crate) fn scan(bytes: &'a [u8], has_blocks: bool) -> Result<Self, Error> {
        let entries = EntryPlan::scan(bytes)?;
        let blocks = if has_blocks {
            BlockPlan::scan(bytes).unwrap_or_default()
        } else {
            None
        };
        Ok(Self { entries, blocks })
    }

    /// How many marks it needs.
    pub(crate) fn n_units(&self) -> u32 {
        let blocks = self.blocks.as_ref().map(BlockPlan::n_units);
        blocks.unwrap_or_else(|| self.entries.n_units()) as u32
    }

    /// Plans for so many marks. The same class may have come from elsewhere before: what a mark stands for must not depend
    /// on who loads it.
    pub(crate) fn agree(&mut self, bytes: &'a [u8], n_units: u32) {
        if n_units == self.entries.n_units() as u32 {
            self.blocks = None;
        } else if self.blocks.is_none() {
            self.blocks = BlockPlan::scan(bytes).unwrap_or_default();
        }
    }

    /// Probes the class `number`; its marks begin at `slot`, and there are `n_units` of them.
    pub(crate) fn instrument(
        &mut self,
        slot: Slot,
        n_units: u32,
        number: u32,
    ) -> Result<Instrumented, Error> {
        let has_initialiser = self.entries.has_method(b"<clinit>", b"()V");
        let (bytes, n_units) = self.mark(slot, n_units)?;
        // Marks before bracket, so that the mark of the initialiser lies inside its bracket.
        if !has_initialiser {
            return Ok(Instrumented {
                bytes,
                n_units,
                initialiser: Initialiser::None,
            });
        }
        let call = Bracket {
            owner: CALLS,
            id: number,
        };
        Ok(match bracket(&bytes, &call) {
            Ok(Some(bracketed)) => Instrumented {
                bytes: bracketed.bytes,
                n_units,
                initialiser: Initialiser::Bracketed,
            },
            // Subroutines, for one, cannot be moved; the marks alone are still worth having.
            Ok(None) | Err(_) => Instrumented {
                bytes,
                n_units,
                initialiser: Initialiser::Unbracketed,
            },
        })
    }

    /// The class with its marks, and how many.
    fn mark(&mut self, slot: Slot, n_units: u32) -> Result<(Vec<u8>, u32), Error> {
        let holder = holder_name(slot.holder);
        let slots = Slots {
            holder: &holder,
            first: slot.first,
        };
        let needed = self.n_units();
        if let Some(blocks) = self.blocks.take()
            && needed == n_units
            && let Ok(bytes) = blocks.write(&slots)
        {
            return Ok((bytes, n_units));
        }
        let n_entries = self.entries.n_units() as u32;
        Ok((self.entries.write(&slots)?.bytes, n_entries))
    }
}
