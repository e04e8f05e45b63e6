//! The agent as a file that JVMs can load: unpacked into a cache directory, and proven to load.
//!
//! An agent that cannot be loaded stops its JVM from starting. So each JDK is asked once, with `java
//! -version`, whether it takes the file, and the answer is kept beside it: the home that the JVM told,
//! since launchers may be scripts. A directory that cannot hold the file, or from which nothing may be
//! executed (`noexec`), is passed over for the next one.

use std::env;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Write as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::UNIX_EPOCH;

/// The library that is to be put in place.
#[derive(Debug, Clone, Copy)]
pub struct AgentLibrary<'a> {
    /// The content.
    pub bytes: &'a [u8],
    /// A name for the content: another content has another name.
    pub key: &'a str,
}

/// Directories that may hold what can be made again, the best first.
#[derive(Debug, Clone)]
pub struct CachePlaces(pub Vec<PathBuf>);

/// There is no place from which a JVM loads the agent.
#[derive(Debug, thiserror::Error)]
#[error("cannot put the agent in place ({})", failures_text(.failures))]
pub struct AgentFileError {
    /// Every place that was tried, and why it will not do.
    pub failures: Vec<PlaceError>,
}

/// A directory cannot hold the agent.
#[derive(Debug, thiserror::Error)]
#[error("in `{}`: {kind}", place.display())]
pub struct PlaceError {
    /// The directory.
    pub place: PathBuf,
    /// What is wrong.
    pub kind: PlaceErrorKind,
}

/// What is wrong with a directory.
#[derive(Debug, thiserror::Error)]
pub enum PlaceErrorKind {
    /// It cannot be made or written to.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Other users could replace what lies there.
    #[error("it belongs to another user, or others may write to it")]
    NotPrivate,
    /// A JVM does not load the agent from there.
    #[error("`{}` does not load it: {said}", java.display())]
    NotLoaded {
        /// The launcher.
        java: PathBuf,
        /// What it said.
        said: String,
    },
}

impl CachePlaces {
    /// `TAMIS_CACHE_DIR` alone if it is set; else the user's cache directory and, if that will not do,
    /// one for this user among the temporary files.
    pub fn of_this_process() -> Self {
        if let Some(named) = env::var_os("TAMIS_CACHE_DIR") {
            return Self(vec![named.into()]);
        }
        let absolute = |name| {
            env::var_os(name)
                .map(PathBuf::from)
                .filter(|p| p.is_absolute())
        };
        let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
        let mut places: Vec<PathBuf> = cache.map(|cache| cache.join("tamis")).into_iter().collect();
        places.extend(own_id().map(|id| env::temp_dir().join(format!("tamis-{id}"))));
        Self(places)
    }

    /// Puts the agent where each of these launchers loads it.
    pub fn install(
        &self,
        library: &AgentLibrary<'_>,
        launchers: &[PathBuf],
    ) -> Result<PathBuf, AgentFileError> {
        let mut failures = Vec::new();
        for place in &self.0 {
            match install_in(place, library, launchers) {
                Ok(file) => return Ok(file),
                Err(kind) => failures.push(PlaceError {
                    place: place.clone(),
                    kind,
                }),
            }
        }
        Err(AgentFileError { failures })
    }
}

impl AgentLibrary<'_> {
    /// The homes of those launchers that load the agent, once it is installed; sorted, without symbolic
    /// links. Of a JDK 8 both the JDK's and that of the run-time environment in it.
    pub fn proven_homes(&self, installed: &Path, launchers: &[PathBuf]) -> Vec<PathBuf> {
        let place = installed.parent().unwrap_or(Path::new("."));
        let mut homes = Vec::new();
        for launcher in launchers {
            if let Ok(home) = prove(place, installed, self, launcher) {
                let outer = home.parent().filter(|_| home.ends_with("jre"));
                homes.extend(outer.and_then(|jdk| home_of(&jdk.join("bin/java"))));
                homes.extend(home_of(&home.join("bin/java")));
            }
        }
        homes.sort();
        homes.dedup();
        homes
    }
}

/// The home that a launcher lies in, once symbolic links are followed.
fn home_of(java: &Path) -> Option<PathBuf> {
    let java = fs::canonicalize(java).ok()?;
    Some(java.parent()?.parent()?.to_path_buf())
}

