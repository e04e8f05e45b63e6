//! Keeping records, and reading all that is known of a realm.

use std::collections::{BTreeMap, BTreeSet};

use roaring::RoaringBitmap;
use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension as _, Row, Transaction, params};
use tamis_facts::{Checksum, EntityId, Fact, ModifiedUtf8, Realm, Record, RunVerdict};

use crate::blob::{Expander, Packer};
use crate::encode::{encode, parse};
use crate::error::StoreError;
use crate::facts::Facts;
use crate::open::Store;

/// Numbers of facts.
pub type FactSet = RoaringBitmap;

/// All that is known of a realm.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Its entities.
    pub entities: BTreeMap<EntityId, Entity>,
    /// The facts that their records name, by number.
    pub facts: Facts,
}

/// How much there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Records of all entities.
    pub n_records: u64,
    /// Facts, each kept once.
    pub n_facts: u64,
}

/// What is known of an entity.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Entity {
    /// Its records, the newest first.
    pub records: Vec<Record<FactSet>>,
}

impl Store {
    /// Keeps records, all of them or none. Their sets hold positions in `facts`. Of each entity no more than
    /// `n_kept` stay, the newest.
    pub fn save(
        &mut self,
        facts: &[Fact],
        records: &[(EntityId, Record<FactSet>)],
        n_kept: u32,
    ) -> Result<(), StoreError> {
        let transaction = self.begin_writing()?;
        let mut numbers = vec![None; facts.len()];
        let mut packer = Packer::new()?;
        for (entity, record) in records {
            let entity = entity_number(&transaction, entity)?;
            let mut named = Named::default();
            for position in &record.facts {
                let is_inherited = record.inherited.contains(position);
                let number = fact_number(&transaction, facts, position, &mut numbers)?;
                named.insert(number, is_inherited);
            }
            let number = insert(&transaction, entity, record, &named, &mut packer)?;
            insert_companions(&transaction, number, &record.companions)?;
            prune(&transaction, entity, n_kept)?;
            transaction.execute("DELETE FROM failure WHERE entity = ?1", [entity])?;
        }
        Ok(transaction.commit()?)
    }

    /// Notes that an entity has just failed, until a record of it is kept: should the process be killed before, the
    /// entity does not count as passed by an older record.
    pub fn note_failure(&mut self, entity: &EntityId) -> Result<(), StoreError> {
        let transaction = self.begin_writing()?;
        let entity = entity_number(&transaction, entity)?;
        transaction.execute(
            "INSERT OR IGNORE INTO failure (entity) VALUES (?1)",
            [entity],
        )?;
        Ok(transaction.commit()?)
    }

