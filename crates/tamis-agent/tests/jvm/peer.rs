//! The other end of the agent's socket, and what it was told.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tamis_agent::{AGENT, Options};
use tamis_build::Jdk;
use tamis_classfile::probe::EntryPlan;
use tamis_testkit::server::Classes;
use tamis_wire::{
    Access, Accessed, Bye, ClassLoaded, Forked, Found, Frame, FromAgent, Granularity, Hello,
    Marking, N_UNITS, Probing, Segment, Session, Sighting, ToAgent, UnitSet, Unseen, Verdict,
};
use tempfile::TempDir;

/// The agent in a file.
static LIBRARY: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("libtamis_agent.so");
    fs::write(&path, AGENT).unwrap();
    (dir, path)
});

/// Listens for JVMs.
pub(crate) struct Peer {
    dir: TempDir,
    listener: UnixListener,
}

/// What a JVM told.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) hello: Option<Hello>,
    pub(crate) classes: Vec<ClassLoaded>,
    pub(crate) marks: BTreeMap<Segment, UnitSet>,
    pub(crate) forks: Vec<Forked>,
    pub(crate) entities: BTreeMap<String, u32>,
    /// By unit.
    pub(crate) accesses: BTreeMap<u32, Accessed>,
    /// By unit.
    pub(crate) sightings: BTreeMap<u32, Sighting>,
    pub(crate) unseen: Vec<Unseen>,
    pub(crate) bye: Option<Bye>,
}

impl Peer {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(dir.path().join("socket")).unwrap();
        Self { dir, listener }
    }

    /// The JVM option that loads the agent.
    pub(crate) fn option(&self) -> String {
        let options = Options {
            socket: self.dir.path().join("socket"),
            token: [7; 16],
            label: Vec::new(),
            parent: None,
        };
        format!("-agentpath:{}={}", LIBRARY.1.display(), options.encode())
    }

    /// Runs `java` with the agent and these arguments; gives what it printed and what the agent told.
    pub(crate) fn run(self, jdk: &Jdk, arguments: &[&str]) -> (Output, Told) {
        self.run_with(jdk, arguments, |stream| {
            accept(stream);
            listen(stream)
        })
    }

    /// The same with a peer that behaves as it likes.
    pub(crate) fn run_with<T: Send>(
        self,
        jdk: &Jdk,
        arguments: &[&str],
        behave: impl FnOnce(&mut UnixStream) -> T + Send,
    ) -> (Output, T) {
        let mut command = java(jdk);
        command.arg(self.option()).args(arguments);
        self.serve(&mut command, behave)
    }

    /// Runs a command that has the option already.
    pub(crate) fn run_command(self, command: &mut Command) -> (Output, Told) {
        self.serve(command, |stream| {
            accept(stream);
            listen(stream)
        })
    }

    /// Runs a command that has the option already, with a peer that behaves as it likes.
    pub(crate) fn serve<T: Send>(
        self,
        command: &mut Command,
        behave: impl FnOnce(&mut UnixStream) -> T + Send,
    ) -> (Output, T) {
        thread::scope(|scope| {
            let told = scope.spawn(|| behave(&mut self.listener.accept().unwrap().0));
            let output = command.output().unwrap();
            (output, told.join().unwrap())
        })
    }

    /// Runs a command whose JVM has the option already, and all JVMs that come of it; what each told, in
    /// the order of their beginnings. Numbers begin at 1.
    pub(crate) fn run_family(self, command: &mut Command) -> (Output, Vec<Told>) {
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let listening = scope.spawn(|| {
                let mut jvms = Vec::new();
                for (number, stream) in (1..).zip(self.listener.incoming()) {
                    let mut stream = stream.unwrap();
                    if is_over.load(Ordering::Acquire) {
                        break;
                    }
                    jvms.push(scope.spawn(move || {
                        accept_as(&mut stream, number, Marking::Methods);
                        listen(&mut stream)
                    }));
                }
                let told = jvms.into_iter().map(|jvm| jvm.join().unwrap());
                told.collect()
            });
            let output = command.output().unwrap();
            is_over.store(true, Ordering::Release);
            UnixStream::connect(self.dir.path().join("socket")).unwrap();
            (output, listening.join().unwrap())
        })
    }

    /// Runs a command to its end; gives its output and whether an agent connected.
    pub(crate) fn wait_for(self, command: &mut Command) -> (Output, bool) {
        let output = command.output().unwrap();
        self.listener.set_nonblocking(true).unwrap();
        (output, self.listener.accept().is_ok())
    }
}

