//! The project that is measured unless another is named: classes that do some arithmetic, and a test class
//! of JUnit 4 for each, about three seconds of processor time in all.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::subject::{Change, Subject};

const N_CLASSES: usize = 40;
const N_METHODS: usize = 10;
const N_TESTS_OF_CLASS: usize = 5;

/// How often a test calls all methods of its class: twenty milliseconds or so.
const N_CALLS: usize = 500_000;

/// The number that is changed, in the first method of the first class; the others have smaller ones.
const LITERAL: &str = "999999";

pub(super) fn make(surefire: &str) -> Result<Subject> {
    let directory = tempfile::tempdir()?;
    let root = directory.path();
    write(root, "pom.xml", &pom(surefire))?;
    for number in 0..N_CLASSES {
        write(root, &format!("{MAIN}/Part{number}.java"), &part(number))?;
        write(
            root,
            &format!("{TEST}/Part{number}Test.java"),
            &test(number),
        )?;
    }
    let change = Change::find(root, format!("{MAIN}/Part0.java").as_ref(), LITERAL)?;
    let name = format!(
        "generated project ({N_CLASSES} classes, {} tests; JUnit 4, Surefire {surefire})",
        N_CLASSES * N_TESTS_OF_CLASS
    );
    Ok(Subject::generated(
        name,
        directory,
        change,
        N_TESTS_OF_CLASS,
    ))
}

const MAIN: &str = "src/main/java/tamis/bench";
const TEST: &str = "src/test/java/tamis/bench";

fn write(root: &Path, path: &str, text: &str) -> Result<()> {
    let file = root.join(path);
    fs::create_dir_all(file.parent().context("a file lies in a directory")?)?;
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// Every version is fixed; the classes are of a release that all JDKs and tools understand.
fn pom(surefire: &str) -> String {
    format!(
        r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tamis.bench</groupId>
  <artifactId>arithmetic</artifactId>
  <version>1</version>
  <properties>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
    <maven.compiler.source>1.8</maven.compiler.source>
    <maven.compiler.target>1.8</maven.compiler.target>
  </properties>
  <dependencies>
    <dependency>
      <groupId>junit</groupId>
      <artifactId>junit</artifactId>
      <version>4.13.2</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-resources-plugin</artifactId>
        <version>3.3.1</version>
      </plugin>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.13.0</version>
      </plugin>
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>{surefire}</version>
      </plugin>
    </plugins>
  </build>
</project>
"#
    )
}

fn part(number: usize) -> String {
    let mut text = format!("package tamis.bench;\n\npublic class Part{number} {{\n");
    for method in 0..N_METHODS {
        let literal = match (number, method) {
            (0, 0) => LITERAL.to_owned(),
            _ => (number * N_METHODS + method).to_string(),
        };
        let _infallible = write!(
            text,
            "    int step{method}(int value) {{\n        return value * 31 + (value >>> 7) ^ {literal};\n    }}\n\n"
        );
    }
    text.push_str(
        "    public int walk(int start, int times) {\n        int value = start;\n        \
         for (int i = 0; i < times; i++) {\n",
    );
    for method in 0..N_METHODS {
        let _infallible = writeln!(text, "            value = step{method}(value);");
    }
    text.push_str("        }\n        return value;\n    }\n}\n");
    text
}

/// The tests pass whatever the numbers are.
fn test(number: usize) -> String {
    let mut text = format!(
        "package tamis.bench;\n\nimport static org.junit.Assert.assertEquals;\n\n\
         import org.junit.Test;\n\npublic class Part{number}Test {{\n"
    );
    for test in 0..N_TESTS_OF_CLASS {
        let _infallible = write!(
            text,
            "    @Test\n    public void walksFrom{test}() {{\n        Part{number} part = new Part{number}();\n        \
             assertEquals(part.walk({test}, {half}), part.walk({test}, {half}));\n    }}\n\n",
            half = N_CALLS / 2
        );
    }
    text.push_str("}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_can_be_changed_and_belongs_to_one_class() {
        let with_literal = (0..N_CLASSES).filter(|number| part(*number).contains(LITERAL));
        assert_eq!(with_literal.collect::<Vec<_>>(), [0]);
        assert_eq!(part(0).matches(LITERAL).count(), 1);
    }

    #[test]
    fn the_project_has_a_test_class_for_each_class() {
        let subject = make("3.2.5").unwrap();
        let target = tempfile::tempdir().unwrap();
        subject.copy_to(target.path()).unwrap();
        let n_files = |path| fs::read_dir(target.path().join(path)).unwrap().count();
        assert_eq!([n_files(MAIN), n_files(TEST)], [N_CLASSES; 2]);
        let pom = fs::read_to_string(target.path().join("pom.xml")).unwrap();
        assert!(pom.contains("<version>3.2.5</version>"), "{pom}");
    }
}
