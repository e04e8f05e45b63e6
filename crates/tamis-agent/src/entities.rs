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
    /// The nodes of a name, those shown last behind.
    named_nodes: HashMap<Vec<u8>, Vec<u32>>,
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
    /// How it was shown last; none if it was not shown.
    shown: Option<Shown>,
    is_skipped: bool,
    run: Run,
}

/// How an entity was shown.
#[derive(Debug, PartialEq, Eq)]
struct Shown {
    parent: Option<u32>,
    tests: BTreeSet<Vec<u8>>,
}

/// How an entity goes while it is open.
#[derive(Debug, Default)]
struct Run {
    began: Option<Instant>,
    /// The worst that came of what is no test: of set-up and tear-down, of the entity as a whole.
    around: Option<Outcome>,
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
    /// A container in it, as a nested class; what the names of its tests begin with, if that is known.
    Container(Option<Vec<u8>>),
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

    /// A node that can be found by its name.
    pub(crate) fn add_named_node(&mut self, entity: u32, role: Role, name: &[u8]) -> u32 {
        let node = self.add_node(entity, role);
        let Self {
            nodes, named_nodes, ..
        } = self;
        let named = named_nodes.entry(name.to_vec()).or_default();
        named.retain(|node| nodes[*node as usize].entity != entity);
        named.push(node);
        node
    }

    /// The node of a name. Tests of several entities may have one name: those of an open one come first,
    /// then those shown last.
    pub(crate) fn named_node(&self, name: &[u8]) -> Option<u32> {
        let nodes = self.named_nodes.get(name)?;
        let is_open = |node: &&u32| self.is_open(self.nodes[**node as usize].entity);
        let open = nodes.iter().rev().find(is_open);
        open.or(nodes.last()).copied()
    }

    /// The name of an entity, as its framework calls it.
    pub(crate) fn name_of(&self, number: u32) -> Option<Vec<u8>> {
        let entity = self.all.get(number as usize);
        entity.map(|entity| entity.name.name.clone())
    }

