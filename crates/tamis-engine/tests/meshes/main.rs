//! Block ⊆ dispatch ⊆ method ⊆ file (SPEC 3.7), over hierarchies made at random and changed at random, and over bodies of
//! methods (`bodies.rs`): what a finer mesh finds broken in a record, each coarser one does. And `broken`, which leaves out what it need not look at, finds
//! what each fact says by itself. Where one kind of change counts as a change of the file (SPEC 3.6), a mesh finds no less
//! than without, and no more than mesh `file`.
#![expect(clippy::unwrap_used, reason = "the whole crate is tests")]

mod bodies;
#[expect(dead_code, reason = "other tests need more of it")]
#[path = "../../../tamis-select/tests/look_ups/class_bytes.rs"]
mod class_bytes;
#[path = "../../../tamis-select/tests/look_ups/hierarchies.rs"]
#[expect(dead_code, reason = "other tests need more of it")]
mod hierarchies;
#[path = "../../../tamis-classfile/tests/round_trip/random.rs"]
mod random;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use tamis_build::{ClassPath, path_text};
use tamis_classfile::checksum::DebugInfo;
use tamis_engine::{
    Circumstances, ClassStates, KeptClasses, Paths, Properties, State, Variables, World, broken,
    counting_as_file, value,
};
use tamis_facts::{ChangeKind, Checksum, ClassName, Fact, Mesh, MethodId, Subject};
use tamis_select::{ClassState, counts};
use tamis_store::{Facts, StatCache};

use class_bytes::Type;
use hierarchies::{Types, method};
use random::Random;

const SEED: u64 = 20_261_117;

/// So many hierarchies lie side by side on one class path, and so many records know something of each.
const AT_ONCE: usize = 100;
const N_RECORDS: usize = 10;
const N_ROUNDS: usize = 10;

/// From coarse to fine: all but blocks, since what changes in bodies here is all of them.
const MESHES: &[Mesh] = &[Mesh::File, Mesh::Method, Mesh::Dispatch];

/// The kinds of changes that happen to these types.
const KINDS: &[ChangeKind] = &[
    ChangeKind::HeadChanged,
    ChangeKind::AddedInstanceMethod,
    ChangeKind::DeletedInstanceMethod,
    ChangeKind::ChangedInstanceMethod,
    ChangeKind::AddedStaticMethod,
    ChangeKind::DeletedStaticMethod,
];

#[test]
fn what_a_finer_mesh_finds_broken_each_coarser_one_does() {
    let mut random = Random::for_bytes(SEED, b"meshes");
    let mut n_broken = [0; MESHES.len()];
    let mut n_more = [0; KINDS.len()];
    for round in 0..N_ROUNDS {
        let before: Vec<Types> = (0..AT_ONCE)
            .map(|number| Types::random(&format!("R{round}N{number}"), &mut random))
            .collect();
        let after: Vec<Types> = before
            .iter()
            .map(|types| types.changed_anyhow(&mut random))
            .collect();
        let records = in_world(&files(&before), |world| {
            let records = before.iter().flat_map(|types| [types; N_RECORDS]);
            let records = records.map(|types| record(types, &mut random, world));
            records.collect::<Vec<Vec<Fact>>>()
        });
        in_world(&files(&after), |world| {
            let broken = broken_facts(&records, world);
            let as_file = kinds_as_file(&before, &records, world);
            for (position, record) in records.iter().enumerate() {
                let is_broken = MESHES.iter().map(|mesh| {
                    let mut counting = record
                        .iter()
                        .filter(|fact| counts(fact.subject.kind(), fact.value, *mesh));
                    counting.any(|fact| broken.contains(fact))
                });
                let is_broken: Vec<bool> = is_broken.collect();
                assert!(
                    is_broken.is_sorted_by(|coarse, fine| coarse >= fine),
                    "{is_broken:?}: {:#?}, then {:#?}",
                    before[position / N_RECORDS],
                    after[position / N_RECORDS]
                );
                for (counting, n_more) in as_file.iter().zip(&mut n_more) {
                    let is_counting = record.iter().any(|fact| counting.contains(fact));
                    assert!(is_broken[0] || !is_counting);
                    *n_more += usize::from(is_counting && !is_broken[2]);
                }
                for (n_broken, is_broken) in n_broken.iter_mut().zip(is_broken) {
                    *n_broken += usize::from(is_broken);
                }
            }
        });
    }
    println!(
        "{} records, {n_broken:?} broken; more by {KINDS:?}: {n_more:?}",
        N_ROUNDS * AT_ONCE * N_RECORDS
    );
    assert!(n_broken.is_sorted_by(|coarse, fine| coarse > fine));
    // A head that changed concerns each user by any mesh; all others are told from each other.
    let [of_heads, of_methods @ ..] = n_more;
    assert!(of_heads == 0 && of_methods.iter().all(|n_more| *n_more > 0));
}

