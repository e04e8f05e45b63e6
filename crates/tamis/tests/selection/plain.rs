//! Tests that a plain command runs, all in one JVM and all built before the first of them.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{self, Command};

use tamis_testkit::jdks::jdks;
use tamis_testkit::maven::class_path;

use crate::project::{Project, Ran};

/// Only the first who asks runs the helper.
const REGISTRY: &str = "package shop; public class Registry { private static Integer known;
    public static int get() { if (known == null) known = Helper.value(); return known; } }";

const HELPER: &str = "package shop; public class Helper { static int value() { return NUMBER; } }";

const ASKING: &str = "package shop; public class AskingTest {
    @org.junit.Test public void asks() { if (Registry.get() != 1) throw new Error(); } }";

/// JUnit 3 makes the objects of all tests before it runs any.
const MAKING: &str = "package shop; public class MakingTest extends junit.framework.TestCase {
    private final int made = Registry.get(); public void testNothing() { if (made == 0) fail(); } }";

#[test]
fn what_building_another_test_left_is_not_missed() {
    let sources = [
        ("Registry", REGISTRY),
        ("AskingTest", ASKING),
        ("MakingTest", MAKING),
    ];
    let project = Project::empty(17);
    compile(&project, &sources, "1");
    let all = ["AskingTest", "MakingTest"];
    test(&project, &all).assert_ran(&all);
    test(&project, &all).assert_ran(&[]);
    compile(&project, &sources, "2");
    test(&project, &all).assert_verdicts(&[("AskingTest", "failed"), ("MakingTest", "passed")]);
}

