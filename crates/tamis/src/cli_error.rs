//! Everything the outside world can do to `tamis`, with its exit code and what to do about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use tamis_build::{ReadError, ReadErrorKind, path_text};
use tamis_check::{CheckError, DatabaseErrorKind, DefectsError, HistoryError, JavaSideError};
use tamis_engine::{TestError, TraceError};

use crate::exit_code;
use crate::settings::SettingsError;

/// Something outside `tamis` is not as it has to be.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// A place, or a class in it.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The classes are listed as such, each with its reason.
    #[error("{} not understood", count_of_classes(*n_classes))]
    NotUnderstood { n_classes: usize },
    /// A place was read and there is no class in it.
    #[error("there are no classes in {}", quoted(places))]
    NoClasses { places: Vec<PathBuf> },
    /// No class has the name asked for.
    #[error("found no class `{name}`")]
    NoSuchClass { name: String, similar: Vec<String> },
    /// No method of the classes shown has the name asked for.
    #[error("found no method `{name}`")]
    NoSuchMethod { name: String, similar: Vec<String> },
    /// One side of a comparison is a class file, the other holds many.
    #[error(
        "cannot compare the class file `{}` with `{}`, which is none",
        path_text(file),
        path_text(other)
    )]
    NotComparable { file: PathBuf, other: PathBuf },
    /// A command was to be run with the agent.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// Tests were to be run, or something known was to be read.
    #[error(transparent)]
    Test(#[from] TestError),
    /// There is no build that Tamis knows.
    #[error("found no Maven project in `{}` or above it", path_text(directory))]
    NoBuild { directory: PathBuf },
    /// No record names what was asked for.
    #[error("no record knows {what} `{name}`")]
    NotKnown {
        what: Known,
        name: String,
        similar: Vec<String>,
    },
    /// Something that the user has set.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A build was to be started without anything of Tamis.
    #[error("cannot start `{}`", path_text(program))]
    Start {
        program: PathBuf,
        #[source]
        cause: io::Error,
    },
    /// Tools were to be checked.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// Tools were to be checked on a history.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// Tools were to be checked on bugs.
    #[error(transparent)]
    Defects(#[from] DefectsError),
    /// There is no home directory, and no other place for a cache.
    #[error("found no directory for what can be made again")]
    NoCache,
    /// A place for files that go away again.
    #[error("cannot make a temporary directory")]
    Temporary(#[source] io::Error),
    /// The user could not be heard.
    #[error("cannot listen to signals")]
    Signals(#[source] io::Error),
    /// The user stands nowhere.
    #[error("cannot find the current directory")]
    CurrentDirectory(#[source] io::Error),
    /// The file for a report cannot be written.
    #[error("cannot write `{}`", path_text(file))]
    WriteFile {
        file: PathBuf,
        #[source]
        cause: io::Error,
    },
    /// Standard output is full, or broken otherwise.
    #[error("cannot write to standard output")]
    Write(#[source] io::Error),
}

/// Something that records may know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    Test,
    Class,
    Member,
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Test => "a test",
            Self::Class => "a class",
            Self::Member => "a method or field",
        })
    }
}

/// How a command ended.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Whether a comparison found a difference, or a look around something that is not in place.
    pub(crate) is_different: bool,
    /// What went wrong on the way; the command went on with the rest.
    pub(crate) errors: Vec<CliError>,
    /// The exit code of the command that was run, which passes through.
    pub(crate) passed_through: Option<u8>,
}

impl Outcome {
    /// What the process returns.
    pub(crate) fn exit_code(&self) -> u8 {
        let failure = self.errors.iter().map(CliError::exit_code).max();
        match failure {
            Some(code) => code,
            None if self.is_different => exit_code::DIFFERENT,
            None => self.passed_through.unwrap_or(exit_code::SUCCESS),
        }
    }
}

impl From<CliError> for Outcome {
    fn from(error: CliError) -> Self {
        Self {
            errors: vec![error],
            ..Self::default()
        }
    }
}

