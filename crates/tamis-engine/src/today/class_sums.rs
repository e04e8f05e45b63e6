//! The checksums of one class, as facts about it need them.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use tamis_classfile::AccessFlags;
use tamis_classfile::checksum::{ClassChecksums, DebugInfo, Digest as _, SmartChecksummer};
use tamis_facts::{Checksum, ClassName, FieldId, MethodId, ModifiedUtf8};
use tamis_select::{Blake3, ClassState, Declared, Parts, plain};

use super::aspects::{ancestry, aspects};
use crate::setters::{Set, Sets, Setter};

/// The checksums of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassSums {
    /// The whole.
    pub smart: Checksum,
    /// Its parts; none if the class cannot be taken apart, or if it depends on the JVM which of several
    /// files it is. Only the whole can be a fact then.
    pub parts: Option<ClassParts>,
}

/// The checksums of the parts of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassParts {
    /// The head of mesh `method`: the head itself and the signatures.
    pub head: Checksum,
    /// The head of the finer meshes: the head itself and the final methods, since a class that overrides one cannot be
    /// loaded.
    pub declaration: Checksum,
    /// The methods that can be overridden.
    pub signatures: Checksum,
    /// The fields that others can see.
    pub visible_fields: Checksum,
    /// What look-ups ask for.
    pub(crate) declared: Arc<Declared>,
    /// The members as reflection lists them.
    pub members: Checksum,
    /// What decides below what it and those below it are.
    pub(crate) ancestry: Checksum,
    aspects: BTreeSet<Checksum>,
    fields: HashMap<FieldId, Checksum>,
    /// Those that set fields of the class, by these and sorted.
    setters: HashMap<FieldId, Vec<Setter>>,
    /// All methods by the names that they have in this file.
    methods: HashMap<MethodId, MethodSum>,
    /// Methods that are known by content: their names without the numbers, descriptors, checksums.
    contents: HashSet<(ModifiedUtf8, ModifiedUtf8, Checksum)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MethodSum {
    checksum: Checksum,
    is_static: bool,
    is_known_by_content: bool,
}

/// What is read of a class beside its checksums.
struct ReadClass {
    declared: Declared,
    sets: Sets,
    ancestry: Checksum,
    aspects: BTreeSet<Checksum>,
}

impl ClassSums {
    /// The checksums of the class file with these bytes.
    pub(crate) fn of(bytes: &[u8], debug_info: DebugInfo) -> Self {
        let state = ClassState::of(bytes, debug_info);
        let parts = state.parts.ok();
        let read = parts.as_ref().and_then(|parts| {
            let class = &parts.class;
            Some(ReadClass {
                declared: Declared::of(class).ok()?,
                sets: Sets::of(class).ok()?,
                ancestry: ancestry(class).ok()?,
                aspects: aspects(class).ok()?,
            })
        });
        match parts.zip(read) {
            Some((parts, read)) => Self {
                smart: parts.checksums.smart,
                parts: Some(ClassParts::of(&parts, read)),
            },
            None => Self {
                smart: smart(bytes, debug_info),
                parts: None,
            },
        }
    }
}

/// The checksum of a whole class: the smart one where the class can be understood so far, else the plain
/// one.
pub(crate) fn smart(bytes: &[u8], debug_info: DebugInfo) -> Checksum {
    let smart = SmartChecksummer::default().smart(bytes, &Blake3, debug_info);
    smart.unwrap_or_else(|_| plain(bytes))
}

/// Several checksums as one.
pub(crate) fn together<'c>(checksums: impl IntoIterator<Item = &'c Checksum>) -> Checksum {
    let bytes: Vec<u8> = checksums
        .into_iter()
        .flat_map(|checksum| checksum.0)
        .collect();
    Blake3.digest(&bytes)
}

/// One checksum over names of classes, in order.
pub(crate) fn of_names<'n>(names: impl Iterator<Item = &'n ClassName>) -> Checksum {
    let names: Vec<Checksum> = names.map(|name| plain(name.as_bytes())).collect();
    together(&names)
}

impl ClassParts {
    fn of(parts: &Parts<'_>, read: ReadClass) -> Self {
        let ReadClass {
            declared,
            sets,
            ancestry,
            aspects,
        } = read;
        let sums = &parts.checksums;
        let is_extensible = !parts.class.access_flags.contains(AccessFlags::FINAL);
        let dispatched = || declared.dispatched();
        let finals =
            dispatched().filter(|(_, flags)| is_extensible && flags.contains(AccessFlags::FINAL));
        let numbered = sums
            .methods
            .iter()
            .filter(|method| method.is_known_by_content);
        let contents = numbered.filter_map(|method| {
            let name = without_number(&method.id.name)?;
            Some((name, method.id.descriptor.clone(), method.checksum))
        });
        let fields = sums.fields.iter();
        let methods = sums.methods.iter().map(|method| {
            let sum = MethodSum {
                checksum: method.checksum,
                is_static: method.access_flags.contains(AccessFlags::STATIC),
                is_known_by_content: method.is_known_by_content,
            };
            (method.id.clone(), sum)
        });
        Self {
            head: together([&sums.head, &sums.signatures]),
            declaration: together([&sums.head, &of_methods(finals)]),
            signatures: of_methods(dispatched()),
            visible_fields: of_visible_fields(sums),
            members: sums.members,
            ancestry,
            aspects,
            setters: by_field(sets.own),
            fields: fields
                .map(|field| (field.id.clone(), field.checksum))
                .collect(),
            methods: methods.collect(),
            contents: contents.collect(),
            declared: Arc::new(declared),
        }
    }

