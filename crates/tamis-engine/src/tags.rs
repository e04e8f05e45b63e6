//! Tests that say of themselves that they run each time: by a tag, in the words of whatever framework they are for.

use std::collections::BTreeSet;

use tamis_classfile::attribute::{Annotation, Attribute, AttributeContent, ElementValue};
use tamis_classfile::{ClassFile, ConstantPool, Result};
use tamis_facts::ModifiedUtf8;

/// What a tag of Jupiter's, or a group of TestNG's, is called.
const TAG: &[u8] = b"tamis-always-run";

/// What a category of JUnit 4's is called, or an annotation of the project's own; whatever its package.
const CATEGORY: &[u8] = b"TamisAlwaysRun";

/// What of a class has the tag.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tags {
    /// Whether the class has.
    is_class: bool,
    /// The methods that have.
    methods: BTreeSet<ModifiedUtf8>,
}

impl Tags {
    pub(crate) fn of(class: &ClassFile<'_>) -> Result<Self> {
        let pool = &class.constant_pool;
        let mut methods = BTreeSet::new();
        for method in &class.methods {
            if is_tagged(&method.attributes, pool)? {
                methods.insert(pool.utf8(method.name)?.into());
            }
        }
        Ok(Self {
            is_class: is_tagged(&class.attributes, pool)?,
            methods,
        })
    }

    /// Whether a test of this name has the tag; without a name, whether any has.
    pub(crate) fn has(&self, test: Option<&[u8]>) -> bool {
        let mut methods = self.methods.iter();
        self.is_class
            || methods.any(|method| test.is_none_or(|test| is_test_of(test, method.as_bytes())))
    }
}

/// Whether a test is that of a method: frameworks put parameters behind its name, and nested classes before it.
fn is_test_of(test: &[u8], method: &[u8]) -> bool {
    let name = test.split(|byte| b"([".contains(byte)).next();
    let own = name.and_then(|name| name.rsplit(|byte| *byte == b'/').next());
    own == Some(method)
}

fn is_tagged(attributes: &[Attribute<'_>], pool: &ConstantPool<'_>) -> Result<bool> {
    for attribute in attributes {
        if let AttributeContent::RuntimeVisibleAnnotations(all) = &attribute.content
            && has_tag(all, pool)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn has_tag(annotations: &[Annotation], pool: &ConstantPool<'_>) -> Result<bool> {
    for annotation in annotations {
        if is_category(pool.utf8(annotation.type_descriptor)?) {
            return Ok(true);
        }
        for element in &annotation.elements {
            if is_tag(&element.value, pool)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn is_tag(value: &ElementValue, pool: &ConstantPool<'_>) -> Result<bool> {
    match value {
        ElementValue::Constant { tag: b's', value } => Ok(pool.utf8(*value)? == TAG),
        ElementValue::Class(descriptor) => Ok(is_category(pool.utf8(*descriptor)?)),
        ElementValue::Annotation(inner) => has_tag(std::slice::from_ref(inner), pool),
        ElementValue::Array(values) => {
            for value in values {
                if is_tag(value, pool)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        ElementValue::Constant { .. } | ElementValue::Enum { .. } => Ok(false),
    }
}

/// Whether a class, by its descriptor, has the name of the category; it may be nested in another one.
fn is_category(descriptor: &[u8]) -> bool {
    let name = descriptor.strip_suffix(b";").unwrap_or(descriptor);
    let name = name.strip_prefix(b"L").unwrap_or(name);
    let simple = name.rsplit(|byte| b"/$".contains(byte)).next();
    simple == Some(CATEGORY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_have_a_simple_name() {
        assert!(is_category(b"La/TamisAlwaysRun;"));
        assert!(is_category(b"La/B$TamisAlwaysRun;"));
        assert!(is_category(b"LTamisAlwaysRun;"));
        assert!(!is_category(b"La/NotTamisAlwaysRun;"));
        assert!(!is_category(b"La/TamisAlwaysRun/B;"));
    }

    #[test]
    fn neither_parameters_nor_nested_classes_are_part_of_the_name() {
        let tags = Tags {
            is_class: false,
            methods: BTreeSet::from(["one".into()]),
        };
        for (test, expected) in [
            (&b"one"[..], true),
            (b"one(int)", true),
            (b"one[2]", true),
            (b"Inner/one(a/B)", true),
            (b"one/two()", false),
            (b"oneMore", false),
            (b"two", false),
        ] {
            assert_eq!(tags.has(Some(test)), expected);
        }
        assert!(tags.has(None));
        assert!(!Tags::default().has(None));
    }
}
