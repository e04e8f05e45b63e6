//! What programs are run with: options that `check auto` and `check replay` share.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use tamis_build::{CachePlaces, Jdk, path_text};
use tamis_check::{
    CheckError, Equipment, Framework, Granularity, Peer, TamisChoice, ToolChoice, UserRule,
};
use tempfile::TempDir;

use crate::cli_error::CliError;

/// What to check, and with what.
#[derive(Debug, Args)]
#[command(next_help_heading = "Tools")]
pub(crate) struct EquipmentOptions {
    /// Tools that are known here, separated by commas [default: tamis, unless `--tool` names another]
    #[arg(long, value_name = "TOOLS", value_enum, value_delimiter = ',')]
    tools: Vec<KnownTool>,

    /// Another tool: a command for a shell, as docs/reference/check.md describes; may be given several
    /// times
    #[arg(long, value_name = "NAME=COMMAND", value_parser = named_command)]
    tool: Vec<ToolChoice>,

    /// The program that is checked as `tamis` [default: this one]
    #[arg(long, value_name = "PROGRAM")]
    tamis: Option<PathBuf>,

    /// Whether Tamis selects test classes or test methods [default: `turns`; of a program that is run again: `both`]
    #[arg(long, value_name = "GRANULARITY", value_enum)]
    granularity: Option<KnownGranularity>,

    /// What tests are written for [default: each program draws one; with tools of others `junit4`]
    #[arg(long, value_name = "FRAMEWORK", value_enum)]
    framework: Option<KnownFramework>,

    /// Run test classes at the same time, by JUnit's own means
    #[arg(long)]
    parallel: bool,

    /// The JDK that compiles and runs the programs [default: the newest one found; with tools of others the oldest]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,

    /// JUnit's console launcher [default: the one in Maven's repository, or fetched by Maven]
    #[arg(long, value_name = "JAR")]
    junit: Option<PathBuf>,

    /// How long a run of a tool may take, before it counts as hanging
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    limit: u64,

    /// A rule of your own: a command for a shell, which reads histories and prints violations; may be given
    /// several times
    #[arg(long, value_name = "COMMAND")]
    rule: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KnownTool {
    /// Tamis, each mesh that there is
    Tamis,
    /// No tool: every test runs. It is what the others are compared with, and is always there
    RetestAll,
    /// The Maven plug-in of Ekstazi, 5.3.0
    Ekstazi,
    /// The Maven plug-in of STARTS, 1.4
    Starts,
    /// The core of HyRTS, 1.0.1, without the plug-in, which was never published
    Hyrts,
    /// The same in its variant HyRTSf
    Hyrtsf,
    /// The Maven plug-in of OpenClover, 5.1.0.1; its time holds a compilation
    #[value(name = "openclover")]
    OpenClover,
}

/// By what Tamis selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KnownGranularity {
    /// Whole test classes
    Class,
    /// Single test methods
    Method,
    /// Every program by both
    Both,
    /// By classes in one batch of programs, by methods in the next
    Turns,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KnownFramework {
    /// JUnit Jupiter
    Jupiter,
    /// JUnit 4, by the engine Vintage
    #[value(name = "junit4")]
    JUnit4,
}

impl EquipmentOptions {
    /// What tests may be written for.
    pub(crate) fn frameworks(&self) -> Vec<Framework> {
        match self.framework {
            None if self.has_peers() => vec![Framework::JUnit4],
            None => Framework::ALL.to_vec(),
            Some(KnownFramework::Jupiter) => vec![Framework::Jupiter],
            Some(KnownFramework::JUnit4) => vec![Framework::JUnit4],
        }
    }

    /// With the granularity that counts where none is named.
    pub(crate) fn equipment(&self, granularity: KnownGranularity) -> Result<Equipment, CliError> {
        let jdk = match &self.jdk {
            Some(home) => Jdk::open(home).map_err(CheckError::Jdk)?,
            None if self.has_peers() => found_jdk(|jdks| jdks.first().cloned())?,
            None => newest_jdk()?,
        };
        let places = CachePlaces::of_this_process().0;
        let cache = places.into_iter().next().ok_or(CliError::NoCache)?;
        Ok(Equipment {
            tools: self.choices(self.granularity.unwrap_or(granularity))?,
            user_rules: self.user_rules(),
            jdk,
            junit: self.junit.clone(),
            is_parallel: self.parallel,
            cache,
            limit: Duration::from_secs(self.limit),
        })
    }

    fn user_rules(&self) -> Vec<UserRule> {
        let rules = self.rule.iter().cloned();
        rules.map(|command| UserRule { command }).collect()
    }

    fn choices(&self, granularity: KnownGranularity) -> Result<Vec<ToolChoice>, CliError> {
        let mut choices = Vec::new();
        let is_default = self.tools.is_empty() && self.tool.is_empty();
        if is_default || self.tools.contains(&KnownTool::Tamis) {
            let program = self.program()?;
            choices.extend(granularity.choices(&program).map(ToolChoice::Tamis));
        }
        choices.extend(self.peers().map(ToolChoice::Peer));
        choices.extend(self.tool.iter().cloned());
        Ok(choices)
    }

