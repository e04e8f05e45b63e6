//! The same work on several things at once, where there are cores for it.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// More threads than this do not make a disk faster.
const MAX_THREADS: usize = 4;

/// What `work` makes of each item, in their order. The next item goes to whoever is free.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let n_cores = thread::available_parallelism().map_or(1, NonZero::get);
    let n_threads = n_cores.min(MAX_THREADS).min(items.len());
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
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads)
            .filter_map(|_| thread::Builder::new().spawn_scoped(scope, take).ok())
            .collect();
        let mut done = take();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(position, _)| *position);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for n_items in [0, 1, 2, 100] {
            let items: Vec<usize> = (0..n_items).collect();
            let expected: Vec<usize> = items.iter().map(|item| item * 3).collect();
            assert_eq!(map(&items, |item| item * 3), expected);
        }
    }
}