impl CliError {
    /// The code of a run in which nothing worse happened.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Read(_) | Self::CurrentDirectory(_) => exit_code::UNREADABLE,
            Self::NotUnderstood { .. } => exit_code::NOT_UNDERSTOOD,
            Self::NoClasses { .. }
            | Self::NoSuchClass { .. }
            | Self::NoSuchMethod { .. }
            | Self::NoBuild { .. }
            | Self::NotKnown { .. } => exit_code::NOT_FOUND,
            Self::Settings(_) => exit_code::WRONG_SETTING,
            Self::Test(error) => code_of_test_error(error),
            Self::NotComparable { .. } => exit_code::WRONG_USE,
            Self::Trace(error) => code_of_trace_error(error),
            Self::Start { .. } | Self::Signals(_) => exit_code::CANNOT_START,
            Self::Check(error) => code_of_check_error(error),
            Self::History(error) => code_of_history_error(error),
            Self::Defects(error) => code_of_defects_error(error),
            Self::WriteFile { .. } | Self::Write(_) | Self::NoCache | Self::Temporary(_) => {
                exit_code::CANNOT_WRITE
            }
        }
    }

    /// What the user can do about it.
    pub(crate) fn hints(&self) -> Vec<String> {
        match self {
            Self::Read(error) => hint_on_reading(error).map(str::to_owned).into_iter().collect(),
            Self::NotUnderstood { .. } => vec![
                "such a class counts as a whole: any change of its bytes is a change of all of it"
                    .to_owned(),
            ],
            Self::NoClasses { .. } => vec![
                "files named `*.class` count; jars inside a directory are not opened, name them"
                    .to_owned(),
            ],
            Self::NoSuchClass { similar, .. } | Self::NoSuchMethod { similar, .. } => {
                did_you_mean(similar).into_iter().collect()
            }
            Self::NotComparable { .. } => vec![
                "compare two class files, or two places with classes: jars, `.jmod` files, directories"
                    .to_owned(),
            ],
            Self::Trace(error) => hint_on_trace_error(error).map(str::to_owned).into_iter().collect(),
            Self::Test(error) => hint_on_test_error(error).map(str::to_owned).into_iter().collect(),
            Self::NoBuild { .. } => vec![
                "`tamis run -- COMMAND` runs any command that starts test JVMs".to_owned(),
            ],
            Self::NotKnown { what, similar, .. } => {
                let hint = did_you_mean(similar);
                vec![hint.unwrap_or_else(|| hint_on_unknown(*what).to_owned())]
            }
            Self::Settings(error) => hints_on_settings(error),
            Self::Check(error) => hint_on_check_error(error).map(str::to_owned).into_iter().collect(),
            Self::History(error) => hint_on_history_error(error).map(str::to_owned).into_iter().collect(),
            Self::Defects(error) => hint_on_defects_error(error).map(str::to_owned).into_iter().collect(),
            Self::NoCache => vec!["TAMIS_CACHE_DIR names one".to_owned()],
            Self::Start { .. }
            | Self::CurrentDirectory(_)
            | Self::Temporary(_)
            | Self::Signals(_)
            | Self::WriteFile { .. }
            | Self::Write(_) => Vec::new(),
        }
    }
}

fn code_of_trace_error(error: &TraceError) -> u8 {
    match error {
        TraceError::Start { .. } => exit_code::CANNOT_START,
        TraceError::Agent(_) | TraceError::Maven(_) | TraceError::Listen(_) => exit_code::NO_AGENT,
    }
}

fn code_of_test_error(error: &TestError) -> u8 {
    match error {
        TestError::Command(error) => code_of_trace_error(error),
        TestError::NothingKnown { .. } => exit_code::NOT_FOUND,
        TestError::Open(_) | TestError::Store(_) => exit_code::UNREADABLE,
    }
}

fn code_of_check_error(error: &CheckError) -> u8 {
    match error {
        CheckError::Stopped { .. } => exit_code::STOPPED,
        CheckError::Jdk(_)
        | CheckError::NoJdk
        | CheckError::NoProgram(_)
        | CheckError::JavaSide(JavaSideError::NoJUnit(_) | JavaSideError::NoJar(_)) => {
            exit_code::NOT_FOUND
        }
        CheckError::Compiler { .. }
        | CheckError::RetestAll(_)
        | CheckError::JavaSide(JavaSideError::Compile { .. }) => exit_code::CANNOT_START,
        CheckError::Refused { .. } => exit_code::BUG,
        CheckError::Locked(_)
        | CheckError::Work { .. }
        | CheckError::JavaSide(JavaSideError::Write { .. }) => exit_code::CANNOT_WRITE,
        CheckError::UserRule(_) => exit_code::WRONG_SETTING,
    }
}

