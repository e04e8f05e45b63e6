//! Classes made to hurt get no more memory than their size allows, and no more work when they grow
//! than they grew. Work is counted in allocated bytes, never in time.

mod builder;
mod counting;
#[path = "../properties/exercise.rs"]
mod exercise;
mod inputs;

use counting::{Allocated, allocated};

/// A function that panics when a promise is broken.
type Exercise = fn(&[u8]);

const EXERCISES: [(&str, Exercise); 5] = [
    ("reader", exercise::reader),
    ("writer", exercise::writer),
    ("flow", exercise::flow),
    ("checksum", exercise::checksum),
    ("probes", exercise::probes),
];

/// Up to so many bytes of memory for each byte of input: a frame of one byte is a value of a hundred.
const BYTES_PER_BYTE: usize = 400;
/// And so many besides: a flow graph may have a million edges before it is refused.
const BYTES_BESIDES: usize = 100 << 20;

const SMALL: usize = 15_000;
const LARGE: usize = 4 * SMALL;

#[test]
fn memory_is_bounded_by_the_input() {
    for (name, input) in inputs::ALL {
        let bytes = input(LARGE);
        for (exercise_name, exercise) in EXERCISES {
            let Allocated { peak, total } = allocated(|| exercise(&bytes));
            let n = bytes.len();
            println!("{name}, {exercise_name}: {n} bytes, peak {peak}, total {total}");
            assert!(
                peak <= n * BYTES_PER_BYTE + BYTES_BESIDES,
                "{exercise_name} of {name}: {peak} bytes of memory for {n} bytes of input"
            );
        }
    }
}

#[test]
fn work_grows_no_faster_than_the_input() {
    for (name, input) in inputs::ALL {
        let (small, large) = (input(SMALL), input(LARGE));
        for (exercise_name, exercise) in EXERCISES {
            // Below a megabyte it is the fixed costs that are compared.
            let few = allocated(|| exercise(&small)).total.max(1 << 20);
            let many = allocated(|| exercise(&large)).total;
            let (n_small, n_large) = (small.len(), large.len().max(4 * small.len()));
            assert!(
                2 * many * n_small <= 3 * few * n_large,
                "{exercise_name} of {name}: {many} bytes allocated for {n_large} bytes, {few} for {n_small}"
            );
        }
    }
}
