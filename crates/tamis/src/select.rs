//! `tamis select`: what `tamis test` would run.

use std::ffi::OsString;

use clap::Args;
use tamis_engine::{BuildCommand, RunReport};

use crate::cli_error::{CliError, Outcome};
use crate::exit_code;
use crate::options::{OutputOptions, SelectionOptions};
use crate::printer::{self, Printer};
use crate::surroundings::Surroundings;
use crate::test::test_arguments;
use crate::text;
use crate::view::{Question, SelectionReport};

/// Show which tests would run, and why
///
/// Lets Maven compile the tests, quietly, and starts no test JVM; then answers from the records of
/// earlier runs: which test classes would run, why, and how long that takes. Classes among the tests
/// that no record knows are shown as new, or not a test: only a JVM can tell. This command only looks;
/// no record is changed.
///
/// With `--no-build`, nothing is compiled, and the class files are taken as they stand.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct SelectCommand {
    /// What else to tell Maven: modules, properties, profiles
    #[arg(value_name = "BUILD ARGUMENTS", last = true)]
    arguments: Vec<OsString>,

    /// Take the class files as they stand, without compiling
    #[arg(long, conflicts_with = "arguments")]
    no_build: bool,

    #[command(flatten)]
    options: SelectionOptions,

    #[command(flatten)]
    output: OutputOptions,
}

const AFTER_HELP: &str = "\
Examples:
  tamis select                            compile, and show what would run
  tamis select --no-build --mesh file     as the class files stand, by another mesh
  tamis select --format json --output selection.json -- -pl core

Exit status:
  0    shown, whether something would run or not
  2    wrong use
  64   there is no Maven project here or above, or nothing is known yet
  66   what is known cannot be read
  68   the build cannot be started
  74   the report cannot be written
  78   a setting cannot be used
If the tests do not compile, the exit code is that of the build.";

impl SelectCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let surroundings = self.options.surroundings()?;
        let report = self.ask(&surroundings)?;
        for note in &report.notes {
            printer::warn(note);
        }
        let code = report.status.map(exit_code::of_status);
        if code.is_some_and(|code| code != exit_code::SUCCESS) {
            printer::warn("the build failed: only what it came to is shown");
        }
        let settings = &surroundings.settings;
        let report = SelectionReport::new(Question::Select, &report, code, settings);
        let text = |palette: &_| text::selection(&report, palette);
        self.output.write(&report, text, printer)?;
        Ok(Outcome {
            passed_through: code,
            ..Outcome::default()
        })
    }

    fn ask(&self, surroundings: &Surroundings) -> Result<RunReport, CliError> {
        let project = surroundings.project();
        let options = surroundings.test_options();
        if self.no_build {
            let _waiting = printer::wait("comparing with today");
            return Ok(tamis_engine::select(None, &project, &options)?);
        }
        let maven = surroundings.maven.as_ref();
        let maven = maven.ok_or_else(|| CliError::NoBuild {
            directory: surroundings.directory.clone(),
        })?;
        // The answer is wanted; Maven tells of errors alone.
        let mut arguments = vec![OsString::from("-q")];
        arguments.extend(test_arguments(&self.arguments));
        let command = BuildCommand {
            program: maven.program.as_os_str(),
            arguments: &arguments,
        };
        let _waiting = printer::wait("compiling, and comparing with today");
        Ok(tamis_engine::select(Some(&command), &project, &options)?)
    }
}
