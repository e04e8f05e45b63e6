//! Selecting by test method: of a class that has to run, what nothing has changed for is skipped.

use std::fs;

use crate::plain_program::PlainProgram;
use crate::project::{Combination, JUNIT_4, JUPITER, Project, Ran};
use crate::workshop::MESHES;

const PRICE: &str = "public class Price {
    public static int net() { return 1; }
    public static int gross() { return 2; }
    public static int setUp() { return 3; } }";

/// Both tests need what is set up.
fn project(combination: &Combination, before: &str, test: &str) -> Project {
    let project = Project::new(combination, "");
    project.class("Price", PRICE);
    let class = |name: &str, members: &str, [net, gross]: [&str; 2]| {
        let text = format!(
            "package shop; public class {name} {{ {members}
                @{before} public void before() {{ if (Price.setUp() != 3) throw new Error(); }}
                @{test} public void net() {{ {net} }}
                @{test} public void gross() {{ {gross} }} }}"
        );
        project.write(&format!("src/test/java/shop/{name}.java"), &text);
    };
    let bodies = [
        "if (Price.net() != 1) throw new Error();",
        "if (Price.gross() < 2) throw new Error();",
    ];
    class("FreeTest", "static final int LIMIT = 1;", bodies);
    class("TiedTest", "static int count;", bodies);
    project
}

fn test(project: &Project) -> Ran {
    project.test_with(&["--granularity", "method"], &[])
}

fn check(combination: &Combination, before: &str, test_annotation: &str, [net, gross]: [&str; 2]) {
    let project = project(combination, before, test_annotation);
    let price = "src/main/java/shop/Price.java";
    test(&project).assert_ran(&["FreeTest", "TiedTest"]);
    test(&project).assert_idle(2);

    // What a test ran, and what was set up for it.
    project.edit(price, "return 2;", "return 4;");
    let ran = test(&project);
    ran.assert_ran(&[gross, "TiedTest"]);
    assert_eq!(ran.skipped.iter().collect::<Vec<_>>(), [net]);
    // The class knows all its tests, whichever way it is asked.
    test(&project).assert_idle(2);
    project.test(&[]).assert_idle(2);
    project.edit(price, "return 3;", "gross(); return 3;");
    test(&project).assert_ran(&["FreeTest", "TiedTest"]);

    // Red stays red, and only what is red.
    project.edit(price, "return 4;", "return 1;");
    test(&project).assert_verdicts(&[("FreeTest", "failed"), ("TiedTest", "failed")]);
    project.edit(price, "net() { return 1; }", "net() { return 2 - 1; }");
    let red = test(&project);
    assert_eq!(
        red.verdicts.get(gross).map(String::as_str),
        Some("failed"),
        "{red:#?}"
    );
    assert_eq!(red.code, Some(1), "{red:#?}");
}

#[test]
fn a_method_of_junit_4_runs_by_itself() {
    let names = ["FreeTest#net", "FreeTest#gross"];
    check(&JUNIT_4, "org.junit.Before", "org.junit.Test", names);
}

#[test]
fn a_method_of_jupiter_runs_by_itself() {
    let names = ["FreeTest#net()", "FreeTest#gross()"];
    let before = "org.junit.jupiter.api.BeforeEach";
    check(&JUPITER, before, "org.junit.jupiter.api.Test", names);
}

/// A test fails by what another one left in an object that they share: their own, however that was asked for, or that of an extension.
#[test]
fn an_object_for_all_tests_ties_them() {
    const PER_CLASS: &str = "junit.jupiter.testinstance.lifecycle.default=per_class";
    const OWN: &str = "public class SharedTest {
        int net = 1;
        @Test void aNet() { net = Price.net(); }
        @Test void bSum() { if (net + Price.gross() != 3) throw new Error(); } }";
    const OF_EXTENSION: &str = "@ExtendWith(Kept.class) public class SharedTest {
        @Test void aNet(Kept kept) { kept.net = Price.net(); }
        @Test void bSum(Kept kept) { if (kept.net + Price.gross() != 3) throw new Error(); } }
    class Kept implements ParameterResolver {
        int net = 1;
        public boolean supportsParameter(ParameterContext one, ExtensionContext two) { return true; }
        public Object resolveParameter(ParameterContext one, ExtensionContext two) { return this; } }";
    let parameter = format!(
        "<configuration><properties><configurationParameters>{PER_CLASS}</configurationParameters></properties></configuration>"
    );
    let property = format!("<configuration><argLine>-D{PER_CLASS}</argLine></configuration>");
    for (configuration, text) in [(&*parameter, OWN), (&property, OWN), ("", OF_EXTENSION)] {
        let project = Project::new(&JUPITER, configuration);
        project.class("Price", PRICE);
        let imports = "import org.junit.jupiter.api.*; import org.junit.jupiter.api.extension.*;";
        project.write(
            "src/test/java/shop/SharedTest.java",
            &format!("package shop; {imports} {text}"),
        );
        test(&project).assert_ran(&["SharedTest"]);
        project.edit("src/main/java/shop/Price.java", "return 1;", "return 5;");
        test(&project).assert_verdicts(&[("SharedTest", "failed")]);
    }
}

