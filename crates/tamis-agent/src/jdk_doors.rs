//! The doors of the JDK: a few of its methods call the agent first, so that it sees which variables, properties
//! and members of archives are asked for.
//!
//! `table.rs` is the list of those methods as data, `callers.rs` tells what class loaders ask for themselves,
//! `members.rs` keeps class files that may be read to define a class; `jdk_calls.rs` has what the doors call, and
//! `text_field.rs` how that reads their arguments.
//!
//! Most of these classes are loaded before the agent can have a say. To change them afterwards takes an
//! environment of its own: one that may do so comes behind other agents when classes are loaded, and the one
//! that probes classes must not.

mod callers;
mod members;
mod table;
mod text_field;

use std::collections::BTreeSet;
use std::sync::Mutex;

use tamis_classfile::probe::{Call, call};
use tamis_facts::MethodId;
use tamis_wire::Sight;

use self::callers::Callers;
use self::table::{ROWS, Row};
use crate::guard::lock;
use crate::helper_class::CALLS;
use crate::jni::{Jni, Object};
use crate::jvmti::{Jvmti, MethodNames};
use crate::raw::jvmti::{
    CLASS_FILE_LOAD_HOOK, Capabilities, ClassFileLoadHook, EventCallbacks, RawVm,
};

pub(crate) use self::members::{Member, PendingMembers};
pub(crate) use self::text_field::{ARCHIVE_PATH, ENTRY_NAME};

/// What the doors show.
const SIGHTS: [Sight; 2] = [Sight::Environment, Sight::Archives];

/// The doors of the JDK, and the environment that opens them.
pub(crate) struct JdkDoors {
    jvmti: Jvmti,
    feature: u32,
    /// Rows that are taken for missing, in tests.
    doctored: Option<String>,
    /// Classes whose doors are open.
    opened: Mutex<BTreeSet<&'static str>>,
    callers: Callers,
}

/// What is not seen, and why.
pub(crate) type Unseen = (Sight, String);

/// A class of the JDK with its doors.
#[derive(Default)]
pub(crate) struct Opened {
    /// Other bytes, if any door was put in.
    pub(crate) bytes: Option<Vec<u8>>,
    pub(crate) unseen: Vec<Unseen>,
}

impl JdkDoors {
    /// Nothing, or not all, if this JVM is not one whose doors are known.
    ///
    /// # Safety
    ///
    /// `vm` is the JVM's own pointer, and the JVM is loading agents.
    pub(crate) unsafe fn new(
        vm: *mut RawVm,
        feature: Option<u32>,
        doctored: Option<String>,
        hook: ClassFileLoadHook,
    ) -> (Option<Self>, Vec<Unseen>) {
        let feature = feature.unwrap_or_default();
        let is_known = |sight: &Sight| table::is_known(*sight, feature);
        if !SIGHTS.iter().any(is_known) {
            return (None, unseen(NOT_KNOWN, |_| true));
        }
        // SAFETY: as the caller promises.
        let jvmti = unsafe { Jvmti::new(vm) }.filter(|jvmti| {
            jvmti.add_capabilities(&Capabilities::CAN_RETRANSFORM_CLASSES)
                && jvmti.set_callbacks(&EventCallbacks {
                    class_file_load_hook: Some(hook),
                    ..EventCallbacks::default()
                })
        });
        let Some(jvmti) = jvmti else {
            return (None, unseen(NOT_CHANGED, |_| true));
        };
        let doors = Self {
            jvmti,
            feature,
            doctored,
            opened: Mutex::default(),
            callers: Callers::new(jvmti),
        };
        (Some(doors), unseen(NOT_KNOWN, |sight| !is_known(sight)))
    }

