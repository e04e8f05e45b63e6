//! A JDK with a method that the agent does not know: what that method shows is not told apart any more, one fact
//! stands for all of its kind, and it is said why. A row is taken out of the agent's tables instead (`doctored`).

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tamis_testkit::maven::class_path;
use tempfile::TempDir;

use crate::project::{Project, Ran};

const USED: &str = "package shop; public class Used {
    public static int one() { return 1; } PRIVATE }";

/// None of them looks at anything that is about to change.
const TESTS: &[(&str, &str)] = &[
    ("shop/CalmTest", "if (new java.io.File(\"absent\").exists()) throw new Error();"),
    ("shop/LibraryTest", "if (goods.Price.get() != 1) throw new Error();"),
    (
        "shop/NetworkTest",
        "try (java.net.ServerSocket server = new java.net.ServerSocket(0);
              java.net.Socket client = new java.net.Socket(\"localhost\", server.getLocalPort())) { client.getPort(); }",
    ),
    ("shop/UserTest", "if (Used.one() != 1) throw new Error();"),
];

const ALL: &[&str] = &["CalmTest", "LibraryTest", "NetworkTest", "UserTest"];

/// A row that is missing, what changes then, and what comes of it.
struct Row {
    /// Class and method.
    name: &'static str,
    /// What is not told apart.
    what: &'static str,
    change: Change,
    /// What is broken then.
    subject: &'static str,
    ran: &'static [&'static str],
    /// What would run if it were there.
    ran_else: &'static [&'static str],
}

enum Change {
    /// A file is written that nobody reads.
    File,
    /// A file from aside takes its place in the project.
    Copied(&'static str),
    Variable,
    Option,
}

const ROWS: &[Row] = &[
    Row {
        name: "java/io/UnixFileSystem.getBooleanAttributes0",
        what: "files",
        change: Change::File,
        subject: "files",
        ran: ALL,
        ran_else: &[],
    },
    Row {
        name: "java/lang/Class.forName0",
        what: "class_names",
        change: Change::Copied("classes/shop/Other.class"),
        subject: "class_names",
        ran: ALL,
        ran_else: &[],
    },
    Row {
        name: "java/util/zip/ZipFile.getEntry",
        what: "archives",
        change: Change::Copied("lib/goods.jar"),
        subject: "archives",
        ran: ALL,
        ran_else: &[],
    },
    Row {
        name: "java/lang/System.getenv",
        what: "environment",
        change: Change::Variable,
        subject: "environment",
        ran: ALL,
        ran_else: &[],
    },
    Row {
        name: "java/lang/Class.getDeclaredMethods0",
        what: "members",
        change: Change::Copied("classes/shop/Used.class"),
        subject: "members",
        ran: &["UserTest"],
        ran_else: &[],
    },
    Row {
        name: "sun/nio/ch/Net.connect0",
        what: "network",
        change: Change::Option,
        subject: "outside",
        ran: ALL,
        ran_else: &["NetworkTest"],
    },
];

#[test]
fn what_a_missing_row_shows_is_one_fact_for_all() {
    let shop = Shop::new();
    let whole = Watched::new(&shop, None);
    whole.run(None).assert_ran(ALL);
    for row in ROWS {
        let doctored = Watched::new(&shop, Some(row.name));
        let first = doctored.run(None);
        first.assert_ran(ALL);
        let known = doctored.why(None);
        for report in [&first.report, &known] {
            row.assert_told(report);
        }
        assert_eq!(selected(&known), [""; 0], "{}", row.name);

        shop.change(&row.change);
        let change = Some(&row.change);
        assert_eq!(selected(&whole.why(change)), row.ran_else, "{}", row.name);
        row.assert_said(&doctored.say("why", &["UserTest"], change));
        let ran = doctored.run(change);
        ran.assert_ran(row.ran);
        row.assert_broken(&ran);
        if row.what == "files" {
            row.assert_said(&doctored.say("doctor", &[], change));
        }
        if row.what == "network" {
            let untracked = ran.report["untracked"].as_array().unwrap().iter();
            let is_named = |one: &Value| {
                let what = one["what"].as_str().unwrap();
                what.starts_with("may have asked the network") && one["n_entities"] == ALL.len()
            };
            assert_eq!(untracked.filter(|one| is_named(one)).count(), 1, "{ran:#?}");
        }
    }
}

impl Row {
    /// As people know it.
    fn method(&self) -> String {
        self.name.replace('/', ".")
    }

