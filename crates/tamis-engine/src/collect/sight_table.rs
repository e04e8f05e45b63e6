//! What a JVM asked for that is no file: which facts follow, and what of it the JDK may have cached for later tests.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tamis_facts::{ClassName, Fact, Outside, RawText, Subject};
use tamis_wire::{Asker, Sight, Sighting};

use super::class_table::{ClassTable, NameId};
use super::left_state::Spot;
use super::slots::Slots;
use super::unit_table::UnitFacts;
use super::{FactTable, Given};
use crate::conversation::{FIRST_SIGHTING, WatchedJvm, sighting_of};
use crate::sabotage::Sabotage;
use crate::today::is_single;

/// What archives say of the packages in them.
const MANIFEST: &[u8] = b"META-INF/MANIFEST.MF";

/// The sightings of a JVM, each worked out once.
pub(super) struct SightTable<'t> {
    jvm: &'t WatchedJvm,
    /// The archives on the class path.
    archives: &'t [PathBuf],
    given: Given<'t>,
    /// Properties that were read or set, by number.
    property_numbers: HashMap<&'t [u8], u32>,
    facts: Slots<UnitFacts>,
}

impl<'t> SightTable<'t> {
    pub(super) fn new(jvm: &'t WatchedJvm, archives: &'t [PathBuf], given: Given<'t>) -> Self {
        Self {
            jvm,
            archives,
            given,
            property_numbers: numbered(&jvm.sightings),
            facts: Slots::default(),
        }
    }

