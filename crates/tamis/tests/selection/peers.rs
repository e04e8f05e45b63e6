//! What other tools miss, or were reported to miss: each case by itself, as a change that turns tests red, and that runs
//! exactly those that it concerns. `rtscheck.rs` has the reports to OpenClover and STARTS, `holes.rs`, `files.rs` and `seen.rs`
//! more ways by which a change reaches a test.

use crate::plain_program::PlainProgram;

/// A case: who misses it or is known to have a test of it, what changes, and what is run then.
struct Case {
    source: &'static str,
    change: Change,
    verdicts: &'static [(&'static str, &'static str)],
}

enum Change {
    /// A class, a text in it, and what stands there instead.
    Class([&'static str; 3]),
    /// A file that had a `1` in it has a `2`.
    File(&'static str),
}

const CLASSES: &[(&str, &str)] = &[
    (
        "Tool",
        "public class Tool { public static void main(String[] arguments) throws Exception {
            byte[] text = java.nio.file.Files.readAllBytes(java.nio.file.Paths.get(\"child.txt\"));
            System.exit(ToolHelper.value() == 1 && text[0] == '1' ? 0 : 1); } }",
    ),
    (
        "ToolHelper",
        "class ToolHelper { static int value() { return 1; } }",
    ),
    (
        "Threaded",
        "class Threaded { static int value() { return 1; } }",
    ),
    ("Old", "class Old { static int value() { return 1; } }"),
    (
        "Twice",
        "class Twice { static int of(int n) { return n + n; } }",
    ),
    ("Limits", "class Limits { static final int MAX = 1; }"),
    (
        "Cart",
        "class Cart { static int max() { return Limits.MAX; } }",
    ),
    (
        "Defaults",
        "class Defaults { static Integer value() { return 1; } }",
    ),
    (
        "Initial",
        "class Initial { static final Integer VALUE = Defaults.value(); }",
    ),
    ("Counter", "class Counter { int count = 1; }"),
    (
        "Basket",
        "class Basket implements java.io.Serializable { int size = 1; }",
    ),
    (
        "Lambda",
        "class Lambda { static java.util.function.IntSupplier one() { return () -> 1; } }",
    ),
];

/// In the order in which they run.
const TESTS: &[(&str, &str)] = &[
    (
        "ChildTest",
        "String java = System.getProperty(\"java.home\") + \"/bin/java\";
         String[] command = { java, \"-cp\", System.getProperty(\"java.class.path\"), \"shop.Tool\" };
         if (new ProcessBuilder(command).start().waitFor() != 0) throw new Error();",
    ),
    (
        "ThreadTest",
        "int[] result = new int[1];
         Thread thread = new Thread(() -> result[0] = Threaded.value()); thread.start(); thread.join();
         if (result[0] != 1) throw new Error();",
    ),
    ("ConstantTest", "if (Cart.max() != 1) throw new Error();"),
    (
        "FirstTest",
        "if (Initial.VALUE != 1) throw new Error();",
    ),
    (
        "SecondTest",
        "if (Initial.VALUE != 1) throw new Error();",
    ),
    (
        "ResourceTest",
        "try (java.io.InputStream in = Cart.class.getResourceAsStream(\"/main.txt\")) { if (in.read() != '1') throw new Error(); }",
    ),
    (
        "FilesTest",
        "if (java.nio.file.Files.readAllBytes(java.nio.file.Paths.get(\"data.txt\"))[0] != '1') throw new Error();",
    ),
    ("CounterTest", "if (new Counter().count != 1) throw new Error();"),
    (
        "VolatileTest",
        "if (java.lang.reflect.Modifier.isVolatile(Counter.class.getDeclaredField(\"count\").getModifiers())) throw new Error();",
    ),
    // Behind the name of the class there is its version, which is computed where the class states none.
    (
        "SerialTest",
        "java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
         try (java.io.ObjectOutputStream out = new java.io.ObjectOutputStream(bytes)) { out.writeObject(new Basket()); }
         if (java.nio.ByteBuffer.wrap(bytes.toByteArray()).getLong(8 + \"shop.Basket\".length()) == 1) throw new Error();",
    ),
    ("LambdaTest", "if (Lambda.one().getAsInt() != 1) throw new Error();"),
    ("CalmTest", ""),
];

const JUNIT_3: &str = "public class OldTest extends junit.framework.TestCase {
    public void testOld() { assertEquals(1, Old.value()); } }";

const PARAMETERIZED: &str = "@org.junit.runner.RunWith(org.junit.runners.Parameterized.class)
    public class ParameterizedTest {
        @org.junit.runners.Parameterized.Parameters public static Object[] all() { return new Object[] { 1, 2 }; }
        @org.junit.runners.Parameterized.Parameter public int number;
        @org.junit.Test public void isTwice() { if (Twice.of(number) != 2 * number) throw new Error(); } }";

const CASES: &[Case] = &[
    Case {
        source: "Ekstazi, STARTS, HyRTS: code that runs in a child JVM",
        change: Change::Class(["ToolHelper", "return 1", "return 2"]),
        verdicts: &[("ChildTest", "failed")],
    },
    Case {
        source: "Ekstazi, STARTS, HyRTS: a file that a child JVM reads",
        change: Change::File("child.txt"),
        verdicts: &[("ChildTest", "failed")],
    },
    Case {
        source: "peers: code that runs in another thread",
        change: Change::Class(["Threaded", "return 1", "return 2"]),
        verdicts: &[("ThreadTest", "failed")],
    },
    Case {
        source: "peers: a test of JUnit 3",
        change: Change::Class(["Old", "return 1", "return 2"]),
        verdicts: &[("OldTest", "failed")],
    },
    Case {
        source: "peers: a parameterized test; gradle#19897",
        change: Change::Class(["Twice", "n + n", "n * n"]),
        verdicts: &[("ParameterizedTest", "failed")],
    },
    Case {
        source: "OpenClover: a constant that javac copies into other code of the program",
        change: Change::Class(["Limits", "MAX = 1", "MAX = 2"]),
        verdicts: &[("ConstantTest", "failed")],
    },
    Case {
        source: "Ekstazi, HyRTS, OpenClover: what only an initialiser uses, which ran in another test",
        change: Change::Class(["Defaults", "return 1", "return 2"]),
        verdicts: &[("FirstTest", "failed"), ("SecondTest", "failed")],
    },
    Case {
        source: "Ekstazi, STARTS, HyRTS, OpenClover: a resource of the program",
        change: Change::File("classes/main.txt"),
        verdicts: &[("ResourceTest", "failed")],
    },
    Case {
        source: "Ekstazi, STARTS, HyRTS, OpenClover: a file that is read by `Files`",
        change: Change::File("data.txt"),
        verdicts: &[("FilesTest", "failed")],
    },
    Case {
        source: "HyRTS, commons-codec 8c5c6b93: a field becomes volatile",
        change: Change::Class(["Counter", "int count", "volatile int count"]),
        verdicts: &[("CounterTest", "passed"), ("VolatileTest", "failed")],
    },
    Case {
        source: "HyRTS, commons-lang 9625891a: a serialVersionUID more",
        change: Change::Class([
            "Basket",
            "int size",
            "private static final long serialVersionUID = 1; int size",
        ]),
        verdicts: &[("SerialTest", "failed")],
    },
    Case {
        source: "peers: the body of a lambda",
        change: Change::Class(["Lambda", "() -> 1", "() -> 2"]),
        verdicts: &[("LambdaTest", "failed")],
    },
];

#[test]
fn every_case_runs_exactly_whom_it_concerns() {
    let mut program = program();
    program.run().assert_ran(&program.tests());
    program.run().assert_ran(&[]);
    for case in CASES {
        match case.change {
            Change::Class(change) => program.compile(&[change]),
            Change::File(name) => program.project.edit(name, "1", "2"),
        }
        program.run().assert_verdicts_of(case.verdicts, case.source);
        match case.change {
            Change::Class(_) => program.compile(&[]),
            Change::File(name) => program.project.edit(name, "2", "1"),
        }
    }
    program.run().assert_ran(&[]);
    // nrwl/nx#3419: what failed is not forgotten when something else changes.
    let red = ["Lambda", "() -> 1", "() -> 2"];
    program.compile(&[red]);
    let failed = ("LambdaTest", "failed");
    program.run().assert_verdicts(&[failed]);
    program.compile(&[
        red,
        [
            "Threaded",
            "return 1",
            "return 1 + zero() ; } static int zero() { return 0",
        ],
    ]);
    program
        .run()
        .assert_verdicts(&[failed, ("ThreadTest", "passed")]);
    program.run().assert_verdicts(&[failed]);
}

fn program() -> PlainProgram {
    let bodies = TESTS.iter().map(|(name, body)| {
        let text = format!(
            "public class {name} {{ @org.junit.Test public void looks() throws Exception {{ {body} }} }}"
        );
        (*name, text)
    });
    let bodies: Vec<(&str, String)> = bodies.collect();
    let mut sources = CLASSES.to_vec();
    sources.extend([("OldTest", JUNIT_3), ("ParameterizedTest", PARAMETERIZED)]);
    sources.extend(bodies.iter().map(|(name, text)| (*name, text.as_str())));
    let program = PlainProgram::new(&sources);
    for file in ["child.txt", "classes/main.txt", "data.txt"] {
        program.project.write(file, "1");
    }
    program
}
