//! The entities and tests that frameworks show: their numbers, verdicts and outcomes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use tamis_wire::{Discovered, EntityEnd, EntityKind, Granularity, Outcome, TestEnd};

/// All entities of this JVM.
#[derive(Debug)]
pub(crate) struct Entities {
    granularity: Granularity,
    by_name: HashMap<Name, u32>,
    all: Vec<Entity>,
    nodes: Vec<Node>,
    named_nodes: HashMap<Vec<u8>, u32>,
}

/// What tells entities apart in a JVM.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Name {
    /// Whose test it is.
    pub(crate) framework: Vec<u8>,
    /// As the framework calls it.
    pub(crate) name: Vec<u8>,
}

/// An entity that was shown, or whose runner was built.
#[derive(Debug)]
struct Entity {
    name: Name,
    kind: EntityKind,
    parent: Option<u32>,
    /// The tests it was shown with last; none if it was not shown.
    shown: Option<BTreeSet<Vec<u8>>>,
    is_skipped: bool,
    run: Run,
}

/// How an entity goes while it is open.
#[derive(Debug, Default)]
struct Run {
    began: Option<Instant>,
    has_failed: bool,
    tests: BTreeMap<Vec<u8>, (Outcome, Duration)>,
}

/// Something that a framework runs: an entity, a test in it, or what lies between.
#[derive(Debug)]
struct Node {
    entity: u32,
    role: Role,
    began: Option<Instant>,
    outcome: Option<Outcome>,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The entity itself.
    Whole,
    /// A container in it, as a nested class.
    Container,
    /// A test by name.
    Test(Vec<u8>),
    /// One of several runs of the test of this name.
    Repetition(Vec<u8>),
    /// The entity, which tells of its boundaries elsewhere.
    Listed,
}

/// The entities that one discovery brought, with their tests.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    tests: BTreeMap<u32, BTreeSet<Vec<u8>>>,
}

impl Plan {
    /// An entity, perhaps without tests.
    pub(crate) fn add(&mut self, entity: u32) {
        self.tests.entry(entity).or_default();
    }

    /// A test of an entity.
    pub(crate) fn add_test(&mut self, entity: u32, test: Vec<u8>) {
        self.tests.entry(entity).or_default().insert(test);
    }
}

/// What begins or ends with a node: entities, in the order in which that is to be told.
pub(crate) type Boundary = Vec<u32>;

impl Entities {
    pub(crate) fn new(granularity: Granularity) -> Self {
        Self {
            granularity,
            by_name: HashMap::new(),
            all: Vec::new(),
            nodes: Vec::new(),
            named_nodes: HashMap::new(),
        }
    }

    /// The number of an entity, a new one if it is not known.
    pub(crate) fn number(&mut self, name: Name) -> u32 {
        if let Some(number) = self.by_name.get(&name) {
            return *number;
        }
        let number = self.all.len() as u32;
        self.all.push(Entity {
            name: name.clone(),
            kind: EntityKind::Class,
            parent: None,
            shown: None,
            is_skipped: false,
            run: Run::default(),
        });
        self.by_name.insert(name, number);
        number
    }

    /// An entity of a plan.
    pub(crate) fn place(&mut self, name: Name, kind: EntityKind, parent: Option<u32>) -> u32 {
        let number = self.number(name);
        let entity = &mut self.all[number as usize];
        entity.kind = kind;
        entity.parent = parent.or(entity.parent);
        number
    }

    /// An entity that is part of another one; nothing else is known of it yet.
    pub(crate) fn place_in(&mut self, name: Name, parent: u32) {
        let number = self.number(name);
        self.all[number as usize].parent = Some(parent);
    }

    pub(crate) fn set_kind(&mut self, number: u32, kind: EntityKind) {
        if let Some(entity) = self.all.get_mut(number as usize) {
            entity.kind = kind;
        }
    }

    /// A node that can be found by its name; the last one of a name is.
    pub(crate) fn add_named_node(&mut self, entity: u32, role: Role, name: &[u8]) -> u32 {
        let node = self.add_node(entity, role);
        self.named_nodes.insert(name.to_vec(), node);
        node
    }

