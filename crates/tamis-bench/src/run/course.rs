//! The course: a copy of the project for each tool, each tried on every occasion before anything counts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use tamis_build::{Jdk, find_maven};
use tamis_check::{Build, Ground, HistoryStep, HyrtsCore, Peer};
use tamis_testkit::place::testkit_dir;
use tempfile::TempDir;
use walkdir::WalkDir;

use super::contestant::{Contestant, Occasion, PLAIN, Tool};
use super::invocation::{MAVEN_OPTIONS, invocation, maven, program};
use super::judgement::{Judgement, judge};
use super::measurements::Measurements;
use super::ran::{Ran, remove_reports};
use super::subject::{Change, Subject};
use crate::agent::measured::{Program, Usage, Watcher};
use crate::agent::rounds::go_round;

pub(crate) struct Course<'c> {
    subject: &'c Subject,
    jdk: &'c Jdk,
    tamis: PathBuf,
    /// In it are the copies, and data of tools.
    place: TempDir,
    hyrts: Option<HyrtsCore>,
    /// Those that can be measured.
    contestants: Vec<Contestant>,
    /// What was in each copy before its tool worked there.
    built: BTreeMap<Tool, BTreeSet<PathBuf>>,
    /// What was asked for and cannot happen to this subject.
    impossible: BTreeSet<Occasion>,
    /// Why some tools cannot be measured.
    left_out: BTreeMap<Tool, String>,
    /// What is to be said of tools that can.
    remarks: BTreeSet<(Contestant, String)>,
    /// What plain Maven runs.
    all: Ran,
    n_changes: usize,
}

/// The numbers that changes put in begin here. None is used twice, for a state that was seen before needs no run.
const FIRST_NUMBER: usize = 1_000_000;

/// How much is told of the output of a run that failed.
const N_LINES_TOLD: usize = 2;

/// Maven prints this before its first line, even where it is told to use no colours.
const RESET: &str = "\x1b[0m";

impl<'c> Course<'c> {
    /// Makes the copies and tries everybody; plain Maven comes first. What Maven has to fetch, it fetches now.
    pub(crate) fn prepare(
        subject: &'c Subject,
        jdk: &'c Jdk,
        tamis: PathBuf,
        contestants: &[Contestant],
    ) -> Result<Self> {
        let mut course = Self {
            subject,
            jdk,
            tamis,
            place: place()?,
            hyrts: None,
            contestants: Vec::new(),
            built: BTreeMap::new(),
            impossible: BTreeSet::new(),
            left_out: BTreeMap::new(),
            remarks: BTreeSet::new(),
            all: Ran::default(),
            n_changes: 0,
        };
        for &contestant in contestants {
            if !course.can_happen(contestant.occasion) {
                course.impossible.insert(contestant.occasion);
            } else if !course.left_out.contains_key(&contestant.tool) {
                course.admit(contestant)?;
            }
        }
        Ok(course)
    }

    /// Everybody once a round, and what came out.
    pub(crate) fn go_round(&mut self, n_rounds: usize) -> Result<Measurements> {
        let contestants = self.contestants.clone();
        let begun = Instant::now();
        let mut n_tests = BTreeMap::new();
        let mut n_runs = 0;
        let rounds = go_round(&contestants, n_rounds, |contestant| {
            if n_runs % contestants.len() == 0 {
                let round = n_runs / contestants.len();
                let minutes = begun.elapsed().as_secs() / 60;
                eprintln!("round {round} of {n_rounds}, after {minutes} minutes");
            }
            n_runs += 1;
            let (usage, n_run) = self.measure(contestant)?;
            n_tests.insert(contestant, n_run);
            Ok(usage)
        })?;
        let is_left_out = |it: &Contestant| self.left_out.contains_key(&it.tool);
        Ok(Measurements {
            contestants: contestants
                .into_iter()
                .filter(|it| !is_left_out(it))
                .collect(),
            rounds,
            n_tests,
            remarks: self.said(),
        })
    }

    fn can_happen(&self, occasion: Occasion) -> bool {
        let is_change = matches!(
            occasion,
            Occasion::MethodChanged | Occasion::ResourceChanged
        );
        !is_change || self.change(occasion).is_some()
    }

    /// Takes a contestant in. A rival that does not work here is left out, whatever else it was to do.
    fn admit(&mut self, contestant: Contestant) -> Result<()> {
        eprintln!("trying: {contestant}");
        match self.try_out(contestant) {
            Ok(()) => self.contestants.push(contestant),
            Err(error) if contestant.tool.is_rival() => self.leave_out(contestant, &error),
            Err(error) => return Err(error.context(contestant.to_string())),
        }
        Ok(())
    }

    fn leave_out(&mut self, contestant: Contestant, error: &anyhow::Error) {
        let why = format!("{error:#}");
        let why = why.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        let why = format!("left out: {contestant}: {why}");
        eprintln!("{why}");
        self.left_out.insert(contestant.tool, why);
        self.contestants.retain(|it| it.tool != contestant.tool);
    }

