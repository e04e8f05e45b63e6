//! Members of archives, what manifests say, class files that are read as data.

use std::collections::BTreeSet;
use std::fs;

use tamis_build::Jdk;
use tamis_testkit::jdks::jdks;

use tamis_wire::{Asker, Segment, Sighting};

use super::{Case, Scene, check, program};

const ARCHIVE: &[&str] = &[
    "META-INF/MANIFEST.MF",
    "META-INF/A.SF",
    "a.txt",
    "b/c.txt",
    "b/D.class",
];

/// What programs do with archives.
fn check_archives(cases: &[Case<'_>]) {
    for jdk in jdks().unwrap() {
        let scene = Scene::new(&jdk, cases).with_archive("a.jar", ARCHIVE);
        let scene = scene.with_archive("plain.zip", &["a.txt"]);
        scene.run().assert_cases(cases);
    }
}

#[test]
fn members_of_archives() {
    const CONTENT: &[&str] = &["Member a.jar a.txt"];
    check_archives(&[
        (
            r#"
            ZipFile z = new ZipFile("a.jar");
            System.out.println(z.getEntry("a.txt"));
            System.out.println(z.getEntry("none"));
            JarFile j = new JarFile("./a.jar");
            System.out.println(j.getEntry("b/c.txt"));
            System.out.println(j.getJarEntry("b"));
            "#,
            &[
                "Member a.jar a.txt",
                "Member a.jar b",
                "Member a.jar b/c.txt",
                "Member a.jar none",
                // Which says whether there are members for later JDKs.
                "?Member a.jar META-INF/MANIFEST.MF",
            ],
        ),
        // An entry that nobody looked up.
        (
            r#"Main.read(new ZipFile("a.jar").getInputStream(new ZipEntry("a.txt")));"#,
            CONTENT,
        ),
        // Fields of a subclass do not hide the JDK's.
        (
            r#"
            class Entry extends ZipEntry { String name = "x"; Entry(String name) { super(name); } }
            class Archive extends ZipFile {
                String name = "x"; String filePath = "y";
                Archive(String name) throws IOException { super(name); }
            }
            Main.read(new Archive("a.jar").getInputStream(new Entry("a.txt")));
            "#,
            CONTENT,
        ),
        (
            r#"
            ZipFile z = new ZipFile("a.jar");
            try { z.getEntry(null); } catch (Throwable e) { Main.show(e); }
            try { z.getInputStream(null); } catch (Throwable e) { Main.show(e); }
            z.close();
            try { z.getEntry("a.txt"); } catch (Throwable e) { Main.show(e); }
            try { z.size(); } catch (Throwable e) { Main.show(e); }
            "#,
            &["Member a.jar a.txt", "MemberNames a.jar"],
        ),
    ]);
}

#[test]
fn names_of_members_and_manifests() {
    const NAMES: &[&str] = &["MemberNames plain.zip"];
    const MANIFEST: &[&str] = &["Member plain.zip META-INF/MANIFEST.MF"];
    check_archives(&[
        (r#"new ZipFile("plain.zip").entries();"#, NAMES),
        (r#"new ZipFile("plain.zip").stream();"#, NAMES),
        (r#"new ZipFile("plain.zip").size();"#, NAMES),
        (r#"new JarFile("plain.zip").entries();"#, NAMES),
        (r#"new JarFile("plain.zip").stream();"#, NAMES),
        (r#"new JarFile("plain.zip");"#, &[]),
        (
            r#"System.out.println(new JarFile("plain.zip").getManifest());"#,
            MANIFEST,
        ),
        (
            r#"System.out.println(new JarFile("a.jar", false).getManifest().getMainAttributes());"#,
            &["Member a.jar META-INF/MANIFEST.MF"],
        ),
        (
            r#"
            URL[] urls = { new File("plain.zip").toURI().toURL() };
            System.out.println(new URLClassLoader(urls).findResource("META-INF/MANIFEST.MF"));
            "#,
            &[
                MANIFEST[0],
                // Up to JDK 21.
                "?Member plain.zip META-INF/INDEX.LIST",
            ],
        ),
    ]);
    // By name, since JDK 8 has no such method.
    let versioned: &[Case<'_>] = &[(
        r#"
        Object stream = JarFile.class.getMethod("versionedStream").invoke(new JarFile("plain.zip"));
        "#,
        NAMES,
    )];
    for jdk in jdks().unwrap().iter().filter(|jdk| jdk.feature > 8) {
        let scene = Scene::new(jdk, versioned).with_archive("plain.zip", &["a.txt"]);
        let versioned = [(
            versioned[0].0,
            &[NAMES[0], "?Member plain.zip META-INF/MANIFEST.MF"][..],
        )];
        scene.run().assert_cases(&versioned);
    }
}

/// What an initialiser makes is not its own, so this runs outside of one.
#[test]
fn an_archive_that_a_program_made_is_its_own() {
    let source = r#"
        import java.io.*; import java.util.zip.*;
        class Main {
            public static void main(String[] a) throws IOException {
                ZipOutputStream out = new ZipOutputStream(new FileOutputStream("own.zip"));
                out.putNextEntry(new ZipEntry("a"));
                out.close();
                ZipFile z = new ZipFile("own.zip");
                z.getInputStream(z.getEntry("a")).close();
                z.entries();
                z.close();
                new File("own.zip").delete();
                System.out.print("done");
            }
        }"#;
    for jdk in jdks().unwrap() {
        let scene = Scene::of_files(&jdk, &[("Main.java", source)]);
        scene.run().assert_lines(Segment::Ambient, &[], "own.zip");
    }
}

#[test]
fn what_manifests_say_of_packages() {
    const PACKAGES: &[&str] = &["Packages"];
    check(&[
        (
            "String.class.getPackage().getImplementationVersion();",
            PACKAGES,
        ),
        (
            "String.class.getPackage().getImplementationTitle();",
            PACKAGES,
        ),
        (
            "String.class.getPackage().getImplementationVendor();",
            PACKAGES,
        ),
        (
            "String.class.getPackage().getSpecificationVersion();",
            PACKAGES,
        ),
        (
            "String.class.getPackage().getSpecificationTitle();",
            PACKAGES,
        ),
        (
            "String.class.getPackage().getSpecificationVendor();",
            PACKAGES,
        ),
        ("String.class.getPackage().isSealed();", PACKAGES),
        (
            r#"String.class.getPackage().isSealed(new URL("file:/"));"#,
            PACKAGES,
        ),
        (
            r#"try { String.class.getPackage().isCompatibleWith("1"); } catch (Exception e) { }"#,
            PACKAGES,
        ),
        (r#""".concat("" + String.class.getPackage());"#, PACKAGES),
        (
            r#"Package.class.getMethod("isSealed").invoke(String.class.getPackage());"#,
            PACKAGES,
        ),
        ("String.class.getPackage().getName();", &[]),
    ]);
}

/// Reads a member as whoever wants its bytes does.
const LOADER: &str = r#"
    public class Loader extends ClassLoader {
        final java.util.jar.JarFile jar;
        Loader(String path) throws java.io.IOException { jar = new java.util.jar.JarFile(path); }
        byte[] bytes(String name) throws java.io.IOException {
            java.util.zip.ZipEntry entry = jar.getEntry(name);
            if (entry == null) return null;
            java.io.DataInputStream in = new java.io.DataInputStream(jar.getInputStream(entry));
            byte[] bytes = new byte[(int) entry.getSize()];
            in.readFully(bytes);
            return bytes;
        }
        Class<?> define(String name) throws java.io.IOException {
            byte[] bytes = bytes(name.replace('.', '/') + ".class");
            return defineClass(name, bytes, 0, bytes.length);
        }
    }"#;

const LIBRARY: &[(&str, &str)] = &[
    (
        "lib/A.java",
        "package lib; public class A { static { B.b(); } public static void a() { } }",
    ),
    (
        "lib/B.java",
        "package lib; public class B { static void b() { } }",
    ),
    ("lib/C.java", "package lib; public class C { }"),
    ("lib/D.java", "package lib; public class D { }"),
];

/// A program, and a library in an archive that class loaders read, with a manifest that is of use to them.
fn with_library(jdk: &Jdk, cases: &[Case<'_>]) -> Scene {
    let main = program(cases);
    let mut files = vec![("Main.java", &main[..]), ("Loader.java", LOADER)];
    files.extend(LIBRARY);
    let scene = Scene::of_files(jdk, &files);
    let library = tempfile::tempdir().unwrap();
    let lib = scene.small.dir.path().join("lib");
    fs::rename(lib, library.path().join("lib")).unwrap();
    let [manifest, notes] =
        ["META-INF/MANIFEST.MF", "notes.txt"].map(|name| library.path().join(name));
    fs::create_dir(manifest.parent().unwrap()).unwrap();
    fs::write(manifest, "Implementation-Version: 1\n").unwrap();
    fs::write(notes, "note").unwrap();
    scene.pack("lib.jar", library.path(), true);
    scene
}

/// In vain, through a first archive; found and defined; asked for as data; read by hand.
#[test]
fn class_files_are_told_when_they_are_read_as_data() {
    const LOADED: &[&str] = &[];
    // Class loaders look for it up to JDK 21.
    const INDEX: &[&str] = &[
        "?Member lib.jar META-INF/INDEX.LIST",
        "?Member plain.zip META-INF/INDEX.LIST",
    ];
    // Since JDK 9 it says whether there are members for later JDKs.
    const MANIFEST: &[&str] = &["?Member lib.jar META-INF/MANIFEST.MF"];
    let cases: &[Case<'_>] = &[
        ("Class.forName(\"lib.A\");", INDEX),
        (
            r#"
            URL[] urls = { new File("plain.zip").toURI().toURL(), new File("lib.jar").toURI().toURL() };
            ClassLoader loader = new URLClassLoader(urls, null);
            System.out.println(loader.loadClass("lib.B").getDeclaredMethods().length);
            try { loader.loadClass("lib.None"); } catch (ClassNotFoundException e) { }
            "#,
            INDEX,
        ),
        (
            "try { Class.forName(\"lib.None\"); } catch (ClassNotFoundException e) { }",
            LOADED,
        ),
        (
            r#"System.out.println(Main.class.getResource("/lib/A.class") != null);"#,
            &["Member lib.jar lib/A.class", "Member plain.zip lib/A.class"],
        ),
        (
            r#"System.out.println(Main.class.getResource("/lib/None.class") != null);"#,
            &[
                "Member lib.jar lib/None.class",
                "Member plain.zip lib/None.class",
            ],
        ),
        (
            r#"Main.read(Main.class.getResourceAsStream("/notes.txt"));"#,
            &[
                "Member lib.jar notes.txt",
                "Member plain.zip notes.txt",
                MANIFEST[0],
            ],
        ),
        // A loader of one's own that defines what it read, at once or when it has read it for something else.
        (
            r#"System.out.println(new Loader("lib.jar").define("lib.C"));"#,
            MANIFEST,
        ),
        (
            r#"System.out.println(new Loader("lib.jar").bytes("lib/C.class").length > 0);"#,
            &["Member lib.jar lib/C.class", MANIFEST[0]],
        ),
        (
            r#"
            Loader loader = new Loader("lib.jar");
            System.out.println(loader.bytes("lib/D.class").length > 0);
            System.out.println(loader.define("lib.D"));
            "#,
            &["Member lib.jar lib/D.class", MANIFEST[0]],
        ),
    ];
    for jdk in jdks().unwrap() {
        let scene = with_library(&jdk, cases).with_archive("plain.zip", &["a.txt"]);
        let path = format!("{}:plain.zip:lib.jar", scene.small.path());
        scene
            .run_with(&["-Xcheck:jni", "-Xrs"], &path)
            .assert_cases(cases);
    }
}

/// A member for later JDKs is found in place of another, and told by its own name.
#[test]
fn members_for_later_jdks() {
    let body = r#"
        URL[] urls = { new File("multi.jar").toURI().toURL() };
        System.out.println(new URLClassLoader(urls).findResource("a.txt") != null);"#;
    for jdk in jdks().unwrap().iter().filter(|jdk| jdk.feature > 8) {
        let scene = Scene::new(jdk, &[(body, &[])]);
        let files = tempfile::tempdir().unwrap();
        let versions = files.path().join("META-INF/versions/9");
        fs::create_dir_all(&versions).unwrap();
        fs::write(
            files.path().join("META-INF/MANIFEST.MF"),
            "Multi-Release: true\n",
        )
        .unwrap();
        fs::write(files.path().join("a.txt"), "1").unwrap();
        fs::write(versions.join("a.txt"), "2").unwrap();
        scene.pack("multi.jar", files.path(), true);
        let seen = scene.run();
        let class = seen.told.class("C0").number;
        let mut lines = seen.lines(Segment::Initialiser(class));
        // Some JDKs look for those of each version.
        let of_nine = "Member multi.jar META-INF/versions/9/a.txt";
        lines.retain(|line| line == of_nine || !line.contains("META-INF/"));
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(
            lines,
            [of_nine, "Member multi.jar a.txt"],
            "{}",
            seen.context
        );
    }
}

#[test]
fn the_program_and_others_ask_for_members() {
    let body = r#"
        Main.read(Main.class.getResourceAsStream("/notes.txt"));
        Main.read(Main.class.getResource("/url.txt").openStream());
        java.util.ResourceBundle.getBundle("bundle");"#;
    for jdk in jdks().unwrap() {
        let scene = Scene::new(&jdk, &[(body, &[])]);
        let scene = scene.with_archive("empty.jar", &["a.txt"]);
        let members = ["notes.txt", "url.txt", "bundle.properties"];
        let scene = scene.with_archive("lib.jar", &members);
        let path = format!("{}:empty.jar:lib.jar", scene.small.path());
        let seen = scene.run_with(&["-Xcheck:jni", "-Xrs"], &path);
        for (wanted, expected) in [
            ("notes.txt", Asker::Program),
            ("url.txt", Asker::Program),
            ("bundle.properties", Asker::Unknown),
        ] {
            let sightings = seen.told.sightings.values();
            let askers = sightings.filter_map(|sighting| match sighting {
                Sighting::Member { name, asker, .. } if name == wanted.as_bytes() => Some(*asker),
                _ => None,
            });
            let askers: BTreeSet<Asker> = askers.collect();
            let expected = BTreeSet::from([expected]);
            assert_eq!(askers, expected, "{}: {wanted}", seen.context);
        }
    }
}
