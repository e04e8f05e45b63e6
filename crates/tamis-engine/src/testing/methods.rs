//! Selecting by test method (SPEC 1.6): a class that has to run need not run all its tests.
//!
//! A class is decided about first, by its own records. If it runs, each of its methods may still be skipped by records of its own. The
//! record of the class is then put together: what ran, and for methods that were skipped what their records say. So
//! it knows all tests of the class, whichever way they are selected the next time.
//!
//! Methods that may rely on each other are *tied*: they have no records of their own, and run together.

use std::collections::{BTreeMap, BTreeSet};

use tamis_classfile::attribute::{Annotation, Attribute, AttributeContent, ElementValue};
use tamis_classfile::{AccessFlags, ClassFile, ConstantPool};
use tamis_facts::{ClassName, EntityId, ModifiedUtf8, TestOutcome};
use tamis_select::{Decision, Reason};
use tamis_wire::{Discovered, EntityKind};

use super::analysis::Analysis;
use crate::attribution::class_of;
use crate::class_info::{ClassInfo, internal_name};
use crate::examined::ExaminedJvm;
use crate::held::Held;
use crate::today::{ClassStates, State};

/// The class of a test method; none of what is no method.
pub(super) fn class_of_method(id: &EntityId, discovered: &Discovered) -> Option<EntityId> {
    let [test] = &discovered.tests[..] else {
        return None;
    };
    if discovered.kind != EntityKind::Method {
        return None;
    }
    let class = id.test.as_bytes().strip_suffix(&test[..])?;
    Some(EntityId {
        test: class.strip_suffix(b"#")?.into(),
        ..id.clone()
    })
}

/// The method of a class, as an entity.
pub(super) fn method_of_class(class: &EntityId, test: &ModifiedUtf8) -> EntityId {
    let name = [class.test.as_bytes(), b"#", test.as_bytes()].concat();
    EntityId {
        test: name[..].into(),
        ..class.clone()
    }
}

/// Whether an entity is a method of the class whose method with an empty name this is.
pub(super) fn is_method_of(id: &EntityId, nameless: &EntityId) -> bool {
    (&id.realm, &id.framework) == (&nameless.realm, &nameless.framework)
        && id.test.as_bytes().starts_with(nameless.test.as_bytes())
}

/// What would be the class, if an entity is a method.
pub(super) fn class_part(id: &EntityId) -> Option<EntityId> {
    let name = id.test.as_bytes();
    let end = name.iter().position(|byte| *byte == b'#')?;
    Some(EntityId {
        test: name[..end].into(),
        ..id.clone()
    })
}

/// What is to be done with a method whose class was decided about.
pub(super) fn decide_method(
    method: &EntityId,
    test: &ModifiedUtf8,
    class: &EntityId,
    of_class: &Decision,
    analysis: &Analysis,
) -> Decision {
    let own = || analysis.decide(method, &BTreeSet::from([test.clone()]));
    match of_class {
        // What a class runs for as a whole is not a matter of one method.
        Decision::Skip(_) | Decision::Run(Reason::Companion(_)) => of_class.clone(),
        // Red stays red, but only where it was.
        Decision::Run(Reason::NotPassed(position, _)) => {
            let outcome = analysis.outcome(class, *position, test);
            if outcome == Some(TestOutcome::Passed) {
                own()
            } else {
                of_class.clone()
            }
        }
        // A setting names all methods of a class, a tag may be that of one.
        Decision::Run(
            Reason::Always | Reason::New | Reason::Old | Reason::Broken | Reason::NotCovered(..),
        ) => own(),
    }
}

/// Annotations that make the tests of a class follow each other in some order, or share an object. An extension that a field holds may be
/// an object for each test, and still keeps what it likes in a store that all of them share.
const TYING: &[&str] = &[
    "org/junit/FixMethodOrder",
    "org/junit/jupiter/api/Order",
    "org/junit/jupiter/api/TestInstance",
    "org/junit/jupiter/api/TestMethodOrder",
    "org/junit/jupiter/api/extension/RegisterExtension",
    "org/junit/runner/OrderWith",
];

/// Who has one of these is run by something, or has it around its tests, that is one object for all of them, and may keep anything in it.
const SHARING: &[&str] = &[
    "org/junit/jupiter/api/extension/ExtendWith",
    "org/junit/jupiter/api/extension/Extensions",
    "org/junit/runner/RunWith",
];

