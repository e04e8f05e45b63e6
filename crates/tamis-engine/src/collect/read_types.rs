//! Code that may get from a class to another one by what the former declares: `Field.getType`, the argument of a generic superclass,
//! a class in an annotation.
//!
//! What reflection told is kept by the JDK. So nobody sees who asks again, and from a type that was found in this way nothing
//! leads back to any code: it counts for all that run such code and use the class that declares it, as far as that one was looked
//! at before. Most tests run none, but for what their framework does.

use tamis_facts::{ClassName, MethodId};

use crate::class_info::{NamedMember, UnitInfo};

/// Packages and classes whose methods show types, by how their names begin.
const SHOWING: &[&str] = &[
    "java/beans/",
    "java/io/ObjectStreamClass",
    "java/io/ObjectStreamField",
    "java/lang/Module",
    "java/lang/Package",
    "java/lang/invoke/",
    "java/lang/reflect/",
    "javax/management/",
    // What JUnit does for tests that ask it to.
    "org/junit/jupiter/api/extension/ParameterContext",
    "org/junit/platform/commons/",
    "org/junit/runners/model/",
];

/// What every lambda and every sum of texts names, and what finds and calls members that are named by types.
const CALM: &[&str] = &[
    "java/lang/invoke/LambdaMetafactory",
    "java/lang/invoke/MethodHandle",
    "java/lang/invoke/MethodHandles",
    "java/lang/invoke/MethodHandles$Lookup",
    "java/lang/invoke/StringConcatFactory",
];

/// Methods of classes that tell no other class than one above it.
const CALM_OF_CLASS: &[&str] = &[
    "asSubclass",
    "cast",
    "desiredAssertionStatus",
    "equals",
    "forName",
    "getCanonicalName",
    "getClass",
    "getClassLoader",
    "getComponentType",
    "getEnumConstants",
    "getInterfaces",
    "getModifiers",
    "getName",
    "getPackage",
    "getPackageName",
    "getProtectionDomain",
    "getResource",
    "getResourceAsStream",
    "getSimpleName",
    "getSuperclass",
    "getTypeName",
    "hashCode",
    "newInstance",
    "toString",
];

/// Whether a method may get at classes that others declare.
pub(super) fn reads_types(unit: &UnitInfo) -> bool {
    unit.members.iter().any(|member| match member {
        NamedMember::Field(..) => false,
        NamedMember::Method(owner, method) => shows_types(owner, method),
    })
}

fn shows_types(owner: &ClassName, method: &MethodId) -> bool {
    let (owner, name) = (owner.as_bytes(), method.name.as_bytes());
    if owner == b"java/lang/Class" {
        let is_calm = CALM_OF_CLASS.iter().any(|calm| calm.as_bytes() == name);
        return !is_calm && !name.starts_with(b"is");
    }
    let is_showing = SHOWING
        .iter()
        .any(|start| owner.starts_with(start.as_bytes()));
    is_showing && !CALM.iter().any(|calm| calm.as_bytes() == owner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_that_show_types() {
        for (owner, name, expected) in [
            ("java/lang/Class", "getName", false),
            ("java/lang/Class", "isInstance", false),
            ("java/lang/Class", "getDeclaredField", true),
            ("java/lang/Class", "getAnnotation", true),
            ("java/lang/reflect/Field", "getType", true),
            ("java/lang/invoke/MethodType", "returnType", true),
            ("java/lang/invoke/LambdaMetafactory", "metafactory", false),
            ("java/lang/Package", "getAnnotation", true),
            (
                "org/junit/platform/commons/support/ReflectionSupport",
                "findFields",
                true,
            ),
            ("java/lang/String", "length", false),
        ] {
            let method = MethodId {
                name: name.into(),
                descriptor: "()V".into(),
            };
            let shows = shows_types(&ClassName::from(owner), &method);
            assert_eq!(shows, expected, "{owner}.{name}");
        }
    }
}
