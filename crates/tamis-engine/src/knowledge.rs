//! What the store knows, without a build: which tests would run, why, and what each relies on.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use tamis_facts::{Checksum, EntityId, Realm, RunVerdict, Subject};
use tamis_store::{FactSet, KeptRecord, KnownFact, Marks, Opened, SetAside, Store};

use crate::report::{RealmReport, RunReport};
use crate::sabotage;
use crate::setting::Setting;
use crate::testing::{
    Foresight, Means, Project, TestError, TestOptions, seconds_now, set_aside_text,
};
use crate::today::{KeptClasses, Variables};

/// The store of a project, open for questions.
#[derive(Debug)]
pub struct Knowledge {
    store: Store,
    /// The directory of the project.
    root: PathBuf,
    /// Where the store lies.
    directory: PathBuf,
    /// What was in the store's place and could not be used.
    set_aside: Option<SetAside>,
}

/// An entity that depends on something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependent {
    /// Which.
    pub id: EntityId,
    /// What of it, as the newest record has it; sorted.
    pub subjects: Vec<Subject>,
    /// The same, of what was not there: whoever looked for a member depends on that too.
    pub absent: Vec<Subject>,
    /// How long the entity took.
    pub expected: Duration,
}

/// How much is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusReport {
    /// Where the store is.
    pub directory: PathBuf,
    /// How large it is.
    pub n_bytes: u64,
    /// Records of all entities.
    pub n_records: u64,
    /// Facts, each counted once.
    pub n_facts: u64,
    /// Where tests run, sorted.
    pub realms: Vec<RealmStatus>,
}

/// What is known of the tests of a realm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RealmStatus {
    /// Which.
    pub realm: Realm,
    /// Its entities.
    pub n_entities: usize,
    /// Tests in them.
    pub n_tests: usize,
    /// Entities whose newest run did not pass.
    pub n_not_passed: usize,
    /// When the oldest of the newest records was made, in seconds since 1970.
    pub oldest: u64,
    /// When the newest record was made.
    pub newest: u64,
    /// How long all of them took.
    pub expected: Duration,
}

impl Knowledge {
    /// Opens the store of a project, if it has one.
    pub fn open(project: &Project) -> Result<Self, TestError> {
        sabotage::begin();
        let directory = project.store.clone();
        if !Store::exists_in(&directory) {
            return Err(TestError::NothingKnown { directory });
        }
        let Opened { store, set_aside } = Store::open(&directory)?;
        Ok(Self {
            store,
            root: project.root.clone(),
            directory,
            set_aside,
        })
    }

    /// The directory of the project.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What a person should know before any answer: a store that could not be used. One sentence each.
    pub fn notes(&self) -> Vec<String> {
        self.set_aside.iter().map(set_aside_text).collect()
    }

    /// What would run, of all that is known, with the class files as they stand.
    pub fn explain(&mut self, options: &TestOptions) -> Result<RunReport, TestError> {
        let begun = Instant::now();
        let mut report = RunReport {
            started: seconds_now(),
            notes: self.notes(),
            ..RunReport::default()
        };
        let cache = self.store.load_stat_cache(SystemTime::now())?;
        let archives = Arc::default();
        let variables = Variables::of_process(self.store.salt()?);
        let means = Means {
            root: &self.root,
            options,
            cache: &cache,
            archives: &archives,
            variables: &variables,
            kept: &self.store,
            now: report.started,
        };
        for realm in self.store.realms()? {
            self.explain_realm(realm, means, &mut report)?;
        }
        // What cannot be kept is found out again the next time.
        let _ = self.store.save_stat_cache(&cache);
        report.duration = begun.elapsed();
        Ok(report)
    }

