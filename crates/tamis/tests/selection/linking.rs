//! What a JVM asks of classes when it links others: it asks once, and all who use these others are concerned.

use std::fs;

use crate::plain_program::PlainProgram;

/// Code that nobody calls has to be checked before any of the class runs.
const CHECKED: &str = "public class Checked {
    static Upper upper() { Upper upper = new Lower(); return upper; }
    static int caught() { try { return Integer.parseInt(\"x\"); } catch (Odd e) { return 2; } }
    public static int one() { return 1; } }";

const PROGRAM: &[(&str, &str)] = &[
    ("Checked", CHECKED),
    ("Upper", "public class Upper { }"),
    (
        "Lower",
        "public class Lower extends Upper { static int code() { return 1; } }",
    ),
    ("Odd", "public class Odd extends RuntimeException { }"),
    (
        "Outer",
        "public class Outer { public static class Inner { } static int code() { return 1; } }",
    ),
    (
        "Namer",
        "public class Namer { static String name() { return Outer.Inner.class.getSimpleName(); } }",
    ),
    (
        "AFirstTest",
        "public class AFirstTest { @org.junit.Test public void one() { if (Checked.one() != 1) throw new Error(); } }",
    ),
    (
        "BSecondTest",
        "public class BSecondTest { @org.junit.Test public void one() { if (Checked.one() != 1) throw new Error(); } }",
    ),
    (
        "CNameTest",
        "public class CNameTest { @org.junit.Test public void names() {
            if (!Namer.name().equals(\"Inner\")) throw new Error(); } }",
    ),
    (
        "DNameTest",
        "public class DNameTest { @org.junit.Test public void names() {
            if (!Namer.name().equals(\"Inner\")) throw new Error(); } }",
    ),
];

const MESHES: [&str; 4] = ["file", "method", "dispatch", "block"];

/// The users of the class that is checked, and of the nested one.
const CHECKING: [&str; 2] = ["AFirstTest", "BSecondTest"];
const NAMING: [&str; 2] = ["CNameTest", "DNameTest"];

/// Recompiles some classes; the others stay as they were.
fn recompile(program: &mut PlainProgram, others: &[&str], changes: &[[&str; 3]]) {
    let path = |name: &&str| program.project.path(format!("classes/shop/{name}.class"));
    let kept = others
        .iter()
        .map(|name| (path(name), fs::read(path(name)).unwrap()));
    let kept: Vec<_> = kept.collect();
    program.compile(changes);
    for (path, bytes) in kept {
        fs::write(path, bytes).unwrap();
    }
}

fn selected(program: &PlainProgram, mesh: &str) -> Vec<String> {
    let ran = program.run_with(&["--mesh", mesh, "--no-record"], &[]);
    ran.verdicts.into_keys().collect()
}

#[test]
fn who_uses_a_class_that_names_what_is_no_longer_below_another_runs() {
    for mesh in MESHES {
        let mut program = PlainProgram::new(PROGRAM);
        program.run_with(&["--mesh", mesh], &[]);
        let checked = ["Checked"];
        // Code alone concerns at most the first one, for whom the class was loaded.
        program.compile(&[["Lower", "return 1", "return 2"]]);
        assert!(!selected(&program, mesh).contains(&CHECKING[1].to_owned()));
        let apart = [
            ["Lower", "extends Upper", ""],
            ["Checked", "new Lower()", "new Upper()"],
        ];
        recompile(&mut program, &checked, &apart);
        assert_eq!(selected(&program, mesh), CHECKING, "{mesh}");
        recompile(&mut program, &checked, &[]);
        fs::remove_file(program.project.path("classes/shop/Odd.class")).unwrap();
        assert_eq!(selected(&program, mesh), CHECKING, "{mesh}");
        recompile(&mut program, &checked, &[]);
        assert_eq!(selected(&program, mesh), [""; 0], "{mesh}");
    }
}

#[test]
fn who_uses_a_class_that_is_no_longer_part_of_another_runs() {
    for mesh in MESHES {
        let mut program = PlainProgram::new(PROGRAM);
        program.run_with(&["--mesh", mesh], &[]);
        program.compile(&[["Outer", "return 1", "return 2"]]);
        assert!(!selected(&program, mesh).contains(&NAMING[1].to_owned()));
        let gone = [
            ["Outer", "public static class Inner { }", ""],
            ["Namer", "Outer.Inner.class", "Outer.class"],
        ];
        recompile(&mut program, &["Outer$Inner", "Namer"], &gone);
        assert_eq!(selected(&program, mesh), NAMING, "{mesh}");
    }
}
