//! How each tool is called, as its users call it. All that the same Maven does is the same for everybody.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use tamis_check::{Contestant, Ground};

use super::contestant::Tool;
use crate::agent::measured::Program;

/// What every Maven is told beside what to do.
pub(super) const MAVEN_OPTIONS: [&str; 1] = ["-q"];

/// What the JVM of every Maven is told: to spend no processor time on itself that a short run does not pay back, and to
/// let plug-ins attach to it, which from JDK 9 on Ekstazi and STARTS ask for.
pub(crate) const JVM_OPTIONS: &str =
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djdk.attach.allowAttachSelf=true";

const JACOCO: &str = "org.jacoco:jacoco-maven-plugin:0.8.14:prepare-agent";

/// What a tool runs in a project, one after the other.
pub(super) fn programs(tool: Tool, ground: &Ground<'_>, tamis: &Path) -> Result<Vec<Program>> {
    let commands = match tool {
        Tool::Plain | Tool::PlainAgain => vec![ground.retest_all()],
        Tool::SkipTests => vec![ground.maven(&["test", "-DskipTests"])],
        Tool::Jacoco => vec![ground.maven(&[JACOCO, "test"])],
        Tool::Tamis(mesh) => vec![of_tamis(tamis, &mesh.to_string(), ground)],
        Tool::Peer(peer) => Contestant::Peer(peer)
            .commands(ground)
            .map_err(anyhow::Error::msg)?,
    };
    let programs = commands.iter().map(|command| invocation(command, ground));
    programs.collect()
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
        .args(ground.maven_options);
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;
    use tamis_build::Jdk;
    use tamis_check::{HistoryStep, Peer};
    use tamis_facts::Mesh;

    /// What is run, without the plug-ins' versions.
    fn words(tool: Tool) -> Vec<String> {
        let jdk = Jdk {
            home: "/jdk".into(),
            feature: 8,
            version: String::new(),
        };
        let maven_options = MAVEN_OPTIONS.map(str::to_owned);
        let ground = Ground {
            stage: "/project".as_ref(),
            data: "/data".as_ref(),
            maven: "mvn".into(),
            maven_options: &maven_options,
            jdk: &jdk,
            hyrts: None,
            step: HistoryStep::Next,
            revision: "",
        };
        let programs = programs(tool, &ground, "tamis".as_ref()).unwrap();
        let [program] = &programs[..] else {
            panic!("{programs:?}")
        };
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
}
