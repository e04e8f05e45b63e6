//! What programs ask the JDK for that is no file: variables, properties, members of archives, packages.

mod archives;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tamis_build::Jdk;
use tamis_testkit::jdks::jdks;
use tamis_wire::{Bye, Segment, Sight, Sighting, UnitSet};
use tempfile::TempDir;

use crate::peer::{Peer, Told, java};
use crate::small::Small;

/// What a program asks for: code of its own, and what is told of it.
type Case<'c> = (&'c str, &'c [&'c str]);

/// A program that runs each case in the initialiser of a class `C0`, `C1`, and says so when it is done. What runs
/// in an initialiser is told apart.
fn program(cases: &[Case<'_>]) -> String {
    let mut classes = String::new();
    let mut calls = String::new();
    for (number, (body, _)) in cases.iter().enumerate() {
        writeln!(
            classes,
            "class C{number} {{
                static {{ try {{ run(); }} catch (Throwable e) {{ Main.show(e); }} }}
                static void begin() {{ }}
                static void run() throws Throwable {{ {body} }}
            }}"
        )
        .unwrap();
        writeln!(calls, "C{number}.begin();").unwrap();
    }
    format!(
        "import java.io.*; import java.net.*; import java.util.*; import java.util.function.*;
        import java.util.jar.*; import java.util.zip.*;
        public class Main {{
            static void read(InputStream in) throws IOException {{
                byte[] bytes = new byte[999];
                while (in.read(bytes) > 0);
                in.close();
            }}
            static void show(Throwable e) {{ e.printStackTrace(System.out); }}
            public static void main(String[] a) throws Throwable {{
                {calls}
                System.out.print(\"done\");
            }}
        }}
        {classes}"
    )
}

/// A program, and archives beside it, in a folder of their own.
struct Scene {
    jdk: Jdk,
    small: Small,
    folder: TempDir,
}

/// What was told of a run that went as it does without the agent.
struct Seen {
    told: Told,
    folder: PathBuf,
    context: String,
}

