//! What the records of a realm say today: which of their facts are broken, and what follows for an entity.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use globset::GlobSet;
use tamis_build::{Archives, ClassPath, Winner};
use tamis_facts::{
    ChangeKind, Checksum, ClassName, EntityId, Fact, Mesh, ModifiedUtf8, Outside, RunVerdict,
    Subject, SubjectKind, TestOutcome,
};
use tamis_select::{Decision, LookUpChange, Reason, Today, counts, decide};
use tamis_store::{Entity, FactSet, Facts, KeptRecord, Known, KnownFact, Marks, StatCache};
use tamis_wire::Granularity;
use walkdir::WalkDir;

use super::TestOptions;
use super::change_kind::ChangeKinds;
use super::methods::{class_part, decide_method, method_of_class};
use super::sieve::Sieve;
use crate::circumstances::{self, Fields};
use crate::class_info::internal_name;
use crate::report::{BrokenFact, Comparison, Difference, EntityOutcome, EntityReport, Explanation};
use crate::sabotage::{Sabotage, ignores};
use crate::setters::{Setter, new_setters};
use crate::setting::Setting;
use crate::today::{
    Circumstances, ClassStates, KeptClasses, Paths, Properties, State, Variables, World, broken,
    changed_methods, counting_as_file, files, files_and_changes, value,
};

/// The records of a realm, compared with today.
#[derive(Debug)]
pub(crate) struct Analysis {
    known: Arc<Known>,
    /// What is broken of what counts under the mesh, and how.
    broken: BTreeMap<u32, Difference>,
    /// The kinds of these changes, where they are known.
    kinds: BTreeMap<u32, ChangeKind>,
    /// For whom.
    sieve: Sieve,
    /// The same under the finest mesh.
    finest: Sieve,
    /// The source lines that changed blocks begin at, by fact.
    lines: BTreeMap<u32, u16>,
    /// Facts that do not count under the mesh.
    uncounted: Marks,
    /// Classes that some record knows and that are not there any more.
    gone_classes: BTreeSet<ClassName>,
    /// Files of the module that were written since the last run, if that fact is broken.
    pub(crate) changed_files: Vec<String>,
    /// What is the same for all entities today.
    pub(crate) coarse: Vec<(Subject, Result<Checksum, String>)>,
    /// The same over all files of the module, for JVMs whose agent does not see which they read.
    pub(crate) all_files: Result<Checksum, String>,
    /// The properties that the build hands to tests.
    pub(crate) properties: Properties,
    /// All environment variables.
    pub(crate) environment: Result<Checksum, String>,
    /// Entities that leave something for others that run: for whom.
    wanted: BTreeMap<EntityId, EntityId>,
    now: u64,
    max_age: Duration,
    always_run: GlobSet,
    trusts_left_state: bool,
    /// The facts that no value stands for.
    outside: Vec<(u32, Outside)>,
    is_forced: bool,
}

/// What every comparison with today needs.
#[derive(Clone, Copy)]
pub(crate) struct Means<'m> {
    /// The root of the build.
    pub(crate) root: &'m Path,
    pub(crate) options: &'m TestOptions,
    pub(crate) cache: &'m StatCache,
    pub(crate) archives: &'m Arc<Archives>,
    pub(crate) variables: &'m Variables,
    pub(crate) kept: &'m dyn KeptClasses,
    /// The time, in seconds since 1970.
    pub(crate) now: u64,
}

/// What the coarse facts are made of.
pub(crate) struct Situation<'s> {
    pub(crate) setting: &'s Setting,
    pub(crate) class_path: &'s ClassPath,
    /// How the JVM is started, or why that is not known.
    pub(crate) launch: Result<Checksum, String>,
    pub(crate) java_home: &'s Path,
    /// Whether it was seen the last time what the JVMs did with files.
    pub(crate) sees_files: bool,
}

