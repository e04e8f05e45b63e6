//! Options that several commands share.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use globset::Glob;
use serde::Serialize;
use tamis_engine::Granularity;
use tamis_facts::{ChangeKind, Mesh};

use crate::cli_error::CliError;
use crate::command_line::Format;
use crate::printer::Printer;
use crate::settings::{
    ALWAYS_RUN, COUNT, Key, Origin, Settings, SettingsError, TRUST, Value, granularity_name,
};
use crate::surroundings::Surroundings;
use crate::text::Palette;

/// A command of the user's.
#[derive(Debug, Args)]
pub(crate) struct CommandArguments {
    /// The program and its arguments
    #[arg(
        value_name = "COMMAND",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    command: Vec<OsString>,
}

/// Where records are kept.
#[derive(Debug, Args)]
pub(crate) struct StoreOptions {
    /// Where records are kept [default: `.tamis` at the root of the project]
    #[arg(
        long,
        value_name = "DIR",
        help_heading = "Selection",
        alias = "root.dir"
    )]
    store: Option<PathBuf>,
}

/// What decides whether a test runs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(crate) struct SelectionOptions {
    /// How fine to look at classes [default: method]
    #[arg(long, value_enum)]
    mesh: Option<MeshArgument>,

    /// Let a class that changed in this way count as changed as a file, whatever the mesh: `AIM`, `CSM` and so
    /// on; may be given several times
    #[arg(long, value_name = "KIND", value_parser = kinds_of_changes())]
    as_file: Vec<String>,

    /// What runs or is skipped as one [default: class]
    #[arg(long, value_enum)]
    granularity: Option<GranularityArgument>,

    #[command(flatten)]
    store: StoreOptions,

    /// Records older than this many days do not count [default: 30]
    #[arg(long, value_name = "DAYS")]
    max_age: Option<u32>,

    /// Count line numbers, names of variables and source files, which stack traces show
    #[arg(long)]
    debug_info: bool,

    /// Files of a module that no test depends on, as `docs/**`; may be given several times
    #[arg(long, value_name = "GLOB")]
    ignored_files: Vec<Glob>,

    /// Tests that run each time, by class name, as `*IT` or `shop.web.*`; may be given several times
    #[arg(long, value_name = "GLOB")]
    always_run: Vec<Glob>,

    /// What to do with tests that asked the network [default: trust]
    #[arg(long, value_enum, value_name = "POLICY")]
    network: Option<PolicyArgument>,

    /// What to do with tests that started programs which are no JVMs [default: trust]
    #[arg(long, value_enum, value_name = "POLICY")]
    processes: Option<PolicyArgument>,

    /// What to do with tests of which only changed what earlier ones relied on that may have left them something in static
    /// fields [default: count]
    #[arg(long, value_enum, value_name = "POLICY")]
    left_state: Option<LeftStateArgument>,
}

/// What is done with what a run shows.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(crate) struct RunOptions {
    /// Run everything, and record it anew
    #[arg(long, alias = "forceall")]
    all: bool,

    /// Keep no new records; what is known already is used
    #[arg(long)]
    no_record: bool,

    #[command(flatten)]
    selection: SelectionOptions,
}

/// How and where the report is written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputOptions {
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Write the report to this file [default: standard output, at the end]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// The meshes that there are today.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum MeshArgument {
    /// A test runs when a class that it used has changed in any way
    File,
    /// A test runs when something has changed that it ran or relied on
    Method,
    /// The same, and a method that is added or deleted concerns who calls it alone
    Dispatch,
    /// The same, and of a changed method only those of its basic blocks count that changed and that the test ran
    Block,
}

/// What runs or is skipped as one.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum GranularityArgument {
    /// All tests of a class
    Class,
    /// Each test method, unless those of its class may rely on each other
    Method,
}

impl GranularityArgument {
    fn value(self) -> Value {
        let granularity = match self {
            Self::Class => Granularity::Class,
            Self::Method => Granularity::Method,
        };
        Value::Text(granularity_name(granularity).to_owned())
    }
}

/// What is done with tests that turned to something that no fact covers.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum PolicyArgument {
    /// They are skipped as others are, and counted
    Trust,
    /// They run each time
    AlwaysRun,
}

impl PolicyArgument {
    fn value(self) -> Value {
        let name = match self {
            Self::Trust => TRUST,
            Self::AlwaysRun => ALWAYS_RUN,
        };
        Value::Text(name.to_owned())
    }
}

/// What is done with tests to which only the state of static fields connects what changed.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum LeftStateArgument {
    /// They run
    Count,
    /// They are skipped, and counted
    Trust,
}

impl LeftStateArgument {
    fn value(self) -> Value {
        let name = match self {
            Self::Count => COUNT,
            Self::Trust => TRUST,
        };
        Value::Text(name.to_owned())
    }
}