    /// Opens the doors of classes that are loaded; those of others open when they are. The hook stays: who
    /// changes a class later begins with the JDK's bytes, and the doors are put in again.
    pub(crate) fn open(&self, jni: &Jni<'_>) -> Vec<Unseen> {
        let is_enabled = self.jvmti.enable(CLASS_FILE_LOAD_HOOK);
        let Some(loaded) = is_enabled.then(|| self.jvmti.loaded_classes(jni)).flatten() else {
            return unseen(NOT_CHANGED, |_| true);
        };
        let (mut names, mut classes) = (BTreeSet::new(), Vec::new());
        for class in loaded {
            match self.name(jni, class) {
                Some(name) if names.insert(name) => classes.push(class),
                _ => jni.delete(class),
            }
        }
        let is_changed = classes.is_empty() || self.jvmti.retransform(&classes);
        let opened = lock(&self.opened);
        let closed = |name: &&str| !is_changed || !opened.contains(name);
        let closed: BTreeSet<&str> = names.into_iter().filter(closed).collect();
        unseen(NOT_CHANGED, |sight| {
            let mut rows = ROWS.iter().filter(|row| row.sight == *sight);
            rows.any(|row| closed.contains(row.class))
        })
    }

    /// The name of a class of the table.
    fn name(&self, jni: &Jni<'_>, class: Object<'_>) -> Option<&'static str> {
        let signature = self.jvmti.signature(class)?;
        let name = table::class(signature.strip_prefix(b"L")?.strip_suffix(b";")?)?;
        // No other loader may define it, but they may try.
        let loader = self.jvmti.loader(jni, class);
        loader.is_none().then_some(name)
    }

    /// Puts the doors into a class without a loader that is loaded or changed, if it is one of the table.
    pub(crate) fn put(&self, name: &[u8], plain: &[u8]) -> Option<Opened> {
        let class = table::class(name)?;
        let rows = ROWS.iter().filter(|row| row.class == class);
        let rows = rows.filter(|row| row.is_on(self.feature));
        let mut opened = Opened::default();
        for row in rows {
            let bytes = opened.bytes.as_deref().unwrap_or(plain);
            match self.put_one(row, bytes) {
                Ok(bytes) => opened.bytes = Some(bytes),
                Err(reason) => opened.unseen.push((row.sight, reason)),
            }
        }
        lock(&self.opened).insert(class);
        Some(opened)
    }

    fn put_one(&self, row: &Row, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let name = row.name();
        if self.doctored.as_deref() == Some(&name) {
            return Err(missing(&name, "taken out"));
        }
        let method = MethodId {
            name: row.method.into(),
            descriptor: row.descriptor.into(),
        };
        let to = Call {
            owner: CALLS,
            name: row.call,
            arguments: row.arguments,
        };
        call(bytes, &method, &to).map_err(|error| missing(&name, error))
    }

    /// Whether a class loader asks for a member for itself: for a class file, or what says how to define classes.
    pub(crate) fn is_loaders(&self, jni: &Jni<'_>, name: &[u8]) -> bool {
        may_be_loaders(name) && self.callers.are_loading(jni)
    }

    /// Whether the JDK reads properties, all of which it gets, for its own use, or Surefire for its reports.
    pub(crate) fn is_nobodys_properties(&self, jni: &Jni<'_>) -> bool {
        is_nobodys_properties(&self.callers.names::<2>(jni))
    }

    /// Whether a class loader looks whether a package is sealed.
    pub(crate) fn is_loaders_seal(&self, jni: &Jni<'_>) -> bool {
        let callers = self.callers.names::<1>(jni);
        callers.iter().any(|caller| is_of(caller, LOADERS))
    }
}

fn is_nobodys_properties(callers: &[MethodNames]) -> bool {
    let is_report = |caller: &MethodNames| {
        let class = caller.class.strip_prefix("org/apache/maven/surefire/");
        class.is_some_and(|class| class.ends_with("util/internal/ObjectUtils"))
    };
    match callers {
        [caller, ..] if is_of(caller, READS_PROPERTIES) || caller.class == LISTENER => true,
        [bean, caller] => is_of(bean, &["sun/management/RuntimeImpl"]) && is_report(caller),
        _ => false,
    }
}

/// Until 2.19 Surefire itself takes the table of properties, before each test class.
const LISTENER: &str = "org/apache/maven/surefire/booter/ForkingRunListener";

/// Whether a method is one of these classes of the JDK.
fn is_of(method: &MethodNames, classes: &[&str]) -> bool {
    !method.has_loader && classes.contains(&&method.class[..])
}

const NOT_KNOWN: &str = "the methods of this JDK are not known yet";
const NOT_CHANGED: &str = "the JVM does not let the agent into the JDK's methods";

