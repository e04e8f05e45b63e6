//! The first words with the process outside, while the JVM starts.

use std::ffi::CStr;
use std::io::Read as _;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};
use std::{env, fs, process};

use tamis_wire::{Frame, FromAgent, Granularity, Hello, Session, ToAgent};

use crate::channel::{Channel, PATIENCE};
use crate::jvmti::Jvmti;
use crate::options::Options;

/// A process that wants this JVM to be watched.
pub(crate) struct Accepted {
    pub(crate) channel: Channel,
    /// The number that the process gave this JVM.
    pub(crate) jvm: u32,
    pub(crate) granularity: Granularity,
}

/// Connects and says hello; nothing unless the process wants this JVM to be watched.
pub(crate) fn connect(options: &Options, jvmti: Jvmti) -> Option<Accepted> {
    let stream = UnixStream::connect(&options.socket).ok()?;
    let mut channel = Channel::new(stream, PATIENCE).ok()?;
    channel.send(&FromAgent::Hello(describe(options, jvmti)));
    channel.flush();
    let answer = answer(channel.stream(), PATIENCE)?;
    let ToAgent::Session(Session::Accept { jvm, granularity }) = answer else {
        return None;
    };
    Some(Accepted {
        channel,
        jvm,
        granularity,
    })
}

fn describe(options: &Options, jvmti: Jvmti) -> Hello {
    let property = |name: &CStr| jvmti.system_property(name).unwrap_or_default();
    let directory = env::current_dir().unwrap_or_default();
    Hello {
        token: options.token,
        pid: process::id(),
        vm_version: property(c"java.vm.version"),
        java_home: property(c"java.home"),
        command: property(c"sun.java.command"),
        class_path: property(c"java.class.path"),
        directory: directory.into_os_string().into_vec(),
        arguments: arguments(),
        label: options.label.clone(),
        parent: options.parent,
    }
}

/// The arguments of this process as the system has them; the launcher's own are not lost in them.
fn arguments() -> Vec<Vec<u8>> {
    let line = fs::read("/proc/self/cmdline").unwrap_or_default();
    let line = line.strip_suffix(&[0]).unwrap_or(&line);
    line.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect()
}

/// The first message that comes, if it comes in time.
fn answer(mut stream: &UnixStream, patience: Duration) -> Option<ToAgent> {
    let deadline = Instant::now() + patience;
    let mut arrived = Vec::new();
    let mut part = [0; 64];
    loop {
        if let Some((frame, _)) = Frame::parse(&arrived).ok()? {
            return ToAgent::parse(&frame).ok();
        }
        // An answer is short: a peer that sends frames of megabytes is none.
        if arrived.len() > part.len() {
            return None;
        }
        let left = deadline.checked_duration_since(Instant::now())?;
        stream.set_read_timeout(Some(left)).ok()?;
        let n_read = stream.read(&mut part).ok().filter(|n_read| *n_read > 0)?;
        arrived.extend(&part[..n_read]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn check(sent: &[u8], expected: Option<ToAgent>) {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        theirs.write_all(sent).unwrap();
        assert_eq!(answer(&ours, Duration::from_millis(50)), expected);
    }

    #[test]
    fn an_answer_in_time_counts() {
        let accept = ToAgent::Session(Session::Accept {
            jvm: 1,
            granularity: Granularity::Class,
        });
        let mut bytes = Vec::new();
        accept.encode(&mut bytes).unwrap();
        check(&bytes, Some(accept));
        check(&bytes[..5], None);
        check(&[], None);
    }

    #[test]
    fn garbage_is_no_answer() {
        check(&[0xff; 32], None);
        check(&[0; 32], None);
        check(&[0xff, 0xff, 0, 0, 1, 2, 3], None);
        check(&[100; 200], None);
    }

    #[test]
    fn a_peer_that_hangs_up_gives_none() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        drop(theirs);
        assert_eq!(answer(&ours, Duration::from_secs(9)), None);
    }
}
