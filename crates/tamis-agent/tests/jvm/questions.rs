//! What programs ask of classes and of other programs, and what of it is told: exactly that.

use tamis_build::Jdk;
use tamis_testkit::jdks::jdks;
use tamis_testkit::maven::class_path;
use tamis_wire::{Bye, Segment, Sight};

use crate::peer::{Peer, Told, java};
use crate::small::Small;

/// The body of `main`, in a program with more classes. What it catches it shows.
fn program(body: &str, classes: &str) -> String {
    format!(
        "import java.io.*; import java.lang.annotation.*; import java.lang.invoke.*; import java.lang.reflect.*;
        import java.net.*; import java.nio.*; import java.nio.channels.*; import java.util.*;
        import java.util.function.*;
        {classes}
        interface Attempt {{ Object run() throws Throwable; }}
        class Main {{
            static void attempt(Attempt attempt) {{
                try {{
                    attempt.run();
                }} catch (Throwable e) {{
                    e.printStackTrace(System.out);
                }}
            }}
            public static void main(String[] a) throws Throwable {{
                {body}
                System.out.println(\"done\");
            }}
        }}"
    )
}

/// Runs a program, which must not notice the agent.
fn run(jdk: &Jdk, small: &Small, options: &[&str]) -> Told {
    let context = format!("JDK {} {options:?}", jdk.feature);
    let arguments = [options, &["-cp", small.path(), "Main"]].concat();
    let plain = java(jdk).args(&arguments).output().unwrap();
    let (output, told) = Peer::new().run(jdk, &arguments);
    assert_eq!(output, plain, "{context}");
    assert!(output.stdout.ends_with(b"done\n"), "{context}: {output:?}");
    assert_eq!(told.bye, Some(Bye::Complete), "{context}");
    assert_eq!(told.unseen, [], "{context}");
    told
}

/// What is told of one kind, of the program's own classes but the first: its launcher asks for that.
fn lines(told: &Told, kind: &str) -> Vec<String> {
    let sightings = told.sightings(Segment::Ambient);
    let rest = sightings.iter().filter_map(|line| line.strip_prefix(kind));
    let rest = rest.map(|rest| rest.trim_start().to_owned());
    let is_own = |name: &String| {
        let is_class = name.starts_with(|first: char| first.is_ascii_uppercase());
        (is_class && name != "Main") || kind == "Network"
    };
    rest.filter(is_own).collect()
}

/// What a program on each of these JDKs that does this asks for.
fn check(jdks: &[Jdk], body: &str, classes: &str, kind: &str, expected: &[&str]) {
    for jdk in jdks {
        let small = Small::new(jdk, &program(body, classes));
        for options in [&[][..], &["-Xcheck:jni", "-Xrs"]] {
            let told = run(jdk, &small, options);
            let lines = lines(&told, kind);
            assert_eq!(lines, expected, "JDK {} {options:?}", jdk.feature);
        }
    }
}

#[test]
fn classes_by_their_names() {
    check(
        &jdks().unwrap(),
        r#"
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        attempt(() -> Class.forName("Found"));
        attempt(() -> Class.forName("Found"));
        attempt(() -> Class.forName("Absent"));
        attempt(() -> Class.forName("[[LElement;"));
        attempt(() -> Class.forName("[LNoElement;"));
        attempt(() -> Class.forName("Outer$Inner", false, loader));
        attempt(() -> loader.loadClass("Loaded"));
        attempt(() -> loader.loadClass("NotLoaded"));
        attempt(() -> loader.loadClass("[LNobody;"));
        attempt(() -> new URLClassLoader(new URL[0], null).loadClass("NotInBoot"));
        attempt(() -> Class.forName("Strange/Name"));
        attempt(() -> Class.forName("Strange;"));
        attempt(() -> Class.forName(""));
        attempt(() -> Class.forName("[I"));
        attempt(() -> Class.forName(null));
        attempt(() -> Class.forName("java.lang.Nothing"));
        try { Class.forName(new String(new char[70000]).replace('\0', 'X')); } catch (ClassNotFoundException e) { }
        "#,
        "class Found {} class Element {} class Outer { static class Inner {} } class Loaded {}",
        "Class",
        &[
            "Absent",
            "Attempt",
            "Element",
            "Found",
            "Loaded",
            "NoElement",
            "NotInBoot",
            "NotLoaded",
            "Outer$Inner",
        ],
    );
}

#[test]
fn members_that_are_listed() {
    check(
        &jdks().unwrap(),
        r#"
        System.out.println(Fields.class.getDeclaredFields().length);
        attempt(() -> Methods.class.getMethod("none"));
        attempt(() -> Constructors.class.getConstructor(int.class));
        System.out.println(Annotated.class.getAnnotations().length);
        System.out.println(Members.class.getDeclaredClasses().length);
        System.out.println(Implements.class.getInterfaces().length);
        System.out.println(Generic.class.getTypeParameters().length);
        attempt(() -> Color.valueOf("BLACK"));
        attempt(() -> Color.valueOf("RED"));
        "#,
        "class Fields { int x; } class Base { public void m() {} } class Methods extends Base {}
        class Constructors {} class Members { class Member {} } class Implements implements Runnable { public void run() {} }
        class Generic<T> {} enum Color { RED }
        @Retention(RetentionPolicy.RUNTIME) @interface Note {} @Note class Annotated {}",
        "Members",
        &[
            "Annotated",
            "Base",
            "Color",
            "Constructors",
            "Fields",
            "Generic",
            "Implements",
            "Members",
            "Methods",
            "Note",
        ],
    );
}

/// What every user of a class relies on anyway is no question about its members.
#[test]
fn heads_are_no_members() {
    check(
        &jdks().unwrap(),
        r"
        Object thing = new Thing();
        System.out.println(thing.getClass().getName() + Thing.class.getSuperclass() + Thing.class.getModifiers()
            + Thing.class.isInstance(thing) + Thing.class.isArray() + Object.class.isAssignableFrom(Thing.class)
            + Thing.class.desiredAssertionStatus() + new Thing[0].getClass().getComponentType());
        ",
        "class Thing {}",
        "Members",
        &[],
    );
}

#[test]
fn members_that_are_looked_up() {
    check(
        &jdks().unwrap(),
        r#"
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType nothing = MethodType.methodType(void.class);
        attempt(() -> lookup.findVirtual(Found.class, "f", nothing));
        attempt(() -> lookup.findVirtual(InVain.class, "f", nothing));
        attempt(() -> lookup.findStatic(Static.class, "s", nothing));
        attempt(() -> lookup.findConstructor(Made.class, nothing));
        attempt(() -> lookup.findGetter(Field.class, "x", int.class));
        attempt(() -> lookup.findGetter(NoField.class, "x", int.class));
        attempt(() -> lookup.findVirtual(Sub.class, "f", nothing));
        attempt(() -> lookup.findVirtual(String.class, "none", nothing));
        attempt(() -> lookup.findVirtual(Found[].class, "clone", MethodType.methodType(Object.class)));
        "#,
        "class Found { void f() {} } class InVain {} class Static { static void s() {} } class Made {}
        class Field { int x; } class NoField {}
        interface Top {} interface Left extends Top {} interface Right extends Top {}
        abstract class Base implements Left {} class Sub extends Base implements Right, Runnable { public void run() {} }",
        "Members",
        &[
            "Base", "Field", "Found", "InVain", "Left", "Made", "NoField", "Right", "Static", "Sub", "Top",
        ],
    );
}

/// What the JVM links is named by the code that runs, and so is known without.
#[test]
fn lambdas_and_texts_are_no_questions() {
    check(
        &jdks().unwrap(),
        r#"
        Supplier<Object> made = Made::new;
        Supplier<int[]> captured = () -> new int[a.length];
        Function<Base, Object> called = Base::m;
        Runnable stated = Static::s;
        IntFunction<Made[]> array = Made[]::new;
        stated.run();
        System.out.println("" + (made.get() != null) + captured.get().length + called.apply(new Sub())
            + array.apply(2).length);
        "#,
        "class Made {} class Base { Object m() { return 1; } } class Sub extends Base {}
        class Static { static void s() {} }",
        "Members",
        &[],
    );
}

#[test]
fn proxies_and_serialization() {
    check(
        &jdks().unwrap(),
        r#"
        Object proxy = java.lang.reflect.Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] {Service.class},
            (object, method, arguments) -> 1);
        System.out.println(((Service) proxy).serve());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObjectOutputStream out = new ObjectOutputStream(bytes);
        out.writeObject(new Data());
        out.flush();
        attempt(() -> new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject());
        byte[] other = new String(bytes.toByteArray(), "ISO-8859-1").replace("Data", "Gone").getBytes("ISO-8859-1");
        attempt(() -> new ObjectInputStream(new ByteArrayInputStream(other)).readObject());
        "#,
        "interface Service { Object serve(); } class Data implements Serializable { int x; }",
        "Members",
        &["Data", "Service"],
    );
}

