//! *add-optional-class*: a class appears that code looked for in vain.
//!
//! ## What changes
//! A class is added, nothing else. Code asks for it by name, and does without it if it is absent.
//!
//! ## Why tools get it wrong
//! The test used nothing that changed: it depends on a class that was not there.
//!
//! ## Example
//! ```java
//! try { Class.forName("Plugin"); return 1; } catch (ClassNotFoundException absent) { return 0; }
//! ```

use super::graft::Gadget;

const PLUGIN: (&str, &str) = (
    "Plugin",
    "public class Plugin implements java.util.function.IntSupplier {
    public int getAsInt() {
        return 5;
    }
}",
);

const FINDER: (&str, &str) = (
    "Finder",
    "public class Finder {
    public static int find() {
        try {
            Class<?> plugin = Class.forName(Finder.class.getName().replace(\"Finder\", \"Plugin\"));
            return ((java.util.function.IntSupplier) plugin.getConstructor().newInstance()).getAsInt();
        } catch (ReflectiveOperationException absent) {
            return 0;
        }
    }
}",
);

pub(super) const GADGETS: &[Gadget] = &[
    Gadget {
        same: &[FINDER],
        before: &[],
        after: &[PLUGIN],
        number: "Finder.find()",
    },
    Gadget {
        same: &[(
            "Finder",
            "public class Finder {
    private static final boolean IS_THERE = isThere();
    private static boolean isThere() {
        String name = Finder.class.getName().replace(\"Finder\", \"Plugin\");
        try {
            Finder.class.getClassLoader().loadClass(name);
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }
    public static int find() {
        return IS_THERE ? 1 : 0;
    }
}",
        )],
        before: &[],
        after: &[PLUGIN],
        number: "Finder.find()",
    },
    Gadget {
        same: &[FINDER],
        before: &[PLUGIN],
        after: &[],
        number: "Finder.find()",
    },
];
