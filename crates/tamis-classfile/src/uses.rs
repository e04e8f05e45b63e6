//! What a method *uses* when it runs (DESIGN 2): the classes and members that its code names.
//!
//! Every class constant reached from the code, the exception table and the bootstrap arguments, and
//! every owner of a member reference; and the texts among the constants. This is asked of files outside the JVM, never in a load hook.
//! What a class names as a whole is more: a JVM may look for any of that before a method runs.

use std::collections::{BTreeSet, HashSet};

use crate::class_file::{ClassFile, Method};
use crate::constant_pool::{Constant, Member};
use crate::descriptor::{classes, element_class};
use crate::error::{Error, Result};
use crate::instruction::{Operands, instructions, opcode};

/// What a method names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses<'c> {
    /// The classes; of arrays, the class of the elements.
    pub classes: BTreeSet<&'c [u8]>,
    /// The fields and methods, by the class through which they are named.
    pub members: BTreeSet<Reference<'c>>,
    /// Those of the fields that it sets, and that are static.
    pub written: BTreeSet<Reference<'c>>,
    /// Those of the fields that it names in another way than to set them while they are static: who sets a static field does not
    /// learn what was in it.
    pub read: BTreeSet<Reference<'c>>,
    /// Those of the fields that it sets in objects.
    pub assigned: BTreeSet<Reference<'c>>,
    /// The instructions by which it sets elements of arrays.
    pub array_stores: BTreeSet<u8>,
    /// The texts: one of them may be the name of a class that is looked for at run time.
    pub strings: BTreeSet<&'c [u8]>,
}

/// A field or method named by code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference<'c> {
    /// How it is named: this decides how it is looked up.
    pub kind: ReferenceKind,
    /// What is named.
    pub member: Member<'c>,
}

/// How a member is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReferenceKind {
    /// A static or instance field.
    Field,
    /// A static method.
    StaticMethod,
    /// An instance method, found by the receiver's class.
    VirtualMethod,
    /// A constructor, a private method or one of a superclass.
    SpecialMethod,
    /// An instance method of an interface, found by the receiver's class.
    InterfaceMethod,
}

impl<'c> Uses<'c> {
    /// What a method of `class` names; nothing if it has no code.
    pub fn of(class: &'c ClassFile<'c>, method: &Method<'_>) -> Result<Self> {
        let mut finder = Finder {
            class,
            uses: Self::default(),
            seen_constants: HashSet::new(),
            seen_bootstraps: HashSet::new(),
        };
        let Some(code) = method.code() else {
            return Ok(finder.uses);
        };
        for instruction in instructions(&code.instructions) {
            let instruction = instruction?;
            if let Operands::Constant { index, .. } = instruction.operands
                && finder.seen_constants.insert((index, instruction.opcode))
            {
                finder.add_constants(index, instruction.opcode)?;
                finder.add_set(index, instruction.opcode)?;
            }
            if (opcode::IASTORE..=opcode::SASTORE).contains(&instruction.opcode) {
                finder.uses.array_stores.insert(instruction.opcode);
            }
        }
        for handler in code
            .exception_table
            .iter()
            .filter(|handler| handler.catch_type != 0)
        {
            finder.add_class(class.constant_pool.class(handler.catch_type)?);
        }
        Ok(finder.uses)
    }
}

/// All classes that a class names, in its constants and in what it declares: to check its code, or to list its members, a JVM
/// may look for any of them.
pub fn named_classes<'c>(class: &'c ClassFile<'_>) -> Result<BTreeSet<&'c [u8]>> {
    let pool = &class.constant_pool;
    let mut names = BTreeSet::new();
    for (_, constant) in pool.iter() {
        match constant {
            Constant::Class(name) => names.extend(element_class(pool.utf8(*name)?)),
            Constant::NameAndType { descriptor, .. } | Constant::MethodType(descriptor) => {
                names.extend(classes(pool.utf8(*descriptor)?));
            }
            _ => {}
        }
    }
    let fields = class.fields.iter().map(|field| field.descriptor);
    let methods = class.methods.iter().map(|method| method.descriptor);
    for descriptor in fields.chain(methods) {
        names.extend(classes(pool.utf8(descriptor)?));
    }
    Ok(names)
}

