//! Runs the tests that a change can affect, and records what each of them saw.
//!
//! A [`TestRun`] is both: the audience of the JVMs, which decides what they skip, and the host of the tasks of a
//! build, which decides whether a JVM starts at all. Records are made when a task has ended, since only then it is
//! known whether it ended well.

mod analysis;
mod change_kind;
mod left_by_skipped;
mod methods;
mod realm_run;
mod renumbered;
mod sieve;
mod verdict;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use globset::GlobSet;
use tamis_build::{Archives, TaskAnswer, TaskHost, TestTask};
use tamis_classfile::checksum::DebugInfo;
use tamis_facts::{ChangeKind, Checksum, EntityId, Mesh, ModifiedUtf8, Outside, Realm};
use tamis_store::{Known, OpenError, SetAside, StatCache, Store, StoreError};
use tamis_wire::{Discovered, EntityEnd, EntityKind, Granularity, Hello, Marking, Outcome};

use self::analysis::{Analysis, Situation};
pub(crate) use self::analysis::{Foresight, Means};
use self::methods::{class_of_method, method_of_class};
use self::realm_run::{Parted, RealmRun};
pub use self::sieve::are_true;
use crate::audience::Audience;
use crate::circumstances;
use crate::class_files::ClassFiles;
use crate::conversation::{Wanted, WatchedJvm};
use crate::report::RunReport;
use crate::sabotage;
use crate::setting::{JvmSetting, Setting, Sum, realm, realm_of};
use crate::today::{KeptClasses, Variables};
use crate::watched_command::{TraceError, run_watched};

/// What is tested, and where its records are.
#[derive(Debug, Clone)]
pub struct Project {
    /// The root of the build.
    pub root: PathBuf,
    /// The directory of the store.
    pub store: PathBuf,
}

/// How tests are selected and recorded.
#[derive(Debug, Clone)]
pub struct TestOptions {
    /// How fine the sieve is.
    pub mesh: Mesh,
    /// A class that changed in one of these ways counts as changed as a file, whatever the mesh (SPEC 3.6).
    pub as_file: BTreeSet<ChangeKind>,
    /// What runs or is skipped as one.
    pub granularity: Granularity,
    /// Whether everything runs and is recorded anew.
    pub run_all: bool,
    /// Older records do not count.
    pub max_age: Duration,
    /// How many records of an entity are kept.
    pub n_kept: u32,
    /// Whether line numbers and the like count as changes.
    pub debug_info: DebugInfo,
    /// Files of a module, relative to it, that no test reads.
    pub ignored_files: GlobSet,
    /// Names of entities that run each time: of classes, with package or without.
    pub always_run: GlobSet,
    /// What of the outside is not trusted: tests that turned to it run each time.
    pub untrusted: BTreeSet<Outside>,
    /// Whether it is taken on trust that tests leave each other nothing that matters.
    pub trusts_left_state: bool,
    /// Whether runs leave records.
    pub is_recording: bool,
}

impl TestOptions {
    /// What the marks of this run stand for.
    pub(crate) fn marking(&self) -> Marking {
        match self.mesh {
            Mesh::File | Mesh::Method | Mesh::Dispatch => Marking::Methods,
            Mesh::Block => Marking::Blocks,
        }
    }
}

/// What a user would type without Tamis. Maven is recognised by the program's name.
#[derive(Debug, Clone, Copy)]
pub struct BuildCommand<'c> {
    /// The program.
    pub program: &'c OsStr,
    /// Its arguments.
    pub arguments: &'c [OsString],
}

/// Is told how a run goes, by several threads.
pub trait Progress: Sync {
    /// An entity was shown.
    fn decided(&self, entity: &EntityId, is_skipped: bool);
    /// An entity has ended.
    fn ended(&self, entity: &EntityId, is_passed: bool);
}

/// Nothing was run, or nothing can be answered.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// The command cannot be run with the agent.
    #[error(transparent)]
    Command(#[from] TraceError),
    /// There are no records yet.
    #[error("nothing is known yet: there is no store in `{}`", directory.display())]
    NothingKnown {
        /// Where it was looked for.
        directory: PathBuf,
    },
    /// The store cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Default for TestOptions {
    fn default() -> Self {
        const MONTH: Duration = Duration::from_hours(30 * 24);
        Self {
            mesh: Mesh::Method,
            as_file: BTreeSet::new(),
            granularity: Granularity::Class,
            run_all: false,
            max_age: MONTH,
            n_kept: 10,
            debug_info: DebugInfo::Ignored,
            ignored_files: GlobSet::empty(),
            always_run: GlobSet::empty(),
            untrusted: BTreeSet::new(),
            trusts_left_state: false,
            is_recording: true,
        }
    }
}

