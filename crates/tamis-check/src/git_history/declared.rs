//! What the classes of a revision declare, with their fields and without: whether a class changed by its fields alone.
//!
//! HyRTS has no facts about fields, and Tamis has: names and constants of fields are a part of what a class declares. This
//! tells such a change from one that both see. It explains what was selected; no rule looks at it.

use std::collections::BTreeMap;
use std::path::Path;

use tamis_build::ClassSource;
use tamis_classfile::ClassFile;
use tamis_classfile::checksum::{Checksummer, DebugInfo, Digest};
use tamis_facts::Checksum;
use walkdir::WalkDir;

/// Where Maven puts classes, in a module's build directory. HyRTS knows no other place.
const FOLDERS: &[&str] = &["classes", "test-classes"];

/// By the name of a class, with slashes: its declaration without fields. Classes that cannot be read are not there.
#[derive(Debug, Default)]
pub(super) struct Declared(BTreeMap<String, Declaration>);

/// Checksums of what a class declares of itself, and of its methods that can be overridden.
type Declaration = (Checksum, Checksum);

impl Declared {
    /// What was built in a project.
    pub(super) fn of_project(project: &Path) -> Self {
        let entries = WalkDir::new(project).into_iter().filter_map(Result::ok);
        let folders = entries.filter(|entry| {
            let name = entry.file_name().to_string_lossy();
            entry.file_type().is_dir() && FOLDERS.contains(&name.as_ref())
        });
        let sources = folders.filter_map(|folder| ClassSource::open(folder.path()).ok());
        Self(sources.flat_map(|source| of_source(&source)).collect())
    }

    /// Whether a class is there before and after, and differs in nothing but its fields, if at all.
    pub(super) fn is_same_but_for_fields(&self, before: &Self, class: &str) -> bool {
        let now = self.0.get(class);
        now.is_some() && now == before.0.get(class)
    }
}

fn of_source(source: &ClassSource) -> Vec<(String, Declaration)> {
    let entries = source
        .classes()
        .iter()
        .filter_map(|class| class.read().ok());
    entries
        .filter_map(|entry| {
            let class = entry.path.strip_suffix(".class")?.to_owned();
            Some((class, declaration(&entry.bytes)?))
        })
        .collect()
}

fn declaration(bytes: &[u8]) -> Option<Declaration> {
    let mut class = ClassFile::parse(bytes).ok()?;
    class.fields.clear();
    let checksums = Checksummer::new(&class, &Blake3, DebugInfo::Ignored);
    let checksums = checksums.ok()?.all().ok()?;
    Some((checksums.head, checksums.signatures))
}

struct Blake3;

impl Digest for Blake3 {
    fn digest(&self, bytes: &[u8]) -> Checksum {
        let mut checksum = [0; 16];
        checksum.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
        Checksum(checksum)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tamis_testkit::jdks::newest_jdk;
    use tamis_testkit::server::JavaServer;

    use super::*;

    fn build(server: &mut JavaServer, source: &str) -> Declared {
        let project = tempfile::tempdir().unwrap();
        let folder = project.path().join("core/target/classes/p");
        fs::create_dir_all(&folder).unwrap();
        let compiled = server.compile(&[], &[("p/A.java", source)]).unwrap();
        for (name, bytes) in &compiled {
            let file = name.strip_prefix("p/").unwrap();
            fs::write(folder.join(format!("{file}.class")), bytes).unwrap();
        }
        Declared::of_project(project.path())
    }

    #[test]
    fn a_constant_more_is_a_change_of_fields_alone() {
        let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
        let mut build = |members: &str| {
            let source = format!("package p; public class A {{ {members} }}");
            build(&mut server, &source)
        };
        let before = build("int f() { return 1; }");
        for (members, expected) in [
            ("int f() { return 1; }", true),
            ("static final int C = 1; int f() { return 2; }", true),
            ("public String name; int f() { return 1; }", true),
            ("int f() { return 1; } int g() { return 1; }", false),
            ("protected int f() { return 1; }", false),
        ] {
            let is_same = build(members).is_same_but_for_fields(&before, "p/A");
            assert_eq!(is_same, expected, "{members}");
        }
        assert!(!before.is_same_but_for_fields(&before, "p/B"));
    }
}
