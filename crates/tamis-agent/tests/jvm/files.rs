//! What programs do with files, and what of it is told: exactly that.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;

use tamis_agent::AGENT;
use tamis_build::Jdk;
use tamis_testkit::jdks::jdks;
use tamis_testkit::maven::class_path;
use tamis_wire::{Access, Asker, Bye, Found, Segment, Sight};
use tempfile::TempDir;

use crate::peer::{Peer, Told, accept_with, java, listen};
use crate::small::Small;

/// A folder with files of one letter, and one for temporary files, in which programs run.
struct Shop {
    folder: TempDir,
}

impl Shop {
    /// With an arrow behind it, a name is that of a link.
    fn new(names: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("tmp")).unwrap();
        for name in names {
            if let Some((name, place)) = name.split_once(" -> ") {
                symlink(place, folder.path().join(name)).unwrap();
                continue;
            }
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        Self { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a program in the folder; it must not notice the agent.
    fn run(&self, jdk: &Jdk, small: &Small, options: &[&str]) -> Told {
        let context = format!("JDK {}", jdk.feature);
        let temporary = format!("-Djava.io.tmpdir={}", self.path().join("tmp").display());
        let peer = Peer::new();
        let mut command = java(jdk);
        command
            .current_dir(self.path())
            .args([&peer.option(), &temporary]);
        command.args(options).args(["-cp", small.path(), "Main"]);
        let (output, told) = peer.run_command(&mut command);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{context}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "done", "{context}");
        assert!(output.status.success(), "{context}");
        assert_eq!(told.bye, Some(Bye::Complete), "{context}");
        assert_eq!(told.unseen, [], "{context}");
        told
    }

    /// What the program did in the folder. (JVMs look themselves whether there is a place for temporary
    /// files.)
    fn lines(&self, told: &Told) -> Vec<String> {
        let mut lines = told.accesses(Segment::Ambient, self.path());
        lines.retain(|line| line != "Looked tmp: directory");
        lines
    }
}

/// The body of `main` in a program that says so when it is done.
fn program(body: &str) -> String {
    format!(
        "import java.io.*; import java.nio.channels.*; import java.nio.file.*; import java.util.*;
        class Main {{
            static void read(InputStream in) throws IOException {{ in.read(); in.close(); }}
            public static void main(String[] a) throws Throwable {{
                {body}
                System.out.print(\"done\");
            }}
        }}"
    )
}

/// Compares, line by line. JDKs differ: `Read|Looked a: file` stands for one of both, and what begins with a
/// question mark may be missing.
fn compare(told: &[String], expected: &[&str], context: &str) {
    let mut rest = told.iter().peekable();
    let is_equal = expected.iter().all(|line| {
        let (accesses, path) = line.trim_start_matches('?').split_once(' ').unwrap();
        let is_told = rest.next_if(|told| {
            let (access, told) = told.split_once(' ').unwrap();
            told == path && accesses.split('|').any(|other| other == access)
        });
        is_told.is_some() || line.starts_with('?')
    });
    let is_equal = is_equal && rest.next().is_none();
    assert!(is_equal, "{context}: {told:#?} instead of {expected:#?}");
}

/// What a program on each JDK that does this with these files tells.
fn check(body: &str, names: &[&str], expected: &[&str]) {
    for jdk in jdks().unwrap() {
        let small = Small::new(&jdk, &program(body));
        for options in [&[][..], &["-Xcheck:jni", "-Xrs"]] {
            let shop = Shop::new(names);
            let told = shop.run(&jdk, &small, options);
            let lines = shop.lines(&told);
            compare(
                &lines,
                expected,
                &format!("JDK {} {options:?}", jdk.feature),
            );
        }
    }
}

#[test]
fn java_io_that_looks() {
    check(
        r#"
        new File("looked").exists();
        new File("none").isFile();
        read(new FileInputStream("read"));
        try { new FileInputStream("missing"); } catch (FileNotFoundException e) { }
        new File("measured").length();
        new File("dated").lastModified();
        new File("allowed").canRead();
        new File("listed").list();
        new File("listed").listFiles();
        new RandomAccessFile("random", "r").close();
        "#,
        &[
            "looked", "read", "measured", "dated", "allowed", "listed/x", "random",
        ],
        &[
            "Looked looked: file",
            "Looked none: nothing",
            "Read read: file",
            "Read missing: nothing",
            "Read measured: file",
            "Read dated: file",
            "Looked allowed: file",
            "Listed listed: directory",
            "Read random: file",
        ],
    );
}

#[test]
fn java_io_that_writes() {
    check(
        r#"
        try (OutputStream out = new FileOutputStream("new")) { out.write(1); }
        read(new FileInputStream("new"));
        try (OutputStream out = new FileOutputStream("log", true)) { out.write(1); }
        new RandomAccessFile("random", "rw").close();
        new File("a/b").mkdirs();
        new File("a/b/c").createNewFile();
        new File("a/b").list();
        new File("a/b/c").renameTo(new File("a/d"));
        new File("a/d").delete();
        new File("gone").delete();
        new File("gone").exists();
        new File("full").delete();
        new File("old").renameTo(new File("moved"));
        read(new FileInputStream("moved"));
        File temporary = File.createTempFile("shop", ".txt");
        temporary.length();
        temporary.delete();
        "#,
        &["log", "random", "gone", "full/x", "old"],
        &[
            "Wrote new: nothing",
            "Wrote log: file",
            "Read random: file",
            "Wrote random: file",
            "Looked a/b: nothing",
            "Looked a: nothing",
            "Wrote a: nothing",
            "Wrote a/b: nothing",
            "Wrote a/b/c: nothing",
            "Wrote a/b/c: file",
            "Wrote a/d: nothing",
            "Wrote a/d: file",
            "Looked gone: file",
            "Wrote gone: file",
            "Looked full: directory",
            "Read old: file",
            "Wrote old: file",
            "Wrote moved: nothing",
            "Guessed tmp/shop#.txt: nothing",
            "Wrote tmp/shop#.txt: nothing",
            "Wrote tmp/shop#.txt: file",
        ],
    );
}

#[test]
fn java_nio_that_looks() {
    check(
        r#"
        Files.readAllBytes(Paths.get("read"));
        Files.exists(Paths.get("looked"));
        Files.exists(Paths.get("none"));
        try { Files.readAllBytes(Paths.get("missing")); } catch (NoSuchFileException e) { }
        try (DirectoryStream<Path> names = Files.newDirectoryStream(Paths.get("listed"))) {
            names.iterator().hasNext();
        }
        try (FileChannel channel = FileChannel.open(Paths.get("mapped"))) {
            channel.map(FileChannel.MapMode.READ_ONLY, 0, 1).get();
        }
        "#,
        &["read", "looked", "listed/x", "mapped"],
        &[
            "Read read: file",
            "Looked|Read looked: file",
            "Looked|Read none: nothing",
            "Read missing: nothing",
            "Read listed: directory",
            "Listed listed: directory",
            "Read mapped: file",
        ],
    );
}

#[test]
fn java_nio_that_walks() {
    check(
        r#"
        try (java.util.stream.Stream<Path> paths = Files.walk(Paths.get("walked"))) {
            paths.count();
        }
        "#,
        &["walked/a/b"],
        &[
            "Read walked: directory",
            "Listed walked: directory",
            "Read walked/a: directory",
            "Listed walked/a: directory",
            "Read walked/a/b: file",
        ],
    );
}

#[test]
fn java_nio_that_writes() {
    check(
        r#"
        Files.write(Paths.get("new"), new byte[1]);
        Files.readAllBytes(Paths.get("new"));
        Files.createDirectories(Paths.get("there"));
        Files.readAllBytes(Paths.get("there/x"));
        Path made = Files.createTempDirectory("shop");
        Files.copy(Paths.get("copied"), made.resolve("copy"));
        Files.readAllBytes(made.resolve("copy"));
        Files.move(made.resolve("copy"), Paths.get("moved"));
        Files.readAllBytes(Paths.get("moved"));
        Files.delete(made);
        Files.delete(Paths.get("gone"));
        Files.createSymbolicLink(Paths.get("link"), Paths.get("copied"));
        "#,
        &["copied", "there/x", "gone"],
        &[
            "Wrote new: nothing",
            "Looked there: directory",
            "Read there: directory",
            "Read there/x: file",
            "Guessed tmp/shop#: nothing",
            "Wrote tmp/shop#: nothing",
            "Read copied: file",
            "?Looked copied: file",
            "Wrote tmp/shop#/copy: nothing",
            "Read moved: nothing",
            "Wrote tmp/shop#/copy: file",
            "Wrote moved: nothing",
            "Wrote tmp/shop#: directory",
            "Read gone: file",
            "Looked gone: file",
            "Wrote gone: file",
            "Looked link: nothing",
            "Wrote link: nothing",
        ],
    );
}

/// Who reads through a link does not ask where it leads.
#[test]
fn where_links_lead() {
    check(
        r#"
        new File("link").getCanonicalPath();
        new File("folder/x").getCanonicalPath();
        new File("file").getCanonicalPath();
        Paths.get("link").toRealPath();
        Paths.get("file").toRealPath();
        Files.readSymbolicLink(Paths.get("other"));
        read(new FileInputStream("read"));
        "#,
        &[
            "file",
            "listed/x",
            "link -> file",
            "folder -> listed",
            "other -> gone",
            "read -> file",
        ],
        &[
            "Followed link: file",
            "Followed folder/x: file",
            "Looked link: file",
            "Looked file: file",
            "Read other: nothing",
            "Followed other: nothing",
            "Read read: file",
        ],
    );
}

/// Relative to a directory that is open.
#[test]
fn java_nio_in_secure_directories() {
    check(
        r#"
        try (DirectoryStream<Path> names = Files.newDirectoryStream(Paths.get("listed"))) {
            SecureDirectoryStream<Path> open = (SecureDirectoryStream<Path>) names;
            open.newByteChannel(Paths.get("read"), EnumSet.of(StandardOpenOption.READ)).close();
            open.deleteFile(Paths.get("gone"));
            open.move(Paths.get("old"), open, Paths.get("moved"));
        }
        "#,
        &["listed/read", "listed/gone", "listed/old"],
        &[
            "Read listed: directory",
            "Listed listed: directory",
            "Read listed/read: file",
            "Looked listed/gone: file",
            "Wrote listed/gone: file",
            "Read listed/old: file",
            "Wrote listed/old: file",
            "Wrote listed/moved: nothing",
        ],
    );
}

#[test]
fn native_libraries() {
    let body = r#"System.load(new File("library.so").getAbsolutePath());"#;
    for jdk in jdks().unwrap() {
        let small = Small::new(&jdk, &program(body));
        let shop = Shop::new(&[]);
        // Any library will do.
        fs::write(shop.path().join("library.so"), AGENT).unwrap();
        let options: &[&str] = match jdk.feature {
            // Without a word about native code.
            22.. => &["--enable-native-access=ALL-UNNAMED"],
            _ => &[],
        };
        let told = shop.run(&jdk, &small, options);
        let lines = shop.lines(&told);
        let expected = ["Looked library.so: file", "Read library.so: file"];
        compare(&lines, &expected, &format!("JDK {}", jdk.feature));
    }
}

/// What class loaders read is told where it is data, and where it was looked for in vain.
#[test]
fn class_files_and_resources() {
    let body = r#"
        read(Main.class.getResourceAsStream("note.txt"));
        Main.class.getResource("none.txt");
        Class.forName("Loaded");
        try { Class.forName("Gone"); } catch (ClassNotFoundException e) { }
        read(Main.class.getResourceAsStream("Data.class"));
        read(Main.class.getResourceAsStream("Both.class"));
        Class.forName("Both");
    "#;
    for jdk in jdks().unwrap() {
        let main = format!(
            "{} class Loaded {{}} class Data {{}} class Both {{}}",
            program(body)
        );
        let small = Small::new(&jdk, &main);
        fs::write(small.dir.path().join("note.txt"), "x").unwrap();
        let shop = Shop::new(&[]);
        let told = shop.run(&jdk, &small, &[]);
        let lines = told.accesses(Segment::Ambient, small.dir.path());
        let expected = [
            "Looked note.txt: file",
            "Read note.txt: file",
            "Looked none.txt: nothing",
            "Looked Gone.class: nothing",
            "Looked Data.class: file",
            "Read Data.class: file",
            "Read Both.class: file",
        ];
        compare(&lines, &expected, &format!("JDK {}", jdk.feature));
    }
}

/// What is told of a file is its stamp of that moment.
/// Who opens a file at any place may be a loader that opens an archive.
#[test]
fn archives_are_opened_and_not_read() {
    let body = r#"
        read(new FileInputStream("read.zip"));
        new java.util.zip.ZipFile("opened.zip").close();
    "#;
    // The end of an archive that has nothing in it.
    let empty = [&b"PK\x05\x06"[..], &[0; 18]].concat();
    for jdk in jdks().unwrap() {
        let small = Small::new(&jdk, &program(body));
        let shop = Shop::new(&["read.zip", "opened.zip"]);
        fs::write(shop.path().join("opened.zip"), &empty).unwrap();
        let told = shop.run(&jdk, &small, &[]);
        let accesses = |name: &str| -> BTreeSet<Access> {
            let accesses = told.accesses.values();
            let named = accesses.filter(|accessed| accessed.path.ends_with(name.as_bytes()));
            named.map(|accessed| accessed.access).collect()
        };
        assert!(
            accesses("/read.zip").contains(&Access::Read),
            "{}",
            jdk.feature
        );
        let opened = accesses("/opened.zip");
        assert!(
            opened.contains(&Access::Opened),
            "{}: {opened:?}",
            jdk.feature
        );
        assert!(
            !opened.contains(&Access::Read),
            "{}: {opened:?}",
            jdk.feature
        );
    }
}

#[test]
fn a_file_that_changes_is_another_one() {
    let body = r#"
        read(new FileInputStream("log"));
        try (OutputStream out = new FileOutputStream("log", true)) { out.write(1); }
        read(new FileInputStream("log"));
    "#;
    for jdk in jdks().unwrap() {
        let small = Small::new(&jdk, &program(body));
        let shop = Shop::new(&["log"]);
        let told = shop.run(&jdk, &small, &[]);
        let lines = shop.lines(&told);
        let expected = ["Read log: file", "Wrote log: file", "Read log: file"];
        compare(&lines, &expected, &format!("JDK {}", jdk.feature));
        let last = told.accesses.values().last().unwrap();
        let metadata = fs::metadata(shop.path().join("log")).unwrap();
        let Found::File(stamp) = last.found else {
            panic!("{last:?}");
        };
        assert_eq!((stamp.size, stamp.inode), (2, metadata.ino()));
        assert_eq!(stamp.modified, (metadata.mtime(), metadata.mtime_nsec()));
    }
}

/// Each access counts for the tests that are open, and for initialisers.
#[test]
fn accesses_belong_to_tests_and_initialisers() {
    let sources = [
        (
            "ATest.java",
            r#"
            import java.io.*;
            public class ATest {
                @org.junit.Test public void writes() throws IOException {
                    new FileOutputStream("shared").close();
                    new FileInputStream("shared").close();
                    new FileInputStream("common").close();
                    new Once();
                }
            }
            class Once { static final long LENGTH = new File("once").length(); }
            "#,
        ),
        (
            "BTest.java",
            r#"
            import java.io.*;
            public class BTest {
                @org.junit.Test public void reads() throws IOException {
                    new FileInputStream("shared").close();
                    new FileInputStream("common").close();
                    new Once();
                }
            }
            "#,
        ),
    ];
    let jars = class_path(&["junit:junit:4.13.2"]).unwrap();
    let jars = std::env::join_paths(jars).unwrap().into_string().unwrap();
    for jdk in jdks().unwrap() {
        let small = Small::compiled(&jdk, &["-nowarn", "-classpath", &jars], &sources);
        let shop = Shop::new(&["common", "once"]);
        let peer = Peer::new();
        let mut command = java(&jdk);
        command.current_dir(shop.path()).arg(peer.option());
        command.args(["-cp", &format!("{}:{jars}", small.path())]);
        command.args(["org.junit.runner.JUnitCore", "ATest", "BTest"]);
        let (output, told) = peer.run_command(&mut command);
        assert!(output.status.success(), "{output:?}");
        let of = |name: &str| {
            let entity = told.entities[name];
            told.accesses(Segment::Entity(entity), shop.path())
        };
        let context = format!("JDK {}", jdk.feature);
        let first = [
            "Wrote shared: nothing",
            "Read common: file",
            "Read once: file",
        ];
        compare(&of("ATest"), &first, &context);
        let second = ["Read common: file", "Read shared: file"];
        compare(&of("BTest"), &second, &context);
        let class = told.class("Once").number;
        let once = told.accesses(Segment::Initialiser(class), shop.path());
        compare(&once, &["Read once: file"], &context);
        assert_eq!(told.accesses(Segment::Ambient, shop.path()), [""; 0]);
    }
}

/// A native method that the table lacks, as a later JDK may have one, is told as soon as it is bound.
#[test]
fn a_table_that_lacks_a_row_is_told() {
    for jdk in jdks().unwrap() {
        let small = Small::new(&jdk, &program("new File(\"x\").exists();"));
        let peer = Peer::new();
        let row = "java/io/UnixFileSystem.getBooleanAttributes0";
        let option = format!("{},doctored={row}", peer.option());
        let mut command = java(&jdk);
        command.args([&option, "-cp", small.path(), "Main"]);
        let (output, told) = peer.run_command(&mut command);
        assert_eq!(output.stdout, b"done");
        let [unseen] = &told.unseen[..] else {
            panic!("JDK {}: {:?}", jdk.feature, told.unseen);
        };
        assert_eq!(unseen.what, Sight::Files);
        let reason = String::from_utf8_lossy(&unseen.reason);
        let expected = "this JDK has a native method that the agent does not know: \
                        java.io.UnixFileSystem.getBooleanAttributes0";
        assert_eq!(reason, expected);
        assert_eq!(told.bye, Some(Bye::Complete));
    }
}

/// Names that are not ASCII are told in the system's encoding, if that is UTF-8.
#[test]
fn names_in_other_alphabets() {
    let body = r#"new File("k\u00e4se\ud83e\uddc0").exists();"#;
    for jdk in jdks().unwrap() {
        let small = Small::new(&jdk, &program(body));
        for (locale, expected, n_unseen) in [
            ("C.UTF-8", &["Looked k\u{e4}se\u{1f9c0}: file"][..], 0),
            ("C", &[], 1),
        ] {
            let shop = Shop::new(&["k\u{e4}se\u{1f9c0}"]);
            let peer = Peer::new();
            let mut command = java(&jdk);
            command.env("LC_ALL", locale).current_dir(shop.path());
            command.args([&peer.option(), "-cp", small.path(), "Main"]);
            let (output, told) = peer.run_command(&mut command);
            assert_eq!(output.stdout, b"done");
            let context = format!("JDK {}, {locale}", jdk.feature);
            let lines = shop.lines(&told);
            compare(&lines, expected, &context);
            assert_eq!(told.unseen.len(), n_unseen, "{context}");
        }
    }
}

/// Asks for files in many ways.
const ASKS: &str = r#"
    import java.io.*; import java.net.*; import java.nio.file.*; import java.util.*;
    class Main {
        static final String FOLDER = System.getProperty("folder");
        interface Body { void run() throws Exception; }

        static class Control extends ResourceBundle.Control {
            public ResourceBundle newBundle(String name, Locale locale, String format, ClassLoader loader, boolean reload)
                    throws IOException {
                return new PropertyResourceBundle(new FileInputStream(FOLDER + "/control.properties"));
            }
        }

        static class Loader extends ClassLoader {
            protected URL findResource(String name) {
                try {
                    File file = new File(FOLDER + "/of-" + name);
                    return file.exists() ? file.toURI().toURL() : null;
                } catch (IOException error) { throw new UncheckedIOException(error); }
            }
        }

        static void read(InputStream in) throws IOException { in.read(); in.close(); }
        static File file(String name) { return new File(FOLDER, name); }
        static void deep(int depth, Body body) throws Exception {
            if (depth == 0) body.run(); else deep(depth - 1, body);
        }

        public static void main(String[] a) throws Throwable {
            ClassLoader loader = Main.class.getClassLoader();
            read(Main.class.getResourceAsStream("own-class"));
            read(loader.getResourceAsStream("own-loader"));
            read(loader.getResource("own-url").openStream());
            for (URL url : Collections.list(loader.getResources("own-urls"))) read(url.openConnection().getInputStream());
            read(new FileInputStream(FOLDER + "/own-stream"));
            new FileReader(file("own-reader")).close();
            new RandomAccessFile(file("own-random"), "r").close();
            file("own-look").exists();
            file("own-list").list();
            Files.readAllBytes(file("own-bytes").toPath());
            Files.lines(file("own-lines").toPath()).forEach(line -> file("own-lambda").length());
            new Scanner(file("own-scanner")).close();
            Thread thread = new Thread(() -> file("own-thread").exists());
            thread.start();
            thread.join();
            File.class.getMethod("exists").invoke(file("own-reflection"));
            new HashMap<String, Boolean>().computeIfAbsent("own-map", name -> file(name).exists());
            deep(100, () -> file("own-deep").exists());
            javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file("own-xml"));
            new Loader().getResource("nobody");
            ResourceBundle.getBundle("bundle");
            ResourceBundle.getBundle("controlled", new Control());
            for (Runnable service : ServiceLoader.load(Runnable.class)) service.run();
            org.slf4j.Log.read(FOLDER + "/logging");
            URLConnection jar = new URL("jar:file:" + FOLDER + "/kept.jar!/x").openConnection();
            try { jar.getInputStream(); } catch (IOException error) { }
            Files.probeContentType(file("type").toPath());
            deep(200, () -> file("too-deep").exists());
            System.out.print("done");
        }
    }
"#;

const SERVICE: &str = "public class Service implements Runnable {
    public Service() { new java.io.File(Main.FOLDER, \"made-by-services\").exists(); }
    public void run() { new java.io.File(Main.FOLDER, \"own-service\").exists(); }
}";

const LOG: &str = "package org.slf4j; public class Log {
    public static void read(String name) { new java.io.File(name).exists(); }
}";

/// What the program asks for itself.
const OWN: &str = "own-class own-loader own-url own-urls own-stream own-reader own-random own-look own-list own-bytes
    own-lines own-lambda own-scanner own-thread own-reflection own-map own-deep own-xml of-nobody own-service";

/// What the JDK or a logging library asks for, or nobody knows who.
const OTHERS: &str = "bundle.properties control.properties META-INF/services/java.lang.Runnable made-by-services logging
    kept.jar too-deep";

/// The program that asks, with what it asks for.
fn asking(jdk: &Jdk) -> Small {
    let files = [
        ("Main.java", ASKS),
        ("Service.java", SERVICE),
        ("org/slf4j/Log.java", LOG),
    ];
    let small = Small::of_files(jdk, &files);
    for name in [OWN, OTHERS].iter().flat_map(|all| all.split_whitespace()) {
        let path = small.dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // An archive without members ends with zeros.
        let empty = [b"PK\x05\x06", &[0; 18][..]].concat();
        match name {
            "own-list" => fs::create_dir(path),
            "own-xml" => fs::write(path, "<x/>"),
            "kept.jar" => fs::write(path, empty),
            _ => fs::write(path, "Service"),
        }
        .unwrap();
    }
    small
}

#[test]
fn the_program_and_others_ask_for_files() {
    for jdk in jdks().unwrap() {
        let small = asking(&jdk);
        let folder = format!("-Dfolder={}", small.path());
        for options in [&[][..], &["-Xcheck:jni", "-Xrs"]] {
            let context = format!("JDK {} {options:?}", jdk.feature);
            let told = Shop::new(&[]).run(&jdk, &small, &[options, &[&folder]].concat());
            let mut askers: BTreeMap<String, BTreeSet<Asker>> = BTreeMap::new();
            for accessed in told.accesses.values() {
                let path = String::from_utf8(accessed.path.clone()).unwrap();
                let name = path.strip_prefix(small.path()).unwrap_or_default();
                let name = name.trim_start_matches('/').to_owned();
                askers.entry(name).or_default().insert(accessed.asker);
            }
            for (names, asker) in [(OWN, Asker::Program), (OTHERS, Asker::Unknown)] {
                for name in names.split_whitespace() {
                    let found = askers.get(name);
                    assert_eq!(found, Some(&BTreeSet::from([asker])), "{context}: {name}");
                }
            }
        }
    }
}

#[test]
fn who_asks_is_told_of_class_directories_alone() {
    let source = program(
        r#"for (String name : new String[] {"classes/a", "classes2/a"}) {
            new File(name).exists();
            read(new FileInputStream(name));
        }
        new File("classes").list();"#,
    );
    for jdk in jdks().unwrap() {
        let small = Small::new(&jdk, &source);
        let shop = Shop::new(&["classes/a", "classes2/a"]);
        let directory = format!("{}/./classes/", shop.path().display());
        let peer = Peer::new();
        let mut command = java(&jdk);
        command.current_dir(shop.path()).arg(peer.option());
        command.args(["-cp", small.path(), "Main"]);
        let (output, told) = peer.serve(&mut command, |stream| {
            accept_with(stream, &directory);
            listen(stream)
        });
        assert_eq!(String::from_utf8_lossy(&output.stdout), "done");
        let accesses = told.accesses.values();
        let of_program = accesses.filter(|accessed| accessed.asker == Asker::Program);
        let of_program = of_program.map(|accessed| {
            let path = Path::new(OsStr::from_bytes(&accessed.path));
            let inside = path.strip_prefix(shop.path()).unwrap();
            format!("{:?} {}", accessed.access, inside.display())
        });
        let expected = ["Listed classes", "Looked classes/a", "Read classes/a"];
        let expected = expected.map(str::to_owned);
        let context = format!("JDK {}", jdk.feature);
        assert_eq!(
            of_program.collect::<BTreeSet<_>>(),
            BTreeSet::from(expected),
            "{context}"
        );
        let all = ["Looked classes2/a: file", "Read classes2/a: file"];
        let lines = shop.lines(&told);
        for line in all {
            assert!(
                lines.iter().any(|told| told == line),
                "{context}: {line} in {lines:?}"
            );
        }
    }
}
