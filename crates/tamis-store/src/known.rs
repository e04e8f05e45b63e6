//! What is known of a realm, as it was read: names, tests and sets stay in the bytes that were kept until somebody asks.

use tamis_facts::{EntityId, ModifiedUtf8, Realm, Record};

use crate::facts::Facts;
use crate::kept_set::KeptSet;
use crate::slice::Slice;
use crate::test_list::KeptTests;

/// A record as it was kept.
pub type KeptRecord = Record<KeptSet, KeptTests>;

/// All that is known of a realm.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Its entities.
    pub entities: Entities,
    /// The facts that their records name, by number.
    pub facts: Facts,
}

/// The entities of a realm that have records.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Entities {
    realm: Realm,
    /// Sorted by their names.
    entities: Vec<Entity>,
}

/// What is known of an entity.
#[derive(Debug, PartialEq, Eq)]
pub struct Entity {
    framework: Slice,
    test: Slice,
    /// Its records, the newest first.
    pub records: Vec<KeptRecord>,
}

impl Entities {
    /// Those of a realm; they are sorted by their names.
    pub(crate) fn new(realm: Realm, entities: Vec<Entity>) -> Self {
        debug_assert!(entities.is_sorted_by_key(Entity::names));
        Self { realm, entities }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }

    /// What is known of one.
    pub fn get(&self, id: &EntityId) -> Option<&Entity> {
        if id.realm != self.realm {
            return None;
        }
        let names = (id.framework.as_bytes(), id.test.as_bytes());
        let entities = &self.entities;
        let found = entities.binary_search_by(|entity| entity.names().cmp(&names));
        found.ok().map(|position| &entities[position])
    }

    /// Whether one is known.
    pub fn contains(&self, id: &EntityId) -> bool {
        self.get(id).is_some()
    }

    /// All of them, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (EntityId, &Entity)> {
        let entities = self.entities.iter();
        entities.map(|entity| (entity.id(&self.realm), entity))
    }

    /// Which there are, sorted.
    pub fn ids(&self) -> impl Iterator<Item = EntityId> {
        self.iter().map(|(id, _)| id)
    }

    /// What is known of each, sorted by their ids.
    pub fn values(&self) -> impl Iterator<Item = &Entity> {
        self.entities.iter()
    }
}

impl Entity {
    /// One without records.
    pub(crate) fn new(framework: Slice, test: Slice) -> Self {
        Self {
            framework,
            test,
            records: Vec::new(),
        }
    }

    fn id(&self, realm: &Realm) -> EntityId {
        EntityId {
            realm: realm.clone(),
            framework: ModifiedUtf8(self.framework.to_vec()),
            test: ModifiedUtf8(self.test.to_vec()),
        }
    }

    fn names(&self) -> (&[u8], &[u8]) {
        (&self.framework, &self.test)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(module: &str, framework: &str, test: &str) -> EntityId {
        EntityId {
            realm: Realm {
                module: module.to_owned(),
                execution: String::new(),
            },
            framework: framework.into(),
            test: test.into(),
        }
    }

    #[test]
    fn an_entity_is_found_by_all_of_its_names() {
        let names = [("a", "b"), ("ab", ""), ("b", "a"), ("b", "b")];
        let slice = |text: &str| Slice::from(text.as_bytes().to_vec());
        let entities = names.map(|(framework, test)| Entity::new(slice(framework), slice(test)));
        let realm = id("m", "", "").realm;
        let entities = Entities::new(realm, entities.into());
        let ids = names.map(|(framework, test)| id("m", framework, test));
        assert!(entities.ids().eq(ids.clone()));
        for id in &ids {
            let found = entities.get(id).unwrap();
            assert_eq!(&found.id(&id.realm), id);
        }
        for other in [id("n", "a", "b"), id("m", "a", ""), id("m", "c", "a")] {
            assert!(!entities.contains(&other));
        }
        assert!(!Entities::default().contains(&ids[0]));
    }
}
