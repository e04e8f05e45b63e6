//! Libraries from Maven Central as Maven projects: their sources and those of their tests, with a POM of ours.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use tamis_build::Jdk;
use tamis_testkit::suite_library::{CODEC, CSV, Library};

use super::pom::{JUNIT, Pom};
use super::subject::{Change, Subject};

/// A library, and where it can be changed without its tests noticing.
#[derive(Debug)]
pub(crate) struct KnownLibrary {
    library: Library,
    method: Place,
    resource: Option<Place>,
}

/// Where something is put in.
#[derive(Debug)]
struct Place {
    file: &'static str,
    /// It is put in behind this text.
    behind: &'static str,
    /// What stands before the number that is put in, and what behind it.
    around: (&'static str, &'static str),
    /// A test class that the change concerns.
    concerned: &'static str,
}

/// A statement that does nothing. The compiler keeps it.
const STATEMENT: (&str, &str) = (" int changed = ", ";");

const LIBRARIES: [KnownLibrary; 2] = [
    KnownLibrary {
        library: CODEC,
        method: Place {
            file: "src/main/java/org/apache/commons/codec/binary/Hex.java",
            behind: "char[] encodeHex(final byte[] data, final char[] toDigits) {",
            around: STATEMENT,
            concerned: "org.apache.commons.codec.binary.HexTest",
        },
        resource: Some(Place {
            file: "src/main/resources/org/apache/commons/codec/language/dmrules.txt",
            behind: "// Format",
            around: (" ", ""),
            concerned: "org.apache.commons.codec.language.DaitchMokotoffSoundexTest",
        }),
    },
    KnownLibrary {
        library: CSV,
        method: Place {
            file: "src/main/java/org/apache/commons/csv/CSVRecord.java",
            behind: "public boolean isConsistent() {",
            around: STATEMENT,
            concerned: "org.apache.commons.csv.CSVRecordTest",
        },
        resource: None,
    },
];

impl KnownLibrary {
    pub(super) fn all() -> impl Iterator<Item = Self> {
        LIBRARIES.into_iter()
    }

    pub(super) fn named(name: &str) -> Result<Self> {
        let names = LIBRARIES.map(|known| known.library.name);
        let found = LIBRARIES
            .into_iter()
            .find(|known| known.library.name == name);
        found.with_context(|| format!("no library `{name}`; there are {}", names.join(", ")))
    }

    pub(super) fn make(&self, jdk: &Jdk, surefire: &str) -> Result<Subject> {
        let directory = tempfile::tempdir()?;
        let root = directory.path();
        let name = self.library.name;
        let dependencies = [&[JUNIT], self.library.dependencies()].concat();
        self.library
            .lay_out(jdk, root)
            .with_context(|| format!("cannot lay out {name}"))?;
        let pom = Pom {
            name,
            dependencies: &dependencies,
            surefire,
            opens: self.library.opens(),
        };
        fs::write(root.join("pom.xml"), pom.text()?)?;
        let method = self.method.change(root)?;
        let resource = self.resource.as_ref().map(|place| place.change(root));
        let resource = resource.transpose()?;
        let title = format!("{name} ({JUNIT}, Surefire {surefire})");
        let mut subject = Subject::made(title, directory);
        subject.method = Some(method);
        subject.resource = resource;
        Ok(subject)
    }
}

impl Place {
    fn change(&self, root: &Path) -> Result<Change> {
        let change = Change::behind(root, self.file.as_ref(), self.behind, self.around)?;
        Ok(change.concerning(self.concerned, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_testkit::jdks::jdks;
    use walkdir::WalkDir;

    #[test]
    fn each_library_can_be_laid_out_and_has_its_places() {
        let jdk = jdks().unwrap().remove(0);
        for known in KnownLibrary::all() {
            let subject = known.make(&jdk, "2.22.2").unwrap();
            let root = subject.directory();
            let concerned = known.method.concerned.replace('.', "/");
            let test = root.join("src/test/java").join(concerned + ".java");
            assert!(test.is_file(), "{}", test.display());
            assert!(root.join("src/test/resources").is_dir());
            let entries = WalkDir::new(root).into_iter().map(Result::unwrap);
            let poms = entries.filter(|entry| entry.file_name() == "pom.xml");
            assert_eq!(poms.count(), 1);
        }
    }

    #[test]
    fn an_unknown_library_is_told_the_known_ones() {
        let error = KnownLibrary::named("nothing").unwrap_err();
        let expected = "no library `nothing`; there are commons-codec, commons-csv";
        assert_eq!(error.to_string(), expected);
    }
}
