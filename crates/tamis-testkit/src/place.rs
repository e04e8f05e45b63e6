//! Where test artefacts live: `target/testkit/` of the workspace, whatever cargo's own target
//! directory is, so that every checkout downloads a jar and compiles the Java side once. Whatever
//! is there is complete: it is made under another name, while a lock is held, and renamed.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// `target/testkit/` of the workspace; made when it is missing.
pub fn testkit_dir() -> Result<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    let dir = workspace
        .context("the crate lies in crates/ of a workspace")?
        .join("target/testkit");
    fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
    Ok(dir)
}

/// The folder `name` below [`testkit_dir`], made by `fill` unless it is there already. `fill` gets
/// an empty folder.
pub fn folder_once(name: &str, fill: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let finished = testkit_dir()?.join(name);
    if finished.is_dir() {
        return Ok(finished);
    }
    let lock = Lock::take(name)?;
    if !finished.is_dir() {
        let parent = finished.parent().context("a folder below target/testkit")?;
        fs::create_dir_all(parent)?;
        let temporary = tempfile::Builder::new()
            .prefix(".making-")
            .tempdir_in(parent)?;
        fill(temporary.path())?;
        fs::rename(temporary.keep(), &finished)
            .with_context(|| format!("cannot move into place: {}", finished.display()))?;
    }
    drop(lock);
    Ok(finished)
}

/// A name for what `parts` say, the same in every process.
pub fn content_key<T: Hash + ?Sized>(parts: &T) -> String {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Keeps other test processes out while it lives.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "the lock ends when the file is closed")] File);

impl Lock {
    /// Waits for the lock called `name`.
    pub fn take(name: &str) -> Result<Self> {
        let dir = testkit_dir()?.join("locks");
        fs::create_dir_all(&dir)?;
        let path = dir.join(name.replace('/', "-"));
        let file =
            File::create(&path).with_context(|| format!("cannot open {}", path.display()))?;
        file.lock()
            .with_context(|| format!("cannot lock {}", path.display()))?;
        Ok(Self(file))
    }
}