/// But JUnit's own extensions and runners keep nothing of one test for another.
const OF_JUNIT: &[u8] = b"org/junit/";

/// It makes an object for each test, if nobody tells it otherwise: by an annotation, a file, a property of the JVM, a parameter of the
/// build, an extension.
const JUPITER: &str = "junit-jupiter";

/// By these files all classes may be tied: settings, and extensions that need not be named.
const SETTINGS_OF_JUNIT: &[&[u8]] = &[
    b"junit-platform.properties",
    b"META-INF/services/org.junit.jupiter.api.extension.Extension",
];

/// Frameworks that make an object of the class for each test.
const KNOWN_FRAMEWORKS: &[&str] = &["junit4", JUPITER, "junit-vintage"];

/// Whether methods of a class may rely on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ties {
    /// They may.
    Tied,
    /// They may, unless each was seen to run on an object of its own.
    TiedByObject,
    /// They do not.
    Free,
}

/// Whether the methods of a class may rely on each other: by an order, by an object that they share, by static fields of the
/// class, of those that it extends, holds or is held by. So it is where that cannot be told.
pub(super) fn ties(class: &EntityId, classes: &ClassStates<'_>) -> Ties {
    let framework = class.framework.as_bytes();
    let mut known = KNOWN_FRAMEWORKS.iter();
    let is_known = known.any(|known| known.as_bytes() == framework);
    let mut settings = SETTINGS_OF_JUNIT.iter();
    if !is_known || settings.any(|file| classes.resource(file) != State::Absent) {
        return Ties::Tied;
    }
    let mut next = vec![(internal_name(class.test.as_bytes()), Role::Holds)];
    let mut seen = BTreeSet::new();
    while let Some((name, role)) = next.pop() {
        if is_of_jdk(&name) || !seen.insert(name.clone()) {
            continue;
        }
        let bytes = match classes.bytes(&name) {
            State::Known((bytes, _)) => bytes,
            // One that is not there is not seen by JUnit either.
            State::Absent if role == Role::Annotates => continue,
            State::Absent | State::Unknown(_) => return Ties::Tied,
        };
        let Some(info) = ClassInfo::of(&bytes) else {
            return Ties::Tied;
        };
        let holds = role == Role::Holds;
        let is_shared = !name.as_bytes().starts_with(OF_JUNIT) && shares(&info, &bytes);
        if info.annotations.iter().any(is_tying) || is_shared || holds && has_state(&info) {
            return Ties::Tied;
        }
        let others = info.supertypes().chain(info.nested(&name));
        let others = others.filter(|_| holds);
        next.extend(others.map(|name| (name.clone(), Role::Holds)));
        let annotations = info.annotations.iter();
        next.extend(annotations.map(|name| (name.clone(), Role::Annotates)));
    }
    if framework == JUPITER.as_bytes() {
        Ties::TiedByObject
    } else {
        Ties::Free
    }
}

/// Whether a class names a runner or an extension that is not JUnit's own.
fn shares(info: &ClassInfo, bytes: &[u8]) -> bool {
    let mut sharing = SHARING.iter().map(|name| ClassName::from(*name));
    sharing.any(|name| info.annotations.contains(&name))
        && shared_by(bytes).is_none_or(|shared| {
            let of_junit = |descriptor: &Vec<u8>| {
                let name = descriptor.strip_prefix(b"L");
                name.is_some_and(|name| name.starts_with(OF_JUNIT))
            };
            !shared.iter().all(of_junit)
        })
}

/// The descriptors of the runners and extensions that a class names for all of its tests; none if that cannot be told, or if members
/// name some.
fn shared_by(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let class = ClassFile::parse(bytes).ok()?;
    let pool = &class.constant_pool;
    let fields = class.fields.iter().map(|field| &field.attributes);
    let methods = class.methods.iter().map(|method| &method.attributes);
    for attributes in fields.chain(methods) {
        if !sharing_annotations(attributes, pool)?.is_empty() {
            return None;
        }
    }
    let mut shared = Vec::new();
    for annotation in sharing_annotations(&class.attributes, pool)? {
        for element in &annotation.elements {
            add_classes(&element.value, pool, &mut shared)?;
        }
    }
    Some(shared)
}

