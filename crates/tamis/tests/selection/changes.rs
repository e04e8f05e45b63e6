//! Every kind of change of SPEC 2.4, under each mesh: which tests are selected; and what counting the kind as a change of
//! the file does (SPEC 3.6).
//!
//! The project is built and recorded once, with blocks; then each change is compiled beside it, put in its place, and asked about.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Output;

use rusqlite::Connection;
use tamis_testkit::jdks::jdks;

use crate::project::{JUNIT_4, Project};

/// The program. What is changed stands in braces, to be replaced.
const CLASSES: &[(&str, &str)] = &[
    (
        "Base",
        "public class Base {
            static int count = 1;
            int size = 2;
            public Base() { size = 3; }
            public int a() { return 1; }
            public int b() { return 2; }
            public static int s() { return 4; }
            int p() { return 5; }
        }",
    ),
    (
        "Sub",
        "public class Sub extends Base { public int c() { return 6; } }",
    ),
    ("Face", "public interface Face { int f(); }"),
    (
        "Faced",
        "public class Faced implements Face { public int f() { return 7; } }",
    ),
    (
        "Other",
        "public class Other {
            int spare;
            int first; int second;
            public Other() {}
            Other(long unused) {}
            public static int o() { return 8; }
            static int never() { return 11; }
        }",
    ),
];

/// Tests: each runs what its name says.
const TESTS: &[(&str, &str)] = &[
    ("ATest", "new Base().a()"),
    ("BTest", "new Base().b()"),
    ("STest", "Base.s()"),
    ("SubTest", "new Sub().c()"),
    ("HidTest", "Sub.s()"),
    ("FaceTest", "((Face) new Faced()).f()"),
    ("OtherTest", "Other.o()"),
];

/// Who uses `Base`, by itself or as a superclass.
const OF_BASE: &[&str] = &["ATest", "BTest", "HidTest", "STest", "SubTest"];
const OF_OTHER: &[&str] = &["OtherTest"];
const OF_SUB: &[&str] = &["HidTest", "SubTest"];
pub(crate) struct Change {
    name: &'static str,
    class: &'static str,
    from: &'static str,
    to: &'static str,
    /// Selected under the meshes `block` and `dispatch`, mesh `method` and mesh `file`. (Bodies have one block each.)
    dispatch: &'static [&'static str],
    method: &'static [&'static str],
    file: &'static [&'static str],
}

pub(crate) const fn change(
    name: &'static str,
    [class, from, to]: [&'static str; 3],
    method: &'static [&'static str],
    file: &'static [&'static str],
) -> Change {
    Change {
        name,
        class,
        from,
        to,
        dispatch: method,
        method,
        file,
    }
}

impl Change {
    /// The finer meshes select less.
    pub(crate) const fn but_by_dispatch(mut self, dispatch: &'static [&'static str]) -> Self {
        self.dispatch = dispatch;
        self
    }
}

