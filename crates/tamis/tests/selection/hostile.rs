//! What the world does to a store: everything runs, a line says why, and nothing is recorded wrongly.

use std::fs;

use crate::project::{JUNIT_4, Project, Ran};

fn project() -> Project {
    let project = Project::new(&JUNIT_4, "");
    project.test_class(&JUNIT_4, "OneTest", &[("one", "")]);
    project
}

fn assert_note(ran: &Ran, words: &str) {
    assert!(
        ran.notes.iter().any(|note| note.contains(words)),
        "{words}: {ran:#?}"
    );
    assert!(ran.output.contains(words), "{}", ran.output);
}

#[test]
fn a_store_of_random_bytes_or_of_a_newer_tamis_is_set_aside() {
    let project = project();
    project.write(".tamis/store.sqlite", &"garbage ".repeat(1000));
    let ran = project.test(&[]);
    ran.assert_ran(&["OneTest"]);
    assert_note(&ran, "it is no database");
    assert!(project.path(".tamis/store.sqlite.aside-1").exists());
    project.test(&[]).assert_idle(1);

    // The format number of SQLite's `user_version`, which stands at this place of the file's head.
    let path = project.path(".tamis/store.sqlite");
    let mut bytes = fs::read(&path).unwrap();
    bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    fs::write(&path, bytes).unwrap();
    let ran = project.test(&[]);
    ran.assert_ran(&["OneTest"]);
    assert_note(&ran, "it is of a newer Tamis (format 99)");
    project.test(&[]).assert_idle(1);
}

#[test]
fn a_store_that_cannot_be_made() {
    let project = project();
    project.write(".tamis", "a file where the directory should be");
    for _ in 0..2 {
        let ran = project.test(&[]);
        // Without records everything is new.
        assert_eq!((ran.code, ran.n_jvms), (Some(0), 1), "{ran:#?}");
        assert_note(&ran, "nothing is recorded");
    }
}

/// Maven writes elsewhere; in the checkout itself nobody can write anything.
#[test]
fn a_read_only_checkout() {
    let project = project();
    let elsewhere = tempfile::tempdir().unwrap();
    let build = format!(
        "<build><directory>{}</directory>",
        elsewhere.path().display()
    );
    project.edit("pom.xml", "<build>", &build);
    project.make_read_only();
    for _ in 0..2 {
        let ran = project.test_unprivileged();
        assert_eq!((ran.code, ran.n_jvms), (Some(0), 1), "{ran:#?}");
        assert_note(&ran, "nothing is recorded");
        assert!(!project.path(".tamis").exists());
    }
    // A store of better days does not change it: what cannot be recorded is not relied on.
    project.make_writable();
    project.test(&[]).assert_ran(&["OneTest"]);
    project.test(&[]).assert_idle(1);
    let store = fs::read(project.path(".tamis/store.sqlite")).unwrap();
    project.make_read_only();
    let ran = project.test_unprivileged();
    assert_eq!((ran.code, ran.n_jvms), (Some(0), 1), "{ran:#?}");
    assert_note(&ran, "nothing is recorded");
    assert!(store == fs::read(project.path(".tamis/store.sqlite")).unwrap());
    project.make_writable();
    project.test(&[]).assert_idle(1);
}

#[test]
fn a_full_disk_records_nothing_and_harms_nothing() {
    let project = project();
    project.test(&[]).assert_ran(&["OneTest"]);
    fs::remove_dir_all(project.path(".tamis")).unwrap();
    // A device that is always full.
    fs::create_dir(project.path(".tamis")).unwrap();
    std::os::unix::fs::symlink("/dev/full", project.path(".tamis/store.sqlite")).unwrap();
    let ran = project.test(&[]);
    assert_eq!((ran.code, ran.n_jvms), (Some(0), 1), "{ran:#?}");
    assert!(!ran.notes.is_empty(), "{ran:#?}");
}

#[test]
fn tests_that_delete_the_store() {
    let project = project();
    let body = "java.nio.file.Files.walk(java.nio.file.Paths.get(\".tamis\"))
        .sorted(java.util.Comparator.reverseOrder()).forEach(path -> path.toFile().delete());";
    project.test_class(&JUNIT_4, "DeletingTest", &[("deletes", body)]);
    let first = project.test(&[]);
    assert_eq!(
        (first.code, first.verdicts.len()),
        (Some(0), 2),
        "{first:#?}"
    );
    let second = project.test(&[]);
    assert_eq!(
        (second.code, second.verdicts.len()),
        (Some(0), 2),
        "{second:#?}"
    );
}

#[test]
fn two_at_once() {
    let project = project();
    project.test(&[]).assert_ran(&["OneTest"]);
    project.edit("src/test/java/shop/OneTest.java", "one()", "two()");
    // Maven itself must not build the same directory twice at a time: the second build has another one.
    let other = Project::empty(17);
    for file in ["pom.xml", "src/test/java/shop/OneTest.java"] {
        other.write(file, &fs::read_to_string(project.path(file)).unwrap());
    }
    let store = project.path(".tamis").display().to_string();
    let runs = std::thread::scope(|scope| {
        let runs = [&project, &other].map(|project| {
            let options = ["--store", &store];
            scope.spawn(move || project.test_with(&options, &[]))
        });
        runs.map(|run| run.join().unwrap())
    });
    for ran in &runs {
        ran.assert_ran(&["OneTest"]);
        assert_eq!(ran.notes, [""; 0]);
    }
    // Whoever was the last to write, each checkout knows how its own tests are run.
    for project in [&project, &other] {
        project.test_with(&["--store", &store], &[]).assert_idle(1);
    }
}
