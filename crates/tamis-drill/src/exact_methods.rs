//! Which methods of a library each test class enters, and on objects of which classes, by the JVM's own events: what the engine selects is measured
//! against that. No code of the agent takes part.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tamis_testkit::exact_agent::{self, Seen};
use tamis_testkit::place::{content_key, folder_once};
use tamis_testkit::suite::SuitePlace;

use crate::arrangement::Arrangement;
use crate::jvm::{Limit, run_several};
use crate::suite_run::Suite;
use crate::workshop::Workshop;

/// What test classes entered. Each ran alone, so that it entered all that it needs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ExactMethods(BTreeMap<String, Entered>);

/// What one of them did; methods are `a/B.m(I)V`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Entered {
    pub(crate) methods: BTreeSet<String>,
    /// Classes of objects, in internal form, with methods that were entered on them: of the library and its tests, or
    /// entered on objects of theirs.
    pub(crate) received: BTreeSet<(String, String)>,
}

/// The name of what is kept, which says what it holds.
const FILE: &str = "methods-and-receivers";

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
        let key = content_key(&(library, workshop.jdk.feature, test_classes, FILE));
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
        let options = |place: &SuitePlace| exact_agent::options_with_receivers(&seen_file(place));
        let mut jvms = suite.jvms_with(workshop, options)?;
        run_several(&mut jvms, LIMIT, usize::MAX)?;
        let mut methods = Self::default();
        for jvm in &jvms {
            let seen = Seen::read(&seen_file(&jvm.place))
                .with_context(|| format!("the exact agent did not see {:?}", jvm.classes))?;
            let entered = seen.entered.iter();
            let entered = entered.filter(|method| workshop.has_class(method.class_in_file()));
            let received = seen.received.iter();
            let received = received.filter(|(class, _)| workshop.has_class(class));
            let entered = Entered {
                methods: entered.map(ToString::to_string).collect(),
                received: received
                    .map(|(class, method)| (class.clone(), method.to_string()))
                    .collect(),
            };
            let classes = jvm.classes.iter().cloned();
            methods
                .0
                .extend(classes.map(|class| (class, entered.clone())));
        }
        Ok(methods)
    }

    /// A line for each method: the test class, the class of the object if it is one with that, and the method.
    fn encode(&self) -> String {
        let mut text = String::new();
        for (class, Entered { methods, received }) in &self.0 {
            text.extend(methods.iter().map(|method| format!("{class} {method}\n")));
            let received = received.iter();
            text.extend(received.map(|(of, method)| format!("{class} {of} {method}\n")));
        }
        text
    }

    fn parse(text: &str) -> Result<Self> {
        let mut methods = Self::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let (class, words) = words.split_first().context("an empty line")?;
            let entered = methods.0.entry((*class).to_owned()).or_default();
            match words {
                [method] => drop(entered.methods.insert((*method).to_owned())),
                [of, method] => {
                    let received = ((*of).to_owned(), (*method).to_owned());
                    entered.received.insert(received);
                }
                _ => bail!("not a method of a test class: `{line}`"),
            }
        }
        Ok(methods)
    }

    /// Whether a test class enters one of these methods.
    pub(crate) fn enters_any(&self, class: &str, methods: &BTreeSet<String>) -> bool {
        let entered = self.0.get(class);
        entered.is_some_and(|entered| !entered.methods.is_disjoint(methods))
    }

    /// The test classes of which this is so.
    pub(crate) fn classes_that(
        &self,
        is_so: impl Fn(&Entered) -> bool,
    ) -> impl Iterator<Item = &str> {
        let classes = self.0.iter().filter(move |(_, entered)| is_so(entered));
        classes.map(|(class, _)| class.as_str())
    }

    #[cfg(test)]
    pub(crate) fn of(methods: &[(&str, &[&str])]) -> Self {
        let methods = methods.iter().map(|(class, methods)| {
            let methods = methods.iter().map(|method| (*method).to_owned());
            let entered = Entered {
                methods: methods.collect(),
                received: BTreeSet::new(),
            };
            ((*class).to_owned(), entered)
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
        let mut methods = ExactMethods::of(&[
            ("a.BTest", &["a/B.<init>()V", "a/B.f(I)V"]),
            ("a.CTest", &["a/C.g()La/B;"]),
        ]);
        let received = ("a/D".to_owned(), "java/lang/Object.hashCode()I".to_owned());
        let entered = methods.0.get_mut("a.CTest").unwrap();
        entered.received.insert(received);
        assert_eq!(ExactMethods::parse(&methods.encode()).unwrap(), methods);
        assert!(ExactMethods::parse("a.BTest").is_err());
    }
}
