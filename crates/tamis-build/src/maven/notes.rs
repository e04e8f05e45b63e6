//! What the extension tells of a build: lines in a file, one for each goal that is not as it should be.

use std::fmt::{self, Display, Formatter};

/// Tests that are not watched, or not as they should be, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MavenNote {
    /// The module, as `group:artifact`; empty if it is about the whole build.
    pub module: String,
    /// The execution of the plug-in.
    pub execution: String,
    /// Why.
    pub kind: MavenNoteKind,
    /// What it is about: a setting, a path, an error.
    pub text: String,
}

/// Why tests are not watched; `Unanswered` ones are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MavenNoteKind {
    /// Maven did not load the extension.
    NotLoaded,
    /// The build skips them: none runs.
    Skipped,
    /// They run in Maven's own JVM.
    InsideMaven,
    /// They run on a JDK that was not seen to load the agent.
    UnprovenJvm,
    /// Surefire would not find its history of earlier runs.
    KeepsHistory,
    /// The plug-in has no `argLine` to set.
    UnknownPlugin,
    /// The path of the agent cannot stand in an `argLine`.
    UnusablePath,
    /// Tamis was to be asked or told about them, and did not answer.
    Unanswered,
    /// Anything else that went wrong.
    Failed,
}

/// What the extension writes when Maven starts a build.
const LOADED: &str = "loaded";

/// The names in the file.
const KINDS: &[(&str, MavenNoteKind)] = &[
    ("skipped", MavenNoteKind::Skipped),
    ("inside-maven", MavenNoteKind::InsideMaven),
    ("unproven-jvm", MavenNoteKind::UnprovenJvm),
    ("keeps-history", MavenNoteKind::KeepsHistory),
    ("unknown-plugin", MavenNoteKind::UnknownPlugin),
    ("unusable-path", MavenNoteKind::UnusablePath),
    ("unanswered", MavenNoteKind::Unanswered),
    ("failed", MavenNoteKind::Failed),
];

impl MavenNote {
    /// Reads the file; sorted by module and execution, without repetitions.
    pub(super) fn parse_all(file: &str) -> Vec<Self> {
        let mut notes: Vec<Self> = file.lines().filter_map(Self::parse).collect();
        let is_loaded = file
            .lines()
            .any(|line| line.split('\t').next() == Some(LOADED));
        if !is_loaded {
            notes.push(Self {
                kind: MavenNoteKind::NotLoaded,
                module: String::new(),
                execution: String::new(),
                text: String::new(),
            });
        }
        notes.sort();
        notes.dedup();
        notes
    }

    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split('\t');
        let name = fields.next().filter(|name| *name != LOADED)?;
        let [module, execution, text] = [(); 3].map(|()| unescape(fields.next().unwrap_or("")));
        let known = KINDS.iter().find(|(known, _)| *known == name);
        Some(match known {
            Some((_, kind)) => Self {
                kind: *kind,
                module,
                execution,
                text,
            },
            None => Self {
                kind: MavenNoteKind::Failed,
                module: String::new(),
                execution: String::new(),
                text: format!("its note is not understood: {line}"),
            },
        })
    }
}

fn unescape(field: &str) -> String {
    let mut text = String::new();
    let mut characters = field.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some('t') => text.push('\t'),
            Some('n') => text.push('\n'),
            other => text.extend(other),
        }
    }
    text
}

/// One sentence, for a person.
impl Display for MavenNote {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            module,
            execution,
            text,
        } = self;
        if *kind == MavenNoteKind::NotLoaded {
            return write!(
                f,
                "Maven did not load the extension that watches tests (it needs Maven 3.2.5 or later, \
                 and a build): nothing was recorded"
            );
        }
        if module.is_empty() {
            return write!(
                f,
                "the extension of Maven that watches tests failed: {text}"
            );
        }
        write!(f, "tests of {module} ({execution}) ")?;
        match kind {
            MavenNoteKind::Skipped => return write!(f, "are skipped by the build: none runs"),
            MavenNoteKind::Unanswered => {
                return write!(
                    f,
                    "ran without a word from Tamis, which did not answer Maven ({text})"
                );
            }
            MavenNoteKind::InsideMaven => write!(f, "run inside Maven itself ({text})"),
            MavenNoteKind::UnprovenJvm => {
                write!(f, "run on `{text}`, which was not seen to load the agent")
            }
            MavenNoteKind::KeepsHistory => write!(
                f,
                "are ordered by their history ({text}), which Surefire would not find with the agent"
            ),
            MavenNoteKind::UnknownPlugin => write!(f, "are run by {text}, which takes no agent"),
            MavenNoteKind::UnusablePath => {
                write!(f, "cannot be told where the agent is (`{text}`)")
            }
            MavenNoteKind::NotLoaded | MavenNoteKind::Failed => {
                write!(f, "cannot be watched ({text})")
            }
        }?;
        write!(f, ": everything runs, nothing is recorded")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, expected: &[&str]) {
        let notes = MavenNote::parse_all(file);
        let texts: Vec<String> = notes.iter().map(ToString::to_string).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn notes_are_sentences() {
        check("loaded\t\t\t\n", &[]);
        check(
            "loaded\t\t\t\ninside-maven\tg:b\tdefault-test\tforkCount=0\n\
             skipped\tg:a\tdefault-test\t\ninside-maven\tg:b\tdefault-test\tforkCount=0\n",
            &[
                "tests of g:a (default-test) are skipped by the build: none runs",
                "tests of g:b (default-test) run inside Maven itself (forkCount=0): everything runs, \
                 nothing is recorded",
            ],
        );
        for (name, _) in KINDS {
            let note = MavenNote::parse(&format!("{name}\tg:a\tx\tdetail"));
            let text = note.unwrap().to_string();
            assert!(text.starts_with("tests of g:a (x) "), "{text}");
            assert!(*name == "skipped" || text.contains("detail"), "{text}");
        }
    }

    #[test]
    fn a_missing_line_tells_that_the_extension_was_not_loaded() {
        check(
            "",
            &[
                "Maven did not load the extension that watches tests (it needs Maven 3.2.5 or later, \
               and a build): nothing was recorded",
            ],
        );
    }

    #[test]
    fn fields_are_unescaped() {
        let note = MavenNote::parse("failed\tg:a\tx\ta\\tb\\nc\\\\td\\").unwrap();
        assert_eq!(note.text, "a\tb\nc\\td");
    }

    #[test]
    fn what_is_not_understood_is_told() {
        check(
            "loaded\nnew\tg:a",
            &["the extension of Maven that watches tests failed: \
               its note is not understood: new\tg:a"],
        );
    }
}
