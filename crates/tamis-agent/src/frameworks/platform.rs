//! The JUnit Platform: its plan shows all tests of all engines, its listener tells how each goes.
//!
//! An entity is what lies directly below an engine: a class of Jupiter with all its nested classes, a
//! specification, a feature. The tests of the Vintage engine are shown here too, so that whole classes
//! can be taken out of the plan, but run through the doors of JUnit 4.

use tamis_wire::{EntityKind, Outcome};

use crate::entities::{Name, Plan, Role};
use crate::guard::lock;
use crate::jni::{Jni, Object};
use crate::watch::Watch;

use super::{for_each, junit4};

const VINTAGE: &[u8] = b"junit-vintage";

/// How a node can end.
const OUTCOMES: [Outcome; 3] = [Outcome::Passed, Outcome::Aborted, Outcome::Failed];

/// Where a descriptor lies in the tree.
#[derive(Clone, Default)]
struct Above {
    /// The id of the engine.
    engine: Vec<u8>,
    /// The suite that the engine runs in.
    suite: Option<u32>,
    /// The entity.
    entity: Option<u32>,
    /// The class of JUnit 4 that the entity is.
    class: Vec<u8>,
    /// Whether it runs in the style of JUnit 3.
    is_junit3: bool,
    /// What the names of tests begin with.
    prefix: Vec<u8>,
}

