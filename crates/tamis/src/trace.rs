//! `tamis trace`: which classes and methods the JVMs of a command ran.

use clap::{Args, ValueEnum};
use globset::{Glob, GlobMatcher};
use tamis_engine::Watching;

use crate::cli_error::{CliError, Outcome};
use crate::exit_code;
use crate::options::{CommandArguments, OutputOptions};
use crate::printer::{self, Printer};
use crate::text;
use crate::view::TraceReport;

/// Show which classes and methods each test of a command ran
///
/// Runs the command as it is, with an agent in each JVM that it starts, and shows afterwards what ran,
/// test class by test class: the project's classes and those of libraries, not the JDK's. A JVM that
/// runs no tests is shown as a whole. JVMs of build tools and compilers are left alone. The command prints and returns what it does without the agent, but for the line on
/// standard error by which each JVM announces `JAVA_TOOL_OPTIONS`, where the agent is named. Of Maven
/// (`mvn`, `mvnw`) the test JVMs of Surefire and Failsafe are watched, without that line; tests that
/// cannot be watched are named.
///
/// What a JVM ran is known whole only if it ended by itself. Where something may be missing, that is
/// said.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct TraceCommand {
    #[command(flatten)]
    command: CommandArguments,

    /// Tell apart test classes, or test methods
    #[arg(long, value_enum, default_value_t)]
    by: Granularity,

    /// Skip the tests whose names match, as `shop.*Test`; may be given several times
    #[arg(long, value_name = "GLOB")]
    skip: Vec<Glob>,

    #[command(flatten)]
    output: OutputOptions,
}

/// What a test is.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Granularity {
    /// Test classes
    #[default]
    Class,
    /// Test methods, named `shop.CartTest#adds`
    Method,
}

const AFTER_HELP: &str = "\
Examples:
  tamis trace -- java -cp classes:junit.jar org.junit.runner.JUnitCore shop.CartTest
  tamis trace --skip 'shop.slow.*' -- mvn test
  tamis trace --by method --format json --output trace.json -- mvn test
  tamis trace -- java -cp classes shop.Main
  tamis trace --format json --output trace.json -- java -jar app.jar

Environment:
  TAMIS_CACHE_DIR    where the agent is kept [default: the user's cache directory]

Exit status:
  that of the command (128 and the signal's number if it was killed); beside it
  2    wrong use
  68   the command cannot be started
  69   the agent cannot be put in place
  74   the report cannot be written";

impl TraceCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let (program, arguments) = self.command.split();
        let skipped: Vec<GlobMatcher> = self.skip.iter().map(Glob::compile_matcher).collect();
        let watching = Watching {
            granularity: match self.by {
                Granularity::Class => tamis_engine::Granularity::Class,
                Granularity::Method => tamis_engine::Granularity::Method,
            },
            marking: tamis_engine::Marking::Methods,
            is_skipped: &|shown| {
                let name = String::from_utf8_lossy(&shown.name);
                skipped.iter().any(|glob| glob.is_match(&*name))
            },
        };
        let trace = tamis_engine::trace(program, arguments, &watching)?;
        for note in &trace.notes {
            printer::warn(&note.to_string());
        }
        if trace.jvms.is_empty() && trace.notes.is_empty() {
            printer::warn("no JVM was watched: the command started none, or only build tools");
        }
        let report = TraceReport::new(&trace);
        let text = |palette: &_| text::trace(&report, palette);
        self.output.write(&report, text, printer)?;
        Ok(Outcome {
            passed_through: Some(exit_code::of_status(trace.status)),
            ..Outcome::default()
        })
    }
}
