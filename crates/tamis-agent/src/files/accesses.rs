//! Which accesses to files are facts, and their numbers.
//!
//! An access is told once, as a unit, and counts each time for all that is going on, like a method that
//! runs. What those that are open made themselves is no fact for them (`owners.rs`); what a class loader
//! reads for itself is none either (`pending.rs`).

use std::collections::BTreeSet;
use std::thread::ThreadId;

use tamis_wire::{Access, Accessed, Asker, Found, FromAgent, N_ACCESSES, N_UNITS, Sight, Unseen};

use super::askers::Wanted;
use super::owners::{Claim, Owners};
use super::pending::{Pending, PendingClasses, is_class_file};
use crate::quick_hash::QuickMap;
use crate::segments::Segments;

/// All accesses so far.
#[derive(Default)]
pub(crate) struct Accesses {
    /// By path.
    units: QuickMap<Vec<u8>, UnitsOfPath>,
    n_units: u32,
    owners: Owners,
    pending: PendingClasses,
    /// Why not everything is seen, as it was told.
    unseen: BTreeSet<String>,
}

/// What was done with one path, by whom, and what was there: the unit of each.
type UnitsOfPath = QuickMap<(Access, Asker, Found), u32>;

/// What is about to be done with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    pub(super) act: Act,
    /// Absolute.
    pub(super) path: Vec<u8>,
    pub(super) found: Found,
    /// Whether nothing is there, under a name that looks made up.
    pub(super) is_random: bool,
    /// Whether class loaders look in there.
    pub(super) is_loaders: bool,
}

/// What is about to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    One(Touch),
    Two(Touch, Touch),
    Move { from: Touch, to: Touch },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Opens it to read.
    Read,
    /// Asks for its size or its time.
    Measure,
    /// Opens it to read at any place, as archives are.
    Open,
    Look,
    /// Asks where it leads.
    Follow,
    List,
    /// Replaces all of it, whatever is there.
    Write,
    /// Writes at its end.
    Append,
    /// Writes at any place, and may read.
    Update,
    /// Makes it if nothing is there.
    Make,
    MakeDirectory,
    Remove,
}

/// Where accesses are noted: what is going on, who does it, and how it is told.
pub(crate) struct Scene<'s> {
    pub(crate) segments: &'s mut Segments,
    pub(crate) thread: ThreadId,
    pub(crate) asker: Asker,
    pub(crate) tell: &'s mut dyn FnMut(FromAgent),
}

/// Whoever writes.
const WROTE: (Access, Asker) = (Access::Wrote, Asker::Unknown);

/// Whoever guesses names.
const GUESSED: (Access, Asker) = (Access::Guessed, Asker::Unknown);

impl Deed {
    /// Whether it matters who does it: what he found he may keep for others, if loaders look there. Class files are looked
    /// at by loaders.
    pub(crate) fn has_asker(&self) -> bool {
        match self {
            Self::One(touch) => touch.has_asker(),
            Self::Two(first, second) => first.has_asker() || second.has_asker(),
            Self::Move { from, .. } => from.has_asker(),
        }
    }

    /// What is asked for: who looks what is there stands deeper in the JDK's loaders than who reads it.
    pub(crate) fn wanted(&self) -> Wanted {
        match self {
            Self::One(touch)
            | Self::Two(
                touch,
                Touch {
                    act: Act::Follow, ..
                },
            ) if touch.act == Act::Look => Wanted::Look,
            _ => Wanted::File,
        }
    }

    /// Whether all that is done is to ask what is there.
    pub(crate) fn only_looks(&self) -> bool {
        match self {
            Self::One(touch) => touch.only_looks(),
            Self::Two(first, second) => first.only_looks() && second.only_looks(),
            Self::Move { .. } => false,
        }
    }
}

impl Touch {
    /// It is asked where the same path leads.
    pub(super) fn following(&self) -> Self {
        Self {
            act: Act::Follow,
            ..self.clone()
        }
    }

    fn only_looks(&self) -> bool {
        matches!(self.act, Act::Look | Act::Follow | Act::Measure | Act::List)
    }

    fn has_asker(&self) -> bool {
        let looks = !matches!(self.act, Act::Write | Act::Append);
        let is_listed = self.act == Act::List;
        self.is_loaders && looks && !self.is_random && (is_listed || !is_class_file(&self.path))
    }
}

impl Accesses {
    /// Notes what is about to be done.
    pub(crate) fn note(&mut self, deed: &Deed, scene: &mut Scene<'_>) {
        match deed {
            Deed::One(touch) => self.note_one(touch, scene),
            Deed::Two(first, second) => {
                self.note_one(first, scene);
                self.note_one(second, scene);
            }
            Deed::Move { from, to } => self.note_move(from, to, scene),
        }
    }

    fn note_one(&mut self, touch: &Touch, scene: &mut Scene<'_>) {
        let is_free = touch.found == Found::Nothing;
        match touch.act {
            Act::Read => self.see(Access::Read, touch, scene),
            Act::Open | Act::Measure => self.see(Access::Opened, touch, scene),
            Act::Look => self.see(Access::Looked, touch, scene),
            Act::Follow => self.see(Access::Followed, touch, scene),
            Act::List => self.see(Access::Listed, touch, scene),
            Act::Write => self.write(touch, Claim::Path, scene),
            Act::Append => self.write_part(touch, scene),
            Act::Update => {
                self.see(Access::Read, touch, scene);
                self.write_part(touch, scene);
            }
            Act::Make | Act::MakeDirectory => {
                self.see(Access::Looked, touch, scene);
                if is_free {
                    self.write(touch, touch.act.claim(), scene);
                }
            }
            Act::Remove => {
                self.see(Access::Looked, touch, scene);
                self.write(touch, Claim::Path, scene);
            }
        }
    }

