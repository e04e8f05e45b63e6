//! What the JVMs of a command ran, as `tamis trace` shows it.

use serde::Serialize;
use tamis_engine::{ClassTrace, Ending, FileMatch, JvmTrace, RanMethod, Trace};
use tamis_facts::{ClassName, MethodId};

use super::entity::{AccessView, EntityView};
use crate::escape;

/// The document that `tamis trace --format json` prints.
#[derive(Debug, Serialize)]
pub(crate) struct TraceReport {
    format: &'static str,
    pub(crate) jvms: Vec<JvmView>,
}

/// A JVM that was watched.
#[derive(Debug, Serialize)]
pub(crate) struct JvmView {
    pub(crate) pid: u32,
    pub(crate) vm_version: String,
    pub(crate) java_home: String,
    pub(crate) command: String,
    pub(crate) ending: EndingView,
    /// What the build tool said of its tests; empty where it said nothing.
    label: String,
    /// The watched JVM that started it, by process.
    pub(crate) parent: Option<u32>,
    /// Frameworks whose tests were not recognised.
    pub(crate) unsupported: Vec<UnsupportedView>,
    pub(crate) entities: Vec<EntityView>,
    pub(crate) classes: Vec<TracedClassView>,
    /// What it did with files, each once.
    pub(crate) files: Vec<AccessView>,
    /// Why it was not seen what it did with files, if so.
    pub(crate) unseen_files: Option<String>,
}

/// A framework whose tests were not recognised.
#[derive(Debug, Serialize)]
pub(crate) struct UnsupportedView {
    pub(crate) framework: String,
    pub(crate) reason: String,
}

/// Whether everything that ran is known.
#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub(crate) enum EndingView {
    Complete,
    Incomplete { reason: String },
    Lost,
    Garbled { reason: String },
    StillRunning,
    Contradictory,
}

/// A class that was loaded.
#[derive(Debug, Serialize)]
pub(crate) struct TracedClassView {
    pub(crate) name: String,
    loaders: Vec<u32>,
    pub(crate) file: FileView,
    /// Why it was not probed; such a class may have run any of its methods.
    pub(crate) refused: Option<String>,
    pub(crate) n_methods: usize,
    pub(crate) n_ran: usize,
    /// None where no file has the bytes that were loaded.
    pub(crate) methods: Vec<TracedMethodView>,
    /// What ran while the class was initialised.
    initialisation: Vec<UnitView>,
}

/// Where the class came from.
#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub(crate) enum FileView {
    Found { location: String },
    OtherBytes { location: String },
    Generated,
    Unknown { place: String },
}

#[derive(Debug, Serialize)]
pub(crate) struct TracedMethodView {
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) ran: bool,
}

#[derive(Debug, Serialize)]
struct UnitView {
    class: String,
    name: String,
    descriptor: String,
}

impl TraceReport {
    pub(crate) fn new(trace: &Trace) -> Self {
        Self {
            format: "tamis.trace/1",
            jvms: trace
                .jvms
                .iter()
                .map(|jvm| JvmView::new(jvm, trace))
                .collect(),
        }
    }
}

impl JvmView {
    fn new(trace: &JvmTrace, all: &Trace) -> Self {
        let hello = &trace.jvm.hello;
        let parent = hello.parent.and_then(|parent| {
            let jvms = all.jvms.iter();
            jvms.map(|other| &other.jvm)
                .find(|other| other.number == parent.jvm)
        });
        let unsupported = trace.jvm.unsupported.iter();
        Self {
            pid: hello.pid,
            vm_version: escape::name(&hello.vm_version),
            java_home: escape::name(&hello.java_home),
            command: escape::name(&hello.command),
            ending: EndingView::new(&trace.jvm.ending),
            label: escape::name(&hello.label),
            parent: parent.map(|parent| parent.hello.pid),
            unsupported: unsupported
                .map(|unsupported| UnsupportedView {
                    framework: escape::name(&unsupported.framework),
                    reason: escape::name(&unsupported.reason),
                })
                .collect(),
            entities: EntityView::all(trace, all),
            classes: trace.classes.iter().map(TracedClassView::new).collect(),
            files: trace.jvm.accesses.iter().map(AccessView::new).collect(),
            unseen_files: trace
                .jvm
                .unseen
                .first()
                .map(|unseen| escape::name(&unseen.reason)),
        }
    }
}

impl EndingView {
    fn new(ending: &Ending) -> Self {
        match ending {
            Ending::Complete => Self::Complete,
            Ending::Incomplete(reason) => Self::Incomplete {
                reason: reason.clone(),
            },
            Ending::Lost => Self::Lost,
            Ending::Garbled(error) => Self::Garbled {
                reason: error.to_string(),
            },
            Ending::StillRunning => Self::StillRunning,
            Ending::Contradictory => Self::Contradictory,
        }
    }
}

impl TracedClassView {
    fn new(class: &ClassTrace) -> Self {
        Self {
            name: class_text(&class.name),
            loaders: class.loaders.clone(),
            file: FileView::new(&class.file),
            refused: class.refused.clone(),
            n_methods: class.n_methods,
            n_ran: class.n_ran,
            methods: class.methods.iter().map(TracedMethodView::new).collect(),
            initialisation: class.initialisation.iter().map(UnitView::new).collect(),
        }
    }
}

impl FileView {
    fn new(file: &FileMatch) -> Self {
        match file {
            FileMatch::Found { location } => Self::Found {
                location: location.clone(),
            },
            FileMatch::OtherBytes { location } => Self::OtherBytes {
                location: location.clone(),
            },
            FileMatch::Generated => Self::Generated,
            FileMatch::Unknown { place } => Self::Unknown {
                place: place.clone(),
            },
        }
    }
}

impl TracedMethodView {
    fn new(method: &RanMethod) -> Self {
        let [name, descriptor] = method_text(&method.method);
        Self {
            name,
            descriptor,
            ran: method.ran,
        }
    }
}

impl UnitView {
    fn new((class, method): &(ClassName, MethodId)) -> Self {
        let [name, descriptor] = method_text(method);
        Self {
            class: class_text(class),
            name,
            descriptor,
        }
    }
}

fn class_text(name: &ClassName) -> String {
    escape::name(name.as_bytes())
}

fn method_text(method: &MethodId) -> [String; 2] {
    [&method.name, &method.descriptor].map(|text| escape::name(text.as_bytes()))
}
