//! *change-code-in-thread*: code that runs in another thread changes.
//!
//! ## What changes
//! A method that a test has run by a thread that is started and joined, by an executor, or by the
//! common pool, whose threads outlive the test. Or work in the background that one test class begins
//! and another one waits for, while others run.
//!
//! ## Why tools get it wrong
//! A tool that asks which thread a test runs in loses what others do for it; and one that gives what
//! runs to the test that is running gives it to the wrong one.
//!
//! ## Example
//! ```java
//! Thread thread = new Thread(() -> result[0] = Task.value()); thread.start(); thread.join();
//! class Task { static int value() { return 1; } }   // then 2
//! ```

use super::graft::Gadget;
use super::{Evolution, Source, TestGraft};

const BEFORE: (&str, &str) = (
    "Task",
    "public class Task {
    public static int value() {
        return 1;
    }
}",
);

const AFTER: (&str, &str) = (
    "Task",
    "public class Task {
    public static int value() {
        return 2;
    }
}",
);

pub(super) const GADGETS: &[Gadget] = &[
    Gadget {
        same: &[(
            "Worker",
            "public class Worker {
    public static int run() {
        final int[] result = new int[1];
        Thread thread = new Thread(() -> result[0] = Task.value());
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
        return result[0];
    }
}",
        )],
        before: &[BEFORE],
        after: &[AFTER],
        number: "Worker.run()",
    },
    Gadget {
        same: &[(
            "Worker",
            "public class Worker {
    public static int run() {
        java.util.concurrent.ExecutorService service = java.util.concurrent.Executors.newSingleThreadExecutor();
        try {
            return service.submit(Task::value).get();
        } catch (InterruptedException | java.util.concurrent.ExecutionException failed) {
            throw new IllegalStateException(failed);
        } finally {
            service.shutdown();
        }
    }
}",
        )],
        before: &[BEFORE],
        after: &[AFTER],
        number: "Worker.run()",
    },
    Gadget {
        same: &[(
            "Worker",
            "public class Worker {
    public static int run() {
        return java.util.concurrent.CompletableFuture.supplyAsync(Task::value).join();
    }
}",
        )],
        before: &[BEFORE],
        after: &[AFTER],
        number: "Worker.run()",
    },
];

/// The first test class begins the work, the second one waits for it.
pub(super) fn begun_by_another_class(source: Source<'_>) -> Vec<Evolution> {
    let graft = |class: usize, java: &str| TestGraft {
        class,
        method: 0,
        java: java.to_owned(),
    };
    let gadgets = BACKGROUND.iter();
    gadgets
        .map(|gadget| Evolution {
            test_grafts: vec![graft(0, "Background.begin()"), graft(1, gadget.number)],
            ..gadget.evolution(source.program())
        })
        .collect()
}

/// A thread that hands its result on by itself, and a pool that does so.
const BACKGROUND: &[Gadget] = &[
    Gadget {
        same: &[(
            "Background",
            "public class Background {
    private static final java.util.concurrent.CompletableFuture<Integer> RESULT = new java.util.concurrent.CompletableFuture<>();
    static {
        Thread thread = new Thread(Background::work);
        thread.setDaemon(true);
        thread.start();
    }
    private static void work() {
        try {
            Thread.sleep(20);
            RESULT.complete(Task.value());
        } catch (InterruptedException interrupted) {
            RESULT.completeExceptionally(interrupted);
        }
    }
    public static int begin() {
        return 0;
    }
    public static int result() {
        return RESULT.join();
    }
}",
        )],
        before: &[BEFORE],
        after: &[AFTER],
        number: "Background.result()",
    },
    Gadget {
        same: &[(
            "Background",
            "public class Background {
    private static final java.util.concurrent.ScheduledThreadPoolExecutor POOL = new java.util.concurrent.ScheduledThreadPoolExecutor(1, Background::daemon);
    private static final java.util.concurrent.Future<Integer> RESULT = POOL.schedule(Task::value, 20, java.util.concurrent.TimeUnit.MILLISECONDS);
    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }
    public static int begin() {
        return 0;
    }
    public static int result() {
        try {
            return RESULT.get();
        } catch (InterruptedException | java.util.concurrent.ExecutionException failed) {
            throw new IllegalStateException(failed);
        }
    }
}",
        )],
        before: &[BEFORE],
        after: &[AFTER],
        number: "Background.result()",
    },
];