/// Runs the affected tests of a command.
pub fn test(
    command: &BuildCommand<'_>,
    project: &Project,
    options: &TestOptions,
    progress: &dyn Progress,
) -> Result<RunReport, TestError> {
    run(command, project, options, progress, Purpose::Run)
}

/// What [`test()`] would do. With a command of Maven's, which compiles and starts no test JVM; without one, with the
/// class files as they stand.
pub fn select(
    command: Option<&BuildCommand<'_>>,
    project: &Project,
    options: &TestOptions,
) -> Result<RunReport, TestError> {
    match command {
        Some(command) => run(command, project, options, &Silent, Purpose::Ask),
        None => crate::knowledge::Knowledge::open(project)?.explain(options),
    }
}

fn run(
    command: &BuildCommand<'_>,
    project: &Project,
    options: &TestOptions,
    progress: &dyn Progress,
    purpose: Purpose,
) -> Result<RunReport, TestError> {
    sabotage::begin();
    let begun = Instant::now();
    let run = TestRun::new(project, options, progress, purpose);
    let BuildCommand { program, arguments } = command;
    let output = purpose.output();
    let wanted = Wanted {
        granularity: options.granularity,
        marking: options.marking(),
    };
    let ended = run_watched(program, arguments, wanted, &run, Some(&run), output)?;
    let notes = ended.notes.iter().map(ToString::to_string);
    Ok(RunReport {
        duration: begun.elapsed(),
        ..run.finish(ended.status, notes.collect())
    })
}

/// Whether tests run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Those that are affected run.
    Run,
    /// No JVM starts.
    Ask,
}

impl Purpose {
    /// Where a build prints to. Whoever only asks wants the answer there, and nothing else.
    fn output(self) -> Stdio {
        match self {
            Self::Run => Stdio::inherit(),
            Self::Ask => io::stderr().into(),
        }
    }
}

/// Says nothing.
struct Silent;

impl Progress for Silent {
    fn decided(&self, _: &EntityId, _: bool) {}
    fn ended(&self, _: &EntityId, _: bool) {}
}

/// A run of tests that goes on.
struct TestRun<'r> {
    project: &'r Project,
    options: &'r TestOptions,
    progress: &'r dyn Progress,
    purpose: Purpose,
    /// When it began, in seconds since 1970.
    started: u64,
    cache: StatCache,
    archives: Arc<Archives>,
    variables: Variables,
    /// Nothing if it cannot be opened: then everything runs and nothing is recorded.
    store: Mutex<Option<Store>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    realms: BTreeMap<Realm, RealmRun>,
    /// The JVMs that have said hello.
    jvms: HashMap<u32, Realm>,
    notes: Vec<String>,
}

impl<'r> TestRun<'r> {
    fn new(
        project: &'r Project,
        options: &'r TestOptions,
        progress: &'r dyn Progress,
        purpose: Purpose,
    ) -> Self {
        let mut state = State::default();
        let store = match Store::open(&project.store) {
            Ok(opened) => {
                let aside = opened.set_aside.as_ref();
                state.notes.extend(aside.map(set_aside_text));
                Some(opened.store)
            }
            Err(error) => {
                state.notes.push(format!(
                    "everything runs and nothing is recorded: {}",
                    with_causes(&error)
                ));
                None
            }
        };
        Self {
            project,
            options,
            progress,
            purpose,
            started: seconds_now(),
            cache: load_cache(store.as_ref()),
            archives: Arc::default(),
            variables: variables(store.as_ref()),
            store: Mutex::new(store),
            state: Mutex::new(state),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn store(&self) -> MutexGuard<'_, Option<Store>> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, text: String) {
        let mut state = self.state();
        if !state.notes.contains(&text) {
            state.notes.push(text);
        }
    }

    fn means(&self) -> Means<'_> {
        Means {
            root: &self.project.root,
            options: self.options,
            cache: &self.cache,
            archives: &self.archives,
            variables: &self.variables,
            kept: self,
            now: self.started,
        }
    }

