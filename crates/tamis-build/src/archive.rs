//! The class files inside a jar, or any other zip archive.
//!
//! The directory at the end of the archive is believed as Java believes it, but only within limits:
//! no declared size decides alone how much memory is taken, and each member's size and CRC-32 are
//! checked. A JDK's `.jmod` is a zip archive behind four bytes, which the zip reader skips by itself.

mod bytes;
mod index;
#[cfg(test)]
pub(crate) mod zipping;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use libdeflater::Decompressor;
use rawzip::{
    CompressionMethod, FileReader, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ReaderAt as _, ZipArchive,
    ZipArchiveEntryWayfinder, ZipFileHeaderRecord, ZipLocator,
};

use self::bytes::ArchiveBytes;
use crate::class_source::{ListedClass, Place, is_class_name};
use crate::path_text::{bytes_as_text, path_text};
use crate::read_error::{ReadError, ReadErrorKind};

pub(crate) use self::index::{ArchiveIndex, CLASS_FOLDERS, without_variant_folder};

/// Deflate cannot expand a byte to more than this.
const MAX_EXPANSION: u64 = 1032;

/// What lies at least between the start of a member and its data.
const MEMBER_HEADER_SIZE: u64 = 30;

/// An open archive; several threads may read from it at once.
#[derive(Debug)]
pub(crate) struct Archive {
    /// Where it lies, for people.
    location: String,
    size: u64,
    zip: ZipArchive<ArchiveBytes>,
}

/// Where a member lies and what the archive's directory says of it.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    wayfinder: ZipArchiveEntryWayfinder,
    /// Of the member's header, which its data follow.
    offset: u64,
    crc: u32,
    compression: CompressionMethod,
    is_encrypted: bool,
    overlaps: bool,
}

/// The members of an archive by name, until the end of its directory or the first damage in it.
type Listing = (Vec<(Vec<u8>, Member)>, Option<ReadErrorKind>);

/// The class files of the archive at `path`, in its own order.
///
/// An archive whose directory breaks off is listed as far as it goes, with the damage as one more entry.
pub(crate) fn list(path: &Path) -> Result<Vec<ListedClass>, ReadErrorKind> {
    let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    let bytes = ArchiveBytes::Open(FileReader::from(file));
    let archive = Arc::new(Archive::new(path_text(path), bytes, size, &mut buffer)?);
    let (mut members, damage) = archive.members(&mut buffer);
    mark_overlaps(&mut members);
    let classes = members.into_iter().filter(|(name, _)| is_class_name(name));
    let mut listed: Vec<ListedClass> = classes
        .map(|(name, member)| {
            let name = bytes_as_text(&name);
            ListedClass::new(name, Place::Member(Arc::clone(&archive), member))
        })
        .collect();
    listed.extend(damage.map(|kind| {
        let error = ReadError::at_path(path, kind);
        ListedClass::new(String::new(), Place::Unreadable(error))
    }));
    Ok(listed)
}

impl Archive {
    fn new(
        location: String,
        bytes: ArchiveBytes,
        size: u64,
        buffer: &mut [u8],
    ) -> Result<Self, ReadErrorKind> {
        let zip = ZipLocator::new().locate_in_reader(bytes, buffer, size);
        Ok(Self {
            location,
            size,
            zip: zip.map_err(|(_, error)| error)?,
        })
    }

    fn bytes(&self) -> &ArchiveBytes {
        self.zip.get_ref()
    }

    /// Has the same bytes read in another way from now on.
    fn replace_bytes(&mut self, bytes: ArchiveBytes) {
        *self.zip.get_mut() = bytes;
    }

    /// How a person writes where the member `name` lies.
    pub(crate) fn location_of(&self, name: &str) -> String {
        format!("{}!{name}", self.location)
    }

    /// The bytes of `member`, checked against what the directory says; refused beyond `max_size`.
    pub(crate) fn read(&self, member: &Member, max_size: u64) -> Result<Vec<u8>, ReadErrorKind> {
        member.check(max_size)?;
        let data = self.data(member)?;
        let declared = member.size();
        let bytes = match member.compression {
            CompressionMethod::STORE => data,
            CompressionMethod::DEFLATE => inflate(&data, declared)?,
            other => return Err(ReadErrorKind::UnknownCompression(other.as_u16())),
        };
        let actual = bytes.len() as u64;
        if actual != declared {
            return Err(ReadErrorKind::WrongSize { declared, actual });
        }
        let (declared, actual) = (member.crc, libdeflater::crc32(&bytes));
        if actual != declared {
            return Err(ReadErrorKind::WrongCrc { declared, actual });
        }
        Ok(bytes)
    }

