//! Any message comes back from its bytes, and any bytes give a message or a named error.

#![expect(clippy::unwrap_used, reason = "the whole file is tests")]

mod exercise;

use proptest::prelude::*;
use proptest::sample::select;
use tamis_facts::ClassName;
use tamis_wire::{
    Access, Accessed, Asker, Bye, ClassLoaded, ContentHash, Discovered, EntityBegin, EntityEnd,
    EntityKind, FileStamp, Forked, Found, Frame, FromAgent, Granularity, Hello, Initialiser,
    MAX_FRAME, Marking, Marks, N_ACCESSES, N_SIGHTINGS, N_UNITS, Outcome, Parent, Probing, Segment,
    Session, Sight, Sighted, Sighting, TestEnd, ToAgent, UnitSet, Unseen, Unsupported, VERSION,
    Verdict, WireError, WireErrorKind, Working,
};

fn text() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..40)
}

fn texts() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(text(), 0..5)
}

fn hello() -> impl Strategy<Value = FromAgent> {
    let properties = (text(), text(), text(), text(), text(), texts());
    let parent = prop::option::of(any::<(u32, u32)>());
    let numbers = any::<([u8; 16], u32)>();
    (numbers, properties, text(), parent).prop_map(|((token, pid), properties, label, parent)| {
        let (vm_version, java_home, command, class_path, directory, arguments) = properties;
        FromAgent::Hello(Hello {
            token,
            pid,
            vm_version,
            java_home,
            command,
            class_path,
            directory,
            arguments,
            label,
            parent: parent.map(|(jvm, fork)| Parent { jvm, fork }),
        })
    })
}

fn probing() -> impl Strategy<Value = Probing> {
    let initialiser = select(vec![
        Initialiser::None,
        Initialiser::Bracketed,
        Initialiser::Unbracketed,
    ]);
    let probed = (0..N_UNITS, 0..N_UNITS, initialiser).prop_map(|(first, n_units, initialiser)| {
        Probing::Probed {
            first,
            n_units: n_units.min(N_UNITS - first),
            initialiser,
        }
    });
    prop_oneof![text().prop_map(Probing::Refused), probed]
}

fn class_loaded() -> impl Strategy<Value = FromAgent> {
    let hash = prop::option::of(any::<[u8; 16]>().prop_map(ContentHash));
    let numbers = any::<(u32, u32)>();
    let fields = (numbers, text(), hash, probing(), text(), texts());
    fields.prop_map(|(numbers, name, hash, probing, origin, names)| {
        FromAgent::ClassLoaded(ClassLoaded {
            number: numbers.0,
            loader: numbers.1,
            name: ClassName::from(name.as_slice()),
            hash,
            probing,
            origin,
            names,
        })
    })
}

fn marks() -> impl Strategy<Value = FromAgent> {
    let segment = prop_oneof![
        Just(Segment::Ambient),
        any::<u32>().prop_map(Segment::Entity),
        any::<u32>().prop_map(Segment::Initialiser),
        any::<u32>().prop_map(Segment::Carried),
        any::<u32>().prop_map(Segment::Built),
    ];
    let units = prop::collection::vec(0..N_UNITS + N_ACCESSES, 0..50).prop_map(UnitSet::from_iter);
    (segment, units).prop_map(|(segment, units)| FromAgent::Marks(Marks { segment, units }))
}

fn outcome() -> impl Strategy<Value = Outcome> {
    select(vec![
        Outcome::Skipped,
        Outcome::Passed,
        Outcome::Aborted,
        Outcome::Failed,
    ])
}

fn entity_end() -> impl Strategy<Value = FromAgent> {
    let test =
        (text(), outcome(), any::<u64>()).prop_map(|(name, outcome, microseconds)| TestEnd {
            name,
            outcome,
            microseconds,
        });
    let tests = prop::collection::vec(test, 0..5);
    let fields = (any::<u32>(), outcome(), any::<u64>(), tests);
    fields.prop_map(|(entity, outcome, microseconds, tests)| {
        FromAgent::EntityEnd(EntityEnd {
            entity,
            outcome,
            microseconds,
            tests,
        })
    })
}

