//! The contest: each revision of a library is tested in full, and by each mesh from what was recorded of the library as it
//! was.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value};
use tamis_build::Jdk;
use tamis_drill::{Ran, Revision, Revisions};
use tamis_facts::Mesh;
use tamis_testkit::suite_library::Library;
use tempfile::TempDir;

use crate::agent::measured::{Program, Usage, Watcher};
use crate::run::copy_tree;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Contestant {
    /// All tests, without Tamis.
    Plain,
    /// The same, to know how much two equal runs differ.
    PlainAgain,
    Tamis(Mesh),
}

/// In the order of the first revision. The two plain ones stand apart.
pub(super) const CONTESTANTS: [Contestant; 6] = [
    Contestant::Plain,
    Contestant::Tamis(Mesh::File),
    Contestant::Tamis(Mesh::Method),
    Contestant::PlainAgain,
    Contestant::Tamis(Mesh::Dispatch),
    Contestant::Tamis(Mesh::Block),
];

pub(super) struct Contest {
    revisions: Revisions,
    n_revisions: usize,
    jdk: Jdk,
    tamis: PathBuf,
    place: TempDir,
    /// What the whole suite comes to.
    all: Ran,
}

/// What one contestant did with a revision.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) contestant: Contestant,
    pub(super) revision: String,
    pub(super) usage: Usage,
    pub(super) ran: Ran,
}

impl Contest {
    /// Sets the library up, and records its suite by each mesh.
    pub(super) fn prepare(
        library: &Library,
        jdk: &Jdk,
        tamis: &Path,
        n_revisions: usize,
        seed: u64,
    ) -> Result<Self> {
        let place = tempfile::tempdir()?;
        // What a JVM calls its directory has no links in it.
        let dir = place.path().canonicalize()?;
        let mut contest = Self {
            revisions: Revisions::new(library, jdk, &dir, n_revisions, seed)?,
            n_revisions: 0,
            jdk: jdk.clone(),
            tamis: tamis.to_path_buf(),
            place,
            all: Ran::default(),
        };
        for contestant in CONTESTANTS {
            let (_, ran) = contest.measure(contestant)?;
            ensure!(
                ran.n_tests > 0 && (contest.all == ran || contestant == Contestant::Plain),
                "{contestant} runs {} tests of {} at first",
                ran.n_tests,
                contest.all.n_tests
            );
            contest.all = ran;
            if let Some(store) = contest.store(contestant) {
                renew(&kept(&store), &store)?;
            }
        }
        Ok(contest)
    }

    pub(super) fn all(&self) -> Ran {
        self.all
    }

    /// Everybody tests the next revision; each one begins with another contestant.
    pub(super) fn next_revision(&mut self) -> Result<Option<Vec<Run>>> {
        let Some(revision) = self.revisions.next_revision()? else {
            return Ok(None);
        };
        self.n_revisions += 1;
        let runs = self.revisions.during(&revision, || self.runs(&revision));
        runs.with_context(|| format!("cannot test {}", revision.name))
            .map(Some)
    }

    fn runs(&self, revision: &Revision) -> Result<Vec<Run>> {
        let n_contestants = CONTESTANTS.len();
        let runs = (0..n_contestants).map(|position| {
            let contestant = CONTESTANTS[(self.n_revisions + position) % n_contestants];
            if let Some(store) = self.store(contestant) {
                renew(&store, &kept(&store))?;
            }
            let (usage, ran) = self.measure(contestant)?;
            Ok(Run {
                contestant,
                revision: revision.name.clone(),
                usage,
                ran,
            })
        });
        runs.collect()
    }

    fn measure(&self, contestant: Contestant) -> Result<(Usage, Ran)> {
        self.revisions.forget_run()?;
        let program = self.program(contestant)?;
        let usage = program
            .measure(Watcher::Plain)
            .with_context(|| contestant.to_string())?;
        Ok((usage, self.revisions.ran()?))
    }

    /// What runs the suite, or the part of it that is selected.
    fn program(&self, contestant: Contestant) -> Result<Program> {
        let plain = Program::of(self.revisions.command(), &self.jdk)?;
        let (Contestant::Tamis(mesh), Some(store)) = (contestant, self.store(contestant)) else {
            return Ok(plain);
        };
        let options = ["run", "--quiet", "--mesh", &mesh.to_string(), "--store"];
        let mut arguments: Vec<OsString> = options.map(OsString::from).into();
        arguments.extend([store.into(), "--".into(), plain.executable.into()]);
        arguments.extend(plain.arguments);
        Ok(Program {
            executable: self.tamis.clone(),
            arguments,
            ..plain
        })
    }

    /// Where records are, if the contestant makes any.
    fn store(&self, contestant: Contestant) -> Option<PathBuf> {
        match contestant {
            Contestant::Tamis(mesh) => Some(self.place.path().join(format!("store-{mesh}"))),
            _ => None,
        }
    }
}

/// Where the records of the library as it was are kept.
fn kept(store: &Path) -> PathBuf {
    store.with_extension("kept")
}

/// Puts a copy of a directory in the place of another.
fn renew(directory: &Path, from: &Path) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)?;
    }
    copy_tree(from, directory)
}

impl Run {
    /// By the names of `docs/reference/bench.md`.
    pub(super) fn as_json(&self, subject: &str) -> Map<String, Value> {
        let members = [
            ("subject", Value::from(subject)),
            ("revision", self.revision.as_str().into()),
            ("contestant", self.contestant.to_string().into()),
            ("cpu_seconds", self.usage.cpu.as_secs_f64().into()),
            ("wall_seconds", self.usage.wall.as_secs_f64().into()),
            ("classes", self.ran.n_classes.into()),
            ("tests", self.ran.n_tests.into()),
        ];
        let members = members.into_iter();
        members
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain => f.write_str("plain"),
            Self::PlainAgain => f.write_str("plain again"),
            Self::Tamis(mesh) => write!(f, "mesh {mesh}"),
        }
    }
}
