//! Rows are read by one thread and understood by another one meanwhile.

use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use crate::error::StoreError;

/// How many rows are handed over at once.
const AT_ONCE: usize = 256;

/// How many such batches may wait.
const MAX_WAITING: usize = 8;

/// What `understand` makes of all that `read` finds, in order. `read` hands over one after the other, and ends where nobody
/// wants more: then there is an error.
pub(crate) fn understood<R: Send, T: Send>(
    read: impl FnOnce(&mut dyn FnMut(R) -> bool) -> Result<(), StoreError>,
    mut understand: impl FnMut(R) -> Result<T, StoreError> + Send,
) -> Result<Vec<T>, StoreError> {
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(MAX_WAITING);
        let worker = scope.spawn(move || -> Result<Vec<T>, StoreError> {
            let batches: Receiver<Vec<R>> = receiver;
            let rows = batches.into_iter().flatten();
            rows.map(&mut understand).collect()
        });
        let mut batch = Vec::with_capacity(AT_ONCE);
        let read = read(&mut |row| {
            batch.push(row);
            batch.len() < AT_ONCE || sender.send(std::mem::take(&mut batch)).is_ok()
        });
        // If nobody takes it, the worker has an error.
        let _ = sender.send(batch);
        drop(sender);
        let understood = worker.join().expect("what is damaged is an error");
        read.and(understood)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        n_rows: usize,
        understand: impl FnMut(usize) -> Result<usize, StoreError> + Send,
    ) -> Result<Vec<usize>, StoreError> {
        let read = |found: &mut dyn FnMut(usize) -> bool| {
            let _is_all_wanted = (0..n_rows).all(found);
            Ok(())
        };
        understood(read, understand)
    }

    #[test]
    fn all_rows_come_in_order() {
        for n_rows in [
            0,
            1,
            AT_ONCE - 1,
            AT_ONCE,
            AT_ONCE + 1,
            10 * AT_ONCE * MAX_WAITING + 7,
        ] {
            let rows = check(n_rows, |row| Ok(row + 1)).unwrap();
            assert!(rows.into_iter().eq(1..=n_rows));
        }
    }

    #[test]
    fn one_that_is_not_understood_is_an_error_for_all() {
        for bad in [0, 7, 100 * AT_ONCE - 1] {
            let understand = |row| match row {
                row if row == bad => Err(StoreError::Damaged { what: "x" }),
                row => Ok(row),
            };
            assert!(check(100 * AT_ONCE, understand).is_err());
        }
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        let read = |found: &mut dyn FnMut(u8) -> bool| {
            found(1);
            Err(StoreError::Damaged { what: "x" })
        };
        assert!(understood(read, Ok).is_err());
    }
}
