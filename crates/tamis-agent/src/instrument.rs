//! Puts the probes into a class: a mark at the start of each method, a bracket around the initialiser.

use tamis_classfile::Error;
use tamis_classfile::probe::{Bracket, EntryPlan, Probed, Slots, bracket};
use tamis_wire::Initialiser;

use crate::helper_class::{CALLS, holder_name};
use crate::registry::Slot;

/// The class with its probes.
pub(crate) struct Instrumented {
    pub(crate) bytes: Vec<u8>,
    pub(crate) initialiser: Initialiser,
}

/// Probes the class `number`; its marks begin at `slot`.
pub(crate) fn instrument(
    plan: &EntryPlan<'_>,
    slot: Slot,
    number: u32,
) -> Result<Instrumented, Error> {
    let holder = holder_name(slot.holder);
    let probed = plan.write(&Slots {
        holder: &holder,
        first: slot.first,
    })?;
    // Entry before bracket, so that the mark of the initialiser lies inside its bracket.
    if !has_initialiser(&probed) {
        return Ok(Instrumented {
            bytes: probed.bytes,
            initialiser: Initialiser::None,
        });
    }
    let call = Bracket {
        owner: CALLS,
        id: number,
    };
    Ok(match bracket(&probed.bytes, &call) {
        Ok(Some(bracketed)) => Instrumented {
            bytes: bracketed.bytes,
            initialiser: Initialiser::Bracketed,
        },
        // Subroutines, for one, cannot be moved; the marks alone are still worth having.
        Ok(None) | Err(_) => Instrumented {
            bytes: probed.bytes,
            initialiser: Initialiser::Unbracketed,
        },
    })
}

fn has_initialiser(probed: &Probed<'_>) -> bool {
    probed.units.iter().any(|unit| unit.name == b"<clinit>")
}
