//! Tests that a plain command runs, all in one JVM and all built before the first of them.

use std::env;
use std::process::Command;

use tamis_testkit::jdks::jdks;
use tamis_testkit::maven::class_path;

use crate::project::{Project, Ran};

/// Only the first who asks runs the helper.
const REGISTRY: &str = "package shop; public class Registry { private static Integer known;
    public static int get() { if (known == null) known = Helper.value(); return known; } }";

const HELPER: &str = "package shop; public class Helper { static int value() { return NUMBER; } }";

const ASKING: &str = "package shop; public class AskingTest {
    @org.junit.Test public void asks() { if (Registry.get() != 1) throw new Error(); } }";

/// JUnit 3 makes the objects of all tests before it runs any.
const MAKING: &str = "package shop; public class MakingTest extends junit.framework.TestCase {
    private final int made = Registry.get(); public void testNothing() { if (made == 0) fail(); } }";

#[test]
fn what_building_another_test_left_is_not_missed() {
    let sources = [
        ("Registry", REGISTRY),
        ("AskingTest", ASKING),
        ("MakingTest", MAKING),
    ];
    let project = Project::empty(17);
    compile(&project, &sources, "1");
    let all = ["AskingTest", "MakingTest"];
    test(&project, &all).assert_ran(&all);
    test(&project, &all).assert_ran(&[]);
    compile(&project, &sources, "2");
    test(&project, &all).assert_verdicts(&[("AskingTest", "failed"), ("MakingTest", "passed")]);
}

/// Fields that are never set again, and what can be done with what they hold.
const KEPT: &str = "package shop; public class Kept {
    public static class Box { public int number; }
    public static class Round extends Shape { public int size; }
    public static class Shape { }
    public static class Deep { public final Box box = new Box(); }
    public static final int[] NUMBERS = {0};
    public static final Box BOX = new Box();
    public static final Shape SHAPE = round();
    public static final Deep DEEP = new Deep();
    public static final Box REFLECTED = new Box();
    public static final Box[] BOXES = { new Box() };
    public static int setting;
    public static final java.util.function.Supplier<String> LAMBDA = () -> \"a\";
    public static final String[] EMPTY = {};
    public static final char[] LETTERS = { 'a' };
    static Shape round() { return new Round(); } }";

/// Initialised by whoever comes first.
const COPY: &str =
    "package shop; public class Copy { public static final int VALUE = Kept.setting; }";

/// Changes what constants hold, in each way.
const LEAVING: &str = "package shop; public class LeavingTest { @org.junit.Test public void leaves() throws Exception {
    Kept.NUMBERS[0] = Helper.value();
    Kept.BOX.number = Helper.value();
    ((Kept.Round) Kept.SHAPE).size = Helper.value();
    Kept.DEEP.box.number = Helper.value();
    Kept.Box.class.getField(\"number\").set(Kept.REFLECTED, Helper.value());
    Kept.BOXES[0].number = Helper.value();
    Kept.setting = Helper.value();
    if (Copy.VALUE == 0) throw new Error(); } }";

/// Tests that look at what was left in one of them.
const LOOKING: &[(&str, &str)] = &[
    ("NumbersTest", "Kept.NUMBERS[0] != 1"),
    ("BoxTest", "Kept.BOX.number != 1"),
    ("ShapeTest", "((Kept.Round) Kept.SHAPE).size != 1"),
    ("DeepTest", "Kept.DEEP.box.number != 1"),
    ("ReflectedTest", "Kept.REFLECTED.number != 1"),
    ("BoxesTest", "Kept.BOXES[0].number != 1"),
    ("CopyTest", "Copy.VALUE != 1"),
];

/// Those that look at what nobody can change, or nobody has.
const CALM: &[(&str, &str)] = &[
    ("LambdaTest", "!Kept.LAMBDA.get().equals(\"a\")"),
    ("EmptyTest", "Kept.EMPTY.length != 0"),
    ("LettersTest", "Kept.LETTERS[0] != 'a'"),
];

#[test]
fn what_tests_change_inside_of_constants_is_not_missed() {
    let bodies: Vec<(&str, String)> = LOOKING
        .iter()
        .chain(CALM)
        .map(|(name, wrong)| (*name, looking_test(name, wrong)))
        .collect();
    let mut sources = vec![("Kept", KEPT), ("Copy", COPY), ("LeavingTest", LEAVING)];
    sources.extend(bodies.iter().map(|(name, text)| (*name, text.as_str())));
    let mut all = vec!["LeavingTest"];
    all.extend(bodies.iter().map(|(name, _)| *name));

    let project = Project::empty(17);
    compile(&project, &sources, "1");
    let in_order = all.clone();
    all.sort_unstable();
    test(&project, &in_order).assert_ran(&all);
    test(&project, &in_order).assert_ran(&[]);
    compile(&project, &sources, "2");
    let mut verdicts = vec![("LeavingTest", "passed")];
    verdicts.extend(LOOKING.iter().map(|(name, _)| (*name, "failed")));
    verdicts.sort_unstable();
    let ran = test(&project, &in_order);
    ran.assert_verdicts(&verdicts);
    // The one that left it ran the helper itself; the others are told that they did not.
    let inherits = |name: &str| {
        let entities = ran.report["entities"].as_array().unwrap();
        let entity = entities
            .iter()
            .find(|entity| entity["name"] == format!("shop.{name}"));
        let broken = entity.unwrap()["newest"]["broken"].as_array().unwrap();
        assert!(!broken.is_empty(), "{name} has nothing broken");
        broken.iter().all(|fact| fact["is_inherited"] == true)
    };
    assert!(!inherits("LeavingTest"));
    for (name, _) in LOOKING {
        assert!(inherits(name), "{name}: {}", ran.report);
    }
}

fn looking_test(name: &str, wrong: &str) -> String {
    format!(
        "package shop; public class {name} {{
            @org.junit.Test public void looks() {{ if ({wrong}) throw new Error(); }} }}"
    )
}

fn compile(project: &Project, sources: &[(&str, &str)], number: &str) {
    let helper = HELPER.replace("NUMBER", number);
    let jdk = jdks().unwrap().into_iter().find(|jdk| jdk.feature == 17);
    let mut command = Command::new(jdk.unwrap().javac());
    command
        .args(["--release", "8", "-nowarn", "-d"])
        .arg(project.path("classes"))
        .arg("-cp")
        .arg(env::join_paths(class_path(&["junit:junit:4.13.2"]).unwrap()).unwrap());
    for (name, text) in sources.iter().chain(&[("Helper", helper.as_str())]) {
        let file = format!("sources/shop/{name}.java");
        project.write(&file, text);
        command.arg(project.path(file));
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

fn test(project: &Project, tests: &[&str]) -> Ran {
    let mut places = vec![project.path("classes")];
    places.extend(class_path(&["junit:junit:4.13.2"]).unwrap());
    let names: Vec<String> = tests.iter().map(|test| format!("shop.{test}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    project.junit_core(&places, &names)
}
