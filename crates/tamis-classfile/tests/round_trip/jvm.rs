//! What a JVM makes of permuted classes: it must link exactly those that it links as they are.

use std::path::Path;

use tamis_build::Jdk;
use tamis_testkit::server::{Classes, JavaServer};

use crate::edits::Edit;

/// The numbers for one JDK.
#[derive(Default)]
pub(crate) struct Tally {
    n_classes: usize,
    n_permuted: usize,
    n_linked: usize,
    differences: Vec<String>,
}

impl Tally {
    pub(crate) fn finish(self, jdk: &Jdk) {
        println!(
            "JDK {}: {} classes, {} permuted, {} linked, {} differences",
            jdk.version,
            self.n_classes,
            self.n_permuted,
            self.n_linked,
            self.differences.len()
        );
        assert_eq!(self.differences, [""; 0], "on JDK {}", jdk.version);
        assert!(self.n_linked > 0, "no class linked on JDK {}", jdk.version);
    }
}

pub(crate) fn compare_links(
    server: &mut JavaServer,
    jar: &Path,
    plain: &Classes,
    tally: &mut Tally,
) {
    let permuted = permuted(plain, tally);
    let expected = server.link_library(jar, plain).unwrap();
    let found = server.link_library(jar, &permuted).unwrap();
    tally.n_classes += plain.len();
    tally.n_linked += expected.iter().filter(|end| *end == "ok").count();
    for (name, (expected, found)) in plain.keys().zip(expected.iter().zip(&found)) {
        if expected != found {
            let difference = format!("{name} ended with {found}, plain with {expected}");
            tally.differences.push(difference);
        }
    }
}

/// What cannot be permuted stays as it is; the comparison of texts counts these.
fn permuted(plain: &Classes, tally: &mut Tally) -> Classes {
    let mut classes = plain.clone();
    for bytes in classes.values_mut() {
        if let Ok(Some(edited)) = Edit::Permuted.apply(bytes) {
            *bytes = edited.bytes;
            tally.n_permuted += 1;
        }
    }
    classes
}
