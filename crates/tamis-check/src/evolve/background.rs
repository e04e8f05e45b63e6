//! *change-code-in-background*: code changes that runs in the background while others test.
//!
//! ## What changes
//! A method that a thread or a pool runs later. One test class begins the work and does not wait, a
//! second one has nothing to do with it and takes its time, a third one uses the result. The work begins
//! when a thread has the name that the second test gives to its own, however busy the machine is; or,
//! where that test does not run, after a second. A name of a thread is nothing that tests share.
//!
//! ## Why tools get it wrong
//! The code runs while a test does that does not need it; when the test that needs it runs, it is over.
//!
//! ## Example
//! ```java
//! class Background { static final Future<Integer> RESULT = POOL.schedule(Background::work, 20, MILLISECONDS); }
//! class Task { static int value() { return 1; } }   // then 2
//! ```

use super::graft::Gadget;
use super::thread::{AFTER, BEFORE};
use super::{Evolution, Source, TestGraft};

/// What test classes begin with, in their order.
const STEPS: [&str; 3] = ["Background.begin()", "Pause.pause()", "Background.result()"];

/// Each way to work in the background.
pub(super) fn evolutions(source: Source<'_>) -> Vec<Evolution> {
    let steps = STEPS.iter().enumerate();
    let test_grafts: Vec<_> = steps
        .map(|(class, java)| TestGraft {
            class,
            method: 0,
            java: (*java).to_owned(),
        })
        .collect();
    let gadgets = GADGETS.iter();
    gadgets
        .map(|gadget| Evolution {
            test_grafts: test_grafts.clone(),
            ..gadget.evolution(source.program())
        })
        .collect()
}

/// Takes its time under a name by which others know that it does.
const PAUSE: (&str, &str) = (
    "Pause",
    "public class Pause {
    public static int pause() {
        Thread own = Thread.currentThread();
        String name = own.getName();
        own.setName(Pause.class.getName());
        try {
            Thread.sleep(100);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        } finally {
            own.setName(name);
        }
        return 0;
    }
}",
);

/// Waits for that name.
const AWAIT: (&str, &str) = (
    "Await",
    "public class Await {
    public static void pause() throws InterruptedException {
        String name = Await.class.getName().replace(\"Await\", \"Pause\");
        for (int turn = 0; turn < 200 && !isRunning(name); turn++) {
            Thread.sleep(5);
        }
    }
    private static boolean isRunning(String name) {
        Thread[] threads = new Thread[2 * Thread.activeCount() + 8];
        int n = Thread.enumerate(threads);
        for (int at = 0; at < n; at++) {
            if (threads[at].getName().equals(name)) {
                return true;
            }
        }
        return false;
    }
}",
);

/// A thread that hands its result on by itself, and a pool that does so.
const GADGETS: &[Gadget] = &[
    Gadget {
        same: &[PAUSE, AWAIT, (
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
            Await.pause();
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
        same: &[PAUSE, AWAIT, (
            "Background",
            "public class Background {
    private static final java.util.concurrent.ScheduledThreadPoolExecutor POOL = new java.util.concurrent.ScheduledThreadPoolExecutor(1, Background::daemon);
    private static final java.util.concurrent.Future<Integer> RESULT = POOL.schedule(Background::work, 20, java.util.concurrent.TimeUnit.MILLISECONDS);
    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }
    private static int work() throws InterruptedException {
        Await.pause();
        return Task.value();
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
