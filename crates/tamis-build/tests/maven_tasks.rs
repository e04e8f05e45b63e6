//! Real builds of Maven ask about their tests: what they tell, and that they do as they are told.

#![expect(clippy::unwrap_used, reason = "the whole crate is tests")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tamis_agent::{AGENT, Options};
use tamis_build::{
    Jdk, MavenAgent, MavenNote, MavenNoteKind, MavenRun, TaskAnswer, TaskHost, TaskServer, TestTask,
};
use tamis_facts::Checksum;
use tamis_testkit::jdks::newest_jdk;
use tamis_testkit::place::Lock;
use tempfile::TempDir;

/// Is in a system property of the tests.
const SECRET: &str = "open-sesame";

/// The module, the execution.
type Key = (String, String);

/// Answers by a function, and keeps what it is told.
struct Recorder<F> {
    answer: F,
    tasks: Mutex<BTreeMap<Key, TestTask>>,
    ends: Mutex<BTreeMap<Key, bool>>,
}

impl<F: Fn(&TestTask) -> TaskAnswer + Sync> TaskHost for Recorder<F> {
    fn before(&self, task: TestTask) -> TaskAnswer {
        let answer = (self.answer)(&task);
        let key = (task.module.clone(), task.execution.clone());
        let earlier = self.tasks.lock().unwrap().insert(key, task);
        assert_eq!(earlier, None, "asked twice");
        answer
    }

    fn after(&self, module: &str, execution: &str, is_green: bool) {
        let key = (module.to_owned(), execution.to_owned());
        let earlier = self.ends.lock().unwrap().insert(key, is_green);
        assert_eq!(earlier, None, "told twice");
    }
}

/// What a build did and said.
struct Build {
    output: Output,
    tasks: BTreeMap<Key, TestTask>,
    ends: BTreeMap<Key, bool>,
    notes: Vec<MavenNote>,
    /// The tests that ran, as `module/Test`.
    ran: Vec<String>,
}

impl Build {
    fn task(&self, module: &str, execution: &str) -> &TestTask {
        &self.tasks[&(format!("shop:{module}"), execution.to_owned())]
    }

    #[track_caller]
    fn assert_code(&self, code: i32) {
        let console = String::from_utf8_lossy(&self.output.stdout);
        assert_eq!(self.output.status.code(), Some(code), "{console}");
    }
}

/// A project, and the agent for its test JVMs.
struct Project {
    directory: TempDir,
    jdk: Jdk,
}

impl Project {
    fn new() -> Self {
        let project = Self {
            directory: tempfile::tempdir().unwrap(),
            jdk: newest_jdk().unwrap(),
        };
        project.write("agent.so", AGENT);
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        fs::canonicalize(self.directory.path()).unwrap().join(name)
    }