/// A reason for some of what the doors show.
fn unseen(reason: &str, is_unseen: impl Fn(&Sight) -> bool) -> Vec<Unseen> {
    let sights = SIGHTS.into_iter().filter(is_unseen);
    sights.map(|sight| (sight, reason.to_owned())).collect()
}

fn missing(name: &str, why: impl std::fmt::Display) -> String {
    let name = name.replace('/', ".");
    format!("this JDK has no method that the agent knows as {name}: {why}")
}

/// Classes of the JDK that take all properties to read some of them, of JDK 8 to 25. The values never leave
/// them. (`RuntimeMXBean` and JNDI do so too, and pass them on.)
const READS_PROPERTIES: &[&str] = &[
    "java/io/UnixFileSystem",
    "java/lang/invoke/MethodHandleStatics",
    "java/util/TimeZone",
    "jdk/internal/loader/URLClassPath",
    "jdk/internal/module/ModuleBootstrap",
    "jdk/internal/util/StaticProperty",
    "sun/launcher/LauncherHelper",
    "sun/net/sdp/SdpProvider",
    "sun/net/www/http/HttpClient",
    "sun/security/action/GetPropertyAction",
    "sun/security/action/GetPropertyAction$1",
    "sun/security/provider/SeedGenerator",
    "sun/security/provider/SeedGenerator$1",
];

/// Class loaders that look whether a package is sealed before they define a class in it.
const LOADERS: &[&str] = &[
    "java/net/URLClassLoader",
    "jdk/internal/loader/BuiltinClassLoader",
];

/// Whether a class loader may ask for a member without anybody asking it for that.
fn may_be_loaders(name: &[u8]) -> bool {
    const SIGNATURES: [&[u8]; 4] = [b".SF", b".RSA", b".DSA", b".EC"];
    if name.ends_with(b".class") {
        return true;
    }
    let ends_with = |end: &&[u8]| {
        let start = name.len().checked_sub(end.len());
        start.is_some_and(|start| name[start..].eq_ignore_ascii_case(end))
    };
    let folder = name.get(..META_INF.len());
    folder.is_some_and(|folder| folder.eq_ignore_ascii_case(META_INF))
        && (name.eq_ignore_ascii_case(MANIFEST)
            || name == INDEX
            || SIGNATURES.iter().any(ends_with))
}

const META_INF: &[u8] = b"META-INF/";

/// Where loaders of JDK 8 to 21 look which archives have what.
const INDEX: &[u8] = b"META-INF/INDEX.LIST";
/// The member with what an archive says of itself.
pub(crate) const MANIFEST: &[u8] = b"META-INF/MANIFEST.MF";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_jdk_and_surefire_take_properties_for_themselves() {
        const BEAN: &str = "sun/management/RuntimeImpl";
        const REPORT: &str = "org/apache/maven/surefire/api/util/internal/ObjectUtils";
        let check = |callers: &[(&str, bool)], expected| {
            let names = callers.iter().map(|(class, has_loader)| MethodNames {
                class: (*class).to_owned(),
                has_loader: *has_loader,
                name: "m".to_owned(),
                descriptor: "()V".to_owned(),
            });
            let names: Vec<_> = names.collect();
            assert_eq!(is_nobodys_properties(&names), expected, "{callers:?}");
        };
        check(&[("java/util/TimeZone", false), ("a/B", true)], true);
        check(&[("java/util/TimeZone", true), ("a/B", true)], false);
        check(&[(BEAN, false), (REPORT, true)], true);
        check(&[(BEAN, false), ("a/B", true)], false);
        check(&[("a/B", true), (REPORT, true)], false);
        check(&[(LISTENER, true), ("a/B", true)], true);
        check(&[("a/B", true), (LISTENER, true)], false);
        check(&[], false);
    }

    #[test]
    fn what_class_loaders_ask_for_is_told_by_its_name() {
        for name in [
            "a/B.class",
            "META-INF/MANIFEST.MF",
            "meta-inf/manifest.mf",
            "META-INF/A.SF",
            "META-INF/a.rsa",
        ] {
            assert!(may_be_loaders(name.as_bytes()), "{name}");
        }
        for name in [
            "",
            "a",
            "A.SF",
            "META-INF/",
            "META-INF/services/a.B",
            "x/META-INF/MANIFEST.MF",
        ] {
            assert!(!may_be_loaders(name.as_bytes()), "{name}");
        }
    }
}
