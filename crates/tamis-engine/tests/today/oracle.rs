//! What is true of a class, found the long way: every class is taken apart, and members are looked for one by
//! one.

use tamis_classfile::checksum::{ClassChecksums, DebugInfo, Digest as _, MethodChecksum};
use tamis_facts::{Checksum, Fact, FieldId, MethodId, Subject};
use tamis_select::{Blake3, ClassState};

/// A class, taken apart.
pub(crate) struct Summed {
    plain: Checksum,
    checksums: Option<ClassChecksums>,
}

impl Summed {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let state = ClassState::of(bytes, DebugInfo::Ignored);
        Self {
            plain: state.plain,
            checksums: state.parts.ok().map(|parts| parts.checksums),
        }
    }

    pub(crate) fn smart(&self) -> Checksum {
        self.checksums
            .as_ref()
            .map_or(self.plain, |sums| sums.smart)
    }
}

/// What a record may say of a class: all that is there, and some things that are not.
pub(crate) fn facts_of(bytes: &[u8]) -> Vec<Fact> {
    let Some(sums) = Summed::of(bytes).checksums else {
        return Vec::new();
    };
    let name = || sums.name.clone();
    let known = |subject, value| Fact {
        subject,
        value: Some(value),
    };
    let mut facts = vec![
        known(Subject::Class(name()), sums.smart),
        known(Subject::Head(name()), head(&sums)),
        known(Subject::Members(name()), sums.members),
    ];
    for method in &sums.methods {
        let subject = Subject::Method(name(), method.id.clone());
        facts.push(known(subject, method.checksum));
    }
    for field in &sums.fields {
        let subject = Subject::Field(name(), field.id.clone());
        facts.push(known(subject, field.checksum));
    }
    for missing in ["<clinit>", "toString", "lambda$f$1", "access$000"] {
        let id = MethodId {
            name: missing.into(),
            descriptor: "()V".into(),
        };
        if sums.methods.iter().all(|method| method.id != id) {
            let subject = Subject::Method(name(), id);
            facts.push(Fact {
                subject,
                value: None,
            });
        }
    }
    let id = FieldId {
        name: "x".into(),
        descriptor: "J".into(),
    };
    if sums.fields.iter().all(|field| field.id != id) {
        let subject = Subject::Field(name(), id);
        facts.push(Fact {
            subject,
            value: None,
        });
    }
    facts
}

/// Whether a fact about a class is true of it; none where there is no such class.
pub(crate) fn is_true(fact: &Fact, today: Option<&Summed>) -> bool {
    let Some(today) = today else {
        return fact.value.is_none();
    };
    let sums = match &fact.subject {
        Subject::Class(_) | Subject::Whole(_) => return fact.value == Some(today.smart()),
        _ => &today.checksums,
    };
    let Some(sums) = sums else {
        return false;
    };
    match &fact.subject {
        Subject::Head(_) => fact.value == Some(head(sums)),
        Subject::Members(_) => fact.value == Some(sums.members),
        Subject::Field(_, id) => {
            let found = sums.fields.iter().find(|field| field.id == *id);
            found.map(|field| field.checksum) == fact.value
        }
        Subject::Method(_, id) => is_method_true(id, fact.value, sums),
        other => panic!("{other} is not about a class"),
    }
}

fn is_method_true(id: &MethodId, value: Option<Checksum>, sums: &ClassChecksums) -> bool {
    let is_named = |method: &&MethodChecksum| method.id == *id && !method.is_known_by_content;
    let named = sums.methods.iter().find(is_named);
    match (named, value) {
        (Some(method), value) => Some(method.checksum) == value,
        (None, None) => true,
        (None, Some(checksum)) => sums.methods.iter().any(|method| {
            method.is_known_by_content
                && method.checksum == checksum
                && method.id.descriptor == id.descriptor
                && without_number(&method.id) == without_number(id)
        }),
    }
}

fn without_number(id: &MethodId) -> &[u8] {
    let name = id.name.as_bytes();
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit());
    &name[..name.len() - digits.count()]
}

fn head(sums: &ClassChecksums) -> Checksum {
    Blake3.digest(&[sums.head.0, sums.signatures.0].concat())
}
