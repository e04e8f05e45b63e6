//! A command with the agent in its JVMs, and what they ran.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::process::{ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};

use tamis_build::MavenNote;
use tamis_facts::{ClassName, MethodId};
use tamis_wire::{Accessed, Discovered, Granularity, Marking, N_UNITS, Parent, UnitSet};

use crate::attribution::{Attributed, Reliance};
use crate::audience::Audience;
use crate::class_files::ClassFiles;
use crate::conversation::{Ending, ToldFork, Wanted, WatchedJvm};
use crate::examined::{ClassTrace, ExaminedJvm};
use crate::watched_command::{TraceError, run_watched};

/// What the JVMs of a command are asked for, and told.
#[derive(Clone, Copy)]
pub struct Watching<'w> {
    /// What counts as an entity.
    pub granularity: Granularity,
    /// What marks stand for.
    pub marking: Marking,
    /// Whether an entity is to be skipped.
    pub is_skipped: &'w (dyn Fn(&Discovered) -> bool + Sync),
}

impl Default for Watching<'_> {
    /// Test classes are entities, and all of them run.
    fn default() -> Self {
        Self {
            granularity: Granularity::Class,
            marking: Marking::Methods,
            is_skipped: &|_| false,
        }
    }
}

/// What a command did.
#[derive(Debug)]
pub struct Trace {
    /// How it ended.
    pub status: ExitStatus,
    /// Its JVMs, in the order of their ends. Those of build tools and compilers are not among them.
    pub jvms: Vec<JvmTrace>,
    /// Tests of Maven's that ran without the agent, and why.
    pub notes: Vec<MavenNote>,
}

/// What a JVM ran.
#[derive(Debug)]
pub struct JvmTrace {
    /// What it told.
    pub jvm: WatchedJvm,
    /// Its classes, sorted by name.
    pub classes: Vec<ClassTrace>,
    /// The entities that ran, by number.
    pub entities: Vec<EntityTrace>,
}

/// What an entity relies on.
#[derive(Debug)]
pub struct EntityTrace {
    /// Its number among the entities of the JVM.
    pub number: u32,
    /// Classes, sorted by name, with what the entity relies on of them.
    pub classes: Vec<ReliedClass>,
    /// What was done with files, in the order of the first times.
    pub accesses: Vec<ReliedAccess>,
}

/// What was done with a file, for an entity.
#[derive(Debug)]
pub struct ReliedAccess {
    /// What.
    pub accessed: Accessed,
    /// Why it counts.
    pub reliance: Reliance,
}

/// What an entity relies on of a class.
#[derive(Debug)]
pub struct ReliedClass {
    /// The name.
    pub name: ClassName,
    /// Whether it was not probed, and so counts as a whole.
    pub is_whole: bool,
    /// The methods, in the order of the file.
    pub methods: Vec<ReliedMethod>,
}

/// A method that an entity relies on.
#[derive(Debug)]
pub struct ReliedMethod {
    /// Which; none where no file has the class.
    pub method: Option<MethodId>,
    /// Its position among the methods of the class that have code.
    pub position: u32,
    /// Why.
    pub reliance: Reliance,
}

impl Trace {
    /// The JVM that another one started, if it said hello.
    pub fn child(&self, jvm: u32, fork: &ToldFork) -> Option<&JvmTrace> {
        let started = Parent {
            jvm,
            fork: fork.forked.fork,
        };
        let mut jvms = self.jvms.iter();
        jvms.find(|other| other.jvm.hello.parent == Some(started))
    }
}

/// Runs a command with the agent in its JVMs.
pub fn trace(
    program: &OsStr,
    arguments: &[OsString],
    watching: &Watching<'_>,
) -> Result<Trace, TraceError> {
    let heard = Heard {
        watching,
        jvms: Mutex::new(Vec::new()),
    };
    let output = Stdio::inherit();
    let wanted = Wanted {
        granularity: watching.granularity,
        marking: watching.marking,
    };
    let ended = run_watched(program, arguments, wanted, &heard, None, output)?;
    let jvms = heard
        .jvms
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let jvms = jvms.into_iter();
    let jvms = jvms.map(|(jvm, files)| JvmTrace::new(ExaminedJvm::new(jvm, &files)));
    Ok(Trace {
        status: ended.status,
        jvms: jvms.collect(),
        notes: ended.notes,
    })
}

