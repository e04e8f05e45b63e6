//! The classes of a class path, each looked up once: what counts for whoever uses one, and where the members
//! lie that code names.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use tamis_facts::{Checksum, ClassName, Fact, FieldId, MethodId, Subject};
use tamis_wire::ContentHash;

use super::FactTable;
use super::harness::is_harness;
use crate::class_info::{ClassInfo, NamedMember};
use crate::today::{ClassStates, ClassSums, State};

/// Stands for the name of a class.
pub(super) type NameId = u32;

/// The classes that were asked for.
pub(super) struct ClassTable<'c> {
    states: &'c ClassStates<'c>,
    /// Classes that were made at run time: that they have no file is no fact.
    made: HashSet<ClassName>,
    ids: HashMap<ClassName, NameId>,
    names: Vec<ClassName>,
    classes: HashMap<NameId, Rc<UsedClass>>,
    members: HashMap<NamedMember, Rc<ResolvedMember>>,
    statics: HashMap<(NameId, FieldId), u32>,
}

/// What counts for whoever uses a class.
#[derive(Debug, Default)]
pub(super) struct UsedClass {
    /// Numbers of facts.
    pub(super) facts: Vec<u32>,
    /// The number of the fact about its members, for whom reflection shows them to.
    pub(super) members: Option<u32>,
    /// Whether no such class is on the class path.
    pub(super) is_absent: bool,
    /// Why a user of it cannot be relied on.
    pub(super) doubt: Option<String>,
    /// Classes that are used with it: its supertypes and the types of its annotations.
    pub(super) with_it: Vec<NameId>,
    /// What the file says; nothing if there is none on the class path, or none that can be understood.
    pub(super) file: Option<UsedFile>,
}

/// The file of a class that is used.
#[derive(Debug)]
pub(super) struct UsedFile {
    pub(super) info: ClassInfo,
    pub(super) sums: std::sync::Arc<ClassSums>,
    /// The hash by which loaded bytes are compared with it.
    pub(super) hash: ContentHash,
    is_library: bool,
}

/// Where a member was found, in facts.
#[derive(Debug, Default)]
pub(super) struct ResolvedMember {
    /// That it is absent where it was looked for first, and what it is where it was found.
    pub(super) facts: Vec<u32>,
    /// If it is a static field that may hold what a test left: its number, and the class that declares it.
    pub(super) state: Option<(u32, NameId)>,
}

impl<'c> ClassTable<'c> {
    pub(super) fn new(states: &'c ClassStates<'c>, made: HashSet<ClassName>) -> Self {
        Self {
            states,
            made,
            ids: HashMap::new(),
            names: Vec::new(),
            classes: HashMap::new(),
            members: HashMap::new(),
            statics: HashMap::new(),
        }
    }

    pub(super) fn id(&mut self, name: &ClassName) -> NameId {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = self.names.len() as NameId;
        self.ids.insert(name.clone(), id);
        self.names.push(name.clone());
        id
    }

    pub(super) fn name(&self, id: NameId) -> &ClassName {
        &self.names[id as usize]
    }

    /// What counts for whoever uses the class.
    pub(super) fn get(&mut self, id: NameId, facts: &mut FactTable) -> Rc<UsedClass> {
        if let Some(known) = self.classes.get(&id) {
            return Rc::clone(known);
        }
        let class = Rc::new(self.look(id, facts));
        self.classes.insert(id, Rc::clone(&class));
        class
    }

    fn look(&mut self, id: NameId, facts: &mut FactTable) -> UsedClass {
        let name = self.name(id).clone();
        let unreadable = |place: String| UsedClass {
            doubt: Some(format!("cannot read {place}")),
            ..UsedClass::default()
        };
        let (bytes, winner) = match self.states.bytes(&name) {
            State::Absent => return self.absent(name, facts),
            State::Unknown(place) => return unreadable(place),
            State::Known(found) => found,
        };
        let sums = match self.states.checksums(&name) {
            State::Known(sums) => sums,
            State::Absent => return unreadable(name.to_string()),
            State::Unknown(place) => return unreadable(place),
        };
        let mut used = UsedClass::default();
        let info = sums.parts.as_ref().and_then(|_| ClassInfo::of(&bytes));
        let Some((info, parts)) = info.zip(sums.parts.as_ref()) else {
            used.facts
                .push(number(facts, Subject::Whole(name), Some(sums.smart)));
            return used;
        };
        let initialiser = MethodId {
            name: "<clinit>".into(),
            descriptor: "()V".into(),
        };
        let initialised = parts.method(&initialiser);
        used.facts = [
            (Subject::Class(name.clone()), Some(sums.smart)),
            (Subject::Head(name.clone()), Some(parts.head)),
            (Subject::Method(name.clone(), initialiser), initialised),
        ]
        .map(|(subject, value)| number(facts, subject, value))
        .to_vec();
        used.members = Some(number(facts, Subject::Members(name), Some(parts.members)));
        used.with_it = info
            .supertypes()
            .chain(&info.annotations)
            .map(|name| self.id(name))
            .collect();
        used.file = Some(UsedFile {
            info,
            sums,
            hash: ContentHash::of(&bytes),
            is_library: !winner.is_in_directory(),
        });
        used
    }

    /// A class that is not on the class path: the JDK's, or nobody's. That it appears there is noticed, unless it is one that
    /// can be nowhere but in the JDK.
    fn absent(&self, name: ClassName, facts: &mut FactTable) -> UsedClass {
        if self.made.contains(&name) || name.as_bytes().starts_with(b"java/") {
            return UsedClass::default();
        }
        UsedClass {
            facts: vec![number(facts, Subject::Class(name), None)],
            is_absent: true,
            ..UsedClass::default()
        }
    }

