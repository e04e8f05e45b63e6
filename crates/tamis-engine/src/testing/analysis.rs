//! What the records of a realm say today: which of their facts are broken, and what follows for an entity.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tamis_build::{Archives, ClassPath, Winner};
use tamis_facts::{Checksum, ClassName, EntityId, Fact, ModifiedUtf8, Realm, Record, Subject};
use tamis_select::{Decision, Today, counts, decide};
use tamis_store::{FactSet, Known, StatCache, Store, StoreError};

use walkdir::WalkDir;

use super::TestOptions;
use crate::circumstances::{self, Fields};
use crate::class_info::internal_name;
use crate::report::{BrokenFact, Comparison, Difference, Explanation};
use crate::setting::Setting;
use crate::today::{Circumstances, ClassStates, State, broken, files, value};

/// The records of a realm, compared with today.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) known: Known,
    /// What is broken of what counts under the mesh, and how.
    broken: BTreeMap<u32, Difference>,
    broken_set: FactSet,
    /// Facts that do not count under the mesh.
    uncounted: FactSet,
    /// Classes that some record knows and that are not there any more.
    gone_classes: BTreeSet<ClassName>,
    /// The coarse facts of today.
    pub(crate) coarse: Vec<(Subject, Result<Checksum, String>)>,
    now: u64,
    max_age: Duration,
    is_forced: bool,
}

/// What the coarse facts are made of.
pub(crate) struct Situation<'s> {
    pub(crate) setting: &'s Setting,
    pub(crate) class_path: &'s ClassPath,
    pub(crate) archives: &'s Arc<Archives>,
    /// How the JVM is started, or why that is not known.
    pub(crate) launch: Result<Checksum, String>,
    pub(crate) java_home: &'s Path,
}

impl Situation<'_> {
    /// The values of the coarse facts.
    fn circumstances(&self, options: &TestOptions, cache: &StatCache) -> Circumstances {
        let known = |value: Result<Checksum, String>| match value {
            Ok(value) => State::Known(value),
            Err(reason) => State::Unknown(reason),
        };
        let scope = self.setting.file_scope(&options.ignored_files);
        let modules = module_checksum(self.class_path, self.archives);
        let jvm = self.launch.clone().and_then(|launch| {
            let mut fields = Fields::default();
            fields.add(&circumstances::jvm(launch, self.java_home).0);
            fields.add(&modules?.0);
            Ok(fields.checksum())
        });
        Circumstances {
            files: files(&scope, cache),
            configuration: State::Known(self.setting.configuration.0),
            environment: State::Known(circumstances::environment(self.setting.properties.0)),
            jvm: known(jvm),
            semantics: circumstances::semantics(),
        }
    }
}

impl Analysis {
    /// Loads the records of a realm and compares them.
    pub(crate) fn new(
        store: Option<&Store>,
        realm: &Realm,
        situation: &Situation<'_>,
        options: &TestOptions,
        cache: &StatCache,
        now: u64,
    ) -> Result<Self, StoreError> {
        let known = store.map_or_else(|| Ok(Known::default()), |store| store.load(realm))?;
        let classes = ClassStates::new(situation.class_path, cache, options.debug_info);
        let circumstances = situation.circumstances(options, cache);
        let uncounted = known
            .facts
            .iter()
            .filter(|(_, fact)| !counts(fact, options.mesh));
        let uncounted: FactSet = uncounted.map(|(number, _)| *number).collect();
        let broken_set = broken(&known.facts, &classes, &circumstances) - &uncounted;
        let differences = broken_set.iter().map(|number| {
            let fact = &known.facts[&number];
            let today = value(&fact.subject, &classes, &circumstances);
            (number, difference(fact, &today))
        });
        let gone = known.facts.values().filter_map(|fact| match &fact.subject {
            Subject::Class(class) if fact.value.is_some() => Some(class),
            _ => None,
        });
        let gone = gone.filter(|class| classes.smart(class) == State::Absent);
        Ok(Self {
            gone_classes: gone.cloned().collect(),
            broken: differences.collect(),
            broken_set,
            uncounted,
            coarse: coarse_facts(&classes, &circumstances),
            known,
            now,
            max_age: options.max_age,
            is_forced: options.run_all,
        })
    }

    fn records(&self, id: &EntityId) -> &[Record<FactSet>] {
        self.known
            .entities
            .get(id)
            .map_or(&[], |entity| &entity.records)
    }