    /// Runs it as it will be measured.
    fn try_out(&mut self, contestant: Contestant) -> Result<()> {
        if !self.built.contains_key(&contestant.tool) {
            self.set_up(contestant.tool)?;
        }
        self.get_ready(contestant)?;
        run_aloud(&self.program(contestant.tool)?)?;
        if contestant == PLAIN {
            self.all = Ran::read(&self.directory(contestant.tool))?;
            ensure!(self.all.n_tests() > 0, "no test left a report");
        }
        self.check(contestant).map(|_| ())
    }

    /// A copy of the project, compiled by plain Maven.
    fn set_up(&mut self, tool: Tool) -> Result<()> {
        let directory = self.directory(tool);
        self.subject.copy_to(&directory)?;
        fs::create_dir_all(self.data(tool))?;
        if matches!(tool, Tool::Peer(Peer::Hyrts | Peer::Hyrtsf)) && self.hyrts.is_none() {
            let cache = testkit_dir()?.join("hyrts");
            let core = HyrtsCore::prepare(self.jdk, &cache).map_err(anyhow::Error::msg)?;
            self.hyrts = Some(core);
        }
        let compile = self.with_ground(tool, |ground| {
            invocation(&maven(ground, &["test-compile"])?, ground)
        })??;
        run_aloud(&compile)?;
        self.built.insert(tool, files(&directory)?);
        Ok(())
    }

    /// What a rival does in a round may fail too; then it is left out of all rounds.
    fn measure(&mut self, contestant: Contestant) -> Result<(Usage, usize)> {
        if self.left_out.contains_key(&contestant.tool) {
            return Ok((Usage::default(), 0));
        }
        match self.measure_once(contestant) {
            Err(error) if contestant.tool.is_rival() => {
                self.leave_out(contestant, &error);
                Ok((Usage::default(), 0))
            }
            result => result.with_context(|| contestant.to_string()),
        }
    }

    fn measure_once(&mut self, contestant: Contestant) -> Result<(Usage, usize)> {
        self.get_ready(contestant)?;
        let usage = self.program(contestant.tool)?.measure(Watcher::Plain)?;
        ensure!(usage.exit_code == Some(0), "the build failed");
        Ok((usage, self.check(contestant)?))
    }

    fn directory(&self, tool: Tool) -> PathBuf {
        self.place.path().join("copies").join(file_name(tool))
    }

    fn data(&self, tool: Tool) -> PathBuf {
        self.place.path().join("data").join(file_name(tool))
    }

    /// What is run in the copy.
    fn program(&self, tool: Tool) -> Result<Program> {
        self.with_ground(tool, |ground| program(tool, ground, &self.tamis))?
    }

    fn with_ground<T>(&self, tool: Tool, act: impl FnOnce(&Ground<'_>) -> T) -> Result<T> {
        let (stage, data) = (self.directory(tool), self.data(tool));
        let maven = find_maven(&stage).context("the copy is a Maven project")?;
        let maven_options = MAVEN_OPTIONS.map(str::to_owned);
        Ok(act(&Ground {
            stage: &stage,
            data: &data,
            build: Build::Maven {
                program: maven.program,
                options: &maven_options,
            },
            jdk: self.jdk,
            hyrts: self.hyrts.as_ref(),
            step: HistoryStep::Next,
            revision: "",
        }))
    }

    /// What happens to the project before a run.
    fn get_ready(&mut self, contestant: Contestant) -> Result<()> {
        let Contestant { tool, occasion } = contestant;
        let directory = self.directory(tool);
        remove_reports(&directory)?;
        if occasion == Occasion::First || !tool.selects() {
            forget(&directory, self.built.get(&tool).context("it is set up")?)?;
        }
        self.n_changes += 1;
        let number = FIRST_NUMBER + self.n_changes;
        match self.change(occasion) {
            Some(change) => change.apply(&directory, number),
            None => Ok(()),
        }
    }

    fn change(&self, occasion: Occasion) -> Option<&'c Change> {
        match occasion {
            Occasion::First | Occasion::Unchanged => None,
            Occasion::MethodChanged => self.subject.method.as_ref(),
            Occasion::ResourceChanged => self.subject.resource.as_ref(),
        }
    }

    /// How many tests ran. What a rival does wrong is told; what Tamis does so is the end.
    fn check(&mut self, contestant: Contestant) -> Result<usize> {
        let Contestant { tool, occasion } = contestant;
        let ran = Ran::read(&self.directory(tool))?;
        // What a test reads counts for those after it in the same JVM too, so a resource concerns more than its readers.
        let must_be_right =
            !tool.is_rival() && self.subject.is_understood && occasion != Occasion::ResourceChanged;
        match judge(contestant, &ran, &self.all, self.change(occasion)) {
            Judgement::Right => {}
            Judgement::Imprecise(text) if !must_be_right => {
                self.remarks.insert((contestant, text));
            }
            Judgement::Unsafe(text) if tool.is_rival() => {
                self.remarks.insert((contestant, text));
            }
            Judgement::Imprecise(text) | Judgement::Unsafe(text) | Judgement::Wrong(text) => {
                bail!("{text}")
            }
        }
        Ok(ran.n_tests())
    }