fn code_of_history_error(error: &HistoryError) -> u8 {
    match error {
        HistoryError::Git { .. } | HistoryError::TooShort(_) => exit_code::NOT_FOUND,
        HistoryError::NothingBuilt(_) => exit_code::CANNOT_START,
        HistoryError::Work { .. } | HistoryError::Write(_) => exit_code::CANNOT_WRITE,
    }
}

fn hint_on_history_error(error: &HistoryError) -> Option<&'static str> {
    match error {
        HistoryError::Git { .. } => Some("`--repository` names the repository"),
        HistoryError::TooShort(_) => {
            Some("`--revisions` and `--last` say which, `--touching` leaves some out")
        }
        HistoryError::NothingBuilt(_) => {
            Some("`--jdk`, `--maven-option` and `--build` say how revisions are built")
        }
        HistoryError::Work { .. } | HistoryError::Write(_) => None,
    }
}

fn code_of_defects_error(error: &DefectsError) -> u8 {
    match error {
        DefectsError::Database(error) => match error.kind {
            DatabaseErrorKind::Read(_) => exit_code::NOT_FOUND,
            _ => exit_code::NOT_UNDERSTOOD,
        },
        DefectsError::NoRepository(_)
        | DefectsError::NoProject(_)
        | DefectsError::NoBug(_)
        | DefectsError::NothingChosen => exit_code::NOT_FOUND,
        DefectsError::NothingRun(_) => exit_code::CANNOT_START,
        DefectsError::History(error) => code_of_history_error(error),
    }
}

fn hint_on_defects_error(error: &DefectsError) -> Option<&'static str> {
    match error {
        DefectsError::Database(_) => Some("a database has the layout of Defects4J"),
        DefectsError::NoRepository(_) | DefectsError::NothingChosen => {
            Some("`--repository PROJECT=DIR` names one")
        }
        DefectsError::NothingRun(_) => {
            Some("`--jdk`, `--maven-option` and `--build` say how revisions are built")
        }
        DefectsError::NoProject(_) | DefectsError::NoBug(_) | DefectsError::History(_) => None,
    }
}

fn hint_on_check_error(error: &CheckError) -> Option<&'static str> {
    match error {
        CheckError::Stopped { .. } => {
            Some("the same command goes on from here; with `--fresh` it begins anew")
        }
        CheckError::NoJdk => Some("`--jdk` names one, and so does TAMIS_JDKS"),
        CheckError::JavaSide(JavaSideError::NoJUnit(_)) => {
            Some("`--junit` names the jar of JUnit's console launcher")
        }
        CheckError::NoProgram(_) => Some("`--seed` must be the one that the program was made by"),
        CheckError::Refused { .. } => Some("this is a bug in Tamis; please report it"),
        CheckError::Locked(_) => Some("`--work` names another directory"),
        CheckError::UserRule(_) => {
            Some("docs/reference/check.md says what a rule reads and prints")
        }
        CheckError::Jdk(_)
        | CheckError::JavaSide(_)
        | CheckError::Compiler { .. }
        | CheckError::RetestAll(_)
        | CheckError::Work { .. } => None,
    }
}

fn hint_on_trace_error(error: &TraceError) -> Option<&'static str> {
    match error {
        TraceError::Agent(_) => Some(
            "TAMIS_CACHE_DIR names another directory for the agent; it must be on a file system that \
             programs may be run from",
        ),
        TraceError::Start { .. } => {
            Some("the command stands behind `--`: `tamis trace -- java -jar app.jar`")
        }
        TraceError::Maven(_) | TraceError::Listen(_) => None,
    }
}