impl Situation<'_> {
    /// The values of the coarse facts, and which files were changed since the last run.
    fn circumstances(&self, means: Means<'_>, known: &Known) -> (Circumstances, Vec<String>) {
        let modules = module_checksum(self.class_path, means.archives);
        let jvm = self.launch.clone().and_then(|launch| {
            let mut fields = Fields::default();
            fields.add(&circumstances::jvm(launch, self.java_home).0);
            fields.add(&modules?.0);
            Ok(fields.checksum())
        });
        let (files, changed_files) = self.files(means, known);
        let circumstances = Circumstances {
            files,
            configuration: State::Known(circumstances::configuration(
                self.setting.configuration.0,
                self.setting.other_properties.0,
            )),
            properties: self.setting.properties(),
            environment: State::Known(circumstances::environment()),
            untrusted: means.options.untrusted.clone(),
            jvm: jvm.map_or_else(State::Unknown, State::Known),
            semantics: circumstances::semantics(),
        };
        (circumstances, changed_files)
    }

    /// All files of the module, if somebody may ask for them: a record, or a JVM of which nobody knows what it will
    /// read.
    fn files(&self, means: Means<'_>, known: &Known) -> (State<Checksum>, Vec<String>) {
        let mut facts = known.facts.of_no_class();
        if self.sees_files && !facts.any(|fact| fact.kind == SubjectKind::Files) {
            return (
                State::Unknown("they were not looked at before the JVM started".to_owned()),
                Vec::new(),
            );
        }
        let scope = self.setting.file_scope(&means.options.ignored_files);
        match last_run_of(known) {
            Some(since) => files_and_changes(&scope, means.cache, since),
            None => (files(&scope, means.cache), Vec::new()),
        }
    }
}

impl Analysis {
    /// Compares what is known of a realm.
    pub(crate) fn new(known: Arc<Known>, situation: &Situation<'_>, means: Means<'_>) -> Self {
        let Means { options, cache, .. } = means;
        let classes = ClassStates::new(situation.class_path, cache, options.debug_info);
        let (circumstances, mut changed_files) = situation.circumstances(means, &known);
        let world = World {
            classes: &classes,
            paths: Paths {
                root: means.root,
                cache,
            },
            variables: means.variables,
            circumstances: &circumstances,
        };
        let all_broken = broken(&known.facts, &world);
        let mut as_file = counting_as_file(
            &known.facts,
            &all_broken,
            &classes,
            means.kept,
            &options.as_file,
        );
        let counts = |fact: &KnownFact<'_>| counts(fact.kind, fact.value, options.mesh);
        as_file.retain(|number, _| !counts(&known.facts.fact(*number)));
        let uncounted = known.facts.iter().filter(|fact| {
            let is_counted = counts(fact) || as_file.contains_key(&fact.number);
            !is_counted || ignores(fact)
        });
        let uncounted: Marks = uncounted.map(|fact| fact.number).collect();
        let gone = all_broken.iter().filter_map(|number| {
            let fact = known.facts.fact(number);
            let was_there = fact.kind == SubjectKind::Class && fact.value.is_some();
            let class = fact.class().filter(|_| was_there)?;
            (classes.smart(class) == State::Absent).then(|| class.clone())
        });
        let gone_classes = gone.collect();
        let changed = changed_methods(&known.facts, &all_broken, &classes, means.kept);
        let finest = Sieve::new(&known.facts, &all_broken, &changed, Mesh::Block);
        let is_ignored = |number: &u32| ignores(&known.facts.fact(*number));
        let ignored: FactSet = all_broken.iter().filter(is_ignored).collect();
        let change_kinds = ChangeKinds::new(&known.facts, &all_broken, &classes, means.kept);
        let minded = all_broken - ignored;
        let sieve = Sieve::new(&known.facts, &minded, &changed, options.mesh);
        let sieve = sieve.with(as_file.keys().copied());
        let lines = changed.iter().flat_map(|method| &method.changed);
        let lines = lines.filter_map(|(number, line)| Some((*number, (*line)?)));
        let lines = lines.collect();
        let broken_set = sieve.all();
        let differences = broken_set.iter().map(|number| {
            if let Some(as_file) = as_file.get(&number) {
                return (number, Difference::AsFile(as_file.clone()));
            }
            let fact = known.facts.fact(number).to_fact();
            let today = value(&fact.subject, &world);
            (number, difference(&fact, &today, &world))
        });
        let differences: BTreeMap<u32, Difference> = differences.collect();
        let kinds = differences.iter().filter_map(|(number, difference)| {
            let kind = change_kinds.of(&known.facts.fact(*number), difference)?;
            Some((*number, kind))
        });
        let kinds = kinds.collect();
        if !has_other_files(&known, &broken_set) {
            changed_files.clear();
        }
        let others = known.facts.of_no_class();
        let outside = others.filter_map(|fact| match fact.subject() {
            Subject::Outside(what) => Some((fact.number, what)),
            _ => None,
        });
        let outside = outside.collect();
        let mut analysis = Self {
            changed_files,
            gone_classes,
            broken: differences,
            kinds,
            sieve,
            finest,
            lines,
            uncounted,
            coarse: coarse_facts(&world),
            all_files: circumstances.files.clone().known(),
            environment: circumstances.environment.clone().known(),
            properties: circumstances.properties.clone(),
            known,
            now: means.now,
            max_age: options.max_age,
            wanted: BTreeMap::new(),
            always_run: options.always_run.clone(),
            trusts_left_state: options.trusts_left_state,
            outside,
            is_forced: options.run_all,
        };
        analysis.wanted = analysis.companions();
        analysis
    }

