//! The slow and exact agent, `exact_agent/agent.rs`: compiled here, and what it wrote is read here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::{env, fmt, fs};

use tamis_wire::ContentHash;
use tempfile::TempDir;

/// The compiled agent.
static LIBRARY: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("libexact.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites/exact_agent/agent.rs");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let status = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=cdylib", "-Copt-level=3"])
        .arg(source)
        .arg("-o")
        .arg(&path)
        .status();
    assert!(status.unwrap().success(), "the exact agent compiles");
    (dir, path)
});

/// What the exact agent saw in one JVM.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) entered: BTreeSet<SeenMethod>,
    /// Only where it was asked for.
    pub(crate) returned: BTreeSet<SeenMethod>,
    /// Every class file that was loaded, as it came to the exact agent.
    pub(crate) classes: BTreeMap<ContentHash, Vec<u8>>,
}

/// A method in a loader of some class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SeenMethod {
    /// The descriptor of the loader's class.
    pub(crate) loader: String,
    /// In internal form.
    pub(crate) class: String,
    /// Name and descriptor.
    pub(crate) method: String,
    pub(crate) flags: u32,
}

/// The JVM option that loads the agent; it writes `file` when the JVM ends.
pub(crate) fn option(file: &Path, wants_returns: bool) -> String {
    let returns = if wants_returns { ",returns" } else { "" };
    format!(
        "-agentpath:{}={}{returns}",
        LIBRARY.1.display(),
        file.display()
    )
}

impl Seen {
    pub(crate) fn read(file: &Path) -> Self {
        let bytes = fs::read(file).unwrap();
        let mut seen = Self::default();
        let mut rest = bytes.as_slice();
        while let [kind, a, b, c, d, more @ ..] = rest {
            let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
            let (record, more) = more.split_at(length);
            match kind {
                b'm' => _ = seen.entered.insert(SeenMethod::parse(record)),
                b'r' => _ = seen.returned.insert(SeenMethod::parse(record)),
                b'c' => {
                    _ = seen
                        .classes
                        .insert(ContentHash::of(record), record.to_vec())
                }
                other => panic!("not a record: {other}"),
            }
            rest = more;
        }
        assert!(rest.is_empty());
        seen
    }
}

impl SeenMethod {
    fn parse(record: &[u8]) -> Self {
        let text = String::from_utf8_lossy(record);
        let lines: Vec<&str> = text.split('\n').collect();
        let [loader, class, name, descriptor, flags] = lines[..] else {
            panic!("five lines: {text}");
        };
        let class = class.strip_prefix('L').and_then(|c| c.strip_suffix(';'));
        Self {
            loader: loader.to_owned(),
            class: class.expect("a class that has methods").to_owned(),
            method: format!("{name}{descriptor}"),
            flags: flags.parse().unwrap(),
        }
    }
}

impl fmt::Display for SeenMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // JDK 8 calls a class that it made for a lambda by its own name, a slash and a number.
        let class = match self.class.rsplit_once('/') {
            Some((class, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => class,
            _ => &self.class,
        };
        write!(f, "{class}.{}", self.method)
    }
}
