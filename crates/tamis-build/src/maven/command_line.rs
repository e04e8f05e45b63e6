//! The command line of Maven: whether a command is one, and how an extension gets into it.
//!
//! Maven takes extensions from one property, `maven.ext.class.path`, and the last value given wins. So what
//! the user gives it, wherever that stands, is kept behind ours.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

const PROPERTY: &str = "maven.ext.class.path";

/// Programs that are Maven, by the names of their files.
const PROGRAMS: &[&str] = &["mvn", "mvnw", "mvnDebug", "mvn.cmd", "mvnw.cmd", "mvn.bat"];

/// Whether a program is Maven, by its name.
pub fn is_maven(program: &OsStr) -> bool {
    let name = Path::new(program).file_name().and_then(OsStr::to_str);
    name.is_some_and(|name| PROGRAMS.contains(&name))
}

/// Arguments of Maven with an extension in them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ExtendedArguments {
    /// All of them.
    pub(super) arguments: Vec<OsString>,
    /// What makes the user's arguments of them when it is taken out, once spaces join them.
    pub(super) inserted: String,
    /// What the user's own are, which Maven is to show to others.
    pub(super) users: Extensions,
}

/// Extensions that the user gives to Maven.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Extensions {
    /// As a user property.
    pub(super) user_property: Option<String>,
    /// As a system property; user properties are system properties too.
    pub(super) system_property: Option<String>,
}

impl ExtendedArguments {
    /// `configured` are the user's extensions that do not stand in `arguments`.
    pub(super) fn new(jar: &str, arguments: &[OsString], configured: Extensions) -> Self {
        let mut arguments = arguments.to_vec();
        let own = arguments.iter_mut().rev().find_map(|argument| {
            let (option, value) = split_definition(argument.to_str()?)?;
            let value = value.to_owned();
            *argument = format!("{option}{jar}:{value}").into();
            Some(value)
        });
        if let Some(value) = own {
            return Self {
                arguments,
                inserted: format!("{jar}:"),
                users: Extensions::by_user_property(value),
            };
        }
        let known = [&configured.user_property, &configured.system_property];
        let known = known.into_iter().flatten().next();
        let value = known.map_or_else(|| jar.to_owned(), |known| format!("{jar}:{known}"));
        let argument = format!("-D{PROPERTY}={value}");
        let inserted = format!("{argument} ");
        // In front: what follows `--` is no option.
        arguments.insert(0, argument.into());
        Self {
            arguments,
            inserted,
            users: configured,
        }
    }
}

impl Extensions {
    /// Those that Maven finds in its environment and in the project's `.mvn`.
    pub(super) fn of_this_process(arguments: &[OsString]) -> Self {
        let base = env::var_os("MAVEN_BASEDIR").map(PathBuf::from);
        let settings = base
            .unwrap_or_else(|| base_of(&start_of(arguments)))
            .join(".mvn");
        let file = |name| fs::read_to_string(settings.join(name)).ok();
        let variable = |name| env::var(name).ok();
        Self::in_options(
            [file("maven.config"), variable("MAVEN_ARGS")],
            [file("jvm.config"), variable("MAVEN_OPTS")],
        )
    }

    /// Among options of Maven and options of its JVM; the later ones win.
    fn in_options(maven: [Option<String>; 2], jvm: [Option<String>; 2]) -> Self {
        let last = |texts: [Option<String>; 2]| {
            let mut texts = texts.into_iter().flatten().rev();
            texts.find_map(|text| {
                let mut words = text.split_whitespace().rev();
                words.find_map(|word| Some(split_definition(word)?.1.to_owned()))
            })
        };
        match last(maven) {
            Some(value) => Self::by_user_property(value),
            None => Self {
                user_property: None,
                system_property: last(jvm),
            },
        }
    }

    fn by_user_property(value: String) -> Self {
        Self {
            user_property: Some(value.clone()),
            system_property: Some(value),
        }
    }
}

/// The value behind the property, and all that stands before it. `-D` may be an argument of its own.
fn split_definition(argument: &str) -> Option<(&str, &str)> {
    let definition = argument
        .strip_prefix("-D")
        .or(argument.strip_prefix("--define="))
        .unwrap_or(argument);
    let value = definition.strip_prefix(PROPERTY)?.strip_prefix('=')?;
    Some((&argument[..argument.len() - value.len()], value))
}

