//! Block ⊆ dispatch ⊆ method ⊆ file (SPEC 3.7), over programs made at random and changed at random (`programs.rs`), and over bodies of
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
mod programs;
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
    Circumstances, ClassStates, KeptClasses, Paths, Properties, State, Variables, World, are_true,
    broken, counting_as_file, value,
};
use tamis_facts::{ChangeKind, Checksum, ClassName, Fact, Mesh, MethodId, Subject};
use tamis_select::{ClassState, counts};
use tamis_store::{Facts, KeptSet, StatCache};

use class_bytes::Type;
use hierarchies::method;
use programs::{FIELDS, Initialiser, Program, field};
use random::Random;

const SEED: u64 = 20_261_117;

/// So many programs lie side by side on one class path, and so many records know something of each.
const AT_ONCE: usize = 100;
const N_RECORDS: usize = 10;
const N_ROUNDS: usize = 10;

/// From coarse to fine.
const MESHES: &[Mesh] = &[Mesh::File, Mesh::Method, Mesh::Dispatch, Mesh::Block];

/// The kinds of changes that happen to these types, but that one is new: that is no change of a file.
const KINDS: &[ChangeKind] = &[
    ChangeKind::DeletedFile,
    ChangeKind::HeadChanged,
    ChangeKind::AddedStaticInitializer,
    ChangeKind::DeletedStaticInitializer,
    ChangeKind::ChangedStaticInitializer,
    ChangeKind::AddedInstanceInitializer,
    ChangeKind::DeletedInstanceInitializer,
    ChangeKind::ChangedInstanceInitializer,
    ChangeKind::AddedInstanceMethod,
    ChangeKind::DeletedInstanceMethod,
    ChangeKind::ChangedInstanceMethod,
    ChangeKind::AddedStaticMethod,
    ChangeKind::DeletedStaticMethod,
    ChangeKind::AddedField,
    ChangeKind::DeletedField,
    ChangeKind::ChangedField,
    ChangeKind::MembersChanged,
];

/// These concern by any mesh who uses the class at all.
const OF_ALL_USERS: &[ChangeKind] = &[
    ChangeKind::DeletedFile,
    ChangeKind::HeadChanged,
    ChangeKind::AddedStaticInitializer,
    ChangeKind::DeletedStaticInitializer,
];

#[test]
fn what_a_finer_mesh_finds_broken_each_coarser_one_does() {
    let mut random = Random::for_bytes(SEED, b"meshes");
    let mut n_broken = [0; MESHES.len()];
    let mut n_changed = [0; KINDS.len()];
    let mut n_more = [0; KINDS.len()];
    let mut n_appeared = 0;
    for round in 0..N_ROUNDS {
        let before: Vec<Program> = (0..AT_ONCE)
            .map(|number| Program::random(&format!("R{round}N{number}"), &mut random))
            .collect();
        let after: Vec<Program> = before
            .iter()
            .map(|program| program.changed(&mut random))
            .collect();
        let records = in_world(&files(&before), |world| {
            let records = before.iter().flat_map(|program| [program; N_RECORDS]);
            let records = records.map(|program| record(program, &mut random, world));
            records.collect::<Vec<Vec<Fact>>>()
        });
        let kept = Kept::of(files(&before).into_iter().map(|(_, bytes)| bytes));
        in_world(&files(&after), |world| {
            let broken = broken_facts(&records, world);
            let as_file = kinds_as_file(&kept, &records, world);
            let is_true = true_records(&records, &kept, world, MESHES);
            for (position, record) in records.iter().enumerate() {
                let is_broken: Vec<bool> =
                    is_true.iter().map(|by_mesh| !by_mesh[position]).collect();
                let [old, new] = [&before, &after].map(|all| &all[position / N_RECORDS]);
                assert!(
                    is_broken.is_sorted_by(|coarse, fine| coarse >= fine),
                    "{is_broken:?}: {old:#?}, then {new:#?}"
                );
                // But for blocks that is what facts say one by one.
                let by_fact = MESHES[..3].iter().map(|mesh| {
                    let mut counting = record
                        .iter()
                        .filter(|fact| counts(fact.subject.kind(), fact.value, *mesh));
                    counting.any(|fact| broken.contains(fact))
                });
                assert_eq!(by_fact.collect::<Vec<bool>>(), is_broken[..3]);
                for (counting, n_more) in as_file.iter().zip(&mut n_more) {
                    let is_counting = record.iter().any(|fact| counting.contains(fact));
                    assert!(is_broken[0] || !is_counting);
                    *n_more += usize::from(is_counting && !is_broken[3]);
                }
                for (n_broken, is_broken) in n_broken.iter_mut().zip(is_broken) {
                    *n_broken += usize::from(is_broken);
                }
            }
            for (counting, n_changed) in as_file.iter().zip(&mut n_changed) {
                *n_changed += counting.len();
            }
            let appeared = broken
                .iter()
                .filter(|fact| matches!(fact.subject, Subject::Class(_)) && fact.value.is_none());
            n_appeared += appeared.count();
        });
    }
    println!(
        "{} records, {n_broken:?} broken; {n_appeared} types appeared; of {KINDS:?}: {n_changed:?} classes, more by {n_more:?}",
        N_ROUNDS * AT_ONCE * N_RECORDS
    );
    assert!(n_broken.is_sorted_by(|coarse, fine| coarse > fine));
    assert!(n_appeared > 0 && n_changed.iter().all(|n_changed| *n_changed > 0));
    // All others are told from each other.
    for (kind, n_more) in KINDS.iter().zip(n_more) {
        assert_eq!(n_more == 0, OF_ALL_USERS.contains(kind), "{kind:?}");
    }
}