    fn peers(&self) -> impl Iterator<Item = Peer> {
        self.tools.iter().filter_map(|tool| tool.peer())
    }

    /// Whether tools of others are checked, which know no newer class files and no newer frameworks.
    pub(crate) fn has_peers(&self) -> bool {
        self.peers().next().is_some()
    }

    /// Tools run elsewhere, so a relative path is made a whole one.
    fn program(&self) -> Result<PathBuf, CliError> {
        let program = match &self.tamis {
            Some(program) => std::path::absolute(program),
            None => env::current_exe(),
        };
        program.map_err(CliError::CurrentDirectory)
    }

    /// The same options again, for a command that replays something.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |option: &str, value: String| {
            words.push(option.to_owned());
            words.push(quoted(&value));
        };
        let tools = self.tools.iter().filter_map(KnownTool::to_possible_value);
        let tools: Vec<String> = tools.map(|tool| tool.get_name().to_owned()).collect();
        if !tools.is_empty() {
            add("--tools", tools.join(","));
        }
        for choice in &self.tool {
            if let ToolChoice::Command { name, command } = choice {
                add("--tool", format!("{name}={command}"));
            }
        }
        if let Some(KnownGranularity::Class | KnownGranularity::Method) = self.granularity
            && let Some(named) = self.granularity.and_then(|one| one.to_possible_value())
        {
            add("--granularity", named.get_name().to_owned());
        }
        if let Some(framework) = self.framework.and_then(|one| one.to_possible_value()) {
            add("--framework", framework.get_name().to_owned());
        }
        let paths = [
            ("--tamis", &self.tamis),
            ("--jdk", &self.jdk),
            ("--junit", &self.junit),
        ];
        for (option, path) in paths {
            if let Some(path) = path {
                add(option, path_text(path));
            }
        }
        for command in &self.rule {
            add("--rule", command.clone());
        }
        if self.parallel {
            words.push("--parallel".to_owned());
        }
        words
    }
}

impl KnownTool {
    fn peer(self) -> Option<Peer> {
        match self {
            Self::Tamis | Self::RetestAll => None,
            Self::Ekstazi => Some(Peer::Ekstazi),
            Self::Starts => Some(Peer::Starts),
            Self::Hyrts => Some(Peer::Hyrts),
            Self::Hyrtsf => Some(Peer::Hyrtsf),
            Self::OpenClover => Some(Peer::OpenClover),
        }
    }
}

impl KnownGranularity {
    fn choices(self, program: &Path) -> impl Iterator<Item = TamisChoice> {
        let granularities: &[Granularity] = match self {
            Self::Class => &[Granularity::Class],
            Self::Method => &[Granularity::Method],
            Self::Both | Self::Turns => &[Granularity::Class, Granularity::Method],
        };
        granularities.iter().map(move |granularity| TamisChoice {
            program: program.to_path_buf(),
            granularity: *granularity,
            takes_turns: self == Self::Turns,
        })
    }
}

/// A directory that goes with the value. It lies in the cache, since Ekstazi takes nothing for a dependency that lies
/// where temporary files do.
pub(super) fn scratch(equipment: &Equipment) -> Result<TempDir, CliError> {
    let cache = &equipment.cache;
    let made = fs::create_dir_all(cache).and_then(|()| tempfile::tempdir_in(cache));
    made.map_err(CliError::Temporary)
}

pub(super) fn newest_jdk() -> Result<Jdk, CliError> {
    found_jdk(|jdks| jdks.last().cloned())
}

/// One of those that are found, the oldest of which comes first.
fn found_jdk(choose: impl Fn(&[Jdk]) -> Option<Jdk>) -> Result<Jdk, CliError> {
    let found = Jdk::find().map_err(CheckError::Jdk)?;
    Ok(choose(&found.jdks).ok_or(CheckError::NoJdk)?)
}

/// `NAME=COMMAND`; the name is part of paths and of a table.
pub(super) fn named_command(text: &str) -> Result<ToolChoice, String> {
    let (name, command) = text
        .split_once('=')
        .ok_or("write it as NAME=COMMAND".to_owned())?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err("a name has letters, digits, `-` and `_`".to_owned());
    }
    let is_tamis = name == "tamis" || name.starts_with("tamis-");
    let is_known = KnownTool::from_str(name, false).is_ok();
    if is_tamis || is_known || Path::new(name) == Path::new("recording") {
        return Err(format!("`{name}` is a name of ours"));
    }
    Ok(ToolChoice::Command {
        name: name.to_owned(),
        command: command.to_owned(),
    })
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/.:=@+-_,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_with_its_name() {
        let choice = named_command("mine=run 'a=b'").unwrap();
        assert_eq!(
            choice,
            ToolChoice::Command {
                name: "mine".to_owned(),
                command: "run 'a=b'".to_owned(),
            }
        );
        for text in [
            "mine",
            "=run",
            "a/b=run",
            "tamis=run",
            "tamis-methods=run",
            "retest-all=x",
        ] {
            assert!(named_command(text).is_err(), "{text}");
        }
    }

    #[test]
    fn words_for_a_shell() {
        assert_eq!(quoted("a=b"), "a=b");
        assert_eq!(quoted("it's $x"), r"'it'\''s $x'");
        assert_eq!(quoted(""), "''");
    }
}
