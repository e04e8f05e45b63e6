//! What keeps objects of the program's for later tests and is no code of it: which code asks it, and which it keeps something of.
//!
//! No static field of the program's leads to what lies there, so each of these is a place where tests leave something (`left_state.rs`).

use tamis_facts::{ClassName, MethodId};

use super::left_state::Keeper;

/// Classes whose methods give out what is kept.
const ASKED: &[(&str, Keeper)] = &[
    ("java/beans/Introspector", Keeper::Beans),
    ("java/util/ResourceBundle", Keeper::Bundles),
    (
        "org/junit/jupiter/api/extension/ExtensionContext$Store",
        Keeper::Store,
    ),
    (
        "org/junit/platform/engine/support/store/NamespacedHierarchicalStore",
        Keeper::Store,
    ),
];

/// Types of the JDK's of whose classes it makes objects, which it keeps.
const KEPT: &[(&str, Keeper)] = &[
    ("java/beans/BeanInfo", Keeper::Beans),
    ("java/beans/SimpleBeanInfo", Keeper::Beans),
    ("java/util/ListResourceBundle", Keeper::Bundles),
    ("java/util/ResourceBundle", Keeper::Bundles),
];

/// What bootstrap methods begin with: who names one has call sites, or constants, that it links (JVMS 5.4.3.6).
const LINKING: &[u8] = b"(Ljava/lang/invoke/MethodHandles$Lookup;";

/// Whether a method may link call sites and constants of who names it.
pub(super) fn is_linking(method: &MethodId) -> bool {
    method.descriptor.as_bytes().starts_with(LINKING)
}

/// What may give an object to who calls a method of this class.
pub(super) fn asked_by(owner: &ClassName, method: &MethodId) -> Option<Keeper> {
    let by_name = (method.name.as_bytes() == b"getStore").then_some(Keeper::Store);
    by_name.or_else(|| keeper(ASKED, owner))
}

/// What keeps objects of classes that extend or implement this type.
pub(super) fn keeper_below(supertype: &ClassName) -> Option<Keeper> {
    keeper(KEPT, supertype)
}

fn keeper(table: &[(&str, Keeper)], class: &ClassName) -> Option<Keeper> {
    let mut rows = table.iter();
    let found = rows.find(|(name, _)| name.as_bytes() == class.as_bytes());
    found.map(|(_, keeper)| *keeper)
}