fn hint_on_test_error(error: &TestError) -> Option<&'static str> {
    match error {
        TestError::NothingKnown { .. } => Some("`tamis test` runs tests and records what they see"),
        TestError::Open(_) | TestError::Store(_) => {
            Some("`--store` names another directory; a store that is removed is made anew")
        }
        TestError::Command(TraceError::Start { .. }) => None,
        TestError::Command(error) => hint_on_trace_error(error),
    }
}

fn hint_on_unknown(what: Known) -> &'static str {
    match what {
        Known::Test => "`tamis status` tells what is known",
        Known::Class | Known::Member => {
            "records name what a test has used; what no test uses is in none of them"
        }
    }
}

fn hints_on_settings(error: &SettingsError) -> Vec<String> {
    let meant = did_you_mean(&error.kind.similar());
    let all = "`tamis config default` prints all settings with what they mean".to_owned();
    vec![meant.unwrap_or(all)]
}

fn hint_on_reading(error: &ReadError) -> Option<&'static str> {
    match &error.kind {
        ReadErrorKind::Io(cause) if is_missing_diff(error, cause) => {
            Some("to compare, write `diff` first: `tamis class diff OLD NEW`")
        }
        ReadErrorKind::Io(cause) => hint_on_io(cause.kind(), Path::new(&error.location)),
        ReadErrorKind::NotClasses => {
            Some("name a `.class` file, a jar, a JDK's `.jmod` file, or a directory with classes")
        }
        ReadErrorKind::DamagedArchive(_)
        | ReadErrorKind::MembersMissing { .. }
        | ReadErrorKind::Truncated
        | ReadErrorKind::DamagedData
        | ReadErrorKind::WrongSize { .. }
        | ReadErrorKind::WrongCrc { .. } => Some(
            "the archive may have been written to, or copied only in part: build or fetch it again",
        ),
        ReadErrorKind::TooLarge(_) => {
            Some("no compiler writes classes of that size; it may be something else")
        }
        ReadErrorKind::NotRegular
        | ReadErrorKind::LinkLoop
        | ReadErrorKind::Overlap
        | ReadErrorKind::NestingLimit
        | ReadErrorKind::Encrypted
        | ReadErrorKind::UnknownCompression(_) => None,
    }
}

/// Whether the name of the command was taken for a path, as in `tamis class OLD diff NEW`.
fn is_missing_diff(error: &ReadError, cause: &io::Error) -> bool {
    error.location == "diff" && cause.kind() == io::ErrorKind::NotFound
}

fn hint_on_io(kind: io::ErrorKind, path: &Path) -> Option<&'static str> {
    match kind {
        io::ErrorKind::NotFound if path.is_relative() => {
            Some("a relative path begins at the current directory")
        }
        io::ErrorKind::PermissionDenied => {
            Some("reading needs permission for the file and for every directory above it")
        }
        _ => None,
    }
}

fn did_you_mean(similar: &[String]) -> Option<String> {
    let names: Vec<String> = similar.iter().map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}

fn count_of_classes(n_classes: usize) -> String {
    match n_classes {
        1 => "1 class is".to_owned(),
        n => format!("{n} classes are"),
    }
}

fn quoted(places: &[PathBuf]) -> String {
    let places = places.iter().map(|place| format!("`{}`", path_text(place)));
    places.collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_outweighs_a_difference_and_the_greatest_code_wins() {
        let mut outcome = Outcome {
            is_different: true,
            ..Outcome::default()
        };
        assert_eq!(outcome.exit_code(), exit_code::DIFFERENT);
        outcome
            .errors
            .push(CliError::NotUnderstood { n_classes: 1 });
        assert_eq!(outcome.exit_code(), exit_code::NOT_UNDERSTOOD);
        outcome
            .errors
            .insert(0, CliError::Write(io::ErrorKind::StorageFull.into()));
        assert_eq!(outcome.exit_code(), exit_code::CANNOT_WRITE);
    }

    #[test]
    fn several_names_are_offered_as_a_choice() {
        let names = ["a.B".to_owned(), "a.C".to_owned()];
        assert_eq!(
            did_you_mean(&names).unwrap(),
            "did you mean `a.B` or `a.C`?"
        );
        assert_eq!(did_you_mean(&[]), None);
    }
}
