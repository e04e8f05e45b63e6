//! The place that a class says it came from: the URL of its code source.
//!
//! Written as loaders write it: `file:/x/classes/`, `file:/x/a.jar`, and for archives inside
//! archives `jar:file:/x/app.jar!/BOOT-INF/lib/b.jar!/` or, by Spring Boot since 3.2,
//! `jar:nested:/x/app.jar/!BOOT-INF/lib/b.jar!/`. A file's own URL has its special characters as
//! `%20`; some programs make URLs without.

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Component, Path, PathBuf};

use super::archives::{Archives, OnDisk};
use super::root::Root;
use crate::read_error::ReadErrorKind;

/// The place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    /// A file or a directory.
    path: PathBuf,
    /// The way from there on: archives inside archives, the last perhaps a folder.
    inside: Vec<Vec<u8>>,
}

impl Origin {
    /// What the URL may mean, the likelier first; nothing if it leads to no file.
    pub(crate) fn parse_all(url: &[u8]) -> Vec<Self> {
        let decoded = percent_decoded(url);
        let mut readings = vec![decoded];
        if readings[0] != url {
            readings.push(url.to_vec());
        }
        let origins = readings.iter().filter_map(|url| Self::parse(url));
        origins.collect()
    }

    fn parse(url: &[u8]) -> Option<Self> {
        let mut url = url;
        while let Some(inner) = url.strip_prefix(b"jar:") {
            url = inner;
        }
        let (file, inside) = match url.strip_prefix(b"nested:") {
            Some(nested) => cut(nested, b"/!").unwrap_or((nested, b"")),
            None => (file_path(url)?, b"".as_slice()),
        };
        let mut parts = split(file, b"!/");
        parts.extend(split(inside, b"!/"));
        let mut parts = parts.into_iter();
        let path = parts.next().filter(|path| path.starts_with(b"/"))?;
        let inside = parts.filter(|part| !part.is_empty()).map(<[u8]>::to_vec);
        Some(Self {
            path: path_of(path.to_vec()).components().collect(),
            inside: inside.collect(),
        })
    }

    /// Where to look; an error if nothing is there.
    pub(crate) fn open(&self, archives: &Archives) -> Result<Root, ReadErrorKind> {
        let mut archive = match archives.look(&self.path)? {
            OnDisk::Absent => return Err(io::Error::from(io::ErrorKind::NotFound).into()),
            OnDisk::Directory if self.inside.is_empty() => {
                return Ok(Root::Directory(self.path.clone()));
            }
            OnDisk::Directory => return Err(ReadErrorKind::NotClasses),
            OnDisk::NoClasses => return Ok(Root::Nothing(self.path.clone())),
            OnDisk::Archive(archive) => archive,
        };
        let mut folder = Vec::new();
        for name in &self.inside {
            let mut as_folder = name.clone();
            if !name.ends_with(b"/") {
                as_folder.push(b'/');
            }
            if archive.has_folder(&as_folder) {
                folder = as_folder;
            } else {
                archive = archive.nested(name)?;
            }
        }
        Ok(Root::Archive {
            path: self.path.clone(),
            archive,
            folder,
        })
    }
}

/// The path that a URL in the manifest of the jar `base` means; none if it leads to no file.
pub(crate) fn path_beside(base: &Path, url: &[u8]) -> Option<PathBuf> {
    let decoded = percent_decoded(url);
    let path = match file_path(&decoded) {
        Some(path) => path,
        None if has_scheme(&decoded) => return None,
        None => &decoded,
    };
    let path = base.parent()?.join(path_of(path.to_vec()));
    Some(without_dots(&path))
}

/// The path of a `file:` URL, on this machine.
fn file_path(url: &[u8]) -> Option<&[u8]> {
    let path = url.strip_prefix(b"file:")?;
    let Some(with_host) = path.strip_prefix(b"//") else {
        return Some(path);
    };
    let without_host = with_host.strip_prefix(b"localhost").unwrap_or(with_host);
    without_host.starts_with(b"/").then_some(without_host)
}

fn has_scheme(url: &[u8]) -> bool {
    let end = url.iter().position(|byte| matches!(byte, b':' | b'/'));
    end.is_some_and(|end| end > 0 && url[end] == b':')
}