impl Watch {
    /// A plan is about to be made of what all engines found: shows it, and takes out what is to be
    /// skipped.
    pub(crate) fn planned<'j>(&self, jni: &Jni<'j>, roots: Object<'j>) {
        let mut plan = Plan::default();
        for_each(jni, roots, &mut |root| {
            self.show(jni, root, &Above::default(), &mut plan);
        });
        self.ask(plan);
        for_each(jni, roots, &mut |root| {
            for_each_child(jni, root, &mut |child| {
                self.prune(jni, child);
            });
        });
    }

    /// Gives a descriptor and all below it their numbers.
    fn show<'j>(&self, jni: &Jni<'j>, descriptor: Object<'j>, above: &Above, plan: &mut Plan) {
        let Some((kind, value)) = jni.in_frame(|| last_segment(jni, descriptor)) else {
            return;
        };
        let mut above = above.clone();
        if kind == b"engine" {
            above.engine = value;
            above.suite = above.entity.take().or(above.suite);
            above.prefix.clear();
        } else if above.engine == VINTAGE {
            self.show_vintage(jni, descriptor, &mut above, &value, plan);
        } else if above.entity.is_none() {
            let is_suite = has_engine(jni, descriptor);
            above.entity = Some(self.show_entity(descriptor, &above, value, is_suite, plan));
        } else if let Some(entity) = above.entity {
            let name = [&above.prefix[..], &value].concat();
            let role = if has_children(jni, descriptor) {
                above.prefix = [&name[..], b"/"].concat();
                Role::Container(Some(above.prefix.clone()))
            } else {
                plan.add_test(entity, name.clone());
                Role::Test(name)
            };
            self.number(descriptor, entity, role);
        }
        for_each_child(jni, descriptor, &mut |child| {
            self.show(jni, child, &above, plan);
        });
    }

    fn show_entity(
        &self,
        descriptor: Object<'_>,
        above: &Above,
        name: Vec<u8>,
        is_suite: bool,
        plan: &mut Plan,
    ) -> u32 {
        let kind = if is_suite {
            EntityKind::Container
        } else {
            EntityKind::Class
        };
        let name = Name {
            framework: above.engine.clone(),
            name,
        };
        let entity = lock(&self.entities).place(name, kind, above.suite);
        plan.add(entity);
        self.number(descriptor, entity, Role::Whole);
        entity
    }

    /// A class of JUnit 4 is an entity if it has tests itself; others are suites. Suites of JUnit 3 run as
    /// one, whatever classes are in them.
    fn show_vintage<'j>(
        &self,
        jni: &Jni<'j>,
        descriptor: Object<'j>,
        above: &mut Above,
        value: &[u8],
        plan: &mut Plan,
    ) {
        let is_leaf = !has_children(jni, descriptor);
        let is_class = above.entity.is_none() || !(is_leaf || above.is_junit3);
        let class = is_class
            .then(|| jni.in_frame(|| class_of_source(jni, descriptor)))
            .flatten();
        if let Some(class) = class {
            above.class.clone_from(&class);
            let name = junit4::name(class);
            let mut entities = lock(&self.entities);
            let entity = entities.place(name, EntityKind::Container, above.entity.or(above.suite));
            drop(entities);
            plan.add(entity);
            above.entity = Some(entity);
            let is_junit3 = jni.in_frame(|| junit4::is_run_by_junit3(jni, descriptor));
            above.is_junit3 = is_junit3 == Some(true);
            self.number(descriptor, entity, Role::Listed);
        }
        if let (true, Some(entity)) = (is_leaf, above.entity) {
            let described = jni.in_frame(|| junit4::described_by(jni, descriptor));
            let test = match described {
                Some(described) if above.is_junit3 => described.test_in(&above.class),
                Some(described) => described.test(),
                None => junit4::test_name(value),
            };
            lock(&self.entities).set_kind(entity, EntityKind::Class);
            plan.add_test(entity, test);
        }
    }

    fn number(&self, object: Object<'_>, entity: u32, role: Role) {
        let node = lock(&self.entities).add_node(entity, role);
        self.set_node(object, node);
    }

    /// Takes what is to be skipped out of the tree, and what is empty then; whether nothing is left of it.
    ///
    /// The engines in a suite stay where they are: the suite tells of them in any case. It fails if it has
    /// no tests, so it goes itself if nothing is left in them.
    fn prune<'j>(&self, jni: &Jni<'j>, descriptor: Object<'j>) -> bool {
        let node = self.node(descriptor);
        let is_skipped = node.is_some_and(|node| lock(&self.entities).is_skipped(node));
        let mut n_children = 0_u32;
        let mut n_gone = 0_u32;
        if !is_skipped {
            for_each_child(jni, descriptor, &mut |child| {
                n_children += 1;
                n_gone += u32::from(self.prune(jni, child));
            });
        }
        let is_empty = n_gone > 0 && n_gone == n_children;
        if node.is_none() {
            return is_empty;
        }
        (is_skipped || is_empty) && jni.call_void(descriptor, c"removeFromHierarchy")
    }

    /// A task of an engine with a hierarchy is about to prepare its node.
    pub(crate) fn prepared<'j>(&self, jni: &Jni<'j>, task: Object<'j>) {
        let descriptor = jni.field(
            task,
            c"testDescriptor",
            c"Lorg/junit/platform/engine/TestDescriptor;",
        );
        if let Some(node) = descriptor.and_then(|descriptor| self.node(descriptor)) {
            self.begin_node(jni, node);
        }
    }

    /// A node has started.
    pub(crate) fn started<'j>(&self, jni: &Jni<'j>, descriptor: Object<'j>) {
        if let Some(node) = self.find(jni, descriptor) {
            self.begin_node(jni, node);
        }
    }

    /// A node has ended.
    pub(crate) fn finished<'j>(
        &self,
        jni: &Jni<'j>,
        descriptor: Object<'j>,
        result: Option<Object<'j>>,
    ) {
        let Some(node) = self.find(jni, descriptor) else {
            return;
        };
        // What cannot be read has not passed.
        let outcome = result
            .and_then(|result| jni.in_frame(|| self.outcome(jni, result)))
            .unwrap_or(Outcome::Failed);
        self.end_node(jni, node, outcome);
    }

    /// How a node ended. There is one object for each status; the number on it is a position in
    /// [`OUTCOMES`], so that its name is asked for once.
    fn outcome<'j>(&self, jni: &Jni<'j>, result: Object<'j>) -> Option<Outcome> {
        let status = jni.call(
            result,
            c"getStatus",
            c"()Lorg/junit/platform/engine/TestExecutionResult$Status;",
        )?;
        if let Some(number) = self.node(status) {
            return OUTCOMES.get(number as usize).copied();
        }
        let outcome = match &jni.call_text(status, c"name")?[..] {
            b"SUCCESSFUL" => Outcome::Passed,
            b"ABORTED" => Outcome::Aborted,
            _ => Outcome::Failed,
        };
        let position = OUTCOMES.iter().position(|other| *other == outcome)?;
        self.set_node(status, position as u32);
        Some(outcome)
    }

    /// A node is not run, as the program wants it.
    pub(crate) fn disabled<'j>(&self, jni: &Jni<'j>, descriptor: Object<'j>) {
        if let Some(node) = self.find(jni, descriptor) {
            self.begin_node(jni, node);
            self.end_node(jni, node, Outcome::Skipped);
        }
    }

    /// The node of a descriptor; one that was not in the plan belongs to the nearest that was.
    fn find<'j>(&self, jni: &Jni<'j>, descriptor: Object<'j>) -> Option<u32> {
        if let Some(node) = self.node(descriptor) {
            return Some(node);
        }
        let above = jni.in_frame(|| {
            let parent = jni.call(descriptor, c"getParent", c"()Ljava/util/Optional;")?;
            let parent = jni.call(parent, c"get", c"()Ljava/lang/Object;")?;
            self.find(jni, parent)
        })?;
        let node = lock(&self.entities).add_node_in(above)?;
        self.set_node(descriptor, node);
        Some(node)
    }
}

