//! A made-up project: its facts, and a record of each entity.

use std::collections::BTreeSet;

use tamis_facts::{
    Checksum, ClassName, EntityId, Fact, MethodId, Realm, Record, RunVerdict, Subject, TestOutcome,
    TestRecord,
};
use tamis_store::FactSet;

use crate::agent::statistics::Random;

pub(crate) struct Project {
    pub(crate) realm: Realm,
    pub(crate) facts: Vec<Fact>,
    /// Their facts are positions in `facts`.
    pub(crate) records: Vec<(EntityId, Record<FactSet>)>,
    /// A class that many rely on, though not all.
    pub(crate) changed: ClassName,
}

/// How large it is, in numbers of these.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) entities: u32,
    /// Facts that each of them relies on.
    pub(crate) dependencies: u32,
    pub(crate) classes: u32,
}

/// When all runs ended, in seconds since 1970.
pub(crate) const ENDED: u64 = 1_700_000_000;

/// Beside the checksum of a class and its head.
const N_METHODS: u32 = 3;

/// Facts about one class.
const N_FACTS: u32 = 2 + N_METHODS;

/// One in so many classes belongs to the core.
const CORE: u32 = 10;

/// How many classes there are on either side in the neighbourhood of an entity.
const NEIGHBOURS: u32 = 150;

/// Tests of one entity.
const N_TESTS: u32 = 6;

impl Project {
    pub(crate) fn make(size: &Size, seed: u64) -> Self {
        let mut random = Random(seed);
        let facts = (0..size.classes).flat_map(|class| facts(class, &mut random));
        let facts: Vec<Fact> = facts.collect();
        let realm = Realm {
            module: "com.example:warehouse".to_owned(),
            execution: "default-test".to_owned(),
        };
        let records = (0..size.entities).map(|number| {
            let id = EntityId {
                realm: realm.clone(),
                framework: "junit4".into(),
                test: format!("{}Test", class_name(number).replace('/', "."))
                    .as_str()
                    .into(),
            };
            (id, record(number, size, &mut random))
        });
        let records = records.collect();
        let changed = class_name(size.classes / CORE / 2).as_str().into();
        Self {
            realm,
            facts,
            records,
            changed,
        }
    }
}

/// Names as long as they are in real projects.
fn class_name(number: u32) -> String {
    let package = number / 40;
    format!("com/example/warehouse/area{package}/OrderPositionHandler{number}")
}

fn facts(class: u32, random: &mut Random) -> Vec<Fact> {
    let name = || ClassName::from(class_name(class).as_str());
    let method = |number: u32| MethodId {
        name: format!("computePositions{number}").as_str().into(),
        descriptor: "(Ljava/lang/String;I)Ljava/util/List;".into(),
    };
    let methods = (0..N_METHODS).map(|number| Subject::Method(name(), method(number)));
    let whole = [Subject::Class(name()), Subject::Head(name())];
    let fact = |subject| Fact {
        subject,
        value: Some(checksum(random)),
    };
    whole.into_iter().chain(methods).map(fact).collect()
}

/// Cannot be compressed, as real ones cannot.
fn checksum(random: &mut Random) -> Checksum {
    let value = u128::from(random.next()) << 64 | u128::from(random.next());
    Checksum(value.to_le_bytes())
}

fn record(number: u32, size: &Size, random: &mut Random) -> Record<FactSet> {
    let tests = (0..N_TESTS).map(|test| TestRecord {
        name: format!("handlesPositionsOfKind{test}").as_str().into(),
        outcome: TestOutcome::Passed,
        microseconds: random.next() % 100_000,
    });
    Record {
        verdict: RunVerdict::Passed,
        tests: tests.collect(),
        is_whole: true,
        facts: dependencies(number, size, random),
        inherited: FactSet::new(),
        companions: BTreeSet::new(),
        doubts: Vec::new(),
        microseconds: 250_000,
        ended: ENDED,
    }
}

/// Half of the classes are of the core, half of the neighbourhood. There are no more than all facts.
fn dependencies(entity: u32, size: &Size, random: &mut Random) -> FactSet {
    let n_classes = size.classes;
    let n_wanted = u64::from(size.dependencies.min(n_classes * N_FACTS));
    let mut facts = FactSet::new();
    let home = entity % n_classes;
    let mut n_drawn = 0;
    while facts.len() < n_wanted {
        n_drawn += 1;
        let class = match n_drawn % 2 {
            0 => popular(n_classes / CORE + 1, random),
            _ => neighbour(home, n_drawn, random),
        };
        use_class(class % n_classes, n_wanted, &mut facts, random);
    }
    facts
}

/// The lower of two numbers: the first classes are the most popular.
fn popular(n_core: u32, random: &mut Random) -> u32 {
    below(n_core, random).min(below(n_core, random))
}

/// One nearby; the longer it takes to find enough, the farther away.
fn neighbour(home: u32, n_drawn: u32, random: &mut Random) -> u32 {
    home + below(NEIGHBOURS + n_drawn, random)
}

/// The class, its head and each method with a chance of a half.
fn use_class(class: u32, n_wanted: u64, facts: &mut FactSet, random: &mut Random) {
    let methods = (2..N_FACTS).filter(|_| random.next().is_multiple_of(2));
    let chosen: Vec<u32> = [0, 1].into_iter().chain(methods).collect();
    for fact in chosen {
        if facts.len() < n_wanted {
            facts.insert(class * N_FACTS + fact);
        }
    }
}

fn below(n: u32, random: &mut Random) -> u32 {
    u32::try_from(random.below(n as usize)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(classes: u32, dependencies: u32) -> Project {
        let size = Size {
            entities: 30,
            dependencies,
            classes,
        };
        Project::make(&size, 7)
    }

    #[test]
    fn each_record_has_as_many_facts_as_were_asked_for() {
        let project = project(500, 200);
        assert_eq!(project.facts.len(), 2_500);
        for (_, record) in &project.records {
            assert_eq!(record.facts.len(), 200);
            assert!(record.facts.max() < Some(2_500));
        }
    }

    #[test]
    fn no_more_are_asked_for_than_there_are() {
        let project = project(20, 5_000);
        let all = |(_, record): &(_, Record<FactSet>)| record.facts.len() == 100;
        assert!(project.records.iter().all(all));
    }

    #[test]
    fn entities_share_the_core_and_differ_in_their_neighbourhood() {
        let project = project(4_000, 800);
        let facts = |number: usize| &project.records[number].1.facts;
        let shared = (facts(0) & facts(29)).len();
        assert!((100..700).contains(&shared), "{shared}");
    }
}
