//! Answers the extension while Maven runs.
//!
//! It is reached over TCP, on the loopback device: Java 8 has no other sockets. Anybody on the machine may connect, so the
//! extension shows a token first, and the answer begins with a countersign: whoever gets the port after this process was
//! killed cannot have tests skipped. One connection is one question.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use super::task::{TaskAnswer, TaskHost};
use super::task_message::Message;

/// How often a connection looks whether the build is over.
const TICK: Duration = Duration::from_millis(50);

/// How long a question may take to arrive; nobody waits for its answer any longer.
const PATIENCE: Duration = Duration::from_secs(5);

/// The longest message: class paths and folders of a reactor of thousands of modules are shorter.
const MAX_MESSAGE: usize = 8 << 20;

/// More connections at a time are not heard.
const MAX_PEERS: usize = 256;

/// What an answer says, behind the countersign.
const RUN: u8 = 0;
const SKIP: u8 = 1;
const HEARD: u8 = 2;

/// A port at which the extension asks about tasks.
#[derive(Debug)]
pub struct TaskServer {
    listener: TcpListener,
    address: SocketAddr,
    token: [u8; 16],
    countersign: [u8; 16],
    patience: Duration,
    only_asks: bool,
}

/// To answer, a project may have to be read for the first time, on a machine that has much else to do.
const MAVENS_PATIENCE: Duration = Duration::from_mins(1);

impl TaskServer {
    /// Opens the port. Who connects before [`Self::serve_during`] waits.
    pub fn new() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let [mut token, mut countersign] = [[0; 16]; 2];
        let mut random = File::open("/dev/urandom")?;
        random.read_exact(&mut token)?;
        random.read_exact(&mut countersign)?;
        Ok(Self {
            address: listener.local_addr()?,
            listener,
            token,
            countersign,
            patience: MAVENS_PATIENCE,
            only_asks: false,
        })
    }

    /// Maven is to run no test, not even one that it does not ask about: somebody wants to know what would run.
    #[must_use]
    pub fn only_asking(self) -> Self {
        Self {
            only_asks: true,
            ..self
        }
    }

    /// How long Maven waits for an answer; whole seconds.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// What the extension has to be told.
    pub(super) fn settings(&self) -> [(&'static str, String); 5] {
        [
            ("host-port", self.address.port().to_string()),
            ("host-token", hexadecimal(self.token)),
            ("host-countersign", hexadecimal(self.countersign)),
            ("host-seconds", self.patience.as_secs().to_string()),
            ("only-asks", self.only_asks.to_string()),
        ]
    }

    /// Runs `body` and lets `host` answer until it ends.
    pub fn serve_during<R>(&self, host: &dyn TaskHost, body: impl FnOnce() -> R) -> R {
        let is_over = AtomicBool::new(false);
        let n_peers = AtomicUsize::new(0);
        let service = Service {
            server: self,
            host,
            is_over: &is_over,
            n_peers: &n_peers,
        };
        thread::scope(|scope| {
            let accepting = scope.spawn(move || service.accept(scope));
            let stop = Stop {
                address: self.address,
                is_over: &is_over,
                accepting,
            };
            let result = body();
            drop(stop);
            result
        })
    }
}

fn hexadecimal(bytes: [u8; 16]) -> String {
    format!("{:032x}", u128::from_be_bytes(bytes))
}

/// Ends the service when it goes, even if that is by a panic.
struct Stop<'a, 'scope> {
    address: SocketAddr,
    is_over: &'a AtomicBool,
    accepting: ScopedJoinHandle<'scope, ()>,
}

impl Drop for Stop<'_, '_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        while !self.accepting.is_finished() {
            // Wakes the thread that waits for connections. If it fails, there is no descriptor left: connections that
            // end give theirs back.
            let _ = TcpStream::connect_timeout(&self.address, TICK);
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// What all connections share.
#[derive(Clone, Copy)]
struct Service<'a> {
    server: &'a TaskServer,
    host: &'a dyn TaskHost,
    is_over: &'a AtomicBool,
    n_peers: &'a AtomicUsize,
}

impl<'a> Service<'a> {
    fn accept<'scope>(self, scope: &'scope Scope<'scope, '_>)
    where
        'a: 'scope,
    {
        while !self.is_over.load(Ordering::Acquire) {
            let Ok((stream, _)) = self.server.listener.accept() else {
                // Of descriptors there may be more in a while.
                thread::sleep(TICK);
                continue;
            };
            if self.n_peers.fetch_add(1, Ordering::Relaxed) >= MAX_PEERS {
                self.n_peers.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            scope.spawn(move || {
                let peer = Peer::new(stream, self.is_over);
                // A peer that is no extension, or gone, gets no answer.
                let _ = self.converse(peer);
                self.n_peers.fetch_sub(1, Ordering::Relaxed);
            });
        }
    }

    fn converse(self, mut peer: Peer<'_>) -> io::Result<()> {
        if peer.read(16)? != self.server.token {
            return Ok(());
        }
        let length = peer.read(4)?.try_into().map(u32::from_le_bytes);
        let length = length.map_or(usize::MAX, |length| length as usize);
        if length > MAX_MESSAGE {
            return Ok(());
        }
        let Some(answer) = self.answer(&peer.read(length)?) else {
            return Ok(());
        };
        peer.write(&[&self.server.countersign[..], &[answer]].concat())
    }

    /// Nothing if there is nothing to answer.
    fn answer(self, bytes: &[u8]) -> Option<u8> {
        match Message::parse(bytes)? {
            // Java may name files that nobody else finds by that name.
            Message::Before(task) if !task.base.is_dir() => None,
            Message::Before(task) => Some(match self.host.before(*task) {
                TaskAnswer::Run => RUN,
                TaskAnswer::Skip => SKIP,
            }),
            Message::After {
                module,
                execution,
                is_green,
            } => {
                self.host.after(&module, &execution, is_green);
                Some(HEARD)
            }
        }
    }
}

