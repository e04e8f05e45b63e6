//! Class files in archives that were asked for. Whether that was to define the class shows only when the same
//! thread does so: until then it is not told, as with class files in folders.

use std::thread::ThreadId;

use tamis_wire::Asker;

/// How many are kept; to tell one too early is to tell too much, never too little.
const MAX_PENDING: usize = 1024;

/// A member of an archive that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// Absolute.
    pub(crate) archive: Vec<u8>,
    pub(crate) name: Vec<u8>,
    /// Whether its content is about to be read.
    pub(crate) is_read: bool,
    /// Not known of class files: loaders ask for them.
    pub(crate) asker: Asker,
}

/// Members that are not told yet.
#[derive(Debug, Default)]
pub(crate) struct PendingMembers(Vec<(ThreadId, Member)>);

impl Member {
    pub(crate) fn is_class_file(&self) -> bool {
        self.name.ends_with(b".class")
    }

    /// What was asked for, of a member that stands in for it in later JDKs. Which of them there are is not asked by
    /// name, so the general name is told too.
    pub(crate) fn general(&self) -> Option<Self> {
        let rest = self.name.strip_prefix(b"META-INF/versions/")?;
        let end = rest.iter().position(|byte| *byte == b'/')?;
        Some(Self {
            name: rest[end + 1..].to_vec(),
            ..self.clone()
        })
    }

    /// Whether it is the file of a class, which may lie among those for later JDKs.
    fn is_of(&self, class: &[u8]) -> bool {
        let name = self.name.strip_suffix(b".class");
        let folder = name.and_then(|name| name.strip_suffix(class));
        folder.is_some_and(|folder| matches!(folder, [] | [.., b'/']))
    }
}

impl PendingMembers {
    /// Keeps one; gives back all if there are too many.
    pub(crate) fn add(&mut self, thread: ThreadId, member: Member) -> Vec<Member> {
        self.0.push((thread, member));
        if self.0.len() < MAX_PENDING {
            return Vec::new();
        }
        self.take()
    }

    /// All that are left.
    pub(crate) fn take(&mut self) -> Vec<Member> {
        let pending = std::mem::take(&mut self.0);
        pending.into_iter().map(|(_, member)| member).collect()
    }

    /// A thread defines a class: its look-ups and the last time it read the file were for that. If it had read
    /// the file before, that was for the data.
    pub(crate) fn define(&mut self, thread: ThreadId, class: &[u8]) {
        let is_of_class = |(by, member): &(ThreadId, Member)| *by == thread && member.is_of(class);
        let mut pending = self.0.iter();
        let last = pending.rposition(|pending| pending.1.is_read && is_of_class(pending));
        let mut position = 0;
        self.0.retain(|pending| {
            let is_last = last == Some(position);
            position += 1;
            !is_last && (pending.1.is_read || !is_of_class(pending))
        });
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn left(all: &[(&str, bool)], class: &str) -> Vec<String> {
        let mut pending = PendingMembers::default();
        let thread = thread::current().id();
        for (name, is_read) in all {
            let member = Member {
                archive: b"/a.jar".to_vec(),
                name: name.as_bytes().to_vec(),
                is_read: *is_read,
                asker: Asker::Unknown,
            };
            assert_eq!(pending.add(thread, member), []);
        }
        pending.define(thread, class.as_bytes());
        let left = pending.take().into_iter();
        left.map(|member| String::from_utf8(member.name).unwrap())
            .collect()
    }

    #[test]
    fn a_definition_takes_what_led_to_it() {
        let all = [
            ("a/B.class", false),
            ("META-INF/versions/9/a/B.class", false),
            ("xa/B.class", false),
            ("a/C.class", true),
            ("META-INF/versions/9/a/B.class", true),
        ];
        assert_eq!(left(&all, "a/B"), ["xa/B.class", "a/C.class"]);
    }

    #[test]
    fn a_file_that_was_read_before_was_read_as_data() {
        let all = [("B.class", true), ("B.class", false), ("B.class", true)];
        assert_eq!(left(&all, "B"), ["B.class"]);
        assert_eq!(left(&all, "C").len(), 3);
    }

    #[test]
    fn a_member_for_later_jdks_stands_for_another() {
        for (name, expected) in [
            ("META-INF/versions/9/a/b.txt", Some("a/b.txt")),
            ("META-INF/versions/9", None),
            ("META-INF/a", None),
            ("a/b.txt", None),
        ] {
            let member = Member {
                archive: b"/a.jar".to_vec(),
                name: name.into(),
                is_read: true,
                asker: Asker::Unknown,
            };
            let general = member.general().map(|general| general.name);
            assert_eq!(general.as_deref(), expected.map(str::as_bytes), "{name}");
        }
    }

    #[test]
    fn another_thread_defines_for_itself() {
        let mut pending = PendingMembers::default();
        let member = Member {
            archive: b"/a.jar".to_vec(),
            name: b"B.class".to_vec(),
            is_read: false,
            asker: Asker::Unknown,
        };
        let other = thread::spawn(|| thread::current().id()).join().unwrap();
        pending.add(other, member.clone());
        pending.define(thread::current().id(), b"B");
        assert_eq!(pending.take(), [member]);
    }

    #[test]
    fn too_many_are_told() {
        let mut pending = PendingMembers::default();
        let member = Member {
            archive: b"/a.jar".to_vec(),
            name: b"B.class".to_vec(),
            is_read: false,
            asker: Asker::Unknown,
        };
        let thread = thread::current().id();
        let given: usize = (0..MAX_PENDING)
            .map(|_| pending.add(thread, member.clone()).len())
            .sum();
        assert_eq!(given, MAX_PENDING);
        assert_eq!(pending.take(), []);
    }
}
