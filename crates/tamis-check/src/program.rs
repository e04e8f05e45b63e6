//! A Java program as a value: a few classes and interfaces with fields and methods.
//!
//! Types are named by their place in the program, members by their names, as in Java: so a type can
//! be renamed or moved in one place, and a call finds another method when one is added.

use std::collections::BTreeSet;

mod canonical;
mod check;
mod lookup;
#[cfg(test)]
pub(crate) mod sample;
mod surrounding;
mod termination;

pub(crate) use canonical::canonical;
pub(crate) use check::Scope;
pub(crate) use surrounding::Surrounding;

/// The place of a type in its program.
pub(crate) type TypeIndex = usize;

/// A program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Program {
    pub(crate) types: Vec<Type>,
    /// Types that operators bring along, as Java text; see [`JavaType`].
    pub(crate) grafts: Vec<JavaType>,
    /// What it looks at beside its classes.
    pub(crate) surroundings: Vec<Surrounding>,
    /// Types that were taken out; they keep their places, since types are named by these.
    pub(crate) absent: BTreeSet<TypeIndex>,
}

/// A type that is no combination of the constructs of [`Type`]: a record, a singleton.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct JavaType {
    pub(crate) name: String,
    /// The declaration, without the package.
    pub(crate) text: String,
}

/// A class or an interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Type {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) package: Package,
    pub(crate) superclass: Option<TypeIndex>,
    /// What a class implements or an interface extends.
    pub(crate) interfaces: Vec<TypeIndex>,
    pub(crate) fields: Vec<Field>,
    /// Statements of a static initialiser after the fields.
    pub(crate) static_initialiser: Vec<Statement>,
    pub(crate) methods: Vec<Method>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Class,
    AbstractClass,
    Interface,
}

/// Where a type lies: in the package of the program or in the one below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Package {
    Main,
    Sub,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) value_type: ValueType,
    pub(crate) is_static: bool,
    pub(crate) is_final: bool,
    pub(crate) initial: Option<Expression>,
}

/// A method with at most one parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Method {
    pub(crate) name: String,
    pub(crate) access: Access,
    pub(crate) is_static: bool,
    pub(crate) parameter: Option<ValueType>,
    pub(crate) result: ValueType,
    /// Abstract methods have none.
    pub(crate) body: Option<Body>,
}

/// In the order of the language: each one allows what those before it allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Access {
    Private,
    Package,
    Protected,
    Public,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ValueType {
    Int,
    Long,
    Boolean,
    Object(TypeIndex),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Body {
    pub(crate) statements: Vec<Statement>,
    /// What is returned.
    pub(crate) result: Expression,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Statement {
    Assign {
        on: Receiver,
        field: String,
        value: Expression,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    /// A literal; a boolean is true when the number is odd.
    Constant(ValueType, i64),
    /// The same value, but not a constant for the compiler.
    Computed(ValueType, i64),
    /// A null that is cast, so that overloads stay clear.
    Null(TypeIndex),
    Parameter,
    This,
    New(TypeIndex),
    Field {
        on: Receiver,
        name: String,
    },
    Call {
        on: Receiver,
        name: String,
        argument: Option<Box<Expression>>,
    },
    Sum(Box<Expression>, Box<Expression>),
    /// The value by way of a lambda.
    Lambda(ValueType, Box<Expression>),
    /// A number from a grafted type, in Java.
    Java(String),
}

/// On what a field is read or a method called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Receiver {
    This,
    Super,
    /// A static member.
    Type(TypeIndex),
    New(TypeIndex),
}

impl Type {
    pub(crate) fn new(name: &str, kind: Kind) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            package: Package::Main,
            superclass: None,
            interfaces: Vec::new(),
            fields: Vec::new(),
            static_initialiser: Vec::new(),
            methods: Vec::new(),
        }
    }
}

impl Method {
    /// Whether a call of one may find the other: the same name and parameter.
    pub(crate) fn has_signature_of(&self, other: &Self) -> bool {
        self.name == other.name && self.parameter == other.parameter
    }

