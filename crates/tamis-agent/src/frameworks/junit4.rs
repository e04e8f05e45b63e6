//! JUnit 4: each runner tells when it runs, and its notifier how each test goes.
//!
//! An entity is the class of a runner. A runner in the style of JUnit 3 may hold tests of many classes, and
//! is an entity by the class that it was built for. A runner without a class of its own, as for one set of
//! parameters, belongs to the runner around it. A suite holds the entities of its runners.

use tamis_wire::{EntityKind, Outcome};

use crate::entities::{Name, Plan, Role};
use crate::guard::lock;
use crate::jni::{Jni, Object};
use crate::segments::Start;
use crate::watch::Watch;

use super::for_each;

const FRAMEWORK: &[u8] = b"junit4";

const JUNIT3: &[u8] = b"org.junit.internal.runners.JUnit38ClassRunner";

/// The entity of a class.
pub(super) fn name(class: Vec<u8>) -> Name {
    Name {
        framework: FRAMEWORK.to_vec(),
        name: class,
    }
}

/// The test that a display name is of: `m[0](a.B)` is a run of `m`. A class by itself has an empty one.
pub(super) fn test_name(display_name: &[u8]) -> Vec<u8> {
    let Some(class) = display_name.iter().rposition(|byte| *byte == b'(') else {
        return Vec::new();
    };
    let method = &display_name[..class];
    let end = method.iter().position(|byte| *byte == b'[');
    method[..end.unwrap_or(method.len())].to_vec()
}

/// Whether a text can be the name of a class.
fn is_class_name(text: &[u8]) -> bool {
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"._$".contains(byte) || *byte >= 0x80;
    text.first().is_some_and(|first| !first.is_ascii_digit()) && text.iter().all(is_part)
}

/// What a description stands for.
pub(super) struct Described {
    display_name: Vec<u8>,
    class: Option<Vec<u8>>,
}

impl Described {
    pub(super) fn test(&self) -> Vec<u8> {
        test_name(&self.display_name)
    }

    /// The test in an entity that may hold tests of other classes.
    pub(super) fn test_in(&self, entity: &[u8]) -> Vec<u8> {
        match &self.class {
            Some(class) if class != entity => [&class[..], b"/", &self.test()].concat(),
            _ => self.test(),
        }
    }
}

