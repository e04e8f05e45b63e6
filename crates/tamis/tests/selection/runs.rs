//! What a run leaves behind: red stays red, what did not run is not done, and each realm has its own records.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::plain_program::PlainProgram;
use crate::project::{ALPHABETICAL, Combination, JUNIT_4, JUPITER, Project};

const PASSES: &str = "";
pub(crate) const FAILS: &str = "throw new AssertionError();";
const BASKET: &str = "src/main/java/shop/Basket.java";
const PRICE: &str = "src/main/java/shop/Price.java";

/// A file outside of the project, which Tamis does not track: a test that looks at it is one that changes its mind.
fn outside(project: &Project) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("red").display().to_string();
    assert!(!dir.path().starts_with(project.path("")));
    (dir, file)
}

#[test]
fn what_fails_stays_selected_until_it_passes() {
    let project = Project::new(&JUNIT_4, "");
    let (_dir, file) = outside(&project);
    project.test_class(&JUNIT_4, "GoodTest", &[("good", PASSES)]);
    let body = format!("if (new java.io.File(\"{file}\").exists()) {FAILS}");
    project.test_class(
        &JUNIT_4,
        "MoodyTest",
        &[("moody", &body), ("other", PASSES)],
    );
    fs::write(&file, "").unwrap();
    let first = project.test(&[]);
    first.assert_verdicts(&[("GoodTest", "passed"), ("MoodyTest", "failed")]);
    assert_eq!(first.code, Some(1), "the build's own exit code");
    // Nothing has changed, and it is run again.
    let second = project.test(&[]);
    second.assert_verdicts(&[("MoodyTest", "failed")]);
    assert_eq!((second.code, second.skipped.len()), (Some(1), 1));
    fs::remove_file(&file).unwrap();
    project.test(&[]).assert_ran(&["MoodyTest"]);
    project.test(&[]).assert_idle(2);
}

/// Whoever runs tests looks at all test classes before the first runs: what it finds there decides about each alone.
#[test]
fn a_test_more_runs_its_class_and_those_below_it() {
    let old = Combination {
        surefire: "2.22.2",
        ..JUNIT_4
    };
    for combination in [JUNIT_4, old, JUPITER] {
        let project = Project::new(&combination, "");
        project.test_class(&combination, "OtherTest", &[("other", PASSES)]);
        project.test_class(&combination, "TheTest", &[("first", PASSES)]);
        project.test_class(&combination, "BaseCase", &[("inherited", PASSES)]);
        let below = "package shop; public class BelowTest extends BaseCase { }";
        project.write("src/test/java/shop/BelowTest.java", below);
        project
            .test(&[])
            .assert_ran(&["BelowTest", "OtherTest", "TheTest"]);
        project.test_class(
            &combination,
            "TheTest",
            &[("first", PASSES), ("more", FAILS)],
        );
        let ran = project.test(&[]);
        ran.assert_verdicts(&[("TheTest", "failed")]);
        project.test_class(&combination, "TheTest", &[("first", PASSES)]);
        project.test(&[]).assert_idle(3);
        let tests = [("inherited", PASSES), ("more", FAILS)];
        project.test_class(&combination, "BaseCase", &tests);
        project
            .test(&[])
            .assert_verdicts(&[("BelowTest", "failed")]);
    }
}

