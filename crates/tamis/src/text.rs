//! Views as text for people: aligned, short checksums, colours that only add.

mod cause;
mod check;
mod check_defects;
mod check_history;
mod class_detail;
mod class_diff;
mod class_list;
mod coarse;
mod columns;
mod configuration;
mod counts;
mod entity;
mod knowledge;
mod look_up;
mod palette;
#[cfg(test)]
mod samples;
mod selection;
mod summary;
mod time;
mod trace;
mod why;

pub(crate) use cause::{causes, changed_files};
pub(crate) use check::{check, explained_rules, replay, rules};
pub(crate) use check_defects::defects;
pub(crate) use check_history::history;
pub(crate) use class_detail::class_detail;
pub(crate) use class_diff::class_diff;
pub(crate) use class_list::class_list;
pub(crate) use coarse::coarse;
pub(crate) use configuration::configuration;
pub(crate) use counts::{counted, totals, with_commas};
pub(crate) use knowledge::{doctor, forget, status, what};
pub(crate) use palette::Palette;
pub(crate) use selection::selection;
pub(crate) use summary::summary;
pub(crate) use time::time;
pub(crate) use trace::trace;
pub(crate) use why::why;

/// How many digits of a checksum are shown: enough to tell any two of a screen apart.
const N_DIGITS: usize = 12;

/// The beginning of a checksum.
fn short(checksum: &str) -> &str {
    &checksum[..N_DIGITS]
}
