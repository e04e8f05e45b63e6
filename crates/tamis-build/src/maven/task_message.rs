//! What the extension says of tasks, as bytes. The writers are `Message.java` and `TestTask.java`.
//!
//! Numbers are little-endian. A text is a length of 32 bits and as many bytes of UTF-8, a list is a count of 32 bits and as
//! many texts. `docs/design/maven.md` has the fields.

use std::path::{Path, PathBuf};

use tamis_facts::Checksum;

use super::task::TestTask;

/// What the extension says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Message {
    /// A goal is about to run.
    Before(Box<TestTask>),
    /// It has ended.
    After {
        module: String,
        execution: String,
        is_green: bool,
    },
}

impl Message {
    /// Nothing if this is no message, down to the last byte.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields { rest: bytes };
        let message = match fields.byte()? {
            1 => Self::Before(Box::new(fields.task()?)),
            2 => Self::After {
                module: fields.text()?,
                execution: fields.text()?,
                is_green: fields.flag()?,
            },
            _ => return None,
        };
        fields.rest.is_empty().then_some(message)
    }
}

/// What has not been read yet.
struct Fields<'a> {
    rest: &'a [u8],
}

impl Fields<'_> {
    fn task(&mut self) -> Option<TestTask> {
        Some(TestTask {
            module: self.text()?,
            execution: self.text()?,
            goal: self.text()?,
            java: self.path()?,
            base: self.path()?,
            build_directories: self.list(Self::path)?,
            source_directories: self.list(Self::path)?,
            classes: self.path()?,
            test_classes: self.path()?,
            scans_dependencies: self.flag()?,
            class_path: self.list(Self::text)?,
            is_filtered: self.flag()?,
            fails_without_tests: self.flag()?,
            configuration: self.checksum()?,
            properties: self.list(Self::property)?,
        })
    }

    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*byte)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*array)
    }

    fn number(&mut self) -> Option<usize> {
        usize::try_from(u32::from_le_bytes(self.array()?)).ok()
    }

    fn text(&mut self) -> Option<String> {
        let length = self.number()?;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    fn path(&mut self) -> Option<PathBuf> {
        let path = PathBuf::from(self.text()?);
        Path::is_absolute(&path).then_some(path)
    }

    fn property(&mut self) -> Option<(String, Checksum)> {
        Some((self.text()?, self.checksum()?))
    }

    fn checksum(&mut self) -> Option<Checksum> {
        self.array().map(Checksum)
    }

    /// Nothing is reserved for the count, which may be any.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(item(self)?);
        }
        Some(items)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The bytes of a message, as the extension writes them.
    pub(in crate::maven) fn encode(message: &Message) -> Vec<u8> {
        let mut bytes = Vec::new();
        match message {
            Message::Before(task) => {
                bytes.push(1);
                encode_task(&mut bytes, task);
            }
            Message::After {
                module,
                execution,
                is_green,
            } => {
                bytes.push(2);
                put(&mut bytes, module);
                put(&mut bytes, execution);
                bytes.push(u8::from(*is_green));
            }
        }
        bytes
    }

    fn encode_task(bytes: &mut Vec<u8>, task: &TestTask) {
        let text = |path: &PathBuf| path.to_str().unwrap().to_owned();
        for field in [&task.module, &task.execution, &task.goal] {
            put(bytes, field);
        }
        put(bytes, &text(&task.java));
        put(bytes, &text(&task.base));
        for paths in [&task.build_directories, &task.source_directories] {
            put_all(bytes, &paths.iter().map(text).collect::<Vec<_>>());
        }
        put(bytes, &text(&task.classes));
        put(bytes, &text(&task.test_classes));
        bytes.push(u8::from(task.scans_dependencies));
        put_all(bytes, &task.class_path);
        bytes.push(u8::from(task.is_filtered));
        bytes.push(u8::from(task.fails_without_tests));
        bytes.extend(task.configuration.0);
        bytes.extend((task.properties.len() as u32).to_le_bytes());
        for (name, value) in &task.properties {
            put(bytes, name);
            bytes.extend(value.0);
        }
    }

    fn put(bytes: &mut Vec<u8>, text: &str) {
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
    }

    fn put_all(bytes: &mut Vec<u8>, texts: &[String]) {
        bytes.extend((texts.len() as u32).to_le_bytes());
        for text in texts {
            put(bytes, text);
        }
    }

    /// A task of a module that lies in this directory.
    pub(in crate::maven) fn task_in(base: &Path) -> TestTask {
        TestTask {
            module: "g:a".to_owned(),
            execution: "default-test".to_owned(),
            goal: "test".to_owned(),
            java: "/jdk/bin/java".into(),
            base: base.to_path_buf(),
            build_directories: vec![base.join("target")],
            source_directories: vec![base.join("src/main/java"), base.join("src/test/java")],
            classes: base.join("target/classes"),
            test_classes: base.join("target/test-classes"),
            scans_dependencies: false,
            class_path: vec!["/é/a.jar".to_owned(), "exclude=g:b".to_owned()],
            is_filtered: true,
            fails_without_tests: false,
            configuration: Checksum([1; 16]),
            properties: vec![
                ("a".to_owned(), Checksum([2; 16])),
                ("b.c".to_owned(), Checksum([3; 16])),
            ],
        }
    }

    fn messages() -> [Message; 2] {
        let after = Message::After {
            module: "g:a".to_owned(),
            execution: String::new(),
            is_green: true,
        };
        [Message::Before(Box::new(task_in(Path::new("/p")))), after]
    }

    #[test]
    fn a_message_has_its_fields_and_no_more() {
        for message in messages() {
            let bytes = encode(&message);
            assert_eq!(Message::parse(&bytes), Some(message));
            for length in 0..bytes.len() {
                assert_eq!(Message::parse(&bytes[..length]), None, "{length}");
            }
            assert_eq!(Message::parse(&[&bytes[..], &[0]].concat()), None);
        }
    }

    #[test]
    fn a_path_is_absolute() {
        let task = task_in(Path::new("p"));
        assert_eq!(
            Message::parse(&encode(&Message::Before(Box::new(task)))),
            None
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_message_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Some(message) = Message::parse(&bytes) {
                prop_assert_eq!(encode(&message), bytes);
            }
        }

        #[test]
        fn a_damaged_message_is_another_or_none(which in 0..2_usize, at in any::<prop::sample::Index>(), byte: u8) {
            let mut bytes = encode(&messages()[which]);
            let at = at.index(bytes.len());
            bytes[at] = byte;
            if let Some(message) = Message::parse(&bytes) {
                prop_assert_eq!(encode(&message), bytes);
            }
        }
    }
}