/// To list what a test class declares, or to check its code, a JVM loads classes that it names, although the class is skipped then.
#[test]
fn what_skipped_test_classes_name_concerns_nobody_else() {
    let old = Combination {
        surefire: "2.22.2",
        ..JUNIT_4
    };
    for combination in [JUNIT_4, old, JUPITER] {
        let project = Project::new(&combination, "");
        let classes = [("Price", "price"), ("Basket", "size")];
        for (class, method) in classes {
            let text = format!("public class {class} {{ public int {method}() {{ return 1; }} }}");
            project.class(class, &text);
        }
        let counts = format!("if (new Basket().size() > 2) {FAILS}");
        project.test_class(&combination, "BasketTest", &[("counts", &counts)]);
        let pays = format!(
            "package shop; public class PriceTest {{ Price made() {{ return new Price(); }}
                @{} public void pays() {{ if (made().price() > 2) {FAILS} }} }}",
            combination.test
        );
        project.write("src/test/java/shop/PriceTest.java", &pays);
        project.test(&[]).assert_ran(&["BasketTest", "PriceTest"]);
        project.edit(BASKET, "return 1", "return 2");
        project.test(&[]).assert_ran(&["BasketTest"]);
        project.edit(PRICE, "class Price", "class Price implements Cloneable");
        project.test(&[]).assert_ran(&["PriceTest"]);
        project.edit(BASKET, "return 2", "return 3");
        let ran = project.test(&[]);
        ran.assert_verdicts(&[("BasketTest", "failed")]);
    }
}

#[test]
fn what_passes_at_the_second_try_has_not_passed() {
    let project = Project::new(
        &JUPITER,
        "<configuration><rerunFailingTestsCount>1</rerunFailingTestsCount></configuration>",
    );
    let (_dir, file) = outside(&project);
    let body = format!("if (new java.io.File(\"{file}\").createNewFile()) {FAILS}");
    project.test_class(&JUPITER, "FlakyTest", &[("flaky", &body)]);
    project.test_class(&JUPITER, "GoodTest", &[("good", PASSES)]);
    let first = project.test(&[]);
    first.assert_verdicts(&[("FlakyTest", "flaky"), ("GoodTest", "passed")]);
    assert_eq!(first.code, Some(0));
    project.test(&[]).assert_ran(&["FlakyTest"]);
    project.test(&[]).assert_idle(2);
}

