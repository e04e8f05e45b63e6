//! What an agent says in the course of a thousand tests.

use tamis_facts::ClassName;
use tamis_wire::{
    ClassLoaded, ContentHash, Discovered, EntityBegin, EntityEnd, EntityKind, Frame, FromAgent,
    Initialiser, Marks, Outcome, Probing, Segment, TestEnd, UnitSet,
};

use crate::Work;

const N_ENTITIES: u32 = 200;

pub(crate) fn encode() -> Work {
    let messages = messages();
    Box::new(move || encoded(&messages).len())
}

pub(crate) fn parse() -> Work {
    let bytes = encoded(&messages());
    Box::new(move || {
        let mut rest = &bytes[..];
        let mut n_parsed = 0;
        while let Some((frame, length)) = Frame::parse(rest).expect("it was encoded above") {
            let message = FromAgent::parse(&frame);
            n_parsed += usize::from(message.is_ok());
            rest = &rest[length..];
        }
        n_parsed
    })
}

fn encoded(messages: &[FromAgent]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for message in messages {
        message.encode(&mut bytes).expect("no message is too long");
    }
    bytes
}

fn messages() -> Vec<FromAgent> {
    (0..N_ENTITIES).flat_map(of_entity).collect()
}

/// A class is loaded, shown as a test, and runs.
fn of_entity(number: u32) -> [FromAgent; 5] {
    let name = format!("com/example/area{}/Class{number}", number / 40);
    let tests: Vec<Vec<u8>> = (0..5)
        .map(|test| format!("works{test}").into_bytes())
        .collect();
    let ends = tests.iter().map(|name| TestEnd {
        name: name.clone(),
        outcome: Outcome::Passed,
        microseconds: 1_000,
    });
    let mut units = UnitSet::default();
    for unit in (0..600).filter(|unit| (unit * unit + number) % 5 < 2) {
        units.insert(unit);
    }
    [
        FromAgent::ClassLoaded(ClassLoaded {
            number,
            loader: 1,
            name: ClassName::from(name.as_str()),
            hash: Some(ContentHash([number as u8; 16])),
            probing: Probing::Probed {
                first: number * 10,
                n_units: 10,
                initialiser: Initialiser::None,
            },
            origin: b"file:/home/somebody/project/target/classes/".to_vec(),
            names: Vec::new(),
        }),
        FromAgent::Discovered(Discovered {
            entity: number,
            parent: None,
            kind: EntityKind::Class,
            framework: b"junit4".to_vec(),
            name: name.into_bytes(),
            tests: tests.clone(),
        }),
        FromAgent::EntityBegin(EntityBegin { entity: number }),
        FromAgent::Marks(Marks {
            segment: Segment::Entity(number),
            units,
        }),
        FromAgent::EntityEnd(EntityEnd {
            entity: number,
            outcome: Outcome::Passed,
            microseconds: 5_000,
            tests: ends.collect(),
        }),
    ]
}
