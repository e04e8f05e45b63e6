//! Classes of which the class path does not have the bytes that ran: nobody can tell later whether they are the same, so whoever used
//! one runs each time.

use std::fs;

use crate::plain_program::PlainProgram;

const SOURCES: &[(&str, &str)] = &[
    ("Used", "class Used { static int one() { return 1; } }"),
    // Nothing on the class path has it when the tests run.
    ("Plugin", "public class Plugin { }"),
    (
        "AReplacesTest",
        "public class AReplacesTest { @org.junit.Test public void replaces() throws Exception {
            java.nio.file.Path used = java.nio.file.Paths.get(\"classes/shop/Used.class\");
            java.nio.file.Files.write(used, java.nio.file.Files.readAllBytes(java.nio.file.Paths.get(\"aside/other\"))); } }",
    ),
    (
        "BUsesTest",
        "public class BUsesTest { @org.junit.Test public void uses() { Used.one(); } }",
    ),
    (
        "CRestoresTest",
        "public class CRestoresTest { @org.junit.Test public void restores() throws Exception {
            java.nio.file.Path used = java.nio.file.Paths.get(\"classes/shop/Used.class\");
            java.nio.file.Files.write(used, java.nio.file.Files.readAllBytes(java.nio.file.Paths.get(\"aside/first\"))); } }",
    ),
    (
        "DCalmTest",
        "public class DCalmTest { @org.junit.Test public void rests() { } }",
    ),
    (
        "EPluginTest",
        "public class EPluginTest { @org.junit.Test public void loads() throws Exception {
            java.net.URL[] places = { new java.io.File(\"plugins/\").toURI().toURL() };
            new java.net.URLClassLoader(places).loadClass(\"shop.Plugin\").newInstance(); } }",
    ),
    (
        "FListsTest",
        "public class FListsTest { @org.junit.Test public void lists() throws Exception {
            java.net.URL[] places = { new java.io.File(\"plugins/\").toURI().toURL() };
            Class<?> plugin = new java.net.URLClassLoader(places).loadClass(\"shop.Plugin\");
            if (plugin.getDeclaredFields().length != 0) throw new Error(); } }",
    ),
];

#[test]
fn whoever_used_a_class_that_the_class_path_does_not_have_runs_each_time() {
    let mut program = PlainProgram::new(SOURCES);
    let path = |name: &str| program.project.path(name);
    let [used, first, other] = ["classes/shop/Used.class", "aside/first", "aside/other"].map(path);
    let [compiled, plugin] =
        ["classes", "plugins"].map(|place| path(&format!("{place}/shop/Plugin.class")));
    fs::create_dir(program.project.path("aside")).unwrap();
    fs::copy(&used, &first).unwrap();
    program.compile(&[["Used", "return 1", "return 2"]]);
    fs::copy(&used, &other).unwrap();
    program.compile(&[]);
    fs::create_dir_all(plugin.parent().unwrap()).unwrap();
    fs::rename(&compiled, &plugin).unwrap();

    let ran = program.run();
    let verdicts = [
        ("AReplacesTest", "passed"),
        ("BUsesTest", "incomplete"),
        ("CRestoresTest", "passed"),
        ("DCalmTest", "passed"),
        ("EPluginTest", "incomplete"),
        ("FListsTest", "passed"),
    ];
    ran.assert_verdicts(&verdicts);
    for (test, doubt) in [
        ("BUsesTest", "was loaded with other bytes than"),
        ("EPluginTest", "not from the class path"),
    ] {
        let output = program.project.tamis().args(["why", test]).output();
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        assert!(text.contains(doubt), "{test}: {text}");
    }
    let again = program.run();
    let selected: Vec<&str> = again.verdicts.keys().map(String::as_str).collect();
    assert_eq!(selected, ["BUsesTest", "EPluginTest"], "{again:#?}");
    // Nothing of the class has run for the one that only lists what it declares: its file is one like others.
    program.compile(&[["Plugin", "{ }", "{ private int more; }"]]);
    fs::rename(&compiled, &plugin).unwrap();
    let changed = program.run();
    let verdicts = [("EPluginTest", "incomplete"), ("FListsTest", "failed")];
    changed.assert_verdicts(&verdicts);
}
