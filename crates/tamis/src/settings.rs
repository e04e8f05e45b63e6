//! What a user has set, and where: the layers of SPEC 9, each overriding the one before.
//!
//! Built in, a file in the home directory, a file at the root of the project, the environment, the
//! command line. A value that nobody can mean is an error, never a default.

mod ekstazi;
mod file;
mod key;
mod settings_error;

pub(crate) use key::{Key, Value};
pub(crate) use settings_error::{Origin, SettingsError, SettingsErrorKind};

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use globset::{Glob, GlobSet, GlobSetBuilder};
use tamis_build::path_text;
use tamis_classfile::checksum::DebugInfo;
use tamis_engine::Granularity;
use tamis_facts::{ChangeKind, Mesh, Outside};

/// The file at the root of a project.
pub(crate) const PROJECT_FILE: &str = "tamis.toml";

/// A test that turned to something outside is skipped like others.
pub(crate) const TRUST: &str = "trust";
/// It runs each time.
pub(crate) const ALWAYS_RUN: &str = "always-run";
/// What tests leave for each other counts.
pub(crate) const COUNT: &str = "count";

/// A file with every key, its default and what it means.
pub(crate) const DEFAULT_FILE: &str = include_str!("settings/default.toml");

/// What is set.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// Whether Tamis does anything at all.
    pub(crate) is_enabled: bool,
    pub(crate) mesh: Mesh,
    /// Kinds of changes that count as changes of the file.
    pub(crate) as_file: BTreeSet<ChangeKind>,
    pub(crate) granularity: Granularity,
    pub(crate) run_all: bool,
    pub(crate) is_recording: bool,
    /// Where records are kept, from the root of the project.
    pub(crate) store: PathBuf,
    /// In days.
    pub(crate) max_age: u32,
    /// How many records of each entity are kept.
    pub(crate) n_kept: u32,
    pub(crate) debug_info: DebugInfo,
    /// Globs of files that no test depends on, from the directory of their module.
    ignored_files: Vec<String>,
    /// Globs of tests that run each time.
    always_run: Vec<String>,
    /// What of the outside is not trusted.
    pub(crate) untrusted: BTreeSet<Outside>,
    /// What is done where only what earlier tests may have left differs.
    pub(crate) left_state: LeftState,
    origins: BTreeMap<Key, Origin>,
    /// The files that were read.
    pub(crate) files: Vec<PathBuf>,
}

/// What is done with a test of which only that differs what earlier ones may have left for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeftState {
    /// It runs.
    Counts,
    /// It is skipped.
    IsTrusted,
}

/// Where settings are looked for.
pub(crate) struct Sources<'s> {
    /// The file in the home directory.
    pub(crate) home_file: Option<PathBuf>,
    /// The root of the project.
    pub(crate) root: &'s Path,
    /// Where the user stands; paths in the environment and in options begin there.
    pub(crate) directory: &'s Path,
    /// The environment.
    pub(crate) variable: &'s dyn Fn(&str) -> Option<OsString>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            is_enabled: true,
            mesh: Mesh::Method,
            as_file: BTreeSet::new(),
            granularity: Granularity::Class,
            run_all: false,
            is_recording: true,
            store: PathBuf::from(".tamis"),
            max_age: 30,
            n_kept: 10,
            debug_info: DebugInfo::Ignored,
            ignored_files: Vec::new(),
            always_run: Vec::new(),
            untrusted: BTreeSet::new(),
            left_state: LeftState::Counts,
            origins: BTreeMap::new(),
            files: Vec::new(),
        }
    }
}

impl Settings {
    /// All layers but the command line.
    pub(crate) fn load(sources: &Sources<'_>) -> Result<Self, SettingsError> {
        let mut settings = Self::default();
        let project_file = sources.root.join(PROJECT_FILE);
        for path in sources.home_file.iter().chain([&project_file]) {
            if file::add_file(&mut settings, path)? {
                settings.files.push(path.clone());
            }
        }
        settings.add_environment(sources)?;
        Ok(settings)
    }

