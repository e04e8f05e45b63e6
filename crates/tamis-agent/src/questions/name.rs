//! Names of classes, as Java code gives them to a class loader, and as the JVM has them.

use tamis_facts::ClassName;

/// No name in a class file is longer.
const MAX_LENGTH: usize = u16::MAX as usize;

/// The internal form of a name with dots; of an array that of its elements. Nothing if no class outside of the
/// JDK can have the name.
pub(super) fn internal(text: &[u8]) -> Option<ClassName> {
    let text = element(text)?;
    if text.len() > MAX_LENGTH || !text.split(|byte| *byte == b'.').all(is_part) {
        return None;
    }
    let with_slash = |byte: &u8| if *byte == b'.' { b'/' } else { *byte };
    let name: Vec<u8> = text.iter().map(with_slash).collect();
    // A loader that is not the JDK's may not define them.
    (!name.starts_with(b"java/")).then(|| ClassName::from(&name[..]))
}

/// The class of an array's elements, or the class itself; nothing for arrays of numbers.
fn element(text: &[u8]) -> Option<&[u8]> {
    let n_dimensions = text.iter().take_while(|byte| **byte == b'[').count();
    let rest = &text[n_dimensions..];
    if n_dimensions == 0 {
        return Some(text);
    }
    rest.strip_prefix(b"L")?.strip_suffix(b";")
}

/// Whether it can be a part of a name (JVMS 4.2.2).
fn is_part(part: &[u8]) -> bool {
    !part.is_empty() && !part.iter().any(|byte| b"/;[".contains(byte))
}

/// The name of a class, by its signature, if it can be that of a class file.
pub(super) fn of_class_file(signature: &[u8]) -> Option<&[u8]> {
    let name = signature.strip_prefix(b"L")?.strip_suffix(b";")?;
    (!is_hidden(name) && !is_lambda(signature)).then_some(name)
}

/// Whether a class, by its signature, is one that the JDK makes for a lambda: `Main$$Lambda.0x12345`, and
/// `Main$$Lambda$1/12345` before JDK 15.
pub(super) fn is_lambda(signature: &[u8]) -> bool {
    const MARK: &[u8] = b"$$Lambda";
    let name = signature.strip_suffix(b";").unwrap_or(signature);
    let number = name.rsplit(|byte| *byte == b'/').next();
    let has_number = number.is_some_and(|number| number.iter().all(u8::is_ascii_digit));
    (is_hidden(name) || has_number) && name.windows(MARK.len()).any(|part| part == MARK)
}

/// Hidden classes have a dot in their names, so that nobody finds them.
fn is_hidden(name: &[u8]) -> bool {
    name.contains(&b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_slashes_and_arrays_are_their_elements() {
        for (text, expected) in [
            ("Main", Some("Main")),
            ("a.b.C$D", Some("a/b/C$D")),
            ("[La.B;", Some("a/B")),
            ("[[[La.B;", Some("a/B")),
            ("javax.a.B", Some("javax/a/B")),
            ("java", Some("java")),
            ("[[I", None),
            ("[", None),
            ("[La.B", None),
            ("java.lang.String", None),
            ("[Ljava.lang.String;", None),
            ("", None),
            ("a/B", None),
            ("a..B", None),
            (".a", None),
            ("a.B;", None),
            ("a.B[]", None),
        ] {
            let name = internal(text.as_bytes());
            assert_eq!(name, expected.map(ClassName::from), "{text}");
        }
        assert!(internal(&vec![b'a'; MAX_LENGTH]).is_some());
        assert_eq!(internal(&vec![b'a'; MAX_LENGTH + 1]), None);
    }

    #[test]
    fn classes_made_in_memory_have_no_name() {
        for (signature, expected) in [
            ("La/B;", Some("a/B")),
            ("La/B$$Lambda$1;", Some("a/B$$Lambda$1")),
            ("La/123;", Some("a/123")),
            ("La/B$$Lambda$1/123;", None),
            ("La/B$$Lambda.0x00007f0123;", None),
            ("La/B$$Lambda$3.0x00007f0123;", None),
            ("La/B.0x00007f0123;", None),
            ("[La/B;", None),
            ("I", None),
        ] {
            let name = of_class_file(signature.as_bytes());
            assert_eq!(name, expected.map(str::as_bytes), "{signature}");
            let is_expected = signature.contains("$$Lambda") && expected.is_none();
            assert_eq!(is_lambda(signature.as_bytes()), is_expected, "{signature}");
        }
    }
}
