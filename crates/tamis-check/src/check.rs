//! The check itself: programs of a plan, batch by batch, several at once, each finished one kept.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use tamis_build::Jdk;

use crate::batch::{self, BatchPlace, BatchRun};
use crate::check_error::CheckError;
use crate::compiler::Compiler;
use crate::evolving::{EvolvingProgram, Plan};
use crate::java_side::{JavaSide, find_junit};
use crate::process::Stop;
use crate::result::CheckResult;
use crate::resume::{self, BatchRange, OpenError, WorkPlace};
use crate::rule::{self, UserRule, Violation};
use crate::tool::ToolChoice;
use crate::workshop::Workshop;

/// How programs are run and held against rules.
#[derive(Debug, Clone)]
pub struct Equipment {
    pub tools: Vec<ToolChoice>,
    pub user_rules: Vec<UserRule>,
    pub jdk: Jdk,
    /// JUnit's console launcher, if it is not to be looked for.
    pub junit: Option<PathBuf>,
    /// Whether test classes run at the same time.
    pub is_parallel: bool,
    /// Where what can be made again is kept.
    pub cache: PathBuf,
    /// How long a run of a tool may take.
    pub limit: Duration,
}

/// What is to be checked, and how.
#[derive(Debug, Clone)]
pub struct Check {
    pub plan: Plan,
    pub n_programs: usize,
    /// Programs that share a project.
    pub batch: usize,
    /// Whether each program has a project of its own.
    pub is_one_by_one: bool,
    /// Batches at once.
    pub n_jobs: usize,
    pub equipment: Equipment,
    /// Where results are kept; unless named, a directory in the cache for just these arguments.
    pub work: Option<PathBuf>,
    /// Whether results of earlier runs are left aside.
    pub is_fresh: bool,
}

/// A check that came to its end.
#[derive(Debug)]
pub struct Checked {
    pub result: CheckResult,
    /// Programs of this run, and how long it took.
    pub n_run: usize,
    pub duration: Duration,
    /// Where results are kept.
    pub work: PathBuf,
}

/// How far a check is.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    pub n_done: usize,
    pub n_programs: usize,
    pub n_violations: usize,
    pub elapsed: Duration,
}

impl Check {
    /// Checks all programs that no earlier run with the same arguments has checked.
    pub fn run(
        &self,
        stop: &Stop,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Checked, CheckError> {
        let begun = Instant::now();
        let place = self.work_place()?;
        if self.work.is_none() {
            resume::evict(&self.equipment.cache, SystemTime::now());
        }
        let work = WorkPlace::open(&place, self.is_fresh).map_err(|error| match error {
            OpenError::Locked => CheckError::Locked(place.clone()),
            OpenError::Io(cause) => CheckError::Work {
                work: place.clone(),
                cause,
            },
        })?;
        let workshop = self.equipment.workshop(&place, stop)?;
        let programs: Vec<EvolvingProgram> = self.plan.programs().take(self.n_programs).collect();
        let run = Run {
            check: self,
            workshop: &workshop,
            work: &work,
            programs: &programs,
            progress,
            begun,
            state: Mutex::default(),
            is_over: AtomicBool::new(false),
        };
        let ranges = BatchRange::all(programs.len(), self.batch);
        let todo = run.load(&ranges);
        run.work_off(todo)?;
        let state = run
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        Ok(Checked {
            result: state.whole(),
            n_run: state.n_run,
            duration: begun.elapsed(),
            work: place,
        })
    }

    /// The directory of just these arguments, but for the number of programs, which may be raised.
    fn work_place(&self) -> Result<PathBuf, CheckError> {
        let error = |cause| CheckError::Work {
            work: self.equipment.cache.clone(),
            cause,
        };
        if let Some(work) = &self.work {
            return std::path::absolute(work).map_err(error);
        }
        let key = self.equipment.key().map_err(error)?;
        let plan = &self.plan;
        let key = format!("{key}\n{plan:?}\n{} {}", self.batch, self.is_one_by_one);
        let key = blake3::hash(key.as_bytes()).to_hex();
        let name = format!("{}{}", resume::PREFIX, &key[..16]);
        Ok(self.equipment.cache.join(name))
    }
}

impl Equipment {
    pub(crate) fn workshop(&self, place: &Path, stop: &Stop) -> Result<Workshop, CheckError> {
        let junit = find_junit(self.junit.as_deref(), &self.cache)?;
        Ok(Workshop {
            java: JavaSide {
                is_parallel: self.is_parallel,
                ..JavaSide::prepare(&self.jdk, junit, &self.cache)?
            },
            tools: self.tools.iter().map(ToolChoice::adapter).collect(),
            user_rules: self.user_rules.clone(),
            place: place.to_path_buf(),
            limit: self.limit,
            stop: stop.clone(),
        })
    }

