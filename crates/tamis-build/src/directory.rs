//! The class files below a directory.
//!
//! Symbolic links are followed, because builds link class directories; a link that leads back to a
//! directory around it is an error of that link, and what else is there is still listed.

use std::path::Path;

use walkdir::{DirEntry, WalkDir};

use crate::class_source::{ListedClass, Place, is_class_name};
use crate::path_text::path_text;
use crate::read_error::{ReadError, ReadErrorKind};

/// The class files below `root` and the places that cannot be looked into, in no particular order.
pub(crate) fn list(root: &Path) -> Vec<ListedClass> {
    WalkDir::new(root)
        .follow_links(true)
        .into_iter()
        .filter_map(|entry| match entry {
            Ok(entry) => class_file(root, entry),
            Err(error) => Some(unreadable(root, error)),
        })
        .collect()
}

/// Anything that is named like a class and is no directory; pipes and devices are refused on reading.
fn class_file(root: &Path, entry: DirEntry) -> Option<ListedClass> {
    let is_class =
        !entry.file_type().is_dir() && is_class_name(entry.file_name().as_encoded_bytes());
    is_class.then(|| {
        let path = path_inside(root, entry.path());
        ListedClass::new(path, Place::File(entry.into_path()))
    })
}

fn unreadable(root: &Path, error: walkdir::Error) -> ListedClass {
    let path = error.path().unwrap_or(root).to_path_buf();
    // A walk fails for two reasons: a loop of links, or the operating system.
    let kind = match error.into_io_error() {
        Some(cause) => ReadErrorKind::from(cause),
        None => ReadErrorKind::LinkLoop,
    };
    let error = ReadError::at_path(&path, kind);
    ListedClass::new(path_inside(root, &path), Place::Unreadable(error))
}

/// `path` relative to `root`, with slashes on every system.
fn path_inside(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    let parts = inside.components().map(|part| path_text(part.as_ref()));
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::class_source::{ClassSource, ListedClass};
    use crate::read_error::ReadErrorKind;

    #[test]
    fn classes_at_any_depth_sorted_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        for path in [
            "b/C.class",
            "b/a/D.class",
            "A.class",
            "b-c/E.class",
            "x.jar",
            "a.txt",
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        fs::create_dir(root.path().join("Directory.class")).unwrap();
        let source = ClassSource::open(root.path()).unwrap();
        let paths: Vec<_> = source.classes().iter().map(ListedClass::path).collect();
        assert_eq!(
            paths,
            ["A.class", "b-c/E.class", "b/C.class", "b/a/D.class"]
        );
        assert!(source.read_all().all(|entry| entry.unwrap().bytes == b"x"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_a_loop_is_one_error_among_the_classes() {
        use std::os::unix::fs::symlink;
        let root = tempfile::tempdir().unwrap();
        let classes = root.path().join("classes");
        fs::create_dir_all(classes.join("a")).unwrap();
        fs::write(classes.join("a/B.class"), "x").unwrap();
        symlink(&classes, classes.join("a/loop")).unwrap();
        symlink(classes.join("a/B.class"), classes.join("a/Link.class")).unwrap();
        symlink("nowhere", classes.join("a/Gone.class")).unwrap();
        let source = ClassSource::open(&classes).unwrap();
        let shown: Vec<_> = source
            .classes()
            .iter()
            .map(|class| match class.read() {
                Ok(_) => format!("{} read", class.path()),
                Err(error) => format!("{} {}", class.path(), error.kind),
            })
            .collect();
        assert_eq!(
            shown,
            [
                "a/B.class read",
                "a/Gone.class No such file or directory (os error 2)",
                "a/Link.class read",
                "a/loop it is a symbolic link to a directory that contains it",
            ]
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_named_like_a_class_is_refused_instead_of_waited_for() {
        let root = tempfile::tempdir().unwrap();
        let pipe = root.path().join("Pipe.class");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let source = ClassSource::open(root.path()).unwrap();
        let error = source.classes()[0].read().unwrap_err();
        assert!(matches!(error.kind, ReadErrorKind::NotRegular));
    }
}
