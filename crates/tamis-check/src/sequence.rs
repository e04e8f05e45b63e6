//! Random tests of the first revision (SPEC 7.4 b): sequences of calls, and their Java text.
//!
//! A test begins with nothing. Each step takes a random constructor, method or field of the
//! program; arguments come from a pool of values per type, null for references, or from earlier
//! results. What a call answers goes to the oracle, and so does what it throws, which ends the
//! test.

use crate::evolving::{Bounds, Expected, Framework, SourceFile};
use crate::program::{Kind, Method, Package, Program, TypeIndex, ValueType};
use crate::random::Random;
use crate::render::{Renderer, heading, line};

/// The numbers that are given to methods.
const POOL: [i64; 4] = [0, 1, 7, -1];

/// A test class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestClass {
    pub(crate) name: String,
    pub(crate) methods: Vec<TestMethod>,
}

/// A test method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestMethod {
    pub(crate) name: String,
    /// The types of the objects that it keeps.
    variables: Vec<TypeIndex>,
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    New {
        variable: usize,
        class: TypeIndex,
    },
    Call {
        on: Target,
        name: String,
        argument: Option<Argument>,
        /// Where an object goes; numbers go to the oracle.
        variable: Option<usize>,
    },
    Read {
        on: Target,
        field: String,
    },
    /// A number from a grafted type, in Java.
    Java(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Variable(usize),
    Type(TypeIndex),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Argument {
    Constant(ValueType, i64),
    Null(TypeIndex),
    Variable(usize),
}

/// What a step may do.
#[derive(Debug, Clone, Copy)]
enum Action<'a> {
    New(TypeIndex),
    Method(TypeIndex, &'a Method),
    Field {
        on: TypeIndex,
        name: &'a str,
        is_static: bool,
    },
}

/// The test classes `T1`, `T2`, … of a program.
pub(crate) fn generate(program: &Program, bounds: &Bounds, random: &mut Random) -> Vec<TestClass> {
    let actions = actions(program);
    let mut class = |number: usize| {
        let methods = 1..=bounds.n_test_methods.max(1);
        TestClass {
            name: format!("T{number}"),
            methods: methods
                .map(|number| {
                    let n_steps = 1 + random.below(bounds.n_calls);
                    let mut test = Writer::new(program, random);
                    test.append(&actions, n_steps);
                    test.finish(number)
                })
                .collect(),
        }
    };
    // With one class nothing would be shared between classes.
    let classes = 1..=bounds.n_test_classes.max(2);
    classes.map(&mut class).collect()
}

/// Everything that tests may use: what the main package sees.
fn actions(program: &Program) -> Vec<Action<'_>> {
    let mut actions = Vec::new();
    for (index, part) in program.types.iter().enumerate() {
        let is_concrete = part.kind == Kind::Class;
        if is_concrete {
            actions.push(Action::New(index));
        }
        let methods = program.visible_methods(index, None);
        let usable = methods
            .into_iter()
            .filter(|(_, m)| m.is_static || is_concrete);
        actions.extend(usable.map(|(_, method)| Action::Method(index, method)));
        let fields = part.fields.iter().filter(|f| f.is_static || is_concrete);
        actions.extend(fields.map(|field| Action::Field {
            on: index,
            name: &field.name,
            is_static: field.is_static,
        }));
    }
    actions
}

/// Makes one test.
struct Writer<'a> {
    program: &'a Program,
    random: &'a mut Random,
    variables: Vec<TypeIndex>,
    steps: Vec<Step>,
}

impl<'a> Writer<'a> {
    fn new(program: &'a Program, random: &'a mut Random) -> Self {
        Self {
            program,
            random,
            variables: Vec::new(),
            steps: Vec::new(),
        }
    }

