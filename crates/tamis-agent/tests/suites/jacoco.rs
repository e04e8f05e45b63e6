//! JaCoCo beside the agent: whatever it says was covered has a mark, and each mark that it does not know
//! of has a reason.

use std::collections::{BTreeMap, BTreeSet};

use tamis_build::Jdk;
use tamis_classfile::ClassFile;
use tamis_testkit::exact_agent::{self, Seen, SeenMethod};
use tamis_testkit::jacoco::{Coverage, agent_option, coverage};
use tamis_testkit::jdks::newest_jdk;
use tamis_testkit::suite_library::{Library, QUICK};
use tamis_wire::Bye;

use crate::exact::{CLASSES_PER_JVM, marked, unprobed};
use crate::libraries::is_whole;
use crate::watched::watched;

const ACC_PRIVATE: u32 = 0x0002;
const ACC_SYNTHETIC: u32 = 0x1000;
const ACC_ENUM: u32 = 0x4000;

#[test]
fn whatever_jacoco_covers_has_a_mark() {
    let jdk = newest_jdk().unwrap();
    for library in QUICK {
        check(library, &jdk);
    }
}

fn check(library: &Library, jdk: &Jdk) {
    let compiled = library.compile(jdk).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let (seen, exec) = (dir.path().join("seen"), dir.path().join("exec"));
    let (run, told) = watched(|option| {
        // JaCoCo comes first, so that it sees the classes as they lie on the disk; the exact agent tells
        // what became of them, and which methods returned.
        let mut options = vec![agent_option(&exec).unwrap()];
        options.extend(exact_agent::options_with_returns(&seen).unwrap());
        options.push(option);
        let mut classes = compiled.test_classes().unwrap();
        if !is_whole() {
            classes.truncate(CLASSES_PER_JVM / 2);
        }
        compiled.run(jdk, &options, &classes, |command| command.output().unwrap())
    });
    run.unwrap();
    assert_eq!(told[0].bye, Some(Bye::Complete));
    // JaCoCo starts before any agent may probe.
    for class in unprobed(&told[0]) {
        assert!(class.starts_with("org/jacoco/agent/rt/"), "{class}");
    }
    let seen = Seen::read(&seen).unwrap();
    let folders = compiled.class_folders();
    let coverage = coverage(jdk, &exec, &folders).unwrap();
    let known = Known::new(&seen, &coverage);
    let marked = marked(&told[0], &seen);
    let missing: Vec<_> = coverage.covered.difference(&marked).collect();
    assert_eq!(missing, [""; 0], "{}", library.name);
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for extra in marked.difference(&coverage.covered) {
        let (class, _) = extra.split_once('.').unwrap();
        let file = format!("{class}.class");
        if folders.iter().any(|folder| folder.join(&file).is_file()) {
            let reason = known.reason(extra);
            let reason = reason.unwrap_or_else(|| panic!("{extra} is marked and not covered"));
            *reasons.entry(reason).or_default() += 1;
        }
    }
    println!(
        "{}: JaCoCo covers {} methods, all are marked; marked beyond: {reasons:?}",
        library.name,
        coverage.covered.len()
    );
}

/// What there is to explain a mark by.
struct Known<'a> {
    coverage: &'a Coverage,
    returned: BTreeMap<String, u32>,
    flags: BTreeMap<String, u32>,
    class_flags: BTreeMap<String, u32>,
}

impl<'a> Known<'a> {
    fn new(seen: &Seen, coverage: &'a Coverage) -> Self {
        let by_name = |methods: &BTreeSet<SeenMethod>| {
            let pairs = methods
                .iter()
                .map(|method| (method.to_string(), method.flags));
            pairs.collect::<BTreeMap<_, _>>()
        };
        let class_flags = seen.classes.values().map(|bytes| {
            let class = ClassFile::parse(bytes).unwrap();
            let name = String::from_utf8_lossy(class.name().unwrap()).into_owned();
            (name, u32::from(class.access_flags.0))
        });
        Self {
            coverage,
            returned: by_name(&seen.returned),
            flags: by_name(&seen.entered),
            class_flags: class_flags.collect(),
        }
    }

    /// Why JaCoCo does not cover a method that ran.
    fn reason(&self, method: &str) -> Option<&'static str> {
        if self.coverage.not_covered.contains(method) {
            // Its probes stand where control leaves a block: a method that only ever threw passed none.
            return (!self.returned.contains_key(method)).then_some("never returned");
        }
        // From here on JaCoCo does not know of the method at all.
        let (class, name) = method.split_once('.')?;
        let class_flags = self.class_flags[class];
        let flags = self.flags[method];
        let is_of_enum =
            name.starts_with("values()") || name.starts_with("valueOf(Ljava/lang/String;)");
        if class_flags & ACC_SYNTHETIC != 0 {
            Some("in a synthetic class")
        } else if flags & ACC_SYNTHETIC != 0 {
            Some("synthetic")
        } else if class_flags & ACC_ENUM != 0 && is_of_enum {
            Some("made for every enum")
        } else if flags & ACC_PRIVATE != 0 && name == "<init>()V" {
            Some("a private constructor that does nothing")
        } else if class_flags & ACC_ENUM != 0 && name == "<init>(Ljava/lang/String;I)V" {
            Some("the constructor of an enum that does nothing")
        } else {
            None
        }
    }
}
