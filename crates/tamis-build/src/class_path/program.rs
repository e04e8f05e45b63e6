//! What the program of a JVM is told that tests may notice: all arguments, but for those of known launchers that choose
//! tests or say where reports go.
//!
//! Who runs fewer tests than the last time must find what is known of them. So this is a list of what is left out: an
//! argument that is not on it, and each one of a program that is not known, counts.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::argument_file;
use crate::path_text::path_text;

/// How a program takes its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Launcher {
    /// JUnit's console, whose options are in the tables below.
    Console,
    /// Names of test classes, and a filter.
    Names,
    /// The test JVM of a build tool: names of files and ports that are made for one JVM.
    Worker,
    Unknown,
}

/// The main classes and modules of known launchers, and the beginnings of the names of their archives.
const LAUNCHERS: &[(&[u8], Launcher)] = &[
    (
        b"org.junit.platform.console.ConsoleLauncher",
        Launcher::Console,
    ),
    (b"org.junit.platform.console", Launcher::Console),
    (b"org.junit.runner.JUnitCore", Launcher::Names),
    (b"junit.textui.TestRunner", Launcher::Names),
    (
        b"org.apache.maven.surefire.booter.ForkedBooter",
        Launcher::Worker,
    ),
    (
        b"worker.org.gradle.process.internal.worker.GradleWorkerMain",
        Launcher::Worker,
    ),
    (
        b"org.apache.tools.ant.taskdefs.optional.junit.JUnitTestRunner",
        Launcher::Worker,
    ),
    (b"sbt.ForkMain", Launcher::Worker),
];

const ARCHIVES: &[(&[u8], Launcher)] = &[
    (b"junit-platform-console-standalone", Launcher::Console),
    (b"surefirebooter", Launcher::Worker),
];

/// Options of the console without a value.
const FLAGS: &[&[u8]] = &[
    b"--disable-ansi-colors",
    b"--disable-banner",
    b"--fail-if-no-tests",
    b"--scan-modules",
    b"--single-color",
];

/// Options of the console with a value, behind `=` or as the next argument.
const WITH_VALUE: &[&[u8]] = &[
    b"--color-palette",
    b"--details",
    b"--details-theme",
    b"--exclude-classname",
    b"--exclude-engine",
    b"--exclude-methodname",
    b"--exclude-package",
    b"--exclude-tag",
    b"--include-classname",
    b"--include-engine",
    b"--include-methodname",
    b"--include-package",
    b"--include-tag",
    b"--redirect-stderr",
    b"--redirect-stdout",
    b"--reports-dir",
    b"--scan-class-path",
    b"--scan-classpath",
    b"--select",
    b"--select-class",
    b"--select-directory",
    b"--select-file",
    b"--select-iteration",
    b"--select-method",
    b"--select-module",
    b"--select-package",
    b"--select-resource",
    b"--select-unique-id",
    b"--select-uri",
    b"--uid",
];

/// Those of one letter, whose value may follow it at once.
const LETTERS: &[u8] = b"ENTcdefimnoprtu";

/// How many files may name each other.
const MAX_DEPTH: usize = 16;

/// What the program of a JVM is told, its name first; or the file of arguments that cannot be read.
pub(super) fn told(program: &[Vec<u8>], directory: &Path) -> Result<Vec<Vec<u8>>, String> {
    let (name, launcher, arguments) = match program {
        [] => return Ok(Vec::new()),
        [sign, archive, arguments @ ..] if sign == b"-jar" => {
            let file = archive.rsplit(|byte| *byte == b'/').next();
            let known = ARCHIVES
                .iter()
                .find(|(start, _)| file.is_some_and(|file| file.starts_with(start)));
            // Which archive it is decides the class path.
            (sign, known.map(|(_, launcher)| *launcher), arguments)
        }
        [sign, module, arguments @ ..] if sign == b"-m" => {
            let main = module.rsplit(|byte| *byte == b'/').next();
            (module, main.and_then(launcher_of), arguments)
        }
        [main, arguments @ ..] => (main, launcher_of(main), arguments),
    };
    let mut told = vec![name.clone()];
    match launcher.unwrap_or(Launcher::Unknown) {
        Launcher::Console => {
            let arguments = expanded(arguments, directory, MAX_DEPTH)?;
            told.extend(left_over(&arguments, |argument| match argument {
                b"execute" => Left::Out,
                argument => console_option(argument),
            }));
        }
        Launcher::Names => told.extend(left_over(arguments, |argument| match argument {
            b"--filter" => Left::OutWithValue,
            argument if argument.starts_with(b"--filter=") => Left::Out,
            argument if argument.starts_with(b"-") => Left::In,
            _ => Left::Out,
        })),
        Launcher::Worker => {}
        Launcher::Unknown => told.extend_from_slice(arguments),
    }
    Ok(told)
}

fn launcher_of(main: &[u8]) -> Option<Launcher> {
    let known = LAUNCHERS.iter().find(|(name, _)| *name == main);
    known.map(|(_, launcher)| *launcher)
}

/// Whether an argument counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    In,
    Out,
    /// Nor does the next one, unless that is an option.
    OutWithValue,
}

