//! Tools that run the tests of a Maven project, each as its users call it.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use tamis_build::Jdk;

use super::hyrts::HyrtsCore;
use super::record::HistoryStep;
use crate::tool::{Granularity, shell_words};

/// A tool, or one of several ways to ask it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contestant {
    /// Tamis, by its program, what it selects by, and a mesh.
    Tamis {
        program: PathBuf,
        granularity: Granularity,
        mesh: String,
    },
    /// A tool of others.
    Peer(Peer),
    /// A command of the user's, with its name.
    Command { name: String, command: String },
}

/// Tools of others, in the versions that are the newest on Maven Central.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Peer {
    Ekstazi,
    Starts,
    /// By its core alone: the Maven plug-in was never published.
    Hyrts,
    /// The same, where added and deleted instance methods count as changes of their class.
    Hyrtsf,
    /// It instruments sources, so its time holds a compilation.
    OpenClover,
}

const EKSTAZI: &str = "org.ekstazi:ekstazi-maven-plugin:5.3.0:ekstazi";
const STARTS: &str = "edu.illinois:starts-maven-plugin:1.4:starts";
const OPENCLOVER: &str = "org.openclover:clover-maven-plugin:5.1.0.1";

/// Ekstazi takes nothing below this for a dependency, whatever the JVM calls its temporary directory: of a project that
/// lies here it records no class, and runs its tests for ever or, where they use a library from elsewhere, never again.
const BLIND_SPOT_OF_EKSTAZI: &str = "/tmp";

/// Where and with what a tool is run.
#[derive(Debug)]
pub struct Ground<'a> {
    /// The project, without symbolic links.
    pub stage: &'a Path,
    /// A directory of the tool's own, outside of the project.
    pub data: &'a Path,
    pub maven: PathBuf,
    /// What every Maven is told.
    pub maven_options: &'a [String],
    pub jdk: &'a Jdk,
    /// What HyRTS and HyRTSf need.
    pub hyrts: Option<&'a HyrtsCore>,
    /// What a command of the user's is told.
    pub step: HistoryStep,
    pub revision: &'a str,
}

impl Contestant {
    /// `tamis-method`, `tamis-methods-block`, `ekstazi`
    pub fn name(&self) -> String {
        match self {
            Self::Tamis {
                granularity, mesh, ..
            } => format!("{}-{mesh}", granularity.tool()),
            Self::Peer(peer) => peer.name().to_owned(),
            Self::Command { name, .. } => name.clone(),
        }
    }

    /// What is run, one after the other; or why it cannot be.
    pub fn commands(&self, ground: &Ground<'_>) -> Result<Vec<Command>, String> {
        Ok(match self {
            Self::Tamis {
                program,
                granularity,
                mesh,
            } => vec![tamis(program, *granularity, mesh, ground)],
            Self::Command { command, .. } => vec![of_user(command, ground)],
            Self::Peer(Peer::Ekstazi) => vec![ekstazi(ground)?],
            Self::Peer(Peer::Starts) => vec![attaching(ground, &[STARTS])],
            Self::Peer(Peer::OpenClover) => vec![openclover(ground)],
            Self::Peer(peer @ (Peer::Hyrts | Peer::Hyrtsf)) => {
                let core = ground.hyrts.ok_or("its core cannot be had from Maven")?;
                core.commands(peer.variant(), ground)?
            }
        })
    }

    /// Whether it compiles what it runs, by itself: class files that somebody else compiled would take the place of its own.
    pub(super) fn compiles(&self) -> bool {
        matches!(self, Self::Peer(Peer::OpenClover))
    }

    /// Where it says why it ran what it ran.
    pub(super) fn explains_in(&self, data: &Path) -> Option<PathBuf> {
        matches!(self, Self::Tamis { .. }).then(|| report(data))
    }
}

impl Peer {
    pub fn name(self) -> &'static str {
        match self {
            Self::Ekstazi => "ekstazi",
            Self::Starts => "starts",
            Self::Hyrts => "hyrts",
            Self::Hyrtsf => "hyrtsf",
            Self::OpenClover => "openclover",
        }
    }

    /// What HyRTS itself calls it.
    fn variant(self) -> &'static str {
        match self {
            Self::Hyrtsf => "HyRTSf",
            _ => "HyRTS",
        }
    }
}

impl Ground<'_> {
    /// Every test, without a tool.
    pub fn retest_all(&self) -> Command {
        self.maven(&["test"])
    }

    /// Maven in the project.
    pub fn maven(&self, arguments: &[&str]) -> Command {
        self.command(self.maven.as_os_str(), &self.maven_words(arguments)[1..])
    }

    fn maven_words(&self, arguments: &[&str]) -> Vec<OsString> {
        let mut words = vec![self.maven.as_os_str().to_owned(), "-B".into()];
        words.extend(self.maven_options.iter().map(OsString::from));
        words.extend(arguments.iter().map(OsString::from));
        words
    }

    /// A command in the project. What the user has set for other projects does not count.
    pub(super) fn command(&self, program: &OsStr, arguments: &[OsString]) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(self.stage)
            .env("JAVA_HOME", &self.jdk.home)
            .env_remove("JAVA_TOOL_OPTIONS")
            .env_remove("JDK_JAVA_OPTIONS");
        for (name, _) in env::vars_os() {
            let text = name.to_string_lossy();
            let is_of_place = ["TAMIS_CACHE_DIR", "TAMIS_JDKS"].contains(&text.as_ref());
            if text.starts_with("TAMIS_") && !is_of_place {
                command.env_remove(&name);
            }
        }
        command
    }
}

