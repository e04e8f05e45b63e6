//! Tests in Kotlin and Groovy: what is selected is decided by class files, whoever made them.

use std::fs;

use tamis_testkit::compilers::ExternalCompiler;

use crate::project::{Project, Ran};

/// A program with two classes and a test of each, in which the first gives this number.
const KOTLIN: &str = "package shop
class Price { fun get(): Int = NUMBER }
object Tax { fun get(): Int = 1 }
class PriceTest { @org.junit.Test fun asks() { check(Price().get() == 1) } }
class TaxTest { @org.junit.Test fun asks() { check(listOf(1).map { it * Tax.get() }.sum() == 1) } }";

const GROOVY: &str = "package shop
class Price { static int get() { NUMBER } }
class Tax { static int get() { 1 } }
class PriceTest { @org.junit.Test void asks() { assert Price.get() == 1 } }
class TaxTest { @org.junit.Test void asks() { assert [1].collect { it * Tax.get() }.sum() == 1 } }";

#[test]
fn kotlin() {
    let compiler = ExternalCompiler {
        libraries: &[
            "org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.9.0",
            "junit:junit:4.13.2",
        ],
        ..ExternalCompiler::kotlin()
    };
    check(&compiler, "Shop.kt", KOTLIN);
}

#[test]
fn groovy() {
    let compiler = ExternalCompiler {
        libraries: &["org.apache.groovy:groovy:4.0.23", "junit:junit:4.13.2"],
        ..ExternalCompiler::groovy()
    };
    check(&compiler, "Shop.groovy", GROOVY);
}

fn check(compiler: &ExternalCompiler, file: &str, source: &str) {
    let project = Project::empty(17);
    let compile = |number: &str| {
        let source = source.replace("NUMBER", number);
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
    compile("1");
    test(&project, compiler).assert_ran(&["PriceTest", "TaxTest"]);
    test(&project, compiler).assert_ran(&[]);
    compile("2");
    test(&project, compiler).assert_verdicts(&[("PriceTest", "failed")]);
    compile("1");
    test(&project, compiler).assert_ran(&[]);
}

/// Runs the tests by a plain command.
fn test(project: &Project, compiler: &ExternalCompiler) -> Ran {
    let mut places = vec![project.path("classes")];
    places.extend(compiler.library_jars().unwrap());
    project.junit_core(&places, &["shop.TaxTest", "shop.PriceTest"])
}