/// The launchers that a command may start: itself, that of `JAVA_HOME`, and the one in `PATH`.
pub fn launchers_of(program: &Path) -> Vec<PathBuf> {
    let java = Path::new("java");
    let named = program.file_name() == Some(java.as_os_str());
    let home = env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin/java"));
    let found = named.then(|| find_program(program)).flatten();
    let mut launchers: Vec<PathBuf> = Vec::new();
    for launcher in [found, home, find_program(java)].into_iter().flatten() {
        // The link itself is kept: a launcher finds its JDK by the path it was started under.
        let is_new =
            |known: &PathBuf| fs::canonicalize(known).ok() != fs::canonicalize(&launcher).ok();
        if launcher.is_file() && launchers.iter().all(is_new) {
            launchers.push(launcher);
        }
    }
    launchers
}

fn find_program(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return Some(program.to_path_buf());
    }
    let path = env::var_os("PATH")?;
    let mut files = env::split_paths(&path).map(|directory| directory.join(program));
    files.find(|file| file.is_file())
}

fn install_in(
    place: &Path,
    library: &AgentLibrary<'_>,
    launchers: &[PathBuf],
) -> Result<PathBuf, PlaceErrorKind> {
    make_private(place)?;
    let file = place.join(format!("libtamis_agent-{}.so", library.key));
    if fs::read(&file).ok().as_deref() != Some(library.bytes) {
        write_whole(&file, library.bytes)?;
    }
    for launcher in launchers {
        prove(place, &file, library, launcher)?;
    }
    Ok(file)
}

/// Makes the directory if it is not there. What lies in it is loaded into the user's JVMs: nobody else
/// may be able to put it there.
fn make_private(place: &Path) -> Result<(), PlaceErrorKind> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(place)?;
    let metadata = fs::symlink_metadata(place)?;
    let is_own = metadata.is_dir() && Some(metadata.uid()) == own_id();
    let is_shared = metadata.mode() & 0o022 != 0;
    if is_own && !is_shared {
        return Ok(());
    }
    Err(PlaceErrorKind::NotPrivate)
}