    /// Who leaves something for an entity that runs, and who for that one.
    fn companions(&self) -> BTreeMap<EntityId, EntityId> {
        let mut wanted = BTreeMap::new();
        let entities = self.known.entities.iter();
        let has_companions = |entity: &Entity| {
            entity
                .records
                .iter()
                .any(|record| !record.companions.is_empty())
        };
        let entities = entities.filter(|(_, entity)| has_companions(entity));
        let mut next: Vec<EntityId> = entities.map(|(id, _)| id).collect();
        next.retain(|id| matches!(self.decide_unseen(id), Decision::Run(_)));
        while let Some(id) = next.pop() {
            let newest = self.records(&id).first();
            for companion in newest.into_iter().flat_map(|record| &record.companions) {
                if !wanted.contains_key(companion) {
                    wanted.insert(companion.clone(), id.clone());
                    next.push(companion.clone());
                }
            }
        }
        wanted
    }

    /// When the run began, in seconds since 1970.
    pub(crate) fn now(&self) -> u64 {
        self.now
    }

    /// How a test ended that a record of its class knows.
    pub(super) fn outcome(
        &self,
        class: &EntityId,
        position: usize,
        test: &ModifiedUtf8,
    ) -> Option<TestOutcome> {
        let record = self.records(class).get(position)?;
        let test = record.tests.iter().find(|known| known.name == *test)?;
        Some(test.outcome)
    }

    /// The record on which skipping an entity rests.
    pub(super) fn record(&self, id: &EntityId, position: usize) -> Option<&KeptRecord> {
        self.records(id).get(position)
    }

    /// The facts of all records.
    pub(super) fn facts(&self) -> &Facts {
        &self.known.facts
    }

    /// What the newest record of an entity has only because of earlier ones, as far as that is still so.
    pub(super) fn inherited_before(&self, id: &EntityId) -> impl Iterator<Item = u32> {
        let newest = self.records(id).first().into_iter();
        self.true_of(newest.flat_map(|record| record.inherited.iter()))
    }

    /// Those of the facts that are true today.
    pub(super) fn true_of(&self, facts: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
        facts.filter(|fact| !self.broken.contains_key(fact))
    }

    /// A fact that records name.
    pub(super) fn fact(&self, number: u32) -> Fact {
        self.known.facts.fact(number).to_fact()
    }

    /// Whether there are records of an entity.
    pub(super) fn knows(&self, id: &EntityId) -> bool {
        self.known.entities.contains(id)
    }

    /// Whether an entity is a method of another one that is known.
    fn is_method(&self, id: &EntityId) -> bool {
        class_part(id).is_some_and(|class| self.knows(&class))
    }

    /// What would be done with an entity and, where methods are selected, with those of a class of which some are skipped. No
    /// framework was asked: it may show others.
    pub(crate) fn foreseen(&self, id: &EntityId, by: Granularity) -> Vec<(EntityId, Decision)> {
        let whole = self.decide_unseen(id);
        if by == Granularity::Class || matches!(whole, Decision::Skip(_)) {
            return vec![(id.clone(), whole)];
        }
        let newest = self.records(id).first();
        let tests = newest.into_iter().flat_map(|record| &record.tests);
        let methods = tests.map(|test| {
            let method = method_of_class(id, &test.name);
            let decision = decide_method(&method, &test.name, id, &whole, self);
            (method, decision)
        });
        let methods: Vec<(EntityId, Decision)> = methods.collect();
        let is_skipped = |(_, decision): &(_, Decision)| matches!(decision, Decision::Skip(_));
        if methods.iter().any(is_skipped) {
            return methods;
        }
        vec![(id.clone(), whole)]
    }

    fn records(&self, id: &EntityId) -> &[KeptRecord] {
        self.known
            .entities
            .get(id)
            .map_or(&[], |entity| &entity.records)
    }

