//! Which look-ups by the class of an object count for whom (SPEC 2.5).
//!
//! What is kept is more than the calls that happened, and costs nothing while tests run: each class of which an object
//! was made, with each method that ran or that code names which ran. `docs/design/meshes.md` has the argument
//! that no call is left out.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use roaring::RoaringBitmap;
use tamis_classfile::AccessFlags;
use tamis_facts::{ClassName, MethodId, Subject};
use tamis_select::{Declared, Hierarchy};

use super::FactTable;
use super::class_table::{NameId, number};
use crate::class_info::{NamedMember, UnitInfo};

/// Stands for a name and a descriptor of methods.
pub(super) type SignatureId = u32;

/// Signatures by number.
#[derive(Debug, Default)]
pub(super) struct Signatures(HashMap<MethodId, SignatureId>);

/// The look-ups that an object of a class may be asked for.
#[derive(Debug)]
pub(super) struct ClassLookUps {
    class: ClassName,
    hierarchy: Arc<Hierarchy>,
    /// Methods that it has from above, or without code.
    inherited: Vec<Inherited>,
    /// Those that it declares without code.
    pub(super) without_code: Vec<SignatureId>,
    callbacks: OnceCell<u32>,
    is_interface: bool,
    has_callbacks: bool,
    /// Whether it may not be loaded, even if no object of it is made.
    may_be_forbidden: bool,
}

#[derive(Debug)]
struct Inherited {
    id: SignatureId,
    method: MethodId,
    /// The number of its fact.
    fact: OnceCell<u32>,
}

/// What an entity does with objects.
#[derive(Debug, Default, Clone)]
pub(super) struct Calls {
    /// Methods that ran or are named.
    pub(super) called: RoaringBitmap,
    /// Classes of which some code ran on an object.
    pub(super) made: RoaringBitmap,
    /// Whether objects may be made without running any code of theirs.
    pub(super) makes_any: bool,
}

/// Who uses one of these may make objects without running a constructor.
const ALLOCATORS: &[&str] = &[
    "java/io/ObjectInputStream",
    "java/rmi/MarshalledObject",
    "java/security/SignedObject",
    "javax/crypto/SealedObject",
    "jdk/internal/misc/Unsafe",
    "jdk/internal/reflect/ReflectionFactory",
    "sun/misc/Unsafe",
    "sun/reflect/ReflectionFactory",
];

/// Whether a method may make objects without running a constructor.
pub(super) fn allocates(unit: &UnitInfo) -> bool {
    let mut names = unit.classes.iter().chain(&unit.possible_names);
    names.any(|name| {
        let mut allocators = ALLOCATORS.iter();
        allocators.any(|allocator| allocator.as_bytes() == name.as_bytes())
    })
}

impl Signatures {
    pub(super) fn id(&mut self, method: &MethodId) -> SignatureId {
        if let Some(id) = self.0.get(method) {
            return *id;
        }
        let id = self.0.len() as SignatureId;
        self.0.insert(method.clone(), id);
        id
    }
}

impl ClassLookUps {
    pub(super) fn new(
        class: ClassName,
        hierarchy: Arc<Hierarchy>,
        own: &Declared,
        signatures: &mut Signatures,
    ) -> Rc<Self> {
        let methods = hierarchy.methods();
        let inherited = methods.iter().filter(|(_, has_code)| !**has_code);
        let inherited = inherited.map(|(method, _)| Inherited {
            id: signatures.id(method),
            method: (*method).clone(),
            fact: OnceCell::new(),
        });
        let inherited = inherited.collect();
        let without_code = own.dispatched().filter(|(_, flags)| {
            flags.contains(AccessFlags::ABSTRACT) || flags.contains(AccessFlags::NATIVE)
        });
        let without_code = without_code.map(|(method, _)| signatures.id(method));
        let is_interface = hierarchy.is_interface();
        Rc::new(Self {
            class,
            inherited,
            without_code: without_code.collect(),
            callbacks: OnceCell::new(),
            is_interface,
            has_callbacks: !is_interface || hierarchy.has_unseen(),
            may_be_forbidden: !hierarchy.final_methods().is_empty(),
            hierarchy,
        })
    }

    /// The numbers of the facts that count for who uses the class and calls these.
    pub(super) fn facts(&self, id: NameId, calls: &Calls, facts: &mut FactTable) -> Vec<u32> {
        let mut counting = Vec::new();
        let is_made = self.is_made(id, calls);
        if is_made && self.has_callbacks || self.may_be_forbidden {
            counting.push(*self.callbacks.get_or_init(|| {
                let value = self.hierarchy.callbacks();
                number(facts, Subject::Callbacks(self.class.clone()), Some(value))
            }));
        }
        if is_made {
            let called = self.inherited.iter();
            let called = called.filter(|inherited| calls.called.contains(inherited.id));
            counting.extend(called.map(|inherited| self.fact(inherited, facts)));
        }
        counting
    }

    /// Whether there may be objects of it.
    pub(super) fn is_made(&self, id: NameId, calls: &Calls) -> bool {
        // Classes that a JVM makes for itself implement interfaces, and nobody sees their objects made.
        self.is_interface || calls.makes_any || calls.made.contains(id)
    }

    /// The methods that it has from above, or without code.
    pub(super) fn inherited(&self) -> impl Iterator<Item = SignatureId> {
        self.inherited.iter().map(|inherited| inherited.id)
    }

    /// The number of the fact about one of these, by its place among them.
    pub(super) fn inherited_fact(&self, place: usize, facts: &mut FactTable) -> u32 {
        self.fact(&self.inherited[place], facts)
    }

    fn fact(&self, inherited: &Inherited, facts: &mut FactTable) -> u32 {
        let number = || dispatch(&self.class, &inherited.method, &self.hierarchy, facts);
        *inherited.fact.get_or_init(number)
    }
}

/// The number of the fact about what runs when a method is called on an object of a class.
pub(super) fn dispatch(
    class: &ClassName,
    method: &MethodId,
    hierarchy: &Hierarchy,
    facts: &mut FactTable,
) -> u32 {
    let value = hierarchy.target(method).checksum();
    let subject = Subject::Dispatch(class.clone(), method.clone());
    number(facts, subject, Some(value))
}

/// Whether a method makes objects that implement several interfaces at once. Which of two methods of these would run is
/// seen of none alone.
pub(super) fn joins_interfaces(unit: &UnitInfo) -> bool {
    unit.members.iter().any(|member| {
        let NamedMember::Method(owner, method) = member else {
            return false;
        };
        (owner.as_bytes(), method.name.as_bytes())
            == (b"java/lang/invoke/LambdaMetafactory", b"altMetafactory")
    })
}
