//! Exactness: in every JVM, the methods whose marks were set are those that the JVM's own events say were
//! entered. None is missing, and none is there that did not run. That holds for all classes in the
//! JVM: the library, its tests, the framework, mocks that are made while the tests run.

use std::collections::BTreeSet;

use tamis_build::Jdk;
use tamis_classfile::probe::EntryPlan;
use tamis_testkit::jdks::{jdks, newest_jdk};
use tamis_testkit::suite_library::{CompiledLibrary, Library, QUICK};
use tamis_wire::{Bye, Probing};

use crate::exact_agent::{self, Seen, SeenMethod};
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

/// A JVM whose every call is an event takes seconds to start: by default test classes share one.
const CLASSES_PER_JVM: usize = 24;

#[test]
fn marks_are_the_methods_that_were_entered_in_the_first_library() {
    check_library(&QUICK[0]);
}

#[test]
fn marks_are_the_methods_that_were_entered_in_the_second_library() {
    check_library(&QUICK[1]);
}

/// On the newest JDK; if all is asked for, on every JDK with a JVM for each test class.
fn check_library(library: &Library) {
    let (jdks, n_classes) = if is_whole() {
        (jdks().unwrap(), 1)
    } else {
        (vec![newest_jdk().unwrap()], CLASSES_PER_JVM)
    };
    for jdk in jdks {
        let library = library.compile(&jdk).unwrap();
        let classes = library.test_classes().unwrap();
        let parts = classes.chunks(n_classes);
        let counts: Vec<_> = parts.map(|part| check(&library, &jdk, part)).collect();
        println!(
            "{} on JDK {}: {} JVMs, {} to {} methods each, 0 missing, 0 extra",
            library.library.name,
            jdk.feature,
            counts.len(),
            counts.iter().min().unwrap(),
            counts.iter().max().unwrap(),
        );
    }
}

/// Compares what ran in the JVM of these test classes; how many methods that were.
fn check(library: &CompiledLibrary, jdk: &Jdk, classes: &[String]) -> usize {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("seen");
    let (run, told) = watched(|option| {
        // The exact agent comes first, and sees the bytes that the other one then sees.
        let options = [exact_agent::option(&file, false), option];
        library.run(jdk, &options, classes, |command| command.output().unwrap())
    });
    run.unwrap();
    let [told] = &told[..] else {
        panic!("{classes:?}: one JVM, not {}", told.len());
    };
    assert_eq!(told.bye, Some(Bye::Complete), "{classes:?}");
    assert_eq!(unprobed(told), BTreeSet::new(), "{classes:?}");
    let seen = Seen::read(&file);
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
    let entered = seen.entered.iter().filter(|method| can_have_mark(method));
    entered.map(SeenMethod::to_string).collect()
}

/// All that were entered and cannot have a mark: classes of the JDK, native methods, and hidden classes,
/// of which no load hook is told; a dot in a name is theirs alone (JVMTI, `GetClassSignature`).
fn can_have_mark(method: &SeenMethod) -> bool {
    !LOADERS_OF_JDK.contains(&method.loader.as_str())
        && method.flags & ACC_NATIVE == 0
        && !method.class.contains('.')
}
