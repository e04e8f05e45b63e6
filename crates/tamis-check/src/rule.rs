//! The rules that tools are held against, each over the history of one evolving program (SPEC 7.2).
//!
//! R1 to R7 are those of RTSCheck, R8 to R10 ours. A rule is a file with its explanation; it sees a [`History`] and
//! nothing else.

mod r10_forgotten_failure;
mod r1_missed_failure;
mod r2_selects_none;
mod r3_always_all;
mod r4_selects_all;
mod r5_unchanged;
mod r6_first_revision;
mod r7_more_failures;
mod r8_finer_selects_more;
mod r9_other_result;
mod user_rule;

use serde::{Deserialize, Serialize};

use crate::evolving::ProgramId;
use crate::history::{History, Variant};
use crate::steps::Step;

pub use user_rule::{UserRule, UserRuleError, UserRuleErrorKind};

/// A rule with its explanation.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// `R1`
    pub id: &'static str,
    /// What a tool does that violates it, in a few words.
    pub title: &'static str,
    pub weight: Weight,
    /// What the rule says, why, and what a violation may mean; in paragraphs.
    pub explanation: &'static str,
    check: fn(&History, &Variant) -> Vec<Breach>,
}

/// What a violation means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// The tool is wrong.
    Bug,
    /// The tool may be right; somebody should look.
    Suspicion,
}

/// All rules, in order.
pub const RULES: &[Rule] = &[
    r1_missed_failure::RULE,
    r2_selects_none::RULE,
    r3_always_all::RULE,
    r4_selects_all::RULE,
    r5_unchanged::RULE,
    r6_first_revision::RULE,
    r7_more_failures::RULE,
    r8_finer_selects_more::RULE,
    r9_other_result::RULE,
    r10_forgotten_failure::RULE,
];

/// A rule was violated by a tool on a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    pub rule: String,
    pub weight: Weight,
    /// The variant.
    pub tool: String,
    pub program: ProgramId,
    pub operator: String,
    /// Where it shows, if it shows in one step.
    pub step: Option<Step>,
    /// The tests concerned.
    pub tests: Vec<String>,
    /// What the tool did.
    pub text: String,
}

/// Where and how a rule was violated.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Breach {
    step: Option<Step>,
    tests: Vec<String>,
    text: String,
}

impl Breach {
    fn new<'a>(step: Step, tests: impl IntoIterator<Item = &'a str>, text: String) -> Self {
        Self {
            step: Some(step),
            tests: tests.into_iter().map(str::to_owned).collect(),
            text,
        }
    }
}

/// The rule of an id, however it is written.
pub fn find_rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id.eq_ignore_ascii_case(id))
}

/// Everything in a history that violates a rule.
pub(crate) fn check(history: &History) -> Vec<Violation> {
    let mut violations = Vec::new();
    for variant in &history.tools {
        for rule in RULES {
            let breaches = (rule.check)(history, variant).into_iter();
            violations.extend(breaches.map(|breach| Violation {
                rule: rule.id.to_owned(),
                weight: rule.weight,
                tool: variant.name.clone(),
                program: history.program.clone(),
                operator: history.operator.clone(),
                step: breach.step,
                tests: breach.tests,
                text: breach.text,
            }));
        }
    }
    violations
}

/// `1 test`, `2 tests`.
fn n_tests(n: usize) -> String {
    match n {
        1 => "1 test".to_owned(),
        n => format!("{n} tests"),
    }
}

/// Histories for tests of rules, written in a few words.
#[cfg(test)]
mod sample {
    use std::collections::BTreeMap;

    use super::*;
    use crate::history::{Outcome, StepHistory, ToolStep};