    /// What is known of a realm, loaded once for all its JVMs; nothing if it cannot be read.
    fn known(&self, realm: &Realm) -> Option<Arc<Known>> {
        let loaded = self
            .state()
            .realms
            .get(realm)
            .and_then(|run| run.known.clone());
        if loaded.is_some() {
            return loaded;
        }
        let known = match self.store().as_ref() {
            Some(store) => store.load(realm),
            None => Ok(Known::default()),
        };
        match known.map(Arc::new) {
            Ok(known) => {
                let mut state = self.state();
                state.realms.entry(realm.clone()).or_default().known = Some(Arc::clone(&known));
                Some(known)
            }
            Err(error) => {
                self.note(format!("everything runs: {}", with_causes(&error)));
                None
            }
        }
    }

    /// The setting of a realm in an earlier run of this checkout.
    fn kept_setting(&self, realm: &Realm) -> Option<Setting> {
        let store = self.store();
        let kept = store.as_ref()?.setting(realm, &self.project.root).ok()??;
        Setting::parse(&kept)
    }

    /// What can be said of a task before a JVM starts, if its tests are run as they were the last time.
    fn foresee(&self, realm: &Realm, today: &Setting) -> Option<Foresight> {
        let kept = self
            .kept_setting(realm)
            .filter(|kept| kept.is_same_task(today))?;
        Foresight::new(self.known(realm)?, &kept, today, self.means())
    }

    /// Decides about every entity that is known, without asking a framework.
    fn decide_all(&self, realm: &Realm, foresight: Foresight) -> bool {
        let analysis = &foresight.analysis;
        let mut state = self.state();
        let run = state.realms.entry(realm.clone()).or_default();
        let mut is_nothing_to_run = foresight.unknown_classes.is_empty();
        let by = self.options.granularity;
        let entities = analysis.present_entities();
        for (id, decision) in entities.flat_map(|id| analysis.foreseen(&id, by)) {
            is_nothing_to_run &= analysis.is_skipped(&decision);
            run.decide(id, decision, analysis);
        }
        is_nothing_to_run &= !run.decisions.is_empty();
        run.unknown_classes = foresight.unknown_classes;
        is_nothing_to_run
    }

    /// Makes records of what ran in a realm.
    fn settle(&self, realm: &Realm) {
        let Some(mut run) = self.take_ended(realm) else {
            return;
        };
        let recorded = run.record(realm, self.project, self.means());
        if self.options.is_recording {
            self.save(realm, &run, &recorded);
        }
        self.state().realms.insert(realm.clone(), run);
    }

    /// A realm all of whose JVMs have parted, and whose task has ended.
    fn take_ended(&self, realm: &Realm) -> Option<RealmRun> {
        let mut state = self.state();
        let run = state.realms.get_mut(realm)?;
        let is_ready = run.n_active == 0 && run.is_green.is_some() && !run.parted.is_empty();
        is_ready.then(|| std::mem::take(run))
    }

    fn save(&self, realm: &Realm, run: &RealmRun, recorded: &realm_run::Recorded) {
        let before = self.kept_setting(realm);
        let mut store = self.store();
        let Some(store) = store.as_mut() else {
            return;
        };
        let saved = store
            .save(
                recorded.facts.facts(),
                &recorded.records,
                self.options.n_kept,
            )
            .and_then(|()| store.keep_class_files(&recorded.class_files))
            .and_then(|()| match run.setting_to_keep(before.as_ref()) {
                Some(setting) => store.keep_setting(realm, &self.project.root, &setting.encode()),
                None => Ok(()),
            });
        if let Err(error) = saved {
            self.note(format!(
                "nothing was recorded for {realm}: {}",
                with_causes(&error)
            ));
        }
    }

    /// Red stays red, even if this process is killed before the task ends.
    fn note_failure(&self, id: &EntityId) {
        let mut store = self.store();
        if let Some(store) = store.as_mut().filter(|_| self.options.is_recording) {
            // If the store cannot be written, that is told when the task has ended.
            let _ = store.note_failure(id);
        }
    }

    /// So it is with methods that have records of their own, if a class is run as one: else these would be believed.
    fn note_failed_methods(&self, jvm: u32, class: &EntityId, end: &EntityEnd) {
        if self.options.granularity == Granularity::Method {
            return;
        }
        let Some((_, analysis)) = self.state().analysis_of(jvm) else {
            return;
        };
        let failed = end.tests.iter();
        for test in failed.filter(|test| test.outcome == Outcome::Failed) {
            let method = method_of_class(class, &ModifiedUtf8::from(&*test.name));
            if analysis.knows(&method) {
                self.note_failure(&method);
            }
        }
    }