    /// Everything of this name on the class path.
    pub(super) fn resource(&self, name: &[u8]) -> State<Checksum> {
        self.states.resource(name)
    }

    /// The classes, and all that are used with them.
    pub(super) fn closure(
        &mut self,
        mut next: Vec<NameId>,
        facts: &mut FactTable,
    ) -> BTreeSet<NameId> {
        let mut all = BTreeSet::new();
        while let Some(name) = next.pop() {
            if all.insert(name) {
                next.extend(&self.get(name, facts).with_it);
            }
        }
        all
    }

    /// Classes that a class is part of, or that are part of it.
    pub(super) fn nest(&mut self, id: NameId, facts: &mut FactTable) -> Vec<NameId> {
        let class = self.get(id, facts);
        let Some(file) = &class.file else {
            return Vec::new();
        };
        let own = self.name(id).clone();
        let is_near = |other: &&ClassName| is_part_of(other, &own) || is_part_of(&own, other);
        let near: Vec<ClassName> = file.info.nest.iter().filter(is_near).cloned().collect();
        near.iter().map(|name| self.id(name)).collect()
    }

    /// Looks a member up as the JVM does.
    pub(super) fn resolve(
        &mut self,
        member: &NamedMember,
        facts: &mut FactTable,
    ) -> Rc<ResolvedMember> {
        if let Some(known) = self.members.get(member) {
            return Rc::clone(known);
        }
        let resolved = match member {
            NamedMember::Field(owner, field) => self.resolve_field(owner, field, facts),
            NamedMember::Method(owner, method) => self.resolve_method(owner, method, facts),
        };
        let resolved = Rc::new(resolved);
        self.members.insert(member.clone(), Rc::clone(&resolved));
        resolved
    }

    /// In the class, its interfaces and theirs, then its superclass in the same way (JVMS 5.4.3.2).
    fn resolve_field(
        &mut self,
        owner: &ClassName,
        field: &FieldId,
        facts: &mut FactTable,
    ) -> ResolvedMember {
        let mut resolved = ResolvedMember::default();
        let mut seen = BTreeSet::new();
        let mut next = vec![owner.clone()];
        while let Some(name) = next.pop() {
            let id = self.id(&name);
            if !seen.insert(id) {
                continue;
            }
            let class = self.get(id, facts);
            let Some(file) = &class.file else {
                continue;
            };
            let subject = Subject::Field(name.clone(), field.clone());
            resolved
                .facts
                .push(number(facts, subject, file.field(field)));
            if let Some(found) = file.info.fields.get(field) {
                if found.is_state && !file.is_frameworks(&name) {
                    let n_statics = self.statics.len() as u32;
                    let state = self.statics.entry((id, field.clone())).or_insert(n_statics);
                    resolved.state = Some((*state, id));
                }
                break;
            }
            // The last one is the next: interfaces come before the superclass.
            next.extend(file.info.super_class.clone());
            next.extend(file.info.interfaces.iter().rev().cloned());
        }
        resolved
    }

    /// In the class and its superclasses, then in all their interfaces (JVMS 5.4.3.3). What is found has its
    /// facts when it runs; what counts here is that it is not found earlier.
    fn resolve_method(
        &mut self,
        owner: &ClassName,
        method: &MethodId,
        facts: &mut FactTable,
    ) -> ResolvedMember {
        let mut resolved = ResolvedMember::default();
        let mut seen = BTreeSet::new();
        let mut interfaces = Vec::new();
        let mut next = Some(owner.clone());
        while let Some(name) = next.take().or_else(|| interfaces.pop()) {
            let id = self.id(&name);
            if !seen.insert(id) {
                continue;
            }
            let class = self.get(id, facts);
            let Some(file) = &class.file else {
                continue;
            };
            if file.info.methods.contains(method) {
                break;
            }
            let subject = Subject::Method(name, method.clone());
            resolved.facts.push(number(facts, subject, None));
            interfaces.extend(file.info.interfaces.iter().cloned());
            next.clone_from(&file.info.super_class);
        }
        resolved
    }
}

impl UsedFile {
    /// Whether this is a class of a test framework, if it has that name.
    pub(super) fn is_frameworks(&self, name: &ClassName) -> bool {
        self.is_library && is_harness(name)
    }

    /// Whether blocks of this method can be facts: those of a library change as a whole, and a method that is known by content
    /// may have another name the next time.
    pub(super) fn has_blocks(&self, method: &MethodId) -> bool {
        let parts = self.sums.parts.as_ref();
        !self.is_library && parts.is_some_and(|parts| parts.is_known_by_name(method))
    }

    /// The value of a fact about a method of it.
    pub(super) fn method(&self, method: &MethodId) -> Option<Checksum> {
        self.sums
            .parts
            .as_ref()
            .and_then(|parts| parts.method(method))
    }

    /// The value of a fact about a field of it.
    pub(super) fn field(&self, field: &FieldId) -> Option<Checksum> {
        self.sums
            .parts
            .as_ref()
            .and_then(|parts| parts.field(field))
    }
}

/// The number of a fact.
pub(super) fn number(facts: &mut FactTable, subject: Subject, value: Option<Checksum>) -> u32 {
    facts.number(Fact { subject, value })
}

/// Whether a class is nested in another one, by their names.
fn is_part_of(inner: &ClassName, outer: &ClassName) -> bool {
    let rest = inner.as_bytes().strip_prefix(outer.as_bytes());
    rest.is_some_and(|rest| rest.starts_with(b"$"))
}