    /// What readers have to know beside numbers.
    fn said(&self) -> Vec<String> {
        let impossible = self.impossible.iter();
        let impossible = impossible.map(|occasion| {
            format!("not measured: {occasion}; the subject has none that is known")
        });
        let remarks = self.remarks.iter();
        let remarks = remarks.map(|(contestant, text)| format!("{contestant}: {text}"));
        let left_out = self.left_out.values().cloned();
        impossible.chain(remarks).chain(left_out).collect()
    }
}

/// A directory that does not stay. Not among the system's temporary files: Ekstazi takes nothing there for a dependency.
fn place() -> Result<TempDir> {
    let target = testkit_dir()?;
    let place = target.with_file_name("bench");
    fs::create_dir_all(&place)?;
    let place = place.canonicalize()?;
    Ok(tempfile::Builder::new().prefix("run-").tempdir_in(place)?)
}

/// A name that no tool stumbles over.
fn file_name(tool: Tool) -> String {
    let name = tool.to_string();
    name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-")
}

/// All files of a directory, by their paths in it.
fn files(directory: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut files = BTreeSet::new();
    for entry in WalkDir::new(directory) {
        let entry = entry?;
        if !entry.file_type().is_dir() {
            files.insert(entry.path().strip_prefix(directory)?.to_path_buf());
        }
    }
    Ok(files)
}

/// Removes all files but these: whatever a tool remembers, it came later.
fn forget(directory: &Path, kept: &BTreeSet<PathBuf>) -> Result<()> {
    for file in files(directory)?.difference(kept) {
        fs::remove_file(directory.join(file))?;
    }
    Ok(())
}

/// Runs a build to see whether it works; if not, the beginning of what it printed says why.
fn run_aloud(program: &Program) -> Result<()> {
    let output = Command::new(&program.executable)
        .args(&program.arguments)
        .current_dir(&program.directory)
        .env("JAVA_HOME", &program.java_home)
        .envs(program.environment.clone())
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", program.executable.display()))?;
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed);
    ensure!(
        output.status.success(),
        "the build failed: {}",
        gist(&printed, &program.directory)
    );
    Ok(())
}

/// What a failed build has to say: the first lines that are not all of marks, without the place where the copy lies.
fn gist(printed: &str, directory: &Path) -> String {
    let place = format!("{}/", directory.display());
    let printed = printed.replace(RESET, "").replace(&place, "");
    let lines = printed.lines();
    let lines = lines.map(|line| line.trim_start_matches("[ERROR]").trim());
    let lines = lines.filter(|line| line.chars().any(char::is_lowercase));
    let mut lines: Vec<&str> = lines.collect();
    lines.dedup();
    lines.truncate(N_LINES_TOLD);
    lines.join("; ")
}

#[cfg(test)]
mod tests {
    use super::super::subject::tests::project;
    use super::*;

    #[test]
    fn a_build_that_fails_says_why() {
        let program = Program {
            executable: "sh".into(),
            arguments: vec!["-c".into(), "printf '\\033[0mno such goal'; exit 1".into()],
            directory: std::env::temp_dir(),
            java_home: PathBuf::new(),
            environment: Vec::new(),
            n_watched_jvms: 0,
        };
        let error = run_aloud(&program).unwrap_err();
        assert_eq!(error.to_string(), "the build failed: no such goal");
    }

    #[test]
    fn a_failed_build_is_told_in_few_words() {
        let printed = "[ERROR] COMPILATION ERROR : \n[ERROR] /copies/a/src/A.java:[1,2] code too large\n\
            [ERROR] /copies/a/src/A.java:[1,2] code too large\n";
        let told = gist(printed, Path::new("/copies/a"));
        assert_eq!(told, "src/A.java:[1,2] code too large");
    }

    #[test]
    fn what_a_tool_left_is_forgotten_and_nothing_else() {
        let dir = project(&[("pom.xml", "a"), ("target/classes/A.class", "b")]);
        let built = files(dir.path()).unwrap();
        fs::create_dir_all(dir.path().join(".starts/deep")).unwrap();
        fs::write(dir.path().join(".starts/deep/checksums"), "c").unwrap();
        fs::write(dir.path().join("target/jacoco.exec"), "d").unwrap();
        forget(dir.path(), &built).unwrap();
        assert_eq!(files(dir.path()).unwrap(), built);
        assert_eq!(built.len(), 2);
    }

    #[test]
    fn copies_lie_where_every_tool_sees_them() {
        let place = place().unwrap();
        // Beside what is built, and so not among the system's temporary files, unless the whole checkout is.
        let target = testkit_dir().unwrap().with_file_name("bench");
        let target = target.canonicalize().unwrap();
        assert_eq!(place.path().parent(), Some(target.as_path()));
        let starts = Tool::Peer(Peer::Starts);
        assert_eq!(file_name(starts), "STARTS");
        assert_eq!(file_name(Tool::SkipTests), "plain---DskipTests");
    }
}
