//! What is the same for all tests of a JVM: the environment, the JDK, its options. Each is one fact.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use tamis_build::JvmOptions;
use tamis_facts::Checksum;
use tamis_select::plain;
use tamis_wire::Hello;

/// What facts mean. Another number makes all records of before untrue: it is raised when facts are collected
/// or compared in another way.
const SEMANTICS: u32 = 10;

/// Variables that differ from one terminal, session or CI job to the next, and that no test should look at. A name
/// that ends in `*` stands for all that begin so.
const VOLATILE: &[&str] = &[
    "_",
    "BUILD_ID",
    "BUILD_NUMBER",
    "BUILD_TAG",
    "BUILD_URL",
    "CI_COMMIT_*",
    "CI_JOB_*",
    "CI_PIPELINE_*",
    "COLORTERM",
    "COLUMNS",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "GITHUB_*",
    "GPG_AGENT_INFO",
    "INVOCATION_ID",
    "JAVA_TOOL_OPTIONS",
    "JOURNAL_STREAM",
    "LINES",
    "LS_COLORS",
    "MAVEN_CMD_LINE_ARGS",
    "OLDPWD",
    "PWD",
    "RUNNER_*",
    "SHLVL",
    "SSH_*",
    "STY",
    "TAMIS_*",
    "TERM",
    "TERM_*",
    "TMUX*",
    "VSCODE_*",
    "WAYLAND_DISPLAY",
    "WINDOWID",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "XDG_SESSION_*",
    "XDG_VTNR",
];

/// Variables from which the JVM itself, or the build, takes which JDK there is and how it behaves: nobody sees who reads
/// them. The star means the same.
const OF_JVM: &[&str] = &[
    "CLASSPATH",
    "HOME",
    "JAVA_*",
    "JDK_*",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "LD_*",
    "M2_HOME",
    "MAVEN_*",
    "MVN*",
    "PATH",
    "TZ",
    "USER",
    "_JAVA_OPTIONS",
];

/// Fields in an order, as one checksum; no two lists of fields have the same.
#[derive(Debug, Default)]
pub(crate) struct Fields(Vec<u8>);

impl Fields {
    pub(crate) fn add(&mut self, field: &[u8]) {
        self.0.extend((field.len() as u64).to_le_bytes());
        self.0.extend(field);
    }

    pub(crate) fn checksum(&self) -> Checksum {
        plain(&self.0)
    }
}

/// The value of the fact about what facts mean.
pub(crate) fn semantics() -> Checksum {
    plain(&SEMANTICS.to_le_bytes())
}

/// The settings of the build that tests can see, and the properties that it hands to them and that are no facts of
/// their own.
pub(crate) fn configuration(settings: Checksum, properties: Checksum) -> Checksum {
    let mut fields = Fields::default();
    fields.add(&settings.0);
    fields.add(&properties.0);
    fields.checksum()
}

/// The environment that a command finds.
pub(crate) fn environment() -> Checksum {
    let mut fields = Fields::default();
    for (name, value) in own_variables() {
        fields.add(name.as_bytes());
        fields.add(value.as_bytes());
    }
    fields.checksum()
}

fn own_variables() -> BTreeMap<OsString, OsString> {
    env::vars_os()
        .filter(|(name, _)| !is_volatile(name))
        .collect()
}

fn is_volatile(name: &OsStr) -> bool {
    is_among(name.as_bytes(), VOLATILE)
}

/// Whether a name is one of a list.
pub(crate) fn is_among(name: &[u8], list: &[&str]) -> bool {
    list.iter().any(|known| match known.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning.as_bytes()),
        None => name == known.as_bytes(),
    })
}

/// What a JVM was started with.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    /// Its options, what its program is told, and variables that the build has added or changed.
    pub(crate) checksum: Checksum,
    /// The files that hold options, with what was in them.
    pub(crate) files: Vec<(PathBuf, Checksum)>,
}

