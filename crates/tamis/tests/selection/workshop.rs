//! A project whose tests have run once, recorded by blocks. Then classes of it are changed, compiled by a JVM that stays, put in
//! their place, and asked about: who is selected, under each mesh.
//!
//! What each test calls is also run by that JVM, before and after: who sees something else has to be selected by every mesh.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tamis_testkit::jdks::jdks;
use tamis_testkit::server::{Classes, JavaServer, Launch};

use crate::project::{ALPHABETICAL, JUNIT_4, Project};

/// From fine to coarse.
pub(crate) const MESHES: [&str; 4] = ["block", "dispatch", "method", "file"];

/// A name and a text: of a class, its source without the package; of a test, what it calls.
pub(crate) type Named = (&'static str, &'static str);

/// A change of one source file, and whom it concerns.
pub(crate) struct Change {
    pub(crate) name: &'static str,
    class: &'static str,
    from: &'static str,
    to: &'static str,
    /// Whether other classes stay as they were compiled before.
    is_alone: bool,
    release: &'static str,
    /// Selected under the meshes `block` and `dispatch`, mesh `method` and mesh `file`. (Bodies have one block each.)
    dispatch: &'static [&'static str],
    method: &'static [&'static str],
    file: &'static [&'static str],
}

/// All is compiled with the change.
pub(crate) const fn change(
    name: &'static str,
    [class, from, to]: [&'static str; 3],
    method: &'static [&'static str],
    file: &'static [&'static str],
) -> Change {
    Change {
        name,
        class,
        from,
        to,
        is_alone: false,
        release: "8",
        dispatch: method,
        method,
        file,
    }
}

impl Change {
    /// The finer meshes select less.
    pub(crate) const fn but_by_dispatch(mut self, dispatch: &'static [&'static str]) -> Self {
        self.dispatch = dispatch;
        self
    }

    /// Only the changed class is compiled: others may find what they name no more.
    pub(crate) const fn alone(mut self) -> Self {
        self.is_alone = true;
        self
    }

    /// Compiled for this release of Java.
    pub(crate) const fn for_release(mut self, release: &'static str) -> Self {
        self.release = release;
        self
    }

    /// The kind that the change is named after (SPEC 2.4).
    fn kind(&self) -> Option<&'static str> {
        let kind = self.name.split(',').next().unwrap();
        let is_kind = kind.bytes().all(|byte| byte.is_ascii_uppercase());
        is_kind.then_some(kind)
    }

    /// The meshes by which it concerns anybody, and the kind that `tamis why` names then: of the file; by finer meshes of its
    /// parts, the head first.
    fn told_kinds(&self) -> Vec<(&'static str, &'static str)> {
        let Some(kind) = self.kind() else {
            return Vec::new();
        };
        let [of_part, of_file] = match kind {
            "AF" | "CH" => [kind, kind],
            "CF" => ["CH", "CF"],
            _ => [kind, "CF"],
        };
        let meshes = [
            ("dispatch", of_part, self.dispatch),
            ("method", of_part, self.method),
            ("file", of_file, self.file),
        ];
        let concerned = meshes.into_iter().filter(|(.., tests)| !tests.is_empty());
        concerned.map(|(mesh, told, _)| (mesh, told)).collect()
    }

    /// What is asked about it: meshes, options, and who is to be selected.
    fn questions(&self) -> Vec<(&'static str, Vec<&'static str>, &'static [&'static str])> {
        let mut questions = vec![
            ("block", vec![], self.dispatch),
            ("dispatch", vec![], self.dispatch),
            ("method", vec![], self.method),
            ("file", vec![], self.file),
        ];
        // A class that is new was no file of anybody's.
        if let Some(kind) = self.kind().filter(|kind| *kind != "AF") {
            let other = if kind == "DFD" { "CM" } else { "DFD" };
            let both = vec!["--as-file", other, "--as-file", kind];
            questions.extend([
                ("block", vec!["--as-file", kind], self.file),
                ("dispatch", vec!["--as-file", kind], self.file),
                ("dispatch", vec!["--as-file", other], self.dispatch),
                ("method", both, self.file),
            ]);
        }
        questions
    }
}

/// Classes whose names begin so lie in a library.
const LIBRARY: &str = "goods/";
const DEPENDENCY: &str = "<dependencies><dependency><groupId>goods</groupId><artifactId>goods</artifactId><version>1</version>
    <scope>system</scope><systemPath>${project.basedir}/lib/goods.jar</systemPath></dependency>";

/// The project, and what compiles and runs its classes.
pub(crate) struct Workshop {
    pub(crate) project: Project,
    classes: &'static [Named],
    server: JavaServer,
    /// The folders of class files, and the library, as they were recorded.
    kept: Vec<(PathBuf, Vec<u8>)>,
    /// The class `shop.Sees`, which runs what each test calls.
    observers: Classes,
}

