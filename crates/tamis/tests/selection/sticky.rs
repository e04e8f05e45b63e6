//! What reflection told once, the JDK keeps: a second test of the same JVM gets it without asking again, and is concerned as the
//! first is.

use crate::plain_program::PlainProgram;

/// Two tests do the same, one after the other; after the change it goes wrong.
struct Pair {
    /// What the names of the tests begin with.
    name: &'static str,
    classes: &'static [(&'static str, &'static str)],
    body: &'static str,
    change: [&'static str; 3],
}

const PAIRS: &[Pair] = &[
    Pair {
        name: "Methods",
        classes: &[("Listed", "class Listed { int one() { return 1; } }")],
        body: "if (Listed.class.getDeclaredMethods().length != 1) throw new Error();",
        change: ["Listed", "int one()", "private void two() {} int one()"],
    },
    // A name that is in no class file.
    Pair {
        name: "Named",
        classes: &[("Hidden", "class Hidden { int one() { return 1; } }")],
        body: "Class<?> hidden = Class.forName(new StringBuilder(\"neddiH.pohs\").reverse().toString());
               if (hidden.getDeclaredMethods().length != 1) throw new Error();",
        change: ["Hidden", "int one()", "private void two() {} int one()"],
    },
    Pair {
        name: "Mark",
        classes: &[("Marked", "class Marked { }")],
        body: "if (Marked.class.isAnnotationPresent(Deprecated.class)) throw new Error();",
        change: ["Marked", "class Marked", "@Deprecated class Marked"],
    },
    Pair {
        name: "MethodMark",
        classes: &[("Old", "class Old { void one() { } }")],
        body: "if (Old.class.getDeclaredMethod(\"one\").isAnnotationPresent(Deprecated.class)) throw new Error();",
        change: ["Old", "void one", "@Deprecated void one"],
    },
    Pair {
        name: "Value",
        classes: &[
            ("Priced", "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
                @interface Priced { int value() default 1; }"),
            ("Good", "@Priced class Good { }"),
        ],
        body: "if (Good.class.getAnnotation(Priced.class).value() != 1) throw new Error();",
        change: ["Priced", "default 1", "default 2"],
    },
    Pair {
        name: "Proxy",
        classes: &[("Face", "public interface Face { int f(); }")],
        body: "Object proxy = java.lang.reflect.Proxy.newProxyInstance(Face.class.getClassLoader(), new Class<?>[] { Face.class }, (object, method, all) -> null);
               for (java.lang.reflect.Method method : proxy.getClass().getMethods()) if (method.getName().equals(\"added\")) throw new Error();",
        change: ["Face", "int f();", "int f(); int added();"],
    },
    Pair {
        name: "Bean",
        classes: &[("Bean", "public class Bean { public int getPrice() { return 1; } }")],
        body: "if (java.beans.Introspector.getBeanInfo(Bean.class).getPropertyDescriptors().length != 2) throw new Error();",
        change: ["Bean", "public int", "public int getTax() { return 1; } public int"],
    },
    Pair {
        name: "Stream",
        classes: &[("Kept", "class Kept implements java.io.Serializable { private static final long serialVersionUID = 1; private int one; }")],
        body: "if (java.io.ObjectStreamClass.lookup(Kept.class).getFields().length != 1) throw new Error();",
        change: ["Kept", "private int one", "private int one, two"],
    },
    Pair {
        name: "Enum",
        classes: &[("Colour", "enum Colour { RED }")],
        body: "if (Enum.valueOf(Colour.class, \"RED\").ordinal() != 0) throw new Error();",
        change: ["Colour", "RED", "BLUE, RED"],
    },
    // Classes that a test gets at by what others declare.
    Pair {
        name: "FieldType",
        classes: &[
            ("Item", "class Item { void one() { } }"),
            ("Holder", "class Holder { Item item; }"),
        ],
        body: "if (Holder.class.getDeclaredField(\"item\").getType().getDeclaredMethods().length != 1) throw new Error();",
        change: ["Item", "void one", "void two() { } void one"],
    },
    Pair {
        name: "TypeHead",
        classes: &[
            ("Part", "class Part { }"),
            ("Whole", "class Whole { Part part() { return null; } }"),
        ],
        body: "if (Whole.class.getDeclaredMethod(\"part\").getReturnType().getSuperclass() != Object.class) throw new Error();",
        change: ["Part", "class Part", "class Part extends java.util.BitSet"],
    },
    Pair {
        name: "Generic",
        classes: &[
            ("Argument", "class Argument { void one() { } }"),
            ("Typed", "class Typed extends java.util.ArrayList<Argument> { }"),
        ],
        body: "java.lang.reflect.ParameterizedType type = (java.lang.reflect.ParameterizedType) Typed.class.getGenericSuperclass();
               if (((Class<?>) type.getActualTypeArguments()[0]).getDeclaredMethods().length != 1) throw new Error();",
        change: ["Argument", "void one", "void two() { } void one"],
    },
    Pair {
        name: "ClassValue",
        classes: &[
            ("Uses", "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
                @interface Uses { Class<?> value(); }"),
            ("Used", "class Used { void one() { } }"),
            ("User", "@Uses(Used.class) class User { }"),
        ],
        body: "if (User.class.getAnnotation(Uses.class).value().getDeclaredMethods().length != 1) throw new Error();",
        change: ["Used", "void one", "void two() { } void one"],
    },
    // What the initialiser of such a class ran.
    Pair {
        name: "Initialised",
        classes: &[
            ("Defaults", "class Defaults { static Integer value() { return 1; } }"),
            ("Limited", "class Limited { static final Integer LIMIT = Defaults.value(); }"),
            ("Limiting", "class Limiting { Limited limited; }"),
        ],
        body: "java.lang.reflect.Field limit = Limiting.class.getDeclaredField(\"limited\").getType().getDeclaredField(\"LIMIT\");
               limit.setAccessible(true);
               if ((Integer) limit.get(null) != 1) throw new Error();",
        change: ["Defaults", "return 1", "return 2"],
    },
    // Whatever is asked of packages counts for all that come later: these are the last.
    Pair {
        name: "Package",
        classes: &[
            ("Shown", "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface Shown { int value(); }"),
            ("package-info", "@Shown(1) package shop;"),
        ],
        body: "if (getClass().getPackage().getAnnotation(Shown.class).value() != 1) throw new Error();",
        change: ["package-info", "@Shown(1)", "@Shown(2)"],
    },
];

#[test]
fn what_reflection_told_the_first_test_concerns_the_second() {
    let bodies = PAIRS.iter().flat_map(|pair| {
        ["1", "2"].map(|number| {
            let name = format!("{}{number}Test", pair.name);
            let body = pair.body;
            let text = format!(
                "public class {name} {{ @org.junit.Test public void asks() throws Exception {{ {body} }} }}"
            );
            (name, text)
        })
    });
    let bodies: Vec<(String, String)> = bodies.collect();
    let classes = PAIRS.iter().flat_map(|pair| pair.classes);
    let mut sources: Vec<(&str, &str)> = classes.copied().collect();
    sources.extend(bodies.iter().map(|(name, text)| (&**name, &**text)));
    let mut program = PlainProgram::new(&sources);
    program.run().assert_ran(&program.tests());
    program.run().assert_ran(&[]);
    for pair in PAIRS {
        program.compile(&[pair.change]);
        let tests = ["1", "2"].map(|number| format!("{}{number}Test", pair.name));
        let verdicts: Vec<(&str, &str)> = tests.iter().map(|test| (&**test, "failed")).collect();
        // By the finest of meshes that every record has, too.
        let selected = program.selected("dispatch");
        let selected: Vec<&str> = selected.iter().map(String::as_str).collect();
        assert_eq!(selected, tests, "{}", pair.name);
        program.run().assert_verdicts_of(&verdicts, pair.name);
    }
}

/// JUnit makes a test for each constant of the enumeration that a method takes; the JDK knows them since the first test asked.
#[test]
fn what_a_framework_finds_in_a_test_class_concerns_it() {
    let sources = [
        ("Status", "enum Status { NEW }"),
        (
            "Labels",
            "class Labels { static String of(Enum<?> one) { return one.name().equals(\"NEW\") ? \"new\" : null; } }",
        ),
        (
            "FirstTest",
            "public class FirstTest { @org.junit.Test public void asks() {
                if (Enum.valueOf(Status.class, \"NEW\").ordinal() != 0) throw new Error(); } }",
        ),
        (
            "SecondTest",
            "@org.junit.runner.RunWith(org.junit.experimental.theories.Theories.class)
             public class SecondTest { @org.junit.experimental.theories.Theory public void has(Status status) {
                if (Labels.of(status) == null) throw new Error(); } }",
        ),
    ];
    let mut program = PlainProgram::new(&sources);
    program.run().assert_ran(&program.tests());
    program.run().assert_ran(&[]);
    program.compile(&[["Status", "NEW", "NEW, DONE"]]);
    let verdicts = [("FirstTest", "passed"), ("SecondTest", "failed")];
    program.run().assert_verdicts(&verdicts);
}
