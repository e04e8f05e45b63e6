//! What test frameworks tell through their doors, as entities that are shown, begin and end.
//!
//! Objects of a framework are known again by the numbers put on them (JVMTI tags), so that most
//! boundaries cost no call into the framework.

mod junit4;
mod platform;

use std::time::Instant;

use tamis_wire::Outcome;

use crate::guard::lock;
use crate::jni::{Jni, Object};
use crate::segments::Start;
use crate::watch::Watch;

impl Watch {
    /// A node begins, and with it perhaps an entity.
    fn begin_node(&self, jni: &Jni<'_>, node: u32) {
        let now = Instant::now();
        let begun = lock(&self.entities).begin_node(node, now);
        for entity in begun {
            self.begin_entity(jni, entity, Start::Node);
        }
    }

    /// A node ends, and with it perhaps an entity.
    fn end_node(&self, jni: &Jni<'_>, node: u32, outcome: Outcome) {
        let now = Instant::now();
        let ended = lock(&self.entities).end_node(node, outcome, now);
        for entity in ended {
            self.end_entity(jni, entity);
        }
    }
}

/// Visits a copy of the collection: what is visited may be taken out of it.
fn for_each<'j>(jni: &Jni<'j>, collection: Object<'j>, visit: &mut dyn FnMut(Object<'j>)) {
    jni.in_frame(|| {
        let array = jni.call(collection, c"toArray", c"()[Ljava/lang/Object;")?;
        for element in jni.elements(array) {
            visit(element);
            jni.delete(element);
        }
        Some(())
    });
}
