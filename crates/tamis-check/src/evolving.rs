//! Evolving programs and the plan that lists them: what the generator gives to the runner.

mod order;

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::constraint::Constraint;
use crate::evolve::{self, EnabledTest, Evolution, Source};
use crate::generate::Space;
use crate::operator::Operator;
use crate::program::{Program, Surrounding, canonical};
use crate::random::Random;
use crate::render;
use crate::sequence::{self, TestClass, TestStyle};

use order::Order;

/// A program, what changes it, and tests of its first revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvolvingProgram {
    pub id: ProgramId,
    pub operator: Operator,
    /// What its tests are written for.
    pub framework: Framework,
    evolution: Evolution,
    tests: Vec<TestClass>,
}

/// A revision of an evolving program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    Before,
    After,
}

/// The framework that generated tests are written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Framework {
    Jupiter,
    JUnit4,
}

impl Framework {
    pub const ALL: &'static [Self] = &[Self::Jupiter, Self::JUnit4];
}

/// A Java file of an evolving program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceFile {
    /// Below the source root, with slashes: `p00042/A.java`.
    pub path: String,
    pub text: String,
}

/// What each test said in the first revision: `<class simple name>.<method>` → log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected(pub BTreeMap<String, String>);

impl EvolvingProgram {
    /// With random tests; none if they do not compile with the second revision.
    fn new(id: ProgramId, evolution: Evolution, plan: &Plan) -> Option<Self> {
        let Evolution { before, after, .. } = &evolution;
        let mut random = Random::of(plan.seed, &id.to_string());
        let grafted = evolution.test_grafts.iter().map(|graft| graft.class + 1);
        let n_test_classes = grafted.max().unwrap_or(0).max(plan.bounds.n_test_classes);
        let bounds = Bounds {
            n_test_classes,
            ..plan.bounds.clone()
        };
        let mut tests = sequence::generate(before, &bounds, &mut random);
        for graft in &evolution.test_grafts {
            tests[graft.class].methods[graft.method].graft(&graft.java);
        }
        let mut methods = tests.iter().flat_map(|class| &class.methods);
        let compile = methods.all(|test| test.compiles_with(before, after));
        let framework = random.choose(&plan.frameworks).copied();
        compile.then_some(Self {
            operator: id.operator,
            framework: framework.unwrap_or(Framework::Jupiter),
            id,
            evolution,
            tests,
        })
    }

    /// The code of a revision, in a package of its own; it may use sub-packages of it.
    pub fn code(&self, side: Side, package: &str) -> Vec<SourceFile> {
        let program = self.revision(side);
        let mut files = render::files(program, package);
        let surroundings = program.surroundings.iter().copied();
        let library = surroundings.filter(|one| matches!(one, Surrounding::LibraryType { .. }));
        files.extend(library.map(|one| SourceFile {
            path: one.name(package),
            text: one.text(package),
        }));
        files
    }

    /// What surrounds the code of a revision; what comes in a library is among it and among the code.
    pub(crate) fn surroundings(&self, side: Side) -> &[Surrounding] {
        &self.revision(side).surroundings
    }

    fn revision(&self, side: Side) -> &Program {
        match side {
            Side::Before => &self.evolution.before,
            Side::After => &self.evolution.after,
        }
    }

    /// Both revisions.
    pub(crate) fn revisions(&self) -> [&Program; 2] {
        [&self.evolution.before, &self.evolution.after]
    }

    pub(crate) fn revisions_mut(&mut self) -> [&mut Program; 2] {
        [&mut self.evolution.before, &mut self.evolution.after]
    }

    pub(crate) fn test_list(&self) -> &[TestClass] {
        &self.tests
    }

