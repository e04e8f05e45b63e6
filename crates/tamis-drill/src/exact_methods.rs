//! Which methods of a library each test class enters, by the JVM's own events: what the engine selects is measured
//! against that. No code of the agent takes part.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use tamis_testkit::exact_agent::{self, Seen};
use tamis_testkit::place::{content_key, folder_once};
use tamis_testkit::suite::SuitePlace;

use crate::arrangement::Arrangement;
use crate::jvm::{Limit, run_several};
use crate::suite_run::Suite;
use crate::workshop::Workshop;

/// Methods, as `a/B.m(I)V`, by test class. Each test class ran alone, so that it entered all that it needs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ExactMethods(BTreeMap<String, BTreeSet<String>>);

/// The name of what is kept.
const FILE: &str = "methods";

/// Each call is an event, which takes its time.
const LIMIT: Limit = Limit {
    whole: Duration::from_mins(10),
    one_test: Duration::from_mins(10),
};

impl ExactMethods {
    /// What these test classes enter. It takes minutes to find out, and is kept beside the compiled library.
    pub(crate) fn load(
        workshop: &Workshop,
        test_classes: &BTreeSet<String>,
        place: &Path,
    ) -> Result<Self> {
        let library = &workshop.library.library;
        let key = content_key(&(library, workshop.jdk.feature, test_classes));
        let name = format!("exact-methods/{}-{key}", library.name);
        let dir = folder_once(&name, |dir| {
            let methods = Self::collect(workshop, test_classes, place.join("exact"))?;
            Ok(fs::write(dir.join(FILE), methods.encode())?)
        })?;
        Self::parse(&fs::read_to_string(dir.join(FILE))?)
    }

    /// Runs each test class once, with the exact agent; `dir` is for what the JVMs leave.
    fn collect(workshop: &Workshop, test_classes: &BTreeSet<String>, dir: PathBuf) -> Result<Self> {
        // An order that does not matter: nothing is shared.
        let mut suite = Suite::new(workshop, Arrangement::PerClass, 0, dir)?;
        suite.keep(test_classes);
        let mut jvms =
            suite.jvms_with(workshop, |place| exact_agent::options(&seen_file(place)))?;
        run_several(&mut jvms, LIMIT, usize::MAX)?;
        let mut methods = Self::default();
        for jvm in &jvms {
            let seen = Seen::read(&seen_file(&jvm.place))
                .with_context(|| format!("the exact agent did not see {:?}", jvm.classes))?;
            let entered = seen.entered.iter();
            let entered = entered.filter(|method| workshop.has_class(method.class_in_file()));
            let entered: BTreeSet<String> = entered.map(ToString::to_string).collect();
            let classes = jvm.classes.iter().cloned();
            methods
                .0
                .extend(classes.map(|class| (class, entered.clone())));
        }
        Ok(methods)
    }

    /// A line for each method: the test class, a space, the method.
    fn encode(&self) -> String {
        let all = self.0.iter().flat_map(|(class, methods)| {
            methods
                .iter()
                .map(move |method| format!("{class} {method}\n"))
        });
        all.collect()
    }

    fn parse(text: &str) -> Result<Self> {
        let mut methods = Self::default();
        for line in text.lines() {
            let (class, method) = line
                .split_once(' ')
                .with_context(|| format!("not a method of a test class: `{line}`"))?;
            let entered = methods.0.entry(class.to_owned()).or_default();
            entered.insert(method.to_owned());
        }
        Ok(methods)
    }

    /// Whether a test class enters one of these methods.
    pub(crate) fn enters_any(&self, class: &str, methods: &BTreeSet<String>) -> bool {
        let entered = self.0.get(class);
        entered.is_some_and(|entered| !entered.is_disjoint(methods))
    }

    /// The test classes that enter one of these methods.
    pub(crate) fn classes_that_enter<'m>(
        &'m self,
        methods: &'m BTreeSet<String>,
    ) -> impl Iterator<Item = &'m str> {
        let classes = self.0.keys().map(String::as_str);
        classes.filter(|class| self.enters_any(class, methods))
    }

    #[cfg(test)]
    pub(crate) fn of(methods: &[(&str, &[&str])]) -> Self {
        let methods = methods.iter().map(|(class, methods)| {
            let methods = methods.iter().map(|method| (*method).to_owned());
            ((*class).to_owned(), methods.collect())
        });
        Self(methods.collect())
    }
}

fn seen_file(place: &SuitePlace) -> PathBuf {
    place.results.with_extension("seen")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back() {
        let methods = ExactMethods::of(&[
            ("a.BTest", &["a/B.<init>()V", "a/B.f(I)V"]),
            ("a.CTest", &["a/C.g()La/B;"]),
        ]);
        assert_eq!(ExactMethods::parse(&methods.encode()).unwrap(), methods);
        assert!(ExactMethods::parse("a.BTest").is_err());
    }
}
