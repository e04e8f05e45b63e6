//! What a JVM asks of other classes when it links or shows one: it asks once, and the answer concerns all users of that one.
//!
//! Before any code of a class runs, all of it is checked. For that a JVM may have to know whether one class that the code names is
//! below another, also in methods that nobody calls. Which pairs are asked for is not seen, and who is the first to use the
//! class is no more concerned than who comes second. So what decides below what classes are counts for all users of a class
//! that names them, as far as they were loaded; and nothing else of them does.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use tamis_facts::{Checksum, ClassName, Subject};

use super::FactTable;
use super::class_table::number;
use crate::class_info::ClassInfo;
use crate::examined::ExaminedJvm;
use crate::today::{ClassStates, ClassSums, State, inner_class, nest_member};

/// Class files of older versions are checked by another procedure (JVMS 4.10.2), which looks at more classes; some of the next one
/// too, if the newer procedure refuses them.
const FIRST_WITH_FRAMES: u16 = 51;

/// Which classes name which, of those that a JVM has loaded.
#[derive(Debug, Default)]
pub(super) struct Linking {
    named: HashMap<ClassName, Vec<ClassName>>,
    known: HashMap<ClassName, Ancestry>,
}

/// What decides below what a class is.
#[derive(Debug, Clone, Default)]
struct Ancestry {
    /// Numbers of facts: about it, and about all above it.
    facts: Rc<BTreeSet<u32>>,
    /// Whether it is a class right below `Object`, so that nothing is asked of it that is not the same for each such class.
    is_plain: bool,
}

/// A class that is used.
pub(super) struct Linked<'l> {
    pub(super) name: &'l ClassName,
    pub(super) info: &'l ClassInfo,
    /// The version of its file.
    pub(super) version: u16,
}

impl Linking {
    pub(super) fn new(jvm: &ExaminedJvm) -> Self {
        let loaded = || jvm.classes.values();
        let names: HashSet<&ClassName> = loaded().map(|class| &class.name).collect();
        let mut linking = Self::default();
        for class in loaded() {
            let named = class.shape.named.iter();
            let named = named.filter(|name| **name != class.name && names.contains(name));
            let all = linking.named.entry(class.name.clone()).or_default();
            all.extend(named.cloned());
        }
        linking
    }

    /// The facts that count for all users of a class. An error, for people, if something cannot be read.
    pub(super) fn facts(
        &mut self,
        class: &Linked<'_>,
        states: &ClassStates<'_>,
        facts: &mut FactTable,
    ) -> Result<BTreeSet<u32>, String> {
        let mut counting = BTreeSet::new();
        let is_old = class.version < FIRST_WITH_FRAMES;
        for name in self.named.get(class.name).cloned().unwrap_or_default() {
            let ancestry = self.ancestry(&name, states, facts)?;
            if is_old || !ancestry.is_plain {
                counting.extend(&*ancestry.facts);
            }
        }
        for (lister, aspect) in listers(class) {
            counting.extend(listed(lister, aspect, states, facts)?);
        }
        Ok(counting)
    }

    fn ancestry(
        &mut self,
        name: &ClassName,
        states: &ClassStates<'_>,
        facts: &mut FactTable,
    ) -> Result<Ancestry, String> {
        if let Some(known) = self.known.get(name) {
            return Ok(known.clone());
        }
        // A class that is above itself cannot be loaded.
        self.known.insert(name.clone(), Ancestry::default());
        let sums = match states.checksums(name) {
            // The JDK's, or one that was made at run time: who made it is known.
            State::Absent => return Ok(Ancestry::default()),
            State::Known(sums) => sums,
            State::Unknown(place) => return Err(place),
        };
        let found = match &sums.parts {
            None => Ancestry {
                facts: Rc::new(BTreeSet::from([whole(name, &sums, facts)])),
                is_plain: false,
            },
            Some(parts) => {
                let declared = &parts.declared;
                let subject = Subject::Aspect(name.clone(), parts.ancestry);
                let mut all = BTreeSet::from([number(facts, subject, Some(sums.smart))]);
                for supertype in declared.supertypes() {
                    all.extend(&*self.ancestry(supertype, states, facts)?.facts);
                }
                let supertypes: Vec<&ClassName> = declared.supertypes().collect();
                let is_below_object =
                    matches!(supertypes[..], [only] if only.as_bytes() == b"java/lang/Object");
                Ancestry {
                    facts: Rc::new(all),
                    is_plain: is_below_object && !declared.is_interface,
                }
            }
        };
        self.known.insert(name.clone(), found.clone());
        Ok(found)
    }
}

/// The classes that are asked whether they list this one, with how.
fn listers<'l>(class: &Linked<'l>) -> Vec<(&'l ClassName, Checksum)> {
    let Linked { name, info, .. } = class;
    let host = info.nest_host.as_ref();
    let host = host.map(|host| (host, nest_member(name)));
    let outer = info.outer_class.as_ref();
    let outer = outer.map(|outer| (outer, inner_class(name, Some(outer))));
    let enclosing = info.enclosing_class.as_ref();
    let enclosing = enclosing.map(|enclosing| (enclosing, inner_class(name, None)));
    host.into_iter().chain(outer.or(enclosing)).collect()
}

/// That a class lists another one. If it does not, or nobody knows, all of it counts.
fn listed(
    lister: &ClassName,
    aspect: Checksum,
    states: &ClassStates<'_>,
    facts: &mut FactTable,
) -> Result<Option<u32>, String> {
    match states.checksums(lister) {
        State::Unknown(place) => Err(place),
        State::Absent if lister.as_bytes().starts_with(b"java/") => Ok(None),
        State::Absent => Ok(Some(number(facts, Subject::Class(lister.clone()), None))),
        State::Known(sums) => {
            let parts = sums.parts.as_ref();
            let fact = if parts.is_some_and(|parts| parts.has_aspect(aspect)) {
                let subject = Subject::Aspect(lister.clone(), aspect);
                number(facts, subject, Some(sums.smart))
            } else {
                whole(lister, &sums, facts)
            };
            Ok(Some(fact))
        }
    }
}

fn whole(name: &ClassName, sums: &ClassSums, facts: &mut FactTable) -> u32 {
    number(facts, Subject::Whole(name.clone()), Some(sums.smart))
}