/// As a JVM resolves URLs: without looking at what lies there.
fn without_dots(path: &Path) -> PathBuf {
    let mut resolved = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                resolved.pop();
            }
            component => resolved.push(component),
        }
    }
    resolved
}

/// Replaces each `%` with two hexadecimal digits by the byte they stand for.
fn percent_decoded(text: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        let byte = after.get(..2).filter(|_| *first == b'%').and_then(hex_byte);
        decoded.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    decoded
}

fn hex_byte(digits: &[u8]) -> Option<u8> {
    let value = |digit: u8| char::from(digit).to_digit(16);
    let [high, low] = digits else { return None };
    u8::try_from(value(*high)? << 4 | value(*low)?).ok()
}

fn split<'t>(text: &'t [u8], separator: &[u8]) -> Vec<&'t [u8]> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((part, after)) = cut(rest, separator) {
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

/// What stands before the first separator and behind it.
fn cut<'t>(text: &'t [u8], separator: &[u8]) -> Option<(&'t [u8], &'t [u8])> {
    let mut windows = text.windows(separator.len());
    let at = windows.position(|window| window == separator)?;
    Some((&text[..at], &text[at + separator.len()..]))
}

fn path_of(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(OsString::from_vec(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The likeliest reading, its parts joined by ` ! `.
    fn check(url: &str, expected: Option<&str>) {
        let origins = Origin::parse_all(url.as_bytes());
        let shown = origins.first().map(|origin| {
            let mut parts = vec![origin.path.display().to_string()];
            let inside = origin.inside.iter();
            parts.extend(inside.map(|part| String::from_utf8(part.clone()).unwrap()));
            parts.join(" ! ")
        });
        assert_eq!(shown.as_deref(), expected, "{url}");
    }

    #[test]
    fn urls_of_files_and_directories() {
        check("file:/x/classes/", Some("/x/classes"));
        check("file:///x/a.jar", Some("/x/a.jar"));
        check("file://localhost/x/a.jar", Some("/x/a.jar"));
        check("file:/x%20y/%C3%A4.jar", Some("/x y/ä.jar"));
        check("jar:file:/x/a.jar!/", Some("/x/a.jar"));
    }

    #[test]
    fn urls_of_archives_inside_archives() {
        let inside = Some("/x/app.jar ! BOOT-INF/lib/b.jar");
        check("jar:file:/x/app.jar!/BOOT-INF/lib/b.jar!/", inside);
        check("jar:nested:/x/app.jar/!BOOT-INF/lib/b.jar!/", inside);
        check("nested:/x/app.jar/!BOOT-INF/lib/b.jar", inside);
        let folder = Some("/x/app.jar ! BOOT-INF/classes");
        check("jar:file:/x/app.jar!/BOOT-INF/classes!/", folder);
        let folder = Some("/x/app.jar ! BOOT-INF/classes/");
        check("jar:nested:/x/app.jar/!BOOT-INF/classes/!/", folder);
    }

    #[test]
    fn what_is_no_file_of_this_machine() {
        for url in [
            "http://x/a.jar",
            "jrt:/m",
            "memory:",
            "",
            "file:",
            "file://host/x",
            "/x/a.jar",
        ] {
            check(url, None);
        }
    }

    #[test]
    fn a_percent_sign_may_stand_for_itself() {
        let origins = Origin::parse_all(b"file:/x/%41.jar");
        let paths: Vec<_> = origins.iter().map(|origin| &origin.path).collect();
        assert_eq!(paths, [Path::new("/x/A.jar"), Path::new("/x/%41.jar")]);
        check("file:/x/100%.jar", Some("/x/100%.jar"));
        check("file:/x/%4", Some("/x/%4"));
    }

    #[test]
    fn urls_in_manifests_begin_beside_their_jar() {
        let beside = |url: &str| path_beside(Path::new("/x/y/a.jar"), url.as_bytes());
        assert_eq!(beside("lib/b%20c.jar"), Some("/x/y/lib/b c.jar".into()));
        assert_eq!(beside("../../../../b.jar"), Some("/b.jar".into()));
        assert_eq!(beside("/z/b.jar"), Some("/z/b.jar".into()));
        assert_eq!(beside("file:/z/./classes/"), Some("/z/classes".into()));
        assert_eq!(beside("http://host/b.jar"), None);
        assert_eq!(beside("a/b:c.jar"), Some("/x/y/a/b:c.jar".into()));
    }
}
