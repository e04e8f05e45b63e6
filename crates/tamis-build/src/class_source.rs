//! The class files of a `.class` file, of a jar or JDK module file, or of a directory.
//!
//! Opening lists, reading reads: a listed class is a small handle that any thread may read, and its
//! bytes are in memory only while somebody holds them. The listing is sorted by path, so that the
//! same files give the same order on every machine. A place inside that cannot be read is listed too,
//! and reading it gives the error: nobody can overlook it by only counting what worked.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::archive::{self, Archive, Member};
use crate::directory;
use crate::path_text::path_text;
use crate::read_error::{MAX_CLASS_SIZE, ReadError, ReadErrorKind};

/// A place that holds class files, listed but not yet read.
#[derive(Debug)]
pub struct ClassSource {
    classes: Vec<ListedClass>,
}

/// A class file that is known to be there and has not been read yet.
#[derive(Debug)]
pub struct ListedClass {
    path: String,
    place: Place,
}

/// A class file that has been read. Whether its bytes are a class is for the reader of bytes to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassEntry {
    /// Where it lies, for people: `classes/a/B.class` or `lib/x.jar!a/B.class`.
    pub location: String,
    /// Where it lies inside its source, with slashes: `a/B.class`; bytes as in [`path_text`].
    pub path: String,
    /// The whole file.
    pub bytes: Vec<u8>,
}

/// Where the bytes of a listed class are.
#[derive(Debug)]
pub(crate) enum Place {
    File(PathBuf),
    Member(Arc<Archive>, Member),
    /// Something is there, or announced, and cannot be read.
    Unreadable(ReadError),
}

/// What a file is, by its first bytes, and by its name where those say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Class,
    Archive,
    Other,
}

impl ClassSource {
    /// Lists the class files in `path`: a class file, a jar, a JDK's `.jmod`, or a directory.
    ///
    /// Jars inside a directory are not opened. Members below `META-INF/versions` are listed under the
    /// path they have.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let mut classes = list(path).map_err(|kind| ReadError::at_path(path, kind))?;
        // The sort is stable: members of one name keep the order of their archive.
        classes.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self { classes })
    }

    /// The classes and the unreadable places, sorted by their path inside the source.
    pub fn classes(&self) -> &[ListedClass] {
        &self.classes
    }

    /// Reads the classes one after the other, each when it is asked for.
    pub fn read_all(&self) -> impl Iterator<Item = Result<ClassEntry, ReadError>> {
        self.classes.iter().map(ListedClass::read)
    }
}

impl ListedClass {
    pub(crate) fn new(path: String, place: Place) -> Self {
        Self { path, place }
    }

    /// The path inside the source, with slashes: `a/B.class`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Where it lies, for people: `classes/a/B.class` or `lib/x.jar!a/B.class`.
    pub fn location(&self) -> String {
        match &self.place {
            Place::File(path) => path_text(path),
            Place::Member(archive, _) => archive.location_of(&self.path),
            Place::Unreadable(error) => error.location.clone(),
        }
    }

    /// Its file, if it has one of its own.
    pub(crate) fn file(&self) -> Option<&Path> {
        match &self.place {
            Place::File(path) => Some(path),
            Place::Member(..) | Place::Unreadable(_) => None,
        }
    }

    /// Reads the class file.
    pub fn read(&self) -> Result<ClassEntry, ReadError> {
        let bytes = match &self.place {
            Place::File(path) => read_file(path),
            Place::Member(archive, member) => archive.read(member, MAX_CLASS_SIZE),
            Place::Unreadable(error) => return Err(error.clone()),
        };
        let location = self.location();
        match bytes {
            Ok(bytes) => Ok(ClassEntry {
                location,
                path: self.path.clone(),
                bytes,
            }),
            Err(kind) => Err(ReadError { location, kind }),
        }
    }
}

/// Whether a file of this name is listed as a class.
pub(crate) fn is_class_name(name: &[u8]) -> bool {
    name.ends_with(b".class")
}

fn list(path: &Path) -> Result<Vec<ListedClass>, ReadErrorKind> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Ok(directory::list(path));
    }
    if !metadata.is_file() {
        return Err(ReadErrorKind::NotRegular);
    }
    match file_kind(path)? {
        FileKind::Class => Ok(vec![single_file(path)]),
        FileKind::Archive => archive::list(path),
        FileKind::Other => Err(ReadErrorKind::NotClasses),
    }
}

