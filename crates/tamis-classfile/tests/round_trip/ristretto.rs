//! An independent reader as an oracle: `ristretto_classfile` must see the same structure.

use std::collections::BTreeMap;

use ristretto_classfile::attributes::{Attribute as TheirAttribute, Instruction};
use ristretto_classfile::{ClassAccessFlags, FieldAccessFlags, MethodAccessFlags};
use tamis_classfile::ClassFile;
use tamis_classfile::attribute::Code;
use tamis_classfile::instruction::instructions;

use crate::classes::Class;

type TheirClass<'a> = ristretto_classfile::ClassFile<'a>;

/// What both readers agree on, or not.
#[derive(Default)]
pub(crate) struct Tally {
    n_classes: usize,
    /// Classes that the other reader refuses, by its words.
    refused_by_them: BTreeMap<String, usize>,
    differences: Vec<String>,
}

impl Tally {
    pub(crate) fn compare(&mut self, class: &Class) {
        let ours = ClassFile::parse(&class.bytes).unwrap();
        match TheirClass::from_slice(&class.bytes) {
            Ok(theirs) => {
                self.n_classes += 1;
                let (ours, theirs) = (describe(&ours), describe_theirs(&theirs));
                if ours != theirs {
                    let difference = first_difference(class, &ours, &theirs);
                    self.differences.push(difference);
                }
            }
            Err(error) => *self.refused_by_them.entry(error.to_string()).or_default() += 1,
        }
    }

    pub(crate) fn finish(self) {
        let n_differences = self.differences.len();
        println!("{} classes, {n_differences} differences", self.n_classes);
        for (reason, count) in &self.refused_by_them {
            println!("  {count} refused by the other reader: {reason}");
        }
        for difference in self.differences.iter().take(10) {
            println!("{difference}");
        }
        assert_eq!(n_differences, 0, "see the differences above");
        let n_refused: usize = self.refused_by_them.values().sum();
        assert!(
            n_refused * 100 < self.n_classes,
            "the other reader refuses too much to be an oracle"
        );
    }
}

fn first_difference(class: &Class, ours: &[String], theirs: &[String]) -> String {
    let mut pairs = ours.iter().zip(theirs);
    let pair = pairs.find(|(ours, theirs)| ours != theirs);
    let (n_ours, n_theirs) = (ours.len(), theirs.len());
    let location = &class.location;
    format!("{location}: {pair:?}, {n_ours} and {n_theirs} lines")
}

/// A line for the class, for each member and for each body.
fn describe(class: &ClassFile<'_>) -> Vec<String> {
    let pool = &class.constant_pool;
    let flags = class.access_flags.0 & ClassAccessFlags::all().bits();
    let mut lines = vec![format!(
        "{}.{} {flags:x} {:?} {:?} {:?} {:?} {}",
        class.major_version,
        class.minor_version,
        class.name().unwrap(),
        class.super_class,
        class.interfaces,
        class.attributes.len(),
        pool.len(),
    )];
    for field in &class.fields {
        let flags = field.access_flags.0 & FieldAccessFlags::all().bits();
        lines.push(format!(
            "field {flags:x} {:?} {:?} {:?}",
            pool.utf8(field.name).unwrap(),
            pool.utf8(field.descriptor).unwrap(),
            field.attributes.len()
        ));
    }
    for method in &class.methods {
        let flags = method.access_flags.0 & MethodAccessFlags::all().bits();
        lines.push(format!(
            "method {flags:x} {:?} {:?} {:?}",
            pool.utf8(method.name).unwrap(),
            pool.utf8(method.descriptor).unwrap(),
            method.attributes.len()
        ));
        lines.extend(method.code().map(describe_code));
    }
    lines
}

/// Opcodes and exception table; the other reader counts offsets in instructions.
fn describe_code(code: &Code<'_>) -> String {
    let mut opcodes = Vec::new();
    let mut ordinals = BTreeMap::new();
    for instruction in instructions(&code.instructions) {
        let offset = instruction.unwrap().offset;
        ordinals.insert(offset, opcodes.len());
        opcodes.push(code.instructions[offset as usize]);
    }
    // What ends with the code ends with its last instruction there.
    let ordinal = |offset: u16| *ordinals.range(..=u32::from(offset)).next_back().unwrap().1;
    let mut handlers = Vec::new();
    for handler in code.exception_table.iter() {
        let places = [handler.start, handler.end, handler.handler].map(ordinal);
        handlers.push((places, handler.catch_type));
    }
    format!(
        "code {} {} {opcodes:?} {handlers:?} {:?}",
        code.max_stack,
        code.max_locals,
        code.attributes.len()
    )
}

fn describe_theirs(class: &TheirClass<'_>) -> Vec<String> {
    let pool = &class.constant_pool;
    let text = |index| pool.try_get_utf8(index).unwrap().as_bytes();
    let mut lines = vec![format!(
        "{}.{} {:x} {:?} {:?} {:?} {:?} {}",
        class.version.major(),
        class.version.minor(),
        class.access_flags.bits(),
        class.class_name().unwrap().as_bytes(),
        class.super_class,
        class.interfaces,
        class.attributes.len(),
        pool.len() + 1,
    )];
    for field in &class.fields {
        lines.push(format!(
            "field {:x} {:?} {:?} {:?}",
            field.access_flags.bits(),
            text(field.name_index),
            text(field.descriptor_index),
            field.attributes.len()
        ));
    }
    for method in &class.methods {
        lines.push(format!(
            "method {:x} {:?} {:?} {:?}",
            method.access_flags.bits(),
            text(method.name_index),
            text(method.descriptor_index),
            method.attributes.len()
        ));
        lines.extend(method.attributes.iter().find_map(describe_their_code));
    }
    lines
}

fn describe_their_code(attribute: &TheirAttribute) -> Option<String> {
    let TheirAttribute::Code {
        max_stack,
        max_locals,
        code,
        exception_table,
        attributes,
        ..
    } = attribute
    else {
        return None;
    };
    let opcodes: Vec<u8> = code.iter().map(Instruction::code).collect();
    let mut handlers = Vec::new();
    for handler in exception_table {
        let range = &handler.range_pc;
        let places = [range.start, range.end, handler.handler_pc];
        handlers.push((places, handler.catch_type));
    }
    let n_attributes = attributes.len();
    Some(format!(
        "code {max_stack} {max_locals} {opcodes:?} {handlers:?} {n_attributes:?}"
    ))
}
