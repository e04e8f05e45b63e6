//! Class files that were opened or looked for. Whether a class loader did that for itself shows only
//! when the class is defined, by the same thread: until then it is not told.

use std::thread::ThreadId;

use tamis_wire::{Access, Found};

/// How many are kept; to tell one too early is to tell too much, never too little.
const MAX_PENDING: usize = 1024;

/// Accesses to class files that are not told yet.
#[derive(Debug, Default)]
pub(super) struct PendingClasses(Vec<Pending>);

/// One of them.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) thread: ThreadId,
    /// Whether the file was opened.
    pub(super) is_opened: bool,
    pub(super) access: Access,
    pub(super) path: Vec<u8>,
    pub(super) found: Found,
}

/// Whether a path is that of a class file.
pub(super) fn is_class_file(path: &[u8]) -> bool {
    path.ends_with(b".class")
}

impl PendingClasses {
    /// Keeps one; gives back all if there are too many.
    pub(super) fn add(&mut self, pending: Pending) -> Vec<Pending> {
        self.0.push(pending);
        if self.0.len() < MAX_PENDING {
            return Vec::new();
        }
        self.take()
    }

    /// All that are left.
    pub(super) fn take(&mut self) -> Vec<Pending> {
        std::mem::take(&mut self.0)
    }

    /// A thread defines a class: its look-ups and the last time it opened the file were for that. If it had
    /// opened the file before, that was for the data.
    pub(super) fn define(&mut self, thread: ThreadId, name: &[u8]) {
        if self.0.is_empty() {
            return;
        }
        let is_of_class =
            |pending: &Pending| pending.thread == thread && is_file_of(&pending.path, name);
        let mut pending = self.0.iter();
        let last = pending.rposition(|pending| pending.is_opened && is_of_class(pending));
        let mut position = 0;
        self.0.retain(|pending| {
            let is_last = last == Some(position);
            position += 1;
            !is_last && (pending.is_opened || !is_of_class(pending))
        });
    }
}

/// Whether a path is that of a class in some folder.
fn is_file_of(path: &[u8], name: &[u8]) -> bool {
    let path = path.strip_suffix(b".class");
    let folder = path.and_then(|path| path.strip_suffix(name));
    folder.is_some_and(|folder| folder.ends_with(b"/"))
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn pending(path: &str, is_opened: bool) -> Pending {
        Pending {
            thread: thread::current().id(),
            is_opened,
            access: Access::Read,
            path: path.into(),
            found: Found::Nothing,
        }
    }

    fn left(all: Vec<Pending>, define: &str) -> Vec<String> {
        let mut classes = PendingClasses(all);
        classes.define(thread::current().id(), define.as_bytes());
        let left = classes.take().into_iter();
        left.map(|pending| String::from_utf8(pending.path).unwrap())
            .collect()
    }

    #[test]
    fn a_definition_takes_what_led_to_it() {
        let all = vec![
            pending("/one/a/B.class", false),
            pending("/two/a/B.class", false),
            pending("/two/xa/B.class", false),
            pending("/two/a/C.class", true),
            pending("/two/a/B.class", true),
        ];
        assert_eq!(left(all, "a/B"), ["/two/xa/B.class", "/two/a/C.class"]);
    }

    #[test]
    fn a_file_that_was_opened_before_was_read_as_data() {
        let all = || {
            vec![
                pending("/a/B.class", true),
                pending("/a/B.class", false),
                pending("/a/B.class", true),
            ]
        };
        assert_eq!(left(all(), "B"), ["/a/B.class"]);
        assert_eq!(left(all(), "C").len(), 3);
    }

    #[test]
    fn another_thread_defines_nothing_for_this_one() {
        let mut classes = PendingClasses(vec![pending("/B.class", true)]);
        let other = thread::spawn(|| thread::current().id()).join().unwrap();
        classes.define(other, b"B");
        assert_eq!(classes.take().len(), 1);
    }

    #[test]
    fn too_many_are_given_back() {
        let mut classes = PendingClasses::default();
        let mut n_given = 0;
        for _ in 0..=MAX_PENDING {
            n_given += classes.add(pending("/B.class", false)).len();
        }
        assert_eq!((n_given, classes.take().len()), (MAX_PENDING, 1));
    }
}
