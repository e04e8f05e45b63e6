//! JVMs with the agent, any number of them at once, and what each told: every verdict is to run.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;

use tamis_agent::{AGENT, Options};
use tamis_wire::{
    Bye, ClassLoaded, Frame, FromAgent, Granularity, Marking, N_UNITS, Session, ToAgent, UnitSet,
    Verdict,
};
use tempfile::TempDir;

/// The agent in a file.
static LIBRARY: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("libtamis_agent.so");
    fs::write(&path, AGENT).unwrap();
    (dir, path)
});

/// What a JVM told.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) classes: Vec<ClassLoaded>,
    /// Whatever ran at any time, before anybody is made to pay for it.
    pub(crate) units: UnitSet,
    /// None of a JVM that went away without a word.
    pub(crate) bye: Option<Bye>,
}

/// Gives the JVM option that loads the agent, and listens until `body` ends; what it gave, and what
/// JVMs told meanwhile.
pub(crate) fn watched<T>(body: impl FnOnce(String) -> T) -> (T, Vec<Told>) {
    let dir = tempfile::tempdir().unwrap();
    let socket = dir.path().join("socket");
    let listener = UnixListener::bind(&socket).unwrap();
    let (is_over, n_jvms) = (AtomicBool::new(false), AtomicU32::new(0));
    let all = Mutex::new(Vec::new());
    let result = thread::scope(|scope| {
        scope.spawn(|| {
            for stream in listener.incoming() {
                if is_over.load(Ordering::Acquire) {
                    break;
                }
                let number = n_jvms.fetch_add(1, Ordering::Relaxed);
                let all = &all;
                scope.spawn(move || {
                    let told = converse(&mut stream.unwrap(), number);
                    all.lock().unwrap().push(told);
                });
            }
        });
        let result = body(option(&socket));
        is_over.store(true, Ordering::Release);
        // Wakes the thread that waits for connections.
        UnixStream::connect(&socket).unwrap();
        result
    });
    (result, all.into_inner().unwrap())
}

fn option(socket: &Path) -> String {
    let options = Options {
        socket: socket.to_path_buf(),
        token: [7; 16],
        label: Vec::new(),
        parent: None,
    };
    format!("-agentpath:{}={}", LIBRARY.1.display(), options.encode())
}

fn converse(stream: &mut UnixStream, number: u32) -> Told {
    let accept = Session::Accept {
        jvm: number,
        granularity: Granularity::Class,
        marking: Marking::Methods,
        class_directories: vec![b"/".to_vec()],
    };
    say(stream, &ToAgent::Session(accept));
    let mut told = Told::default();
    let (mut arrived, mut bytes) = (Vec::new(), vec![0; 64 << 10]);
    loop {
        // A JVM that is killed may reset the connection instead of closing it.
        let n_read = stream.read(&mut bytes).unwrap_or(0);
        if n_read == 0 {
            return told;
        }
        arrived.extend(&bytes[..n_read]);
        let mut n_done = 0;
        while let Some((frame, length)) = Frame::parse(&arrived[n_done..]).unwrap() {
            told.take(FromAgent::parse(&frame).unwrap(), stream);
            n_done += length;
        }
        arrived.drain(..n_done);
    }
}

fn say(stream: &mut UnixStream, message: &ToAgent) {
    let mut bytes = Vec::new();
    message.encode(&mut bytes).unwrap();
    // Whoever does not hear it is gone, and the next read tells so.
    let _ = stream.write_all(&bytes);
}

impl Told {
    fn take(&mut self, message: FromAgent, stream: &mut UnixStream) {
        assert!(self.bye.is_none(), "a message after the last: {message:?}");
        match message {
            FromAgent::ClassLoaded(class) => self.classes.push(class),
            FromAgent::Marks(marks) => {
                // Accesses to files are no code.
                let code = marks.units.iter().filter(|unit| *unit < N_UNITS);
                self.units.extend(&code.collect());
            }
            FromAgent::Discovered(discovered) => {
                say(stream, &ToAgent::Verdict(Verdict::Run(discovered.entity)));
            }
            FromAgent::Bye(bye) => self.bye = Some(bye),
            // Nothing here depends on whom the marks belong to.
            _ => {}
        }
    }
}