    fn members(&self, buffer: &mut [u8]) -> Listing {
        let mut members = Vec::new();
        let mut entries = self.zip.entries(buffer);
        loop {
            match entries.next_entry() {
                Ok(Some(header)) => {
                    let name = header.file_path().as_bytes().to_vec();
                    members.push((name, Member::new(&header)));
                }
                Ok(None) => break,
                Err(error) => return (members, Some(error.into())),
            }
        }
        let damage = self.missing_members(members.len() as u64);
        (members, damage)
    }

    /// The announced count has 16 bits in most archives; large ones are known to let it overflow.
    fn missing_members(&self, listed: u64) -> Option<ReadErrorKind> {
        let announced = self.zip.entries_hint();
        let agree = listed == announced || listed & 0xffff == announced;
        (!agree).then_some(ReadErrorKind::MembersMissing { announced, listed })
    }

    /// The data of `member` as they lie in the archive, whose real size bounds the allocation.
    fn data(&self, member: &Member) -> Result<Vec<u8>, ReadErrorKind> {
        let (start, end) = self.data_range(member)?;
        let mut data = vec![0; (end - start) as usize];
        self.bytes().read_exact_at(&mut data, start)?;
        Ok(data)
    }

    /// Where these data begin and end.
    fn data_range(&self, member: &Member) -> Result<(u64, u64), ReadErrorKind> {
        let entry = self.zip.get_entry(member.wayfinder)?;
        let (start, end) = entry.compressed_data_range();
        if start > end || end > self.size {
            return Err(ReadErrorKind::Truncated);
        }
        Ok((start, end))
    }
}

impl Member {
    fn new(header: &ZipFileHeaderRecord<'_>) -> Self {
        Self {
            wayfinder: header.wayfinder(),
            offset: header.local_header_offset(),
            crc: header.crc32(),
            compression: header.compression_method(),
            is_encrypted: header.flags().is_encrypted(),
            overlaps: false,
        }
    }

    /// Whether its data are its bytes.
    fn is_stored(&self) -> bool {
        self.compression == CompressionMethod::STORE
    }

    /// What the archive's directory says of it.
    fn size(&self) -> u64 {
        self.wayfinder.uncompressed_size_hint()
    }

    /// Refuses what should not even be read.
    fn check(&self, max_size: u64) -> Result<(), ReadErrorKind> {
        let sizes = [
            self.wayfinder.uncompressed_size_hint(),
            self.wayfinder.compressed_size_hint(),
        ];
        match sizes.into_iter().max() {
            Some(size) if size > max_size => Err(ReadErrorKind::TooLarge(size)),
            _ if self.overlaps => Err(ReadErrorKind::Overlap),
            _ if self.is_encrypted => Err(ReadErrorKind::Encrypted),
            _ => Ok(()),
        }
    }
}

/// Marks members whose data reach into the next member, by which a small archive can list petabytes.
fn mark_overlaps(members: &mut [(Vec<u8>, Member)]) {
    let mut by_offset: Vec<&mut Member> = members.iter_mut().map(|(_, member)| member).collect();
    by_offset.sort_by_key(|member| member.offset);
    let mut next = u64::MAX;
    for member in by_offset.into_iter().rev() {
        let size = MEMBER_HEADER_SIZE.saturating_add(member.wayfinder.compressed_size_hint());
        member.overlaps = member.offset.saturating_add(size) > next;
        next = member.offset;
    }
}