/// Names with many digits in the temporary directory are those of temporary files, mostly.
#[test]
fn a_name_that_looks_made_up_counts_unless_a_file_is_made_of_it() {
    let name = format!("shop-{:010}", process::id());
    let looking = looking_test(
        "LookingTest",
        &format!("new java.io.File(\"/tmp/{name}\").exists()"),
    );
    // It leaves the file there.
    let making = format!(
        "package shop; public class MakingTest {{ @org.junit.Test public void makes() throws Exception {{
            java.io.File.createTempFile(\"{name}-\", \".txt\");
            java.io.File made = new java.io.File(\"/tmp/{name}-\" + System.nanoTime());
            if (made.exists() || !made.mkdir()) throw new Error();
            // It removes what is not there, which makes nothing of that name.
            new java.io.File(\"/tmp/{name}\").delete(); }} }}"
    );
    let sources = [("LookingTest", &*looking), ("MakingTest", &*making)];
    let all = ["LookingTest", "MakingTest"];
    let project = Project::empty(17);
    compile(&project, &sources, "1");
    test(&project, &all).assert_ran(&all);
    let again = test(&project, &all);
    fs::write(Path::new("/tmp").join(&name), "").unwrap();
    let there = test(&project, &all);
    let mut n_left = 0;
    for left in fs::read_dir("/tmp").unwrap() {
        let left = left.unwrap();
        if left.file_name().to_string_lossy().starts_with(&name) {
            let removed = fs::remove_file(left.path()).or_else(|_| fs::remove_dir(left.path()));
            removed.unwrap();
            n_left += 1;
        }
    }
    again.assert_ran(&[]);
    there.assert_verdicts(&[("LookingTest", "failed"), ("MakingTest", "passed")]);
    assert_eq!(n_left, 4);
}

/// The first who asks fills a map of the JDK's, by a lambda; a class that is not there is looked for once.
const CACHE: &str = "package shop; public class Cache {
    private static final java.util.Map<String, Integer> KNOWN = new java.util.concurrent.ConcurrentHashMap<>();
    public static int get() { return KNOWN.computeIfAbsent(\"a\", key -> Helper.value()); }
    public static boolean isWhole() { try { return new Extra().isThere(); } catch (NoClassDefFoundError e) { return false; } } }";

const EXTRA: &str =
    "package shop; public class Extra { public boolean isThere() { return true; } }";

#[test]
fn what_the_first_who_asks_finds_concerns_the_second() {
    let bodies = [
        ("Cache1Test", "Cache.get() != 1"),
        ("Cache2Test", "Cache.get() != 1"),
        ("Whole1Test", "Cache.isWhole()"),
        ("Whole2Test", "Cache.isWhole()"),
    ];
    let all = bodies.map(|(name, _)| name);
    let bodies = bodies.map(|(name, wrong)| (name, looking_test(name, wrong)));
    let mut sources = vec![("Cache", CACHE), ("Extra", EXTRA)];
    sources.extend(bodies.iter().map(|(name, text)| (*name, text.as_str())));
    let project = Project::empty(17);
    let extra = project.path("classes/shop/Extra.class");
    compile(&project, &sources, "1");
    fs::remove_file(&extra).unwrap();
    test(&project, &all).assert_ran(&all);
    test(&project, &all).assert_ran(&[]);
    compile(&project, &sources, "2");
    fs::remove_file(&extra).unwrap();
    test(&project, &all).assert_verdicts(&[("Cache1Test", "failed"), ("Cache2Test", "failed")]);
    compile(&project, &sources, "1");
    test(&project, &all).assert_verdicts(&[("Whole1Test", "failed"), ("Whole2Test", "failed")]);
}

/// Fields that are never set again, and what can be done with what they hold.
const KEPT: &str = "package shop; public class Kept {
    public static class Box { public int number; }
    public static class Round extends Shape { public int size; }
    public static class Shape { }
    public static class Deep { public final Box box = new Box(); }
    public static final int[] NUMBERS = {0};
    public static final Box BOX = new Box();
    public static final Shape SHAPE = round();
    public static final Deep DEEP = new Deep();
    public static final Box REFLECTED = new Box();
    public static final Box[] BOXES = { new Box() };
    public static int setting;
    public static final java.util.function.Supplier<String> LAMBDA = () -> \"a\";
    public static final String[] EMPTY = {};
    static Shape round() { return new Round(); } }";

/// Who sets fields by reflection names `Kept`, and not this.
const LETTERS: &str =
    "package shop; public class Letters { public static final char[] LETTERS = { 'a' }; }";

/// Initialised by whoever comes first.
const COPY: &str =
    "package shop; public class Copy { public static final int VALUE = Kept.setting; }";

/// Changes what constants hold, in each way.
const LEAVING: &str = "package shop; public class LeavingTest { @org.junit.Test public void leaves() throws Exception {
    Kept.NUMBERS[0] = Helper.value();
    Kept.BOX.number = Helper.value();
    ((Kept.Round) Kept.SHAPE).size = Helper.value();
    Kept.DEEP.box.number = Helper.value();
    Kept.Box.class.getField(\"number\").set(Kept.REFLECTED, Helper.value());
    Kept.BOXES[0].number = Helper.value();
    Kept.setting = Helper.value();
    if (Copy.VALUE == 0) throw new Error(); } }";

/// Tests that look at what was left in one of them.
const LOOKING: &[(&str, &str)] = &[
    ("NumbersTest", "Kept.NUMBERS[0] != 1"),
    ("BoxTest", "Kept.BOX.number != 1"),
    ("ShapeTest", "((Kept.Round) Kept.SHAPE).size != 1"),
    ("DeepTest", "Kept.DEEP.box.number != 1"),
    ("ReflectedTest", "Kept.REFLECTED.number != 1"),
    ("BoxesTest", "Kept.BOXES[0].number != 1"),
    ("CopyTest", "Copy.VALUE != 1"),
];

/// Those that look at what nobody can change, or nobody has.
const CALM: &[(&str, &str)] = &[
    ("LambdaTest", "!Kept.LAMBDA.get().equals(\"a\")"),
    ("EmptyTest", "Kept.EMPTY.length != 0"),
    ("LettersTest", "Letters.LETTERS[0] != 'a'"),
];

#[test]
fn what_tests_change_inside_of_constants_is_not_missed() {
    let bodies: Vec<(&str, String)> = LOOKING
        .iter()
        .chain(CALM)
        .map(|(name, wrong)| (*name, looking_test(name, wrong)))
        .collect();
    let mut sources = vec![
        ("Kept", KEPT),
        ("Letters", LETTERS),
        ("Copy", COPY),
        ("LeavingTest", LEAVING),
    ];
    sources.extend(bodies.iter().map(|(name, text)| (*name, text.as_str())));
    let mut all = vec!["LeavingTest"];
    all.extend(bodies.iter().map(|(name, _)| *name));

    let project = Project::empty(17);
    compile(&project, &sources, "1");
    let in_order = all.clone();
    all.sort_unstable();
    test(&project, &in_order).assert_ran(&all);
    test(&project, &in_order).assert_ran(&[]);
    compile(&project, &sources, "2");
    let mut verdicts = vec![("LeavingTest", "passed")];
    verdicts.extend(LOOKING.iter().map(|(name, _)| (*name, "failed")));
    verdicts.sort_unstable();
    let ran = test(&project, &in_order);
    ran.assert_verdicts(&verdicts);
    // The one that left it ran the helper itself; the others are told that they did not.
    let inherits = |name: &str| {
        let entities = ran.report["entities"].as_array().unwrap();
        let entity = entities
            .iter()
            .find(|entity| entity["name"] == format!("shop.{name}"));
        let broken = entity.unwrap()["newest"]["broken"].as_array().unwrap();
        assert!(!broken.is_empty(), "{name} has nothing broken");
        broken.iter().all(|fact| fact["is_inherited"] == true)
    };
    assert!(!inherits("LeavingTest"));
    for (name, _) in LOOKING {
        assert!(inherits(name), "{name}: {}", ran.report);
    }
}

/// Arrays that their class keeps to itself: one is only read, others are changed all the same.
const TABLE: &str = "package shop; public class Table {
    private static final String[] NAMES = {\"a\", \"b\"};
    private static final int[] COUNTS = {0};
    private static final char[] STOLEN = {'a'};
    public static boolean has(String name) { for (String one : NAMES) if (one.equals(name)) return true; return false; }
    public static int count() { return COUNTS[0]; }
    public static void add(int n) { COUNTS[0] += n; }
    public static char stolen() { return STOLEN[0]; } }";

/// One that gives copies of its array away, and one that gives away the array itself.
const FORMAT: &str = "package shop; public class Format {
    public static final Format DEFAULT = new Format(\"a\");
    private final String[] header;
    Format(String... header) { this.header = header.clone(); }
    public String[] header() { return header.clone(); } }";

const CHANGING: &str =
    "package shop; public class ChangingTest { @org.junit.Test public void changes() {
    String[] header = Format.DEFAULT.header();
    header[0] = \"\" + Helper.value();
    Leaky.DEFAULT.header()[0] = header[0];
    Table.add(Helper.value());
    if (Table.has(header[0])) throw new Error(); } }";