/// What a JVM was started with, or why that cannot be known. What its program is told counts unless the build starts it: then it is
/// part of the settings, or made up for one JVM.
pub(crate) fn launch(hello: &Hello) -> Result<Launch, String> {
    let directory = Path::new(OsStr::from_bytes(&hello.directory));
    let variables = fs::read(format!("/proc/{}/environ", hello.pid));
    let variables = variables.map_err(|error| format!("cannot read its environment: {error}"))?;
    let variables = parse_variables(&variables);
    let mut fields = Fields::default();
    fields.add(&hello.vm_version);
    fields.add(&hello.java_home);
    let read = JvmOptions::read(&hello.arguments, &variables, directory)?;
    for option in read
        .options
        .iter()
        .filter(|option| !option.starts_with(b"-agentpath:"))
    {
        fields.add(option);
    }
    fields.add(b"");
    if hello.label.is_empty() {
        for argument in &read.program {
            fields.add(argument);
        }
        fields.add(b"");
    }
    let own = own_variables();
    for (name, value) in &variables {
        if !is_volatile(name) && own.get(name) != Some(value) {
            fields.add(name.as_bytes());
            fields.add(value.as_bytes());
        }
    }
    let files = read.files.into_iter().map(|file| {
        let content = file_of_options(&file)?;
        Ok((file, content))
    });
    Ok(Launch {
        checksum: fields.checksum(),
        files: files.collect::<Result<_, String>>()?,
    })
}

/// What is in a file that holds options.
pub(crate) fn file_of_options(file: &Path) -> Result<Checksum, String> {
    let text = fs::read(file);
    text.map(|text| plain(&text))
        .map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// The variables of a process, sorted.
fn parse_variables(bytes: &[u8]) -> BTreeMap<OsString, OsString> {
    let variables = bytes.split(|byte| *byte == 0).filter_map(|variable| {
        let equals = variable.iter().position(|byte| *byte == b'=')?;
        let (name, value) = (&variable[..equals], &variable[equals + 1..]);
        Some((
            OsString::from_vec(name.to_vec()),
            OsString::from_vec(value.to_vec()),
        ))
    });
    variables.collect()
}

/// The JVM that a launch gives today: the JDK may have been replaced in its place, and the system's time zone too; and
/// variables may tell it something else.
pub(crate) fn jvm(launch: Checksum, java_home: &Path) -> Checksum {
    let mut fields = Fields::default();
    fields.add(&launch.0);
    for (name, value) in own_variables() {
        if is_among(name.as_bytes(), OF_JVM) {
            fields.add(name.as_bytes());
            fields.add(value.as_bytes());
        }
    }
    // The user's own agents and options come to the tests in this variable beside ours.
    fields.add(
        env::var_os("JAVA_TOOL_OPTIONS")
            .unwrap_or_default()
            .as_bytes(),
    );
    let beside = java_home.parent().unwrap_or(java_home).join("release");
    for file in [
        &java_home.join("release"),
        &beside,
        Path::new("/etc/localtime"),
        Path::new("/etc/timezone"),
    ] {
        // A file that is not there is as good as an empty one: JDK 8 has its release file elsewhere.
        fields.add(&fs::read(file).unwrap_or_default());
    }
    fields.checksum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_run_into_each_other() {
        let sum = |fields: &[&str]| {
            let mut all = Fields::default();
            for field in fields {
                all.add(field.as_bytes());
            }
            all.checksum()
        };
        assert_ne!(sum(&["a", "b"]), sum(&["ab"]));
        assert_ne!(sum(&["a", ""]), sum(&["a"]));
    }

    #[test]
    fn sessions_do_not_count() {
        for (name, expected) in [
            ("SSH_TTY", true),
            ("PWD", true),
            ("PATH", false),
            ("TERMINAL", false),
        ] {
            assert_eq!(is_volatile(OsStr::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn variables_of_a_process() {
        let parsed = parse_variables(b"A=1\0B==2\0broken\0\0");
        let parsed: Vec<_> = parsed
            .iter()
            .map(|(n, v)| (n.to_str().unwrap(), v.to_str().unwrap()))
            .collect();
        assert_eq!(parsed, [("A", "1"), ("B", "=2")]);
    }
}
