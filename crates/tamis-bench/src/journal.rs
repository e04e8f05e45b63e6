//! Where a bench says what it finds: on the terminal for people, and as lines in a file, if one is named.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::time::{Instant, SystemTime};

use anyhow::{Context, Result};
use serde_json::{Map, Value};
use tamis_build::Jdk;

use crate::agent::report::{Section, Shown, head, load};
use crate::lines::{Circumstances, Ending, Line, VERSION};
use crate::machine::{Machine, system};

/// What a bench is about to do.
pub(crate) struct Plan<'p> {
    pub(crate) jdk: &'p Jdk,
    /// Some sections are measured on these besides.
    pub(crate) other_jdks: &'p [Jdk],
    pub(crate) n_rounds: usize,
    pub(crate) seed: u64,
}

/// The voice of one bench.
pub(crate) struct Journal {
    bench: String,
    arguments: Vec<String>,
    file: Option<File>,
    seed: u64,
    start: Instant,
    /// Whether anything was said.
    has_begun: bool,
}

impl Journal {
    /// For the bench of a command line. Lines are appended to the file.
    pub(crate) fn new(words: &[String], output: Option<&Path>) -> Result<Self> {
        let words = without_output(words);
        let (bench, arguments) = words.split_first().context("a bench has a name")?;
        Ok(Self {
            bench: bench.clone(),
            arguments: arguments.to_vec(),
            file: output.map(open).transpose()?,
            seed: 0,
            start: Instant::now(),
            has_begun: false,
        })
    }

    /// Says where and how is measured.
    pub(crate) fn begin(&mut self, plan: &Plan<'_>) -> Result<()> {
        let &Plan {
            jdk,
            other_jdks,
            n_rounds,
            seed,
        } = plan;
        self.seed = seed;
        self.has_begun = true;
        println!("{}", head(jdk, other_jdks, n_rounds, seed));
        let machine = Machine::this(jdk);
        let began = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
        self.write(&Line::Bench(Circumstances {
            version: VERSION,
            bench: self.bench.clone(),
            arguments: self.arguments.clone(),
            began: began.as_secs(),
            cpu: machine.cpu,
            n_cores: machine.n_cores,
            system: system(),
            jdk: machine.jdk,
            other_jdks: other_jdks.iter().map(|jdk| jdk.version.clone()).collect(),
            tamis: env!("CARGO_PKG_VERSION").to_owned(),
            commit: machine.commit,
            n_rounds,
            seed,
            load: load(),
        }))
    }

    /// The same of a bench that starts no JVM; the newest JDK is told for the record.
    pub(crate) fn begin_without_jvms(&mut self, n_rounds: u32, seed: u64) -> Result<()> {
        self.begin(&Plan {
            jdk: &tamis_testkit::jdks::newest_jdk()?,
            other_jdks: &[],
            n_rounds: n_rounds as usize,
            seed,
        })
    }

    /// Says what was found out about a subject.
    pub(crate) fn add(&mut self, section: &Section) -> Result<()> {
        let load = load();
        println!("{}  load now {load}\n", Shown(section, self.seed));
        let lines = Line::of_section(section, self.seed, load);
        lines.iter().try_for_each(|line| self.write(line))
    }

    /// Keeps what was measured of one run; people are not told.
    pub(crate) fn keep_run(&mut self, run: Map<String, Value>) -> Result<()> {
        self.write(&Line::Run(run))
    }

    /// Says how the bench ended; what failed before it began has no place in the file.
    pub(crate) fn end(mut self, result: &Result<()>) -> Result<()> {
        if !self.has_begun {
            return Ok(());
        }
        let ending = Ending {
            load: load(),
            seconds: self.start.elapsed().as_secs_f64(),
            error: result.as_ref().err().map(|error| format!("{error:#}")),
        };
        self.write(&Line::End(ending))
    }

    fn write(&mut self, line: &Line) -> Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        // In one piece, so that a line is there or not.
        let text = serde_json::to_string(line)? + "\n";
        let written = file.write_all(text.as_bytes());
        written.context("cannot write what was measured")
    }
}

/// Where the lines go is no circumstance.
fn without_output(words: &[String]) -> Vec<String> {
    let mut words = words.iter();
    let mut others = Vec::new();
    while let Some(word) = words.next() {
        match word.strip_prefix("--output") {
            Some("") => drop(words.next()),
            Some(rest) if rest.starts_with('=') => {}
            _ => others.push(word.clone()),
        }
    }
    others
}

fn open(file: &Path) -> Result<File> {
    if let Some(directory) = file.parent() {
        fs::create_dir_all(directory)?;
    }
    let opened = OpenOptions::new().create(true).append(true).open(file);
    opened.with_context(|| format!("cannot write to {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_file_is_left_out() {
        let check = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(
                without_output(&words).join(" "),
                "store --rounds 7",
                "{line}"
            );
        };
        check("store --rounds 7");
        check("--output file store --rounds 7");
        check("store --output=file --rounds 7");
        check("store --rounds 7 --output file");
    }

    #[test]
    fn a_bench_that_never_began_leaves_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("new/lines.jsonl");
        let journal = Journal::new(&["store".to_owned()], Some(&file)).unwrap();
        journal.end(&Err(anyhow::anyhow!("no JDK"))).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "");
    }

    #[test]
    fn lines_are_appended() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("lines.jsonl");
        for _ in 0..2 {
            let mut journal = Journal::new(&["store".to_owned()], Some(&file)).unwrap();
            journal.keep_run(Map::new()).unwrap();
        }
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text, "{\"kind\":\"run\"}\n".repeat(2));
    }
}