    pub(crate) fn is_abstract(&self) -> bool {
        self.body.is_none()
    }
}

impl ValueType {
    /// A literal of this type, or null.
    pub(crate) fn constant(self, value: i64) -> Expression {
        match self {
            Self::Object(index) => Expression::Null(index),
            _ => Expression::Constant(self, value),
        }
    }

    pub(crate) fn is_primitive(self) -> bool {
        !matches!(self, Self::Object(_))
    }
}

impl Expression {
    /// The expression and all within it, from the outside in.
    pub(crate) fn visit<'a>(&'a self, visitor: &mut dyn FnMut(&'a Self)) {
        visitor(self);
        match self {
            Self::Call {
                argument: Some(inner),
                ..
            }
            | Self::Lambda(_, inner) => inner.visit(visitor),
            Self::Sum(left, right) => {
                left.visit(visitor);
                right.visit(visitor);
            }
            _ => {}
        }
    }

    /// As [`Self::visit`], to change them.
    pub(crate) fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut Self)) {
        visitor(self);
        match self {
            Self::Call {
                argument: Some(inner),
                ..
            }
            | Self::Lambda(_, inner) => inner.visit_mut(visitor),
            Self::Sum(left, right) => {
                left.visit_mut(visitor);
                right.visit_mut(visitor);
            }
            _ => {}
        }
    }

    /// The receiver, of those that have one.
    pub(crate) fn receiver(&self) -> Option<Receiver> {
        match self {
            Self::Field { on, .. } | Self::Call { on, .. } => Some(*on),
            _ => None,
        }
    }
}

impl Body {
    pub(crate) fn returning(result: Expression) -> Self {
        Self {
            statements: Vec::new(),
            result,
        }
    }

    /// The outermost expressions in the order of execution.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let values = self.statements.iter().map(Statement::value);
        values.chain([&self.result])
    }

    pub(crate) fn expressions_mut(&mut self) -> impl Iterator<Item = &mut Expression> {
        let values = self.statements.iter_mut().map(Statement::value_mut);
        values.chain([&mut self.result])
    }
}

impl Statement {
    pub(crate) fn value(&self) -> &Expression {
        let Self::Assign { value, .. } = self;
        value
    }

    pub(crate) fn value_mut(&mut self) -> &mut Expression {
        let Self::Assign { value, .. } = self;
        value
    }
}

impl Program {
    /// Every expression that stands anywhere, to change it; in the order of the text.
    pub(crate) fn visit_expressions_mut(&mut self, visitor: &mut dyn FnMut(&mut Expression)) {
        for part in &mut self.types {
            let initials = part.fields.iter_mut().filter_map(|f| f.initial.as_mut());
            let statements = part.static_initialiser.iter_mut().map(Statement::value_mut);
            let bodies = part.methods.iter_mut().filter_map(|m| m.body.as_mut());
            let values = bodies.flat_map(Body::expressions_mut);
            for expression in initials.chain(statements).chain(values) {
                expression.visit_mut(visitor);
            }
        }
    }

    /// Every field access or assignment by name, to change the name.
    pub(crate) fn visit_field_names_mut(&mut self, visitor: &mut dyn FnMut(&mut String)) {
        for part in &mut self.types {
            let bodies = part.methods.iter_mut().filter_map(|m| m.body.as_mut());
            let statements = bodies.flat_map(|body| &mut body.statements);
            for statement in part.static_initialiser.iter_mut().chain(statements) {
                let Statement::Assign { field, .. } = statement;
                visitor(field);
            }
        }
        self.visit_expressions_mut(&mut |expression| {
            if let Expression::Field { name, .. } = expression {
                visitor(name);
            }
        });
    }

    pub(crate) fn has_sub_package(&self) -> bool {
        let mut types = self.types.iter().enumerate();
        types.any(|(index, part)| part.package == Package::Sub && !self.absent.contains(&index))
    }
}
