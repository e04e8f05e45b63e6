//! What happens in one realm during a run: what was decided, which JVMs took part, and the records that are made of
//! it in the end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use tamis_facts::{
    Checksum, ClassName, EntityId, ModifiedUtf8, Outside, Realm, Record, RunVerdict, Subject,
    TestRecord,
};
use tamis_select::{Decision, Reason};
use tamis_store::{FactSet, Known, StatCache};
use tamis_wire::{EntityKind, Marking};

use super::analysis::{Analysis, Means, class_names_in};
use super::left_by_skipped::{LeftBySkipped, Skipped, inherit};
use super::methods::{
    Ties, class_of_method, decide_method, is_method_of, method_of_class, sharing_objects, ties,
};
use super::renumbered::Renumbered;
use super::verdict::{Aftermath, ended_well, is_failed, tests, verdict};
use super::{Project, TestOptions, entity_id, seconds_now};
use crate::attribution::class_of;
use crate::class_files::ClassFiles;
use crate::class_info::internal_name;
use crate::collect::{FactTable, FileView, Given, Seen, Surroundings, collect};
use crate::conversation::WatchedJvm;
use crate::examined::ExaminedJvm;
use crate::report::{BrokenFact, Coarse, CoarseKind, EntityOutcome, RealmReport, RunReport};
use crate::setting::{JvmSetting, Setting, Sum};
use crate::today::{ClassStates, Paths, State};

/// A realm during a run.
#[derive(Default)]
pub(super) struct RealmRun {
    /// How its tests are run; nothing if nobody said.
    pub(super) setting: Option<Setting>,
    /// How its last JVM was started.
    pub(super) jvm: Option<JvmSetting>,
    /// Whether it is a task of a build, which tells its end.
    pub(super) is_task: bool,
    /// Whether all its tests are looked for, and not some that the user chose.
    pub(super) is_whole: bool,
    /// Whether the build fails if a JVM of it runs no test: then what is shown runs, since nobody knows whether
    /// anything else will be.
    pub(super) fails_without_tests: bool,
    /// Whether the task, or the command, ended well; nothing while it goes on.
    pub(super) is_green: Option<bool>,
    pub(super) n_active: usize,
    pub(super) n_jvms: usize,
    /// What the store knows of it, once somebody has asked.
    pub(super) known: Option<Arc<Known>>,
    /// What decides in each JVM, by its number.
    pub(super) analyses: BTreeMap<u32, Arc<Analysis>>,
    /// What was decided.
    pub(super) decisions: BTreeMap<EntityId, (Decision, Arc<Analysis>)>,
    /// JVMs that have nothing more to say.
    pub(super) parted: Vec<Parted>,
    pub(super) unknown_classes: Vec<String>,
    outcomes: BTreeMap<EntityId, EntityOutcome>,
    untracked: BTreeMap<String, BTreeSet<EntityId>>,
    coarse: BTreeSet<Coarse>,
}

/// A JVM that has ended, and the class files that it could load.
pub(super) struct Parted {
    pub(super) jvm: WatchedJvm,
    pub(super) files: ClassFiles,
}

/// What is to be kept of a realm.
#[derive(Default)]
pub(super) struct Recorded {
    pub(super) facts: FactTable,
    pub(super) records: Vec<(EntityId, Record<FactSet>)>,
    /// Class files, by the checksum of the class; only of a run that marks blocks.
    pub(super) class_files: BTreeMap<Checksum, Vec<u8>>,
}

/// An entity in one JVM.
struct Ran<'r> {
    jvm: &'r ExaminedJvm,
    number: u32,
    seen: Seen,
}