fn discovered() -> impl Strategy<Value = FromAgent> {
    let kinds = vec![EntityKind::Container, EntityKind::Class, EntityKind::Method];
    let numbers = any::<(u32, Option<u32>)>();
    let fields = (numbers, select(kinds), text(), text(), texts());
    fields.prop_map(|((entity, parent), kind, framework, name, tests)| {
        FromAgent::Discovered(Discovered {
            entity,
            parent,
            kind,
            framework,
            name,
            tests,
        })
    })
}

fn notice() -> impl Strategy<Value = FromAgent> {
    let forked = (any::<u32>(), any::<bool>(), text()).prop_map(|(fork, is_followed, program)| {
        FromAgent::Forked(Forked {
            fork,
            is_followed,
            program,
        })
    });
    let unsupported = (text(), text())
        .prop_map(|(framework, reason)| FromAgent::Unsupported(Unsupported { framework, reason }));
    prop_oneof![forked, unsupported]
}

fn accessed() -> impl Strategy<Value = FromAgent> {
    let access = select(vec![
        Access::Read,
        Access::Looked,
        Access::Listed,
        Access::Wrote,
        Access::Opened,
        Access::Guessed,
        Access::Followed,
    ]);
    let stamp = any::<([u64; 3], [(i64, i64); 2])>().prop_map(|(numbers, times)| FileStamp {
        device: numbers[0],
        inode: numbers[1],
        size: numbers[2],
        modified: times[0],
        changed: times[1],
    });
    let found = prop_oneof![
        Just(Found::Nothing),
        stamp.clone().prop_map(Found::File),
        stamp.prop_map(Found::Directory),
        Just(Found::Other),
    ];
    let fields = (0..N_ACCESSES, access, asker(), text(), found);
    fields.prop_map(|(number, access, asker, path, found)| {
        FromAgent::Accessed(Accessed {
            unit: N_UNITS + number,
            access,
            asker,
            path,
            found,
        })
    })
}

fn asker() -> impl Strategy<Value = Asker> {
    select(&Asker::ALL[..])
}

fn unseen() -> impl Strategy<Value = FromAgent> {
    let fields = (select(&Sight::ALL[..]), text());
    fields.prop_map(|(what, reason)| FromAgent::Unseen(Unseen { what, reason }))
}

fn sighted() -> impl Strategy<Value = FromAgent> {
    let class = || text().prop_map(|name| ClassName::from(&name[..]));
    let sighting = prop_oneof![
        class().prop_map(Sighting::Class),
        class().prop_map(Sighting::LookedFor),
        class().prop_map(Sighting::Members),
        (text(), text(), asker()).prop_map(|(archive, name, asker)| Sighting::Member {
            archive,
            name,
            asker
        }),
        text().prop_map(Sighting::MemberNames),
        Just(Sighting::Packages),
        text().prop_map(Sighting::Variable),
        Just(Sighting::Variables),
        text().prop_map(Sighting::Property),
        Just(Sighting::Properties),
        text().prop_map(Sighting::Network),
        text().prop_map(Sighting::PropertySet),
        Just(Sighting::PropertiesSet),
    ];
    (0..N_SIGHTINGS, sighting).prop_map(|(number, sighting)| {
        let unit = N_UNITS + N_ACCESSES + number;
        FromAgent::Sighted(Sighted { unit, sighting })
    })
}

fn from_agent() -> impl Strategy<Value = FromAgent> {
    prop_oneof![
        hello(),
        class_loaded(),
        marks(),
        discovered(),
        notice(),
        accessed(),
        unseen(),
        sighted(),
        any::<u32>().prop_map(|entity| FromAgent::EntityBegin(EntityBegin { entity })),
        entity_end(),
        Just(FromAgent::Bye(Bye::Complete)),
        text().prop_map(|reason| FromAgent::Bye(Bye::Incomplete(reason))),
    ]
}

