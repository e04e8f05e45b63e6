//! An archive on a class path: its members by name, and the archives inside it.
//!
//! The names are read once, from the archive's directory; members are read when somebody asks.
//! Archives inside are opened when somebody asks too: those that are stored are read where they
//! lie, those that are deflated are expanded into memory, within limits.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rawzip::{FileReader, MAX_CENTRAL_DIRECTORY_RECORD_SIZE};

use super::bytes::{ArchiveBytes, StampedFile};
use super::{Archive, Listing, Member, mark_overlaps};
use crate::class_source::{ListedClass, Place, is_class_name};
use crate::path_text::{bytes_as_text, path_text};
use crate::read_error::{MAX_CLASS_SIZE, ReadErrorKind};
use crate::stamp::Stamp;

/// How deep archives may lie inside others: a jar in a war in an ear, and one more.
const MAX_DEPTH: u8 = 3;

/// How many bytes the expanded archives inside one file may take in all.
const MAX_EXPANDED: u64 = 512 << 20;

/// The folder of variants for newer releases in a multi-release jar.
const VARIANTS: &[u8] = b"META-INF/versions/";

/// Where executable jars and web archives keep classes.
pub(crate) const CLASS_FOLDERS: [&[u8]; 2] = [b"BOOT-INF/classes/", b"WEB-INF/classes/"];

/// The members of an archive, by name.
#[derive(Debug)]
pub(crate) struct ArchiveIndex {
    archive: Arc<Archive>,
    /// Where it lies, for people.
    location: Arc<str>,
    /// Of the file that it is or lies in.
    stamp: Stamp,
    /// Sorted by name; those of one name in the order of the archive.
    members: Vec<(Vec<u8>, Member)>,
    /// Folders of variants, such as `META-INF/versions/9/`.
    variants: BTreeSet<Vec<u8>>,
    /// Whether the archive's directory could be read to its end.
    is_whole: bool,
    /// Whether the manifest says that variants count, once somebody asked.
    is_multi_release: OnceLock<Result<bool, ReadErrorKind>>,
    nesting: Nesting,
    /// The archives inside that somebody asked for.
    nested: Mutex<BTreeMap<Vec<u8>, Opened>>,
}

/// An archive inside another one, or why it could not be listed.
type Opened = Result<Arc<ArchiveIndex>, ReadErrorKind>;

/// What the archives inside one file, at any depth, have in common.
#[derive(Debug, Clone, Default)]
struct Nesting {
    depth: u8,
    /// The bytes that those inside the same file take, expanded.
    n_expanded: Arc<AtomicU64>,
}

impl ArchiveIndex {
    /// Lists the archive in `file`, which was opened at `path`.
    pub(crate) fn of_file(path: &Path, file: File, stamp: Stamp) -> Result<Self, ReadErrorKind> {
        let bytes = ArchiveBytes::Open(FileReader::from(file));
        let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
        let mut archive = Archive::new(path_text(path), bytes, stamp.size, &mut buffer)?;
        let listing = archive.members(&mut buffer);
        archive.replace_bytes(ArchiveBytes::Closed(StampedFile::new(path, stamp)));
        Ok(Self::new(archive, stamp, listing, Nesting::default()))
    }

    /// Lists an archive inside this one.
    fn of_member(
        &self,
        name: String,
        bytes: ArchiveBytes,
        size: u64,
        nesting: Nesting,
    ) -> Result<Self, ReadErrorKind> {
        let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
        let archive = Archive::new(name, bytes, size, &mut buffer)?;
        let listing = archive.members(&mut buffer);
        Ok(Self::new(archive, self.stamp, listing, nesting))
    }

    fn new(
        archive: Archive,
        stamp: Stamp,
        (mut members, damage): Listing,
        nesting: Nesting,
    ) -> Self {
        mark_overlaps(&mut members);
        members.sort_by(|(a, _), (b, _)| a.cmp(b));
        let variants = members.iter().filter_map(|(name, _)| variant_folder(name));
        Self {
            variants: variants.map(<[u8]>::to_vec).collect(),
            location: archive.location.as_str().into(),
            archive: Arc::new(archive),
            stamp,
            members,
            is_whole: damage.is_none(),
            is_multi_release: OnceLock::new(),
            nesting,
            nested: Mutex::default(),
        }
    }

    /// Whether the archive's directory could be read to its end, so that what is not listed is not
    /// there.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Where it lies, for people.
    pub(crate) fn location(&self) -> &Arc<str> {
        &self.location
    }

    /// Of the file that it is or lies in, when it was listed.
    pub(crate) fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// How a person writes where the member `name` lies.
    pub(crate) fn location_of(&self, name: &[u8]) -> String {
        self.archive.location_of(&bytes_as_text(name))
    }

