//! The class names in a field or method descriptor (JVMS 4.3).

/// The classes that a descriptor names, in order; a malformed rest names nothing.
pub(crate) fn classes(descriptor: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = descriptor;
    std::iter::from_fn(move || {
        let start = rest.iter().position(|byte| *byte == b'L')? + 1;
        let length = rest[start..].iter().position(|byte| *byte == b';')?;
        let name = &rest[start..start + length];
        rest = &rest[start + length + 1..];
        Some(name)
    })
}

/// The class behind a Class constant's name: the element's class for an array, none for an array of
/// primitives.
pub(crate) fn element_class(name: &[u8]) -> Option<&[u8]> {
    if name.first() == Some(&b'[') {
        classes(name).next()
    } else {
        Some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_between_primitives_and_arrays() {
        let names: Vec<_> = classes(b"(ILa/B;[[Lc/D;J)LL;").collect();
        assert_eq!(names, [&b"a/B"[..], b"c/D", b"L"]);
    }

    #[test]
    fn the_element_of_an_array() {
        assert_eq!(element_class(b"[[La/B;"), Some(&b"a/B"[..]));
        assert_eq!(element_class(b"[I"), None);
        assert_eq!(element_class(b"Lace"), Some(&b"Lace"[..]));
    }
}
