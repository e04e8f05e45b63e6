//! Which methods of the JDK have doors, and what each calls: data, with the JDKs that must have them.

use std::ops::RangeInclusive;

use tamis_classfile::probe::Argument;
use tamis_wire::Sight;

/// The first JDK that nobody has looked at is the next one.
const LAST_FEATURE: u32 = 25;

/// A method that has to be there, in some JDKs.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) class: &'static str,
    pub(super) method: &'static str,
    pub(super) descriptor: &'static str,
    /// The native method of the agent's that it calls first, with these arguments.
    pub(super) call: &'static str,
    pub(super) arguments: &'static [Argument],
    /// What is not seen without it.
    pub(super) sight: Sight,
    features: &'static [RangeInclusive<u32>],
}

const SYSTEM: &str = "java/lang/System";
const PROCESS: &str = "java/lang/ProcessBuilder";
const PACKAGE: &str = "java/lang/Package";
const ARCHIVE: &str = "java/util/zip/ZipFile";

/// The classes of the table. All of them are the JDK's innermost, without a loader.
const CLASSES: [&str; 4] = [SYSTEM, PROCESS, PACKAGE, ARCHIVE];

const NOTHING: &[Argument] = &[];
const FIRST: &[Argument] = &[Argument::Parameter(1)];
const THIS: &[Argument] = &[Argument::Receiver];
const THIS_AND_FIRST: &[Argument] = &[Argument::Receiver, Argument::Parameter(1)];

const ALL: &[RangeInclusive<u32>] = &[8..=LAST_FEATURE];
/// The inside of archives was looked at in these.
const ALL_OF_ARCHIVES: &[RangeInclusive<u32>] = &[8..=8, 11..=11, 17..=LAST_FEATURE];
const ONLY_11: &[RangeInclusive<u32>] = &[11..=11];
/// In JDK 11 it calls an inner one, which others call too.
const NOT_11: &[RangeInclusive<u32>] = &[8..=8, 17..=LAST_FEATURE];
const SINCE_11: &[RangeInclusive<u32>] = &[11..=11, 17..=LAST_FEATURE];
const SINCE_17: &[RangeInclusive<u32>] = &[17..=LAST_FEATURE];

const TEXT: &str = "()Ljava/lang/String;";

/// Of the methods by which members are found the innermost, which all others call.
pub(super) const ROWS: &[Row] = &[
    environment(
        SYSTEM,
        "getenv",
        "(Ljava/lang/String;)Ljava/lang/String;",
        "variable",
        FIRST,
    ),
    environment(SYSTEM, "getenv", "()Ljava/util/Map;", "variables", NOTHING),
    environment(
        PROCESS,
        "environment",
        "()Ljava/util/Map;",
        "variables",
        NOTHING,
    ),
    environment(
        SYSTEM,
        "getProperty",
        "(Ljava/lang/String;)Ljava/lang/String;",
        "property",
        FIRST,
    ),
    environment(
        SYSTEM,
        "getProperty",
        "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
        "property",
        FIRST,
    ),
    environment(
        SYSTEM,
        "getProperties",
        "()Ljava/util/Properties;",
        "properties",
        NOTHING,
    ),
    environment(
        SYSTEM,
        "setProperty",
        "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
        "propertySet",
        FIRST,
    ),
    environment(
        SYSTEM,
        "clearProperty",
        "(Ljava/lang/String;)Ljava/lang/String;",
        "propertySet",
        FIRST,
    ),
    environment(
        SYSTEM,
        "setProperties",
        "(Ljava/util/Properties;)V",
        "propertiesSet",
        NOTHING,
    ),
    archive(
        "getEntry",
        "(Ljava/lang/String;)Ljava/util/zip/ZipEntry;",
        NOT_11,
    )
    .calling("member", THIS_AND_FIRST),
    archive(
        "getEntry",
        "(Ljava/lang/String;Ljava/util/function/Function;)Ljava/util/zip/ZipEntry;",
        ONLY_11,
    )
    .calling("member", THIS_AND_FIRST),
    // It takes entries that were listed, or made by hand.
    archive(
        "getInputStream",
        "(Ljava/util/zip/ZipEntry;)Ljava/io/InputStream;",
        ALL_OF_ARCHIVES,
    )
    .calling("content", THIS_AND_FIRST),
    // An archive without a manifest is not asked for it by name.
    archive("getManifestName", "(Z)Ljava/lang/String;", SINCE_17).calling("manifest", THIS),
    archive("entries", "()Ljava/util/Enumeration;", ALL_OF_ARCHIVES),
    archive(
        "entries",
        "(Ljava/util/function/Function;)Ljava/util/Enumeration;",
        ONLY_11,
    ),
    archive("jarEntries", "()Ljava/util/Enumeration;", SINCE_17),
    archive("stream", "()Ljava/util/stream/Stream;", ALL_OF_ARCHIVES),
    archive(
        "stream",
        "(Ljava/util/function/Function;)Ljava/util/stream/Stream;",
        ONLY_11,
    ),
    archive("jarStream", "()Ljava/util/stream/Stream;", SINCE_17),
    archive("entryNameStream", "()Ljava/util/stream/Stream;", SINCE_11),
    archive("size", "()I", ALL_OF_ARCHIVES),
    package("getSpecificationTitle", TEXT),
    package("getSpecificationVersion", TEXT),
    package("getSpecificationVendor", TEXT),
    package("getImplementationTitle", TEXT),
    package("getImplementationVersion", TEXT),
    package("getImplementationVendor", TEXT),
    package("isCompatibleWith", "(Ljava/lang/String;)Z"),
    package("toString", TEXT),
    // Class loaders ask these for themselves.
    package("isSealed", "()Z").calling("seal", NOTHING),
    package("isSealed", "(Ljava/net/URL;)Z").calling("seal", NOTHING),
];

