//! Facts on disk: all that were ever seen of one class lie in one row.
//!
//! What is asked of a class is asked of all its facts at once, and there are a dozen of them. Its name is kept once, they are
//! numbered in a row if they are seen together, and to read all facts of a project is to read a row for each class.

use std::collections::{BTreeSet, HashMap};

use rusqlite::{OptionalExtension as _, Transaction, params};
use tamis_facts::{Checksum, Fact, SubjectKind};

use crate::error::StoreError;
use crate::fact_entry::{Entry, encode_entry, entries};
use crate::facts::{Facts, Gathering};
use crate::in_turns::understood;
use crate::kept_set::Marks;
use crate::open::Store;
use crate::seal::{check_seal, sealed};

const WHAT: &str = "a fact";

/// Finds the numbers of facts, and keeps those that are new. It is fastest if facts about one class are asked for in a row.
pub(crate) struct FactKeeper<'t> {
    transaction: &'t Transaction<'t>,
    /// The least number that no fact has, nor ever had.
    next: u32,
    group: Option<Group>,
}

/// The facts about one class, or one that is about none.
struct Group {
    name: Vec<u8>,
    /// Its row, if it has one.
    row: Option<i64>,
    /// All of them, as they are kept.
    entries: Vec<u8>,
    /// Their numbers.
    numbers: HashMap<Vec<u8>, u32>,
    is_changed: bool,
}

impl<'t> FactKeeper<'t> {
    pub(crate) fn new(transaction: &'t Transaction<'t>) -> Result<Self, StoreError> {
        let query = "SELECT next FROM fact_number";
        Ok(Self {
            transaction,
            next: transaction.query_row(query, [], |row| row.get(0))?,
            group: None,
        })
    }

    /// The number of a fact.
    pub(crate) fn number(&mut self, fact: &Fact) -> Result<u32, StoreError> {
        let (name, entry) = encode_entry(fact);
        let next = self.next;
        let group = self.group(name)?;
        if let Some(number) = group.numbers.get(&entry) {
            return Ok(*number);
        }
        group.entries.extend(next.to_le_bytes());
        group.entries.extend(&entry);
        group.numbers.insert(entry, next);
        group.is_changed = true;
        self.next = next.checked_add(1).ok_or(damaged("the number of a fact"))?;
        Ok(next)
    }

    fn group(&mut self, name: Vec<u8>) -> Result<&mut Group, StoreError> {
        let is_open = self.group.as_ref().is_some_and(|group| group.name == name);
        if !is_open {
            self.close()?;
            self.group = Some(Group::load(self.transaction, name)?);
        }
        Ok(self.group.as_mut().expect("it was opened above"))
    }

    fn close(&mut self) -> Result<(), StoreError> {
        match self.group.take() {
            Some(group) if group.is_changed => group.save(self.transaction),
            _ => Ok(()),
        }
    }

    /// Writes what is left.
    pub(crate) fn finish(mut self) -> Result<(), StoreError> {
        self.close()?;
        let update = "UPDATE fact_number SET next = ?1";
        self.transaction.execute(update, [self.next])?;
        Ok(())
    }
}