impl Scene {
    fn new(jdk: &Jdk, cases: &[Case<'_>]) -> Self {
        Self::of_files(jdk, &[("Main.java", &program(cases))])
    }

    fn of_files(jdk: &Jdk, files: &[(&str, &str)]) -> Self {
        Self {
            jdk: jdk.clone(),
            small: Small::of_files(jdk, files),
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// Packs files of one line.
    fn with_archive(self, name: &str, members: &[&str]) -> Self {
        let files = tempfile::tempdir().unwrap();
        for member in members {
            let path = files.path().join(member);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "A: b\n").unwrap();
        }
        let has_manifest = members.contains(&"META-INF/MANIFEST.MF");
        self.pack(name, files.path(), has_manifest);
        self
    }

    /// Packs a folder.
    fn pack(&self, name: &str, folder: &Path, has_manifest: bool) {
        let manifest = folder.join("META-INF/MANIFEST.MF");
        let mut jar = Command::new(self.jdk.home.join("bin/jar"));
        jar.arg(if has_manifest { "cfm" } else { "cfM" });
        jar.arg(self.folder.path().join(name));
        if has_manifest {
            jar.arg(&manifest);
            // A copy of it follows otherwise.
            jar.current_dir(folder);
        }
        jar.arg("-C").arg(folder).arg(".");
        assert!(jar.output().unwrap().status.success());
    }

    fn command(&self, first: &[&str], options: &[&str], class_path: &str) -> Command {
        let mut command = java(&self.jdk);
        command
            .current_dir(self.folder.path())
            .env("TAMIS_TEST", "x");
        command.args(first).args(options);
        command.args(["-cp", class_path, "Main"]);
        command
    }

    /// The program prints what it does without the agent.
    fn run_with(&self, options: &[&str], class_path: &str) -> Seen {
        let context = format!("JDK {} {options:?}", self.jdk.feature);
        let plain = self.command(&[], options, class_path).output().unwrap();
        let peer = Peer::new();
        let mut command = self.command(&[&peer.option()], options, class_path);
        let (output, told) = peer.run_command(&mut command);
        assert_same(&output, &plain, &context);
        assert!(output.stdout.ends_with(b"done"), "{context}: {output:?}");
        assert_eq!(told.bye, Some(Bye::Complete), "{context}");
        assert_eq!(told.unseen, [], "{context}");
        Seen {
            told,
            folder: fs::canonicalize(self.folder.path()).unwrap(),
            context,
        }
    }

    /// A JVM that complains of natives that do wrong, and not of signals that whoever started it ignores.
    fn run(&self) -> Seen {
        self.run_with(&["-Xcheck:jni", "-Xrs"], self.small.path())
    }
}

fn assert_same(output: &Output, plain: &Output, context: &str) {
    let texts = |output: &Output| {
        let texts = [&output.stdout, &output.stderr];
        texts.map(|text| String::from_utf8_lossy(text).into_owned())
    };
    assert_eq!(texts(output), texts(plain), "{context}");
    assert_eq!(output.status, plain.status, "{context}");
}

impl Seen {
    /// What was asked for: `Property a`. Of properties those that begin with `test.`, for the JDK reads many; of
    /// archives those in the folder.
    fn lines(&self, segment: Segment) -> BTreeSet<String> {
        let none = UnitSet::default();
        let units = self.told.marks.get(&segment).unwrap_or(&none);
        let sightings = units
            .iter()
            .filter_map(|unit| self.told.sightings.get(&unit));
        sightings
            .filter_map(|sighting| self.line(sighting))
            .collect()
    }

    fn line(&self, sighting: &Sighting) -> Option<String> {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let archive = |path: &[u8]| {
            let path = PathBuf::from(text(path));
            let path = path.strip_prefix(&self.folder).ok()?;
            Some(path.to_str().unwrap().to_owned())
        };
        match sighting {
            Sighting::Variable(name) => Some(format!("Variable {}", text(name))),
            Sighting::Property(name) if name.starts_with(b"test.") => {
                Some(format!("Property {}", text(name)))
            }
            Sighting::PropertySet(name) if name.starts_with(b"test.") => {
                Some(format!("PropertySet {}", text(name)))
            }
            // Others are seen elsewhere.
            Sighting::Property(_)
            | Sighting::PropertySet(_)
            | Sighting::Class(_)
            | Sighting::LookedFor(_)
            | Sighting::Members(_)
            | Sighting::Network(_) => None,
            Sighting::Member {
                archive: path,
                name,
                ..
            } => Some(format!("Member {} {}", archive(path)?, text(name))),
            Sighting::MemberNames(path) => Some(format!("MemberNames {}", archive(path)?)),
            other => Some(format!("{other:?}")),
        }
    }

    /// What is optional, for JDKs differ, begins with a question mark.
    fn assert_lines(&self, segment: Segment, expected: &[&str], context: &str) {
        let mut lines = self.lines(segment);
        let optional = expected.iter().filter_map(|line| line.strip_prefix('?'));
        for line in optional {
            lines.remove(line);
        }
        let expected = expected.iter().filter(|line| !line.starts_with('?'));
        let expected: BTreeSet<String> = expected.map(|line| (*line).to_owned()).collect();
        assert_eq!(lines, expected, "{}: {context}", self.context);
    }

    fn assert_cases(&self, cases: &[Case<'_>]) {
        for (number, (body, expected)) in cases.iter().enumerate() {
            let class = self.told.class(&format!("C{number}")).number;
            self.assert_lines(Segment::Initialiser(class), expected, body);
        }
    }
}

/// What programs ask for on each JDK.
fn check(cases: &[Case<'_>]) {
    for jdk in jdks().unwrap() {
        Scene::new(&jdk, cases).run().assert_cases(cases);
    }
}

#[test]
fn variables_and_properties() {
    check(&[
        (
            r#"
            System.out.println(System.getenv("TAMIS_TEST") + System.getenv("TAMIS_NONE"));
            System.setProperty("test.set", "1");
            System.out.println(System.getProperty("test.one"));
            System.out.println(System.getProperty("test.two", "2"));
            System.out.println(Boolean.getBoolean("test.flag"));
            System.out.println(Integer.getInteger("test.number"));
            System.clearProperty("test.set");
            "#,
            &[
                "Property test.flag",
                "Property test.number",
                "Property test.one",
                "Property test.two",
                "PropertySet test.set",
                "Variable TAMIS_NONE",
                "Variable TAMIS_TEST",
            ],
        ),
        (
            r#"System.getProperty("test.k\u00e4se\ud83e\uddc0");"#,
            &["Property test.k\u{e4}se\u{1f9c0}"],
        ),
        // Half a character cannot be told.
        (r#"System.getProperty("test.\ud83e");"#, &["Properties"]),
        (r#"System.getenv("\ud83e");"#, &["Variables"]),
        // The exceptions are those of the JDK.
        (
            r#"
            try { System.getProperty(null); } catch (Throwable e) { Main.show(e); }
            try { System.getProperty(""); } catch (Throwable e) { Main.show(e); }
            try { System.getProperty(null, "x"); } catch (Throwable e) { Main.show(e); }
            try { System.getenv(null); } catch (Throwable e) { Main.show(e); }
            try { System.setProperty(null, "x"); } catch (Throwable e) { Main.show(e); }
            "#,
            &[],
        ),
        ("System.setProperties(null);", &["PropertiesSet"]),
    ]);
}

#[test]
fn all_variables_and_all_properties() {
    const VARIABLES: &[&str] = &["Variables"];
    const PROPERTIES: &[&str] = &["Properties"];
    check(&[
        (r#"System.getenv().get("TAMIS_TEST");"#, VARIABLES),
        (r#"new ProcessBuilder("true").environment();"#, VARIABLES),
        // A process inherits them, unless it is given others.
        (
            r#"Runtime.getRuntime().exec(new String[] {"true"}).waitFor();"#,
            VARIABLES,
        ),
        (
            r#"Runtime.getRuntime().exec(new String[] {"true"}, new String[] {"A=b"}).waitFor();"#,
            &[],
        ),
        (r#"System.getProperties().getProperty("a");"#, PROPERTIES),
        (
            r#"System.class.getMethod("getProperties").invoke(null);"#,
            PROPERTIES,
        ),
        (
            "Supplier<Object> s = System::getProperties; Optional.empty().orElseGet(s);",
            PROPERTIES,
        ),
        (
            "java.lang.management.ManagementFactory.getRuntimeMXBean().getSystemProperties();",
            PROPERTIES,
        ),
    ]);
}

/// What the JDK takes for its own use.
#[test]
fn the_jdk_does_not_take_all_of_them_for_itself() {
    check(&[(
        r#"
        TimeZone.setDefault(null);
        TimeZone.getDefault();
        new java.security.SecureRandom().nextInt();
        new java.text.SimpleDateFormat().format(new Date(0));
        Runnable r = () -> { };
        r.run();
        String.format("%s %tY", 1, new Date(0));
        java.util.logging.Logger.getLogger("x").fine("");
        try { new URL("http://127.0.0.1:1/").openStream(); } catch (IOException e) { }
        ServiceLoader.load(Runnable.class).iterator().hasNext();
        try { ResourceBundle.getBundle("none"); } catch (MissingResourceException e) { }
        File.createTempFile("abc", "d").delete();
        "#,
        &[],
    )]);
}

/// Surefire writes all properties into its reports.
#[test]
fn what_surefire_reports_is_nobodys_question() {
    let package = "org.apache.maven.surefire.api.util.internal";
    let utilities = format!(
        "package {package};
        public class ObjectUtils {{
            public static Object systemProps() {{
                return java.lang.management.ManagementFactory.getRuntimeMXBean().getSystemProperties();
            }}
        }}"
    );
    let listener = "package org.apache.maven.surefire.booter;
        public class ForkingRunListener {
            public static Object properties() { return System.getProperties(); }
        }";
    let body = format!("{package}.ObjectUtils.systemProps();");
    let older = "org.apache.maven.surefire.booter.ForkingRunListener.properties();";
    let cases: &[Case<'_>] = &[(&body, &[]), (older, &[])];
    let path = format!("{}/ObjectUtils.java", package.replace('.', "/"));
    let older_path = "org/apache/maven/surefire/booter/ForkingRunListener.java";
    for jdk in jdks().unwrap() {
        let files = [
            ("Main.java", &program(cases)[..]),
            (&path, &utilities),
            (older_path, listener),
        ];
        Scene::of_files(&jdk, &files).run().assert_cases(cases);
    }
}

/// A row of the table that a JDK lacks, as a later one may: only what it shows is not seen.
#[test]
fn a_table_that_lacks_a_row_is_told() {
    let body = r#"
        System.getProperty("test.one");
        new ProcessBuilder("true").environment();
        new ZipFile("plain.zip").size();
        String.class.getPackage().getName();"#;
    for jdk in jdks().unwrap() {
        let scene = Scene::new(&jdk, &[(body, &[])]).with_archive("plain.zip", &["a.txt"]);
        for (row, sight) in [
            ("java/lang/System.getenv", Sight::Environment),
            ("java/lang/System.getProperty", Sight::Environment),
            ("java/lang/ProcessBuilder.environment", Sight::Environment),
            ("java/util/zip/ZipFile.getEntry", Sight::Archives),
            ("java/util/zip/ZipFile.size", Sight::Archives),
            ("java/lang/Package.isSealed", Sight::Archives),
        ] {
            let context = format!("JDK {}: {row}", jdk.feature);
            let peer = Peer::new();
            let option = format!("{},doctored={row}", peer.option());
            let mut command = scene.command(&[&option], &[], scene.small.path());
            let (output, told) = peer.run_command(&mut command);
            assert_eq!(output.stdout, b"done", "{context}");
            let [unseen] = &told.unseen[..] else {
                panic!("{context}: {:?}", told.unseen);
            };
            assert_eq!(unseen.what, sight, "{context}");
            let reason = String::from_utf8_lossy(&unseen.reason);
            assert!(
                reason.contains(&row.replace('/', ".")),
                "{context}: {reason}"
            );
            assert_eq!(told.bye, Some(Bye::Complete), "{context}");
        }
    }
}

/// It changes classes that have doors, by giving them back as they come, in a class file of its own making.
const CHANGER: &str = r#"
    import java.lang.instrument.*;
    import java.security.ProtectionDomain;
    public class Agent {
        static int n;
        static final String[] NAMES = {"java.lang.System", "java.util.zip.ZipFile", "java.lang.ProcessBuilder"};
        public static void premain(String a, final Instrumentation i) throws Exception {
            i.addTransformer(new ClassFileTransformer() {
                public byte[] transform(ClassLoader l, String name, Class<?> c, ProtectionDomain d, byte[] b) {
                    if (l != null || c == null) return null;
                    n++;
                    return b.clone();
                }
            }, true);
            change(i);
            Agent.i = i;
        }
        static Instrumentation i;
        static void change(Instrumentation i) throws Exception {
            for (String name : NAMES) i.retransformClasses(Class.forName(name));
        }
    }"#;

/// Agents in front of ours and behind it, which change the same classes, before the program and while it runs.
#[test]
fn other_agents_change_the_same_classes() {
    let cases: &[Case<'_>] = &[
        (
            r#"
            System.getProperty("test.one");
            new ZipFile("plain.zip").getEntry("a.txt");
            new ProcessBuilder("true").environment();
            "#,
            &["Member plain.zip a.txt", "Property test.one", "Variables"],
        ),
        (
            r#"
            Agent.change(Agent.i);
            System.getProperty("test.two");
            new ZipFile("plain.zip").getEntry("b.txt");
            System.out.println(Agent.n > 0);
            "#,
            &["Member plain.zip b.txt", "Property test.two"],
        ),
    ];
    for jdk in jdks().unwrap() {
        let files = [("Main.java", &program(cases)[..]), ("Agent.java", CHANGER)];
        let scene = Scene::of_files(&jdk, &files).with_archive("plain.zip", &["a.txt"]);
        let archive = scene.folder.path().join("agent.jar");
        pack_agent(&jdk, scene.small.dir.path(), &archive);
        let other = format!("-javaagent:{}", archive.display());
        let plain = scene
            .command(&[&other], &[], scene.small.path())
            .output()
            .unwrap();
        for is_first in [true, false] {
            let context = format!("JDK {}, ours first: {is_first}", jdk.feature);
            let peer = Peer::new();
            let ours = peer.option();
            let options = if is_first {
                [&ours[..], &other]
            } else {
                [&other[..], &ours]
            };
            let mut command = scene.command(&options, &[], scene.small.path());
            let (output, told) = peer.run_command(&mut command);
            assert_same(&output, &plain, &context);
            assert!(output.stdout.ends_with(b"done"), "{context}: {output:?}");
            assert_eq!(told.unseen, [], "{context}");
            assert_eq!(told.bye, Some(Bye::Complete), "{context}");
            let seen = Seen {
                told,
                folder: fs::canonicalize(scene.folder.path()).unwrap(),
                context,
            };
            seen.assert_cases(cases);
        }
    }
}

fn pack_agent(jdk: &Jdk, folder: &Path, archive: &Path) {
    let manifest = archive.with_extension("mf");
    fs::write(
        &manifest,
        "Premain-Class: Agent\nCan-Retransform-Classes: true\n",
    )
    .unwrap();
    let mut jar = Command::new(jdk.home.join("bin/jar"));
    jar.arg("cfm").args([archive, &manifest]);
    jar.arg("-C").arg(folder).arg(".");
    assert!(jar.output().unwrap().status.success());
}

/// The JDK's classes still come out of its archive, but for those that have doors and were not loaded before.
#[test]
fn class_data_sharing_goes_on() {
    let source =
        "class Main { public static void main(String[] a) { System.out.print(\"done\"); } }";
    for jdk in jdks().unwrap().iter().filter(|jdk| jdk.feature >= 17) {
        let scene = Scene::of_files(jdk, &[("Main.java", source)]);
        let options = ["-Xshare:on", "-Xlog:class+load"];
        let n_shared = |output: &Output| {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let lines = text.lines();
            let shared = lines.filter(|line| line.contains("source: shared objects file"));
            shared.count()
        };
        let plain = scene
            .command(&[], &options, scene.small.path())
            .output()
            .unwrap();
        let peer = Peer::new();
        let mut command = scene.command(&[&peer.option()], &options, scene.small.path());
        let (output, told) = peer.run_command(&mut command);
        assert!(output.status.success(), "JDK {}: {output:?}", jdk.feature);
        assert_eq!(told.unseen, [], "JDK {}", jdk.feature);
        let (with, without) = (n_shared(&output), n_shared(&plain));
        assert!(without > 300, "JDK {}: {without}", jdk.feature);
        assert!(
            with + 20 > without,
            "JDK {}: {with} of {without}",
            jdk.feature
        );
    }
}

/// Threads, virtual ones too, that ask while others load classes, and when the JVM ends; a stack that overflows inside of a door.
#[test]
fn doors_in_every_thread_at_any_time() {
    let source = r#"
        import java.util.zip.*;
        public class Main {
            static Thread start(boolean isVirtual, Runnable run) throws Exception {
                if (isVirtual) {
                    try {
                        return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, run);
                    } catch (NoSuchMethodException e) { }
                }
                Thread thread = new Thread(run);
                thread.start();
                return thread;
            }
            static int depth() { System.getProperty("test.deep"); return depth() + 1; }
            static void ask(int i) throws Exception {
                System.getProperty("test." + i % 100);
                System.getenv("TAMIS_" + i % 100);
                try (ZipFile zip = new ZipFile("plain.zip")) { zip.getEntry("a" + i % 100); }
                try { Class.forName("none.C" + i); } catch (ClassNotFoundException e) { }
            }
            public static void main(String[] a) throws Exception {
                Thread[] threads = new Thread[8];
                for (int t = 0; t < threads.length; t++) {
                    threads[t] = start(t % 2 == 0, () -> {
                        try { for (int i = 0; i < 300; i++) ask(i); } catch (Exception e) { e.printStackTrace(); }
                    });
                }
                for (Thread thread : threads) thread.join();
                for (int i = 0; i < 20; i++) {
                    try { depth(); } catch (StackOverflowError e) { }
                }
                Runtime.getRuntime().addShutdownHook(new Thread(() -> System.getProperty("test.hook")));
                Thread daemon = new Thread(() -> { while (true) System.getProperty("test.daemon"); });
                daemon.setDaemon(true);
                daemon.start();
                System.out.print("done");
            }
        }"#;
    for jdk in jdks().unwrap() {
        let scene = Scene::of_files(&jdk, &[("Main.java", source)]);
        let scene = scene.with_archive("plain.zip", &["a1"]);
        let path = format!("{}:plain.zip", scene.small.path());
        // The verifier looks at the JDK's classes too.
        let seen = scene.run_with(&["-Xverify:all"], &path);
        let lines = seen.lines(Segment::Ambient);
        for number in 0..100 {
            for line in [
                format!("Property test.{number}"),
                format!("Variable TAMIS_{number}"),
                format!("Member plain.zip a{number}"),
            ] {
                assert!(lines.contains(&line), "{}: {line}", seen.context);
            }
        }
        for line in ["Property test.deep", "Property test.hook"] {
            assert!(lines.contains(line), "{}: {line}", seen.context);
        }
    }
}