fn to_agent() -> impl Strategy<Value = ToAgent> {
    prop_oneof![
        (any::<(u32, bool, bool)>(), texts()).prop_map(|(one, class_directories)| {
            let (jvm, is_method, has_blocks) = one;
            let granularity = if is_method {
                Granularity::Method
            } else {
                Granularity::Class
            };
            let marking = if has_blocks {
                Marking::Blocks
            } else {
                Marking::Methods
            };
            ToAgent::Session(Session::Accept {
                jvm,
                granularity,
                marking,
                class_directories,
            })
        }),
        Just(ToAgent::Session(Session::Idle)),
        any::<u32>().prop_map(|entity| ToAgent::Verdict(Verdict::Run(entity))),
        any::<u32>().prop_map(|entity| ToAgent::Verdict(Verdict::Skip(entity))),
        Just(ToAgent::Working(Working)),
    ]
}

/// The only frame in some bytes.
fn frame(bytes: &[u8]) -> Frame<'_> {
    let (frame, length) = Frame::parse(bytes).unwrap().unwrap();
    assert_eq!(length, bytes.len());
    frame
}

/// Every shorter body is an error that says so, and so is a longer one.
fn check_length<T>(frame: &Frame<'_>, parse: impl Fn(&Frame<'_>) -> Result<T, WireError>) {
    let kind_of = |body: &[u8]| {
        let frame = Frame {
            kind: frame.kind,
            body,
        };
        parse(&frame).map(drop).unwrap_err().kind
    };
    for length in 0..frame.body.len() {
        let kind = kind_of(&frame.body[..length]);
        assert!(matches!(kind, WireErrorKind::Truncated(_)), "{kind:?}");
    }
    let longer = [frame.body, &[0]].concat();
    assert_eq!(kind_of(&longer), WireErrorKind::Surplus);
}

proptest! {
    #[test]
    fn what_an_agent_says_comes_back(message in from_agent()) {
        let mut bytes = Vec::new();
        message.encode(&mut bytes).unwrap();
        let frame = frame(&bytes);
        prop_assert_eq!(FromAgent::parse(&frame), Ok(message));
        check_length(&frame, FromAgent::parse);
        prop_assert!(ToAgent::parse(&frame).is_err());
    }

    #[test]
    fn what_the_process_says_comes_back(message in to_agent()) {
        let mut bytes = Vec::new();
        message.encode(&mut bytes).unwrap();
        let frame = frame(&bytes);
        prop_assert_eq!(ToAgent::parse(&frame), Ok(message));
        check_length(&frame, ToAgent::parse);
        prop_assert!(FromAgent::parse(&frame).is_err());
    }

    #[test]
    fn any_bytes_are_a_message_or_a_named_error(kind in 0..140_u8, body in prop::collection::vec(any::<u8>(), 0..100)) {
        let mut sent = Vec::new();
        Frame { kind, body: &body }.encode(&mut sent).unwrap();
        exercise::messages(&sent);
    }

    #[test]
    fn any_stream_is_cut_into_frames_or_refused(stream in prop::collection::vec(prop_oneof![Just(0), any::<u8>()], 0..200)) {
        exercise::messages(&stream);
    }

    /// One flipped bit of a true message never panics.
    #[test]
    fn damaged_messages_are_read_without_harm(message in from_agent(), at in any::<prop::sample::Index>(), bit in 0..8) {
        let mut bytes = Vec::new();
        message.encode(&mut bytes).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= 1_u8 << bit;
        exercise::messages(&bytes);
    }
}

/// The whole of a JVM fits a frame, however its units lie.
#[test]
fn the_largest_sets_fit_a_frame() {
    for step in [1, 2, 127, 128, 129, 20_000] {
        let units: UnitSet = (0..N_UNITS + N_ACCESSES).step_by(step).collect();
        let mut bytes = Vec::new();
        let segment = Segment::Ambient;
        FromAgent::Marks(Marks { segment, units })
            .encode(&mut bytes)
            .unwrap();
        assert!(bytes.len() < MAX_FRAME as usize / 2, "{}", bytes.len());
    }
}

#[test]
fn another_version_is_refused_by_name() {
    let another = VERSION + 1;
    let error = FromAgent::parse(&Frame {
        kind: 1,
        body: &another.to_le_bytes(),
    })
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the version cannot be {another}: it means nothing (at byte 2)")
    );
}
