//! What tests ask the JVM for, one by one: classes by name, members, resources, variables. Those that asked are run
//! when the answer changes, and turn red; others are not.

use std::fs;
use std::path::Path;
use std::process::Command;

use tamis_testkit::jdks::jdks;

use crate::plain_program::PlainProgram;
use crate::project::{ALPHABETICAL, Combination, JUNIT_4, JUPITER, Project, Ran};

const CLASSES: &[(&str, &str)] = &[
    (
        "Listed",
        "public class Listed { public int one() { return 1; } }",
    ),
    ("Found", "public class Found { }"),
    (
        "Kept",
        "public class Kept implements java.io.Serializable {
            private static final long serialVersionUID = 1; private int one; }",
    ),
    (
        "Marked",
        "public class Marked { private static void one() {} }",
    ),
    (
        "Named",
        "public class Named { public static int price() { return 1; } }",
    ),
];

/// Names that are made up at run time: nothing in a class file has them.
const REVERSE: &str = "java.util.function.UnaryOperator<String> reverse = text -> new StringBuilder(text).reverse().toString();";

/// In the order in which they run: what the JDK caches counts for who comes later.
const TESTS: &[(&str, &str)] = &[
    ("AUserTest", "if (new Listed().one() != 1) throw new Error();"),
    (
        "BListTest",
        "if (Listed.class.getDeclaredMethods().length != 1) throw new Error();",
    ),
    (
        "CLookupTest",
        "boolean found = true;
         java.lang.invoke.MethodType type = java.lang.invoke.MethodType.methodType(void.class);
         try { java.lang.invoke.MethodHandles.publicLookup().findStatic(Found.class, reverse.apply(\"ecirp\"), type); }
         catch (NoSuchMethodException e) { found = false; }
         if (found) throw new Error();",
    ),
    (
        "DSerialTest",
        "if (java.io.ObjectStreamClass.lookup(Kept.class).getFields().length != 1) throw new Error();",
    ),
    // The class is named in the stream alone. What is read is written again, with all that the class has then.
    (
        "DStoredTest",
        "byte[] stored = java.nio.file.Files.readAllBytes(java.nio.file.Paths.get(\"kept.stream\"));
         Object kept = new java.io.ObjectInputStream(new java.io.ByteArrayInputStream(stored)).readObject();
         java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
         try (java.io.ObjectOutputStream out = new java.io.ObjectOutputStream(bytes)) { out.writeObject(kept); }
         if (!java.util.Arrays.equals(stored, bytes.toByteArray())) throw new Error();",
    ),
    (
        "EMarkTest",
        "if (Marked.class.getDeclaredMethod(reverse.apply(\"eno\")).isAnnotationPresent(Deprecated.class)) throw new Error();",
    ),
    (
        "FNameTest",
        "Class<?> named = Class.forName(reverse.apply(\"demaN.pohs\"));
         if (!named.getMethod(\"price\").invoke(null).equals(1)) throw new Error();",
    ),
    (
        "GVariableTest",
        "if (\"bad\".equals(System.getenv(reverse.apply(\"DOOM_POHS\")))) throw new Error();",
    ),
    (
        "HVariablesTest",
        "if (System.getenv().containsKey(\"SHOP_SALE\")) throw new Error();",
    ),
    (
        "IAbsentTest",
        "boolean found = true;
         try { Class.forName(reverse.apply(\"nigulP.pohs\")); } catch (ClassNotFoundException e) { found = false; }
         if (found) throw new Error();",
    ),
    (
        "JLoadTest",
        "boolean found = true;
         try { getClass().getClassLoader().loadClass(reverse.apply(\"noisnetxE.pohs\")); } catch (ClassNotFoundException e) { found = false; }
         if (found) throw new Error();",
    ),
];

/// An object of the class `Kept`, whose `one` is 1.
const STORED: &[u8] =
    b"\xac\xed\0\x05sr\0\x09shop.Kept\0\0\0\0\0\0\0\x01\x02\0\x01I\0\x03onexp\0\0\0\x01";

fn project(combination: &Combination) -> Project {
    let project = Project::new(combination, ALPHABETICAL);
    for (name, text) in CLASSES {
        project.class(name, text);
    }
    for (name, body) in TESTS {
        project.test_class(combination, name, &[("asks", &format!("{REVERSE} {body}"))]);
    }
    fs::write(project.path("kept.stream"), STORED).unwrap();
    project
}

/// Those that ran, and how each ended.
fn assert_verdicts(ran: &Ran, passed: &[&str], failed: &[&str]) {
    let verdicts: Vec<(&str, &str)> = ran
        .verdicts
        .iter()
        .map(|(name, verdict)| (&**name, &**verdict))
        .collect();
    let passed = passed.iter().map(|name| (*name, "passed"));
    let failed = failed.iter().map(|name| (*name, "failed"));
    let mut expected: Vec<(&str, &str)> = passed.chain(failed).collect();
    expected.sort_unstable();
    assert_eq!(verdicts, expected, "{ran:#?}");
}

/// Who asks a loader for a class may look at it without running any of it, whoever else does.
#[test]
fn a_class_concerns_who_asked_a_loader_for_it() {
    let project = Project::new(&JUNIT_4, ALPHABETICAL);
    project.class(
        "Given",
        "public class Given { public int one() { return 1; } }",
    );
    let asks = format!(
        "{REVERSE} Class<?> given = getClass().getClassLoader().loadClass(reverse.apply(\"neviG.pohs\"));
         if (given.getSuperclass() != Object.class) throw new Error();"
    );
    let uses = "if (new Given().one() != 1) throw new Error();";
    for (name, body) in [("AUserTest", uses), ("BAskTest", &asks), ("COtherTest", "")] {
        project.test_class(&JUNIT_4, name, &[("test", body)]);
    }
    project
        .test(&[])
        .assert_ran(&["AUserTest", "BAskTest", "COtherTest"]);
    let file = "src/main/java/shop/Given.java";
    project.edit(file, "class Given", "class Given extends java.util.BitSet");
    assert_verdicts(&project.test(&[]), &["AUserTest"], &["BAskTest"]);
}

#[test]
fn each_answer_concerns_those_that_asked() {
    let project = project(&JUNIT_4);
    let all: Vec<&str> = TESTS.iter().map(|(name, _)| *name).collect();
    project.test(&[]).assert_ran(&all);
    project.test(&[]).assert_idle(all.len());

    for (class, from, to, failed) in [
        (
            "Listed",
            "public int",
            "private void two() {} public int",
            &["BListTest"][..],
        ),
        (
            "Found",
            "{ }",
            "{ public static void price() {} }",
            &["CLookupTest"],
        ),
        (
            "Kept",
            "private int one",
            "private int one, two",
            &["DSerialTest", "DStoredTest"],
        ),
        (
            "Marked",
            "private static",
            "@Deprecated private static",
            &["EMarkTest"],
        ),
        ("Named", "return 1", "return 2", &["FNameTest"]),
    ] {
        let file = format!("src/main/java/shop/{class}.java");
        project.edit(&file, from, to);
        assert_verdicts(&project.test(&[]), &[], failed);
        project.edit(&file, to, from);
    }
    // Everything is as it was, and was seen to pass so; another terminal is of no concern to who lists variables.
    let deep = project.test_in(&[("SHLVL", "17")], &[]);
    deep.assert_idle(all.len());

    let mood = project.test_in(&[("SHOP_MOOD", "bad")], &[]);
    assert_verdicts(&mood, &["HVariablesTest"], &["GVariableTest"]);
    let sale = project.test_in(&[("SHOP_SALE", "")], &[]);
    assert_verdicts(&sale, &[], &["HVariablesTest"]);

    // A class that nobody looks for is of no concern.
    project.class("Unknown", "public class Unknown {}");
    project.test(&[]).assert_idle(all.len());
    project.class("Extension", "public class Extension {}");
    assert_verdicts(&project.test(&[]), &[], &["JLoadTest"]);
    project.class("Plugin", "public class Plugin {}");
    // That there was none may have been remembered for who came later.
    assert_verdicts(&project.test(&[]), &[], &["IAbsentTest", "JLoadTest"]);
}

/// A library of two classes, a text and a service, as the jar `name`.
fn pack(project: &Project, name: &str, text: &str, price: u32, service: Option<&str>) {
    let folder = project.path("goods");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "goods/Price.java",
        &format!(
            "package goods; public class Price {{ public static int get() {{ return {price}; }} }}"
        ),
    );
    write(
        "goods/Tax.java",
        "package goods; public class Tax { public static int get() { return 1; } }",
    );
    write(
        "goods/Loud.java",
        &format!(
            "package goods; public class Loud implements Runnable {{
                public void run() {{}} public static int get() {{ return {price}; }} }}"
        ),
    );
    write("goods.txt", text);
    let services = folder.join("META-INF/services/java.lang.Runnable");
    let _ = fs::remove_file(&services);
    if let Some(service) = service {
        write("META-INF/services/java.lang.Runnable", service);
    }
    let jdk = jdks()
        .unwrap()
        .into_iter()
        .find(|jdk| jdk.feature == 17)
        .unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(jdk.java().with_file_name(program));
        let output = command
            .args(arguments)
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    run(
        "javac",
        &[
            "--release",
            "8",
            "-nowarn",
            "goods/Price.java",
            "goods/Tax.java",
            "goods/Loud.java",
        ],
    );
    let jar = project.path(name);
    fs::create_dir_all(jar.parent().unwrap()).unwrap();
    // Each has a manifest of its own, as releases have.
    write(
        "manifest",
        &format!("Implementation-Version: {text}.{price}\n"),
    );
    run(
        "jar",
        &[
            "cfm",
            jar.to_str().unwrap(),
            "manifest",
            "goods",
            "goods.txt",
        ],
    );
    if service.is_some() {
        run("jar", &["uf", jar.to_str().unwrap(), "META-INF"]);
    }
    assert!(Path::exists(&jar));
    fs::remove_dir_all(&folder).unwrap();
}

const GOODS: &str =
    "<dependency><groupId>goods</groupId><artifactId>goods</artifactId><version>1</version>
    <scope>system</scope><systemPath>${project.basedir}/lib/goods.jar</systemPath></dependency>";

#[test]
fn a_change_in_a_library_concerns_those_that_use_what_changed() {
    let project = Project::new(&JUNIT_4, ALPHABETICAL);
    project.edit(
        "pom.xml",
        "<dependencies>",
        &format!("<dependencies>{GOODS}"),
    );
    for (name, body) in [
        (
            "APriceTest",
            "if (goods.Price.get() != 1) throw new Error();",
        ),
        ("BLoudTest", "if (goods.Loud.get() != 1) throw new Error();"),
        ("BTaxTest", "if (goods.Tax.get() != 1) throw new Error();"),
        (
            "CTextTest",
            "try (java.io.InputStream in = getClass().getResourceAsStream(\"/goods.txt\")) { if (in.read() != 49) throw new Error(); }",
        ),
        (
            "DServiceTest",
            "if (java.util.ServiceLoader.load(Runnable.class).iterator().hasNext()) throw new Error();",
        ),
    ] {
        project.test_class(&JUNIT_4, name, &[("asks", body)]);
    }
    // A class of its own, so that there is a directory of them.
    project.class("Shop", "public class Shop {}");
    let all = [
        "APriceTest",
        "BLoudTest",
        "BTaxTest",
        "CTextTest",
        "DServiceTest",
    ];
    // Those that use one of the two classes of three that tell the price.
    let dear = ["APriceTest", "BLoudTest"];
    pack(&project, "lib/goods.jar", "1", 1, None);
    project.test(&[]).assert_ran(&all);
    project.test(&[]).assert_idle(all.len());
    // Packed again, with other times in it.
    pack(&project, "lib/goods.jar", "1", 1, None);
    project.test(&[]).assert_idle(all.len());
    pack(&project, "lib/goods.jar", "1", 2, None);
    assert_verdicts(&project.test(&[]), &[], &dear);
    pack(&project, "lib/goods.jar", "2", 1, None);
    assert_verdicts(&project.test(&[]), &[], &["CTextTest"]);
    pack(&project, "lib/goods.jar", "1", 1, Some("goods.Loud"));
    assert_verdicts(&project.test(&[]), &[], &["DServiceTest"]);
    // Another place in front of the library shadows it.
    pack(&project, "lib/goods.jar", "1", 1, None);
    project.test(&[]).assert_idle(all.len());
    project.write("src/main/resources/goods.txt", "2");
    assert_verdicts(&project.test(&[]), &[], &["CTextTest"]);
    fs::remove_file(project.path("src/main/resources/goods.txt")).unwrap();
    assert!(project.maven(&["clean"]).status.success());

    // A release of a library comes under another name, in the place of the one before.
    pack(&project, "lib/goods-2.jar", "1", 3, None);
    project.edit("pom.xml", "goods.jar", "goods-2.jar");
    assert_verdicts(&project.test(&[]), &[], &dear);
    project.edit("pom.xml", "goods-2.jar", "goods.jar");

    // Of two libraries with one class, the first on the class path counts.
    pack(&project, "lib/other.jar", "1", 2, None);
    let other = GOODS
        .replace("<artifactId>goods", "<artifactId>other")
        .replace("goods.jar", "other.jar");
    let behind = format!("{GOODS}{other}");
    project.edit("pom.xml", GOODS, &behind);
    // There are two texts of the name now.
    project.test(&[]).assert_ran(&["CTextTest"]);
    project.edit("pom.xml", &behind, &format!("{other}{GOODS}"));
    assert_verdicts(&project.test(&[]), &[], &dear);
}

/// A member that nobody asks for by its name concerns who lists them all.
#[test]
fn a_member_more_of_a_library_concerns_who_lists_it() {
    let lists = "public class ListTest { @org.junit.Test public void lists() throws Exception {
        try (java.util.jar.JarFile library = new java.util.jar.JarFile(\"lib/goods.jar\")) {
            if (library.stream().anyMatch(one -> one.getName().contains(\"services\"))) throw new Error(); } } }";
    let calm = "public class CalmTest { @org.junit.Test public void rests() { } }";
    let mut program = PlainProgram::new(&[("CalmTest", calm), ("ListTest", lists)]);
    let library = program.project.path("lib/goods.jar");
    program.libraries.push(library);
    pack(&program.project, "lib/goods.jar", "1", 1, None);
    program.run().assert_ran(&program.tests());
    program.run().assert_ran(&[]);
    let service = Some("goods.Loud");
    pack(&program.project, "lib/goods.jar", "1", 1, service);
    assert_verdicts(&program.run(), &[], &["ListTest"]);
}

#[test]
fn json_libraries_see_a_member_more() {
    let project = Project::new(&JUPITER, ALPHABETICAL);
    let dependency = |group: &str, artifact: &str, version: &str| {
        format!(
            "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version></dependency>"
        )
    };
    let dependencies = [
        dependency("com.fasterxml.jackson.core", "jackson-databind", "2.18.2"),
        dependency("com.google.code.gson", "gson", "2.11.0"),
    ];
    project.edit(
        "pom.xml",
        "<dependencies>",
        &format!("<dependencies>{}", dependencies.concat()),
    );
    project.class(
        "Item",
        "public class Item { private int price = 1; int getPrice() { return price; } }",
    );
    project.class("Card", "public class Card { public int price = 1; }");
    project.class(
        "Json",
        "public class Json { public static final com.fasterxml.jackson.databind.ObjectMapper MAPPER = new com.fasterxml.jackson.databind.ObjectMapper(); }",
    );
    let equals = |json: &str| {
        format!("if (!{json}.equals(\"{{\\\"price\\\":1}}\")) throw new Error({json});")
    };
    for (name, body) in [
        (
            "AGsonTest",
            equals("new com.google.gson.Gson().toJson(new Item())"),
        ),
        (
            "BJacksonTest",
            equals("Json.MAPPER.writeValueAsString(new Card())"),
        ),
        // What the first found out about the class is in the mapper by now.
        (
            "CCachedTest",
            equals("Json.MAPPER.writeValueAsString(new Card())"),
        ),
        (
            "DCalmTest",
            "if (new Item().hashCode() == 0 && new Card().price == 2) throw new Error();"
                .to_owned(),
        ),
    ] {
        project.test_class(&JUPITER, name, &[("writes", &body)]);
    }
    let all = ["AGsonTest", "BJacksonTest", "CCachedTest", "DCalmTest"];
    project.test(&[]).assert_ran(&all);
    project.test(&[]).assert_idle(all.len());
    project.edit(
        "src/main/java/shop/Item.java",
        "int price",
        "int tax, price",
    );
    let gson = project.test(&[]);
    assert_eq!(gson.verdicts["AGsonTest"], "failed", "{gson:#?}");
    project.edit(
        "src/main/java/shop/Item.java",
        "int tax, price",
        "int price",
    );
    project.test(&[]).assert_idle(all.len());
    project.edit(
        "src/main/java/shop/Card.java",
        "int price",
        "int tax, price",
    );
    let jackson = project.test(&[]);
    for test in ["BJacksonTest", "CCachedTest"] {
        assert_eq!(jackson.verdicts[test], "failed", "{jackson:#?}");
    }
}