    /// Nothing but this is not told apart.
    fn assert_told(&self, report: &Value) {
        let coarse = report["realms"][0]["coarse"].as_array().unwrap();
        let [coarse] = &coarse[..] else {
            panic!("{}: {report:#}", self.name);
        };
        assert_eq!(coarse["what"], self.what, "{}", self.name);
        let reason = coarse["reason"].as_str().unwrap();
        assert!(reason.contains(&self.method()), "{reason}");
    }

    fn assert_said(&self, text: &str) {
        let mut lines = text.lines();
        let line = lines.find(|line| line.contains("not told apart"));
        let is_there = line.is_some_and(|line| line.contains(&self.method()));
        assert!(is_there, "{}: {text}", self.name);
    }

    /// This is why something ran, and nothing else.
    fn assert_broken(&self, ran: &Ran) {
        for entity in ran.report["entities"].as_array().unwrap() {
            let broken = entity["newest"]["broken"].as_array().unwrap();
            let broken: Vec<&Value> = broken.iter().map(|fact| &fact["subject"]).collect();
            let n_broken = usize::from(entity["is_selected"] == true);
            assert_eq!(broken, vec![self.subject; n_broken], "{entity:#}");
        }
    }
}

/// The tests that a document selects.
fn selected(report: &Value) -> Vec<&str> {
    let entities = report["entities"].as_array().unwrap().iter();
    let selected = entities.filter(|entity| entity["is_selected"] == true);
    let names = selected.map(|entity| entity["name"].as_str().unwrap());
    names
        .map(|name| name.strip_prefix("shop.").unwrap())
        .collect()
}

/// Classes, tests and a library; what they become lies aside.
struct Shop {
    project: Project,
    aside: TempDir,
}

impl Shop {
    fn new() -> Self {
        let shop = Self {
            project: Project::empty(17),
            aside: tempfile::tempdir().unwrap(),
        };
        let price = "package goods; public class Price { public static int get() { return 1; } }";
        shop.compile("goods", &[("goods/Price", price.to_owned())]);
        let goods = shop.aside.path().join("goods");
        fs::write(goods.join("extra.txt"), "1").unwrap();
        shop.pack("lib/goods.jar", &["goods", "extra.txt"]);
        fs::create_dir(shop.project.path("lib")).unwrap();
        shop.pack("plain.jar", &["goods"]);
        let plain = shop.aside.path().join("plain.jar");
        fs::rename(plain, shop.project.path("lib/goods.jar")).unwrap();

        let other = "package shop; public class Other { }";
        let used = USED.replace("PRIVATE", "private static void two() {}");
        shop.compile(
            "classes",
            &[("shop/Other", other.to_owned()), ("shop/Used", used)],
        );
        shop.compile("first", &sources());
        let first = shop.aside.path().join("first");
        fs::rename(first, shop.project.path("classes")).unwrap();
        shop
    }

    fn change(&self, change: &Change) {
        match change {
            Change::File => self.project.write("notes.txt", "nobody reads it"),
            Change::Copied(path) => {
                fs::copy(self.aside.path().join(path), self.project.path(path)).unwrap();
            }
            Change::Variable | Change::Option => {}
        }
    }

    /// Where classes are looked for.
    fn places(&self) -> Vec<PathBuf> {
        let mut places = vec![
            self.project.path("classes"),
            self.project.path("lib/goods.jar"),
        ];
        places.extend(class_path(&["junit:junit:4.13.2"]).unwrap());
        places
    }

