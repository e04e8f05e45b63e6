//! The classes of a class path, each looked up once: what counts for whoever uses one, and where the members
//! lie that code names.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use tamis_build::FileMatch;
use tamis_classfile::AccessFlags;
use tamis_facts::{Checksum, ClassName, Fact, FieldId, MethodId, Subject};
use tamis_select::{Hierarchy, Resolution};
use tamis_wire::ContentHash;

use super::FactTable;
use super::harness::{is_harness, is_logging};
use super::linking::{Linked, Linking};
use super::look_ups::{ClassLookUps, SignatureId, Signatures, dispatch};
use super::reach::Reach;
use super::slots::Slots;
use crate::class_info::{ClassInfo, FieldInfo, NamedMember};
use crate::examined::ExaminedJvm;
use crate::setters::of_setters;
use crate::today::{ClassParts, ClassStates, ClassSums, State, of_names};

/// Stands for the name of a class.
pub(super) type NameId = u32;

/// The classes that were asked for.
pub(super) struct ClassTable<'c> {
    states: &'c ClassStates<'c>,
    loaded: Loaded,
    ids: HashMap<ClassName, NameId>,
    names: Vec<ClassName>,
    classes: Slots<UsedClass>,
    members: HashMap<NamedMember, Rc<ResolvedMember>>,
    fields: HashMap<(NameId, FieldId), u32>,
    /// The classes that declare fields, by the numbers of these.
    declaring: Vec<(NameId, FieldId)>,
    /// The facts about static fields that may hold something else for each test, by the numbers of the fields.
    state_facts: HashMap<u32, u32>,
    /// What can be reached from static fields, by their numbers.
    reaches: HashMap<u32, Reach>,
    signatures: Signatures,
    look_ups: Slots<ClassLookUps>,
    /// Classes whose look-ups are known, by what they inherit, with its place among that.
    inheritors: HashMap<SignatureId, Vec<(NameId, usize)>>,
}

/// What is known of the classes that were loaded.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    /// All of them, of all JVMs of the run.
    names: HashSet<ClassName>,
    /// Those that JVMs made at run time: that they have no file is no fact.
    made: HashSet<ClassName>,
    /// Those of the JVM, by the classes that they extend or implement.
    below: HashMap<ClassName, Vec<ClassName>>,
    linking: Linking,
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
    /// Loaded classes that it names in what it declares, for whom reflection shows that to.
    pub(super) declared: Vec<NameId>,
    /// What the file says; nothing if there is none on the class path, or none that can be understood.
    pub(super) file: Option<UsedFile>,
}

/// The file of a class that is used.
#[derive(Debug)]
pub(super) struct UsedFile {
    pub(super) info: ClassInfo,
    pub(super) sums: Arc<ClassSums>,
    /// It, and all above it.
    hierarchy: Arc<Hierarchy>,
    /// The hash by which loaded bytes are compared with it.
    pub(super) hash: ContentHash,
    is_library: bool,
}

/// Where a member was found, in facts.
#[derive(Debug)]
pub(super) struct ResolvedMember {
    /// That it is absent where it was looked for first, and what it is where it was found.
    pub(super) facts: Vec<u32>,
    /// If it is a static field that may hold what a test left: its number, and the class that declares it.
    pub(super) state: Option<(u32, NameId)>,
    /// Of such one that can be set, for who looks at it: who sets it. An error, for people, if that cannot be told.
    pub(super) setters: Result<Vec<u32>, String>,
    /// If it is a field of objects: its number.
    pub(super) instance_field: Option<u32>,
    /// Whether it was found on the class path.
    pub(super) is_found: bool,
}

impl Default for ResolvedMember {
    fn default() -> Self {
        Self {
            facts: Vec::new(),
            state: None,
            setters: Ok(Vec::new()),
            instance_field: None,
            is_found: false,
        }
    }
}