    /// What is to be done with an entity that has these tests.
    pub(crate) fn decide(&self, id: &EntityId, tests: &BTreeSet<ModifiedUtf8>) -> Decision {
        let none = BTreeSet::new();
        let is_covered = Sabotage::CoverageIgnored.is_on();
        self.decide_found(id, Some(if is_covered { &none } else { tests }))
    }

    /// What is to be done with an entity if its tests are still those of its records. They are, if the facts are
    /// true: what a framework finds in a class is made of facts too.
    pub(crate) fn decide_unseen(&self, id: &EntityId) -> Decision {
        self.decide_found(id, None)
    }

    fn decide_found(&self, id: &EntityId, tests: Option<&BTreeSet<ModifiedUtf8>>) -> Decision {
        let today = Today {
            tests,
            now: self.now,
            max_age: self.max_age,
        };
        let is_true = |record: &KeptRecord| self.sieve_for(record).is_true(&record.facts);
        if self.is_always_run(id) {
            return Decision::Run(Reason::Always);
        }
        let decision = if Sabotage::OldestRecord.is_on() {
            let mut records = self.records(id).to_vec();
            records.reverse();
            decide(&records, &today, is_true)
        } else {
            decide(self.records(id), &today, is_true)
        };
        let decision = self.with_trust(id, &today, decision);
        match (decision, self.wanted.get(id)) {
            (Decision::Skip(_), Some(other)) => {
                Decision::Run(Reason::Companion(Box::new(other.clone())))
            }
            (Decision::Skip(position), None) if self.is_tagged(id, position) => {
                Decision::Run(Reason::Always)
            }
            (decision, _) => decision,
        }
    }

    /// What was decided; or that it is skipped, if no record is wholly true, and what earlier tests may have left is trusted. Red
    /// stays red: a failure in just this state is not passed over.
    fn with_trust(&self, id: &EntityId, today: &Today<'_>, decision: Decision) -> Decision {
        let is_settled = matches!(
            decision,
            Decision::Skip(_) | Decision::Run(Reason::NotPassed(..))
        );
        if is_settled || !self.trusts_left_state {
            return decision;
        }
        let is_true = |record: &KeptRecord| {
            self.sieve_for(record).is_true(&record.facts) || self.is_true_but_for_left_state(record)
        };
        match decide(self.records(id), today, is_true) {
            Decision::Run(_) => decision,
            skip @ Decision::Skip(_) => skip,
        }
    }

    fn is_always_run(&self, id: &EntityId) -> bool {
        let name = id.test.to_string();
        let class = name.split('#').next().unwrap_or_default();
        let simple = class.rsplit('.').next().unwrap_or_default();
        [&*name, class, simple]
            .iter()
            .any(|name| self.always_run.is_match(name))
    }

    /// Whether something is broken of a record, and all of that counts only because earlier tests may have left something.
    fn is_true_but_for_left_state(&self, record: &KeptRecord) -> bool {
        let broken = self.sieve_for(record).broken_of(&record.facts);
        !broken.is_empty() && broken.iter().all(|fact| record.inherited.contains(fact))
    }

    /// Whether an entity said of itself that it runs each time. It still does, since the facts of that record are true.
    fn is_tagged(&self, id: &EntityId, position: usize) -> bool {
        let mut outside = self.outside(id, position);
        outside.any(|what| what == Outside::Anything)
    }

    /// What a record has that no value stands for.
    pub(super) fn outside(&self, id: &EntityId, position: usize) -> impl Iterator<Item = Outside> {
        let record = self.record(id, position).into_iter();
        record.flat_map(|record| {
            let outside = self.outside.iter();
            outside
                .filter(|(fact, _)| record.facts.contains(*fact))
                .map(|(_, what)| *what)
        })
    }

    /// What must not be broken for a record to be true. For one that did not pass that is the least, whatever the mesh:
    /// a coarser mesh, to which fewer records are true, would pass over a failure else and skip what a finer one runs
    /// (P2).
    fn sieve_for(&self, record: &KeptRecord) -> &Sieve {
        match record.verdict {
            RunVerdict::Passed => &self.sieve,
            _ => &self.finest,
        }
    }

    /// What was decided about an entity, with the reasons, and how it went if it ran.
    pub(crate) fn report(
        &self,
        id: &EntityId,
        decision: Decision,
        run: Option<EntityOutcome>,
    ) -> EntityReport {
        let newest = self.records(id).first();
        let mut explanation = self.explain(id, decision);
        explanation.is_forced |= run.is_some() && matches!(explanation.decision, Decision::Skip(_));
        EntityReport {
            id: id.clone(),
            explanation,
            run,
            expected: newest.map(|record| Duration::from_micros(record.microseconds)),
            n_tests_known: newest.map_or(0, |record| record.tests.len()),
        }
    }

