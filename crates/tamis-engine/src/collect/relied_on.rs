//! What units add up to: facts, the classes that they use, and what counts of these.
//!
//! Whatever is added leads to more, and nothing takes anything away: so the order does not matter, and what most
//! entities have in common is added up once for all of them (`common_part.rs`). Look-ups need care, since they count for
//! who makes an object *and* calls a method: whichever comes last finds the other there.

use std::collections::BTreeSet;

use roaring::RoaringBitmap;
use tamis_store::FactSet;
use tamis_wire::Sight;

use super::FactTable;
use super::class_table::{ClassTable, NameId};
use super::left_state::HandingOver;
use super::look_ups::{Calls, SignatureId};
use super::unit_table::UnitFacts;

/// What some units, and classes beside them, add up to.
#[derive(Debug, Clone, Default)]
pub(super) struct ReliedOn {
    pub(super) facts: FactSet,
    /// Facts about methods of which it is not known which blocks ran.
    pub(super) unblocked: FactSet,
    pub(super) doubts: BTreeSet<String>,
    /// What no fact covers.
    pub(super) untracked: BTreeSet<String>,
    /// Of what all was asked for.
    pub(super) coarse: BTreeSet<Sight>,
    pub(super) handing_over: HandingOver,
    /// The classes that are used, with all that are used with them.
    names: RoaringBitmap,
    /// Classes whose members count if they are used.
    listed: RoaringBitmap,
    /// Whether those of all classes do.
    is_all_listed: bool,
    /// Whether classes count that such members name.
    reads_types: bool,
    calls: Calls,
}

/// Where to look up what follows.
pub(super) struct Tables<'t, 'c> {
    pub(super) classes: &'t mut ClassTable<'c>,
    pub(super) facts: &'t mut FactTable,
}

impl ReliedOn {
    /// A unit ran.
    pub(super) fn add_unit(&mut self, unit: &UnitFacts, tables: &mut Tables<'_, '_>) {
        self.unblocked.extend(&unit.unblocked);
        self.untracked.extend(unit.outside.clone());
        self.coarse.extend(&unit.coarse);
        self.handing_over.add(unit);
        for class in &unit.listed {
            self.use_class(*class, tables);
            self.list(*class, tables);
        }
        self.add_code(unit, tables);
    }

    /// Some code may have run.
    pub(super) fn add_code(&mut self, code: &UnitFacts, tables: &mut Tables<'_, '_>) {
        self.facts.extend(&code.facts);
        self.doubts.extend(code.doubt.clone());
        for class in &code.classes {
            self.use_class(*class, tables);
        }
        for signature in &code.called {
            self.call(*signature, tables);
        }
        if let Some(class) = code.of_object
            && self.calls.made.insert(class)
            && self.names.contains(class)
        {
            self.add_look_ups(class, tables);
        }
        if code.makes_any {
            self.make_any(tables);
        }
        if code.reads_types {
            self.read_types(tables);
        }
    }

    /// A class is used, and with it others.
    pub(super) fn use_class(&mut self, class: NameId, tables: &mut Tables<'_, '_>) {
        let mut next = vec![class];
        while let Some(name) = next.pop() {
            if !self.names.insert(name) {
                continue;
            }
            let class = tables.classes.get(name, tables.facts);
            self.facts.extend(&class.facts);
            self.doubts.extend(class.doubt.clone());
            next.extend(&class.with_it);
            self.add_look_ups(name, tables);
            if self.is_all_listed || self.listed.contains(name) {
                next.extend(self.add_members(name, tables));
            }
        }
    }

    /// The members of a class count if it is used.
    pub(super) fn list(&mut self, class: NameId, tables: &mut Tables<'_, '_>) {
        if self.listed.insert(class) && self.names.contains(class) && !self.is_all_listed {
            for declared in self.add_members(class, tables) {
                self.use_class(declared, tables);
            }
        }
    }

    /// A framework looks at the members of a class for its tests, and gives these objects of the types that it finds there.
    pub(super) fn show(&mut self, class: NameId, tables: &mut Tables<'_, '_>) {
        self.list(class, tables);
        let found = tables.classes.get(class, tables.facts);
        for declared in &found.declared {
            self.use_class(*declared, tables);
        }
    }

    /// The members of all classes count that are used.
    pub(super) fn list_all(&mut self, tables: &mut Tables<'_, '_>) {
        self.is_all_listed = true;
        for name in &self.names.clone() {
            for declared in self.add_members(name, tables) {
                self.use_class(declared, tables);
            }
        }
    }

    /// Code gets at the classes that members name which count.
    fn read_types(&mut self, tables: &mut Tables<'_, '_>) {
        if self.reads_types {
            return;
        }
        self.reads_types = true;
        let mut shown = self.names.clone();
        if !self.is_all_listed {
            shown &= &self.listed;
        }
        for name in &shown {
            let class = tables.classes.get(name, tables.facts);
            for declared in &class.declared {
                self.use_class(*declared, tables);
            }
        }
    }

    /// Objects of any class may be made without running code of theirs.
    pub(super) fn make_any(&mut self, tables: &mut Tables<'_, '_>) {
        if self.calls.makes_any {
            return;
        }
        self.calls.makes_any = true;
        for name in &self.names.clone() {
            self.add_look_ups(name, tables);
        }
    }

    /// The members of a class count. The classes are given that are used for it.
    fn add_members(&mut self, name: NameId, tables: &mut Tables<'_, '_>) -> Vec<NameId> {
        let class = tables.classes.get(name, tables.facts);
        self.facts.extend(class.members);
        // Whoever has a method may call it, on an object of any class.
        if let Some(look_ups) = tables.classes.look_ups(name, tables.facts) {
            for signature in &look_ups.without_code {
                self.call(*signature, tables);
            }
        }
        if self.reads_types {
            class.declared.clone()
        } else {
            Vec::new()
        }
    }

    /// A method is called on objects.
    fn call(&mut self, signature: SignatureId, tables: &mut Tables<'_, '_>) {
        if !self.calls.called.insert(signature) {
            return;
        }
        let Self { names, calls, .. } = &*self;
        let counting = tables.classes.newly_called(
            signature,
            |class, look_ups| names.contains(class) && look_ups.is_made(class, calls),
            tables.facts,
        );
        self.facts.extend(counting);
    }

    /// What counts of the look-ups that objects of a class may be asked for.
    fn add_look_ups(&mut self, name: NameId, tables: &mut Tables<'_, '_>) {
        if let Some(look_ups) = tables.classes.look_ups(name, tables.facts) {
            let counting = look_ups.facts(name, &self.calls, tables.facts);
            self.facts.extend(counting);
        }
    }
}
