//! Threads that go on over a boundary: what they are in the middle of was marked before it.
//!
//! A mark is set where a method begins. A thread that waits inside a method goes on with it later
//! without marking it again, so the classes on its stack are carried into the next entity. Everything
//! else that it does marks anew, with one exception: the compiler may move a mark out of a loop. It does
//! so only where nothing in the loop could look at the mark; a loop that calls anything that is not
//! compiled into it, waits, or blocks marks anew in each turn. So of a thread that is running compiled
//! code at the boundary, with a probed class on its stack, everything is carried that was seen since it
//! started. `docs/design/agent.md` has the argument.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;
use std::sync::Mutex;

use tamis_wire::ContentHash;

use crate::guard::lock;
use crate::jni::{Jni, Object};
use crate::jvmti::Jvmti;
use crate::origin::Origins;
use crate::raw::jvmti::Capabilities;
use crate::segments::Epoch;

/// How deep a stack is looked at; what lies deeper is not known.
const MAX_FRAMES: usize = 512;

/// The threads of a JVM, as they were at the boundary before.
pub(crate) struct Threads {
    jvmti: Jvmti,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    /// By the number on the thread.
    seen: BTreeMap<u32, Seen>,
    n_threads: u32,
}

/// A class by its loader and the hash of its name.
pub(crate) type ClassKey = (u32, ContentHash);

/// What goes on over a boundary.
#[derive(Default)]
pub(crate) struct GoingOn {
    /// Since when threads run that may not mark again; none if there are no such threads.
    pub(crate) since: Option<Epoch>,
    /// Probed classes that threads at rest are in the middle of.
    pub(crate) classes: BTreeSet<ClassKey>,
}

/// A thread at a boundary.
#[derive(Clone)]
struct Seen {
    /// The boundary before it was first seen.
    started: Epoch,
    /// How long it had run; with the same time it has done nothing since.
    cpu_time: Option<i64>,
    classes: BTreeSet<ClassKey>,
}

/// What a thread looks like at a boundary.
enum Look {
    /// It waits, or is in native code, in the middle of these classes.
    AtRest(BTreeSet<ClassKey>),
    /// It may be inside a loop that lost its marks.
    Runs,
    /// It carries a virtual thread, of which nothing is known.
    Carries,
}

impl Threads {
    pub(crate) fn new(jvmti: Jvmti) -> Self {
        // Without it the stacks of all threads are looked at each time.
        jvmti.add_capabilities(&Capabilities::CAN_GET_THREAD_CPU_TIME);
        Self {
            jvmti,
            table: Mutex::default(),
        }
    }

    /// What all threads but this one go on with. Those that are seen for the first time started after the
    /// boundary before, `last`.
    pub(crate) fn going_on(&self, jni: &Jni<'_>, origins: &Origins, last: Epoch) -> GoingOn {
        let mut going_on = GoingOn::default();
        let threads = self.jvmti.all_threads(jni);
        let (Some(current), Some(threads)) = (self.jvmti.current_thread(jni), threads) else {
            // Nothing is known of any thread.
            going_on.since = Some(Epoch::default());
            return going_on;
        };
        let mut alive = BTreeSet::new();
        for thread in threads {
            let (number, before) = self.before(thread, last);
            alive.insert(number);
            if !jni.is_same(thread, current) {
                let after = self.after(jni, origins, thread, before, &mut going_on);
                lock(&self.table).seen.insert(number, after);
            }
            jni.delete(thread);
        }
        jni.delete(current);
        let mut table = lock(&self.table);
        table.seen.retain(|number, _| alive.contains(number));
        going_on
    }

    /// How a thread is now; adds what it goes on with.
    fn after<'j>(
        &self,
        jni: &Jni<'j>,
        origins: &Origins,
        thread: Object<'j>,
        before: Seen,
        going_on: &mut GoingOn,
    ) -> Seen {
        let started = before.started;
        let cpu_time = self.jvmti.cpu_time(thread);
        let look = if cpu_time.is_some() && before.cpu_time == cpu_time {
            Look::AtRest(before.classes)
        } else {
            self.look(jni, origins, thread)
        };
        let (classes, cpu_time, since) = match look {
            Look::AtRest(classes) => (classes, cpu_time, None),
            // A thread that runs has to be looked at again, however short the time.
            Look::Runs => (BTreeSet::new(), None, Some(started)),
            Look::Carries => (BTreeSet::new(), None, Some(Epoch::default())),
        };
        going_on.classes.extend(&classes);
        going_on.since = match (going_on.since, since) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Seen {
            started,
            cpu_time,
            classes,
        }
    }

    /// The number of a thread, and how it was at the boundary before; a new number is put on a new one.
    fn before(&self, thread: Object<'_>, last: Epoch) -> (u32, Seen) {
        let mut table = lock(&self.table);
        let number = u32::try_from(self.jvmti.tag(thread) - 1).unwrap_or_else(|_| {
            table.n_threads += 1;
            self.jvmti.set_tag(thread, i64::from(table.n_threads));
            table.n_threads - 1
        });
        let seen = table.seen.entry(number).or_insert(Seen {
            started: last,
            cpu_time: None,
            classes: BTreeSet::new(),
        });
        (number, seen.clone())
    }

    fn look<'j>(&self, jni: &Jni<'j>, origins: &Origins, thread: Object<'j>) -> Look {
        let is_carrier = self.is_carrier(jni, thread);
        // A thread that carries another one is told as waiting.
        let is_running = !is_carrier && self.jvmti.is_running(thread);
        let Some(frames) = self.jvmti.stack(thread, MAX_FRAMES) else {
            // It has ended.
            return Look::AtRest(BTreeSet::new());
        };
        if is_carrier {
            let mut names = frames.iter().map(|frame| self.jvmti.method_name(*frame));
            let is_mounted = names.any(|name| name.as_deref() == Some(b"runContinuation"));
            return if is_mounted {
                Look::Carries
            } else {
                Look::AtRest(BTreeSet::new())
            };
        }
        if frames.len() == MAX_FRAMES {
            return Look::Runs;
        }
        let classes: BTreeSet<ClassKey> = frames
            .iter()
            .filter_map(|method| self.probed_class(jni, origins, *method))
            .collect();
        if is_running && !classes.is_empty() {
            Look::Runs
        } else {
            Look::AtRest(classes)
        }
    }

    fn is_carrier<'j>(&self, jni: &Jni<'j>, thread: Object<'j>) -> bool {
        let signature = jni.in_frame(|| self.jvmti.signature(jni.class_of(thread)?));
        signature.is_some_and(|signature| signature == b"Ljdk/internal/misc/CarrierThread;")
    }

    /// The class of a method, unless it is one of the JDK's.
    fn probed_class(
        &self,
        jni: &Jni<'_>,
        origins: &Origins,
        method: *mut c_void,
    ) -> Option<ClassKey> {
        jni.in_frame(|| {
            let class = self.jvmti.declaring_class(jni, method)?;
            let loader = self.jvmti.loader(jni, class)?;
            let number = origins.number(jni, loader)?;
            let signature = self.jvmti.signature(class)?;
            let name = signature.strip_prefix(b"L")?.strip_suffix(b";")?;
            Some((number, ContentHash::of(name)))
        })
    }
}
