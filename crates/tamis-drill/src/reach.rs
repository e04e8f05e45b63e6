//! How far a change of bodies reaches: the test classes that enter a changed method, and the entities that are selected
//! beyond them. A tool that selects everything misses nothing; this shows that Tamis is not such a tool.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, anyhow};
use serde::{Deserialize, Serialize};
use tamis_classfile::checksum::{ClassChecksums, DebugInfo, MethodChecksum};
use tamis_select::ClassState;

use crate::exact_methods::ExactMethods;
use crate::selection::Selection;

/// What one mutant reaches. Entities that did not pass without a mutant run anyway, and do not count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reach {
    /// How many entities enter a changed method.
    pub(crate) n_entered: usize,
    pub(crate) n_selected: usize,
    /// Those that are selected and enter none, with the facts that are not true any more.
    pub(crate) extra: BTreeMap<String, BTreeSet<String>>,
}

impl Reach {
    pub(crate) fn new(
        changed: &BTreeSet<String>,
        exact: &ExactMethods,
        selection: &Selection,
        is_left_out: impl Fn(&str) -> bool,
    ) -> Self {
        let entered = exact.classes_that(|entered| !entered.methods.is_disjoint(changed));
        let n_entered = entered.filter(|class| !is_left_out(class)).count();
        let selected = selection.selected.iter();
        let selected: Vec<_> = selected.filter(|(name, _)| !is_left_out(name)).collect();
        let extra = selected
            .iter()
            .filter(|(name, _)| !exact.enters_any(name, changed));
        Self {
            n_entered,
            n_selected: selected.len(),
            extra: extra
                .map(|(name, facts)| ((*name).clone(), (*facts).clone()))
                .collect(),
        }
    }
}

/// The methods of a class that are others in its new form, or not there any more, as `a/B.m(I)V`. Tests entered them
/// before; nobody has entered what is added.
pub(crate) fn changed_methods(old: &[u8], new: Option<&[u8]>) -> Result<BTreeSet<String>> {
    let old = checksums(old)?;
    let new = new.map(checksums).transpose()?;
    let new = new.map_or_else(Vec::new, |new| new.methods);
    let stays = |method: &MethodChecksum| {
        new.iter().any(|other| {
            // A lambda may get another number without being another.
            let is_known_by_content = method.is_known_by_content && other.is_known_by_content;
            other.checksum == method.checksum && (is_known_by_content || other.id == method.id)
        })
    };
    let changed = old.methods.iter().filter(|method| !stays(method));
    let changed = changed.map(|method| format!("{}.{}", old.name, method.id));
    Ok(changed.collect())
}

fn checksums(bytes: &[u8]) -> Result<ClassChecksums> {
    let parts = ClassState::of(bytes, DebugInfo::Ignored).parts;
    let parts = parts.map_err(|opaque| anyhow!(opaque.reason))?;
    Ok(parts.checksums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_testkit::jdks::newest_jdk;
    use tamis_testkit::server::JavaServer;

    #[test]
    fn only_methods_that_were_there_and_are_others_have_changed() {
        let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
        let mut compile = |body: &str| {
            let source = format!("class A {{ {body} }}");
            let classes = server.compile(&[], &[("A.java", &source)]).unwrap();
            classes["A"].clone()
        };
        let old = compile(
            "int f() { return 1; } int g() { return 1; } Runnable r() { return () -> f(); }",
        );
        let mut check = |body: &str, expected: &[&str]| {
            let new = compile(body);
            let changed = changed_methods(&old, Some(&new)).unwrap();
            assert_eq!(changed.into_iter().collect::<Vec<_>>(), expected, "{body}");
        };
        check(
            "int f() { return 2; } int g() { return 1; } Runnable r() { return () -> f(); }",
            &["A.f()I"],
        );
        check(
            "int f() { return 1; } int h() { return 1; } Runnable r() { return () -> f(); }",
            &["A.g()I"],
        );
        check(
            "Runnable q() { return () -> g(); }
            int f() { return 1; } int g() { return 1; } Runnable r() { return () -> f(); }",
            &[],
        );
        let all = changed_methods(&old, None).unwrap();
        assert_eq!(all.len(), 5, "{all:?}");
    }

    #[test]
    fn what_is_selected_and_enters_nothing_is_extra() {
        let exact = ExactMethods::of(&[
            ("ATest", &["A.f()I", "A.g()I"]),
            ("BTest", &["A.g()I"]),
            ("CTest", &["A.f()I"]),
            ("RedTest", &["A.f()I"]),
        ]);
        let fact = |text: &str| BTreeSet::from([text.to_owned()]);
        let selected = ["ATest", "BTest", "RedTest"].map(|name| (name.to_owned(), fact(name)));
        let selection = Selection {
            n_entities: 4,
            selected: selected.into(),
            ..Selection::default()
        };
        let changed = BTreeSet::from(["A.f()I".to_owned()]);
        let reach = Reach::new(&changed, &exact, &selection, |name| name == "RedTest");
        let expected = Reach {
            n_entered: 2,
            n_selected: 2,
            extra: [("BTest".to_owned(), fact("BTest"))].into(),
        };
        assert_eq!(reach, expected);
    }
}
