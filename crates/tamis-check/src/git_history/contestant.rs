//! Tools that run the tests of a project, each as its users call it.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::ground::{Build, Ground};
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
            Self::Peer(Peer::Starts) => vec![attaching(ground, &[STARTS])?],
            Self::Peer(Peer::OpenClover) => vec![openclover(ground)?],
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

fn tamis(program: &Path, granularity: Granularity, mesh: &str, ground: &Ground<'_>) -> Command {
    let verb = match ground.build {
        Build::Maven { .. } => "test",
        Build::Command { .. } => "run",
    };
    let mut words: Vec<OsString> = [verb, "--quiet", "--mesh", mesh, "--granularity"]
        .map(OsString::from)
        .to_vec();
    words.extend([granularity.name(), "--format", "json"].map(OsString::from));
    words.push("--output".into());
    words.push(report(ground.data).into());
    words.push("--".into());
    match &ground.build {
        Build::Maven { options, .. } => {
            words.push("-B".into());
            words.extend(options.iter().map(OsString::from));
        }
        Build::Command { .. } => words.append(&mut ground.test_words()),
    }
    let mut command = ground.command(program.as_os_str(), &words);
    command.env("XDG_CONFIG_HOME", ground.data.join("no-settings"));
    command
}

fn report(data: &Path) -> PathBuf {
    data.join("report.json")
}

fn of_user(command: &str, ground: &Ground<'_>) -> Command {
    let mut shell = ground.shell(command);
    shell
        .env("TAMIS_CHECK_STEP", ground.step.name())
        .env("TAMIS_CHECK_REVISION", ground.revision)
        .env("TAMIS_CHECK_RUN", shell_words(&ground.test_words()))
        .env("TAMIS_CHECK_DATA", ground.data);
    shell
}

fn ekstazi(ground: &Ground<'_>) -> Result<Command, String> {
    if ground.stage.starts_with(BLIND_SPOT_OF_EKSTAZI) {
        return Err(format!(
            "it tracks nothing below {BLIND_SPOT_OF_EKSTAZI}; have the project elsewhere (`--scratch`)"
        ));
    }
    attaching(ground, &[EKSTAZI])
}

/// What was run is known by a snapshot after the tests. Maven would end before it is taken if one of them failed, and then
/// nothing would be known of the others either: all would run again each time as long as one fails.
fn openclover(ground: &Ground<'_>) -> Result<Command, String> {
    let goal = |name: &str| format!("{OPENCLOVER}:{name}");
    let [setup, optimize, snapshot] = ["setup", "optimize", "snapshot"].map(goal);
    let goes_on = "-Dmaven.test.failure.ignore=true";
    ground.maven(&[goes_on, &setup, &optimize, "test", &snapshot])
}

/// Plug-ins that attach to Maven's own JVM, which from JDK 9 on must be allowed.
fn attaching(ground: &Ground<'_>, arguments: &[&str]) -> Result<Command, String> {
    let mut options = env::var_os("MAVEN_OPTS").unwrap_or_default();
    options.push(" -Djdk.attach.allowAttachSelf=true");
    let mut command = ground.maven(arguments)?;
    command.env("MAVEN_OPTS", options);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use tamis_build::Jdk;

    use super::super::ground::NEEDS_MAVEN;
    use super::*;
    use crate::git_history::HistoryStep;

    const MAVEN: Build<'static> = Build::Maven {
        program: PathBuf::new(),
        options: &[],
    };

    /// What a tool is asked in a project at this place.
    fn commands_at(
        stage: &str,
        build: Build<'_>,
        contestant: &Contestant,
    ) -> Result<Vec<Command>, String> {
        let jdk = Jdk {
            home: "/jdk".into(),
            feature: 8,
            version: String::new(),
        };
        contestant.commands(&Ground {
            stage: stage.as_ref(),
            data: "/data".as_ref(),
            build,
            jdk: &jdk,
            hyrts: None,
            step: HistoryStep::First,
            revision: "",
        })
    }

    fn peer_at(stage: &str, peer: Peer) -> Result<Vec<Command>, String> {
        commands_at(stage, MAVEN, &Contestant::Peer(peer))
    }

    #[test]
    fn ekstazi_is_not_run_where_it_sees_nothing() {
        let why = peer_at("/tmp/tamis-history-1/stage", Peer::Ekstazi).unwrap_err();
        assert!(why.contains("--scratch"), "{why}");
        for elsewhere in ["/home/me/project", "/tmpfs/project", "/var/tmp/project"] {
            let commands = peer_at(elsewhere, Peer::Ekstazi).unwrap();
            let goals: Vec<_> = commands[0].get_args().collect();
            assert_eq!(goals, ["-B", EKSTAZI]);
        }
    }

    #[test]
    fn openclover_takes_its_snapshot_after_tests_that_fail_too() {
        let commands = peer_at("/home/me/project", Peer::OpenClover).unwrap();
        let words: Vec<_> = commands[0].get_args().collect();
        let goal = |name: &str| format!("{OPENCLOVER}:{name}");
        let [setup, optimize, snapshot] = ["setup", "optimize", "snapshot"].map(goal);
        let goes_on = "-Dmaven.test.failure.ignore=true";
        assert_eq!(words, ["-B", goes_on, &setup, &optimize, "test", &snapshot]);
        assert!(Contestant::Peer(Peer::OpenClover).compiles());
        assert!(!Contestant::Peer(Peer::Starts).compiles());
    }

    /// What each is asked where a command of the user's runs the tests.
    #[test]
    fn without_maven_tamis_runs_the_command_and_tools_of_others_do_not_work() {
        let build = Build::Command {
            tests: "./test.sh all",
        };
        let ask = |contestant: &Contestant| commands_at("/project", build.clone(), contestant);
        let tamis = Contestant::Tamis {
            program: "tamis".into(),
            granularity: Granularity::Class,
            mesh: "block".to_owned(),
        };
        let commands = ask(&tamis).unwrap();
        let words: Vec<_> = commands[0].get_args().collect();
        assert_eq!(words[0], "run");
        assert_eq!(
            words[words.len() - 4..],
            ["--", "sh", "-c", "./test.sh all"]
        );
        let mine = Contestant::Command {
            name: "mine".to_owned(),
            command: "./mine.sh".to_owned(),
        };
        let commands = ask(&mine).unwrap();
        let mut variables = commands[0].get_envs();
        let run = variables.find(|(name, _)| *name == "TAMIS_CHECK_RUN");
        let run = run.and_then(|(_, value)| value).unwrap();
        assert_eq!(
            run,
            shell_words(&["sh", "-c", "./test.sh all"].map(OsString::from)).as_os_str()
        );
        for peer in [Peer::Ekstazi, Peer::Starts, Peer::OpenClover] {
            assert_eq!(ask(&Contestant::Peer(peer)).unwrap_err(), NEEDS_MAVEN);
        }
    }
}
