//! Arrays that a class keeps to itself and that nobody changes: tables, and copies of what others gave.
//!
//! A private array field is *kept* if each value that it ever gets is an array that code of the class has just made, and if what is
//! read from it is only looked at. Then nobody else has such an array, and its elements stay as they were when the field was set.
//! All code of the class is followed (`flow.rs`), for each value on the stack and in local variables by where it comes from
//! (`frame.rs`). What is not understood, gets away: into another field or array, to a method that is not the class's own and not known
//! to read only (`jdk.rs`), to whoever called. Elements are another matter: only arrays in an array are followed.
//!
//! Of other classes of the nest, which may name private fields too, and of reflection, who asks has to know more.

mod flow;
mod frame;
mod jdk;
mod stack;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tamis_classfile::{AccessFlags, ClassFile, Constant, Method};
use tamis_facts::FieldId;

use flow::follow;
use frame::Origin;
pub(crate) use stack::slot;

/// The flag of volatile fields (JVMS 4.5).
const VOLATILE: AccessFlags = AccessFlags(0x0040);

/// The fields of a class whose arrays it keeps to itself and never changes.
pub(crate) fn kept(class: &ClassFile<'_>) -> tamis_classfile::Result<BTreeSet<FieldId>> {
    let Some(verdicts) = verdicts(class)? else {
        return Ok(BTreeSet::new());
    };
    let kept = verdicts.into_iter().filter(|(_, lost)| lost.is_none());
    Ok(kept.map(|(field, _)| field).collect())
}

/// For each private array field why it is not kept, if so; nothing if the code cannot be followed.
fn verdicts(
    class: &ClassFile<'_>,
) -> tamis_classfile::Result<Option<BTreeMap<FieldId, Option<Loss>>>> {
    let mut keeping = Keeping::of(class)?;
    if keeping.candidates.is_empty() {
        return Ok(None);
    }
    keeping.lose_handles()?;
    // What is known of methods can only get worse, so this ends.
    while std::mem::take(&mut keeping.has_news) {
        for (number, method) in class.methods.iter().enumerate() {
            if follow(&mut keeping, number, method)?.is_none() {
                return Ok(None);
            }
        }
    }
    Ok(Some(keeping.finish()))
}

/// Why a field is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loss {
    /// It is set to what others may have.
    SetToOther,
    /// Others may get what it holds.
    HandedOut,
    /// Elements are set.
    Changed,
    /// It shares an array with a field that is not kept.
    Shared,
    /// It is named in ways that are not followed.
    Named,
}

/// What is known of the fields and methods of a class.
struct Keeping<'k> {
    class: &'k ClassFile<'k>,
    candidates: Vec<Candidate>,
    /// Why fields are not kept, by their positions.
    lost: BTreeMap<usize, Loss>,
    /// Fields that may hold the same array.
    sharing: BTreeSet<(usize, usize)>,
    /// Fields whose arrays are changed by the constructor of the object that has them.
    constructed: BTreeSet<usize>,
    methods: Vec<MethodUse>,
    numbers: HashMap<(&'k [u8], &'k [u8]), usize>,
    has_news: bool,
}

/// A field whose arrays may be kept.
struct Candidate {
    id: FieldId,
    n_dimensions: u8,
    is_static: bool,
}

/// What a method does with the arrays that it gets and makes.
#[derive(Default)]
struct MethodUse {
    /// Whether a call that names it runs just this one, and its code is there.
    is_sole: bool,
    /// Slots of parameters into whose arrays it sets elements.
    changed: BTreeSet<u16>,
    /// Slots of parameters that others may get from it.
    handed_out: BTreeSet<u16>,
    /// Whether it may return something else than an array that it has just made.
    returns_other: bool,
}

impl<'k> Keeping<'k> {
    fn of(class: &'k ClassFile<'k>) -> tamis_classfile::Result<Self> {
        let pool = &class.constant_pool;
        let mut keeping = Self {
            class,
            candidates: Vec::new(),
            lost: BTreeMap::new(),
            sharing: BTreeSet::new(),
            constructed: BTreeSet::new(),
            methods: Vec::new(),
            numbers: HashMap::new(),
            has_news: true,
        };
        for field in &class.fields {
            let flags = field.access_flags;
            let descriptor = pool.utf8(field.descriptor)?;
            let n_dimensions = jdk::n_dimensions(descriptor);
            let is_static = flags.contains(AccessFlags::STATIC);
            // A volatile field of objects may have an updater, which gets at it by its name.
            let is_followed = is_static || !flags.contains(VOLATILE);
            if n_dimensions > 0 && flags.contains(AccessFlags::PRIVATE) && is_followed {
                keeping.candidates.push(Candidate {
                    id: FieldId {
                        name: pool.utf8(field.name)?.into(),
                        descriptor: descriptor.into(),
                    },
                    n_dimensions,
                    is_static,
                });
            }
        }
        let is_final_class = class.access_flags.contains(AccessFlags::FINAL);
        for (number, method) in class.methods.iter().enumerate() {
            let name = pool.utf8(method.name)?;
            let key = (name, pool.utf8(method.descriptor)?);
            keeping.numbers.insert(key, number);
            keeping.methods.push(MethodUse {
                is_sole: is_sole(method, name, is_final_class),
                ..MethodUse::default()
            });
        }
        Ok(keeping)
    }

