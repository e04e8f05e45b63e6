//! Classes without a loader: the JDK's own, which are left alone, and such as somebody appended to the
//! JDK's class path (`-Xbootclasspath/a`, other agents' helpers), which are told but not probed.
//!
//! Such a class has no protection domain. From JDK 9 on its package decides, and surely: the JVM looks
//! for a package of its modules in those modules alone. JDK 8 has no modules. There the beginning of the
//! name decides, and anything that an option put beside the JDK's own jars makes the run incomplete. So
//! does an option that puts classes into the JDK's modules.

use std::collections::HashMap;
use std::ffi::CString;
use std::sync::Mutex;

use crate::guard::{lock, note_incomplete};
use crate::jni::Jni;
use crate::jvm_options;
use crate::jvmti::{InBootModule, Jvmti};

/// Beginnings of the names of all classes in the boot class path of JDK 8.
const PACKAGES_OF_JDK_8: &[&str] = &[
    "java/",
    "javax/accessibility/",
    "javax/activation/",
    "javax/activity/",
    "javax/annotation/",
    "javax/crypto/",
    "javax/imageio/",
    "javax/jws/",
    "javax/lang/model/",
    "javax/management/",
    "javax/naming/",
    "javax/net/",
    "javax/print/",
    "javax/rmi/",
    "javax/script/",
    "javax/security/",
    "javax/smartcardio/",
    "javax/sound/",
    "javax/sql/",
    "javax/swing/",
    "javax/tools/",
    "javax/transaction/",
    "javax/xml/",
    "com/oracle/",
    "com/sun/",
    "jdk/",
    "oracle/jrockit/",
    "org/ietf/jgss/",
    "org/jcp/xml/dsig/",
    "org/omg/",
    "org/w3c/dom/",
    "org/xml/sax/",
    "sun/",
];

/// Tells classes without a loader apart.
pub(crate) struct BootPath {
    jvmti: Jvmti,
    /// Whether a package is one of the JDK's modules.
    packages: Mutex<HashMap<Vec<u8>, bool>>,
}

impl BootPath {
    pub(crate) fn new(jvmti: Jvmti) -> Self {
        Self {
            jvmti,
            packages: Mutex::new(HashMap::new()),
        }
    }

    /// Notes if an option makes it unsure which classes are the JDK's.
    pub(crate) fn check(&self) {
        let path = self.jvmti.system_property(c"sun.boot.class.path");
        let home = self.jvmti.system_property(c"java.home");
        if let Some(entry) = foreign_entry(&path.unwrap_or_default(), &home.unwrap_or_default()) {
            let entry = String::from_utf8_lossy(entry);
            note_incomplete(format!(
                "`{entry}` is in the boot class path, where classes are not told from the JDK's own"
            ));
        }
        if jvm_options::of_this_process()
            .iter()
            .any(|text| patches_jdk(text))
        {
            note_incomplete("classes of the JDK are replaced by `--patch-module`");
        }
    }

    /// Whether a class without a loader is none of the JDK's.
    pub(crate) fn is_appended(&self, jni: &Jni<'_>, name: &[u8]) -> bool {
        let package = package(name);
        if let Some(is_of_jdk) = lock(&self.packages).get(package) {
            return !is_of_jdk;
        }
        let Ok(text) = CString::new(package) else {
            return true;
        };
        let is_of_jdk = match self.jvmti.in_boot_module(jni, &text) {
            InBootModule::Yes => true,
            InBootModule::No => false,
            InBootModule::NoModules => is_named_as_in_jdk_8(name),
        };
        lock(&self.packages).insert(package.to_vec(), is_of_jdk);
        !is_of_jdk
    }

    /// Where such classes may have been read from: `boot:` and what options and other agents appended
    /// before the program began. What was appended later is not in it.
    pub(crate) fn place(&self) -> Vec<u8> {
        let path = self.jvmti.system_property(c"jdk.boot.class.path.append");
        let path = path.unwrap_or_default();
        // Some versions begin with a separator.
        [b"boot:", path.strip_prefix(b":").unwrap_or(&path)].concat()
    }
}

/// The package of a class. A class that the JDK makes at run time before JDK 15 has a number behind its name,
/// as `java/lang/invoke/LambdaForm$MH/1234`.
fn package(name: &[u8]) -> &[u8] {
    let before_last = |name: &'_ [u8]| name.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
    let end = before_last(name);
    let last = name.get(end + 1..).unwrap_or_default();
    if !last.is_empty() && last.iter().all(u8::is_ascii_digit) {
        return &name[..before_last(&name[..end])];
    }
    &name[..end]
}

