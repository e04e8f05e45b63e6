//! Files: only the tests that looked at one are run when it changes, and none of them is missed.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use serde_json::Value;

use crate::plain_program::PlainProgram;
use crate::project::{ALPHABETICAL, JUNIT_4, JUPITER, Project};

/// Each looks at files in another way; the digit 1 is what all of them want to find.
const TESTS: &[(&str, &str)] = &[
    (
        "ReadTest",
        "try (java.io.InputStream in = new java.io.FileInputStream(\"data/price\")) { if (in.read() != 49) throw new Error(); }",
    ),
    (
        "MapTest",
        "try (java.nio.channels.FileChannel file = java.nio.channels.FileChannel.open(java.nio.file.Paths.get(\"data/price\"))) {
            if (file.map(java.nio.channels.FileChannel.MapMode.READ_ONLY, 0, 1).get() != 49) throw new Error(); }",
    ),
    (
        "LengthTest",
        "if (new java.io.File(\"data/price\").length() != 1) throw new Error();",
    ),
    (
        "ExecuteTest",
        "java.io.File run = new java.io.File(\"tools/run\"); if (run.canExecute()) throw new Error();",
    ),
    (
        "ListTest",
        "if (new java.io.File(\"data\").list().length != 1) throw new Error();",
    ),
    (
        "WalkTest",
        "try (java.util.stream.Stream<java.nio.file.Path> all = java.nio.file.Files.list(java.nio.file.Paths.get(\"data\"))) {
            if (all.count() != 1) throw new Error(); }",
    ),
    (
        "AbsentTest",
        "if (new java.io.File(\"data/sale\").exists()) throw new Error();",
    ),
    (
        "OwnTest",
        "java.nio.file.Path own = java.nio.file.Files.createTempFile(\"own\", null);
         java.nio.file.Files.write(own, new byte[] {49});
         if (java.nio.file.Files.readAllBytes(own)[0] != 49) throw new Error();
         java.nio.file.Files.delete(own);
         java.nio.file.Path kept = java.nio.file.Paths.get(\"target/kept.txt\");
         java.nio.file.Files.write(kept, new byte[] {49});
         if (java.nio.file.Files.readAllBytes(kept)[0] != 49) throw new Error();",
    ),
    (
        "ResourceTest",
        "try (java.io.InputStream in = getClass().getResourceAsStream(\"/prices.txt\")) { if (in.read() != 49) throw new Error(); }",
    ),
    ("ZLaterTest", "if (1 + 1 != 2) throw new Error();"),
    ("CalmTest", "if (1 + 1 != 2) throw new Error();"),
];

fn project() -> Project {
    let project = Project::new(&JUNIT_4, ALPHABETICAL);
    for (name, body) in TESTS {
        project.test_class(&JUNIT_4, name, &[("looks", body)]);
    }
    project.write("data/price", "1");
    project.write("tools/run", "");
    project.write("src/test/resources/prices.txt", "1");
    project
}

fn assert_selected(project: &Project, expected: &[&str]) {
    for mesh in ["file", "method"] {
        let selected = project.select(mesh);
        let selected: Vec<&str> = selected.iter().map(String::as_str).collect();
        assert_eq!(selected, expected, "{mesh}");
    }
}

#[test]
fn each_change_concerns_those_that_looked() {
    let project = project();
    let mut all: Vec<&str> = TESTS.iter().map(|(name, _)| *name).collect();
    all.sort_unstable();
    project.test(&[]).assert_ran(&all);
    project.test(&[]).assert_idle(all.len());
    // What a test wrote, and what nobody has read, is of no concern.
    project.write("target/kept.txt", "2");
    project.write("notes.txt", "nobody reads this");
    project.test(&[]).assert_idle(all.len());

    project.write("data/price", "2");
    assert_selected(&project, &["LengthTest", "MapTest", "ReadTest"]);
    project.write("data/price", "1");
    assert_selected(&project, &[]);
    fs::remove_file(project.path("data/price")).unwrap();
    let concerned = ["LengthTest", "ListTest", "MapTest", "ReadTest", "WalkTest"];
    assert_selected(&project, &concerned);
    project.write("data/price", "1");

    let change_mode = |mode| {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(project.path("tools/run"), permissions).unwrap();
    };
    change_mode(0o755);
    assert_selected(&project, &["ExecuteTest"]);
    project.write("data/sale", "");
    let concerned = ["AbsentTest", "ExecuteTest", "ListTest", "WalkTest"];
    assert_selected(&project, &concerned);
    let red = project.test(&[]);
    let failed = red
        .verdicts
        .iter()
        .filter(|(_, verdict)| *verdict == "failed");
    let failed: Vec<&str> = failed.map(|(name, _)| name.as_str()).collect();
    assert_eq!(failed, concerned, "{red:#?}");
    change_mode(0o644);
    fs::remove_file(project.path("data/sale")).unwrap();
    // The records of before are true again.
    project.test(&[]).assert_idle(all.len());

    project.write("src/test/resources/prices.txt", "1 ");
    let changed = project.test(&[]);
    changed.assert_ran(&["ResourceTest"]);
}

