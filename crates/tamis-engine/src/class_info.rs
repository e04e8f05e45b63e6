//! What a class file says that facts are made of: what it declares, and what each of its methods names.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use tamis_classfile::attribute::{Annotation, Attribute, AttributeContent, ElementValue};
use tamis_classfile::{
    AccessFlags, ClassFile, ConstantPool, Field, Method, Reference, ReferenceKind, Uses,
};
use tamis_facts::{ClassName, FieldId, MethodId};

use crate::declared::declared_classes;
use crate::held::{Held, held};
use crate::kept::kept;
use crate::mingled::mingled;
use crate::tags::Tags;

/// A class file, as far as facts need it; borrows nothing.
#[derive(Debug)]
pub(crate) struct ClassInfo {
    pub(crate) access_flags: AccessFlags,
    /// The superclass; none for `java/lang/Object` and modules.
    pub(crate) super_class: Option<ClassName>,
    pub(crate) interfaces: Vec<ClassName>,
    pub(crate) fields: BTreeMap<FieldId, FieldInfo>,
    pub(crate) methods: BTreeSet<MethodId>,
    /// Methods that have code, in the order of their units.
    pub(crate) units: Vec<UnitInfo>,
    /// The types of its annotations that are kept at run time, those of its members included: who reads
    /// one sees what its type declares.
    pub(crate) annotations: BTreeSet<ClassName>,
    /// The classes that it names in what it declares.
    pub(crate) declared: BTreeSet<ClassName>,
    /// What of it says that it runs each time.
    pub(crate) tags: Tags,
    /// The classes that it is part of, and those that are part of it.
    pub(crate) nest: BTreeSet<ClassName>,
    /// The class that it is a member of.
    pub(crate) outer_class: Option<ClassName>,
    /// The class whose code it is declared in.
    pub(crate) enclosing_class: Option<ClassName>,
    /// The class whose private members it may name, if that is another one.
    pub(crate) nest_host: Option<ClassName>,
    /// Other classes that may name its private members, and those of each other.
    pub(crate) nest_members: Vec<ClassName>,
}

/// What is known of a field.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is true or not, whatever the others are"
)]
pub(crate) struct FieldInfo {
    pub(crate) is_static: bool,
    /// Whether it is set once and never again.
    pub(crate) is_final: bool,
    /// What it holds, if more is known than its type says; only of static final ones.
    pub(crate) held: Option<Held>,
    /// Whether it is an array that the class keeps to itself and never changes, as far as its own code goes.
    pub(crate) is_kept: bool,
    /// Whether it has an annotation, by which a framework may find it.
    pub(crate) is_annotated: bool,
}

/// A method that has code.
#[derive(Debug)]
pub(crate) struct UnitInfo {
    pub(crate) id: MethodId,
    /// The classes that it names.
    pub(crate) classes: BTreeSet<ClassName>,
    /// The fields and methods that it names.
    pub(crate) members: Vec<NamedMember>,
    /// Those of the fields that it sets, and that are static.
    pub(crate) written: HashSet<NamedMember>,
    /// Those that it does more with than to set them.
    pub(crate) read: HashSet<NamedMember>,
    /// Those that it sets in objects.
    pub(crate) assigned: HashSet<NamedMember>,
    /// The static fields of its class that may lead to the same objects once it has run, in groups; only of what initialises the class.
    pub(crate) mingled: Vec<BTreeSet<FieldId>>,
    /// The instructions by which it sets elements of arrays.
    pub(crate) array_stores: BTreeSet<u8>,
    /// The methods that it calls on objects, by whatever class.
    pub(crate) called: BTreeSet<MethodId>,
    /// Those of them that it looks for above its own class, with the class by which it names them.
    pub(crate) called_above: Vec<(ClassName, MethodId)>,
    /// The texts that may be names of classes, in internal form.
    pub(crate) possible_names: BTreeSet<ClassName>,
    flags: AccessFlags,
}

/// A member, as code names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum NamedMember {
    Field(ClassName, FieldId),
    Method(ClassName, MethodId),
}

