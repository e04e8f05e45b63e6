//! Generated programs and their tests compile, for every operator: `javac` is the judge.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use tamis_build::Jdk;
use tamis_check::{
    Bounds, Constraint, EvolvingProgram, Framework, Operator, Plan, Side, SourceFile,
};

/// What tests use, as far as a compiler sees it.
const STUBS: &[(&str, &str)] = &[
    (
        "org/junit/jupiter/api/Test.java",
        "package org.junit.jupiter.api; public @interface Test {}",
    ),
    (
        "org/junit/jupiter/api/Disabled.java",
        "package org.junit.jupiter.api; public @interface Disabled {}",
    ),
    (
        "org/junit/Test.java",
        "package org.junit; public @interface Test {}",
    ),
    (
        "org/junit/Ignore.java",
        "package org.junit; public @interface Ignore {}",
    ),
    (
        "org/junit/platform/launcher/TestPlan.java",
        "package org.junit.platform.launcher; public class TestPlan {}",
    ),
    (
        "org/junit/platform/launcher/TestExecutionListener.java",
        "package org.junit.platform.launcher;
         public interface TestExecutionListener {
             default void testPlanExecutionStarted(TestPlan plan) {}
         }",
    ),
    (
        "org/junit/platform/launcher/LauncherSession.java",
        "package org.junit.platform.launcher; public class LauncherSession {}",
    ),
    (
        "org/junit/platform/launcher/LauncherSessionListener.java",
        "package org.junit.platform.launcher;
         public interface LauncherSessionListener {
             default void launcherSessionOpened(LauncherSession session) {}
         }",
    ),
    (
        "tamis/check/Oracle.java",
        "package tamis.check;
         public class Oracle {
             public Oracle(String test, String expected) {}
             public void value(int value) {}
             public void value(long value) {}
             public void value(boolean value) {}
             public void value(Object value) {}
             public void threw(Throwable thrown) {}
             public void end(Object... objects) {}
         }",
    ),
];

fn plan(operators: Vec<Operator>) -> Plan {
    Plan {
        seed: 1,
        bounds: Bounds::default(),
        frameworks: Framework::ALL.to_vec(),
        constraints: Constraint::ALL.to_vec(),
        operators,
    }
}

fn package(number: usize) -> String {
    format!("p{number:05}")
}

fn write(root: &Path, files: &[SourceFile]) -> Result<()> {
    for file in files {
        let path = root.join(&file.path);
        fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
        fs::write(path, &file.text)?;
    }
    Ok(())
}

/// The numbers of the programs that do not compile, and what `javac` says.
fn failures(
    jdk: &Jdk,
    programs: &[EvolvingProgram],
    side: Side,
) -> Result<(BTreeSet<usize>, String)> {
    let place = tempfile::tempdir()?;
    let root = place.path();
    let stubs = STUBS.iter().map(|(path, text)| SourceFile {
        path: (*path).to_owned(),
        text: (*text).to_owned(),
    });
    let mut files: Vec<_> = stubs.collect();
    for (number, program) in programs.iter().enumerate() {
        files.extend(program.code(side, &package(number)));
        files.extend(program.tests(side, &package(number), None));
    }
    write(root, &files)?;
    let paths: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
    fs::write(root.join("files"), paths.join("\n"))?;
    // Older compilers do not make it.
    fs::create_dir(root.join("out"))?;
    let output = Command::new(jdk.home.join("bin/javac"))
        .args(["-nowarn", "-proc:none", "-Xmaxerrs", "100000", "-d", "out"])
        .args([
            "-XDshould-stop.ifError=FLOW",
            "-XDshouldStopPolicyIfError=FLOW",
        ])
        .arg("@files")
        .current_dir(root)
        .env_remove("JAVA_TOOL_OPTIONS")
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let errors = said.lines().filter(|line| line.contains(": error:"));
    let numbers = errors.filter_map(|line| line.get(1..6)?.parse().ok());
    let failed: BTreeSet<usize> = numbers.collect();
    ensure!(output.status.success() || !failed.is_empty(), "{said}");
    Ok((failed, said))
}

/// How many programs are looked at; the same seed gives the same ones.
const N_PROGRAMS: usize = 150;

/// Programs that our own check takes for sound and `javac` does not, in hundredths, at most. Of the
/// first 2,040 it is one program.
const MOST_FAILURES: usize = 3;

/// Compiles the first programs of a plan on both sides; all programs of a side in one call.
fn check(jdk: &Jdk) -> Result<()> {
    let operators = Operator::ALL.iter().copied();
    let operators: Vec<_> = operators
        .filter(|op| op.min_java() <= jdk.feature)
        .collect();
    let plan = plan(operators.clone());
    let programs: Vec<_> = plan.programs().take(N_PROGRAMS).collect();
    let mut failed = BTreeSet::new();
    let mut all_said = String::new();
    for side in [Side::Before, Side::After] {
        let (numbers, said) = failures(jdk, &programs, side)?;
        failed.extend(numbers);
        all_said += &said;
    }
    let n_failed = failed.len();
    ensure!(
        n_failed * 100 <= MOST_FAILURES * N_PROGRAMS,
        "{n_failed} of {N_PROGRAMS} programs do not compile:\n{all_said}"
    );
    for operator in operators {
        let mut compiled = programs.iter().enumerate();
        let is_shown = compiled.any(|(n, p)| p.operator == operator && !failed.contains(&n));
        ensure!(is_shown, "{operator} has no program that compiles");
    }
    Ok(())
}

#[test]
fn with_the_newest_jdk() -> Result<()> {
    check(&tamis_testkit::jdks::newest_jdk()?)
}

#[test]
fn with_the_oldest_jdk() -> Result<()> {
    let oldest = tamis_testkit::jdks::jdks()?.swap_remove(0);
    check(&oldest)
}