fn left_over(arguments: &[Vec<u8>], left: impl Fn(&[u8]) -> Left) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let mut is_value = false;
    for argument in arguments {
        if std::mem::take(&mut is_value) && !argument.starts_with(b"-") {
            continue;
        }
        match left(argument) {
            Left::In => all.push(argument.clone()),
            Left::Out => {}
            Left::OutWithValue => is_value = true,
        }
    }
    all
}

fn console_option(argument: &[u8]) -> Left {
    let name = argument.split(|byte| *byte == b'=').next();
    let name = name.unwrap_or(argument);
    let has_value = name.len() < argument.len();
    match name {
        // Tests are not chosen by a class path, but looked for in it.
        [b'-', letter, rest @ ..] if name != b"-cp" && LETTERS.contains(letter) => {
            if rest.is_empty() && !has_value {
                Left::OutWithValue
            } else {
                Left::Out
            }
        }
        name if FLAGS.contains(&name) => Left::Out,
        name if WITH_VALUE.contains(&name) && has_value => Left::Out,
        name if WITH_VALUE.contains(&name) => Left::OutWithValue,
        _ => Left::In,
    }
}

/// The console reads files of arguments itself, and those may name others.
fn expanded(arguments: &[Vec<u8>], directory: &Path, depth: usize) -> Result<Vec<Vec<u8>>, String> {
    let mut all = Vec::new();
    for argument in arguments {
        match argument.strip_prefix(b"@") {
            None | Some(b"") => all.push(argument.clone()),
            Some(escaped) if escaped[0] == b'@' => all.push(escaped.to_vec()),
            Some(name) => {
                let path = directory.join(OsStr::from_bytes(name));
                let more = argument_file::read(&path).ok().filter(|_| depth > 0);
                let more = more.ok_or_else(|| format!("cannot read {}", path_text(&path)))?;
                all.extend(expanded(&more, directory, depth - 1)?);
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const CONSOLE: &str = "org.junit.platform.console.ConsoleLauncher";

    fn of(directory: &Path, line: &str) -> Result<String, String> {
        let program: Vec<Vec<u8>> = line.split(' ').map(|a| a.as_bytes().to_vec()).collect();
        let told = told(&program, directory)?;
        Ok(String::from_utf8(told.join(&b' ')).unwrap())
    }

    fn check(line: &str, expected: &str) {
        assert_eq!(
            of(Path::new("/none"), line).as_deref(),
            Ok(expected),
            "{line}"
        );
    }

    #[test]
    fn the_choice_of_tests_and_the_place_of_reports_are_left_out() {
        for arguments in [
            "execute -c a.B -c=a.C -ca.D --select-class a.B --select-class=a.C",
            "-m a.B#c -p a -n .*B -N .* -t slow -T quick -e jupiter -u file:/a -f x -d y -r z -i 1 -o m",
            "execute --scan-class-path --include-classname=.* --details=tree --reports-dir out",
            "execute --scan-classpath classes --disable-banner --disable-ansi-colors",
        ] {
            check(&format!("{CONSOLE} {arguments}"), CONSOLE);
        }
        check(
            &format!(
                "{CONSOLE} execute -c a.B --config a=1 --scan-class-path --config=b=2 -cp x:y --new z"
            ),
            &format!("{CONSOLE} --config a=1 --config=b=2 -cp x:y --new z"),
        );
    }

    #[test]
    fn it_is_known_by_its_class_its_module_or_its_archive() {
        check(
            "-jar lib/junit-platform-console-standalone-1.13.4.jar -c a.B --config a=1",
            "-jar --config a=1",
        );
        check(
            "-m org.junit.platform.console -c a.B",
            "org.junit.platform.console",
        );
        let main = format!("org.junit.platform.console/{CONSOLE}");
        check(&format!("-m {main} -c a.B"), &main);
        check("-jar target/surefirebooter123.jar /tmp x-1", "-jar");
    }

    #[test]
    fn old_launchers_are_told_names() {
        let core = "org.junit.runner.JUnitCore";
        check(
            &format!("{core} a.B a.C --filter=x=y --other"),
            &format!("{core} --other"),
        );
    }

    #[test]
    fn all_that_an_unknown_program_is_told_counts() {
        check("my.Main -c a.B @x", "my.Main -c a.B @x");
        check("-jar my.jar -c a.B", "-jar -c a.B");
        check("-m my/my.Main -c a.B", "my/my.Main -c a.B");
        assert_eq!(told(&[], Path::new("/none")), Ok(Vec::new()));
    }

    #[test]
    fn the_console_reads_files_of_arguments() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("choice"), "--select-class=a.B\n@more").unwrap();
        fs::write(dir.path().join("more"), "--config\na=1 @@x").unwrap();
        assert_eq!(
            of(dir.path(), &format!("{CONSOLE} execute @choice")).as_deref(),
            Ok(&*format!("{CONSOLE} --config a=1 @x"))
        );
        fs::write(dir.path().join("more"), "@choice").unwrap();
        assert!(of(dir.path(), &format!("{CONSOLE} @choice")).is_err());
        let gone = of(dir.path(), &format!("{CONSOLE} @gone")).unwrap_err();
        assert!(gone.ends_with("/gone"), "{gone}");
    }
}
