//! Types with fields, initialisers and constructors, at random, and changes of them: of what a type declares, of what it runs,
//! and of which types there are.

use std::collections::BTreeMap;

use tamis_facts::{FieldId, MethodId};

use crate::class_bytes::{
    ABSTRACT, FINAL, INTERFACE, METHOD, OBJECT, PRIVATE, PUBLIC, Pool, STATIC, SUPER, Type,
    assemble,
};
use crate::hierarchies::Types;
use crate::random::Random;

/// Names and descriptors of fields.
pub(crate) const FIELDS: &[(&str, &str)] = &[("f", "I"), ("f", "J"), ("g", "I")];

const FLAGS_OF_FIELDS: &[u16] = &[0, PUBLIC, PRIVATE, PUBLIC | STATIC];
const FLAGS_OF_CONSTANTS: u16 = PUBLIC | STATIC | FINAL;

/// Types, with what is in them beside the one method, by name.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    prefix: String,
    pub(crate) types: Types,
    members: BTreeMap<String, Members>,
}

#[derive(Debug, Clone)]
struct Members {
    /// In order; each name once.
    fields: Vec<Field>,
    class_initialiser: Option<Branch>,
    constructor: Option<Branch>,
}

#[derive(Debug, Clone)]
struct Field {
    flags: u16,
    /// The position of its name and descriptor.
    id: usize,
}

/// What an initialiser does: it has a branch, which is taken or not.
#[derive(Debug, Clone)]
struct Branch {
    is_taken: bool,
    number: i8,
}

impl Program {
    /// Three to seven types in two packages, whose names begin with `prefix`.
    pub(crate) fn random(prefix: &str, random: &mut Random) -> Self {
        let types = Types::random(prefix, random);
        let members = types
            .0
            .iter()
            .map(|one| (one.name.clone(), Members::random(one.is_interface, random)));
        Self {
            prefix: prefix.to_owned(),
            members: members.collect(),
            types,
        }
    }

    /// The name of a type that is not there, and may be after a change.
    pub(crate) fn added(&self) -> String {
        format!("p/{}New", self.prefix)
    }

    /// The same with one change.
    pub(crate) fn changed(&self, random: &mut Random) -> Self {
        let mut changed = self.clone();
        match random.below(8) {
            0 => changed.add(random),
            1 => changed.remove(random),
            2..=4 => {
                let position = random.below(changed.types.0.len());
                let one = &changed.types.0[position];
                let members = changed.members.get_mut(&one.name);
                members.unwrap().change(one.is_interface, random);
            }
            _ => changed.types = changed.types.changed_anyhow(random),
        }
        changed
    }

    /// Adds a type above another one, or one that nobody names.
    fn add(&mut self, random: &mut Random) {
        let is_interface = random.below(2) == 0;
        let name = self.added();
        let position = random.below(self.types.0.len() + 1);
        if let Some(below) = self.types.0.get_mut(position) {
            if is_interface {
                below.interfaces.push(name.clone());
            } else if !below.is_interface && below.super_class.is_none() {
                below.super_class = Some(name.clone());
            }
        }
        let added = Type {
            name: name.clone(),
            is_interface,
            super_class: None,
            interfaces: Vec::new(),
            method: (random.below(2) == 0).then_some(PUBLIC),
        };
        self.types.0.insert(0, added);
        let members = Members::random(is_interface, random);
        self.members.insert(name, members);
    }

    /// Removes a type; those below it come below what it was below, or name it as before.
    fn remove(&mut self, random: &mut Random) {
        let types = &mut self.types.0;
        let removed = types.remove(random.below(types.len()));
        self.members.remove(&removed.name);
        if random.below(2) == 0 {
            return;
        }
        for one in types {
            if one.super_class.as_ref() == Some(&removed.name) {
                one.super_class.clone_from(&removed.super_class);
            }
            if one.interfaces.contains(&removed.name) {
                one.interfaces.retain(|name| *name != removed.name);
                let others = removed.interfaces.iter();
                let others = others.filter(|name| !one.interfaces.contains(name));
                let others: Vec<String> = others.cloned().collect();
                one.interfaces.extend(others);
            }
        }
    }

    /// The class files, by name.
    pub(crate) fn files(&self) -> impl Iterator<Item = (String, Vec<u8>)> {
        let types = self.types.0.iter();
        types.map(|one| (one.name.clone(), self.members[&one.name].bytes(one)))
    }

    /// What runs where a class is initialised, and where an object of it is made, if there is such a method.
    pub(crate) fn initialisers(&self, name: &str) -> Vec<Initialiser> {
        let members = &self.members[name];
        let all = [
            ("<clinit>", &members.class_initialiser, 0),
            ("<init>", &members.constructor, CALL_OF_SUPER),
        ];
        let there = all.into_iter().filter_map(|(name, branch, start)| {
            Some(Initialiser {
                method: MethodId {
                    name: name.into(),
                    descriptor: "()V".into(),
                },
                branch: start + BRANCH,
                is_taken: branch.as_ref()?.is_taken,
            })
        });
        there.collect()
    }
}