impl ClassInfo {
    /// What a class file says; nothing if it cannot be read, or a method of it cannot.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        let class = ClassFile::parse(bytes).ok()?;
        Self::read(&class).ok()
    }

    fn read(class: &ClassFile<'_>) -> tamis_classfile::Result<Self> {
        let pool = &class.constant_pool;
        let mut info = Self {
            access_flags: class.access_flags,
            super_class: class.super_name()?.map(ClassName::from),
            interfaces: Vec::new(),
            fields: BTreeMap::new(),
            methods: BTreeSet::new(),
            units: Vec::new(),
            annotations: BTreeSet::new(),
            declared: declared_classes(class)?,
            tags: Tags::of(class)?,
            nest: BTreeSet::new(),
            outer_class: outer_class(class)?,
            enclosing_class: None,
            nest_host: None,
            nest_members: Vec::new(),
        };
        for interface in &class.interfaces {
            info.interfaces.push(pool.class(*interface)?.into());
        }
        info.read_attributes(&class.attributes, pool)?;
        for method in &class.methods {
            info.read_attributes(&method.attributes, pool)?;
            let id = MethodId {
                name: pool.utf8(method.name)?.into(),
                descriptor: pool.utf8(method.descriptor)?.into(),
            };
            if method.code().is_some() {
                info.units.push(UnitInfo::of(class, method, id.clone())?);
            }
            info.methods.insert(id);
        }
        info.read_fields(class)?;
        Ok(info)
    }

    /// What is known of fields that are set by other methods too, as some compilers do, is no more than they declare.
    fn read_fields(&mut self, class: &ClassFile<'_>) -> tamis_classfile::Result<()> {
        let pool = &class.constant_pool;
        let own = ClassName::from(class.name()?);
        let mut held = held(class)?;
        let kept = kept(class)?;
        for field in &class.fields {
            self.read_attributes(&field.attributes, pool)?;
            let id = FieldId {
                name: pool.utf8(field.name)?.into(),
                descriptor: pool.utf8(field.descriptor)?.into(),
            };
            let member = NamedMember::Field(own.clone(), id.clone());
            let mut others = self
                .units
                .iter()
                .filter(|unit| !unit.is_class_initialiser());
            let is_set_elsewhere = others.any(|unit| unit.written.contains(&member));
            let held = held.remove(&id).filter(|_| !is_set_elsewhere);
            let is_kept = kept.contains(&id);
            self.fields.insert(id, FieldInfo::of(field, held, is_kept));
        }
        Ok(())
    }

    fn read_attributes(
        &mut self,
        attributes: &[Attribute<'_>],
        pool: &ConstantPool<'_>,
    ) -> tamis_classfile::Result<()> {
        for attribute in attributes {
            match &attribute.content {
                AttributeContent::RuntimeVisibleAnnotations(all) => {
                    self.add_annotations(all, pool)?;
                }
                AttributeContent::RuntimeVisibleParameterAnnotations(parameters) => {
                    for all in parameters {
                        self.add_annotations(all, pool)?;
                    }
                }
                AttributeContent::RuntimeVisibleTypeAnnotations(all) => {
                    for one in all {
                        self.add_annotations(std::slice::from_ref(&one.annotation), pool)?;
                    }
                }
                AttributeContent::Record(components) => {
                    for component in components {
                        self.read_attributes(&component.attributes, pool)?;
                    }
                }
                AttributeContent::InnerClasses(rows) => {
                    for row in rows.iter() {
                        for index in [row.inner, row.outer]
                            .into_iter()
                            .filter(|index| *index != 0)
                        {
                            self.nest.insert(pool.class(index)?.into());
                        }
                    }
                }
                AttributeContent::NestHost(host) => {
                    let host = ClassName::from(pool.class(*host)?);
                    self.nest.insert(host.clone());
                    self.nest_host = Some(host);
                }
                AttributeContent::NestMembers(members) => {
                    for member in members.iter() {
                        self.nest_members.push(pool.class(member.index)?.into());
                    }
                }
                AttributeContent::EnclosingMethod(enclosing) => {
                    let enclosing = ClassName::from(pool.class(enclosing.class)?);
                    self.nest.insert(enclosing.clone());
                    self.enclosing_class = Some(enclosing);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn add_annotations(
        &mut self,
        annotations: &[Annotation],
        pool: &ConstantPool<'_>,
    ) -> tamis_classfile::Result<()> {
        for annotation in annotations {
            let descriptor = pool.utf8(annotation.type_descriptor)?;
            self.annotations.extend(class_of_descriptor(descriptor));
            for element in &annotation.elements {
                self.add_value(&element.value, pool)?;
            }
        }
        Ok(())
    }

    fn add_value(
        &mut self,
        value: &ElementValue,
        pool: &ConstantPool<'_>,
    ) -> tamis_classfile::Result<()> {
        match value {
            ElementValue::Annotation(inner) => {
                self.add_annotations(std::slice::from_ref(inner), pool)
            }
            ElementValue::Array(values) => values
                .iter()
                .try_for_each(|value| self.add_value(value, pool)),
            ElementValue::Enum {
                type_descriptor, ..
            } => {
                let descriptor = pool.utf8(*type_descriptor)?;
                self.annotations.extend(class_of_descriptor(descriptor));
                Ok(())
            }
            ElementValue::Constant { .. } | ElementValue::Class(_) => Ok(()),
        }
    }

    /// The classes that this one, of that name, is nested in or that are nested in it.
    pub(crate) fn nested<'i>(&'i self, own: &'i ClassName) -> impl Iterator<Item = &'i ClassName> {
        let others = self.nest.iter();
        others.filter(move |other| is_part_of(other, own) || is_part_of(own, other))
    }

    /// The superclass, then the interfaces.
    pub(crate) fn supertypes(&self) -> impl Iterator<Item = &ClassName> {
        self.super_class.iter().chain(&self.interfaces)
    }
}

/// The class that a class says that it is a member of.
fn outer_class(class: &ClassFile<'_>) -> tamis_classfile::Result<Option<ClassName>> {
    let pool = &class.constant_pool;
    let own = class.name()?;
    for attribute in &class.attributes {
        let AttributeContent::InnerClasses(rows) = &attribute.content else {
            continue;
        };
        for row in rows.iter().filter(|row| row.outer != 0) {
            if pool.class(row.inner)? == own {
                return Ok(Some(pool.class(row.outer)?.into()));
            }
        }
    }
    Ok(None)
}

impl FieldInfo {
    fn of(field: &Field<'_>, held: Option<Held>, is_kept: bool) -> Self {
        let flags = field.access_flags;
        let is_static = flags.contains(AccessFlags::STATIC);
        let is_final = flags.contains(AccessFlags::FINAL);
        let is_made_by_compiler = flags.contains(AccessFlags::SYNTHETIC);
        let held = match held {
            _ if !is_static || !is_final => None,
            // `$VALUES`, switch tables: they are not handed out.
            _ if is_made_by_compiler => Some(Held::Fixed),
            held => held,
        };
        Self {
            is_static,
            is_final,
            held,
            is_kept,
            is_annotated: field.attributes.iter().any(is_annotations),
        }
    }
}

fn is_annotations(attribute: &Attribute<'_>) -> bool {
    let content = &attribute.content;
    matches!(content, AttributeContent::RuntimeVisibleAnnotations(_))
}

impl UnitInfo {
    fn of(
        class: &ClassFile<'_>,
        method: &Method<'_>,
        id: MethodId,
    ) -> tamis_classfile::Result<Self> {
        let uses = Uses::of(class, method)?;
        let own = class.constant_pool.class(class.this_class)?;
        let mut called = BTreeSet::new();
        let mut called_above = Vec::new();
        for reference in uses.members.iter().filter(|one| is_call_on_object(one)) {
            let NamedMember::Method(owner, method) = NamedMember::of(reference) else {
                continue;
            };
            if reference.kind == ReferenceKind::SpecialMethod && owner.as_bytes() != own {
                called_above.push((owner, method.clone()));
            }
            called.insert(method);
        }
        let code = method.code().filter(|_| id.name.as_bytes() == b"<clinit>");
        let mingled = code.map(|code| mingled(class, code)).transpose()?;
        let possible_names = uses.strings.iter().filter_map(|text| possible_name(text));
        Ok(Self {
            id,
            classes: uses
                .classes
                .iter()
                .map(|name| ClassName::from(*name))
                .collect(),
            members: uses.members.iter().map(NamedMember::of).collect(),
            written: uses.written.iter().map(NamedMember::of).collect(),
            read: uses.read.iter().map(NamedMember::of).collect(),
            assigned: uses.assigned.iter().map(NamedMember::of).collect(),
            mingled: mingled.unwrap_or_default(),
            array_stores: uses.array_stores,
            possible_names: possible_names.collect(),
            called,
            called_above,
            flags: method.access_flags,
        })
    }

    /// Whether it runs on an object of its class, or of one below.
    pub(crate) fn is_of_object(&self) -> bool {
        !self.flags.contains(AccessFlags::STATIC)
    }

    /// Whether it is found by the class of an object.
    pub(crate) fn is_dispatched(&self) -> bool {
        self.is_of_object() && !self.flags.contains(AccessFlags::PRIVATE) && !self.is_initialiser()
    }

    /// Whether it initialises the class.
    pub(crate) fn is_class_initialiser(&self) -> bool {
        self.id.name.as_bytes() == b"<clinit>"
    }

    /// Whether who runs it in an enum has constants of that: it runs on one, or gives them out.
    pub(crate) fn has_constants(&self) -> bool {
        let name = self.id.name.as_bytes();
        (self.is_of_object() && !self.is_initialiser()) || name == b"values" || name == b"valueOf"
    }

    /// Whether it initialises the class or an object.
    pub(crate) fn is_initialiser(&self) -> bool {
        self.id.name.as_bytes().starts_with(b"<")
    }
}

/// Whether a reference is a call of a method on an object, constructors aside.
fn is_call_on_object(reference: &Reference<'_>) -> bool {
    let is_on_object = !matches!(
        reference.kind,
        ReferenceKind::Field | ReferenceKind::StaticMethod
    );
    is_on_object && !reference.member.name.starts_with(b"<")
}

impl NamedMember {
    fn of(reference: &Reference<'_>) -> Self {
        let member = &reference.member;
        let owner = ClassName::from(member.owner);
        let (name, descriptor) = (member.name.into(), member.descriptor.into());
        match reference.kind {
            ReferenceKind::Field => Self::Field(owner, FieldId { name, descriptor }),
            _ => Self::Method(owner, MethodId { name, descriptor }),
        }
    }
}

/// Whether a class is nested in another one, by their names.
fn is_part_of(inner: &ClassName, outer: &ClassName) -> bool {
    let rest = inner.as_bytes().strip_prefix(outer.as_bytes());
    rest.is_some_and(|rest| rest.starts_with(b"$"))
}

/// The class of a descriptor `La/B;`.
fn class_of_descriptor(descriptor: &[u8]) -> Option<ClassName> {
    match descriptor {
        [b'L', name @ .., b';'] => Some(name.into()),
        _ => None,
    }
}

/// The name of a class in internal form, of one that is written with dots.
pub(crate) fn internal_name(dotted: &[u8]) -> ClassName {
    let slashes = dotted
        .iter()
        .map(|byte| if *byte == b'.' { b'/' } else { *byte });
    ClassName::from(&*slashes.collect::<Vec<u8>>())
}

/// The class that a text may name, as `Class.forName` or a class loader takes it.
fn possible_name(text: &[u8]) -> Option<ClassName> {
    const MAX_LENGTH: usize = 512;
    let text = text.strip_suffix(b".class").unwrap_or(text);
    let text = text.strip_prefix(b"/").unwrap_or(text);
    let is_part = |part: &[u8]| {
        let is_letter =
            |byte: &u8| byte.is_ascii_alphanumeric() || b"_$-".contains(byte) || *byte >= 0x80;
        !part.is_empty() && part.iter().all(is_letter)
    };
    let name = internal_name(text);
    let internal = name.as_bytes();
    // What is no text in the usual encoding, as a zero or half a character, or stands for such, names no file.
    let is_text =
        std::str::from_utf8(internal).is_ok_and(|name| !name.contains(char::REPLACEMENT_CHARACTER));
    let is_name =
        is_text && text.len() <= MAX_LENGTH && internal.split(|byte| *byte == b'/').all(is_part);
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_may_name_classes() {
        for (text, expected) in [
            ("a.B", Some("a/B")),
            ("a/B$C", Some("a/B$C")),
            ("/a/B.class", Some("a/B")),
            ("B", Some("B")),
            ("", None),
            ("a..B", None),
            ("a/", None),
            ("a b", None),
        ] {
            let expected = expected.map(ClassName::from);
            assert_eq!(possible_name(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(possible_name(b"a\xc0\x80"), None);
        assert_eq!(possible_name("\u{fffd}".as_bytes()), None);
    }
}
