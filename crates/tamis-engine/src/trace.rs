//! A command with the agent in its JVMs, and what they ran.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use tamis_agent::AGENT;
use tamis_build::{
    AgentFileError, AgentLibrary, CachePlaces, FileMatch, Jdk, MavenAgent, MavenNote, MavenRun,
    MavenRunError, is_maven, launchers_of,
};
use tamis_facts::{ClassName, MethodId};
use tamis_wire::{ClassLoaded, ContentHash, Discovered, Granularity, Probing, UnitSet};

use crate::attribution::{Attributed, Classes, Reliance, attribute};
use crate::class_files::{ClassFiles, RanMethod};
use crate::class_shape::ClassShape;
use crate::conversation::{Ending, WatchedJvm};
use crate::listener::Listener;

/// What the JVMs of a command are asked for, and told.
#[derive(Clone, Copy)]
pub struct Watching<'w> {
    /// What counts as an entity.
    pub granularity: Granularity,
    /// Whether an entity is to be skipped.
    pub is_skipped: &'w (dyn Fn(&Discovered) -> bool + Sync),
}

impl Default for Watching<'_> {
    /// Test classes are entities, and all of them run.
    fn default() -> Self {
        Self {
            granularity: Granularity::Class,
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

/// What a JVM ran of a class.
#[derive(Debug)]
pub struct ClassTrace {
    /// The name.
    pub name: ClassName,
    /// The loaders that loaded it, by number.
    pub loaders: Vec<u32>,
    /// Where its file lies.
    pub file: FileMatch,
    /// Why it was not probed, if so.
    pub refused: Option<String>,
    /// Its methods that have code, in the order of the file; none where there is no such file.
    pub methods: Vec<RanMethod>,
    /// How many methods that have code it has, if it was probed.
    pub n_methods: usize,
    /// How many of them ran.
    pub n_ran: usize,
    /// What ran while it was initialised: its own methods and others.
    pub initialisation: Vec<(ClassName, MethodId)>,
    first_unit: u32,
    shape: ClassShape,
}

/// What an entity relies on.
#[derive(Debug)]
pub struct EntityTrace {
    /// Its number among the entities of the JVM.
    pub number: u32,
    /// Classes, sorted by name, with what the entity relies on of them.
    pub classes: Vec<ReliedClass>,
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

/// The command could not be run with the agent.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The agent cannot be loaded from anywhere.
    #[error(transparent)]
    Agent(#[from] AgentFileError),
    /// Maven cannot be given the agent.
    #[error(transparent)]
    Maven(#[from] MavenRunError),
    /// There is no socket for agents to connect to.
    #[error("cannot listen for agents")]
    Listen(#[source] io::Error),
    /// The program cannot be started.
    #[error("cannot start `{}`", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// Why.
        #[source]
        cause: io::Error,
    },
}

/// Runs a command with the agent in its JVMs.
///
/// Maven puts the agent into the JVMs of tests itself, by an extension. Any other command gets it by
/// `JAVA_TOOL_OPTIONS`, which each JVM announces by a line on standard error.
pub fn trace(
    program: &OsStr,
    arguments: &[OsString],
    watching: &Watching<'_>,
) -> Result<Trace, TraceError> {
    let key = ContentHash::of(AGENT).to_string();
    let library = AgentLibrary {
        bytes: AGENT,
        key: &key,
    };
    let launchers = launchers_of(Path::new(program));
    let agent = CachePlaces::of_this_process().install(&library, &launchers)?;
    let listener = Listener::new().map_err(TraceError::Listen)?;
    let options = listener.options().encode();
    let mut command = Command::new(program);
    let mut maven = None;
    if is_maven(program) {
        let agent = MavenAgent {
            library: &agent,
            options: &options,
            proven_homes: &library.proven_homes(&agent, &with_jdks(launchers)),
        };
        let run = MavenRun::prepare(listener.directory(), &agent, arguments)?;
        command.args(&run.arguments);
        maven = Some(run);
    } else {
        let option = agent_option(&agent, &options);
        command
            .args(arguments)
            .env("JAVA_TOOL_OPTIONS", with_users_options(option));
    }
    let (status, jvms) = listener.during(watching, || command.status());
    let status = status.map_err(|cause| TraceError::Start {
        program: program.into(),
        cause,
    })?;
    let jvms = jvms.into_iter();
    let jvms = jvms.map(|(jvm, files)| JvmTrace::new(jvm, &files));
    Ok(Trace {
        status,
        jvms: jvms.collect(),
        notes: maven.map_or_else(Vec::new, |run| run.notes()),
    })
}

/// A build may run its tests on any JDK of the machine. One that cannot be used is only not proven.
fn with_jdks(mut launchers: Vec<PathBuf>) -> Vec<PathBuf> {
    let found = Jdk::find().unwrap_or_default();
    launchers.extend(found.jdks.iter().map(Jdk::java));
    launchers
}

/// A path with spaces in it needs quotes; which kind does not matter to a JVM.
fn agent_option(agent: &Path, options: &str) -> OsString {
    let mut option = OsString::from("-agentpath:");
    option.push(agent);
    option.push("=");
    option.push(options);
    let text = option.to_string_lossy();
    if !text.contains(char::is_whitespace) {
        return option;
    }
    let quote = if text.contains('\'') { "\"" } else { "'" };
    let mut quoted = OsString::from(quote);
    quoted.push(&option);
    quoted.push(quote);
    quoted
}

/// What the user had set stays, behind the agent.
fn with_users_options(mut option: OsString) -> OsString {
    if let Some(users) = env::var_os("JAVA_TOOL_OPTIONS").filter(|users| !users.is_empty()) {
        option.push(" ");
        option.push(users);
    }
    option
}

impl JvmTrace {
    fn new(jvm: WatchedJvm, files: &ClassFiles) -> Self {
        let ran = jvm.all_units();
        let mut by_number: BTreeMap<u32, ClassTrace> = BTreeMap::new();
        for class in &jvm.classes {
            // The same class in another loader comes with the same number.
            let known = by_number
                .entry(class.number)
                .or_insert_with(|| ClassTrace::new(class, files, &ran));
            known.loaders.push(class.loader);
        }
        let units = Units::new(by_number.values());
        for (number, ran) in &jvm.initialisers {
            if let Some(class) = by_number.get_mut(number) {
                class.initialisation = units.names(ran);
            }
        }
        let attributed = {
            let shapes = jvm.classes.iter().map(|class| {
                let trace = &by_number[&class.number];
                (class, &trace.shape)
            });
            attribute(&jvm, &Classes::new(shapes))
        };
        let entities = attributed
            .into_iter()
            .map(|(number, attributed)| EntityTrace::new(number, &attributed, &by_number))
            .collect();
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

impl EntityTrace {
    fn new(number: u32, attributed: &Attributed, classes: &BTreeMap<u32, ClassTrace>) -> Self {
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
                        reliance: *reliance,
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
        Self {
            number,
            classes: relied,
        }
    }
}

impl ClassTrace {
    fn new(class: &ClassLoaded, files: &ClassFiles, ran: &UnitSet) -> Self {
        let (file, shape) = files.find(&class.name, &class.origin, class.hash);
        let (first_unit, n_methods, refused) = match &class.probing {
            Probing::Probed { first, n_units, .. } => (*first, *n_units, None),
            Probing::Refused(reason) => (0, 0, Some(String::from_utf8_lossy(reason).into_owned())),
        };
        let shape = shape.unwrap_or_else(|| ClassShape::of_names(&class.names, n_methods));
        let units = first_unit..first_unit + n_methods;
        let methods = units
            .clone()
            .zip(&shape.methods)
            .map(|(unit, method)| RanMethod {
                method: method.clone(),
                ran: ran.contains(unit),
            });
        Self {
            name: class.name.clone(),
            loaders: Vec::new(),
            file,
            refused,
            methods: methods.collect(),
            n_methods: n_methods as usize,
            n_ran: units.filter(|unit| ran.contains(*unit)).count(),
            initialisation: Vec::new(),
            first_unit,
            shape,
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_spaces_is_quoted() {
        let check = |path: &str, expected: &str| {
            assert_eq!(agent_option(Path::new(path), "o"), OsStr::new(expected));
        };
        check("/a/b.so", "-agentpath:/a/b.so=o");
        check("/a b.so", "'-agentpath:/a b.so=o'");
        check("/it's b.so", "\"-agentpath:/it's b.so=o\"");
    }
}