/// For each kind, the facts about classes that count as changed as a file, all that is known of how they changed being the
/// class files before.
fn kinds_as_file(
    before: &[Types],
    records: &[Vec<Fact>],
    world: &World<'_>,
) -> Vec<BTreeSet<Fact>> {
    let all: BTreeSet<&Fact> = records.iter().flatten().collect();
    let facts: Facts = (0..).zip(all.into_iter().cloned()).collect();
    let broken = broken(&facts, world);
    let counting = |kept: &Kept, kind: ChangeKind| {
        let wanted = BTreeSet::from([kind]);
        let counting = counting_as_file(&facts, &broken, world.classes, kept, &wanted);
        let counting = counting.keys().map(|number| facts.fact(*number).to_fact());
        counting.collect::<BTreeSet<Fact>>()
    };
    let files = before.iter().flat_map(|types| &types.0).map(|one| {
        let bytes = one.bytes();
        let checksum = ClassState::of(&bytes, DebugInfo::Ignored).smart();
        (checksum, bytes)
    });
    let kept = Kept(files.collect());
    let is_class = |fact: &Fact| matches!(fact.subject, Subject::Class(_)) && fact.value.is_some();
    let classes = broken.iter().map(|number| facts.fact(number).to_fact());
    let classes: BTreeSet<Fact> = classes.filter(is_class).collect();
    let by_kind = KINDS.iter().map(|kind| {
        // Unknown means run.
        assert_eq!(counting(&Kept(BTreeMap::new()), *kind), classes);
        counting(&kept, *kind)
    });
    let by_kind: Vec<BTreeSet<Fact>> = by_kind.collect();
    let of_any: BTreeSet<Fact> = by_kind.iter().flatten().cloned().collect();
    assert_eq!(of_any, classes, "each change has a kind");
    by_kind
}

/// Class files by the checksums of the classes.
struct Kept(BTreeMap<Checksum, Vec<u8>>);

impl KeptClasses for Kept {
    fn class_file(&self, checksum: Checksum) -> Option<Vec<u8>> {
        self.0.get(&checksum).cloned()
    }
}

/// The facts of all records that are broken, found in both ways.
fn broken_facts(records: &[Vec<Fact>], world: &World<'_>) -> BTreeSet<Fact> {
    let all: BTreeSet<&Fact> = records.iter().flatten().collect();
    let facts: Facts = (0..).zip(all.into_iter().cloned()).collect();
    let found = broken(&facts, world);
    let found = found.iter().map(|number| facts.fact(number).to_fact());
    let found: BTreeSet<Fact> = found.collect();
    let by_itself = facts.iter().map(|fact| fact.to_fact());
    let by_itself: BTreeSet<Fact> = by_itself
        .filter(|fact| value_of(&fact.subject, world) != fact.value)
        .collect();
    assert_eq!(found, by_itself);
    found
}

fn value_of(subject: &Subject, world: &World<'_>) -> Option<Checksum> {
    match value(subject, world) {
        State::Known(value) => Some(value),
        State::Absent => None,
        State::Unknown(reason) => panic!("{subject}: {reason}"),
    }
}

/// What an entity may have seen that uses some of the types, and so all above them.
fn record(types: &Types, random: &mut Random, world: &World<'_>) -> Vec<Fact> {
    let used: Vec<&Type> = types.0.iter().filter(|_| random.below(2) == 0).collect();
    let is_used = |one: &&Type| used.iter().any(|below| types.is_below(below, one));
    let mut subjects = Vec::new();
    for one in types.0.iter().filter(is_used) {
        let name = || ClassName::from(one.name.as_str());
        let supertypes = one.super_class.iter().chain(&one.interfaces);
        let object = one.super_class.is_none().then_some("java/lang/Object");
        let supertypes = object
            .into_iter()
            .chain(supertypes.map(String::as_str))
            .map(ClassName::from);
        subjects.extend([
            Subject::Class(name()),
            Subject::Head(name()),
            Subject::Declaration(name()),
            Subject::Supertypes(name(), supertypes.collect()),
            Subject::Method(name(), class_initialiser()),
        ]);
        let perhaps = [
            Subject::Resolution(name(), method()),
            Subject::Dispatch(name(), method()),
            Subject::Callbacks(name()),
            Subject::Method(name(), method()),
            Subject::Members(name()),
            Subject::Signatures(name()),
            Subject::Fields(name()),
        ];
        // Few, so that most records stay true under the finest mesh.
        subjects.extend(perhaps.into_iter().filter(|_| random.below(8) == 0));
    }
    let facts = subjects.into_iter().map(|subject| {
        let value = value_of(&subject, world);
        Fact { subject, value }
    });
    facts.collect()
}

fn class_initialiser() -> MethodId {
    MethodId {
        name: "<clinit>".into(),
        descriptor: "()V".into(),
    }
}

/// The class files of types, by name.
fn files(all: &[Types]) -> Vec<(String, Vec<u8>)> {
    let all = all.iter().flat_map(|types| &types.0);
    all.map(|one| (one.name.clone(), one.bytes())).collect()
}

/// Does something while class files lie on the class path, and nothing else.
fn in_world<T>(files: &[(String, Vec<u8>)], ask: impl FnOnce(&World<'_>) -> T) -> T {
    let root = tempfile::tempdir().unwrap();
    for package in ["p", "q"] {
        fs::create_dir(root.path().join(package)).unwrap();
    }
    for (name, bytes) in files {
        fs::write(root.path().join(format!("{name}.class")), bytes).unwrap();
    }
    let class_path = ClassPath::of_places(&[path_text(root.path())], &Arc::default());
    let cache = StatCache::new(SystemTime::now());
    let classes = ClassStates::new(&class_path, &cache, DebugInfo::Ignored);
    let unknown = || State::Unknown("nobody asks".to_owned());
    let circumstances = Circumstances {
        files: unknown(),
        configuration: unknown(),
        properties: Properties::default(),
        environment: unknown(),
        untrusted: BTreeSet::new(),
        jvm: unknown(),
        semantics: Checksum([0; 16]),
    };
    ask(&World {
        classes: &classes,
        paths: Paths {
            root: Path::new("/"),
            cache: &cache,
        },
        variables: &Variables::default(),
        circumstances: &circumstances,
    })
}
