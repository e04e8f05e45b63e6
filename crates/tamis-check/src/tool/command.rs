//! Any command that speaks the protocol of `docs/reference/check.md`: it is told by variables what to run, and leaves
//! JUnit's reports.

use std::ffi::{OsStr, OsString};
use std::process::Command;

use super::{Order, RunError, Tool, ToolRun};
use crate::evolving::Side;
use crate::history::Variant;

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
        }]
    }

    fn can_be_forced(&self) -> bool {
        false
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
fn shell_words(words: &[OsString]) -> OsString {
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
    use super::*;

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
