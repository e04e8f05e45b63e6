//! Random changes of a class file, most of which mean something.
#![expect(
    clippy::unnecessary_wraps,
    reason = "some kinds of change always find something, others do not"
)]

use std::collections::BTreeSet;

use tamis_classfile::attribute::{
    Annotation, Attribute, AttributeContent, Code, ElementValue, FrameKind, VerificationType,
};
use tamis_classfile::instruction::instructions;
use tamis_classfile::{AccessFlags, ClassFile, Constant, Row, Table};

use crate::meaningless::for_each_attributes;
use crate::random::Random;
use crate::text_use;

/// One kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mutation {
    ClassFlag,
    FieldFlag,
    MethodFlag,
    Version,
    TextChanged,
    ConstantChanged,
    FieldsSwapped,
    FieldDropped,
    MethodDropped,
    MethodDuplicated,
    BodiesSwapped,
    InterfacesSwapped,
    AttributeDropped,
    AttributeDuplicated,
    AttributeMoved,
    RowsSwapped,
    AnnotationsSwapped,
    AnnotationValue,
    Opcode,
    Operand,
    HandlerMoved,
    HandlersSwapped,
    Frame,
    MaxStack,
    MaxLocals,
    BootstrapArgument,
    BitFlipped,
}

impl Mutation {
    pub(crate) const ALL: [Self; 27] = [
        Self::ClassFlag,
        Self::FieldFlag,
        Self::MethodFlag,
        Self::Version,
        Self::TextChanged,
        Self::ConstantChanged,
        Self::FieldsSwapped,
        Self::FieldDropped,
        Self::MethodDropped,
        Self::MethodDuplicated,
        Self::BodiesSwapped,
        Self::InterfacesSwapped,
        Self::AttributeDropped,
        Self::AttributeDuplicated,
        Self::AttributeMoved,
        Self::RowsSwapped,
        Self::AnnotationsSwapped,
        Self::AnnotationValue,
        Self::Opcode,
        Self::Operand,
        Self::HandlerMoved,
        Self::HandlersSwapped,
        Self::Frame,
        Self::MaxStack,
        Self::MaxLocals,
        Self::BootstrapArgument,
        Self::BitFlipped,
    ];

    /// Changes the class and tells what was hit; none if there is nothing to change.
    pub(crate) fn apply(
        self,
        class: &mut ClassFile<'static>,
        random: &mut Random,
    ) -> Option<String> {
        match self {
            Self::ClassFlag => flip(&mut class.access_flags, random),
            Self::FieldFlag => flip(&mut any(&mut class.fields, random)?.access_flags, random),
            Self::MethodFlag => flip(&mut any(&mut class.methods, random)?.access_flags, random),
            Self::Version => {
                class.minor_version ^= 1;
                said("minor")
            }
            Self::TextChanged => change_text(class, random),
            Self::ConstantChanged => change_constant(class, random),
            Self::FieldsSwapped => swap(&mut class.fields, random),
            Self::FieldDropped => drop_any(&mut class.fields, random),
            Self::MethodDropped => drop_any(&mut class.methods, random),
            Self::MethodDuplicated => duplicate_any(&mut class.methods, random),
            Self::BodiesSwapped => swap_bodies(class, random),
            Self::InterfacesSwapped => swap(&mut class.interfaces, random),
            Self::AttributeDropped => on_attribute(class, random, |attributes, at| {
                attributes.remove(at);
            }),
            Self::AttributeDuplicated => on_attribute(class, random, |attributes, at| {
                attributes.push(attributes[at].clone());
            }),
            Self::AttributeMoved => move_attribute(class, random),
            Self::RowsSwapped => swap_rows(class, random),
            Self::AnnotationsSwapped => swap(any_annotations(class, random)?, random),
            Self::AnnotationValue => change_annotation(class, random),
            Self::Opcode => change_instruction(class, random, Part::Opcode),
            Self::Operand => change_instruction(class, random, Part::Operand),
            Self::HandlerMoved => move_handler(class, random),
            Self::HandlersSwapped => {
                let code = any_code(class, random, |code| code.exception_table.len() > 1)?;
                swap_in_table(&mut code.exception_table, random)
            }
            Self::Frame => change_frame(class, random),
            Self::MaxStack => {
                any_code(class, random, |_| true)?.max_stack ^= 1;
                said("max_stack")
            }
            Self::MaxLocals => {
                any_code(class, random, |_| true)?.max_locals ^= 1;
                said("max_locals")
            }
            Self::BootstrapArgument => change_bootstrap(class, random),
            Self::BitFlipped => flip_bit(class, random),
        }
    }
}

