//! Any message comes back from its bytes, and any bytes give a message or a named error.

#![expect(clippy::unwrap_used, reason = "the whole file is tests")]

use proptest::prelude::*;
use tamis_facts::ClassName;
use tamis_wire::{
    Bye, ClassLoaded, ContentHash, Discovered, EntityBegin, EntityEnd, Frame, FromAgent, Hello,
    Initialiser, MAX_FRAME, Marks, N_UNITS, Outcome, Probing, Segment, Session, ToAgent, UnitSet,
    Verdict, WireError, WireErrorKind,
};

fn text() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..40)
}

fn texts() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(text(), 0..5)
}

fn hello() -> impl Strategy<Value = FromAgent> {
    let properties = (text(), text(), text(), text(), text(), texts());
    (any::<[u8; 16]>(), any::<u32>(), properties).prop_map(|(token, pid, properties)| {
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
        })
    })
}

fn probing() -> impl Strategy<Value = Probing> {
    let initialiser = prop::sample::select(vec![
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
    (numbers, text(), hash, probing()).prop_map(|((number, loader), name, hash, probing)| {
        FromAgent::ClassLoaded(ClassLoaded {
            number,
            loader,
            name: ClassName::from(name.as_slice()),
            hash,
            probing,
        })
    })
}

fn marks() -> impl Strategy<Value = FromAgent> {
    let segment = prop_oneof![
        Just(Segment::Ambient),
        any::<u32>().prop_map(Segment::Entity),
        any::<u32>().prop_map(Segment::Initialiser),
    ];
    let units = prop::collection::vec(0..N_UNITS, 0..50).prop_map(UnitSet::from_iter);
    (segment, units).prop_map(|(segment, units)| FromAgent::Marks(Marks { segment, units }))
}

fn entity_end() -> impl Strategy<Value = FromAgent> {
    let outcomes = vec![Outcome::Passed, Outcome::Failed, Outcome::Aborted];
    let fields = (any::<u32>(), prop::sample::select(outcomes), any::<u64>());
    fields.prop_map(|(entity, outcome, microseconds)| {
        FromAgent::EntityEnd(EntityEnd {
            entity,
            outcome,
            microseconds,
        })
    })
}

fn from_agent() -> impl Strategy<Value = FromAgent> {
    let discovered = (any::<u32>(), text(), texts()).prop_map(|(entity, name, tests)| {
        FromAgent::Discovered(Discovered {
            entity,
            name,
            tests,
        })
    });
    prop_oneof![
        hello(),
        class_loaded(),
        marks(),
        discovered,
        any::<u32>().prop_map(|entity| FromAgent::EntityBegin(EntityBegin { entity })),
        entity_end(),
        Just(FromAgent::Bye(Bye::Complete)),
        text().prop_map(|reason| FromAgent::Bye(Bye::Incomplete(reason))),
    ]
}

fn to_agent() -> impl Strategy<Value = ToAgent> {
    prop_oneof![
        Just(ToAgent::Session(Session::Accept)),
        Just(ToAgent::Session(Session::Idle)),
        any::<u32>().prop_map(|entity| ToAgent::Verdict(Verdict::Run(entity))),
        any::<u32>().prop_map(|entity| ToAgent::Verdict(Verdict::Skip(entity))),
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

    /// Each message has one encoding: what was understood is written as it came.
    #[test]
    fn any_bytes_are_a_message_or_a_named_error(kind in 0..140_u8, body in prop::collection::vec(any::<u8>(), 0..100)) {
        let frame = Frame { kind, body: &body };
        let mut sent = Vec::new();
        frame.encode(&mut sent).unwrap();
        for understood in [
            FromAgent::parse(&frame).map(|message| { let mut out = Vec::new(); message.encode(&mut out).unwrap(); out }),
            ToAgent::parse(&frame).map(|message| { let mut out = Vec::new(); message.encode(&mut out).unwrap(); out }),
        ] {
            match understood {
                Ok(out) => prop_assert_eq!(&out, &sent),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }

    #[test]
    fn any_stream_is_cut_into_frames_or_refused(mut stream in prop::collection::vec(prop_oneof![Just(0), any::<u8>()], 0..200)) {
        while let Ok(Some((frame, length))) = Frame::parse(&stream) {
            prop_assert!(length == frame.body.len() + 5 && length <= stream.len());
            stream.drain(..length);
        }
    }

    /// One flipped bit of a true message never panics.
    #[test]
    fn damaged_messages_are_read_without_harm(message in from_agent(), at in any::<prop::sample::Index>(), bit in 0..8) {
        let mut bytes = Vec::new();
        message.encode(&mut bytes).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= 1_u8 << bit;
        if let Ok(Some((frame, _))) = Frame::parse(&bytes) {
            drop(FromAgent::parse(&frame));
        }
    }
}

/// The whole of a JVM fits a frame, however its units lie.
#[test]
fn the_largest_sets_fit_a_frame() {
    for step in [1, 2, 127, 128, 129, 20_000] {
        let units: UnitSet = (0..N_UNITS).step_by(step).collect();
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
    let error = FromAgent::parse(&Frame {
        kind: 1,
        body: &[2, 0],
    })
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the version cannot be 2: it means nothing (at byte 2)"
    );
}
