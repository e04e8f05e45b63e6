//! Listens for the JVMs of a command while it runs.
//!
//! A JVM that asks waits for the answer, and not for long if it hears nothing. So one whose answer takes a while, since all records are
//! compared with today for it, is told now and then that it is being worked on.

use std::env;
use std::fs::{File, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tamis_agent::Options;
use tamis_build::Archives;
use tamis_wire::{ToAgent, Working};
use tempfile::TempDir;

use crate::audience::Audience;
use crate::class_files::ClassFiles;
use crate::conversation::{Conversation, Policy, Wanted, WatchedJvm, say};

/// How often a connection looks whether the command is over.
const TICK: Duration = Duration::from_millis(100);

/// How often a JVM hears that its answer is being worked on: well within the time that it waits in silence.
const PULSE: Duration = Duration::from_secs(1);

/// How many ticks a JVM may be silent, once the command is over, before it counts as still running.
const N_SILENT_TICKS: u32 = 10;

/// A socket that agents connect to.
pub(crate) struct Listener {
    socket: UnixListener,
    options: Options,
    /// What the class paths of all JVMs share.
    archives: Arc<Archives>,
    /// Nobody else may enter it; it goes away with the socket.
    directory: TempDir,
}

impl Listener {
    /// In the runtime directory, or among the temporary files where that is missing or its path is
    /// too long for a socket.
    pub(crate) fn new() -> io::Result<Self> {
        let runtime = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
        let places = runtime
            .into_iter()
            .chain([env::temp_dir(), PathBuf::from("/tmp")]);
        let mut last_error = io::Error::from(io::ErrorKind::NotFound);
        for place in places {
            match Self::new_in(&place) {
                Ok(listener) => return Ok(listener),
                Err(error) => last_error = error,
            }
        }
        Err(last_error)
    }

    fn new_in(place: &Path) -> io::Result<Self> {
        let directory = tempfile::Builder::new()
            .prefix("tamis-")
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(place)?;
        let path = directory.path().join("agents");
        let mut token = [0; 16];
        File::open("/dev/urandom")?.read_exact(&mut token)?;
        Ok(Self {
            socket: UnixListener::bind(&path)?,
            options: Options {
                socket: path,
                token,
                label: Vec::new(),
                parent: None,
            },
            archives: Arc::default(),
            directory,
        })
    }

    /// What agents have to be told.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// The directory of this run: nobody else may enter it, and it goes away with the socket.
    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Runs `body` and listens until it ends; gives what it gave. The audience hears of each JVM.
    pub(crate) fn during<R>(
        &self,
        wanted: Wanted,
        audience: &dyn Audience,
        body: impl FnOnce() -> R,
    ) -> R {
        let policy = Policy {
            token: self.options.token,
            wanted,
            audience,
        };
        let n_jvms = AtomicU32::new(0);
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                for stream in self.socket.incoming() {
                    if is_over.load(Ordering::Acquire) {
                        break;
                    }
                    let Ok(stream) = stream else { continue };
                    scope.spawn(|| {
                        let number = n_jvms.fetch_add(1, Ordering::Relaxed);
                        self.hear(stream, Conversation::new(policy, number), &is_over);
                    });
                }
            });
            let result = body();
            is_over.store(true, Ordering::Release);
            // Wakes the thread that waits for connections; it fails only if nobody waits any more.
            let _ = UnixStream::connect(&self.options.socket);
            result
        })
    }

    fn hear(&self, stream: UnixStream, conversation: Conversation<'_>, is_over: &AtomicBool) {
        let audience = conversation.audience();
        let number = conversation.number();
        let mut files = None;
        let conversation = conversation.greeting(|hello| {
            let files = files.insert(ClassFiles::of_jvm(hello, &self.archives));
            audience.greet(number, hello, files);
            files.directories()
        });
        let jvm = converse(&stream, conversation, is_over);
        // What comes now takes time, and nobody is to be heard any more.
        drop(stream);
        if let Some((jvm, files)) = jvm.zip(files) {
            audience.part(jvm, files);
        }
    }
}