    /// The command has ended.
    fn finish(self, status: ExitStatus, notes: Vec<String>) -> RunReport {
        let realms: Vec<Realm> = self.state().realms.keys().cloned().collect();
        for realm in &realms {
            if let Some(run) = self.state().realms.get_mut(realm) {
                run.n_active = 0;
                // A task of the build's that was never told to have ended has not ended well.
                run.is_green.get_or_insert(status.success() && !run.is_task);
            }
            self.settle(realm);
        }
        if let Some(store) = self.store().as_mut() {
            // What cannot be kept is found out again the next time.
            let _ = store.save_stat_cache(&self.cache);
            if self.options.marking() == Marking::Blocks && self.options.is_recording {
                // Blocks are many, and class files are large. What stays beyond need does no harm.
                let _ = store.sweep();
            }
        }
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let mut report = RunReport {
            status: Some(status),
            started: self.started,
            notes: state.notes.into_iter().chain(notes).collect(),
            ..RunReport::default()
        };
        for (realm, run) in state.realms {
            run.report(realm, &mut report);
        }
        report.entities.sort_by(|a, b| a.id.cmp(&b.id));
        report
    }
}

impl KeptClasses for TestRun<'_> {
    fn class_file(&self, checksum: Checksum) -> Option<Vec<u8>> {
        self.store().as_ref()?.class_file(checksum).ok()?
    }
}

impl TaskHost for TestRun<'_> {
    fn before(&self, task: TestTask) -> TaskAnswer {
        let realm = realm(&task.module, &task.execution);
        let is_whole = !task.is_filtered && !task.scans_dependencies;
        let fails_without_tests = task.fails_without_tests;
        let setting = Setting::of_task(task, &self.variables);
        let foresight = self.foresee(&realm, &setting);
        if foresight.is_none() && self.purpose == Purpose::Ask {
            self.note(format!(
                "all tests of {realm} would run: nothing is known of them, run in this way"
            ));
        }
        {
            let mut state = self.state();
            let run = state.realms.entry(realm.clone()).or_default();
            run.setting = Some(setting);
            run.is_task = true;
            run.is_whole = is_whole;
            run.fails_without_tests = fails_without_tests;
        }
        let is_nothing_to_run =
            foresight.is_some_and(|foresight| self.decide_all(&realm, foresight));
        match self.purpose {
            Purpose::Ask => TaskAnswer::Skip,
            Purpose::Run if is_nothing_to_run && is_whole => TaskAnswer::Skip,
            Purpose::Run => {
                // The framework shows what there is: what was foreseen does not count.
                if let Some(run) = self.state().realms.get_mut(&realm) {
                    run.decisions.clear();
                    run.unknown_classes.clear();
                }
                TaskAnswer::Run
            }
        }
    }

    fn only_asks(&self) -> bool {
        self.purpose == Purpose::Ask
    }

    fn after(&self, module: &str, execution: &str, is_green: bool) {
        let realm = realm(module, execution);
        if let Some(run) = self.state().realms.get_mut(&realm) {
            run.is_green = Some(is_green);
        }
        self.settle(&realm);
    }
}