impl Workshop {
    /// The tests have run; nothing is selected. A class is one of package `shop`, or has its package before its name.
    pub(crate) fn new(classes: &'static [Named], tests: &'static [Named]) -> Self {
        let jdks = jdks().unwrap();
        let jdk = jdks.iter().find(|jdk| jdk.feature == JUNIT_4.jdk).unwrap();
        let mut workshop = Self {
            project: Project::new(&JUNIT_4, ALPHABETICAL),
            classes,
            server: JavaServer::start(jdk).unwrap(),
            kept: Vec::new(),
            observers: Classes::new(),
        };
        for (name, text) in classes.iter().filter(|(name, _)| !is_of_library(name)) {
            workshop
                .project
                .write(&source(name), &in_package(name, text));
        }
        workshop.make_library();
        for (name, call) in tests {
            let body = format!("if (({call}) < 0) throw new AssertionError();");
            workshop
                .project
                .test_class(&JUNIT_4, name, &[("runs", &body)]);
        }
        let mut all: Vec<&str> = tests.iter().map(|(name, _)| *name).collect();
        all.sort_unstable();
        let ran = workshop.project.test_with(&["--mesh", "block"], &[]);
        ran.assert_ran(&all);
        for mesh in MESHES {
            assert_eq!(
                workshop.selected(mesh, &[]),
                BTreeSet::new(),
                "unchanged, {mesh}"
            );
        }
        workshop.kept = workshop.files();
        workshop.observers = workshop.observers_of(tests);
        workshop
    }

    /// Makes each change, asks about it, and takes it back.
    pub(crate) fn check(&mut self, changes: &[Change]) {
        let before = self.seen();
        let mut wrong = Vec::new();
        for change in changes {
            if let Err(refusal) = self.put(change) {
                wrong.push(format!("{}: {refusal}", change.name));
                continue;
            }
            let after = self.seen();
            let others = before.iter().filter(|(test, saw)| after[*test] != **saw);
            let others: BTreeSet<&String> = others.map(|(test, _)| test).collect();
            for (mesh, options, expected) in change.questions() {
                let selected = self.selected(mesh, &options);
                let expected: BTreeSet<String> =
                    expected.iter().map(|name| (*name).to_owned()).collect();
                if selected != expected {
                    let name = change.name;
                    wrong.push(format!(
                        "{name}, {mesh} {options:?}: {selected:?} instead of {expected:?}"
                    ));
                }
                let missed: Vec<_> = others
                    .iter()
                    .filter(|test| !selected.contains(**test))
                    .collect();
                if !missed.is_empty() {
                    wrong.push(format!(
                        "{}, {mesh} {options:?} MISSES {missed:?}: {before:?}, then {after:?}",
                        change.name
                    ));
                }
            }
            wrong.extend(self.wrong_kinds(change));
            self.take_back();
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// `tamis why` names the kind of the change, by each mesh by which it concerns anybody.
    fn wrong_kinds(&self, change: &Change) -> Vec<String> {
        let told = change.told_kinds().into_iter();
        let wrong = told.filter_map(|(mesh, kind)| {
            let kinds = self.named_kinds(mesh);
            let name = change.name;
            (!kinds.contains(kind))
                .then(|| format!("{name}, {mesh}: the kinds are said to be {kinds:?}"))
        });
        wrong.collect()
    }

    /// The kinds of changes that `tamis why` names.
    pub(crate) fn named_kinds(&self, mesh: &str) -> BTreeSet<String> {
        let mut command = self.project.tamis();
        let options = ["why", "*", "--mesh", mesh, "--format", "json"];
        let output = command.args(options).output().unwrap();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        let entities = document["entities"].as_array().unwrap().iter();
        let broken = entities.filter_map(|entity| entity["newest"]["broken"].as_array());
        let kinds = broken.flatten().filter_map(|fact| fact["kind"].as_str());
        kinds.map(str::to_owned).collect()
    }

    /// Who would run.
    pub(crate) fn selected(&self, mesh: &str, options: &[&str]) -> BTreeSet<String> {
        self.project.select_with(mesh, options)
    }

    /// The source stays as it was.
    pub(crate) fn put(&mut self, change: &Change) -> Result<(), String> {
        let (name, text) = self
            .classes
            .iter()
            .find(|(name, _)| *name == change.class)
            .unwrap();
        assert!(
            text.contains(change.from),
            "{name} has no `{}`",
            change.from
        );
        let changed = text.replace(change.from, change.to);
        let mut sources = vec![(*name, &*changed)];
        if !change.is_alone {
            let others = self.classes.iter().filter(|(other, _)| other != name);
            sources.extend(others.filter(|(other, _)| is_of_library(other) == is_of_library(name)));
        }
        self.compile(&sources, change.release)
    }

    fn compile(&mut self, sources: &[(&str, &str)], release: &str) -> Result<(), String> {
        let texts: Vec<(String, String)> = sources
            .iter()
            .map(|(name, text)| (source(name), in_package(name, text)))
            .collect();
        let texts: Vec<(&str, &str)> = texts
            .iter()
            .map(|(file, text)| (&**file, &**text))
            .collect();
        let compiled = compile(&mut self.server, &self.project, &texts, release)?;
        for (name, bytes) in compiled {
            let place = self
                .project
                .path(folder(&name))
                .join(format!("{name}.class"));
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(place, bytes).unwrap();
        }
        if sources.iter().any(|(name, _)| is_of_library(name)) {
            self.pack();
        }
        Ok(())
    }

    /// As it was recorded.
    pub(crate) fn take_back(&self) {
        for (file, _) in self.files() {
            fs::remove_file(file).unwrap();
        }
        for (file, bytes) in &self.kept {
            fs::write(file, bytes).unwrap();
        }
    }

    /// What `tamis why` says of a test.
    pub(crate) fn why(&self, test: &str, options: &[&str]) -> String {
        let mut command = self.project.tamis();
        let output = command.args(["why", test]).args(options).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    fn make_library(&mut self) {
        let classes = self.classes.iter().copied();
        let classes: Vec<Named> = classes.filter(|(name, _)| is_of_library(name)).collect();
        if !classes.is_empty() {
            self.project.edit("pom.xml", "<dependencies>", DEPENDENCY);
            self.compile(&classes, "8").unwrap();
        }
    }

    fn pack(&self) {
        let jar = self.server.jdk().java().with_file_name("jar");
        let mut command = self.project.command(jar.to_str().unwrap());
        command.args(["-J-XX:TieredStopAtLevel=1", "cf", "lib/goods.jar", "-C"]);
        let packed = command.args(["lib/classes", "."]).output().unwrap();
        assert!(packed.status.success(), "{packed:?}");
    }

    /// All class files and the library, with their contents.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let folders = ["target/classes", "lib"].map(|folder| self.project.path(folder));
        let files = folders.iter().flat_map(|folder| files_in(folder));
        files
            .map(|file| (file.clone(), fs::read(file).unwrap()))
            .collect()
    }

    fn observers_of(&mut self, tests: &[Named]) -> Classes {
        let mut sources = Vec::new();
        let mut calls = String::new();
        for (name, call) in tests {
            calls.extend([
                &format!("try {{ saw(\"{name}\", {name}Call.call()); }} "),
                &format!("catch (Throwable e) {{ saw(\"{name}\", e.getClass()); }}\n")[..],
            ]);
            // A class for each, since one that cannot be linked says nothing about the others.
            let text = format!(
                "package shop; class {name}Call {{ static Object call() throws Throwable {{ return {call}; }} }}"
            );
            sources.push((format!("{name}Call.java"), text));
        }
        let text = format!(
            "package shop; public class Sees {{
                static void saw(String test, Object what) {{ System.out.println(test + ' ' + what); }}
                public static void main(String[] none) {{ {calls} }} }}"
        );
        sources.push(("Sees.java".to_owned(), text));
        let sources: Vec<(&str, &str)> = sources
            .iter()
            .map(|(file, text)| (&**file, &**text))
            .collect();
        compile(&mut self.server, &self.project, &sources, "8").unwrap()
    }