    pub(crate) fn named_node(&self, name: &[u8]) -> Option<u32> {
        self.named_nodes.get(name).copied()
    }

    pub(crate) fn entity_of(&self, node: u32) -> Option<u32> {
        self.nodes.get(node as usize).map(|node| node.entity)
    }

    /// The number of something that a framework runs.
    pub(crate) fn add_node(&mut self, entity: u32, role: Role) -> u32 {
        self.nodes.push(Node {
            entity,
            role,
            began: None,
            outcome: None,
        });
        self.nodes.len() as u32 - 1
    }

    /// A node for one more run of a test, or for something else inside a node.
    pub(crate) fn add_node_in(&mut self, node: u32) -> Option<u32> {
        let Node { entity, role, .. } = self.nodes.get(node as usize)?;
        let (entity, role) = match role {
            Role::Whole | Role::Container | Role::Listed => (*entity, Role::Container),
            Role::Test(test) | Role::Repetition(test) => (*entity, Role::Repetition(test.clone())),
        };
        Some(self.add_node(entity, role))
    }

    /// What has to be asked about a plan: entities that are new, or have other tests than before.
    pub(crate) fn questions(&mut self, plan: Plan) -> Vec<Discovered> {
        let mut questions = Vec::new();
        for (number, tests) in plan.tests {
            if self.granularity == Granularity::Method {
                let methods: Vec<_> = tests.iter().cloned().collect();
                questions.extend(self.show(number, tests));
                for test in methods {
                    let method = self.method(number, &test);
                    questions.extend(self.show(method, BTreeSet::from([test])));
                }
            } else {
                questions.extend(self.show(number, tests));
            }
        }
        questions
    }

    /// Nothing if it was shown with the same tests before.
    fn show(&mut self, number: u32, tests: BTreeSet<Vec<u8>>) -> Option<Discovered> {
        let entity = &mut self.all[number as usize];
        if entity.shown.as_ref() == Some(&tests) {
            return None;
        }
        let question = Discovered {
            entity: number,
            parent: entity.parent,
            kind: entity.kind,
            framework: entity.name.framework.clone(),
            name: entity.name.name.clone(),
            tests: tests.iter().cloned().collect(),
        };
        entity.shown = Some(tests);
        Some(question)
    }

    /// The entity of a test, where tests are entities.
    fn method(&mut self, class: u32, test: &[u8]) -> u32 {
        let Name { framework, name } = &self.all[class as usize].name;
        let name = Name {
            framework: framework.clone(),
            name: [name, &b"#"[..], test].concat(),
        };
        self.place(name, EntityKind::Method, Some(class))
    }

    /// The answer to a question.
    pub(crate) fn set_skipped(&mut self, number: u32, is_skipped: bool) {
        if let Some(entity) = self.all.get_mut(number as usize) {
            entity.is_skipped = is_skipped && entity.kind != EntityKind::Container;
        }
    }

    /// Whether a node is not to run: its entity, or all that is in it.
    pub(crate) fn is_skipped(&mut self, node: u32) -> bool {
        let Some(Node { entity, role, .. }) = self.nodes.get(node as usize) else {
            return false;
        };
        let (entity, role) = (*entity, role.clone());
        match role {
            Role::Test(test) if self.granularity == Granularity::Method => {
                let method = self.method(entity, &test);
                self.all[method as usize].is_skipped
            }
            Role::Whole | Role::Listed => self.is_entity_skipped(entity),
            _ => false,
        }
    }

    /// An entity is skipped as a whole too if each of its methods is.
    pub(crate) fn is_entity_skipped(&mut self, number: u32) -> bool {
        let entity = &self.all[number as usize];
        if entity.is_skipped || self.granularity == Granularity::Class {
            return entity.is_skipped;
        }
        let tests = entity.shown.clone().unwrap_or_default();
        !tests.is_empty()
            && tests.iter().all(|test| {
                let method = self.method(number, test);
                self.all[method as usize].is_skipped
            })
    }

    /// Whether a test is not to run, where tests are entities.
    pub(crate) fn is_test_skipped(&mut self, number: u32, test: &[u8]) -> bool {
        if self.granularity == Granularity::Class {
            return false;
        }
        let method = self.method(number, test);
        self.all[method as usize].is_skipped
    }

