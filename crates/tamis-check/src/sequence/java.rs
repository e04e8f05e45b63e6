//! Tests as Java text, for either framework.

use super::{Argument, Step, Target, TestClass, TestMethod};
use crate::evolving::{Expected, Framework, SourceFile};
use crate::program::{Package, Program, TypeIndex};
use crate::render::{Renderer, heading, line};

/// How the tests of a revision are written down.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TestStyle<'a> {
    pub(crate) package: &'a str,
    pub(crate) framework: Framework,
    pub(crate) expected: Option<&'a Expected>,
    /// Class and method that are switched off.
    pub(crate) disabled: Option<(usize, usize)>,
    /// Class and method that say something else than is expected.
    pub(crate) failing: Option<(usize, usize)>,
}

/// The files of test classes.
pub(crate) fn files(
    program: &Program,
    classes: &[TestClass],
    style: TestStyle<'_>,
) -> Vec<SourceFile> {
    let files = classes.iter().enumerate().map(|(number, class)| {
        let package = style.package;
        let mut text = heading(program, Package::Main, package);
        text += imports(style.framework);
        line(&mut text, 0, &format!("public class {} {{", class.name));
        for (at, test) in class.methods.iter().enumerate() {
            method(&mut text, program, class, test, (number, at), style);
        }
        text += "}\n";
        SourceFile {
            path: format!("{package}/{}.java", class.name),
            text,
        }
    });
    files.collect()
}

fn imports(framework: Framework) -> &'static str {
    match framework {
        Framework::Jupiter => {
            "\nimport org.junit.jupiter.api.Disabled;\nimport org.junit.jupiter.api.Test;\n\n"
        }
        Framework::JUnit4 => "\nimport org.junit.Ignore;\nimport org.junit.Test;\n\n",
    }
}

fn method(
    text: &mut String,
    program: &Program,
    class: &TestClass,
    test: &TestMethod,
    place: (usize, usize),
    style: TestStyle<'_>,
) {
    let key = format!("{}.{}", class.name, test.name);
    let log = style.expected.and_then(|expected| expected.0.get(&key));
    let log = match log {
        _ if style.failing == Some(place) => "\"never;\"".to_owned(),
        Some(log) => format!("\"{}\"", log.escape_default()),
        None => "null".to_owned(),
    };
    if style.disabled == Some(place) {
        line(
            text,
            1,
            match style.framework {
                Framework::Jupiter => "@Disabled",
                Framework::JUnit4 => "@Ignore",
            },
        );
    }
    let oracle = format!("new tamis.check.Oracle(\"{}.{key}\", {log})", style.package);
    let names = names(program, test);
    line(text, 1, "@Test");
    line(text, 1, &format!("public void {}() {{", test.name));
    line(text, 2, &format!("tamis.check.Oracle oracle = {oracle};"));
    for (name, index) in names.iter().zip(&test.variables) {
        let class = &program.types[*index].name;
        line(text, 2, &format!("{class} {name} = null;"));
    }
    line(text, 2, "try {");
    for step in &test.steps {
        line(text, 3, &java(step, program, &names));
    }
    line(text, 2, "} catch (Throwable thrown) {");
    line(text, 3, "oracle.threw(thrown);");
    line(text, 2, "}");
    line(text, 2, &format!("oracle.end({});", names.join(", ")));
    line(text, 1, "}");
}

/// `a0`, `b1`, … after the types.
fn names(program: &Program, test: &TestMethod) -> Vec<String> {
    let variables = test.variables.iter().enumerate();
    let name = |(number, index): (usize, &TypeIndex)| {
        format!("{}{number}", program.types[*index].name.to_lowercase())
    };
    variables.map(name).collect()
}