    /// The realms that have entities.
    pub fn realms(&self) -> Result<Vec<Realm>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT module, execution FROM realm ORDER BY module, execution")?;
        let rows = statement.query_map([], |row| {
            Ok(Realm {
                module: row.get(0)?,
                execution: row.get(1)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How many records and facts there are.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        let count = |table: &str| -> Result<u64, StoreError> {
            let query = format!("SELECT count(*) FROM {table}");
            unsigned(self.connection.query_row(&query, [], |row| row.get(0))?)
        };
        Ok(Counts {
            n_records: count("record")?,
            n_facts: count("fact")?,
        })
    }

    /// All that is known of a realm.
    pub fn load(&self, realm: &Realm) -> Result<Known, StoreError> {
        let mut known = self.load_failures(realm)?;
        let mut companions = self.load_companions(realm)?;
        let mut named = FactSet::new();
        let mut expander = Expander::default();
        let mut statement = self.connection.prepare_cached(
            "SELECT framework, test, verdict, ended, microseconds, tests, facts, inherited, doubts, is_whole, record.id
             FROM record JOIN entity ON entity.id = record.entity JOIN realm ON realm.id = entity.realm
             WHERE module = ?1 AND execution = ?2 ORDER BY record.id DESC",
        )?;
        let mut rows = statement.query(params![realm.module, realm.execution])?;
        while let Some(row) = rows.next()? {
            let id = entity_of(realm, row)?;
            let Named { own, inherited } = Named::read(row, 6, &mut expander)?;
            let record = Record {
                verdict: parse_verdict(row.get(2)?)?,
                ended: unsigned(row.get(3)?)?,
                microseconds: unsigned(row.get(4)?)?,
                tests: expander.tests(blob(row, 5, "tests")?)?,
                facts: own | &inherited,
                inherited,
                doubts: lines(&row.get::<_, String>(8)?),
                is_whole: row.get(9)?,
                companions: companions.remove(&row.get(10)?).unwrap_or_default(),
            };
            named |= &record.facts;
            known.entities.entry(id).or_default().records.push(record);
        }
        known.facts = self.load_facts(&named)?;
        Ok(known)
    }

    /// Entities that failed and left no record: one without facts stays true until a newer one passes.
    fn load_failures(&self, realm: &Realm) -> Result<Known, StoreError> {
        let mut known = Known::default();
        let mut statement = self.connection.prepare_cached(
            "SELECT framework, test FROM failure JOIN entity ON entity.id = failure.entity
             JOIN realm ON realm.id = entity.realm WHERE module = ?1 AND execution = ?2",
        )?;
        let mut rows = statement.query(params![realm.module, realm.execution])?;
        while let Some(row) = rows.next()? {
            let id = entity_of(realm, row)?;
            let record = Record {
                verdict: RunVerdict::Failed,
                tests: Vec::new(),
                is_whole: false,
                facts: FactSet::new(),
                inherited: FactSet::new(),
                companions: BTreeSet::new(),
                doubts: vec!["Tamis was stopped before the run was recorded".to_owned()],
                microseconds: 0,
                ended: 0,
            };
            known.entities.entry(id).or_default().records.push(record);
        }
        Ok(known)
    }

    /// The companions of records, by the numbers of these.
    fn load_companions(
        &self,
        realm: &Realm,
    ) -> Result<BTreeMap<i64, BTreeSet<EntityId>>, StoreError> {
        let mut companions: BTreeMap<i64, BTreeSet<EntityId>> = BTreeMap::new();
        let mut statement = self.connection.prepare_cached(
            "SELECT framework, test, companion.record
             FROM companion JOIN entity ON entity.id = companion.entity JOIN realm ON realm.id = entity.realm
             WHERE module = ?1 AND execution = ?2",
        )?;
        let mut rows = statement.query(params![realm.module, realm.execution])?;
        while let Some(row) = rows.next()? {
            let of_record = companions.entry(row.get(2)?).or_default();
            of_record.insert(entity_of(realm, row)?);
        }
        Ok(companions)
    }

    /// Facts by number; one that is missing is damage, for a record must not look truer than it was.
    fn load_facts(&self, named: &FactSet) -> Result<Facts, StoreError> {
        let mut facts = Vec::new();
        let mut statement = self
            .connection
            .prepare_cached("SELECT id, kind, subject, value FROM fact")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let number = row.get(0)?;
            if named.contains(number) {
                let fact = Fact {
                    subject: parse(row.get(1)?, blob(row, 2, "a fact")?)?,
                    value: parse_value(blob(row, 3, "a fact")?)?,
                };
                facts.push((number, fact));
            }
        }
        if facts.len() as u64 == named.len() {
            return Ok(Facts::new(facts));
        }
        Err(damaged("a record without its facts"))
    }

    /// Drops the records of an entity: it runs next time. How many there were.
    pub fn forget(&mut self, entity: &EntityId) -> Result<usize, StoreError> {
        let transaction = self.begin_writing()?;
        let entity = entity_number(&transaction, entity)?;
        let n_records = transaction.execute("DELETE FROM record WHERE entity = ?1", [entity])?;
        transaction.execute("DELETE FROM failure WHERE entity = ?1", [entity])?;
        transaction.commit()?;
        Ok(n_records)
    }

    /// Drops facts that no record names any more, and class files that no fact is about. How many facts there were.
    pub fn sweep(&mut self) -> Result<usize, StoreError> {
        let transaction = self.begin_writing()?;
        let mut named = FactSet::new();
        let mut expander = Expander::default();
        {
            let mut statement = transaction.prepare("SELECT facts, inherited FROM record")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let Named { own, inherited } = Named::read(row, 0, &mut expander)?;
                named |= own;
                named |= inherited;
            }
        }
        let mut n_dropped = 0;
        {
            let mut all = transaction.prepare("SELECT id FROM fact")?;
            let mut drop_one = transaction.prepare("DELETE FROM fact WHERE id = ?1")?;
            let numbers: Vec<u32> = all
                .query_map([], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            for number in numbers
                .into_iter()
                .filter(|number| !named.contains(*number))
            {
                n_dropped += drop_one.execute([number])?;
            }
        }
        transaction.commit()?;
        self.sweep_class_files()?;
        Ok(n_dropped)
    }
}

/// The facts of a record as they are kept.
#[derive(Default)]
struct Named {
    own: FactSet,
    inherited: FactSet,
}

impl Named {
    fn insert(&mut self, number: u32, is_inherited: bool) {
        let set = if is_inherited {
            &mut self.inherited
        } else {
            &mut self.own
        };
        set.insert(number);
    }

    /// From two fields of a row, of which this is the first.
    fn read(row: &Row<'_>, field: usize, expander: &mut Expander) -> Result<Self, StoreError> {
        let inherited = match row.get_ref(field + 1)? {
            ValueRef::Null => FactSet::new(),
            _ => expander.facts(blob(row, field + 1, "facts")?)?,
        };
        Ok(Self {
            own: expander.facts(blob(row, field, "facts")?)?,
            inherited,
        })
    }

    /// What is kept of the second set.
    fn packed_inherited(&self, packer: &mut Packer) -> Result<Option<Vec<u8>>, StoreError> {
        let inherited = Some(&self.inherited).filter(|inherited| !inherited.is_empty());
        inherited
            .map(|inherited| packer.facts(inherited))
            .transpose()
    }
}

fn insert(
    transaction: &Transaction<'_>,
    entity: i64,
    record: &Record<FactSet>,
    facts: &Named,
    packer: &mut Packer,
) -> Result<i64, StoreError> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO record (entity, verdict, ended, microseconds, tests, facts, inherited, doubts, is_whole)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    statement.execute(params![
        entity,
        verdict_number(record.verdict),
        signed(record.ended),
        signed(record.microseconds),
        packer.tests(&record.tests)?,
        packer.facts(&facts.own)?,
        facts.packed_inherited(packer)?,
        record.doubts.join("\n"),
        record.is_whole,
    ])?;
    Ok(transaction.last_insert_rowid())
}

fn insert_companions(
    transaction: &Transaction<'_>,
    record: i64,
    companions: &BTreeSet<EntityId>,
) -> Result<(), StoreError> {
    let insert = "INSERT INTO companion (record, entity) VALUES (?1, ?2)";
    for companion in companions {
        let entity = entity_number(transaction, companion)?;
        transaction
            .prepare_cached(insert)?
            .execute([record, entity])?;
    }
    Ok(())
}

/// The newest stay. An entity of whose records none is true any more runs, so dropping one is safe.
fn prune(transaction: &Transaction<'_>, entity: i64, n_kept: u32) -> Result<(), StoreError> {
    let mut statement = transaction.prepare_cached(
        "DELETE FROM record WHERE entity = ?1 AND id NOT IN
         (SELECT id FROM record WHERE entity = ?1 ORDER BY id DESC LIMIT ?2)",
    )?;
    statement.execute(params![entity, n_kept])?;
    Ok(())
}

fn entity_number(transaction: &Transaction<'_>, entity: &EntityId) -> Result<i64, StoreError> {
    let realm = realm_number(transaction, &entity.realm)?;
    find_or_insert(
        transaction,
        "SELECT id FROM entity WHERE realm = ?1 AND framework = ?2 AND test = ?3",
        "INSERT INTO entity (realm, framework, test) VALUES (?1, ?2, ?3)",
        params![realm, entity.framework.as_bytes(), entity.test.as_bytes()],
    )
}

pub(crate) fn realm_number(
    transaction: &Transaction<'_>,
    realm: &Realm,
) -> Result<i64, StoreError> {
    find_or_insert(
        transaction,
        "SELECT id FROM realm WHERE module = ?1 AND execution = ?2",
        "INSERT INTO realm (module, execution) VALUES (?1, ?2)",
        params![realm.module, realm.execution],
    )
}

/// The number of the fact at a position; `numbers` are those that were asked for before.
fn fact_number(
    transaction: &Transaction<'_>,
    facts: &[Fact],
    position: u32,
    numbers: &mut [Option<u32>],
) -> Result<u32, StoreError> {
    let unknown = || damaged("a record without its facts");
    let position = position as usize;
    let fact = facts.get(position).ok_or_else(unknown)?;
    if let Some(number) = numbers[position] {
        return Ok(number);
    }
    let (kind, subject) = encode(&fact.subject);
    let value: &[u8] = fact.value.as_ref().map_or(&[], |Checksum(bytes)| bytes);
    let number = find_or_insert(
        transaction,
        "SELECT id FROM fact WHERE kind = ?1 AND subject = ?2 AND value = ?3",
        "INSERT INTO fact (kind, subject, value) VALUES (?1, ?2, ?3)",
        params![kind, subject, value],
    )?;
    let number = u32::try_from(number).map_err(|_| damaged("the number of a fact"))?;
    numbers[position] = Some(number);
    Ok(number)
}

fn find_or_insert(
    transaction: &Transaction<'_>,
    find: &str,
    insert: &str,
    parameters: &[&dyn rusqlite::ToSql],
) -> Result<i64, StoreError> {
    let mut statement = transaction.prepare_cached(find)?;
    let found = statement
        .query_row(parameters, |row| row.get(0))
        .optional()?;
    if let Some(number) = found {
        return Ok(number);
    }
    transaction.prepare_cached(insert)?.execute(parameters)?;
    Ok(transaction.last_insert_rowid())
}

/// The entity whose framework and test are the first fields of a row.
fn entity_of(realm: &Realm, row: &Row<'_>) -> Result<EntityId, StoreError> {
    Ok(EntityId {
        realm: realm.clone(),
        framework: ModifiedUtf8(row.get(0)?),
        test: ModifiedUtf8(row.get(1)?),
    })
}

/// The bytes in a field of a row.
fn blob<'r>(row: &'r Row<'_>, field: usize, what: &'static str) -> Result<&'r [u8], StoreError> {
    row.get_ref(field)?.as_blob().map_err(|_| damaged(what))
}