    pub(crate) fn parent(&self, number: u32) -> Option<u32> {
        self.all
            .get(number as usize)
            .and_then(|entity| entity.parent)
    }

    /// A node begins; the entities that begin with it. Nothing if it has begun before.
    pub(crate) fn begin_node(&mut self, node: u32, now: Instant) -> Boundary {
        let Some(found) = self
            .nodes
            .get_mut(node as usize)
            .filter(|node| node.began.is_none())
        else {
            return Vec::new();
        };
        found.began = Some(now);
        let (entity, role) = (found.entity, found.role.clone());
        self.entities_of(entity, &role)
    }

    /// A node that may go on has this outcome; whether it had begun at all.
    pub(crate) fn note(&mut self, node: u32, outcome: Outcome) -> bool {
        let node = self.nodes.get_mut(node as usize);
        let Some(node) = node.filter(|node| node.began.is_some()) else {
            return false;
        };
        node.outcome = node.outcome.max(Some(outcome));
        true
    }

    /// Something in an entity failed that is no test.
    pub(crate) fn note_failure(&mut self, entity: u32) {
        if let Some(entity) = self.all.get_mut(entity as usize) {
            entity.run.has_failed = true;
        }
    }

    /// A node ends; the entities that end with it.
    pub(crate) fn end_node(&mut self, node: u32, outcome: Outcome, now: Instant) -> Boundary {
        let Some(found) = self.nodes.get_mut(node as usize) else {
            return Vec::new();
        };
        let began = found.began.take().unwrap_or(now);
        let outcome = found.outcome.take().max(Some(outcome)).unwrap_or(outcome);
        let (entity, role) = (found.entity, found.role.clone());
        let time = now.saturating_duration_since(began);
        let ended = self.entities_of(entity, &role);
        match role {
            Role::Test(test) => {
                for number in [entity].into_iter().chain(ended.iter().copied()) {
                    self.all[number as usize].run.add(&test, outcome, time);
                }
            }
            Role::Repetition(test) => {
                for number in self.entities_of(entity, &Role::Test(test.clone())) {
                    self.all[number as usize]
                        .run
                        .add(&test, outcome, Duration::ZERO);
                }
                self.all[entity as usize]
                    .run
                    .add(&test, outcome, Duration::ZERO);
            }
            Role::Whole | Role::Container if outcome == Outcome::Failed => {
                self.note_failure(entity)
            }
            Role::Whole | Role::Container | Role::Listed => {}
        }
        ended
    }

    fn entities_of(&mut self, entity: u32, role: &Role) -> Boundary {
        match role {
            Role::Whole => vec![entity],
            Role::Test(test) if self.granularity == Granularity::Method => {
                vec![self.method(entity, test)]
            }
            _ => Vec::new(),
        }
    }

    /// An entity has begun.
    pub(crate) fn begin(&mut self, number: u32, now: Instant) {
        if let Some(entity) = self.all.get_mut(number as usize) {
            entity.run = Run {
                began: Some(now),
                ..Run::default()
            };
        }
    }

    /// An entity has ended; what to tell of it.
    pub(crate) fn end(&mut self, number: u32, now: Instant) -> EntityEnd {
        let run = self
            .all
            .get_mut(number as usize)
            .map(|entity| std::mem::take(&mut entity.run));
        let run = run.unwrap_or_default();
        let began = run.began.unwrap_or(now);
        EntityEnd {
            entity: number,
            outcome: run.outcome(),
            microseconds: microseconds(now.saturating_duration_since(began)),
            tests: run.into_tests(),
        }
    }
}

impl Run {
    fn add(&mut self, test: &[u8], outcome: Outcome, time: Duration) {
        let known = self
            .tests
            .entry(test.to_vec())
            .or_insert((outcome, Duration::ZERO));
        known.0 = known.0.max(outcome);
        known.1 += time;
    }

    fn outcome(&self) -> Outcome {
        if self.has_failed {
            return Outcome::Failed;
        }
        let outcomes = self.tests.values().map(|(outcome, _)| *outcome);
        outcomes.max().unwrap_or(Outcome::Passed)
    }

