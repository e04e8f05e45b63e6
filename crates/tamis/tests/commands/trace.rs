//! `tamis trace` on small programs, on every JDK found: what it shows, and that the program is as before.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;
use tamis_build::Jdk;
use tamis_testkit::jdks::{jdks, newest_jdk};

use crate::sandbox::{Sandbox, shown};

const SOURCE: &str = "
    public class Main {
        static class Config { static int size = read(); static int read() { return 3; } }
        static void unused() {}
        public static void main(String[] a) {
            System.out.println(\"size \" + Config.size);
            System.err.println(System.getenv(\"JAVA_TOOL_OPTIONS\"));
            System.exit(a.length);
        }
    }";

/// A sandbox with the compiled program.
fn compiled(jdk: &Jdk) -> Sandbox {
    let sandbox = Sandbox::empty();
    sandbox.write("Main.java", SOURCE.as_bytes());
    let mut javac = Command::new(jdk.javac());
    javac
        .current_dir(sandbox.path(""))
        .args(["-d", "classes", "Main.java"]);
    fs::create_dir(sandbox.path("classes")).unwrap();
    assert!(javac.status().unwrap().success());
    sandbox
}

/// `tamis trace` with a cache of its own.
fn tamis(sandbox: &Sandbox) -> Command {
    let mut command = sandbox.tamis();
    command
        .arg("trace")
        .env("TAMIS_CACHE_DIR", sandbox.path("cache"));
    command
        .env_remove("JAVA_TOOL_OPTIONS")
        .env_remove("JAVA_HOME");
    command
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Standard error without the line that announces the agent.
fn said(output: &Output) -> String {
    let lines = text(&output.stderr).lines();
    let lines = lines.filter(|line| !line.starts_with("Picked up JAVA_TOOL_OPTIONS: -agentpath:"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_program_is_as_before_and_its_methods_are_shown() {
    for jdk in jdks().unwrap() {
        let sandbox = compiled(&jdk);
        let java = ["-cp", "classes", "Main", "x", "y"];
        let mut command = tamis(&sandbox);
        command
            .args(["--output", "report", "--"])
            .arg(jdk.java())
            .args(java);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(text(&output.stdout), "size 3\n");
        assert_eq!(said(&output), "null");
        let report = sandbox.read("report");
        let (heading, rest) = text(&report).split_once('\n').unwrap();
        assert!(heading.ends_with(": Main x y"), "{heading}");
        // Each JDK looks for other files when it starts.
        let rest = rest.split_inclusive('\n');
        let rest: String = rest.filter(|line| !line.starts_with("  looked ")).collect();
        assert_eq!(
            rest,
            "  Main  1 of 3\n    void main(String[])\n  \
             Main$Config  2 of 3\n    int read()\n    <clinit>()\n  \
             2 of 2 classes, 3 of 6 methods ran\n"
        );
    }
}

#[test]
fn json_tells_files_methods_and_initialisers() {
    let jdk = newest_jdk().unwrap();
    let sandbox = compiled(&jdk);
    let mut command = tamis(&sandbox);
    command.args(["--format", "json", "--output", "report.json", "--"]);
    command.arg(jdk.java()).args(["-cp", "classes", "Main"]);
    assert!(command.status().unwrap().success());
    let report: Value = serde_json::from_slice(&sandbox.read("report.json")).unwrap();
    assert_eq!(report["format"], "tamis.trace/1");
    let jvm = &report["jvms"][0];
    assert_eq!(jvm["ending"]["status"], "complete");
    assert_eq!(jvm["command"], "Main");
    assert_eq!(jvm["unseen_files"], Value::Null);
    let mut files = jvm["files"].as_array().unwrap().iter();
    let classes = files.find(|file| file["path"].as_str().unwrap().ends_with("/classes"));
    let classes = classes.unwrap();
    assert_eq!(
        [&classes["access"], &classes["found"]],
        ["looked", "directory"]
    );
    let config = &jvm["classes"][1];
    assert_eq!(config["name"], "Main$Config");
    assert_eq!(config["file"]["status"], "found");
    let location = config["file"]["location"].as_str().unwrap();
    assert!(
        location.ends_with("/classes/Main$Config.class"),
        "{location}"
    );
    let names = config["initialisation"].as_array().unwrap().iter();
    let names: Vec<_> = names.map(|unit| unit["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["read", "<clinit>"]);
}

/// Two JVMs of one script, one of them killed; and a build tool's, which is left alone.
#[test]
fn every_jvm_of_a_command_is_shown_with_its_ending() {
    let jdk = newest_jdk().unwrap();
    let sandbox = compiled(&jdk);
    let source = "
        class Sleeper {
            public static void main(String[] a) throws Exception {
                System.out.println(\"up\");
                Thread.sleep(60000);
            }
        }";
    sandbox.write("Sleeper.java", source.as_bytes());
    let script = format!(
        "set -e\n{javac} -d classes Sleeper.java\n{java} -cp classes Main\n\
         {java} -cp classes Sleeper > up & pid=$!\n\
         while [ ! -s up ]; do sleep 0.1; done\nkill -9 $pid\n",
        javac = jdk.javac().display(),
        java = jdk.java().display()
    );
    let mut command = tamis(&sandbox);
    command.args(["--format", "json", "--output", "report.json", "--"]);
    command.args(["sh", "-c", &script]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let report: Value = serde_json::from_slice(&sandbox.read("report.json")).unwrap();
    let jvms = report["jvms"].as_array().unwrap().iter();
    let endings: Vec<_> = jvms
        .map(|jvm| [&jvm["command"], &jvm["ending"]["status"]].map(|v| v.as_str().unwrap()))
        .collect();
    assert_eq!(endings, [["Main", "complete"], ["Sleeper", "lost"]]);
}

#[test]
fn what_cannot_be_run() {
    let sandbox = Sandbox::empty();
    let mut command = tamis(&sandbox);
    command.args(["--", "./no-such-program"]);
    insta::assert_snapshot!(shown(command));
    let mut command = tamis(&sandbox);
    command.args(["--", "sh", "-c", "exit 7"]);
    insta::assert_snapshot!(shown(command));
    insta::assert_snapshot!(sandbox.run(["trace"]));
    insta::assert_snapshot!(sandbox.run(["trace", "--help"]));
}

/// A cache that cannot be made is an error before anything is started.
#[test]
fn an_agent_without_a_place() {
    let sandbox = Sandbox::empty();
    sandbox.write("file", b"");
    let mut command = tamis(&sandbox);
    command
        .env("TAMIS_CACHE_DIR", "file/cache")
        .args(["--", "touch", "started"]);
    insta::assert_snapshot!(shown(command));
    assert!(!sandbox.path("started").exists());
}

/// What the user gives all JVMs still reaches them, and nothing else does.
#[test]
fn options_of_the_user_stay() {
    let jdk = newest_jdk().unwrap();
    let sandbox = compiled(&jdk);
    let mut command = tamis(&sandbox);
    command
        .env("JAVA_TOOL_OPTIONS", "-Duser=option")
        .args(["--output", "report", "--"]);
    command.arg(jdk.java()).args(["-cp", "classes", "Main"]);
    let output = command.output().unwrap();
    assert_eq!(said(&output), "-Duser=option");
}