/// Keeps what JVMs told, in the order of their ends.
struct Heard<'w> {
    watching: &'w Watching<'w>,
    jvms: Mutex<Vec<(WatchedJvm, ClassFiles)>>,
}

impl Audience for Heard<'_> {
    fn is_skipped(&self, _jvm: u32, discovered: &Discovered) -> bool {
        (self.watching.is_skipped)(discovered)
    }

    fn part(&self, jvm: WatchedJvm, files: ClassFiles) {
        let mut jvms = self.jvms.lock().unwrap_or_else(PoisonError::into_inner);
        jvms.push((jvm, files));
    }
}

impl JvmTrace {
    fn new(examined: ExaminedJvm) -> Self {
        let ExaminedJvm {
            jvm,
            classes: mut by_number,
            entities,
        } = examined;
        let units = Units::new(by_number.values());
        for (number, ran) in &jvm.initialisers {
            if let Some(class) = by_number.get_mut(number) {
                class.initialisation = units.names(ran);
            }
        }
        let entities = entities.iter();
        let entities = entities.map(|(number, one)| EntityTrace {
            number: *number,
            classes: relied_classes(one, &by_number),
            accesses: relied_accesses(one, &jvm.accesses),
        });
        let entities = entities.collect();
        let mut classes: Vec<ClassTrace> = by_number.into_values().collect();
        classes.sort_by(|a, b| (&a.name, &a.loaders).cmp(&(&b.name, &b.loaders)));
        Self {
            jvm,
            classes,
            entities,
        }
    }

    /// Whether all that ran is known.
    pub fn is_complete(&self) -> bool {
        self.jvm.ending == Ending::Complete
    }
}

fn relied_classes(
    attributed: &Attributed,
    classes: &BTreeMap<u32, ClassTrace>,
) -> Vec<ReliedClass> {
    let mut relied = Vec::new();
    for (class_number, class) in classes {
        let last_unit = class.first_unit + class.n_methods as u32;
        let units = attributed.units.range(class.first_unit..last_unit);
        let methods: Vec<ReliedMethod> = units
            .map(|(unit, reliance)| {
                let position = unit - class.first_unit;
                ReliedMethod {
                    method: class.shape.methods.get(position as usize).cloned(),
                    position,
                    reliance,
                }
            })
            .collect();
        let is_whole = attributed.whole.contains(class_number);
        if !methods.is_empty() || is_whole {
            relied.push(ReliedClass {
                name: class.name.clone(),
                is_whole,
                methods,
            });
        }
    }
    relied.sort_by(|a, b| a.name.cmp(&b.name));
    relied
}

fn relied_accesses(attributed: &Attributed, accesses: &[Accessed]) -> Vec<ReliedAccess> {
    let told = N_UNITS..N_UNITS + accesses.len() as u32;
    let relied = attributed.units.range(told);
    let relied = relied.filter_map(|(unit, reliance)| {
        let accessed = accesses.get((unit - N_UNITS) as usize)?;
        Some(ReliedAccess {
            accessed: accessed.clone(),
            reliance,
        })
    });
    relied.collect()
}

/// The names of units.
struct Units(BTreeMap<u32, (ClassName, MethodId)>);

impl Units {
    fn new<'c>(classes: impl Iterator<Item = &'c ClassTrace>) -> Self {
        let units = classes.flat_map(|class| {
            let methods = (class.first_unit..).zip(&class.methods);
            methods.map(|(unit, ran)| (unit, (class.name.clone(), ran.method.clone())))
        });
        Self(units.collect())
    }

    /// Those that have one.
    fn names(&self, units: &UnitSet) -> Vec<(ClassName, MethodId)> {
        let names = units.iter().filter_map(|unit| self.0.get(&unit).cloned());
        names.collect()
    }
}
