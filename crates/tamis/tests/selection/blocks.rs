//! Mesh `block` (SPEC 3.5): of a changed method only those are concerned who ran what changed in it.
//!
//! The project is built and recorded once, with blocks; then each change is compiled beside it, put in its place, and asked
//! about.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use rusqlite::Connection;
use tamis_build::Jdk;
use tamis_testkit::jdks::jdks;
use tamis_testkit::maven::artifacts;
use tamis_testkit::server::JavaServer;

use crate::project::{ALPHABETICAL, JUNIT_4, Project};
use crate::workshop::MESHES;

/// The program. What is changed stands in it word for word.
const CART: &str = "public class Cart {
    int size;
    public Cart(boolean isSmall) {
        if (isSmall) size = 1; else size = 2;
    }
    public static int price(int n) {
        if (n > 10) {
            return n * 9;
        }
        return n * 10;
    }
    public int weight(int n) {
        if (n > 12) {
            return size + 7;
        }
        return size;
    }
    public static String name(int kind) {
        switch (kind) {
            case 1: return \"one\";
            case 2: return \"two\";
            default: return \"other\";
        }
    }
    public static int sum(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += i;
        return sum;
    }
    public static int hash(Object o) {
        try {
            return o.hashCode();
        } catch (NullPointerException e) {
            return -1;
        }
    }
    public static int twice(int n) {
        java.util.function.IntUnaryOperator f = n > 5 ? x -> x + x : x -> 2 * x;
        return f.applyAsInt(n);
    }
}";

/// Tests: each runs what its name says.
const TESTS: &[(&str, &str)] = &[
    ("EmptySumTest", "Cart.sum(0)"),
    ("FewTest", "Cart.price(2)"),
    ("GreatTest", "Cart.twice(9)"),
    ("HashTest", "Cart.hash(1)"),
    ("HeavyTest", "new Cart(true).weight(20)"),
    ("LightTest", "new Cart(true).weight(2)"),
    ("LittleTest", "Cart.twice(3)"),
    ("ManyTest", "Cart.price(20)"),
    ("NullTest", "Cart.hash(null)"),
    ("OneTest", "Cart.name(1).length()"),
    ("OtherTest", "Cart.name(9).length()"),
    ("SmallTest", "new Cart(true).hashCode()"),
    ("SumTest", "Cart.sum(3)"),
    ("TwoTest", "Cart.name(2).length()"),
];

struct Change {
    name: &'static str,
    from: &'static str,
    to: &'static str,
    /// Selected under mesh `block`, and under mesh `method`.
    block: &'static [&'static str],
    method: &'static [&'static str],
}

