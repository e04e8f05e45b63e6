//! Who pays for what runs: every segment that is open.
//!
//! Marks do not say which thread set them. So what is harvested counts for all that is going on at
//! that time: for initialisers that another thread or an outer initialiser is in, too.

use tamis_wire::{Segment, UnitSet};

/// What is going on.
#[derive(Debug)]
pub(crate) struct Segments {
    open: Vec<(Segment, UnitSet)>,
}

impl Segments {
    /// No entity runs.
    pub(crate) fn new() -> Self {
        Self {
            open: vec![(Segment::Ambient, UnitSet::default())],
        }
    }

    /// A segment begins; what was harvested before is not its own.
    pub(crate) fn begin(&mut self, segment: Segment) {
        self.open.push((segment, UnitSet::default()));
    }

    /// Counts units for every open segment.
    pub(crate) fn add(&mut self, units: &UnitSet) {
        for (_, set) in &mut self.open {
            set.extend(units);
        }
    }

    /// A segment ends; its units. Nothing if it is not open: an initialiser may end twice.
    pub(crate) fn end(&mut self, segment: Segment) -> Option<UnitSet> {
        let position = self.open.iter().rposition(|(open, _)| *open == segment)?;
        Some(self.open.remove(position).1)
    }

    /// All that is still open, the outermost first.
    pub(crate) fn end_all(&mut self) -> Vec<(Segment, UnitSet)> {
        std::mem::take(&mut self.open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(ids: &[u32]) -> UnitSet {
        ids.iter().copied().collect()
    }

    #[test]
    fn what_runs_inside_counts_for_everything_around_it() {
        let (outer, inner) = (Segment::Initialiser(1), Segment::Initialiser(2));
        let mut segments = Segments::new();
        segments.add(&units(&[1]));
        segments.begin(outer);
        segments.add(&units(&[2]));
        segments.begin(inner);
        segments.add(&units(&[3]));
        assert_eq!(segments.end(inner), Some(units(&[3])));
        assert_eq!(segments.end(inner), None);
        segments.add(&units(&[4]));
        assert_eq!(segments.end(outer), Some(units(&[2, 3, 4])));
        assert_eq!(
            segments.end_all(),
            [(Segment::Ambient, units(&[1, 2, 3, 4]))]
        );
    }

    #[test]
    fn one_class_initialised_in_two_loaders_at_once_ends_twice() {
        let segment = Segment::Initialiser(1);
        let mut segments = Segments::new();
        segments.begin(segment);
        segments.begin(segment);
        segments.add(&units(&[5]));
        assert_eq!(segments.end(segment), Some(units(&[5])));
        assert_eq!(segments.end(segment), Some(units(&[5])));
    }
}
