//! `tamis class`: what Tamis sees in class files.

mod choice;
mod diff;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::cli_error::{CliError, Outcome};
use crate::command_line::Format;
use crate::printer::Printer;
use crate::reading::Reading;
use crate::settings::debug_info;
use crate::text::{class_detail, class_list, totals};
use crate::view::{ClassReport, ClassView, Content, ViewOptions};
use choice::Choice;
use diff::DiffCommand;

/// Show what Tamis sees in class files, or compare them
///
/// Shows the classes of class files, jars, `.jmod` files and directories: version, kind, and the
/// checksums by which Tamis tells whether a class, its head, a field, a method or a block is still the
/// same. A single class is shown with its members; many are listed, a line each. This command only
/// looks.
///
/// A class that is not understood is listed with the reason, and counts as a whole. What cannot be
/// read is named on standard error, and the rest is shown.
#[derive(Debug, Args)]
#[command(
    after_long_help = AFTER_HELP,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true
)]
pub(crate) struct ClassCommand {
    #[command(subcommand)]
    command: Option<ClassSubcommand>,

    /// Class files, jars, `.jmod` files or directories (one that is called `diff`: `./diff`)
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,

    /// How to print
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    format: Format,

    #[command(flatten)]
    choice: Choice,

    #[command(flatten)]
    detail: Detail,
}

#[derive(Debug, Subcommand)]
enum ClassSubcommand {
    Diff(DiffCommand),
}

/// How much is shown as text.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct Detail {
    /// What to show of each class [default: members of a single class, classes if there are many]
    #[arg(long, value_enum, value_name = "DETAIL")]
    show: Option<Shown>,

    /// The blocks of each method and the ways between them
    #[arg(long)]
    blocks: bool,

    /// The classes, fields and methods that each method names
    #[arg(long)]
    uses: bool,
}

/// What is shown of each class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shown {
    /// One line per class.
    Classes,
    /// The checksums of a class, its fields and its methods.
    Members,
}

const AFTER_HELP: &str = "\
Examples:
  tamis class target/classes                       the classes of a build, a line each
  tamis class target/classes --class shop.Cart     one of them, with its members
  tamis class guava.jar --class Joiner --method join --blocks
                                                   the blocks of some of its methods
  tamis class guava.jar --format json              everything, for a program
  tamis class diff old.jar new.jar                 what changed; see `tamis class diff --help`

Exit status:
  0    everything was shown
  2    wrong use
  64   there are no classes, or none of that name, or no such method
  65   a class is not understood; it is listed as such
  66   something cannot be read; the rest was shown";

impl ClassCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        match &self.command {
            Some(ClassSubcommand::Diff(command)) => command.run(printer),
            None => self.show(printer),
        }
    }

    fn show(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let options = self.view_options();
        let mut reading = Reading::of(&self.paths, &options);
        self.choice.apply(&mut reading);
        let report = ClassReport::new(&options, reading.sources);
        reading.errors.extend(not_understood(&report));
        match self.format {
            Format::Json => printer.json(&report)?,
            Format::Text => {
                printer.text(&self.detail.text(&report, self.choice.method.is_some()))?;
            }
        }
        Ok(Outcome {
            errors: reading.errors,
            ..Outcome::default()
        })
    }

    fn view_options(&self) -> ViewOptions {
        ViewOptions {
            debug_info: debug_info(self.choice.debug_info),
            with_blocks: self.detail.blocks,
            with_uses: self.detail.uses,
        }
    }
}

/// Some classes are not understood, if any are.
fn not_understood(report: &ClassReport) -> Option<CliError> {
    let is_opaque = |class: &&ClassView| matches!(class.content, Content::NotUnderstood { .. });
    match report.classes().filter(is_opaque).count() {
        0 => None,
        n_classes => Some(CliError::NotUnderstood { n_classes }),
    }
}

impl Detail {
    /// The report as text; nothing if nothing was read.
    fn text(&self, report: &ClassReport, is_method_wanted: bool) -> String {
        let palette = Printer::palette();
        let n_classes = report.classes().count();
        if n_classes == 0 {
            return String::new();
        }
        let text = match self.shown(n_classes, is_method_wanted) {
            Shown::Classes => class_list(report, &palette),
            Shown::Members => class_detail(report, &palette),
        };
        match n_classes {
            1 => text,
            _ => format!("{text}\n{}\n", totals(report)),
        }
    }

    fn shown(&self, n_classes: usize, is_method_wanted: bool) -> Shown {
        let is_member_wanted = self.blocks || self.uses || is_method_wanted;
        match self.show {
            Some(shown) => shown,
            None if is_member_wanted || n_classes == 1 => Shown::Members,
            None => Shown::Classes,
        }
    }
}