    fn note_move(&mut self, from: &Touch, to: &Touch, scene: &mut Scene<'_>) {
        let is_made_directory =
            self.is_own(&from.path, scene) && self.owners.is_made_directory(&from.path);
        let access = match from.found {
            Found::Directory(_) => Access::Listed,
            _ => Access::Read,
        };
        self.see(access, from, scene);
        if from.found == Found::Nothing {
            return;
        }
        self.write(from, Claim::Path, scene);
        let claim = if is_made_directory {
            Claim::Directory
        } else {
            Claim::Path
        };
        self.write(to, claim, scene);
    }

    /// Something is looked at: a fact, unless whoever is open made it.
    fn see(&mut self, access: Access, touch: &Touch, scene: &mut Scene<'_>) {
        if self.is_made_here(&touch.path, scene) {
            return;
        }
        // Whether this JVM makes it, now or later, is known in the end.
        if touch.is_random {
            self.count(GUESSED, &touch.path, touch.found, scene);
            return;
        }
        // Class files elsewhere are files like others: no fact about a class tells what is in them.
        if access == Access::Listed || !touch.is_loaders || !is_class_file(&touch.path) {
            self.count((access, scene.asker), &touch.path, touch.found, scene);
            return;
        }
        let too_many = self.pending.add(Pending {
            thread: scene.thread,
            is_opened: matches!(touch.act, Act::Read | Act::Open),
            access,
            path: touch.path.clone(),
            found: touch.found,
        });
        self.count_all(&too_many, scene);
    }

    /// Something is made, replaced or removed.
    fn write(&mut self, touch: &Touch, claim: Claim, scene: &mut Scene<'_>) {
        self.count(WROTE, &touch.path, touch.found, scene);
        let going_on = scene.segments.going_on();
        self.owners.claim(&touch.path, going_on, claim);
    }

    /// A part of something is replaced: who knew the rest knows all of it.
    fn write_part(&mut self, touch: &Touch, scene: &mut Scene<'_>) {
        if touch.found == Found::Nothing || self.is_own(&touch.path, scene) {
            self.write(touch, Claim::Path, scene);
        } else {
            self.count(WROTE, &touch.path, touch.found, scene);
            self.owners.disown(&touch.path);
        }
    }

    fn is_own(&self, path: &[u8], scene: &Scene<'_>) -> bool {
        self.owners.is_own(path, scene.segments.going_on())
    }

    /// Whether what lies under a path was made by whoever is open, and is no fact for them.
    pub(crate) fn is_made_here(&self, path: &[u8], scene: &Scene<'_>) -> bool {
        // What an initialiser saw counts for others than are open.
        !scene.segments.is_initialising() && self.is_own(path, scene)
    }

    /// A thread defines a class.
    pub(crate) fn define(&mut self, thread: ThreadId, name: &[u8]) {
        self.pending.define(thread, name);
    }

    /// What is going on is about to change: what is pending belongs to what was going on so far.
    pub(crate) fn settle(&mut self, scene: &mut Scene<'_>) {
        let pending = self.pending.take();
        self.count_all(&pending, scene);
    }

    fn count_all(&mut self, all: &[Pending], scene: &mut Scene<'_>) {
        for pending in all {
            let by = (pending.access, Asker::Unknown);
            self.count(by, &pending.path, pending.found, scene);
        }
    }

    /// Counts an access for all that is going on; tells it if it is new.
    fn count(&mut self, by: (Access, Asker), path: &[u8], found: Found, scene: &mut Scene<'_>) {
        let (access, asker) = by;
        let known = self.units.get(path);
        let unit = known.and_then(|units| units.get(&(access, asker, found)).copied());
        let unit = unit.or_else(|| self.number(by, path, found, scene));
        if let Some(unit) = unit {
            scene.segments.add_access(unit);
        }
    }

    /// Numbers and tells an access; nothing if there are too many.
    fn number(
        &mut self,
        (access, asker): (Access, Asker),
        path: &[u8],
        found: Found,
        scene: &mut Scene<'_>,
    ) -> Option<u32> {
        if self.n_units == N_ACCESSES {
            self.tell_unseen("too many files", scene.tell);
            return None;
        }
        let unit = N_UNITS + self.n_units;
        self.n_units += 1;
        let units = self.units.entry(path.to_vec()).or_default();
        units.insert((access, asker, found), unit);
        (scene.tell)(FromAgent::Accessed(Accessed {
            unit,
            access,
            asker,
            path: path.to_vec(),
            found,
        }));
        Some(unit)
    }

    /// Tells, once, why not everything is seen.
    pub(crate) fn tell_unseen(&mut self, reason: &str, tell: &mut dyn FnMut(FromAgent)) {
        if self.unseen.insert(reason.to_owned()) {
            tell(FromAgent::Unseen(Unseen {
                what: Sight::Files,
                reason: reason.into(),
            }));
        }
    }
}

impl Act {
    fn claim(self) -> Claim {
        match self {
            Self::MakeDirectory => Claim::Directory,
            _ => Claim::Path,
        }
    }
}

#[cfg(test)]
mod tests;