    fn write(&self, name: &str, content: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// A module with tests that leave a trace in `ran`.
    fn write_module(&self, module: &str, version: &str, executions: &str, tests: &[&str]) {
        self.write(
            &format!("{module}/pom.xml"),
            module_pom(module, version, executions).as_bytes(),
        );
        for test in tests {
            let is_red = *test == "RedTest";
            let class = format!(
                "package shop;
                public class {test} {{
                    @org.junit.Test public void runs() throws Exception {{
                        new java.io.File(\"ran\").mkdir();
                        new java.io.File(\"ran/{test}\").createNewFile();
                        org.junit.Assert.assertFalse({is_red});
                    }}
                }}"
            );
            self.write(
                &format!("{module}/src/test/java/shop/{test}.java"),
                class.as_bytes(),
            );
        }
    }

    /// A build whose questions are answered so.
    fn build(&self, arguments: &[&str], answer: impl Fn(&TestTask) -> TaskAnswer + Sync) -> Build {
        self.build_by(&TaskServer::new().unwrap(), arguments, answer)
    }

    fn build_by(
        &self,
        server: &TaskServer,
        arguments: &[&str],
        answer: impl Fn(&TestTask) -> TaskAnswer + Sync,
    ) -> Build {
        let recorder = Recorder {
            answer,
            tasks: Mutex::default(),
            ends: Mutex::default(),
        };
        let mut prepared = self.prepare(arguments, server);
        let output = server.serve_during(&recorder, || prepared.output());
        Build {
            output,
            tasks: recorder.tasks.into_inner().unwrap(),
            ends: recorder.ends.into_inner().unwrap(),
            notes: prepared.run.notes(),
            ran: self.take_ran(),
        }
    }

    fn prepare(&self, arguments: &[&str], server: &TaskServer) -> Prepared {
        let directory = tempfile::tempdir().unwrap();
        let options = Options {
            socket: directory.path().join("nobody"),
            token: [0; 16],
            label: Vec::new(),
            parent: None,
        };
        let agent = MavenAgent {
            library: &self.path("agent.so"),
            options: &options.encode(),
            proven_homes: &[fs::canonicalize(&self.jdk.home).unwrap()],
        };
        let arguments: Vec<OsString> = ["-B", "-ntp"]
            .iter()
            .chain(arguments)
            .map(Into::into)
            .collect();
        let run = MavenRun::prepare_asking(directory.path(), &agent, &arguments, server).unwrap();
        let mut command = Command::new("mvn");
        command
            .args(&run.arguments)
            .current_dir(self.directory.path())
            .stdin(Stdio::null())
            .env("JAVA_HOME", &self.jdk.home)
            .env_remove("JAVA_TOOL_OPTIONS")
            .env_remove("MAVEN_OPTS");
        Prepared {
            command,
            run,
            directory,
        }
    }

    fn take_ran(&self) -> Vec<String> {
        let mut ran = Vec::new();
        for module in names(&self.path("")) {
            let directory = self.path(&module).join("ran");
            if directory.is_dir() {
                ran.extend(
                    names(&directory)
                        .iter()
                        .map(|test| format!("{module}/{test}")),
                );
                fs::remove_dir_all(directory).unwrap();
            }
        }
        ran
    }
}

/// A build that has not started.
struct Prepared {
    command: Command,
    run: MavenRun,
    directory: TempDir,
}

impl Prepared {
    /// Where the extension is to ask; its settings are not compressed.
    fn port(&self) -> u16 {
        let jar = fs::read(self.directory.path().join("maven-extension.jar")).unwrap();
        let jar = String::from_utf8_lossy(&jar);
        let (_, port) = jar.split_once("host-port=").unwrap();
        port.lines().next().unwrap().parse().unwrap()
    }

    fn output(&mut self) -> Output {
        // Two builds at once may spoil what they download for each other.
        let _lock = Lock::take("maven-builds").unwrap();
        self.command.output().unwrap()
    }
}

/// What is in a directory, sorted.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

/// Surefire and Failsafe of a version, all in the phase `test`, which needs no archive.
fn module_pom(module: &str, version: &str, executions: &str) -> String {
    format!(
        "<project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>shop</groupId><artifactId>{module}</artifactId><version>1</version>
          <properties>
            <maven.compiler.source>8</maven.compiler.source>
            <maven.compiler.target>8</maven.compiler.target>
            <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
          </properties>
          <dependencies><dependency>
            <groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>
            <scope>test</scope>
          </dependency></dependencies>
          <build><plugins>
            <plugin><groupId>org.apache.maven.plugins</groupId>
              <artifactId>maven-surefire-plugin</artifactId><version>{version}</version>
              <configuration><systemPropertyVariables><pass>{SECRET}</pass></systemPropertyVariables></configuration>
              <executions>{executions}</executions></plugin>
            <plugin><groupId>org.apache.maven.plugins</groupId>
              <artifactId>maven-failsafe-plugin</artifactId><version>{version}</version>
              <executions>
                <execution><id>it</id><phase>test</phase><goals><goal>integration-test</goal></goals></execution>
                <execution><id>check</id><phase>test</phase><goals><goal>verify</goal></goals></execution>
              </executions></plugin>
          </plugins></build>
        </project>"
    )
}

/// What Failsafe leaves where a test has failed.
const RED_SUMMARY: &[u8] =
    b"<failsafe-summary result=\"255\" timeout=\"false\"><completed>1</completed><errors>0</errors>\
      <failures>1</failures><skipped>0</skipped><failureMessage/></failsafe-summary>";

/// Three modules, each with another version of the plug-ins. In one a red summary of an earlier build is left.
fn three_versions() -> Project {
    let project = Project::new();
    project.write(
        "pom.xml",
        b"<project><modelVersion>4.0.0</modelVersion>
          <groupId>shop</groupId><artifactId>parent</artifactId><version>1</version><packaging>pom</packaging>
          <modules><module>old</module><module>middle</module><module>new</module></modules></project>",
    );
    // Surefire does not run a configuration twice.
    let again =
        "<execution><id>again</id><phase>test</phase><goals><goal>test</goal></goals></execution>";
    project.write_module("old", "2.22.2", "", &["GreenTest", "GreenIT"]);
    project.write_module("middle", "3.2.5", "", &["GreenTest", "GreenIT"]);
    project.write_module("new", "3.5.4", again, &["GreenTest", "RedTest", "GreenIT"]);
    project.write(
        "middle/target/failsafe-reports/failsafe-summary.xml",
        RED_SUMMARY,
    );
    project
}

fn skip(_: &TestTask) -> TaskAnswer {
    TaskAnswer::Skip
}

const EXECUTIONS: [&str; 2] = ["default-test", "it"];

/// Of all tasks of three modules.
fn all_keys() -> Vec<Key> {
    let modules = ["shop:middle", "shop:new", "shop:old"].iter();
    let keys =
        modules.flat_map(|module| EXECUTIONS.map(|id| ((*module).to_owned(), id.to_owned())));
    keys.collect()
}

#[test]
fn tasks_are_told_alike_until_something_changes_and_run_or_not_as_answered() {
    let project = three_versions();
    let skipped = project.build(&["test"], skip);
    skipped.assert_code(0);
    assert_eq!(skipped.ran, [""; 0]);
    assert_eq!(skipped.notes, []);
    assert!(
        skipped.tasks.keys().eq(&all_keys()),
        "{:?}",
        skipped.tasks.keys()
    );
    assert!(skipped.ends.keys().eq(&all_keys()), "{:?}", skipped.ends);
    assert!(skipped.ends.values().all(|is_green| *is_green));
    check_fields(&project, &skipped);

    let filtered = project.build(
        &["test", "-fae", "-Dtest=RedTest", "-DfailIfNoTests=false"],
        |task| {
            let is_run = task.module == "shop:new" || task.execution == "it";
            if is_run {
                TaskAnswer::Run
            } else {
                TaskAnswer::Skip
            }
        },
    );
    filtered.assert_code(1);
    assert_eq!(
        filtered.ran,
        ["middle/GreenIT", "new/RedTest", "old/GreenIT"]
    );
    assert_eq!(filtered.notes, []);
    let red = |end: &(&Key, &bool)| !end.1;
    let red: Vec<_> = filtered
        .ends
        .iter()
        .filter(red)
        .map(|end| end.0.clone())
        .collect();
    assert_eq!(red, [("shop:new".to_owned(), "default-test".to_owned())]);
    // Behind a failure the module ends.
    assert_eq!(filtered.ends.len(), all_keys().len() - 1);
    for (key, task) in &filtered.tasks {
        let is_filtered = key.1 == "default-test";
        let expected = TestTask {
            is_filtered,
            fails_without_tests: task.fails_without_tests,
            ..skipped.tasks[key].clone()
        };
        assert_eq!(*task, expected);
    }

    // What lies in a summary that somebody else writes still counts.
    let others = "<configuration><summaryFiles><file>${basedir}/red.xml</file></summaryFiles></configuration>";
    let pom = module_pom("old", "2.22.2", "")
        .replace(SECRET, "another")
        .replace("<id>check</id>", &format!("<id>check</id>{others}"));
    project.write("old/pom.xml", pom.as_bytes());
    project.write("old/red.xml", RED_SUMMARY);
    let changed = project.build(&["clean", "test", "-fae", "-Dx=1"], skip);
    changed.assert_code(1);
    let console = String::from_utf8_lossy(&changed.output.stdout);
    assert!(
        console.contains("verify (check) on project old"),
        "{console}"
    );
    assert_eq!(changed.tasks.len(), skipped.tasks.len());
    for (key, task) in &changed.tasks {
        let before = &skipped.tasks[key];
        assert_eq!(task.configuration, before.configuration);
        // Each property is told apart: the user's, and that of the POM.
        let is_new = |name: &str| property(task, name) != property(before, name);
        assert!(is_new("x"));
        let is_changed = *key == ("shop:old".to_owned(), "default-test".to_owned());
        assert_eq!(is_new("pass"), is_changed, "{key:?}");
        assert_eq!(task.class_path, before.class_path);
    }
}

/// `tamis select` looks: where tests would run unwatched, or without a question that can be asked, they do not run either.
#[test]
fn whoever_only_asks_starts_no_test() {
    let project = Project::new();
    project.write(
        "pom.xml",
        b"<project><modelVersion>4.0.0</modelVersion>
          <groupId>shop</groupId><artifactId>parent</artifactId><version>1</version><packaging>pom</packaging>
          <modules><module>oldest</module><module>inside</module><module>new</module></modules></project>",
    );
    let inside = "<execution><id>default-test</id><configuration><forkCount>0</forkCount></configuration></execution>";
    project.write_module("oldest", "2.5", "", &["GreenTest"]);
    project.write_module("inside", "3.2.5", inside, &["GreenTest", "GreenIT"]);
    project.write_module("new", "3.5.4", "", &["GreenTest", "GreenIT"]);

    let server = TaskServer::new().unwrap().only_asking();
    let asked = project.build_by(&server, &["test"], |_| TaskAnswer::Run);
    asked.assert_code(0);
    assert_eq!(asked.ran, [""; 0]);
    let kinds = asked.notes.iter().map(|note| (&*note.module, note.kind));
    let expected = [
        ("shop:inside", MavenNoteKind::InsideMaven),
        ("shop:oldest", MavenNoteKind::UnknownPlugin),
        ("shop:oldest", MavenNoteKind::UnknownPlugin),
    ];
    assert_eq!(kinds.collect::<Vec<_>>(), expected);
}

fn property<'t>(task: &'t TestTask, name: &str) -> Option<&'t Checksum> {
    let mut told = task.properties.iter();
    told.find(|(told, _)| told == name)
        .map(|(_, checksum)| checksum)
}

fn check_fields(project: &Project, build: &Build) {
    let module =
        |name: &str| ["middle", "new", "old"].map(|module| project.path(module).join(name));
    for name in ["middle", "new", "old"] {
        let [test, it] = EXECUTIONS.map(|execution| build.task(name, execution));
        assert_eq!([&*test.goal, &*it.goal], ["test", "integration-test"]);
        assert_ne!(test.configuration, it.configuration);
        assert!(property(test, "pass").is_some() && property(it, "pass").is_none());
        for task in [test, it] {
            let base = project.path(name);
            assert_eq!(task.base, base);
            let launchers =
                [&task.java, &project.jdk.java()].map(|path| fs::canonicalize(path).unwrap());
            assert_eq!(launchers[0], launchers[1]);
            assert_eq!(task.build_directories[..3], module("target"));
            assert_eq!(task.build_directories[3..], [project.path("target")]);
            for sources in [module("src/main/java"), module("src/test/java")].concat() {
                assert!(
                    task.source_directories.contains(&sources),
                    "{}",
                    sources.display()
                );
            }
            assert_eq!(task.classes, base.join("target/classes"));
            assert_eq!(task.test_classes, base.join("target/test-classes"));
            let flags = [
                task.scans_dependencies,
                task.is_filtered,
                task.fails_without_tests,
            ];
            assert_eq!(flags, [false; 3]);
            let own = [&task.test_classes, &task.classes].map(|path| path.to_str().unwrap());
            assert_eq!(task.class_path[..2], own);
            assert!(task.class_path[2].ends_with("/junit-4.13.2.jar"));
            assert!(!format!("{task:?}").contains(SECRET));
        }
    }
}

/// All that is to be known of a build that got no answers: the console, and what it is about.
#[track_caller]
fn check_unanswered(project: &Project, mut prepared: Prepared, reasons: [&str; 2]) {
    let output = prepared.output();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert_eq!(project.take_ran(), ["only/GreenIT", "only/GreenTest"]);
    let notes = prepared.run.notes();
    let executions: Vec<_> = notes.iter().map(|note| &*note.execution).collect();
    assert_eq!(executions, EXECUTIONS, "{notes:?}");
    for (note, reason) in notes.iter().zip(reasons) {
        assert_eq!(note.kind, MavenNoteKind::Unanswered);
        assert_eq!(note.module, "shop:only");
        assert!(note.text.contains(reason), "{note:?}");
    }
}

/// Listens at the port of a process that was killed, and wants all tests skipped.
struct Impostor {
    is_over: Arc<AtomicBool>,
    address: SocketAddr,
    thread: JoinHandle<Vec<Vec<u8>>>,
}

impl Impostor {
    fn at_port_of(killed: TaskServer, prepared: &Prepared) -> Self {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, prepared.port()));
        drop(killed);
        let listener = TcpListener::bind(address).unwrap();
        let is_over = Arc::new(AtomicBool::new(false));
        let is_ending = Arc::clone(&is_over);
        let thread = thread::spawn(move || {
            let mut heard = Vec::new();
            loop {
                let (mut stream, _) = listener.accept().unwrap();
                if is_ending.load(Ordering::Acquire) {
                    return heard;
                }
                heard.push(hear(&mut stream));
                stream.write_all(&[&[0; 16][..], &[1]].concat()).unwrap();
            }
        });
        Self {
            is_over,
            address,
            thread,
        }
    }

    fn heard(self) -> Vec<Vec<u8>> {
        self.is_over.store(true, Ordering::Release);
        TcpStream::connect(self.address).unwrap();
        self.thread.join().unwrap()
    }
}

