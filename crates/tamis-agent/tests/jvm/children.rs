//! Processes that a program starts: JVMs of the same JDK are watched too, all others are told, and none
//! behaves otherwise than without the agent.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use tamis_build::Jdk;
use tamis_testkit::jdks::jdks;
use tamis_wire::{Bye, Forked, Parent, Segment};

use crate::peer::{Peer, Told, java};
use crate::small::Small;

/// Starts what it is told to, and prints what that printed and how it ended.
const MAIN: &str = "
    import java.io.*;
    import java.util.*;
    public class Main {
        static String all(InputStream in) throws IOException {
            Scanner scanner = new Scanner(in).useDelimiter(\"\\\\A\");
            return scanner.hasNext() ? scanner.next() : \"\";
        }
        static void finish(Process p) throws Exception {
            try {
                p.getOutputStream().write(\"to the child\\n\".getBytes());
                p.getOutputStream().close();
            } catch (IOException e) { /* It has ended, and never read. */ }
            System.out.print(all(p.getInputStream()));
            System.err.print(all(p.getErrorStream()));
            System.out.println(\"exit code \" + p.waitFor());
        }
        static List<String> command(String[] a, int first) {
            List<String> command = new ArrayList<>();
            for (String s : Arrays.asList(a).subList(first, a.length)) {
                if (s.equals(\"OWN-ARGUMENTS\")) command.addAll(
                    java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments());
                else command.add(s);
            }
            return command;
        }
        public static void main(String[] a) throws Exception {
            if (a[0].equals(\"start\")) {
                try { finish(new ProcessBuilder(command(a, 1)).start()); }
                catch (IOException e) { System.out.println(e.getMessage()); }
            } else if (a[0].equals(\"exec\")) {
                String[] environment = {\"X=of the child\"};
                String[] command = command(a, 2).toArray(new String[0]);
                finish(Runtime.getRuntime().exec(command, environment, new File(a[1])));
            } else {
                Process p = new ProcessBuilder(command(a, 1)).start();
                p.getInputStream().read();
                p.destroyForcibly();
                System.out.println(\"exit code \" + p.waitFor());
            }
        }
    }";

const CHILD: &str = "
    import java.io.*;
    public class Child {
        static void work() {}
        public static void main(String[] a) throws Exception {
            work();
            System.out.println(\"in \" + new BufferedReader(new InputStreamReader(System.in)).readLine());
            System.out.println(\"directory \" + new File(\"\").getAbsolutePath());
            System.out.println(\"environment \" + new java.util.TreeMap<>(System.getenv()));
            System.err.println(\"error output\");
            System.exit(7);
        }
    }";

/// Named as a build tool is.
const TOOL: &str = "
    package org.gradle.launcher;
    public class Tool { public static void main(String[] a) { System.out.println(\"tool\"); } }";

const SLEEPER: &str = "
    public class Sleeper {
        public static void main(String[] a) throws Exception {
            System.out.println(\"up\");
            Thread.sleep(600000);
        }
    }";

fn compile(jdk: &Jdk) -> Small {
    let files = [
        ("Main.java", MAIN),
        ("Child.java", CHILD),
        ("org/gradle/launcher/Tool.java", TOOL),
        ("Sleeper.java", SLEEPER),
    ];
    Small::of_files(jdk, &files)
}

/// Runs `Main` with these arguments, without the agent and with it; what its JVMs told.
fn check(jdk: &Jdk, small: &Small, arguments: &[&str]) -> Vec<Told> {
    check_with(jdk, small, arguments, |_| {})
}

/// The same with a command that is changed before.
fn check_with(
    jdk: &Jdk,
    small: &Small,
    arguments: &[&str],
    change: impl Fn(&mut Command),
) -> Vec<Told> {
    let context = format!("JDK {}, {arguments:?}", jdk.feature);
    let peer = Peer::new();
    let [mut plain, mut watched] = [None, Some(peer.option())].map(|option| {
        let mut command = java(jdk);
        change(command.args(option));
        command.args(["-cp", small.path(), "Main"]).args(arguments);
        command
    });
    let plain = plain.output().unwrap();
    assert!(plain.status.success(), "{context}: {plain:?}");
    let (output, jvms) = peer.run_family(&mut watched);
    assert_eq!(output, plain, "{context}");
    assert_eq!(jvms[0].bye, Some(Bye::Complete), "{context}");
    jvms
}

fn forked(program: &str, is_followed: bool) -> Forked {
    Forked {
        fork: 0,
        is_followed,
        program: program.into(),
    }
}

/// The child is watched, knows its parent, and ran what it ran.
fn assert_followed(small: &Small, jvms: &[Told], program: &str) {
    let [parent, child] = jvms else {
        panic!("{} JVMs", jvms.len());
    };
    assert_eq!(parent.forks, [forked(program, true)]);
    let hello = child.hello.as_ref().unwrap();
    assert_eq!(hello.parent, Some(Parent { jvm: 1, fork: 0 }));
    assert_eq!(child.bye, Some(Bye::Complete));
    let methods = child.methods(Segment::Ambient, &small.classes);
    assert!(methods.contains("Child.work()V"), "{methods:?}");
}

fn assert_told_only(jvms: &[Told], program: &str) {
    assert_eq!(jvms.len(), 1);
    assert_eq!(jvms[0].forks, [forked(program, false)]);
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_jvm_of_the_same_jdk_is_watched_however_it_is_named() {
    for jdk in jdks().unwrap() {
        let small = compile(&jdk);
        let launcher = jdk.java();
        let launcher = text(&launcher);
        let cp = small.path();
        let jvms = check(&jdk, &small, &["start", launcher, "-cp", cp, "Child"]);
        assert_followed(&small, &jvms, launcher);

        let links = tempfile::tempdir().unwrap();
        symlink(launcher, links.path().join("java")).unwrap();
        symlink("java", links.path().join("again")).unwrap();
        let directory = text(links.path());
        let again = format!("{directory}/again");
        let jvms = check(&jdk, &small, &["start", &again, "-cp", cp, "Child"]);
        assert_followed(&small, &jvms, &again);

        let relative = ["exec", directory, "./java", "-cp", cp, "Child"];
        let jvms = check(&jdk, &small, &relative);
        assert_followed(&small, &jvms, "./java");

        for how in [&["start"][..], &["exec", directory]] {
            let arguments = [how, &["java", "-cp", cp, "Child"]].concat();
            let jvms = check_with(&jdk, &small, &arguments, |command| {
                command.env("PATH", format!("/none:{directory}:/usr/bin"));
            });
            assert_followed(&small, &jvms, "java");
        }
    }
}

/// The class path comes from the environment, from a file of arguments, or from the parent's own arguments,
/// which the agent is among.
#[test]
fn arguments_of_every_kind_stay() {
    for jdk in jdks().unwrap() {
        let small = compile(&jdk);
        let launcher = jdk.java();
        let launcher = text(&launcher);
        let cp = small.path();
        let jvms = check_with(&jdk, &small, &["start", launcher, "Child"], |command| {
            command.env("CLASSPATH", cp);
        });
        assert_followed(&small, &jvms, launcher);

        let own = ["start", launcher, "OWN-ARGUMENTS", "-cp", cp, "Child"];
        let peer = Peer::new();
        let mut command = java(&jdk);
        command.arg(peer.option()).args(["-cp", cp, "Main"]);
        let (_, jvms) = peer.run_family(command.args(own));
        assert_followed(&small, &jvms, launcher);

        if jdk.feature >= 9 {
            let file = small.dir.path().join("arguments");
            fs::write(&file, format!("-cp\n{cp}\nChild")).unwrap();
            let file = format!("@{}", file.display());
            let jvms = check(&jdk, &small, &["start", launcher, &file]);
            assert_followed(&small, &jvms, launcher);
        }
    }
}

#[test]
fn a_grandchild_names_its_own_parent() {
    for jdk in jdks().unwrap() {
        let small = compile(&jdk);
        let launcher = jdk.java();
        let java = [text(&launcher), "-cp", small.path()];
        let arguments = [&["start"][..], &java, &["Main", "start"], &java, &["Child"]].concat();
        let jvms = check(&jdk, &small, &arguments);
        let parents: Vec<_> = jvms
            .iter()
            .map(|jvm| jvm.hello.as_ref().unwrap().parent)
            .collect();
        let of = |jvm| Some(Parent { jvm, fork: 0 });
        assert_eq!(parents, [None, of(1), of(2)]);
        assert!(jvms.iter().all(|jvm| jvm.bye == Some(Bye::Complete)));
    }
}

/// A test that starts a build tool, or `java -version`, relies on what runs there.
#[test]
fn no_child_is_idle() {
    for jdk in jdks().unwrap() {
        let small = compile(&jdk);
        let launcher = jdk.java();
        let launcher = text(&launcher);
        let tool = [
            "start",
            launcher,
            "-cp",
            small.path(),
            "org.gradle.launcher.Tool",
        ];
        let jvms = check(&jdk, &small, &tool);
        assert_eq!(jvms.len(), 2);
        jvms[1].class("org/gradle/launcher/Tool");
        let jvms = check(&jdk, &small, &["start", launcher, "-version"]);
        let endings: Vec<_> = jvms.iter().map(|jvm| &jvm.bye).collect();
        assert_eq!(endings, [&Some(Bye::Complete), &Some(Bye::Complete)]);
    }
}

#[test]
fn other_programs_are_told_and_left_alone() {
    let jdks = jdks().unwrap();
    for (position, jdk) in jdks.iter().enumerate() {
        let small = compile(jdk);
        let own = jdk.java();
        let cp = small.path();
        let shell = format!("{} -cp {cp} Child; exit $?", own.display());
        let jvms = check(jdk, &small, &["start", "sh", "-c", &shell]);
        assert_told_only(&jvms, "sh");

        let jvms = check(jdk, &small, &["start", "cat"]);
        assert_told_only(&jvms, "cat");
        let jvms = check(jdk, &small, &["start", "./no-such-program"]);
        assert_told_only(&jvms, "./no-such-program");

        // A script of the launcher's name.
        let script = small.dir.path().join("java");
        fs::write(
            &script,
            format!("#!/bin/sh\nexec {} \"$@\"\n", own.display()),
        )
        .unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        let jvms = check(jdk, &small, &["start", text(&script), "-cp", cp, "Child"]);
        assert_told_only(&jvms, text(&script));

        // Nobody has seen the agent load in another JDK. Classes of an older one run there.
        if let Some(newer) = jdks.get(position + 1) {
            let launcher = newer.java();
            let other = ["start", text(&launcher), "-cp", cp, "Child"];
            assert_told_only(&check(jdk, &small, &other), text(&launcher));
        }
    }
}

/// JVMs that archive classes, as newer ones can, refuse to start with a native agent.
#[test]
fn a_child_that_would_not_start_with_an_agent_is_left_alone() {
    for jdk in jdks().unwrap() {
        if jdk.feature < 17 {
            continue;
        }
        let small = compile(&jdk);
        let launcher = jdk.java();
        let launcher = text(&launcher);
        // What the JVM says of it has times in it.
        let options = ["-XX:+RecordDynamicDumpInfo", "-Xlog:disable"];
        let child = ["-cp", small.path(), "Child"];
        let child = [&["start", launcher][..], &options, &child].concat();
        assert_told_only(&check(&jdk, &small, &child), launcher);
    }
}

/// A JVM that prints the classes it loads would print the agent's.
#[test]
fn a_child_that_prints_its_classes_is_left_alone() {
    for jdk in jdks().unwrap() {
        let small = compile(&jdk);
        let launcher = jdk.java();
        let peer = Peer::new();
        let mut command = java(&jdk);
        command
            .arg(peer.option())
            .args(["-cp", small.path(), "Main", "start", text(&launcher)])
            .args(["-verbose:class", "-cp", small.path(), "Child"]);
        let (output, jvms) = peer.run_family(&mut command);
        assert_told_only(&jvms, text(&launcher));
        let output = String::from_utf8(output.stdout).unwrap();
        assert!(output.contains("java.lang.Object"), "{output}");
        assert!(!output.contains("Tamis"), "{output}");
    }
}

#[test]
fn a_child_that_is_destroyed_says_no_good_bye() {
    for jdk in jdks().unwrap() {
        let small = compile(&jdk);
        let launcher = jdk.java();
        let child = ["destroy", text(&launcher), "-cp", small.path(), "Sleeper"];
        let jvms = check(&jdk, &small, &child);
        assert_eq!(jvms.len(), 2);
        assert!(jvms[1].hello.is_some() && jvms[1].bye.is_none());
    }
}
