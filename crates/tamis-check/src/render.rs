//! A program as Java text. The same program gives the same bytes.

use std::fmt::Write as _;

use crate::evolving::SourceFile;
use crate::program::{
    Access, Expression, Field, Kind, Method, Package, Program, Receiver, Statement, Type,
    TypeIndex, ValueType,
};

/// The files of a program in a package of that name.
pub(crate) fn files(program: &Program, package: &str) -> Vec<SourceFile> {
    let renderer = Renderer { program };
    let types = program.types.iter().enumerate();
    let types = types.filter(|(index, _)| !program.absent.contains(index));
    let types = types.map(|(_, part)| SourceFile {
        path: format!("{}/{}.java", folder(package, part.package), part.name),
        text: renderer.file(part, package),
    });
    let grafts = program.grafts.iter().map(|graft| SourceFile {
        path: format!("{package}/{}.java", graft.name),
        text: format!(
            "{}\n{}",
            heading(program, Package::Main, package),
            graft.text
        ),
    });
    types.chain(grafts).collect()
}

/// The package line, and the import of the other package if there is one.
pub(crate) fn heading(program: &Program, own: Package, package: &str) -> String {
    match own {
        Package::Main if program.has_sub_package() => {
            format!("package {package};\n\nimport {package}.sub.*;\n")
        }
        Package::Main => format!("package {package};\n"),
        Package::Sub => format!("package {package}.sub;\n\nimport {package}.*;\n"),
    }
}

fn folder(package: &str, own: Package) -> String {
    match own {
        Package::Main => package.to_owned(),
        Package::Sub => format!("{package}/sub"),
    }
}

/// Writes the parts of a program; it knows the names of types.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Renderer<'a> {
    pub(crate) program: &'a Program,
}

impl Renderer<'_> {
    fn file(self, part: &Type, package: &str) -> String {
        let heading = heading(self.program, part.package, package);
        let mut text = format!("{heading}\n{} {{\n", self.declaration(part));
        for field in &part.fields {
            line(&mut text, 1, &self.field(field));
        }
        if !part.static_initialiser.is_empty() {
            line(&mut text, 1, "static {");
            for statement in &part.static_initialiser {
                line(&mut text, 2, &self.statement(statement));
            }
            line(&mut text, 1, "}");
        }
        for method in &part.methods {
            self.method(&mut text, part, method);
        }
        text.push_str("}\n");
        text
    }

    fn declaration(self, part: &Type) -> String {
        let kind = match part.kind {
            Kind::Class => "class",
            Kind::AbstractClass => "abstract class",
            Kind::Interface => "interface",
        };
        let mut text = format!("public {kind} {}", part.name);
        if let Some(superclass) = part.superclass {
            text.extend([" extends ", self.name(superclass)]);
        }
        let interfaces: Vec<_> = part.interfaces.iter().map(|up| self.name(*up)).collect();
        if !interfaces.is_empty() {
            let word = match part.kind {
                Kind::Interface => " extends ",
                _ => " implements ",
            };
            text.extend([word, &interfaces.join(", ")]);
        }
        text
    }

    fn field(self, field: &Field) -> String {
        let mut text = "public ".to_owned();
        if field.is_static {
            text += "static ";
        }
        if field.is_final {
            text += "final ";
        }
        text.extend([&self.value_type(field.value_type), " ", &field.name]);
        if let Some(initial) = &field.initial {
            text.extend([" = ", &self.expression(initial)]);
        }
        text + ";"
    }

    fn method(self, text: &mut String, part: &Type, method: &Method) {
        let parameter = method.parameter.map_or(String::new(), |value_type| {
            format!("{} p", self.value_type(value_type))
        });
        let modifiers = modifiers(part.kind, method);
        let result = self.value_type(method.result);
        let head = format!("{modifiers}{result} {}({parameter})", method.name);
        let Some(body) = &method.body else {
            line(text, 1, &format!("{head};"));
            return;
        };
        line(text, 1, &format!("{head} {{"));
        for statement in &body.statements {
            line(text, 2, &self.statement(statement));
        }
        line(
            text,
            2,
            &format!("return {};", self.expression(&body.result)),
        );
        line(text, 1, "}");
    }

    fn statement(self, statement: &Statement) -> String {
        let Statement::Assign { on, field, value } = statement;
        format!(
            "{}{field} = {};",
            self.receiver(*on),
            self.expression(value)
        )
    }

    pub(crate) fn expression(self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(value_type, value) => literal(*value_type, *value),
            Expression::Computed(value_type, value) => {
                let literal = literal(*value_type, *value);
                format!("{}.valueOf({literal})", self.boxed(*value_type))
            }
            Expression::Null(index) => format!("({}) null", self.name(*index)),
            Expression::Parameter => "p".to_owned(),
            Expression::This => "this".to_owned(),
            Expression::New(index) => format!("new {}()", self.name(*index)),
            Expression::Field { on, name } => format!("{}{name}", self.receiver(*on)),
            Expression::Call { on, name, argument } => {
                let argument = argument.as_ref().map(|inner| self.expression(inner));
                let argument = argument.unwrap_or_default();
                format!("{}{name}({argument})", self.receiver(*on))
            }
            Expression::Sum(left, right) => {
                format!("{} + {}", self.expression(left), self.expression(right))
            }
            Expression::Lambda(value_type, inner) => format!(
                "((java.util.function.Supplier<{}>) () -> {}).get()",
                self.boxed(*value_type),
                self.expression(inner)
            ),
            Expression::Java(java) => java.clone(),
        }
    }

    fn receiver(self, on: Receiver) -> String {
        match on {
            Receiver::This => "this.".to_owned(),
            Receiver::Super => "super.".to_owned(),
            Receiver::Type(index) => format!("{}.", self.name(index)),
            Receiver::New(index) => format!("new {}().", self.name(index)),
        }
    }

    pub(crate) fn value_type(self, value_type: ValueType) -> String {
        match value_type {
            ValueType::Int => "int".to_owned(),
            ValueType::Long => "long".to_owned(),
            ValueType::Boolean => "boolean".to_owned(),
            ValueType::Object(index) => self.name(index).to_owned(),
        }
    }

    fn boxed(self, value_type: ValueType) -> String {
        match value_type {
            ValueType::Int => "Integer".to_owned(),
            ValueType::Long => "Long".to_owned(),
            ValueType::Boolean => "Boolean".to_owned(),
            ValueType::Object(index) => self.name(index).to_owned(),
        }
    }

    pub(crate) fn name(&self, index: TypeIndex) -> &str {
        &self.program.types[index].name
    }
}