/// Doubts, one in a line.
fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn verdict_number(verdict: RunVerdict) -> i64 {
    match verdict {
        RunVerdict::Passed => 0,
        RunVerdict::Failed => 1,
        RunVerdict::Flaky => 2,
        RunVerdict::Incomplete => 3,
    }
}

fn parse_verdict(number: i64) -> Result<RunVerdict, StoreError> {
    match number {
        0 => Ok(RunVerdict::Passed),
        1 => Ok(RunVerdict::Failed),
        2 => Ok(RunVerdict::Flaky),
        3 => Ok(RunVerdict::Incomplete),
        _ => Err(damaged("a verdict")),
    }
}

fn parse_value(bytes: &[u8]) -> Result<Option<Checksum>, StoreError> {
    match bytes {
        [] => Ok(None),
        bytes => bytes
            .try_into()
            .map(|bytes| Some(Checksum(bytes)))
            .map_err(|_| damaged("the value of a fact")),
    }
}

/// SQLite counts with a sign; nothing that is kept comes near the limit.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| damaged("a number"))
}

fn damaged(what: &'static str) -> StoreError {
    StoreError::Damaged { what }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_facts::{ClassName, Subject, TestOutcome, TestRecord};
    use tempfile::TempDir;

    fn store() -> (TempDir, Store) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap().store;
        (dir, store)
    }

    fn entity(module: &str, test: &str) -> EntityId {
        EntityId {
            realm: Realm {
                module: module.to_owned(),
                execution: "default-test".to_owned(),
            },
            framework: "junit4".into(),
            test: test.into(),
        }
    }

    fn fact(class: &str, value: Option<u8>) -> Fact {
        Fact {
            subject: Subject::Class(ClassName::from(class)),
            value: value.map(|byte| Checksum([byte; 16])),
        }
    }

    /// A record of so many facts, the first ones.
    fn record(verdict: RunVerdict, ended: u64, n_facts: u32) -> Record<FactSet> {
        Record {
            verdict,
            tests: vec![TestRecord {
                name: "a".into(),
                outcome: TestOutcome::Passed,
                microseconds: 5,
            }],
            is_whole: ended.is_multiple_of(2),
            facts: (0..n_facts).collect(),
            inherited: FactSet::new(),
            companions: BTreeSet::new(),
            doubts: vec!["a doubt".to_owned(), "another".to_owned()],
            microseconds: 7,
            ended,
        }
    }

    /// Verdict, end and facts of each record.
    fn shown(store: &Store, entity: &EntityId) -> Vec<(RunVerdict, u64, Vec<Fact>)> {
        let known = store.load(&entity.realm).unwrap();
        let records = known.entities.get(entity).map_or(&[][..], |e| &e.records);
        let show = |record: &Record<FactSet>| {
            let mut facts: Vec<_> = record
                .facts
                .iter()
                .map(|n| known.facts[n].clone())
                .collect();
            facts.sort();
            (record.verdict, record.ended, facts)
        };
        records.iter().map(show).collect()
    }

    #[test]
    fn companions_come_back_and_go_with_their_record() {
        let (_dir, mut store) = store();
        let (a, b) = (entity("m", "A"), entity("m", "B"));
        let one = fact("a/A", Some(1));
        let alone = record(RunVerdict::Passed, 1, 1);
        let with = Record {
            companions: BTreeSet::from([b.clone()]),
            ..record(RunVerdict::Passed, 2, 1)
        };
        let both = [(a.clone(), alone), (a.clone(), with.clone())];
        store.save(std::slice::from_ref(&one), &both, 8).unwrap();
        let companions = |store: &Store| -> Vec<usize> {
            let known = store.load(&a.realm).unwrap();
            let records = known.entities[&a].records.iter();
            records.map(|record| record.companions.len()).collect()
        };
        assert_eq!(companions(&store), [1, 0]);
        let known = store.load(&a.realm).unwrap();
        assert_eq!(known.entities[&a].records[0].companions, with.companions);
        store
            .save(&[one], &[(a.clone(), record(RunVerdict::Passed, 3, 1))], 1)
            .unwrap();
        assert_eq!(companions(&store), [0]);
    }

    #[test]
    fn inherited_facts_are_facts_too() {
        let (_dir, mut store) = store();
        let a = entity("m", "A");
        let facts = [fact("a/A", Some(1)), fact("a/B", Some(2))];
        let record = Record {
            inherited: FactSet::from([1]),
            ..record(RunVerdict::Passed, 1, 2)
        };
        store.save(&facts, &[(a.clone(), record)], 8).unwrap();
        // Nothing that a record names is swept.
        assert_eq!(store.sweep().unwrap(), 0);
        let known = store.load(&a.realm).unwrap();
        let [record] = &known.entities[&a].records[..] else {
            panic!("one record");
        };
        let named = |set: &FactSet| -> Vec<Fact> {
            set.iter()
                .map(|number| known.facts[number].clone())
                .collect()
        };
        assert_eq!(named(&record.facts), facts);
        assert_eq!(named(&record.inherited), facts[1..]);
    }

    #[test]
    fn records_come_back_newest_first_and_with_their_facts() {
        let (_dir, mut store) = store();
        let (a, b) = (entity("m", "A"), entity("m", "B"));
        let (one, none) = (fact("a/A", Some(1)), fact("a/A", None));
        let facts = [one.clone(), none.clone()];
        let first = record(RunVerdict::Passed, 1, 1);
        let second = record(RunVerdict::Failed, 2, 2);
        let both = [(a.clone(), first), (b.clone(), second.clone())];
        store.save(&facts, &both, 10).unwrap();
        store.save(&facts, &[(a.clone(), second)], 10).unwrap();
        assert_eq!(
            shown(&store, &a),
            [
                (RunVerdict::Failed, 2, vec![none, one.clone()]),
                (RunVerdict::Passed, 1, vec![one])
            ]
        );
        assert_eq!(shown(&store, &b).len(), 1);
        let known = store.load(&a.realm).unwrap();
        assert_eq!(known.entities[&a].records[0].doubts, ["a doubt", "another"]);
        // Another realm knows nothing of them.
        assert_eq!(
            store.load(&entity("n", "A").realm).unwrap(),
            Known::default()
        );
    }

    #[test]
    fn old_records_make_way_and_their_facts_are_swept() {
        let (_dir, mut store) = store();
        let a = entity("m", "A");
        for number in 1..=5 {
            let facts = [fact("a/A", Some(number))];
            let record = record(RunVerdict::Passed, u64::from(number), 1);
            store.save(&facts, &[(a.clone(), record)], 2).unwrap();
        }
        let ends: Vec<u64> = shown(&store, &a)
            .iter()
            .map(|(_, ended, _)| *ended)
            .collect();
        assert_eq!(ends, [5, 4]);
        assert_eq!(store.sweep().unwrap(), 3);
        assert_eq!(store.sweep().unwrap(), 0);
        assert_eq!(shown(&store, &a).len(), 2);
    }

    #[test]
    fn a_failure_counts_until_a_record_is_kept() {
        let (_dir, mut store) = store();
        let a = entity("m", "A");
        let passed = record(RunVerdict::Passed, 1, 0);
        store.save(&[], &[(a.clone(), passed.clone())], 10).unwrap();
        store.note_failure(&a).unwrap();
        store.note_failure(&a).unwrap();
        let verdicts = |store: &Store| {
            let shown = shown(store, &a);
            shown
                .iter()
                .map(|(verdict, ..)| *verdict)
                .collect::<Vec<_>>()
        };
        assert_eq!(verdicts(&store), [RunVerdict::Failed, RunVerdict::Passed]);
        store.save(&[], &[(a.clone(), passed)], 10).unwrap();
        assert_eq!(verdicts(&store), [RunVerdict::Passed; 2]);
    }

    #[test]
    fn what_is_forgotten_is_gone() {
        let (_dir, mut store) = store();
        let (a, b) = (entity("m", "A"), entity("m", "B"));
        let passed = record(RunVerdict::Passed, 1, 0);
        let both = [(a.clone(), passed.clone()), (b.clone(), passed)];
        store.save(&[], &both, 10).unwrap();
        assert_eq!(store.forget(&a).unwrap(), 1);
        assert_eq!(store.forget(&a).unwrap(), 0);
        assert!(shown(&store, &a).is_empty());
        assert_eq!(shown(&store, &b).len(), 1);
    }

    #[test]
    fn a_record_that_names_no_fact_is_not_kept() {
        let (_dir, mut store) = store();
        let a = entity("m", "A");
        let record = record(RunVerdict::Passed, 1, 2);
        let facts = [fact("a/A", Some(1))];
        store.save(&facts, &[(a.clone(), record)], 10).unwrap_err();
        assert!(shown(&store, &a).is_empty());
        assert_eq!(store.counts().unwrap().n_facts, 0);
    }

    #[test]
    fn a_record_whose_fact_is_gone_is_not_read() {
        let (_dir, mut store) = store();
        let a = entity("m", "A");
        let record = record(RunVerdict::Passed, 1, 1);
        let facts = [fact("a/A", Some(1))];
        store.save(&facts, &[(a.clone(), record)], 10).unwrap();
        store.connection.execute("DELETE FROM fact", []).unwrap();
        let error = store.load(&a.realm).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
    }
}
