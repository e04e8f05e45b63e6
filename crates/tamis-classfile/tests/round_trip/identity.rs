//! The round trip itself, and what was seen on the way.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tamis_classfile::attribute::{Attribute, AttributeContent};
use tamis_classfile::{ClassFile, ConstantPool};

use crate::classes::Class;

/// What some classes held, and which of them did not come back.
#[derive(Default)]
pub(crate) struct Seen {
    n_classes: usize,
    n_bytes: usize,
    /// Classes by major version.
    versions: BTreeMap<u16, usize>,
    /// Attributes whose layout is not known, by place and name.
    unknown: BTreeMap<String, usize>,
    /// Classes that cannot be read, by reason, with one of them.
    refused: BTreeMap<String, (usize, String)>,
    differing: Vec<String>,
}

impl Seen {
    pub(crate) fn round_trip(&mut self, classes: &[Class]) {
        for class in classes {
            self.n_classes += 1;
            self.n_bytes += class.bytes.len();
            match written_back(&class.bytes) {
                Ok((owned, bytes)) => {
                    self.note(&owned);
                    if bytes != class.bytes {
                        self.differing.push(class.location.clone());
                    }
                }
                Err(error) => self.refuse(&error, class),
            }
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.n_classes += other.n_classes;
        self.n_bytes += other.n_bytes;
        for (version, count) in other.versions {
            *self.versions.entry(version).or_default() += count;
        }
        for (name, count) in other.unknown {
            *self.unknown.entry(name).or_default() += count;
        }
        for (reason, (count, example)) in other.refused {
            self.refused.entry(reason).or_insert((0, example)).0 += count;
        }
        self.differing.extend(other.differing);
    }

    pub(crate) fn counts(&self) -> String {
        let Self {
            n_classes, n_bytes, ..
        } = self;
        let mut text = format!("{n_classes} classes, {n_bytes} bytes, of version");
        for (version, count) in &self.versions {
            write!(text, " {version}:{count}").expect("a string takes all that is written");
        }
        text
    }

    /// Prints the numbers and fails unless every class came back.
    pub(crate) fn finish(self, name: &str) {
        println!("{name}: {}", self.counts());
        for (attribute, count) in &self.unknown {
            println!("  {count} unknown attributes: {attribute}");
        }
        for (reason, (count, example)) in &self.refused {
            println!("  {count} refused: {reason}, as {example}");
        }
        assert_eq!(self.differing, [""; 0], "{name}: these did not come back");
        assert!(
            self.refused.is_empty(),
            "{name}: real classes were refused, see above"
        );
        assert!(self.n_classes > 0, "{name}: nothing was read");
    }

    fn refuse(&mut self, error: &tamis_classfile::Error, class: &Class) {
        let example = || (0, class.location.clone());
        let reason = error.message().to_owned();
        self.refused.entry(reason).or_insert_with(example).0 += 1;
    }

    fn note(&mut self, class: &ClassFile<'_>) {
        *self.versions.entry(class.major_version).or_default() += 1;
        let pool = &class.constant_pool;
        self.note_unknown("class", &class.attributes, pool);
        for field in &class.fields {
            self.note_unknown("field", &field.attributes, pool);
        }
        for method in &class.methods {
            self.note_unknown("method", &method.attributes, pool);
        }
    }

    fn note_unknown(&mut self, place: &str, attributes: &[Attribute<'_>], pool: &ConstantPool<'_>) {
        for attribute in attributes {
            match &attribute.content {
                AttributeContent::Unknown(_) => {
                    let name = pool.name(attribute.name).unwrap();
                    *self
                        .unknown
                        .entry(format!("{name} of a {place}"))
                        .or_default() += 1;
                }
                AttributeContent::Code(code) => self.note_unknown("body", &code.attributes, pool),
                AttributeContent::Record(components) => {
                    for component in components {
                        self.note_unknown("component", &component.attributes, pool);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Encodes from an owned model: the copy it was read from is gone by then.
fn written_back(bytes: &[u8]) -> tamis_classfile::Result<(ClassFile<'static>, Vec<u8>)> {
    let owned = {
        let copy = bytes.to_vec();
        ClassFile::parse(&copy)?.into_owned()
    };
    let encoded = owned.encode()?;
    Ok((owned, encoded))
}