/// Those of the annotations that are of one of the types [`SHARING`]; none if that cannot be told.
fn sharing_annotations<'a>(
    attributes: &'a [Attribute<'_>],
    pool: &ConstantPool<'_>,
) -> Option<Vec<&'a Annotation>> {
    let mut found = Vec::new();
    for attribute in attributes {
        let annotations: Vec<&Annotation> = match &attribute.content {
            AttributeContent::RuntimeVisibleAnnotations(all) => all.iter().collect(),
            AttributeContent::RuntimeVisibleParameterAnnotations(all) => {
                all.iter().flatten().collect()
            }
            _ => continue,
        };
        for annotation in annotations {
            let descriptor = pool.utf8(annotation.type_descriptor).ok()?;
            let name = descriptor.strip_prefix(b"L")?.strip_suffix(b";")?;
            if SHARING.iter().any(|sharing| sharing.as_bytes() == name) {
                found.push(annotation);
            }
        }
    }
    Some(found)
}

/// The classes of a value, which is one or has some; none if it is anything else.
fn add_classes(
    value: &ElementValue,
    pool: &ConstantPool<'_>,
    found: &mut Vec<Vec<u8>>,
) -> Option<()> {
    match value {
        ElementValue::Class(index) => found.push(pool.utf8(*index).ok()?.to_vec()),
        ElementValue::Array(values) => {
            for value in values {
                add_classes(value, pool, found)?;
            }
        }
        _ => return None,
    }
    Some(())
}

/// The classes of which a method ran without making an object: they have one for all, or one that came from elsewhere. (JUnit 4 before 4.13
/// makes it before the test begins, so that it is among these.)
pub(super) fn sharing_objects(jvm: &ExaminedJvm) -> BTreeSet<ClassName> {
    let mut constructors: BTreeMap<&ClassName, Vec<u32>> = BTreeMap::new();
    for class in jvm.classes.values() {
        let units = (class.first_unit..).zip(&class.methods);
        let units = units.filter(|(_, ran)| ran.method.name.as_bytes() == b"<init>");
        let known = constructors.entry(&class.name).or_default();
        known.extend(units.map(|(unit, _)| unit));
    }
    let ran = jvm.entities.keys().map(|number| &jvm.jvm.entities[number]);
    let methods = ran.filter(|told| told.discovered.kind == EntityKind::Method);
    let classes = methods.filter_map(|method| {
        let class = class_of(method);
        let mut own = constructors.get(&class).into_iter().flatten();
        let makes_object = own.any(|unit| method.own.contains(*unit));
        (!makes_object).then_some(class)
    });
    classes.collect()
}

/// What a class has to do with tests.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It holds tests, or what they share.
    Holds,
    /// It is an annotation of such a class, or of an annotation.
    Annotates,
}

fn is_tying(annotation: &ClassName) -> bool {
    let mut tying = TYING.iter();
    tying.any(|name| name.as_bytes() == annotation.as_bytes())
}

/// Whether a class has static fields that tests may leave something in. (Those of interfaces are constants.)
fn has_state(info: &ClassInfo) -> bool {
    let is_interface = info.access_flags.contains(AccessFlags::INTERFACE);
    let mut fields = info.fields.iter();
    !is_interface
        && fields.any(|(id, field)| {
            let is_value = matches!(
                id.descriptor.as_bytes(),
                [_] | b"Ljava/lang/String;" | b"Ljava/lang/Class;"
            );
            let is_fixed = field.is_final && (is_value || field.held == Some(Held::Fixed));
            field.is_static && !is_fixed
        })
}