#[test]
fn a_red_jvm_with_green_tests_stays_red() {
    let project = Project::new(&JUNIT_4, "");
    let (_dir, file) = outside(&project);
    let body = format!(
        "Runtime.getRuntime().addShutdownHook(new Thread(() -> {{
             if (new java.io.File(\"{file}\").exists()) Runtime.getRuntime().halt(3); }}));"
    );
    project.test_class(&JUNIT_4, "HookTest", &[("hooks", &body)]);
    fs::write(&file, "").unwrap();
    for _ in 0..2 {
        let red = project.test(&[]);
        red.assert_verdicts(&[("HookTest", "failed")]);
        assert_eq!(red.code, Some(1));
    }
    fs::remove_file(&file).unwrap();
    project.test(&[]).assert_ran(&["HookTest"]);
    project.test(&[]).assert_idle(1);
}

#[test]
fn a_filtered_run_does_not_mark_a_class_done() {
    for combination in [&JUNIT_4, &JUPITER] {
        let project = Project::new(combination, "");
        project.test_class(combination, "TwoTest", &[("one", PASSES), ("two", PASSES)]);
        project.test_class(combination, "OtherTest", &[("other", PASSES)]);
        let filtered = project.test(&["-Dtest=TwoTest#one"]);
        filtered.assert_ran(&["TwoTest"]);
        project.test(&[]).assert_ran(&["OtherTest", "TwoTest"]);
        project.test(&[]).assert_idle(2);
        let again = project.test(&["-Dtest=TwoTest", "-Dsurefire.failIfNoSpecifiedTests=false"]);
        assert_eq!(again.verdicts.len(), 0, "{again:#?}");
    }
}

/// A record of some tests of a class says nothing about the others, however long it stays true.
#[test]
fn a_filtered_run_never_speaks_for_the_other_tests() {
    let project = Project::new(&JUPITER, "");
    project.class(
        "Price",
        "public class Price { public static int of() { return 1; } }",
    );
    let reads = format!("if (Price.of() > 2) {FAILS}");
    project.test_class(&JUPITER, "TwoTest", &[("one", PASSES), ("two", &reads)]);
    project.test(&[]).assert_ran(&["TwoTest"]);
    project.edit("src/main/java/shop/Price.java", "return 1", "return 2");
    project
        .test(&["-Dtest=TwoTest#one"])
        .assert_ran(&["TwoTest"]);
    project.test(&[]).assert_ran(&["TwoTest"]);
    project.test(&[]).assert_idle(1);
    // What `one` saw is still so, and it passed; what `two` saw is not.
    project.edit("src/main/java/shop/Price.java", "return 2", "return 3");
    let red = project.test(&[]);
    red.assert_verdicts(&[("TwoTest", "failed")]);
    // All was seen before: the newest record that is true knows `one` alone, an older one knows both.
    project.edit("src/main/java/shop/Price.java", "return 3", "return 1");
    project.test(&[]).assert_idle(1);
}

/// Nobody knows what the others would have left, which the user left out and which have changed.
#[test]
fn a_filtered_run_never_speaks_for_what_others_leave() {
    let project = Project::new(&JUNIT_4, ALPHABETICAL);
    project.class(
        "Price",
        "public class Price { static final java.util.Map<String, Integer> KNOWN = new java.util.HashMap<>();
            public static int of() { return 1; } }",
    );
    let puts = format!("if (Price.KNOWN.put(\"a\", Price.of()) != null) {FAILS}");
    project.test_class(&JUNIT_4, "APutsTest", &[("puts", &puts)]);
    let gets = format!("if (Price.KNOWN.getOrDefault(\"a\", 1) != 1) {FAILS}");
    project.test_class(&JUNIT_4, "BGetsTest", &[("gets", &gets)]);
    project.test(&[]).assert_ran(&["APutsTest", "BGetsTest"]);
    project.edit("src/main/java/shop/Price.java", "return 1", "return 2");
    let alone = project.test(&["-Dtest=BGetsTest"]);
    alone.assert_verdicts(&[("BGetsTest", "passed")]);
    let both = [("APutsTest", "passed"), ("BGetsTest", "failed")];
    project.test(&[]).assert_verdicts(&both);
}

#[test]
fn executions_with_other_properties_do_not_share_records() {
    let execution = |id: &str, value: &str| {
        format!(
            "<execution><id>{id}</id><phase>test</phase><goals><goal>test</goal></goals><configuration>
             <systemPropertyVariables><mode>{value}</mode></systemPropertyVariables></configuration></execution>"
        )
    };
    let both = execution("default-test", "slow") + &execution("second", "${second}");
    let project = Project::new(&JUNIT_4, &format!("<executions>{both}</executions>"));
    let other = "<profiles><profile><id>other</id><properties><second>fas</second></properties></profile></profiles>";
    project.edit(
        "pom.xml",
        "<properties>",
        &format!("{other}<properties><second>fast</second>"),
    );
    let body = format!("if (!\"slow fast\".contains(System.getProperty(\"mode\"))) {FAILS}");
    project.test_class(&JUNIT_4, "ModeTest", &[("mode", &body)]);
    let first = project.test(&[]);
    assert_eq!((first.code, first.n_jvms), (Some(0), 2), "{first:#?}");
    project.test(&[]).assert_idle(1);
    // One of them is run with another value.
    let changed = project.test(&["-Pother"]);
    let ran = changed.report["entities"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entity| !entity["run"].is_null());
    let ran: Vec<_> = ran
        .map(|entity| entity["execution"].as_str().unwrap())
        .collect();
    assert_eq!(ran, ["second"]);
}

#[test]
fn a_test_that_the_user_names_runs_each_time() {
    let project = Project::new(&JUNIT_4, "");
    for name in ["CartTest", "NetTest"] {
        project.test_class(&JUNIT_4, name, &[("passes", PASSES)]);
    }
    project.test(&[]).assert_ran(&["CartTest", "NetTest"]);
    project.test(&[]).assert_idle(2);
    let options = ["--always-run", "Net*"];
    project.test_with(&options, &[]).assert_ran(&["NetTest"]);
    project.write("tamis.toml", "always-run = ['shop.N*']");
    let configured = project.test(&[]);
    configured.assert_ran(&["NetTest"]);
    let entities = configured.report["entities"].as_array().unwrap();
    let named = entities.iter().find(|one| one["name"] == "shop.NetTest");
    assert_eq!(named.unwrap()["decision"]["kind"], "always");
}

#[test]
fn files_classes_and_disabled_tests_that_come_and_go() {
    let order = "<configuration><runOrder>alphabetical</runOrder></configuration>";
    let project = Project::new(&JUPITER, order);
    let resource = "src/test/resources/prices.txt";
    project.write(resource, "3");
    let body = "try (java.io.InputStream in = getClass().getResourceAsStream(\"/prices.txt\")) {
                    if (in.read() != '3') throw new AssertionError(); }";
    project.test_class(&JUPITER, "PriceTest", &[("reads", body)]);
    project.test_class(&JUPITER, "OtherTest", &[("other", PASSES)]);
    project.test(&[]).assert_ran(&["OtherTest", "PriceTest"]);
    project.test(&[]).assert_idle(2);
    project.write(resource, "4");
    let changed = project.test(&[]);
    changed.assert_verdicts(&[("PriceTest", "failed")]);
    project.write(resource, "3");
    project.test(&[]).assert_idle(2);
    // A file that nobody reads.
    project.write("data/new.txt", "");
    project.test(&[]).assert_idle(2);
    // A new test class, disabled and then not.
    project.test_class(&JUPITER, "NewTest", &[("fails", FAILS)]);
    project.edit(
        "src/test/java/shop/NewTest.java",
        "public class",
        "@org.junit.jupiter.api.Disabled public class",
    );
    let new = project.test(&[]);
    assert!(new.verdicts.contains_key("NewTest"), "{new:#?}");
    assert_eq!(new.code, Some(0));
    project.test(&[]).assert_idle(3);
    project.edit(
        "src/test/java/shop/NewTest.java",
        "@org.junit.jupiter.api.Disabled ",
        "",
    );
    let enabled = project.test(&[]);
    enabled.assert_verdicts(&[("NewTest", "failed")]);
}