/// For each kind, the facts about classes that count as changed as a file, all that is known of how they changed being the
/// class files before.
fn kinds_as_file(kept: &Kept, records: &[Vec<Fact>], world: &World<'_>) -> Vec<BTreeSet<Fact>> {
    let all: BTreeSet<&Fact> = records.iter().flatten().collect();
    let facts: Facts = (0..).zip(all.into_iter().cloned()).collect();
    let broken = broken(&facts, world);
    let counting = |kept: &Kept, kind: ChangeKind| {
        let wanted = BTreeSet::from([kind]);
        let counting = counting_as_file(&facts, &broken, world.classes, kept, &wanted);
        let counting = counting.keys().map(|number| facts.fact(*number).to_fact());
        counting.collect::<BTreeSet<Fact>>()
    };
    let is_class = |fact: &Fact| matches!(fact.subject, Subject::Class(_)) && fact.value.is_some();
    let classes = broken.iter().map(|number| facts.fact(number).to_fact());
    let classes: BTreeSet<Fact> = classes.filter(is_class).collect();
    let is_there = |fact: &&Fact| value_of(&fact.subject, world).is_some();
    let there: BTreeSet<Fact> = classes.iter().filter(is_there).cloned().collect();
    // Unknown means run; that a class is gone is known.
    let none = Kept(BTreeMap::new());
    assert_eq!(counting(&none, ChangeKind::DeletedFile), classes);
    assert_eq!(counting(&none, ChangeKind::AddedInstanceMethod), there);
    let by_kind = KINDS.iter().map(|kind| counting(kept, *kind));
    let by_kind: Vec<BTreeSet<Fact>> = by_kind.collect();
    let of_any: BTreeSet<Fact> = by_kind.iter().flatten().cloned().collect();
    assert_eq!(of_any, classes, "each change has a kind");
    by_kind
}

/// Class files by the checksums of the classes.
struct Kept(BTreeMap<Checksum, Vec<u8>>);

impl Kept {
    fn of(files: impl Iterator<Item = Vec<u8>>) -> Self {
        let smart = |bytes: &[u8]| ClassState::of(bytes, DebugInfo::Ignored).smart();
        Self(files.map(|bytes| (smart(&bytes), bytes)).collect())
    }
}

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

