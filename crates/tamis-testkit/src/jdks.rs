//! The JDKs that tests run on: every one that can be found, and never too few.

use std::env;

use anyhow::{Context, Result, ensure};
use tamis_build::Jdk;

/// What continuous integration must have; elsewhere any one will do.
const REQUIRED: [u32; 3] = [8, 17, 25];

/// One JDK of each feature release found, oldest first. Too few are an error, never a reason to
/// skip.
pub fn jdks() -> Result<Vec<Jdk>> {
    let mut jdks = Jdk::find()?.jdks;
    jdks.dedup_by_key(|jdk| jdk.feature);
    ensure!(
        !jdks.is_empty(),
        "no JDK found; install one, or name some in TAMIS_JDKS"
    );
    if env::var_os("CI").is_some_and(|value| value == "true") {
        for feature in REQUIRED {
            let found = jdks.iter().any(|jdk| jdk.feature == feature);
            ensure!(found, "JDK {feature} not found; name it in TAMIS_JDKS");
        }
    }
    Ok(jdks)
}

/// The newest of them.
pub fn newest_jdk() -> Result<Jdk> {
    jdks()?.pop().context("no JDK found")
}