/// Fixtures of both frameworks belong to every method, and finer meshes decide about each by itself.
#[test]
fn fixtures_and_branches_concern_the_methods_that_ran_them() {
    let project = Project::new(&JUNIT_4, "");
    project.class(
        "Price",
        "public class Price {
            public static int of(int n) { if (n > 10) { return n * 9; } return n * 10; }
            public static int first() { return 1; }
            public static int rule() { return 2; }
            public static int unused() { return 3; } }",
    );
    project.write(
        "src/test/java/shop/PriceTest.java",
        "package shop; import org.junit.*; import org.junit.rules.*;
        public class PriceTest {
            @Rule public TestRule rule = (base, description) -> { Price.rule(); return base; };
            @BeforeClass public static void first() { Price.first(); }
            @Test public void few() { if (Price.of(2) < 0) throw new Error(); }
            @Test public void many() { if (Price.of(20) < 0) throw new Error(); } }",
    );
    for (name, members) in [
        (
            "FixedTest",
            "@FixMethodOrder(org.junit.runners.MethodSorters.NAME_ASCENDING) public class FixedTest",
        ),
        (
            "OrderedTest",
            "@org.junit.runner.OrderWith(org.junit.runner.manipulation.Alphanumeric.class) public class OrderedTest",
        ),
        ("HeirTest", "public class HeirTest extends HeirBase"),
    ] {
        project.write(
            &format!("src/test/java/shop/{name}.java"),
            &format!(
                "package shop; import org.junit.*; {members} {{
                    @Test public void few() {{ Price.of(2); }}
                    @Test public void many() {{ Price.of(20); }} }}"
            ),
        );
    }
    project.write(
        "src/test/java/shop/HeirBase.java",
        "package shop; public abstract class HeirBase { static int count; }",
    );
    let all = ["FixedTest", "HeirTest", "OrderedTest", "PriceTest"];
    let tied = ["FixedTest", "HeirTest", "OrderedTest"];
    let by = |mesh| ["--granularity", "method", "--mesh", mesh];
    project.test_with(&by("block"), &[]).assert_ran(&all);
    let selected = |mesh: &str| {
        let selected = project.select_with(mesh, &["--granularity", "method"]);
        selected.into_iter().collect::<Vec<String>>()
    };
    let with = |others: &[&str]| {
        let mut names: Vec<String> = tied
            .iter()
            .chain(others)
            .map(|name| (*name).to_owned())
            .collect();
        names.sort_unstable();
        names
    };
    let price = "src/main/java/shop/Price.java";
    let compile = || {
        let compiled = project.maven(&["-q", "compile"]);
        assert!(compiled.status.success(), "{compiled:?}");
    };
    // One branch: by blocks, who ran it; by methods, who ran the method; by files, who used the class.
    project.edit(price, "n * 9", "n * 8");
    compile();
    assert_eq!(selected("block"), with(&["PriceTest#many"]));
    for mesh in ["dispatch", "method", "file"] {
        assert_eq!(selected(mesh), with(&["PriceTest"]), "{mesh}");
    }
    project.edit(price, "n * 8", "n * 9");
    // What nobody ran; then what ran before all of them, and around each.
    project.edit(price, "return 3", "return 30");
    compile();
    for mesh in ["block", "dispatch", "method"] {
        assert_eq!(selected(mesh), [""; 0], "{mesh}");
    }
    assert_eq!(selected("file"), with(&["PriceTest"]));
    for (from, to) in [("return 1;", "return 10;"), ("return 2;", "return 20;")] {
        project.edit(price, from, to);
        compile();
        for mesh in ["block", "dispatch", "method", "file"] {
            let expected = if mesh == "file" {
                with(&["PriceTest"])
            } else {
                vec!["PriceTest".to_owned()]
            };
            assert_eq!(selected(mesh), expected, "{mesh}, {to}");
        }
        project.edit(price, to, from);
    }
    // Each runs for itself; those that are tied run with all their methods.
    project.edit(price, "n * 9", "n * 8");
    let ran = project.test_with(&by("block"), &[]);
    let expected = ["FixedTest", "HeirTest", "OrderedTest", "PriceTest#many"];
    ran.assert_ran(&expected);
    assert_eq!(ran.skipped.iter().collect::<Vec<_>>(), ["PriceTest#few"]);
}