    /// What each test sees, or what is thrown at it.
    fn seen(&mut self) -> BTreeMap<String, String> {
        let mut classes = self.observers.clone();
        for root in ["target/classes", "lib/classes"].map(|folder| self.project.path(folder)) {
            for file in files_in(&root) {
                let name = file.strip_prefix(&root).unwrap().with_extension("");
                classes.insert(name.to_str().unwrap().to_owned(), fs::read(file).unwrap());
            }
        }
        let launch = Launch {
            path: &[],
            classes: &classes,
            main: "shop.Sees",
        };
        let run = self.server.run(&launch).unwrap();
        assert_eq!(run.thrown, "");
        let lines = run.stdout.lines().map(|line| line.split_once(' ').unwrap());
        lines
            .map(|(test, saw)| (test.to_owned(), saw.to_owned()))
            .collect()
    }
}

fn compile(
    server: &mut JavaServer,
    project: &Project,
    sources: &[(&str, &str)],
    release: &str,
) -> Result<Classes, String> {
    let class_path = ["target/classes", "lib/classes"].map(|folder| project.path(folder));
    let class_path = std::env::join_paths(class_path).unwrap();
    let options = ["-g", "-source", release, "-target", release, "-classpath"];
    let options = [&options[..], &[class_path.to_str().unwrap()]].concat();
    let compiled = server.compile(&options, sources);
    compiled.map_err(|error| format!("{error:#}"))
}

fn is_of_library(name: &str) -> bool {
    name.starts_with(LIBRARY)
}

/// Where the class files of a class are written, by its whole name.
fn folder(name: &str) -> &'static str {
    if is_of_library(name) {
        "lib/classes"
    } else {
        "target/classes"
    }
}

fn source(name: &str) -> String {
    let package = if name.contains('/') { "" } else { "shop/" };
    format!("src/main/java/{package}{name}.java")
}

fn in_package(name: &str, text: &str) -> String {
    let package = name.split_once('/').map_or("shop", |(package, _)| package);
    format!("package {package}; {text}")
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter();
    let files = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file());
    files.map(walkdir::DirEntry::into_path).collect()
}