#[test]
fn who_reads_what_another_wrote_relies_on_that_one() {
    let project = Project::new(&JUNIT_4, ALPHABETICAL);
    project.class(
        "Price",
        "public class Price { public static byte get() { return 49; } }",
    );
    let write = "java.nio.file.Files.write(java.nio.file.Paths.get(\"target/price\"), new byte[] {Price.get()});";
    let read = "if (java.nio.file.Files.readAllBytes(java.nio.file.Paths.get(\"target/price\"))[0] != 49) throw new Error();";
    project.test_class(&JUNIT_4, "AWriterTest", &[("writes", write)]);
    project.test_class(&JUNIT_4, "BReaderTest", &[("reads", read)]);
    project.test_class(&JUNIT_4, "CalmTest", &[("rests", "")]);
    let all = ["AWriterTest", "BReaderTest", "CalmTest"];
    project.test(&[]).assert_ran(&all);
    project.test(&[]).assert_idle(3);
    assert!(project.maven(&["clean"]).status.success());
    project.test(&[]).assert_idle(3);
    project.edit("src/main/java/shop/Price.java", "49", "50");
    let changed = project.test(&[]);
    assert_eq!(changed.verdicts.len(), 2, "{changed:#?}");
    assert_eq!(changed.verdicts["BReaderTest"], "failed", "{changed:#?}");
}

#[test]
fn who_wrote_what_a_test_reads_runs_before_it() {
    let project = Project::new(&JUNIT_4, ALPHABETICAL);
    project.class("Mode", "public class Mode { public static int value; }");
    let write =
        "java.nio.file.Files.write(java.nio.file.Paths.get(\"target/price\"), new byte[] {49});";
    let read = "if (java.nio.file.Files.readAllBytes(java.nio.file.Paths.get(\"target/price\"))[0] != 49) throw new Error();";
    for (name, body) in [
        ("AWriterTest", write),
        ("BReaderTest", read),
        ("CSetterTest", "Mode.value = 1;"),
        ("DGetterTest", "if (Mode.value != 1) throw new Error();"),
        ("ECalmTest", ""),
    ] {
        project.test_class(&JUNIT_4, name, &[("runs", body)]);
    }
    let all = [
        "AWriterTest",
        "BReaderTest",
        "CSetterTest",
        "DGetterTest",
        "ECalmTest",
    ];
    project.test(&[]).assert_ran(&all);
    assert!(project.maven(&["clean"]).status.success());
    for (reader, writer) in [
        ("BReaderTest", "AWriterTest"),
        ("DGetterTest", "CSetterTest"),
    ] {
        let file = format!("src/test/java/shop/{reader}.java");
        project.edit(&file, "{ if", "{ System.nanoTime(); if");
        let again = project.test(&[]);
        again.assert_ran(&[writer, reader]);
        let entities = again.report["entities"].as_array().unwrap().iter();
        let mut reasons = entities.map(|entity| &entity["decision"]);
        let is_companion = |decision: &Value| {
            decision["kind"] == "companion" && decision["of"] == format!("shop.{reader}")
        };
        assert!(reasons.any(is_companion), "{again:#?}");
    }
    project.test(&[]).assert_idle(all.len());
}

/// What initialises a class does so for whoever comes first; who comes later may find what it did, or come too late for it.
#[test]
fn who_initialised_a_class_runs_before_who_relies_on_when() {
    let project = Project::new(&JUNIT_4, ALPHABETICAL);
    for (name, text) in [
        ("Mode", "{ static int value; }"),
        ("Sets", "{ static { Mode.value = 1; } }"),
        ("Above", "{ static { Below.value = 2; } }"),
        (
            "Below",
            "extends Above { static int value = 1; static void reset() { value = 1; } }",
        ),
        ("Given", "{ static int value; }"),
        ("Takes", "{ static final int VALUE = Given.value; }"),
    ] {
        project.class(name, &format!("public class {name} {text}"));
    }
    for (name, body) in [
        ("ASetsTest", "new Sets();"),
        ("BModeTest", "if (Mode.value != 1) throw new Error();"),
        ("CAboveTest", "new Above();"),
        // Alone it would initialise both classes, the upper one first.
        (
            "DBelowTest",
            "if (new Below().value != 2) throw new Error(); Below.reset();",
        ),
        ("EGivesTest", "Given.value = 5;"),
        ("FTakesTest", "new Takes();"),
        ("GTakenTest", "if (Takes.VALUE != 5) throw new Error();"),
    ] {
        project.test_class(&JUNIT_4, name, &[("runs", body)]);
    }
    assert_eq!(project.test(&[]).code, Some(0));
    for (reader, first) in [
        ("BModeTest", "ASetsTest"),
        ("DBelowTest", "CAboveTest"),
        ("GTakenTest", "EGivesTest"),
    ] {
        let file = format!("src/test/java/shop/{reader}.java");
        project.edit(&file, "{ if", "{ System.nanoTime(); if");
        let again = project.test(&[]);
        again.assert_ran(&[first, reader]);
        assert_eq!(again.code, Some(0), "{again:#?}");
    }
    project.test(&[]).assert_idle(7);
}