#[test]
fn a_build_that_fails_without_tests_does_not_fail_when_all_are_skipped() {
    let project = Project::new(
        &JUNIT_4,
        "<configuration><failIfNoTests>true</failIfNoTests></configuration>",
    );
    project.test_class(&JUNIT_4, "OneTest", &[("one", PASSES)]);
    project.test(&[]).assert_ran(&["OneTest"]);
    project.test(&[]).assert_idle(1);
}

const DISABLED: &[(&str, &str)] = &[
    (
        "OuterTest",
        "public class OuterTest { @Test void own() { }
            @Nested @Disabled class Inner { @Test void fails() { throw new Error(); } }
            @Nested class Calm { @Test void passes() { } } }",
    ),
    (
        "Base",
        "abstract class Base { @Test @Disabled void inherited() { throw new Error(); } }",
    ),
    (
        "HeirTest",
        "public class HeirTest extends Base { @Test void own() { } }",
    ),
    (
        "OtherTest",
        "public class OtherTest { @Test void passes() { } }",
    ),
];

/// What is enabled, or new, in a nested class or above a test class, concerns that test class alone.
#[test]
fn what_is_enabled_around_a_test_class_runs_it_alone() {
    let mut program = PlainProgram::of_jupiter(DISABLED);
    let first = program.run();
    assert_eq!(
        (first.code, first.verdicts.len()),
        (Some(0), 3),
        "{first:#?}"
    );
    program.run().assert_ran(&[]);
    for (change, red) in [
        (["OuterTest", "@Disabled ", ""], "OuterTest"),
        (
            [
                "OuterTest",
                "void passes() { }",
                "void passes() { } @Test void more() { throw new Error(); }",
            ],
            "OuterTest",
        ),
        (["Base", "@Disabled ", ""], "HeirTest"),
    ] {
        program.compile(&[change]);
        program
            .run()
            .assert_verdicts_of(&[(red, "failed")], change[1]);
        program.compile(&[]);
        program.run().assert_ran(&[]);
    }
}