    /// The class files at `path` in a folder of the archive: it, then its variants for newer
    /// releases.
    pub(crate) fn classes(&self, folder: &[u8], path: &str) -> Vec<ListedClass> {
        let mut classes = self.named_classes(folder, path);
        for variants in self.variant_folders(folder) {
            classes.extend(self.named_classes(variants, path));
        }
        classes
    }

    /// The variants for newer releases of the class file at `path` in a folder.
    pub(crate) fn variants(&self, folder: &[u8], path: &str) -> Vec<ListedClass> {
        let folders = self.variant_folders(folder);
        folders
            .flat_map(|variants| self.named_classes(variants, path))
            .collect()
    }

    /// The class files at `path` in just this folder; nearly always one at most.
    pub(crate) fn named_classes(&self, folder: &[u8], path: &str) -> Vec<ListedClass> {
        let name = [folder, path.as_bytes()].concat();
        let members = self.named(&name).iter();
        let classes = members.map(|(_, member)| {
            let place = Place::Member(Arc::clone(&self.archive), member.clone());
            ListedClass::new(bytes_as_text(&name), place)
        });
        classes.collect()
    }

    /// The folders of variants inside a folder.
    fn variant_folders(&self, folder: &[u8]) -> impl Iterator<Item = &[u8]> {
        let variants = self.variants.iter().map(Vec::as_slice);
        variants.filter(move |variant| {
            let inside = variant.strip_prefix(folder);
            inside.is_some_and(|inside| inside.starts_with(VARIANTS))
        })
    }

    /// The names of the class files in a folder of the archive, which variants for newer releases are
    /// in under their own, sorted; an error if it cannot be told whether variants count.
    pub(crate) fn class_files(
        &self,
        folder: &[u8],
    ) -> Result<impl Iterator<Item = &[u8]>, ReadErrorKind> {
        let all_count = self.variants.is_empty() || self.is_multi_release()?;
        let n_before = folder.len();
        let names = self.below(folder).map(move |name| &name[n_before..]);
        Ok(names
            .filter(move |name| is_class_name(name) && (all_count || !name.starts_with(VARIANTS))))
    }

    /// Whether a JVM may prefer the variants to what they are variants of. Where the archive has none,
    /// the manifest is not read.
    pub(crate) fn is_multi_release(&self) -> Result<bool, ReadErrorKind> {
        if self.variants.is_empty() {
            return Ok(false);
        }
        let read = || match self.manifest() {
            None => Ok(false),
            Some(manifest) => manifest.map(|manifest| says_multi_release(&manifest)),
        };
        self.is_multi_release.get_or_init(read).clone()
    }

    /// The archive's manifest, if it has one. Java finds it in any case of its letters.
    pub(crate) fn manifest(&self) -> Option<Result<Vec<u8>, ReadErrorKind>> {
        let is_manifest = |name: &[u8]| name.eq_ignore_ascii_case(b"META-INF/MANIFEST.MF");
        let mut members = self.members.iter();
        let (_, member) = members.find(|(name, _)| is_manifest(name))?;
        Some(self.archive.read(member, MAX_CLASS_SIZE))
    }

    /// Whether anything lies below `folder`, which ends with a slash.
    pub(crate) fn has_folder(&self, folder: &[u8]) -> bool {
        self.below(folder).next().is_some()
    }

    /// The jars that lie in `folder` itself, sorted by name.
    pub(crate) fn jars_in(&self, folder: &[u8]) -> impl Iterator<Item = &[u8]> {
        let n_before = folder.len();
        self.below(folder).filter(move |name| {
            let file = &name[n_before..];
            file.ends_with(b".jar") && !file.contains(&b'/')
        })
    }

    /// The archive that the member `name` is.
    pub(crate) fn nested(&self, name: &[u8]) -> Result<Arc<Self>, ReadErrorKind> {
        let mut nested = self.nested.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = nested.get(name) {
            return known.clone();
        }
        let opened = self.open_nested(name).map(Arc::new);
        nested.insert(name.to_vec(), opened.clone());
        opened
    }

    fn open_nested(&self, name: &[u8]) -> Result<Self, ReadErrorKind> {
        let Some((_, member)) = self.named(name).first() else {
            return Err(io::Error::from(io::ErrorKind::NotFound).into());
        };
        if self.nesting.depth == MAX_DEPTH {
            return Err(ReadErrorKind::NestingLimit);
        }
        let location = self.location_of(name);
        let nesting = Nesting {
            depth: self.nesting.depth + 1,
            ..self.nesting.clone()
        };
        if member.is_stored() {
            member.check(u64::MAX)?;
            let (start, end) = self.archive.data_range(member)?;
            let (of, size) = (Arc::clone(&self.archive), end - start);
            let part = ArchiveBytes::Part { of, start, size };
            return self.of_member(location, part, size, nesting);
        }
        nesting.take(member.size())?;
        let bytes = self.archive.read(member, MAX_EXPANDED)?;
        let size = bytes.len() as u64;
        self.of_member(location, ArchiveBytes::Memory(bytes), size, nesting)
    }

