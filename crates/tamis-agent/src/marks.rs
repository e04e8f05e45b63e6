//! Reads the marks of a holder and clears them, while other threads go on marking.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// Calls `found` with the position of each byte that is not zero, and makes it zero.
///
/// Only words with a mark in them are written to, by an exchange: a mark that a thread sets meanwhile
/// is either in what comes back or stays for the next time. (Reading and then clearing would lose it.)
///
/// # Safety
///
/// `length` bytes from `start` on can be read and written, and nobody accesses them but by machine
/// instructions of single bytes, as compiled Java code does.
pub(crate) unsafe fn drain(start: NonNull<u8>, length: usize, mut found: impl FnMut(usize)) {
    // Not every JVM puts the elements of an array at a multiple of eight.
    let head = start.as_ptr().align_offset(size_of::<u64>()).min(length);
    let n_words = (length - head) / size_of::<u64>();
    let tail = head + n_words * size_of::<u64>();
    for position in (0..head).chain(tail..length) {
        // SAFETY: the position is less than the length.
        let byte = unsafe { AtomicU8::from_ptr(start.as_ptr().add(position)) };
        if byte.load(Ordering::Relaxed) != 0 && byte.swap(0, Ordering::AcqRel) != 0 {
            found(position);
        }
    }
    let n_lines = (tail - head) / LINE;
    for line in (head..).step_by(LINE).take(n_lines) {
        // SAFETY: all words of the line lie before the tail, at multiples of eight.
        let words = WORDS_OF_LINE.map(|offset| unsafe { word_at(start, line + offset) });
        // Nearly all lines are empty, and one look at all eight words tells so.
        if words
            .iter()
            .fold(0, |all, word| all | word.load(Ordering::Relaxed))
            != 0
        {
            for (word, offset) in words.into_iter().zip(WORDS_OF_LINE) {
                take(word, line + offset, &mut found);
            }
        }
    }
    for position in (head + n_lines * LINE..tail).step_by(size_of::<u64>()) {
        // SAFETY: eight bytes from the position on lie before the tail, at a multiple of eight.
        take(unsafe { word_at(start, position) }, position, &mut found);
    }
}

/// How many bytes are looked at together.
const LINE: usize = 64;

const WORDS_OF_LINE: [usize; 8] = [0, 8, 16, 24, 32, 40, 48, 56];

/// The eight bytes at a position, as they are taken.
///
/// # Safety
///
/// They are part of what [`drain`] was given, and begin at a multiple of eight.
unsafe fn word_at<'w>(start: NonNull<u8>, position: usize) -> &'w AtomicU64 {
    // SAFETY: as the caller promises.
    unsafe { AtomicU64::from_ptr(start.as_ptr().add(position).cast()) }
}

fn take(word: &AtomicU64, position: usize, found: &mut impl FnMut(usize)) {
    if word.load(Ordering::Relaxed) == 0 {
        return;
    }
    let bytes = clear(word).to_ne_bytes();
    for (offset, byte) in bytes.into_iter().enumerate() {
        if byte != 0 {
            found(position + offset);
        }
    }
}

#[cfg(not(feature = "sabotage"))]
fn clear(word: &AtomicU64) -> u64 {
    word.swap(0, Ordering::AcqRel)
}

/// A fault put in on purpose, so that the checker can be checked (`sabotage.rs` of `tamis-engine`): what another thread
/// marks between reading and clearing is lost.
#[cfg(feature = "sabotage")]
fn clear(word: &AtomicU64) -> u64 {
    static IS_ON: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    let is_on = || std::env::var("TAMIS_SABOTAGE").is_ok_and(|name| name == "non-atomic-clear");
    if !*IS_ON.get_or_init(is_on) {
        return word.swap(0, Ordering::AcqRel);
    }
    let bytes = word.load(Ordering::Acquire);
    word.store(0, Ordering::Release);
    bytes
}

/// `drain` for bytes that nobody else has; this is how its speed is measured.
#[cfg(not(tamis_cdylib))]
pub fn drain_slice(bytes: &mut [u8], found: impl FnMut(usize)) {
    // SAFETY: the bytes are a slice that nobody else has.
    unsafe { drain(NonNull::from(&mut *bytes).cast(), bytes.len(), found) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::thread;

    fn positions(bytes: &mut [u8]) -> Vec<usize> {
        let mut positions = Vec::new();
        drain_slice(bytes, |position| positions.push(position));
        positions.sort_unstable();
        positions
    }

    #[test]
    fn every_mark_is_found_once_wherever_the_array_begins() {
        let mut memory = [0_u8; 200];
        for start in 0..9 {
            for length in [0, 1, 7, 8, 9, 63, 64, 65, 100, 190] {
                let bytes = &mut memory[start..start + length];
                let marked: Vec<usize> = (0..length).step_by(3).collect();
                for position in &marked {
                    bytes[*position] = 1;
                }
                assert_eq!(positions(bytes), marked);
                assert_eq!(positions(bytes), []);
            }
        }
    }

    /// Two threads write the same word, and a third one empties it over and over.
    #[test]
    fn no_mark_is_lost_to_a_harvest() {
        let words = [const { AtomicU64::new(0) }; 2];
        let start = NonNull::from(&words).cast::<u8>();
        let address = start.as_ptr() as usize;
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let markers = [3, 4].map(|position| {
                let is_over = &is_over;
                scope.spawn(move || {
                    // SAFETY: inside the words above, which outlive the thread.
                    let mark = unsafe { AtomicU8::from_ptr((address + position) as *mut u8) };
                    let mut n_marks = 0_u64;
                    while !is_over.load(Ordering::Relaxed) {
                        mark.store(1, Ordering::Release);
                        n_marks += 1;
                        while mark.load(Ordering::Acquire) != 0 {
                            thread::yield_now();
                            if is_over.load(Ordering::Relaxed) {
                                return (n_marks, mark.load(Ordering::Acquire) != 0);
                            }
                        }
                    }
                    (n_marks, false)
                })
            });
            let mut n_found = [0_u64; 2];
            // A million times, and on a busy machine until both threads have had their turns.
            for n_harvests in 0..1_000_000_000 {
                if n_harvests >= 1_000_000 && n_found.iter().all(|n| *n >= 1_000) {
                    break;
                }
                // SAFETY: the threads use single bytes.
                unsafe { drain(start, 16, |position| n_found[position - 3] += 1) };
                if n_harvests % 1_000 == 0 {
                    thread::yield_now();
                }
            }
            is_over.store(true, Ordering::Relaxed);
            for (marker, n_found) in markers.into_iter().zip(n_found) {
                let (n_marks, is_left) = marker.join().unwrap();
                assert!(n_marks >= 1_000, "only {n_marks} marks");
                assert_eq!(n_found, n_marks - u64::from(is_left));
            }
        });
    }
}
