//! The files that `tamis trace` finds for the classes that real JVMs load, wherever they come from.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tamis_build::Jdk;
use tamis_testkit::jdks::jdks;
use tamis_testkit::maven::artifact;

use crate::sandbox::Sandbox;

/// A program in a directory of its own, compiled for the oldest JDK found.
struct Scene {
    sandbox: Sandbox,
    builder: Jdk,
}

impl Scene {
    fn new() -> Self {
        Self {
            sandbox: Sandbox::empty(),
            builder: jdks().unwrap().remove(0),
        }
    }

    /// Compiles classes, one to a source, into `directory`.
    fn compile(&self, directory: &str, sources: &[(&str, &str)]) {
        let folder = format!("src-{directory}");
        let files = sources.iter().map(|(name, text)| {
            let file = format!("{folder}/{name}.java");
            self.sandbox.write(&file, text.as_bytes());
            file
        });
        let files: Vec<_> = files.collect();
        fs::create_dir_all(self.sandbox.path(directory)).unwrap();
        self.build("javac", &["-nowarn", "-d", directory], &files);
    }

    /// Makes a jar of all that is in `directory`.
    fn jar(&self, mode: &str, jar: &str, manifest: &str, directory: &str) {
        self.sandbox.write("manifest", manifest.as_bytes());
        fs::create_dir_all(self.sandbox.path(directory)).unwrap();
        let arguments = [mode, jar, "manifest", "-C", directory, "."];
        self.build("jar", &arguments, &[]);
    }

    fn copy_classes(&self, from: &str, to: &str, names: &[&str]) {
        for name in names {
            let bytes = self.sandbox.read(&format!("{from}/{name}.class"));
            self.sandbox.write(format!("{to}/{name}.class"), &bytes);
        }
    }

    fn unpack(&self, jar: &Path, directory: &str) {
        let mut command = Command::new(self.builder.home.join("bin/jar"));
        command.current_dir(self.sandbox.path(directory));
        assert!(command.arg("xf").arg(jar).status().unwrap().success());
    }

