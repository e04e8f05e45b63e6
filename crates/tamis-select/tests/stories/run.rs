//! Compiling the revisions of a story, and comparing each with the one before.

use std::collections::{BTreeMap, BTreeSet};
use std::thread;

use anyhow::Result;
use tamis_testkit::jdks::jdks;
use tamis_testkit::server::{Classes, JavaServer};

use crate::finding::{difference, findings};
use crate::looked_up::{looked_up, other_look_ups};
use crate::story::{Revision, Story};

/// A story with a JDK chosen for each revision.
pub(crate) struct Run<'s> {
    pub(crate) story: &'s Story,
    pub(crate) builds: Vec<Build>,
}

/// Something to compile.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Build {
    feature: u32,
    options: Vec<String>,
    files: BTreeMap<String, String>,
}

pub(crate) type Compiled<'b> = BTreeMap<&'b Build, Result<Classes>>;

impl Story {
    /// The story on the oldest and on the newest JDK that it asks for.
    pub(crate) fn runs(&self, features: &[u32]) -> Vec<Run<'_>> {
        let chosen = self.javac.features(features);
        let mut runs: Vec<_> = chosen
            .into_iter()
            .filter_map(|feature| self.run(feature, features))
            .collect();
        // A story whose revisions all name their JDK says the same each time.
        runs.dedup_by(|a, b| a.builds == b.builds);
        runs
    }

    fn run(&self, feature: u32, features: &[u32]) -> Option<Run<'_>> {
        let build = |revision: &Revision| {
            let (feature, javac) = match &revision.javac {
                None => (feature, &self.javac),
                Some(javac) if javac.takes(feature) => (feature, javac),
                Some(javac) => (*javac.features(features).first()?, javac),
            };
            Some(Build {
                feature,
                options: javac.options.clone(),
                files: revision.files.clone(),
            })
        };
        let builds = self.revisions.iter().map(build).collect::<Option<_>>()?;
        Some(Run {
            story: self,
            builds,
        })
    }
}

impl Run<'_> {
    /// What is not as the story says, readable.
    pub(crate) fn failures(&self, compiled: &Compiled<'_>) -> Vec<String> {
        let mut failures = Vec::new();
        let mut previous: Option<&Classes> = None;
        for ((build, revision), number) in self.builds.iter().zip(&self.story.revisions).zip(1..) {
            let heading = format!(
                "{}, revision {number}, javac {}",
                self.story.name, build.feature
            );
            match &compiled[build] {
                Err(error) => failures.push(format!("{heading}\n  {error:#}\n")),
                Ok(classes) => {
                    if let Some(previous) = previous.replace(classes) {
                        let found = findings(previous, classes, self.story.debug_info);
                        failures.extend(difference(&heading, &revision.expected, found));
                        if self.story.tells_look_ups() {
                            let found = looked_up(previous, classes);
                            failures.extend(other_look_ups(&heading, &revision.look_ups, &found));
                        }
                    }
                }
            }
        }
        failures
    }
}

/// Compiles everything, on all JDKs at once, each JDK in one JVM.
pub(crate) fn compile_all<'b>(builds: &BTreeSet<&'b Build>) -> Compiled<'b> {
    let jdks = jdks().unwrap();
    thread::scope(|scope| {
        let compile_on = |jdk| {
            let server = JavaServer::start(jdk).unwrap();
            compile_with(server, builds)
        };
        let threads: Vec<_> = jdks
            .iter()
            .filter(|jdk| builds.iter().any(|build| build.feature == jdk.feature))
            .map(|jdk| scope.spawn(move || compile_on(jdk)))
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    })
}

fn compile_with<'b>(mut server: JavaServer, builds: &BTreeSet<&'b Build>) -> Compiled<'b> {
    let feature = server.jdk().feature;
    let mut compile = |build: &Build| {
        let options: Vec<&str> = build.options.iter().map(String::as_str).collect();
        let files: Vec<(&str, &str)> = build
            .files
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        server.compile(&options, &files)
    };
    builds
        .iter()
        .filter(|build| build.feature == feature)
        .map(|build| (*build, compile(build)))
        .collect()
}
