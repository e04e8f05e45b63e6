//! The same work on several things at once, where there are cores for it.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// More threads than this do not make a disk faster.
const MAX_THREADS: usize = 4;

/// What `work` makes of each item, in their order. The next item goes to whoever is free.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let n_threads = n_threads().min(items.len());
    if n_threads < 2 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let position = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(position) else {
                return done;
            };
            done.push((position, work(item)));
        }
    };
    let mut done = on_threads(n_threads, take);
    done.sort_unstable_by_key(|(position, _)| *position);
    done.into_iter().map(|(_, result)| result).collect()
}

/// What `work` makes of each task, and of each task that comes up on the way, in no particular order.
pub(crate) fn work_off<T: Send, R: Send>(
    tasks: Vec<T>,
    work: impl Fn(T, &mut Vec<T>) -> R + Sync,
) -> Vec<R> {
    let queue = Queue::new(tasks);
    on_threads(n_threads(), || {
        let mut done = Vec::new();
        let mut more = Vec::new();
        while let Some(task) = queue.take() {
            // Whoever waits is told in any case, even if the work panics.
            let taken = Taken {
                queue: &queue,
                more: &mut more,
            };
            done.push(work(task, taken.more));
            drop(taken);
        }
        done
    })
}

/// Tasks that nobody has taken, and how many are being worked on.
struct Queue<T> {
    state: Mutex<(Vec<T>, usize)>,
    changed: Condvar,
}

impl<T> Queue<T> {
    fn new(tasks: Vec<T>) -> Self {
        Self {
            state: Mutex::new((tasks, 0)),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, (Vec<T>, usize)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next task; waits as long as there may still come one.
    fn take(&self) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(task) = state.0.pop() {
                state.1 += 1;
                return Some(task);
            }
            if state.1 == 0 {
                return None;
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A task that is being worked on.
struct Taken<'q, T> {
    queue: &'q Queue<T>,
    /// What came up.
    more: &'q mut Vec<T>,
}

impl<T> Drop for Taken<'_, T> {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        state.0.append(self.more);
        state.1 -= 1;
        self.queue.changed.notify_all();
    }
}

fn n_threads() -> usize {
    let n_cores = thread::available_parallelism().map_or(1, NonZero::get);
    n_cores.min(MAX_THREADS)
}

/// Does the same on several threads, of which this is one; all that they have done.
fn on_threads<R: Send>(n_threads: usize, work: impl Fn() -> Vec<R> + Sync) -> Vec<R> {
    thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads)
            .filter_map(|_| thread::Builder::new().spawn_scoped(scope, &work).ok())
            .collect();
        let mut done = work();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_that_come_up_are_done_too() {
        // Each number brings the two below it, as in a tree.
        let mut done = work_off(vec![10, 3], |number: u32, more| {
            if number > 1 {
                more.extend([number - 1, number - 2]);
            }
            number
        });
        done.sort_unstable();
        let mut expected = Vec::new();
        let mut tasks = vec![10, 3];
        while let Some(number) = tasks.pop() {
            expected.push(number);
            if number > 1 {
                tasks.extend([number - 1, number - 2]);
            }
        }
        expected.sort_unstable();
        assert_eq!(done, expected);
        assert_eq!(work_off(Vec::new(), |number: u32, _| number), [0; 0]);
    }

    #[test]
    fn work_that_panics_keeps_nobody_waiting() {
        let work = || {
            work_off(vec![1], |number: u32, more| {
                more.extend((number < 20).then_some(number + 1));
                assert!(number != 7, "the seventh");
            })
        };
        std::panic::catch_unwind(work).unwrap_err();
    }

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for n_items in [0, 1, 2, 100] {
            let items: Vec<usize> = (0..n_items).collect();
            let expected: Vec<usize> = items.iter().map(|item| item * 3).collect();
            assert_eq!(map(&items, |item| item * 3), expected);
        }
    }
}
