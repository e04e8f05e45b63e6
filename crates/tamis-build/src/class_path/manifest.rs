//! The class path in a jar's manifest.

/// The URLs of the main attribute `Class-Path`, as they stand there.
///
/// A line goes on in the next one if that begins with a space; the main attributes end with an
/// empty line. Of an attribute that is there twice Java takes the last.
pub(crate) fn class_path(manifest: &[u8]) -> Vec<Vec<u8>> {
    let mut value = Vec::new();
    let mut is_class_path = false;
    for line in lines(manifest) {
        match line {
            [] => break,
            [b' ', more @ ..] if is_class_path => value.extend(more),
            [b' ', ..] => {}
            line => {
                let attribute = attribute(line, b"Class-Path");
                is_class_path = attribute.is_some();
                value = attribute.map_or(value, <[u8]>::to_vec);
            }
        }
    }
    let urls = value
        .split(|byte| *byte == b' ')
        .filter(|url| !url.is_empty());
    urls.map(<[u8]>::to_vec).collect()
}

/// Lines end with CR, LF, or both.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    lines.flat_map(|line| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        line.split(|byte| *byte == b'\r')
    })
}

/// The value of the line, if it is of the attribute `name`, in any case of its letters.
fn attribute<'l>(line: &'l [u8], name: &[u8]) -> Option<&'l [u8]> {
    let (start, rest) = line.split_at_checked(name.len())?;
    let value = rest.strip_prefix(b":")?;
    let value = value.strip_prefix(b" ").unwrap_or(value);
    start.eq_ignore_ascii_case(name).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(manifest: &str, expected: &[&str]) {
        let urls = class_path(manifest.as_bytes()).into_iter();
        let urls: Vec<_> = urls.map(|url| String::from_utf8(url).unwrap()).collect();
        assert_eq!(urls, expected, "{manifest:?}");
    }

    #[test]
    fn urls_are_separated_by_spaces_and_lines_go_on() {
        check(
            "Manifest-Version: 1.0\nClass-Path: a.jar b.jar\n",
            &["a.jar", "b.jar"],
        );
        check("Class-Path: a.j\r\n ar b/\r\n", &["a.jar", "b/"]);
        check("Class-Path: a.j\r ar  b/\r", &["a.jar", "b/"]);
        check("class-path: a\n  b\n", &["a", "b"]);
    }

    #[test]
    fn only_the_main_attributes_count() {
        check("Manifest-Version: 1.0\n\nName: x\nClass-Path: a.jar\n", &[]);
        check(
            "Bundle-Class-Path: x\n Class-Path: y\nClass-Path: a\n",
            &["a"],
        );
        check("Class-Path: a\nMain-Class: M\n more\n", &["a"]);
    }

    #[test]
    fn the_last_of_two_counts() {
        check("Class-Path: a\nClass-Path: b\n", &["b"]);
    }

    #[test]
    fn what_is_no_manifest() {
        check("", &[]);
        check("Class-Path", &[]);
        check("Class-Path:", &[]);
        check(" Class-Path: a", &[]);
    }
}
