//! Fields of the JDK's objects that are texts, read without running its code.

use std::ffi::{CStr, c_void};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::jni::{Field, Jni, Object};

/// A field of a class of the JDK's, a text. To ask an object's own class for it might find another of that name.
pub(crate) struct TextField {
    class: &'static CStr,
    /// The JDK may have renamed it.
    names: &'static [&'static CStr],
    /// Null until it was asked for; no lock is held while the JVM looks.
    field: AtomicPtr<c_void>,
}

/// The path of an archive, as it was opened.
pub(crate) static ARCHIVE_PATH: TextField =
    TextField::new(c"java/util/zip/ZipFile", &[c"name", c"filePath"]);
/// The name of an entry of an archive.
pub(crate) static ENTRY_NAME: TextField = TextField::new(c"java/util/zip/ZipEntry", &[c"name"]);

impl TextField {
    const fn new(class: &'static CStr, names: &'static [&'static CStr]) -> Self {
        Self {
            class,
            names,
            field: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Its value; nothing if it is null, or there is no such field.
    pub(crate) fn value<'j>(&self, jni: &Jni<'j>, object: Object<'j>) -> Option<Object<'j>> {
        let known = NonNull::new(self.field.load(Ordering::Acquire)).map(Field);
        let field = known.or_else(|| self.find(jni))?;
        jni.value(object, field)
    }

    fn find(&self, jni: &Jni<'_>) -> Option<Field> {
        let class = jni.find_class(self.class)?;
        let mut names = self.names.iter();
        let field = names.find_map(|name| jni.declared_field(class, name, c"Ljava/lang/String;"));
        jni.delete(class);
        // These classes are never unloaded.
        self.field.store(field?.0.as_ptr(), Ordering::Release);
        field
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use tamis_testkit::jdks::jdks;

    use super::*;

    #[test]
    fn every_jdk_has_one_of_the_names() {
        for jdk in jdks().unwrap() {
            for field in [&ARCHIVE_PATH, &ENTRY_NAME] {
                let class = field.class.to_str().unwrap().replace('/', ".");
                let mut javap = Command::new(jdk.java().with_file_name("javap"));
                let output = javap.args(["-p", &class]).output().unwrap();
                let text = String::from_utf8(output.stdout).unwrap();
                let declares = |name: &&&CStr| {
                    let end = format!("java.lang.String {};", name.to_str().unwrap());
                    text.lines().any(|line| line.ends_with(&end))
                };
                let n_names = field.names.iter().filter(declares).count();
                assert_eq!(n_names, 1, "{class} of JDK {}", jdk.feature);
            }
        }
    }
}
