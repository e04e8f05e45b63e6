//! What `tamis doctor` looks at, one thing after the other.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::path::Path;

use tamis_build::{Jdk, path_text};
use tamis_engine::{Knowledge, TestError, jdks_without_agent};

use crate::settings::Key;
use crate::surroundings::Surroundings;
use crate::text;
use crate::view::{
    DecidedEntityView, DecisionView, DiagnosisView, Question, SelectionReport, VerdictView,
};

/// How many causes are named.
const MAX_CAUSES: usize = 20;

/// What no record tells in any project, as the README says under *What is guaranteed*.
const NEVER_TRACKED: &[&str] = &[
    "clock",
    "randomness",
    "what the network and other programs answer (`network` and `processes` run such tests each time)",
    "race outcomes",
    "line numbers and names of variables, unless `debug-info` is set",
    "times, owners and permissions of files, but for the right to run one",
    "files that tests themselves leave in the build directory",
    "whether a temporary file is there, by a made-up name of 8 digits and more, before a test makes it",
    "what native code reads by itself",
    "the class path as a text (`java.class.path`)",
    "that an archive begins to seal its packages, or to be signed",
    "that a symbolic link to the same content takes the place of a file, for who asks for nothing but where it leads",
    "what the JDK reads once for all tests outside of class directories (archives by `jar:` URLs, tables, login and logging configurations)",
    "what a test changes inside of an object that a framework keeps, or that a test put into a second static collection",
    "static fields of classes that the code does not name which looks at them by reflection",
    "methods of libraries that link `invokedynamic`",
    "what tests leave inside of the JDK and of logging libraries (default locale, log levels, not system properties)",
    "what a test begins to leave for others only with the change, unless other methods than before set a static field",
];

/// Everything, in the order in which it is needed.
pub(super) fn all(surroundings: &Surroundings) -> Vec<DiagnosisView> {
    let mut diagnoses = vec![build(surroundings)];
    diagnoses.extend(jdks());
    diagnoses.push(settings(surroundings));
    diagnoses.extend(known(surroundings));
    diagnoses.push(DiagnosisView::fine("not tracked", NEVER_TRACKED.join("; ")));
    diagnoses
}

fn build(surroundings: &Surroundings) -> DiagnosisView {
    let Some(maven) = &surroundings.maven else {
        let hint = "`tamis run -- COMMAND` runs any command that starts test JVMs";
        return DiagnosisView::problem("build", "found no Maven project here or above", Some(hint));
    };
    let program = path_text(&maven.program);
    if !can_be_found(&maven.program) {
        let hint = "install Maven, or add its wrapper to the project";
        let text = format!("`{program}` is not on the PATH");
        return DiagnosisView::problem("build", text, Some(hint));
    }
    let root = path_text(&maven.root);
    DiagnosisView::fine("build", format!("Maven, by `{program}`, of {root}"))
}

