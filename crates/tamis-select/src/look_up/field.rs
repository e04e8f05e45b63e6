//! Which field the JVM finds by the class that code names (JVMS 5.4.3.2).

use std::collections::HashSet;

use tamis_facts::{ClassName, FieldId};

use super::hierarchy::Hierarchy;

impl Hierarchy {
    /// The class or interface whose field is found, if one is that is seen: each class comes before its interfaces, and these
    /// before its superclass.
    pub fn field(&self, field: &FieldId) -> Option<&ClassName> {
        if self.is_interface() {
            return self.of_interfaces([&self.class], field);
        }
        self.chain.iter().find_map(|(name, declared)| {
            if declared.fields.contains_key(field) {
                return Some(name);
            }
            self.of_interfaces(&declared.interfaces, field)
        })
    }

    /// The first that has it, each before those above it.
    fn of_interfaces<'h>(
        &'h self,
        interfaces: impl IntoIterator<Item = &'h ClassName>,
        field: &FieldId,
    ) -> Option<&'h ClassName> {
        let mut next: Vec<&ClassName> = interfaces.into_iter().collect();
        next.reverse();
        let mut seen = HashSet::new();
        while let Some(name) = next.pop() {
            let Some(declared) = self.interfaces.get(name).filter(|_| seen.insert(name)) else {
                continue;
            };
            if declared.fields.contains_key(field) {
                return Some(name);
            }
            next.extend(declared.interfaces.iter().rev());
        }
        None
    }
}
