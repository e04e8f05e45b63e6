//! The classes that a class names in what it declares: who reads its declarations by reflection gets at them, whatever code
//! he runs.

use std::collections::BTreeSet;

use tamis_classfile::attribute::{Annotation, Attribute, AttributeContent, ElementValue};
use tamis_classfile::{ClassFile, ConstantPool, Result};
use tamis_facts::ClassName;

/// The types of members, with those of their signatures, the exceptions of methods, the values of annotations, and classes that belong
/// together: nests, sealed ones. Supertypes and the types of annotations are not among them.
pub(crate) fn declared_classes(class: &ClassFile<'_>) -> Result<BTreeSet<ClassName>> {
    let pool = &class.constant_pool;
    let mut found = Declared {
        pool,
        names: BTreeSet::new(),
    };
    found.add_attributes(&class.attributes)?;
    for field in &class.fields {
        found.add_signature(field.descriptor)?;
        found.add_attributes(&field.attributes)?;
    }
    for method in &class.methods {
        found.add_signature(method.descriptor)?;
        found.add_attributes(&method.attributes)?;
    }
    Ok(found.names)
}

struct Declared<'c> {
    pool: &'c ConstantPool<'c>,
    names: BTreeSet<ClassName>,
}

impl Declared<'_> {
    fn add_attributes(&mut self, attributes: &[Attribute<'_>]) -> Result<()> {
        for attribute in attributes {
            self.add_attribute(&attribute.content)?;
        }
        Ok(())
    }

    fn add_attribute(&mut self, content: &AttributeContent<'_>) -> Result<()> {
        match content {
            AttributeContent::Signature(signature) => self.add_signature(*signature),
            AttributeContent::Exceptions(classes)
            | AttributeContent::NestMembers(classes)
            | AttributeContent::PermittedSubclasses(classes) => {
                let mut classes = classes.iter();
                classes.try_for_each(|class| self.add_class(class.index))
            }
            AttributeContent::InnerClasses(rows) => {
                let classes = rows.iter().flat_map(|row| [row.inner, row.outer]);
                let mut classes = classes.filter(|class| *class != 0);
                classes.try_for_each(|class| self.add_class(class))
            }
            AttributeContent::NestHost(host) => self.add_class(*host),
            AttributeContent::EnclosingMethod(enclosing) => self.add_class(enclosing.class),
            AttributeContent::Record(components) => {
                let mut components = components.iter();
                components.try_for_each(|component| self.add_attributes(&component.attributes))
            }
            AttributeContent::AnnotationDefault(value) => self.add_value(value),
            AttributeContent::RuntimeVisibleAnnotations(all) => self.add_annotations(all),
            AttributeContent::RuntimeVisibleParameterAnnotations(parameters) => {
                let mut parameters = parameters.iter();
                parameters.try_for_each(|all| self.add_annotations(all))
            }
            AttributeContent::RuntimeVisibleTypeAnnotations(all) => {
                let mut all = all.iter();
                all.try_for_each(|one| self.add_annotations(std::slice::from_ref(&one.annotation)))
            }
            _ => Ok(()),
        }
    }

    fn add_class(&mut self, index: u16) -> Result<()> {
        self.names.insert(self.pool.class(index)?.into());
        Ok(())
    }

    fn add_signature(&mut self, index: u16) -> Result<()> {
        let names = classes_of_signature(self.pool.utf8(index)?);
        self.names
            .extend(names.iter().map(|name| ClassName::from(&name[..])));
        Ok(())
    }

    fn add_annotations(&mut self, annotations: &[Annotation]) -> Result<()> {
        let mut elements = annotations.iter().flat_map(|one| &one.elements);
        elements.try_for_each(|element| self.add_value(&element.value))
    }

    fn add_value(&mut self, value: &ElementValue) -> Result<()> {
        match value {
            ElementValue::Class(descriptor)
            | ElementValue::Enum {
                type_descriptor: descriptor,
                ..
            } => self.add_signature(*descriptor),
            ElementValue::Annotation(inner) => self.add_annotations(std::slice::from_ref(inner)),
            ElementValue::Array(values) => {
                let mut values = values.iter();
                values.try_for_each(|value| self.add_value(value))
            }
            ElementValue::Constant { .. } => Ok(()),
        }
    }
}

/// How many names of nested classes a signature may have: each repeats those around it, so a hostile one would take much memory.
const MAX_NESTED: usize = 256;

/// The classes that a signature names (JVMS 4.7.9.1), or a descriptor; a malformed rest names nothing. What ends with a colon is a
/// type parameter, and no name has one in it.
fn classes_of_signature(signature: &[u8]) -> Vec<Vec<u8>> {
    let mut names = Vec::new();
    let mut n_nested = 0;
    // Classes whose arguments are being read.
    let mut open: Vec<Vec<u8>> = Vec::new();
    let mut rest = signature;
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        let mut name = match first {
            b'L' => Vec::new(),
            b'T' => {
                rest = cut(rest).1;
                continue;
            }
            // The arguments of a class end: a class may follow that is nested in it.
            b'>' => match (open.pop(), rest.split_first()) {
                (Some(mut outer), Some((b'.', behind))) => {
                    rest = behind;
                    n_nested += 1;
                    outer.push(b'$');
                    outer
                }
                _ => continue,
            },
            _ => continue,
        };
        loop {
            if n_nested > MAX_NESTED {
                return names;
            }
            let (part, behind) = cut(rest);
            name.extend(part);
            let Some((end, behind)) = behind.split_first() else {
                return names;
            };
            rest = behind;
            if *end == b':' {
                break;
            }
            names.push(name.clone());
            match end {
                b'.' => {
                    n_nested += 1;
                    name.push(b'$');
                }
                b'<' => {
                    open.push(name);
                    break;
                }
                _ => break,
            }
        }
    }
    names
}

/// A name, and what comes behind it.
fn cut(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| b"<;.:".contains(byte));
    text.split_at(end.unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_end_take_little_memory() {
        for text in [".a".repeat(30_000), "<>.a".repeat(16_000)] {
            let names = classes_of_signature(format!("La{text};").as_bytes());
            assert!(names.len() <= MAX_NESTED + 1);
        }
    }

    #[test]
    fn signatures_name_classes() {
        for (signature, expected) in [
            ("I", ""),
            ("(ILa/B;[[Lc/D;J)LL;", "a/B c/D L"),
            ("TT;", ""),
            ("La/List<Lb/Item;>;", "a/List b/Item"),
            ("La/Map<TK;+Lb/V;>;", "a/Map b/V"),
            ("La/Map<*[Lb/V;>;Lc/D;", "a/Map b/V c/D"),
            (
                "La/Outer<Lb/T;>.Inner<Lc/U;>.Leaf;",
                "a/Outer b/T a/Outer$Inner c/U a/Outer$Inner$Leaf",
            ),
            (
                "<List:La/Base;T::Lb/Face;:Lc/Face;U:TT;>La/Super<TList;>;Ld/E;",
                "a/Base b/Face c/Face a/Super d/E",
            ),
            ("<T:La/Ex;>(TT;)V^TT;^Lb/Ex;", "a/Ex b/Ex"),
            ("La/B", ""),
            ("La/B<", "a/B"),
            (">.", ""),
        ] {
            let names = classes_of_signature(signature.as_bytes());
            let names = names
                .into_iter()
                .map(|name| String::from_utf8(name).unwrap());
            let names: Vec<String> = names.collect();
            assert_eq!(names.join(" "), expected, "{signature}");
        }
    }
}
