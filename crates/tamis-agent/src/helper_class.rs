//! The classes that probed classes call and mark, as bytes.
//!
//! They lie in `java/lang`, the one package that no class loader may keep to itself and every module
//! can read: a loader that hides everything else from its classes (as application servers do) still
//! finds them. The JVM lets an agent define them there, in the JDK's own loader, in any version.

use std::ffi::CString;

/// The class with the native methods that probes and doors call.
pub(crate) const CALLS: &str = "java/lang/Tamis$T";

/// Its methods: name and descriptor. `calls.rs` has their code, of those of the JDK's doors `jdk_calls.rs`.
pub(crate) const NATIVES: &[(&str, &str)] = &[
    ("begin", "(I)V"),
    ("end", "(I)V"),
    ("planned", "(Ljava/lang/Object;)V"),
    ("prepared", "(Ljava/lang/Object;)V"),
    ("started", "(Ljava/lang/Object;)V"),
    ("finished", "(Ljava/lang/Object;Ljava/lang/Object;)V"),
    ("disabled", "(Ljava/lang/Object;)V"),
    ("beginBuild", "(Ljava/lang/Object;)V"),
    ("endBuild", "(Ljava/lang/Object;)V"),
    ("built", "(Ljava/lang/Object;)V"),
    ("skipsRunner", "(Ljava/lang/Object;)Z"),
    ("beginRunner", "(Ljava/lang/Object;)V"),
    ("endRunner", "(Ljava/lang/Object;)V"),
    ("skipsMethod", "(Ljava/lang/Object;Ljava/lang/Object;)Z"),
    ("testStarted", "(Ljava/lang/Object;)V"),
    ("testFinished", "(Ljava/lang/Object;)V"),
    ("testIgnored", "(Ljava/lang/Object;)V"),
    ("testFailed", "(Ljava/lang/Object;)V"),
    ("testAborted", "(Ljava/lang/Object;)V"),
    ("variable", "(Ljava/lang/Object;)V"),
    ("variables", "()V"),
    ("property", "(Ljava/lang/Object;)V"),
    ("properties", "()V"),
    ("propertySet", "(Ljava/lang/Object;)V"),
    ("propertiesSet", "()V"),
    ("member", "(Ljava/lang/Object;Ljava/lang/Object;)V"),
    ("content", "(Ljava/lang/Object;Ljava/lang/Object;)V"),
    ("manifest", "(Ljava/lang/Object;)V"),
    ("memberNames", "(Ljava/lang/Object;)V"),
    ("packages", "()V"),
    ("seal", "()V"),
];

/// The marks of one holder.
pub(crate) const N_MARKS: u32 = 32_768;

/// The class whose static field `C` is the array of marks of this number.
pub(crate) fn holder_name(number: u32) -> String {
    format!("java/lang/Tamis$H{number}")
}

/// A name as JNI wants it.
pub(crate) fn c_name(name: &str) -> CString {
    CString::new(name).expect("our own names hold no zero")
}

/// `public final class NAME { public static final byte[] C = new byte[32768]; }`
pub(crate) fn holder(name: &str) -> Vec<u8> {
    let mut constants = Constants::default();
    let [this, object] = [name, "java/lang/Object"].map(|name| constants.class(name));
    let [array, bytes] = ["C", "[B"].map(|text| constants.utf8(text));
    let [initialiser, nothing, code] = ["<clinit>", "()V", "Code"].map(|text| constants.utf8(text));
    let name_and_type = constants.pair(12, array, bytes);
    let field = constants.pair(9, this, name_and_type);
    let [high, low] = field.to_be_bytes();
    // 1 << 15 bytes, since 32768 is one more than `sipush` can push.
    let body = [4, 16, 15, 120, 188, 8, 179, high, low, 177];

    let mut class = Class::new(&constants, this, object);
    class.u16s(&[1, FIELD, array, bytes, 0]);
    class.u16s(&[1, STATIC, initialiser, nothing, 1, code]);
    // Length of the attribute, stack, locals, length of the code; no handlers, no attributes.
    class.u16s(&[0, 12 + body.len() as u16, 2, 0, 0, body.len() as u16]);
    class.0.extend(body);
    class.u16s(&[0, 0, 0]);
    class.0
}

