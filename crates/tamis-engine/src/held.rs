//! What static final fields hold, as far as the code shows it that initialises a class.
//!
//! A field says what may be in it, and an initialiser often says more: a lambda that captures nothing, an empty array, an
//! object of just this class. Only what compilers write is looked for, right before a field is set; whatever else there is
//! leaves it at what the field declares.

use std::collections::{BTreeMap, BTreeSet};

use tamis_classfile::attribute::Code;
use tamis_classfile::instruction::{Instruction, Operands, instructions, opcode};
use tamis_classfile::{ClassFile, Constant};
use tamis_facts::{ClassName, FieldId};

/// What a static final field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Held {
    /// Something that nobody can change.
    Fixed,
    /// An object of this class, and of no class below it.
    Exactly(ClassName),
}

/// The fields of a class of which its initialiser shows more than they declare.
pub(crate) fn held(class: &ClassFile<'_>) -> tamis_classfile::Result<BTreeMap<FieldId, Held>> {
    let mut held = BTreeMap::new();
    for method in &class.methods {
        let is_initialiser = class.constant_pool.utf8(method.name)? == b"<clinit>";
        let Some(code) = method.code().filter(|_| is_initialiser) else {
            continue;
        };
        for (field, found) in settings(class, code)? {
            // One that is set twice holds one or the other.
            let known = held.entry(field).or_insert_with(|| found.clone());
            if *known != found {
                *known = None;
            }
        }
    }
    let known = held.into_iter();
    Ok(known
        .filter_map(|(field, held)| Some((field, held?)))
        .collect())
}

/// The static fields of the class itself that its initialiser sets, and what is known of that.
fn settings(
    class: &ClassFile<'_>,
    code: &Code<'_>,
) -> tamis_classfile::Result<Vec<(FieldId, Option<Held>)>> {
    let all = instructions(&code.instructions).collect::<tamis_classfile::Result<Vec<_>>>()?;
    let reading = Reading {
        class,
        targets: targets(code, &all)?,
        is_plain: every_object_is_doubled(&all),
        all: &all,
    };
    let mut settings = Vec::new();
    for (at, instruction) in all.iter().enumerate() {
        let (opcode::PUTSTATIC, Operands::Constant { index, .. }) =
            (instruction.opcode, instruction.operands)
        else {
            continue;
        };
        let member = class.constant_pool.member(index)?;
        if member.owner != class.name()? {
            continue;
        }
        let field = FieldId {
            name: member.name.into(),
            descriptor: member.descriptor.into(),
        };
        settings.push((field, reading.set_at(at)?));
    }
    Ok(settings)
}

/// Where code may come to from elsewhere.
fn targets(code: &Code<'_>, all: &[Instruction<'_>]) -> tamis_classfile::Result<BTreeSet<u32>> {
    let mut targets = BTreeSet::new();
    for instruction in all {
        instruction.targets(code.instructions.len(), |target| {
            targets.insert(target);
        })?;
    }
    let handlers = code.exception_table.iter();
    targets.extend(handlers.map(|handler| u32::from(handler.handler)));
    Ok(targets)
}

/// Whether each object that is made stays on the stack when its constructor has ended: then what the constructor leaves on
/// top is that object.
fn every_object_is_doubled(all: &[Instruction<'_>]) -> bool {
    let mut pairs = all.windows(2);
    pairs.all(|pair| pair[0].opcode != opcode::NEW || pair[1].opcode == opcode::DUP)
}

/// Code that is looked at backwards from where a field is set.
struct Reading<'r> {
    class: &'r ClassFile<'r>,
    all: &'r [Instruction<'r>],
    targets: BTreeSet<u32>,
    is_plain: bool,
}

impl Reading<'_> {
    /// What is known of what the instruction at a position sets a field to.
    fn set_at(&self, at: usize) -> tamis_classfile::Result<Option<Held>> {
        let Some(maker) = self.before(at) else {
            return Ok(None);
        };
        let instruction = &self.all[maker];
        let pool = &self.class.constant_pool;
        match (instruction.opcode, instruction.operands) {
            (opcode::INVOKEDYNAMIC, Operands::Constant { index, .. }) => Ok(self
                .is_lambda_without_captures(index)?
                .then_some(Held::Fixed)),
            (opcode::NEWARRAY | opcode::ANEWARRAY, _) => {
                let length = self.before(maker).map(|length| self.all[length].opcode);
                Ok((length == Some(opcode::ICONST_0)).then_some(Held::Fixed))
            }
            (opcode::INVOKESPECIAL, Operands::Constant { index, .. }) => {
                let member = pool.member(index)?;
                if member.name != b"<init>" || !self.is_plain {
                    return Ok(None);
                }
                Ok(Some(match member.owner {
                    b"java/lang/Object" => Held::Fixed,
                    owner => Held::Exactly(owner.into()),
                }))
            }
            _ => Ok(None),
        }
    }

    /// The instruction before one that is reached from there alone.
    fn before(&self, at: usize) -> Option<usize> {
        let is_reached_elsewhere = self.targets.contains(&self.all[at].offset);
        at.checked_sub(1).filter(|_| !is_reached_elsewhere)
    }

    /// Whether it gives the same object, without fields, each time.
    fn is_lambda_without_captures(&self, index: u16) -> tamis_classfile::Result<bool> {
        let pool = &self.class.constant_pool;
        let Constant::InvokeDynamic(dynamic) = pool.get(index)? else {
            return Ok(false);
        };
        let (_, descriptor) = pool.name_and_type(dynamic.name_and_type)?;
        let bootstraps = self.class.bootstrap_methods();
        let Some(bootstrap) = bootstraps.get(usize::from(dynamic.bootstrap)) else {
            return Ok(false);
        };
        let Constant::MethodHandle { reference, .. } = pool.get(bootstrap.method)? else {
            return Ok(false);
        };
        let maker = pool.member(*reference)?;
        Ok(descriptor.starts_with(b"()") && maker.owner == b"java/lang/invoke/LambdaMetafactory")
    }
}