    /// Other equipment, or another build of a program in it, has another key.
    fn key(&self) -> std::io::Result<String> {
        let mut key = format!(
            "{} {:?} {:?} {} {:?} {:?}\n",
            env!("CARGO_PKG_VERSION"),
            self.jdk,
            self.junit,
            self.is_parallel,
            self.tools,
            self.user_rules
        );
        let mut programs = vec![std::env::current_exe()?];
        for tool in &self.tools {
            if let ToolChoice::Tamis(choice) = tool {
                programs.push(choice.program.clone());
            }
        }
        for program in programs {
            let mut hasher = blake3::Hasher::new();
            // One that cannot be read fails when it is started, and is told then.
            if let Ok(mut file) = std::fs::File::open(program) {
                std::io::copy(&mut file, &mut hasher)?;
            }
            key += &hasher.finalize().to_hex();
        }
        Ok(key)
    }
}

/// A check under way.
struct Run<'a> {
    check: &'a Check,
    workshop: &'a Workshop,
    work: &'a WorkPlace,
    programs: &'a [EvolvingProgram],
    progress: &'a (dyn Fn(Progress) + Sync),
    begun: Instant,
    state: Mutex<State>,
    /// Whether something went wrong, so that no further batch is begun.
    is_over: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    /// By the first program of each batch, so that the order does not depend on who was faster.
    results: std::collections::BTreeMap<usize, CheckResult>,
    n_run: usize,
    n_done: usize,
}

impl State {
    fn whole(&self) -> CheckResult {
        let mut whole = CheckResult::default();
        for result in self.results.values() {
            whole.add(result.clone());
        }
        whole
    }
}

impl Run<'_> {
    /// Takes what is kept of earlier runs; the batches that are left.
    fn load(&self, ranges: &[BatchRange]) -> Vec<BatchRange> {
        let mut todo = Vec::new();
        for range in ranges {
            match self.work.load(*range) {
                Some(result) => self.note(*range, result),
                None => todo.push(*range),
            }
        }
        todo
    }

    fn work_off(&self, todo: Vec<BatchRange>) -> Result<(), CheckError> {
        let n_threads = self.check.n_jobs.max(1).min(todo.len());
        let todo = Mutex::new(todo.into_iter());
        let results: Vec<Result<(), CheckError>> = thread::scope(|scope| {
            let threads: Vec<_> = (0..n_threads)
                .map(|_| scope.spawn(|| self.work_on(&todo)))
                .collect();
            let joined = threads.into_iter().map(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.collect()
        });
        // What went wrong tells more than that others stopped because of it.
        let (stopped, failed): (Vec<_>, Vec<_>) = results
            .into_iter()
            .filter_map(Result::err)
            .partition(|error| matches!(error, CheckError::Stopped { .. }));
        let error = failed.into_iter().chain(stopped).next();
        error.map_or(Ok(()), |error| Err(self.with_numbers(error)))
    }

    /// Takes one batch after the other, until there is none or something goes wrong.
    fn work_on(&self, todo: &Mutex<std::vec::IntoIter<BatchRange>>) -> Result<(), CheckError> {
        let mut compiler = None;
        loop {
            if self.workshop.stop.is_wanted() {
                return Err(self.workshop.stopped());
            }
            let next = todo.lock().map_or(None, |mut todo| todo.next());
            let Some(range) = next.filter(|_| !self.is_over.load(Ordering::Relaxed)) else {
                return Ok(());
            };
            let done = self.check_batch(range, &mut compiler);
            if done.is_err() {
                self.is_over.store(true, Ordering::Relaxed);
            }
            done?;
        }
    }

    fn check_batch(
        &self,
        range: BatchRange,
        compiler: &mut Option<Compiler>,
    ) -> Result<(), CheckError> {
        let compiler = match compiler {
            Some(compiler) => compiler,
            None => compiler.insert(start_compiler(self.workshop)?),
        };
        let programs = &self.programs[range.first..range.first + range.n_programs];
        let place = BatchPlace {
            directory: &self.work.running(range),
            number: range.first / self.check.batch.max(1),
        };
        let run = if self.check.is_one_by_one {
            let mut all = BatchRun::default();
            for program in programs {
                let one = std::slice::from_ref(program);
                all.add(batch::run(self.workshop, compiler, one, place)?);
            }
            all
        } else {
            batch::run(self.workshop, compiler, programs, place)?
        };
        let violations = violations(self.workshop, &run)?;
        let result = CheckResult::of_batch(programs.len(), run, violations);
        let saved = self.work.save(range, &result);
        saved.map_err(|cause| self.workshop.work_error(cause))?;
        if let Ok(mut state) = self.state.lock() {
            state.n_run += range.n_programs;
        }
        self.note(range, result);
        Ok(())
    }

    fn note(&self, range: BatchRange, result: CheckResult) {
        let Ok(mut state) = self.state.lock() else {
            return;
        };
        state.n_done += range.n_programs;
        state.results.insert(range.first, result);
        let results = state.results.values();
        (self.progress)(Progress {
            n_done: state.n_done,
            n_programs: self.programs.len(),
            n_violations: results.map(|result| result.violations.len()).sum(),
            elapsed: self.begun.elapsed(),
        });
    }

    fn with_numbers(&self, error: CheckError) -> CheckError {
        match error {
            CheckError::Stopped { work, .. } => CheckError::Stopped {
                n_done: self.state.lock().map_or(0, |state| state.n_done),
                n_programs: self.programs.len(),
                work,
            },
            error => error,
        }
    }
}

pub(crate) fn start_compiler(workshop: &Workshop) -> Result<Compiler, CheckError> {
    Compiler::start(&workshop.java).map_err(|cause| CheckError::Compiler {
        javac: workshop.java.jdk.javac(),
        cause,
    })
}

/// What violates a rule of ours or of the user's.
pub(crate) fn violations(
    workshop: &Workshop,
    run: &BatchRun,
) -> Result<Vec<Violation>, CheckError> {
    let mut violations: Vec<Violation> = run.histories.iter().flat_map(rule::check).collect();
    for rule in &workshop.user_rules {
        violations.extend(rule.check(&run.histories)?);
    }
    Ok(violations)
}
