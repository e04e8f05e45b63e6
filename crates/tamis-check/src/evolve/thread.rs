//! *change-code-in-thread*: code that runs in another thread changes.
//!
//! ## What changes
//! A method that a test has run by a thread that is started and joined, by an executor, or by the
//! common pool, whose threads outlive the test.
//!
//! ## Why tools get it wrong
//! A tool that asks which thread a test runs in loses what others do for it.
//!
//! ## Example
//! ```java
//! Thread thread = new Thread(() -> result[0] = Task.value()); thread.start(); thread.join();
//! class Task { static int value() { return 1; } }   // then 2
//! ```

use super::graft::Gadget;

pub(super) const BEFORE: (&str, &str) = (
    "Task",
    "public class Task {
    public static int value() {
        return 1;
    }
}",
);

pub(super) const AFTER: (&str, &str) = (
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