const CHANGES: &[Change] = &[
    Change {
        name: "a branch",
        from: "n * 9",
        to: "n * 8",
        block: &["ManyTest"],
        method: &["FewTest", "ManyTest"],
    },
    Change {
        name: "a branch of a method of objects",
        from: "size + 7",
        to: "size + 8",
        block: &["HeavyTest"],
        method: &["HeavyTest", "LightTest"],
    },
    Change {
        name: "a condition",
        from: "n > 10",
        to: "n > 11",
        block: &["FewTest", "ManyTest"],
        method: &["FewTest", "ManyTest"],
    },
    Change {
        name: "a branch that needs more of the stack and of variables",
        from: "return n * 9;",
        to: "long a = n, b = a + 1; return (int) (a * (b + (a - (b * (a - 9)))));",
        block: &["ManyTest"],
        method: &["FewTest", "ManyTest"],
    },
    Change {
        name: "a case",
        from: "\"two\"",
        to: "\"2\"",
        block: &["TwoTest"],
        method: &["OneTest", "OtherTest", "TwoTest"],
    },
    Change {
        name: "an added case",
        from: "case 2:",
        to: "case 3: return \"three\"; case 2:",
        block: &["OneTest", "OtherTest", "TwoTest"],
        method: &["OneTest", "OtherTest", "TwoTest"],
    },
    Change {
        name: "the body of a loop",
        from: "sum += i",
        to: "sum += i + i",
        block: &["SumTest"],
        method: &["EmptySumTest", "SumTest"],
    },
    Change {
        name: "the condition of a loop",
        from: "i < n",
        to: "i <= n",
        block: &["EmptySumTest", "SumTest"],
        method: &["EmptySumTest", "SumTest"],
    },
    Change {
        name: "what is done about an exception",
        from: "return -1",
        to: "return -2",
        block: &["NullTest"],
        method: &["HashTest", "NullTest"],
    },
    Change {
        name: "an added catch",
        from: "return -1;",
        to: "return -1; } catch (IllegalStateException e) { return -3;",
        block: &["HashTest", "NullTest"],
        method: &["HashTest", "NullTest"],
    },
    Change {
        name: "a constructor",
        from: "size = 2",
        to: "size = 3",
        block: &["HeavyTest", "LightTest", "SmallTest"],
        method: &["HeavyTest", "LightTest", "SmallTest"],
    },
    Change {
        name: "an annotation of a method, beside a branch",
        from: "public static int price(int n) {
        if (n > 10) {
            return n * 9;",
        to: "@Deprecated public static int price(int n) {
        if (n > 10) {
            return n * 8;",
        block: &["FewTest", "ManyTest"],
        method: &["FewTest", "ManyTest"],
    },
    Change {
        name: "a lambda that is made in a branch",
        from: "x + x",
        to: "x + x + 0",
        block: &["GreatTest"],
        method: &["GreatTest", "LittleTest"],
    },
    Change {
        name: "nothing but lines",
        from: "int size;",
        to: "int size;\n\n\n",
        block: &[],
        method: &[],
    },
];

/// The project, recorded with these options.
fn recorded(options: &[&str]) -> Project {
    let project = Project::new(&JUNIT_4, "");
    project.class("Cart", CART);
    for (name, call) in TESTS {
        let body = format!("if ({call} == 4711) throw new AssertionError();");
        project.test_class(&JUNIT_4, name, &[("runs", &body)]);
    }
    let all: Vec<&str> = TESTS.iter().map(|(name, _)| *name).collect();
    project.test_with(options, &[]).assert_ran(&all);
    project
}

/// Changes the class of the project, compiled by itself; gives the class file that was there.
fn compile(project: &Project, change: &Change) -> (PathBuf, Vec<u8>) {
    let jdks = jdks().unwrap();
    let javac = jdks.iter().find(|jdk| jdk.feature == 17).unwrap().javac();
    let class = project.path("target/classes/shop/Cart.class");
    let before = fs::read(&class).unwrap();
    assert!(CART.contains(change.from), "{}", change.name);
    let changed = CART.replace(change.from, change.to);
    project.write("other/Cart.java", &format!("package shop; {changed}"));
    let compiled = project
        .command(javac.to_str().unwrap())
        .args(["-g", "-source", "8", "-target", "8", "-d", "target/classes"])
        .arg("other/Cart.java")
        .output()
        .unwrap();
    assert!(
        compiled.status.success(),
        "{}: {}",
        change.name,
        String::from_utf8_lossy(&compiled.stderr)
    );
    (class, before)
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_change_concerns_who_ran_the_blocks_that_changed() {
    let project = recorded(&["--mesh", "block"]);
    let all: Vec<&str> = TESTS.iter().map(|(name, _)| *name).collect();
    let mut wrong = Vec::new();
    for change in CHANGES {
        let (class, before) = compile(&project, change);
        // Every test uses the class.
        let file = if change.method.is_empty() {
            &[]
        } else {
            &all[..]
        };
        let expected = [change.block, change.method, change.method, file];
        for (mesh, expected) in MESHES.into_iter().zip(expected) {
            let selected = project.select(mesh);
            if selected != names(expected) {
                wrong.push(format!(
                    "{}, {mesh}: {selected:?} instead of {expected:?}",
                    change.name
                ));
            }
        }
        fs::write(class, before).unwrap();
    }
    assert_eq!(wrong, [""; 0]);
    for mesh in MESHES {
        assert_eq!(project.select(mesh), BTreeSet::new(), "unchanged, {mesh}");
    }
    let branch = &CHANGES[0];
    compile(&project, branch);
    check_why(&project);
    // Without the old code nobody knows what changed in it.
    for damage in [
        "UPDATE class_file SET bytes = x'00'",
        "DELETE FROM class_file",
    ] {
        let store = Connection::open(project.path(".tamis/store.sqlite")).unwrap();
        assert!(store.execute(damage, []).unwrap() > 0, "{damage}");
        drop(store);
        assert_eq!(project.select("block"), names(branch.method), "{damage}");
    }
}

fn check_why(project: &Project) {
    let why = |test: &str| {
        let mut command = project.tamis();
        let output = command.args(["why", "--mesh", "block", test]).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let text = why("ManyTest");
    let changed = "the block at line 8 of method shop.Cart.price(int) changed";
    assert!(text.contains(changed), "{text}");
    let text = why("FewTest");
    assert!(text.contains("would be skipped, by mesh `block`"), "{text}");
}

/// A run of another mesh knows nothing of blocks.
#[test]
fn records_without_blocks_count_by_methods() {
    let project = recorded(&[]);
    let change = &CHANGES[0];
    compile(&project, change);
    assert_eq!(project.select("block"), names(change.method));
}

/// So many statements, of eight bytes each, on a variable that is the first or second.
fn statements(n: usize) -> String {
    "n = n * 31 + 7;\n".repeat(n)
}

/// A method that probes would make too long for the JIT counts as a whole (SPEC 3.5); a class with one that has no room for any probe
/// counts as a whole for all who may have used it.
#[test]
fn methods_too_large_to_instrument_count_as_a_whole() {
    let project = Project::new(&JUNIT_4, ALPHABETICAL);
    let large = format!(
        "public class Large {{
            public static int of(int n) {{ if (n > 10) {{ return n * 9; }} {} return n; }}
            public static int small(int n) {{ if (n > 10) {{ return n * 7; }} return n; }} }}",
        statements(997)
    );
    // The code of `of` has 7,989 bytes; one that is too long as it is gets its probes.
    project.class("Large", &large);
    // The longest code that there can be has 65,535 bytes; a probe has 8.
    let huge = format!("int n = 1; {} Large.small(20);", statements(8190));
    project.test_class(&JUNIT_4, "BHugeTest", &[("runs", &huge)]);
    for (name, call) in [
        ("AEarlyTest", "Large.small(2)"),
        ("FewTest", "Large.of(2)"),
        ("ManyTest", "Large.of(20)"),
        ("SmallFewTest", "Large.small(2)"),
    ] {
        project.test_class(&JUNIT_4, name, &[("runs", &format!("{call};"))]);
    }
    let all = [
        "AEarlyTest",
        "BHugeTest",
        "FewTest",
        "ManyTest",
        "SmallFewTest",
    ];
    project
        .test_with(&["--mesh", "block"], &[])
        .assert_ran(&all);
    for mesh in MESHES {
        assert_eq!(project.select(mesh), BTreeSet::new(), "unchanged, {mesh}");
    }
    let mut server = JavaServer::start(&jdk_17()).unwrap();
    let mut check = |folder: &str, name: &str, text: &str, expected: [&[&str]; 4]| {
        let class = project.path(format!("target/{folder}/shop/{name}.class"));
        let before = fs::read(&class).unwrap();
        let class_path = project.path("target/classes");
        let class_path = [class_path.to_str().unwrap().to_owned(), junit()].join(":");
        let options = [
            "-g",
            "-source",
            "8",
            "-target",
            "8",
            "-classpath",
            &class_path,
        ];
        let compiled = server
            .compile(&options, &[(&*format!("{name}.java"), text)])
            .unwrap();
        fs::write(&class, compiled.values().next().unwrap()).unwrap();
        for (mesh, expected) in MESHES.iter().zip(expected) {
            assert_eq!(project.select(mesh), names(expected), "{name}, {mesh}");
        }
        fs::write(&class, before).unwrap();
    };
    let changed = format!("package shop; {}", large.replace("n * 9", "n * 8"));
    let of_it: &[&str] = &["FewTest", "ManyTest"];
    check("classes", "Large", &changed, [of_it, of_it, of_it, &all]);
    let changed = format!("package shop; {}", large.replace("n * 7", "n * 8"));
    // Code without probes may have called it for each of them; what ran of it is known all the same.
    check(
        "classes",
        "Large",
        &changed,
        [&["BHugeTest"], &all, &all, &all],
    );
}

fn jdk_17() -> Jdk {
    let mut jdks = jdks().unwrap().into_iter();
    jdks.find(|jdk| jdk.feature == 17).unwrap()
}

fn junit() -> String {
    let jars = artifacts(&["junit:junit:4.13.2"]).unwrap();
    jars[0].to_str().unwrap().to_owned()
}

/// What a run by blocks leaves out stays true, there and back; a red test stays red by any mesh.
#[test]
fn there_and_back_by_blocks() {
    let project = recorded(&["--mesh", "block"]);
    let file = "src/main/java/shop/Cart.java";
    let by_blocks = || project.test_with(&["--mesh", "block"], &[]);
    project.edit(file, "n * 9", "n * 8");
    by_blocks().assert_ran(&["ManyTest"]);
    assert_eq!(project.select("block"), BTreeSet::new());
    assert_eq!(project.select("method"), names(&["FewTest"]));
    project.edit(file, "n * 8", "n * 9");
    by_blocks().assert_idle(TESTS.len());

    project.edit(file, "return n * 9", "return 4711");
    by_blocks().assert_verdicts(&[("ManyTest", "failed")]);
    for mesh in ["block", "method", "file"] {
        assert!(project.select(mesh).contains("ManyTest"), "{mesh}");
    }
    // The other branch has changed by now, too; the one that fails has not.
    project.edit(file, "return n * 10", "return n * 11");
    by_blocks().assert_verdicts(&[("FewTest", "passed"), ("ManyTest", "failed")]);
}
