//! The extension as a jar: the classes that this program carries, and the settings of one run.
//!
//! The classes are kept compiled, so that Tamis is built without a JDK. A test compiles the sources, which lie
//! beside them, and compares.

use std::fmt::Write as _;
use std::io::Write as _;

use rawzip::{CompressionMethod, ZipArchiveWriter};

/// What is the same in every run: its name in the jar, and its content.
const FILES: &[(&str, &[u8])] = &[
    (
        "META-INF/sisu/javax.inject.Named",
        include_bytes!("../../java/maven/META-INF/sisu/javax.inject.Named"),
    ),
    (
        "tamis/maven/Fingerprint.class",
        include_bytes!("../../java/maven/tamis/maven/Fingerprint.class"),
    ),
    (
        "tamis/maven/Host.class",
        include_bytes!("../../java/maven/tamis/maven/Host.class"),
    ),
    (
        "tamis/maven/Message.class",
        include_bytes!("../../java/maven/tamis/maven/Message.class"),
    ),
    (
        "tamis/maven/Run.class",
        include_bytes!("../../java/maven/tamis/maven/Run.class"),
    ),
    (
        "tamis/maven/TamisExtension.class",
        include_bytes!("../../java/maven/tamis/maven/TamisExtension.class"),
    ),
    (
        "tamis/maven/TestMojo.class",
        include_bytes!("../../java/maven/tamis/maven/TestMojo.class"),
    ),
    (
        "tamis/maven/TestTask.class",
        include_bytes!("../../java/maven/tamis/maven/TestTask.class"),
    ),
];

/// Where `Run.java` looks for the settings.
const SETTINGS: &str = "tamis/maven/run.properties";

/// The bytes of the jar, with settings as names and values.
pub(super) fn jar(settings: &[(&str, &str)]) -> Result<Vec<u8>, rawzip::Error> {
    let settings = properties(settings);
    let mut writer = ZipArchiveWriter::new(Vec::new());
    let files = FILES.iter().copied();
    for (name, content) in files.chain([(SETTINGS, settings.as_bytes())]) {
        let file = writer.new_file(name);
        let stored = file.compression_method(CompressionMethod::STORE);
        let (mut entry, config) = stored.start()?;
        let mut data = config.wrap(&mut entry);
        data.write_all(content)?;
        let (_, descriptor) = data.finish()?;
        entry.finish(descriptor)?;
    }
    writer.finish()
}

/// Settings as `java.util.Properties` reads them. Names need no escapes.
fn properties(settings: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (name, value) in settings {
        text.push_str(name);
        text.push('=');
        for character in value.chars() {
            match character {
                '\\' => text.push_str("\\\\"),
                ' ' => text.push_str("\\ "),
                c if c.is_ascii_control() => {
                    write!(text, "\\u{:04x}", u32::from(c)).expect("a string takes all");
                }
                c => text.push(c),
            }
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class_source::ClassSource;

    #[test]
    fn settings_are_escaped() {
        let settings = [("homes", "/a\n/b\t"), ("agent", " /é \\x=:#")];
        assert_eq!(
            properties(&settings),
            "homes=/a\\u000a/b\\u0009\nagent=\\ /é\\ \\\\x=:#\n"
        );
    }

    #[test]
    fn the_jar_has_the_classes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.jar");
        std::fs::write(&path, jar(&[("a", "b")]).unwrap()).unwrap();
        let source = ClassSource::open(&path).unwrap();
        let classes: Vec<_> = source.read_all().map(Result::unwrap).collect();
        let classes: Vec<_> = classes.iter().map(|c| (&*c.path, &*c.bytes)).collect();
        assert_eq!(classes, FILES[1..]);
    }
}