fn inflate(data: &[u8], declared: u64) -> Result<Vec<u8>, ReadErrorKind> {
    if declared > (data.len() as u64).saturating_mul(MAX_EXPANSION) {
        return Err(ReadErrorKind::DamagedData);
    }
    let mut bytes = vec![0; declared as usize];
    let actual = Decompressor::new()
        .deflate_decompress(data, &mut bytes)
        .map_err(|_| ReadErrorKind::DamagedData)?;
    bytes.truncate(actual);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::zipping::zip;
    use super::*;
    use crate::class_source::ClassSource;

    const A: &[u8] = b"\xca\xfe\xba\xbe aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    const B: &[u8] = b"\xca\xfe\xba\xbe bbbbb";

    fn jar() -> Vec<u8> {
        let files: [(&str, &[u8]); 4] = [
            ("META-INF/versions/9/a/B.class", B),
            ("a/B.class", A),
            ("readme.txt", b"hello"),
            ("a/Empty.class", b""),
        ];
        zip(&files, CompressionMethod::DEFLATE)
    }

    /// The path of an entry, and its bytes or what is wrong with it.
    type Entry = (String, Result<Vec<u8>, String>);

    /// What comes of an archive of these bytes.
    fn read(bytes: &[u8]) -> Result<Vec<Entry>, String> {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("x.jar");
        fs::write(&path, bytes).unwrap();
        let source = ClassSource::open(&path).map_err(|error| error.kind.to_string())?;
        let entries = source.classes().iter().map(|class| {
            let bytes = class.read().map(|entry| entry.bytes);
            let bytes = bytes.map_err(|error| error.kind.to_string());
            (class.path().to_owned(), bytes)
        });
        Ok(entries.collect())
    }

    /// The one entry of an archive of these bytes.
    fn read_only_one(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let mut entries = read(bytes).unwrap();
        assert_eq!(entries.len(), 1);
        entries.remove(0).1
    }

    /// Replaces `new.len()` bytes at `offset` of the directory entry number `index`.
    fn edit_directory(zip: &mut [u8], index: usize, offset: usize, new: &[u8]) {
        let signature = zip
            .windows(4)
            .enumerate()
            .filter(|(_, w)| w == b"PK\x01\x02");
        let start = signature.map(|(at, _)| at).nth(index).unwrap() + offset;
        zip[start..start + new.len()].copy_from_slice(new);
    }

    #[test]
    fn classes_sorted_with_versioned_ones_under_their_own_path() {
        let expected = [
            ("META-INF/versions/9/a/B.class".to_owned(), Ok(B.to_vec())),
            ("a/B.class".to_owned(), Ok(A.to_vec())),
            ("a/Empty.class".to_owned(), Ok(Vec::new())),
        ];
        assert_eq!(read(&jar()).unwrap(), expected);
    }

    #[test]
    fn a_location_names_the_archive_and_the_member() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("x.jar");
        fs::write(&path, jar()).unwrap();
        let source = ClassSource::open(&path).unwrap();
        let expected = format!("{}!a/B.class", path.display());
        assert_eq!(source.classes()[1].location(), expected);
        assert_eq!(source.classes()[1].read().unwrap().location, expected);
    }

    #[test]
    fn stored_members_are_read_too() {
        let zip = zip(&[("A.class", A)], CompressionMethod::STORE);
        assert_eq!(read_only_one(&zip).unwrap(), A);
    }

    #[test]
    fn bytes_before_the_archive_are_skipped() {
        for prefix in [b"JM\x01\x00".as_slice(), b"#!/bin/sh\nexec java -jar $0\n"] {
            let entries = read(&[prefix, &jar()].concat()).unwrap();
            assert_eq!(entries[1].1.as_deref(), Ok(A));
        }
    }

    #[test]
    fn two_members_of_one_name_are_two_entries_in_archive_order() {
        let zip = zip(&[("A.class", B), ("A.class", A)], CompressionMethod::STORE);
        let contents: Vec<_> = read(&zip)
            .unwrap()
            .into_iter()
            .map(|entry| entry.1)
            .collect();
        assert_eq!(contents, [Ok(B.to_vec()), Ok(A.to_vec())]);
    }

    #[test]
    fn any_flipped_byte_is_harmless_or_noticed() {
        let good = jar();
        for position in 0..good.len() {
            let mut bad = good.clone();
            bad[position] ^= 0xff;
            for (_, bytes) in read(&bad).into_iter().flatten() {
                let known = bytes.map_or(true, |bytes| [A, B, b""].contains(&bytes.as_slice()));
                assert!(known, "byte {position} changes a class unnoticed");
            }
        }
    }

    #[test]
    fn any_truncation_is_noticed() {
        let good = jar();
        for length in 0..good.len() {
            let result = read(&good[..length]);
            assert!(result.is_err(), "cut at {length}: {result:?}");
        }
    }

    #[test]
    fn a_declared_size_beyond_what_deflate_can_expand_takes_no_memory() {
        let mut bomb = zip(&[("A.class", A)], CompressionMethod::DEFLATE);
        edit_directory(&mut bomb, 0, 24, &(60_u32 << 20).to_le_bytes());
        assert_eq!(
            read_only_one(&bomb).unwrap_err(),
            "its compressed data are damaged"
        );
    }

    #[test]
    fn a_declared_size_beyond_the_limit_is_refused() {
        let mut bomb = zip(&[("A.class", A)], CompressionMethod::DEFLATE);
        edit_directory(&mut bomb, 0, 24, &(65_u32 << 20).to_le_bytes());
        assert_eq!(
            read_only_one(&bomb).unwrap_err(),
            "it has 68157440 bytes; a class file is read up to 67108864"
        );
    }

    #[test]
    fn more_data_than_declared_are_not_expanded() {
        let zeros = vec![0; 1 << 20];
        let mut bomb = zip(&[("A.class", &zeros)], CompressionMethod::DEFLATE);
        edit_directory(&mut bomb, 0, 24, &100_u32.to_le_bytes());
        assert_eq!(
            read_only_one(&bomb).unwrap_err(),
            "its compressed data are damaged"
        );
    }

    #[test]
    fn fewer_data_than_declared_are_noticed() {
        let mut zip = zip(&[("A.class", A)], CompressionMethod::DEFLATE);
        edit_directory(&mut zip, 0, 24, &100_u32.to_le_bytes());
        assert_eq!(
            read_only_one(&zip).unwrap_err(),
            "it has 45 bytes, and the archive says 100"
        );
    }

    #[test]
    fn a_wrong_crc_is_noticed_and_the_other_classes_are_read() {
        let mut zip = zip(&[("A.class", A), ("B.class", B)], CompressionMethod::STORE);
        edit_directory(&mut zip, 0, 16, &0_u32.to_le_bytes());
        let entries = read(&zip).unwrap();
        let message = entries[0].1.as_ref().unwrap_err();
        assert!(
            message.ends_with("and the archive says 00000000"),
            "{message}"
        );
        assert_eq!(entries[1].1.as_deref(), Ok(B));
    }

    #[test]
    fn members_that_share_data_are_refused() {
        let files = [("A.class", A), ("B.class", A), ("C.class", B)];
        let mut bomb = zip(&files, CompressionMethod::STORE);
        edit_directory(&mut bomb, 1, 42, &0_u32.to_le_bytes());
        let entries = read(&bomb).unwrap();
        let n_overlapping = entries
            .iter()
            .filter(|(_, bytes)| bytes.as_ref().is_err_and(|m| m.contains("overlap")))
            .count();
        assert_eq!(n_overlapping, 1);
        assert_eq!(entries[2].1.as_deref(), Ok(B));
    }

    #[test]
    fn data_beyond_the_end_of_the_archive_are_noticed() {
        let mut zip = zip(&[("A.class", A)], CompressionMethod::STORE);
        let size = (1_u32 << 20).to_le_bytes();
        edit_directory(&mut zip, 0, 20, &size);
        edit_directory(&mut zip, 0, 24, &size);
        assert_eq!(
            read_only_one(&zip).unwrap_err(),
            "the archive is damaged: it ends before the data of this member do"
        );
    }

    #[test]
    fn unknown_compression_and_encryption_are_named() {
        let good = zip(&[("A.class", A)], CompressionMethod::STORE);
        let mut strange = good.clone();
        edit_directory(&mut strange, 0, 10, &[93, 0]);
        assert_eq!(
            read_only_one(&strange).unwrap_err(),
            "its compression method 93 is unknown to Java"
        );
        let mut encrypted = good;
        edit_directory(&mut encrypted, 0, 8, &[1]);
        assert_eq!(read_only_one(&encrypted).unwrap_err(), "it is encrypted");
    }

    #[test]
    fn a_directory_that_breaks_off_gives_what_it_lists_and_an_error() {
        let mut zip = zip(&[("A.class", A), ("B.class", B)], CompressionMethod::STORE);
        edit_directory(&mut zip, 1, 0, b"XX");
        let entries = read(&zip).unwrap();
        assert_eq!(entries[0].1.as_ref().unwrap_err(), "the archive is damaged");
        assert_eq!(entries[1], ("A.class".to_owned(), Ok(A.to_vec())));
    }

    #[test]
    fn a_wrong_count_of_members_is_noticed() {
        let mut zip = zip(&[("A.class", A)], CompressionMethod::STORE);
        let end = zip.len() - 22;
        zip[end + 10] = 7;
        assert_eq!(
            read(&zip).unwrap()[0].1.as_ref().unwrap_err(),
            "the archive is damaged: it announces 7 members and lists 1"
        );
    }
}
