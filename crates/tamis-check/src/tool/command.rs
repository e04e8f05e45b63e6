//! Any command that speaks the protocol of `docs/reference/check.md`: it is told by variables what to run, and leaves
//! JUnit's reports.

use std::ffi::{OsStr, OsString};
use std::process::Command;

use super::{Order, RunError, Tool, ToolRun};
use crate::evolving::Side;
use crate::history::Variant;
use crate::steps::Step;

pub(crate) struct CommandTool {
    name: String,
    command: String,
}

impl CommandTool {
    pub(crate) fn new(name: String, command: String) -> Self {
        Self { name, command }
    }
}

impl Tool for CommandTool {
    fn name(&self) -> &str {
        &self.name
    }

    fn variants(&self) -> Vec<Variant> {
        vec![Variant {
            name: self.name.clone(),
            tool: self.name.clone(),
            fineness: 0,
            keeps_data: true,
        }]
    }

    /// It cannot be told to run everything.
    fn takes(&self, step: Step) -> bool {
        !step.needs_force()
    }

    fn run(&self, order: &Order<'_>) -> Result<Vec<(String, ToolRun)>, RunError> {
        let project = order.project;
        let mut command = Command::new("sh");
        command
            .args(["-c", &self.command])
            .env("TAMIS_CHECK_STEP", order.step.name())
            .env("TAMIS_CHECK_REVISION", revision_name(order.step.revision()))
            .env("TAMIS_CHECK_CLASS_PATH", project.class_path(order.java))
            .env("TAMIS_CHECK_RUN", shell_words(&order.plain_command()))
            .env("TAMIS_CHECK_REPORTS", project.reports())
            .env("TAMIS_CHECK_DATA", project.data());
        Ok(vec![(self.name.clone(), order.run(&mut command)?)])
    }
}

fn revision_name(side: Side) -> &'static str {
    match side {
        Side::Before => "before",
        Side::After => "after",
    }
}

/// A command as one text that a shell takes apart again.
pub(crate) fn shell_words(words: &[OsString]) -> OsString {
    let mut text = OsString::new();
    for word in words {
        if !text.is_empty() {
            text.push(" ");
        }
        text.push(quoted(word));
    }
    text
}

fn quoted(word: &OsStr) -> OsString {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/.:=@+-_,".contains(&byte);
    let bytes = word.as_encoded_bytes();
    if bytes.iter().all(|byte| plain(*byte)) {
        return word.to_owned();
    }
    let text = word.to_string_lossy().replace('\'', r"'\''");
    format!("'{text}'").into()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::history::Outcome;
    use crate::java_side::tests::imagined;
    use crate::process::Stop;
    use crate::project::{Choice, Project};
    use crate::tool::{FailureKind, ToolFailure};

    /// What a command does in a project without a class.
    fn run(command: &str, limit: Duration) -> Result<ToolRun, ToolFailure> {
        let dir = tempfile::tempdir().unwrap();
        let project = Project::create(dir.path()).unwrap();
        let choice = Choice::Classes(Vec::new());
        project.prepare(&choice, false).unwrap();
        let order = Order {
            step: Step::Evolved,
            project: &project,
            java: &imagined(),
            limit,
            stop: &Stop::default(),
        };
        let tool = CommandTool::new("mine".to_owned(), command.to_owned());
        match tool.run(&order) {
            Ok(mut runs) => Ok(runs.remove(0).1),
            Err(RunError::Failed(failure)) => Err(failure),
            Err(RunError::Stopped) => panic!("nobody stops it"),
        }
    }

    const LONG: Duration = Duration::from_mins(5);

    const REPORT: &str = r#"cat > "$TAMIS_CHECK_REPORTS/a.xml" <<END
<testsuite><testcase name="a()" classname="p1.T1"/><testcase name="b()" classname="p1.T1"><skipped/></testcase></testsuite>
END
"#;

    #[test]
    fn it_is_told_what_to_run_and_its_reports_are_read() {
        let told = "test \"$TAMIS_CHECK_STEP $TAMIS_CHECK_REVISION\" = 'evolved after' || exit 9
             echo \"$TAMIS_CHECK_RUN\" | grep -q '^/jdk/bin/java .*ConsoleLauncher' || exit 8
             test -d target/classes && test -d \"$TAMIS_CHECK_DATA\" || exit 7
             echo \"$TAMIS_CHECK_CLASS_PATH\" | grep -q ':junit.jar$' || exit 6\n";
        let run = run(&format!("{told}{REPORT}exit 1"), LONG).unwrap();
        let outcomes: Vec<_> = run.outcomes.into_iter().collect();
        let expected = [("p1.T1.a", Outcome::Passed), ("p1.T1.b", Outcome::Skipped)];
        assert_eq!(
            outcomes,
            expected.map(|(test, outcome)| (test.to_owned(), outcome))
        );
    }

    #[test]
    fn one_that_starts_no_jvm_ran_nothing() {
        assert!(run("true", LONG).unwrap().outcomes.is_empty());
    }

    #[test]
    fn one_that_crashes_hangs_or_lies_has_failed() {
        let kind = |command: &str, limit| run(command, limit).unwrap_err().kind;
        assert_eq!(kind("echo oh no; exit 9", LONG), FailureKind::Crashed);
        assert_eq!(kind("kill -SEGV $$", LONG), FailureKind::Crashed);
        assert_eq!(
            kind("sleep 600", Duration::from_millis(50)),
            FailureKind::Hangs
        );
        let broken = "echo '<testsuite><testcase' > \"$TAMIS_CHECK_REPORTS/a.xml\"";
        assert_eq!(kind(broken, LONG), FailureKind::BrokenReport);
        let failure = run("echo oh no; exit 9", LONG).unwrap_err();
        assert_eq!(failure.text, "it ended with exit code 9: oh no");
    }

    #[test]
    fn a_shell_gets_back_the_words() {
        let words = ["echo", "a b", "it's", "$HOME", "x=y"].map(OsString::from);
        let output = Command::new("sh")
            .arg("-c")
            .arg(shell_words(&words))
            .output()
            .unwrap();
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            "a b it's $HOME x=y\n"
        );
    }
}