impl CommandArguments {
    /// The program, and what it is given.
    pub(crate) fn split(&self) -> (&OsString, &[OsString]) {
        self.command.split_first().expect("clap requires a command")
    }
}

impl StoreOptions {
    /// Where the user stands, for a command that has no other options that decide.
    pub(crate) fn surroundings(&self) -> Result<Surroundings, CliError> {
        Surroundings::find(|settings, directory| {
            self.apply(settings, directory);
            Ok(())
        })
    }

    /// Overrides what is set elsewhere; paths begin where the user stands.
    pub(crate) fn apply(&self, settings: &mut Settings, directory: &Path) {
        if let Some(store) = &self.store {
            settings.set_store(directory.join(store), Origin::CommandLine);
        }
    }
}

impl SelectionOptions {
    /// Where the user stands.
    pub(crate) fn surroundings(&self) -> Result<Surroundings, CliError> {
        Surroundings::find(|settings, directory| self.apply(settings, directory))
    }

    /// Overrides what is set elsewhere.
    pub(crate) fn apply(
        &self,
        settings: &mut Settings,
        directory: &Path,
    ) -> Result<(), SettingsError> {
        self.store.apply(settings, directory);
        let mesh = self
            .mesh
            .map(|mesh| Value::Text(mesh.mesh().name().to_owned()));
        let max_age = self.max_age.map(|days| Value::Number(days.into()));
        let debug_info = self.debug_info.then_some(Value::Flag(true));
        let as_file = (!self.as_file.is_empty()).then(|| Value::List(self.as_file.clone()));
        let list = |globs: &[Glob]| {
            let globs: Vec<String> = globs.iter().map(|glob| glob.glob().to_owned()).collect();
            (!globs.is_empty()).then_some(Value::List(globs))
        };
        set_all(
            settings,
            [
                (Key::Mesh, mesh),
                (Key::AsFile, as_file),
                (
                    Key::Granularity,
                    self.granularity.map(GranularityArgument::value),
                ),
                (Key::MaxAge, max_age),
                (Key::DebugInfo, debug_info),
                (Key::IgnoredFiles, list(&self.ignored_files)),
                (Key::AlwaysRun, list(&self.always_run)),
                (Key::Network, self.network.map(PolicyArgument::value)),
                (Key::Processes, self.processes.map(PolicyArgument::value)),
                (
                    Key::LeftState,
                    self.left_state.map(LeftStateArgument::value),
                ),
            ],
        )
    }
}

impl RunOptions {
    /// Overrides what is set elsewhere.
    pub(crate) fn apply(
        &self,
        settings: &mut Settings,
        directory: &Path,
    ) -> Result<(), SettingsError> {
        self.selection.apply(settings, directory)?;
        let run_all = self.all.then_some(Value::Flag(true));
        let record = self.no_record.then_some(Value::Flag(false));
        set_all(settings, [(Key::RunAll, run_all), (Key::Record, record)])
    }
}

impl OutputOptions {
    /// Writes a report to where it was asked for.
    pub(crate) fn write(
        &self,
        document: &impl Serialize,
        text: impl Fn(&Palette) -> String,
        printer: &mut Printer,
    ) -> Result<(), CliError> {
        let Some(file) = &self.output else {
            return self.format.print(document, text, printer);
        };
        let text = match self.format {
            Format::Json => serde_json::to_string_pretty(document)
                .map(|text| text + "\n")
                .map_err(|error| CliError::Write(error.into()))?,
            Format::Text => text(&Palette::plain()),
        };
        fs::write(file, text).map_err(|cause| CliError::WriteFile {
            file: file.clone(),
            cause,
        })
    }
}

impl Format {
    /// Writes a report to standard output.
    pub(crate) fn print(
        self,
        document: &impl Serialize,
        text: impl Fn(&Palette) -> String,
        printer: &mut Printer,
    ) -> Result<(), CliError> {
        match self {
            Self::Json => printer.json(document),
            Self::Text => printer.text(&text(&Printer::palette())),
        }
    }
}

/// The short codes that `tamis class diff` uses.
fn kinds_of_changes() -> PossibleValuesParser {
    PossibleValuesParser::new(ChangeKind::ALL.iter().map(|kind| kind.code()))
}

impl MeshArgument {
    fn mesh(self) -> Mesh {
        match self {
            Self::File => Mesh::File,
            Self::Method => Mesh::Method,
            Self::Dispatch => Mesh::Dispatch,
            Self::Block => Mesh::Block,
        }
    }
}

fn set_all<const N: usize>(
    settings: &mut Settings,
    values: [(Key, Option<Value>); N],
) -> Result<(), SettingsError> {
    for (key, value) in values {
        let Some(value) = value else { continue };
        settings
            .set(key, &value, Origin::CommandLine)
            .map_err(|kind| SettingsError {
                place: Origin::CommandLine,
                kind,
            })?;
    }
    Ok(())
}
