//! The native methods of the JDK that the agent stands in front of. All that Java code does with files, and most of
//! what it asks of classes and of other machines, goes through a few of them.
//!
//! `table.rs` lists those methods, `wrap.rs` stands in front of them, `arguments.rs` reads what they are called
//! with. What that means is told by `files.rs` and `questions.rs`.

mod arguments;
mod table;
mod wrap;

use std::ffi::c_void;

use tamis_wire::Sight;

use self::table::Sort;
use crate::jvmti::{Jvmti, MethodNames};
use crate::raw::jvmti::Capabilities;

pub(crate) use self::arguments::{Arguments, Unreadable, from_modified_utf8, path_of_text};
pub(crate) use self::table::{Does, Doing, Peer, Place, Question, Subject};
pub(crate) use self::wrap::interfaces;

/// What is seen at native methods.
pub(crate) const SIGHTS: &[Sight] = &[
    Sight::Files,
    Sight::Classes,
    Sight::Reflection,
    Sight::Network,
];

/// Stands in front of native methods as they get their code.
pub(crate) struct Natives {
    /// Whether this JDK's natives are those of the table.
    is_known_jdk: bool,
    /// A row of the table that is taken for missing, in tests.
    doctored: Option<String>,
}

/// What the agent makes of a native method that gets its code.
pub(crate) enum Binding {
    /// The code to use instead.
    Replaced(*mut c_void),
    Left,
    /// It may do something that is to be seen: what is not seen then, and why.
    Unknown(&'static [Sight], String),
}

impl Natives {
    /// Also gives why not everything will be seen.
    pub(crate) fn new(jvmti: Jvmti, doctored: Option<String>) -> (Self, Option<&'static str>) {
        let feature = jvmti.feature();
        let is_known_jdk = feature.is_some_and(|feature| feature <= table::LAST_FEATURE);
        // Without it some natives get their code before the agent hears of any.
        let is_early =
            feature == Some(8) || jvmti.add_capabilities(&Capabilities::CAN_GENERATE_EARLY_VMSTART);
        let reason = match (is_known_jdk, is_early) {
            (false, _) => Some("the native methods of this JDK are not known yet"),
            (true, false) => Some("this JVM binds native methods before the agent sees it"),
            (true, true) => None,
        };
        let natives = Self {
            is_known_jdk,
            doctored,
        };
        (natives, reason)
    }

    /// A native method gets its code.
    pub(crate) fn bind(&self, method: &MethodNames, code: *mut c_void) -> Binding {
        // Natives of others may be called like those of the JDK.
        if !self.is_known_jdk || method.has_loader {
            return Binding::Left;
        }
        let MethodNames {
            class,
            name,
            descriptor,
            ..
        } = method;
        let sights = match table::sort(class, name, descriptor, self.doctored.as_deref()) {
            Sort::Harmless => return Binding::Left,
            Sort::Unknown(sights) => sights,
            Sort::Known(row) => match wrap::replace(row, descriptor, code) {
                Some(ours) => return Binding::Replaced(ours),
                None => table::NATIVES[row].does.sights(),
            },
        };
        let reason = format!("{UNKNOWN}: {}.{name}", class.replace('/', "."));
        Binding::Unknown(sights, reason)
    }
}

const UNKNOWN: &str = "this JDK has a native method that the agent does not know";
