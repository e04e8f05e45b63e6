//! How each tool is called, as its users call it. All that the same Maven does is the same for everybody.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use tamis_check::{Contestant, Ground, Peer};

use super::contestant::Tool;
use crate::agent::measured::Program;

/// What every Maven is told beside what to do.
pub(super) const MAVEN_OPTIONS: [&str; 1] = ["-q"];

/// What the JVM of every Maven is told: to spend no processor time on itself that a short run does not pay back, and to
/// let plug-ins attach to it, which from JDK 9 on Ekstazi and STARTS ask for.
pub(crate) const JVM_OPTIONS: &str =
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djdk.attach.allowAttachSelf=true";

const EXEC: &str = "org.codehaus.mojo:exec-maven-plugin:3.1.0:exec";
const JACOCO: &str = "org.jacoco:jacoco-maven-plugin:0.8.14:prepare-agent";

/// What a tool runs in a project.
pub(super) fn program(tool: Tool, ground: &Ground<'_>, tamis: &Path) -> Result<Program> {
    let command = match tool {
        Tool::Plain | Tool::PlainAgain => ground.retest_all(),
        Tool::SkipTests => maven(ground, &["test", "-DskipTests"])?,
        Tool::Jacoco => maven(ground, &[JACOCO, "test"])?,
        Tool::Tamis(mesh) => of_tamis(tamis, &mesh.to_string(), ground),
        Tool::Peer(peer) => of_peer(peer, ground)?,
    };
    invocation(&command, ground)
}

pub(super) fn maven(ground: &Ground<'_>, arguments: &[&str]) -> Result<Command> {
    ground.maven(arguments).map_err(anyhow::Error::msg)
}

fn of_peer(peer: Peer, ground: &Ground<'_>) -> Result<Command> {
    let commands = Contestant::Peer(peer).commands(ground);
    let mut commands = commands.map_err(anyhow::Error::msg)?;
    match &commands[..] {
        [analysis, tests] => in_one_maven(analysis, tests, ground),
        _ => commands.pop().context("a tool is a command"),
    }
}

/// An adapter that analyses first takes what is compiled already. Here compiling is part of the run: one Maven compiles,
/// has the analysis made, and runs the tests that this leaves, as a plug-in would.
fn in_one_maven(analysis: &Command, tests: &Command, ground: &Ground<'_>) -> Result<Command> {
    let words = |command: &Command| -> Vec<String> {
        let words = command.get_args().map(OsStr::to_string_lossy);
        words.map(Cow::into_owned).collect()
    };
    let settings = words(tests);
    let settings = settings.iter().filter(|word| word.starts_with("-D"));
    let program = format!("-Dexec.executable={}", analysis.get_program().display());
    let arguments = format!("-Dexec.args={}", words(analysis).join(" "));
    let mut all: Vec<&str> = settings.map(String::as_str).collect();
    all.extend([&program, &arguments, "test-compile", EXEC, "surefire:test"]);
    maven(ground, &all)
}

/// The same as a command of the tool's adapter, with what is the same for all.
pub(super) fn invocation(command: &Command, ground: &Ground<'_>) -> Result<Program> {
    let no_settings = ground.data.join("no-settings");
    Ok(Program {
        environment: vec![
            ("MAVEN_OPTS".to_owned(), JVM_OPTIONS.to_owned()),
            // What a developer has set for other projects does not count.
            (
                "XDG_CONFIG_HOME".to_owned(),
                no_settings.to_string_lossy().into_owned(),
            ),
        ],
        ..Program::of(command, ground.jdk)?
    })
}

fn of_tamis(tamis: &Path, mesh: &str, ground: &Ground<'_>) -> Command {
    let mut command = Command::new(tamis);
    command
        .current_dir(ground.stage)
        .args(["test", "--quiet", "--mesh", mesh, "--", "-B"])
        .args(MAVEN_OPTIONS);
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;
    use tamis_build::Jdk;
    use tamis_check::{Build, HistoryStep};
    use tamis_facts::Mesh;

    fn on_ground<T>(act: impl FnOnce(&Ground<'_>) -> T) -> T {
        let jdk = Jdk {
            home: "/jdk".into(),
            feature: 8,
            version: String::new(),
        };
        let maven_options = MAVEN_OPTIONS.map(str::to_owned);
        act(&Ground {
            stage: "/project".as_ref(),
            data: "/data".as_ref(),
            build: Build::Maven {
                program: "mvn".into(),
                options: &maven_options,
            },
            jdk: &jdk,
            hyrts: None,
            step: HistoryStep::Next,
            revision: "",
        })
    }

    fn words(tool: Tool) -> Vec<String> {
        let program = on_ground(|ground| program(tool, ground, "tamis".as_ref()).unwrap());
        assert_eq!(program.environment[0].1, JVM_OPTIONS);
        let executable = program.executable.clone().into_os_string();
        let words = [vec![executable], program.arguments.clone()].concat();
        let text = |word: OsString| word.into_string().unwrap();
        words.into_iter().map(text).collect()
    }

    #[test]
    fn everybody_gets_the_same_maven() {
        assert_eq!(words(Tool::Plain), ["mvn", "-B", "-q", "test"]);
        assert_eq!(words(Tool::Plain), words(Tool::PlainAgain));
        let skip = ["mvn", "-B", "-q", "test", "-DskipTests"];
        assert_eq!(words(Tool::SkipTests), skip);
        let tamis = words(Tool::Tamis(Mesh::Block));
        let expected = [
            "tamis", "test", "--quiet", "--mesh", "block", "--", "-B", "-q",
        ];
        assert_eq!(tamis, expected);
        let starts = words(Tool::Peer(Peer::Starts));
        assert_eq!(starts[..3], ["mvn", "-B", "-q"]);
    }
    #[test]
    fn an_analysis_comes_between_compiling_and_the_tests() {
        let mut analysis = Command::new("java");
        analysis.args(["Analysis", "excludes"]);
        let mut tests = Command::new("mvn");
        tests.args(["-B", "-q", "-DargLine=-javaagent:x", "test"]);
        let one = on_ground(|ground| in_one_maven(&analysis, &tests, ground).unwrap());
        let expected = [
            "-B",
            "-q",
            "-DargLine=-javaagent:x",
            "-Dexec.executable=java",
            "-Dexec.args=Analysis excludes",
            "test-compile",
            EXEC,
            "surefire:test",
        ];
        assert_eq!(one.get_args().collect::<Vec<_>>(), expected);
    }
}
