//! What methods of the JDK do with arrays, as far as no code but the JDK's gets at them; and descriptors.
//!
//! This is less than what `changes.rs` takes for reading: there it counts what the JDK sets, here also to whom it may pass an array on.
//! An `OutputStream` may be of any class, which may keep what it is given.

/// What a method does with the arrays that it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Looks at them.
    Reads,
    /// Sets elements of the first one, and looks at no other.
    Sets,
    /// Makes another array of the elements of the first one.
    Copies,
    /// Sets elements of the third one to those of the first one.
    Transfers,
    /// Returns the first one.
    Returns,
    /// Makes an array.
    Makes,
    /// Nobody knows.
    Unknown,
}

const STRING: &[u8] = b"java/lang/String";

/// What a method does that is no method of the class.
pub(super) fn effect(owner: &[u8], name: &[u8], descriptor: &[u8]) -> Effect {
    match (owner, name) {
        ([b'[', ..], b"clone") | (b"java/util/Arrays", b"copyOf" | b"copyOfRange") => {
            Effect::Copies
        }
        (
            b"java/util/Arrays",
            b"binarySearch" | b"equals" | b"hashCode" | b"stream" | b"toString",
        ) => Effect::Reads,
        (b"java/util/Arrays", b"fill" | b"parallelSort" | b"sort") => Effect::Sets,
        (b"java/util/Objects", b"requireNonNull")
            if descriptor.starts_with(b"(Ljava/lang/Object;)") =>
        {
            Effect::Returns
        }
        (b"java/lang/System", b"arraycopy") => Effect::Transfers,
        (STRING, b"toCharArray" | b"split") => Effect::Makes,
        (STRING, b"getBytes") if descriptor == b"()[B" => Effect::Makes,
        // With bytes there may be a charset, whose decoder gets them.
        (STRING, b"<init>") if descriptor.starts_with(b"([C") || descriptor.starts_with(b"([I") => {
            Effect::Reads
        }
        (STRING, b"copyValueOf" | b"format" | b"join" | b"valueOf")
        | (b"java/lang/StringBuffer" | b"java/lang/StringBuilder", b"append" | b"insert") => {
            Effect::Reads
        }
        _ => Effect::Unknown,
    }
}

/// The number of dimensions of a type; none if it is no array.
pub(super) fn n_dimensions(descriptor: &[u8]) -> u8 {
    let n = descriptor.iter().take_while(|byte| **byte == b'[').count();
    // There are at most 255 (JVMS 4.3.2).
    u8::try_from(n).unwrap_or(u8::MAX)
}

/// The number of slots that a value of a type takes.
pub(super) fn n_slots(descriptor: &[u8]) -> usize {
    match descriptor {
        b"V" => 0,
        b"J" | b"D" => 2,
        _ => 1,
    }
}

/// The types of the parameters of a method and what it returns; nothing if it is no descriptor of a method.
pub(super) fn signature(descriptor: &[u8]) -> Option<(Vec<&[u8]>, &[u8])> {
    let mut rest = descriptor.strip_prefix(b"(")?;
    let mut parameters = Vec::new();
    while *rest.first()? != b')' {
        let n = usize::from(n_dimensions(rest));
        let end = match *rest.get(n)? {
            b'L' => rest.iter().position(|byte| *byte == b';')?,
            _ => n,
        };
        let (parameter, more) = rest.split_at(end + 1);
        parameters.push(parameter);
        rest = more;
    }
    Some((parameters, &rest[1..]))
}
