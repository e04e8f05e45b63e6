//! Running other programs, visibly: each command line is shown before its output.

use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::ops::AddAssign;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};

/// How many tests ran, by the summaries of `cargo test`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TestCount {
    pub(crate) n_passed: u64,
    pub(crate) n_failed: u64,
}

impl AddAssign for TestCount {
    fn add_assign(&mut self, other: Self) {
        self.n_passed += other.n_passed;
        self.n_failed += other.n_failed;
    }
}

impl fmt::Display for TestCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.n_passed, self.n_failed)
    }
}

/// Fails unless a command takes no arguments and got none.
pub(crate) fn no_arguments(arguments: &[String]) -> Result<()> {
    match arguments {
        [] => Ok(()),
        [first, ..] => bail!("unexpected argument `{first}`"),
    }
}

/// Runs a command to its end; its output goes to the terminal.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = announce(command);
    let status = command.status();
    let status = status.with_context(|| format!("cannot start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// The same without showing the command line, for one of many alike.
pub(crate) fn run_quietly(command: &mut Command) -> Result<()> {
    output_of(command).map(drop)
}

/// Runs a command and returns what it printed on standard output.
pub(crate) fn output_of(command: &mut Command) -> Result<String> {
    let line = shown(command);
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot start `{line}`"))?;
    if !output.status.success() {
        bail!("`{line}` failed ({})", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{line}` printed no valid UTF-8"))
}

/// Whether a command can be started and succeeds; nothing is shown.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs a `cargo test`, passing its output on, and adds up its summaries. In the end it tells which of the test
/// programs took long.
pub(crate) fn run_tests(command: &mut Command) -> Result<TestCount> {
    let line = announce(command);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{line}`"))?;
    let stdout = child.stdout.take().context("standard output was piped")?;
    let stderr = child.stderr.take().context("standard error was piped")?;
    let programs = Programs::default();
    let count = thread::scope(|scope| {
        scope.spawn(|| programs.hear_cargo(stderr));
        programs.hear_tests(stdout)
    });
    let count = count.with_context(|| format!("cannot read what `{line}` prints"))?;
    let status = child.wait()?;
    eprint!("{programs}");
    if !status.success() {
        bail!("`{line}` failed ({status}): {count}");
    }
    if count.n_passed == 0 {
        bail!("`{line}` ran no test");
    }
    Ok(count)
}

/// The test programs that `cargo test` has run, and the one that runs now. Cargo says on standard error what it starts,
/// the program itself on standard output how long it took.
#[derive(Debug, Default)]
struct Programs {
    current: Mutex<String>,
    finished: Mutex<Vec<(String, f64)>>,
}

/// Programs that took less are not listed, in seconds.
const SLOW: f64 = 30.0;

impl Programs {
    /// Passes standard error on. What cannot be read is not worth failing for: the tests speak on standard output.
    fn hear_cargo(&self, stderr: impl Read) {
        for text in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
            let text = String::from_utf8_lossy(&text);
            eprintln!("{text}");
            if let Some(name) = started(&text) {
                name.clone_into(&mut self.current.lock().unwrap_or_else(PoisonError::into_inner));
            }
        }
    }

    /// Passes standard output on and adds up the summaries in it.
    fn hear_tests(&self, stdout: impl Read) -> Result<TestCount> {
        let mut count = TestCount::default();
        for text in BufReader::new(stdout).split(b'\n') {
            let text = text?;
            let text = String::from_utf8_lossy(&text);
            println!("{text}");
            count += summary(&text).unwrap_or_default();
            if let Some(seconds) = seconds(&text) {
                let name = self.current.lock().unwrap_or_else(PoisonError::into_inner);
                let finished = self.finished.lock();
                let mut finished = finished.unwrap_or_else(PoisonError::into_inner);
                finished.push((name.clone(), seconds));
            }
        }
        Ok(count)
    }
}

/// The slow ones, the slowest first.
impl fmt::Display for Programs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finished = self.finished.lock();
        let mut slow = finished.unwrap_or_else(PoisonError::into_inner).clone();
        slow.retain(|(_, seconds)| *seconds >= SLOW);
        slow.sort_by(|a, b| b.1.total_cmp(&a.1));
        for (name, seconds) in slow {
            writeln!(f, "{:>7.1} minutes  {name}", seconds / 60.0)?;
        }
        Ok(())
    }
}

fn announce(command: &Command) -> String {
    let line = shown(command);
    eprintln!("$ {line}");
    line
}

/// The command as a person would type it.
fn shown(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    let name = program.rsplit('/').next().unwrap_or(&program).to_owned();
    command.get_args().fold(name, |line, argument| {
        format!("{line} {}", argument.to_string_lossy())
    })
}

/// The numbers of `test result: ok. 8 passed; 0 failed; …`.
fn summary(line: &str) -> Option<TestCount> {
    let (_, numbers) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let mut parts = numbers.split("; ");
    Some(TestCount {
        n_passed: parts.next()?.strip_suffix(" passed")?.parse().ok()?,
        n_failed: parts.next()?.strip_suffix(" failed")?.parse().ok()?,
    })
}

/// The program of `     Running tests/selection/main.rs (target/debug/deps/selection-0123456789abcdef)`.
fn started(line: &str) -> Option<&str> {
    let (_, path) = line
        .trim_start()
        .strip_prefix("Running ")?
        .rsplit_once('/')?;
    path.strip_suffix(')')?
        .rsplit_once('-')
        .map(|(name, _)| name)
}

/// The time of `test result: ok. 8 passed; …; finished in 12.34s`.
fn seconds(line: &str) -> Option<f64> {
    let (_, time) = line.strip_prefix("test result: ")?.rsplit_once(" in ")?;
    time.strip_suffix('s')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_of_cargo_test_are_understood() {
        let line =
            "test result: FAILED. 33 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out";
        let count = summary(line).unwrap();
        assert_eq!(count.to_string(), "33 passed, 1 failed");
        assert_eq!(summary("test result_is_kept ... ok"), None);
    }

    #[test]
    fn slow_test_programs_are_told_the_slowest_first() {
        let programs = Programs::default();
        let run = |name: &str, seconds: &str| {
            let started =
                format!("     Running tests/{name}/main.rs (target/debug/deps/{name}-4a5b)\n");
            programs.hear_cargo(started.as_bytes());
            let ended =
                format!("test result: ok. 1 passed; 0 failed; 0 ignored; finished in {seconds}s\n");
            programs.hear_tests(ended.as_bytes()).unwrap();
        };
        run("quick", "29.90");
        run("slow", "90.00");
        run("slower", "600.12");
        let expected = "   10.0 minutes  slower\n    1.5 minutes  slow\n";
        assert_eq!(programs.to_string(), expected);
    }

    #[test]
    fn a_failing_command_is_named_with_its_arguments() {
        let error = run(Command::new("/bin/sh").args(["-c", "exit 3"])).unwrap_err();
        assert_eq!(error.to_string(), "`sh -c exit 3` failed (exit status: 3)");
    }

    #[test]
    fn the_summaries_of_several_test_programs_are_added_up() {
        let print = |script: &str| run_tests(Command::new("sh").args(["-c", script]));
        let two = "echo 'test result: ok. 3 passed; 0 failed; x'; \
                   echo 'test result: ok. 4 passed; 0 failed; x'";
        assert_eq!(print(two).unwrap().to_string(), "7 passed, 0 failed");
        assert!(
            print("true").is_err(),
            "a run without any test proves nothing"
        );
        assert!(print(&format!("{two}; exit 1")).is_err());
    }
}
