//! Gadgets that look at something beside the code, which changes: the code stays, or nearly so.

use super::graft::{self, Gadget};
use super::{Evolution, Source};
use crate::program::Surrounding;

/// A gadget, with what surrounds the program in each revision.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surrounded {
    pub(super) gadget: Gadget,
    pub(super) before: &'static [Surrounding],
    pub(super) after: &'static [Surrounding],
}

/// Each at each place.
pub(super) fn evolutions(source: Source<'_>, all: &[Surrounded]) -> Vec<Evolution> {
    let mut evolutions = Vec::new();
    for surrounded in all {
        for mut evolution in graft::evolutions(source, &[surrounded.gadget]) {
            evolution.before.surroundings = surrounded.before.to_vec();
            evolution.after.surroundings = surrounded.after.to_vec();
            evolutions.push(evolution);
        }
    }
    evolutions
}

/// A gadget of types that stay.
pub(super) const fn looking(types: &'static [(&'static str, &'static str)]) -> Gadget {
    Gadget {
        same: types,
        before: &[],
        after: &[],
        number: "Reader.number()",
    }
}
