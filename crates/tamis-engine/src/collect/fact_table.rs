//! Facts by number, as the sets of entities name them.

use std::collections::HashMap;

use tamis_facts::{Fact, Subject};
use tamis_store::FactSet;
use tamis_wire::Marking;

/// Facts, each with the number by which the sets of entities name it.
#[derive(Debug, Default)]
pub(crate) struct FactTable {
    /// Whether the run marks blocks.
    pub(super) has_blocks: bool,
    facts: Vec<Fact>,
    numbers: HashMap<Fact, u32>,
    /// Those that are about blocks.
    blocks: FactSet,
    /// Those that are about who sets a static field.
    setters: FactSet,
}

impl FactTable {
    /// No facts yet of a run that marks blocks, or does not.
    pub(crate) fn new(marking: Marking) -> Self {
        Self {
            has_blocks: marking == Marking::Blocks,
            ..Self::default()
        }
    }

    /// The number of a fact.
    pub(crate) fn number(&mut self, fact: Fact) -> u32 {
        if let Some(number) = self.numbers.get(&fact) {
            return *number;
        }
        let number = self.facts.len() as u32;
        match fact.subject {
            Subject::Block(..) => drop(self.blocks.insert(number)),
            Subject::Setters(..) | Subject::SettersElsewhere(..) => {
                self.setters.insert(number);
            }
            _ => {}
        }
        self.facts.push(fact.clone());
        self.numbers.insert(fact, number);
        number
    }

    /// The number of a fact that has one.
    pub(crate) fn known_number(&self, fact: &Fact) -> Option<u32> {
        self.numbers.get(fact).copied()
    }

    /// Those that are about who sets a static field: they count because of what others may leave.
    pub(crate) fn setters(&self) -> &FactSet {
        &self.setters
    }

    /// All facts, by number.
    pub(crate) fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// Takes the blocks of methods out of a set: of these it is not known, in one JVM at least, which blocks ran.
    pub(crate) fn drop_blocks(&self, methods: &FactSet, from: &mut FactSet) {
        if methods.is_empty() {
            return;
        }
        let is_dropped = |number: &u32| {
            let method = self.method_of_block(*number);
            method.is_some_and(|method| methods.contains(method))
        };
        let blocks = &*from & &self.blocks;
        let dropped: FactSet = blocks.iter().filter(is_dropped).collect();
        *from -= dropped;
    }

    /// The methods in a set of which it has no blocks.
    pub(crate) fn methods_without_blocks(&self, set: &FactSet) -> FactSet {
        let is_method = |number: &u32| {
            let subject = &self.facts[*number as usize].subject;
            matches!(subject, Subject::Method(..))
        };
        let methods: FactSet = set.iter().filter(is_method).collect();
        let blocks = set & &self.blocks;
        let with_blocks: FactSet = blocks
            .iter()
            .filter_map(|number| self.method_of_block(number))
            .collect();
        methods - with_blocks
    }

    /// The number of the fact about the method of a block, as it was then; none of what is no block.
    fn method_of_block(&self, number: u32) -> Option<u32> {
        let Fact { subject, value } = &self.facts[number as usize];
        let Subject::Block(class, method, _) = subject else {
            return None;
        };
        let method = Fact {
            subject: Subject::Method(class.clone(), method.clone()),
            value: *value,
        };
        self.numbers.get(&method).copied()
    }
}