    fn build(&self, tool: &str, arguments: &[&str], files: &[String]) {
        let mut command = Command::new(self.builder.home.join("bin").join(tool));
        command.current_dir(self.sandbox.path(""));
        let output = command.args(arguments).args(files).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    /// What `java ARGUMENTS` prints, and what is said of the files of its classes, by name.
    fn trace<S: AsRef<OsStr>>(&self, jdk: &Jdk, arguments: &[S]) -> (String, Files) {
        let mut command = self.sandbox.tamis();
        command
            .args(["trace", "--format", "json", "--output", "report", "--"])
            .arg(jdk.java())
            .args(arguments)
            .env("TAMIS_CACHE_DIR", self.sandbox.path("cache"))
            .env_remove("JAVA_TOOL_OPTIONS");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let report: Value = serde_json::from_slice(&self.sandbox.read("report")).unwrap();
        let jvms = report["jvms"].as_array().unwrap();
        assert_eq!(jvms.len(), 1, "{report}");
        assert_eq!(jvms[0]["ending"]["status"], "complete", "{report}");
        let printed = String::from_utf8(output.stdout).unwrap();
        (printed, self.files(&jvms[0]))
    }

    fn files(&self, jvm: &Value) -> Files {
        let root = format!("{}/", self.sandbox.path("").display());
        let root = root.replace("//", "/");
        let mut files = Files::new();
        for class in jvm["classes"].as_array().unwrap() {
            let file = &class["file"];
            let places = [&file["location"], &file["place"]];
            let place = places.into_iter().find_map(Value::as_str).unwrap_or("");
            let status = file["status"].as_str().unwrap();
            let shown = format!("{status} {}", place.replace(&root, ""));
            let name = class["name"].as_str().unwrap().to_owned();
            files.entry(name).or_default().push(shown.trim().to_owned());
        }
        files
    }
}

/// What is said of the files of each class; several if a name was loaded with different bytes.
type Files = BTreeMap<String, Vec<String>>;

const GREETER: (&str, &str) = (
    "Greeter",
    "public class Greeter { public String toString() { return \"hello\"; } }",
);

/// Its class path is read in time even for a class that does not say where it comes from.
#[test]
fn a_jar_with_nothing_but_a_class_path_may_be_gone_at_the_end() {
    let main = "
        public class Main extends ClassLoader {
            public static void main(String[] a) throws Exception {
                System.out.println(new Greeter());
                java.io.InputStream in = Main.class.getResourceAsStream(\"/Silent.class\");
                byte[] bytes = new byte[10000];
                int length = in.read(bytes);
                new Main().defineClass(null, bytes, 0, length).newInstance();
                System.out.println(new java.io.File(a[0]).delete());
            }
        }";
    let silent = ("Silent", "public class Silent {}");
    let scene = Scene::new();
    scene.compile("all", &[GREETER, silent, ("Main", main)]);
    scene.copy_classes("all", "lib", &["Greeter", "Silent"]);
    scene.copy_classes("all", "classes", &["Main"]);
    scene.jar("cfm", "lib one.jar", "", "lib");
    for jdk in jdks().unwrap() {
        let manifest = "Class-Path: ../lib%20one.jar ../classes/\n";
        fs::create_dir_all(scene.sandbox.path("tmp")).unwrap();
        scene.jar("cfm", "tmp/only.jar", manifest, "empty");
        let (printed, files) = scene.trace(&jdk, &["-cp", "tmp/only.jar", "Main", "tmp/only.jar"]);
        assert_eq!(printed, "hello\ntrue\n");
        assert_eq!(files["Main"], ["found classes/Main.class"]);
        assert_eq!(files["Greeter"], ["found lib one.jar!Greeter.class"]);
        assert_eq!(files["Silent"], ["found lib one.jar!Silent.class"]);
    }
}

/// Spring Boot's own loader, whose way to write where a class comes from has changed once.
#[test]
fn an_application_in_one_jar() {
    let main = "
        public class Main {
            public static void main(String[] a) { System.out.println(new Greeter()); }
        }";
    let launchers = [
        ("2.7.18", 8, "org.springframework.boot.loader.JarLauncher"),
        (
            "3.5.3",
            17,
            "org.springframework.boot.loader.launch.JarLauncher",
        ),
    ];
    for (version, release, launcher) in launchers {
        let scene = Scene::new();
        scene.compile("all", &[GREETER, ("Main", main)]);
        scene.copy_classes("all", "lib", &["Greeter"]);
        scene.copy_classes("all", "app/BOOT-INF/classes", &["Main"]);
        fs::create_dir_all(scene.sandbox.path("app/BOOT-INF/lib")).unwrap();
        scene.jar("cfm", "app/BOOT-INF/lib/lib.jar", "", "lib");
        let loader = artifact(&format!(
            "org.springframework.boot:spring-boot-loader:{version}"
        ));
        scene.unpack(&loader.unwrap(), "app");
        let manifest = format!(
            "Main-Class: {launcher}\nStart-Class: Main\n\
             Spring-Boot-Classes: BOOT-INF/classes/\nSpring-Boot-Lib: BOOT-INF/lib/\n"
        );
        // Without compression, as the loader wants the jars in it.
        scene.jar("cf0m", "app.jar", &manifest, "app");
        for jdk in jdks().unwrap().iter().filter(|jdk| jdk.feature >= release) {
            let (printed, files) = scene.trace(jdk, &["-jar", "app.jar"]);
            assert_eq!(printed, "hello\n");
            assert_eq!(files["Main"], ["found app.jar!BOOT-INF/classes/Main.class"]);
            let greeter = "found app.jar!BOOT-INF/lib/lib.jar!Greeter.class";
            assert_eq!(files["Greeter"], [greeter], "{}", jdk.feature);
            let launcher = launcher.replace('.', "/");
            assert_eq!(
                files[&launcher],
                [format!("found app.jar!{launcher}.class")]
            );
        }
    }
}

#[test]
fn an_exploded_module_from_a_file_of_arguments() {
    let main = "
        package p;
        public class Main {
            public static void main(String[] a) throws Exception {
                System.out.println(new java.io.File(a[0]).delete());
                Class.forName(\"p.Patched\");
            }
        }";
    let modular: Vec<_> = jdks()
        .unwrap()
        .into_iter()
        .filter(|jdk| jdk.feature >= 9)
        .collect();
    let builder = modular.first().expect("a JDK with modules").clone();
    let scene = Scene {
        builder,
        ..Scene::new()
    };
    let patched = ("Patched", "package p; public class Patched {}");
    let info = ("module-info", "module m { }");
    scene.compile("mods dir/m", &[info, ("Main", main)]);
    scene.compile("patch", &[patched]);
    for jdk in modular {
        let arguments = "# modules\n--module-path 'mods dir'\n--patch-module\n\"m=pa\\\n    tch\"";
        scene.sandbox.write("arguments", arguments.as_bytes());
        let (printed, files) = scene.trace(&jdk, &["@arguments", "-m", "m/p.Main", "arguments"]);
        assert_eq!(printed, "true\n");
        assert_eq!(files["p/Main"], ["found mods dir/m/p/Main.class"]);
        assert_eq!(files["p/Patched"], ["found patch/p/Patched.class"]);
    }
}

/// Loaders over a jar that is on no class path, over one that is deleted at once, one that changes
/// what it reads, and classes that are in no file.
#[test]
fn loaders_of_the_program_and_classes_without_a_file() {
    let main = "
        import java.io.File;
        import java.lang.reflect.Proxy;
        import java.net.*;
        import java.nio.file.*;
        import java.security.*;
        import java.security.cert.Certificate;
        public class Main extends ClassLoader {
            interface Shape {}
            public static void main(String[] a) throws Exception {
                load(new File(\"plugin one.jar\"), \"Greeter\");
                File copy = new File(\"copy.jar\");
                Files.copy(Paths.get(\"plugin one.jar\"), copy.toPath());
                load(copy, \"Gone\");
                System.out.println(copy.delete());
                Main main = new Main();
                String text = new String(Files.readAllBytes(Paths.get(\"off/Woven.class\")), \"ISO-8859-1\");
                byte[] woven = text.replace(\"plain\", \"woven\").getBytes(\"ISO-8859-1\");
                CodeSource source = new CodeSource(new File(\"off\").toURI().toURL(), (Certificate[]) null);
                ProtectionDomain domain = new ProtectionDomain(source, null);
                System.out.println(main.defineClass(\"Woven\", woven, 0, woven.length, domain).newInstance());
                byte[] made = Files.readAllBytes(Paths.get(\"made\"));
                main.defineClass(\"Made\", made, 0, made.length).newInstance();
                Class<?>[] shapes = {Shape.class};
                Proxy.newProxyInstance(Main.class.getClassLoader(), shapes, (p, m, v) -> null);
            }
            static void load(File jar, String name) throws Exception {
                URL[] urls = {jar.toURI().toURL()};
                try (URLClassLoader loader = new URLClassLoader(urls, null)) {
                    loader.loadClass(name).newInstance();
                }
            }
        }";
    let woven = "public class Woven { public String toString() { return \"plain\"; } }";
    let scene = Scene::new();
    scene.compile("plugin", &[GREETER, ("Gone", "public class Gone {}")]);
    scene.jar("cfm", "plugin one.jar", "", "plugin");
    scene.compile("off", &[("Woven", woven)]);
    scene.compile("other", &[("Made", "public class Made {}")]);
    fs::rename(
        scene.sandbox.path("other/Made.class"),
        scene.sandbox.path("made"),
    )
    .unwrap();
    scene.compile("classes", &[("Main", main)]);
    for jdk in jdks().unwrap() {
        let (printed, files) = scene.trace(&jdk, &["-cp", "classes", "Main"]);
        assert_eq!(printed, "true\nwoven\n");
        assert_eq!(files["Main"], ["found classes/Main.class"]);
        assert_eq!(files["Greeter"], ["found plugin one.jar!Greeter.class"]);
        assert_eq!(files["Gone"], ["unknown file:copy.jar"]);
        assert_eq!(files["Woven"], ["other_bytes off/Woven.class"]);
        assert_eq!(files["Made"], ["generated"]);
        let proxy = files
            .iter()
            .find(|(name, _)| name.contains("$Proxy"))
            .unwrap();
        assert_eq!(proxy.1, &["generated"]);
        // Whatever a JDK tells of the class that the lambda became.
        let lambdas = files.iter().filter(|(name, _)| name.contains("$$Lambda"));
        assert!(
            lambdas.into_iter().all(|(_, file)| file == &["generated"]),
            "{files:?}"
        );
    }
}

/// Another agent that gives a class other bytes: we are asked first when it is loaded, and see what
/// it is redefined to.
#[test]
fn other_agents_that_change_classes() {
    let agent = "
        import java.lang.instrument.*;
        import java.nio.file.*;
        import java.security.ProtectionDomain;
        public class Agent implements ClassFileTransformer {
            static Instrumentation jvm;
            public static void premain(String arguments, Instrumentation instrumentation) {
                jvm = instrumentation;
                jvm.addTransformer(new Agent());
            }
            static byte[] changed(byte[] bytes, String to) throws Exception {
                String text = new String(bytes, \"ISO-8859-1\");
                return text.replace(\"hello\", to).getBytes(\"ISO-8859-1\");
            }
            public byte[] transform(ClassLoader l, String n, Class<?> c, ProtectionDomain d, byte[] bytes) {
                try {
                    return \"Greeter\".equals(n) && c == null ? changed(bytes, \"HELLO\") : null;
                } catch (Exception error) {
                    throw new AssertionError(error);
                }
            }
            public static void redefine() throws Exception {
                byte[] bytes = Files.readAllBytes(Paths.get(\"classes/Greeter.class\"));
                jvm.redefineClasses(new ClassDefinition(Greeter.class, changed(bytes, \"HeLLo\")));
            }
        }";
    let main = "
        public class Main {
            public static void main(String[] a) throws Exception {
                System.out.println(new Greeter());
                Agent.redefine();
                System.out.println(new Greeter());
            }
        }";
    let scene = Scene::new();
    scene.compile("all", &[GREETER, ("Agent", agent), ("Main", main)]);
    scene.copy_classes("all", "classes", &["Greeter", "Main"]);
    scene.copy_classes("all", "agent", &["Agent"]);
    let manifest = "Premain-Class: Agent\nCan-Redefine-Classes: true\n";
    scene.jar("cfm", "agent.jar", manifest, "agent");
    for jdk in jdks().unwrap() {
        let arguments = ["-javaagent:agent.jar", "-cp", "classes", "Main"];
        let (printed, files) = scene.trace(&jdk, &arguments);
        assert_eq!(printed, "HELLO\nHeLLo\n");
        let file = "classes/Greeter.class";
        let mut greeter = files["Greeter"].clone();
        greeter.sort();
        assert_eq!(
            greeter,
            [format!("found {file}"), format!("other_bytes {file}")]
        );
        assert_eq!(files["Agent"], ["found agent.jar!Agent.class"]);
    }
}
