//! Launchers that look for tests among all classes of a directory: which others there are concerns no test, but one that
//! asks for that itself.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tamis_testkit::jdks::jdks;
use tamis_testkit::maven::artifacts;

use crate::project::{Launch, Project, Ran};

const CART: &str = "package shop; public class Cart { int total() { return 3; } }";

const CART_TEST: &str =
    "package shop; public class CartTest { @org.junit.jupiter.api.Test void asks() {
    if (new Cart().total() != 3) throw new Error(); } }";

const OTHER_TEST: &str =
    "package shop; public class OtherTest { @org.junit.jupiter.api.Test void runs() {} }";

/// It looks for classes by the very code by which the launcher does.
const LISTING_TEST: &str =
    "package shop; public class ListingTest { @org.junit.jupiter.api.Test void lists() {
    int n = org.junit.platform.commons.support.ReflectionSupport.findAllClassesInPackage(
        \"shop\", type -> true, name -> true).size();
    if (n != 4) throw new Error(\"\" + n); } }";

#[test]
fn what_a_launcher_finds_concerns_nobody_and_what_a_test_finds_concerns_it() {
    // The code that looks for classes lies elsewhere since 1.12.
    for version in ["1.10.5", "1.13.4"] {
        let junit = format!("org.junit.platform:junit-platform-console-standalone:{version}");
        let junit = artifacts(&[&junit]).unwrap();
        let project = Project::empty(17);
        let sources = [
            ("Cart", CART),
            ("CartTest", CART_TEST),
            ("ListingTest", LISTING_TEST),
            ("OtherTest", OTHER_TEST),
        ];
        compile(&project, &junit, &sources);
        test(&project, &junit).assert_ran(&["CartTest", "ListingTest", "OtherTest"]);
        test(&project, &junit).assert_ran(&[]);
        let changed = CART.replace('3', "4");
        compile(&project, &junit, &[("Cart", &changed)]);
        let both = [("CartTest", "failed"), ("ListingTest", "passed")];
        test(&project, &junit).assert_verdicts(&both);
        compile(&project, &junit, &[("Cart", CART)]);
        compile(
            &project,
            &junit,
            &[("Extra", "package shop; class Extra {}")],
        );
        test(&project, &junit).assert_verdicts(&[("ListingTest", "failed")]);
    }
}

/// It starts a launcher that looks for tests in another directory, and counts what that finds.
const COUNTING_TEST: &str =
    "package shop; public class CountingTest { @org.junit.jupiter.api.Test void counts() throws Exception {
    Process launcher = new ProcessBuilder(System.getProperty(\"java.home\") + \"/bin/java\", \"-cp\",
        System.getProperty(\"java.class.path\"), \"org.junit.platform.console.ConsoleLauncher\", \"execute\",
        \"--scan-class-path=samples\", \"--details=summary\").redirectErrorStream(true).start();
    String said = new java.util.Scanner(launcher.getInputStream()).useDelimiter(\"\\\\A\").next();
    launcher.waitFor();
    if (said.contains(\"2 tests successful\")) throw new Error(said); } }";

#[test]
fn what_a_launcher_finds_that_a_test_started_concerns_that_test() {
    let junit = artifacts(&["org.junit.platform:junit-platform-console-standalone:1.13.4"]);
    let junit = junit.unwrap();
    let project = Project::empty(17);
    let sources = [("CountingTest", COUNTING_TEST), ("OtherTest", OTHER_TEST)];
    compile(&project, &junit, &sources);
    let sample = OTHER_TEST.replace("OtherTest", "FirstSampleTest");
    compile_to("samples", &project, &junit, &[("FirstSampleTest", &sample)]);
    test(&project, &junit).assert_verdicts(&[("CountingTest", "passed"), ("OtherTest", "passed")]);
    test(&project, &junit).assert_ran(&[]);
    let sample = OTHER_TEST.replace("OtherTest", "SecondSampleTest");
    compile_to(
        "samples",
        &project,
        &junit,
        &[("SecondSampleTest", &sample)],
    );
    test(&project, &junit).assert_verdicts(&[("CountingTest", "failed")]);
}

fn compile(project: &Project, junit: &[PathBuf], sources: &[(&str, &str)]) {
    compile_to("classes", project, junit, sources);
}

fn compile_to(directory: &str, project: &Project, junit: &[PathBuf], sources: &[(&str, &str)]) {
    fs::create_dir_all(project.path(directory)).unwrap();
    let jdk = jdks().unwrap().into_iter().find(|jdk| jdk.feature == 17);
    let mut command = Command::new(jdk.unwrap().javac());
    command
        .args(["--release", "8", "-nowarn", "-d"])
        .arg(project.path(directory))
        .arg("-cp")
        .arg(env::join_paths(places(project, junit)).unwrap());
    for (name, text) in sources {
        let file = format!("sources/shop/{name}.java");
        project.write(&file, text);
        command.arg(project.path(file));
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

fn test(project: &Project, junit: &[PathBuf]) -> Ran {
    let classes = project.path("classes");
    let scan = format!("--scan-class-path={}", classes.display());
    let launcher = "org.junit.platform.console.ConsoleLauncher";
    let arguments = [launcher, "execute", &scan];
    project.java(&Launch::default(), &places(project, junit), &arguments)
}

fn places(project: &Project, junit: &[PathBuf]) -> Vec<PathBuf> {
    let mut places = vec![project.path("classes"), project.path("samples")];
    places.extend(junit.iter().cloned());
    places
}