#[test]
fn what_a_class_keeps_to_itself_is_left_by_nobody_and_what_it_changes_is_not_missed() {
    let leaky = FORMAT.replace("header.clone()", "header");
    let leaky = leaky.replace("Format", "Leaky");
    let bodies = [
        ("CountsTest", "Table.count() != 1"),
        ("FormatTest", "!Format.DEFAULT.header()[0].equals(\"a\")"),
        ("LeakyTest", "!Leaky.DEFAULT.header()[0].equals(\"1\")"),
        ("NamesTest", "!Table.has(\"a\")"),
    ];
    let bodies = bodies.map(|(name, wrong)| (name, looking_test(name, wrong)));
    let mut sources = vec![("Table", TABLE), ("Format", FORMAT), ("Leaky", &leaky)];
    sources.push(("ChangingTest", CHANGING));
    sources.extend(bodies.iter().map(|(name, text)| (*name, text.as_str())));
    let all = [
        "ChangingTest",
        "CountsTest",
        "FormatTest",
        "LeakyTest",
        "NamesTest",
    ];
    let project = Project::empty(17);
    compile(&project, &sources, "1");
    test(&project, &all).assert_ran(&all);
    test(&project, &all).assert_ran(&[]);
    compile(&project, &sources, "2");
    test(&project, &all).assert_verdicts(&[
        ("ChangingTest", "passed"),
        ("CountsTest", "failed"),
        ("LeakyTest", "failed"),
    ]);
}

/// Gets hold of a private array, and leaves it for whoever comes later.
const THIEF: &str = "package shop; public class Thief { private static char[] stolen;
    static { try { java.lang.reflect.Field field = Table.class.getDeclaredField(\"STOLEN\");
        field.setAccessible(true); stolen = (char[]) field.get(null); } catch (Exception e) { throw new Error(e); } }
    public static char[] get() { return stolen; } }";

const STEALING: &str = "package shop; public class StealingTest {
    @org.junit.Test public void steals() { if (Thief.get() == null) throw new Error(); } }";

const USING: &str = "package shop; public class UsingTest { @org.junit.Test public void uses() {
    Thief.get()[0] = (char) ('0' + Helper.value()); if (Table.stolen() == 'a') throw new Error(); } }";

#[test]
fn what_is_changed_in_an_array_that_reflection_got_is_not_missed() {
    let looking = looking_test("VictimTest", "Table.stolen() == 'a'");
    let sources = [
        ("Table", TABLE),
        ("Thief", THIEF),
        ("StealingTest", STEALING),
        ("UsingTest", USING),
        ("VictimTest", looking.as_str()),
    ];
    let all = ["StealingTest", "UsingTest", "VictimTest"];
    let project = Project::empty(17);
    compile(&project, &sources, "1");
    test(&project, &all).assert_ran(&all);
    test(&project, &all).assert_ran(&[]);
    compile(&project, &sources, "2");
    test(&project, &all).assert_ran(&["UsingTest", "VictimTest"]);
    // Now the thief was initialised by the one that uses what it has got.
    compile(&project, &sources, "3");
    test(&project, &all).assert_ran(&["UsingTest", "VictimTest"]);
}