    fn append(&mut self, actions: &[Action<'_>], n_steps: usize) {
        for _ in 0..n_steps {
            match self.random.choose(actions) {
                Some(Action::New(class)) => {
                    self.create(*class);
                }
                Some(Action::Method(on, method)) => self.call(*on, method),
                Some(Action::Field {
                    on,
                    name,
                    is_static,
                }) => self.read(*on, name, *is_static),
                None => {}
            }
        }
    }

    fn finish(self, number: usize) -> TestMethod {
        TestMethod {
            name: format!("test{number}"),
            variables: self.variables,
            steps: self.steps,
        }
    }

    fn create(&mut self, class: TypeIndex) -> usize {
        let variable = self.declare(class);
        self.steps.push(Step::New { variable, class });
        variable
    }

    fn declare(&mut self, value_type: TypeIndex) -> usize {
        self.variables.push(value_type);
        self.variables.len() - 1
    }

    fn call(&mut self, on: TypeIndex, method: &Method) {
        let argument = method.parameter.map(|wanted| self.argument(wanted));
        let argument_type = argument.map(|argument| type_of(argument, &self.variables));
        let found = self
            .program
            .find_method(on, &method.name, argument_type, None);
        // Another overload may fit better, or two equally well.
        let Some((_, found)) = found.filter(|(_, found)| found.is_static == method.is_static)
        else {
            return;
        };
        let on = self.target(on, method.is_static);
        let variable = match found.result {
            ValueType::Object(index) => Some(self.declare(index)),
            _ => None,
        };
        self.steps.push(Step::Call {
            on,
            name: method.name.clone(),
            argument,
            variable,
        });
    }

    fn read(&mut self, on: TypeIndex, field: &str, is_static: bool) {
        let on = self.target(on, is_static);
        let field = field.to_owned();
        self.steps.push(Step::Read { on, field });
    }

    /// The type for static members, otherwise an object of exactly this class.
    fn target(&mut self, on: TypeIndex, is_static: bool) -> Target {
        if is_static {
            return Target::Type(on);
        }
        let known = self.some_variable(|_, index| index == on);
        Target::Variable(known.unwrap_or_else(|| self.create(on)))
    }

    fn argument(&mut self, wanted: ValueType) -> Argument {
        let value = self.random.choose(&POOL).copied().unwrap_or_default();
        match wanted {
            // An int will do for a long, and may mean another overload.
            ValueType::Long if self.random.below(2) == 0 => {
                Argument::Constant(ValueType::Int, value)
            }
            ValueType::Object(upper) => match self.random.below(3) {
                0 => Argument::Null(upper),
                _ => self.object_argument(upper),
            },
            primitive => Argument::Constant(primitive, value),
        }
    }

    fn object_argument(&mut self, upper: TypeIndex) -> Argument {
        let known = self.some_variable(|program, index| program.is_subtype(index, upper));
        if let Some(variable) = known {
            return Argument::Variable(variable);
        }
        let classes = self.program.concrete_subtypes(upper);
        match self.random.choose(&classes) {
            Some(class) => Argument::Variable(self.create(*class)),
            None => Argument::Null(upper),
        }
    }

    fn some_variable(&mut self, is_wanted: impl Fn(&Program, TypeIndex) -> bool) -> Option<usize> {
        let all = 0..self.variables.len();
        let fitting: Vec<_> = all
            .filter(|variable| is_wanted(self.program, self.variables[*variable]))
            .collect();
        self.random.choose(&fitting).copied()
    }
}

fn type_of(argument: Argument, variables: &[TypeIndex]) -> ValueType {
    match argument {
        Argument::Constant(value_type, _) => value_type,
        Argument::Null(index) => ValueType::Object(index),
        Argument::Variable(variable) => ValueType::Object(variables[variable]),
    }
}

impl TestMethod {
    /// Begins the test with a number from Java.
    pub(crate) fn graft(&mut self, java: &str) {
        self.steps.insert(0, Step::Java(java.to_owned()));
    }

    /// Whether the test, written for one revision, should compile with another.
    pub(crate) fn compiles_with(&self, first: &Program, other: &Program) -> bool {
        let mut variables = self.variables.iter();
        variables.all(|index| is_same_type(first, other, *index))
            && self
                .steps
                .iter()
                .all(|step| self.step_compiles_with(step, first, other))
    }

    /// Whether a null can be cast to the same type.
    fn knows_argument(&self, argument: Option<Argument>, first: &Program, other: &Program) -> bool {
        match argument.map(|argument| type_of(argument, &self.variables)) {
            Some(ValueType::Object(index)) => is_same_type(first, other, index),
            _ => true,
        }
    }

