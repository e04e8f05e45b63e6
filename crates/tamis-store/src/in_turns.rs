//! Rows are read by one thread and understood by another one meanwhile.

use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use rusqlite::{CachedStatement, Params, Row};

use crate::error::StoreError;
use crate::slice::Rows;

/// How many batches of rows may wait.
const MAX_WAITING: usize = 8;

/// Has `understand` look at all rows that a query finds, in order, in batches of what `read` takes from each.
pub(crate) fn understood<R: Send>(
    mut statement: CachedStatement<'_>,
    parameters: impl Params,
    read: impl Fn(&Row<'_>, &mut Rows<R>) -> Result<(), StoreError>,
    understand: impl FnMut(Rows<R>) -> Result<(), StoreError> + Send,
) -> Result<(), StoreError> {
    in_turns(
        |found| {
            let mut rows = statement.query(parameters)?;
            let mut batch = Rows::default();
            while let Some(row) = rows.next()? {
                read(row, &mut batch)?;
                if batch.is_full() && !found(std::mem::take(&mut batch)) {
                    return Ok(());
                }
            }
            found(batch);
            Ok(())
        },
        understand,
    )
}

/// Has `understand` look at all that `read` finds, in order. `read` hands over one after the other, and ends where nobody
/// wants more: then there is an error.
fn in_turns<B: Send>(
    read: impl FnOnce(&mut dyn FnMut(B) -> bool) -> Result<(), StoreError>,
    mut understand: impl FnMut(B) -> Result<(), StoreError> + Send,
) -> Result<(), StoreError> {
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(MAX_WAITING);
        let worker = scope.spawn(move || -> Result<(), StoreError> {
            let batches: Receiver<B> = receiver;
            batches.into_iter().try_for_each(&mut understand)
        });
        let read = read(&mut |batch| sender.send(batch).is_ok());
        drop(sender);
        let understood = worker.join().expect("what is damaged is an error");
        read.and(understood)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        n_batches: usize,
        mut understand: impl FnMut(usize) -> Result<usize, StoreError> + Send,
    ) -> Result<Vec<usize>, StoreError> {
        let read = |found: &mut dyn FnMut(usize) -> bool| {
            let _is_all_wanted = (0..n_batches).all(found);
            Ok(())
        };
        let mut all = Vec::new();
        in_turns(read, |batch| {
            all.push(understand(batch)?);
            Ok(())
        })?;
        Ok(all)
    }

    #[test]
    fn all_batches_come_in_order() {
        for n_batches in [0, 1, MAX_WAITING, 100 * MAX_WAITING + 7] {
            let batches = check(n_batches, |batch| Ok(batch + 1)).unwrap();
            assert!(batches.into_iter().eq(1..=n_batches));
        }
    }

    #[test]
    fn one_that_is_not_understood_is_an_error_for_all() {
        for bad in [0, 7, 99] {
            let understand = |batch| match batch {
                batch if batch == bad => Err(StoreError::Damaged { what: "x" }),
                batch => Ok(batch),
            };
            assert!(check(100, understand).is_err());
        }
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        let read = |found: &mut dyn FnMut(u8) -> bool| {
            found(1);
            Err(StoreError::Damaged { what: "x" })
        };
        assert!(in_turns(read, |_| Ok(())).is_err());
    }
}