    /// Keeps some of the test classes, tests and steps, and of these what the revisions have types for. Whether a test is
    /// left; the one that is switched on must be.
    pub(crate) fn keep_tests(
        &mut self,
        keeps_class: impl Fn(usize) -> bool,
        keeps_test: impl Fn(usize, usize) -> bool,
        keeps_step: impl Fn(usize, usize, usize) -> bool,
    ) -> bool {
        let enabled = self.evolution.enabled.take();
        let mut classes = Vec::new();
        for (class, mut tests) in std::mem::take(&mut self.tests).into_iter().enumerate() {
            let mut methods = Vec::new();
            for (method, mut test) in tests.methods.into_iter().enumerate() {
                if keeps_class(class) && keeps_test(class, method) {
                    if let Some(place) =
                        enabled.filter(|it| (it.class, it.method) == (class, method))
                    {
                        self.evolution.enabled = Some(EnabledTest {
                            class: classes.len(),
                            method: methods.len(),
                            ..place
                        });
                    }
                    test.keep_steps(&self.evolution.before, |step| {
                        keeps_step(class, method, step)
                    });
                    methods.push(test);
                }
            }
            tests.methods = methods;
            if !tests.methods.is_empty() {
                classes.push(tests);
            }
        }
        self.tests = classes;
        !self.tests.is_empty() && self.evolution.enabled.is_some() == enabled.is_some()
    }

    /// Whether the change concerns every test of a JVM: by a listener, or by how the JVM is started.
    pub(crate) fn concerns_all(&self) -> bool {
        matches!(
            self.operator,
            Operator::ChangeCodeInListener | Operator::ChangeProperty
        )
    }

    /// Whether the change concerns later tests too: the JDK may keep what was found beside the classes, and that a class
    /// is not there.
    pub(crate) fn concerns_later(&self) -> bool {
        matches!(
            self.operator,
            Operator::ChangeResource
                | Operator::ChangeService
                | Operator::AddOptionalClass
                | Operator::ChangeClassData
                | Operator::ChangeBundle
        )
    }

    /// The test classes: the same for both sides, except where the operator changes a test. With
    /// `expected` a test fails when its log is another; without it the tests only record.
    pub fn tests(&self, side: Side, package: &str, expected: Option<&Expected>) -> Vec<SourceFile> {
        let enabled = self.evolution.enabled;
        let place = enabled.map(|test| (test.class, test.method));
        let fails = enabled.is_some_and(|test| test.fails);
        let style = TestStyle {
            package,
            framework: self.framework,
            expected,
            disabled: place.filter(|_| side == Side::Before),
            failing: place.filter(|_| fails),
        };
        sequence::files(&self.evolution.before, &self.tests, style)
    }

    /// Fully qualified names of the test classes, in order; at least two, so that what is
    /// initialised once per JVM is shared.
    pub fn test_classes(&self, package: &str) -> Vec<String> {
        let names = self.tests.iter().map(|class| &class.name);
        names.map(|name| format!("{package}.{name}")).collect()
    }

    /// What the program offers to the framework: names of interfaces, each with the whole name of a class.
    pub fn services(&self, package: &str) -> Vec<(&'static str, String)> {
        let services = self.evolution.services.iter();
        services
            .map(|service| (service.interface, format!("{package}.{}", service.class)))
            .collect()
    }

    /// Whether the program must have a project of its own: what goes on when its tests are over would count for the
    /// tests of others.
    pub fn is_loner(&self) -> bool {
        self.operator.outlives_tests()
    }

    /// The same for programs that differ in names only.
    fn fingerprint(&self) -> u64 {
        let Evolution {
            before,
            after,
            test_grafts,
            enabled,
            services,
        } = &self.evolution;
        let mut hasher = DefaultHasher::new();
        canonical(&[before, after]).hash(&mut hasher);
        (test_grafts, enabled, services).hash(&mut hasher);
        hasher.finish()
    }
}

/// Enough to make an evolving program again, with the seed and the bounds. As text
/// `JD3-42-E5-7`: the constraint, the number of the base program in generation order, the operator,
/// and the place where it is applied.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ProgramId {
    pub constraint: Constraint,
    pub base: u128,
    pub operator: Operator,
    pub place: u32,
}

