//! Archives of class files: members as they are, not compressed, in the order of their names. The same classes give the
//! same bytes. Sizes stand in front of each member, as the JDK wants them where it reads such a one from a stream.

use std::collections::BTreeMap;

use libdeflater::crc32;

/// An archive of these members, by their paths. None may have four gigabytes or more, and classes have not.
pub(crate) fn archive(members: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut archive = Vec::new();
    let mut directory = Vec::new();
    for (path, content) in members {
        let offset = archive.len();
        archive.extend(LOCAL_SIGNATURE);
        member(&mut archive, path, content);
        archive.extend(path.as_bytes());
        archive.extend(content);
        directory.extend(CENTRAL_SIGNATURE);
        // Made by version 2.0, of the first kind of system.
        directory.extend(20_u16.to_le_bytes());
        member(&mut directory, path, content);
        // No comment, the first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(long(offset));
        directory.extend(path.as_bytes());
    }
    let offset = archive.len();
    let n_members = u16::try_from(members.len()).unwrap_or(u16::MAX);
    let n_members = n_members.to_le_bytes();
    archive.extend(&directory);
    archive.extend(END_SIGNATURE);
    archive.extend([0; 4]);
    archive.extend(n_members);
    archive.extend(n_members);
    archive.extend(long(directory.len()));
    archive.extend(long(offset));
    archive.extend([0; 2]);
    archive
}

const LOCAL_SIGNATURE: [u8; 4] = *b"PK\x03\x04";
const CENTRAL_SIGNATURE: [u8; 4] = *b"PK\x01\x02";
const END_SIGNATURE: [u8; 4] = *b"PK\x05\x06";

/// 1 January 1980: the time of a member says nothing.
const DATE: u16 = 1 << 5 | 1;

/// What both headers of a member have in common.
fn member(out: &mut Vec<u8>, path: &str, content: &[u8]) {
    // Version 2.0, no flags, stored.
    for field in [20_u16, 0, 0, 0, DATE] {
        out.extend(field.to_le_bytes());
    }
    out.extend(crc32(content).to_le_bytes());
    out.extend(long(content.len()));
    out.extend(long(content.len()));
    let length = u16::try_from(path.len()).unwrap_or(u16::MAX);
    out.extend(length.to_le_bytes());
    out.extend([0; 2]);
}

fn long(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `jar` is the judge.
    #[test]
    fn the_jdk_reads_it() {
        let dir = tempfile::tempdir().unwrap();
        let members = [("p/A.class", "one"), ("p/sub/B.class", "")];
        let members = members.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        std::fs::write(dir.path().join("a.jar"), archive(&members.into())).unwrap();
        let jdk = &tamis_testkit::jdks::jdks().unwrap()[0];
        let output = std::process::Command::new(jdk.home.join("bin/jar"))
            .args(["xvf", "a.jar"])
            .current_dir(dir.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(std::fs::read(dir.path().join("p/A.class")).unwrap(), b"one");
        assert!(dir.path().join("p/sub/B.class").is_file());
    }
}
