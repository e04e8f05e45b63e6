//! What is told of accesses, without a JVM.

use std::collections::BTreeMap;
use std::thread;

use tamis_wire::{FileStamp, Segment, UnitSet};

use super::*;
use crate::segments::Start;

/// What is told, and what is going on.
struct World {
    accesses: Accesses,
    segments: Segments,
    /// By unit.
    told: BTreeMap<u32, String>,
    unseen: Vec<String>,
    asker: Asker,
}

/// A file that has this many bytes.
fn file(size: u64) -> Found {
    Found::File(stamp(size))
}

fn directory() -> Found {
    Found::Directory(stamp(0))
}

fn stamp(size: u64) -> FileStamp {
    FileStamp {
        device: 1,
        inode: 2,
        size,
        modified: (3, 0),
        changed: (3, 0),
    }
}

fn touch(act: Act, path: &str, found: Found) -> Touch {
    Touch {
        act,
        path: path.into(),
        found,
        is_random: false,
        is_loaders: true,
    }
}

impl Default for World {
    fn default() -> Self {
        Self {
            accesses: Accesses::default(),
            segments: Segments::default(),
            told: BTreeMap::new(),
            unseen: Vec::new(),
            asker: Asker::Unknown,
        }
    }
}

impl World {
    fn on_scene(&mut self, body: impl FnOnce(&mut Accesses, &mut Scene<'_>)) {
        let (told, unseen) = (&mut self.told, &mut self.unseen);
        let mut scene = Scene {
            segments: &mut self.segments,
            thread: thread::current().id(),
            asker: self.asker,
            tell: &mut |message| match message {
                FromAgent::Accessed(accessed) => {
                    let path = String::from_utf8(accessed.path).unwrap();
                    let by = match accessed.asker {
                        Asker::Program => " by the program",
                        Asker::Unknown => "",
                    };
                    let found = suffix(accessed.found);
                    let text = format!("{:?} {path}{found}{by}", accessed.access);
                    assert_eq!(told.insert(accessed.unit, text), None);
                }
                FromAgent::Unseen(Unseen { reason, .. }) => {
                    unseen.push(String::from_utf8(reason).unwrap());
                }
                other => panic!("{other:?}"),
            },
        };
        body(&mut self.accesses, &mut scene);
    }

    fn act(&mut self, act: Act, path: &str, found: Found) {
        let deed = Deed::One(touch(act, path, found));
        self.on_scene(|accesses, scene| accesses.note(&deed, scene));
    }

    fn rename(&mut self, (from, found): (&str, Found), to: &str) {
        let deed = Deed::Move {
            from: touch(Act::Read, from, found),
            to: touch(Act::Write, to, Found::Nothing),
        };
        self.on_scene(|accesses, scene| accesses.note(&deed, scene));
    }

    fn begin(&mut self, entity: u32) {
        self.on_scene(Accesses::settle);
        self.segments.begin(entity, None, Start::Node);
    }

    /// What an entity saw, in the order of units.
    fn end(&mut self, entity: u32) -> Vec<String> {
        self.on_scene(Accesses::settle);
        let sets = self.segments.end(entity).unwrap();
        let set = sets
            .iter()
            .find(|(segment, _)| *segment == Segment::Entity(entity));
        set.map_or_else(Vec::new, |(_, units)| self.texts(units))
    }

    fn texts(&self, units: &UnitSet) -> Vec<String> {
        units.iter().map(|unit| self.told[&unit].clone()).collect()
    }
}

fn suffix(found: Found) -> String {
    match found {
        Found::Nothing => ": nothing".to_owned(),
        Found::File(stamp) => format!(": {} bytes", stamp.size),
        Found::Directory(_) => ": directory".to_owned(),
        Found::Other => ": other".to_owned(),
    }
}

/// What one entity that does all this is told to have seen.
fn check(acts: &[(Act, &str, Found)], expected: &[&str]) {
    let mut world = World::default();
    world.begin(1);
    for (act, path, found) in acts {
        world.act(*act, path, *found);
    }
    assert_eq!(world.end(1), expected);
}

#[test]
fn each_way_to_look_is_an_access_and_another_find_another_one() {
    check(
        &[
            (Act::Read, "/a", file(1)),
            (Act::Measure, "/a", file(1)),
            (Act::Look, "/a", file(1)),
            (Act::List, "/d", directory()),
            (Act::Read, "/a", file(2)),
            (Act::Look, "/b", Found::Nothing),
        ],
        &[
            "Read /a: 1 bytes",
            "Opened /a: 1 bytes",
            "Looked /a: 1 bytes",
            "Listed /d: directory",
            "Read /a: 2 bytes",
            "Looked /b: nothing",
        ],
    );
}

#[test]
fn an_access_is_told_once_and_counts_for_each_that_does_it() {
    let mut world = World::default();
    for entity in [1, 2] {
        world.begin(entity);
        world.act(Act::Read, "/a", file(1));
        assert_eq!(world.end(entity), ["Read /a: 1 bytes"]);
    }
    assert_eq!(world.told.len(), 1);
}

#[test]
fn what_a_test_wrote_itself_is_no_fact_for_it() {
    check(
        &[
            (Act::Write, "/a", Found::Nothing),
            (Act::Read, "/a", file(1)),
            (Act::Look, "/a", file(1)),
            (Act::Append, "/a", file(1)),
            (Act::Update, "/a", file(2)),
            (Act::Read, "/a", file(3)),
            (Act::Remove, "/a", file(3)),
            (Act::Look, "/a", Found::Nothing),
        ],
        &[
            "Wrote /a: nothing",
            "Wrote /a: 1 bytes",
            "Wrote /a: 2 bytes",
            "Wrote /a: 3 bytes",
        ],
    );
}

#[test]
fn what_is_appended_to_was_there_before() {
    check(
        &[
            (Act::Append, "/a", file(1)),
            (Act::Read, "/a", file(2)),
            (Act::Update, "/b", file(1)),
            (Act::Read, "/b", file(2)),
        ],
        &[
            "Wrote /a: 1 bytes",
            "Read /a: 2 bytes",
            "Read /b: 1 bytes",
            "Wrote /b: 1 bytes",
            "Read /b: 2 bytes",
        ],
    );
    check(
        &[
            (Act::Append, "/a", Found::Nothing),
            (Act::Read, "/a", file(1)),
            (Act::Update, "/b", Found::Nothing),
            (Act::Read, "/b", file(1)),
        ],
        &["Wrote /a: nothing", "Read /b: nothing", "Wrote /b: nothing"],
    );
}

#[test]
fn what_cannot_be_made_because_it_is_there_is_looked_at_only() {
    check(
        &[
            (Act::Make, "/a", file(1)),
            (Act::Read, "/a", file(1)),
            (Act::MakeDirectory, "/d", directory()),
            (Act::Read, "/d/x", file(2)),
        ],
        &[
            "Looked /a: 1 bytes",
            "Read /a: 1 bytes",
            "Looked /d: directory",
            "Read /d/x: 2 bytes",
        ],
    );
}

#[test]
fn what_is_made_was_not_there_and_then_is_own_with_all_in_it() {
    check(
        &[
            (Act::MakeDirectory, "/d", Found::Nothing),
            (Act::List, "/d", directory()),
            (Act::Read, "/d/x", file(1)),
            (Act::Look, "/d/y/z", Found::Nothing),
            (Act::Make, "/d/f", Found::Nothing),
            (Act::Make, "/f", Found::Nothing),
        ],
        &[
            "Looked /d: nothing",
            "Wrote /d: nothing",
            "Wrote /d/f: nothing",
            "Looked /f: nothing",
            "Wrote /f: nothing",
        ],
    );
}

#[test]
fn what_is_removed_was_looked_at() {
    check(
        &[
            (Act::Remove, "/a", file(1)),
            (Act::Look, "/a", Found::Nothing),
        ],
        &["Looked /a: 1 bytes", "Wrote /a: 1 bytes"],
    );
}

#[test]
fn what_is_moved_was_read() {
    let mut world = World::default();
    world.begin(1);
    world.rename(("/a", file(1)), "/b");
    world.act(Act::Look, "/a", Found::Nothing);
    world.act(Act::Read, "/b", file(1));
    world.rename(("/d", directory()), "/e");
    world.act(Act::Read, "/e/x", file(2));
    world.rename(("/none", Found::Nothing), "/c");
    world.act(Act::Look, "/c", Found::Nothing);
    let expected = [
        "Read /a: 1 bytes",
        "Wrote /a: 1 bytes",
        "Wrote /b: nothing",
        "Listed /d: directory",
        "Wrote /d: directory",
        "Wrote /e: nothing",
        "Read /e/x: 2 bytes",
        "Read /none: nothing",
        "Looked /c: nothing",
    ];
    assert_eq!(world.end(1), expected);
}

#[test]
fn a_directory_that_was_made_and_moved_is_own_under_its_new_name() {
    let mut world = World::default();
    world.begin(1);
    world.act(Act::MakeDirectory, "/d", Found::Nothing);
    world.rename(("/d", directory()), "/e");
    world.act(Act::Read, "/e/x", file(1));
    world.act(Act::Read, "/d/x", Found::Nothing);
    let expected = [
        "Looked /d: nothing",
        "Wrote /d: nothing",
        "Wrote /d: directory",
        "Wrote /e: nothing",
        "Read /d/x: nothing",
    ];
    assert_eq!(world.end(1), expected);
}

#[test]
fn what_one_test_wrote_is_a_fact_for_another() {
    let mut world = World::default();
    world.begin(1);
    world.act(Act::Write, "/a", Found::Nothing);
    world.end(1);
    world.begin(2);
    world.act(Act::Read, "/a", file(1));
    assert_eq!(world.end(2), ["Read /a: 1 bytes"]);
    // It may not know all of it any more, either.
    world.begin(2);
    world.act(Act::Append, "/a", file(1));
    world.end(2);
    world.begin(1);
    world.act(Act::Read, "/a", file(2));
    assert_eq!(world.end(1), ["Read /a: 2 bytes"]);
}

#[test]
fn what_was_written_outside_of_tests_is_no_fact_for_any() {
    let mut world = World::default();
    world.act(Act::Write, "/a", Found::Nothing);
    world.begin(1);
    world.act(Act::Read, "/a", file(1));
    assert_eq!(world.end(1), [""; 0]);
    // But while a runner is being built, that one alone knows.
    world.segments.begin_build(1, None);
    world.act(Act::Write, "/b", Found::Nothing);
    world.segments.end_build(1);
    for (entity, expected) in [(1, &[][..]), (2, &["Read /b: 1 bytes"])] {
        world.begin(entity);
        world.act(Act::Read, "/b", file(1));
        assert_eq!(world.end(entity), expected);
    }
}

#[test]
fn an_initialiser_sees_what_the_test_around_it_wrote() {
    let mut world = World::default();
    world.begin(1);
    world.act(Act::Write, "/a", Found::Nothing);
    world.segments.begin_initialiser(7);
    world.act(Act::Read, "/a", file(1));
    let units = world.segments.end_initialiser(7).unwrap();
    assert_eq!(world.texts(&units), ["Read /a: 1 bytes"]);
}

#[test]
fn names_made_up_that_are_not_there_are_told_as_such() {
    let mut world = World::default();
    world.begin(1);
    for act in [Act::Look, Act::Make] {
        let touch = Touch {
            is_random: true,
            ..touch(act, "/tmp/x12345678", Found::Nothing)
        };
        world.on_scene(|accesses, scene| accesses.note(&Deed::One(touch), scene));
    }
    let expected = [
        "Guessed /tmp/x12345678: nothing",
        "Wrote /tmp/x12345678: nothing",
    ];
    assert_eq!(world.end(1), expected);
}

#[test]
fn class_files_count_unless_the_class_is_defined() {
    let mut world = World::default();
    world.begin(1);
    world.act(Act::Look, "/c/a/B.class", file(1));
    world.act(Act::Read, "/c/a/B.class", file(1));
    world.act(Act::Look, "/c/a/Gone.class", Found::Nothing);
    world.act(Act::Read, "/c/a/Data.class", file(2));
    world.accesses.define(thread::current().id(), b"a/B");
    assert_eq!(world.told.len(), 0);
    // No class directory is there: what is in it is in no other fact.
    let mut elsewhere = touch(Act::Read, "/d/a/B.class", file(3));
    elsewhere.is_loaders = false;
    let elsewhere = Deed::One(elsewhere);
    world.on_scene(|accesses, scene| accesses.note(&elsewhere, scene));
    world.accesses.define(thread::current().id(), b"a/B");
    let expected = [
        "Read /d/a/B.class: 3 bytes",
        "Looked /c/a/Gone.class: nothing",
        "Read /c/a/Data.class: 2 bytes",
    ];
    assert_eq!(world.end(1), expected);
}

#[test]
fn too_many_files_are_told_as_not_seen_once() {
    let mut world = World::default();
    world.accesses.n_units = N_ACCESSES - 1;
    world.begin(1);
    for path in ["/a", "/b", "/c", "/a"] {
        world.act(Act::Read, path, file(1));
    }
    assert_eq!(world.end(1), ["Read /a: 1 bytes"]);
    assert_eq!(world.unseen, ["too many files"]);
}

#[test]
fn the_same_by_another_asker_is_another_access() {
    let mut world = World::default();
    world.begin(1);
    world.asker = Asker::Program;
    world.act(Act::Read, "/a", file(1));
    world.act(Act::Read, "/A.class", file(1));
    world.act(Act::Write, "/b", file(1));
    world.asker = Asker::Unknown;
    world.act(Act::Read, "/a", file(1));
    world.asker = Asker::Program;
    world.act(Act::Read, "/a", file(1));
    let expected = [
        "Read /a: 1 bytes by the program",
        "Wrote /b: 1 bytes",
        "Read /a: 1 bytes",
        "Read /A.class: 1 bytes",
    ];
    assert_eq!(world.end(1), expected);
}

#[test]
fn who_asks_matters_where_something_is_looked_at() {
    let has_asker = |act, path| Deed::One(touch(act, path, file(1))).has_asker();
    assert!(has_asker(Act::Read, "/a"));
    assert!(has_asker(Act::List, "/a.class"));
    assert!(!has_asker(Act::Read, "/A.class"));
    assert!(!has_asker(Act::Write, "/a"));
}