    /// An entity that is known.
    pub(crate) fn find(&self, name: &Name) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// Whether an entity has begun and not ended.
    pub(crate) fn is_open(&self, number: u32) -> bool {
        let entity = self.all.get(number as usize);
        entity.is_some_and(|entity| entity.run.began.is_some())
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
            Role::Whole | Role::Container(_) | Role::Listed => (*entity, Role::Container(None)),
            Role::Test(test) | Role::Repetition(test) => (*entity, Role::Repetition(test.clone())),
        };
        Some(self.add_node(entity, role))
    }

    /// What has to be asked about a plan: entities that are new, or have other tests than before, or are
    /// part of something else.
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

    /// Nothing if it was shown in the same way before.
    fn show(&mut self, number: u32, tests: BTreeSet<Vec<u8>>) -> Option<Discovered> {
        let entity = &mut self.all[number as usize];
        let shown = Shown {
            parent: entity.parent,
            tests,
        };
        if entity.shown.as_ref() == Some(&shown) {
            return None;
        }
        let question = Discovered {
            entity: number,
            parent: entity.parent,
            kind: entity.kind,
            framework: entity.name.framework.clone(),
            name: entity.name.name.clone(),
            tests: shown.tests.iter().cloned().collect(),
        };
        entity.shown = Some(shown);
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
            Role::Test(test) => self.is_test_skipped(entity, &test),
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
        let shown = entity.shown.as_ref();
        let tests = shown.map_or_else(BTreeSet::new, |shown| shown.tests.clone());
        !tests.is_empty() && tests.iter().all(|test| self.is_test_skipped(number, test))
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

    /// A node that may go on has this outcome; whether it had begun at all, in an entity that is open.
    pub(crate) fn note(&mut self, node: u32, outcome: Outcome) -> bool {
        let entity = self.entity_of(node);
        if !entity.is_some_and(|entity| self.is_open(entity)) {
            return false;
        }
        let node = self.nodes.get_mut(node as usize);
        let Some(node) = node.filter(|node| node.began.is_some()) else {
            return false;
        };
        node.outcome = node.outcome.max(Some(outcome));
        true
    }

    /// Something in an entity that is no test did not pass.
    pub(crate) fn note_around(&mut self, entity: u32, outcome: Outcome) {
        if let Some(entity) = self.all.get_mut(entity as usize) {
            entity.run.around = entity.run.around.max(Some(outcome));
        }
    }

    /// The program does not want the tests of an entity to run whose names begin so.
    pub(crate) fn disable(&mut self, entity: u32, prefix: &[u8]) {
        self.note_around(entity, Outcome::Skipped);
        let Some(entity) = self.all.get_mut(entity as usize) else {
            return;
        };
        let shown = entity.shown.iter().flat_map(|shown| &shown.tests);
        for test in shown.filter(|test| test.starts_with(prefix)) {
            entity.run.add(test, Outcome::Skipped, Duration::ZERO);
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
            Role::Whole => self.end_container(entity, Some(&[]), outcome),
            Role::Container(prefix) => self.end_container(entity, prefix.as_deref(), outcome),
            Role::Listed => {}
        }
        ended
    }

    fn end_container(&mut self, entity: u32, prefix: Option<&[u8]>, outcome: Outcome) {
        match (outcome, prefix) {
            (Outcome::Passed, _) => {}
            (Outcome::Skipped, Some(prefix)) => self.disable(entity, prefix),
            _ => self.note_around(entity, outcome),
        }
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
        let tests = self.tests.values().map(|(outcome, _)| *outcome);
        tests.chain(self.around).max().unwrap_or(Outcome::Passed)
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
    fn an_entity_is_shown_again_as_part_of_another() {
        let mut entities = Entities::new(Granularity::Class);
        let [one, other] = ["S", "T"].map(|s| entities.place(name(s), EntityKind::Container, None));
        entities.place_in(name("A"), one);
        let entity = entities.number(name("A"));
        for (parent, n_questions) in [(one, 1), (one, 0), (other, 1)] {
            entities.place_in(name("A"), parent);
            let questions = entities.questions(plan(entity, &["a"]));
            assert_eq!(questions.len(), n_questions);
            assert!(questions.iter().all(|q| q.parent == Some(parent)));
        }
    }

    #[test]
    fn what_is_disabled_or_given_up_as_a_whole_did_not_pass() {
        for (outcome, is_told) in [(Outcome::Skipped, true), (Outcome::Aborted, false)] {
            let mut entities = Entities::new(Granularity::Class);
            let entity = entities.place(name("A"), EntityKind::Class, None);
            entities.questions(plan(entity, &["In/a", "b"]));
            let whole = entities.add_node(entity, Role::Whole);
            let inner = entities.add_node(entity, Role::Container(Some(b"In/".to_vec())));
            let now = Instant::now();
            for node in [inner, whole] {
                entities.begin(entity, now);
                entities.end_node(node, outcome, now);
                let end = entities.end(entity, now);
                assert_eq!(end.outcome, outcome);
                let expected = if node == inner { 1 } else { 2 };
                assert_eq!(end.tests.len(), if is_told { expected } else { 0 });
            }
        }
    }

    #[test]
    fn of_tests_with_one_name_the_open_one_is_meant() {
        let mut entities = Entities::new(Granularity::Class);
        let [one, other] = ["A", "B"].map(|s| entities.place(name(s), EntityKind::Class, None));
        let nodes = [one, other].map(|entity| {
            entities.add_named_node(entity, Role::Test(b"t".to_vec()), b"t(feature)")
        });
        assert_eq!(entities.named_node(b"t(feature)"), Some(nodes[1]));
        entities.begin(one, Instant::now());
        assert_eq!(entities.named_node(b"t(feature)"), Some(nodes[0]));
        entities.begin_node(nodes[1], Instant::now());
        assert!(!entities.note(nodes[1], Outcome::Failed));
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