    fn explain_realm(
        &self,
        realm: Realm,
        means: Means<'_>,
        report: &mut RunReport,
    ) -> Result<(), TestError> {
        let kept = self.store.setting(&realm, &self.root)?;
        let setting = kept.and_then(|kept| Setting::parse(&kept));
        let untracked = setting.iter().flat_map(|setting| &setting.untracked);
        for (what, n_entities) in untracked {
            report.add_untracked(what, *n_entities);
        }
        let coarse = setting.iter().flat_map(|setting| &setting.coarse);
        let coarse = coarse.cloned().collect();
        let known = Arc::new(self.store.load(&realm)?);
        let foresight =
            setting.and_then(|setting| Foresight::new(known, &setting, &setting, means));
        let Some(foresight) = foresight else {
            report.notes.push(format!(
                "how the tests of {realm} are run is not known: they all run"
            ));
            return Ok(());
        };
        let analysis = &foresight.analysis;
        let by = means.options.granularity;
        let entities = analysis.present_entities();
        let decided = entities.flat_map(|id| analysis.foreseen(&id, by));
        report
            .entities
            .extend(decided.map(|(id, decision)| analysis.report(&id, decision, None)));
        report.realms.push(RealmReport {
            realm,
            n_jvms: 0,
            unknown_classes: foresight.unknown_classes,
            changed_files: analysis.changed_files.clone(),
            common_cause: Vec::new(),
            coarse,
        });
        Ok(())
    }

    /// The entities whose newest record has a fact about something that matches.
    pub fn dependents(
        &self,
        matches: &dyn Fn(&Subject) -> bool,
    ) -> Result<Vec<Dependent>, TestError> {
        let mut dependents = Vec::new();
        for realm in self.store.realms()? {
            let known = self.store.load(&realm)?;
            let matching = known.facts.iter().filter(|fact| matches(&fact.subject()));
            let matching: FactSet = matching.map(|fact| fact.number).collect();
            let matching = Marks::from(&matching);
            for (id, entity) in known.entities.iter() {
                let Some(newest) = entity.records.first() else {
                    continue;
                };
                let facts = newest.facts.marked(&matching);
                let facts = facts.iter().map(|number| known.facts.fact(number));
                let (there, absent): (Vec<_>, Vec<_>) =
                    facts.partition(|fact| fact.value.is_some());
                let [subjects, absent] = [there, absent].map(|facts| subjects(&facts));
                if !subjects.is_empty() || !absent.is_empty() {
                    dependents.push(Dependent {
                        id,
                        subjects,
                        absent,
                        expected: Duration::from_micros(newest.microseconds),
                    });
                }
            }
        }
        Ok(dependents)
    }

    /// How much is known, how old it is and how large.
    pub fn status(&self) -> Result<StatusReport, TestError> {
        let counts = self.store.counts()?;
        let mut realms = Vec::new();
        for realm in self.store.realms()? {
            let known = self.store.load(&realm)?;
            let newest: Vec<&KeptRecord> = known
                .entities
                .values()
                .filter_map(|entity| entity.records.first())
                .collect();
            let ends = || newest.iter().map(|record| record.ended);
            let microseconds = newest.iter().map(|record| record.microseconds).sum();
            realms.push(RealmStatus {
                realm,
                n_entities: newest.len(),
                n_tests: newest.iter().map(|record| record.tests.len()).sum(),
                n_not_passed: newest
                    .iter()
                    .filter(|record| record.verdict != RunVerdict::Passed)
                    .count(),
                oldest: ends().min().unwrap_or(0),
                newest: ends().max().unwrap_or(0),
                expected: Duration::from_micros(microseconds),
            });
        }
        Ok(StatusReport {
            directory: self.directory.clone(),
            n_bytes: Store::size_in(&self.directory),
            n_records: counts.n_records,
            n_facts: counts.n_facts,
            realms,
        })
    }

    /// Drops the records of the entities that match, so that they run the next time. How many there were.
    pub fn forget(&mut self, matches: &dyn Fn(&EntityId) -> bool) -> Result<usize, TestError> {
        let mut n_forgotten = 0;
        for realm in self.store.realms()? {
            let known = self.store.load(&realm)?;
            for id in known.entities.ids().filter(|id| matches(id)) {
                n_forgotten += usize::from(self.store.forget(&id)? > 0);
            }
        }
        self.store.sweep()?;
        Ok(n_forgotten)
    }
}

impl KeptClasses for Store {
    fn class_file(&self, checksum: Checksum) -> Option<Vec<u8>> {
        // What cannot be read is not there: its blocks count as changed.
        Store::class_file(self, checksum).ok()?
    }
}

/// What facts are about, sorted.
fn subjects(facts: &[KnownFact<'_>]) -> Vec<Subject> {
    let mut subjects: Vec<Subject> = facts.iter().map(KnownFact::subject).collect();
    subjects.sort();
    subjects.dedup();
    subjects
}