    /// The names of all members, sorted.
    pub(crate) fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.members.iter().map(|(name, _)| name.as_slice())
    }

    /// Where `name` may lie in a folder of the archive, whatever it is: there, and among the variants for newer releases.
    pub(crate) fn paths(&self, folder: &[u8], name: &[u8]) -> Vec<Vec<u8>> {
        let folders = std::iter::once(folder).chain(self.variant_folders(folder));
        let paths = folders.map(|folder| [folder, name].concat());
        paths.filter(|path| self.n_named(path) > 0).collect()
    }

    /// The contents of the members of this name.
    pub(crate) fn contents(
        &self,
        name: &[u8],
    ) -> impl Iterator<Item = Result<Vec<u8>, ReadErrorKind>> {
        let members = self.named(name).iter();
        members.map(|(_, member)| self.archive.read(member, MAX_EXPANDED))
    }

    /// How many members have this name.
    pub(crate) fn n_named(&self, name: &[u8]) -> usize {
        self.named(name).len()
    }

    /// The members of this name; an archive may have several.
    fn named(&self, name: &[u8]) -> &[(Vec<u8>, Member)] {
        let start = self
            .members
            .partition_point(|(known, _)| known.as_slice() < name);
        let rest = &self.members[start..];
        let length = rest.iter().take_while(|(known, _)| known == name).count();
        &rest[..length]
    }

    /// The names that begin with `folder`, sorted.
    fn below(&self, folder: &[u8]) -> impl Iterator<Item = &[u8]> {
        let start = self
            .members
            .partition_point(|(name, _)| name.as_slice() < folder);
        let names = self.members[start..]
            .iter()
            .map(|(name, _)| name.as_slice());
        names.take_while(move |name| name.starts_with(folder))
    }
}

impl Nesting {
    /// Counts an archive that is to be expanded.
    fn take(&self, size: u64) -> Result<(), ReadErrorKind> {
        let room = |taken: u64| taken.checked_add(size).filter(|sum| *sum <= MAX_EXPANDED);
        let n_expanded = &self.n_expanded;
        let taken = n_expanded.fetch_update(Ordering::Relaxed, Ordering::Relaxed, room);
        taken.map(|_| ()).map_err(|_| ReadErrorKind::NestingLimit)
    }
}

/// Whether the manifest may say that its archive is multi-release. JVMs are stricter; who takes variants
/// into account that do not count only knows too much.
fn says_multi_release(manifest: &[u8]) -> bool {
    let attribute = b"multi-release:";
    let mut windows = manifest.windows(attribute.len());
    windows.any(|window| window.eq_ignore_ascii_case(attribute))
}

/// The folder of variants that a class file's name begins with, cut off.
pub(crate) fn without_variant_folder(name: &[u8]) -> &[u8] {
    variant_folder(name).map_or(name, |folder| &name[folder.len()..])
}