impl Watch {
    /// The runner of a class is about to be built.
    pub(crate) fn begin_build<'j>(&self, jni: &Jni<'j>, class: Object<'j>) {
        if let Some(entity) = self.entity_of_class(jni, class) {
            self.begin_building(jni, entity);
        }
    }

    /// The runner of a class is built.
    pub(crate) fn end_build<'j>(&self, jni: &Jni<'j>, class: Object<'j>) {
        if let Some(entity) = self.entity_of_class(jni, class) {
            self.end_building(jni, entity);
        }
    }

    /// This is the runner of the class for which one is being built.
    pub(crate) fn built<'j>(&self, _jni: &Jni<'j>, runner: Object<'j>) {
        if let Some(entity) = self.building() {
            self.set_maker(runner, entity);
        }
    }

    fn entity_of_class<'j>(&self, jni: &Jni<'j>, class: Object<'j>) -> Option<u32> {
        let class = jni.in_frame(|| jni.call_text(class, c"getName"))?;
        Some(lock(&self.entities).number(name(class)))
    }

    /// Whether a runner is not to run: shows its tests, unless that was done.
    pub(crate) fn skips_runner<'j>(&self, jni: &Jni<'j>, runner: Object<'j>) -> bool {
        let known = self.node(runner);
        let entity = known.or_else(|| jni.in_frame(|| self.show_runner(jni, runner)));
        entity.is_some_and(|entity| lock(&self.entities).is_entity_skipped(entity))
    }

    /// The entity of a runner; its number is put on the runner.
    fn show_runner<'j>(&self, jni: &Jni<'j>, runner: Object<'j>) -> Option<u32> {
        let description = description_of(jni, runner)?;
        let is_junit3 = is_kind_of(jni, runner, JUNIT3);
        let class = match describe(jni, description)?.class {
            None if is_junit3 => self.class_of_junit3(jni, runner, description),
            class => class,
        };
        let Some(class) = class else {
            let entity = self.entity_around(jni, description)?;
            self.set_node(runner, entity);
            return Some(entity);
        };
        let mut entities = lock(&self.entities);
        let entity = entities.place(name(class.clone()), EntityKind::Container, None);
        drop(entities);
        let mut plan = Plan::default();
        plan.add(entity);
        let is_suite = is_kind_of(jni, runner, b"org.junit.runners.Suite");
        let mut shown = Shown {
            entity,
            class,
            is_suite,
            is_junit3,
            plan,
        };
        self.show_description(jni, description, true, &mut shown);
        self.set_node(runner, entity);
        self.ask(shown.plan);
        Some(entity)
    }

    /// Runners of JUnit 3 know their class by name only, and look for it beside JUnit.
    fn class_of_junit3<'j>(
        &self,
        jni: &Jni<'j>,
        runner: Object<'j>,
        description: Object<'j>,
    ) -> Option<Vec<u8>> {
        let maker = self.maker(runner);
        let class = maker.and_then(|maker| lock(&self.entities).name_of(maker));
        class.or_else(|| jni.call_text(description, c"getClassName"))
    }

    /// The entity that the tests of a runner without a class belong to: it was shown before.
    fn entity_around<'j>(&self, jni: &Jni<'j>, description: Object<'j>) -> Option<u32> {
        let mut entity = None;
        for_each_child(jni, description, &mut |child| {
            if entity.is_none() {
                let node = jni.in_frame(|| self.find_test(jni, child));
                entity = node
                    .and_then(|node| lock(&self.entities).entity_of(node))
                    .or_else(|| self.entity_around(jni, child));
            }
        });
        entity
    }

    fn show_description<'j>(
        &self,
        jni: &Jni<'j>,
        description: Object<'j>,
        is_root: bool,
        shown: &mut Shown,
    ) {
        let Some(described) = jni.in_frame(|| describe(jni, description)) else {
            return;
        };
        if jni.call_boolean(description, c"isTest") == Some(true) {
            self.show_test(description, &described, shown);
            return;
        }
        // The runners of a suite show their classes themselves; those of JUnit 3 go by name only.
        let class = described.class.or_else(|| {
            let name = described.display_name;
            is_class_name(&name).then_some(name)
        });
        let other = class.filter(|class| *class != shown.class);
        if let (true, false, Some(class)) = (shown.is_suite, is_root, other) {
            lock(&self.entities).place_in(name(class), shown.entity);
            return;
        }
        for_each_child(jni, description, &mut |child| {
            self.show_description(jni, child, false, shown);
        });
    }

    fn show_test(&self, description: Object<'_>, described: &Described, shown: &mut Shown) {
        let test = if shown.is_junit3 {
            described.test_in(&shown.class)
        } else {
            described.test()
        };
        let mut entities = lock(&self.entities);
        entities.set_kind(shown.entity, EntityKind::Class);
        let role = Role::Test(test.clone());
        let node = entities.add_named_node(shown.entity, role, &described.display_name);
        drop(entities);
        self.set_node(description, node);
        shown.plan.add_test(shown.entity, test);
    }

    /// A runner begins.
    pub(crate) fn begin_runner<'j>(&self, jni: &Jni<'j>, runner: Object<'j>) {
        if let Some(entity) = self.node(runner) {
            self.begin_entity(jni, entity, Start::Runner);
        }
    }

    /// A runner ends.
    pub(crate) fn end_runner<'j>(&self, jni: &Jni<'j>, runner: Object<'j>) {
        if let Some(entity) = self.node(runner) {
            self.end_entity(jni, entity);
        }
    }

    /// Whether a method of a runner is not to run.
    pub(crate) fn skips_method<'j>(
        &self,
        jni: &Jni<'j>,
        runner: Object<'j>,
        method: Object<'j>,
    ) -> bool {
        let Some(entity) = self.node(runner) else {
            return false;
        };
        let test = jni.in_frame(|| jni.call_text(method, c"getName"));
        test.is_some_and(|test| lock(&self.entities).is_test_skipped(entity, &test))
    }

    /// A test starts.
    pub(crate) fn test_started<'j>(&self, jni: &Jni<'j>, description: Object<'j>) {
        if let Some(node) = jni.in_frame(|| self.find_test(jni, description)) {
            self.begin_node(jni, node);
        }
    }

    /// A test has ended, and has passed if nothing else was told.
    pub(crate) fn test_finished<'j>(&self, jni: &Jni<'j>, description: Object<'j>) {
        if let Some(node) = jni.in_frame(|| self.find_test(jni, description)) {
            self.end_node(jni, node, Outcome::Passed);
        }
    }

    /// A test is not run, as the program wants it.
    pub(crate) fn test_ignored<'j>(&self, jni: &Jni<'j>, description: Object<'j>) {
        if let Some(node) = jni.in_frame(|| self.find_test(jni, description)) {
            self.begin_node(jni, node);
            self.end_node(jni, node, Outcome::Skipped);
        } else if let Some(entity) = jni.in_frame(|| self.open_entity(jni, description)) {
            lock(&self.entities).disable(entity, &[]);
        }
    }

    /// A test has failed, or something around tests has.
    pub(crate) fn test_failed<'j>(&self, jni: &Jni<'j>, failure: Object<'j>) {
        self.note_outcome(jni, failure, Outcome::Failed);
    }

    /// An assumption of a test does not hold.
    pub(crate) fn test_aborted<'j>(&self, jni: &Jni<'j>, failure: Object<'j>) {
        self.note_outcome(jni, failure, Outcome::Aborted);
    }

    fn note_outcome<'j>(&self, jni: &Jni<'j>, failure: Object<'j>, outcome: Outcome) {
        let told = jni.in_frame(|| {
            let description = description_of(jni, failure)?;
            let test = self.find_test(jni, description);
            if test.is_some_and(|test| lock(&self.entities).note(test, outcome)) {
                return Some(());
            }
            // It happened around tests, or to one that was never started.
            let entity = self.open_entity(jni, description)?;
            lock(&self.entities).note_around(entity, outcome);
            Some(())
        });
        if told.is_none() {
            self.note_around_all(outcome);
        }
    }

    /// The entity of the class that a description is of, if that is open.
    fn open_entity<'j>(&self, jni: &Jni<'j>, description: Object<'j>) -> Option<u32> {
        let class = describe(jni, description)?.class?;
        let entities = lock(&self.entities);
        let entity = entities.find(&name(class))?;
        entities.is_open(entity).then_some(entity)
    }

    /// The node of a test, by the number on its description or by its name.
    fn find_test<'j>(&self, jni: &Jni<'j>, description: Object<'j>) -> Option<u32> {
        if let Some(node) = self.node(description) {
            return Some(node);
        }
        let display_name = jni.call_text(description, c"getDisplayName")?;
        let node = lock(&self.entities).named_node(&display_name)?;
        self.set_node(description, node);
        Some(node)
    }
}