/// Reads and answers until the peer goes away, or is not to be heard any more.
fn converse(
    stream: &UnixStream,
    conversation: Conversation<'_>,
    is_over: &AtomicBool,
) -> Option<WatchedJvm> {
    let answers = &Answers::to(stream);
    let (ended, is_ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut last = None;
            while is_ended.recv_timeout(PULSE) == Err(RecvTimeoutError::Timeout) {
                last = answers.pulse(last);
            }
        });
        let jvm = hear_out(stream, conversation, answers, is_over);
        drop(ended);
        jvm
    })
}

fn hear_out(
    mut stream: &UnixStream,
    mut conversation: Conversation<'_>,
    answers: &Answers<'_>,
    is_over: &AtomicBool,
) -> Option<WatchedJvm> {
    let mut bytes = vec![0; 64 << 10];
    let mut n_silent_ticks = 0;
    stream.set_read_timeout(Some(TICK)).ok()?;
    while n_silent_ticks < N_SILENT_TICKS {
        match stream.read(&mut bytes) {
            Ok(0) => return conversation.finish(),
            Ok(n_read) => {
                n_silent_ticks = 0;
                answers.begin();
                let Ok(answer) = conversation.receive(&bytes[..n_read]) else {
                    return conversation.finish();
                };
                answers.give(&answer);
            }
            Err(error) if is_timeout(&error) => {
                n_silent_ticks += u32::from(is_over.load(Ordering::Acquire));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return conversation.finish(),
        }
    }
    conversation.note_still_running();
    conversation.finish()
}

/// What is said to a JVM, by two threads: one that answers, and one that tells now and then that this takes a while.
struct Answers<'s> {
    stream: &'s UnixStream,
    work: Mutex<Work>,
}

#[derive(Default)]
struct Work {
    /// How many pieces of work were begun.
    number: u64,
    is_going_on: bool,
}

