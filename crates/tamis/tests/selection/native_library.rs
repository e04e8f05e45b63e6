//! A native library may read what it likes: from when it is loaded, all files of the module count.

use std::fs;

use crate::plain_program::PlainProgram;

const TESTS: &[(&str, &str)] = &[
    (
        "BeforeTest",
        "public class BeforeTest { @org.junit.Test public void passes() { } }",
    ),
    (
        "LoadingTest",
        "public class LoadingTest { @org.junit.Test public void loads() {
            System.load(new java.io.File(\"libshop.so\").getAbsolutePath()); } }",
    ),
    (
        "LaterTest",
        "public class LaterTest { @org.junit.Test public void passes() { } }",
    ),
];

#[test]
fn files_concern_who_loads_a_library_and_who_comes_later() {
    let program = PlainProgram::new(TESTS);
    let project = &program.project;
    let home = project.launcher().with_file_name("../lib/libprefs.so");
    let library = fs::read(home).unwrap();
    fs::write(project.path("libshop.so"), &library).unwrap();
    // The report is one of the files.
    let run = || program.run_with(&["--ignored-files", "report.json"], &[]);
    let first = run();
    first.assert_ran(&program.tests());
    run().assert_ran(&[]);
    // It is said which library it is.
    let reason =
        |text: &str| text.contains("a native library was loaded") && text.contains("libshop.so");
    let coarse = first.report["realms"][0]["coarse"].as_array().unwrap();
    let mut files = coarse.iter().filter(|one| one["what"] == "files");
    let told = files.next().and_then(|files| files["reason"].as_str());
    assert!(told.is_some_and(reason), "{coarse:?}");
    let diagnoses = project.diagnoses("not told apart", true);
    assert!(diagnoses.iter().any(|one| reason(one)), "{diagnoses:?}");
    let concerned = ["LaterTest", "LoadingTest"];
    fs::write(project.path("libshop.so"), [&library[..], b"more"].concat()).unwrap();
    run().assert_ran(&concerned);
    project.write("unread.txt", "1");
    run().assert_ran(&concerned);
    run().assert_ran(&[]);
}
