//! How far a change of look-ups reaches: the test classes that made a call which finds something else now, by the JVM's own
//! events, and those that mesh `dispatch` selects. The triples ⟨X, Y.m⟩ of the paper on HyRTS are exact; what Tamis
//! records in their place is more (`docs/design/meshes.md`), and this tells how much.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::{Result, anyhow};
use serde::{Deserialize, Serialize};
use tamis_classfile::{AccessFlags, ClassFile, Uses};
use tamis_facts::ClassName;
use tamis_select::{By, Classes, Declared, Member, changed_look_ups};

use crate::exact_methods::{Entered, ExactMethods};
use crate::selection::Selection;

/// What one mutant reaches. Entities that did not pass without a mutant run anyway, and do not count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_field_names, reason = "counts are `n_…` everywhere")]
pub(crate) struct LookUpReach {
    /// How many entities made a call that finds something else, or enter a changed method.
    pub(crate) n_concerned: usize,
    pub(crate) n_selected: usize,
    /// How many of those that did are not selected: they entered the code around a look-up, and not the look-up itself.
    pub(crate) n_left_out: usize,
}

/// The operators that change what calls find.
pub(crate) const OPERATORS: &[&str] = &["add-override", "add-default", "hide-static", "hierarchy"];

impl LookUpReach {
    pub(crate) fn new(
        changed: &ChangedCalls,
        exact: &ExactMethods,
        selection: &Selection,
        is_left_out: impl Fn(&str) -> bool,
    ) -> Self {
        let concerned = exact.classes_that(|entered| changed.concern(entered));
        let concerned: BTreeSet<&str> = concerned.filter(|class| !is_left_out(class)).collect();
        let is_selected = |name: &str| selection.selected.contains_key(name);
        let selected = selection.selected.keys();
        Self {
            n_concerned: concerned.len(),
            n_selected: selected.filter(|name| !is_left_out(name)).count(),
            n_left_out: concerned.iter().filter(|name| !is_selected(name)).count(),
        }
    }
}

/// The calls that find something else in one state of the classes than in another.
#[derive(Debug)]
pub(crate) struct ChangedCalls {
    old: Declarations,
    new: Declarations,
    /// Methods that classes got, as `m(I)V`, with their classes.
    got: BTreeMap<String, BTreeSet<ClassName>>,
    /// Methods that are others, or that name a static or a field which is found elsewhere, as `a/B.m(I)V`.
    methods: BTreeSet<String>,
}

/// Class files by their names.
type Files<'f> = BTreeMap<&'f str, &'f [u8]>;

/// What classes declare; those of the JDK and of other libraries are not seen.
#[derive(Debug)]
struct Declarations(BTreeMap<ClassName, Arc<Declared>>);

impl ChangedCalls {
    /// Of all classes before and after, and of the methods that are others.
    pub(crate) fn new(old: &Files<'_>, new: &Files<'_>, changed: BTreeSet<String>) -> Result<Self> {
        let mut calls = Self {
            old: Declarations::new(old)?,
            new: Declarations::new(new)?,
            got: BTreeMap::new(),
            methods: changed,
        };
        calls.find_got();
        calls.find_naming(old)?;
        Ok(calls)
    }

    fn find_got(&mut self) {
        for (class, declared) in &self.new.0 {
            let before = self.old.0.get(class);
            for (method, flags) in declared.dispatched() {
                let has_code = |flags: AccessFlags| !flags.contains(AccessFlags::ABSTRACT);
                let then = before.and_then(|before| before.methods.get(method));
                if then.map(|then| has_code(*then)) != Some(has_code(flags)) {
                    let classes = self.got.entry(method.to_string()).or_default();
                    classes.insert(class.clone());
                }
            }
        }
    }

    /// The methods whose code names something that is found elsewhere.
    fn find_naming(&mut self, old: &Files<'_>) -> Result<()> {
        let mut found_elsewhere = BTreeSet::new();
        for class in self.old.0.keys() {
            let changed =
                changed_look_ups(class, &self.old, &self.new).map_err(|why| anyhow!(why))?;
            let changed = changed.into_iter().filter(|one| one.by == By::Name);
            found_elsewhere.extend(changed.map(|one| (one.class, one.member)));
        }
        if found_elsewhere.is_empty() {
            return Ok(());
        }
        for (name, bytes) in old {
            let class = ClassFile::parse(bytes)?;
            for method in &class.methods {
                let uses = Uses::of(&class, method)?;
                let mut named = uses.members.iter().map(|reference| &reference.member);
                let is_named = named.any(|named| {
                    let mut all = found_elsewhere.iter();
                    all.any(|(class, member)| is_same(named, class, member))
                });
                if is_named {
                    let pool = &class.constant_pool;
                    let [method, descriptor] = [method.name, method.descriptor]
                        .map(|text| pool.utf8(text).map(String::from_utf8_lossy));
                    self.methods
                        .insert(format!("{name}.{}{}", method?, descriptor?));
                }
            }
        }
        Ok(())
    }