impl<'s> Answers<'s> {
    fn to(stream: &'s UnixStream) -> Self {
        Self {
            stream,
            work: Mutex::default(),
        }
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The JVM has said something, and may wait for an answer.
    fn begin(&self) {
        let mut work = self.work();
        work.number += 1;
        work.is_going_on = true;
    }

    /// The answer, empty if there is none.
    fn give(&self, answer: &[u8]) {
        let mut work = self.work();
        work.is_going_on = false;
        self.write(answer);
    }

    /// Gives a sign of life if what goes on is what went on the `last` time; what goes on now.
    fn pulse(&self, last: Option<u64>) -> Option<u64> {
        let work = self.work();
        let now = work.is_going_on.then_some(work.number);
        if now.is_some() && now == last {
            let mut sign = Vec::new();
            say(&ToAgent::Working(Working), &mut sign);
            self.write(&sign);
        }
        now
    }

    fn write(&self, bytes: &[u8]) {
        // A peer that hears no answer is gone, and the next read tells so.
        let _ = (&*self.stream).write_all(bytes);
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::Ending;
    use std::sync::mpsc::{Receiver, Sender};
    use tamis_wire::{Discovered, Frame, FromAgent, Hello};

    /// Hears how JVMs end.
    #[derive(Default)]
    struct Endings(Mutex<Vec<Ending>>);

    impl Audience for Endings {
        fn is_skipped(&self, _: u32, _: &Discovered) -> bool {
            false
        }

        fn part(&self, jvm: WatchedJvm, _: ClassFiles) {
            self.0.lock().unwrap().push(jvm.ending);
        }
    }

    /// What `body` gave, and the endings of the JVMs that were heard meanwhile.
    fn during<R>(listener: &Listener, body: impl FnOnce() -> R) -> (R, Vec<Ending>) {
        let endings = Endings::default();
        let result = listener.during(Wanted::default(), &endings, body);
        (result, endings.0.into_inner().unwrap())
    }

    fn connect(options: &Options) -> UnixStream {
        let mut stream = say_hello(options);
        assert!(matches!(hear_one(&mut stream), ToAgent::Session(_)));
        stream
    }

    fn say_hello(options: &Options) -> UnixStream {
        let mut stream = UnixStream::connect(&options.socket).unwrap();
        let mut hello = Vec::new();
        let token = options.token;
        FromAgent::Hello(Hello {
            token,
            ..Hello::default()
        })
        .encode(&mut hello)
        .unwrap();
        stream.write_all(&hello).unwrap();
        stream
    }

    #[test]
    fn jvms_that_end_that_stay_and_that_are_none() {
        let listener = Listener::new().unwrap();
        let (kept, endings) = during(&listener, || {
            drop(connect(listener.options()));
            let mut stranger = UnixStream::connect(&listener.options().socket).unwrap();
            stranger.write_all(&[1; 100]).unwrap();
            connect(listener.options())
        });
        drop(kept);
        assert_eq!(endings, [Ending::Lost, Ending::StillRunning]);
    }

    /// Does not answer before somebody says so.
    struct Slow {
        answer: Mutex<Receiver<()>>,
    }

    impl Audience for Slow {
        fn greet(&self, _: u32, _: &Hello, _: &ClassFiles) {
            self.answer.lock().unwrap().recv().unwrap();
        }

        fn is_skipped(&self, _: u32, _: &Discovered) -> bool {
            false
        }

        fn part(&self, _: WatchedJvm, _: ClassFiles) {}
    }

    #[test]
    fn a_jvm_whose_answer_takes_long_hears_signs_of_life() {
        let (now, answer): (Sender<()>, _) = mpsc::channel();
        let slow = Slow {
            answer: Mutex::new(answer),
        };
        let listener = Listener::new().unwrap();
        let messages = listener.during(Wanted::default(), &slow, || {
            let mut stream = say_hello(listener.options());
            let first = hear_one(&mut stream);
            now.send(()).unwrap();
            let others = std::iter::repeat_with(|| hear_one(&mut stream));
            let answer = others
                .into_iter()
                .find(|one| *one != ToAgent::Working(Working));
            (first, answer)
        });
        assert_eq!(messages.0, ToAgent::Working(Working));
        assert!(
            matches!(messages.1, Some(ToAgent::Session(_))),
            "{messages:?}"
        );
    }

    fn hear_one(stream: &mut UnixStream) -> ToAgent {
        let mut bytes = Vec::new();
        loop {
            if let Some((frame, _)) = Frame::parse(&bytes).unwrap() {
                return ToAgent::parse(&frame).unwrap();
            }
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            bytes.extend(byte);
        }
    }

    #[test]
    fn a_jvm_that_errs_with_its_first_words_is_heard() {
        let listener = Listener::new().unwrap();
        let ((), endings) = during(&listener, || {
            let mut words = Vec::new();
            let token = listener.options().token;
            let hello = Hello {
                token,
                ..Hello::default()
            };
            FromAgent::Hello(hello).encode(&mut words).unwrap();
            words.extend([0xff; 8]);
            let mut stream = UnixStream::connect(&listener.options().socket).unwrap();
            stream.write_all(&words).unwrap();
            // Ends when the other side hangs up.
            stream.read_to_end(&mut Vec::new()).unwrap();
        });
        assert!(matches!(endings[..], [Ending::Garbled(_)]), "{endings:?}");
    }

    #[test]
    fn the_socket_is_its_users_alone_and_goes_away() {
        let listener = Listener::new().unwrap();
        let directory = listener.options().socket.parent().unwrap().to_path_buf();
        let mode = std::fs::metadata(&directory).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        drop(listener);
        assert!(!directory.exists());
    }
}