fn for_each_child<'j>(jni: &Jni<'j>, descriptor: Object<'j>, visit: &mut dyn FnMut(Object<'j>)) {
    jni.in_frame(|| {
        let children = jni.call(descriptor, c"getChildren", c"()Ljava/util/Set;")?;
        for_each(jni, children, visit);
        Some(())
    });
}

fn has_children<'j>(jni: &Jni<'j>, descriptor: Object<'j>) -> bool {
    let children = jni.in_frame(|| {
        let children = jni.call(descriptor, c"getChildren", c"()Ljava/util/Set;")?;
        jni.call_boolean(children, c"isEmpty")
    });
    children == Some(false)
}

/// Whether an engine runs inside a node, as in a suite.
fn has_engine<'j>(jni: &Jni<'j>, descriptor: Object<'j>) -> bool {
    let mut has_engine = false;
    for_each_child(jni, descriptor, &mut |child| {
        let segment = jni.in_frame(|| last_segment(jni, child));
        has_engine |= segment.is_some_and(|(kind, _)| kind == b"engine");
    });
    has_engine
}

/// The class that a descriptor says it comes from, if it is a class and not a method.
fn class_of_source<'j>(jni: &Jni<'j>, descriptor: Object<'j>) -> Option<Vec<u8>> {
    let source = jni.call(descriptor, c"getSource", c"()Ljava/util/Optional;")?;
    let source = jni.call(source, c"get", c"()Ljava/lang/Object;")?;
    let class = jni.class_of(source)?;
    let name = jni.call_text(class, c"getName")?;
    if name != b"org.junit.platform.engine.support.descriptor.ClassSource" {
        return None;
    }
    jni.call_text(source, c"getClassName")
}

/// The last part of a unique id, `[kind:value]`.
fn last_segment<'j>(jni: &Jni<'j>, descriptor: Object<'j>) -> Option<(Vec<u8>, Vec<u8>)> {
    let id = jni.call(
        descriptor,
        c"getUniqueId",
        c"()Lorg/junit/platform/engine/UniqueId;",
    )?;
    parse_last_segment(&jni.call_text(id, c"toString")?)
}

fn parse_last_segment(id: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let start = id.iter().rposition(|byte| *byte == b'[')?;
    let segment = id[start + 1..].strip_suffix(b"]")?;
    let colon = segment.iter().position(|byte| *byte == b':')?;
    Some((decoded(&segment[..colon]), decoded(&segment[colon + 1..])))
}

/// Brackets, colons and slashes inside a part stand as `%5B` and so on.
fn decoded(text: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, others @ ..] = rest {
        let code = others.get(..2).filter(|_| *first == b'%');
        let byte = code
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if let Some(byte) = byte {
            decoded.push(byte);
            rest = &others[2..];
        } else {
            decoded.push(*first);
            rest = others;
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(id: &str, expected: Option<(&str, &str)>) {
        let segment = parse_last_segment(id.as_bytes());
        let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).unwrap();
        let segment = segment.map(|(kind, value)| (text(&kind), text(&value)));
        let expected = expected.map(|(kind, value)| (kind.to_owned(), value.to_owned()));
        assert_eq!(segment, expected);
    }

    #[test]
    fn the_last_part_of_a_unique_id() {
        check("[engine:e]", Some(("engine", "e")));
        check(
            "[engine:e]/[class:a.B]/[method:m(%5BI, int)]",
            Some(("method", "m([I, int)")),
        );
        check("[engine:e]/[x:100%]", Some(("x", "100%")));
        check("[engine:e]/[x:%zz%4]", Some(("x", "%zz%4")));
        check("engine", None);
        check("[engine", None);
        check("[engine]", None);
    }
}
