//! What Java code asks of classes and of other programs, seen where the JDK's native methods get it.
//!
//! `natives.rs` stands in front of those methods. Nothing here runs Java code or loads a class.

mod address;
mod name;

use std::collections::BTreeSet;
use std::ffi::c_int;

use tamis_facts::ClassName;
use tamis_wire::Sighting;

use crate::jni::{Jni, Object};
use crate::jvmti::Jvmti;
use crate::natives::{Arguments, Question, Subject, interfaces};
use crate::origin::Origins;

/// The eyes of the agent on what is asked for.
pub(crate) struct Questions {
    jvmti: Jvmti,
}

impl Questions {
    pub(crate) fn new(jvmti: Jvmti) -> Self {
        Self { jvmti }
    }

    /// What a native method is about to ask for; nothing if that does not count.
    pub(crate) fn sightings(
        &self,
        jni: &Jni<'_>,
        origins: &Origins,
        question: Question,
        arguments: &Arguments<'_>,
    ) -> Vec<Sighting> {
        let one = |sighting: Option<Sighting>| sighting.into_iter().collect();
        let members = |class| one(self.members(jni, origins, class));
        match question {
            Question::Class(index) => one(class(jni, arguments.object(index)).map(Sighting::Class)),
            Question::LookedFor(index) => {
                one(class(jni, arguments.object(index)).map(Sighting::LookedFor))
            }
            Question::Members(Subject::This) => members(arguments.this()),
            Question::Members(Subject::Class(index)) => members(arguments.object(index)),
            Question::Members(Subject::OfThis) => {
                let class = class_of_member(jni, arguments.this());
                let sighting = members(class);
                if let Some(class) = class {
                    jni.delete(class);
                }
                sighting
            }
            Question::Member(index) => {
                let class = class_of_member(jni, arguments.object(index));
                self.members_above(jni, origins, class)
            }
            Question::Network(peer) => {
                let address = address::text(jni, self.jvmti, peer, arguments);
                vec![Sighting::Network(address)]
            }
        }
    }

    fn members<'j>(
        &self,
        jni: &Jni<'j>,
        origins: &Origins,
        class: Option<Object<'j>>,
    ) -> Option<Sighting> {
        declarations(&self.signature(jni, origins, class?)?)
    }

    /// The class of a member that is looked for, and its supertypes: it is looked for in all of them.
    fn members_above<'j>(
        &self,
        jni: &Jni<'j>,
        origins: &Origins,
        class: Option<Object<'j>>,
    ) -> Vec<Sighting> {
        let mut signatures = BTreeSet::new();
        let mut rest = Vec::from_iter(class);
        while let Some(class) = rest.pop() {
            // Classes of the JDK have no others above them, and its own look-ups in classes of lambdas ask for
            // what those declare.
            if let Some(signature) = self.signature(jni, origins, class)
                && !name::is_lambda(&signature)
                && signatures.insert(signature)
            {
                rest.extend(jni.superclass(class));
                if let Some(interfaces) = interfaces(jni, class) {
                    rest.extend(jni.elements(interfaces));
                    jni.delete(interfaces);
                }
                jni.announce_references(c_int::try_from(rest.len()).unwrap_or(c_int::MAX));
            }
            jni.delete(class);
        }
        if signatures.is_empty() || self.is_for_constant(jni) {
            return Vec::new();
        }
        let sightings = signatures
            .iter()
            .filter_map(|signature| declarations(signature));
        sightings.collect()
    }

    /// The signature of a class; nothing if it is the JDK's.
    fn signature<'j>(
        &self,
        jni: &Jni<'j>,
        origins: &Origins,
        class: Object<'j>,
    ) -> Option<Vec<u8>> {
        let loader = self.jvmti.loader(jni, class)?;
        let number = origins.number(jni, loader);
        jni.delete(loader);
        number?;
        self.jvmti.signature(class)
    }

    /// Whether the JVM resolves a constant of a class. What code names is known from its class file, and every
    /// lambda has such a constant.
    fn is_for_constant(&self, jni: &Jni<'_>) -> bool {
        // There are four or five methods between, all of the JDK's.
        const MAX_DEPTH: usize = 8;
        let Some(thread) = self.jvmti.current_thread(jni) else {
            return false;
        };
        let stack = self.jvmti.stack(thread, MAX_DEPTH).unwrap_or_default();
        jni.delete(thread);
        let names = stack.iter().map(|method| self.jvmti.method_name(*method));
        let mut names = names.map(Option::unwrap_or_default);
        let asker = names.find(|name| !name.starts_with(b"resolve"));
        asker.is_some_and(|name| name == b"linkMethodHandleConstant")
    }
}

/// A class, by its name.
fn class(jni: &Jni<'_>, name: Option<Object<'_>>) -> Option<ClassName> {
    name::internal(&jni.text(name?)?)
}

/// The declarations of a class, by its signature; nothing if it was made in memory.
fn declarations(signature: &[u8]) -> Option<Sighting> {
    let name = name::of_class_file(signature)?;
    Some(Sighting::Members(ClassName::from(name)))
}

/// The class of a member, of `java.lang.reflect` as of `java.lang.invoke`.
fn class_of_member<'j>(jni: &Jni<'j>, member: Option<Object<'j>>) -> Option<Object<'j>> {
    jni.field(member?, c"clazz", c"Ljava/lang/Class;")
}