    /// Compiles sources into a directory aside.
    fn compile(&self, directory: &str, sources: &[(&str, String)]) {
        let folder = tempfile::tempdir().unwrap();
        let mut command = self.tool("javac");
        command
            .args(["--release", "8", "-nowarn", "-cp"])
            .arg(env::join_paths(self.places()).unwrap())
            .arg("-d")
            .arg(self.aside.path().join(directory));
        for (name, text) in sources {
            let file = folder.path().join(format!("{name}.java"));
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, text).unwrap();
            command.arg(file);
        }
        succeed(&mut command);
    }

    /// Packs some of the goods into an archive aside.
    fn pack(&self, name: &str, members: &[&str]) {
        let archive = self.aside.path().join(name);
        fs::create_dir_all(archive.parent().unwrap()).unwrap();
        let mut command = self.tool("jar");
        command.arg("cf").arg(archive).args(members);
        succeed(command.current_dir(self.aside.path().join("goods")));
    }

    fn tool(&self, name: &str) -> Command {
        Command::new(self.project.launcher().with_file_name(name))
    }
}

fn sources() -> Vec<(&'static str, String)> {
    let mut sources = vec![("shop/Used", USED.replace("PRIVATE", ""))];
    sources.extend(TESTS.iter().map(|(path, body)| {
        let name = path.strip_prefix("shop/").unwrap();
        let text = format!(
            "package shop; public class {name} {{
                @org.junit.Test public void test() throws Exception {{ {body} }} }}"
        );
        (*path, text)
    }));
    sources
}

fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Tamis with a store of its own, and an agent that may lack a row.
struct Watched<'s> {
    shop: &'s Shop,
    row: Option<&'static str>,
    /// Not in the project, whose files count.
    store: TempDir,
}

impl<'s> Watched<'s> {
    fn new(shop: &'s Shop, row: Option<&'static str>) -> Self {
        Self {
            shop,
            row,
            store: tempfile::tempdir().unwrap(),
        }
    }

    /// A command of Tamis's, where something may be given otherwise.
    fn tamis(&self, command: &str, change: Option<&Change>) -> Command {
        let mut tamis = self.shop.project.tamis();
        tamis.env_remove("JAVA_TOOL_OPTIONS");
        tamis.arg(command).arg("--store").arg(self.store.path());
        if let Some(Change::Variable) = change {
            tamis.env("SHOP_SALE", "1");
        }
        if let Some(Change::Option) = change {
            tamis.args(["--network", "always-run"]);
        }
        tamis
    }

    /// Runs the tests, in one JVM.
    fn run(&self, change: Option<&Change>) -> Ran {
        let report = self.store.path().join("report.json");
        let mut tamis = self.tamis("run", change);
        tamis.args(["--format", "json", "--output"]).arg(&report);
        tamis.args(["--", "sh", "-c"]);
        match self.row {
            // The options of the agent stand last there.
            Some(row) => tamis.arg(format!(
                "JAVA_TOOL_OPTIONS=\"$JAVA_TOOL_OPTIONS,doctored={row}\" exec \"$@\""
            )),
            None => tamis.arg("exec \"$@\""),
        };
        tamis
            .arg("sh")
            .arg(self.shop.project.launcher())
            .arg("-cp")
            .arg(env::join_paths(self.shop.places()).unwrap())
            .arg("org.junit.runner.JUnitCore")
            .args(ALL.iter().map(|test| format!("shop.{test}")));
        let output = tamis.output().unwrap();
        Ran::new(&output, &fs::read(report).unwrap())
    }

    /// What would run, without a JVM.
    fn why(&self, change: Option<&Change>) -> Value {
        let mut tamis = self.tamis("why", change);
        let output = tamis.args(["*", "--format", "json"]).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
    }

    /// What a command says to people.
    fn say(&self, command: &str, arguments: &[&str], change: Option<&Change>) -> String {
        let mut tamis = self.tamis(command, change);
        let output = tamis.args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }
}
