//! Which code of a class sets which static fields, by what stands in its file.
//!
//! A class that sets its own fields while it is initialised is left out: nobody can have looked at them before.

use tamis_classfile::instruction::{Operands, instructions, opcode};
use tamis_classfile::{AccessFlags, ClassFile, Method, Result};
use tamis_facts::{Checksum, ClassName, FieldId, MethodId, ModifiedUtf8};

use crate::circumstances::Fields;
use crate::today::without_number;

/// A method that sets some static field.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setter {
    /// The class that has the method.
    pub class: ClassName,
    /// The method. Of one that a compiler made up and numbered, as `lambda$f$12`, the name without the number.
    pub method: MethodId,
}

/// A method that sets a static field, as it names that.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Set {
    /// The class that the code names, which declares the field or is below the one that does.
    pub(crate) owner: ClassName,
    pub(crate) field: FieldId,
    pub(crate) setter: Setter,
}

/// The static fields that the code of a class sets.
#[derive(Debug, Default)]
pub(crate) struct Sets {
    /// Those that it declares itself.
    pub(crate) own: Vec<Set>,
    /// Those of other classes, sorted.
    pub(crate) foreign: Vec<Set>,
}

impl Sets {
    /// What a class file says.
    pub(crate) fn of(class: &ClassFile<'_>) -> Result<Self> {
        let pool = &class.constant_pool;
        let own = ClassName::from(class.name()?);
        let mut declared = Vec::new();
        for field in &class.fields {
            declared.push((pool.utf8(field.name)?, pool.utf8(field.descriptor)?));
        }
        let mut sets = Self::default();
        for method in &class.methods {
            let initialises = pool.utf8(method.name)? == b"<clinit>";
            for index in fields_set_by(method)? {
                let member = pool.member(index)?;
                let is_own = member.owner == own.as_bytes()
                    && declared.contains(&(member.name, member.descriptor));
                let of_kind = match is_own {
                    true if initialises => continue,
                    true => &mut sets.own,
                    false => &mut sets.foreign,
                };
                let (name, descriptor) = (member.name.into(), member.descriptor.into());
                of_kind.push(Set {
                    owner: member.owner.into(),
                    field: FieldId { name, descriptor },
                    setter: Setter::new(&own, class, method)?,
                });
            }
        }
        sets.foreign.sort();
        Ok(sets)
    }
}

impl Setter {
    fn new(own: &ClassName, class: &ClassFile<'_>, method: &Method<'_>) -> Result<Self> {
        let pool = &class.constant_pool;
        let name = ModifiedUtf8::from(pool.utf8(method.name)?);
        let is_made_up = method.access_flags.contains(AccessFlags::SYNTHETIC);
        let shortened = is_made_up.then(|| without_number(&name)).flatten();
        Ok(Self {
            class: own.clone(),
            method: MethodId {
                name: shortened.unwrap_or(name),
                descriptor: pool.utf8(method.descriptor)?.into(),
            },
        })
    }

    /// Stands for code of a file that cannot be understood: it may set any field.
    pub(crate) fn unseen(file: &str, content: Checksum) -> Self {
        let name = content.to_string();
        Self {
            class: file.into(),
            method: MethodId {
                name: name.as_str().into(),
                descriptor: "".into(),
            },
        }
    }

    fn add_to(&self, fields: &mut Fields) {
        fields.add(self.class.as_bytes());
        fields.add(self.method.name.as_bytes());
        fields.add(self.method.descriptor.as_bytes());
    }
}

/// One checksum over those that set a field, in order; none if nobody does.
pub(crate) fn of_setters(setters: &[Setter]) -> Option<Checksum> {
    let mut fields = Fields::default();
    for setter in setters {
        setter.add_to(&mut fields);
    }
    (!setters.is_empty()).then(|| fields.checksum())
}

/// Those that did not set a field when this was the checksum, as far as that can be told: all if nobody did, and one if only that one is new.
pub(crate) fn new_setters(today: Vec<Setter>, then: Option<Checksum>) -> Vec<Setter> {
    if then.is_none() {
        return today;
    }
    let mut positions = 0..today.len();
    let new = positions.find(|new| {
        let mut others = today.clone();
        others.remove(*new);
        of_setters(&others) == then
    });
    new.map(|new| today[new].clone()).into_iter().collect()
}

/// One checksum over what a class sets of others; none if that is nothing.
pub(crate) fn of_sets(sets: &[Set]) -> Option<Checksum> {
    let mut fields = Fields::default();
    for set in sets {
        fields.add(set.owner.as_bytes());
        fields.add(set.field.name.as_bytes());
        fields.add(set.field.descriptor.as_bytes());
        set.setter.add_to(&mut fields);
    }
    (!sets.is_empty()).then(|| fields.checksum())
}

/// The static fields that the code of a method sets, as places in the constant pool, each once.
fn fields_set_by(method: &Method<'_>) -> Result<Vec<u16>> {
    let mut indices = Vec::new();
    let code = method.code();
    // Most methods have no such byte at all.
    let code = code.filter(|code| code.instructions.contains(&opcode::PUTSTATIC));
    for instruction in code
        .into_iter()
        .flat_map(|code| instructions(&code.instructions))
    {
        let instruction = instruction?;
        if let Operands::Constant { index, .. } = instruction.operands
            && instruction.opcode == opcode::PUTSTATIC
            && !indices.contains(&index)
        {
            indices.push(index);
        }
    }
    Ok(indices)
}
