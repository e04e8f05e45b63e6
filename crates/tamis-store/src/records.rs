//! Keeping records, and dropping them. `load.rs` reads them.

use std::collections::BTreeSet;

use roaring::RoaringBitmap;
use rusqlite::{OptionalExtension as _, Transaction, params};
use tamis_facts::{EntityId, Fact, Realm, Record, RunVerdict};

use crate::error::StoreError;
use crate::fact_groups::{FactKeeper, drop_others};
use crate::kept_set::{KeptSet, Marks};
use crate::open::Store;
use crate::test_list;

/// Numbers of facts, to be added to.
pub type FactSet = RoaringBitmap;

/// How much there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Records of all entities.
    pub n_records: u64,
    /// Facts, each kept once.
    pub n_facts: u64,
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
        let numbers = numbers(&transaction, facts, records)?;
        for (entity, record) in records {
            let realm = realm_number(&transaction, &entity.realm)?;
            let entity = entity_number_in(&transaction, realm, entity)?;
            let named = Named::of(record, &numbers);
            let number = insert(&transaction, realm, entity, record, &named)?;
            insert_companions(&transaction, number, &record.companions)?;
            prune(&transaction, entity, n_kept)?;
            transaction
                .prepare_cached("DELETE FROM failure WHERE entity = ?1")?
                .execute([entity])?;
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
        let query = "SELECT count(*) FROM record";
        let n_records = self.connection.query_row(query, [], |row| row.get(0))?;
        Ok(Counts {
            n_records: unsigned(n_records)?,
            n_facts: unsigned(self.n_facts()?)?,
        })
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
        let mut named = Marks::default();
        {
            let mut statement = transaction.prepare("SELECT facts, inherited FROM record")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let sets = [Some(row.get(0)?), row.get(1)?];
                for set in sets.into_iter().flatten() {
                    named.add(&KeptSet::unpack(set)?);
                }
            }
        }
        let n_dropped = drop_others(&transaction, &named)?;
        transaction.commit()?;
        self.sweep_class_files()?;
        Ok(n_dropped)
    }
}

/// The numbers of the facts that records name, by position. Positions are gone through in order, so that facts about one class
/// get numbers in a row.
fn numbers(
    transaction: &Transaction<'_>,
    facts: &[Fact],
    records: &[(EntityId, Record<FactSet>)],
) -> Result<Vec<u32>, StoreError> {
    let mut named = FactSet::new();
    for (_, record) in records {
        named |= &record.facts;
    }
    let mut keeper = FactKeeper::new(transaction)?;
    let mut numbers = vec![0; facts.len()];
    for position in named {
        let fact = facts.get(position as usize);
        let fact = fact.ok_or(damaged("a record without its facts"))?;
        numbers[position as usize] = keeper.number(fact)?;
    }
    keeper.finish()?;
    Ok(numbers)
}

/// The facts of a record as they are kept.
struct Named {
    own: KeptSet,
    inherited: KeptSet,
}

impl Named {
    /// `numbers` are those of facts by position, of all that the record names.
    fn of(record: &Record<FactSet>, numbers: &[u32]) -> Self {
        let of = |positions: &FactSet| -> KeptSet {
            let mut numbers: Vec<u32> = positions
                .iter()
                .map(|position| numbers[position as usize])
                .collect();
            numbers.sort_unstable();
            numbers.into_iter().collect()
        };
        Self {
            own: of(&(&record.facts - &record.inherited)),
            inherited: of(&(&record.facts & &record.inherited)),
        }
    }

    /// What is kept of the second set.
    fn packed_inherited(&self) -> Option<Vec<u8>> {
        (!self.inherited.is_empty()).then(|| self.inherited.pack())
    }
}

fn insert(
    transaction: &Transaction<'_>,
    realm: i64,
    entity: i64,
    record: &Record<FactSet>,
    facts: &Named,
) -> Result<i64, StoreError> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO record (realm, entity, verdict, ended, microseconds, tests, is_whole, facts, inherited, doubts)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    statement.execute(params![
        realm,
        entity,
        verdict_number(record.verdict),
        signed(record.ended),
        signed(record.microseconds),
        test_list::pack(&record.tests),
        record.is_whole,
        facts.own.pack(),
        facts.packed_inherited(),
        record.doubts.join("\n"),
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
    entity_number_in(transaction, realm, entity)
}

fn entity_number_in(
    transaction: &Transaction<'_>,
    realm: i64,
    entity: &EntityId,
) -> Result<i64, StoreError> {
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

fn verdict_number(verdict: RunVerdict) -> i64 {
    match verdict {
        RunVerdict::Passed => 0,
        RunVerdict::Failed => 1,
        RunVerdict::Flaky => 2,
        RunVerdict::Incomplete => 3,
    }
}

pub(crate) fn parse_verdict(number: i64) -> Result<RunVerdict, StoreError> {
    match number {
        0 => Ok(RunVerdict::Passed),
        1 => Ok(RunVerdict::Failed),
        2 => Ok(RunVerdict::Flaky),
        3 => Ok(RunVerdict::Incomplete),
        _ => Err(damaged("a verdict")),
    }
}

/// SQLite counts with a sign; nothing that is kept comes near the limit.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(crate) fn unsigned(number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| damaged("a number"))
}

pub(crate) fn damaged(what: &'static str) -> StoreError {
    StoreError::Damaged { what }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known::{KeptRecord, Known};
    use tamis_facts::{Checksum, ClassName, Subject, TestOutcome, TestRecord};
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
        let show = |record: &KeptRecord| {
            let numbers = record.facts.iter();
            let mut facts: Vec<_> = numbers.map(|n| known.facts.fact(n).to_fact()).collect();
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
            let records = known.entities.get(&a).unwrap().records.iter();
            records.map(|record| record.companions.len()).collect()
        };
        assert_eq!(companions(&store), [1, 0]);
        let known = store.load(&a.realm).unwrap();
        assert_eq!(
            known.entities.get(&a).unwrap().records[0].companions,
            with.companions
        );
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
        let [record] = &known.entities.get(&a).unwrap().records[..] else {
            panic!("one record");
        };
        let named = |set: &KeptSet| -> Vec<Fact> {
            let facts = set.iter().map(|number| known.facts.fact(number));
            facts.map(|fact| fact.to_fact()).collect()
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
        assert_eq!(
            known.entities.get(&a).unwrap().records[0].doubts,
            ["a doubt", "another"]
        );
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
        store
            .connection
            .execute("DELETE FROM fact_group", [])
            .unwrap();
        let error = store.load(&a.realm).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
    }
}
