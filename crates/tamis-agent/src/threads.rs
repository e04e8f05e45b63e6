//! Threads that run on over a boundary: what they do in a hot loop may have been marked before it.
//!
//! The compiler may move a mark out of a loop, so that a thread that stays in the loop does not mark
//! again. It does so only where nothing in the loop could look at the mark: a loop that calls anything
//! that is not compiled into it, waits, or blocks marks anew in each turn. So only threads matter that
//! are running compiled code at the boundary, not those that wait or are in native code; and of these
//! only threads with a probed class on their stack. `docs/design/agent.md` has the argument.

use std::ffi::c_void;

use crate::jni::{Jni, Object};
use crate::jvmti::Jvmti;
use crate::origin::Origins;
use crate::segments::Epoch;

/// How deep a stack is looked at; a deeper one counts as having a probed class on it.
const MAX_FRAMES: usize = 512;

/// What a thread looks like at a boundary.
enum Look {
    /// It cannot be inside a loop that lost its marks.
    AtRest,
    /// It may be, since the time that it was first seen.
    Runs,
    /// It carries a virtual thread, of which nothing is known.
    Carries,
}

/// Since when threads run that may not mark again; none if there are no such threads.
///
/// Threads that are seen for the first time started after the boundary before, `last`.
pub(crate) fn running_since(
    jni: &Jni<'_>,
    jvmti: Jvmti,
    origins: &Origins,
    last: Epoch,
) -> Option<Epoch> {
    let current = jvmti.current_thread(jni)?;
    let mut since: Option<Epoch> = None;
    for thread in jvmti.all_threads(jni)? {
        if !jni.is_same(thread, current) {
            let started = started(jvmti, thread, last);
            let found = match look(jni, jvmti, origins, thread) {
                Look::AtRest => None,
                Look::Runs => Some(started),
                Look::Carries => Some(Epoch::default()),
            };
            since = match (since, found) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
        }
        jni.delete(thread);
    }
    jni.delete(current);
    since
}

/// When a thread was seen first; noted on the thread itself.
fn started(jvmti: Jvmti, thread: Object<'_>, last: Epoch) -> Epoch {
    let tag = jvmti.tag(thread);
    if let Ok(epoch) = u32::try_from(tag - 1) {
        return Epoch(epoch);
    }
    jvmti.set_tag(thread, i64::from(last.0) + 1);
    last
}

fn look<'j>(jni: &Jni<'j>, jvmti: Jvmti, origins: &Origins, thread: Object<'j>) -> Look {
    let is_carrier = jni
        .class_of(thread)
        .and_then(|class| {
            let signature = jvmti.signature(class);
            jni.delete(class);
            signature
        })
        .is_some_and(|signature| signature == b"Ljdk/internal/misc/CarrierThread;");
    // A thread that carries another one is told as waiting.
    if !is_carrier && !jvmti.is_running(thread) {
        return Look::AtRest;
    }
    let Some(frames) = jvmti.stack(thread, MAX_FRAMES) else {
        return Look::AtRest;
    };
    if is_carrier {
        let is_mounted = frames
            .iter()
            .any(|method| jvmti.method_name(*method).as_deref() == Some(b"runContinuation"));
        return if is_mounted {
            Look::Carries
        } else {
            Look::AtRest
        };
    }
    let is_probed = |method: &*mut c_void| {
        let class = jvmti.declaring_class(jni, *method)?;
        let loader = jvmti.loader(jni, class);
        jni.delete(class);
        let number = origins.number(jni, loader?);
        jni.delete(loader?);
        number
    };
    let runs =
        frames.len() == MAX_FRAMES || frames.iter().any(|method| is_probed(method).is_some());
    if runs { Look::Runs } else { Look::AtRest }
}
