//! What was done with an evolving program, step by step: all that rules see, and the JSON that rules of users read.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::evolving::ProgramId;
use crate::steps::Step;

/// The life of an evolving program under every test and under each tool.
///
/// Tests are named `T1.test3`. Tests whose outcome is not the same in each run of every test are not in it, nor are
/// others of their class: a tool that runs them again does so rightly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    pub program: ProgramId,
    pub operator: String,
    /// What was checked, in the order asked for; of one tool the coarser ones first.
    pub tools: Vec<Variant>,
    pub steps: Vec<StepHistory>,
    /// Tests that are left out.
    pub n_unstable: usize,
}

/// A tool, or one of several ways to ask it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// `tamis-method`
    pub name: String,
    /// `tamis`
    pub tool: String,
    /// Among the variants of a tool, one with a greater number promises to select no more.
    pub fineness: u32,
    /// Whether its runs leave data for later steps; else it answers from those of another variant.
    pub keeps_data: bool,
}

/// A step, under every test and under each tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepHistory {
    pub step: Step,
    /// Every test that was asked for.
    pub retest_all: BTreeMap<String, Outcome>,
    /// By the name of the variant. One that failed as a whole is missing, and so are its later steps.
    pub tools: BTreeMap<String, ToolStep>,
}

/// What a tool did in a step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolStep {
    /// The tests that it ran, which are those that it selected, and how they ended.
    pub ran: BTreeMap<String, Outcome>,
    /// Test classes that are left out of the history, and in which a test failed.
    #[serde(default)]
    pub failed_apart: BTreeSet<String>,
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Passed,
    /// By an assertion or an exception, or with its JVM.
    Failed,
    /// It passed by the word of the framework, and left its objects in another state than in the first revision. Who
    /// runs every test notices; a tool cannot know that the test is red.
    OtherState,
    /// It is switched off, or gave up.
    Skipped,
}

impl Outcome {
    /// Whether somebody who runs every test takes the test for broken.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::OtherState)
    }
}

impl History {
    /// A step, if it was run.
    pub fn step(&self, step: Step) -> Option<&StepHistory> {
        self.steps.iter().find(|found| found.step == step)
    }

    /// The steps that a variant came to, in order.
    pub(crate) fn moments<'a>(&'a self, variant: &'a Variant) -> impl Iterator<Item = Moment<'a>> {
        self.steps.iter().filter_map(|step| step.moment(variant))
    }

    /// A step of a variant, if it came to it.
    pub(crate) fn moment<'a>(&'a self, variant: &Variant, step: Step) -> Option<Moment<'a>> {
        self.step(step)?.moment(variant)
    }

    /// The variants of other tools.
    pub(crate) fn others<'a>(&'a self, variant: &'a Variant) -> Vec<&'a Variant> {
        let others = self.tools.iter();
        others.filter(|other| other.tool != variant.tool).collect()
    }
}

/// A tool in a step, beside every test.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment<'a> {
    pub(crate) step: Step,
    retest_all: &'a BTreeMap<String, Outcome>,
    tool: &'a ToolStep,
}

impl StepHistory {
    fn moment(&self, variant: &Variant) -> Option<Moment<'_>> {
        Some(Moment {
            step: self.step,
            retest_all: &self.retest_all,
            tool: self.tools.get(&variant.name)?,
        })
    }

    /// How a test ended when every test ran.
    pub(crate) fn outcome(&self, test: &str) -> Option<Outcome> {
        self.retest_all.get(test).copied()
    }
}

impl<'a> Moment<'a> {
    /// Tests that run when every test runs.
    pub(crate) fn all(&self) -> BTreeSet<&'a str> {
        let ran = self.retest_all.iter();
        ran.filter(|(_, outcome)| **outcome != Outcome::Skipped)
            .map(|(test, _)| test.as_str())
            .collect()
    }

    /// Tests that the tool selects.
    pub(crate) fn selected(&self) -> BTreeSet<&'a str> {
        self.tool.ran.keys().map(String::as_str).collect()
    }

    /// Whether there are tests, and the tool selects all of them.
    pub(crate) fn selects_all(&self) -> bool {
        let all = self.all();
        !all.is_empty() && all.is_subset(&self.selected())
    }

    /// Whether there are tests, and the tool selects none.
    pub(crate) fn selects_none(&self) -> bool {
        !self.all().is_empty() && self.tool.ran.is_empty()
    }

    /// How tests ended that the tool ran.
    pub(crate) fn outcomes(&self) -> &'a BTreeMap<String, Outcome> {
        &self.tool.ran
    }

    /// Test classes that are left out, and in which a test failed.
    pub(crate) fn failed_apart(&self) -> impl Iterator<Item = &'a str> {
        self.tool.failed_apart.iter().map(String::as_str)
    }

    /// How a test ended when every test ran.
    pub(crate) fn truth(&self, test: &str) -> Option<Outcome> {
        self.retest_all.get(test).copied()
    }

    /// How a test ended that the tool ran.
    pub(crate) fn shown(&self, test: &str) -> Option<Outcome> {
        self.tool.ran.get(test).copied()
    }
}

/// The class of a test that is named as `T1.test3`.
pub(crate) fn class_of(test: &str) -> &str {
    test.split_once('.').map_or(test, |(class, _)| class)
}
