//! HyRTS without its Maven plug-in, which was never published: its core is asked in a JVM of its own which test classes
//! may be left out, and is the agent of the test JVM. The core is what Maven fetches; nothing of it is kept here.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use tamis_build::Jdk;
use walkdir::WalkDir;

use super::ground::Ground;
use crate::java_side::{Artifact, JavaSideError, compile, make_once};

const CORE: Artifact = Artifact {
    group: "org.hyrts",
    name: "hyrts-core",
    version: "1.0.1",
};

const STAND_IN: &str = include_str!("../../java/tamis/check/HyrtsStandIn.java");

/// Where the parts are.
#[derive(Debug)]
pub struct HyrtsCore {
    jar: PathBuf,
    stand_in: PathBuf,
}

impl HyrtsCore {
    /// Has the core fetched and the stand-in compiled; or why that cannot be.
    pub fn prepare(jdk: &Jdk, cache: &Path) -> Result<Self, String> {
        let jar = CORE.find(cache).map_err(|cause| cause.to_string())?;
        let key = [STAND_IN, &jdk.home.to_string_lossy(), &jdk.version].join("\n");
        let key = blake3::hash(key.as_bytes()).to_hex();
        let place = cache.join(format!("hyrts-{}", &key[..16]));
        if !place.is_dir() {
            make_once(&place, |place| {
                compile(jdk, place, "classes", "HyrtsStandIn", STAND_IN)
            })
            .map_err(|error: JavaSideError| error.to_string())?;
        }
        Ok(Self {
            jar,
            stand_in: place.join("classes"),
        })
    }

    /// The analysis, and the tests that it leaves.
    pub(super) fn commands(
        &self,
        variant: &str,
        ground: &Ground<'_>,
    ) -> Result<Vec<Command>, String> {
        if has_modules(ground.stage) {
            return Err(
                "the stand-in for its plug-in knows projects of one module only".to_owned(),
            );
        }
        let excludes = ground.data.join("excludes");
        let mut class_path = self.stand_in.clone().into_os_string();
        class_path.push(":");
        class_path.push(&self.jar);
        let words: [OsString; 6] = [
            "-classpath".into(),
            class_path,
            "tamis.check.HyrtsStandIn".into(),
            variant.into(),
            ground.stage.into(),
            excludes.clone().into(),
        ];
        let analysis = ground.command(ground.jdk.java().as_os_str(), &words);
        let agent = format!("-DargLine={}", self.agent(variant, ground.stage));
        let excludes = format!("-Dsurefire.excludesFile={}", excludes.display());
        Ok(vec![analysis, ground.maven(&[&agent, &excludes, "test"])?])
    }

    /// The option of the test JVM, as the plug-in would give it. What objects are made of matters to look-ups only,
    /// which HyRTSf does without.
    fn agent(&self, variant: &str, module: &Path) -> String {
        let (jar, module) = (self.jar.display(), module.display());
        let has_types = variant == "HyRTS";
        format!(
            "-javaagent:{jar}=debug=false,RTS={variant},covLevel={variant}-meth-cov,testLevel=test-class,traceLib=false,\
             traceRTInfo={has_types},oldVersion={module},newVersion={module},bytecodeLocation={module}/target,execOnly=false"
        )
    }
}

/// Whether tests are elsewhere than at the root.
fn has_modules(project: &Path) -> bool {
    let entries = WalkDir::new(project).min_depth(3).into_iter();
    let mut entries = entries
        .filter_entry(|entry| entry.file_name() != ".git" && entry.file_name() != "src")
        .filter_map(Result::ok);
    entries.any(|entry| entry.path().ends_with("target/test-classes"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_module_is_one_with_tests_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("target/test-classes/a/b")).unwrap();
        assert!(!has_modules(dir.path()));
        fs::create_dir_all(dir.path().join("core/target/test-classes")).unwrap();
        assert!(has_modules(dir.path()));
    }

    #[test]
    fn the_stand_in_compiles_on_each_jdk() {
        for jdk in &tamis_testkit::jdks::jdks().unwrap() {
            let dir = tempfile::tempdir().unwrap();
            compile(jdk, dir.path(), "classes", "HyrtsStandIn", STAND_IN).unwrap();
        }
    }
}