fn tamis(program: &Path, granularity: Granularity, mesh: &str, ground: &Ground<'_>) -> Command {
    let mut words: Vec<OsString> = ["test", "--quiet", "--mesh", mesh, "--granularity"]
        .map(OsString::from)
        .to_vec();
    words.extend([granularity.name(), "--format", "json"].map(OsString::from));
    words.push("--output".into());
    words.push(report(ground.data).into());
    words.extend(["--".into(), "-B".into()]);
    words.extend(ground.maven_options.iter().map(OsString::from));
    let mut command = ground.command(program.as_os_str(), &words);
    command.env("XDG_CONFIG_HOME", ground.data.join("no-settings"));
    command
}

fn report(data: &Path) -> PathBuf {
    data.join("report.json")
}

fn of_user(command: &str, ground: &Ground<'_>) -> Command {
    let words = ["-c".into(), command.into()];
    let mut shell = ground.command("sh".as_ref(), &words);
    shell
        .env("TAMIS_CHECK_STEP", ground.step.name())
        .env("TAMIS_CHECK_REVISION", ground.revision)
        .env(
            "TAMIS_CHECK_RUN",
            shell_words(&ground.maven_words(&["test"])),
        )
        .env("TAMIS_CHECK_DATA", ground.data);
    shell
}

fn ekstazi(ground: &Ground<'_>) -> Result<Command, String> {
    if ground.stage.starts_with(BLIND_SPOT_OF_EKSTAZI) {
        return Err(format!(
            "it tracks nothing below {BLIND_SPOT_OF_EKSTAZI}; have the project elsewhere (`--scratch`)"
        ));
    }
    Ok(attaching(ground, &[EKSTAZI]))
}

/// What was run is known by a snapshot after the tests. Maven would end before it is taken if one of them failed, and then
/// nothing would be known of the others either: all would run again each time as long as one fails.
fn openclover(ground: &Ground<'_>) -> Command {
    let goal = |name: &str| format!("{OPENCLOVER}:{name}");
    let [setup, optimize, snapshot] = ["setup", "optimize", "snapshot"].map(goal);
    let goes_on = "-Dmaven.test.failure.ignore=true";
    ground.maven(&[goes_on, &setup, &optimize, "test", &snapshot])
}

/// Plug-ins that attach to Maven's own JVM, which from JDK 9 on must be allowed.
fn attaching(ground: &Ground<'_>, arguments: &[&str]) -> Command {
    let mut options = env::var_os("MAVEN_OPTS").unwrap_or_default();
    options.push(" -Djdk.attach.allowAttachSelf=true");
    let mut command = ground.maven(arguments);
    command.env("MAVEN_OPTS", options);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a tool is asked in a project at this place.
    fn commands_at(stage: &str, peer: Peer) -> Result<Vec<Command>, String> {
        let jdk = Jdk {
            home: "/jdk".into(),
            feature: 8,
            version: String::new(),
        };
        let ground = Ground {
            stage: stage.as_ref(),
            data: "/data".as_ref(),
            maven: "mvn".into(),
            maven_options: &[],
            jdk: &jdk,
            hyrts: None,
            step: HistoryStep::First,
            revision: "",
        };
        Contestant::Peer(peer).commands(&ground)
    }

    #[test]
    fn ekstazi_is_not_run_where_it_sees_nothing() {
        let why = commands_at("/tmp/tamis-history-1/stage", Peer::Ekstazi).unwrap_err();
        assert!(why.contains("--scratch"), "{why}");
        for elsewhere in ["/home/me/project", "/tmpfs/project", "/var/tmp/project"] {
            let commands = commands_at(elsewhere, Peer::Ekstazi).unwrap();
            let goals: Vec<_> = commands[0].get_args().collect();
            assert_eq!(goals, ["-B", EKSTAZI]);
        }
    }

    #[test]
    fn openclover_takes_its_snapshot_after_tests_that_fail_too() {
        let commands = commands_at("/home/me/project", Peer::OpenClover).unwrap();
        let words: Vec<_> = commands[0].get_args().collect();
        let goal = |name: &str| format!("{OPENCLOVER}:{name}");
        let [setup, optimize, snapshot] = ["setup", "optimize", "snapshot"].map(goal);
        let goes_on = "-Dmaven.test.failure.ignore=true";
        assert_eq!(words, ["-B", goes_on, &setup, &optimize, "test", &snapshot]);
        assert!(Contestant::Peer(Peer::OpenClover).compiles());
        assert!(!Contestant::Peer(Peer::Starts).compiles());
    }
}