/// A method that has a branch.
pub(crate) struct Initialiser {
    pub(crate) method: MethodId,
    /// Where the block begins that runs only if the branch is taken.
    pub(crate) branch: u32,
    pub(crate) is_taken: bool,
}

/// How long the call of the constructor above is, and what leads to the branch.
const CALL_OF_SUPER: u32 = 4;
const BRANCH: u32 = 5;

impl Members {
    fn random(is_interface: bool, random: &mut Random) -> Self {
        Self {
            fields: random_fields(is_interface, random),
            class_initialiser: (random.below(2) == 0).then(|| Branch::random(random)),
            constructor: (!is_interface && random.below(4) > 0).then(|| Branch::random(random)),
        }
    }

    fn change(&mut self, is_interface: bool, random: &mut Random) {
        match random.below(6) {
            0 | 1 => self.fields = random_fields(is_interface, random),
            2 => self.fields.reverse(),
            3 if !is_interface => Branch::change(&mut self.constructor, random),
            _ => Branch::change(&mut self.class_initialiser, random),
        }
    }

    fn bytes(&self, one: &Type) -> Vec<u8> {
        let mut pool = Pool::default();
        let super_class = one.super_class.as_deref().unwrap_or(OBJECT);
        let names = [pool.class(&one.name), pool.class(super_class)];
        let interfaces = one.interfaces.iter().map(|name| pool.class(name));
        let interfaces: Vec<u16> = interfaces.collect();
        let fields = self.fields.iter().map(|field| {
            let (name, descriptor) = FIELDS[field.id];
            let info = [field.flags, pool.utf8(name), pool.utf8(descriptor), 0];
            info.map(u16::to_be_bytes).concat()
        });
        let fields: Vec<Vec<u8>> = fields.collect();
        let mut methods = Vec::new();
        if let Some(branch) = &self.constructor {
            // aload_0, invokespecial
            let id = ("<init>", "()V");
            let [high, low] = pool.method(10, super_class, id).to_be_bytes();
            let code = [&[0x2a, 0xb7, high, low][..], &branch.code()].concat();
            methods.push(pool.method_info(PUBLIC, id, Some(&code)));
        }
        if let Some(branch) = &self.class_initialiser {
            methods.push(pool.method_info(STATIC, ("<clinit>", "()V"), Some(&branch.code())));
        }
        if let Some(flags) = one.method {
            // ldc_w, areturn
            let [high, low] = pool.string(&one.name).to_be_bytes();
            let code = [0x13, high, low, 0xb0];
            let code = (flags & ABSTRACT == 0).then_some(&code[..]);
            methods.push(pool.method_info(flags, METHOD, code));
        }
        let kind = if one.is_interface {
            INTERFACE | ABSTRACT
        } else {
            SUPER
        };
        assemble(
            &pool,
            PUBLIC | kind,
            names,
            &interfaces,
            [&fields, &methods],
        )
    }
}

fn random_fields(is_interface: bool, random: &mut Random) -> Vec<Field> {
    let mut fields = Vec::new();
    for ids in [&[0, 1][..], &[2]] {
        if random.below(3) == 0 {
            continue;
        }
        let flags = FLAGS_OF_FIELDS[random.below(FLAGS_OF_FIELDS.len())];
        let flags = if is_interface {
            FLAGS_OF_CONSTANTS
        } else {
            flags
        };
        let id = ids[random.below(ids.len())];
        fields.push(Field { flags, id });
    }
    random.shuffle(&mut fields);
    fields
}

/// A field by its position.
pub(crate) fn field((name, descriptor): (&str, &str)) -> FieldId {
    FieldId {
        name: name.into(),
        descriptor: descriptor.into(),
    }
}

impl Branch {
    fn random(random: &mut Random) -> Self {
        Self {
            is_taken: random.below(2) == 0,
            number: 0,
        }
    }

    /// Makes one, takes it away, or lets it be another one: mostly in what runs if it is taken.
    fn change(one: &mut Option<Self>, random: &mut Random) {
        match one {
            None => *one = Some(Self::random(random)),
            Some(branch) => match random.below(4) {
                0 => *one = None,
                1 => branch.is_taken = !branch.is_taken,
                _ => branch.number += 1,
            },
        }
    }

    /// bipush, ifeq; bipush, pop; return
    fn code(&self) -> [u8; 9] {
        let number = self.number.cast_unsigned();
        [
            0x10,
            self.is_taken.into(),
            0x99,
            0,
            6,
            0x10,
            number,
            0x57,
            0xb1,
        ]
    }
}