    /// The decision with its reasons.
    fn explain(&self, id: &EntityId, decision: Decision) -> Explanation {
        let records = self.records(id);
        let newest = records.first().map(|record| self.compare(record));
        let fewest = records
            .iter()
            .min_by_key(|record| self.sieve.broken_of(&record.facts).len());
        let nearest = fewest.filter(|nearest| records.first() != Some(*nearest));
        let decisive = match decision {
            Decision::Skip(position) => records.get(position),
            Decision::Run(_) => None,
        };
        Explanation {
            is_forced: self.is_forced && decisive.is_some(),
            is_trusted: decisive.is_some_and(|record| self.is_true_but_for_left_state(record)),
            decision,
            newest,
            nearest: nearest.map(|record| self.compare(record)),
        }
    }

    fn compare(&self, record: &KeptRecord) -> Comparison {
        let broken = self.sieve.broken_of(&record.facts);
        let broken = broken.iter().map(|number| BrokenFact {
            subject: self.known.facts.fact(number).subject(),
            kind: self.kinds.get(&number).copied(),
            line: self.lines.get(&number).copied(),
            difference: self.broken[&number].clone(),
            is_inherited: record.inherited.contains(number),
        });
        let mut broken: Vec<BrokenFact> = broken.collect();
        broken.sort();
        let is_counted = |number: &u32| !self.uncounted.contains(*number);
        let n_facts = record.facts.iter().filter(is_counted).count();
        Comparison {
            verdict: record.verdict,
            ended: record.ended,
            doubts: record.doubts.clone(),
            n_facts,
            broken,
        }
    }

    /// Whether an entity is to be skipped.
    pub(crate) fn is_skipped(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::Skip(_)) && !self.is_forced
    }

    /// The entities that are known and not deleted since, methods aside: a class stands for its own. One whose class was a fact of its own and is gone is not
    /// there any more; one that is no class may still be.
    pub(crate) fn present_entities(&self) -> impl Iterator<Item = EntityId> {
        let is_gone = |id: &EntityId| {
            self.gone_classes
                .contains(&internal_name(id.test.as_bytes()))
        };
        let entities = self.known.entities.ids();
        entities.filter(move |id| !is_gone(id) && !self.is_method(id))
    }

    /// Classes in the folder of tests that are neither known entities nor known to be no tests; none where that
    /// folder is not known.
    fn unknown_classes(&self, kept: &Setting, classes: &ClassStates<'_>) -> Vec<String> {
        let names = kept
            .test_classes
            .iter()
            .flat_map(|folder| class_names_in(folder));
        let entities = self.known.entities.ids();
        let classes_of = |id: EntityId| [class_part(&id), Some(id)];
        let entities: BTreeSet<ClassName> = entities
            .flat_map(classes_of)
            .flatten()
            .map(|id| internal_name(id.test.as_bytes()))
            .collect();
        let is_no_test = |name: &ClassName| {
            let then = kept.not_tests.get(&name.to_string());
            then.is_some_and(|then| classes.smart(name) == State::Known(then.0))
        };
        let unknown = names.filter(|name| !entities.contains(name) && !is_no_test(name));
        unknown
            .map(|name| name.to_string().replace('/', "."))
            .collect()
    }
}

/// What can be said of a realm without a JVM.
pub(crate) struct Foresight {
    pub(crate) analysis: Arc<Analysis>,
    /// Classes that may be tests and have no record.
    pub(crate) unknown_classes: Vec<String>,
}

impl Foresight {
    /// If tests are run as today, with a JVM as it was `kept`; nothing if no JVM is known.
    pub(crate) fn new(
        known: Arc<Known>,
        kept: &Setting,
        today: &Setting,
        means: Means<'_>,
    ) -> Option<Self> {
        let jvm = kept.jvm.as_ref()?;
        let class_path = ClassPath::of_places(&jvm.places, means.archives);
        let situation = Situation {
            setting: today,
            class_path: &class_path,
            launch: jvm.launch_today(),
            java_home: &jvm.java_home,
            sees_files: jvm.sees_files,
        };
        let analysis = Analysis::new(known, &situation, means);
        let classes = ClassStates::new(&class_path, means.cache, means.options.debug_info);
        Some(Self {
            unknown_classes: analysis.unknown_classes(kept, &classes),
            analysis: Arc::new(analysis),
        })
    }
}

