//! The fixed list of operators: each finds all places of a library where it can make a mutant.

mod access;
mod add_default;
mod add_override;
mod annotation;
mod call;
mod condition;
mod constant;
mod field_order;
mod hide_static;
mod hierarchy;
mod initialiser;
mod literal;
mod resource;
mod return_value;

use std::fmt;

use crate::code_base::{Change, CodeBase};

/// A way to make mutants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Operator(usize);

/// Its name, whether it changes what a method does and nothing else, and its places.
type Row = (&'static str, bool, fn(&CodeBase) -> Vec<Change>);

const TABLE: &[Row] = &[
    ("literal", true, literal::places),
    ("condition", true, condition::places),
    ("call", true, call::places),
    ("return", true, return_value::places),
    ("access", false, access::places),
    ("hide-static", false, hide_static::places),
    ("add-override", false, add_override::places),
    ("add-default", false, add_default::places),
    ("initialiser", false, initialiser::places),
    ("field-order", false, field_order::places),
    ("annotation", false, annotation::places),
    ("resource", false, resource::places),
    ("constant", false, constant::places),
    ("hierarchy", false, hierarchy::places),
];

impl Operator {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..TABLE.len()).map(Self)
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::all().find(|operator| operator.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        TABLE[self.0].0
    }

    /// Whether its mutants differ in the bodies of methods alone.
    pub(crate) fn is_of_bodies(self) -> bool {
        TABLE[self.0].1
    }

    /// All mutants that it can make. Many do not compile.
    pub(crate) fn places(self, code: &CodeBase) -> Vec<Change> {
        TABLE[self.0].2(code)
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code_base::tests::{code_base, texts};

    /// All mutants of a library and its test.
    fn check(operator: &str, main: &str, test: &str, expected: &[&str]) {
        let code = code_base(main, test);
        let changes = Operator::named(operator).unwrap().places(&code);
        assert_eq!(texts(&code, &changes), expected);
    }

    #[test]
    fn literals() {
        check(
            "literal",
            "class A { int x = 9; int f() { return g(\"s\", true, 'c') + 0x10 - 2L; } }",
            "class ATest { int f() { return 1; } }",
            &[
                "class A { int x = 9; int f() { return g(\"xs\", true, 'c') + 0x10 - 2L; } }",
                "class A { int x = 9; int f() { return g(\"s\", false, 'c') + 0x10 - 2L; } }",
                "class A { int x = 9; int f() { return g(\"s\", true, '~') + 0x10 - 2L; } }",
                "class A { int x = 9; int f() { return g(\"s\", true, 'c') + 17 - 2L; } }",
                "class A { int x = 9; int f() { return g(\"s\", true, 'c') + 0x10 - 3L; } }",
            ],
        );
    }

    #[test]
    fn conditions() {
        check(
            "condition",
            "class A { void f() { if (a < b && c) { List<A> d; } } }",
            "",
            &[
                "class A { void f() { if (!(a < b && c)) { List<A> d; } } }",
                "class A { void f() { if (a <= b && c) { List<A> d; } } }",
                "class A { void f() { if (a < b || c) { List<A> d; } } }",
            ],
        );
    }

    #[test]
    fn calls() {
        check(
            "call",
            "class A { void f() { this.g(1).h(); x = k(a, b); } }",
            "",
            &[
                "class A { void f() { ; x = k(a, b); } }",
                "class A { void f() { this.g(null).h(); x = k(a, b); } }",
                "class A { void f() { this.g(1).h(); x = k(null, b); } }",
                "class A { void f() { this.g(1).h(); x = k(a, null); } }",
                "class A { void f() { this.g(1).h(); x = k(b, a); } }",
            ],
        );
    }

    #[test]
    fn returns() {
        check(
            "return",
            "class A { boolean f() { return a; } int g() { return 0; } A h() { return this; } void k() { return; } }",
            "",
            &[
                "class A { boolean f() { return !(a); } int g() { return 0; } A h() { return this; } void k() { return; } }",
                "class A { boolean f() { return a; } int g() { return 1; } A h() { return this; } void k() { return; } }",
                "class A { boolean f() { return a; } int g() { return 0; } A h() { return null; } void k() { return; } }",
            ],
        );
    }

    #[test]
    fn access_of_methods() {
        check(
            "access",
            "class A { private void f() { } }",
            "",
            &[
                "class A {  void f() { } }",
                "class A { public void f() { } }",
            ],
        );
    }

    #[test]
    fn statics_are_hidden_where_somebody_looks_for_them() {
        check(
            "hide-static",
            "class A { static int f(int x) { return x; } static int g() { return 1; } }",
            "class B extends A { int t() { return f(1); } }",
            &["class B extends A { int t() { return f(1); } \
               static int f(int x)  { throw new IllegalStateException(\"hidden\"); } }"],
        );
    }

    #[test]
    fn overrides() {
        check(
            "add-override",
            "class A { public int f() { return 1; } public String toString() { return \"\"; } \
             public int hashCode() { return 1; } public boolean equals(Object o) { return true; } }",
            "class B extends A { }",
            &[
                "class B extends A { public int f()  { return 0; } }",
                "class B extends A { public String toString()  { return null; } }",
                "class B extends A { public int hashCode()  { return 0; } }",
                "class B extends A { public boolean equals(Object o)  { return false; } }",
            ],
        );
    }

    #[test]
    fn defaults() {
        check(
            "add-default",
            "interface A { int f(); }",
            "",
            &[
                "interface A { int f(); default void addedByDrill() { } }",
                "interface A { default int f() { return 0; } }",
            ],
        );
    }

    #[test]
    fn static_initialisers() {
        check(
            "initialiser",
            "class A { static A a = b(1); static A c = null; static { d(2); } }",
            "",
            &[
                "class A { static A a = b(2); static A c = null; static { d(2); } }",
                "class A { static A a; static A c = null; static { d(2); } static { a = b(1); } }",
                "class A { static A c = null; static A a = b(1); static { d(2); } }",
                "class A { static A a = b(1); static A c; static { d(2); } static { c = null; } }",
                "class A { static A a = b(1); static A c = null; static { d(3); } }",
            ],
        );
    }

    #[test]
    fn order_of_fields() {
        check(
            "field-order",
            "class A { int a; String b = \"x\"; void f() { } int c; }",
            "",
            &["class A { String b = \"x\"; int a; void f() { } int c; }"],
        );
    }

    #[test]
    fn annotations() {
        check(
            "annotation",
            "class A { void f() { } }",
            "import org.junit.Test; class ATest { @Test public void t() { } }",
            &[
                "@Deprecated class A { void f() { } }",
                "class A { @Deprecated void f() { } }",
                "import org.junit.Test; class ATest { @org.junit.Ignore @Test public void t() { } }",
                "import org.junit.Test; class ATest {  public void t() { } }",
            ],
        );
    }

    #[test]
    fn resources() {
        let mut code = code_base("class A { }", "");
        code.resources = vec!["a/b.xml".into(), "META-INF/MANIFEST.MF".into()];
        let changes = Operator::named("resource").unwrap().places(&code);
        assert_eq!(
            texts(&code, &changes),
            ["Halve a/b.xml", "Delete a/b.xml", "Create added.properties"]
        );
    }

    #[test]
    fn constants() {
        check(
            "constant",
            "class A { static final int X = 1; static final String Y = a(); final int z = 1; }",
            "",
            &["class A { static final int X = 2; static final String Y = a(); final int z = 1; }"],
        );
    }

    #[test]
    fn hierarchies() {
        check(
            "hierarchy",
            "class A extends B implements I { }",
            "",
            &[
                "class A extends BetweenByDrill implements I { } class BetweenByDrill extends B { }\n",
                "class A extends B implements java.io.Serializable, I { }",
            ],
        );
        check(
            "hierarchy",
            "class A<T> { }",
            "",
            &[
                "class A<T> extends BetweenByDrill { } class BetweenByDrill { }\n",
                "class A<T> implements java.io.Serializable { }",
            ],
        );
    }
}