fn said(what: &str) -> Option<String> {
    Some(what.to_owned())
}

fn any<'i, T>(items: &'i mut [T], random: &mut Random) -> Option<&'i mut T> {
    let n = items.len();
    (n > 0).then(|| &mut items[random.below(n)])
}

fn flip(flags: &mut AccessFlags, random: &mut Random) -> Option<String> {
    let flag = 1 << random.below(16);
    flags.0 ^= flag;
    Some(format!("{flag:#06x}"))
}

fn swap<T>(items: &mut [T], random: &mut Random) -> Option<String> {
    let n = items.len();
    let first = random.below(n.max(2) - 1);
    items.get(first + 1)?;
    items.swap(first, first + 1);
    said("")
}

fn swap_in_table<R: Row + Clone>(
    table: &mut Table<'static, R>,
    random: &mut Random,
) -> Option<String> {
    let mut rows: Vec<R> = table.iter().collect();
    let swapped = swap(&mut rows, random);
    *table = rows.into_iter().collect();
    swapped
}

fn drop_any<T>(items: &mut Vec<T>, random: &mut Random) -> Option<String> {
    let n = items.len();
    (n > 0).then(|| items.remove(random.below(n)))?;
    said("")
}

fn duplicate_any<T: Clone>(items: &mut Vec<T>, random: &mut Random) -> Option<String> {
    let copy = any(items, random)?.clone();
    items.push(copy);
    said("")
}

fn swap_bodies(class: &mut ClassFile<'static>, random: &mut Random) -> Option<String> {
    let n = class.methods.len();
    let (a, b) = (random.below(n.max(1)), random.below(n.max(1)));
    if n == 0 || a == b {
        return None;
    }
    let attributes = std::mem::take(&mut class.methods[a].attributes);
    let others = std::mem::replace(&mut class.methods[b].attributes, attributes);
    class.methods[a].attributes = others;
    said("")
}

/// Changes the last character of a text.
fn change_text(class: &mut ClassFile<'static>, random: &mut Random) -> Option<String> {
    let index = random.below(class.constant_pool.len()) as u16;
    let mut text = class.constant_pool.utf8(index).ok()?.to_vec();
    *text.last_mut()? ^= 1;
    let use_of_text = if is_number_only(class, index) {
        "a number"
    } else {
        text_use::of(class, index)
    };
    class
        .constant_pool
        .set(index, Constant::Utf8(text.into()))
        .ok()?;
    said(use_of_text)
}

/// Whether the last character of the text only numbers a private synthetic method.
fn is_number_only(class: &ClassFile<'static>, index: u16) -> bool {
    let Ok(text) = class.constant_pool.utf8(index) else {
        return false;
    };
    let flags = AccessFlags(AccessFlags::PRIVATE.0 | AccessFlags::SYNTHETIC.0);
    let mut methods = class
        .methods
        .iter()
        .filter(|method| method.name == index)
        .peekable();
    text.last().is_some_and(u8::is_ascii_digit)
        && methods.peek().is_some()
        && methods.all(|method| method.access_flags.contains(flags))
}

fn change_constant(class: &mut ClassFile<'static>, random: &mut Random) -> Option<String> {
    let index = random.below(class.constant_pool.len()) as u16;
    let constant = class.constant_pool.get(index).ok()?.clone();
    let (kind, changed) = match constant {
        Constant::Integer(value) => ("Integer", Constant::Integer(value ^ 1)),
        Constant::Float(bits) => ("Float", Constant::Float(bits ^ 1)),
        Constant::Long(value) => ("Long", Constant::Long(value ^ 1)),
        Constant::Double(bits) => ("Double", Constant::Double(bits ^ 1)),
        Constant::NameAndType { name, descriptor } => (
            "NameAndType",
            Constant::NameAndType {
                name: descriptor,
                descriptor: name,
            },
        ),
        Constant::MethodRef(member) => ("MethodRef", Constant::InterfaceMethodRef(member)),
        Constant::InterfaceMethodRef(member) => ("InterfaceMethodRef", Constant::MethodRef(member)),
        Constant::MethodHandle { kind, reference } => {
            let kind = kind % 9 + 1;
            ("MethodHandle", Constant::MethodHandle { kind, reference })
        }
        Constant::String(text) => ("String", Constant::Class(text)),
        Constant::Class(name) => ("Class", Constant::String(name)),
        _ => return None,
    };
    let use_of_it = text_use::of(class, index);
    class.constant_pool.set(index, changed).ok()?;
    Some(format!("{kind}, {use_of_it}"))
}