    /// Handles of fields are given away.
    fn lose_handles(&mut self) -> tamis_classfile::Result<()> {
        let pool = &self.class.constant_pool;
        for (_, constant) in pool.iter() {
            // Kinds 1 to 4 are those of fields (JVMS 5.4.3.5).
            let &Constant::MethodHandle {
                kind: 1..=4,
                reference,
            } = constant
            else {
                continue;
            };
            let member = pool.member(reference)?;
            if let Some(field) = self.candidate(member.name, member.descriptor) {
                self.lose(field, Loss::Named);
            }
        }
        Ok(())
    }

    fn candidate(&self, name: &[u8], descriptor: &[u8]) -> Option<usize> {
        self.candidates.iter().position(|one| {
            one.id.name.as_bytes() == name && one.id.descriptor.as_bytes() == descriptor
        })
    }

    /// The method of the class that runs where code names it, if it is sure to be that one.
    fn sole_method(&self, name: &[u8], descriptor: &[u8]) -> Option<usize> {
        let number = *self.numbers.get(&(name, descriptor))?;
        Some(number).filter(|number| self.methods[*number].is_sole)
    }

    fn lose(&mut self, field: usize, loss: Loss) {
        self.lost.entry(field).or_insert(loss);
    }

    /// What comes from there is handed out by a method. What the method made itself concerns only its own code.
    fn hand_out(&mut self, method: usize, origin: Origin) {
        match origin {
            Origin::Field(field) | Origin::OwnField(field) => self.lose(field, Loss::HandedOut),
            Origin::Parameter(slot) => {
                self.has_news |= self.methods[method].handed_out.insert(slot);
            }
            Origin::Made(_) | Origin::Own => {}
        }
    }

    /// Elements are set by a method in what comes from there. A class initialiser may: before it, the class has no arrays. A
    /// constructor may in those of its object, if no other field has them.
    fn change(&mut self, method: usize, origin: Origin, is_initialising: bool) {
        match origin {
            Origin::Field(field) if is_initialising && self.candidates[field].is_static => {}
            Origin::Field(field) => self.lose(field, Loss::Changed),
            Origin::Parameter(slot) => {
                self.has_news |= self.methods[method].changed.insert(slot);
            }
            Origin::OwnField(field) => {
                self.constructed.insert(field);
            }
            Origin::Made(_) | Origin::Own => {}
        }
    }

    fn return_other(&mut self, method: usize) {
        let known = &mut self.methods[method].returns_other;
        self.has_news |= !*known;
        *known = true;
    }

    /// Fields that share arrays with lost ones are lost too.
    fn finish(mut self) -> BTreeMap<FieldId, Option<Loss>> {
        let sharing = std::mem::take(&mut self.sharing);
        for field in std::mem::take(&mut self.constructed) {
            if sharing
                .iter()
                .any(|(one, other)| *one == field || *other == field)
            {
                self.lose(field, Loss::Changed);
            }
        }
        let mut n_lost = usize::MAX;
        while n_lost != self.lost.len() {
            n_lost = self.lost.len();
            for (one, other) in &sharing {
                if self.lost.contains_key(one) || self.lost.contains_key(other) {
                    self.lose(*one, Loss::Shared);
                    self.lose(*other, Loss::Shared);
                }
            }
        }
        let candidates = self.candidates.into_iter().enumerate();
        candidates
            .map(|(field, one)| (one.id, self.lost.get(&field).copied()))
            .collect()
    }
}

/// Whether a call of a method runs it and none that overrides it.
fn is_sole(method: &Method<'_>, name: &[u8], is_final_class: bool) -> bool {
    let flags = method.access_flags;
    let sole = [
        AccessFlags::STATIC,
        AccessFlags::PRIVATE,
        AccessFlags::FINAL,
    ];
    let is_sole = sole.into_iter().any(|flag| flags.contains(flag));
    method.code().is_some() && (is_sole || is_final_class || name == b"<init>")
}

#[cfg(test)]
mod tests;
