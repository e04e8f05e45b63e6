//! Tests by the names that people write: whole, without package, or with wildcards.

use globset::{GlobBuilder, GlobMatcher};

/// A name that a user wrote.
#[derive(Debug)]
pub(crate) struct TestName {
    wanted: String,
    glob: Option<GlobMatcher>,
}

impl TestName {
    pub(crate) fn new(wanted: &str) -> Self {
        Self {
            wanted: wanted.to_owned(),
            glob: glob_of(wanted),
        }
    }

    /// As it was written.
    pub(crate) fn as_str(&self) -> &str {
        &self.wanted
    }

    /// Whether it means the entity of a name. The name of a class means all of its methods, and that of a
    /// method its class, where classes are entities.
    pub(crate) fn matches(&self, entity: &str) -> bool {
        if let Some(glob) = &self.glob {
            return glob.is_match(entity) || glob.is_match(simple(entity));
        }
        let (wanted_class, wanted_method) = parts(&self.wanted);
        let (class, method) = parts(entity);
        let is_class = wanted_class == class || wanted_class == simple(class);
        let is_method = match (wanted_method, method) {
            (Some(wanted), Some(method)) => is_method(wanted, method),
            _ => true,
        };
        is_class && is_method
    }
}

/// With or without parameters.
fn is_method(wanted: &str, method: &str) -> bool {
    match method.strip_prefix(wanted) {
        Some(rest) => rest.is_empty() || (rest.starts_with('(') && !wanted.contains('(')),
        None => false,
    }
}

fn parts(name: &str) -> (&str, Option<&str>) {
    match name.split_once('#') {
        Some((class, method)) => (class, Some(method)),
        None => (name, None),
    }
}

/// Without the package.
fn simple(name: &str) -> &str {
    let (class, _) = parts(name);
    let package = class.rfind('.').map_or(0, |dot| dot + 1);
    &name[package..]
}

/// Only `*` and `?` are special: names of tests may have brackets.
fn glob_of(wanted: &str) -> Option<GlobMatcher> {
    if !wanted.contains(['*', '?']) {
        return None;
    }
    let mut escaped = String::with_capacity(wanted.len());
    for character in wanted.chars() {
        if matches!(character, '[' | ']' | '{' | '}' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    let glob = GlobBuilder::new(&escaped).backslash_escape(true).build();
    glob.ok().map(|glob| glob.compile_matcher())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(wanted: &str, expected: &[&str]) {
        let names = [
            "shop.CartTest",
            "shop.CartTest$Empty",
            "shop.OrderTest#adds(int[])",
            "shop.OrderTest#adds()",
            "Plain",
        ];
        let name = TestName::new(wanted);
        let matched: Vec<&str> = names.into_iter().filter(|n| name.matches(n)).collect();
        assert_eq!(matched, expected, "{wanted}");
    }

    #[test]
    fn whole_names_and_simple_ones() {
        check("shop.CartTest", &["shop.CartTest"]);
        check("CartTest", &["shop.CartTest"]);
        check("CartTest$Empty", &["shop.CartTest$Empty"]);
        check("Plain", &["Plain"]);
        check("Cart", &[]);
        check("op.CartTest", &[]);
    }

    #[test]
    fn methods() {
        let both = ["shop.OrderTest#adds(int[])", "shop.OrderTest#adds()"];
        check("OrderTest", &both);
        check("shop.OrderTest#adds", &both);
        check("OrderTest#adds(int[])", &both[..1]);
        check("OrderTest#add", &[]);
        check("CartTest#adds", &["shop.CartTest"]);
    }

    #[test]
    fn wildcards() {
        check("shop.C*", &["shop.CartTest", "shop.CartTest$Empty"]);
        check("Cart*", &["shop.CartTest", "shop.CartTest$Empty"]);
        check("*#adds(*[])", &["shop.OrderTest#adds(int[])"]);
        check("P?ain", &["Plain"]);
        check("*.{a", &[]);
    }
}