fn java(step: &Step, program: &Program, names: &[String]) -> String {
    let renderer = Renderer { program };
    let target = |on: &Target| match on {
        Target::Variable(variable) => names[*variable].clone(),
        Target::Type(index) => renderer.name(*index).to_owned(),
    };
    match step {
        Step::New { variable, class } => {
            format!("{} = new {}();", names[*variable], renderer.name(*class))
        }
        Step::Call {
            on,
            name,
            argument,
            variable,
        } => {
            let argument = argument.map(|argument| match argument {
                Argument::Constant(value_type, value) => {
                    renderer.expression(&value_type.constant(value))
                }
                Argument::Null(index) => format!("({}) null", renderer.name(index)),
                Argument::Variable(variable) => names[variable].clone(),
            });
            let call = format!("{}.{name}({})", target(on), argument.unwrap_or_default());
            match variable {
                None => format!("oracle.value({call});"),
                Some(variable) => {
                    let name = &names[*variable];
                    format!("{name} = {call}; oracle.value({name});")
                }
            }
        }
        Step::Read { on, field } => format!("oracle.value({}.{field});", target(on)),
        Step::Java(java) => format!("oracle.value({java});"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::evolving::Bounds;
    use crate::program::sample::sample;
    use crate::random::Random;
    use crate::sequence::generate;

    const STYLE: TestStyle<'_> = TestStyle {
        package: "p",
        framework: Framework::Jupiter,
        expected: None,
        disabled: None,
        failing: None,
    };

    fn text(style: TestStyle<'_>) -> String {
        let tests = generate(&sample(), &Bounds::default(), &mut Random::new(1));
        files(&sample(), &tests[..1], style).remove(0).text
    }

    #[test]
    fn a_test_class() {
        insta::assert_snapshot!(text(STYLE), @r#"
        package p;

        import p.sub.*;

        import org.junit.jupiter.api.Disabled;
        import org.junit.jupiter.api.Test;

        public class T1 {
            @Test
            public void test1() {
                tamis.check.Oracle oracle = new tamis.check.Oracle("p.T1.test1", null);
                A a0 = null;
                try {
                    a0 = new B();
                    oracle.value(a0.m());
                    oracle.value(a0.m(1L));
                } catch (Throwable thrown) {
                    oracle.threw(thrown);
                }
                oracle.end(a0);
            }
            @Test
            public void test2() {
                tamis.check.Oracle oracle = new tamis.check.Oracle("p.T1.test2", null);
                A a0 = null;
                C c1 = null;
                A a2 = null;
                try {
                    a0 = new A();
                    oracle.value(a0.m());
                    oracle.value(C.f);
                    oracle.value(a0.f);
                    oracle.value(C.f);
                    c1 = new D();
                    a2 = c1.o(); oracle.value(a2);
                } catch (Throwable thrown) {
                    oracle.threw(thrown);
                }
                oracle.end(a0, c1, a2);
            }
            @Test
            public void test3() {
                tamis.check.Oracle oracle = new tamis.check.Oracle("p.T1.test3", null);
                A a0 = null;
                A a1 = null;
                A a2 = null;
                try {
                    oracle.value(C.f);
                    oracle.value(A.g);
                    a0 = new A();
                    a1 = new A();
                    a2 = new A();
                } catch (Throwable thrown) {
                    oracle.threw(thrown);
                }
                oracle.end(a0, a1, a2);
            }
        }
        "#);
    }

    #[test]
    fn what_is_expected_is_written_down() {
        let logs = [("T1.test1", "7;"), ("T1.test2", "\"\\")];
        let logs = logs.map(|(test, log)| (test.to_owned(), log.to_owned()));
        let expected = Expected(BTreeMap::from(logs));
        let text = text(TestStyle {
            expected: Some(&expected),
            failing: Some((0, 2)),
            ..STYLE
        });
        let oracles: Vec<_> = text.lines().filter(|l| l.contains("new tamis")).collect();
        insta::assert_snapshot!(oracles.join("\n"), @r#"
        tamis.check.Oracle oracle = new tamis.check.Oracle("p.T1.test1", "7;");
        tamis.check.Oracle oracle = new tamis.check.Oracle("p.T1.test2", "\"\\");
        tamis.check.Oracle oracle = new tamis.check.Oracle("p.T1.test3", "never;");
        "#);
    }

    #[test]
    fn a_test_that_is_switched_off() {
        let lines = |framework| {
            let text = text(TestStyle {
                framework,
                disabled: Some((0, 1)),
                ..STYLE
            });
            let annotations = text
                .lines()
                .filter(|l| l.contains('@') || l.contains("import"));
            annotations.map(str::trim).collect::<Vec<_>>().join("\n")
        };
        insta::assert_snapshot!(lines(Framework::Jupiter), @r#"
        import p.sub.*;
        import org.junit.jupiter.api.Disabled;
        import org.junit.jupiter.api.Test;
        @Test
        @Disabled
        @Test
        @Test
        "#);
        insta::assert_snapshot!(lines(Framework::JUnit4), @r#"
        import p.sub.*;
        import org.junit.Ignore;
        import org.junit.Test;
        @Test
        @Ignore
        @Test
        @Test
        "#);
    }
}