/// By mesh: which records are true, some class files before the change being kept.
fn true_records(
    records: &[Vec<Fact>],
    kept: &Kept,
    world: &World<'_>,
    meshes: &[Mesh],
) -> Vec<Vec<bool>> {
    let all: BTreeSet<&Fact> = records.iter().flatten().collect();
    let numbers: BTreeMap<&Fact, u32> = all.into_iter().zip(0..).collect();
    let facts: Facts = (0..).zip(numbers.keys().copied().cloned()).collect();
    let sets = records.iter().map(|record| {
        let numbers: BTreeSet<u32> = record.iter().map(|fact| numbers[fact]).collect();
        numbers.into_iter().collect::<KeptSet>()
    });
    let sets: Vec<KeptSet> = sets.collect();
    let broken = broken(&facts, world);
    let by_mesh = meshes
        .iter()
        .map(|mesh| are_true(&sets, (&facts, &broken), world.classes, kept, *mesh));
    by_mesh.collect()
}

/// What an entity may have seen that uses some of the types, and so all above them; one in four does not know which blocks ran.
fn record(program: &Program, random: &mut Random, world: &World<'_>) -> Vec<Fact> {
    let types = &program.types;
    let used: Vec<&Type> = types.0.iter().filter(|_| random.below(2) == 0).collect();
    let is_used = |one: &&Type| used.iter().any(|below| types.is_below(below, one));
    let knows_blocks = random.below(4) != 0;
    let mut subjects = Vec::new();
    if random.below(4) == 0 {
        subjects.push(Subject::Class(program.added().as_str().into()));
    }
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
        for initialiser in program.initialisers(&one.name) {
            if initialiser.method == class_initialiser() {
                subjects.extend(blocks(&name(), &initialiser, world).filter(|_| knows_blocks));
            } else if random.below(4) == 0 {
                subjects.push(Subject::Method(name(), initialiser.method.clone()));
                subjects.extend(blocks(&name(), &initialiser, world).filter(|_| knows_blocks));
            }
        }
        let perhaps = [
            Subject::Resolution(name(), method()),
            Subject::Dispatch(name(), method()),
            Subject::Callbacks(name()),
            Subject::Method(name(), method()),
            Subject::Members(name()),
            Subject::Signatures(name()),
            Subject::Fields(name()),
        ];
        let fields = FIELDS.iter().map(|one| Subject::Field(name(), field(*one)));
        // Few, so that most records stay true under the finest mesh.
        let perhaps = perhaps.into_iter().chain(fields);
        subjects.extend(perhaps.filter(|_| random.below(8) == 0));
    }
    let facts = subjects.into_iter().map(|subject| {
        let value = value_of(&subject, world);
        Fact { subject, value }
    });
    facts.collect()
}

/// The blocks of a method that ran.
fn blocks(
    class: &ClassName,
    initialiser: &Initialiser,
    world: &World<'_>,
) -> impl Iterator<Item = Subject> {
    let State::Known((bytes, _)) = world.classes.bytes(class) else {
        panic!("{class} is there");
    };
    let state = ClassState::of(&bytes, DebugInfo::Ignored);
    let parts = state.parts.as_ref().unwrap();
    let mut methods = parts.checksums.methods.iter();
    let position = methods.position(|method| method.id == initialiser.method);
    let blocks = parts.blocks(position.unwrap()).unwrap().unwrap();
    let starts: Vec<u32> = blocks.graph.blocks.iter().map(|one| one.start).collect();
    assert!(starts.contains(&initialiser.branch), "{starts:?}");
    let ran = (0..)
        .zip(starts)
        .filter(|(_, start)| initialiser.is_taken || *start != initialiser.branch);
    let subjects =
        ran.map(|(block, _)| Subject::Block(class.clone(), initialiser.method.clone(), block));
    subjects.collect::<Vec<Subject>>().into_iter()
}

fn class_initialiser() -> MethodId {
    MethodId {
        name: "<clinit>".into(),
        descriptor: "()V".into(),
    }
}

/// The class files of programs, by name.
fn files(all: &[Program]) -> Vec<(String, Vec<u8>)> {
    all.iter().flat_map(Program::files).collect()
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