const PRICE_AND_FIXTURES: (&str, &str) = (
    "Price",
    "class Price {
        static int of(int n) { if (n > 10) { return n * 9; } return n * 10; }
        static int first() { return 1; }
        static int each() { return 2; }
        static int unused() { return 3; }
        static int after() { return 4; }
        static int last() { return 5; } }",
);

const CLASSES: &[(&str, &str)] = &[
    PRICE_AND_FIXTURES,
    (
        "Item",
        "class Item { int price() { return 4; } int size() { return 5; } }",
    ),
    ("Fruit", "class Fruit extends Item { }"),
    (
        "Late",
        "class Late { static int n; static int o() { return n; } static int p() { return n; } }",
    ),
    (
        "Stock",
        "class Stock { static int few() { return 6; } static int many() { return 7; } }",
    ),
    (
        "ItemTest",
        "class ItemTest {
            @Test void calm() { }
            @Test void price() { new Fruit().price(); }
            @Test void size() { new Fruit().size(); } }",
    ),
    (
        "LateTest",
        "class LateTest {
            @Test void calm() { }
            @Test void o() { Late.o(); }
            @Test void p() { Late.p(); } }",
    ),
    (
        "OneObjectTest",
        "@TestInstance(TestInstance.Lifecycle.PER_CLASS) class OneObjectTest {
            @Test void few() { Stock.few(); }
            @Test void many() { Stock.many(); } }",
    ),
    (
        "OrderedTest",
        "@TestMethodOrder(MethodOrderer.MethodName.class) class OrderedTest {
            @Test void few() { Stock.few(); }
            @Test void many() { Stock.many(); } }",
    ),
    (
        "PriceTest",
        "class PriceTest {
            @BeforeAll static void first() { Price.first(); }
            @BeforeEach void each() { Price.each(); }
            @AfterEach void after() { Price.after(); }
            @AfterAll static void last() { Price.last(); }
            @Test void few() { Price.of(2); }
            @Test void many() { Price.of(20); } }",
    ),
];

const CLASSES_OF_JUNIT_4: &[(&str, &str)] = &[
    PRICE_AND_FIXTURES,
    (
        "PriceTest",
        "public class PriceTest {
            @org.junit.BeforeClass public static void first() { Price.first(); }
            @org.junit.Before public void each() { Price.each(); }
            @org.junit.After public void after() { Price.after(); }
            @org.junit.AfterClass public static void last() { Price.last(); }
            @org.junit.Test public void few() { Price.of(2); }
            @org.junit.Test public void many() { Price.of(20); } }",
    ),
];

