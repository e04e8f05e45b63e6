//! The way to the process outside: it may be slow, stopped, gone or taken away, and no test may notice.
//!
//! Messages are kept until there are some kilobytes of them, or somebody wants them to be sent, or the last ones
//! were sent a while ago. What the system does not take at once is kept on. When too much is kept, the sender
//! waits, but all waits of a JVM together have a limit; then the channel is lost, and nothing is sent any more.

use std::ffi::{c_int, c_void};
use std::fs::File;
use std::io::{self, Read as _};
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd as _, FromRawFd as _};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use tamis_wire::{Frame, FromAgent, ToAgent};

/// How long a JVM waits for the process without a sign of life, in all.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// How long it waits for the answers of a process that gives signs of life, in all: its analysis is to save more than that.
const ENDURANCE: Duration = Duration::from_mins(1);

/// How many bytes are kept before any are sent.
const MIN_SENT: usize = 16 << 10;

/// How long what may be sent is kept for what comes next: sending takes longer than many a test.
const MIN_PAUSE: Duration = Duration::from_millis(2);

/// How many bytes are kept before the sender waits.
const MAX_PENDING: usize = 4 << 20;

/// A connection that was accepted.
pub(crate) struct Channel {
    /// Never dropped: a test may have closed the descriptor, and its number may be another file's.
    stream: ManuallyDrop<UnixStream>,
    identity: Identity,
    pending: Vec<u8>,
    /// When what was kept was sent last, without waiting for it.
    sent: Option<Instant>,
    patience: Duration,
    is_lost: bool,
}

/// Device and inode.
type Identity = (u64, u64);

unsafe extern "C" {
    fn send(socket: c_int, bytes: *const c_void, length: usize, flags: c_int) -> isize;
}

/// A peer that is gone is an error, not a signal.
const MSG_NOSIGNAL: c_int = 0x4000;
const MSG_DONTWAIT: c_int = 0x40;

impl Channel {
    pub(crate) fn new(stream: UnixStream, patience: Duration) -> io::Result<Self> {
        let identity = identity(&stream)?;
        Ok(Self {
            stream: ManuallyDrop::new(stream),
            identity,
            pending: Vec::new(),
            sent: None,
            patience,
            is_lost: false,
        })
    }

    /// Whether nothing can be sent any more.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Where answers arrive; they can be waited for while others send.
    pub(crate) fn replies(&self) -> Replies {
        // SAFETY: the descriptor is open; neither of the two that share it is ever dropped.
        let stream = unsafe { UnixStream::from_raw_fd(self.stream.as_raw_fd()) };
        Replies {
            stream: ManuallyDrop::new(stream),
            identity: self.identity,
            arrived: Vec::new(),
            patience: PATIENCE,
            endurance: ENDURANCE,
        }
    }

    /// Sends a message later; nothing happens once the channel is lost.
    pub(crate) fn send(&mut self, message: &FromAgent) {
        if self.is_lost {
            return;
        }
        // The length of a class name or path is bounded far below that of a frame; should a message
        // be refused all the same, the process must not believe that it heard everything.
        let is_encoded = message.encode(&mut self.pending).is_ok();
        self.is_lost = !is_encoded;
        if self.pending.len() >= MIN_SENT {
            self.send_kept();
        }
    }

    /// Sends what was kept, as far as the system takes it at once.
    pub(crate) fn send_kept(&mut self) {
        self.is_lost = self.is_lost || !self.push(MAX_PENDING);
        self.sent = Some(Instant::now());
    }

    /// The same, unless something was sent a moment ago: then it goes with what comes next.
    pub(crate) fn send_kept_in_time(&mut self) {
        let is_recent = |sent: &Instant| sent.elapsed() < MIN_PAUSE;
        if !self.sent.as_ref().is_some_and(is_recent) {
            self.send_kept();
        }
    }

    /// Sends everything that was kept, waiting as long as there is patience left.
    pub(crate) fn flush(&mut self) {
        self.is_lost = self.is_lost || !self.push(0);
    }

    /// Sends until no more than `n_kept` bytes are left; whether that succeeded.
    fn push(&mut self, n_kept: usize) -> bool {
        if !self.is_ours() {
            return false;
        }
        let mut n_sent = 0;
        let success = loop {
            let left = &self.pending[n_sent..];
            if left.is_empty() {
                break true;
            }
            let result = match write(&self.stream, left, MSG_DONTWAIT) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if left.len() <= n_kept {
                        break true;
                    }
                    wait(&self.stream, left, &mut self.patience)
                }
                result => result,
            };
            match result {
                Ok(n_more) => n_sent += n_more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break false,
            }
        };
        self.pending.drain(..n_sent);
        success
    }

    fn is_ours(&self) -> bool {
        identity(&self.stream).is_ok_and(|found| found == self.identity)
    }
}