/// The folder `…META-INF/versions/9/` that a member lies in, where Java looks for one. Releases
/// have at most three digits, which bounds how many such folders are looked into.
fn variant_folder(name: &[u8]) -> Option<&[u8]> {
    // Nearly all names are others, and this is asked of each.
    if !matches!(name.first(), Some(b'B' | b'M' | b'W')) {
        return None;
    }
    let roots = CLASS_FOLDERS.into_iter().chain([b"".as_slice()]);
    let mut inside = roots.filter_map(|root| name.strip_prefix(root)?.strip_prefix(VARIANTS));
    let inside = inside.next()?;
    let n_digits = inside.iter().position(|byte| *byte == b'/')?;
    let is_release =
        (1..=3).contains(&n_digits) && inside[..n_digits].iter().all(u8::is_ascii_digit);
    let length = name.len() - inside.len() + n_digits + 1;
    is_release.then_some(&name[..length])
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rawzip::CompressionMethod;
    use tempfile::TempDir;

    use super::*;
    use crate::archive::zipping::zip;

    const STORE: CompressionMethod = CompressionMethod::STORE;
    const DEFLATE: CompressionMethod = CompressionMethod::DEFLATE;

    /// The index of an archive, and the directory with its file.
    fn index_in(bytes: &[u8]) -> (ArchiveIndex, TempDir) {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("x.jar");
        fs::write(&path, bytes).unwrap();
        let file = File::open(&path).unwrap();
        let stamp = Stamp::of(&file.metadata().unwrap());
        (ArchiveIndex::of_file(&path, file, stamp).unwrap(), root)
    }

    /// The index of an archive whose file is gone.
    fn index(bytes: &[u8]) -> ArchiveIndex {
        index_in(bytes).0
    }

    #[test]
    fn classes_with_their_variants() {
        let names = [
            "META-INF/versions/11/a/B.class",
            "META-INF/versions/9/a/B.class",
            "META-INF/versions/9999/a/B.class",
            "META-INF/versions/x/a/B.class",
            "WEB-INF/classes/META-INF/versions/9/a/B.class",
            "WEB-INF/classes/a/B.class",
            "a/B.class",
            "a/BB.class",
        ];
        let files = names.map(|name| (name, b"x".as_slice()));
        let index = index(&zip(&files, STORE));
        let found = |folder: &[u8]| -> Vec<String> {
            let classes = index.classes(folder, "a/B.class");
            classes
                .iter()
                .map(|class| class.path().to_owned())
                .collect()
        };
        assert_eq!(found(b""), [names[6], names[0], names[1]]);
        assert_eq!(found(b"WEB-INF/classes/"), [names[5], names[4]]);
        assert_eq!(found(b"lib/"), [""; 0]);
    }

    #[test]
    fn folders_and_the_jars_in_them() {
        let names = [
            "lib/",
            "lib/a.jar",
            "lib/b.jar",
            "lib/c/d.jar",
            "lib/e.txt",
            "library",
        ];
        let files = names.map(|name| (name, b"".as_slice()));
        let index = index(&zip(&files, STORE));
        assert!(index.has_folder(b"lib/"));
        assert!(!index.has_folder(b"li/"));
        let jars: Vec<_> = index.jars_in(b"lib/").collect();
        assert_eq!(jars, [b"lib/a.jar", b"lib/b.jar"]);
    }

    #[test]
    fn archives_inside_archives_however_they_are_compressed() {
        for outer_method in [STORE, DEFLATE] {
            for inner_method in [STORE, DEFLATE] {
                let inner = zip(&[("a/B.class", b"bytes")], inner_method);
                let middle = zip(&[("inner.jar", &inner)], outer_method);
                let outer = zip(&[("middle.war", &middle)], outer_method);
                let (outer, root) = index_in(&outer);
                let middle = outer.nested(b"middle.war").unwrap();
                let inner = middle.nested(b"inner.jar").unwrap();
                let entry = inner.classes(b"", "a/B.class")[0].read().unwrap();
                assert_eq!(entry.bytes, b"bytes");
                let jar = root.path().join("x.jar");
                let location = format!("{}!middle.war!inner.jar!a/B.class", jar.display());
                assert_eq!(entry.location, location);
            }
        }
    }

    #[test]
    fn the_depth_is_limited() {
        let mut bytes = zip(&[("A.class", b"x")], DEFLATE);
        for _ in 0..=MAX_DEPTH {
            bytes = zip(&[("in.jar", &bytes)], DEFLATE);
        }
        let (index, _root) = index_in(&bytes);
        let mut index = Arc::new(index);
        for _ in 0..MAX_DEPTH {
            index = index.nested(b"in.jar").unwrap();
        }
        let error = index.nested(b"in.jar").unwrap_err();
        assert!(matches!(error, ReadErrorKind::NestingLimit), "{error}");
    }

    #[test]
    fn what_is_expanded_is_limited_in_all() {
        let nesting = Nesting::default();
        let inside = nesting.clone();
        nesting.take(MAX_EXPANDED - 1).unwrap();
        assert!(inside.take(2).is_err());
        assert!(inside.take(u64::MAX).is_err());
        inside.take(1).unwrap();
    }

    #[test]
    fn a_file_that_is_gone_is_noticed() {
        let index = index(&zip(&[("A.class", b"x"), ("in.jar", b"x")], STORE));
        assert!(index.classes(b"", "A.class")[0].read().is_err());
        assert!(index.nested(b"in.jar").is_err());
    }

    #[test]
    fn a_file_that_was_replaced_is_noticed() {
        let (index, root) = index_in(&zip(&[("A.class", b"old")], STORE));
        let path = root.path().join("x.jar");
        assert_eq!(
            index.classes(b"", "A.class")[0].read().unwrap().bytes,
            b"old"
        );
        fs::remove_file(&path).unwrap();
        fs::write(&path, zip(&[("A.class", b"new")], STORE)).unwrap();
        assert!(index.classes(b"", "A.class")[0].read().is_err());
    }
}