    fn add_environment(&mut self, sources: &Sources<'_>) -> Result<(), SettingsError> {
        for key in Key::ALL.iter().copied() {
            let name = key.variable();
            let Some(value) = (sources.variable)(&name).filter(|value| !value.is_empty()) else {
                continue;
            };
            let place = Origin::Variable(name);
            if key == Key::Store {
                self.set_store(sources.directory.join(value), place);
                continue;
            }
            let value = value
                .to_str()
                .and_then(|text| Value::parse(text, key.shape()));
            value
                .ok_or(SettingsErrorKind::WrongShape { key })
                .and_then(|value| self.set(key, &value, place.clone()))
                .map_err(|kind| SettingsError { place, kind })?;
        }
        Ok(())
    }

    /// Sets something, if the value is one that it can have.
    pub(crate) fn set(
        &mut self,
        key: Key,
        value: &Value,
        origin: Origin,
    ) -> Result<(), SettingsErrorKind> {
        match (key, value) {
            (Key::Enabled, Value::Flag(flag)) => self.is_enabled = *flag,
            (Key::RunAll, Value::Flag(flag)) => self.run_all = *flag,
            (Key::Record, Value::Flag(flag)) => self.is_recording = *flag,
            (Key::DebugInfo, Value::Flag(flag)) => self.debug_info = debug_info(*flag),
            (Key::Mesh, Value::Text(name)) => self.mesh = mesh_of(name)?,
            (Key::AsFile, Value::List(codes)) => {
                self.as_file = codes
                    .iter()
                    .map(|code| kind_of(code))
                    .collect::<Result<_, _>>()?;
            }
            (Key::Granularity, Value::Text(name)) => self.granularity = granularity_of(name)?,
            (Key::Store, Value::Text(path)) => self.store = store_of(path)?,
            (Key::MaxAge, Value::Number(days)) => self.max_age = small(key, *days)?,
            (Key::RecordsKept, Value::Number(number)) => self.n_kept = at_least_one(key, *number)?,
            (Key::IgnoredFiles, Value::List(globs)) => {
                self.ignored_files = checked_globs(key, globs)?;
            }
            (Key::AlwaysRun, Value::List(globs)) => self.always_run = checked_globs(key, globs)?,
            (Key::Network, Value::Text(policy)) => self.trust(key, Outside::Network, policy)?,
            (Key::Processes, Value::Text(policy)) => self.trust(key, Outside::Process, policy)?,
            (Key::LeftState, Value::Text(policy)) => {
                self.left_state = match policy.as_str() {
                    TRUST => LeftState::IsTrusted,
                    COUNT => LeftState::Counts,
                    _ => return Err(wrong(key, value, "it is `count` or `trust`")),
                };
            }
            _ => return Err(SettingsErrorKind::WrongShape { key }),
        }
        self.origins.insert(key, origin);
        Ok(())
    }

    /// What is done with tests that turned to something outside.
    fn trust(&mut self, key: Key, what: Outside, policy: &str) -> Result<(), SettingsErrorKind> {
        match policy {
            TRUST => self.untrusted.remove(&what),
            ALWAYS_RUN => self.untrusted.insert(what),
            _ => {
                let found = Value::Text(policy.to_owned());
                return Err(wrong(key, &found, "it is `trust` or `always-run`"));
            }
        };
        Ok(())
    }

    fn policy(&self, what: Outside) -> Value {
        let is_untrusted = self.untrusted.contains(&what);
        let policy = if is_untrusted { ALWAYS_RUN } else { TRUST };
        Value::Text(policy.to_owned())
    }

    /// Sets where records are kept; a path need not be text.
    pub(crate) fn set_store(&mut self, path: PathBuf, origin: Origin) {
        self.store = path;
        self.origins.insert(Key::Store, origin);
    }

