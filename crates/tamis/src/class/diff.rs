//! `tamis class diff`: which classes and members changed between two places, and how.

use std::path::PathBuf;

use clap::Args;

use super::debug_info;
use crate::cli_error::{CliError, Outcome};
use crate::command_line::Format;
use crate::comparison::{Comparison, Side, compare};
use crate::printer::Printer;
use crate::text::class_diff;
use crate::view::DiffReport;

/// Name the changes between two class files, jars or directories
///
/// Classes are matched by their path inside the jar or directory; two class files are compared whatever
/// their names. What does not count as behaviour, such as line numbers or the order of methods, is no
/// change. Where the head of a class stayed as it was, changes are those of single members; of a changed
/// method, the blocks of its old body are named that changed. This command only looks.
///
/// Then look-ups are named that find something else: calls on objects of a class that is on both sides, and
/// code that names a static or private method, or a field, by it. A supertype that is on neither side, nor in a
/// `--library`, may have any method.
///
/// A class that cannot be read on one side is listed as not compared, never as added, deleted or
/// unchanged.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct DiffCommand {
    /// The class file, jar, `.jmod` file or directory before the change
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// The same after the change
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// A jar or directory with classes that both sides extend, so that look-ups through them are known; may be given
    /// several times
    #[arg(long, value_name = "PATH")]
    library: Vec<PathBuf>,

    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Count line numbers, names of variables and source files, which stack traces show
    #[arg(long)]
    debug_info: bool,
}

const AFTER_HELP: &str = "\
Kinds of changes:
  AF DF     class added, deleted
  CH CF     head of the class changed; class changed otherwise, as a whole
  CM        member order or member classes changed, which only reflection shows
  AFD DFD CFD    field added, deleted, changed
  ASI DSI CSI    static initializer added, deleted, changed
  AI DI CI       constructor added, deleted, changed
  ASM DSM CSM    static method added, deleted, changed
  AIM DIM CIM    instance method added, deleted, changed

Examples:
  tamis class diff old.jar new.jar
  tamis class diff build/before build/after --debug-info
  tamis class diff build/before build/after --library base.jar
  tamis class diff Old.class New.class --format json

Exit status:
  0    nothing changed
  1    something changed
  2    wrong use
  64   there are no classes on either side
  65   a changed class is not understood; it counts as changed as a whole
  66   something cannot be read; the rest was compared";

impl DiffCommand {
    pub(super) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let places = [&self.old, &self.new].into_iter().chain(&self.library);
        let (sides, errors): (Vec<_>, Vec<_>) = places
            .map(|place| Side::open(place))
            .partition(Result::is_ok);
        if !errors.is_empty() {
            let errors = errors.into_iter().filter_map(Result::err);
            return Ok(Outcome {
                errors: errors.map(CliError::from).collect(),
                ..Outcome::default()
            });
        }
        let sides: Vec<Side<'_>> = sides.into_iter().filter_map(Result::ok).collect();
        let [old, new, libraries @ ..] = sides.as_slice() else {
            return Ok(Outcome::default());
        };
        self.check(old, new)?;
        let comparison = compare(old, new, libraries, debug_info(self.debug_info));
        match self.format {
            Format::Json => printer.json(&comparison.report)?,
            Format::Text => printer.text(&class_diff(&comparison.report, &Printer::palette()))?,
        }
        Ok(outcome(comparison))
    }

    /// Refuses what gives no sensible answer.
    fn check(&self, old: &Side<'_>, new: &Side<'_>) -> Result<(), CliError> {
        let (old_path, new_path) = (self.old.clone(), self.new.clone());
        match (old.is_class_file(), new.is_class_file()) {
            (true, false) => Err(CliError::NotComparable {
                file: old_path,
                other: new_path,
            }),
            (false, true) => Err(CliError::NotComparable {
                file: new_path,
                other: old_path,
            }),
            _ if old.is_empty() && new.is_empty() => Err(CliError::NoClasses {
                places: vec![old_path, new_path],
            }),
            _ => Ok(()),
        }
    }
}

fn outcome(comparison: Comparison) -> Outcome {
    let mut errors: Vec<CliError> = comparison.errors.into_iter().map(CliError::from).collect();
    errors.extend(not_understood(&comparison.report));
    Outcome {
        is_different: comparison.report.summary.n_changed > 0,
        errors,
        ..Outcome::default()
    }
}

fn not_understood(report: &DiffReport) -> Option<CliError> {
    let classes = report
        .changed
        .iter()
        .filter(|class| !class.not_understood.is_empty());
    match classes.count() {
        0 => None,
        n_classes => Some(CliError::NotUnderstood { n_classes }),
    }
}