impl<'c> ClassTable<'c> {
    pub(super) fn new(states: &'c ClassStates<'c>, loaded: Loaded) -> Self {
        Self {
            states,
            loaded,
            reaches: HashMap::new(),
            ids: HashMap::new(),
            names: Vec::new(),
            classes: Slots::default(),
            members: HashMap::new(),
            fields: HashMap::new(),
            state_facts: HashMap::new(),
            declaring: Vec::new(),
            signatures: Signatures::default(),
            look_ups: Slots::default(),
            inheritors: HashMap::new(),
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
        if let Some(known) = self.classes.get(id) {
            return known;
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
        let hierarchy = match self.states.hierarchy(&name) {
            Ok(Some(hierarchy)) => hierarchy,
            Ok(None) => return unreadable(name.to_string()),
            Err(reason) => return unreadable(reason),
        };
        used.facts = of_class(&name, sums.smart, parts)
            .map(|(subject, value)| number(facts, subject, value))
            .collect();
        let linked = Linked {
            name: &name,
            info: &info,
            version: version(&bytes),
        };
        match self.loaded.linking.facts(&linked, self.states, facts) {
            Ok(linked) => used.facts.extend(linked),
            Err(place) => return unreadable(place),
        }
        used.members = Some(number(facts, Subject::Members(name), Some(parts.members)));
        used.with_it = info
            .supertypes()
            .chain(&info.annotations)
            .map(|name| self.id(name))
            .collect();
        let declared = info.declared.iter();
        let declared = declared.filter(|name| self.loaded.names.contains(*name));
        let declared: Vec<&ClassName> = declared.collect();
        used.declared = declared.into_iter().map(|name| self.id(name)).collect();
        used.file = Some(UsedFile {
            info,
            sums,
            hierarchy,
            hash: ContentHash::of(&bytes),
            is_library: !winner.is_in_directory(),
        });
        used
    }

    /// A class that is not on the class path: the JDK's, or nobody's. That it appears there is noticed, unless it is one that
    /// can be nowhere but in the JDK.
    fn absent(&self, name: ClassName, facts: &mut FactTable) -> UsedClass {
        if self.loaded.made.contains(&name) || name.as_bytes().starts_with(b"java/") {
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
        let near = file.info.nested(self.name(id)).cloned();
        let near: Vec<ClassName> = near.collect();
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
            let fact = number(facts, subject, file.field(field));
            resolved.facts.push(fact);
            if let Some(found) = file.info.fields.get(field) {
                resolved.is_found = true;
                if !found.is_static {
                    resolved.instance_field = Some(self.field_number(id, field));
                } else if !file.keeps_own_state(&name) {
                    resolved.state = self.state(id, field, found, facts);
                    if let Some((number, _)) = resolved.state {
                        self.state_facts.insert(number, fact);
                        if !found.is_final {
                            resolved.setters = self.setters(&name, field, file, facts);
                        }
                    }
                }
                break;
            }
            // The last one is the next: interfaces come before the superclass.
            next.extend(file.info.super_class.clone());
            next.extend(file.info.interfaces.iter().rev().cloned());
        }
        resolved
    }

    /// Who sets a static field of a class, as facts.
    fn setters(
        &self,
        class: &ClassName,
        field: &FieldId,
        file: &UsedFile,
        facts: &mut FactTable,
    ) -> Result<Vec<u32>, String> {
        let elsewhere = self.states.setters_elsewhere(class, field)?;
        let own = Subject::Setters(class.clone(), field.clone());
        let of_others = Subject::SettersElsewhere(class.clone(), field.clone());
        Ok(vec![
            number(facts, own, file.setters(field)),
            number(facts, of_others, of_setters(&elsewhere)),
        ])
    }

    /// A static field, if it may hold something else for the next test than for this one: it can be set, or what it holds can
    /// change.
    fn state(
        &mut self,
        class: NameId,
        field: &FieldId,
        info: &FieldInfo,
        facts: &mut FactTable,
    ) -> Option<(u32, NameId)> {
        let number = self.field_number(class, field);
        if !self.reaches.contains_key(&number) {
            let reach = Reach::of(class, field, info, self, facts);
            self.reaches.insert(number, reach);
        }
        let is_constant = info.is_final && self.reaches[&number].is_nothing();
        (!is_constant).then_some((number, class))
    }

    /// What can be reached from a static field that was resolved, by its number.
    pub(super) fn reach(&self, field: u32) -> Option<&Reach> {
        self.reaches.get(&field)
    }

    /// The static fields that a class declares, of those that are wanted, by number: as far as they may hold what a test left.
    pub(super) fn static_state(
        &mut self,
        class: NameId,
        is_wanted: impl Fn(&FieldId, &FieldInfo) -> bool,
        facts: &mut FactTable,
    ) -> Vec<u32> {
        let used = self.get(class, facts);
        let own = self.name(class).clone();
        let fields = used.file.iter().flat_map(|file| &file.info.fields);
        let wanted = fields.filter(|(field, info)| info.is_static && is_wanted(field, info));
        let state = wanted.filter_map(|(field, _)| {
            let field = NamedMember::Field(own.clone(), field.clone());
            let (number, _) = self.resolve(&field, facts).state?;
            Some(number)
        });
        state.collect()
    }

    /// The static fields that hold all objects of a class, if it is an enum or that of one of its constants.
    pub(super) fn constants(&mut self, class: NameId, facts: &mut FactTable) -> Vec<u32> {
        let used = self.get(class, facts);
        let Some(info) = used.file.as_ref().map(|file| &file.info) else {
            return Vec::new();
        };
        if is_enum(info) {
            return self.constants_of(class, facts);
        }
        // A constant with a body is of a class of its own.
        let above = info.super_class.as_ref();
        let above = above.filter(|_| info.access_flags.contains(AccessFlags::ENUM));
        above.map_or_else(Vec::new, |above| {
            let above = self.id(above);
            self.constants_of(above, facts)
        })
    }

    fn constants_of(&mut self, class: NameId, facts: &mut FactTable) -> Vec<u32> {
        let own_type = [b"L", self.name(class).as_bytes(), b";"].concat();
        let is_constant = |field: &FieldId, info: &FieldInfo| {
            info.is_final && field.descriptor.as_bytes() == own_type
        };
        self.static_state(class, is_constant, facts)
    }

    /// The classes of which a static field that was resolved may lead to objects that can change, by its number.
    pub(super) fn types_below(&mut self, field: u32, facts: &mut FactTable) -> BTreeSet<NameId> {
        let (class, id) = self.declaring[field as usize].clone();
        let used = self.get(class, facts);
        let info = used
            .file
            .as_ref()
            .and_then(|file| file.info.fields.get(&id));
        info.map_or_else(BTreeSet::new, |info| {
            Reach::types(class, &id, info, self, facts)
        })
    }

    /// The number of a field that a class declares.
    pub(super) fn field_number(&mut self, class: NameId, field: &FieldId) -> u32 {
        let next = self.declaring.len() as u32;
        let declaring = &mut self.declaring;
        let number = self.fields.entry((class, field.clone()));
        *number.or_insert_with(|| {
            declaring.push((class, field.clone()));
            next
        })
    }

    /// The class that declares a field, by the number of the field.
    pub(super) fn declaring(&self, field: u32) -> NameId {
        self.declaring[field as usize].0
    }

    /// The fact about a static field that may hold something else for each test, by the number of the field.
    pub(super) fn state_fact(&self, field: u32) -> Option<u32> {
        self.state_facts.get(&field).copied()
    }

    /// The classes that were loaded and extend or implement this one.
    pub(super) fn loaded_below(&self, class: &ClassName) -> &[ClassName] {
        self.loaded.below.get(class).map_or(&[], Vec::as_slice)
    }

    /// Of a method that may be overridden, it counts how it is found; which one runs is found by the class of the object.
    fn resolve_method(
        &mut self,
        owner: &ClassName,
        method: &MethodId,
        facts: &mut FactTable,
    ) -> ResolvedMember {
        let id = self.id(owner);
        let class = self.get(id, facts);
        let above = class.file.as_ref().map(|file| &file.hierarchy);
        let found = above.map(|above| above.resolution(method));
        match found {
            Some(found @ Resolution::Dispatched { .. }) => {
                let subject = Subject::Resolution(owner.clone(), method.clone());
                ResolvedMember {
                    facts: vec![number(facts, subject, Some(found.checksum()))],
                    is_found: true,
                    ..ResolvedMember::default()
                }
            }
            _ => self.search_method(owner, method, facts),
        }
    }

    /// In the class and its superclasses, then in all their interfaces (JVMS 5.4.3.3). What is found has its
    /// facts when it runs; what counts here is that it is not found earlier.
    fn search_method(
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
                resolved.is_found = true;
                break;
            }
            let subject = Subject::Method(name, method.clone());
            resolved.facts.push(number(facts, subject, None));
            interfaces.extend(file.info.interfaces.iter().cloned());
            next.clone_from(&file.info.super_class);
        }
        resolved
    }