/// The first entry outside of the JDK's home.
fn foreign_entry<'p>(path: &'p [u8], home: &[u8]) -> Option<&'p [u8]> {
    let mut entries = path.split(|byte| *byte == b':');
    entries.find(|entry| {
        let inside = entry.strip_prefix(home);
        !entry.is_empty() && !inside.is_some_and(|inside| inside.starts_with(b"/"))
    })
}

/// Whether options put classes into modules of the JDK.
fn patches_jdk(options: &[u8]) -> bool {
    const OPTION: &[u8] = b"--patch-module";
    let starts = (0..options.len()).filter(|start| options[*start..].starts_with(OPTION));
    starts
        .map(|start| &options[start + OPTION.len()..])
        .any(|rest| {
            // Behind `=`, or the next argument, which may stand in quotes.
            let is_separator = |byte: &u8| b"=\0 \t\r\n\"'".contains(byte);
            let module = rest.iter().position(|byte| !is_separator(byte));
            let module = &rest[module.unwrap_or(rest.len())..];
            module.starts_with(b"java.") || module.starts_with(b"jdk.")
        })
}

fn is_named_as_in_jdk_8(name: &[u8]) -> bool {
    let mut beginnings = PACKAGES_OF_JDK_8.iter();
    beginnings.any(|beginning| name.starts_with(beginning.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_of_a_class_with_and_without_a_number() {
        for (name, expected) in [
            ("java/lang/String", "java/lang"),
            ("java/lang/invoke/LambdaForm$MH/1234", "java/lang/invoke"),
            ("appended/Helper", "appended"),
            ("Main", ""),
            ("Main/77", ""),
            ("", ""),
        ] {
            assert_eq!(package(name.as_bytes()), expected.as_bytes(), "{name}");
        }
    }
    use std::fs;
    use std::path::Path;
    use tamis_build::ClassSource;
    use tamis_testkit::jdks::jdks;

    #[test]
    fn an_entry_outside_of_the_jdk_is_found() {
        let check = |path: &str, expected: Option<&str>| {
            let found = foreign_entry(path.as_bytes(), b"/jdk/jre");
            assert_eq!(found, expected.map(str::as_bytes), "{path}");
        };
        check("/jdk/jre/lib/rt.jar:/jdk/jre/classes", None);
        check("", None);
        check("/a.jar:/jdk/jre/lib/rt.jar", Some("/a.jar"));
        check("/jdk/jre/lib/rt.jar:a", Some("a"));
        check("/jdk/jre2/lib/rt.jar", Some("/jdk/jre2/lib/rt.jar"));
    }

    #[test]
    fn patches_of_the_jdks_modules_are_found() {
        for options in [
            "java\0--patch-module=java.base=/x\0Main\0",
            "java\0--patch-module\0jdk.compiler=/x\0Main\0",
            "-cp x\n--patch-module\n  \"java.sql=/x y\"\n",
            "--patch-module shop=x --patch-module java.base=y",
        ] {
            assert!(patches_jdk(options.as_bytes()), "{options}");
        }
        for options in ["--patch-module=shop=/java.base\0Main", "--patch-module", ""] {
            assert!(!patches_jdk(options.as_bytes()), "{options}");
        }
    }

    /// The list is whole: none of the JDK's own classes is taken for somebody's.
    #[test]
    fn every_class_of_jdk_8_is_named_as_listed() {
        let jdks = jdks().unwrap();
        for jdk in jdks.iter().filter(|jdk| jdk.feature == 8) {
            let library = [jdk.home.join("jre/lib"), jdk.home.join("lib")];
            let jars = [
                "resources",
                "rt",
                "sunrsasign",
                "jsse",
                "jce",
                "charsets",
                "jfr",
            ];
            let mut n_classes = 0;
            for jar in jars.map(|jar| format!("{jar}.jar")) {
                let file = library
                    .iter()
                    .map(|lib| lib.join(&jar))
                    .find(|f| f.is_file());
                n_classes += file.map_or(0, |file| check_jar(&file));
            }
            assert!(n_classes > 10_000, "{n_classes}");
        }
    }

    fn check_jar(jar: &Path) -> usize {
        assert!(fs::metadata(jar).unwrap().is_file());
        let source = ClassSource::open(jar).unwrap();
        for class in source.classes() {
            assert!(
                is_named_as_in_jdk_8(class.path().as_bytes()),
                "{}",
                class.path()
            );
        }
        source.classes().len()
    }
}
