//! Records: sets of facts to bytes and back, facts put together by class, and what follows for entities.

use std::collections::BTreeSet;
use std::time::Duration;

use tamis_facts::{
    Checksum, ClassName, Fact, MethodId, Record, RunVerdict, Subject, TestOutcome, TestRecord,
};
use tamis_select::{Decision, Today, decide as decision};
use tamis_store::{FactSet, Facts, KeptSet, Marks};

use crate::Work;

const N_RECORDS: u32 = 200;

const N_CLASSES: u32 = 2_000;

/// Facts about each class.
const N_FACTS: u32 = 6;

/// Classes that a record relies on.
const N_USED: u32 = 150;

const ENDED: u64 = 1_700_000_000;

pub(crate) fn encode() -> Work {
    let sets: Vec<FactSet> = (0..N_RECORDS)
        .map(|record| numbers(record).collect())
        .collect();
    Box::new(move || {
        let kept = sets.iter().map(|set| KeptSet::from(set).pack());
        kept.map(|bytes| bytes.len()).sum()
    })
}

pub(crate) fn decode() -> Work {
    let packed: Vec<Vec<u8>> = sets().iter().map(KeptSet::pack).collect();
    Box::new(move || {
        let sets = packed.iter().map(|bytes| KeptSet::unpack(bytes.clone()));
        let sets = sets.map(|set| set.expect("it was packed above"));
        sets.map(|set| set.iter().count()).sum()
    })
}

pub(crate) fn facts() -> Work {
    let facts: Vec<(u32, Fact)> = (0..).zip((0..N_CLASSES).flat_map(facts_of)).collect();
    Box::new(move || {
        let facts = Facts::new(facts.clone());
        facts.of_classes().map(|class| class.parts().count()).sum()
    })
}

pub(crate) fn decide() -> Work {
    let records: Vec<Record<KeptSet>> = sets().into_iter().map(record).collect();
    // No record has it, so each is gone over to its end.
    let broken = FactSet::from([(N_CLASSES - 1) * N_FACTS]);
    let broken = Marks::from(&broken);
    let today = Today {
        tests: None,
        now: ENDED,
        max_age: Duration::MAX,
    };
    Box::new(move || {
        let is_skipped = |record: &&Record<KeptSet>| {
            let records = std::slice::from_ref(*record);
            let decision = decision(records, &today, |record| record.facts.is_disjoint(&broken));
            matches!(decision, Decision::Skip(_))
        };
        records.iter().filter(is_skipped).count()
    })
}

fn sets() -> Vec<KeptSet> {
    (0..N_RECORDS)
        .map(|record| numbers(record).collect())
        .collect()
}

/// What a record relies on: of classes from all over the project, with some of their methods. Ascending.
fn numbers(record: u32) -> impl Iterator<Item = u32> {
    let step = N_CLASSES / N_USED;
    let classes = (0..N_USED).map(move |number| number * step + (number * record) % step);
    classes.flat_map(move |class| {
        let is_used = move |fact: &u32| *fact < 2 || (class + record + fact).is_multiple_of(3);
        (0..N_FACTS)
            .filter(is_used)
            .map(move |fact| class * N_FACTS + fact)
    })
}

fn facts_of(class: u32) -> impl Iterator<Item = Fact> {
    let name = ClassName::from(format!("com/example/area{}/Class{class}", class / 40).as_str());
    (0..N_FACTS).map(move |number| Fact {
        subject: match number {
            0 => Subject::Class(name.clone()),
            1 => Subject::Head(name.clone()),
            number => Subject::Method(name.clone(), method(number)),
        },
        value: Some(Checksum([number as u8; 16])),
    })
}

fn method(number: u32) -> MethodId {
    MethodId {
        name: format!("method{number}").as_str().into(),
        descriptor: "(I)V".into(),
    }
}

fn record(facts: KeptSet) -> Record<KeptSet> {
    Record {
        verdict: RunVerdict::Passed,
        tests: vec![TestRecord {
            name: "works".into(),
            outcome: TestOutcome::Passed,
            microseconds: 1,
        }],
        is_whole: true,
        facts,
        inherited: KeptSet::default(),
        companions: BTreeSet::new(),
        doubts: Vec::new(),
        microseconds: 1,
        ended: ENDED,
    }
}
