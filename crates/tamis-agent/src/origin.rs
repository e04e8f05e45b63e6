//! Where a class comes from: the JDK, whose classes are left alone, or a loader with a number.
//!
//! Names decide nothing: a library may call its packages as it likes. The loader decides, and for
//! modules of the JDK in the application's loader the place that the class was read from.

use std::sync::Mutex;

use crate::guard::lock;
use crate::jni::{Jni, Object};
use crate::jvmti::Jvmti;

/// Loaders that define nothing but the JDK's own classes, or the accessors that it makes for
/// reflection. They are classes of the JDK themselves.
const LOADERS_OF_JDK: &[&[u8]] = &[
    b"Ljdk/internal/loader/ClassLoaders$PlatformClassLoader;",
    b"Lsun/misc/Launcher$ExtClassLoader;",
    b"Ljdk/internal/reflect/DelegatingClassLoader;",
    b"Lsun/reflect/DelegatingClassLoader;",
];

/// What is put on a loader of the JDK; others have their number.
const OF_JDK: i64 = -1;

/// What is put on protection domains.
const IN_JDK_IMAGE: i64 = 1;
const ELSEWHERE: i64 = 2;

/// Numbers the loaders.
pub(crate) struct Origins {
    jvmti: Jvmti,
    n_loaders: Mutex<u32>,
}

impl Origins {
    pub(crate) fn new(jvmti: Jvmti) -> Self {
        Self {
            jvmti,
            n_loaders: Mutex::new(0),
        }
    }

    /// The number of the loader of a class; none if the class is the JDK's.
    pub(crate) fn loader<'j>(
        &self,
        jni: &Jni<'j>,
        loader: Object<'j>,
        domain: Option<Object<'j>>,
    ) -> Option<u32> {
        let number = self.number(jni, loader)?;
        let is_in_image = domain.is_some_and(|domain| self.is_in_jdk_image(jni, domain));
        (!is_in_image).then_some(number)
    }

    /// The number of a loader, a new one if it has none; none if it is the JDK's.
    pub(crate) fn number<'j>(&self, jni: &Jni<'j>, loader: Object<'j>) -> Option<u32> {
        // Held while the number is put on the loader, so that two threads agree; nothing in here
        // runs code of the JVM's.
        let mut n_loaders = lock(&self.n_loaders);
        let mut tag = self.jvmti.tag(loader);
        if tag == 0 {
            tag = if self.is_of_jdk(jni, loader) {
                OF_JDK
            } else {
                i64::from(*n_loaders) + 1
            };
            self.jvmti.set_tag(loader, tag);
            *n_loaders += u32::from(tag > 0);
        }
        u32::try_from(tag).ok()
    }

    fn is_of_jdk<'j>(&self, jni: &Jni<'j>, loader: Object<'j>) -> bool {
        let is_of_jdk = jni.in_frame(|| {
            let class = jni.class_of(loader)?;
            let signature = self.jvmti.signature(class)?;
            let is_listed = LOADERS_OF_JDK.contains(&signature.as_slice());
            Some(is_listed && self.jvmti.loader(jni, class).is_none())
        });
        is_of_jdk.unwrap_or(false)
    }

    /// Asked once for each domain, that is for each jar or module.
    fn is_in_jdk_image<'j>(&self, jni: &Jni<'j>, domain: Object<'j>) -> bool {
        match self.jvmti.tag(domain) {
            IN_JDK_IMAGE => return true,
            ELSEWHERE => return false,
            _ => {}
        }
        let is_in_image = jni.in_frame(|| is_jdk_module(jni, domain)).unwrap_or(false);
        let tag = if is_in_image { IN_JDK_IMAGE } else { ELSEWHERE };
        self.jvmti.set_tag(domain, tag);
        is_in_image
    }
}

/// Whether a domain's classes come from `jrt:/java.…` or `jrt:/jdk.…`. An image that was linked with
/// somebody's application has modules of other names in it.
fn is_jdk_module<'j>(jni: &Jni<'j>, domain: Object<'j>) -> Option<bool> {
    // A call into the JVM with an exception pending is an error; better to probe once too often.
    if jni.has_exception() {
        return None;
    }
    let source = jni.call(domain, c"getCodeSource", c"()Ljava/security/CodeSource;")?;
    let location = jni.call(source, c"getLocation", c"()Ljava/net/URL;")?;
    let [protocol, path] = [c"getProtocol", c"getPath"].map(|getter| {
        let text = jni.call(location, getter, c"()Ljava/lang/String;")?;
        jni.text(text)
    });
    let path = path?;
    let is_of_jdk = path.starts_with(b"/java.") || path.starts_with(b"/jdk.");
    Some(protocol? == b"jrt" && is_of_jdk)
}
