//! Stories: an evolving program in one text file, and which changes each revision makes to each class.
//!
//! ```text
//! // The point in one sentence, with the paragraph it follows (SPEC 2.4).
//! //- javac 17+ -g                  which JDKs and options; without this line every JDK, and `-g`
//! //- rev 1
//! //- A.java                        a file, as it is from this revision on
//! class A { int f() { return 1; } }
//! //- rev 2
//! //- delete B.java
//! //- A.java
//! class A { int f() { return 2; } }
//! //= A: CIM f()I blocks 0          what `diff` says of a class; `blocks all` when no block can be told
//! //= B: DF
//! ```
//!
//! `javac 17` is that JDK, `javac 17+` the oldest and the newest found from there on; inside a revision it
//! holds for that revision alone. Several changes of a class stand behind commas. Besides the codes of
//! SPEC 2.4 there are three words: `plain`, the bytes differ and nothing else does; `smart`, the smart checksum
//! differs too and no finer one does; `signatures`, what can be overridden or hidden changed, which makes it a
//! head change under mesh `method` (DESIGN 2).
//! `//- debug-info counts` before the first revision compares with debug information counted (SPEC 2.1).
//! A story with lines such as these says all look-ups that find something else (SPEC 2.5), in each revision:
//! ```text
//! //> AIM B: m()I A -> B for B                  calls on objects of `B`, since `B` got a method
//! //> ASM B: s()I A -> B where B is named       what code finds that names it by `B`
//! ```
//! A class that is not named must not have changed: its smart checksum is equal, and all finer ones are.

#![expect(clippy::unwrap_used, reason = "the whole file is tests")]

mod finding;
mod looked_up;
mod run;
mod story;

use std::collections::BTreeSet;
use std::env;

use tamis_testkit::jdks::jdks;

use run::{Build, Run, compile_all};
use story::Story;

/// One per kind of change and per kind of non-change, at least.
const MIN_STORIES: usize = 80;

#[test]
fn every_revision_changes_what_its_story_says() {
    let stories = Story::load_all().unwrap();
    assert!(
        stories.len() >= MIN_STORIES,
        "only {} stories",
        stories.len()
    );
    let features: Vec<u32> = jdks().unwrap().iter().map(|jdk| jdk.feature).collect();
    let runs: Vec<Run<'_>> = stories
        .iter()
        .flat_map(|story| story.runs(&features))
        .collect();
    let left_out = left_out(&stories, &runs);
    assert!(
        left_out.is_empty() || !is_continuous_integration(),
        "JDK {features:?} cannot run {left_out:?}"
    );
    assert!(!runs.is_empty(), "JDK {features:?} can run no story");
    let builds: BTreeSet<&Build> = runs.iter().flat_map(|run| &run.builds).collect();
    let compiled = compile_all(&builds);
    let failures: Vec<String> = runs
        .iter()
        .flat_map(|run| run.failures(&compiled))
        .collect();
    println!(
        "{} stories, {} runs on JDK {features:?}, left out: {left_out:?}",
        stories.len(),
        runs.len()
    );
    assert!(
        failures.is_empty(),
        "{} failures\n\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// The stories that no JDK found can run.
fn left_out<'s>(stories: &'s [Story], runs: &[Run<'_>]) -> Vec<&'s str> {
    let run: BTreeSet<&str> = runs.iter().map(|run| run.story.name.as_str()).collect();
    stories
        .iter()
        .map(|story| story.name.as_str())
        .filter(|name| !run.contains(name))
        .collect()
}

/// Where every JDK must be there.
fn is_continuous_integration() -> bool {
    env::var_os("CI").is_some_and(|value| value == "true")
}