#[test]
fn records_and_sealed_classes() {
    let mut jdks = jdks().unwrap();
    jdks.retain(|jdk| jdk.feature >= 17);
    check(
        &jdks,
        r#"
        System.out.println(Point.class.getRecordComponents().length + " " + new Point(1, 2));
        System.out.println(Plain.class.isRecord());
        System.out.println(Sealed.class.getPermittedSubclasses().length);
        System.out.println(Nest.class.getNestMembers().length);
        "#,
        "record Point(int x, int y) {} class Plain {} class Nest { class Inner {} }
        sealed interface Sealed permits Sealed.One { record One() implements Sealed {} }",
        "Members",
        &["Nest", "Point", "Sealed", "Sealed$One"],
    );
}

#[test]
fn connections() {
    check(
        &jdks().unwrap(),
        r#"
        InetAddress number = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        InetAddress named = InetAddress.getByAddress("shop.example", new byte[] {127, 0, 0, 2});
        InetAddress six = InetAddress.getByAddress(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
        ServerSocket server = new ServerSocket(0, 9, number);
        int port = server.getLocalPort();
        new Socket(number, port).close();
        SocketChannel.open(new InetSocketAddress(number, port)).close();
        try { new Socket(six, port).close(); } catch (IOException e) { }
        try { SocketChannel.open(new InetSocketAddress(named, port)).close(); } catch (IOException e) { }
        server.close();
        InetAddress third = InetAddress.getByAddress(new byte[] {127, 0, 0, 3});
        new DatagramSocket().send(new DatagramPacket(new byte[1], 1, third, 9));
        InetAddress fourth = InetAddress.getByAddress(new byte[] {127, 0, 0, 4});
        DatagramChannel.open().send(ByteBuffer.allocate(1), new InetSocketAddress(fourth, 9));
        InetAddress fifth = InetAddress.getByAddress(new byte[] {127, 0, 0, 5});
        new DatagramSocket().connect(fifth, 9);
        InetAddress.getByName("localhost");
        "#,
        "",
        "Network",
        &[
            "127.0.0.1:#",
            "127.0.0.3:#",
            "127.0.0.4:#",
            "127.0.0.5:#",
            "[::1]:#",
            "localhost",
            "shop.example:#",
        ],
    );
}

#[test]
fn sockets_with_paths() {
    let mut jdks = jdks().unwrap();
    jdks.retain(|jdk| jdk.feature >= 16);
    check(
        &jdks,
        r#"
        attempt(() -> SocketChannel.open(UnixDomainSocketAddress.of("/none/socket")));
        "#,
        "",
        "Network",
        &["unix:/none/socket"],
    );
}

/// Without a row of the table what that row shows is told as unseen, and nothing else.
#[test]
fn a_table_that_lacks_a_row_is_told() {
    let body = r#"
        Class.forName("Main");
        Main.class.getDeclaredMethods();
        ServerSocket server = new ServerSocket(0);
        SocketChannel.open(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), server.getLocalPort()));
    "#;
    for jdk in jdks().unwrap() {
        let small = Small::new(&jdk, &program(body, ""));
        for (row, what) in [
            ("java/lang/Class.forName0", Sight::Classes),
            ("java/lang/ClassLoader.findLoadedClass0", Sight::Classes),
            ("java/lang/Class.getDeclaredMethods0", Sight::Reflection),
            ("sun/nio/ch/Net.connect0", Sight::Network),
        ] {
            let peer = Peer::new();
            let option = format!("{},doctored={row}", peer.option());
            let mut command = java(&jdk);
            command.args([&option, "-cp", small.path(), "Main"]);
            let (output, told) = peer.run_command(&mut command);
            let context = format!("JDK {}, {row}", jdk.feature);
            assert_eq!(output.stdout, b"done\n", "{context}");
            let told: Vec<_> = told.unseen.iter().map(|unseen| unseen.what).collect();
            assert_eq!(told, [what], "{context}");
        }
    }
}