impl Group {
    fn load(transaction: &Transaction<'_>, name: Vec<u8>) -> Result<Self, StoreError> {
        let mut statement =
            transaction.prepare_cached("SELECT id, facts FROM fact_group WHERE name = ?1")?;
        let found: Option<(i64, Vec<u8>)> = statement
            .query_row([&name], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let mut group = Self {
            name,
            row: None,
            entries: Vec::new(),
            numbers: HashMap::new(),
            is_changed: false,
        };
        if let Some((row, mut bytes)) = found {
            let length = check_seal(&group.name, &bytes, WHAT)?;
            bytes.truncate(length);
            for entry in entries(&bytes) {
                let Entry { number, tail, .. } = entry?;
                group.numbers.insert(tail.to_vec(), number);
            }
            group.row = Some(row);
            group.entries = bytes;
        }
        Ok(group)
    }

    fn save(self, transaction: &Transaction<'_>) -> Result<(), StoreError> {
        let bytes = sealed(&self.name, self.entries);
        let n_facts = self.numbers.len() as u32;
        match self.row {
            Some(row) => transaction
                .prepare_cached("UPDATE fact_group SET n_facts = ?1, facts = ?2 WHERE id = ?3")?
                .execute(params![n_facts, bytes, row])?,
            None => transaction
                .prepare_cached(
                    "INSERT INTO fact_group (name, n_facts, facts) VALUES (?1, ?2, ?3)",
                )?
                .execute(params![self.name, n_facts, bytes])?,
        };
        Ok(())
    }
}

impl Store {
    /// The facts of these numbers; one that is missing is damage, for a record must not look truer than it was.
    pub(crate) fn load_facts(&self, named: &Marks) -> Result<Facts, StoreError> {
        let query = "SELECT name, facts FROM fact_group ORDER BY id";
        let mut gathering = Gathering::default();
        understood(
            self.connection.prepare_cached(query)?,
            [],
            |row, batch| {
                let blob = |field| row.get_ref(field)?.as_blob().map_err(|_| damaged(WHAT));
                let row = [batch.keep(blob(0)?), batch.keep(blob(1)?)];
                batch.rows.push(row);
                Ok(())
            },
            |batch| {
                for row in batch.rows {
                    let [name, facts] = row.map(|range| &batch.bytes[range]);
                    let length = check_seal(name, facts, WHAT)?;
                    gathering.add(name, &facts[..length], named)?;
                }
                Ok(())
            },
        )?;
        let facts = gathering.finish()?;
        if facts.len() as u64 == named.len() {
            return Ok(facts);
        }
        Err(damaged("a record without its facts"))
    }

    /// How many facts there are.
    pub(crate) fn n_facts(&self) -> Result<i64, StoreError> {
        let query = "SELECT coalesce(sum(n_facts), 0) FROM fact_group";
        Ok(self.connection.query_row(query, [], |row| row.get(0))?)
    }
}

/// The values of all facts about whole classes.
pub(crate) fn known_classes(
    transaction: &Transaction<'_>,
) -> Result<BTreeSet<Checksum>, StoreError> {
    let mut classes = BTreeSet::new();
    let mut statement = transaction.prepare("SELECT name, facts FROM fact_group")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (name, bytes): (Vec<u8>, Vec<u8>) = (row.get(0)?, row.get(1)?);
        let length = check_seal(&name, &bytes, WHAT)?;
        for entry in entries(&bytes[..length]) {
            let Entry { kind, value, .. } = entry?;
            classes.extend(value.filter(|_| kind == SubjectKind::Class));
        }
    }
    Ok(classes)
}

/// Drops facts whose numbers are not these. How many there were.
pub(crate) fn drop_others(
    transaction: &Transaction<'_>,
    named: &Marks,
) -> Result<usize, StoreError> {
    let mut all = transaction.prepare("SELECT id FROM fact_group")?;
    let rows = all.query_map([], |row| row.get(0))?;
    let rows: Vec<i64> = rows.collect::<Result<_, _>>()?;
    let mut n_dropped = 0;
    for row in rows {
        let (name, bytes): (Vec<u8>, Vec<u8>) = transaction
            .prepare_cached("SELECT name, facts FROM fact_group WHERE id = ?1")?
            .query_row([row], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let length = check_seal(&name, &bytes, WHAT)?;
        let (mut left, mut n_left, mut n_before) = (Vec::new(), 0_u32, 0_u32);
        for entry in entries(&bytes[..length]) {
            let Entry { number, tail, .. } = entry?;
            n_before += 1;
            if named.contains(number) {
                left.extend(number.to_le_bytes());
                left.extend(tail);
                n_left += 1;
            }
        }
        if n_left == 0 {
            transaction
                .prepare_cached("DELETE FROM fact_group WHERE id = ?1")?
                .execute([row])?;
        } else if n_left < n_before {
            transaction
                .prepare_cached("UPDATE fact_group SET n_facts = ?1, facts = ?2 WHERE id = ?3")?
                .execute(params![n_left, sealed(&name, left), row])?;
        }
        n_dropped += (n_before - n_left) as usize;
    }
    Ok(n_dropped)
}

fn damaged(what: &'static str) -> StoreError {
    StoreError::Damaged { what }
}