const CHANGES: &[Change] = &[
    change(
        "CIM",
        ["Base", "return 1", "return 10"],
        &["ATest"],
        OF_BASE,
    ),
    change(
        "CSM",
        ["Base", "return 4", "return 40"],
        &["HidTest", "STest"],
        OF_BASE,
    ),
    // Everybody makes a `Base` but those that call its static method.
    change(
        "CI",
        ["Base", "size = 3", "size = 30"],
        &["ATest", "BTest", "SubTest"],
        OF_BASE,
    ),
    change("CSI", ["Base", "count = 1", "count = 10"], OF_BASE, OF_BASE),
    change("DSI", ["Base", "count = 1", "count"], OF_BASE, OF_BASE),
    change(
        "ASI",
        ["Other", "public static", "static int n = 9; public static"],
        &["OtherTest"],
        &["OtherTest"],
    ),
    change(
        "AIM",
        ["Base", "int p()", "public int q() { return 1; } int p()"],
        OF_BASE,
        OF_BASE,
    )
    .but_by_dispatch(&[]),
    change(
        "DIM",
        ["Base", "int p() { return 5; }", ""],
        OF_BASE,
        OF_BASE,
    )
    .but_by_dispatch(&[]),
    change(
        "ASM",
        ["Base", "int p()", "static int q() { return 1; } int p()"],
        &[],
        OF_BASE,
    ),
    change(
        "AI",
        ["Base", "int p()", "Base(int x) {} int p()"],
        &[],
        OF_BASE,
    ),
    change(
        "AFD",
        ["Base", "int p()", "int more; int p()"],
        OF_BASE,
        OF_BASE,
    ),
    // Tests make each other class by its one constructor; that of `Other` nobody calls.
    change("DI", ["Other", "Other(long unused) {}", ""], &[], OF_OTHER),
    change(
        "DSM",
        ["Other", "static int never() { return 11; }", ""],
        &[],
        OF_OTHER,
    ),
    // Nobody ran an initialiser of it that could be another one now.
    change("DFD", ["Other", "int spare;", ""], OF_OTHER, OF_OTHER).but_by_dispatch(&[]),
    change(
        "CM",
        ["Other", "int first; int second;", "int second; int first;"],
        &[],
        OF_OTHER,
    ),
    change("CFD", ["Base", "int size", "long size"], OF_BASE, OF_BASE),
    change(
        "CH",
        ["Base", "public class", "public abstract class"],
        OF_BASE,
        OF_BASE,
    ),
    change(
        "CH by an annotation",
        ["Base", "public class", "@Deprecated public class"],
        OF_BASE,
        OF_BASE,
    ),
    change(
        "a comment",
        ["Base", "return 1", "/* one */\n return 1"],
        &[],
        &[],
    ),
    change(
        "package to private",
        ["Base", "int p()", "private int p()"],
        OF_BASE,
        OF_BASE,
    )
    .but_by_dispatch(&[]),
    change(
        "an override",
        [
            "Sub",
            "public int c()",
            "public int a() { return 0; } public int c()",
        ],
        OF_SUB,
        OF_SUB,
    )
    .but_by_dispatch(&[]),
    change(
        "a static hidden",
        [
            "Sub",
            "public int c()",
            "public static int s() { return 0; } public int c()",
        ],
        &["HidTest"],
        OF_SUB,
    ),
    change(
        "a default",
        ["Face", "int f();", "int f(); default int g() { return 1; }"],
        &["FaceTest"],
        &["FaceTest"],
    ),
    change(
        "AF",
        [
            "Other",
            "public class Other",
            "class New {} public class Other",
        ],
        &[],
        &[],
    ),
];

#[test]
fn each_kind_of_change_selects_whom_it_concerns() {
    let project = recorded(CLASSES, TESTS);
    check(&project, CLASSES, CHANGES);
    check_as_file(&project);
    // And a class that goes away.
    fs::remove_file(project.path("target/classes/shop/Faced.class")).unwrap();
    let users = BTreeSet::from(["FaceTest".to_owned()]);
    assert_eq!(project.select("method"), users, "DF");
}