/// A flag that is set and never looked at, and a map.
const SHARED: &str = "package shop; public class Shared { static boolean used;
    static final java.util.Map<String, Integer> KNOWN = new java.util.HashMap<>();
    public static int put(int number) { use(); KNOWN.put(\"a\", number); return number; }
    public static void use() { used = true; }
    public static int get() { return KNOWN.getOrDefault(\"a\", 1); } }";

const SETTING: &str = "package shop; public class BSetsTest {
    @org.junit.Test public void sets() { Shared.use(); } }";

#[test]
fn who_only_sets_a_static_field_inherits_nothing_and_left_state_may_be_trusted() {
    let putting = looking_test("APutsTest", "Shared.put(Helper.value()) == 0");
    let getting = looking_test("CGetsTest", "Shared.get() == 0");
    let sources = [
        ("Shared", SHARED),
        ("APutsTest", putting.as_str()),
        ("BSetsTest", SETTING),
        ("CGetsTest", getting.as_str()),
    ];
    let all = ["APutsTest", "BSetsTest", "CGetsTest"];
    let project = Project::empty(17);
    compile(&project, &sources, "1");
    test(&project, &all).assert_ran(&all);
    compile(&project, &sources, "2");
    test(&project, &all).assert_ran(&["APutsTest", "CGetsTest"]);
    compile(&project, &sources, "3");
    project.write("tamis.toml", "left-state = 'trust'\n");
    let trusting = test(&project, &all);
    trusting.assert_ran(&["APutsTest"]);
    let n_trusted = &trusting.report["untracked"][0]["n_entities"];
    assert_eq!(n_trusted, 1, "{}", trusting.report);
    // The same records, by the other policy.
    project.write("tamis.toml", "left-state = 'count'\n");
    test(&project, &all).assert_ran(&["CGetsTest"]);
    // What is known to be red is not trusted to be green, although only what another left differs from a newer, green record.
    let failed = [("APutsTest", "failed"), ("CGetsTest", "failed")];
    compile(&project, &sources, "0");
    test(&project, &all).assert_verdicts(&failed);
    compile(&project, &sources, "5");
    let passed = failed.map(|(name, _)| (name, "passed"));
    test(&project, &all).assert_verdicts(&passed);
    project.write("tamis.toml", "left-state = 'trust'\n");
    compile(&project, &sources, "0");
    test(&project, &all).assert_verdicts(&failed);
}

/// Whoever left something for a test is skipped while that one runs: later the one still counts for the other.
#[test]
fn what_was_left_counts_for_who_runs_without_it() {
    let putting = looking_test("APutsTest", "Shared.put(Helper.value()) == 0");
    let getting = looking_test("CGetsTest", "Shared.get() == 0");
    let new = looking_test("DGetsTest", "Shared.get() == 0");
    let mut sources = vec![
        ("Shared", SHARED),
        ("APutsTest", putting.as_str()),
        ("CGetsTest", getting.as_str()),
    ];
    let project = Project::empty(17);
    compile(&project, &sources, "1");
    test(&project, &["APutsTest", "CGetsTest"]).assert_ran(&["APutsTest", "CGetsTest"]);
    let getting = getting.replace("== 0", "<= 0");
    sources[2].1 = &getting;
    sources.push(("DGetsTest", new.as_str()));
    compile(&project, &sources, "1");
    let all = ["APutsTest", "CGetsTest", "DGetsTest"];
    test(&project, &all).assert_ran(&["CGetsTest", "DGetsTest"]);
    test(&project, &all).assert_ran(&[]);
    compile(&project, &sources, "0");
    test(&project, &all).assert_verdicts(&all.map(|name| (name, "failed")));
}

pub(crate) fn looking_test(name: &str, wrong: &str) -> String {
    format!(
        "package shop; public class {name} {{
            @org.junit.Test public void looks() {{ if ({wrong}) throw new Error(); }} }}"
    )
}

pub(crate) fn compile(project: &Project, sources: &[(&str, &str)], number: &str) {
    let helper = HELPER.replace("NUMBER", number);
    let jdk = jdks().unwrap().into_iter().find(|jdk| jdk.feature == 17);
    let mut command = Command::new(jdk.unwrap().javac());
    command
        .args(["--release", "8", "-nowarn", "-d"])
        .arg(project.path("classes"))
        .arg("-cp")
        .arg(env::join_paths(class_path(&["junit:junit:4.13.2"]).unwrap()).unwrap());
    for (name, text) in sources.iter().chain(&[("Helper", helper.as_str())]) {
        let file = format!("sources/shop/{name}.java");
        project.write(&file, text);
        command.arg(project.path(file));
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

pub(crate) fn test(project: &Project, tests: &[&str]) -> Ran {
    let mut places = vec![project.path("classes")];
    places.extend(class_path(&["junit:junit:4.13.2"]).unwrap());
    let names: Vec<String> = tests.iter().map(|test| format!("shop.{test}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    project.junit_core(&places, &names)
}