    /// A history of `retest-all` lines and lines of tools, as `first: a+ b- | tool: a+`: tests that passed (`+`),
    /// failed (`-`), left another state (`*`), or were switched off (`~`).
    pub(super) fn history(text: &str) -> History {
        let mut history = History {
            program: "JD1-0-E7-0".parse().unwrap(),
            operator: "E7".to_owned(),
            tools: Vec::new(),
            steps: Vec::new(),
            n_unstable: 0,
        };
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let mut parts = line.split('|').map(|part| part.split_once(':').unwrap());
            let (step, tests) = parts.next().unwrap();
            let step = Step::ALL.iter().find(|found| found.name() == step);
            let mut tools = BTreeMap::new();
            for (name, tests) in parts {
                let name = name.trim();
                if history.tools.iter().all(|variant| variant.name != name) {
                    history.tools.push(variant(name));
                }
                let mut ran = outcomes(tests);
                ran.retain(|_, outcome| *outcome != Outcome::Skipped);
                let step = ToolStep {
                    ran,
                    ..ToolStep::default()
                };
                tools.insert(name.to_owned(), step);
            }
            history.steps.push(StepHistory {
                step: *step.unwrap(),
                retest_all: outcomes(tests),
                tools,
            });
        }
        history
    }

    /// `tamis-file` and `tamis-method` belong together.
    fn variant(name: &str) -> Variant {
        let tool = name.split('-').next().unwrap();
        Variant {
            name: name.to_owned(),
            tool: tool.to_owned(),
            fineness: u32::from(name.ends_with("-method")),
            keeps_data: !name.ends_with("-file"),
        }
    }

    fn outcomes(tests: &str) -> BTreeMap<String, Outcome> {
        let mut outcomes = BTreeMap::new();
        for test in tests.split_whitespace() {
            let name = test.trim_end_matches(['+', '-', '*', '~']);
            let outcome = match &test[name.len()..] {
                "+" => Outcome::Passed,
                "-" => Outcome::Failed,
                "*" => Outcome::OtherState,
                "~" => Outcome::Skipped,
                other => panic!("`{other}` is no outcome"),
            };
            outcomes.insert(name.to_owned(), outcome);
        }
        outcomes
    }

    /// Where a rule is violated, by which tool, with which tests.
    pub(super) fn violations(rule: &str, text: &str) -> Vec<String> {
        let violations = check(&history(text)).into_iter();
        violations
            .filter(|violation| violation.rule == rule)
            .map(|violation| {
                let step = violation.step.map_or("", Step::name);
                format!("{} {step}: {}", violation.tool, violation.tests.join(" "))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_in_order_and_explained() {
        for (index, rule) in RULES.iter().enumerate() {
            assert_eq!(rule.id, format!("R{}", index + 1));
            assert!(rule.explanation.len() > 200, "{}", rule.id);
            assert!(!rule.explanation.ends_with('\n'));
        }
        assert_eq!(find_rule("r10").unwrap().id, "R10");
        assert!(find_rule("R11").is_none());
    }

    /// All steps of a tool that does right: no rule has anything to say.
    #[test]
    fn a_good_tool_violates_nothing() {
        let history = sample::history(
            "first: T1.a+ T1.b+ T2.a+ | tamis-file: T1.a+ T1.b+ T2.a+ | tamis-method: T1.a+ T1.b+ T2.a+ | other: T1.a+ T1.b+ T2.a+
             again: T1.a+ T1.b+ T2.a+ | tamis-file: | tamis-method: | other:
             filtered: T1.a- T2.a+ | tamis-file: T1.a- T2.a+ | tamis-method: T1.a- | other: T1.a-
             evolved: T1.a- T1.b* T2.a+ | tamis-file: T1.a- T1.b* T2.a+ | tamis-method: T1.a- T1.b* | other: T1.a- T1.b*
             evolved-again: T1.a- T1.b* T2.a+ | tamis-file: T1.a- T1.b* | tamis-method: T1.a- T1.b* | other: T1.a- T1.b*
             back: T1.a+ T1.b+ T2.a+ | tamis-file: | tamis-method: | other: T1.a+
             killed: T1.a- T1.b- T2.a- | tamis-file: T1.a- T1.b- T2.a- | tamis-method: T1.a- T1.b- T2.a-
             after-killed: T1.a+ T1.b+ T2.a+ | tamis-file: T1.a+ T1.b+ T2.a+ | tamis-method: T1.a+ T1.b+ T2.a+",
        );
        assert_eq!(check(&history), []);
    }
}
