//! What a name means: supertypes, and the member that a field access or a call finds (JLS 8.2, 8.4,
//! 15.12), as far as generated programs need it.

use super::{Access, Field, Kind, Method, Package, Program, TypeIndex, ValueType};

impl Program {
    /// The direct supertypes: the superclass, then interfaces.
    pub(crate) fn direct_supertypes(&self, index: TypeIndex) -> impl Iterator<Item = TypeIndex> {
        let part = &self.types[index];
        part.superclass
            .into_iter()
            .chain(part.interfaces.iter().copied())
    }

    /// All supertypes without the type itself, nearest first; ends in any case.
    pub(crate) fn supertypes(&self, index: TypeIndex) -> Vec<TypeIndex> {
        let mut found: Vec<_> = self.direct_supertypes(index).collect();
        let mut next = 0;
        while next < found.len() {
            for above in self.direct_supertypes(found[next]).collect::<Vec<_>>() {
                if !found.contains(&above) {
                    found.push(above);
                }
            }
            next += 1;
        }
        found
    }

    /// The type, then its supertypes.
    pub(crate) fn lineage(&self, index: TypeIndex) -> Vec<TypeIndex> {
        let mut lineage = vec![index];
        lineage.extend(self.supertypes(index));
        lineage
    }

    pub(crate) fn is_subtype(&self, lower: TypeIndex, upper: TypeIndex) -> bool {
        lower == upper || self.supertypes(lower).contains(&upper)
    }

    /// Whether a value of one type may be given where the other is asked for.
    pub(crate) fn is_assignable(&self, from: ValueType, to: ValueType) -> bool {
        match (from, to) {
            (ValueType::Int, ValueType::Long) => true,
            (ValueType::Object(lower), ValueType::Object(upper)) => self.is_subtype(lower, upper),
            _ => from == to,
        }
    }

    /// The classes that can be instantiated and are of the type, itself first.
    pub(crate) fn concrete_subtypes(&self, upper: TypeIndex) -> Vec<TypeIndex> {
        let all = 0..self.types.len();
        let is_concrete = |index: &TypeIndex| self.types[*index].kind == Kind::Class;
        let mut found: Vec<_> = all
            .filter(is_concrete)
            .filter(|lower| self.is_subtype(*lower, upper))
            .collect();
        found.sort_by_key(|lower| *lower != upper);
        found
    }

    /// The field that a name means on a type, and who declares it; none if it is not clear.
    pub(crate) fn find_field(&self, on: TypeIndex, name: &str) -> Option<(TypeIndex, &Field)> {
        let own = self.types[on].fields.iter().find(|f| f.name == name);
        if let Some(field) = own {
            return Some((on, field));
        }
        let above = self.direct_supertypes(on);
        let mut found: Vec<_> = above.filter_map(|up| self.find_field(up, name)).collect();
        found.dedup_by_key(|(owner, _)| *owner);
        match found[..] {
            [one] => Some(one),
            _ => None,
        }
    }

    /// The method that a call means on a type, seen from another or from a test, and who declares
    /// it.
    pub(crate) fn find_method(
        &self,
        on: TypeIndex,
        name: &str,
        argument: Option<ValueType>,
        from: Option<TypeIndex>,
    ) -> Option<(TypeIndex, &Method)> {
        let is_applicable = |method: &Method| {
            method.name == name
                && match (argument, method.parameter) {
                    (None, None) => true,
                    (Some(argument), Some(parameter)) => self.is_assignable(argument, parameter),
                    _ => false,
                }
        };
        let mut applicable = self.visible_methods(on, from);
        applicable.retain(|(_, method)| is_applicable(method));
        self.most_specific(&applicable)
    }