impl fmt::Display for ProgramId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            constraint,
            base,
            operator,
            place,
        } = self;
        write!(f, "{constraint}-{base}-{operator}-{place}")
    }
}

/// A text that names no evolving program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no program's id; one looks like `JD3-42-E5-7`")]
pub struct ParseProgramIdError(pub String);

impl FromStr for ProgramId {
    type Err = ParseProgramIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (constraint, rest) = text.split_once('-')?;
            let (base, rest) = rest.split_once('-')?;
            let (operator, place) = rest.rsplit_once('-')?;
            Some(Self {
                constraint: constraint.parse().ok()?,
                base: base.parse().ok()?,
                operator: operator.parse().ok()?,
                place: place.parse().ok()?,
            })
        };
        parse().ok_or_else(|| ParseProgramIdError(text.to_owned()))
    }
}

impl From<ProgramId> for String {
    fn from(id: ProgramId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for ProgramId {
    type Error = ParseProgramIdError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// How large programs and tests are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// Classes and interfaces of a base program, at most; more than four count as four.
    pub n_types: usize,
    /// Fields of a base program, at most.
    pub n_fields: usize,
    /// Methods of a base program, at most.
    pub n_methods: usize,
    /// Test classes of a program, two or more.
    pub n_test_classes: usize,
    /// Test methods of a test class.
    pub n_test_methods: usize,
    /// Calls of a test method, at most.
    pub n_calls: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            n_types: 4,
            n_fields: 3,
            n_methods: 4,
            n_test_classes: 2,
            n_test_methods: 3,
            n_calls: 6,
        }
    }
}

/// All evolving programs of a seed, bounds, constraints and operators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub seed: u64,
    pub bounds: Bounds,
    /// What tests are written for; each program draws one.
    pub frameworks: Vec<Framework>,
    pub constraints: Vec<Constraint>,
    pub operators: Vec<Operator>,
}

