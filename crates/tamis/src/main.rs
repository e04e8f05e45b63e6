//! `tamis`: regression test selection for the JVM.
//!
//! A command parses its arguments, lets the crates below do the work, builds a *view* of the result,
//! and prints that view as text or as JSON. Data go to standard output, talk to standard error, and
//! the exit code is one of the constants in `exit_code.rs`.

mod cli_error;
mod command_line;
mod exit_code;
mod options;
mod printer;
mod settings;
mod surroundings;

mod check;
mod class;
mod comparison;
mod config;
mod doctor;
mod forget;
mod reading;
mod select;
mod status;
mod test;
mod trace;
mod what;
mod why;

mod escape;
mod html;
mod similar;
mod test_name;
mod text;
mod view;

use std::panic;
use std::process::ExitCode;

use clap::Parser as _;

use crate::command_line::CommandLine;
use crate::printer::Printer;

fn main() -> ExitCode {
    panic::set_hook(Box::new(|bug| printer::report_bug(&bug.to_string())));
    let code = panic::catch_unwind(run).unwrap_or(exit_code::BUG);
    ExitCode::from(code)
}

fn run() -> u8 {
    let command_line = match CommandLine::try_parse() {
        Ok(command_line) => command_line,
        Err(error) => return printer::print_usage(&error),
    };
    let mut printer = Printer::new();
    let outcome = command_line.run(&mut printer).unwrap_or_else(Into::into);
    let outcome = match printer.finish() {
        Ok(()) => outcome,
        Err(error) => error.into(),
    };
    printer::report_errors(&outcome.errors);
    outcome.exit_code()
}
