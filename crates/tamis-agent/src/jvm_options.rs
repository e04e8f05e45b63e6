//! The texts in which the options of a JVM can stand: its arguments, the files of arguments that they
//! name, and variables of its environment.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt};
use std::path::Path;

/// Variables that the launcher and the JVM read.
const VARIABLES: [&str; 3] = ["JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"];

/// The texts of a JVM with these arguments, each ended by a zero, in this directory. Without an environment
/// it has that of this process; of another one all of it is given.
///
/// What stands behind the main class is in it too, since to tell that apart takes a launcher.
pub(crate) fn texts(
    arguments: &[u8],
    environment: Option<&[u8]>,
    directory: &Path,
) -> Vec<Vec<u8>> {
    let mut texts = vec![arguments.to_vec()];
    let named = arguments.split(|byte| *byte == 0);
    let files = named.filter_map(|argument| argument.strip_prefix(b"@"));
    // A file that cannot be read is no file of arguments for the launcher either.
    texts.extend(files.filter_map(|file| fs::read(directory.join(OsStr::from_bytes(file))).ok()));
    if let Some(block) = environment {
        texts.push(block.to_vec());
    } else {
        let values = VARIABLES.iter().filter_map(env::var_os);
        texts.extend(values.map(OsStringExt::into_vec));
    }
    texts
}

/// Those of this process.
pub(crate) fn of_this_process() -> Vec<Vec<u8>> {
    let line = fs::read("/proc/self/cmdline").unwrap_or_default();
    texts(&line, None, Path::new(""))
}

/// Whether a text has another one in it.
pub(crate) fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_files_and_environment_are_looked_at() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("options"), "-cp x").unwrap();
        let found = texts(b"@options\0@none\0Main\0", Some(b"A=B\0"), dir.path());
        let expected: [&[u8]; 3] = [b"@options\0@none\0Main\0", b"-cp x", b"A=B\0"];
        assert_eq!(found, expected);
    }

    #[test]
    fn this_process_has_arguments() {
        let name = env::args_os().next().unwrap();
        assert!(contains(&of_this_process()[0], name.as_bytes()));
    }
}