/// operaton#3534: a build that is told to leave its tests out compiles all, and says nothing about any of them.
#[test]
fn a_build_without_tests_marks_nothing_done() {
    let project = Project::new(&JUNIT_4, "");
    project.class(
        "Price",
        "public class Price { public static int of() { return 1; } }",
    );
    let reads = format!("if (Price.of() != 1) {FAILS}");
    project.test_class(&JUNIT_4, "OtherTest", &[("other", PASSES)]);
    project.test_class(&JUNIT_4, "PriceTest", &[("reads", &reads)]);
    let without = || project.test(&["-DskipTests"]).assert_ran(&[]);
    without();
    project.test(&[]).assert_ran(&["OtherTest", "PriceTest"]);
    project.edit(PRICE, "return 1", "return 2");
    without();
    project
        .test(&[])
        .assert_verdicts(&[("PriceTest", "failed")]);
}

#[test]
fn what_does_not_compile_is_the_builds_business() {
    let project = Project::new(&JUNIT_4, "");
    project.test_class(&JUNIT_4, "OneTest", &[("one", PASSES)]);
    project.test(&[]).assert_ran(&["OneTest"]);
    let store = fs::read(project.path(".tamis/store.sqlite")).unwrap();
    project.edit("src/test/java/shop/OneTest.java", "class", "clas");
    let plain = project.maven(&["test"]);
    let broken = project.test(&[]);
    assert_eq!(broken.code, plain.status.code());
    assert!(
        broken.output.contains("COMPILATION ERROR"),
        "{}",
        broken.output
    );
    assert_eq!(broken.verdicts.len(), 0);
    assert!(
        store == fs::read(project.path(".tamis/store.sqlite")).unwrap(),
        "the store is as it was"
    );
    project.edit("src/test/java/shop/OneTest.java", "clas ", "class ");
    project.test(&[]).assert_idle(1);
}

#[test]
fn a_change_in_another_module_reaches_its_users() {
    let project = Project::empty(17);
    let of = |module: &str, dependency: &str| {
        let pom = crate::project::pom(&JUNIT_4, "");
        let pom = pom.replace(
            "<artifactId>shop</artifactId><version>1",
            &format!("<artifactId>{module}</artifactId><version>1"),
        );
        pom.replace("<dependencies>", &format!("<dependencies>{dependency}"))
    };
    let parent = of("parent", "").replace(
        "<properties>",
        "<packaging>pom</packaging><modules><module>stock</module><module>till</module></modules><properties>",
    );
    project.write("pom.xml", &parent);
    project.write("stock/pom.xml", &of("stock", ""));
    let stock = "<dependency><groupId>shop</groupId><artifactId>stock</artifactId><version>1</version></dependency>";
    project.write("till/pom.xml", &of("till", stock));
    project.write(
        "stock/src/main/java/shop/Item.java",
        "package shop; public class Item { public static int price() { return 1; } public static int size() { return 2; } }",
    );
    project.write(
        "till/src/main/java/shop/Till.java",
        "package shop; public class Till {}",
    );
    let test = |name: &str, condition: &str| {
        format!(
            "package shop; public class {name} {{ @org.junit.Test public void t() {{
             if (!({condition})) throw new AssertionError(); }} }}"
        )
    };
    project.write(
        "stock/src/test/java/shop/SizeTest.java",
        &test("SizeTest", "Item.size() == 2"),
    );
    project.write(
        "till/src/test/java/shop/PriceTest.java",
        &test("PriceTest", "Item.price() >= 1"),
    );
    project.write(
        "till/src/test/java/shop/OtherTest.java",
        &test("OtherTest", "1 == 1"),
    );
    project
        .test(&[])
        .assert_ran(&["OtherTest", "PriceTest", "SizeTest"]);
    project.test(&[]).assert_idle(3);
    project.edit("stock/src/main/java/shop/Item.java", "return 1", "return 7");
    let changed = project.test(&[]);
    changed.assert_ran(&["PriceTest"]);
    assert_eq!(
        changed.n_jvms, 1,
        "nothing is to be run in the other module"
    );

    // A class that moves to another module is still the one that its users see.
    let [here, there] =
        ["stock", "till"].map(|module| format!("{module}/src/main/java/shop/Item.java"));
    fs::rename(project.path(here), project.path(&there)).unwrap();
    fs::remove_file(project.path("stock/src/test/java/shop/SizeTest.java")).unwrap();
    assert!(project.maven(&["clean"]).status.success());
    project.test(&[]).assert_ran(&[]);
    project.edit(&there, "return 7", "return 0");
    let changed = project.test(&[]);
    changed.assert_verdicts(&[("PriceTest", "failed")]);
}