    /// Files that no test depends on.
    pub(crate) fn ignored_files(&self) -> GlobSet {
        // Globs that are too much together ignore nothing: then more tests run.
        glob_set(&self.ignored_files).unwrap_or_default()
    }

    /// Tests that run each time, by name.
    pub(crate) fn always_run(&self) -> GlobSet {
        // Globs that are too much together mean all tests.
        glob_set(&self.always_run)
            .unwrap_or_else(|| glob_set(&["*".to_owned()]).unwrap_or_default())
    }

    /// What a key is set to.
    pub(crate) fn value(&self, key: Key) -> Value {
        match key {
            Key::Enabled => Value::Flag(self.is_enabled),
            Key::Mesh => Value::Text(self.mesh.name().to_owned()),
            Key::AsFile => Value::List(self.as_file.iter().map(ToString::to_string).collect()),
            Key::Granularity => Value::Text(granularity_name(self.granularity).to_owned()),
            Key::RunAll => Value::Flag(self.run_all),
            Key::Record => Value::Flag(self.is_recording),
            Key::Store => Value::Text(path_text(&self.store)),
            Key::MaxAge => Value::Number(self.max_age.into()),
            Key::RecordsKept => Value::Number(self.n_kept.into()),
            Key::DebugInfo => Value::Flag(self.debug_info == DebugInfo::Counted),
            Key::IgnoredFiles => Value::List(self.ignored_files.clone()),
            Key::AlwaysRun => Value::List(self.always_run.clone()),
            Key::Network => self.policy(Outside::Network),
            Key::Processes => self.policy(Outside::Process),
            Key::LeftState => {
                let policy = match self.left_state {
                    LeftState::Counts => COUNT,
                    LeftState::IsTrusted => TRUST,
                };
                Value::Text(policy.to_owned())
            }
        }
    }

    /// Where it was set.
    pub(crate) fn origin(&self, key: Key) -> &Origin {
        self.origins.get(&key).unwrap_or(&Origin::BuiltIn)
    }
}

/// Whether debug info counts.
pub(crate) fn debug_info(is_counted: bool) -> DebugInfo {
    if is_counted {
        DebugInfo::Counted
    } else {
        DebugInfo::Ignored
    }
}

/// The meshes that there are today.
fn mesh_of(name: &str) -> Result<Mesh, SettingsErrorKind> {
    match name {
        "file" => Ok(Mesh::File),
        "method" => Ok(Mesh::Method),
        "dispatch" => Ok(Mesh::Dispatch),
        "block" => Ok(Mesh::Block),
        _ => Err(wrong(
            Key::Mesh,
            &Value::Text(name.to_owned()),
            "it is `file`, `method`, `dispatch` or `block`",
        )),
    }
}

/// The kind of change that a short code stands for.
fn kind_of(code: &str) -> Result<ChangeKind, SettingsErrorKind> {
    let kind = ChangeKind::ALL.iter().find(|kind| kind.code() == code);
    kind.copied().ok_or_else(|| {
        let found = Value::Text(code.to_owned());
        let codes: Vec<&str> = ChangeKind::ALL.iter().map(|kind| kind.code()).collect();
        wrong(
            Key::AsFile,
            &found,
            &format!("the kinds of changes are {}", codes.join(", ")),
        )
    })
}

/// What can run or be skipped as one.
fn granularity_of(name: &str) -> Result<Granularity, SettingsErrorKind> {
    match name {
        "class" => Ok(Granularity::Class),
        "method" => Ok(Granularity::Method),
        _ => Err(wrong(
            Key::Granularity,
            &Value::Text(name.to_owned()),
            "it is `class` or `method`",
        )),
    }
}

/// Its name in files.
pub(crate) fn granularity_name(granularity: Granularity) -> &'static str {
    match granularity {
        Granularity::Class => "class",
        Granularity::Method => "method",
    }
}

fn store_of(path: &str) -> Result<PathBuf, SettingsErrorKind> {
    if path.is_empty() {
        return Err(wrong(
            Key::Store,
            &Value::Text(String::new()),
            "it is the path of a directory",
        ));
    }
    Ok(PathBuf::from(path))
}