/// The directory of the POM.
fn start_of(arguments: &[OsString]) -> PathBuf {
    let is_option = |argument: &OsString| argument == "-f" || argument == "--file";
    let option = arguments.iter().position(is_option);
    let named = option.and_then(|option| arguments.get(option + 1));
    let named = named.map_or_else(|| PathBuf::from("."), PathBuf::from);
    let named = fs::canonicalize(&named).unwrap_or(named);
    if named.is_dir() {
        return named;
    }
    named.parent().map(Path::to_path_buf).unwrap_or(named)
}

/// The directory above that has a `.mvn`, or the directory itself.
fn base_of(start: &Path) -> PathBuf {
    let mut above = start.ancestors();
    let base = above.find(|directory| directory.join(".mvn").is_dir());
    base.unwrap_or(start).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arguments and what the user has configured elsewhere → arguments, what was inserted, properties.
    fn check(
        arguments: &str,
        configured: Extensions,
        expected: &str,
        inserted: &str,
        properties: [Option<&str>; 2],
    ) {
        let arguments: Vec<OsString> = arguments.split(' ').map(OsString::from).collect();
        let extended = ExtendedArguments::new("/r/t.jar", &arguments, configured);
        let line: Vec<_> = extended
            .arguments
            .iter()
            .map(|a| a.to_string_lossy())
            .collect();
        assert_eq!(line.join(" "), expected);
        assert_eq!(extended.inserted, inserted);
        let users = extended.users;
        assert_eq!(
            [
                users.user_property.as_deref(),
                users.system_property.as_deref()
            ],
            properties
        );
        let plain: Vec<_> = arguments.iter().map(|a| a.to_string_lossy()).collect();
        assert_eq!(line.join(" ").replace(inserted, ""), plain.join(" "));
    }

    #[test]
    fn programs_that_are_maven() {
        for program in ["mvn", "./mvnw", "/opt/maven 3/bin/mvn", "mvnw.cmd"] {
            assert!(is_maven(OsStr::new(program)), "{program}");
        }
        for program in ["mvnd", "java", "mvn/x", "", ".."] {
            assert!(!is_maven(OsStr::new(program)), "{program}");
        }
    }

    #[test]
    fn an_extension_among_no_others() {
        check(
            "-B test -- x",
            Extensions::default(),
            "-Dmaven.ext.class.path=/r/t.jar -B test -- x",
            "-Dmaven.ext.class.path=/r/t.jar ",
            [None, None],
        );
    }

    #[test]
    fn extensions_of_the_command_line_stay() {
        for before in ["-D", "-D ", "--define ", "--define="] {
            check(
                &format!("-B {before}maven.ext.class.path=a:b test"),
                Extensions::by_user_property("c".to_owned()),
                &format!("-B {before}maven.ext.class.path=/r/t.jar:a:b test"),
                "/r/t.jar:",
                [Some("a:b"), Some("a:b")],
            );
        }
    }

    #[test]
    fn extensions_configured_elsewhere_stay() {
        let line = |text: &str| Some(text.to_owned());
        let jvm = [None, line("-Xmx1g -Dmaven.ext.class.path=j")];
        check(
            "test",
            Extensions::in_options([None, None], jvm.clone()),
            "-Dmaven.ext.class.path=/r/t.jar:j test",
            "-Dmaven.ext.class.path=/r/t.jar:j ",
            [None, Some("j")],
        );
        let maven = [line("-T\n2\n-Dmaven.ext.class.path=m"), line("-B")];
        check(
            "test",
            Extensions::in_options(maven, jvm),
            "-Dmaven.ext.class.path=/r/t.jar:m test",
            "-Dmaven.ext.class.path=/r/t.jar:m ",
            [Some("m"), Some("m")],
        );
    }

    #[test]
    fn the_projects_settings_lie_above_the_pom() {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap();
        fs::create_dir_all(root.join(".mvn")).unwrap();
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/b/pom.xml"), "").unwrap();
        for pom in ["a/b/pom.xml", "a/b"] {
            let arguments = [OsString::from("-f"), root.join(pom).into()];
            assert_eq!(start_of(&arguments), root.join("a/b"));
        }
        assert_eq!(base_of(&root.join("a/b")), root);
    }
}