/// The answers of the process.
pub(crate) struct Replies {
    /// Never dropped, as that of the channel.
    stream: ManuallyDrop<UnixStream>,
    identity: Identity,
    arrived: Vec<u8>,
    /// How long the JVM still waits in silence, in all.
    patience: Duration,
    /// How long it still waits, signs of life or not.
    endurance: Duration,
}

impl Replies {
    /// The next answer; none if it does not come in time, or the process is not to be believed.
    pub(crate) fn next(&mut self) -> Option<ToAgent> {
        loop {
            let start = Instant::now();
            let message = self.read(start + self.patience.min(self.endurance));
            let waited = start.elapsed();
            self.endurance = self.endurance.saturating_sub(waited);
            match message {
                Some(ToAgent::Working(_)) => {}
                Some(answer) => {
                    self.patience = self.patience.saturating_sub(waited);
                    return Some(answer);
                }
                // Nothing more is expected of a process that failed to answer once.
                None => {
                    self.patience = Duration::ZERO;
                    return None;
                }
            }
        }
    }

    fn read(&mut self, deadline: Instant) -> Option<ToAgent> {
        let mut part = [0; 4096];
        loop {
            if let Some((frame, length)) = Frame::parse(&self.arrived).ok()? {
                let answer = ToAgent::parse(&frame).ok()?;
                self.arrived.drain(..length);
                return Some(answer);
            }
            // Answers are short: a peer that sends frames of megabytes is none.
            if self.arrived.len() > part.len() || !self.is_ours() {
                return None;
            }
            let left = deadline.checked_duration_since(Instant::now())?;
            let left = Some(left).filter(|left| !left.is_zero())?;
            self.stream.set_read_timeout(Some(left)).ok()?;
            let n_read = match (&*self.stream).read(&mut part) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read.ok().filter(|n_read| *n_read > 0)?,
            };
            self.arrived.extend(&part[..n_read]);
        }
    }

    fn is_ours(&self) -> bool {
        identity(&self.stream).is_ok_and(|found| found == self.identity)
    }
}

/// Sends some bytes, waiting until the patience is used up.
fn wait(stream: &UnixStream, bytes: &[u8], patience: &mut Duration) -> io::Result<usize> {
    if patience.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    stream.set_write_timeout(Some(*patience))?;
    let start = Instant::now();
    let result = write(stream, bytes, 0);
    *patience = patience.saturating_sub(start.elapsed());
    result
}

fn write(stream: &UnixStream, bytes: &[u8], flags: c_int) -> io::Result<usize> {
    // SAFETY: the pointer and the length are those of a slice that lives during the call.
    let n_sent = unsafe {
        send(
            stream.as_raw_fd(),
            bytes.as_ptr().cast(),
            bytes.len(),
            flags | MSG_NOSIGNAL,
        )
    };
    usize::try_from(n_sent).map_err(|_| io::Error::last_os_error())
}

