//! Reading all that is known of a realm.
//!
//! All records and all facts are read each time tests are selected, so this is what the layout of the store is made for. One thread reads
//! rows, the other one sees whether they are well formed; nothing is taken apart that nobody has asked for yet.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension as _, Row, params};
use tamis_facts::{EntityId, ModifiedUtf8, Realm, RunVerdict};

use crate::error::StoreError;
use crate::in_turns::understood;
use crate::kept_set::{KeptSet, Marks};
use crate::known::{Entities, Entity, KeptRecord, Known};
use crate::open::Store;
use crate::records::{damaged, parse_verdict, unsigned};
use crate::slice::{Rows, Slice};
use crate::test_list::KeptTests;

impl Store {
    /// All that is known of a realm.
    pub fn load(&self, realm: &Realm) -> Result<Known, StoreError> {
        let Some(number) = self.find_realm(realm)? else {
            return Ok(Known::default());
        };
        // All of it as it is at one moment, whoever writes meanwhile.
        let transaction = self.connection.unchecked_transaction()?;
        let mut gathered = self.load_entities(number)?;
        gathered.companions = self.load_companions(realm, number)?;
        self.load_records(number, &mut gathered)?;
        self.load_failures(number, &mut gathered)?;
        let facts = self.load_facts(&gathered.named)?;
        transaction.finish()?;
        Ok(Known {
            entities: gathered.finish(realm),
            facts,
        })
    }

    fn find_realm(&self, realm: &Realm) -> Result<Option<i64>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT id FROM realm WHERE module = ?1 AND execution = ?2")?;
        let found = statement.query_row(params![realm.module, realm.execution], |row| row.get(0));
        Ok(found.optional()?)
    }

    /// The entities of a realm.
    fn load_entities(&self, realm: i64) -> Result<Gathered, StoreError> {
        let query =
            "SELECT framework, test, id FROM entity WHERE realm = ?1 ORDER BY framework, test";
        let mut gathered = Gathered::default();
        understood(
            self.connection.prepare_cached(query)?,
            [realm],
            |row, batch| {
                let names = [0, 1].map(|field| blob(row, field, "the name of an entity"));
                let [framework, test] = names;
                let row = (batch.keep(framework?), batch.keep(test?), row.get(2)?);
                batch.rows.push(row);
                Ok(())
            },
            |batch| {
                gathered.add_entities(batch);
                Ok(())
            },
        )?;
        Ok(gathered)
    }

    /// The records of a realm, the oldest first: SQLite finds a row fastest that is behind the one before.
    fn load_records(&self, realm: i64, gathered: &mut Gathered) -> Result<(), StoreError> {
        let query = "SELECT id, entity, verdict, ended, microseconds, tests, is_whole, facts, inherited, doubts
             FROM record WHERE realm = ?1 ORDER BY id";
        understood(
            self.connection.prepare_cached(query)?,
            [realm],
            |row, batch| {
                let row = RecordRow::read(row, batch)?;
                batch.rows.push(row);
                Ok(())
            },
            |batch| gathered.add_records(batch),
        )
    }

    /// Entities that failed and left no record: one without facts stays true until a newer one passes.
    fn load_failures(&self, realm: i64, gathered: &mut Gathered) -> Result<(), StoreError> {
        // Mostly there is none, so they are gone through and not the entities.
        let mut statement = self.connection.prepare_cached(
            "SELECT entity.id FROM failure CROSS JOIN entity ON entity.id = failure.entity WHERE realm = ?1",
        )?;
        let mut rows = statement.query([realm])?;
        while let Some(row) = rows.next()? {
            let entity = gathered.entity(row.get(0)?, "a failure")?;
            entity.records.push(failed_without_record());
        }
        Ok(())
    }

    /// The companions of records, by the numbers of these.
    fn load_companions(&self, realm: &Realm, number: i64) -> Result<Companions, StoreError> {
        let mut companions = Companions::new();
        let mut statement = self.connection.prepare_cached(
            "SELECT framework, test, companion.record
             FROM companion CROSS JOIN entity ON entity.id = companion.entity WHERE realm = ?1",
        )?;
        let mut rows = statement.query([number])?;
        while let Some(row) = rows.next()? {
            let of_record = companions.entry(row.get(2)?).or_default();
            of_record.insert(EntityId {
                realm: realm.clone(),
                framework: ModifiedUtf8(row.get(0)?),
                test: ModifiedUtf8(row.get(1)?),
            });
        }
        Ok(companions)
    }
}

/// Who ran before and left something, by the numbers of records.
type Companions = BTreeMap<i64, BTreeSet<EntityId>>;

