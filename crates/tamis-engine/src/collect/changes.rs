//! What code may change in objects and arrays, wherever it has them from.
//!
//! Code that ran tells which fields of objects it sets, of which kinds of arrays it sets elements, and what it calls of the
//! JDK, whose own code is not looked at. Constructors count too: nobody knows whether they set fields of other objects.

use std::collections::BTreeSet;

use tamis_classfile::instruction::opcode;
use tamis_facts::{ClassName, MethodId};

use super::reach::Reach;

/// What some code may change.
#[derive(Debug, Default, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is true or not, whatever the others are"
)]
pub(super) struct Changes {
    /// Fields of objects, by number.
    pub(super) fields: BTreeSet<u32>,
    pub(super) arrays: ArrayKinds,
    /// Whether it has ways to change whatever it can get hold of.
    pub(super) is_any: bool,
    /// Whether it has ways to get hold of what private fields hold, for itself or for others.
    pub(super) gets_private: bool,
    /// Whether it has ways to static fields that it does not name.
    pub(super) reflects: bool,
    /// Whether it may bring in code whose changes are not seen, now or later.
    pub(super) brings_unseen: bool,
}

/// Kinds of arrays, by what their elements are: one bit for each instruction that sets one.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct ArrayKinds(u8);

/// Methods of the JDK by which whoever calls them can set elements of any array.
const SETTING_ELEMENTS: &[(&str, &str)] = &[
    ("java/lang/System", "arraycopy"),
    ("java/lang/reflect/Array", "set"),
];

/// Methods of the JDK by which whoever calls them can set any field.
const SETTING: &[(&str, &str)] = &[
    ("java/lang/invoke/MethodHandles", "arrayElement"),
    ("java/lang/invoke/MethodHandles$Lookup", "findSetter"),
    ("java/lang/invoke/MethodHandles$Lookup", "findStaticSetter"),
    ("java/lang/invoke/MethodHandles$Lookup", "unreflectSetter"),
    ("java/lang/invoke/VarHandle", ""),
    ("java/lang/reflect/Field", "set"),
    ("java/util/concurrent/atomic/AtomicIntegerFieldUpdater", ""),
    ("java/util/concurrent/atomic/AtomicLongFieldUpdater", ""),
    (
        "java/util/concurrent/atomic/AtomicReferenceFieldUpdater",
        "",
    ),
    ("jdk/internal/misc/Unsafe", ""),
    ("sun/misc/Unsafe", ""),
];

/// Methods by which whoever calls them gets what a private field holds. They are meant whole: `Field` has many that begin so.
const GETTING: &[(&str, &str)] = &[
    ("java/lang/invoke/MethodHandles$Lookup", "findGetter"),
    ("java/lang/invoke/MethodHandles$Lookup", "findStaticGetter"),
    (
        "java/lang/invoke/MethodHandles$Lookup",
        "findStaticVarHandle",
    ),
    ("java/lang/invoke/MethodHandles$Lookup", "findVarHandle"),
    ("java/lang/invoke/MethodHandles$Lookup", "unreflectGetter"),
    (
        "java/lang/invoke/MethodHandles$Lookup",
        "unreflectVarHandle",
    ),
    ("java/lang/reflect/Field", "get"),
    (
        "org/junit/platform/commons/support/ReflectionSupport",
        "tryToReadFieldValue",
    ),
    (
        "org/junit/platform/commons/util/ReflectionUtils",
        "readFieldValue",
    ),
    (
        "org/junit/platform/commons/util/ReflectionUtils",
        "tryToReadFieldValue",
    ),
];

/// Methods by which whoever calls them may look at any static field, or set it.
const REFLECTING: &[(&str, &[&str])] = &[
    (
        "java/lang/invoke/MethodHandles$Lookup",
        &[
            "findStaticGetter",
            "findStaticSetter",
            "findStaticVarHandle",
            "unreflectGetter",
            "unreflectSetter",
            "unreflectVarHandle",
        ],
    ),
    (
        "java/lang/reflect/Field",
        &[
            "get",
            "getBoolean",
            "getByte",
            "getChar",
            "getDouble",
            "getFloat",
            "getInt",
            "getLong",
            "getShort",
            "set",
            "setBoolean",
            "setByte",
            "setChar",
            "setDouble",
            "setFloat",
            "setInt",
            "setLong",
            "setShort",
        ],
    ),
    (
        "org/junit/platform/commons/support/ReflectionSupport",
        &["tryToReadFieldValue"],
    ),
];

/// Those by which a stream shows its subclass each object that it passes; they are called by the name of the subclass.
const SHOWING: &[&str] = &["enableReplaceObject", "enableResolveObject"];