impl Plan {
    /// The programs in an order fixed by the seed, de-duplicated up to renaming; lazily.
    ///
    /// Operators take turns, and within each operator constraints do, so that the first few
    /// hundred programs show them all.
    pub fn programs(&self) -> impl Iterator<Item = EvolvingProgram> + use<'_> {
        let mut seen = HashSet::new();
        let programs = Order::new(self);
        programs.filter(move |program| seen.insert(program.fingerprint()))
    }

    /// The program of an id that a plan with this seed and these bounds gave out.
    pub fn program(&self, id: &ProgramId) -> Option<EvolvingProgram> {
        let space = Space::new(&self.bounds);
        let base = space.base(id.base)?;
        let source = Source {
            base: &base,
            space: &space,
            constraint: id.constraint,
            bounds: &self.bounds,
        };
        let mut evolutions = evolve::evolutions(id.operator, source).into_iter();
        let evolution = evolutions.nth(id.place as usize)?;
        EvolvingProgram::new(id.clone(), evolution, self)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn plan(seed: u64) -> Plan {
        Plan {
            seed,
            bounds: Bounds::default(),
            frameworks: Framework::ALL.to_vec(),
            constraints: Constraint::ALL.to_vec(),
            operators: Operator::ALL.to_vec(),
        }
    }

    fn ids(seed: u64, n: usize) -> Vec<ProgramId> {
        let plan = plan(seed);
        plan.programs().take(n).map(|program| program.id).collect()
    }

    #[test]
    fn the_text_of_an_id_is_read_back() {
        for text in ["JD3-42-E5-7", "JD10-0-add-override-0"] {
            assert_eq!(text.parse::<ProgramId>().unwrap().to_string(), text);
            let json = serde_json::to_string(&text.parse::<ProgramId>().unwrap()).unwrap();
            assert_eq!(json, format!("\"{text}\""));
        }
        for text in [
            "",
            "JD3",
            "JD3-42-E5",
            "JD3-x-E5-1",
            "JD3-42-E55-1",
            "JD3-42-E5-1-",
        ] {
            assert!(text.parse::<ProgramId>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_seed_gives_one_order() {
        assert_eq!(ids(1, 100), ids(1, 100));
        assert_ne!(ids(1, 100), ids(2, 100));
    }

    #[test]
    fn the_beginning_shows_every_operator_and_constraint_several_times() {
        let ids = ids(1, 600);
        for operator in Operator::ALL {
            let count = ids.iter().filter(|id| id.operator == *operator).count();
            let expected = if operator.outlives_tests() { 1 } else { 12 };
            assert!(count >= expected, "{operator}: {count}");
        }
        for constraint in Constraint::ALL {
            let count = ids.iter().filter(|id| id.constraint == *constraint).count();
            assert!(count >= 40, "{constraint}: {count}");
        }
    }

    #[test]
    fn both_frameworks_have_their_share() {
        let plan = plan(1);
        let programs = plan.programs().take(200);
        let n_jupiter = programs.filter(|program| program.framework == Framework::Jupiter);
        let n_jupiter = n_jupiter.count();
        assert!((60..140).contains(&n_jupiter), "{n_jupiter}");
    }

    #[test]
    fn an_id_gives_back_its_program() {
        let plan = plan(5);
        for program in plan.programs().take(120) {
            let id: ProgramId = program.id.to_string().parse().unwrap();
            assert_eq!(plan.program(&id), Some(program));
        }
    }

    #[test]
    fn tests_have_as_many_classes_as_an_operator_asks_for() {
        let plan = Plan {
            operators: vec![Operator::ChangeCodeInBackground],
            ..plan(1)
        };
        for program in plan.programs().take(5) {
            assert_eq!(program.test_classes("p").len(), 3);
            assert!(program.is_loner());
        }
    }

    #[test]
    fn ids_of_no_program() {
        for text in [
            "JD1-340282366920938463463374607431768211455-E7-0",
            "JD1-0-E7-4294967295",
        ] {
            assert_eq!(plan(1).program(&text.parse().unwrap()), None, "{text}");
        }
    }

    /// In a space so small that it is used up: pairs of operator and constraint meet the same
    /// programs, but each comes once.
    #[test]
    fn no_program_comes_twice() {
        let plan = Plan {
            bounds: Bounds {
                n_types: 1,
                n_fields: 0,
                n_methods: 1,
                ..Bounds::default()
            },
            constraints: vec![Constraint::Unconstrained, Constraint::SomeMethod],
            operators: vec![Operator::IncreaseConstant],
            ..plan(1)
        };
        let programs: Vec<_> = plan.programs().collect();
        let distinct: BTreeSet<_> = programs.iter().map(EvolvingProgram::fingerprint).collect();
        assert_eq!(programs.len(), distinct.len());
        let with_repetitions = Order::new(&plan).count();
        assert!(with_repetitions >= 2 * programs.len(), "{with_repetitions}");
    }

    #[test]
    fn nothing_to_do() {
        let without_operators = Plan {
            operators: Vec::new(),
            ..plan(1)
        };
        assert_eq!(without_operators.programs().count(), 0);
        let without_constraints = Plan {
            constraints: Vec::new(),
            ..plan(1)
        };
        assert_eq!(without_constraints.programs().count(), 0);
    }

    #[test]
    fn code_changes_and_tests_do_not() {
        for program in plan(1).programs().take(100) {
            let tests = |side| program.tests(side, "p1", None);
            let code = |side| program.code(side, "p1");
            let is_of_tests = program.operator == Operator::EnableTest;
            assert_eq!(tests(Side::Before) != tests(Side::After), is_of_tests);
            let [before, after] = [Side::Before, Side::After].map(|side| {
                let surroundings = program.surroundings(side).to_vec();
                (code(side), surroundings)
            });
            assert_eq!(before == after, is_of_tests, "{}", program.id);
            assert!(program.test_classes("p1").len() >= 2);
            for file in code(Side::After).iter().chain(&tests(Side::After)) {
                assert!(file.path.starts_with("p1/"), "{}", file.path);
                assert!(file.text.starts_with("package p1"), "{}", file.text);
            }
        }
    }
}