    fn sighting(&self, unit: u32) -> Option<&'t Sighting> {
        sighting_of(unit, &self.jvm.sightings)
    }

    /// Where whoever asked for it looked for what others left.
    pub(super) fn looked_at(&self, unit: u32) -> BTreeSet<Spot> {
        match self.sighting(unit) {
            Some(Sighting::Property(name)) => BTreeSet::from([
                Spot::Property(self.property_numbers[&name[..]]),
                Spot::Properties,
            ]),
            Some(Sighting::Properties) => BTreeSet::from([Spot::AnyProperty, Spot::Properties]),
            _ => BTreeSet::new(),
        }
    }

    /// Where whoever asked for it left something.
    pub(super) fn left_at(&self, unit: u32) -> BTreeSet<Spot> {
        match self.sighting(unit) {
            Some(Sighting::PropertySet(name)) => BTreeSet::from([
                Spot::Property(self.property_numbers[&name[..]]),
                Spot::AnyProperty,
            ]),
            Some(Sighting::Properties | Sighting::PropertiesSet) => {
                BTreeSet::from([Spot::Properties])
            }
            _ => BTreeSet::new(),
        }
    }

    /// What counts for whoever asked for it.
    pub(super) fn get(
        &mut self,
        unit: u32,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) -> Rc<UnitFacts> {
        if let Some(known) = self.facts.get(unit - FIRST_SIGHTING) {
            return known;
        }
        let found = self
            .sighting(unit)
            .map(|sighting| self.look(sighting, classes, facts));
        let found = Rc::new(found.unwrap_or_default());
        self.facts.insert(unit - FIRST_SIGHTING, Rc::clone(&found));
        found
    }

    fn look(
        &self,
        sighting: &Sighting,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) -> UnitFacts {
        let mut found = UnitFacts::default();
        match sighting {
            Sighting::Class(name) => {
                found.classes.insert(classes.id(name));
            }
            // Loaders are asked for whatever code names, before it runs: who runs it is known by that. Others: `asked_for.rs`.
            Sighting::LookedFor(name) => {
                let id = classes.id(name);
                if is_of_package(name) || classes.get(id, facts).is_absent {
                    found.classes.insert(id);
                }
            }
            Sighting::Members(name) => {
                let id = classes.id(name);
                found.classes.insert(id);
                found.listed.insert(id);
            }
            Sighting::Member { archive, name, .. } if self.is_on_class_path(archive) => {
                found.add_resource(name, classes, facts);
            }
            Sighting::Packages => found.add_resource(MANIFEST, classes, facts),
            // Who has the names of all members may read any of them.
            Sighting::MemberNames(archive) if self.is_on_class_path(archive) => {
                found.coarse.insert(Sight::Archives);
            }
            Sighting::Variable(name) => {
                let subject = Subject::Variable(RawText(name.clone()));
                let value = self.given.variables.value(name);
                found.facts.insert(facts.number(Fact { subject, value }));
            }
            Sighting::Variables => {
                found.coarse.insert(Sight::Environment);
            }
            Sighting::Property(name) if is_single(name) => {
                let subject = Subject::Property(RawText(name.clone()));
                let value = self.given.properties.value(name);
                found.facts.insert(facts.number(Fact { subject, value }));
            }
            Sighting::Properties => {
                let subject = Subject::Properties;
                let value = Some(self.given.properties.all());
                found.facts.insert(facts.number(Fact { subject, value }));
            }
            Sighting::Network(address) => {
                found.outside = Some(outside(address));
                let subject = Subject::Outside(Outside::Network);
                let value = None;
                found.facts.insert(facts.number(Fact { subject, value }));
            }
            // Other archives are files, and files are looked at where they are opened. Other properties are part of the
            // configuration.
            Sighting::Member { .. }
            | Sighting::MemberNames(_)
            | Sighting::Property(_)
            | Sighting::PropertySet(_)
            | Sighting::PropertiesSet => {}
        }
        found
    }

    fn is_on_class_path(&self, archive: &[u8]) -> bool {
        let archive = Path::new(OsStr::from_bytes(archive));
        self.archives.iter().any(|known| known == archive)
    }

    /// Sightings that the JDK may answer from a cache the next time: they count for all later entities. (What code of the
    /// program caches is in static fields of its own.)
    pub(super) fn sticky(
        &self,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) -> Vec<(usize, u32)> {
        let mut all = Vec::new();
        for ((position, sighting), unit) in
            self.jvm.sightings.iter().enumerate().zip(FIRST_SIGHTING..)
        {
            let is_sticky = match sighting {
                // Resource bundles and bean infos that are not there are remembered, and packages have their annotations.
                Sighting::Class(name) | Sighting::LookedFor(name) => {
                    let id = classes.id(name);
                    is_of_package(name) || classes.get(id, facts).is_absent
                }
                Sighting::Member { asker, .. } => *asker == Asker::Unknown,
                Sighting::MemberNames(_) | Sighting::Packages => true,
                _ => false,
            };
            if is_sticky && !Sabotage::NoStickyQuestions.is_on() {
                all.push((position, unit));
            }
        }
        all
    }

    /// Classes that reflection was asked about, with when it was first: the JDK keeps what it found for who asks again.
    pub(super) fn listed(&self, classes: &mut ClassTable<'_>) -> BTreeMap<NameId, usize> {
        let mut first = BTreeMap::new();
        if Sabotage::NoStickyMembers.is_on() {
            return first;
        }
        for (position, sighting) in self.jvm.sightings.iter().enumerate() {
            if let Sighting::Members(name) = sighting {
                first.entry(classes.id(name)).or_insert(position);
            }
        }
        first
    }
}

/// Whether a class, by its name, has nothing but the annotations of a package. No code names it.
fn is_of_package(name: &ClassName) -> bool {
    let name = name.as_bytes();
    name == b"package-info" || name.ends_with(b"/package-info")
}

/// Properties that were read or set.
fn numbered(sightings: &[Sighting]) -> HashMap<&[u8], u32> {
    let mut numbers = HashMap::new();
    for sighting in sightings {
        if let Sighting::Property(name) | Sighting::PropertySet(name) = sighting {
            let next = numbers.len() as u32;
            numbers.entry(&name[..]).or_insert(next);
        }
    }
    numbers
}

/// What a person is told of a connection. The ports of programs on this machine are others in each run.
fn outside(address: &[u8]) -> String {
    let address = String::from_utf8_lossy(address);
    let host = address.rsplit_once(':').map_or(&*address, |(host, _)| host);
    if host == "localhost" || host == "::1" || host.starts_with("127.") {
        return "talked to a program on this machine".to_owned();
    }
    format!("asked the network for {address}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_on_this_machine_have_no_ports() {
        let here = "talked to a program on this machine";
        for (address, expected) in [
            ("127.0.0.1:4711", here),
            ("localhost:80", here),
            ("localhost", here),
            ("example.org:80", "asked the network for example.org:80"),
            ("unix:/run/x", "asked the network for unix:/run/x"),
        ] {
            assert_eq!(outside(address.as_bytes()), expected);
        }
    }
}
