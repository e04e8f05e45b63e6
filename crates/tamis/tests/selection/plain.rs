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
    let project = Project::empty(17);
    compile(&project, "1");
    let all = ["AskingTest", "MakingTest"];
    test(&project).assert_ran(&all);
    test(&project).assert_ran(&[]);
    compile(&project, "2");
    test(&project).assert_verdicts(&[("AskingTest", "failed"), ("MakingTest", "passed")]);
}

fn compile(project: &Project, number: &str) {
    let sources = [
        ("Registry", REGISTRY.to_owned()),
        ("Helper", HELPER.replace("NUMBER", number)),
        ("AskingTest", ASKING.to_owned()),
        ("MakingTest", MAKING.to_owned()),
    ];
    let jdk = jdks().unwrap().into_iter().find(|jdk| jdk.feature == 17);
    let mut command = Command::new(jdk.unwrap().javac());
    command
        .args(["--release", "8", "-nowarn", "-d"])
        .arg(project.path("classes"))
        .arg("-cp")
        .arg(env::join_paths(class_path(&["junit:junit:4.13.2"]).unwrap()).unwrap());
    for (name, text) in sources {
        let file = format!("sources/shop/{name}.java");
        project.write(&file, &text);
        command.arg(project.path(file));
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

fn test(project: &Project) -> Ran {
    let mut places = vec![project.path("classes")];
    places.extend(class_path(&["junit:junit:4.13.2"]).unwrap());
    project.junit_core(&places, &["shop.AskingTest", "shop.MakingTest"])
}
