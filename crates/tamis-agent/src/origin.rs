//! Where a class comes from: the JDK, whose classes are left alone, or a loader with a number.
//!
//! Names decide nothing: a library may call its packages as it likes. The loader decides, and for
//! modules of the JDK in the application's loader the place that the class was read from. That place
//! is told to the process, which looks for the class file there first.

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

/// What is put on the protection domains of the JDK's modules; others have the number of their place
/// behind it.
const IN_JDK_IMAGE: i64 = 1;

/// Where a class that is watched comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The number of its loader.
    pub(crate) loader: u32,
    /// The place that it was read from, as a URL; empty where that is not known.
    pub(crate) place: Vec<u8>,
}

/// Numbers the loaders, and remembers the places.
pub(crate) struct Origins {
    jvmti: Jvmti,
    n_loaders: Mutex<u32>,
    places: Mutex<Vec<Vec<u8>>>,
}

impl Origins {
    pub(crate) fn new(jvmti: Jvmti) -> Self {
        Self {
            jvmti,
            n_loaders: Mutex::new(0),
            places: Mutex::new(Vec::new()),
        }
    }

    /// Where a class comes from; none if it is the JDK's.
    pub(crate) fn find<'j>(
        &self,
        jni: &Jni<'j>,
        loader: Object<'j>,
        domain: Option<Object<'j>>,
    ) -> Option<Origin> {
        let loader = self.number(jni, loader)?;
        let place = domain.map_or(Some(Vec::new()), |domain| self.place(jni, domain))?;
        Some(Origin { loader, place })
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

    /// The place of a domain; none if it is in the JDK's image. Asked once for each domain, that is for
    /// each jar or module.
    fn place<'j>(&self, jni: &Jni<'j>, domain: Object<'j>) -> Option<Vec<u8>> {
        let tag = self.jvmti.tag(domain);
        if tag == IN_JDK_IMAGE {
            return None;
        }
        if let Ok(number) = usize::try_from(tag - IN_JDK_IMAGE - 1) {
            return Some(lock(&self.places).get(number).cloned().unwrap_or_default());
        }
        // A call into the JVM with an exception pending is an error; the place is asked for next time.
        if jni.has_exception() {
            return Some(UNKNOWN.to_vec());
        }
        let Some(place) = jni.in_frame(|| Some(Place::of(jni, domain))) else {
            return Some(UNKNOWN.to_vec());
        };
        let place = match place {
            Place::Url(url) if url.is_in_jdk_image() => {
                self.jvmti.set_tag(domain, IN_JDK_IMAGE);
                return None;
            }
            Place::Url(url) => url.text(),
            Place::None => Vec::new(),
        };
        let mut places = lock(&self.places);
        places.push(place.clone());
        self.jvmti.set_tag(
            domain,
            IN_JDK_IMAGE + i64::try_from(places.len()).unwrap_or(i64::MAX - 1),
        );
        Some(place)
    }
}

/// What is told where a place cannot be asked for: no URL, so that nobody takes it for one or for none.
const UNKNOWN: &[u8] = b"unknown:";

/// What a protection domain says.
enum Place {
    /// There is none: the class was not read from anywhere.
    None,
    Url(Url),
}

impl Place {
    fn of<'j>(jni: &Jni<'j>, domain: Object<'j>) -> Self {
        let source = jni.call(domain, c"getCodeSource", c"()Ljava/security/CodeSource;");
        let location =
            source.and_then(|source| jni.call(source, c"getLocation", c"()Ljava/net/URL;"));
        location.map_or(Self::None, |location| Self::Url(Url::of(jni, location)))
    }
}

/// Parts of a URL, read by getters that call no handler: that could be the program's.
struct Url {
    protocol: Vec<u8>,
    authority: Vec<u8>,
    file: Vec<u8>,
}

impl Url {
    fn of<'j>(jni: &Jni<'j>, location: Object<'j>) -> Self {
        let part = |getter| jni.call_text(location, getter);
        Self {
            protocol: part(c"getProtocol").unwrap_or_else(|| b"unknown".to_vec()),
            authority: part(c"getAuthority").unwrap_or_default(),
            file: part(c"getFile").unwrap_or_default(),
        }
    }

    /// Whether these are classes from `jrt:/java.…` or `jrt:/jdk.…`. An image that was linked with
    /// somebody's application has modules of other names in it.
    fn is_in_jdk_image(&self) -> bool {
        let is_of_jdk = self.file.starts_with(b"/java.") || self.file.starts_with(b"/jdk.");
        self.protocol == b"jrt" && is_of_jdk
    }

    fn text(&self) -> Vec<u8> {
        let slashes: &[u8] = if self.authority.is_empty() {
            b""
        } else {
            b"//"
        };
        [
            &self.protocol[..],
            b":",
            slashes,
            &self.authority,
            &self.file,
        ]
        .concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_as_urls() {
        let place = |protocol: &str, authority: &str, file: &str| Url {
            protocol: protocol.into(),
            authority: authority.into(),
            file: file.into(),
        };
        assert_eq!(place("file", "", "/a/b.jar").text(), b"file:/a/b.jar");
        let remote = place("http", "h:80", "/b.jar?x");
        assert_eq!(remote.text(), b"http://h:80/b.jar?x");
        assert!(place("jrt", "", "/java.sql").is_in_jdk_image());
        assert!(!place("jrt", "", "/shop").is_in_jdk_image());
        assert!(!place("file", "", "/java.sql").is_in_jdk_image());
    }
}