/// A line of text at a depth.
pub(crate) fn line(text: &mut String, depth: usize, content: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{:indent$}{content}", "", indent = depth * 4);
}

fn modifiers(kind: Kind, method: &Method) -> String {
    let mut text = match method.access {
        Access::Private => "private ",
        Access::Package => "",
        Access::Protected => "protected ",
        Access::Public => "public ",
    }
    .to_owned();
    if method.is_static {
        text += "static ";
    }
    text += match (kind, &method.body) {
        (Kind::Interface, Some(_)) if !method.is_static => "default ",
        (Kind::AbstractClass | Kind::Class, None) => "abstract ",
        _ => "",
    };
    text
}

fn literal(value_type: ValueType, value: i64) -> String {
    match value_type {
        ValueType::Int => value.to_string(),
        ValueType::Long => format!("{value}L"),
        ValueType::Boolean => (value % 2 != 0).to_string(),
        ValueType::Object(_) => "null".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::sample::sample;

    fn text(program: &Program) -> String {
        let files = files(program, "p").into_iter();
        let files = files.map(|file| format!("// {}\n{}", file.path, file.text));
        files.collect()
    }

    #[test]
    fn a_program_of_four_types() {
        insta::assert_snapshot!(text(&sample()), @r#"
        // p/A.java
        package p;

        import p.sub.*;

        public class A {
            public int f = 10;
            public static int g = 11;
            static {
                A.g = 12;
            }
            public int m() {
                return 1;
            }
            public int m(long p) {
                this.f = 20;
                return 2;
            }
            private long n() {
                return this.m(3);
            }
        }
        // p/sub/B.java
        package p.sub;

        import p.*;

        public class B extends A {
            public int m() {
                return super.m();
            }
        }
        // p/C.java
        package p;

        import p.sub.*;

        public interface C {
            public static final boolean f = Boolean.valueOf(true);
            public A o();
        }
        // p/D.java
        package p;

        import p.sub.*;

        public class D implements C {
            public A o() {
                return new B();
            }
            public static int m(int p) {
                return p;
            }
        }
        "#);
    }

    #[test]
    fn the_same_bytes_each_time() {
        assert_eq!(text(&sample()), text(&sample()));
    }

    #[test]
    fn expressions_of_operators() {
        let program = sample();
        let renderer = Renderer { program: &program };
        let one = || Box::new(Expression::Constant(ValueType::Long, 1));
        let sum = Expression::Sum(one(), Box::new(Expression::Java("X.y()".to_owned())));
        let lambda = Expression::Lambda(ValueType::Long, Box::new(sum));
        insta::assert_snapshot!(renderer.expression(&lambda), @"((java.util.function.Supplier<Long>) () -> 1L + X.y()).get()");
    }
}