    /// The checksum of a field; none if there is no such field.
    pub fn field(&self, field: &FieldId) -> Option<Checksum> {
        self.fields.get(field).copied()
    }

    /// Whether the class has something that JVMs ask of it when they link or show another one.
    pub(crate) fn has_aspect(&self, aspect: Checksum) -> bool {
        self.aspects.contains(&aspect)
    }

    /// The methods of the class that set a static field of it, its initialiser aside; sorted.
    pub(crate) fn setters(&self, field: &FieldId) -> &[Setter] {
        self.setters.get(field).map_or(&[], Vec::as_slice)
    }

    /// The checksum of the method that has this name in the file; none if there is no such method.
    pub fn method(&self, method: &MethodId) -> Option<Checksum> {
        self.methods.get(method).map(|method| method.checksum)
    }

    /// Whether there is a field of this name, of any type.
    pub(crate) fn has_field(&self, name: &[u8]) -> bool {
        self.fields
            .keys()
            .any(|field| field.name.as_bytes() == name)
    }

    /// Whether the method that has this name in the file is static; nothing if there is no such method.
    pub(crate) fn is_static(&self, method: &MethodId) -> Option<bool> {
        self.methods.get(method).map(|method| method.is_static)
    }

    /// Whether there is a method of this name that the name alone tells apart.
    pub(crate) fn is_known_by_name(&self, method: &MethodId) -> bool {
        let found = self.methods.get(method);
        found.is_some_and(|method| !method.is_known_by_content)
    }

    /// Whether a fact about a method is true: it had this checksum, or there was no such method.
    ///
    /// A method that is known by content may have another number today, and a number that another such
    /// method had: what counts is that there is one of that content.
    pub(crate) fn is_method_true(&self, method: &MethodId, value: Option<Checksum>) -> bool {
        let by_name = self.methods.get(method);
        let by_name = by_name.filter(|method| !method.is_known_by_content);
        let Some(checksum) = value else {
            return by_name.is_none();
        };
        if let Some(by_name) = by_name {
            return by_name.checksum == checksum;
        }
        without_number(&method.name).is_some_and(|name| {
            let content = (name, method.descriptor.clone(), checksum);
            self.contents.contains(&content)
        })
    }
}

fn by_field(mut sets: Vec<Set>) -> HashMap<FieldId, Vec<Setter>> {
    sets.sort();
    let mut setters: HashMap<FieldId, Vec<Setter>> = HashMap::new();
    for set in sets {
        setters.entry(set.field).or_default().push(set.setter);
    }
    setters
}

/// What a compiler makes up is marked in two ways, and counts like anything else.
fn without_mark(flags: AccessFlags) -> [u8; 2] {
    (flags.0 & !AccessFlags::SYNTHETIC.0).to_le_bytes()
}

/// One checksum over names, descriptors and flags of methods, which come sorted.
fn of_methods<'m>(methods: impl Iterator<Item = (&'m MethodId, AccessFlags)>) -> Checksum {
    let mut bytes = Vec::new();
    for (id, flags) in methods {
        let line = [id.name.as_bytes(), id.descriptor.as_bytes()].join(&0);
        bytes.extend(plain(&line).0);
        bytes.extend(without_mark(flags));
    }
    plain(&bytes)
}

/// The same of fields that are not private.
fn of_visible_fields(sums: &ClassChecksums) -> Checksum {
    let visible = sums
        .fields
        .iter()
        .filter(|field| !field.access_flags.contains(AccessFlags::PRIVATE));
    let mut lines: Vec<[u8; 18]> = Vec::new();
    for field in visible {
        let line = [field.id.name.as_bytes(), field.id.descriptor.as_bytes()].join(&0);
        let mut bytes = [0; 18];
        bytes[..16].copy_from_slice(&plain(&line).0);
        bytes[16..].copy_from_slice(&without_mark(field.access_flags));
        lines.push(bytes);
    }
    lines.sort_unstable();
    plain(&lines.concat())
}

/// `lambda$f$` of `lambda$f$12`, as the checksums have it.
pub(crate) fn without_number(name: &ModifiedUtf8) -> Option<ModifiedUtf8> {
    let bytes = name.as_bytes();
    let n_digits = bytes
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let prefix = &bytes[..bytes.len() - n_digits];
    (n_digits > 0 && prefix.last() == Some(&b'$')).then(|| prefix.into())
}
