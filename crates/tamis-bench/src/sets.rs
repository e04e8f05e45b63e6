//! Several benches in turn, with one file of lines and one page for all: everything, and a small set for every day.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Parser as _;

use crate::{Arguments, measure, page};

/// Benches by their command lines, each of which gives the same alone.
pub(crate) struct Set {
    name: &'static str,
    commands: &'static [Command],
}

/// The name of a bench and its arguments.
type Command = &'static [&'static str];

/// As each bench is meant: some hours on a quiet machine.
pub(crate) const ALL: Set = Set {
    name: "all",
    commands: &[
        &["classfile"],
        &["startup"],
        &["agent"],
        &["store"],
        &["store", "--entities", "100000"],
        &["today"],
        &["today", "--classes", "100000"],
        &["scale"],
        &["run"],
        &["meshes"],
        &["peers"],
    ],
};

/// What tells of most mistakes in less than three minutes. Where a round is dear there are few, and then no goal is
/// resolved.
pub(crate) const QUICK: Set = Set {
    name: "quick",
    commands: &[
        &["classfile", "--only", "Tamis", "--rounds", "6"],
        &["startup", "--jdk", "17", "--rounds", "9"],
        &["agent", "--only", "harvest", "--rounds", "15"],
        &["agent", "--only", "boundary JUnit 4", "--rounds", "2"],
        &["store", "--rounds", "6"],
        &["today", "--rounds", "9"],
    ],
};

impl Set {
    /// Goes on if a bench fails, and fails at the end. Without a file that is named, lines go to one of the set,
    /// which is made anew.
    pub(crate) fn run(&self, rounds: Option<u32>, output: Option<&Path>) -> Result<()> {
        let own = PathBuf::from(format!("target/bench/{}.jsonl", self.name));
        if output.is_none() && own.exists() {
            fs::remove_file(&own)?;
        }
        let file = output.unwrap_or(&own);
        let mut failed = Vec::new();
        for command in self.commands {
            let words = words(command, rounds);
            eprintln!("$ cargo xtask bench {}", words.join(" "));
            if let Err(error) = run(&words, file) {
                eprintln!("error: {error:#}\n");
                failed.push(words.join(" "));
            }
        }
        page::make(&[file.to_path_buf()], Path::new(page::DEFAULT_PAGE))?;
        ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
        Ok(())
    }
}

/// A command line; `rounds` counts where it says nothing else, and the bench measures in rounds.
fn words(command: Command, rounds: Option<u32>) -> Vec<String> {
    let mut words: Vec<String> = command.iter().map(|&word| word.to_owned()).collect();
    let is_free = command[0] != WITHOUT_ROUNDS && !command.contains(&"--rounds");
    if let Some(rounds) = rounds.filter(|_| is_free) {
        words.extend(["--rounds".to_owned(), rounds.to_string()]);
    }
    words
}

/// It goes from change to change.
const WITHOUT_ROUNDS: &str = "meshes";

fn run(words: &[String], file: &Path) -> Result<()> {
    let bench = parse(words)?.bench.context("each names a bench")?;
    measure(&bench, words, Some(file))
}

fn parse(words: &[String]) -> Result<Arguments> {
    let program = "bench".to_owned();
    Ok(Arguments::try_parse_from(
        [&program].into_iter().chain(words),
    )?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_a_set_is_one_of_a_bench() {
        for command in ALL.commands.iter().chain(QUICK.commands) {
            for rounds in [None, Some(7)] {
                let words = words(command, rounds);
                let arguments = parse(&words);
                let arguments = arguments.unwrap_or_else(|error| panic!("{words:?}: {error}"));
                assert!(arguments.bench.is_some(), "{words:?}");
            }
        }
    }
}
