//! One run of Maven with the extension: what is put in place before, and what is read after.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::command_line::{ExtendedArguments, Extensions};
use super::extension;
use super::notes::MavenNote;
use super::task_server::TaskServer;

/// The agent that test JVMs are to load.
#[derive(Debug, Clone, Copy)]
pub struct MavenAgent<'a> {
    /// The library.
    pub library: &'a Path,
    /// Its options; the extension adds `,label=` with the module and the execution.
    pub options: &'a str,
    /// The homes of the JDKs that were seen to load it, without symbolic links.
    pub proven_homes: &'a [PathBuf],
}

/// A run of Maven that is about to start.
#[derive(Debug)]
pub struct MavenRun {
    /// The arguments that Maven is to be started with.
    pub arguments: Vec<OsString>,
    notes: PathBuf,
}

/// The extension cannot be put in place.
#[derive(Debug, thiserror::Error)]
#[error("cannot put the extension for Maven in place in `{}`", directory.display())]
pub struct MavenRunError {
    /// Where it was to be.
    pub directory: PathBuf,
    /// What is wrong.
    #[source]
    pub kind: MavenRunErrorKind,
}

/// What is wrong.
#[derive(Debug, thiserror::Error)]
pub enum MavenRunErrorKind {
    /// A file cannot be written.
    #[error("cannot write the file")]
    Io(#[from] io::Error),
    /// A path has characters that Java could not be told.
    #[error("the path `{}` is no text", .0.display())]
    NotText(PathBuf),
    /// Maven splits its class path there.
    #[error("there is a colon in the path `{0}`")]
    Colon(String),
}

impl MavenRun {
    /// Puts the extension into `directory`, which is this run's alone, and adds it to the arguments.
    pub fn prepare(
        directory: &Path,
        agent: &MavenAgent<'_>,
        arguments: &[OsString],
    ) -> Result<Self, MavenRunError> {
        Self::prepare_with(directory, agent, arguments, None)
    }

    /// The same, and the extension asks this server before tests run.
    pub fn prepare_asking(
        directory: &Path,
        agent: &MavenAgent<'_>,
        arguments: &[OsString],
        server: &TaskServer,
    ) -> Result<Self, MavenRunError> {
        Self::prepare_with(directory, agent, arguments, Some(server))
    }

    fn prepare_with(
        directory: &Path,
        agent: &MavenAgent<'_>,
        arguments: &[OsString],
        server: Option<&TaskServer>,
    ) -> Result<Self, MavenRunError> {
        let configured = Extensions::of_this_process(arguments);
        let run = Self::put_in_place(directory, agent, arguments, configured, server);
        run.map_err(|kind| MavenRunError {
            directory: directory.to_path_buf(),
            kind,
        })
    }

    fn put_in_place(
        directory: &Path,
        agent: &MavenAgent<'_>,
        arguments: &[OsString],
        configured: Extensions,
        server: Option<&TaskServer>,
    ) -> Result<Self, MavenRunErrorKind> {
        let [jar, notes] = ["maven-extension.jar", "maven-notes"].map(|name| directory.join(name));
        let jar_text = text(&jar)?;
        if jar_text.contains(':') {
            return Err(MavenRunErrorKind::Colon(jar_text.to_owned()));
        }
        let extended = ExtendedArguments::new(jar_text, arguments, configured);
        // A home that is no text belongs to a JDK that cannot be named: it is as if it were not proven.
        let homes = agent.proven_homes.iter().filter_map(|home| home.to_str());
        let homes = homes.collect::<Vec<_>>().join("\n");
        let mut settings = vec![
            ("agent", text(agent.library)?),
            ("options", agent.options),
            ("homes", &homes),
            ("notes", text(&notes)?),
            ("inserted", &extended.inserted),
        ];
        let users = &extended.users;
        settings.extend(users.user_property.as_deref().map(|v| ("user-property", v)));
        settings.extend(
            users
                .system_property
                .as_deref()
                .map(|v| ("system-property", v)),
        );
        let host = server.map(TaskServer::settings);
        let host = host.iter().flatten();
        settings.extend(host.map(|(name, value)| (*name, &**value)));
        fs::write(&jar, extension::jar(&settings).map_err(io::Error::other)?)?;
        Ok(Self {
            arguments: extended.arguments,
            notes,
        })
    }

    /// What the extension told, once Maven has ended.
    pub fn notes(&self) -> Vec<MavenNote> {
        // A file that is missing or cannot be read has not told that the extension was loaded.
        let file = fs::read(&self.notes).unwrap_or_default();
        MavenNote::parse_all(&String::from_utf8_lossy(&file))
    }
}

fn text(path: &Path) -> Result<&str, MavenRunErrorKind> {
    path.to_str()
        .ok_or_else(|| MavenRunErrorKind::NotText(path.to_path_buf()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maven::MavenNoteKind;
    use std::os::unix::ffi::OsStrExt as _;

    #[test]
    fn a_directory_that_maven_cannot_be_told() {
        let agent = MavenAgent {
            library: Path::new("/agent.so"),
            options: "o",
            proven_homes: &[],
        };
        let prepare = |directory: &[u8]| {
            let directory = Path::new(std::ffi::OsStr::from_bytes(directory));
            MavenRun::prepare(directory, &agent, &[]).unwrap_err().kind
        };
        assert!(matches!(prepare(b"/a:b"), MavenRunErrorKind::Colon(_)));
        assert!(matches!(prepare(b"/a\xff"), MavenRunErrorKind::NotText(_)));
        assert!(matches!(prepare(b"/no/such"), MavenRunErrorKind::Io(_)));
    }

    #[test]
    fn a_run_that_told_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let agent = MavenAgent {
            library: Path::new("/agent.so"),
            options: "o",
            proven_homes: &[],
        };
        let run = MavenRun::prepare(dir.path(), &agent, &["test".into()]).unwrap();
        assert_eq!(run.arguments.len(), 2);
        let kinds: Vec<_> = run.notes().iter().map(|note| note.kind).collect();
        assert_eq!(kinds, [MavenNoteKind::NotLoaded]);
    }
}