/// What is being shown of a runner.
struct Shown {
    entity: u32,
    class: Vec<u8>,
    is_suite: bool,
    is_junit3: bool,
    plan: Plan,
}

/// The description of a runner, a failure, or a descriptor of the Vintage engine.
fn description_of<'j>(jni: &Jni<'j>, object: Object<'j>) -> Option<Object<'j>> {
    jni.call(
        object,
        c"getDescription",
        c"()Lorg/junit/runner/Description;",
    )
}

fn describe<'j>(jni: &Jni<'j>, description: Object<'j>) -> Option<Described> {
    let display_name = jni.call_text(description, c"getDisplayName")?;
    let class = jni.call(description, c"getTestClass", c"()Ljava/lang/Class;");
    Some(Described {
        display_name,
        class: class.and_then(|class| jni.call_text(class, c"getName")),
    })
}

/// What a descriptor of the Vintage engine stands for.
pub(super) fn described_by<'j>(jni: &Jni<'j>, descriptor: Object<'j>) -> Option<Described> {
    describe(jni, description_of(jni, descriptor)?)
}

/// Whether a descriptor of the Vintage engine has a runner in the style of JUnit 3.
pub(super) fn is_run_by_junit3<'j>(jni: &Jni<'j>, descriptor: Object<'j>) -> Option<bool> {
    let runner = jni.field(descriptor, c"runner", c"Lorg/junit/runner/Runner;")?;
    Some(is_kind_of(jni, runner, JUNIT3))
}

/// Whether a runner is of a class or of one that extends it.
fn is_kind_of<'j>(jni: &Jni<'j>, runner: Object<'j>, name: &[u8]) -> bool {
    let is_kind = jni.in_frame(|| {
        let mut class = jni.class_of(runner)?;
        loop {
            if jni.call_text(class, c"getName")? == name {
                return Some(true);
            }
            class = jni.call(class, c"getSuperclass", c"()Ljava/lang/Class;")?;
        }
    });
    is_kind.unwrap_or(false)
}

fn for_each_child<'j>(jni: &Jni<'j>, description: Object<'j>, visit: &mut dyn FnMut(Object<'j>)) {
    jni.in_frame(|| {
        let children = jni.call(description, c"getChildren", c"()Ljava/util/ArrayList;")?;
        for_each(jni, children, visit);
        Some(())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_by_their_display_names() {
        for (display_name, test) in [
            ("m(a.B)", "m"),
            ("m[0](a.B)", "m"),
            ("m[k(1)=2](a.B)", "m"),
            ("a.B", ""),
        ] {
            assert_eq!(test_name(display_name.as_bytes()), test.as_bytes());
        }
    }

    #[test]
    fn names_of_classes_and_others() {
        for (text, expected) in [
            ("a.B$C_1", true),
            ("[0]", false),
            ("1a", false),
            ("a b", false),
        ] {
            assert_eq!(is_class_name(text.as_bytes()), expected, "{text}");
        }
    }
}