impl Recorded {
    /// Keeps the files of classes whose blocks are facts from this number on, and of all others of the project's own: with
    /// them it can be told later what changed.
    fn keep_class_files(&mut self, n_before: usize, classes: &ClassStates<'_>) {
        let new = self.facts.facts()[n_before..].iter();
        let names = new.filter_map(|fact| match &fact.subject {
            Subject::Block(class, ..) => Some(class),
            Subject::Class(class) if fact.value.is_some() => {
                (!classes.is_in_archive(class)).then_some(class)
            }
            _ => None,
        });
        let names: BTreeSet<&ClassName> = names.collect();
        for name in names {
            if let (State::Known(smart), State::Known((bytes, _))) =
                (classes.smart(name), classes.bytes(name))
            {
                self.class_files.insert(smart, bytes);
            }
        }
    }
}

impl RealmRun {
    /// Whether an entity runs, and on what that rests; a class that runs once runs.
    pub(super) fn decide(&mut self, id: EntityId, decision: Decision, analysis: &Arc<Analysis>) {
        let is_run = matches!(decision, Decision::Run(_));
        match self.decisions.get(&id) {
            Some(_) if !is_run => {}
            _ => {
                self.decisions.insert(id, (decision, Arc::clone(analysis)));
            }
        }
    }

    /// What is to be done with a method of a class, which was decided about before.
    pub(super) fn decide_method(
        &self,
        id: &EntityId,
        tests: &BTreeSet<ModifiedUtf8>,
        class: &EntityId,
        analysis: &Analysis,
    ) -> Decision {
        let of_class = self.decisions.get(class);
        match (of_class, tests.first()) {
            (Some((of_class, _)), Some(test)) => decide_method(id, test, class, of_class, analysis),
            _ => Decision::Run(Reason::New),
        }
    }

    /// The JVMs with what their entities rely on, unless nobody keeps it; and the class files of each.
    fn examine(&mut self, options: &TestOptions) -> (Vec<ClassFiles>, Vec<ExaminedJvm>) {
        let parted = std::mem::take(&mut self.parted).into_iter();
        parted
            .map(|Parted { jvm, files }| {
                let examined = if options.is_recording {
                    ExaminedJvm::new(jvm, &files)
                } else {
                    ExaminedJvm::unattributed(jvm)
                };
                (files, examined)
            })
            .unzip()
    }

    /// Makes records of what ran.
    pub(super) fn record(
        &mut self,
        realm: &Realm,
        project: &Project,
        means: Means<'_>,
    ) -> Recorded {
        let Means {
            options,
            cache,
            variables,
            ..
        } = means;
        let (files, jvms) = self.examine(options);
        if let Some(setting) = &mut self.jvm {
            setting.sees_files = jvms.iter().all(|jvm| jvm.jvm.shows_all_files());
        }
        let setting = self.setting.clone().unwrap_or_default();
        let mut recorded = Recorded {
            facts: FactTable::new(options.marking()),
            ..Recorded::default()
        };
        let mut entities: BTreeMap<EntityId, Vec<Ran<'_>>> = BTreeMap::new();
        for (jvm, files) in jvms.iter().zip(&files) {
            // A JVM that a test started has no entities of its own, and one without analysis cannot be recorded.
            let Some(analysis) = self.analyses.get(&jvm.jvm.number) else {
                continue;
            };
            let classes = ClassStates::new(files.class_path(), cache, options.debug_info);
            let places = files.class_path().root_paths();
            let surroundings = Surroundings {
                classes: &classes,
                coarse: &analysis.coarse,
                all_files: &analysis.all_files,
                environment: &analysis.environment,
                given: Given {
                    variables,
                    properties: &analysis.properties,
                },
                files: FileView {
                    paths: Paths {
                        root: means.root,
                        cache,
                    },
                    started: analysis.now(),
                    store: &project.store,
                    base: &setting.base,
                    ignored: &options.ignored_files,
                    class_directories: &places.directories,
                    archives: &places.archives,
                    build_directories: &setting.build_directories,
                },
                jvms: &jvms,
            };
            let mut tied = BTreeMap::new();
            let sharing = if options.is_recording {
                sharing_objects(jvm)
            } else {
                BTreeSet::new()
            };
            let n_before = recorded.facts.facts().len();
            // What nobody keeps is not worked out: it would take longer than to decide.
            let seen = if options.is_recording {
                collect(jvm, &surroundings, &mut recorded.facts)
            } else {
                let ran = jvm.entities.keys();
                ran.map(|number| (*number, Seen::default())).collect()
            };
            if options.marking() == Marking::Blocks && options.is_recording {
                recorded.keep_class_files(n_before, &classes);
            }
            for (number, seen) in seen {
                let told = &jvm.jvm.entities[&number];
                let id = entity_id(realm, &told.discovered);
                let is_tied = class_of_method(&id, &told.discovered).is_some_and(|class| {
                    let ties = tied
                        .entry(class)
                        .or_insert_with_key(|class| ties(class, &classes));
                    match ties {
                        Ties::Tied => true,
                        Ties::TiedByObject => sharing.contains(&class_of(told)),
                        Ties::Free => false,
                    }
                });
                if told.discovered.kind != EntityKind::Container && !is_tied {
                    entities
                        .entry(id)
                        .or_default()
                        .push(Ran { jvm, number, seen });
                }
            }
        }
        self.note_classes(&jvms, &files, options, cache);
        let is_red = self.is_green == Some(false);
        let any_failed = jvms.iter().any(has_failures);
        for (id, runs) in &entities {
            let mut record = self.record_entity(id, runs, is_red && !any_failed);
            let mut unblocked = FactSet::new();
            for run in runs {
                unblocked |= &run.seen.unblocked;
            }
            recorded.facts.drop_blocks(&unblocked, &mut record.facts);
            recorded.records.push((id.clone(), record));
        }
        if options.is_recording {
            self.add_skipped(&entities, &mut recorded);
        }
        recorded
    }