const fn environment(
    class: &'static str,
    method: &'static str,
    descriptor: &'static str,
    call: &'static str,
    arguments: &'static [Argument],
) -> Row {
    Row {
        class,
        method,
        descriptor,
        call,
        arguments,
        sight: Sight::Environment,
        features: ALL,
    }
}

const fn archive(
    method: &'static str,
    descriptor: &'static str,
    features: &'static [RangeInclusive<u32>],
) -> Row {
    Row {
        class: ARCHIVE,
        method,
        descriptor,
        call: "memberNames",
        arguments: THIS,
        sight: Sight::Archives,
        features,
    }
}

const fn package(method: &'static str, descriptor: &'static str) -> Row {
    Row {
        class: PACKAGE,
        method,
        descriptor,
        call: "packages",
        arguments: NOTHING,
        sight: Sight::Archives,
        features: ALL,
    }
}

impl Row {
    const fn calling(mut self, call: &'static str, arguments: &'static [Argument]) -> Self {
        self.call = call;
        self.arguments = arguments;
        self
    }

    pub(super) fn is_on(&self, feature: u32) -> bool {
        is_among(self.features, feature)
    }

    /// As a test names it to take it out, and a person reads it.
    pub(super) fn name(&self) -> String {
        format!("{}.{}", self.class, self.method)
    }
}

/// The class of the table that is called so.
pub(super) fn class(name: &[u8]) -> Option<&'static str> {
    CLASSES.into_iter().find(|class| class.as_bytes() == name)
}

/// Whether somebody has looked at a JDK for this.
pub(super) fn is_known(sight: Sight, feature: u32) -> bool {
    let features = match sight {
        Sight::Archives => ALL_OF_ARCHIVES,
        _ => ALL,
    };
    is_among(features, feature)
}

fn is_among(features: &[RangeInclusive<u32>], feature: u32) -> bool {
    features.iter().any(|features| features.contains(&feature))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use tamis_build::Jdk;
    use tamis_testkit::jdks::jdks;

    use super::*;
    use crate::helper_class::NATIVES;

    #[test]
    fn each_row_calls_a_native_of_the_agent() {
        for row in ROWS {
            let parameters = "Ljava/lang/Object;".repeat(row.arguments.len());
            let native = (row.call, &format!("({parameters})V")[..]);
            assert!(NATIVES.contains(&native), "{native:?}");
            assert_eq!(class(row.class.as_bytes()), Some(row.class));
        }
    }

    #[test]
    fn a_jdk_is_known_or_not() {
        for (feature, environment, archives) in [
            (7, false, false),
            (8, true, true),
            (9, true, false),
            (11, true, true),
            (16, true, false),
            (17, true, true),
            (25, true, true),
            (26, false, false),
        ] {
            assert_eq!(
                is_known(Sight::Environment, feature),
                environment,
                "{feature}"
            );
            assert_eq!(is_known(Sight::Archives, feature), archives, "{feature}");
        }
    }

    /// Each JDK has the rows that are meant for it, and no others.
    #[test]
    fn the_table_is_that_of_every_jdk() {
        for jdk in jdks().unwrap() {
            for class in CLASSES {
                let methods = methods(&jdk, class);
                for row in ROWS.iter().filter(|row| row.class == class) {
                    let method = (row.method.to_owned(), row.descriptor.to_owned());
                    let context = format!("{} on JDK {}", row.name(), jdk.feature);
                    // JDK 11 has both ways to find a member; the door is on the inner one.
                    let is_outer = row.features == NOT_11;
                    let is_there = methods.contains(&method);
                    assert!(is_there == row.is_on(jdk.feature) || is_outer, "{context}");
                }
            }
        }
    }

    /// Whoever gives entries of an archive, or says how many there are, has a door, or calls one that has.
    #[test]
    fn no_other_method_of_an_archive_gives_members() {
        const GIVING: [&str; 4] = ["Entry;", "Enumeration;", "Stream;", "InputStream;"];
        // Positions that were found before; the lambdas of streams; accessors of JDK 8 for inner classes.
        let is_inner = |name: &str| name == "getZipEntry" || name.contains('$');
        for jdk in jdks().unwrap() {
            for (name, descriptor) in methods(&jdk, ARCHIVE) {
                let gives = GIVING.iter().any(|end| descriptor.ends_with(end));
                let has_row = ROWS.iter().any(|row| {
                    row.class == ARCHIVE && row.method == name && row.descriptor == descriptor
                });
                let context = format!("{name}{descriptor} on JDK {}", jdk.feature);
                assert!(!gives || has_row || is_inner(&name), "{context}");
            }
        }
    }

    /// Name and descriptor of each method of a class that has code.
    fn methods(jdk: &Jdk, class: &str) -> Vec<(String, String)> {
        let javap = jdk.java().with_file_name("javap");
        let mut command = Command::new(javap);
        let output = command
            .args(["-p", "-s", &class.replace('/', ".")])
            .output();
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let pairs = lines.windows(2).filter(|pair| {
            pair[0].contains('(')
                && pair[1].contains("descriptor: ")
                && !pair[0].contains(" native ")
        });
        let pairs = pairs.map(|pair| {
            let before = pair[0].split('(').next().unwrap();
            let name = before.rsplit(' ').next().unwrap();
            let (_, descriptor) = pair[1].split_once("descriptor: ").unwrap();
            (name.to_owned(), descriptor.to_owned())
        });
        let methods: Vec<_> = pairs.collect();
        assert!(!methods.is_empty(), "{class} of JDK {}", jdk.feature);
        methods
    }
}