/// Writes under another name and renames: another process sees all of the file or nothing, and one that
/// has it loaded keeps what it has.
fn write_whole(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = file.with_extension(format!("{}.tmp", unique()));
    let written = File::create(&temporary)
        .and_then(|mut out| out.write_all(bytes))
        .and_then(|()| fs::rename(&temporary, file));
    if written.is_err() {
        // What was written of it may be what fills the disk; if it cannot go, it is in nobody's way.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A name that no other thread of any process has now.
fn unique() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!(
        "{}-{}",
        process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    )
}

/// Checks that a launcher's JVM starts with the agent, unless that is known; the JVM's home.
fn prove(
    place: &Path,
    file: &Path,
    library: &AgentLibrary<'_>,
    java: &Path,
) -> Result<PathBuf, PlaceErrorKind> {
    let proof = place.join(proof_name(library, java)?);
    if let Ok(home) = fs::read(&proof) {
        return Ok(OsString::from_vec(home).into());
    }
    let mut option = OsString::from("-agentpath:");
    option.push(file);
    let output = Command::new(java)
        .arg(option)
        .args(["-XshowSettings:properties", "-version"])
        .env_remove("JAVA_TOOL_OPTIONS")
        .output()?;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    if !output.status.success() {
        return Err(PlaceErrorKind::NotLoaded {
            java: java.to_path_buf(),
            said: said.trim().replace('\n', " "),
        });
    }
    let home = told_home(&said).or_else(|| home_of(java));
    let home = home.ok_or(io::Error::from(io::ErrorKind::NotFound))?;
    // It is only asked again if this cannot be kept.
    let _ = write_whole(&proof, home.as_os_str().as_bytes());
    Ok(home)
}

/// `java.home` among the settings that a JVM showed, if it is there.
fn told_home(said: &str) -> Option<PathBuf> {
    let mut values = said
        .lines()
        .filter_map(|line| line.trim().strip_prefix("java.home = "));
    let home = PathBuf::from(values.next()?);
    home.is_dir().then_some(home)
}

/// Another agent, another launcher, or the same one changed, is another name.
fn proof_name(library: &AgentLibrary<'_>, java: &Path) -> io::Result<String> {
    let java = fs::canonicalize(java)?;
    let metadata = fs::metadata(&java)?;
    let changed = metadata.modified()?.duration_since(UNIX_EPOCH);
    let changed = changed.map_or(0, |since| since.as_nanos());
    let path: String = java.to_string_lossy().replace('/', "+");
    let tail: String = path
        .chars()
        .rev()
        .take(100)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    Ok(format!(
        "home-{}-{:x}-{:x}-{:x}{tail}",
        library.key,
        metadata.dev(),
        metadata.ino(),
        changed
    ))
}

/// The user's number, as the system shows it for this process.
fn own_id() -> Option<u32> {
    fs::metadata("/proc/self").ok().map(|me| me.uid())
}

fn failures_text(failures: &[PlaceError]) -> String {
    let failures: Vec<String> = failures.iter().map(ToString::to_string).collect();
    failures.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;
    use std::slice;

    const LIBRARY: AgentLibrary<'_> = AgentLibrary {
        bytes: b"library",
        key: "k",
    };

    /// A launcher that is a script.
    fn launcher(dir: &Path, script: &str) -> PathBuf {
        let file = dir.join("java");
        fs::write(
            &file,
            format!("#!/bin/sh\necho x >> {}/runs\n{script}\n", dir.display()),
        )
        .unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        file
    }

    fn n_runs(dir: &Path) -> usize {
        fs::read_to_string(dir.join("runs")).map_or(0, |text| text.lines().count())
    }

    #[test]
    fn a_launcher_is_asked_once() {
        let dir = tempfile::tempdir().unwrap();
        let java = launcher(dir.path(), "exit 0");
        let places = CachePlaces(vec![dir.path().join("cache")]);
        for _ in 0..2 {
            let file = places.install(&LIBRARY, slice::from_ref(&java)).unwrap();
            assert_eq!(fs::read(file).unwrap(), b"library");
        }
        assert_eq!(n_runs(dir.path()), 1);
        let other = AgentLibrary {
            key: "l",
            ..LIBRARY
        };
        places.install(&other, &[java]).unwrap();
        assert_eq!(n_runs(dir.path()), 2);
    }

    /// A launcher may be a script far from its JDK, and does not tell its home if it does not load the agent.
    #[test]
    fn homes_are_those_that_jvms_tell() {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap();
        for home in [
            "jdk8/bin",
            "jdk8/jre/bin",
            "shims/bin",
            "bad/bin",
            "silent/bin",
        ] {
            fs::create_dir_all(root.join(home)).unwrap();
            fs::write(root.join(home).join("java"), "").unwrap();
        }
        let told = format!("echo '    java.home = {}/jdk8/jre' >&2", root.display());
        let launchers = [
            launcher(&root.join("shims/bin"), &told),
            launcher(&root.join("bad/bin"), "exit 1"),
            launcher(&root.join("silent/bin"), "exit 0"),
        ];
        let places = CachePlaces(vec![root.join("cache")]);
        let file = places.install(&LIBRARY, &[]).unwrap();
        for _ in 0..2 {
            let homes = LIBRARY.proven_homes(&file, &launchers);
            let expected = ["jdk8", "jdk8/jre", "silent"].map(|home| root.join(home));
            assert_eq!(homes, expected);
        }
        assert_eq!(n_runs(&root.join("shims/bin")), 1);
    }

    #[test]
    fn a_file_that_was_changed_is_written_anew() {
        let dir = tempfile::tempdir().unwrap();
        let places = CachePlaces(vec![dir.path().join("cache")]);
        let file = places.install(&LIBRARY, &[]).unwrap();
        fs::write(&file, "libr").unwrap();
        assert_eq!(places.install(&LIBRARY, &[]).unwrap(), file);
        assert_eq!(fs::read(file).unwrap(), b"library");
        let n_files = fs::read_dir(dir.path().join("cache")).unwrap().count();
        assert_eq!(n_files, 1, "nothing temporary is left");
    }

    #[test]
    fn a_place_that_will_not_do_is_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("file"), "").unwrap();
        let shared = dir.path().join("shared");
        fs::create_dir(&shared).unwrap();
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o777)).unwrap();
        let good = dir.path().join("good");
        let places = CachePlaces(vec![dir.path().join("file/x"), shared, good.clone()]);
        let file = places.install(&LIBRARY, &[]).unwrap();
        assert!(file.starts_with(good));
    }

    #[test]
    fn a_jvm_that_does_not_load_it_is_told_with_what_it_said() {
        let dir = tempfile::tempdir().unwrap();
        let java = launcher(dir.path(), "echo no such thing >&2; exit 1");
        let error = CachePlaces(vec![dir.path().join("a"), dir.path().join("b")])
            .install(&LIBRARY, &[java])
            .unwrap_err();
        assert_eq!(error.failures.len(), 2);
        let text = error.to_string();
        assert!(text.contains("does not load it: no such thing"), "{text}");
    }

    #[test]
    fn many_processes_at_once_see_a_whole_file() {
        let dir = tempfile::tempdir().unwrap();
        let bytes = vec![7; 3_000_000];
        let library = AgentLibrary {
            bytes: &bytes,
            key: "k",
        };
        let places = CachePlaces(vec![dir.path().join("cache")]);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let file = places.install(&library, &[]).unwrap();
                    assert!(fs::read(file).unwrap() == bytes);
                });
            }
        });
    }
}