    /// What counts for those that ran of what is known of those that did not.
    fn add_skipped(&self, ran: &BTreeMap<EntityId, Vec<Ran<'_>>>, recorded: &mut Recorded) {
        let Recorded { facts, records, .. } = recorded;
        let mut renumbered = Renumbered::default();
        let mut all_looks = FactSet::new();
        for run in ran.values().flatten() {
            all_looks |= &run.seen.looks.fields;
        }
        let decided = self
            .decisions
            .iter()
            .filter(|(id, _)| !ran.contains_key(*id));
        let decided = decided.filter_map(|(id, (decision, analysis))| match decision {
            Decision::Skip(position) => Some(Skipped {
                analysis,
                record: analysis.record(id, *position)?,
                is_decided: true,
            }),
            Decision::Run(_) => None,
        });
        let skipped: Vec<Skipped<'_>> = decided.chain(self.not_chosen(ran)).collect();
        let left = LeftBySkipped::new(&skipped, &all_looks, facts, &mut renumbered);
        for (id, record) in records {
            for Ran { jvm, seen, .. } in ran.get(id).into_iter().flatten() {
                left.add_to(record, &seen.looks, facts);
                if let Some(analysis) = self.analyses.get(&jvm.jvm.number)
                    && seen.looks.has_properties
                    && !skipped.is_empty()
                {
                    let before = analysis.inherited_before(id);
                    let before = renumbered.set(before, analysis, facts);
                    inherit(record, &before, facts);
                }
            }
            self.add_skipped_methods(id, record, facts, &mut renumbered);
        }
    }

