//! What is broken of what counts under a mesh, and for which records.

use tamis_facts::{Mesh, SubjectKind};
use tamis_select::counts;
use tamis_store::{FactSet, Facts, KeptSet, Marks};

use crate::today::{ChangedMethod, ClassStates, KeptClasses, changed_methods};

/// Which of these records are true by a mesh, if this is all that is broken.
pub fn are_true(
    records: &[KeptSet],
    (facts, broken): (&Facts, &FactSet),
    classes: &ClassStates<'_>,
    kept: &dyn KeptClasses,
    mesh: Mesh,
) -> Vec<bool> {
    let changed = changed_methods(facts, broken, classes, kept);
    let sieve = Sieve::new(facts, broken, &changed, mesh);
    let are_true = records.iter().map(|record| sieve.is_true(record));
    are_true.collect()
}

/// What a record must not rely on to be true.
#[derive(Debug, Default)]
pub(super) struct Sieve {
    /// Facts that are broken for whoever has them.
    broken: FactSet,
    /// The same, to be compared with thousands of records.
    marks: Marks,
    /// Methods that changed, but not for those who know that they ran other blocks of them.
    methods: Vec<Excused>,
}

/// A method that changed for those only of which it is not known which blocks they ran. (Blocks that changed are broken.)
#[derive(Debug)]
struct Excused {
    method: u32,
    blocks: Marks,
}

impl Sieve {
    /// As a mesh sees what is broken.
    pub(super) fn new(
        facts: &Facts,
        all_broken: &FactSet,
        changed: &[ChangedMethod],
        mesh: Mesh,
    ) -> Self {
        let is_broken = |number: &u32| {
            let fact = facts.fact(*number);
            // Whether a block is broken its method says, and what changed in that.
            fact.kind != SubjectKind::Block && counts(fact.kind, fact.value, mesh)
        };
        let mut sieve = Self {
            broken: all_broken.iter().filter(is_broken).collect(),
            marks: Marks::default(),
            methods: Vec::new(),
        };
        if mesh >= Mesh::Block {
            for one in changed {
                sieve.excuse(one);
            }
        }
        sieve.marks = Marks::from(&sieve.broken);
        sieve
    }

    /// As one that these facts break too.
    pub(super) fn with(mut self, broken: impl Iterator<Item = u32>) -> Self {
        self.broken.extend(broken);
        self.marks = Marks::from(&self.broken);
        self
    }

    fn excuse(&mut self, changed: &ChangedMethod) {
        if self.broken.remove(changed.method) {
            self.broken.extend(changed.changed.keys());
            self.methods.push(Excused {
                method: changed.method,
                blocks: Marks::from(&changed.blocks),
            });
        }
    }

    /// Whether a record with these facts is true.
    pub(super) fn is_true(&self, facts: &KeptSet) -> bool {
        facts.is_disjoint(&self.marks) && !self.methods.iter().any(|one| one.is_broken_for(facts))
    }

    /// What of these facts is broken.
    pub(super) fn broken_of(&self, facts: &KeptSet) -> FactSet {
        let methods = self.methods.iter().filter(|one| one.is_broken_for(facts));
        let mut broken = facts.marked(&self.marks);
        broken.extend(methods.map(|one| one.method));
        broken
    }

    /// All that is broken for some record.
    pub(super) fn all(&self) -> FactSet {
        let mut all = self.broken.clone();
        all.extend(self.methods.iter().map(|one| one.method));
        all
    }
}

impl Excused {
    fn is_broken_for(&self, facts: &KeptSet) -> bool {
        facts.contains(self.method) && facts.is_disjoint(&self.blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_facts::{Checksum, Fact, MethodId, Subject};

    /// A method is fact 0, its blocks are 1, 2 and 3, of which 2 changed; 4 is another method.
    fn sieve(mesh: Mesh) -> Sieve {
        let method = |name: &str| MethodId {
            name: name.into(),
            descriptor: "()V".into(),
        };
        let subjects = [
            Subject::Method("a/B".into(), method("m")),
            Subject::Block("a/B".into(), method("m"), 0),
            Subject::Block("a/B".into(), method("m"), 1),
            Subject::Block("a/B".into(), method("m"), 2),
            Subject::Method("a/B".into(), method("n")),
        ];
        let value = Some(Checksum([1; 16]));
        let facts = (0..).zip(subjects.map(|subject| Fact { subject, value }));
        let changed = ChangedMethod {
            method: 0,
            blocks: [1, 2, 3].into_iter().collect(),
            changed: [(2, None)].into_iter().collect(),
        };
        Sieve::new(&facts.collect(), &(0..=4).collect(), &[changed], mesh)
    }

    fn check(mesh: Mesh, record: &[u32], expected: &[u32]) {
        let sieve = sieve(mesh);
        let record: KeptSet = record.iter().copied().collect();
        let broken: Vec<u32> = sieve.broken_of(&record).iter().collect();
        assert_eq!(broken, expected);
        assert_eq!(sieve.is_true(&record), expected.is_empty());
        assert!(sieve.broken_of(&record).is_subset(&sieve.all()));
    }

    #[test]
    fn a_method_is_excused_for_who_ran_other_blocks() {
        check(Mesh::Block, &[0, 1, 3], &[]);
        check(Mesh::Block, &[0, 1, 2], &[2]);
        check(Mesh::Method, &[0, 1, 3], &[0]);
        check(Mesh::Method, &[0, 1, 2], &[0]);
    }

    #[test]
    fn who_knows_nothing_of_blocks_is_not_excused() {
        check(Mesh::Block, &[0], &[0]);
        check(Mesh::Block, &[0, 1, 4], &[4]);
        check(Mesh::Block, &[4], &[4]);
        check(Mesh::Block, &[], &[]);
    }
}