/// Does something to one of all attributes of the class.
fn on_attribute(
    class: &mut ClassFile<'static>,
    random: &mut Random,
    change: impl Fn(&mut Vec<Attribute<'static>>, usize),
) -> Option<String> {
    let mut n_attributes = 0;
    for_each_attributes(class, &mut |attributes| n_attributes += attributes.len());
    if n_attributes == 0 {
        return None;
    }
    let mut left = Some(random.below(n_attributes));
    let mut hit = None;
    for_each_attributes(class, &mut |attributes| match left {
        Some(at) if at < attributes.len() => {
            hit = Some(attributes[at].name);
            change(attributes, at);
            left = None;
        }
        Some(at) => left = Some(at - attributes.len()),
        None => {}
    });
    class
        .constant_pool
        .name(hit?)
        .ok()
        .map(|name| name.to_string())
}

/// Moves an attribute of a method to another place, where it means nothing or something else.
fn move_attribute(class: &mut ClassFile<'static>, random: &mut Random) -> Option<String> {
    let method = any(&mut class.methods, random)?;
    let attribute = method.attributes.pop()?;
    let name = class.constant_pool.name(attribute.name).ok()?.to_string();
    class.attributes.push(attribute);
    Some(name)
}

fn swap_rows(class: &mut ClassFile<'static>, random: &mut Random) -> Option<String> {
    let attribute = any(&mut class.attributes, random)?;
    match &mut attribute.content {
        AttributeContent::InnerClasses(rows) => swap_in_table(rows, random)?,
        AttributeContent::NestMembers(rows)
        | AttributeContent::PermittedSubclasses(rows)
        | AttributeContent::ModulePackages(rows) => swap_in_table(rows, random)?,
        AttributeContent::Record(components) => swap(components, random)?,
        AttributeContent::BootstrapMethods(methods) => swap(methods, random)?,
        _ => return None,
    };
    class
        .constant_pool
        .name(attribute.name)
        .ok()
        .map(|name| name.to_string())
}

fn any_annotations<'c>(
    class: &'c mut ClassFile<'static>,
    random: &mut Random,
) -> Option<&'c mut Vec<Annotation>> {
    let of_fields = class
        .fields
        .iter_mut()
        .flat_map(|field| &mut field.attributes);
    let of_methods = class
        .methods
        .iter_mut()
        .flat_map(|method| &mut method.attributes);
    let attributes = class
        .attributes
        .iter_mut()
        .chain(of_fields)
        .chain(of_methods);
    let mut lists: Vec<_> = attributes
        .filter_map(|attribute| match &mut attribute.content {
            AttributeContent::RuntimeVisibleAnnotations(list) => Some(list),
            _ => None,
        })
        .collect();
    let n = lists.len();
    (n > 0).then(|| lists.swap_remove(random.below(n)))
}

fn change_annotation(class: &mut ClassFile<'static>, random: &mut Random) -> Option<String> {
    let n_constants = class.constant_pool.len();
    let annotation = any(any_annotations(class, random)?, random)?;
    let element = any(&mut annotation.elements, random)?;
    match &mut element.value {
        ElementValue::Constant { value, .. } | ElementValue::Class(value) => {
            *value = 1 + random.below(n_constants - 1) as u16;
        }
        ElementValue::Enum { name, .. } => *name = 1 + random.below(n_constants - 1) as u16,
        ElementValue::Annotation(annotation) => annotation.elements.clear(),
        ElementValue::Array(values) => values.reverse(),
    }
    said("")
}

fn any_code<'c>(
    class: &'c mut ClassFile<'static>,
    random: &mut Random,
    is_wanted: impl Fn(&Code<'static>) -> bool,
) -> Option<&'c mut Code<'static>> {
    let codes = class
        .methods
        .iter_mut()
        .filter_map(|method| method.code_mut());
    let mut codes: Vec<_> = codes.filter(|code| is_wanted(code)).collect();
    let n = codes.len();
    (n > 0).then(|| codes.swap_remove(random.below(n)))
}

/// Which part of an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Opcode,
    Operand,
}

