//! What an entity did and what it relies on, as `tamis trace` shows it.

use std::collections::BTreeMap;

use serde::Serialize;
use tamis_engine::{
    Access, Accessed, EntityKind, EntityRun, EntityTrace, Found, JvmTrace, Outcome, Reliance,
    ReliedAccess, ReliedClass, ReliedMethod, TestEnd, ToldEntity, ToldFork, Trace,
};

use crate::escape;

/// A test class, a test method, or a suite.
#[derive(Debug, Serialize)]
pub(crate) struct EntityView {
    pub(crate) name: String,
    pub(crate) framework: String,
    pub(crate) kind: EntityKindView,
    /// The entities that it is part of; a class may run in several suites.
    parents: Vec<String>,
    pub(crate) is_skipped: bool,
    /// The tests that the framework found in it.
    pub(crate) tests: Vec<String>,
    pub(crate) runs: Vec<RunView>,
    /// Whether it began and was never told to end.
    pub(crate) is_unfinished: bool,
    pub(crate) classes: Vec<ReliedClassView>,
    /// What was done with files, in the order of the first times.
    pub(crate) files: Vec<ReliedFileView>,
    /// Processes that were started while it ran.
    forks: Vec<ForkView>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EntityKindView {
    Container,
    Class,
    Method,
}

/// One run of an entity.
#[derive(Debug, Serialize)]
pub(crate) struct RunView {
    pub(crate) outcome: OutcomeView,
    pub(crate) microseconds: u64,
    pub(crate) tests: Vec<TestView>,
}

#[derive(Debug, Serialize)]
pub(crate) struct TestView {
    name: String,
    outcome: OutcomeView,
    microseconds: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OutcomeView {
    Skipped,
    Passed,
    Aborted,
    Failed,
}

/// What an entity relies on of a class.
#[derive(Debug, Serialize)]
pub(crate) struct ReliedClassView {
    pub(crate) name: String,
    /// Whether it was not probed, and so counts as a whole.
    pub(crate) is_whole: bool,
    pub(crate) methods: Vec<ReliedMethodView>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ReliedMethodView {
    /// None where no file has the class.
    pub(crate) name: Option<String>,
    pub(crate) descriptor: Option<String>,
    /// Its position among the methods of the class that have code.
    position: u32,
    pub(crate) reliance: RelianceView,
}

/// Something that was done with a file for an entity.
#[derive(Debug, Serialize)]
pub(crate) struct ReliedFileView {
    #[serde(flatten)]
    pub(crate) file: AccessView,
    pub(crate) reliance: RelianceView,
}

/// Something that was done with a file.
#[derive(Debug, Serialize)]
pub(crate) struct AccessView {
    pub(crate) path: String,
    pub(crate) access: AccessKindView,
    /// What was there just before.
    pub(crate) found: FoundView,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AccessKindView {
    Read,
    Looked,
    Listed,
    Wrote,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FoundView {
    Nothing,
    File,
    Directory,
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RelianceView {
    Ran,
    Around,
    Carried,
    Ambient,
    Initialiser,
}

#[derive(Debug, Serialize)]
struct ForkView {
    program: String,
    is_followed: bool,
    /// The JVM that was started, by process, if it was heard of; what it ran stands with it.
    pid: Option<u32>,
    /// Whether all that it ran is known.
    is_complete: bool,
}

impl EntityView {
    /// All entities of a JVM in the order of their numbers, those that were skipped included.
    pub(crate) fn all(trace: &JvmTrace, all: &Trace) -> Vec<Self> {
        let relied: BTreeMap<u32, &EntityTrace> = trace
            .entities
            .iter()
            .map(|entity| (entity.number, entity))
            .collect();
        let entities = trace.jvm.entities.iter();
        entities
            .map(|(number, told)| {
                let parents = told.parents.iter();
                let parents = parents.filter_map(|parent| trace.jvm.entities.get(parent));
                let forks = trace.jvm.forks.iter();
                let mut view = Self::new(told, relied.get(number).copied());
                view.parents = parents
                    .map(|parent| escape::name(&parent.discovered.name))
                    .collect();
                view.forks = forks
                    .filter(|fork| fork.entities.contains(number))
                    .map(|fork| ForkView::new(fork, all.child(trace.jvm.number, fork)))
                    .collect();
                view
            })
            .collect()
    }

    fn new(told: &ToldEntity, relied: Option<&EntityTrace>) -> Self {
        let shown = &told.discovered;
        let classes = relied.map_or(&[][..], |relied| &relied.classes);
        let accesses = relied.map_or(&[][..], |relied| &relied.accesses);
        Self {
            name: escape::name(&shown.name),
            framework: escape::name(&shown.framework),
            kind: EntityKindView::new(shown.kind),
            parents: Vec::new(),
            is_skipped: told.is_skipped,
            tests: shown.tests.iter().map(|test| escape::name(test)).collect(),
            runs: told.runs.iter().map(RunView::new).collect(),
            is_unfinished: told.is_open,
            classes: classes.iter().map(ReliedClassView::new).collect(),
            files: accesses.iter().map(ReliedFileView::new).collect(),
            forks: Vec::new(),
        }
    }
}

impl EntityKindView {
    fn new(kind: EntityKind) -> Self {
        match kind {
            EntityKind::Container => Self::Container,
            EntityKind::Class => Self::Class,
            EntityKind::Method => Self::Method,
        }
    }
}

impl RunView {
    fn new(run: &EntityRun) -> Self {
        Self {
            outcome: OutcomeView::new(run.end.outcome),
            microseconds: run.end.microseconds,
            tests: run.end.tests.iter().map(TestView::new).collect(),
        }
    }
}

impl TestView {
    fn new(test: &TestEnd) -> Self {
        Self {
            name: escape::name(&test.name),
            outcome: OutcomeView::new(test.outcome),
            microseconds: test.microseconds,
        }
    }
}

impl OutcomeView {
    fn new(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Skipped => Self::Skipped,
            Outcome::Passed => Self::Passed,
            Outcome::Aborted => Self::Aborted,
            Outcome::Failed => Self::Failed,
        }
    }
}

impl ReliedClassView {
    fn new(class: &ReliedClass) -> Self {
        Self {
            name: escape::name(class.name.as_bytes()),
            is_whole: class.is_whole,
            methods: class.methods.iter().map(ReliedMethodView::new).collect(),
        }
    }
}

impl ReliedMethodView {
    fn new(relied: &ReliedMethod) -> Self {
        let method = relied.method.as_ref();
        Self {
            name: method.map(|method| escape::name(method.name.as_bytes())),
            descriptor: method.map(|method| escape::name(method.descriptor.as_bytes())),
            position: relied.position,
            reliance: RelianceView::new(relied.reliance),
        }
    }
}

impl RelianceView {
    fn new(reliance: Reliance) -> Self {
        match reliance {
            Reliance::Ran => Self::Ran,
            Reliance::Around => Self::Around,
            Reliance::Carried => Self::Carried,
            Reliance::Ambient => Self::Ambient,
            Reliance::Initialiser => Self::Initialiser,
        }
    }
}

impl ReliedFileView {
    fn new(relied: &ReliedAccess) -> Self {
        Self {
            file: AccessView::new(&relied.accessed),
            reliance: RelianceView::new(relied.reliance),
        }
    }
}

impl AccessView {
    pub(super) fn new(accessed: &Accessed) -> Self {
        Self {
            path: escape::name(&accessed.path),
            access: match accessed.access {
                Access::Read | Access::Opened => AccessKindView::Read,
                Access::Looked | Access::Guessed | Access::Followed => AccessKindView::Looked,
                Access::Listed => AccessKindView::Listed,
                Access::Wrote => AccessKindView::Wrote,
            },
            found: match accessed.found {
                Found::Nothing => FoundView::Nothing,
                Found::File(_) => FoundView::File,
                Found::Directory(_) => FoundView::Directory,
                Found::Other => FoundView::Other,
            },
        }
    }
}

impl ForkView {
    fn new(fork: &ToldFork, child: Option<&JvmTrace>) -> Self {
        Self {
            program: escape::name(&fork.forked.program),
            is_followed: fork.forked.is_followed,
            pid: child.map(|child| child.jvm.hello.pid),
            is_complete: child.is_some_and(JvmTrace::is_complete),
        }
    }
}