/// One connection.
struct Peer<'a> {
    stream: TcpStream,
    deadline: Instant,
    is_over: &'a AtomicBool,
}

impl<'a> Peer<'a> {
    fn new(stream: TcpStream, is_over: &'a AtomicBool) -> Self {
        Self {
            stream,
            deadline: Instant::now() + PATIENCE,
            is_over,
        }
    }

    /// So many bytes. Room is made for those that have arrived.
    fn read(&mut self, length: usize) -> io::Result<Vec<u8>> {
        self.stream.set_read_timeout(Some(TICK))?;
        let mut bytes = Vec::new();
        let mut part = [0; 16 << 10];
        while bytes.len() < length {
            if self.is_over.load(Ordering::Acquire) || Instant::now() >= self.deadline {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let n_wanted = part.len().min(length - bytes.len());
            match self.stream.read(&mut part[..n_wanted]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(n_read) => bytes.extend(&part[..n_read]),
                Err(error) if is_passing(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.set_write_timeout(Some(PATIENCE))?;
        self.stream.write_all(bytes)
    }
}

fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maven::task::TestTask;
    use crate::maven::task_message::tests::{encode, task_in};
    use std::path::Path;
    use std::sync::Mutex;

    /// Skips everything, and keeps what it is told.
    #[derive(Default)]
    struct Skipping {
        tasks: Mutex<Vec<TestTask>>,
        ends: Mutex<Vec<(String, String, bool)>>,
    }

    impl TaskHost for Skipping {
        fn before(&self, task: TestTask) -> TaskAnswer {
            self.tasks.lock().unwrap().push(task);
            TaskAnswer::Skip
        }

        fn after(&self, module: &str, execution: &str, is_green: bool) {
            let end = (module.to_owned(), execution.to_owned(), is_green);
            self.ends.lock().unwrap().push(end);
        }
    }

    fn framed(token: [u8; 16], message: &[u8]) -> Vec<u8> {
        let length = (message.len() as u32).to_le_bytes();
        [&token[..], &length[..], message].concat()
    }

    /// What the server says to these bytes before it hangs up.
    fn answer(server: &TaskServer, bytes: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(server.address).unwrap();
        // It may hang up before it has read all.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    fn before(base: &Path) -> Vec<u8> {
        encode(&Message::Before(Box::new(task_in(base))))
    }

    #[test]
    fn questions_are_answered_behind_the_countersign() {
        let dir = tempfile::tempdir().unwrap();
        let server = TaskServer::new().unwrap();
        let host = Skipping::default();
        let after = Message::After {
            module: "g:a".to_owned(),
            execution: "x".to_owned(),
            is_green: false,
        };
        let result = server.serve_during(&host, || {
            for (message, word) in [(before(dir.path()), SKIP), (encode(&after), HEARD)] {
                let expected = [&server.countersign[..], &[word]].concat();
                assert_eq!(answer(&server, &framed(server.token, &message)), expected);
            }
            7
        });
        assert_eq!(result, 7);
        assert_eq!(host.tasks.into_inner().unwrap(), [task_in(dir.path())]);
        let end = ("g:a".to_owned(), "x".to_owned(), false);
        assert_eq!(host.ends.into_inner().unwrap(), [end]);
    }

    #[test]
    fn nothing_else_is_answered() {
        let dir = tempfile::tempdir().unwrap();
        let server = TaskServer::new().unwrap();
        let host = Skipping::default();
        let message = before(dir.path());
        let question = framed(server.token, &message);
        let too_long = [&server.token[..], &[0xff; 4], &message].concat();
        let gone = before(&dir.path().join("gone"));
        let strange: [&[u8]; 8] = [
            b"",
            b"GET / HTTP/1.1\r\n\r\n",
            &framed(server.countersign, &message),
            &framed(server.token, b""),
            &framed(server.token, b"\xff\xff\xff"),
            &framed(server.token, &gone),
            &too_long,
            &question[..question.len() - 1],
        ];
        server.serve_during(&host, || {
            for bytes in strange {
                assert_eq!(answer(&server, bytes), b"", "{bytes:?}");
            }
        });
        assert_eq!(host.tasks.into_inner().unwrap(), []);
    }

    #[test]
    fn who_says_nothing_does_not_keep_the_build_waiting() {
        let server = TaskServer::new().unwrap();
        let start = Instant::now();
        let silent = server.serve_during(&Skipping::default(), || {
            let silent = TcpStream::connect(server.address).unwrap();
            // Is heard after the silent one.
            assert_eq!(answer(&server, b""), b"");
            silent
        });
        assert!(start.elapsed() < PATIENCE);
        drop(silent);
    }

    #[test]
    fn a_body_that_panics_ends_the_service() {
        let server = TaskServer::new().unwrap();
        let host = Skipping::default();
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            server.serve_during(&host, || panic!("on purpose"));
        }));
        assert!(ended.is_err());
    }

    #[test]
    fn settings_are_hexadecimal() {
        let server = TaskServer::new().unwrap();
        let [_, (_, token), (_, countersign), ..] = server.settings();
        assert_eq!([token.len(), countersign.len()], [32, 32]);
        assert_ne!(token, countersign);
        assert_eq!(hexadecimal([0x0a; 16]), "0a".repeat(16));
    }
}