/// Each question counts for the tests that are open, and for initialisers.
#[test]
fn questions_belong_to_tests_and_initialisers() {
    let test = |name: &str, body: &str| {
        format!(
            "public class {name} {{ @org.junit.Test public void asks() throws Exception {{ {body} }} }}"
        )
    };
    let ask = |name: &str| {
        format!("try {{ Class.forName(\"{name}\"); }} catch (ClassNotFoundException e) {{ }}")
    };
    let first = test(
        "ATest",
        &format!("{}{} new Once();", ask("Both"), ask("First")),
    );
    let second = test(
        "BTest",
        &format!("{}{} new Once();", ask("Both"), ask("Second")),
    );
    let once = format!("class Once {{ static {{ {} }} }}", ask("Never"));
    let sources = [
        ("ATest.java", &first[..]),
        ("BTest.java", &second),
        ("Once.java", &once),
    ];
    let jars = class_path(&["junit:junit:4.13.2"]).unwrap();
    let jars = std::env::join_paths(jars).unwrap().into_string().unwrap();
    for jdk in jdks().unwrap() {
        let small = Small::compiled(&jdk, &["-nowarn", "-cp", &jars], &sources);
        let path = format!("{}:{jars}", small.path());
        let arguments = ["-cp", &path, "org.junit.runner.JUnitCore", "ATest", "BTest"];
        let (output, told) = Peer::new().run(&jdk, &arguments);
        assert!(output.status.success(), "{output:?}");
        let asked =
            |segment, name: &str| told.sightings(segment).contains(&format!("Class {name}"));
        for (test, names) in [
            ("ATest", ["Both", "First", "Never"].as_slice()),
            ("BTest", &["Both", "Second"]),
        ] {
            let segment = Segment::Entity(told.entities[test]);
            for name in ["Both", "First", "Second", "Never"] {
                let context = format!("JDK {}, {test}, {name}", jdk.feature);
                assert_eq!(asked(segment, name), names.contains(&name), "{context}");
            }
        }
        let initialiser = Segment::Initialiser(told.class("Once").number);
        assert!(asked(initialiser, "Never") && !asked(initialiser, "Both"));
    }
}
