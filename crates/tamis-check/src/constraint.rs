//! What a base program must have: the ten constraints of SPEC 7.4 a.

use std::fmt;
use std::str::FromStr;

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
