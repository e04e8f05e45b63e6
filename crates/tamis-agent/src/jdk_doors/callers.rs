//! Who stands behind a call of the JDK: a class loader that loads a class, or the JDK for its own use. That is
//! no question of a test's.
//!
//! Stacks are costly, so they are looked at only where it matters, and what a method is called is asked once.

use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::Mutex;

use crate::guard::lock;
use crate::jni::Jni;
use crate::jvmti::{Jvmti, MethodNames};
use crate::raw::jni::RawMember;

/// The frames of the agent's native method and of the method with the door.
const N_INNER: c_int = 2;

/// How many frames are looked at in one go; most answers are among the first of them.
const N_FRAMES: usize = 10;
/// Where each go begins.
const GOES: [c_int; 2] = [N_INNER, N_INNER + 10];

/// How many methods are remembered.
const MAX_METHODS: usize = 4096;

/// The methods that were seen on stacks.
pub(super) struct Callers {
    jvmti: Jvmti,
    /// By the JVM's own number, which it gives to no other method later.
    methods: Mutex<HashMap<usize, Meaning>>,
}

/// What a method on the stack says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// A class loader does this for itself; or an archive, which looks whether it is signed or has variants for newer
    /// releases.
    Loads,
    /// Somebody asks a class loader for data.
    Asks,
    Nothing,
}

impl Callers {
    pub(super) fn new(jvmti: Jvmti) -> Self {
        Self {
            jvmti,
            methods: Mutex::default(),
        }
    }

    /// Whether a class loader asks for itself. The innermost frame that says anything decides.
    pub(super) fn are_loading(&self, jni: &Jni<'_>) -> bool {
        for depth in GOES {
            let mut n_frames = 0;
            for method in self.jvmti.own_stack::<N_FRAMES>(depth) {
                n_frames += 1;
                match self.meaning(jni, method) {
                    Meaning::Loads => return true,
                    Meaning::Asks => return false,
                    Meaning::Nothing => {}
                }
            }
            if n_frames < N_FRAMES {
                break;
            }
        }
        false
    }

    /// The methods that called the one with the door, the innermost first, no more than `N`.
    pub(super) fn names<const N: usize>(&self, jni: &Jni<'_>) -> Vec<MethodNames> {
        let methods = self.jvmti.own_stack::<N>(N_INNER);
        let names = methods.filter_map(|method| self.jvmti.method_names(jni, method));
        names.collect()
    }

    fn meaning(&self, jni: &Jni<'_>, method: RawMember) -> Meaning {
        let key = method.addr();
        if let Some(known) = lock(&self.methods).get(&key) {
            return *known;
        }
        let names = self.jvmti.method_names(jni, method);
        let meaning = names.map_or(Meaning::Nothing, |names| meaning(&names));
        let mut methods = lock(&self.methods);
        if methods.len() == MAX_METHODS {
            methods.clear();
        }
        methods.insert(key, meaning);
        meaning
    }
}

/// Where class loaders of the JDK search.
const PATHS: [&str; 2] = ["jdk/internal/loader/URLClassPath", "sun/misc/URLClassPath"];

/// What these do with an archive, before anybody can ask it for anything.
const OPENING: [&str; 7] = [
    "<init>",
    "ensureOpen",
    "getJarFile",
    "checkJar",
    "getClassPath",
    "getLoader",
    "parseExtensionsDependencies",
];

/// What an archive asks itself before it gives a member.
const CHECKING: [&str; 2] = ["checkForSpecialAttributes", "maybeInstantiateVerifier"];

fn meaning(method: &MethodNames) -> Meaning {
    let MethodNames {
        class,
        has_loader,
        name,
        descriptor,
    } = method;
    let is_jdks = |name| !has_loader && class == name;
    let gives_class = descriptor.ends_with(")Ljava/lang/Class;");
    let is_path = !has_loader && PATHS.iter().any(|path| class.starts_with(path));
    let defines = ["defineClass", "definePackage", "defineOrCheckPackage"].contains(&&name[..]);
    if gives_class && (name.starts_with("findClass") || name.starts_with("loadClass")) {
        return Meaning::Loads;
    }
    // What runs in there is another agent, which gets the class to transform it.
    if is_jdks("java/lang/ClassLoader") && name.starts_with("defineClass") {
        return Meaning::Asks;
    }
    if (is_jdks("java/net/URLClassLoader") || is_jdks("jdk/internal/loader/BuiltinClassLoader"))
        && defines
    {
        return Meaning::Loads;
    }
    if is_path && OPENING.contains(&&name[..]) {
        return Meaning::Loads;
    }
    let is_open = [
        "java/lang/ClassLoader",
        "java/lang/Class",
        "java/lang/Module",
    ];
    if name.starts_with("findResource")
        || (is_open.into_iter().any(is_jdks) && name.starts_with("getResource"))
    {
        return Meaning::Asks;
    }
    if is_jdks("java/util/jar/JarFile") && CHECKING.contains(&&name[..]) {
        return Meaning::Loads;
    }
    Meaning::Nothing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_on_the_stack_say_who_asks() {
        let by_name = "(Ljava/lang/String;)Ljava/lang/Class;";
        let resource = "(Ljava/lang/String;)Ljava/net/URL;";
        for (class, has_loader, name, descriptor, expected) in [
            ("a/Loader", true, "findClass", by_name, Meaning::Loads),
            ("a/Loader", true, "findClass", resource, Meaning::Nothing),
            ("a/Loader", true, "findResource", resource, Meaning::Asks),
            ("a/Loader", true, "getResource", resource, Meaning::Nothing),
            (
                "java/lang/ClassLoader",
                false,
                "loadClass",
                by_name,
                Meaning::Loads,
            ),
            (
                "java/lang/ClassLoader",
                false,
                "getResource",
                resource,
                Meaning::Asks,
            ),
            (
                "java/lang/ClassLoader",
                false,
                "defineClass",
                by_name,
                Meaning::Asks,
            ),
            (
                "java/net/URLClassLoader",
                false,
                "defineClass",
                by_name,
                Meaning::Loads,
            ),
            (
                "sun/misc/URLClassPath$JarLoader",
                false,
                "ensureOpen",
                "()V",
                Meaning::Loads,
            ),
            (
                "sun/misc/URLClassPath$JarLoader",
                false,
                "getResource",
                "()V",
                Meaning::Nothing,
            ),
            (
                "sun/misc/URLClassPath",
                true,
                "getResource",
                "()V",
                Meaning::Nothing,
            ),
        ] {
            let method = MethodNames {
                class: class.to_owned(),
                has_loader,
                name: name.to_owned(),
                descriptor: descriptor.to_owned(),
            };
            assert_eq!(meaning(&method), expected, "{class}.{name}");
        }
    }
}
