//! `tamis trace -- mvn …` on real builds: the tests are watched, and neither they nor the console can tell.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tamis_testkit::jdks::jdks;

use crate::maven_build::{CACHE, NONE, Pair, without_digits};
use crate::maven_project::{JACOCO, pom, surefire, test_plugin, write_module};
use crate::sandbox::Sandbox;

/// Three versions of Surefire, with JaCoCo, forks of all kinds, and lines of arguments from everywhere; two modules at
/// a time.
#[test]
fn every_test_jvm_of_a_build_is_watched_and_nothing_else_is_changed() {
    let sandbox = Sandbox::empty();
    let tests = ["FirstTest", "SecondTest", "FailingTest"];
    let modules =
        "<modules><module>old</module><module>middle</module><module>new</module></modules>";
    let parent = pom("parent", "").replace(
        "<dependencies>",
        &format!("<packaging>pom</packaging>{modules}<dependencies>"),
    );
    sandbox.write("pom.xml", parent.as_bytes());
    let forks =
        "<argLine>-Dfrom.pom=2</argLine><forkCount>2</forkCount><reuseForks>false</reuseForks>";
    let first = "<argLine>@{argLine} -Dfrom.pom=1</argLine>";
    let old = surefire("2.22.2", &[("default-test", first), ("forks", forks)]);
    let old = pom("old", &(JACOCO.to_owned() + &old));
    write_module(&sandbox, "old", &old, &tests[..2]);
    let ignored = "<testFailureIgnore>true</testFailureIgnore>";
    let two = format!("{ignored}<argLine>-Dfrom.pom=3</argLine><forkCount>2</forkCount>");
    let middle = surefire("3.2.5", &[("default-test", ignored), ("two", &two)])
        + &test_plugin(
            "maven-failsafe-plugin",
            "3.2.5",
            &[("it", "integration-test", "")],
        );
    let middle_tests = [&tests[..], &["ThirdIT"]].concat();
    write_module(&sandbox, "middle", &pom("middle", &middle), &middle_tests);
    let new = surefire("3.5.4", &[("default-test", "")]);
    write_module(&sandbox, "new", &pom("new", &new), &tests[..1]);

    let arguments = [
        "-B",
        "-ntp",
        "-T",
        "2",
        "integration-test",
        "-DargLine=-Dfrom.line=y",
    ];
    let pair = Pair::new(&sandbox, "mvn", &arguments, |_| ());
    pair.assert_same();
    pair.assert_watched(&[]);
    assert_eq!(pair.traced.warnings(), NONE);
    let report = "middle/target/surefire-reports/TEST-shop.FailingTest.xml";
    assert_eq!(pair.plain.results[report], ["shop.FailingTest.runs failed"]);
    for test in &tests[..2] {
        let seen = &pair.traced.seen[&format!("old forks-{test}.txt")];
        let classes = pair.watched(seen).unwrap();
        assert_eq!(classes, [test, "Seen"], "each class has its own JVM");
    }
    // Behind the agent everything is as the user and JaCoCo want it.
    let check = |name: &str, expected: &[&str]| {
        let arguments = &pair.traced.seen[name].arguments[1..];
        assert_eq!(arguments.len(), expected.len(), "{name}: {arguments:?}");
        for (argument, expected) in arguments.iter().zip(expected) {
            assert!(argument.starts_with(expected), "{name}: {arguments:?}");
        }
    };
    check(
        "old default-test-FirstTest.txt",
        &["-javaagent:", "-Dfrom.pom=1"],
    );
    check("old forks-SecondTest.txt", &["-Dfrom.pom=2"]);
    check("middle default-test-FailingTest.txt", &["-Dfrom.line=y"]);
    check("middle two-FirstTest.txt", &["-Dfrom.pom=3"]);
    check("middle it-ThirdIT.txt", &["-Dfrom.line=y"]);
    check("new default-test-FirstTest.txt", &["-Dfrom.line=y"]);
}

