//! Hierarchies of types: all of a size, none twice in another order of independent types.

use crate::program::{Kind, Package, Type, TypeIndex};

/// The types of a program without their members. A type's supertypes stand before it.
pub(super) type Hierarchy = Vec<TypeShape>;

/// A type without its members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TypeShape {
    pub(super) kind: Kind,
    package: Package,
    superclass: Option<TypeIndex>,
    interface: Option<TypeIndex>,
}

/// All hierarchies of so many types in which some class can be instantiated.
pub(super) fn all(n_types: usize) -> Vec<Hierarchy> {
    let mut found = vec![Vec::new()];
    for _ in 0..n_types {
        found = found.iter().flat_map(longer).collect();
    }
    found.retain(|hierarchy| hierarchy.iter().any(|shape| shape.kind == Kind::Class));
    found
}

/// The types that a hierarchy stands for, named `A`, `B`, …
pub(super) fn types(hierarchy: &Hierarchy) -> Vec<Type> {
    let names = 'A'..='Z';
    let types = hierarchy.iter().zip(names).map(|(shape, name)| {
        let mut part = Type::new(&name.to_string(), shape.kind);
        part.package = shape.package;
        part.superclass = shape.superclass;
        part.interfaces.extend(shape.interface);
        part
    });
    types.collect()
}

/// The hierarchy with each type that may come next.
fn longer(shorter: &Hierarchy) -> impl Iterator<Item = Hierarchy> {
    shapes(shorter).into_iter().map(|shape| {
        let mut longer = shorter.clone();
        longer.push(shape);
        longer
    })
}

fn shapes(before: &Hierarchy) -> Vec<TypeShape> {
    let those = |is_wanted: fn(Kind) -> bool| {
        let indices = 0..before.len();
        let found = indices.filter(move |index| is_wanted(before[*index].kind));
        [None].into_iter().chain(found.map(Some))
    };
    let is_interface = |kind| kind == Kind::Interface;
    // The first type holds the main package open, for imports.
    let packages: &[Package] = if before.is_empty() {
        &[Package::Main]
    } else {
        &[Package::Main, Package::Sub]
    };
    let mut shapes = Vec::new();
    for package in packages {
        for interface in those(is_interface) {
            let shape = |kind, superclass| TypeShape {
                kind,
                package: *package,
                superclass,
                interface,
            };
            for superclass in those(|kind| kind != Kind::Interface) {
                shapes.push(shape(Kind::Class, superclass));
                shapes.push(shape(Kind::AbstractClass, superclass));
            }
            shapes.push(shape(Kind::Interface, None));
        }
    }
    // Of two neighbours that do not know each other, the smaller one stands first.
    let knows_last = |shape: &TypeShape| {
        let last = before.len().checked_sub(1);
        last.is_some() && (shape.superclass == last || shape.interface == last)
    };
    shapes.retain(|shape| knows_last(shape) || before[1.min(before.len())..].last() <= Some(shape));
    shapes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_there_are() {
        let counts = [1, 2, 3, 4].map(|n_types| all(n_types).len());
        assert_eq!(counts, [1, 18, 271, 4691]);
    }
}