/// The launcher, in an environment that does not influence it.
pub(crate) fn java(jdk: &Jdk) -> Command {
    let mut command = Command::new(jdk.java());
    command.env_remove("JAVA_TOOL_OPTIONS");
    command.env_remove("JDK_JAVA_OPTIONS");
    command
}

/// Accepts; the hello stays to be read.
pub(crate) fn accept(stream: &mut UnixStream) {
    accept_as(stream, 1, Marking::Methods);
}

pub(crate) fn accept_as(stream: &mut UnixStream, jvm: u32, marking: Marking) {
    let session = Session::Accept {
        jvm,
        granularity: Granularity::Class,
        marking,
        class_directories: vec![b"/".to_vec()],
    };
    answer(stream, session);
}

/// Accepts a JVM whose class loaders look for files in one directory.
pub(crate) fn accept_with(stream: &mut UnixStream, class_directory: &str) {
    let session = Session::Accept {
        jvm: 1,
        granularity: Granularity::Class,
        marking: Marking::Methods,
        class_directories: vec![class_directory.as_bytes().to_vec()],
    };
    answer(stream, session);
}

fn answer(stream: &mut UnixStream, session: Session) {
    let mut answer = Vec::new();
    ToAgent::Session(session).encode(&mut answer).unwrap();
    stream.write_all(&answer).unwrap();
}

/// Reads all that comes, and lets every test run.
pub(crate) fn listen(stream: &mut UnixStream) -> Told {
    let mut told = Told::default();
    let (mut arrived, mut bytes) = (Vec::new(), vec![0; 64 << 10]);
    loop {
        let n_read = stream.read(&mut bytes).unwrap();
        if n_read == 0 {
            break;
        }
        arrived.extend(&bytes[..n_read]);
        let mut n_done = 0;
        while let Some((frame, length)) = Frame::parse(&arrived[n_done..]).unwrap() {
            assert!(told.bye.is_none(), "a message after the last");
            told.add(FromAgent::parse(&frame).unwrap(), stream);
            n_done += length;
        }
        arrived.drain(..n_done);
    }
    assert!(arrived.is_empty(), "a message that breaks off");
    told
}

impl Told {
    fn add(&mut self, message: FromAgent, stream: &mut UnixStream) {
        match message {
            FromAgent::Hello(hello) => self.hello = Some(hello),
            FromAgent::ClassLoaded(class) => self.classes.push(class),
            FromAgent::Marks(marks) => {
                let mut accesses = marks.units.iter().filter(|unit| *unit >= N_UNITS);
                assert!(
                    accesses.all(|unit| self.accesses.contains_key(&unit)
                        || self.sightings.contains_key(&unit)),
                    "an access that was not told before"
                );
                self.marks
                    .entry(marks.segment)
                    .or_default()
                    .extend(&marks.units);
            }
            FromAgent::Forked(forked) => self.forks.push(forked),
            FromAgent::Accessed(accessed) => {
                let before = self.accesses.insert(accessed.unit, accessed);
                assert_eq!(before, None, "an access is told once");
            }
            FromAgent::Sighted(sighted) => {
                let before = self.sightings.insert(sighted.unit, sighted.sighting);
                assert_eq!(before, None, "a sighting is told once");
            }
            FromAgent::Unseen(unseen) => self.unseen.push(unseen),
            FromAgent::Bye(bye) => self.bye = Some(bye),
            FromAgent::Discovered(discovered) => {
                let verdict = ToAgent::Verdict(Verdict::Run(discovered.entity));
                let mut answer = Vec::new();
                verdict.encode(&mut answer).unwrap();
                stream.write_all(&answer).unwrap();
                let name = String::from_utf8(discovered.name).unwrap();
                self.entities.insert(name, discovered.entity);
            }
            FromAgent::EntityBegin(_) | FromAgent::EntityEnd(_) => {}
            other @ FromAgent::Unsupported(_) => panic!("not told by any of these: {other:?}"),
        }
    }