    /// The number of a signature.
    pub(super) fn signature(&mut self, method: &MethodId) -> SignatureId {
        self.signatures.id(method)
    }

    /// The look-ups that an object of a class may be asked for; none if the class is not seen.
    pub(super) fn look_ups(
        &mut self,
        id: NameId,
        facts: &mut FactTable,
    ) -> Option<Rc<ClassLookUps>> {
        if let Some(known) = self.look_ups.get(id) {
            return Some(known);
        }
        let class = self.get(id, facts);
        let file = class.file.as_ref()?;
        let own = &file.sums.parts.as_ref()?.declared;
        let name = self.name(id).clone();
        let hierarchy = Arc::clone(&file.hierarchy);
        let look_ups = ClassLookUps::new(name, hierarchy, own, &mut self.signatures);
        for (place, signature) in look_ups.inherited().enumerate() {
            let inheritors = self.inheritors.entry(signature).or_default();
            inheritors.push((id, place));
        }
        self.look_ups.insert(id, Rc::clone(&look_ups));
        Some(look_ups)
    }

    /// The numbers of the facts that count for who calls a method on objects of classes that are made.
    pub(super) fn newly_called(
        &self,
        signature: SignatureId,
        is_made: impl Fn(NameId, &ClassLookUps) -> bool,
        facts: &mut FactTable,
    ) -> Vec<u32> {
        let inheritors = self.inheritors.get(&signature).into_iter().flatten();
        let counting = inheritors.filter_map(|(class, place)| {
            let look_ups = self.look_ups.get(*class)?;
            is_made(*class, &look_ups).then(|| look_ups.inherited_fact(*place, facts))
        });
        counting.collect()
    }