fn is_of_jdk(name: &ClassName) -> bool {
    name.as_bytes().starts_with(b"java/")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;
    use std::time::SystemTime;

    use tamis_build::{ClassPath, path_text};
    use tamis_classfile::checksum::DebugInfo;
    use tamis_facts::Realm;
    use tamis_store::StatCache;
    use tamis_testkit::jdks::newest_jdk;
    use tamis_testkit::server::JavaServer;

    use super::*;

    const RETAINED: &str =
        "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)";

    /// Annotations of JUnit's, as far as a class file shows them.
    const ANNOTATIONS: &[&str] = &[
        "org.junit.FixMethodOrder",
        "org.junit.Test",
        "org.junit.jupiter.api.Order",
        "org.junit.jupiter.api.TestInstance",
        "org.junit.jupiter.api.TestMethodOrder",
        "org.junit.jupiter.api.extension.ExtendWith",
        "org.junit.jupiter.api.extension.RegisterExtension",
        "org.junit.runner.OrderWith",
        "org.junit.runner.RunWith",
        "org.junit.runners.Parameterized",
    ];

    /// Classes, the framework of each, and whether its methods are tied. `NAME` is the name of the class.
    const CASES: &[(&str, &str, Ties)] = &[
        (
            "class NAME { @org.junit.Test void a() {} }",
            "junit4",
            Ties::Free,
        ),
        (
            "class NAME { int own; static final int LIMIT = 1; static final String TEXT = \"\"; }",
            "junit4",
            Ties::Free,
        ),
        (
            "class NAME { @org.junit.Test void a() {} }",
            "junit-vintage",
            Ties::Free,
        ),
        ("class NAME {}", JUPITER, Ties::TiedByObject),
        ("class NAME {}", "testng", Ties::Tied),
        ("class NAME {}", "cucumber", Ties::Tied),
        // A declared order, or an object for all.
        (
            "@org.junit.FixMethodOrder class NAME {}",
            "junit4",
            Ties::Tied,
        ),
        (
            "@org.junit.runner.OrderWith class NAME {}",
            "junit4",
            Ties::Tied,
        ),
        (
            "@org.junit.runner.OrderWith class NAME {}",
            "junit-vintage",
            Ties::Tied,
        ),
        (
            "@org.junit.jupiter.api.TestMethodOrder class NAME {}",
            JUPITER,
            Ties::Tied,
        ),
        (
            "class NAME { @org.junit.jupiter.api.Order void a() {} }",
            JUPITER,
            Ties::Tied,
        ),
        (
            "@org.junit.jupiter.api.TestInstance class NAME {}",
            JUPITER,
            Ties::Tied,
        ),
        // The same by what is above, around or inside, and by annotations of annotations.
        ("class NAME extends Ordered {}", "junit4", Ties::Tied),
        (
            "class NAME { @org.junit.jupiter.api.TestInstance class Inner {} }",
            JUPITER,
            Ties::Tied,
        ),
        ("@OneObject class NAME {}", JUPITER, Ties::Tied),
        ("@LikeOneObject class NAME {}", JUPITER, Ties::Tied),
        (
            "class NAME { @LikeOneObject void a() {} }",
            JUPITER,
            Ties::Tied,
        ),
        // A runner or an extension is one object for all tests.
        (
            "@org.junit.runner.RunWith(org.junit.runners.Parameterized.class) class NAME {}",
            "junit4",
            Ties::Free,
        ),
        (
            "@org.junit.runner.RunWith(Gone.class) class NAME {}",
            "junit4",
            Ties::Tied,
        ),
        ("class NAME extends Run {}", "junit-vintage", Ties::Tied),
        ("@RunSo class NAME {}", "junit4", Ties::Tied),
        (
            "@org.junit.jupiter.api.extension.ExtendWith(Gone.class) class NAME {}",
            JUPITER,
            Ties::Tied,
        ),
        (
            "@org.junit.jupiter.api.extension.ExtendWith(org.junit.runners.Parameterized.class) class NAME {}",
            JUPITER,
            Ties::TiedByObject,
        ),
        (
            "@org.junit.runner.RunWith(org.junit.runners.Parameterized.class) class NAME {
                @org.junit.jupiter.api.extension.ExtendWith(Gone.class) void a() {} }",
            JUPITER,
            Ties::Tied,
        ),
        (
            "class NAME { @org.junit.jupiter.api.Parameters void a() {} }",
            JUPITER,
            Ties::TiedByObject,
        ),
        // Or one for each of them that has a store with the others.
        (
            "class NAME { @org.junit.jupiter.api.extension.RegisterExtension Object own; }",
            JUPITER,
            Ties::Tied,
        ),
        (
            "class NAME { @Registered Object own; }",
            JUPITER,
            Ties::Tied,
        ),
        // Static state.
        ("class NAME { static int count; }", "junit4", Ties::Tied),
        (
            "class NAME { static final int[] COUNTS = {1}; }",
            JUPITER,
            Ties::Tied,
        ),
        (
            "class NAME { static final java.util.List<String> LIST = new java.util.ArrayList<>(); }",
            "junit4",
            Ties::Tied,
        ),
        ("class NAME extends Counting {}", "junit4", Ties::Tied),
        (
            "class NAME { static class Inner { static int count; } }",
            JUPITER,
            Ties::Tied,
        ),
        ("class NAME implements Limits {}", "junit4", Ties::Free),
        // What is not there.
        ("class NAME extends Gone {}", "junit4", Ties::Tied),
        ("class NAME implements GoneToo {}", "junit4", Ties::Tied),
        ("@GoneMark class NAME {}", "junit4", Ties::Free),
    ];

    /// What the cases name.
    const OTHERS: &[(&str, &str)] = &[
        ("Ordered", "@org.junit.FixMethodOrder class Ordered {}"),
        ("Run", "@org.junit.runner.RunWith(Gone.class) class Run {}"),
        (
            "org/junit/jupiter/api/Parameters",
            "package org.junit.jupiter.api; RETAINED @org.junit.jupiter.api.extension.ExtendWith(String.class)
                public @interface Parameters {}",
        ),
        ("Counting", "class Counting { static int count; }"),
        ("Limits", "interface Limits { int[] LIMITS = {1}; }"),
        ("Gone", "class Gone {}"),
        ("GoneToo", "interface GoneToo {}"),
        ("GoneMark", "RETAINED @interface GoneMark {}"),
        (
            "OneObject",
            "RETAINED @org.junit.jupiter.api.TestInstance @interface OneObject {}",
        ),
        (
            "LikeOneObject",
            "RETAINED @OneObject @interface LikeOneObject {}",
        ),
        (
            "Registered",
            "RETAINED @org.junit.jupiter.api.extension.RegisterExtension @interface Registered {}",
        ),
        (
            "RunSo",
            "RETAINED @org.junit.runner.RunWith(Gone.class) @interface RunSo {}",
        ),
    ];

    /// Compiles the cases and what they name; classes whose names begin with `Gone` go away.
    fn compile(folder: &Path) {
        let mut sources = Vec::new();
        for (position, (text, ..)) in CASES.iter().enumerate() {
            let name = format!("Case{position}");
            sources.push((format!("{name}.java"), text.replace("NAME", &name)));
        }
        for (name, text) in OTHERS {
            sources.push((format!("{name}.java"), text.replace("RETAINED", RETAINED)));
        }
        for name in ANNOTATIONS {
            let (package, simple) = name.rsplit_once('.').unwrap();
            let text = format!(
                "package {package}; {RETAINED} public @interface {simple} {{
                    Class<?> value() default Object.class; }}"
            );
            sources.push((format!("{}.java", name.replace('.', "/")), text));
        }
        let sources: Vec<(&str, &str)> = sources
            .iter()
            .map(|(name, text)| (&**name, &**text))
            .collect();
        let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
        for (name, bytes) in server.compile(&[], &sources).unwrap() {
            let file = folder.join(format!("{name}.class"));
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            if !name.starts_with("Gone") {
                fs::write(file, bytes).unwrap();
            }
        }
    }

    fn ties_of(folder: &Path, position: usize, framework: &str) -> Ties {
        let path = ClassPath::of_places(&[path_text(folder)], &Arc::default());
        let cache = StatCache::new(SystemTime::now());
        let classes = ClassStates::new(&path, &cache, DebugInfo::Ignored);
        let class = EntityId {
            realm: Realm::default(),
            framework: framework.into(),
            test: (*format!("Case{position}")).into(),
        };
        ties(&class, &classes)
    }

    #[test]
    fn what_ties_the_methods_of_a_class() {
        let folder = tempfile::tempdir().unwrap();
        compile(folder.path());
        for (position, (text, framework, expected)) in CASES.iter().enumerate() {
            let found = ties_of(folder.path(), position, framework);
            assert_eq!(found, *expected, "{framework}: {text}");
        }
        // A file may declare any of it for all classes.
        let (_, framework, _) = CASES[0];
        fs::create_dir_all(folder.path().join("META-INF/services")).unwrap();
        for file in SETTINGS_OF_JUNIT {
            let file = folder.path().join(std::str::from_utf8(file).unwrap());
            fs::write(&file, "").unwrap();
            assert_eq!(ties_of(folder.path(), 0, framework), Ties::Tied);
            fs::remove_file(file).unwrap();
            assert_eq!(ties_of(folder.path(), 0, framework), Ties::Free);
        }
        // And a class that cannot be read.
        fs::write(folder.path().join("Case0.class"), "damaged").unwrap();
        assert_eq!(ties_of(folder.path(), 0, framework), Ties::Tied);
    }
}
