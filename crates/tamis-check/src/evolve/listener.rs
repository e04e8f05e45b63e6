//! *change-code-in-listener*: code changes that a listener runs before the first test.
//!
//! ## What changes
//! A method that makes what tests share, a server or a connection in projects, a number here. The
//! framework finds the listener by a file on the class path, and calls it when its session begins, or
//! when tests are about to run.
//!
//! ## Why tools get it wrong
//! No test runs it and none names it. A tool that watches tests sees it run for nobody.
//!
//! ## Example
//! ```java
//! class Listener implements TestExecutionListener {
//!     static int shared;
//!     public void testPlanExecutionStarted(TestPlan plan) { shared = Fixture.make(); }
//! }
//! class Fixture { static int make() { return 1; } }   // then 2
//! ```

use super::graft::{self, Gadget};
use super::{Evolution, Service, Source};

/// Each listener at each place.
pub(super) fn evolutions(source: Source<'_>) -> Vec<Evolution> {
    let mut all = Vec::new();
    for (interface, gadget) in LISTENERS {
        let evolutions = graft::evolutions(source, std::slice::from_ref(gadget)).into_iter();
        all.extend(evolutions.map(|evolution| Evolution {
            services: vec![Service {
                interface,
                class: "Listener",
            }],
            ..evolution
        }));
    }
    all
}

const BEFORE: (&str, &str) = (
    "Fixture",
    "public class Fixture {
    public static int make() {
        return 1;
    }
}",
);

const AFTER: (&str, &str) = (
    "Fixture",
    "public class Fixture {
    public static int make() {
        return 2;
    }
}",
);

/// With the interface that each has.
const LISTENERS: &[(&str, Gadget)] = &[
    (
        "org.junit.platform.launcher.TestExecutionListener",
        Gadget {
            same: &[(
                "Listener",
                "public class Listener implements org.junit.platform.launcher.TestExecutionListener {
    static volatile int shared;
    public static int shared() {
        return shared;
    }
    @Override
    public void testPlanExecutionStarted(org.junit.platform.launcher.TestPlan plan) {
        shared = Fixture.make();
    }
}",
            )],
            before: &[BEFORE],
            after: &[AFTER],
            number: "Listener.shared()",
        },
    ),
    (
        "org.junit.platform.launcher.LauncherSessionListener",
        Gadget {
            same: &[(
                "Listener",
                "public class Listener implements org.junit.platform.launcher.LauncherSessionListener {
    static volatile int shared;
    public static int shared() {
        return shared;
    }
    @Override
    public void launcherSessionOpened(org.junit.platform.launcher.LauncherSession session) {
        shared = Fixture.make();
    }
}",
            )],
            before: &[BEFORE],
            after: &[AFTER],
            number: "Listener.shared()",
        },
    ),
];