/// What is said of a class that counts as a file, and that it does where nobody knows how it changed.
fn check_as_file(project: &Project) {
    let class = project.path("target/classes/shop/Base.class");
    let before = fs::read(&class).unwrap();
    project.edit("src/main/java/shop/Base.java", "return 1", "return 10");
    assert!(compile(project, CLASSES).status.success());
    let why = |kind: &str| {
        let mut command = project.tamis();
        command.args(["why", "STest", "--mesh", "dispatch", "--as-file", kind]);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let counts = "CIM of shop.Base counts as a change of the file (--as-file)";
    assert!(why("CIM").contains(counts), "{}", why("CIM"));
    assert!(why("CSM").contains("would be skipped"), "{}", why("CSM"));
    let store = Connection::open(project.path(".tamis/store.sqlite")).unwrap();
    assert!(store.execute("DELETE FROM class_file", []).unwrap() > 0);
    drop(store);
    assert!(
        why("CSM").contains("how shop.Base changed is not known"),
        "{}",
        why("CSM")
    );
    let users: BTreeSet<String> = OF_BASE.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(project.select_with("block", &["--as-file", "CSM"]), users);
    fs::write(class, before).unwrap();
}

/// A project whose tests have run; nothing is selected.
pub(crate) fn recorded(classes: &[(&str, &str)], tests: &[(&str, &str)]) -> Project {
    let project = Project::new(&JUNIT_4, "");
    for (name, text) in classes {
        project.class(name, text);
    }
    for (name, call) in tests {
        let body = format!("if ({call} < 0) throw new AssertionError();");
        project.test_class(&JUNIT_4, name, &[("runs", &body)]);
    }
    let mut all: Vec<&str> = tests.iter().map(|(name, _)| *name).collect();
    all.sort_unstable();
    project
        .test_with(&["--mesh", "block"], &[])
        .assert_ran(&all);
    for mesh in ["file", "method", "dispatch", "block"] {
        assert_eq!(project.select(mesh), BTreeSet::new(), "unchanged, {mesh}");
    }
    project
}

/// Makes each change, asks about it, and takes it back.
pub(crate) fn check(project: &Project, all: &[(&str, &str)], changes: &[Change]) {
    let classes = project.path("target/classes");
    let kept = project.path("target/kept");
    copy(&classes, &kept);
    let mut wrong = Vec::new();
    for change in changes {
        let file = format!("src/main/java/shop/{}.java", change.class);
        let before = fs::read_to_string(project.path(&file)).unwrap();
        project.edit(&file, change.from, change.to);
        let compiled = compile(project, all);
        project.write(&file, &before);
        if compiled.status.success() {
            for (mesh, options, expected) in questions(change) {
                let selected = project.select_with(mesh, &options);
                let expected: BTreeSet<String> =
                    expected.iter().map(|name| (*name).to_owned()).collect();
                if selected != expected {
                    wrong.push(format!(
                        "{}, {mesh} {options:?}: {selected:?} instead of {expected:?}",
                        change.name
                    ));
                }
            }
        } else if !change.method.is_empty() {
            wrong.push(format!(
                "{}: {}",
                change.name,
                String::from_utf8_lossy(&compiled.stderr)
            ));
        }
        fs::remove_dir_all(&classes).unwrap();
        copy(&kept, &classes);
    }
    assert_eq!(wrong, [""; 0]);
}

/// What is asked about a change: meshes, options, and who is to be selected.
fn questions(change: &Change) -> Vec<(&str, Vec<&str>, &[&str])> {
    let mut questions = vec![
        ("block", vec![], change.dispatch),
        ("dispatch", vec![], change.dispatch),
        ("method", vec![], change.method),
        ("file", vec![], change.file),
    ];
    let is_kind = change.name.bytes().all(|byte| byte.is_ascii_uppercase());
    if is_kind && change.name != "AF" {
        let other = if change.name == "DFD" { "CM" } else { "DFD" };
        questions.extend([
            ("dispatch", vec!["--as-file", change.name], change.file),
            ("dispatch", vec!["--as-file", other], change.dispatch),
            (
                "method",
                vec!["--as-file", other, "--as-file", change.name],
                change.file,
            ),
        ]);
    }
    questions
}

/// Compiles all classes of the project to where they are.
pub(crate) fn compile(project: &Project, all: &[(&str, &str)]) -> Output {
    let jdks = jdks().unwrap();
    let javac = jdks.iter().find(|jdk| jdk.feature == 17).unwrap().javac();
    let sources = all
        .iter()
        .map(|(name, _)| format!("src/main/java/shop/{name}.java"));
    project
        .command(javac.to_str().unwrap())
        .args(["-g", "-source", "8", "-target", "8", "-d", "target/classes"])
        .args(sources)
        .output()
        .unwrap()
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
