//! *change-service*: a file changes that names the classes which provide a service.
//!
//! ## What changes
//! Another class provides the service, one more does, or the first one; all of them are there all the
//! time.
//!
//! ## Why tools get it wrong
//! No class changes, and code that asks for a service names none of those that provide it.
//!
//! ## Example
//! ```java
//! for (Plugin plugin : ServiceLoader.load(Plugin.class)) { sum += plugin.value(); }
//! ```

use super::graft::Gadget;
use super::surrounded::{Surrounded, looking};
use crate::program::Surrounding;

const PLUGIN: (&str, &str) = (
    "Plugin",
    "public interface Plugin {
    int value();
}",
);

const ONE: (&str, &str) = (
    "OnePlugin",
    "public class OnePlugin implements Plugin {
    public int value() {
        return 1;
    }
}",
);

const OTHER: (&str, &str) = (
    "OtherPlugin",
    "public class OtherPlugin implements Plugin {
    public int value() {
        return 2;
    }
}",
);

const READER: (&str, &str) = (
    "Reader",
    "public class Reader {
    public static int number() {
        int sum = 0;
        for (Plugin plugin : java.util.ServiceLoader.load(Plugin.class, Reader.class.getClassLoader())) {
            sum += plugin.value();
        }
        return sum;
    }
}",
);

/// Once for all tests of the JVM.
const ONCE: (&str, &str) = (
    "Reader",
    "public class Reader {
    private static final java.util.ServiceLoader<Plugin> PLUGINS = java.util.ServiceLoader.load(Plugin.class, Reader.class.getClassLoader());
    public static int number() {
        synchronized (PLUGINS) {
            int sum = 0;
            for (Plugin plugin : PLUGINS) {
                sum += plugin.value();
            }
            return sum;
        }
    }
}",
);

const SEARCH: Gadget = looking(&[PLUGIN, ONE, OTHER, READER]);
const SEARCH_ONCE: Gadget = looking(&[PLUGIN, ONE, OTHER, ONCE]);

const fn provided_by(providers: &'static [&'static str]) -> Surrounding {
    Surrounding::Service {
        interface: "Plugin",
        providers,
    }
}

pub(super) const ALL: &[Surrounded] = &[
    Surrounded {
        gadget: SEARCH,
        before: &[provided_by(&["OnePlugin"])],
        after: &[provided_by(&["OtherPlugin"])],
    },
    Surrounded {
        gadget: SEARCH,
        before: &[],
        after: &[provided_by(&["OnePlugin"])],
    },
    Surrounded {
        gadget: SEARCH_ONCE,
        before: &[provided_by(&["OnePlugin"])],
        after: &[provided_by(&["OnePlugin", "OtherPlugin"])],
    },
];