impl Audience for TestRun<'_> {
    fn greet(&self, jvm: u32, hello: &Hello, files: &ClassFiles) {
        if let Some(parent) = hello.parent {
            // A JVM that a test started is part of that test.
            let mut state = self.state();
            if let Some(realm) = state.jvms.get(&parent.jvm).cloned() {
                state.realms.entry(realm.clone()).or_default().n_active += 1;
                state.jvms.insert(jvm, realm);
            }
            return;
        }
        let realm = realm_of(hello, &self.project.root);
        let places = files.class_path().places();
        let told = self
            .state()
            .realms
            .get(&realm)
            .and_then(|run| run.setting.clone());
        let is_task = !hello.label.is_empty();
        let setting = match told {
            Some(setting) => Some(setting),
            None if is_task => None,
            None => Some(Setting::of_jvm(hello, &places)),
        };
        let launch = circumstances::launch(hello);
        let kept = self.kept_setting(&realm).and_then(|kept| kept.jvm);
        let java_home = PathBuf::from(OsStr::from_bytes(&hello.java_home));
        let analysis = setting.as_ref().and_then(|setting| {
            let situation = Situation {
                setting,
                class_path: files.class_path(),
                launch: launch.clone().map(|launch| launch.checksum),
                java_home: &java_home,
                sees_files: kept.is_some_and(|kept| kept.sees_files),
            };
            let known = self.known(&realm)?;
            Some(Arc::new(Analysis::new(known, &situation, self.means())))
        });
        if setting.is_none() {
            self.note(format!(
                "the tests of {realm} ran without selection: the build did not say how they are run"
            ));
        }
        let mut state = self.state();
        let run = state.realms.entry(realm.clone()).or_default();
        run.n_active += 1;
        run.n_jvms += 1;
        run.setting = setting;
        run.jvm = launch.ok().map(|launch| JvmSetting {
            places,
            java_home,
            launch: Sum(launch.checksum),
            option_files: launch
                .files
                .into_iter()
                .map(|(file, content)| (file, Sum(content)))
                .collect(),
            sees_files: false,
        });
        run.analyses
            .extend(analysis.map(|analysis| (jvm, analysis)));
        state.jvms.insert(jvm, realm);
    }

    fn is_skipped(&self, jvm: u32, discovered: &Discovered) -> bool {
        let mut state = self.state();
        let Some((realm, analysis)) = state.analysis_of(jvm) else {
            return false;
        };
        if discovered.kind == EntityKind::Container {
            return false;
        }
        let id = entity_id(&realm, discovered);
        let tests: BTreeSet<ModifiedUtf8> = discovered
            .tests
            .iter()
            .map(|test| ModifiedUtf8::from(&**test))
            .collect();
        let Some(run) = state.realms.get_mut(&realm) else {
            return false;
        };
        let class = class_of_method(&id, discovered);
        let decision = match &class {
            Some(class) => run.decide_method(&id, &tests, class, &analysis),
            None => analysis.decide(&id, &tests),
        };
        let is_skipped = analysis.is_skipped(&decision) && !run.fails_without_tests;
        run.decide(id.clone(), decision, &analysis);
        drop(state);
        if class.is_none() {
            self.progress.decided(&id, is_skipped);
        }
        is_skipped
    }

    fn note_end(&self, jvm: u32, discovered: &Discovered, end: &EntityEnd) {
        let realm = self.state().analysis_of(jvm).map(|(realm, _)| realm);
        if let Some(realm) = realm.filter(|_| discovered.kind != EntityKind::Container) {
            let id = entity_id(&realm, discovered);
            let is_failed = verdict::is_failed(end);
            if is_failed {
                self.note_failure(&id);
                self.note_failed_methods(jvm, &id, end);
            }
            if discovered.kind != EntityKind::Method {
                self.progress.ended(&id, !is_failed);
            }
        }
    }

    fn part(&self, jvm: WatchedJvm, files: ClassFiles) {
        let realm = {
            let mut state = self.state();
            let Some(realm) = state.jvms.get(&jvm.number).cloned() else {
                return;
            };
            if let Some(run) = state.realms.get_mut(&realm) {
                run.n_active = run.n_active.saturating_sub(1);
                run.parted.push(Parted { jvm, files });
            }
            realm
        };
        self.settle(&realm);
    }
}

impl State {
    /// The records that decide about the tests of a JVM; nothing for one that a test started.
    fn analysis_of(&self, jvm: u32) -> Option<(Realm, Arc<Analysis>)> {
        let realm = self.jvms.get(&jvm)?;
        let analysis = self.realms.get(realm)?.analyses.get(&jvm)?;
        Some((realm.clone(), Arc::clone(analysis)))
    }
}

fn entity_id(realm: &Realm, discovered: &Discovered) -> EntityId {
    EntityId {
        realm: realm.clone(),
        framework: ModifiedUtf8::from(&*discovered.framework),
        test: ModifiedUtf8::from(&*discovered.name),
    }
}

/// What is said of a store that could not be used.
pub(crate) fn set_aside_text(aside: &SetAside) -> String {
    let path = aside.path.display();
    format!(
        "the store could not be used ({}); it is kept as {path}",
        aside.reason
    )
}

/// Without a store nothing is kept, and no salt is needed.
fn variables(store: Option<&Store>) -> Variables {
    let salt = store.and_then(|store| store.salt().ok());
    Variables::of_process(salt.unwrap_or_default())
}

/// What cannot be read is found out again.
fn load_cache(store: Option<&Store>) -> StatCache {
    let now = SystemTime::now();
    let known = store.and_then(|store| store.load_stat_cache(now).ok());
    known.unwrap_or_else(|| StatCache::new(now))
}

/// The time, in seconds since 1970.
pub fn seconds_now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// An error and what caused it, in one line.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