    /// Methods that ran in a segment, as `Main.fib(I)I`, of those classes whose bytes are known.
    pub(crate) fn methods(&self, segment: Segment, classes: &Classes) -> BTreeSet<String> {
        let none = UnitSet::default();
        let units = self.marks.get(&segment).unwrap_or(&none);
        let mut methods = BTreeSet::new();
        for class in &self.classes {
            let name = class.name.to_string();
            let (Some(bytes), Probing::Probed { first, n_units, .. }) =
                (classes.get(&name), &class.probing)
            else {
                continue;
            };
            assert_eq!(
                class.hash,
                Some(tamis_wire::ContentHash::of(bytes)),
                "{name}"
            );
            let plan = EntryPlan::scan(bytes).unwrap();
            assert_eq!(plan.n_units(), *n_units as usize, "{name}");
            let hit = (*first..)
                .zip(plan.methods())
                .filter(|(id, _)| units.contains(*id));
            methods.extend(hit.map(|(_, method)| format!("{name}.{method}")));
        }
        methods
    }

    /// The accesses of a segment to what is in a folder, in the order in which they were first told:
    /// `Read a/b.txt: file`. Digits of names that are made up are one sign. What was opened or measured counts as read,
    /// once: JDKs differ in how often they do it.
    pub(crate) fn accesses(&self, segment: Segment, folder: &Path) -> Vec<String> {
        let none = UnitSet::default();
        let units = self.marks.get(&segment).unwrap_or(&none);
        let accesses = units.iter().filter_map(|unit| self.accesses.get(&unit));
        let mut read = HashSet::new();
        let lines = accesses.filter_map(|accessed| {
            let path = Path::new(OsStr::from_bytes(&accessed.path));
            let path = path.strip_prefix(folder).ok()?.to_str().unwrap();
            if path.is_empty() {
                return None;
            }
            let found = match accessed.found {
                Found::Nothing => "nothing",
                Found::File(_) => "file",
                Found::Directory(_) => "directory",
                Found::Other => "other",
            };
            let access = match accessed.access {
                Access::Opened => Access::Read,
                access => access,
            };
            if access == Access::Read && !read.insert((&accessed.path, accessed.found)) {
                return None;
            }
            let path = without_digits(path);
            Some(format!("{access:?} {path}: {found}"))
        });
        lines.collect()
    }

    /// What was asked for in a segment: `Class a/B`, `Members a/B`, `Network localhost:#`.
    pub(crate) fn sightings(&self, segment: Segment) -> BTreeSet<String> {
        let none = UnitSet::default();
        let units = self.marks.get(&segment).unwrap_or(&none);
        let sightings = units.iter().filter_map(|unit| self.sightings.get(&unit));
        let lines = sightings.map(|sighting| match sighting {
            Sighting::Class(name) | Sighting::LookedFor(name) => format!("Class {name}"),
            Sighting::Members(name) => format!("Members {name}"),
            Sighting::Network(address) => format!("Network {}", without_port(address)),
            other => format!("{other:?}"),
        });
        lines.collect()
    }

    pub(crate) fn class(&self, name: &str) -> &ClassLoaded {
        let found = self
            .classes
            .iter()
            .find(|class| class.name.to_string() == name);
        found.unwrap_or_else(|| panic!("{name} was not told"))
    }
}

fn without_port(address: &[u8]) -> String {
    let address = String::from_utf8_lossy(address);
    let host = address.trim_end_matches(|character: char| character.is_ascii_digit());
    match host.strip_suffix(':') {
        Some(host) => format!("{host}:#"),
        None => address.into_owned(),
    }
}

fn without_digits(path: &str) -> String {
    let parts = path.split_inclusive(|character: char| !character.is_ascii_digit());
    let parts = parts.map(|part| {
        let digits = part.trim_end_matches(|character: char| !character.is_ascii_digit());
        match digits.len() {
            8.. => format!("#{}", &part[digits.len()..]),
            _ => part.to_owned(),
        }
    });
    parts.collect()
}