    fn step_compiles_with(&self, step: &Step, first: &Program, other: &Program) -> bool {
        let on_type = |on: Target| match on {
            Target::Variable(variable) => self.variables[variable],
            Target::Type(index) => index,
        };
        let is_known = |on: Target| is_same_type(first, other, on_type(on));
        let is_type = |on: Target| matches!(on, Target::Type(_));
        match step {
            Step::New { class, .. } => {
                let class = other.types.get(*class);
                class.is_some_and(|class| class.kind == Kind::Class)
            }
            Step::Call {
                on,
                name,
                argument,
                variable,
            } if is_known(*on) && self.knows_argument(*argument, first, other) => {
                let argument = argument.map(|argument| type_of(argument, &self.variables));
                let found = other.find_method(on_type(*on), name, argument, None);
                let variable = variable.map(|variable| self.variables[variable]);
                found.is_some_and(|(owner, method)| {
                    let is_of_interface = other.types[owner].kind == Kind::Interface;
                    let is_reached = if is_type(*on) {
                        method.is_static
                    } else {
                        !(method.is_static && is_of_interface)
                    };
                    is_reached && gives(other, method.result, variable)
                })
            }
            Step::Read { on, field } if is_known(*on) => {
                let found = other.find_field(on_type(*on), field);
                found.is_some_and(|(_, field)| field.is_static || !is_type(*on))
            }
            Step::Java(_) => true,
            Step::Call { .. } | Step::Read { .. } => false,
        }
    }
}

/// Whether a result can go where the test puts it.
fn gives(program: &Program, result: ValueType, variable: Option<TypeIndex>) -> bool {
    match variable {
        None => result.is_primitive(),
        Some(wanted) => program.is_assignable(result, ValueType::Object(wanted)),
    }
}

/// Whether tests can name the type in both revisions.
fn is_same_type(first: &Program, other: &Program, index: TypeIndex) -> bool {
    let name = |program: &Program| program.types.get(index).map(|part| part.name.clone());
    name(first).is_some() && name(first) == name(other)
}

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
    use crate::program::sample::sample;

    const STYLE: TestStyle<'_> = TestStyle {
        package: "p",
        framework: Framework::Jupiter,
        expected: None,
        disabled: None,
        failing: None,
    };

    fn generated() -> Vec<TestClass> {
        generate(&sample(), &Bounds::default(), &mut Random::new(1))
    }

    fn text(style: TestStyle<'_>) -> String {
        files(&sample(), &generated()[..1], style).remove(0).text
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
                B b0 = null;
                D d1 = null;
                D d2 = null;
                A a3 = null;
                A a4 = null;
                try {
                    b0 = new B();
                    oracle.value(b0.m(7L));
                    oracle.value(C.f);
                    d1 = new D();
                    d2 = new D();
                    a3 = new A();
                    a4 = d2.o(); oracle.value(a4);
                } catch (Throwable thrown) {
                    oracle.threw(thrown);
                }
                oracle.end(b0, d1, d2, a3, a4);
            }
            @Test
            public void test2() {
                tamis.check.Oracle oracle = new tamis.check.Oracle("p.T1.test2", null);
                D d0 = null;
                A a1 = null;
                B b2 = null;
                try {
                    oracle.value(C.f);
                    d0 = new D();
                    a1 = d0.o(); oracle.value(a1);
                    oracle.value(D.m(-1));
                    b2 = new B();
                    oracle.value(a1.m(0));
                } catch (Throwable thrown) {
                    oracle.threw(thrown);
                }
                oracle.end(d0, a1, b2);
            }
            @Test
            public void test3() {
                tamis.check.Oracle oracle = new tamis.check.Oracle("p.T1.test3", null);
                A a0 = null;
                B b1 = null;
                try {
                    oracle.value(C.f);
                    a0 = new A();
                    oracle.value(a0.f);
                    oracle.value(a0.m());
                    b1 = new B();
                    oracle.value(b1.m(7));
                } catch (Throwable thrown) {
                    oracle.threw(thrown);
                }
                oracle.end(a0, b1);
            }
        }
        "#);
    }

    #[test]
    fn the_same_chances_give_the_same_tests() {
        assert_eq!(generated(), generated());
        let other = generate(&sample(), &Bounds::default(), &mut Random::new(2));
        assert_ne!(generated(), other);
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

    #[test]
    fn tests_see_when_a_revision_lacks_what_they_use() {
        let tests = generated();
        let compile = |other: &Program| {
            let mut methods = tests.iter().flat_map(|class| &class.methods);
            methods.all(|test| test.compiles_with(&sample(), other))
        };
        assert!(compile(&sample()));
        let mut without = sample();
        for part in &mut without.types {
            part.methods.retain(|method| method.name != "m");
        }
        assert!(!compile(&without));
        let mut renamed = sample();
        renamed.types[0].name = "Other".to_owned();
        assert!(!compile(&renamed));
        let mut abstracted = sample();
        for part in &mut abstracted.types {
            part.kind = Kind::AbstractClass;
        }
        assert!(!compile(&abstracted));
    }
}