    fn into_tests(self) -> Vec<TestEnd> {
        let tests = self.tests.into_iter();
        tests
            .map(|(name, (outcome, time))| TestEnd {
                name,
                outcome,
                microseconds: microseconds(time),
            })
            .collect()
    }
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> Name {
        Name {
            framework: b"f".to_vec(),
            name: name.into(),
        }
    }

    fn plan(entity: u32, tests: &[&str]) -> Plan {
        let mut plan = Plan::default();
        plan.add(entity);
        for test in tests {
            plan.add_test(entity, test.as_bytes().to_vec());
        }
        plan
    }

    #[test]
    fn an_entity_is_asked_about_again_when_its_tests_are_others() {
        let mut entities = Entities::new(Granularity::Class);
        let entity = entities.place(name("A"), EntityKind::Class, None);
        assert_eq!(entities.questions(plan(entity, &["a", "b"])).len(), 1);
        assert_eq!(entities.questions(plan(entity, &["b", "a"])), []);
        assert_eq!(entities.questions(plan(entity, &["a"]))[0].tests, [b"a"]);
    }

    #[test]
    fn repetitions_are_one_test_and_the_worst_counts() {
        let mut entities = Entities::new(Granularity::Class);
        let entity = entities.place(name("A"), EntityKind::Class, None);
        let whole = entities.add_node(entity, Role::Whole);
        let test = entities.add_node(entity, Role::Test(b"t".to_vec()));
        let now = Instant::now();
        assert_eq!(entities.begin_node(whole, now), [entity]);
        assert_eq!(entities.begin_node(whole, now), []);
        entities.begin(entity, now);
        entities.begin_node(test, now);
        for outcome in [Outcome::Passed, Outcome::Failed, Outcome::Passed] {
            let repetition = entities.add_node_in(test).unwrap();
            entities.begin_node(repetition, now);
            entities.end_node(repetition, outcome, now);
        }
        entities.end_node(test, Outcome::Passed, now + Duration::from_micros(5));
        assert_eq!(entities.end_node(whole, Outcome::Passed, now), [entity]);
        let end = entities.end(entity, now + Duration::from_micros(9));
        assert_eq!((end.outcome, end.microseconds), (Outcome::Failed, 9));
        assert_eq!(
            end.tests,
            [TestEnd {
                name: b"t".to_vec(),
                outcome: Outcome::Failed,
                microseconds: 5
            }]
        );
    }

    #[test]
    fn tests_are_entities_where_that_is_wanted() {
        let mut entities = Entities::new(Granularity::Method);
        let class = entities.place(name("A"), EntityKind::Class, None);
        let questions = entities.questions(plan(class, &["a", "b"]));
        let shown: Vec<_> = questions.iter().map(|q| (&q.name[..], q.parent)).collect();
        assert_eq!(
            shown,
            [
                (&b"A"[..], None),
                (b"A#a", Some(class)),
                (b"A#b", Some(class))
            ]
        );
        let [a, b] = [b"a", b"b"].map(|test| entities.add_node(class, Role::Test(test.to_vec())));
        entities.set_skipped(questions[1].entity, true);
        assert!(entities.is_skipped(a) && !entities.is_skipped(b));
        assert!(!entities.is_entity_skipped(class));
        entities.set_skipped(questions[2].entity, true);
        assert!(entities.is_entity_skipped(class));
        assert_eq!(
            entities.begin_node(a, Instant::now()),
            [questions[1].entity]
        );
    }

    #[test]
    fn a_container_is_never_skipped_and_its_failure_counts() {
        let mut entities = Entities::new(Granularity::Class);
        let suite = entities.place(name("S"), EntityKind::Container, None);
        entities.set_skipped(suite, true);
        assert!(!entities.is_entity_skipped(suite));
        let now = Instant::now();
        entities.begin(suite, now);
        let whole = entities.add_node(suite, Role::Whole);
        entities.end_node(whole, Outcome::Failed, now);
        assert_eq!(entities.end(suite, now).outcome, Outcome::Failed);
    }
}