/// The newest JDK, by a wrapper: an extension of the user's own is still there, and tests that cannot be watched are
/// left alone and named.
#[test]
fn tests_that_cannot_be_watched_are_left_alone_and_named() {
    let sandbox = Sandbox::empty();
    write_script(&sandbox, "mvnw", "exec mvn \"$@\"");
    let java = unproven_launcher(&sandbox);
    let plugin = surefire(
        "3.5.4",
        &[
            ("default-test", ""),
            ("inside", "<forkCount>0</forkCount>"),
            ("ordered", "<runOrder>balanced</runOrder>"),
            ("same", ""),
            ("same.again", ""),
            ("skipped", "<skipTests>true</skipTests>"),
            ("toolchain", "<jdkToolchain><id>oldest</id></jdkToolchain>"),
            ("unproven", &format!("<jvm>{}</jvm>", java.display())),
        ],
    );
    write_module(&sandbox, "only", &pom("only", &plugin), &["FirstTest"]);
    let all = jdks().unwrap();
    let (oldest, newest) = (&all[0], &all[all.len() - 1]);
    sandbox.write("toolchains.xml", toolchains(&oldest.home).as_bytes());
    let own = "-Dmaven.ext.class.path=/no/such.jar";
    let mut arguments = vec!["-B", "-ntp", "-f", "only", own];
    arguments.extend(["-t", "toolchains.xml", "integration-test"]);
    let pair = Pair::new(&sandbox, "./mvnw", &arguments, |command| {
        command.env("JAVA_HOME", &newest.home);
    });
    pair.assert_same();
    pair.assert_watched(&["inside", "ordered", "unproven"]);
    let seen = &pair.traced.seen["only toolchain-FirstTest.txt"];
    let home = format!("property java.home={}", oldest.home.display());
    let home = without_digits(&home);
    assert!(seen.surroundings.iter().any(|seen| seen.starts_with(&home)));
    let seen = &pair.traced.seen["only default-test-FirstTest.txt"];
    for line in [
        "property maven.ext.class.path=/no/such.jar",
        "variable MAVEN_CMD_LINE_ARGS= -B -ntp -f only -Dmaven.ext.class.path=/no/such.jar",
    ] {
        let mut seen = seen.surroundings.iter();
        assert!(seen.any(|seen| seen.starts_with(line)), "{line}");
    }
    let nothing = "everything runs, nothing is recorded";
    let java = java.display();
    let expected = [
        format!("tests of shop:only (inside) run inside Maven itself (forkCount=0): {nothing}"),
        format!(
            "tests of shop:only (ordered) are ordered by their history (balanced), which Surefire \
             would not find with the agent: {nothing}"
        ),
        "tests of shop:only (skipped) are skipped by the build: none runs".to_owned(),
        format!(
            "tests of shop:only (unproven) run on `{java}`, which was not seen to load the agent: {nothing}"
        ),
    ];
    assert_eq!(pair.traced.warnings(), expected);
}

/// The oldest JDK, where the run-time environment has a home of its own, and the old way not to fork.
#[test]
fn the_oldest_jdk() {
    let sandbox = Sandbox::empty();
    let never = "<forkMode>never</forkMode>";
    let plugin = surefire("2.22.2", &[("default-test", ""), ("inside", never)]);
    write_module(&sandbox, "only", &pom("only", &plugin), &["FirstTest"]);
    let jdk = jdks().unwrap().remove(0);
    let arguments = ["-B", "-ntp", "-f", "only/pom.xml", "integration-test"];
    let pair = Pair::new(&sandbox, "mvn", &arguments, |command| {
        command.env("JAVA_HOME", &jdk.home);
    });
    pair.assert_same();
    pair.assert_watched(&["inside"]);
    let warning = "tests of shop:only (inside) run inside Maven itself (forkMode=never): everything runs, nothing is \
                   recorded";
    assert_eq!(pair.traced.warnings(), [warning]);
}

/// A Maven that is too old loads no extension, and neither does one that builds nothing.
#[test]
fn a_maven_that_does_not_load_the_extension() {
    let sandbox = Sandbox::empty();
    let mut command = sandbox.tamis();
    command.env("TAMIS_CACHE_DIR", sandbox.path(CACHE));
    let output = command
        .args(["trace", "--", "mvn", "--version"])
        .output()
        .unwrap();
    assert!(output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    let expected = "warning: Maven did not load the extension that watches tests (it needs Maven 3.2.5 or later, \
                    and a build): nothing was recorded\n";
    assert!(error.ends_with(expected), "{error}");
}

/// A launcher that starts the right JVM, but lies in a home that nobody has proven anything of.
fn unproven_launcher(sandbox: &Sandbox) -> PathBuf {
    let java = jdks().unwrap().pop().unwrap().java();
    write_script(
        sandbox,
        "jdk/bin/java",
        &format!("exec {} \"$@\"", java.display()),
    )
}

/// Lets builds ask for the JDK `oldest`.
fn toolchains(home: &Path) -> String {
    format!(
        "<toolchains><toolchain><type>jdk</type><provides><id>oldest</id></provides>
         <configuration><jdkHome>{}</jdkHome></configuration></toolchain></toolchains>",
        home.display()
    )
}

fn write_script(sandbox: &Sandbox, name: &str, line: &str) -> PathBuf {
    sandbox.write(name, format!("#!/bin/sh\n{line}\n").as_bytes());
    let path = sandbox.path(name);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}