/// A name alone is looked for on the PATH, as a shell does it.
fn can_be_found(program: &Path) -> bool {
    if program.components().count() > 1 {
        return program.is_file();
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

fn jdks() -> Vec<DiagnosisView> {
    let found = match Jdk::find() {
        Ok(found) => found,
        Err(error) => return vec![DiagnosisView::problem("JDK", error.to_string(), None)],
    };
    let unusable = found
        .unusable
        .iter()
        .map(|error| DiagnosisView::problem("JDK", error.to_string(), None));
    let versions: Vec<String> = found.jdks.iter().map(|jdk| jdk.version.clone()).collect();
    let jdks = if versions.is_empty() {
        DiagnosisView::problem("JDK", "found none", Some("JAVA_HOME names one"))
    } else {
        DiagnosisView::fine("JDK", versions.join(", "))
    };
    [jdks]
        .into_iter()
        .chain(unusable)
        .chain(agent(&found.jdks))
        .collect()
}

/// Whether JVMs load the agent. Tests on one that does not would run unwatched, all of them.
fn agent(jdks: &[Jdk]) -> Option<DiagnosisView> {
    if jdks.is_empty() {
        return None;
    }
    Some(match jdks_without_agent(jdks) {
        Ok(refused) if refused.is_empty() => DiagnosisView::fine("agent", "loads on each JDK"),
        Ok(refused) => {
            let versions: Vec<&str> = refused.iter().map(|jdk| &*jdk.version).collect();
            let text = format!("does not load on JDK {}", versions.join(", "));
            let hint = "tests on it run, unwatched; another build of Tamis may suit it";
            DiagnosisView::problem("agent", text, Some(hint))
        }
        Err(error) => {
            let hint = "TAMIS_CACHE_DIR names a directory that programs can be loaded from";
            DiagnosisView::problem("agent", error.to_string(), Some(hint))
        }
    })
}

fn settings(surroundings: &Surroundings) -> DiagnosisView {
    let settings = &surroundings.settings;
    if !settings.is_enabled {
        let origin = settings.origin(Key::Enabled);
        let text = format!("Tamis is switched off by {origin}");
        return DiagnosisView::problem("settings", text, Some("`enabled = true` switches it on"));
    }
    let files: Vec<String> = settings.files.iter().map(|file| path_text(file)).collect();
    if files.is_empty() {
        DiagnosisView::fine("settings", "built in")
    } else {
        DiagnosisView::fine("settings", files.join(", "))
    }
}

/// What is known, and what keeps tests from being skipped.
fn known(surroundings: &Surroundings) -> Vec<DiagnosisView> {
    let problem = |error: &TestError| {
        let hint = Some("`--store` names another directory");
        vec![DiagnosisView::problem("store", with_causes(error), hint)]
    };
    let mut knowledge = match Knowledge::open(&surroundings.project()) {
        Ok(knowledge) => knowledge,
        Err(TestError::NothingKnown { .. }) => {
            let text = "nothing is known yet: the next run runs everything";
            return vec![DiagnosisView::fine("store", text)];
        }
        Err(error) => return problem(&error),
    };
    let status = match knowledge.status() {
        Ok(status) => status,
        Err(error) => return problem(&error),
    };
    let n_entities = status.realms.iter().map(|realm| realm.n_entities).sum();
    let entities = text::counted(n_entities, "test class", "test classes");
    let text = format!("{entities}, in {}", path_text(&status.directory));
    let mut diagnoses = vec![DiagnosisView::fine("store", text)];
    match knowledge.explain(&surroundings.test_options()) {
        Ok(report) => {
            let notes = report.notes.iter();
            diagnoses.extend(notes.map(|note| DiagnosisView::problem("tests", note, None)));
            let settings = &surroundings.settings;
            let report = SelectionReport::new(Question::Why, &report, None, settings);
            diagnoses.extend(to_run(&report));
            diagnoses.extend(changed_files(&report));
            diagnoses.extend(coarse(&report));
            diagnoses.extend(untracked(&report));
        }
        Err(error) => diagnoses.extend(problem(&error)),
    }
    diagnoses
}

/// Tests that would run today, by the first of their causes. A run that could not be relied on is a problem:
/// the next one will be no better.
fn to_run(report: &SelectionReport) -> Vec<DiagnosisView> {
    let mut groups: BTreeMap<String, Vec<&DecidedEntityView>> = BTreeMap::new();
    for entity in &report.entities {
        let causes = text::causes(entity, &report.options);
        if let Some(cause) = causes.into_iter().next() {
            groups.entry(cause).or_default().push(entity);
        }
    }
    let n_rest = groups.len().saturating_sub(MAX_CAUSES);
    let rest = (n_rest > 0).then(|| {
        let text = format!(
            "and {}",
            text::counted(n_rest, "other cause", "other causes")
        );
        DiagnosisView::fine("tests", text)
    });
    let groups = groups.into_iter().take(MAX_CAUSES);
    let diagnoses = groups.map(|(cause, entities)| {
        let who = match entities.as_slice() {
            [entity] => entity.id.name.clone(),
            _ => text::counted(entities.len(), "test class", "test classes"),
        };
        let text = format!("{who} would run: {cause}");
        if entities.iter().any(|entity| is_unreliable(entity)) {
            DiagnosisView::problem("tests", text, None)
        } else {
            DiagnosisView::fine("tests", text)
        }
    });
    diagnoses.chain(rest).collect()
}

/// Files that keep all tests of their module from being skipped. If nobody has changed them, tests or the build have.
fn changed_files(report: &SelectionReport) -> Vec<DiagnosisView> {
    let several = report.realms.len() > 1;
    let realms = report.realms.iter();
    let texts = realms.filter_map(|realm| {
        let text = text::changed_files(realm)?;
        Some(match realm.name.module.as_str() {
            module if several => format!("{module}: {text}"),
            _ => text,
        })
    });
    let hint = "if tests or the build write them, `ignored-files` in tamis.toml can leave them out";
    let diagnoses = texts.map(|text| DiagnosisView {
        hint: Some(hint.to_owned()),
        ..DiagnosisView::fine("files", text)
    });
    diagnoses.collect()
}

/// Kinds of things of which one fact stands for all in this project: whatever of them changes concerns all such tests.
fn coarse(report: &SelectionReport) -> Vec<DiagnosisView> {
    let sentences = text::coarse(&report.realms).into_iter();
    sentences
        .map(|sentence| DiagnosisView::fine("not told apart", sentence))
        .collect()
}

/// What tests of this project were seen to do that no fact covers.
fn untracked(report: &SelectionReport) -> Vec<DiagnosisView> {
    let seen = report.untracked.iter().map(|untracked| {
        let who = text::counted(untracked.n_entities, "test class", "test classes");
        DiagnosisView::fine("not tracked", format!("{who} {}", untracked.what))
    });
    seen.collect()
}

fn is_unreliable(entity: &DecidedEntityView) -> bool {
    matches!(
        entity.decision,
        DecisionView::NotPassed {
            verdict: VerdictView::Incomplete,
            ..
        }
    )
}

fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
