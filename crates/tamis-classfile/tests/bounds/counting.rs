//! An allocator that counts, per thread, what the code under test asks for.
#![expect(unsafe_code, reason = "only an allocator sees every allocation")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// What was allocated by a piece of work.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Allocated {
    /// The greatest number of bytes at one time.
    pub(crate) peak: usize,
    /// All bytes ever asked for: a measure of the work done.
    pub(crate) total: usize,
}

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
    static TOTAL: Cell<usize> = const { Cell::new(0) };
}

/// What `work` allocates on this thread.
pub(crate) fn allocated(work: impl FnOnce()) -> Allocated {
    let before = LIVE.get();
    PEAK.set(before);
    TOTAL.set(0);
    work();
    Allocated {
        peak: PEAK.get() - before,
        total: TOTAL.get(),
    }
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

fn grow(n_bytes: usize) {
    LIVE.set(LIVE.get() + n_bytes);
    PEAK.set(PEAK.get().max(LIVE.get()));
    TOTAL.set(TOTAL.get() + n_bytes);
}

/// Memory of another thread may come back here.
fn shrink(n_bytes: usize) {
    LIVE.set(LIVE.get().saturating_sub(n_bytes));
}

// SAFETY: every call goes to the system's allocator unchanged; counting in thread-local cells of
// plain numbers neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        shrink(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        shrink(layout.size());
        grow(new_size);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}
