//! The first words with the process outside, while the JVM starts.

use std::ffi::CStr;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::net::UnixStream;
use std::{env, fs, process};

use tamis_wire::{FromAgent, Granularity, Hello, Marking, Session, ToAgent};

use crate::channel::{Channel, PATIENCE, Replies};
use crate::jvmti::Jvmti;
use crate::options::Options;

/// A process that wants this JVM to be watched.
pub(crate) struct Accepted {
    pub(crate) channel: Channel,
    pub(crate) replies: Replies,
    /// The number that the process gave this JVM.
    pub(crate) jvm: u32,
    pub(crate) granularity: Granularity,
    pub(crate) marking: Marking,
    /// Where class loaders look for files.
    pub(crate) class_directories: Vec<Vec<u8>>,
    /// Whether a test started this JVM.
    pub(crate) is_child: bool,
}

/// Connects and says hello; nothing unless the process wants this JVM to be watched.
pub(crate) fn connect(options: &Options, jvmti: Jvmti) -> Option<Accepted> {
    let stream = UnixStream::connect(&options.socket).ok()?;
    let mut channel = Channel::new(stream, PATIENCE).ok()?;
    channel.send(&FromAgent::Hello(describe(options, jvmti)));
    channel.flush();
    let mut replies = channel.replies();
    let ToAgent::Session(Session::Accept {
        jvm,
        granularity,
        marking,
        class_directories,
    }) = replies.next()?
    else {
        return None;
    };
    Some(Accepted {
        channel,
        replies,
        jvm,
        granularity,
        marking,
        class_directories,
        is_child: options.parent.is_some(),
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