fn single_file(path: &Path) -> ListedClass {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = path_text(Path::new(name));
    ListedClass::new(name, Place::File(path.to_path_buf()))
}

/// What the file is: by its content, else by its name.
///
/// The name counts because a damaged file should be reported as what it was meant to be, and because
/// a jar that can be executed begins with a shell script.
fn file_kind(path: &Path) -> Result<FileKind, ReadErrorKind> {
    let mut start = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut start)?;
    let extension = path.extension().and_then(|extension| extension.to_str());
    Ok(kind_by_content(&start).unwrap_or_else(|| kind_by_extension(extension)))
}

fn kind_by_content(start: &[u8]) -> Option<FileKind> {
    match start {
        b"\xca\xfe\xba\xbe" => Some(FileKind::Class),
        b"PK\x03\x04" | b"PK\x05\x06" | b"JM\x01\x00" => Some(FileKind::Archive),
        _ => None,
    }
}

fn kind_by_extension(extension: Option<&str>) -> FileKind {
    match extension {
        Some("class") => FileKind::Class,
        Some("jar" | "zip" | "war" | "ear" | "jmod") => FileKind::Archive,
        _ => FileKind::Other,
    }
}

/// The bytes of a regular file, up to the limit whatever its metadata say.
fn read_file(path: &Path) -> Result<Vec<u8>, ReadErrorKind> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(ReadErrorKind::NotRegular);
    }
    if metadata.len() > MAX_CLASS_SIZE {
        return Err(ReadErrorKind::TooLarge(metadata.len()));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    let file = File::open(path)?;
    file.take(MAX_CLASS_SIZE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_CLASS_SIZE {
        return Err(ReadErrorKind::TooLarge(bytes.len() as u64));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASS: &[u8] = b"\xca\xfe\xba\xbe and so on";

    /// Opens `name` with `content` in a directory of its own.
    fn open(name: &str, content: &[u8]) -> Result<ClassSource, ReadErrorKind> {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join(name);
        fs::write(&path, content).unwrap();
        ClassSource::open(&path).map_err(|error| error.kind)
    }

    #[test]
    fn a_class_file_is_its_own_only_entry() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("B.class");
        fs::write(&path, CLASS).unwrap();
        let entries: Vec<_> = ClassSource::open(&path).unwrap().read_all().collect();
        let expected = ClassEntry {
            location: path.display().to_string(),
            path: "B.class".to_owned(),
            bytes: CLASS.to_vec(),
        };
        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].as_ref().unwrap(), &expected);
    }

    #[test]
    fn content_decides_before_the_name() {
        assert_eq!(open("B.jar", CLASS).unwrap().classes().len(), 1);
        let empty_zip = [b"PK\x05\x06".as_slice(), &[0; 18]].concat();
        assert_eq!(open("B.class", &empty_zip).unwrap().classes().len(), 0);
    }

    #[test]
    fn the_name_decides_where_the_content_says_nothing() {
        assert_eq!(open("Empty.class", b"").unwrap().classes().len(), 1);
        let error = open("empty.jar", b"").unwrap_err();
        assert!(matches!(error, ReadErrorKind::DamagedArchive(_)), "{error}");
        let error = open("notes.txt", b"hello").unwrap_err();
        assert!(matches!(error, ReadErrorKind::NotClasses), "{error}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = ClassSource::open(Path::new("no/such.jar")).unwrap_err();
        assert_eq!(error.to_string(), "cannot read `no/such.jar`");
        assert!(matches!(error.kind, ReadErrorKind::Io(_)));
    }

    #[test]
    fn a_huge_file_is_refused_without_reading_it() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("Huge.class");
        let file = File::create(&path).unwrap();
        file.set_len(200 << 20).unwrap();
        let source = ClassSource::open(&path).unwrap();
        let error = source.classes()[0].read().unwrap_err();
        assert!(matches!(error.kind, ReadErrorKind::TooLarge(size) if size == 200 << 20));
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_never_read() {
        let error = ClassSource::open(Path::new("/dev/zero")).unwrap_err();
        assert!(matches!(error.kind, ReadErrorKind::NotRegular));
    }
}
