//! Which Java a class-file version belongs to.

/// The release that introduced a class-file version, as it was called: `1.4`, `8`, `25`.
pub(super) fn java_release(major: u16, minor: u16) -> String {
    match (major, minor) {
        (45, 0..=2) => "1.0".to_owned(),
        (45, _) => "1.1".to_owned(),
        (46..=48, _) => format!("1.{}", major - 44),
        _ => (major - 44).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_changed_with_java_2_and_java_5() {
        let versions = [
            (45, 0),
            (45, 3),
            (46, 0),
            (48, 0),
            (49, 0),
            (52, 0),
            (69, 0),
        ];
        let releases = versions.map(|(major, minor)| java_release(major, minor));
        assert_eq!(releases, ["1.0", "1.1", "1.2", "1.4", "5", "8", "25"]);
    }
}