fn small(key: Key, number: u64) -> Result<u32, SettingsErrorKind> {
    let too_large = |_| wrong(key, &Value::Number(number), "that is too large");
    u32::try_from(number).map_err(too_large)
}

fn at_least_one(key: Key, number: u64) -> Result<u32, SettingsErrorKind> {
    if number == 0 {
        return Err(wrong(
            key,
            &Value::Number(0),
            "at least one record has to be kept; `record = false` keeps no new ones",
        ));
    }
    small(key, number)
}

/// All globs together, unless that is too much.
fn glob_set(globs: &[String]) -> Option<GlobSet> {
    let mut builder = GlobSetBuilder::new();
    for glob in globs.iter().filter_map(|glob| Glob::new(glob).ok()) {
        builder.add(glob);
    }
    builder.build().ok()
}

fn checked_globs(key: Key, globs: &[String]) -> Result<Vec<String>, SettingsErrorKind> {
    for glob in globs {
        Glob::new(glob).map_err(|error| {
            let reason = error.kind().to_string();
            wrong(key, &Value::Text(glob.clone()), &reason)
        })?;
    }
    Ok(globs.to_vec())
}

fn wrong(key: Key, found: &Value, reason: &str) -> SettingsErrorKind {
    SettingsErrorKind::WrongValue {
        key,
        found: found.to_string(),
        reason: reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    /// What a file sets, or its error with the cause.
    fn set(text: &str) -> Result<Settings, String> {
        let mut settings = Settings::default();
        file::add_text(&mut settings, Path::new("tamis.toml"), text)
            .map_err(|error| format!("{error}: {}", error.source().unwrap()))?;
        Ok(settings)
    }

    fn check_error(text: &str, expected: &str) {
        assert_eq!(set(text).unwrap_err(), expected);
    }

    #[test]
    fn a_file_sets_what_it_names() {
        let settings = set("max-age = 7\n\nmesh = 'file'\nignored-files = [\n  'log/**',\n]\n");
        let settings = settings.unwrap();
        assert_eq!(settings.max_age, 7);
        assert_eq!(settings.mesh, Mesh::File);
        assert_eq!(settings.ignored_files, ["log/**"]);
        assert_eq!(
            settings.origin(Key::Mesh).to_string(),
            "`tamis.toml`, line 3"
        );
        assert_eq!(settings.origin(Key::Store), &Origin::BuiltIn);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        check_error(
            "mesh = 'file'\nmax_age = 3",
            "cannot use `tamis.toml`, line 2: there is no key `max_age`",
        );
        check_error(
            "[tests]\nmesh = 'file'",
            "cannot use `tamis.toml`, line 2: there is no key `tests.mesh`",
        );
        check_error(
            "[tests]",
            "cannot use `tamis.toml`, line 1: there is no key `tests`",
        );
        check_error(
            "max-age = -1",
            "cannot use `tamis.toml`, line 1: `max-age` is a number",
        );
        check_error(
            "mesh = 'line'",
            "cannot use `tamis.toml`, line 1: `mesh` cannot be \"line\": it is `file`, `method`, `dispatch` or `block`",
        );
        check_error(
            "records-kept = 0",
            "cannot use `tamis.toml`, line 1: `records-kept` cannot be 0: at least one record has to \
             be kept; `record = false` keeps no new ones",
        );
        check_error(
            "ignored-files = ['{a']",
            "cannot use `tamis.toml`, line 1: `ignored-files` cannot be \"{a\": unclosed alternate \
             group; missing '}' (maybe escape '{' with '[{]'?)",
        );
        let error = set("mesh = 'file'\nmesh = 'file'").unwrap_err();
        assert!(
            error.starts_with("cannot use `tamis.toml`, line 2: it is no TOML: duplicate key"),
            "{error}"
        );
    }

    #[test]
    fn keys_that_may_have_been_meant_are_offered() {
        let mut settings = Settings::default();
        let error = file::add_text(&mut settings, Path::new("x"), "max_age = 1").unwrap_err();
        assert_eq!(error.kind.similar(), ["max-age"]);
    }

    #[test]
    fn the_names_of_ekstazi_are_understood() {
        let settings = set(
            "forceall = true\nskipme = true\nroot.dir = 'data'\nforcefailing = true\n\
             dependencies.append = false\nhash.without.debuginfo = false\n",
        );
        let settings = settings.unwrap();
        assert!(settings.run_all);
        assert!(!settings.is_enabled);
        assert_eq!(settings.store, Path::new("data"));
        assert_eq!(settings.debug_info, DebugInfo::Counted);
        check_error(
            "forcefailing = false",
            "cannot use `tamis.toml`, line 1: `forcefailing` of Ekstazi cannot be set here: a test \
             that did not pass runs until it does",
        );
        check_error(
            "[hash]\nalgorithm = 'CRC32'",
            "cannot use `tamis.toml`, line 2: `hash.algorithm` of Ekstazi cannot be set here: \
             checksums are always 128 bits of BLAKE3",
        );
        check_error(
            "skipme = 'no'",
            "cannot use `tamis.toml`, line 1: `skipme` of Ekstazi is `true` or `false`",
        );
    }

    /// Whoever takes the marks of comments away changes nothing.
    #[test]
    fn the_default_file_says_what_is_built_in() {
        assert_eq!(set(DEFAULT_FILE).unwrap().origins.len(), 0);
        let lines = DEFAULT_FILE.lines();
        let keys: Vec<&str> = lines
            .filter_map(|line| line.strip_prefix("#"))
            .filter(|line| !line.is_empty() && !line.starts_with(' '))
            .collect();
        let settings = set(&keys.join("\n")).unwrap();
        for key in Key::ALL {
            assert_eq!(settings.value(*key), Settings::default().value(*key));
            assert_ne!(settings.origin(*key), &Origin::BuiltIn, "{key:?}");
        }
    }

    fn load(home: &Path, root: &Path, variables: &[(&str, &str)]) -> Result<Settings, String> {
        let variable = |wanted: &str| {
            let found = variables.iter().find(|(name, _)| *name == wanted);
            found.map(|(_, value)| OsString::from(value))
        };
        Settings::load(&Sources {
            home_file: Some(home.join("config.toml")),
            root,
            directory: Path::new("/here"),
            variable: &variable,
        })
        .map_err(|error| format!("{error}: {}", error.source().unwrap()))
    }

    #[test]
    fn later_layers_override() {
        let [home, root] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let [home, root] = [home.path(), root.path()];
        assert_eq!(load(home, root, &[]).unwrap().files.len(), 0);
        std::fs::write(home.join("config.toml"), "max-age = 1\nmesh = 'file'").unwrap();
        std::fs::write(root.join(PROJECT_FILE), "max-age = 2\nrecord = false").unwrap();
        let variables = [
            ("TAMIS_RECORD", "true"),
            ("TAMIS_STORE", "kept"),
            ("TAMIS_MESH", ""),
        ];
        let settings = load(home, root, &variables).unwrap();
        assert_eq!((settings.max_age, settings.mesh), (2, Mesh::File));
        assert!(settings.is_recording);
        assert_eq!(settings.store, Path::new("/here/kept"));
        assert_eq!(
            settings.origin(Key::Record).to_string(),
            "the variable `TAMIS_RECORD`"
        );
        assert_eq!(settings.files.len(), 2);
        assert_eq!(
            load(home, root, &[("TAMIS_MAX_AGE", "old")]).unwrap_err(),
            "cannot use the variable `TAMIS_MAX_AGE`: `max-age` is a number"
        );
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join(PROJECT_FILE)).unwrap();
        let error = load(Path::new("/nowhere"), root.path(), &[]).unwrap_err();
        assert!(error.ends_with("tamis.toml`: it cannot be read"), "{error}");
    }
}
