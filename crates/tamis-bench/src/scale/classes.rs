//! A made-up project of class files: as small as real ones may be, and no two alike.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use crate::agent::statistics::Random;
use crate::today::project::Project;

/// Classes of one package.
const N_IN_PACKAGE: u32 = 40;

const N_METHODS: u32 = 6;

/// Every fifth class is a test.
const FOLDERS: [&str; 2] = ["test-classes", "classes"];

/// So many classes in two directories, and what somebody relied on.
pub(crate) fn project(n_classes: u32, seed: u64) -> Result<Project> {
    let directory = tempfile::tempdir()?;
    let mut random = Random(seed);
    for number in 0..n_classes {
        let package = format!("com/example/area{}", number / N_IN_PACKAGE);
        let folder = FOLDERS[usize::from(number % 5 > 0)];
        let folder = directory.path().join(folder).join(&package);
        if number % N_IN_PACKAGE < 5 {
            fs::create_dir_all(&folder)?;
        }
        let name = format!("OrderPositionHandler{number}");
        let bytes = class(&format!("{package}/{name}"), &mut random);
        fs::write(folder.join(format!("{name}.class")), bytes)?;
    }
    let places: Vec<PathBuf> = FOLDERS
        .iter()
        .map(|folder| directory.path().join(folder))
        .collect();
    Project::make(directory, places.iter())
}

/// A class of Java 8 whose methods return numbers (JVMS 4.1).
fn class(name: &str, random: &mut Random) -> Vec<u8> {
    let mut pool = Pool::default();
    let [own, above] = [name, "java/lang/Object"].map(|name| pool.class(name));
    let descriptor = pool.text("()I");
    let code = pool.text("Code");
    let methods: Vec<[u8; 30]> = (0..N_METHODS)
        .map(|number| {
            let name = pool.text(&format!("computePositionsOfKind{number}"));
            method(name, descriptor, code, random.next() as u16)
        })
        .collect();
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52];
    bytes.extend((pool.n_constants + 1).to_be_bytes());
    bytes.extend(&pool.bytes);
    // Public; no interfaces, no fields.
    bytes.extend([0x0021, own, above, 0, 0].map(u16::to_be_bytes).concat());
    bytes.extend((N_METHODS as u16).to_be_bytes());
    bytes.extend(methods.concat());
    bytes.extend([0, 0]);
    bytes
}

/// `static int name() { return value; }`: flags, name, descriptor, one attribute with stack, locals, code, no handlers and no
/// attributes of its own.
fn method(name: u16, descriptor: u16, code: u16, value: u16) -> [u8; 30] {
    let [[n1, n2], [d1, d2], [c1, c2], [v1, v2]] =
        [name, descriptor, code, value].map(u16::to_be_bytes);
    let (sipush, ireturn) = (0x11, 0xac);
    [
        0, 9, n1, n2, d1, d2, 0, 1, c1, c2, 0, 0, 0, 16, 0, 1, 0, 0, 0, 0, 0, 4, sipush, v1, v2,
        ireturn, 0, 0, 0, 0,
    ]
}

/// A constant pool that grows.
#[derive(Default)]
struct Pool {
    bytes: Vec<u8>,
    n_constants: u16,
}

impl Pool {
    fn text(&mut self, text: &str) -> u16 {
        self.bytes.push(1);
        self.bytes.extend((text.len() as u16).to_be_bytes());
        self.bytes.extend(text.as_bytes());
        self.n_constants += 1;
        self.n_constants
    }

    fn class(&mut self, name: &str) -> u16 {
        let [high, low] = self.text(name).to_be_bytes();
        self.bytes.extend([7, high, low]);
        self.n_constants += 1;
        self.n_constants
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_classfile::checksum::DebugInfo;
    use tamis_select::ClassState;

    #[test]
    fn made_up_classes_are_classes_and_no_two_alike() {
        let mut random = Random(7);
        let classes = ["a/B", "a/C", "a/B"].map(|name| class(name, &mut random));
        let sums = classes.iter().map(|bytes| {
            let state = ClassState::of(bytes, DebugInfo::Ignored);
            let parts = state.parts.unwrap();
            assert_eq!(parts.checksums.methods.len(), 6);
            assert_eq!(parts.class.encode().unwrap(), *bytes);
            parts.checksums.smart
        });
        let sums: Vec<_> = sums.collect();
        assert!(sums[0] != sums[1] && sums[0] != sums[2]);
    }

    #[test]
    fn the_same_seed_makes_the_same_classes() {
        let [one, other] = [(); 2].map(|()| class("a/B", &mut Random(3)));
        assert_eq!(one, other);
    }
}
