//! `tamis trace` where the world is unkind: places that cannot hold the agent, and a `tamis` that is stopped
//! or killed while a program runs. File systems are mounted for one command only, which takes root.

use std::ffi::OsStr;
use std::fs;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tamis_build::Jdk;
use tamis_testkit::jdks::newest_jdk;

use crate::sandbox::Sandbox;

const HELLO: &str = "
    public class Main { public static void main(String[] a) { System.out.println(\"ran\"); } }";

/// A sandbox with the compiled program and a folder for temporary files.
fn compiled(jdk: &Jdk, source: &str) -> Sandbox {
    let sandbox = Sandbox::empty();
    sandbox.write("Main.java", source.as_bytes());
    for folder in ["classes", "tmp", "home", "cache"] {
        fs::create_dir(sandbox.path(folder)).unwrap();
    }
    let mut javac = Command::new(jdk.javac());
    javac
        .current_dir(sandbox.path(""))
        .args(["-d", "classes", "Main.java"]);
    assert!(javac.status().unwrap().success());
    sandbox
}

/// Nothing of the user's own, and a home and temporary files in the sandbox.
fn at_home<'c>(sandbox: &Sandbox, command: &'c mut Command) -> &'c mut Command {
    for name in [
        "JAVA_TOOL_OPTIONS",
        "JAVA_HOME",
        "XDG_RUNTIME_DIR",
        "XDG_CACHE_HOME",
        "TAMIS_CACHE_DIR",
    ] {
        command.env_remove(name);
    }
    command
        .env("HOME", sandbox.path("home"))
        .env("TMPDIR", sandbox.path("tmp"))
}

/// `tamis trace` of the program, with a file system of these options mounted in the sandbox.
fn mounted(sandbox: &Sandbox, options: &str, at: &str, jdk: &Jdk) -> Command {
    let mut command = Command::new("unshare");
    let script = "mount -t tmpfs -o \"$1\" tmpfs \"$2\" && shift 2 && exec \"$@\"";
    command
        .current_dir(sandbox.path(""))
        .stdin(Stdio::null())
        .args(["--mount", "sh", "-c", script, "sh", options, at])
        .arg(env!("CARGO_BIN_EXE_tamis"))
        .args(["trace", "--format", "json", "--output", "report", "--"])
        .arg(jdk.java())
        .args(["-cp", "classes", "Main"]);
    at_home(sandbox, &mut command);
    command
}

/// The program ran, and all of it was seen.
fn assert_seen(sandbox: &Sandbox, output: &Output) {
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ran\n");
    assert_eq!(endings(sandbox), ["complete"]);
}

/// How the JVMs of the report ended.
fn endings(sandbox: &Sandbox) -> Vec<String> {
    let report: Value = serde_json::from_slice(&sandbox.read("report")).unwrap();
    let jvms = report["jvms"].as_array().unwrap().iter();
    let endings = jvms.map(|jvm| jvm["ending"]["status"].as_str().unwrap().to_owned());
    endings.collect()
}

/// Nothing was started; one line says why, another one what to do.
fn assert_refused(output: &Output, reason: &str) {
    assert_eq!(output.status.code(), Some(69), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    let said = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = said.lines().collect();
    let [error, "", hint] = lines[..] else {
        panic!("{said}");
    };
    assert!(
        error.starts_with("error: cannot put the agent in place (in `"),
        "{error}"
    );
    assert!(error.contains(reason), "{error}");
    assert!(hint.starts_with("hint: TAMIS_CACHE_DIR "), "{hint}");
}

/// Where the user's cache will not do, the agent goes among the temporary files; where the place was named
/// and will not do, that is an error.
fn check_place(options: &str, reason: &str) {
    let jdk = newest_jdk().unwrap();
    let sandbox = compiled(&jdk, HELLO);
    let output = mounted(&sandbox, options, "home", &jdk).output().unwrap();
    assert_seen(&sandbox, &output);
    let kept = fs::read_dir(sandbox.path("tmp")).unwrap();
    let kept: Vec<_> = kept.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(kept.len(), 1, "the cache alone: {kept:?}");

    let mut named = mounted(&sandbox, options, "cache", &jdk);
    named.env("TAMIS_CACHE_DIR", sandbox.path("cache"));
    assert_refused(&named.output().unwrap(), reason);
}

#[test]
fn a_full_disk() {
    check_place("size=64k,mode=700", "No space left on device");
}

#[test]
fn a_file_system_that_nothing_may_be_run_from() {
    check_place(
        "noexec,mode=700",
        "does not load it: Error occurred during initialization of VM",
    );
}

#[test]
fn a_home_that_is_read_only() {
    check_place("ro,mode=700", "Read-only file system");
}

/// Both places will not do: each is named.
#[test]
fn no_place_at_all() {
    let jdk = newest_jdk().unwrap();
    let sandbox = compiled(&jdk, HELLO);
    let mut command = mounted(&sandbox, "noexec,mode=700", "home", &jdk);
    // The socket finds another place, the agent does not.
    command.env("TMPDIR", sandbox.path("home"));
    let output = command.output().unwrap();
    assert_refused(&output, "; in `");
}

#[test]
fn several_processes_at_once_in_a_new_cache() {
    let jdk = newest_jdk().unwrap();
    let sandbox = compiled(&jdk, HELLO);
    let running: Vec<_> = (0..4)
        .map(|number| {
            let mut command = sandbox.tamis();
            at_home(&sandbox, &mut command)
                .args(["trace", "--format", "json", "--output"])
                .arg(format!("report{number}"))
                .arg("--")
                .arg(jdk.java())
                .args(["-cp", "classes", "Main"])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    for (number, process) in running.into_iter().enumerate() {
        let output = process.wait_with_output().unwrap();
        fs::rename(
            sandbox.path(format!("report{number}")),
            sandbox.path("report"),
        )
        .unwrap();
        assert_seen(&sandbox, &output);
    }
    let cache = fs::read_dir(sandbox.path("home/.cache/tamis")).unwrap();
    let names = cache.map(|entry| entry.unwrap().file_name());
    let names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    // One agent, and nothing that was left half written.
    let libraries = names
        .iter()
        .filter(|name| name.starts_with("libtamis_agent-"));
    assert_eq!(libraries.count(), 1, "{names:?}");
    assert!(!names.iter().any(|name| name.contains("tmp")), "{names:?}");
}

/// Sends a signal to the process of the first argument, and then has more to tell than a socket takes.
const SIGNALLER: &str = "
    import java.io.*;
    public class Main extends ClassLoader {
        static class Other { static int x = 1; }
        public static void main(String[] a) throws Exception {
            byte[] b = new byte[9999];
            int n = Main.class.getResourceAsStream(\"Main$Other.class\").read(b);
            String kill = \"kill -\" + a[1] + \" \" + a[0];
            new ProcessBuilder(\"sh\", \"-c\", kill).inheritIO().start().waitFor();
            for (int i = 0; i < 20000; i++) new Main().defineClass(\"Main$Other\", b, 0, n);
            System.out.println(\"ran\");
            new File(\"done.tmp\").createNewFile();
            new File(\"done.tmp\").renameTo(new File(\"done\"));
        }
    }";

/// `tamis trace` of a program that sends this signal to it.
fn signalled(sandbox: &Sandbox, jdk: &Jdk, signal: &str) -> Command {
    let mut command = sandbox.tamis();
    let script = "exec \"$0\" -cp classes Main $PPID \"$1\"";
    at_home(sandbox, &mut command)
        .args(["trace", "--format", "json", "--output", "report", "--"])
        .args(["sh", "-c", script])
        .arg(jdk.java())
        .arg(signal)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// How long a program may take that nobody holds up, on the slowest machine.
const AGES: Duration = Duration::from_mins(2);

/// Waits until the program is at its end.
fn wait_for_end(sandbox: &Sandbox) {
    let start = Instant::now();
    while !sandbox.path("done").exists() {
        assert!(start.elapsed() < AGES, "the program hangs");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_tamis_that_is_stopped_holds_nothing_up_and_knows_what_it_missed() {
    let jdk = newest_jdk().unwrap();
    let sandbox = compiled(&jdk, SIGNALLER);
    let process = signalled(&sandbox, &jdk, "STOP").spawn().unwrap();
    wait_for_end(&sandbox);
    let state = fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap();
    assert!(
        state.contains(") T "),
        "the program ended before tamis went on: {state}"
    );
    wait_for_exit_of_children(process.id());
    let mut kill = Command::new("kill");
    kill.args([OsStr::new("-CONT"), process.id().to_string().as_ref()]);
    assert!(kill.status().unwrap().success());
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ran\n");
    assert_eq!(endings(&sandbox), ["lost"]);
}

/// The JVM has given up waiting, and is a zombie of the process that is stopped.
fn wait_for_exit_of_children(pid: u32) {
    let start = Instant::now();
    let children = format!("/proc/{pid}/task/{pid}/children");
    loop {
        let children = fs::read_to_string(&children).unwrap();
        let is_over = children.split_whitespace().all(|child| {
            let state = fs::read_to_string(format!("/proc/{child}/stat"));
            state.is_ok_and(|state| state.contains(") Z "))
        });
        if is_over {
            return;
        }
        assert!(start.elapsed() < AGES, "the JVM hangs");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_tamis_that_is_killed_takes_nothing_with_it() {
    let jdk = newest_jdk().unwrap();
    let sandbox = compiled(&jdk, SIGNALLER);
    let process = signalled(&sandbox, &jdk, "KILL").spawn().unwrap();
    // The output ends with the program's, not with that of `tamis`.
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), None, "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ran\n");
    wait_for_end(&sandbox);
    assert!(!sandbox.path("report").exists());
}