struct Finder<'c> {
    class: &'c ClassFile<'c>,
    uses: Uses<'c>,
    /// With the instruction that names them.
    seen_constants: HashSet<(u16, u8)>,
    seen_bootstraps: HashSet<u16>,
}

impl<'c> Finder<'c> {
    /// Adds a constant that an instruction names, and what it leads to.
    fn add_constants(&mut self, index: u16, opcode: u8) -> Result<()> {
        let pool = &self.class.constant_pool;
        let mut stack = vec![(index, kind_of_instruction(opcode))];
        while let Some((index, kind)) = stack.pop() {
            match pool.get(index)? {
                Constant::Class(_) => self.add_class(pool.class(index)?),
                Constant::FieldRef(_) => self.add_field(index, opcode)?,
                Constant::MethodRef(_) | Constant::InterfaceMethodRef(_) => {
                    self.add_member(kind, index)?;
                }
                Constant::MethodHandle { kind, reference } => {
                    stack.push((*reference, kind_of_handle(*kind)));
                }
                Constant::String(text) => {
                    self.uses.strings.insert(pool.utf8(*text)?);
                }
                Constant::MethodType(descriptor) => self.add_descriptor(pool.utf8(*descriptor)?),
                Constant::Dynamic(dynamic) | Constant::InvokeDynamic(dynamic) => {
                    let (_, descriptor) = pool.name_and_type(dynamic.name_and_type)?;
                    self.add_descriptor(descriptor);
                    if self.seen_bootstraps.insert(dynamic.bootstrap) {
                        let (method, arguments) = self.bootstrap(dynamic.bootstrap)?;
                        stack.push((method, ReferenceKind::StaticMethod));
                        stack.extend(arguments.map(|a| (a, ReferenceKind::StaticMethod)));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds a field that an instruction sets, if it does.
    fn add_set(&mut self, index: u16, opcode: u8) -> Result<()> {
        let set = match opcode {
            opcode::PUTSTATIC => &mut self.uses.written,
            opcode::PUTFIELD => &mut self.uses.assigned,
            _ => return Ok(()),
        };
        let kind = ReferenceKind::Field;
        let member = self.class.constant_pool.member(index)?;
        set.insert(Reference { kind, member });
        Ok(())
    }

    fn add_class(&mut self, name: &'c [u8]) {
        self.uses.classes.extend(element_class(name));
    }

    fn add_descriptor(&mut self, descriptor: &'c [u8]) {
        self.uses.classes.extend(classes(descriptor));
    }

    fn add_field(&mut self, index: u16, opcode: u8) -> Result<()> {
        let kind = ReferenceKind::Field;
        if opcode != opcode::PUTSTATIC {
            let member = self.class.constant_pool.member(index)?;
            self.uses.read.insert(Reference { kind, member });
        }
        self.add_member(kind, index)
    }

    fn add_member(&mut self, kind: ReferenceKind, index: u16) -> Result<()> {
        let member = self.class.constant_pool.member(index)?;
        self.add_class(member.owner);
        self.uses.members.insert(Reference { kind, member });
        Ok(())
    }

    fn bootstrap(&self, position: u16) -> Result<(u16, impl Iterator<Item = u16> + use<'c>)> {
        match self.class.bootstrap_methods().get(usize::from(position)) {
            Some(bootstrap) => Ok((
                bootstrap.method,
                bootstrap.arguments.iter().map(|a| a.index),
            )),
            None => Err(Error::malformed(
                None,
                format!("there is no bootstrap method {position}"),
            )),
        }
    }
}

fn kind_of_instruction(opcode: u8) -> ReferenceKind {
    match opcode {
        opcode::INVOKEVIRTUAL => ReferenceKind::VirtualMethod,
        opcode::INVOKESPECIAL => ReferenceKind::SpecialMethod,
        opcode::INVOKEINTERFACE => ReferenceKind::InterfaceMethod,
        _ => ReferenceKind::StaticMethod,
    }
}

/// The kinds of method handles (JVMS 5.4.3.5).
fn kind_of_handle(kind: u8) -> ReferenceKind {
    match kind {
        5 => ReferenceKind::VirtualMethod,
        7 | 8 => ReferenceKind::SpecialMethod,
        9 => ReferenceKind::InterfaceMethod,
        _ => ReferenceKind::StaticMethod,
    }
}
