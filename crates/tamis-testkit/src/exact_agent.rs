//! The slow and exact agent, `exact_agent/agent.rs`: compiled here, and what it wrote is read here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fmt, fs};

use anyhow::{Context, Result, bail, ensure};
use tamis_wire::ContentHash;

use crate::place::{content_key, folder_once};

const SOURCE: &str = include_str!("exact_agent/agent.rs");

/// What the exact agent saw in one JVM.
#[derive(Debug, Default)]
pub struct Seen {
    pub entered: BTreeSet<SeenMethod>,
    /// Only where it was asked for.
    pub returned: BTreeSet<SeenMethod>,
    /// The classes of objects, in internal form, with the methods that were entered on them; only where it was asked for.
    pub received: BTreeSet<(String, SeenMethod)>,
    /// Every class file that was loaded, as it came to the exact agent.
    pub classes: BTreeMap<ContentHash, Vec<u8>>,
}

/// A method in a loader of some class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeenMethod {
    /// The descriptor of the loader's class.
    pub loader: String,
    /// In internal form.
    pub class: String,
    /// Name and descriptor.
    pub method: String,
    pub flags: u32,
}

/// The JVM options that load the agent; it writes `file` when the JVM ends.
pub fn options(file: &Path) -> Result<Vec<String>> {
    let agent = format!("-agentpath:{}={}", library()?.display(), file.display());
    // With such events nothing runs but the interpreter, and what a compiler makes would be for nothing.
    Ok(vec!["-Xint".into(), "-XX:+UseSerialGC".into(), agent])
}

/// The same for an agent that also tells which methods returned.
pub fn options_with_returns(file: &Path) -> Result<Vec<String>> {
    options_with(file, ",returns")
}

/// The same for an agent that also tells on objects of which classes methods were entered.
pub fn options_with_receivers(file: &Path) -> Result<Vec<String>> {
    options_with(file, ",receivers")
}

fn options_with(file: &Path, more: &str) -> Result<Vec<String>> {
    let mut options = options(file)?;
    if let Some(agent) = options.last_mut() {
        agent.push_str(more);
    }
    Ok(options)
}

/// The compiled agent.
fn library() -> Result<PathBuf> {
    const NAME: &str = "libexact.so";
    let folder = format!("exact-agent/{}", content_key(SOURCE));
    let dir = folder_once(&folder, |dir| compile(&dir.join(NAME)))?;
    Ok(dir.join(NAME))
}

fn compile(library: &Path) -> Result<()> {
    let source = library.with_extension("rs");
    fs::write(&source, SOURCE)?;
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let status = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=cdylib", "-Copt-level=3"])
        .arg(source)
        .arg("-o")
        .arg(library)
        .status()
        .context("cannot start rustc")?;
    ensure!(status.success(), "the exact agent does not compile");
    Ok(())
}

impl Seen {
    /// What the agent wrote.
    pub fn read(file: &Path) -> Result<Self> {
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let mut seen = Self::default();
        let mut rest = bytes.as_slice();
        while let [kind, a, b, c, d, more @ ..] = rest {
            let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
            let (record, more) = more
                .split_at_checked(length)
                .context("a record breaks off")?;
            seen.add(*kind, record)?;
            rest = more;
        }
        ensure!(rest.is_empty(), "a record breaks off");
        Ok(seen)
    }

    fn add(&mut self, kind: u8, record: &[u8]) -> Result<()> {
        match kind {
            b'm' => drop(self.entered.insert(SeenMethod::parse(record)?)),
            b'r' => drop(self.returned.insert(SeenMethod::parse(record)?)),
            b'p' => drop(self.received.insert(parse_received(record)?)),
            b'c' => drop(
                self.classes
                    .insert(ContentHash::of(record), record.to_vec()),
            ),
            other => bail!("not a record: {other}"),
        }
        Ok(())
    }
}

/// The class of an object, and the method.
fn parse_received(record: &[u8]) -> Result<(String, SeenMethod)> {
    let end = record.iter().position(|byte| *byte == b'\n');
    let (class, method) = record.split_at(end.context("no class of an object")?);
    let class = String::from_utf8_lossy(class);
    // An array has no methods of its own.
    let class = class.strip_prefix('L').and_then(|c| c.strip_suffix(';'));
    let class = class.unwrap_or_default().to_owned();
    Ok((class, SeenMethod::parse(&method[1..])?))
}

impl SeenMethod {
    fn parse(record: &[u8]) -> Result<Self> {
        let text = String::from_utf8_lossy(record);
        let lines: Vec<&str> = text.split('\n').collect();
        let [loader, class, name, descriptor, flags] = lines[..] else {
            bail!("not five lines: {text}");
        };
        let class = class.strip_prefix('L').and_then(|c| c.strip_suffix(';'));
        Ok(Self {
            loader: loader.to_owned(),
            class: class.context("a class that has methods")?.to_owned(),
            method: format!("{name}{descriptor}"),
            flags: flags.parse()?,
        })
    }

    /// Whether it is of a class such as JDKs before 15 made for lambdas, whose name is that in its class
    /// file, a slash and a number.
    pub fn is_of_numbered_class(&self) -> bool {
        self.class_in_file() != self.class
    }

    /// The name that the class has in its class file.
    pub fn class_in_file(&self) -> &str {
        match self.class.rsplit_once('/') {
            Some((class, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => class,
            _ => &self.class,
        }
    }
}

impl fmt::Display for SeenMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.class_in_file(), self.method)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_breaks_off_is_not_believed() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("seen");
        let read = |bytes: &[u8]| {
            fs::write(&file, bytes).unwrap();
            Seen::read(&file)
        };
        let text = b"Lloader;\nLa/B;\nm\n(I)V\n9";
        let record = [&b"m"[..], &(text.len() as u32).to_le_bytes(), text].concat();
        let seen = read(&record).unwrap();
        let methods: Vec<String> = seen.entered.iter().map(ToString::to_string).collect();
        assert_eq!(methods, ["a/B.m(I)V"]);
        let pair = [b"La/C;\n", &text[..]].concat();
        let record = [&b"p"[..], &(pair.len() as u32).to_le_bytes(), &pair].concat();
        let seen = read(&record).unwrap();
        let (class, method) = seen.received.first().unwrap();
        assert_eq!(
            (class.as_str(), method.to_string().as_str()),
            ("a/C", "a/B.m(I)V")
        );
        for length in [1, 5, record.len() - 1] {
            assert!(read(&record[..length]).is_err(), "{length}");
        }
        assert!(read(b"x\0\0\0\0").is_err());
    }
}