#[test]
fn an_interrupted_run_leaves_nothing_wrong() {
    let project = Project::new(&JUNIT_4, "");
    let marker = project.path("target/started");
    let body = format!(
        "new java.io.FileOutputStream(\"{}\").close(); Thread.sleep(Integer.getInteger(\"nap\", 1));",
        marker.display()
    );
    project.test_class(&JUNIT_4, "SlowTest", &[("sleeps", &body)]);
    let mut command = project.command("setsid");
    command.arg(env!("CARGO_BIN_EXE_tamis")).args([
        "test",
        "--",
        "-B",
        "-q",
        "-DargLine=-Dnap=60000",
    ]);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !marker.exists() {
        assert!(
            child.try_wait().unwrap().is_none(),
            "the build ended before its test began"
        );
        thread::sleep(Duration::from_millis(20));
    }
    // As a terminal does it: the signal goes to all processes of the group.
    let group = format!("-{}", child.id());
    assert!(
        project
            .command("kill")
            .args(["-INT", "--", &group])
            .status()
            .unwrap()
            .success()
    );
    let status = child.wait().unwrap();
    assert!(!status.success());
    fs::remove_file(&marker).ok();
    let after = project.test(&[]);
    after.assert_ran(&["SlowTest"]);
    project.test(&[]).assert_idle(1);
}

#[test]
fn a_failure_outlives_tamis_itself() {
    let project = Project::new(
        &JUNIT_4,
        "<configuration><runOrder>alphabetical</runOrder></configuration>",
    );
    let (dir, red) = outside(&project);
    let body = format!("if (new java.io.File(\"{red}\").exists()) {FAILS}");
    project.test_class(&JUNIT_4, "AMoodyTest", &[("moody", &body)]);
    let started = dir.path().join("started");
    let body = format!(
        "if (new java.io.File(\"{red}\").exists()) {{
             new java.io.File(\"{}\").createNewFile(); Thread.sleep(600000); }}",
        started.display()
    );
    project.test_class(&JUNIT_4, "BSlowTest", &[("sleeps", &body)]);
    project.test(&[]).assert_ran(&["AMoodyTest", "BSlowTest"]);
    // Everything is run again: one fails, and then Tamis is killed.
    fs::write(&red, "").unwrap();
    let mut command = project.command("setsid");
    command
        .arg(env!("CARGO_BIN_EXE_tamis"))
        .args(["test", "--all", "--", "-B", "-q"]);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !started.exists() {
        assert!(
            child.try_wait().unwrap().is_none(),
            "the build ended before its test began"
        );
        thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Its build goes on, and is stopped here.
    let group = format!("-{}", child.id());
    project
        .command("kill")
        .args(["-KILL", "--", &group])
        .status()
        .unwrap();
    fs::remove_file(&red).unwrap();
    project.test(&[]).assert_ran(&["AMoodyTest"]);
    project.test(&[]).assert_idle(2);
}
