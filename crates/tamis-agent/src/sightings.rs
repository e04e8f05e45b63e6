//! What a JVM asked for that is no file: classes by name, members, parts of archives, variables. Each sighting is
//! told once, as a unit, and counts each time for all that is going on, like a method that runs.

use std::collections::BTreeSet;
use std::thread::ThreadId;

use tamis_wire::{FromAgent, N_ACCESSES, N_SIGHTINGS, N_UNITS, Sight, Sighted, Sighting, Unseen};

use crate::files::Scene;
use crate::jdk_doors::{Member, PendingMembers};
use crate::quick_hash::QuickMap;

/// All sightings so far.
#[derive(Default)]
pub(crate) struct Sightings {
    units: QuickMap<Sighting, u32>,
    /// Class files in archives that may be read to define a class.
    pending: PendingMembers,
    /// What is not seen, and why, as it was told.
    unseen: BTreeSet<(Sight, String)>,
}

impl Sightings {
    /// Counts a sighting for all that is going on; tells it if it is new.
    pub(crate) fn note(&mut self, sighting: Sighting, scene: &mut Scene<'_>) {
        let known = self.units.get(&sighting).copied();
        if let Some(unit) = known.or_else(|| self.number(sighting, scene)) {
            scene.segments.add_access(unit);
        }
    }

    /// Counts a member of an archive that is asked for: class files once it shows that it was for the data.
    pub(crate) fn note_member(&mut self, member: Member, scene: &mut Scene<'_>) {
        if member.is_class_file() {
            let too_many = self.pending.add(scene.thread, member);
            self.note_all(too_many, scene);
        } else {
            self.note_all(vec![member], scene);
        }
    }

    /// A thread defines a class: it asked for the class file to do so.
    pub(crate) fn define(&mut self, thread: ThreadId, class: &[u8]) {
        self.pending.define(thread, class);
    }

    /// What is going on is about to change: what is pending belongs to what was going on so far.
    pub(crate) fn settle(&mut self, scene: &mut Scene<'_>) {
        let pending = self.pending.take();
        self.note_all(pending, scene);
    }

    fn note_all(&mut self, members: Vec<Member>, scene: &mut Scene<'_>) {
        for member in members {
            let sighting = Sighting::Member {
                archive: member.archive,
                name: member.name,
                asker: member.asker,
            };
            self.note(sighting, scene);
        }
    }

    /// Numbers and tells a sighting; nothing if there are too many.
    fn number(&mut self, sighting: Sighting, scene: &mut Scene<'_>) -> Option<u32> {
        let n_units = self.units.len() as u32;
        if n_units == N_SIGHTINGS {
            self.tell_unseen(sight(&sighting), "too much is asked for", scene.tell);
            return None;
        }
        let unit = N_UNITS + N_ACCESSES + n_units;
        self.units.insert(sighting.clone(), unit);
        (scene.tell)(FromAgent::Sighted(Sighted { unit, sighting }));
        Some(unit)
    }

    /// Tells, once, why something is not seen.
    pub(crate) fn tell_unseen(
        &mut self,
        what: Sight,
        reason: &str,
        tell: &mut dyn FnMut(FromAgent),
    ) {
        if self.unseen.insert((what, reason.to_owned())) {
            tell(FromAgent::Unseen(Unseen {
                what,
                reason: reason.into(),
            }));
        }
    }
}

/// What has to be seen for it.
fn sight(sighting: &Sighting) -> Sight {
    match sighting {
        Sighting::Class(_) | Sighting::LookedFor(_) => Sight::Classes,
        Sighting::Members(_) => Sight::Reflection,
        Sighting::Member { .. } | Sighting::MemberNames(_) | Sighting::Packages => Sight::Archives,
        Sighting::Variable(_)
        | Sighting::Variables
        | Sighting::Property(_)
        | Sighting::Properties
        | Sighting::PropertySet(_)
        | Sighting::PropertiesSet => Sight::Environment,
        Sighting::Network(_) => Sight::Network,
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::segments::{Segments, Start};

    #[test]
    fn a_sighting_is_told_once_and_counts_each_time() {
        let mut sightings = Sightings::default();
        let mut segments = Segments::default();
        let mut told = Vec::new();
        let first = N_UNITS + N_ACCESSES;
        for (entity, expected) in [(1, vec![first, first + 1]), (2, vec![first])] {
            segments.begin(entity, None, Start::Runner);
            let mut scene = Scene {
                segments: &mut segments,
                thread: thread::current().id(),
                asker: tamis_wire::Asker::Unknown,
                tell: &mut |message| told.push(message),
            };
            sightings.note(Sighting::Variables, &mut scene);
            if entity == 1 {
                sightings.note(Sighting::Variable(b"HOME".to_vec()), &mut scene);
            }
            let (segment, units) = segments.end(entity).unwrap().remove(0);
            assert_eq!(segment, tamis_wire::Segment::Entity(entity));
            assert_eq!(units.iter().collect::<Vec<_>>(), expected);
        }
        let units = told.iter().map(|message| match message {
            FromAgent::Sighted(sighted) => sighted.unit,
            other => panic!("{other:?}"),
        });
        assert_eq!(units.collect::<Vec<_>>(), [first, first + 1]);
    }

    #[test]
    fn what_is_not_seen_is_told_once() {
        let mut told = Vec::new();
        let mut sightings = Sightings::default();
        for _ in 0..2 {
            sightings.tell_unseen(Sight::Classes, "no row", &mut |message| told.push(message));
        }
        assert_eq!(told.len(), 1);
    }
}