    /// What counts for code that calls a method above its own class (JVMS 6.5, `invokespecial`): by the class that it names,
    /// and by its superclass, where the JVM begins to look.
    pub(super) fn call_above(
        &mut self,
        own: &ClassInfo,
        owner: &ClassName,
        method: &MethodId,
        facts: &mut FactTable,
    ) -> Vec<u32> {
        let mut counting = Vec::new();
        for class in [owner].into_iter().chain(&own.super_class) {
            let named = NamedMember::Method(class.clone(), method.clone());
            counting.extend(&self.resolve(&named, facts).facts);
            let id = self.id(class);
            let used = self.get(id, facts);
            if let Some(file) = &used.file {
                counting.push(dispatch(class, method, &file.hierarchy, facts));
            }
        }
        counting
    }

    /// What counts where methods of classes, or of their supertypes, may be called in ways that are not known.
    pub(super) fn any_called(&mut self, classes: Vec<NameId>, facts: &mut FactTable) -> Vec<u32> {
        let mut counting = Vec::new();
        for id in self.closure(classes, facts) {
            let class = self.get(id, facts);
            let file = class.file.as_ref();
            if let Some(parts) = file.and_then(|file| file.sums.parts.as_ref()) {
                let subject = Subject::Signatures(self.name(id).clone());
                counting.push(number(facts, subject, Some(parts.signatures)));
            }
        }
        counting
    }
}