/// A change, and what is selected by each mesh, from fine to coarse.
type Change = ([&'static str; 3], [&'static [&'static str]; 4]);

const ALL_OF_PRICE: [&[&str]; 4] = [&["PriceTest"]; 4];

/// What runs before all methods and after them, and around each.
const CHANGES_OF_FIXTURES: &[Change] = &[
    (["Price", "return 1", "return 11"], ALL_OF_PRICE),
    (["Price", "return 2", "return 22"], ALL_OF_PRICE),
    (
        ["Price", "return 3", "return 30"],
        [&[], &[], &[], &["PriceTest"]],
    ),
    (["Price", "return 4", "return 44"], ALL_OF_PRICE),
    (["Price", "return 5", "return 55"], ALL_OF_PRICE),
];

const A_BRANCH: [&str; 3] = ["Price", "n * 9", "n * 8"];

const CHANGES: &[Change] = &[
    (
        A_BRANCH,
        [
            &["PriceTest#many()"],
            &["PriceTest"],
            &["PriceTest"],
            &["PriceTest"],
        ],
    ),
    // A method that calls find from now on.
    (
        ["Fruit", "{ }", "{ int price() { return 40; } }"],
        [
            &["ItemTest#price()"],
            &["ItemTest#price()"],
            OF_ITEM,
            OF_ITEM,
        ],
    ),
    // An initialiser runs once for both.
    (["Late", "int n;", "int n = 6;"], [OF_LATE; 4]),
    // One method of each, which are tied to the others.
    (["Stock", "return 7", "return 77"], [OF_STOCK; 4]),
];

const OF_ITEM: &[&str] = &["ItemTest#price()", "ItemTest#size()"];
const OF_LATE: &[&str] = &["LateTest#o()", "LateTest#p()"];
const OF_STOCK: &[&str] = &["OneObjectTest", "OrderedTest"];

const BY_BLOCKS: [&str; 4] = ["--granularity", "method", "--mesh", "block"];

/// Makes each change of a program that was recorded, asks about it, and takes it back.
fn check_changes(program: &mut PlainProgram, changes: &[Change]) {
    for (change, expected) in changes {
        program.compile(&[*change]);
        for (mesh, expected) in MESHES.into_iter().zip(expected) {
            let selected = program
                .project
                .select_with(mesh, &["--granularity", "method"]);
            let selected: Vec<&str> = selected.iter().map(String::as_str).collect();
            assert_eq!(selected, *expected, "{mesh}, {change:?}");
        }
        program.compile(&[]);
    }
}

#[test]
fn each_mesh_decides_about_methods_of_jupiter() {
    let mut program = PlainProgram::of_jupiter(CLASSES);
    let recorded = program.run_with(&BY_BLOCKS, &[]);
    recorded.assert_ran(&program.tests());
    check_changes(&mut program, CHANGES);
    check_changes(&mut program, CHANGES_OF_FIXTURES);
    program.compile(&[A_BRANCH]);
    let ran = program.run_with(&BY_BLOCKS, &[]);
    ran.assert_ran(&["PriceTest#many()"]);
    assert!(ran.skipped.contains("PriceTest#few()"), "{ran:#?}");
}

#[test]
fn set_up_and_tear_down_of_junit_4_concern_every_method() {
    let mut program = PlainProgram::new(CLASSES_OF_JUNIT_4);
    let recorded = program.run_with(&BY_BLOCKS, &[]);
    recorded.assert_ran(&["PriceTest"]);
    check_changes(&mut program, CHANGES_OF_FIXTURES);
    program.compile(&[A_BRANCH]);
    let ran = program.run_with(&BY_BLOCKS, &[]);
    ran.assert_ran(&["PriceTest#many"]);
}

/// What the first method of each leaves for the second: in a field, in a file, inside of an object, in a property.
const LEAVING: &[(&str, &str)] = &[
    (
        "Price",
        "class Price { static int net() { return 1; } static int gross() { return 2; } }",
    ),
    (
        "Kept",
        "class Kept { static int net; static final int[] INSIDE = {0}; }",
    ),
    (
        "FieldTest",
        "class FieldTest {
            @Test void aNet() { Kept.net = Price.net(); }
            @Test void bSum() { if (Kept.net + Price.gross() != 3) throw new Error(); } }",
    ),
    (
        "FileTest",
        "class FileTest {
            final java.nio.file.Path file = java.nio.file.Paths.get(\"net\");
            @Test void aNet() throws Exception {
                java.nio.file.Files.write(file, new byte[] {(byte) Price.net()}); }
            @Test void bSum() throws Exception {
                int net = java.nio.file.Files.readAllBytes(file)[0];
                if (net + Price.gross() != 3) throw new Error(); } }",
    ),
    (
        "InsideTest",
        "class InsideTest {
            @Test void aNet() { Kept.INSIDE[0] = Price.net(); }
            @Test void bSum() { if (Kept.INSIDE[0] + Price.gross() != 3) throw new Error(); } }",
    ),
    (
        "PropertyTest",
        "class PropertyTest {
            @Test void aNet() { System.setProperty(\"net\", \"\" + Price.net()); }
            @Test void bSum() {
                int net = Integer.parseInt(System.getProperty(\"net\"));
                if (net + Price.gross() != 3) throw new Error(); } }",
    ),
];

/// No class and no file shows the order: who relies on an earlier method runs when that does, and not without it.
#[test]
fn an_order_that_the_build_gives_is_kept_where_methods_rely_on_it() {
    const IN_ORDER: &str =
        "-Djunit.jupiter.testmethod.order.default=org.junit.jupiter.api.MethodOrderer$MethodName";
    let mut program = PlainProgram::of_jupiter(LEAVING);
    program
        .run_with(&BY_BLOCKS, &[IN_ORDER])
        .assert_ran(&program.tests());
    // The second method alone is concerned, and needs the first.
    let gross = ["Price", "return 2", "return Integer.parseInt(\"2\")"];
    program.compile(&[gross]);
    fs::remove_file(program.project.path("net")).unwrap();
    let ran = program.run_with(&BY_BLOCKS, &[IN_ORDER]);
    // What is changed inside of an object is not known to be left for it: both methods of that class ought to run, and pass.
    ran.assert_verdicts(&[
        ("FieldTest", "passed"),
        ("FileTest", "passed"),
        ("InsideTest#bSum()", "failed"),
        ("PropertyTest", "passed"),
    ]);
    // The first one leaves something else.
    program.compile(&[gross, ["Price", "return 1", "return 5"]]);
    let ran = program.run_with(&BY_BLOCKS, &[IN_ORDER]);
    let tests = program.tests().into_iter();
    let expected: Vec<(&str, &str)> = tests.map(|test| (test, "failed")).collect();
    ran.assert_verdicts(&expected);
}
