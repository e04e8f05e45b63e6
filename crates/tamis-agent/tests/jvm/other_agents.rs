//! Agents of other people in the same JVM, written in Java: they redefine and retransform classes, and
//! append classes to the JDK's own.

use std::fs;
use std::path::Path;
use std::process::Command;

use tamis_build::Jdk;
use tamis_classfile::probe::EntryPlan;
use tamis_testkit::jdks::jdks;
use tamis_wire::{Bye, ClassLoaded, Probing, Segment};
use tempfile::TempDir;

use crate::peer::{Peer, Told, java};
use crate::small::Small;

/// Keeps what the JVM gives it.
const AGENT: &str = "
    import java.lang.instrument.Instrumentation;
    public class Agent {
        static Instrumentation instrumentation;
        public static void premain(String a, Instrumentation i) throws Exception {
            instrumentation = i;
            if (a != null) i.appendToBootstrapClassLoaderSearch(new java.util.jar.JarFile(a));
        }
    }";

const TARGET: &str = "
    public class Target {
        static String text() { return \"version 1\"; }
        static void first() {}
        static void second() {}
        static void third() {}
        static void never() {}
    }";

/// Gives `Target` other bytes twice: as a whole, and by a change of what the JVM has.
const REDEFINER: &str = "
    import java.lang.instrument.*;
    public class Main {
        static byte[] replaced(byte[] bytes, String from, String to) throws Exception {
            String text = new String(bytes, \"ISO-8859-1\");
            if (!text.contains(from)) throw new Error(from);
            return text.replace(from, to).getBytes(\"ISO-8859-1\");
        }
        public static void main(String[] a) throws Exception {
            Instrumentation i = Agent.instrumentation;
            Target.first();
            System.out.println(Target.text());
            byte[] b = new byte[9999];
            int n = Main.class.getResourceAsStream(\"Target.class\").read(b);
            b = replaced(java.util.Arrays.copyOf(b, n), \"version 1\", \"version 2\");
            i.redefineClasses(new ClassDefinition(Target.class, b));
            Target.second();
            System.out.println(Target.text());
            i.addTransformer(new ClassFileTransformer() {
                public byte[] transform(ClassLoader l, String name, Class<?> c,
                        java.security.ProtectionDomain d, byte[] old) {
                    try {
                        return name.equals(\"Target\") ? replaced(old, \"version 2\", \"version 3\") : null;
                    } catch (Throwable e) { System.out.println(e); return null; }
                }
            }, true);
            i.retransformClasses(Target.class);
            Target.third();
            System.out.println(Target.text());
        }
    }";

/// Uses a class that only the JDK's own loader has.
const APPENDED_USER: &str = "
    public class Main {
        public static void main(String[] a) {
            System.out.println(appended.Helper.class.getClassLoader());
            appended.Helper.help();
        }
    }";

const APPENDED: &str = "
    package appended;
    public class Helper { public static void help() { System.out.println(\"helped\"); } }";

/// Packs a folder, with the manifest of an agent.
fn pack(jdk: &Jdk, folder: &Path, archive: &Path) {
    let manifest = archive.with_extension("mf");
    let text = "Premain-Class: Agent\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n";
    fs::write(&manifest, text).unwrap();
    let mut jar = Command::new(jdk.home.join("bin/jar"));
    jar.arg("cfm").args([archive, &manifest]);
    jar.arg("-C").arg(folder).arg(".");
    assert!(jar.status().unwrap().success());
}

/// Runs `Main` without the agent and with it, with these options.
fn check(jdk: &Jdk, small: &Small, options: &[&str]) -> Told {
    let arguments = [options, &["-cp", small.path(), "Main"]].concat();
    let plain = java(jdk).args(&arguments).output().unwrap();
    assert!(plain.status.success(), "JDK {}: {plain:?}", jdk.feature);
    let (output, told) = Peer::new().run(jdk, &arguments);
    assert_eq!(output, plain, "JDK {}", jdk.feature);
    told
}

/// All that was told of the classes of this name.
fn of_name<'t>(told: &'t Told, name: &str) -> Vec<&'t ClassLoaded> {
    let classes = told.classes.iter();
    let classes = classes.filter(|class| class.name.to_string() == name);
    classes.collect()
}

#[test]
fn a_class_that_is_redefined_and_retransformed_still_tells_what_ran() {
    for jdk in jdks().unwrap() {
        let files = [
            ("Agent.java", AGENT),
            ("Target.java", TARGET),
            ("Main.java", REDEFINER),
        ];
        let small = Small::of_files(&jdk, &files);
        let archives = tempfile::tempdir().unwrap();
        let archive = archives.path().join("agent.jar");
        pack(&jdk, small.dir.path(), &archive);
        let told = check(
            &jdk,
            &small,
            &[&format!("-javaagent:{}", archive.display())],
        );
        assert_eq!(told.bye, Some(Bye::Complete), "JDK {}", jdk.feature);

        // Loaded and redefined; a retransformation does not come by, and keeps the probes.
        let [loaded, redefined] = of_name(&told, "Target")[..] else {
            panic!("{:?}", of_name(&told, "Target"));
        };
        assert_ne!(loaded.number, redefined.number);
        assert_ne!(loaded.hash, redefined.hash);
        assert_eq!(loaded.probing, redefined.probing);
        let Probing::Probed { first, .. } = loaded.probing else {
            panic!("{loaded:?}");
        };
        let plan = EntryPlan::scan(&small.classes["Target"]).unwrap();
        let ran = &told.marks[&Segment::Ambient];
        let methods = (first..).zip(plan.methods());
        let methods = methods.filter(|(unit, _)| ran.contains(*unit));
        let methods: Vec<String> = methods.map(|(_, method)| method.to_string()).collect();
        assert_eq!(
            methods,
            [
                "text()Ljava/lang/String;",
                "first()V",
                "second()V",
                "third()V"
            ],
            "JDK {}",
            jdk.feature
        );
    }
}

/// The program, and beside it a folder with `appended`.
fn with_appended(jdk: &Jdk) -> (Small, TempDir) {
    let files = [
        ("Agent.java", AGENT),
        ("Main.java", APPENDED_USER),
        ("appended/Helper.java", APPENDED),
    ];
    let small = Small::of_files(jdk, &files);
    let aside = tempfile::tempdir().unwrap();
    fs::rename(
        small.dir.path().join("appended"),
        aside.path().join("appended"),
    )
    .unwrap();
    (small, aside)
}

fn assert_appended(told: &Told, origin: &str) {
    let [helper] = of_name(told, "appended/Helper")[..] else {
        panic!("{:?}", told.classes);
    };
    assert!(matches!(helper.probing, Probing::Refused(_)), "{helper:?}");
    assert_eq!(helper.loader, 0);
    assert!(helper.hash.is_some());
    assert_eq!(String::from_utf8_lossy(&helper.origin), origin);
    let without_loader = told.classes.iter().filter(|class| class.loader == 0);
    let names: Vec<String> = without_loader.map(|class| class.name.to_string()).collect();
    assert_eq!(names, ["appended/Helper"], "the JDK's own are not told");
}

#[test]
fn classes_that_an_option_appends_to_the_jdks_are_told() {
    for jdk in jdks().unwrap() {
        let (small, aside) = with_appended(&jdk);
        let path = aside.path().display();
        let told = check(&jdk, &small, &[&format!("-Xbootclasspath/a:{path}")]);
        if jdk.feature == 8 {
            assert_appended(&told, "boot:");
            assert_incomplete(&told, &path.to_string());
        } else {
            assert_appended(&told, &format!("boot:{path}"));
            assert_eq!(told.bye, Some(Bye::Complete));
        }
    }
}

/// It starts a process before the program begins, and stands in front of our agent.
#[test]
fn a_process_that_another_agent_starts_is_told() {
    let agent = "
        public class Agent {
            public static void premain(String a) throws Exception {
                Runtime.getRuntime().exec(new String[] {\"true\"}).waitFor();
            }
        }";
    let source = "class Main { public static void main(String[] a) {} }";
    for jdk in jdks().unwrap() {
        let small = Small::of_files(&jdk, &[("Agent.java", agent), ("Main.java", source)]);
        let archives = tempfile::tempdir().unwrap();
        let archive = archives.path().join("agent.jar");
        pack(&jdk, small.dir.path(), &archive);
        let peer = Peer::new();
        let mut command = java(&jdk);
        command
            .arg(format!("-javaagent:{}", archive.display()))
            .arg(peer.option())
            .args(["-cp", small.path(), "Main"]);
        let (output, told) = peer.run_command(&mut command);
        assert!(output.status.success(), "JDK {}: {output:?}", jdk.feature);
        let programs = told.forks.iter().map(|forked| &forked.program[..]);
        assert_eq!(
            programs.collect::<Vec<_>>(),
            [b"true"],
            "JDK {}",
            jdk.feature
        );
        assert_eq!(told.bye, Some(Bye::Complete));
    }
}

fn assert_incomplete(told: &Told, part: &str) {
    let Some(Bye::Incomplete(reason)) = &told.bye else {
        panic!("{:?}", told.bye);
    };
    let reason = String::from_utf8_lossy(reason);
    assert!(reason.contains(part), "{reason}");
}

/// JDK 8 has no modules.
#[test]
fn classes_put_into_modules_of_the_jdk_make_a_run_incomplete() {
    let source = "class Main { public static void main(String[] a) {} }";
    for jdk in jdks().unwrap().iter().filter(|jdk| jdk.feature > 8) {
        let small = Small::new(jdk, source);
        let aside = tempfile::tempdir().unwrap();
        let patch = format!("--patch-module=java.sql={}", aside.path().display());
        assert_incomplete(&check(jdk, &small, &[&patch]), "--patch-module");
        let file = small.dir.path().join("arguments");
        fs::write(&file, patch).unwrap();
        let file = format!("@{}", file.display());
        assert_incomplete(&check(jdk, &small, &[&file]), "--patch-module");
    }
}

#[test]
fn classes_that_an_agent_appends_to_the_jdks_are_told() {
    for jdk in jdks().unwrap() {
        let (small, aside) = with_appended(&jdk);
        let archives = tempfile::tempdir().unwrap();
        let [agent, helper] = ["agent.jar", "helper.jar"].map(|name| archives.path().join(name));
        pack(&jdk, small.dir.path(), &agent);
        pack(&jdk, aside.path(), &helper);
        let option = format!("-javaagent:{}={}", agent.display(), helper.display());
        let told = check(&jdk, &small, &[&option]);
        assert_appended(&told, "boot:");
        assert_eq!(told.bye, Some(Bye::Complete), "JDK {}", jdk.feature);
    }
}
