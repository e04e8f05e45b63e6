//! Small programs about one thing each.

use std::fs;
use std::path::Path;
use std::process::Command;

use tamis_build::Jdk;
use tamis_testkit::jdks::jdks;
use tamis_testkit::run::write_classes;
use tamis_testkit::server::{Classes, JavaServer};
use tamis_wire::{Bye, Initialiser, Probing, Segment};
use tempfile::TempDir;

use crate::peer::{Peer, java};

/// A compiled program, and its folder.
pub(crate) struct Small {
    pub(crate) classes: Classes,
    pub(crate) dir: TempDir,
}

impl Small {
    pub(crate) fn new(jdk: &Jdk, source: &str) -> Self {
        Self::of_files(jdk, &[("Main.java", source)])
    }

    pub(crate) fn of_files(jdk: &Jdk, files: &[(&str, &str)]) -> Self {
        Self::compiled(jdk, &["-nowarn"], files)
    }

    pub(crate) fn compiled(jdk: &Jdk, options: &[&str], files: &[(&str, &str)]) -> Self {
        let mut server = JavaServer::start(jdk).unwrap();
        let classes = server.compile(options, files).unwrap();
        let dir = tempfile::tempdir().unwrap();
        write_classes(&classes, dir.path()).unwrap();
        Self { classes, dir }
    }

    pub(crate) fn path(&self) -> &str {
        self.dir.path().to_str().unwrap()
    }
}

#[test]
fn the_hello_says_who_the_jvm_is() {
    for jdk in jdks().unwrap() {
        let small = Small::new(
            &jdk,
            "class Main { public static void main(String[] a) {} }",
        );
        let (_, told) = Peer::new().run(&jdk, &["-cp", small.path(), "Main", "x", "y z"]);
        let hello = told.hello.unwrap();
        assert_eq!(hello.token, [7; 16]);
        assert_eq!(hello.command, b"Main x y z");
        assert_eq!(hello.class_path, small.path().as_bytes());
        assert_eq!(hello.arguments.last().unwrap(), b"y z");
        let version = String::from_utf8(hello.vm_version).unwrap();
        // HotSpot of JDK 8 has a version of its own.
        let is_newer = jdk.feature > 8;
        let begins = format!("{}.", jdk.feature);
        assert!(!version.is_empty());
        assert_eq!(version.starts_with(&begins), is_newer, "{version}");
        let home = String::from_utf8(hello.java_home).unwrap();
        assert!(fs::canonicalize(home).unwrap().starts_with(&jdk.home));
    }
}