fn change_instruction(
    class: &mut ClassFile<'static>,
    random: &mut Random,
    part: Part,
) -> Option<String> {
    let code = any_code(class, random, |_| true)?;
    let all: Vec<_> = instructions(&code.instructions)
        .filter_map(Result::ok)
        .collect();
    let wanted = all.iter().filter(|i| part == Part::Opcode || i.length > 1);
    let wanted: Vec<(usize, usize)> = wanted
        .map(|i| (i.offset as usize, i.length as usize))
        .collect();
    let (offset, length) = *wanted.get(random.below(wanted.len().max(1)))?;
    let at = match part {
        Part::Opcode => offset,
        Part::Operand => offset + 1 + random.below(length - 1),
    };
    let before = code.instructions[offset];
    code.instructions.to_mut()[at] ^= 1 << random.below(8);
    Some(format!("opcode {before}"))
}

fn move_handler(class: &mut ClassFile<'static>, random: &mut Random) -> Option<String> {
    let code = any_code(class, random, |code| !code.exception_table.is_empty())?;
    let wanted = random.below(code.exception_table.len());
    let part = random.below(4);
    let mut position = 0;
    code.exception_table.update(|row| {
        if position == wanted {
            match part {
                0 => row.start = row.start.wrapping_sub(1),
                1 => row.end = row.end.wrapping_add(1),
                2 => row.handler = row.handler.wrapping_sub(1),
                _ => row.catch_type = 0,
            }
        }
        position += 1;
    });
    said(["start", "end", "handler", "catch_type"][part])
}

fn change_frame(class: &mut ClassFile<'static>, random: &mut Random) -> Option<String> {
    let code = any_code(class, random, |code| code.frames().is_some())?;
    let frames = code
        .attributes
        .iter_mut()
        .find_map(|a| match &mut a.content {
            AttributeContent::StackMapTable(frames) => Some(frames),
            _ => None,
        })?;
    let n_frames = frames.len();
    let frame = any(frames, random)?;
    match random.below(3) {
        0 => frame.offset_delta ^= 1,
        1 => frame.kind = FrameKind::SameLocals1Extended(VerificationType::Null),
        _ => {
            frames.remove(random.below(n_frames));
        }
    }
    said("")
}

fn change_bootstrap(class: &mut ClassFile<'static>, random: &mut Random) -> Option<String> {
    let methods = class
        .attributes
        .iter_mut()
        .find_map(|a| match &mut a.content {
            AttributeContent::BootstrapMethods(methods) => Some(methods),
            _ => None,
        })?;
    let arguments = &mut any(methods, random)?.arguments;
    let mut rows: Vec<_> = arguments.iter().collect();
    rows.pop()?;
    *arguments = rows.into_iter().collect();
    said("")
}

/// Flips a bit somewhere in the bytes, if they still can be read.
fn flip_bit(class: &mut ClassFile<'static>, random: &mut Random) -> Option<String> {
    let mut bytes = class.encode().ok()?;
    for _ in 0..16 {
        let at = random.below(bytes.len());
        let bit = 1 << random.below(8);
        bytes[at] ^= bit;
        if let Ok(flipped) = ClassFile::parse(&bytes) {
            let hit = what_differs(class, &flipped);
            *class = flipped.into_owned();
            return Some(hit);
        }
        bytes[at] ^= bit;
    }
    None
}

/// Where a class differs from one with another bit somewhere.
fn what_differs(class: &ClassFile<'static>, flipped: &ClassFile<'_>) -> String {
    let (pool, other) = (&class.constant_pool, &flipped.constant_pool);
    let mut constants = pool.iter().zip(other.iter());
    if let Some(((index, _), _)) = constants.find(|(ours, theirs)| ours != theirs) {
        return format!("constant {}", text_use::of(class, index));
    }
    let mut names = BTreeSet::new();
    let mut note = |ours: &[Attribute<'_>], theirs: &[Attribute<'_>]| {
        let pairs = ours
            .iter()
            .zip(theirs)
            .filter(|(ours, theirs)| ours != theirs);
        names.extend(pairs.filter_map(|(ours, _)| pool.name(ours.name).ok()));
    };
    note(&class.attributes, &flipped.attributes);
    for (ours, theirs) in class.fields.iter().zip(&flipped.fields) {
        note(&ours.attributes, &theirs.attributes);
    }
    for (ours, theirs) in class.methods.iter().zip(&flipped.methods) {
        match (ours.code(), theirs.code()) {
            (Some(ours), Some(theirs)) if ours.attributes != theirs.attributes => {
                note(&ours.attributes, &theirs.attributes);
            }
            _ => note(&ours.attributes, &theirs.attributes),
        }
    }
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    names.join(" ")
}
