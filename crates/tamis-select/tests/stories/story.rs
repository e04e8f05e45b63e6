//! Reading a story.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use tamis_classfile::checksum::DebugInfo;

use crate::finding::{Finding, parse_expectation};

pub(crate) struct Story {
    /// Its file's name.
    pub(crate) name: String,
    /// Which JDKs compile those revisions that do not say it themselves.
    pub(crate) javac: Javac,
    pub(crate) debug_info: DebugInfo,
    pub(crate) revisions: Vec<Revision>,
}

#[derive(Clone, Default)]
pub(crate) struct Revision {
    pub(crate) javac: Option<Javac>,
    /// All files of the program, by name.
    pub(crate) files: BTreeMap<String, String>,
    /// By class: what changed since the revision before.
    pub(crate) expected: BTreeMap<String, Vec<Finding>>,
    /// The look-ups that find something else.
    pub(crate) look_ups: BTreeSet<String>,
}

#[derive(Clone)]
pub(crate) struct Javac {
    feature: u32,
    is_minimum: bool,
    pub(crate) options: Vec<String>,
}

impl Story {
    /// All stories, by name.
    pub(crate) fn load_all() -> Result<Vec<Self>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stories");
        let mut stories = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path
                .extension()
                .is_none_or(|extension| extension != "story")
            {
                continue;
            }
            let name = path.file_stem().context("a story has a name")?;
            let name = name.to_string_lossy().into_owned();
            let text = fs::read_to_string(&path)?;
            stories.push(Self::parse(&name, &text).context(name)?);
        }
        stories.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(stories)
    }

    fn parse(name: &str, text: &str) -> Result<Self> {
        ensure!(
            text.starts_with("// ") && text.lines().next().is_some_and(|line| line.ends_with('.')),
            "a story begins with its point in a sentence"
        );
        let mut story = Self {
            name: name.to_owned(),
            javac: Javac::parse("8+ -g")?,
            debug_info: DebugInfo::Ignored,
            revisions: Vec::new(),
        };
        let mut file = None;
        for line in text.lines() {
            if let Some(words) = line.strip_prefix("//- ") {
                file = story.read_directive(words.trim())?;
            } else if let Some(expectation) = line.strip_prefix("//= ") {
                let (class, findings) = parse_expectation(expectation)
                    .with_context(|| format!("cannot read `{line}`"))?;
                let expected = &mut story.last_revision()?.expected;
                let previous = expected.insert(class, findings);
                ensure!(previous.is_none(), "a class is named twice: `{line}`");
            } else if let Some(look_up) = line.strip_prefix("//> ") {
                let look_ups = &mut story.last_revision()?.look_ups;
                ensure!(look_ups.insert(look_up.to_owned()), "said twice: `{line}`");
            } else if ["//-", "//=", "//>"].iter().any(|it| line.starts_with(it)) {
                bail!("a space is missing: `{line}`");
            } else if let Some(name) = &file {
                let files = &mut story.last_revision()?.files;
                let content = files.get_mut(name).context("the file was begun")?;
                content.push_str(line);
                content.push('\n');
            }
        }
        ensure!(story.revisions.len() > 1, "nothing happens");
        Ok(story)
    }

    /// Follows a `//- ` line; returns the file that begins there, if one does.
    fn read_directive(&mut self, words: &str) -> Result<Option<String>> {
        if let Some(javac) = words.strip_prefix("javac ") {
            let javac = Javac::parse(javac)?;
            match self.revisions.last_mut() {
                Some(revision) => revision.javac = Some(javac),
                None => self.javac = javac,
            }
        } else if words == "debug-info counts" {
            self.debug_info = DebugInfo::Counted;
        } else if let Some(number) = words.strip_prefix("rev ") {
            let mut revision = self.revisions.last().cloned().unwrap_or_default();
            revision.expected.clear();
            revision.look_ups.clear();
            revision.javac = None;
            self.revisions.push(revision);
            ensure!(
                number == self.revisions.len().to_string(),
                "not the next revision: {number}"
            );
        } else if let Some(file) = words.strip_prefix("delete ") {
            let files = &mut self.last_revision()?.files;
            files
                .remove(file)
                .with_context(|| format!("no file {file}"))?;
        } else {
            let is_source = Path::new(words).extension().is_some_and(|it| it == "java");
            ensure!(is_source, "not understood: `//- {words}`");
            let files = &mut self.last_revision()?.files;
            files.insert(words.to_owned(), String::new());
            return Ok(Some(words.to_owned()));
        }
        Ok(None)
    }

    /// Whether the story is one about look-ups.
    pub(crate) fn tells_look_ups(&self) -> bool {
        let mut revisions = self.revisions.iter();
        revisions.any(|revision| !revision.look_ups.is_empty())
    }

    fn last_revision(&mut self) -> Result<&mut Revision> {
        self.revisions
            .last_mut()
            .context("this stands before the first revision")
    }
}

impl Javac {
    /// `17 -g`, `17+ --release 8`.
    fn parse(text: &str) -> Result<Self> {
        let mut words = text.split_whitespace().map(str::to_owned);
        let feature = words.next().context("javac needs a version")?;
        Ok(Self {
            feature: feature.trim_end_matches('+').parse()?,
            is_minimum: feature.ends_with('+'),
            options: words.collect(),
        })
    }

    /// Whether a JDK will do.
    pub(crate) fn takes(&self, feature: u32) -> bool {
        feature == self.feature || self.is_minimum && feature > self.feature
    }

    /// Of the JDKs found, the oldest and the newest that will do.
    pub(crate) fn features(&self, found: &[u32]) -> BTreeSet<u32> {
        let all: BTreeSet<u32> = found
            .iter()
            .copied()
            .filter(|feature| self.takes(*feature))
            .collect();
        all.first().into_iter().chain(all.last()).copied().collect()
    }
}