    /// What is to be done with an entity that has these tests.
    pub(crate) fn decide(&self, id: &EntityId, tests: &BTreeSet<ModifiedUtf8>) -> Decision {
        let today = Today {
            tests,
            now: self.now,
            max_age: self.max_age,
        };
        decide(self.records(id), &today, |facts| {
            facts.is_disjoint(&self.broken_set)
        })
    }

    /// What is to be done with an entity if its tests are still those of its records. They are, if the facts are
    /// true: what a framework finds in a class is made of facts too.
    pub(crate) fn decide_unseen(&self, id: &EntityId) -> Decision {
        self.decide(id, &BTreeSet::new())
    }

    /// The decision with its reasons.
    pub(crate) fn explain(&self, id: &EntityId, decision: Decision) -> Explanation {
        let records = self.records(id);
        let newest = records.first().map(|record| self.compare(record));
        let fewest = records
            .iter()
            .min_by_key(|record| record.facts.intersection_len(&self.broken_set));
        let nearest = fewest.filter(|nearest| records.first() != Some(*nearest));
        Explanation {
            is_forced: self.is_forced && matches!(decision, Decision::Skip(_)),
            decision,
            newest,
            nearest: nearest.map(|record| self.compare(record)),
        }
    }

    fn compare(&self, record: &Record<FactSet>) -> Comparison {
        let broken = &record.facts & &self.broken_set;
        let broken = broken.iter().map(|number| BrokenFact {
            subject: self.known.facts[&number].subject.clone(),
            difference: self.broken[&number].clone(),
        });
        let mut broken: Vec<BrokenFact> = broken.collect();
        broken.sort();
        let n_facts = record.facts.len() - record.facts.intersection_len(&self.uncounted);
        Comparison {
            verdict: record.verdict,
            ended: record.ended,
            doubts: record.doubts.clone(),
            n_facts: usize::try_from(n_facts).unwrap_or(usize::MAX),
            broken,
        }
    }

    /// Whether an entity is to be skipped.
    pub(crate) fn is_skipped(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::Skip(_)) && !self.is_forced
    }

    /// How long an entity took the last time, and how many tests it had.
    pub(crate) fn expected(&self, id: &EntityId) -> Option<(Duration, usize)> {
        let newest = self.records(id).first()?;
        Some((
            Duration::from_micros(newest.microseconds),
            newest.tests.len(),
        ))
    }

    /// The entities that are known and not deleted since. One whose class was a fact of its own and is gone is not
    /// there any more; one that is no class may still be.
    pub(crate) fn present_entities(&self) -> impl Iterator<Item = &EntityId> {
        let is_gone = |id: &EntityId| {
            self.gone_classes
                .contains(&internal_name(id.test.as_bytes()))
        };
        self.known.entities.keys().filter(move |id| !is_gone(id))
    }

    /// Classes in the folder of tests that are neither known entities nor known to be no tests.
    pub(crate) fn unknown_classes(&self, kept: &Setting, classes: &ClassStates<'_>) -> Vec<String> {
        let Some(folder) = &kept.test_classes else {
            return vec!["the folder of tests is not known".to_owned()];
        };
        let entities = self.known.entities.keys();
        let entities: BTreeSet<String> = entities
            .map(|id| id.test.to_string().replace('.', "/"))
            .collect();
        let unknown = class_names_in(folder).into_iter().filter(|name| {
            let text = name.to_string();
            let is_none = kept
                .not_tests
                .get(&text)
                .is_some_and(|then| classes.smart(name) == State::Known(then.0));
            !entities.contains(&text) && !is_none
        });
        unknown
            .map(|name| name.to_string().replace('/', "."))
            .collect()
    }
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

fn coarse_facts(
    classes: &ClassStates<'_>,
    circumstances: &Circumstances,
) -> Vec<(Subject, Result<Checksum, String>)> {
    let subjects = [
        Subject::ClassNames,
        Subject::Files,
        Subject::Configuration,
        Subject::Environment,
        Subject::Jvm,
        Subject::Semantics,
    ];
    let values = subjects.into_iter().map(|subject| {
        let today = match value(&subject, classes, circumstances) {
            State::Known(value) => Ok(value),
            State::Absent => Err("it is not there".to_owned()),
            State::Unknown(reason) => Err(reason),
        };
        (subject, today)
    });
    values.collect()
}

fn difference(fact: &Fact, today: &State<Checksum>) -> Difference {
    match (fact.value, today) {
        (_, State::Unknown(reason)) => Difference::Unknown(reason.clone()),
        (None, _) => Difference::Appeared,
        (Some(_), State::Absent) => Difference::Gone,
        (Some(_), State::Known(_)) => Difference::Changed,
    }
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
