//! Tests that say of themselves that they run each time.

use crate::plain_program::PlainProgram;

const CLASSES: &[(&str, &str)] = &[
    ("TamisAlwaysRun", "public interface TamisAlwaysRun { }"),
    // What Jupiter's looks like to who reads class files.
    (
        "Tag",
        "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface Tag { String value(); }",
    ),
    (
        "Slow",
        "@Tag(\"tamis-always-run\") @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface Slow { }",
    ),
    (
        "Base",
        "@org.junit.experimental.categories.Category(TamisAlwaysRun.class) public abstract class Base { }",
    ),
    (
        "CalmTest",
        "@Tag(\"calm\") public class CalmTest { @org.junit.Test public void passes() { } }",
    ),
    (
        "ComposedTest",
        "@Slow public class ComposedTest { @org.junit.Test public void passes() { } }",
    ),
    (
        "HeirTest",
        "public class HeirTest extends Base { @org.junit.Test public void passes() { } }",
    ),
    (
        "MethodTest",
        "public class MethodTest { @org.junit.Test public void calm() { }
            @Tag(\"tamis-always-run\") @org.junit.Test public void tagged() { } }",
    ),
    (
        "TaggedTest",
        "@Tag(\"tamis-always-run\") public class TaggedTest { @org.junit.Test public void passes() { } }",
    ),
];

const OF_JUPITER: &[(&str, &str)] = &[
    (
        "CalmTest",
        "@Tag(\"calm\") public class CalmTest { @Test void passes() { } @Nested class Inner { @Test void passes() { } } }",
    ),
    (
        "NestedTest",
        "public class NestedTest { @Test void calm() { }
            @Nested class Inner { @Tag(\"tamis-always-run\") @Test void tagged() { } } }",
    ),
    // The compiler puts both into one annotation, `Tags`.
    (
        "RepeatedTest",
        "@Tag(\"calm\") @Tag(\"tamis-always-run\") public class RepeatedTest { @Test void passes() { } }",
    ),
    (
        "TagsTest",
        "public class TagsTest { @Tags({@Tag(\"calm\"), @Tag(\"tamis-always-run\")}) @Test void tagged() { } }",
    ),
];

#[test]
fn tags_of_jupiter_count_where_they_stand() {
    let program = PlainProgram::of_jupiter(OF_JUPITER);
    program.run().assert_ran(&program.tests());
    let second = program.run();
    second.assert_ran(&["NestedTest", "RepeatedTest", "TagsTest"]);
    assert!(second.skipped.contains("CalmTest"), "{second:#?}");
}

#[test]
fn a_test_with_the_tag_runs_each_time() {
    let mut program = PlainProgram::new(CLASSES);
    program.run().assert_ran(&program.tests());
    let tagged = ["ComposedTest", "HeirTest", "MethodTest", "TaggedTest"];
    let second = program.run();
    second.assert_ran(&tagged);
    let entities = second.report["entities"].as_array().unwrap().iter();
    let kinds = entities.map(|entity| entity["decision"]["kind"].as_str().unwrap());
    let kinds: Vec<&str> = kinds.collect();
    assert_eq!(kinds, ["skip", "always", "always", "always", "always"]);

    // Where methods are selected, it is the method.
    let by_method = || program.run_with(&["--granularity", "method"], &[]);
    by_method();
    let ran = by_method();
    ran.assert_ran(&[
        "ComposedTest",
        "HeirTest",
        "MethodTest#tagged",
        "TaggedTest",
    ]);
    assert!(ran.skipped.contains("MethodTest#calm"), "{ran:#?}");

    // Without the tag it runs once more.
    let untagged = ["TaggedTest", "@Tag(\"tamis-always-run\") ", ""];
    program.compile(&[untagged]);
    program.run().assert_ran(&tagged);
    program.run().assert_ran(&tagged[..3]);
    program.compile(&[]);
    program.run().assert_ran(&tagged);
}