/// Whether the files of the module are other ones than some record knows.
fn has_other_files(known: &Known, broken: &FactSet) -> bool {
    let mut facts = broken.iter().map(|number| known.facts.fact(number));
    facts.any(|fact| fact.kind == SubjectKind::Files)
}

/// When the last run of a realm began, about: its records are made at its end, all at once. Rather too early than too
/// late.
fn last_run_of(known: &Known) -> Option<SystemTime> {
    const AT_ONCE: u64 = 5;
    let newest = || {
        known
            .entities
            .values()
            .filter_map(|one| one.records.first())
    };
    let ended = newest().map(|record| record.ended).max()?;
    let last = newest().filter(|record| record.ended + AT_ONCE >= ended);
    let microseconds = last.map(|record| record.microseconds);
    let microseconds = microseconds.fold(0, u64::saturating_add);
    let ended = Duration::from_secs(ended.saturating_sub(AT_ONCE));
    let begun = ended.saturating_sub(Duration::from_micros(microseconds));
    SystemTime::UNIX_EPOCH.checked_add(begun)
}

/// What the modules on a class path declare: it decides who may use what.
fn module_checksum(class_path: &ClassPath, archives: &Arc<Archives>) -> Result<Checksum, String> {
    let mut modules = BTreeMap::new();
    for place in class_path.places() {
        let place = ClassPath::of_places(&[place], archives);
        match place.winner(&ClassName::from("module-info")) {
            Winner::Absent => {}
            // A jar that a build makes for one JVM leads to all the others, and is not there later.
            Winner::Found(module) => {
                let bytes = module.read().map_err(|error| error.location)?;
                modules.insert(module.location(), bytes);
            }
            Winner::Unknown { place } => return Err(format!("cannot read {place}")),
        }
    }
    let mut fields = Fields::default();
    for module in modules.values() {
        fields.add(module);
    }
    Ok(fields.checksum())
}

fn coarse_facts(world: &World<'_>) -> Vec<(Subject, Result<Checksum, String>)> {
    let subjects = [
        Subject::Configuration,
        Subject::Jvm,
        Subject::Semantics,
        Subject::AllSettersElsewhere,
    ];
    let values = subjects.into_iter().map(|subject| {
        let today = value(&subject, world).known();
        (subject, today)
    });
    values.collect()
}

fn difference(fact: &Fact, today: &State<Checksum>, world: &World<'_>) -> Difference {
    match (fact.value, today) {
        (_, State::Unknown(reason)) => Difference::Unknown(reason.clone()),
        (then, State::Known(_)) if let Some(all) = setters(&fact.subject, world) => {
            Difference::Setters(new_setters(all, then))
        }
        (None, _) => Difference::Appeared,
        (Some(_), State::Absent) => Difference::Gone,
        (Some(then), State::Known(_)) => {
            let look_up = look_up_change(&fact.subject, then, world);
            look_up.map_or(Difference::Changed, Difference::LookUp)
        }
    }
}

/// Who sets a static field today, if that is what the fact is about.
fn setters(subject: &Subject, world: &World<'_>) -> Option<Vec<Setter>> {
    match subject {
        Subject::Setters(class, field) => {
            let sums = world.classes.checksums(class).known().ok()?;
            Some(sums.parts.as_ref()?.setters(field).to_vec())
        }
        Subject::SettersElsewhere(class, field) => {
            world.classes.setters_elsewhere(class, field).ok()
        }
        _ => None,
    }
}

/// What has become of a call, if that is what the fact is about.
fn look_up_change(subject: &Subject, then: Checksum, world: &World<'_>) -> Option<LookUpChange> {
    let Subject::Dispatch(class, method) = subject else {
        return None;
    };
    let hierarchy = world.classes.hierarchy(class).ok().flatten()?;
    Some(hierarchy.look_up_change(method, then))
}

/// The classes whose files lie in a folder, sorted.
pub(super) fn class_names_in(folder: &Path) -> Vec<ClassName> {
    let files = WalkDir::new(folder).follow_links(true).sort_by_file_name();
    let names = files
        .into_iter()
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let path = entry.path().strip_prefix(folder).ok()?;
            let name = path.as_os_str().as_bytes().strip_suffix(b".class")?;
            Some(ClassName::from(name))
        });
    names.collect()
}
