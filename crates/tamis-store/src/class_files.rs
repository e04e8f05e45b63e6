//! Class files as they were when tests ran, by the checksum of the class: the old code, with which today's is compared block by
//! block, whatever was checked out or compiled since.

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension as _, params};
use tamis_facts::Checksum;

use crate::blob::{Packer, expand};
use crate::error::StoreError;
use crate::fact_groups::known_classes;
use crate::open::Store;

impl Store {
    /// Keeps class files that are not kept yet.
    pub fn keep_class_files(
        &mut self,
        files: &BTreeMap<Checksum, Vec<u8>>,
    ) -> Result<(), StoreError> {
        if files.is_empty() {
            return Ok(());
        }
        let transaction = self.begin_writing()?;
        let mut packer = Packer::new()?;
        for (checksum, bytes) in files {
            let is_kept = transaction
                .prepare_cached("SELECT 1 FROM class_file WHERE checksum = ?1")?
                .exists([checksum.0])?;
            if !is_kept {
                transaction
                    .prepare_cached("INSERT INTO class_file (checksum, bytes) VALUES (?1, ?2)")?
                    .execute(params![checksum.0, packer.pack(bytes)?])?;
            }
        }
        Ok(transaction.commit()?)
    }

    /// The class file with this checksum, if it was kept.
    pub fn class_file(&self, checksum: Checksum) -> Result<Option<Vec<u8>>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT bytes FROM class_file WHERE checksum = ?1")?;
        let packed: Option<Vec<u8>> = statement
            .query_row([checksum.0], |row| row.get(0))
            .optional()?;
        packed.map(|packed| expand(&packed)).transpose()
    }

    /// Drops class files that no fact is about any more. How many there were.
    pub(crate) fn sweep_class_files(&mut self) -> Result<usize, StoreError> {
        let transaction = self.begin_writing()?;
        let kept: Vec<[u8; 16]> = transaction
            .prepare("SELECT checksum FROM class_file")?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        if kept.is_empty() {
            return Ok(0);
        }
        let known = known_classes(&transaction)?;
        let mut n_dropped = 0;
        for checksum in kept {
            if !known.contains(&Checksum(checksum)) {
                n_dropped += transaction
                    .prepare_cached("DELETE FROM class_file WHERE checksum = ?1")?
                    .execute([checksum])?;
            }
        }
        transaction.commit()?;
        Ok(n_dropped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tamis_facts::{EntityId, Fact, Realm, Record, RunVerdict, Subject};

    const ONE: Checksum = Checksum([1; 16]);
    const TWO: Checksum = Checksum([2; 16]);

    /// A store with a record that knows the class of checksum one.
    fn store() -> (tempfile::TempDir, Store, EntityId) {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path()).unwrap().store;
        let entity = EntityId {
            realm: Realm {
                module: "m".to_owned(),
                execution: "e".to_owned(),
            },
            framework: "f".into(),
            test: "t".into(),
        };
        let fact = Fact {
            subject: Subject::Class("a/B".into()),
            value: Some(ONE),
        };
        let record = Record {
            verdict: RunVerdict::Passed,
            tests: Vec::new(),
            is_whole: true,
            facts: [0].into_iter().collect(),
            inherited: crate::FactSet::new(),
            companions: BTreeSet::new(),
            doubts: Vec::new(),
            microseconds: 1,
            ended: 1,
        };
        store.save(&[fact], &[(entity.clone(), record)], 1).unwrap();
        (dir, store, entity)
    }

    #[test]
    fn class_files_stay_as_long_as_a_record_knows_the_class() {
        let (_dir, mut store, entity) = store();
        let files = BTreeMap::from([(ONE, b"one".to_vec()), (TWO, Vec::new())]);
        store.keep_class_files(&files).unwrap();
        store.keep_class_files(&files).unwrap();
        assert_eq!(store.class_file(ONE).unwrap().unwrap(), b"one");
        assert_eq!(store.class_file(TWO).unwrap().unwrap(), b"");
        store.sweep().unwrap();
        assert_eq!(store.class_file(TWO).unwrap(), None);
        assert_eq!(store.class_file(ONE).unwrap().unwrap(), b"one");
        store.forget(&entity).unwrap();
        store.sweep().unwrap();
        assert_eq!(store.class_file(ONE).unwrap(), None);
    }

    #[test]
    fn a_damaged_class_file_is_an_error() {
        let (_dir, mut store, _) = store();
        let files = BTreeMap::from([(ONE, b"one".to_vec())]);
        store.keep_class_files(&files).unwrap();
        for damage in ["substr(bytes, 1, 8)", "x'00'", "x''"] {
            let update = format!("UPDATE class_file SET bytes = {damage}");
            store.connection.execute(&update, []).unwrap();
            assert!(store.class_file(ONE).is_err(), "{damage}");
        }
    }
}