/// Initialisers nest, fail, and run in two threads; each has what ran inside it.
#[test]
fn initialisers_are_told_apart() {
    let source = "
        class Main {
            static class Inner { static int x = Main.twice(1); static void unused() {} }
            static class Outer { static int x = Inner.x + 1; }
            static class Broken { static { if (true) throw new RuntimeException(); } }
            static int twice(int i) { return 2 * i; }
            public static void main(String[] a) {
                System.out.println(Outer.x);
                try { new Broken(); } catch (Error e) { twice(2); }
            }
        }";
    for jdk in jdks().unwrap() {
        let small = Small::new(&jdk, source);
        let (output, told) = Peer::new().run(&jdk, &["-cp", small.path(), "Main"]);
        assert_eq!(output.stdout, b"3\n");
        let of = |class: &str| {
            let number = told.class(class).number;
            let methods = told.methods(Segment::Initialiser(number), &small.classes);
            methods.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(
            of("Main$Inner"),
            ["Main$Inner.<clinit>()V", "Main.twice(I)I"]
        );
        assert_eq!(
            of("Main$Outer"),
            [
                "Main$Inner.<clinit>()V",
                "Main$Outer.<clinit>()V",
                "Main.twice(I)I"
            ]
        );
        assert_eq!(of("Main$Broken"), ["Main$Broken.<clinit>()V"]);
        assert_eq!(of("Main"), [""; 0]);
        let Probing::Probed { initialiser, .. } = told.class("Main$Broken").probing else {
            panic!("it is probed");
        };
        assert_eq!(initialiser, Initialiser::Bracketed);
    }
}

/// However a JVM ends, the exit code is its own and everything was told.
#[test]
fn every_way_to_end_is_told_whole() {
    let source = "
        class Main {
            static void last() {}
            public static void main(String[] a) throws Exception {
                last();
                if (a[0].equals(\"exit\")) System.exit(3);
                if (a[0].equals(\"halt\")) Runtime.getRuntime().halt(4);
                if (a[0].equals(\"throw\")) throw new Exception(\"of the test\");
                Thread t = new Thread(() -> { while (true) last(); });
                t.setDaemon(true);
                t.start();
            }
        }";
    for jdk in jdks().unwrap() {
        let small = Small::new(&jdk, source);
        for how in ["exit", "halt", "throw", "daemon"] {
            let arguments = ["-cp", small.path(), "Main", how];
            let (output, told) = Peer::new().run(&jdk, &arguments);
            assert_eq!(
                output,
                java(&jdk).args(arguments).output().unwrap(),
                "{how}"
            );
            assert_eq!(told.bye, Some(Bye::Complete), "{how}, JDK {}", jdk.feature);
            let methods = told.methods(Segment::Ambient, &small.classes);
            assert!(methods.contains("Main.last()V"), "{how}: {methods:?}");
        }
    }
}

#[test]
fn a_jvm_that_is_killed_says_no_good_bye() {
    let source = "
        class Main {
            public static void main(String[] a) throws Exception {
                Runtime.getRuntime().exec(new String[] {\"sh\", \"-c\", \"kill -9 $PPID\"}).waitFor();
                Thread.sleep(60000);
            }
        }";
    let jdk = jdks().unwrap().pop().unwrap();
    let small = Small::new(&jdk, source);
    let (output, told) = Peer::new().run(&jdk, &["-cp", small.path(), "Main"]);
    assert_eq!(output.status.code(), None);
    assert!(told.hello.is_some() && told.bye.is_none());
}

/// A JVM that checks what natives do has nothing to say of the agent's.
#[test]
fn the_agents_natives_are_clean() {
    let source = "
        class Main {
            static class Later { static int x = 1; }
            public static void main(String[] a) throws Exception {
                System.out.println(Later.x);
                Runtime.getRuntime().exec(new String[] {\"true\"}).waitFor();
            }
        }";
    for jdk in jdks().unwrap() {
        let small = Small::new(&jdk, source);
        // It also says, at any time, if somebody ignores the signals that it handles: `nohup` does.
        let arguments = ["-Xcheck:jni", "-Xrs", "-cp", small.path(), "Main"];
        let plain = java(&jdk).args(arguments).output().unwrap();
        let (output, told) = Peer::new().run(&jdk, &arguments);
        assert_eq!(output, plain, "JDK {}", jdk.feature);
        assert_eq!(told.bye, Some(Bye::Complete));
    }
}

/// In programs that are no tests, and without anything to connect to, the agent does nothing.
#[test]
fn the_agent_is_idle_in_compilers_and_without_a_program() {
    for jdk in jdks().unwrap() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("A.java");
        fs::write(&file, "class A {}").unwrap();
        let peer = Peer::new();
        let option = peer.option();
        let mut javac = Command::new(jdk.javac());
        javac
            .arg(format!("-J{option}"))
            .arg("-d")
            .arg(dir.path())
            .arg(&file);
        let (output, is_asked) = peer.wait_for(&mut javac);
        assert!(output.status.success() && !is_asked, "{output:?}");
        assert!(dir.path().join("A.class").is_file());

        let peer = Peer::new();
        let option = peer.option();
        let (output, is_asked) = peer.wait_for(java(&jdk).arg(option).arg("-version"));
        assert!(output.status.success() && !is_asked, "{output:?}");
    }
}

#[test]
fn a_missing_socket_or_strange_options_change_nothing() {
    let jdk = jdks().unwrap().pop().unwrap();
    let source = "class Main { public static void main(String[] a) { System.out.print(1); } }";
    let small = Small::new(&jdk, source);
    let gone = Peer::new().option();
    let (library, _) = gone.split_once('=').unwrap();
    for option in [gone.clone(), library.to_owned(), format!("{library}=x")] {
        let output = java(&jdk)
            .arg(option)
            .args(["-cp", small.path(), "Main"])
            .output()
            .unwrap();
        assert_eq!(output.stdout, b"1");
        assert_eq!(output.stderr, b"");
    }
}

/// A loader that asks its parent for nothing but `java.…`, as application servers have.
#[test]
fn loaders_that_hide_everything_still_find_the_marks() {
    let source = "
        import java.io.*;
        public class Main extends ClassLoader {
            Main() { super(null); }
            public static class Hidden {
                static int x = 1;
                public Object call() { return x; }
            }
            protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
                if (n.startsWith(\"java.lang.\")) return super.loadClass(n, r);
                if (!n.equals(\"Main$Hidden\")) throw new ClassNotFoundException(n);
                Class<?> known = findLoadedClass(n);
                if (known != null) return known;
                try (InputStream in = Main.class.getResourceAsStream(\"Main$Hidden.class\")) {
                    byte[] b = new byte[9999];
                    int length = in.read(b);
                    return defineClass(n, b, 0, length);
                } catch (IOException e) { throw new Error(e); }
            }
            public static void main(String[] a) throws Exception {
                for (int i = 0; i < 100; i++) {
                    Class<?> c = new Main().loadClass(\"Main$Hidden\");
                    Object o = c.getDeclaredConstructor().newInstance();
                    if (!c.getMethod(\"call\").invoke(o).equals(1)) throw new Error();
                }
                System.out.print(\"all\");
            }
        }";
    for jdk in jdks().unwrap() {
        let small = Small::new(&jdk, source);
        let (output, told) = Peer::new().run(&jdk, &["-cp", small.path(), "Main"]);
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        assert_eq!(output.stdout, b"all");
        let methods = told.methods(Segment::Ambient, &small.classes);
        assert!(methods.contains("Main$Hidden.call()Ljava/lang/Object;"));
        // A hundred loaders, and one class with one set of marks.
        let hidden = told
            .classes
            .iter()
            .filter(|c| c.name.to_string() == "Main$Hidden");
        let hidden: Vec<_> = hidden.collect();
        assert_eq!(hidden.len(), 100);
        assert!(hidden.iter().all(|class| class.number == hidden[0].number));
        let mut loaders: Vec<_> = hidden.iter().map(|class| class.loader).collect();
        loaders.dedup();
        assert_eq!(loaders.len(), 100);
    }
}

/// Classes of the JDK are not told, whatever loader has them; a class in a named module is.
#[test]
fn modules_of_the_jdk_are_left_alone() {
    let jdk = jdks().unwrap().pop().unwrap();
    let source = "
        class Main {
            public static void main(String[] a) {
                // The compiler is a module in the application's loader.
                javax.tools.ToolProvider.getSystemJavaCompiler().run(null, null, null, \"-version\");
            }
        }";
    let small = Small::new(&jdk, source);
    let (_, told) = Peer::new().run(&jdk, &["-cp", small.path(), "Main"]);
    let names: Vec<_> = told
        .classes
        .iter()
        .map(|class| class.name.to_string())
        .collect();
    assert_eq!(names, ["Main"]);

    let module = tempfile::tempdir().unwrap();
    write_module(&jdk, module.path());
    let path = module.path().join("out");
    let path = path.to_str().unwrap();
    let (output, told) = Peer::new().run(&jdk, &["-p", path, "-m", "shop/shop.Main"]);
    assert_eq!(output.stdout, b"module\n");
    assert_eq!(told.class("shop/Main").loader, 1);
}

fn write_module(jdk: &Jdk, dir: &Path) {
    fs::create_dir(dir.join("shop")).unwrap();
    fs::write(dir.join("module-info.java"), "module shop {}").unwrap();
    let source = "package shop; class Main { static final Object O = \"module\";
        public static void main(String[] a) { System.out.println(O); } }";
    fs::write(dir.join("shop/Main.java"), source).unwrap();
    let status = Command::new(jdk.javac())
        .current_dir(dir)
        .args(["-d", "out", "module-info.java", "shop/Main.java"])
        .status();
    assert!(status.unwrap().success());
}

/// A test and its children see the variable as the user had set it.
#[test]
fn the_environment_is_the_users() {
    let source = "
        class Main {
            public static void main(String[] a) {
                System.out.println(System.getenv(\"JAVA_TOOL_OPTIONS\"));
            }
        }";
    for jdk in jdks().unwrap() {
        let small = Small::new(&jdk, source);
        for (set, expected) in [("", "null\n"), (" -Da=b", "-Da=b\n")] {
            let peer = Peer::new();
            let value = peer.option() + set;
            let mut command = java(&jdk);
            command
                .env("JAVA_TOOL_OPTIONS", value)
                .args(["-cp", small.path(), "Main"]);
            let (output, told) = peer.run_command(&mut command);
            assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
            assert_eq!(told.bye, Some(Bye::Complete));
        }
    }
}