/// What was read of a realm so far.
#[derive(Default)]
struct Gathered {
    /// Sorted by their names. The newest records are the last.
    entities: Vec<Entity>,
    /// Where those of certain numbers are.
    positions: HashMap<i64, usize>,
    companions: Companions,
    /// The facts that records name.
    named: Marks,
}

/// Where the names of an entity are, and its number.
type EntityRow = (Range<usize>, Range<usize>, i64);

impl Gathered {
    fn add_entities(&mut self, batch: Rows<EntityRow>) {
        let all = Arc::new(batch.bytes);
        for (framework, test, number) in batch.rows {
            self.positions.insert(number, self.entities.len());
            let [framework, test] = [framework, test].map(|range| Slice::new(&all, range));
            self.entities.push(Entity::new(framework, test));
        }
    }

    fn add_records(&mut self, batch: Rows<RecordRow>) -> Result<(), StoreError> {
        let all = Arc::new(batch.bytes);
        for row in batch.rows {
            let (id, entity) = (row.id, row.entity);
            let mut record = row.understand(&all)?;
            record.companions = self.companions.remove(&id).unwrap_or_default();
            self.named.add(&record.facts);
            self.entity(entity, "a record")?.records.push(record);
        }
        Ok(())
    }

    fn entity(&mut self, number: i64, what: &'static str) -> Result<&mut Entity, StoreError> {
        let position = self.positions.get(&number).ok_or(damaged(what))?;
        Ok(&mut self.entities[*position])
    }

    /// Those that have records.
    fn finish(self, realm: &Realm) -> Entities {
        let mut entities = self.entities;
        entities.retain_mut(|entity| {
            entity.records.reverse();
            !entity.records.is_empty()
        });
        Entities::new(realm.clone(), entities)
    }
}

/// The record of an entity of whose last run nothing else is known.
fn failed_without_record() -> KeptRecord {
    KeptRecord {
        verdict: RunVerdict::Failed,
        tests: KeptTests::default(),
        is_whole: false,
        facts: KeptSet::default(),
        inherited: KeptSet::default(),
        companions: BTreeSet::new(),
        doubts: vec!["Tamis was stopped before the run was recorded".to_owned()],
        microseconds: 0,
        ended: 0,
    }
}

/// A record as it is read. What is no number lies in the bytes of its batch.
struct RecordRow {
    id: i64,
    entity: i64,
    verdict: i64,
    ended: i64,
    microseconds: i64,
    tests: Range<usize>,
    is_whole: bool,
    facts: Range<usize>,
    inherited: Option<Range<usize>>,
    doubts: Vec<String>,
}

impl RecordRow {
    fn read(row: &Row<'_>, batch: &mut Rows<Self>) -> Result<Self, StoreError> {
        let inherited = match row.get_ref(8)? {
            ValueRef::Null => None,
            _ => Some(batch.keep(blob(row, 8, "facts")?)),
        };
        let doubts = row.get_ref(9)?.as_str().map_err(|_| damaged("doubts"))?;
        Ok(Self {
            id: row.get(0)?,
            entity: row.get(1)?,
            verdict: row.get(2)?,
            ended: row.get(3)?,
            microseconds: row.get(4)?,
            tests: batch.keep(blob(row, 5, "tests")?),
            is_whole: row.get(6)?,
            facts: batch.keep(blob(row, 7, "facts")?),
            inherited,
            doubts: doubts.lines().map(str::to_owned).collect(),
        })
    }

    /// The record, whose batch has these bytes; without companions.
    fn understand(self, all: &Arc<Vec<u8>>) -> Result<KeptRecord, StoreError> {
        let slice = |range| Slice::new(all, range);
        let own = KeptSet::of(slice(self.facts))?;
        let inherited = self.inherited.map(|range| KeptSet::of(slice(range)));
        let inherited = inherited.transpose()?;
        Ok(KeptRecord {
            verdict: parse_verdict(self.verdict)?,
            tests: KeptTests::of(slice(self.tests))?,
            is_whole: self.is_whole,
            facts: match &inherited {
                Some(inherited) => own.union(inherited),
                None => own,
            },
            inherited: inherited.unwrap_or_default(),
            companions: BTreeSet::new(),
            doubts: self.doubts,
            microseconds: unsigned(self.microseconds)?,
            ended: unsigned(self.ended)?,
        })
    }
}

/// The bytes in a field of a row.
fn blob<'r>(row: &'r Row<'_>, field: usize, what: &'static str) -> Result<&'r [u8], StoreError> {
    row.get_ref(field)?.as_blob().map_err(|_| damaged(what))
}
