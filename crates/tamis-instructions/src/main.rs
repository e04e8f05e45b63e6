//! Does one part of what Tamis computes, on the same input each time, so that the instructions it takes can be counted.
//! `cargo xtask instructions` starts it under callgrind and compares the counts with a stored baseline.
//!
//! Only what runs inside [`counted_part`] is counted: neither the making of the input nor the start of the program. Nothing in here
//! reads a clock, a random number or a file, and class files are part of the program. Hash maps of the standard library draw a seed of
//! their own; what that changes is far below what the baseline allows.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's tool talks on the terminal"
)]

mod classes;
mod messages;
mod records;

use std::env;
use std::hint::black_box;
use std::process::ExitCode;

/// The name of a part, and what makes its input and gives the work. What the work returns keeps it from being left out.
type Part = (&'static str, fn() -> Work);

type Work = Box<dyn FnMut() -> usize>;

const PARTS: &[Part] = &[
    ("parse", classes::parse),
    ("smart-checksum", classes::smart_checksum),
    ("checksums", classes::checksums),
    ("entry-probes", classes::entry_probes),
    ("block-probes", classes::block_probes),
    ("diff", classes::diff),
    ("encode-sets", records::encode),
    ("decode-sets", records::decode),
    ("facts-by-class", records::facts),
    ("decide", records::decide),
    ("encode-messages", messages::encode),
    ("parse-messages", messages::parse),
];

/// Without an argument the names of all parts are printed.
fn main() -> ExitCode {
    let Some(wanted) = env::args().nth(1) else {
        for (name, _) in PARTS {
            println!("{name}");
        }
        return ExitCode::SUCCESS;
    };
    let Some((_, make)) = PARTS.iter().find(|(name, _)| *name == wanted) else {
        eprintln!("error: there is no part `{wanted}`");
        return ExitCode::from(2);
    };
    let mut work = make();
    // Once before it counts: buffers that are used again have their sizes then.
    black_box(work());
    black_box(counted_part(&mut *work));
    ExitCode::SUCCESS
}

/// Callgrind counts from the entry of this function to its end, so it keeps its name.
#[inline(never)]
fn counted_part(work: &mut dyn FnMut() -> usize) -> usize {
    work()
}