impl Loaded {
    /// What a JVM loaded, and what all of the run made.
    pub(super) fn new(jvm: &ExaminedJvm, jvms: &[ExaminedJvm]) -> Self {
        let mut loaded = Self {
            linking: Linking::new(jvm),
            ..Self::default()
        };
        for class in jvm.classes.values() {
            for supertype in &class.shape.supertypes {
                let below = loaded.below.entry(supertype.clone()).or_default();
                below.push(class.name.clone());
            }
        }
        let classes = || jvms.iter().flat_map(|jvm| jvm.classes.values());
        loaded.names = classes().map(|class| class.name.clone()).collect();
        let made = classes().filter(|class| class.file == FileMatch::Generated);
        loaded.made = made.map(|class| class.name.clone()).collect();
        loaded
    }
}

fn is_enum(class: &ClassInfo) -> bool {
    let above = class.super_class.as_ref();
    above.is_some_and(|above| above.as_bytes() == b"java/lang/Enum")
}

impl UsedFile {
    /// Whether this is a class of a test framework, if it has that name.
    pub(super) fn is_frameworks(&self, name: &ClassName) -> bool {
        self.is_library && is_harness(name)
    }

    /// Whether it comes with an archive.
    pub(super) fn is_library(&self) -> bool {
        self.is_library
    }

    /// Whether what its static fields hold does not count as left by tests, if it has that name.
    pub(super) fn keeps_own_state(&self, name: &ClassName) -> bool {
        self.is_library && (is_harness(name) || is_logging(name))
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

    /// The value of the fact about the fields that others can see.
    pub(super) fn visible_fields(&self) -> Option<Checksum> {
        self.sums.parts.as_ref().map(|parts| parts.visible_fields)
    }

    /// The value of the fact about which of its methods set a field of it.
    fn setters(&self, field: &FieldId) -> Option<Checksum> {
        let parts = self.sums.parts.as_ref()?;
        of_setters(parts.setters(field))
    }

    /// The value of a fact about a field of it.
    pub(super) fn field(&self, field: &FieldId) -> Option<Checksum> {
        self.sums
            .parts
            .as_ref()
            .and_then(|parts| parts.field(field))
    }
}

/// What counts for whoever uses a class that can be taken apart.
fn of_class(
    name: &ClassName,
    smart: Checksum,
    parts: &ClassParts,
) -> impl Iterator<Item = (Subject, Option<Checksum>)> {
    let initialiser = MethodId {
        name: "<clinit>".into(),
        descriptor: "()V".into(),
    };
    let initialised = parts.method(&initialiser);
    let supertypes: Vec<ClassName> = parts.declared.supertypes().cloned().collect();
    let all_supertypes = of_names(supertypes.iter());
    let facts = [
        (Subject::Class(name.clone()), Some(smart)),
        (Subject::Head(name.clone()), Some(parts.head)),
        (Subject::Declaration(name.clone()), Some(parts.declaration)),
        (Subject::Method(name.clone(), initialiser), initialised),
    ];
    // What is above nearly every class is no news.
    let is_plain = matches!(&supertypes[..], [object] if object.as_bytes() == b"java/lang/Object");
    let hierarchy = (!is_plain).then(|| {
        let subject = Subject::Supertypes(name.clone(), supertypes);
        (subject, Some(all_supertypes))
    });
    facts.into_iter().chain(hierarchy)
}

/// The major version of a class file (JVMS 4.1).
fn version(bytes: &[u8]) -> u16 {
    bytes
        .get(6..8)
        .map_or(0, |major| u16::from_be_bytes([major[0], major[1]]))
}

/// The number of a fact.
pub(super) fn number(facts: &mut FactTable, subject: Subject, value: Option<Checksum>) -> u32 {
    facts.number(Fact { subject, value })
}