/// A whole question: token, length, message.
fn hear(stream: &mut TcpStream) -> Vec<u8> {
    let mut question = vec![0; 20];
    stream.read_exact(&mut question).unwrap();
    let length = u32::from_le_bytes(question[16..].try_into().unwrap());
    let mut message = vec![0; length as usize];
    stream.read_exact(&mut message).unwrap();
    question.extend(message);
    question
}

#[test]
fn a_build_without_answers_runs_everything() {
    let project = Project::new();
    project.write_module("only", "3.5.4", "", &["GreenTest", "GreenIT"]);
    let arguments = ["-f", "only", "test"];

    let killed = TaskServer::new().unwrap();
    let prepared = project.prepare(&arguments, &killed);
    drop(killed);
    check_unanswered(&project, prepared, ["ConnectException"; 2]);

    let killed = TaskServer::new().unwrap();
    let prepared = project.prepare(
        &[&arguments[..], &[&format!("-Dtold={SECRET}")]].concat(),
        &killed,
    );
    let impostor = Impostor::at_port_of(killed, &prepared);
    check_unanswered(&project, prepared, ["somebody else answered"; 2]);
    let heard = impostor.heard();
    // Before and after two goals.
    assert_eq!(heard.len(), 4);
    for question in heard {
        let question = String::from_utf8_lossy(&question);
        assert!(question.contains("shop:only"), "{question}");
        assert!(!question.contains(SECRET), "{question}");
    }

    let patience = Duration::from_secs(2);
    let silent = TaskServer::new().unwrap().with_patience(patience);
    let prepared = project.prepare(&arguments, &silent);
    check_unanswered(&project, prepared, ["it was silent for 2 seconds"; 2]);
    drop(silent);
}