/// `public final class T { public static native void begin(int); … }`
pub(crate) fn calls() -> Vec<u8> {
    let mut constants = Constants::default();
    let [this, object] = [CALLS, "java/lang/Object"].map(|name| constants.class(name));
    let methods: Vec<_> = NATIVES
        .iter()
        .map(|(name, descriptor)| (constants.utf8(name), constants.utf8(descriptor)))
        .collect();
    let mut class = Class::new(&constants, this, object);
    class.u16s(&[0, methods.len() as u16]);
    for (name, descriptor) in methods {
        class.u16s(&[NATIVE, name, descriptor, 0]);
    }
    class.u16s(&[0]);
    class.0
}

/// Public, final, super, synthetic.
const CLASS: u16 = 0x1031;
/// Public, static, final, synthetic.
const FIELD: u16 = 0x1019;
const STATIC: u16 = 0x0008;
/// Public, static, native.
const NATIVE: u16 = 0x0109;
/// Of Java 8.
const VERSION: u16 = 52;

#[derive(Default)]
struct Constants {
    bytes: Vec<u8>,
    n_constants: u16,
}

impl Constants {
    fn utf8(&mut self, text: &str) -> u16 {
        self.bytes.push(1);
        self.bytes.extend((text.len() as u16).to_be_bytes());
        self.bytes.extend(text.as_bytes());
        self.next()
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.bytes.push(7);
        self.bytes.extend(name.to_be_bytes());
        self.next()
    }

    fn pair(&mut self, tag: u8, first: u16, second: u16) -> u16 {
        self.bytes.push(tag);
        self.bytes.extend(first.to_be_bytes());
        self.bytes.extend(second.to_be_bytes());
        self.next()
    }

    fn next(&mut self) -> u16 {
        self.n_constants += 1;
        self.n_constants
    }
}

struct Class(Vec<u8>);

impl Class {
    /// Everything up to the interfaces, of which there are none.
    fn new(constants: &Constants, this: u16, superclass: u16) -> Self {
        let mut class = Self(vec![0xca, 0xfe, 0xba, 0xbe]);
        class.u16s(&[0, VERSION, constants.n_constants + 1]);
        class.0.extend(&constants.bytes);
        class.u16s(&[CLASS, this, superclass, 0]);
        class
    }

    fn u16s(&mut self, values: &[u16]) {
        self.0
            .extend(values.iter().flat_map(|value| value.to_be_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_classfile::ClassFile;

    #[test]
    fn the_holder_has_its_array_and_an_initialiser() {
        let bytes = holder("java/lang/Tamis$H7");
        let class = ClassFile::parse(&bytes).unwrap();
        assert_eq!(class.name().unwrap(), b"java/lang/Tamis$H7");
        let pool = &class.constant_pool;
        assert_eq!(pool.utf8(class.fields[0].name).unwrap(), b"C");
        assert_eq!(pool.utf8(class.methods[0].name).unwrap(), b"<clinit>");
        let code = class.methods[0].code().unwrap();
        let [.., 179, high, low, 177] = code.instructions[..] else {
            panic!("{:?}", code.instructions);
        };
        let field = pool.member(u16::from_be_bytes([high, low])).unwrap();
        assert_eq!(
            (field.owner, field.descriptor),
            (&b"java/lang/Tamis$H7"[..], &b"[B"[..])
        );
        assert_eq!(1 << 15, N_MARKS);
    }

    #[test]
    fn the_calls_are_native() {
        let bytes = calls();
        let class = ClassFile::parse(&bytes).unwrap();
        let names = class.methods.iter().map(|method| {
            assert!(method.code().is_none());
            class.constant_pool.utf8(method.name).unwrap()
        });
        let expected = NATIVES.iter().map(|(name, _)| name.as_bytes());
        assert!(names.eq(expected));
    }
}
