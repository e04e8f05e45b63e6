//! Exactness: in every JVM, the methods whose marks were set are those that the JVM's own events say were
//! entered. None is missing, and none is there that did not run. That holds for all classes in the
//! JVM: the library, its tests, the framework, mocks that are made while the tests run.

use std::collections::BTreeSet;

use tamis_build::Jdk;
use tamis_classfile::ClassFile;
use tamis_classfile::probe::EntryPlan;
use tamis_testkit::exact_agent::{self, Seen, SeenMethod};
use tamis_testkit::jdks::{jdks, newest_jdk};
use tamis_testkit::suite_library::{CompiledLibrary, Library, QUICK};
use tamis_wire::{Bye, Probing};

use crate::libraries::is_whole;
use crate::watched::{Told, watched};

/// Loaders whose classes are the JDK's.
const LOADERS_OF_JDK: &[&str] = &[
    "Ljdk/internal/loader/ClassLoaders$PlatformClassLoader;",
    "Lsun/misc/Launcher$ExtClassLoader;",
    "Ljdk/internal/reflect/DelegatingClassLoader;",
    "Lsun/reflect/DelegatingClassLoader;",
];

const ACC_NATIVE: u32 = 0x0100;

/// A JVM whose every call is an event takes seconds to start: by default one runs the first so many test
/// classes. If all is asked for, each has a JVM of its own on the newest JDK, and so many share one on others.
pub(crate) const CLASSES_PER_JVM: usize = 24;

#[test]
fn marks_are_the_methods_that_were_entered_in_the_first_library() {
    check_library(&QUICK[0]);
}

#[test]
fn marks_are_the_methods_that_were_entered_in_the_second_library() {
    check_library(&QUICK[1]);
}

fn check_library(library: &Library) {
    let newest = newest_jdk().unwrap();
    if !is_whole() {
        return check_parts(library, &newest, CLASSES_PER_JVM, 1);
    }
    for jdk in jdks().unwrap() {
        let is_newest = jdk.feature == newest.feature;
        let n_classes = if is_newest { 1 } else { CLASSES_PER_JVM };
        check_parts(library, &jdk, n_classes, usize::MAX);
    }
}

/// Compares what ran in as many JVMs, with as many test classes each.
fn check_parts(library: &Library, jdk: &Jdk, n_classes: usize, n_jvms: usize) {
    let library = library.compile(jdk).unwrap();
    let classes = library.test_classes().unwrap();
    let parts = classes.chunks(n_classes).take(n_jvms);
    let counts: Vec<_> = parts.map(|part| check(&library, jdk, part)).collect();
    println!(
        "{} on JDK {}: {} JVMs, {} to {} methods each, 0 missing, 0 extra",
        library.library.name,
        jdk.feature,
        counts.len(),
        counts.iter().min().unwrap(),
        counts.iter().max().unwrap(),
    );
}

/// Compares what ran in the JVM of these test classes; how many methods that were.
fn check(library: &CompiledLibrary, jdk: &Jdk, classes: &[String]) -> usize {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("seen");
    let (run, told) = watched(|option| {
        // The exact agent comes first, and sees the bytes that the other one then sees.
        let mut options = exact_agent::options(&file).unwrap();
        options.push(option);
        library.run(jdk, &options, classes, |command| command.output().unwrap())
    });
    run.unwrap();
    let [told] = &told[..] else {
        panic!("{classes:?}: one JVM, not {}", told.len());
    };
    assert_eq!(told.bye, Some(Bye::Complete), "{classes:?}");
    assert_eq!(unprobed(told), BTreeSet::new(), "{classes:?}");
    let seen = Seen::read(&file).unwrap();
    let (marked, entered) = (marked(told, &seen), entered(&seen));
    let missing: Vec<_> = entered.difference(&marked).collect();
    let extra: Vec<_> = marked.difference(&entered).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "JDK {}, {classes:?}: missing {missing:#?}, extra {extra:#?}",
        jdk.feature
    );
    entered.len()
}

/// The methods whose marks were set, as `shop/Cart.total(I)I`.
pub(crate) fn marked(told: &Told, seen: &Seen) -> BTreeSet<String> {
    let mut methods = BTreeSet::new();
    for class in &told.classes {
        let Probing::Probed { first, n_units, .. } = class.probing else {
            continue;
        };
        let bytes = &seen.classes[&class.hash.expect("a probed class has bytes")];
        let plan = EntryPlan::scan(bytes).unwrap();
        assert_eq!(plan.n_units(), n_units as usize, "{}", class.name);
        let hit = (first..).zip(plan.methods());
        let hit = hit.filter(|(unit, _)| told.units.contains(*unit));
        methods.extend(hit.map(|(_, method)| format!("{}.{method}", class.name)));
    }
    methods
}

/// The classes that were not probed.
pub(crate) fn unprobed(told: &Told) -> BTreeSet<String> {
    let is_refused = |probing: &Probing| matches!(probing, Probing::Refused(_));
    let classes = told.classes.iter();
    classes
        .filter(|class| is_refused(&class.probing))
        .map(|class| class.name.to_string())
        .collect()
}

/// The methods that were entered, of those that can have marks.
fn entered(seen: &Seen) -> BTreeSet<String> {
    let shown = shown(seen);
    let entered = seen.entered.iter().filter(|m| can_have_mark(m, &shown));
    entered.map(SeenMethod::to_string).collect()
}

/// The names of the classes that load hooks were told of.
fn shown(seen: &Seen) -> BTreeSet<String> {
    let names = seen.classes.values().map(|bytes| {
        let class = ClassFile::parse(bytes).unwrap();
        String::from_utf8_lossy(class.name().unwrap()).into_owned()
    });
    names.collect()
}

/// All that were entered and cannot have a mark: classes of the JDK, native methods, and what no load hook
/// is told of. These are hidden classes (a dot in a name is theirs alone: JVMTI, `GetClassSignature`), and
/// before JDK 15 the numbered classes that lambdas had then; JDK 8 shows the latter, and they have marks.
fn can_have_mark(method: &SeenMethod, shown: &BTreeSet<String>) -> bool {
    let is_hidden = method.class.contains('.');
    let is_unseen = method.is_of_numbered_class() && !shown.contains(method.class_in_file());
    !LOADERS_OF_JDK.contains(&method.loader.as_str())
        && method.flags & ACC_NATIVE == 0
        && !is_hidden
        && !is_unseen
}
