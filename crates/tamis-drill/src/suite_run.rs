//! Runs of a whole suite, without the agent, in the arrangement that is drilled.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tamis_testkit::suite::SuitePlace;

use crate::arrangement::{Arrangement, N_THREADS};
use crate::jvm::{Jvm, JvmRun, Limit, run_several};
use crate::outcomes::Outcomes;
use crate::workshop::Workshop;

/// A suite, its arrangement and where it runs.
pub(crate) struct Suite {
    pub(crate) arrangement: Arrangement,
    /// What all JVMs are given.
    options: &'static [&'static str],
    /// The test classes, in the order in which they run.
    classes: Vec<String>,
    /// Where JVMs find the names of their test classes and leave their results. Those of the run with the agent stay as
    /// they are: records may rely on them.
    dir: PathBuf,
}

/// How a run went.
#[derive(Debug, Default)]
pub(crate) struct PlainRun {
    pub(crate) outcomes: Outcomes,
    /// Classes whose tests did not come to an end: the JVM hung in them, or ended.
    pub(crate) stopped_in: Vec<String>,
    /// Classes of which nothing is known: too many stopped their JVM.
    pub(crate) not_run: Vec<String>,
    pub(crate) duration: Duration,
    pub(crate) longest_jvm: Duration,
}

/// These suites are short: most of the time of a JVM went into code that was optimised and hardly run any more.
pub(crate) const HASTE: &[&str] = &["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/// So many classes may stop their JVM before a run is given up.
const MAX_STOPS: usize = 2;

impl Suite {
    /// The suite in an arrangement; `dir` is its own.
    pub(crate) fn new(
        workshop: &Workshop,
        arrangement: Arrangement,
        seed: u64,
        dir: PathBuf,
    ) -> Result<Self> {
        let mut classes = workshop.library.test_classes()?;
        arrangement.arrange(&mut classes, seed);
        Ok(Self {
            arrangement,
            options: &[],
            classes,
            dir,
        })
    }

    /// The same with other options for its JVMs.
    pub(crate) fn with_options(self, options: &'static [&'static str]) -> Self {
        Self { options, ..self }
    }

    /// Leaves out all but these test classes.
    pub(crate) fn keep(&mut self, classes: &BTreeSet<String>) {
        self.classes.retain(|class| classes.contains(class));
    }

    /// Runs the suite. `expected` are the outcomes of before; they tell which tests a class should have.
    pub(crate) fn run(
        &self,
        workshop: &Workshop,
        limit: Limit,
        expected: Option<&Outcomes>,
    ) -> Result<PlainRun> {
        let begun = Instant::now();
        let run = match self.arrangement {
            Arrangement::InOrder | Arrangement::Shuffled => {
                self.run_in_turn(workshop, limit, expected)
            }
            Arrangement::PerClass => self.run_apart(workshop, limit),
            Arrangement::Parallel => self.run_at_once(workshop, limit, expected),
        }?;
        Ok(PlainRun {
            duration: begun.elapsed(),
            ..run
        })
    }

    /// The JVMs of the run with the agent.
    pub(crate) fn watched_jvms(&self, workshop: &Workshop) -> Result<Vec<Jvm>> {
        self.jvms(workshop, "watched", &self.classes, |_| Ok(Vec::new()))
    }

    /// The JVMs of a run with other options besides, which may depend on where a JVM leaves its results.
    pub(crate) fn jvms_with(
        &self,
        workshop: &Workshop,
        options: impl Fn(&SuitePlace) -> Result<Vec<String>>,
    ) -> Result<Vec<Jvm>> {
        self.jvms(workshop, "plain", &self.classes, options)
    }

    /// One class after the other in one JVM. Where a class stops it, the suite runs without it: what the others do is
    /// not known else.
    fn run_in_turn(
        &self,
        workshop: &Workshop,
        limit: Limit,
        expected: Option<&Outcomes>,
    ) -> Result<PlainRun> {
        let mut classes = self.classes.clone();
        let mut stopped = Outcomes::default();
        let mut stopped_in = Vec::new();
        loop {
            let mut run = self.run_in_one(workshop, &classes, limit)?;
            let unfinished = run.unfinished(&classes, expected);
            let is_enough = stopped_in.len() >= MAX_STOPS;
            let Some(culprit) = unfinished.into_iter().next().filter(|_| !is_enough) else {
                run.outcomes.add(stopped);
                let done = run.outcomes.classes();
                let not_run = classes.iter().filter(|_| !run.has_ended && is_enough);
                let not_run = not_run.filter(|class| !done.contains(*class));
                return Ok(PlainRun {
                    not_run: not_run.cloned().collect(),
                    stopped_in,
                    ..PlainRun::of(run)
                });
            };
            stopped.add(run.outcomes.of_class(&culprit));
            classes.retain(|class| *class != culprit);
            stopped_in.push(culprit);
        }
    }

    /// Several classes at once in one JVM. Where one of them hangs, the others come to their end; where one ends the
    /// JVM, nobody knows which it was.
    fn run_at_once(
        &self,
        workshop: &Workshop,
        limit: Limit,
        expected: Option<&Outcomes>,
    ) -> Result<PlainRun> {
        let run = self.run_in_one(workshop, &self.classes, limit)?;
        let unfinished = run.unfinished(&self.classes, expected);
        let is_known = unfinished.len() == 1;
        let (stopped_in, not_run) = if is_known {
            (unfinished, Vec::new())
        } else {
            (Vec::new(), unfinished)
        };
        Ok(PlainRun {
            stopped_in,
            not_run,
            ..PlainRun::of(run)
        })
    }

    /// Each class in a JVM of its own.
    fn run_apart(&self, workshop: &Workshop, limit: Limit) -> Result<PlainRun> {
        let mut jvms = self.jvms_with(workshop, |_| Ok(Vec::new()))?;
        let runs = run_several(&mut jvms, limit, MAX_STOPS)?;
        let mut all = PlainRun::default();
        for (jvm, run) in jvms.into_iter().zip(runs) {
            match run {
                None => all.not_run.extend(jvm.classes),
                Some(run) => {
                    all.longest_jvm = all.longest_jvm.max(run.duration);
                    all.outcomes.add(run.outcomes);
                    if !run.has_ended {
                        all.stopped_in.extend(jvm.classes);
                    }
                }
            }
        }
        Ok(all)
    }

    fn run_in_one(&self, workshop: &Workshop, classes: &[String], limit: Limit) -> Result<JvmRun> {
        let mut jvms = self.jvms(workshop, "plain", classes, |_| Ok(Vec::new()))?;
        let jvm = jvms.first_mut().context("a suite has classes")?;
        jvm.run(limit)
    }

    /// The JVMs that run these classes, in an empty folder.
    fn jvms(
        &self,
        workshop: &Workshop,
        folder: &str,
        classes: &[String],
        options: impl Fn(&SuitePlace) -> Result<Vec<String>>,
    ) -> Result<Vec<Jvm>> {
        let dir = self.dir.join(folder);
        make_empty(&dir)?;
        let library = &workshop.library;
        let n_each = match self.arrangement {
            Arrangement::PerClass => 1,
            _ => classes.len().max(1),
        };
        let jvms = classes.chunks(n_each).enumerate().map(|(number, classes)| {
            let place = SuitePlace {
                workplace: workshop.dir.clone(),
                results: dir.join(format!("{number}.results")),
                classes: dir.join(format!("{number}.classes")),
            };
            let mut options = options(&place)?;
            options.extend(self.options.iter().map(|&option| option.to_owned()));
            if self.arrangement == Arrangement::Parallel {
                options.extend(library.parallel_options(N_THREADS));
            }
            Ok(Jvm {
                command: library.command(&workshop.jdk, &options, classes, &place)?,
                classes: classes.to_vec(),
                place,
            })
        });
        jvms.collect()
    }
}

