//! Code that hands work to other threads: they may go on with it, or begin it, while later tests run.
//!
//! Marks do not say which thread made them, so such work counts for the test that is open meanwhile, and nobody sees
//! that another one waits for its result. Which code hands over is read off its calls: libraries in between are
//! probed too, so it comes down to calls of the JDK.

use tamis_facts::{ClassName, MethodId};

use crate::class_info::{NamedMember, UnitInfo};
use crate::sabotage::Sabotage;

/// Who takes one of these runs it some time.
const WORK: &[&str] = &[
    "Ljava/lang/Runnable;",
    "Ljava/nio/channels/CompletionHandler;",
    "Ljava/util/TimerTask;",
    "Ljava/util/concurrent/Callable;",
    "Ljava/util/concurrent/ForkJoinTask;",
];

/// Methods of the JDK's executors that take work in other forms.
const METHODS: &[&str] = &[
    "execute",
    "fork",
    "invokeAll",
    "invokeAny",
    "offer",
    "schedule",
    "submit",
];

/// Whether a method, once it runs, may hand work to other threads.
pub(super) fn hands_over(unit: &UnitInfo) -> bool {
    let is_seen = !Sabotage::NoBackground.is_on();
    is_seen
        && unit.members.iter().any(|member| match member {
            NamedMember::Method(owner, method) => is_handing_over(owner, method),
            NamedMember::Field(..) => false,
        })
}

/// Whether code that names these classes may hand over, where nothing else is known of it.
pub(super) fn may_hand_over<'n>(mut names: impl Iterator<Item = &'n ClassName>) -> bool {
    names.any(|name| {
        let name = name.as_bytes();
        name == b"java/lang/Thread"
            || name == b"java/util/Timer"
            || name.starts_with(b"java/util/concurrent/")
    })
}

fn is_handing_over(owner: &ClassName, method: &MethodId) -> bool {
    let (name, descriptor) = (method.name.as_bytes(), method.descriptor.as_bytes());
    // Every class can be a thread, and be started by its own name.
    if name == b"start" && descriptor == b"()V" {
        return true;
    }
    // A constructor only keeps what it is given; it is started later.
    if name != b"<init>" && takes_work(descriptor) {
        return true;
    }
    let is_concurrent = owner.as_bytes().starts_with(b"java/util/concurrent/");
    (is_concurrent && METHODS.iter().any(|one| one.as_bytes() == name))
        || (owner.as_bytes().starts_with(b"java/") && name.ends_with(b"Async"))
}

fn takes_work(descriptor: &[u8]) -> bool {
    let end = descriptor.iter().rposition(|byte| *byte == b')');
    let parameters = &descriptor[..end.unwrap_or(0)];
    let mut parts = parameters.split_inclusive(|byte| *byte == b';');
    parts.any(|part| WORK.iter().any(|work| part.ends_with(work.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_hand_work_over() {
        for (owner, name, descriptor, expected) in [
            ("a/MyThread", "start", "()V", true),
            ("java/lang/Thread", "start", "()V", true),
            ("a/Pool", "run", "(Ljava/lang/Runnable;)V", true),
            (
                "java/util/concurrent/CompletableFuture",
                "thenApplyAsync",
                "(Ljava/util/function/Function;)Ljava/util/concurrent/CompletableFuture;",
                true,
            ),
            (
                "java/util/concurrent/ExecutorService",
                "invokeAll",
                "(Ljava/util/Collection;)Ljava/util/List;",
                true,
            ),
            (
                "java/util/concurrent/Future",
                "get",
                "()Ljava/lang/Object;",
                false,
            ),
            (
                "java/lang/Thread",
                "<init>",
                "(Ljava/lang/Runnable;)V",
                false,
            ),
            ("a/Watch", "task", "()Ljava/lang/Runnable;", false),
            ("a/Match", "start", "()I", false),
        ] {
            let method = MethodId {
                name: name.into(),
                descriptor: descriptor.into(),
            };
            let is_handing_over = is_handing_over(&ClassName::from(owner), &method);
            assert_eq!(is_handing_over, expected, "{owner}.{name}{descriptor}");
        }
    }
}