#[test]
fn a_file_that_changes_while_tests_run_is_named() {
    let project = Project::new(&JUPITER, ALPHABETICAL);
    let counts = "java.nio.file.Path file = java.nio.file.Paths.get(\"count\");
        String old = new String(java.nio.file.Files.readAllBytes(file));
        java.nio.file.Files.write(file, (old + \"1\").getBytes());";
    project.test_class(&JUPITER, "CountTest", &[("counts", counts)]);
    project.test_class(&JUPITER, "CalmTest", &[("rests", "")]);
    project.write("count", "");
    project.test(&[]);
    let again = project.test(&[]);
    assert_eq!(again.verdicts.len(), 1, "{again:#?}");
    assert_eq!(again.verdicts["CountTest"], "incomplete");
    let output = project.tamis().args(["why", "CountTest"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("count changed while tests ran"), "{text}");
    let problems = project.diagnoses("tests", false);
    let [problem] = &problems[..] else {
        panic!("{problems:?}");
    };
    assert!(
        problem.contains("shop.CountTest would run:")
            && problem.ends_with("count changed while tests ran"),
        "{problem}"
    );
}

#[test]
fn a_log_in_the_build_directory_keeps_nothing_from_being_skipped() {
    let project = Project::new(&JUNIT_4, ALPHABETICAL);
    let logs = "java.io.File log = new java.io.File(\"target/log/test.log\");
        log.getParentFile().mkdirs();
        if (log.exists() && log.length() < 0) throw new Error();
        try (java.io.FileWriter writer = new java.io.FileWriter(log, true)) { writer.write(\"1\"); }";
    project.test_class(&JUNIT_4, "LogTest", &[("logs", logs)]);
    project.test(&[]).assert_ran(&["LogTest"]);
    project.test(&[]).assert_idle(1);
    project.test_with(&["--all"], &[]).assert_ran(&["LogTest"]);
    project.test(&[]).assert_idle(1);
    assert!(project.maven(&["clean"]).status.success());
    project.test(&[]).assert_idle(1);
}

#[test]
fn a_question_about_a_file_is_answered() {
    let project = project();
    project.test(&[]);
    for (file, expected) in [
        (
            "data/price",
            &["LengthTest", "ListTest", "MapTest", "ReadTest", "WalkTest"][..],
        ),
        ("data/sale", &["AbsentTest", "ListTest", "WalkTest"]),
        ("src/test/resources/prices.txt", &["ResourceTest"]),
    ] {
        let output = project
            .tamis()
            .args(["what", file, "--format", "json"])
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let dependents = report["dependents"].as_array().unwrap().iter();
        let names = dependents.map(|one| one["name"].as_str().unwrap());
        let names: Vec<&str> = names.map(|name| name.trim_start_matches("shop.")).collect();
        assert_eq!(names, expected, "{file}");
    }
}

#[test]
fn other_programs_may_read_any_file() {
    let project = Project::new(&JUNIT_4, ALPHABETICAL);
    let starts = "if (new ProcessBuilder(\"sh\", \"-c\", \"grep -q 1 price\").start().waitFor() != 0) throw new Error();";
    project.test_class(&JUNIT_4, "CalmTest", &[("rests", "")]);
    project.test_class(&JUNIT_4, "ShellTest", &[("starts", starts)]);
    project.write("price", "1");
    project.test(&[]).assert_ran(&["CalmTest", "ShellTest"]);
    project.test(&[]).assert_idle(2);
    project.write("price", "2");
    assert_selected(&project, &["ShellTest"]);
    let red = project.test(&[]);
    red.assert_verdicts(&[("ShellTest", "failed")]);
}

/// Files outside of the project, and links. Both places to which a link of `LEADS` leads have the same content.
#[test]
fn files_elsewhere_and_links() {
    let outside = tempfile::tempdir().unwrap();
    let price = outside.path().join("price");
    let bodies = [
        ("CalmTest", String::new()),
        ("OutsideTest", reads_one(price.to_str().unwrap())),
        ("LinkTest", reads_one("data/link")),
        ("LinkedFolderTest", reads_one("data/folder/price")),
    ];
    let leads = LEADS
        .iter()
        .map(|(name, wrong)| (*name, format!("if ({wrong}) throw new Error();")));
    let sources = bodies.into_iter().chain(leads).map(|(name, body)| {
        let text = format!(
            "public class {name} {{ @org.junit.Test public void looks() throws Exception {{ {body} }} }}"
        );
        (name, text)
    });
    let sources: Vec<(&str, String)> = sources.collect();
    let sources: Vec<(&str, &str)> = sources.iter().map(|(n, t)| (*n, t.as_str())).collect();
    let program = PlainProgram::new(&sources);
    let project = &program.project;
    fs::write(&price, "1").unwrap();
    for (place, number) in [("one", "1"), ("two", "2"), ("same", "1")] {
        project.write(&format!("data/{place}"), number);
        project.write(&format!("data/{place}.d/price"), number);
    }
    let link = |name: &str, place: &str| {
        let _ = fs::remove_file(project.path(name));
        symlink(place, project.path(name)).unwrap();
    };
    for name in ["data/link", "data/alias"] {
        link(name, "one");
    }
    for name in ["data/folder", "data/alias.d"] {
        link(name, "one.d");
    }
    program.run().assert_ran(&program.tests());
    program.run().assert_ran(&[]);

    fs::write(&price, "2").unwrap();
    program.run().assert_verdicts(&[("OutsideTest", "failed")]);
    fs::write(&price, "1").unwrap();
    link("data/link", "two");
    program.run().assert_verdicts(&[("LinkTest", "failed")]);
    link("data/link", "one");
    link("data/folder", "two.d");
    let ran = program.run();
    ran.assert_verdicts(&[("LinkedFolderTest", "failed")]);
    link("data/folder", "one.d");
    program.run().assert_ran(&[]);

    link("data/alias", "same");
    link("data/alias.d", "same.d");
    let mut failed: Vec<(&str, &str)> = LEADS.iter().map(|(name, _)| (*name, "failed")).collect();
    failed.sort_unstable();
    program.run().assert_verdicts(&failed);
}

/// Each asks in another way where a link leads.
const LEADS: &[(&str, &str)] = &[
    (
        "CanonicalTest",
        "!new java.io.File(\"data/alias\").getCanonicalPath().endsWith(\"/one\")",
    ),
    (
        "CanonicalFolderTest",
        "!new java.io.File(\"data/alias.d/price\").getCanonicalPath().endsWith(\"/one.d/price\")",
    ),
    (
        "RealPathTest",
        "!java.nio.file.Paths.get(\"data/alias\").toRealPath().endsWith(\"one\")",
    ),
    (
        "ReadLinkTest",
        "!java.nio.file.Files.readSymbolicLink(java.nio.file.Paths.get(\"data/alias\")).endsWith(\"one\")",
    ),
    (
        "SameFileTest",
        "!java.nio.file.Files.isSameFile(java.nio.file.Paths.get(\"data/alias\"), java.nio.file.Paths.get(\"data/one\"))",
    ),
];

fn reads_one(file: &str) -> String {
    format!(
        "try (java.io.InputStream in = new java.io.FileInputStream(\"{file}\")) {{ if (in.read() != '1') throw new Error(); }}"
    )
}

#[test]
fn files_that_jvms_of_one_test_hand_to_each_other() {
    let project = Project::new(&JUNIT_4, ALPHABETICAL);
    project.class(
        "Copy",
        "public class Copy { public static void main(String[] files) throws Exception {
            java.nio.file.Files.write(java.nio.file.Paths.get(files[1]), java.nio.file.Files.readAllBytes(java.nio.file.Paths.get(files[0]))); } }",
    );
    let hands = "java.nio.file.Path in = java.nio.file.Files.createTempFile(\"in\", null), out = java.nio.file.Files.createTempFile(\"out\", null);
        java.nio.file.Files.write(in, new byte[] {49});
        String launcher = System.getProperty(\"java.home\") + \"/bin/java\";
        int status = new ProcessBuilder(launcher, \"-cp\", \"target/classes\", \"shop.Copy\", in.toString(), out.toString()).start().waitFor();
        if (status != 0 || java.nio.file.Files.readAllBytes(out)[0] != 49) throw new Error();
        java.nio.file.Files.delete(in); java.nio.file.Files.delete(out);";
    project.test_class(&JUNIT_4, "HandsTest", &[("hands", hands)]);
    project.test(&[]).assert_ran(&["HandsTest"]);
    project.test(&[]).assert_idle(1);
}
