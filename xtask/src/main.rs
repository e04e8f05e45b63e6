//! What a developer of Tamis runs: `cargo xtask <command>`.
//!
//! It is the first thing a newcomer compiles, so it depends on little. Each command is one file; the
//! table below is the list of them.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's tool talks on the terminal"
)]

mod bench;
mod check;
mod command;
mod corpus;
mod demo;
mod drill;
mod instructions;
mod metadata;
mod sabotage;
mod setup;
mod suites;
mod test;
mod tidy;
mod workplace;

use std::env;
use std::process::ExitCode;

use anyhow::Result;

/// The name, what it does, and the function that gets the remaining arguments.
type Command = (&'static str, &'static str, fn(&[String]) -> Result<()>);

const COMMANDS: &[Command] = &[
    (
        "demo",
        "set up, build Tamis and show what it does on a small example",
        demo::run,
    ),
    (
        "test",
        "set up and run everything that must pass before a change lands",
        test::run,
    ),
    (
        "setup",
        "find or install what the tests need, and print the JDKs",
        setup::run,
    ),
    (
        "tidy",
        "check the house rules that no linter knows",
        tidy::run,
    ),
    (
        "corpus",
        "check the class-file code on a large corpus of classes",
        corpus::run,
    ),
    (
        "suites",
        "run the suites of real libraries with the agent and without it",
        suites::run,
    ),
    (
        "bench",
        "measure Tamis beside other tools: all, `--quick`, or one; `bench report` makes a page",
        bench::run,
    ),
    (
        "instructions",
        "count the instructions of what only computes, against a baseline; `--update` writes it",
        instructions::run,
    ),
    (
        "drill",
        "make mutants of real libraries and check that no test is missed",
        drill::run,
    ),
    (
        "check",
        "check Tamis on generated programs: `check --programs 5000 --seed 7`",
        check::run,
    ),
    (
        "sabotage",
        "break Tamis on purpose and see whether the checker notices",
        sabotage::run,
    ),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let name = arguments.first().map_or("", String::as_str);
    let Some((_, _, run)) = COMMANDS.iter().find(|command| command.0 == name) else {
        print_usage();
        return ExitCode::from(2);
    };
    match run(&arguments[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&error);
            ExitCode::FAILURE
        }
    }
}

fn print_usage() {
    eprintln!("usage: cargo xtask <command>\n");
    for (name, purpose, _) in COMMANDS {
        eprintln!("  {name:<12} {purpose}");
    }
}

/// What failed, why, and then, in whatever context they were given, the hints.
fn print_error(error: &anyhow::Error) {
    let messages = error.chain().map(ToString::to_string);
    let (hints, messages): (Vec<_>, Vec<_>) = messages.partition(|m| m.starts_with("hint: "));
    let mut label = "\nerror";
    for message in messages {
        eprintln!("{label}: {message}");
        label = "  because";
    }
    for hint in hints {
        eprintln!("\n{hint}");
    }
}
