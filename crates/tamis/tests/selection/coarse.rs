//! What is known coarsely so far (P1): configuration, environment, state that tests leave, reflection, classes
//! that are not there. Each change turns a test red, and the red test must be run.

use crate::project::{ALPHABETICAL, JUNIT_4, Project, Ran};

const CLASSES: &[(&str, &str)] = &[
    (
        "Helper",
        "public class Helper { public static int value() { return 1; } }",
    ),
    // Only the first who asks runs the helper.
    (
        "Registry",
        "public class Registry { private static Integer known;
            public static int get() { if (known == null) known = Helper.value(); return known; } }",
    ),
    ("Listed", "public class Listed { public void one() {} }"),
    // Nothing names it.
    (
        "Named",
        "public class Named { public static int price() { return 1; } }",
    ),
];

const TESTS: &[(&str, &str)] = &[
    ("AFirstTest", "if (Registry.get() != 1) throw new Error();"),
    ("BSecondTest", "if (Registry.get() != 1) throw new Error();"),
    (
        "CSetterTest",
        "System.setProperty(\"shop.left\", String.valueOf(Helper.value()));",
    ),
    (
        "DReaderTest",
        "if (!\"1\".equals(System.getProperty(\"shop.left\"))) throw new Error();",
    ),
    (
        "ListingTest",
        "if (Listed.class.getDeclaredMethods().length != 1) throw new Error();",
    ),
    (
        "NamedTest",
        "String name = getClass().getPackage().getName() + (char) 46 + new StringBuilder(\"demaN\").reverse();
         if (!Class.forName(name).getMethod(\"price\").invoke(null).equals(1)) throw new Error();",
    ),
    (
        "AbsentTest",
        "boolean found = true;
         try { Class.forName(\"shop.Plugin\"); } catch (ClassNotFoundException e) { found = false; }
         if (found) throw new Error();",
    ),
    (
        "MoodTest",
        "if (\"bad\".equals(System.getenv(\"SHOP_MOOD\")) || \"bad\".equals(System.getProperty(\"shop.mood\"))) throw new Error();",
    ),
];

fn project() -> Project {
    let project = Project::new(&JUNIT_4, ALPHABETICAL);
    // A value that changes without any file.
    let profile = "<profiles><profile><id>moody</id><properties><mood>bad</mood></properties></profile></profiles>";
    let properties = format!("{profile}<properties><mood>good</mood>");
    project.edit("pom.xml", "<properties>", &properties);
    project.edit(
        "pom.xml",
        "</runOrder>",
        "</runOrder><systemPropertyVariables><shop.mood>${mood}</shop.mood></systemPropertyVariables>",
    );
    for (name, text) in CLASSES {
        project.class(name, text);
    }
    for (name, body) in TESTS {
        project.test_class(&JUNIT_4, name, &[("runs", body)]);
    }
    project
}

fn assert_red(ran: &Ran, tests: &[&str]) {
    let red = ran
        .verdicts
        .iter()
        .filter(|(_, verdict)| *verdict == "failed");
    let red: Vec<&str> = red.map(|(name, _)| name.as_str()).collect();
    assert_eq!(red, tests, "{ran:#?}");
}

#[test]
fn nothing_of_it_is_missed() {
    let project = project();
    let mut all: Vec<&str> = TESTS.iter().map(|(name, _)| *name).collect();
    all.sort_unstable();
    project.test(&[]).assert_ran(&all);
    project.test(&[]).assert_idle(all.len());

    let environment = project.test_in(&[("SHOP_MOOD", "bad")], &[]);
    assert_red(&environment, &["MoodTest"]);
    assert_red(&project.test(&["-Pmoody"]), &["MoodTest"]);
    assert_red(&project.test(&["-Dshop.mood=bad"]), &["MoodTest"]);

    for (class, from, to, red) in [
        (
            "Helper",
            "return 1",
            "return 2",
            &["AFirstTest", "BSecondTest", "DReaderTest"][..],
        ),
        (
            "Listed",
            "public void",
            "private void two() {} public void",
            &["ListingTest"],
        ),
        ("Named", "return 1", "return 2", &["NamedTest"]),
    ] {
        let file = format!("src/main/java/shop/{class}.java");
        project.edit(&file, from, to);
        assert_red(&project.test(&[]), red);
        project.edit(&file, to, from);
    }
    // Everything is as it was, and was seen to pass so.
    project.test(&[]).assert_idle(all.len());

    project.class("Plugin", "public class Plugin {}");
    assert_red(&project.test(&[]), &["AbsentTest"]);
}
