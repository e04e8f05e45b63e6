//! Tests in Kotlin and Groovy: what is selected is decided by class files, whoever made them.

use std::fs;

use tamis_testkit::compilers::ExternalCompiler;

use crate::project::{Project, Ran};

/// A program with classes and a test of each.
const KOTLIN: &str = "package shop
class Price { fun get(): Int = 1 }
object Tax { fun get(): Int = 1 }
inline fun rounded(value: Int, by: (Int) -> Int): Int = by(value) + 0
class PriceTest { @org.junit.Test fun asks() { check(Price().get() == 1) } }
class TaxTest { @org.junit.Test fun asks() { check(listOf(1).map { it * Tax.get() }.sum() == 1) } }
class RoundedTest { @org.junit.Test fun asks() { check(rounded(1) { it } == 1) } }";

const GROOVY: &str = "package shop
class Price { static int get() { 1 } }
class Tax { static int get() { 1 } }
class Label { static String of(Object any) { 'any' } }
class PriceTest { @org.junit.Test void asks() { assert Price.get() == 1 } }
class TaxTest { @org.junit.Test void asks() { assert [1].collect { it * Tax.get() }.sum() == 1 } }
class LabelTest { @org.junit.Test void asks() { assert Label.of(1) == 'any' } }";

/// A text of the program, what stands there instead, and what then becomes of the tests that run.
type Change = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

#[test]
fn kotlin() {
    let compiler = ExternalCompiler {
        libraries: &[
            "org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.9.0",
            "junit:junit:4.13.2",
        ],
        ..ExternalCompiler::kotlin()
    };
    let changes: [Change; 2] = [
        (
            "fun get(): Int = 1 }\nobject",
            "fun get(): Int = 2 }\nobject",
            &[("PriceTest", "failed")],
        ),
        // The body of an inline function is copied into its callers.
        (
            "by(value) + 0",
            "by(value) + 1",
            &[("RoundedTest", "failed")],
        ),
    ];
    let tests = ["PriceTest", "RoundedTest", "TaxTest"];
    check(&compiler, ("Shop.kt", KOTLIN), tests, &changes);
}

#[test]
fn groovy() {
    let compiler = ExternalCompiler {
        libraries: &["org.apache.groovy:groovy:4.0.23", "junit:junit:4.13.2"],
        ..ExternalCompiler::groovy()
    };
    let changes: [Change; 2] = [
        (
            "Price { static int get() { 1 }",
            "Price { static int get() { 2 }",
            // Both share Groovy's registry of classes, and the one that is changed comes first.
            &[("LabelTest", "passed"), ("PriceTest", "failed")],
        ),
        // Which method is called is found at run time, by what the argument is: the caller stays as it was.
        (
            "{ 'any' } }",
            "{ 'any' }; static String of(Integer number) { 'number' } }",
            &[("LabelTest", "failed")],
        ),
    ];
    let tests = ["LabelTest", "PriceTest", "TaxTest"];
    check(&compiler, ("Shop.groovy", GROOVY), tests, &changes);
}

fn check(
    compiler: &ExternalCompiler,
    (file, source): (&str, &str),
    tests: [&str; 3],
    changes: &[Change],
) {
    let project = Project::empty(17);
    let compile = |source: String| {
        let classes = compiler.compile(&[(file.to_owned(), source)]).unwrap();
        for (name, bytes) in classes {
            let path = project.path(format!("classes/{name}.class"));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            // What is as it was stays untouched, as builds do it.
            if fs::read(&path).ok().as_ref() != Some(&bytes) {
                fs::write(path, bytes).unwrap();
            }
        }
    };
    let test = || test(&project, compiler, tests);
    compile(source.to_owned());
    test().assert_ran(&tests);
    test().assert_ran(&[]);
    for (from, to, verdicts) in changes {
        assert!(source.contains(from), "there is no `{from}`");
        compile(source.replace(from, to));
        test().assert_verdicts(verdicts);
        compile(source.to_owned());
        test().assert_ran(&[]);
    }
}

/// Runs the tests by a plain command.
fn test(project: &Project, compiler: &ExternalCompiler, tests: [&str; 3]) -> Ran {
    let mut places = vec![project.path("classes")];
    places.extend(compiler.library_jars().unwrap());
    // The last one first: nobody needs what is initialised by an earlier one.
    let names = tests.map(|name| format!("shop.{name}"));
    let names: Vec<&str> = names.iter().rev().map(String::as_str).collect();
    project.junit_core(&places, &names)
}