    /// The methods that may be called on a type from another, overridden ones left out.
    pub(crate) fn visible_methods(
        &self,
        on: TypeIndex,
        from: Option<TypeIndex>,
    ) -> Vec<(TypeIndex, &Method)> {
        let mut found: Vec<(TypeIndex, &Method)> = Vec::new();
        for owner in self.lineage(on) {
            for method in &self.types[owner].methods {
                let is_hidden = found.iter().any(|(_, m)| m.has_signature_of(method));
                if !is_hidden && self.is_visible(owner, method, on, from) {
                    found.push((owner, method));
                }
            }
        }
        found
    }

    /// Whether a method of `owner` is a member of `on` that `from` may call.
    fn is_visible(
        &self,
        owner: TypeIndex,
        method: &Method,
        on: TypeIndex,
        from: Option<TypeIndex>,
    ) -> bool {
        let package = |index: TypeIndex| self.types[index].package;
        // Tests lie in the main package.
        let from_package = from.map_or(Package::Main, package);
        let is_inherited =
            on == owner || !(method.is_static && self.types[owner].kind == Kind::Interface);
        is_inherited
            && match method.access {
                Access::Private => Some(owner) == from && owner == on,
                Access::Package => {
                    package(owner) == from_package && self.is_inherited_in_package(on, owner)
                }
                Access::Protected => {
                    package(owner) == from_package
                        || from.is_some_and(|from| self.is_subtype(from, owner))
                }
                Access::Public => true,
            }
    }

    /// Whether all classes from one up to another lie in one package, so that what is private to it
    /// is handed down.
    fn is_inherited_in_package(&self, on: TypeIndex, owner: TypeIndex) -> bool {
        let package = |index: TypeIndex| self.types[index].package;
        let mut at = Some(on);
        // A hierarchy that has a cycle is not sound; the search ends in any case.
        for _ in 0..=self.types.len() {
            match at {
                Some(index) if package(index) != package(owner) => return false,
                Some(index) if index == owner => return true,
                Some(index) => at = self.types[index].superclass,
                None => return false,
            }
        }
        false
    }

    /// The one whose parameter can be given to all the others; none if there is no such.
    fn most_specific<'a>(
        &self,
        applicable: &[(TypeIndex, &'a Method)],
    ) -> Option<(TypeIndex, &'a Method)> {
        let is_below = |one: &Method, other: &Method| match (one.parameter, other.parameter) {
            (Some(one), Some(other)) => self.is_assignable(one, other),
            _ => true,
        };
        let mut candidates = applicable.iter();
        let best = candidates.find(|(_, one)| applicable.iter().all(|(_, m)| is_below(one, m)));
        best.copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::sample::sample;

    #[test]
    fn the_nearest_method_with_the_best_parameter() {
        let program = sample();
        let find = |on, argument, from| {
            let found = program.find_method(on, "m", argument, from);
            found.map(|(owner, method)| (owner, method.parameter))
        };
        assert_eq!(find(1, None, None), Some((1, None)));
        let long = Some(ValueType::Long);
        assert_eq!(find(1, Some(ValueType::Int), None), Some((0, long)));
        assert_eq!(find(1, Some(ValueType::Boolean), None), None);
    }

    #[test]
    fn access() {
        let mut program = sample();
        let mut seen = |access, on, from| {
            program.types[0].methods[2].access = access;
            program.find_method(on, "n", None, from).is_some()
        };
        assert!(seen(Access::Private, 0, Some(0)));
        assert!(!seen(Access::Private, 1, Some(0)));
        assert!(!seen(Access::Private, 0, None));
        assert!(seen(Access::Package, 0, None));
        assert!(
            !seen(Access::Package, 1, None),
            "not handed down to another package"
        );
        assert!(!seen(Access::Package, 0, Some(1)));
        assert!(seen(Access::Protected, 0, Some(1)));
        assert!(seen(Access::Public, 1, Some(3)));
    }

    #[test]
    fn a_field_that_comes_from_two_sides_is_not_clear() {
        let mut program = sample();
        program.types[1].interfaces.push(2);
        assert!(program.find_field(1, "f").is_none());
        assert!(program.find_field(1, "g").is_some());
    }
}