/// Methods that make classes of which a load hook is not told, or load code that is none of the JVM's.
const BRINGING: &[(&str, &str)] = &[
    ("java/lang/Runtime", "load"),
    ("java/lang/System", "load"),
    ("java/lang/foreign/Linker", ""),
    ("java/lang/invoke/MethodHandles$Lookup", "defineHiddenClass"),
    ("jdk/internal/misc/Unsafe", "define"),
    ("sun/misc/Unsafe", "define"),
];

/// Methods that take arrays and only read them.
const READING: &[(&str, &str)] = &[
    ("java/io/OutputStream", "write"),
    ("java/io/PrintStream", ""),
    ("java/io/PrintWriter", ""),
    ("java/io/Writer", "write"),
    ("java/lang/String", "<init>"),
    ("java/lang/String", "copyValueOf"),
    ("java/lang/String", "format"),
    ("java/lang/String", "join"),
    ("java/lang/String", "valueOf"),
    ("java/lang/StringBuffer", "<init>"),
    ("java/lang/StringBuffer", "append"),
    ("java/lang/StringBuffer", "insert"),
    ("java/lang/StringBuilder", "<init>"),
    ("java/lang/StringBuilder", "append"),
    ("java/lang/StringBuilder", "insert"),
    ("java/util/Arrays", "binarySearch"),
    ("java/util/Arrays", "copyOf"),
    ("java/util/Arrays", "equals"),
    ("java/util/Arrays", "hashCode"),
    ("java/util/Arrays", "stream"),
    ("java/util/Arrays", "toString"),
];

impl Changes {
    /// Elements of arrays are set by these instructions.
    pub(super) fn add_stores(&mut self, array_stores: &BTreeSet<u8>) {
        for store in array_stores {
            self.arrays.add(ArrayKinds::of_store(*store));
        }
    }

    /// A method is called, be it on the class path or not: one of a test framework is not looked at.
    pub(super) fn add_getting(&mut self, owner: &ClassName, method: &MethodId) {
        let (owner, name) = (owner.as_bytes(), method.name.as_bytes());
        let is_getting = GETTING
            .iter()
            .any(|(class, getter)| class.as_bytes() == owner && getter.as_bytes() == name);
        let is_unsafe = owner.ends_with(b"/misc/Unsafe") && name.starts_with(b"get");
        let is_showing = SHOWING.iter().any(|shower| shower.as_bytes() == name);
        self.gets_private |= is_getting || is_unsafe || is_showing;
        self.reflects |= REFLECTING.iter().any(|(class, methods)| {
            class.as_bytes() == owner && methods.iter().any(|method| method.as_bytes() == name)
        });
    }

    /// A method is called that is not on the class path.
    pub(super) fn add_call(&mut self, owner: &ClassName, method: &MethodId) {
        let is_among = |methods: &[(&str, &str)]| {
            methods.iter().any(|(class, name)| {
                owner.as_bytes() == class.as_bytes()
                    && method.name.as_bytes().starts_with(name.as_bytes())
            })
        };
        self.is_any |= is_among(SETTING);
        self.brings_unseen |= is_among(BRINGING);
        if is_among(SETTING_ELEMENTS) {
            self.arrays.add(ArrayKinds::ALL);
        } else if !is_among(READING) {
            self.arrays
                .add(ArrayKinds::of_parameters(method.descriptor.as_bytes()));
        }
    }

    pub(super) fn extend(&mut self, other: &Self) {
        self.fields.extend(&other.fields);
        self.arrays.add(other.arrays);
        self.is_any |= other.is_any;
        self.gets_private |= other.gets_private;
        self.reflects |= other.reflects;
        self.brings_unseen |= other.brings_unseen;
    }

    /// Whether such code may change something that can be reached.
    pub(super) fn touch(&self, reach: &Reach) -> bool {
        self.is_any
            || reach.is_open
            || self.arrays.intersect(reach.arrays)
            || (self.gets_private && self.arrays.intersect(reach.kept))
            || !self.fields.is_disjoint(&reach.fields)
    }
}

impl ArrayKinds {
    const ALL: Self = Self(u8::MAX);

    fn of_store(store: u8) -> Self {
        Self(1 << (store - opcode::IASTORE))
    }

    /// The kinds of an array of this type: of `[[I` the outer and the inner one.
    pub(super) fn of_type(descriptor: &[u8]) -> Self {
        let store = |element: &u8| match element {
            b'I' => opcode::IASTORE,
            b'J' => opcode::LASTORE,
            b'F' => opcode::FASTORE,
            b'D' => opcode::DASTORE,
            b'B' | b'Z' => opcode::BASTORE,
            b'C' => opcode::CASTORE,
            b'S' => opcode::SASTORE,
            _ => opcode::AASTORE,
        };
        let mut kinds = Self::default();
        let n_dimensions = descriptor.iter().take_while(|byte| **byte == b'[').count();
        if n_dimensions > 1 {
            kinds.add(Self::of_store(opcode::AASTORE));
        }
        if n_dimensions > 0
            && let Some(element) = descriptor.get(n_dimensions)
        {
            kinds.add(Self::of_store(store(element)));
        }
        kinds
    }