    /// Whether a test class that entered this is concerned.
    fn concern(&self, entered: &Entered) -> bool {
        let mut received = entered.received.iter();
        !entered.methods.is_disjoint(&self.methods)
            || received.any(|(receiver, method)| self.is_found_elsewhere(receiver, method))
    }

    /// Whether a call that entered a method on an object finds another one: one was added between both.
    fn is_found_elsewhere(&self, receiver: &str, method: &str) -> bool {
        // A slash ends the package, and a dot the class.
        let Some((of, method)) = method.split_once('.') else {
            return false;
        };
        let (receiver, of) = (ClassName::from(receiver), ClassName::from(of));
        let mut classes = self.got.get(method).into_iter().flatten();
        classes.any(|class| {
            *class != of && self.is_below(&receiver, class) && self.is_above(&of, class)
        })
    }

    fn is_below(&self, below: &ClassName, above: &ClassName) -> bool {
        self.old.is_below(below, above) || self.new.is_below(below, above)
    }

    /// Whether what was found is above the class that has the method now. Of the JDK's types it is not seen what is above
    /// them; a class comes before all of them, whatever they are.
    fn is_above(&self, found: &ClassName, class: &ClassName) -> bool {
        let is_seen = self.old.0.contains_key(found);
        let is_class = |declared: &Arc<Declared>| !declared.is_interface;
        let has_first = !is_seen && self.new.0.get(class).is_some_and(is_class);
        has_first || self.is_below(class, found)
    }
}

fn is_same(named: &tamis_classfile::Member<'_>, class: &ClassName, member: &Member) -> bool {
    let (name, descriptor) = match member {
        Member::Method(method) => (&method.name, &method.descriptor),
        Member::Field(field) => (&field.name, &field.descriptor),
    };
    named.owner == class.as_bytes()
        && named.name == name.as_bytes()
        && named.descriptor == descriptor.as_bytes()
}

impl Declarations {
    fn new(files: &Files<'_>) -> Result<Self> {
        let mut all = BTreeMap::new();
        for (name, bytes) in files {
            let declared = Declared::of(&ClassFile::parse(bytes)?)?;
            all.insert(ClassName::from(*name), Arc::new(declared));
        }
        Ok(Self(all))
    }

    fn is_below(&self, below: &ClassName, above: &ClassName) -> bool {
        let mut seen = BTreeSet::new();
        let mut next = vec![below];
        while let Some(name) = next.pop() {
            if name == above {
                return true;
            }
            if let Some(declared) = self.0.get(name).filter(|_| seen.insert(name)) {
                next.extend(declared.supertypes());
            }
        }
        false
    }
}

impl Classes for Declarations {
    fn declared(&self, class: &ClassName) -> Result<Option<Arc<Declared>>, String> {
        Ok(self.0.get(class).cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_testkit::jdks::newest_jdk;
    use tamis_testkit::server::JavaServer;

    const A: &str = "class A { int f() { return 1; } static int s() { return 2; } }";
    const C: &str = "class C extends B { }";
    const D: &str = "class D { int f() { return C.s(); } int g() { return A.s(); } }";

    #[test]
    fn who_calls_through_a_class_that_got_a_method_is_concerned() {
        let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
        let mut compile = |b: &str| {
            let files = [("A.java", A), ("B.java", b), ("C.java", C), ("D.java", D)];
            server.compile(&[], &files).unwrap()
        };
        let old = compile("class B extends A { }");
        let mut check = |b: &str, entered: &[&str], received: &[(&str, &str)], expected| {
            let new = compile(b);
            let [old, new] = [&old, &new].map(|classes| {
                let files = classes.iter();
                files.map(|(name, bytes)| (&**name, &**bytes)).collect()
            });
            let calls = ChangedCalls::new(&old, &new, BTreeSet::new()).unwrap();
            let owned = |text: &str| text.to_owned();
            let entered = Entered {
                methods: entered.iter().map(|method| owned(method)).collect(),
                received: received
                    .iter()
                    .map(|(class, method)| (owned(class), owned(method)))
                    .collect(),
            };
            assert_eq!(calls.concern(&entered), expected, "{b}: {entered:?}");
        };
        let overriding = "class B extends A { int f() { return 3; } }";
        check(overriding, &[], &[("C", "A.f()I")], true);
        check(overriding, &["A.f()I"], &[("A", "A.f()I")], false);
        check(overriding, &[], &[("C", "A.g()I")], false);
        let of_object = "class B extends A { public int hashCode() { return 3; } }";
        let hash_code = "java/lang/Object.hashCode()I";
        check(of_object, &[], &[("C", hash_code)], true);
        check(of_object, &[], &[("A", hash_code)], false);
        let hiding = "class B extends A { static int s() { return 3; } }";
        check(hiding, &["A.s()I", "D.f()I"], &[], true);
        check(hiding, &["A.s()I", "D.g()I"], &[], false);
    }
}