    /// Those that are not there because the user chose others.
    fn not_chosen<'r>(
        &'r self,
        ran: &BTreeMap<EntityId, Vec<Ran<'_>>>,
    ) -> impl Iterator<Item = Skipped<'r>> {
        let is_chosen = self.is_task && !self.is_whole;
        let analyses = self.analyses.values().filter(move |_| is_chosen);
        analyses.flat_map(|analysis| {
            let present = analysis.present_entities();
            let others =
                present.filter(|id| !self.decisions.contains_key(id) && !ran.contains_key(id));
            others.filter_map(|id| {
                let position = match analysis.decide_unseen(&id) {
                    Decision::Skip(position) => position,
                    Decision::Run(_) => 0,
                };
                Some(Skipped {
                    analysis,
                    record: analysis.record(&id, position)?,
                    is_decided: false,
                })
            })
        })
    }

    /// What the records of methods say that were skipped counts for their class, whose record is to know all its tests. It is
    /// as old as the oldest of them.
    fn add_skipped_methods(
        &self,
        class: &EntityId,
        record: &mut Record<FactSet>,
        facts: &mut FactTable,
        renumbered: &mut Renumbered,
    ) {
        let methods = self.methods_of(class);
        let skipped = methods.filter_map(|(id, (decision, analysis))| match decision {
            Decision::Skip(position) => Some((analysis, analysis.record(id, *position)?)),
            Decision::Run(_) => None,
        });
        let mut skipped = skipped.peekable();
        if skipped.peek().is_none() {
            return;
        }
        // Where one side does not know which blocks ran, no one does.
        let mut unblocked = facts.methods_without_blocks(&record.facts);
        for (analysis, skipped) in skipped {
            let is_new = |test: &TestRecord| record.tests.iter().all(|one| one.name != test.name);
            let new: Vec<TestRecord> = skipped.tests.iter().filter(is_new).collect();
            if new.is_empty() {
                continue;
            }
            record.tests.extend(new);
            let own = &record.facts - &record.inherited;
            let saw = renumbered.set(skipped.facts.iter(), analysis, facts);
            let inherited = renumbered.set(skipped.inherited.iter(), analysis, facts);
            unblocked |= facts.methods_without_blocks(&saw);
            record.facts |= &saw;
            record.inherited = &record.facts - own - (saw - inherited);
            record.companions.extend(skipped.companions.iter().cloned());
            record.microseconds += skipped.microseconds;
            record.ended = record.ended.min(skipped.ended);
        }
        facts.drop_blocks(&unblocked, &mut record.facts);
        record.tests.sort();
    }

    /// The methods of a class that were decided about.
    fn methods_of(
        &self,
        class: &EntityId,
    ) -> impl Iterator<Item = (&EntityId, &(Decision, Arc<Analysis>))> {
        // They follow each other, since names decide last.
        let first = method_of_class(class, &"".into());
        let methods = self.decisions.range(first.clone()..);
        methods.take_while(move |(id, _)| is_method_of(id, &first))
    }

    /// What a report leaves out: of a class of which some methods run and some are skipped the whole, of others their methods.
    fn hidden(&self) -> BTreeSet<EntityId> {
        let mut hidden = BTreeSet::new();
        for (class, (decision, _)) in &self.decisions {
            let methods = || self.methods_of(class);
            let is_skipped = |decision: &Decision| matches!(decision, Decision::Skip(_));
            if !is_skipped(decision) && methods().any(|(_, (decision, _))| is_skipped(decision)) {
                hidden.insert(class.clone());
            } else {
                hidden.extend(methods().map(|(id, _)| id.clone()));
            }
        }
        hidden
    }

    /// One record of all runs of an entity: what each of them saw counts.
    fn record_entity(&mut self, id: &EntityId, runs: &[Ran<'_>], is_red: bool) -> Record<FactSet> {
        let mut facts = FactSet::new();
        let mut own = FactSet::new();
        let mut doubts = BTreeSet::new();
        let mut companions = BTreeSet::new();
        let mut worst = RunVerdict::Passed;
        let mut all_tests = Vec::new();
        let mut microseconds = 0;
        for Ran { jvm, number, seen } in runs {
            let told = &jvm.jvm.entities[number];
            facts |= &seen.facts;
            own |= &seen.facts - &seen.inherited;
            doubts.extend(seen.doubts.iter().cloned());
            companions.extend(seen.companions.iter().filter_map(|number| {
                let companion = &jvm.jvm.entities.get(number)?.discovered;
                let is_entity = companion.kind != EntityKind::Container;
                is_entity.then(|| entity_id(&id.realm, companion))
            }));
            for what in &seen.untracked {
                self.untracked
                    .entry(what.clone())
                    .or_default()
                    .insert(id.clone());
            }
            self.coarse.extend(seen.coarse.iter().cloned());
            let aftermath = Aftermath {
                jvm_ended_well: ended_well(&jvm.jvm.ending),
                is_red_without_failure: is_red,
                is_doubtful: !seen.doubts.is_empty(),
            };
            worst = worst_of(worst, verdict(told, aftermath));
            all_tests.extend(tests(told));
            microseconds += told
                .runs
                .iter()
                .map(|run| run.end.microseconds)
                .sum::<u64>();
        }
        all_tests.sort();
        all_tests.dedup_by(|later, earlier| {
            let is_same = later.name == earlier.name;
            if is_same {
                earlier.outcome = earlier.outcome.max(later.outcome);
            }
            is_same
        });
        let outcome = EntityOutcome {
            verdict: worst,
            duration: Duration::from_micros(microseconds),
            tests: all_tests.clone(),
            doubts: doubts.iter().cloned().collect(),
        };
        self.outcomes.insert(id.clone(), outcome);
        Record {
            verdict: worst,
            tests: all_tests,
            // Of a plain command nobody knows what it leaves out.
            is_whole: self.is_whole || !self.is_task,
            inherited: &facts - own,
            facts,
            companions,
            // Each is one line where it is kept.
            doubts: doubts
                .iter()
                .map(|doubt| doubt.replace('\n', " "))
                .collect(),
            microseconds,
            ended: seconds_now(),
        }
    }

    /// Remembers which classes in the folder of tests are no tests, if all that was asked for was shown: none is an
    /// entity, nor holds some.
    fn note_classes(
        &mut self,
        jvms: &[ExaminedJvm],
        files: &[ClassFiles],
        options: &TestOptions,
        cache: &StatCache,
    ) {
        let watched = jvms.iter().zip(files);
        let mut watched: Vec<_> = watched
            .filter(|(jvm, _)| self.analyses.contains_key(&jvm.jvm.number))
            .collect();
        let is_known = |jvm: &WatchedJvm| jvm.unsupported.is_empty() && ended_well(&jvm.ending);
        let is_known = self.is_whole && watched.iter().all(|(jvm, _)| is_known(&jvm.jvm));
        let (Some(setting), Some((_, files))) = (self.setting.as_mut(), watched.pop()) else {
            return;
        };
        let Some(folder) = setting.test_classes.clone().filter(|_| is_known) else {
            setting.test_classes = None;
            return;
        };
        let shown = jvms.iter().flat_map(|jvm| jvm.jvm.entities.values());
        let shown: BTreeSet<ClassName> = shown
            .map(|entity| internal_name(&entity.discovered.name))
            .collect();
        let classes = ClassStates::new(files.class_path(), cache, options.debug_info);
        for name in class_names_in(&folder)
            .into_iter()
            .filter(|name| !shown.contains(name))
        {
            if let State::Known(smart) = classes.smart(&name) {
                setting.not_tests.insert(name.to_string(), Sum(smart));
            }
        }
    }

    /// What is known of how tests are run, for the next time. What tests did `before` that no fact covers, or only a
    /// coarse one, is kept as long as some of them are skipped.
    pub(super) fn setting_to_keep(&self, before: Option<&Setting>) -> Option<Setting> {
        let mut setting = self.setting.clone()?;
        setting.jvm.clone_from(&self.jvm);
        if let Some(jvm) = &mut setting.jvm {
            jvm.forget_files_made_for_it(self.is_task);
        }
        let is_skipped = |id: &EntityId| !self.outcomes.contains_key(id);
        if let Some(before) = before
            && self.decisions.keys().any(is_skipped)
        {
            setting.untracked.clone_from(&before.untracked);
            setting.coarse.clone_from(&before.coarse);
        }
        // What was seen last replaces what was said of the same kind before: a reason may hold a name made up for one run.
        let seen: BTreeSet<CoarseKind> = self.coarse.iter().map(|coarse| coarse.what).collect();
        setting.coarse.retain(|coarse| !seen.contains(&coarse.what));
        setting.coarse.extend(self.coarse.iter().cloned());
        for (what, entities) in &self.untracked {
            let known = setting.untracked.entry(what.clone()).or_default();
            *known = (*known).max(entities.len());
        }
        Some(setting)
    }

    /// The files that made a difference, sorted. Most entities share an analysis.
    fn changed_files(&self) -> Vec<String> {
        let analyses = self.decisions.values();
        let analyses = analyses.map(|(_, analysis)| (Arc::as_ptr(analysis), analysis));
        let analyses: BTreeMap<_, _> = analyses.collect();
        let files = analyses
            .values()
            .flat_map(|analysis| &analysis.changed_files);
        let files: BTreeSet<&String> = files.collect();
        files.into_iter().cloned().collect()
    }

    /// Adds what happened to a report.
    pub(super) fn report(self, realm: Realm, report: &mut RunReport) {
        let changed_files = self.changed_files();
        let mut common: Option<BTreeSet<BrokenFact>> = None;
        let hidden = self.hidden();
        let shown = self.decisions.into_iter();
        let shown = shown.filter(|(id, _)| !hidden.contains(id));
        let mut n_trusted = 0;
        let mut n_outside: BTreeMap<Outside, usize> = BTreeMap::new();
        for (id, (decision, analysis)) in shown {
            let run = self.outcomes.get(&id).cloned();
            if let (Decision::Skip(position), None) = (&decision, &run) {
                for what in analysis.outside(&id, *position) {
                    *n_outside.entry(what).or_default() += 1;
                }
            }
            let entity = analysis.report(&id, decision, run);
            let broken = entity
                .explanation
                .newest
                .as_ref()
                .map(|newest| &newest.broken);
            let broken: BTreeSet<BrokenFact> = broken.into_iter().flatten().cloned().collect();
            common = Some(match common {
                Some(common) => common.intersection(&broken).cloned().collect(),
                None => broken,
            });
            n_trusted += usize::from(entity.explanation.is_trusted && entity.run.is_none());
            report.entities.push(entity);
        }
        if n_trusted > 0 {
            report.add_untracked(LEFT_STATE_TRUSTED, n_trusted);
        }
        for (what, n_entities) in n_outside {
            report.add_untracked(skipped_with(what), n_entities);
        }
        for (what, entities) in &self.untracked {
            report.add_untracked(what, entities.len());
        }
        report.realms.push(RealmReport {
            realm,
            n_jvms: self.n_jvms,
            unknown_classes: self.unknown_classes,
            changed_files,
            common_cause: common.unwrap_or_default().into_iter().collect(),
            coarse: self.coarse.into_iter().collect(),
        });
    }
}

/// Whether a test of a JVM failed.
fn has_failures(jvm: &ExaminedJvm) -> bool {
    let mut runs = jvm.jvm.entities.values().flat_map(|entity| &entity.runs);
    runs.any(|run| is_failed(&run.end))
}

/// What is told of those that were skipped on trust.
const LEFT_STATE_TRUSTED: &str =
    "may find something else that earlier tests left in static fields, which is trusted";

/// The same of those that turned to something which no fact covers when they last ran.
fn skipped_with(what: Outside) -> &'static str {
    match what {
        Outside::Network => {
            "asked the network or another program when it last ran, and is skipped on trust"
        }
        Outside::Process => {
            "started a program that is no JVM when it last ran, and is skipped on trust"
        }
        Outside::Anything => "says that it runs each time, and is skipped",
    }
}

/// Of two verdicts about one entity, the one that counts.
fn worst_of(a: RunVerdict, b: RunVerdict) -> RunVerdict {
    let order = |verdict| match verdict {
        RunVerdict::Passed => 0,
        RunVerdict::Incomplete => 1,
        RunVerdict::Flaky => 2,
        RunVerdict::Failed => 3,
    };
    if order(a) >= order(b) { a } else { b }
}
