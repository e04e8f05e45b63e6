//! What is measured on: every class of the test kit's libraries, in memory.

use anyhow::{Result, ensure};
use tamis_build::ClassSource;
use tamis_testkit::corpus::CORPUS;
use tamis_testkit::maven::artifacts;

/// The bytes of many classes.
pub(crate) struct Corpus {
    pub(crate) classes: Vec<Vec<u8>>,
    pub(crate) n_jars: usize,
}

impl Corpus {
    pub(crate) fn load() -> Result<Self> {
        let jars = artifacts(CORPUS)?;
        let mut classes = Vec::new();
        for jar in &jars {
            for class in ClassSource::open(jar)?.read_all() {
                classes.push(class?.bytes);
            }
        }
        ensure!(!classes.is_empty(), "the corpus holds no class");
        Ok(Self {
            classes,
            n_jars: jars.len(),
        })
    }

    pub(crate) fn n_bytes(&self) -> usize {
        self.classes.iter().map(Vec::len).sum()
    }
}