    /// The kinds of all arrays among the parameters of a method.
    fn of_parameters(descriptor: &[u8]) -> Self {
        let mut kinds = Self::default();
        let end = descriptor.iter().rposition(|byte| *byte == b')');
        let mut rest = &descriptor[..end.unwrap_or(0)];
        while let Some((first, more)) = rest.split_first() {
            match first {
                b'[' => {
                    kinds.add(Self::of_type(rest));
                    let element = rest.iter().position(|byte| *byte != b'[');
                    rest = &rest[element.unwrap_or(rest.len())..];
                }
                b'L' => {
                    let end = rest.iter().position(|byte| *byte == b';');
                    rest = &rest[end.map_or(rest.len(), |end| end + 1)..];
                }
                _ => rest = more,
            }
        }
        kinds
    }

    pub(super) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    fn intersect(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there are none.
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(owner: &str, name: &str, descriptor: &str) -> Changes {
        let mut changes = Changes::default();
        let method = MethodId {
            name: name.into(),
            descriptor: descriptor.into(),
        };
        changes.add_call(&owner.into(), &method);
        changes
    }

    fn arrays(descriptor: &[u8]) -> Reach {
        Reach {
            arrays: ArrayKinds::of_type(descriptor),
            ..Reach::default()
        }
    }

    #[test]
    fn calls_that_may_set_elements() {
        for (owner, name, descriptor, array, expected) in [
            ("java/util/Arrays", "fill", "([CC)V", &b"[C"[..], true),
            ("java/util/Arrays", "fill", "([CC)V", b"[I", false),
            ("java/util/Arrays", "equals", "([C[C)Z", b"[C", false),
            ("java/io/Reader", "read", "([C)I", b"[C", true),
            ("java/lang/String", "getChars", "(II[CI)V", b"[C", true),
            (
                "java/lang/String",
                "valueOf",
                "([C)Ljava/lang/String;",
                b"[C",
                false,
            ),
            (
                "java/util/Arrays",
                "sort",
                "([Ljava/lang/Object;)V",
                b"[La/B;",
                true,
            ),
            ("java/util/Arrays", "fill", "([ZZ)V", b"[B", true),
            ("a/B", "c", "(LC;[[I)V", b"[I", true),
            ("a/B", "c", "(L[C;I)V", b"[C", false),
            (
                "java/lang/System",
                "arraycopy",
                "(Ljava/lang/Object;ILjava/lang/Object;II)V",
                b"[S",
                true,
            ),
        ] {
            let touches = call(owner, name, descriptor).touch(&arrays(array));
            assert_eq!(touches, expected, "{owner}.{name}{descriptor}");
        }
    }

    #[test]
    fn stores_tell_what_elements_are() {
        let mut changes = Changes::default();
        changes.add_stores(&BTreeSet::from([opcode::BASTORE]));
        assert!(changes.touch(&arrays(b"[Z")));
        assert!(changes.touch(&arrays(b"[[B")));
        assert!(!changes.touch(&arrays(b"[C")));
        assert!(!changes.touch(&arrays(b"[[J")));
        assert!(!changes.touch(&arrays(b"Ljava/lang/String;")));
    }

    #[test]
    fn kept_arrays_change_once_somebody_may_have_them() {
        let kept = Reach {
            kept: ArrayKinds::of_type(b"[C"),
            ..Reach::default()
        };
        for (owner, name, expected) in [
            ("java/lang/reflect/Field", "get", true),
            ("java/lang/reflect/Field", "getName", false),
            ("sun/misc/Unsafe", "getObject", true),
            ("shop/Stream", "enableReplaceObject", true),
        ] {
            let mut changes = Changes::default();
            changes.add_stores(&BTreeSet::from([opcode::CASTORE]));
            assert!(!changes.touch(&kept));
            let method = MethodId {
                name: name.into(),
                descriptor: "()V".into(),
            };
            changes.add_getting(&owner.into(), &method);
            assert_eq!(changes.touch(&kept), expected, "{owner}.{name}");
        }
    }

    #[test]
    fn some_calls_can_set_anything() {
        let set = "(Ljava/lang/Object;Ljava/lang/Object;)V";
        assert!(call("java/lang/reflect/Field", "set", set).is_any);
        assert!(
            call(
                "java/lang/reflect/Field",
                "setInt",
                "(Ljava/lang/Object;I)V"
            )
            .is_any
        );
        assert!(!call("java/lang/reflect/Field", "get", set).is_any);
        assert!(call("java/lang/System", "loadLibrary", "(Ljava/lang/String;)V").brings_unseen);
    }
}
