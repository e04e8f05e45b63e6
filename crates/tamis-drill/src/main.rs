//! The program of `cargo xtask drill`.

use std::process::ExitCode;

fn main() -> ExitCode {
    tamis_drill::main()
}
