//! What a JVM may have asked for unseen: one fact stands for all of its kind, and the reason is kept, for people.

use tamis_facts::{Checksum, Fact, Outside, Subject};
use tamis_wire::Sight;

use super::{Collector, Seen, Surroundings};
use crate::conversation::WatchedJvm;
use crate::report::{Coarse, CoarseKind};
use crate::today::State;

impl Collector<'_> {
    pub(super) fn add_coarse(
        &mut self,
        subject: &Subject,
        value: &Result<Checksum, String>,
        seen: &mut Seen,
    ) {
        match value {
            Ok(value) => {
                let fact = Fact {
                    subject: subject.clone(),
                    value: Some(*value),
                };
                seen.facts.insert(self.facts.number(fact));
            }
            Err(reason) => {
                seen.doubts.insert(format!("{subject}: {reason}"));
            }
        }
    }

    /// What code sets of static fields of other classes, as it was before the tests. Where it cannot be told now, that is a doubt for
    /// who looks at such a field.
    pub(super) fn add_all_setters(&mut self, then: &Result<Checksum, String>, seen: &mut Seen) {
        match self.surroundings.classes.all_setters_elsewhere() {
            State::Known(now) if *then == Ok(now) => {
                self.add_coarse(&Subject::AllSettersElsewhere, then, seen);
            }
            State::Known(_) => {
                let doubt = "code that sets static fields changed while tests ran";
                seen.doubts.insert(doubt.to_owned());
            }
            State::Absent | State::Unknown(_) => {}
        }
    }

    /// Whatever a JVM did that was not seen.
    pub(super) fn add_unseen(&mut self, jvm: &WatchedJvm, seen: &mut Seen) {
        for unseen in &jvm.unseen {
            self.add_coarse_form(unseen.what, seen);
            if unseen.what == Sight::Environment {
                let properties = self.surroundings.given.properties.all();
                self.add_coarse(&Subject::Properties, &Ok(properties), seen);
            }
            if unseen.what == Sight::Network {
                let unseen = "may have asked the network, which is not seen in this JVM";
                seen.untracked.insert(unseen.to_owned());
            }
            let reason = String::from_utf8_lossy(&unseen.reason);
            note(unseen.what, &reason, seen);
        }
    }

    /// Native code that is not the JDK's reads what it likes, if a JVM has loaded some.
    pub(super) fn add_native(&mut self, jvm: &WatchedJvm, seen: &mut Seen) {
        let library = jvm.native_since().and_then(|at| jvm.accesses.get(at));
        if let Some(library) = library {
            let path = String::from_utf8_lossy(&library.path);
            self.add_readers(&format!("a native library was loaded: {path}"), seen);
        }
    }

    /// So do programs that are no JVMs.
    pub(super) fn add_strangers(&mut self, seen: &mut Seen) {
        self.add_outside(Outside::Process, seen);
        self.add_readers("a program was started that is no JVM", seen);
    }

    fn add_readers(&mut self, reason: &str, seen: &mut Seen) {
        for what in [Sight::Files, Sight::Environment] {
            self.add_coarse_form(what, seen);
            note(what, reason, seen);
        }
    }

    /// It turned to something that no fact covers.
    pub(super) fn add_outside(&mut self, what: Outside, seen: &mut Seen) {
        let fact = Fact {
            subject: Subject::Outside(what),
            value: None,
        };
        seen.facts.insert(self.facts.number(fact));
    }

    /// Anything of a kind may have been asked for.
    pub(super) fn add_coarse_form(&mut self, what: Sight, seen: &mut Seen) {
        let Surroundings {
            classes,
            all_files,
            environment,
            ..
        } = self.surroundings;
        match what {
            Sight::Files => self.add_coarse(&Subject::Files, all_files, seen),
            Sight::Classes => self.add_coarse(&Subject::ClassNames, &classes.names().known(), seen),
            Sight::Archives => {
                self.add_coarse(&Subject::Archives, &classes.archives().known(), seen);
            }
            Sight::Environment => self.add_coarse(&Subject::Environment, environment, seen),
            Sight::Network => self.add_outside(Outside::Network, seen),
            // Its coarse form is that the members of each class that is used count.
            Sight::Reflection => {}
        }
    }
}

fn note(what: Sight, reason: &str, seen: &mut Seen) {
    seen.coarse.insert(Coarse {
        what: CoarseKind::from(what),
        reason: reason.to_owned(),
    });
}
