//! Views as text for people: aligned, short checksums, colours that only add.

mod class_detail;
mod class_diff;
mod class_list;
mod columns;
mod counts;
mod entity;
mod palette;
mod trace;

pub(crate) use class_detail::class_detail;
pub(crate) use class_diff::class_diff;
pub(crate) use class_list::class_list;
pub(crate) use counts::totals;
pub(crate) use palette::Palette;
pub(crate) use trace::trace;

/// How many digits of a checksum are shown: enough to tell any two of a screen apart.
const N_DIGITS: usize = 12;

/// The beginning of a checksum.
fn short(checksum: &str) -> &str {
    &checksum[..N_DIGITS]
}
