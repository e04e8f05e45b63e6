//! What a base program must have: the ten constraints of SPEC 7.4 a.

use std::fmt;
use std::str::FromStr;

use crate::program::{Body, Expression, Kind, Program, Type};

/// A constraint on base programs; its `Display` is the paper's code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Constraint {
    /// JD1: none.
    Unconstrained,
    /// JD2: a class with a method and a superclass.
    MethodAndSuperclass,
    /// JD3: a class with a method and a subclass.
    MethodAndSubclass,
    /// JD4: a class with a field and a superclass.
    FieldAndSuperclass,
    /// JD5: a class with a method and a field.
    MethodAndField,
    /// JD6: some class extends another.
    SomeInheritance,
    /// JD7: some method.
    SomeMethod,
    /// JD8: some field.
    SomeField,
    /// JD9: some method calls another.
    SomeCaller,
    /// JD10: some field, and some method that reads or writes one.
    SomeFieldAccess,
}

impl Constraint {
    /// All of them, JD1 first.
    pub const ALL: &'static [Self] = &[
        Self::Unconstrained,
        Self::MethodAndSuperclass,
        Self::MethodAndSubclass,
        Self::FieldAndSuperclass,
        Self::MethodAndField,
        Self::SomeInheritance,
        Self::SomeMethod,
        Self::SomeField,
        Self::SomeCaller,
        Self::SomeFieldAccess,
    ];

    /// Whether programs with so many fields and methods can hold it at all.
    pub(crate) fn fits(self, n_fields: usize, n_methods: usize) -> bool {
        match self {
            Self::Unconstrained | Self::SomeInheritance => true,
            Self::FieldAndSuperclass | Self::SomeField => n_fields > 0,
            Self::MethodAndField | Self::SomeFieldAccess => n_fields > 0 && n_methods > 0,
            Self::MethodAndSuperclass | Self::MethodAndSubclass | Self::SomeMethod => n_methods > 0,
            // Methods do not call themselves.
            Self::SomeCaller => n_methods > 1,
        }
    }

    /// Whether a program holds it.
    pub(crate) fn holds(self, program: &Program) -> bool {
        let some_class = |is_wanted: &dyn Fn(usize, &Type) -> bool| {
            let mut types = program.types.iter().enumerate();
            types.any(|(index, part)| part.kind != Kind::Interface && is_wanted(index, part))
        };
        let some_type = |is_wanted: &dyn Fn(&Type) -> bool| program.types.iter().any(is_wanted);
        match self {
            Self::Unconstrained => true,
            Self::MethodAndSuperclass => {
                some_class(&|_, part| !part.methods.is_empty() && part.superclass.is_some())
            }
            Self::MethodAndSubclass => some_class(&|index, part| {
                !part.methods.is_empty() && some_type(&|lower| lower.superclass == Some(index))
            }),
            Self::FieldAndSuperclass => {
                some_class(&|_, part| !part.fields.is_empty() && part.superclass.is_some())
            }
            Self::MethodAndField => {
                some_class(&|_, part| !part.methods.is_empty() && !part.fields.is_empty())
            }
            Self::SomeInheritance => some_type(&|part| part.superclass.is_some()),
            Self::SomeMethod => some_type(&|part| !part.methods.is_empty()),
            Self::SomeField => some_type(&|part| !part.fields.is_empty()),
            Self::SomeCaller => some_body(program, &|body| {
                contains(body, &|part| matches!(part, Expression::Call { .. }))
            }),
            Self::SomeFieldAccess => some_body(program, &|body| {
                !body.statements.is_empty()
                    || contains(body, &|part| matches!(part, Expression::Field { .. }))
            }),
        }
    }
}

fn some_body(program: &Program, is_wanted: &dyn Fn(&Body) -> bool) -> bool {
    let methods = program.types.iter().flat_map(|part| &part.methods);
    methods
        .filter_map(|method| method.body.as_ref())
        .any(is_wanted)
}

fn contains(body: &Body, is_wanted: &dyn Fn(&Expression) -> bool) -> bool {
    let mut found = false;
    for expression in body.expressions() {
        expression.visit(&mut |part| found |= is_wanted(part));
    }
    found
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JD{}", *self as usize + 1)
    }
}

/// A text that is no constraint's code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no constraint is called `{0}`; they are JD1 to JD10")]
pub struct ParseConstraintError(pub String);

impl FromStr for Constraint {
    type Err = ParseConstraintError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut all = Self::ALL.iter();
        let found = all.find(|constraint| constraint.to_string() == text);
        found
            .copied()
            .ok_or_else(|| ParseConstraintError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_each_is_read_back() {
        for constraint in Constraint::ALL {
            assert_eq!(constraint.to_string().parse(), Ok(*constraint));
        }
        assert!("JD11".parse::<Constraint>().is_err());
    }
}
