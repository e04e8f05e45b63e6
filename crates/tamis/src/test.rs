//! `tamis test` and `tamis run`: the build's own tests, those that a change can affect.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use clap::Args;
use tamis_engine::{BuildCommand, Progress};
use tamis_facts::EntityId;

use crate::cli_error::{CliError, Outcome};
use crate::exit_code;
use crate::options::{CommandArguments, OutputOptions, RunOptions};
use crate::printer::{self, Printer};
use crate::settings::Key;
use crate::surroundings::Surroundings;
use crate::text;
use crate::view::{Question, SelectionReport};

/// Run the tests of a Maven project that a change can affect
///
/// Finds Maven, or its wrapper, and runs `mvn test` where you stand, with an agent in its test JVMs. A
/// test class is skipped when everything it saw the last time is still so and it passed then; anything
/// else runs, and is recorded. Nothing of the build's files is changed, and the build prints, reports
/// and returns what it does without Tamis, but for the tests that it does not run. Afterwards Tamis
/// tells what ran and why, what was skipped, and the time that this saved.
///
/// The first run knows nothing and runs everything. What cannot be watched or recorded runs each time,
/// and is named.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_TEST_HELP)]
pub(crate) struct TestCommand {
    /// What else to tell Maven: modules, properties, profiles
    #[arg(value_name = "BUILD ARGUMENTS", last = true)]
    arguments: Vec<OsString>,

    #[command(flatten)]
    running: Running,
}

/// Run any command that starts test JVMs, with the tests that a change can affect
///
/// As `tamis test`, for a command of yours: another goal of Maven's, a script, a JVM with a test
/// runner. Of Maven (`mvn`, `mvnw`) the test JVMs of Surefire and Failsafe are watched; of other
/// commands each JVM that they start, by `JAVA_TOOL_OPTIONS`, which the JVM announces in a line on
/// standard error.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_RUN_HELP)]
pub(crate) struct RunCommand {
    #[command(flatten)]
    command: CommandArguments,

    #[command(flatten)]
    running: Running,
}

/// What both have in common.
#[derive(Debug, Args)]
struct Running {
    #[command(flatten)]
    options: RunOptions,

    #[command(flatten)]
    output: OutputOptions,

    /// Print no report; what went wrong is still told
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

const AFTER_TEST_HELP: &str = "\
Examples:
  tamis test                              what a change can affect
  tamis test --all                        everything, recorded anew
  tamis test -- -pl core -Dtest='Foo*'    the rest goes to Maven
  tamis test --format json --output tamis.json
  tamis run -- mvn verify                 another goal; see `tamis run --help`

Exit status:
  that of the build (128 and the signal's number if it was killed); beside it
  2    wrong use
  64   there is no Maven project here or above
  68   the build cannot be started
  69   the agent cannot be put in place
  74   the report cannot be written
  78   a setting cannot be used";

const AFTER_RUN_HELP: &str = "\
Examples:
  tamis run -- mvn verify
  tamis run -- ./mvnw -q -pl core test
  tamis run -- java -cp classes:junit.jar org.junit.runner.JUnitCore shop.CartTest
  tamis run --format json --output tamis.json -- ./run-tests.sh

Exit status:
  that of the command (128 and the signal's number if it was killed); beside it
  2    wrong use
  68   the command cannot be started
  69   the agent cannot be put in place
  74   the report cannot be written
  78   a setting cannot be used";

impl TestCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let surroundings = self.running.surroundings()?;
        let maven = surroundings.maven.as_ref();
        let maven = maven.ok_or_else(|| CliError::NoBuild {
            directory: surroundings.directory.clone(),
        })?;
        let arguments = test_arguments(&self.arguments);
        self.running.run(
            maven.program.as_os_str(),
            &arguments,
            &surroundings,
            printer,
        )
    }
}

impl RunCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let surroundings = self.running.surroundings()?;
        let (program, arguments) = self.command.split();
        self.running.run(program, arguments, &surroundings, printer)
    }
}

/// What Maven is told: to test, and what the user adds.
pub(crate) fn test_arguments(added: &[OsString]) -> Vec<OsString> {
    let mut arguments = vec![OsString::from("test")];
    arguments.extend_from_slice(added);
    arguments
}

impl Running {
    fn surroundings(&self) -> Result<Surroundings, CliError> {
        Surroundings::find(|settings, directory| self.options.apply(settings, directory))
    }

    fn run(
        &self,
        program: &OsStr,
        arguments: &[OsString],
        surroundings: &Surroundings,
        printer: &mut Printer,
    ) -> Result<Outcome, CliError> {
        if !surroundings.settings.is_enabled {
            return Err(run_without_tamis(program, arguments, surroundings));
        }
        let command = BuildCommand { program, arguments };
        let project = surroundings.project();
        let report = tamis_engine::test(&command, &project, &surroundings.test_options(), &Silent)?;
        for note in &report.notes {
            printer::warn(note);
        }
        let code = report.status.map(exit_code::of_status);
        let report = SelectionReport::new(Question::Test, &report, code, &surroundings.settings);
        self.tell(&report, printer)?;
        Ok(Outcome {
            passed_through: code,
            ..Outcome::default()
        })
    }

    /// The report goes to where it was asked for; if that is a file, the numbers are told beside it.
    fn tell(&self, report: &SelectionReport, printer: &mut Printer) -> Result<(), CliError> {
        let is_in_file = self.output.output.is_some();
        if is_in_file || !self.quiet {
            let text = |palette: &_| text::selection(report, palette);
            self.output.write(report, text, printer)?;
        }
        if is_in_file && !self.quiet {
            printer::say(|palette| text::summary(report, palette).join("\n"));
        }
        Ok(())
    }
}

/// The build takes the place of this process, as if it had been started itself; else why it cannot.
fn run_without_tamis(
    program: &OsStr,
    arguments: &[OsString],
    surroundings: &Surroundings,
) -> CliError {
    let origin = surroundings.settings.origin(Key::Enabled);
    printer::warn(&format!(
        "Tamis is switched off by {origin}: everything runs"
    ));
    let cause = Command::new(program).args(arguments).exec();
    CliError::Start {
        program: Path::new(program).to_path_buf(),
        cause,
    }
}

/// The build tells of its progress itself.
struct Silent;

impl Progress for Silent {
    fn decided(&self, _: &EntityId, _: bool) {}

    fn ended(&self, _: &EntityId, _: bool) {}
}