impl PlainRun {
    /// Of all classes in one JVM.
    fn of(run: JvmRun) -> Self {
        Self {
            outcomes: run.outcomes,
            longest_jvm: run.duration,
            ..Self::default()
        }
    }
}

impl JvmRun {
    /// The classes that lack tests which they should have, if the JVM did not come to its end.
    fn unfinished(&self, classes: &[String], expected: Option<&Outcomes>) -> Vec<String> {
        let Some(expected) = expected.filter(|_| !self.has_ended) else {
            return Vec::new();
        };
        let n_tests = |outcomes: &Outcomes, class: &str| outcomes.of_class(class).len();
        let lacks = |class: &&String| n_tests(&self.outcomes, class) < n_tests(expected, class);
        classes.iter().filter(lacks).cloned().collect()
    }
}

fn make_empty(dir: &Path) -> Result<()> {
    if dir.exists() {
        fs::remove_dir_all(dir).with_context(|| format!("cannot remove {}", dir.display()))?;
    }
    fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_testkit::suite_results::{TestEnding, TestResult};

    fn outcomes(tests: &[&str]) -> Outcomes {
        let results: Vec<TestResult> = tests
            .iter()
            .map(|test| TestResult {
                identifier: (*test).to_owned(),
                ending: TestEnding {
                    status: "passed".to_owned(),
                    failure: String::new(),
                    message: String::new(),
                },
            })
            .collect();
        Outcomes::new(&results)
    }

    #[test]
    fn classes_that_lack_tests_are_unfinished_where_the_jvm_did_not_end() {
        let expected = outcomes(&["m(A)", "m(B)", "n(B)", "m(C)"]);
        let classes = ["A", "B", "C", "NoTests"].map(str::to_owned);
        let mut run = JvmRun {
            outcomes: outcomes(&["m(A)", "m(B)"]),
            has_ended: false,
            duration: Duration::ZERO,
        };
        assert_eq!(run.unfinished(&classes, Some(&expected)), ["B", "C"]);
        assert_eq!(run.unfinished(&classes, None), [""; 0]);
        run.has_ended = true;
        assert_eq!(run.unfinished(&classes, Some(&expected)), [""; 0]);
    }
}