fn identity(stream: &UnixStream) -> io::Result<Identity> {
    // SAFETY: the file is never dropped, so the descriptor is only looked at; a number that is no
    // open descriptor gives an error.
    let file = ManuallyDrop::new(unsafe { File::from_raw_fd(stream.as_raw_fd()) });
    let metadata = file.metadata()?;
    Ok((metadata.dev(), metadata.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Seek as _, Write as _};
    use std::os::fd::{AsFd as _, OwnedFd};
    use std::thread;
    use tamis_wire::{Bye, Verdict, Working};

    fn pair(patience: Duration) -> (Channel, UnixStream) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        (Channel::new(ours, patience).unwrap(), theirs)
    }

    fn bye(length: usize) -> FromAgent {
        FromAgent::Bye(Bye::Incomplete(vec![b'x'; length]))
    }

    #[test]
    fn messages_arrive_in_order_however_slow_the_reader_is() {
        let (mut channel, mut theirs) = pair(PATIENCE);
        let sent: Vec<_> = (0..50).map(|n| bye(n * 10_000)).collect();
        let reader = thread::spawn(move || {
            let mut arrived = Vec::new();
            let mut part = [0; 5000];
            while let Ok(n @ 1..) = theirs.read(&mut part) {
                arrived.extend(&part[..n]);
            }
            arrived
        });
        for message in &sent {
            channel.send(message);
        }
        channel.flush();
        channel.stream.shutdown(std::net::Shutdown::Both).unwrap();
        let arrived = reader.join().unwrap();
        let mut rest = arrived.as_slice();
        for message in &sent {
            let (frame, length) = Frame::parse(rest).unwrap().unwrap();
            assert_eq!(FromAgent::parse(&frame).as_ref(), Ok(message));
            rest = &rest[length..];
        }
        assert!(rest.is_empty());
    }

    #[test]
    fn a_reader_that_stopped_costs_the_patience_once() {
        let patience = Duration::from_millis(100);
        let (mut channel, _theirs) = pair(patience);
        let start = Instant::now();
        for _ in 0..100 {
            channel.send(&bye(1_000_000));
        }
        channel.flush();
        assert!(channel.is_lost);
        assert!(start.elapsed() >= patience);
        assert!(
            start.elapsed() < Duration::from_secs(3),
            "{:?}",
            start.elapsed()
        );
        assert!(channel.pending.len() <= MAX_PENDING + 1_000_100);
    }

    #[test]
    fn a_reader_that_is_gone_is_no_signal() {
        let (mut channel, theirs) = pair(PATIENCE);
        drop(theirs);
        channel.send(&bye(1));
        channel.send_kept();
        assert!(channel.is_lost);
    }

    #[test]
    fn what_comes_a_moment_later_goes_with_what_comes_next() {
        let (mut channel, _theirs) = pair(PATIENCE);
        channel.send(&bye(1));
        channel.send_kept_in_time();
        assert!(channel.pending.is_empty());
        channel.sent = Some(Instant::now() + MIN_PAUSE);
        channel.send(&bye(1));
        channel.send_kept_in_time();
        assert!(!channel.pending.is_empty());
        channel.sent = Instant::now().checked_sub(MIN_PAUSE);
        channel.send_kept_in_time();
        assert!(channel.pending.is_empty());
    }

    /// The descriptor's number now belongs to a file, which must stay as it is.
    #[test]
    fn a_file_that_took_the_place_of_the_socket_is_not_written_to() {
        unsafe extern "C" {
            fn dup2(from: c_int, to: c_int) -> c_int;
        }
        let (mut channel, _theirs) = pair(PATIENCE);
        let mut file = tempfile::tempfile().unwrap();
        // Keeps the socket itself alive, as the JVM would not.
        let _kept: OwnedFd = channel.stream.as_fd().try_clone_to_owned().unwrap();
        // SAFETY: both descriptors are open; the channel is told of nothing, which is the point.
        unsafe { dup2(file.as_raw_fd(), channel.stream.as_raw_fd()) };
        channel.send(&bye(10));
        channel.flush();
        assert!(channel.is_lost);
        assert_eq!(file.seek(io::SeekFrom::End(0)).unwrap(), 0);
    }

    #[test]
    fn answers_come_one_by_one_until_one_is_none() {
        let (channel, mut theirs) = pair(PATIENCE);
        let mut replies = channel.replies();
        let verdicts = [Verdict::Run(1), Verdict::Skip(2)].map(ToAgent::Verdict);
        let mut bytes = Vec::new();
        for verdict in &verdicts {
            verdict.encode(&mut bytes).unwrap();
        }
        bytes.extend([0xff; 8]);
        theirs.write_all(&bytes).unwrap();
        for verdict in verdicts {
            assert_eq!(replies.next(), Some(verdict));
        }
        assert_eq!(replies.next(), None);
        // A process that erred is not waited for again.
        assert!(replies.patience.is_zero());
    }

    /// It gives signs of life for longer than the JVM would wait in silence, and then for longer than it waits at all.
    #[test]
    fn a_process_that_works_is_waited_for_and_not_for_ever() {
        let (channel, mut theirs) = pair(PATIENCE);
        let mut replies = channel.replies();
        replies.patience = Duration::from_secs(2);
        let pause = Duration::from_millis(100);
        let answer = ToAgent::Verdict(Verdict::Skip(1));
        let bytes = |message: &ToAgent| {
            let mut bytes = Vec::new();
            message.encode(&mut bytes).unwrap();
            bytes
        };
        let signs = move |theirs: &mut UnixStream, n_signs| {
            for _ in 0..n_signs {
                thread::sleep(pause);
                // Who waits may have given up.
                let _ = theirs.write_all(&bytes(&ToAgent::Working(Working)));
            }
        };
        thread::scope(|scope| {
            scope.spawn(|| {
                signs(&mut theirs, 25);
                let mut answered = Vec::new();
                answer.encode(&mut answered).unwrap();
                theirs.write_all(&answered).unwrap();
            });
            assert_eq!(replies.next().as_ref(), Some(&answer));
        });
        assert!(!replies.patience.is_zero());
        replies.endurance = Duration::from_millis(300);
        thread::scope(|scope| {
            scope.spawn(|| signs(&mut theirs, 5));
            assert_eq!(replies.next(), None);
        });
    }
}
