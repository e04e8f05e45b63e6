//! Rules of users: a command that reads histories and prints what violates them.

use std::io::{self, Write as _};
use std::process::{Command, Stdio};
use std::thread;

use serde::Deserialize;

use super::{Violation, Weight};
use crate::evolving::ProgramId;
use crate::history::History;
use crate::steps::Step;

/// A command, given to a shell. It gets a history per line on standard input, as JSON, and prints a violation per line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserRule {
    pub command: String,
}

/// A rule of the user's cannot be applied.
#[derive(Debug, thiserror::Error)]
#[error("cannot apply the rule `{command}`")]
pub struct UserRuleError {
    pub command: String,
    #[source]
    pub kind: UserRuleErrorKind,
}

/// Why not.
#[derive(Debug, thiserror::Error)]
pub enum UserRuleErrorKind {
    /// It cannot be run.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It says itself that it failed.
    #[error("it ended with {0}")]
    Failed(std::process::ExitStatus),
    /// It printed something else.
    #[error("it printed `{line}`, which is no violation")]
    NotUnderstood {
        line: String,
        #[source]
        cause: serde_json::Error,
    },
    /// It was not asked about this one.
    #[error("it names the program `{0}`, which it was not given")]
    UnknownProgram(ProgramId),
}

/// What the command prints.
#[derive(Debug, Deserialize)]
struct Printed {
    program: ProgramId,
    tool: String,
    #[serde(default)]
    rule: Option<String>,
    #[serde(default)]
    weight: Option<Weight>,
    #[serde(default)]
    step: Option<Step>,
    #[serde(default)]
    tests: Vec<String>,
    text: String,
}

impl UserRule {
    /// What violates the rule among these histories.
    pub(crate) fn check(&self, histories: &[History]) -> Result<Vec<Violation>, UserRuleError> {
        self.ask(histories).map_err(|kind| UserRuleError {
            command: self.command.clone(),
            kind,
        })
    }

    fn ask(&self, histories: &[History]) -> Result<Vec<Violation>, UserRuleErrorKind> {
        let mut lines = Vec::new();
        for history in histories {
            serde_json::to_writer(&mut lines, history).map_err(io::Error::from)?;
            lines.push(b'\n');
        }
        let output = run(&self.command, lines)?;
        let text = String::from_utf8_lossy(&output);
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        lines.map(|line| self.violation(line, histories)).collect()
    }

    fn violation(&self, line: &str, histories: &[History]) -> Result<Violation, UserRuleErrorKind> {
        let printed: Printed =
            serde_json::from_str(line).map_err(|cause| UserRuleErrorKind::NotUnderstood {
                line: line.to_owned(),
                cause,
            })?;
        let known = histories
            .iter()
            .find(|history| history.program == printed.program);
        let history =
            known.ok_or_else(|| UserRuleErrorKind::UnknownProgram(printed.program.clone()))?;
        Ok(Violation {
            rule: printed.rule.unwrap_or_else(|| self.command.clone()),
            weight: printed.weight.unwrap_or(Weight::Bug),
            tool: printed.tool,
            operator: history.operator.clone(),
            program: printed.program,
            step: printed.step,
            tests: printed.tests,
            text: printed.text,
        })
    }
}

/// What a shell's command prints when it is given this.
fn run(command: &str, input: Vec<u8>) -> Result<Vec<u8>, UserRuleErrorKind> {
    let mut child = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let stdin = child.stdin.take();
    // A command may print before it has read everything.
    let writer = thread::spawn(move || match stdin {
        Some(mut stdin) => stdin.write_all(&input),
        None => Ok(()),
    });
    let output = child.wait_with_output()?;
    match writer.join() {
        Ok(Err(cause)) if cause.kind() != io::ErrorKind::BrokenPipe => return Err(cause.into()),
        // A command that does not read to the end may know enough.
        _ => {}
    }
    if !output.status.success() {
        return Err(UserRuleErrorKind::Failed(output.status));
    }
    Ok(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::sample;

    fn check(command: &str) -> Result<Vec<Violation>, String> {
        let history = sample::history("first: a+ | x: a+");
        let rule = UserRule {
            command: command.to_owned(),
        };
        rule.check(&[history])
            .map_err(|error| error.kind.to_string())
    }

    #[test]
    fn a_violation_per_line() {
        let found = check(
            r#"grep -q '"program":"JD1-0-E7-0"' && echo '{"program":"JD1-0-E7-0","tool":"x","text":"slow"}'"#,
        );
        let found = found.unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].weight, found[0].text.as_str()),
            (Weight::Bug, "slow")
        );
        assert_eq!(found[0].operator, "E7");
    }

    #[test]
    fn a_command_that_reads_nothing_and_finds_nothing() {
        assert_eq!(check("true").unwrap(), []);
    }

    #[test]
    fn what_is_no_violation_and_what_fails_is_told() {
        assert!(check("echo hello").unwrap_err().contains("`hello`"));
        assert!(check("exit 3").unwrap_err().contains('3'));
        let other = r#"echo '{"program":"JD1-1-E7-0","tool":"x","text":"slow"}'"#;
        assert!(check(other).unwrap_err().contains("JD1-1-E7-0"));
    }
}
