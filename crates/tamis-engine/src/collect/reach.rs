//! What can be reached from a static field: fields of objects and arrays that code may change there.
//!
//! Types decide: of each class the fields of its objects, of a class that can be extended those of all classes below it that
//! the JVM has loaded. What a field held in this run was an object of a loaded class, and it can only be one of another class
//! if code changes that set the field, which is a fact for whoever uses it. Where a type says nothing (interfaces, which
//! lambdas implement, and mutable classes of the JDK, collections above all), everything may change. Loggers are left out
//! (`harness.rs`).

use std::collections::BTreeSet;

use tamis_classfile::AccessFlags;
use tamis_facts::{ClassName, FieldId};

use super::FactTable;
use super::changes::ArrayKinds;
use super::class_table::{ClassTable, NameId};
use super::harness::is_logging;
use crate::class_info::{ClassInfo, FieldInfo, NamedMember};
use crate::held::Held;

/// What may change below a field.
#[derive(Debug, Default)]
pub(super) struct Reach {
    /// Whether there is something of which nothing is known.
    pub(super) is_open: bool,
    /// Fields of objects, by number.
    pub(super) fields: BTreeSet<u32>,
    pub(super) arrays: ArrayKinds,
    /// Arrays that only reflection can get hold of: their classes keep them to themselves (`kept.rs`).
    pub(super) kept: ArrayKinds,
}

/// Objects of these classes of the JDK never change, nor do those of classes below them.
const IMMUTABLE: &[&str] = &[
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Class",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/String",
    "java/math/BigDecimal",
    "java/math/BigInteger",
    "java/net/URI",
    "java/nio/charset/Charset",
    "java/time/DayOfWeek",
    "java/time/Duration",
    "java/time/Instant",
    "java/time/LocalDate",
    "java/time/LocalDateTime",
    "java/time/LocalTime",
    "java/time/Month",
    "java/time/OffsetDateTime",
    "java/time/Period",
    "java/time/ZoneId",
    "java/time/ZoneOffset",
    "java/time/ZonedDateTime",
    "java/time/format/DateTimeFormatter",
    "java/util/Currency",
    "java/util/Locale",
    "java/util/UUID",
    "java/util/concurrent/TimeUnit",
    "java/util/regex/Pattern",
];

/// Types of the JDK's that objects of all kinds are of, which have nothing to do with each other.
const SAYING_NOTHING: &[&str] = &[
    "java/io/Serializable",
    "java/lang/AutoCloseable",
    "java/lang/Cloneable",
    "java/lang/Comparable",
    "java/lang/Object",
];

/// Superclasses of the JDK that have nothing in them that changes.
const EMPTY_SUPERCLASSES: &[&str] = &[
    "java/lang/Enum",
    "java/lang/Number",
    "java/lang/Object",
    "java/lang/Record",
];

impl Reach {
    /// What can be reached from a static field of a class.
    pub(super) fn of(
        class: NameId,
        field: &FieldId,
        info: &FieldInfo,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) -> Self {
        let mut walk = Walk::new(classes, facts);
        walk.held_by(class, field, info);
        walk.finish().reach
    }

    /// The classes on the class path of which a static field may lead to objects that can change.
    pub(super) fn types(
        class: NameId,
        field: &FieldId,
        info: &FieldInfo,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) -> BTreeSet<NameId> {
        let mut walk = Walk::new(classes, facts);
        walk.goes_on = true;
        walk.held_by(class, field, info);
        walk.finish().changing
    }

    /// Whether nothing below the field can change.
    pub(super) fn is_nothing(&self) -> bool {
        !self.is_open && self.fields.is_empty() && self.arrays.is_empty() && self.kept.is_empty()
    }
}

/// On the way through types.
struct Walk<'w, 'c> {
    reach: Reach,
    /// Classes of which, and of those below them, objects are still to be looked at.
    types: Vec<ClassName>,
    seen_types: BTreeSet<ClassName>,
    /// Classes whose fields were looked at.
    seen_classes: BTreeSet<NameId>,
    /// Whether it goes on once something is open.
    goes_on: bool,
    /// Classes whose objects have something in them that can change.
    changing: BTreeSet<NameId>,
    classes: &'w mut ClassTable<'c>,
    facts: &'w mut FactTable,
}

impl<'w, 'c> Walk<'w, 'c> {
    fn new(classes: &'w mut ClassTable<'c>, facts: &'w mut FactTable) -> Self {
        Self {
            reach: Reach::default(),
            types: Vec::new(),
            seen_types: BTreeSet::new(),
            seen_classes: BTreeSet::new(),
            goes_on: false,
            changing: BTreeSet::new(),
            classes,
            facts,
        }
    }

    /// Begins with a static field.
    fn held_by(&mut self, class: NameId, field: &FieldId, info: &FieldInfo) {
        match &info.held {
            Some(Held::Fixed) => {}
            Some(Held::Exactly(class)) if is_among(IMMUTABLE, class) => {}
            Some(Held::Exactly(class)) => self.object_of(class),
            None => self.value_in(class, field, info),
        }
    }

    /// Looks at all types that were found. Once something is open, the rest makes no difference to what can be reached.
    fn finish(mut self) -> Self {
        while let Some(class) = self.types.pop() {
            if self.reach.is_open && !self.goes_on {
                break;
            }
            let is_left_out = is_among(IMMUTABLE, &class)
                || self.goes_on && is_among(SAYING_NOTHING, &class)
                || self.is_logger(&class);
            if self.seen_types.insert(class.clone()) && !is_left_out {
                self.object_of(&class);
                self.types
                    .extend_from_slice(self.classes.loaded_below(&class));
            }
        }
        self
    }

    /// Whether a class belongs to a library for logging, and not to the code under test.
    fn is_logger(&mut self, class: &ClassName) -> bool {
        if !is_logging(class) {
            return false;
        }
        let id = self.classes.id(class);
        let used = self.classes.get(id, self.facts);
        let file = used.file.as_ref();
        file.is_none_or(|file| file.keeps_own_state(class))
    }

    /// What a field of a class holds, by its type.
    fn value_in(&mut self, class: NameId, field: &FieldId, info: &FieldInfo) {
        let descriptor = field.descriptor.as_bytes();
        let kinds = ArrayKinds::of_type(descriptor);
        if info.is_kept && !self.is_named_in_nest(class, field) {
            self.reach.kept.add(kinds);
        } else {
            self.reach.arrays.add(kinds);
        }
        let n_dimensions = descriptor.iter().take_while(|byte| **byte == b'[').count();
        if let [b'L', class @ .., b';'] = &descriptor[n_dimensions..] {
            self.types.push(class.into());
        }
    }

    /// Whether another class may name a private field of a class: those of its nest can (JVMS 5.4.4).
    fn is_named_in_nest(&mut self, class: NameId, field: &FieldId) -> bool {
        let own = self.classes.name(class).clone();
        let host = match self.classes.get(class, self.facts).file.as_ref() {
            Some(file) => file.info.nest_host.clone().unwrap_or_else(|| own.clone()),
            None => return true,
        };
        let host_id = self.classes.id(&host);
        let host_class = self.classes.get(host_id, self.facts);
        let Some(host_file) = host_class.file.as_ref() else {
            return true;
        };
        let mates = [&host].into_iter().chain(&host_file.info.nest_members);
        let mut mates = mates.filter(|mate| **mate != own);
        mates.any(|mate| self.may_name(mate, &own, field))
    }

    /// Whether code of a class names a field of another one, be it through one below that.
    fn may_name(&mut self, class: &ClassName, owner: &ClassName, field: &FieldId) -> bool {
        let id = self.classes.id(class);
        let used = self.classes.get(id, self.facts);
        let Some(file) = used.file.as_ref() else {
            return true;
        };
        let mut members = file.info.units.iter().flat_map(|unit| &unit.members);
        members.any(|member| match member {
            NamedMember::Field(named, id) if id == field => {
                named == owner || !self.declares(named, field)
            }
            _ => false,
        })
    }

    fn declares(&mut self, class: &ClassName, field: &FieldId) -> bool {
        let id = self.classes.id(class);
        let used = self.classes.get(id, self.facts);
        let file = used.file.as_ref();
        file.is_some_and(|file| file.info.fields.contains_key(field))
    }

    /// An object of just this class. Interfaces are open: nobody is told of the classes of lambdas.
    fn object_of(&mut self, class: &ClassName) {
        let mut next = Some(class.clone());
        while let Some(name) = next.take() {
            let is_superclass = name != *class;
            let id = self.classes.id(&name);
            if is_superclass && is_among(EMPTY_SUPERCLASSES, &name) || !self.seen_classes.insert(id)
            {
                return;
            }
            let used = self.classes.get(id, self.facts);
            let known = used.file.as_ref().map(|file| &file.info);
            let is_interface =
                |info: &&ClassInfo| info.access_flags.contains(AccessFlags::INTERFACE);
            let Some(info) = known.filter(|info| !is_interface(info)) else {
                self.reach.is_open = true;
                return;
            };
            for (field, declared) in &info.fields {
                self.instance_field(id, field, declared);
            }
            next.clone_from(&info.super_class);
        }
    }

    fn instance_field(&mut self, class: NameId, field: &FieldId, info: &FieldInfo) {
        if info.is_static {
            return;
        }
        if !info.is_final {
            let number = self.classes.field_number(class, field);
            self.reach.fields.insert(number);
        }
        if self.goes_on && (!info.is_final || self.holds_unseen(field, info)) {
            self.changing.insert(class);
        }
        self.value_in(class, field, info);
    }

    /// Whether what a field holds can change, and is no object of a class that is seen.
    fn holds_unseen(&mut self, field: &FieldId, info: &FieldInfo) -> bool {
        match field.descriptor.as_bytes() {
            [b'[', ..] => !info.is_kept,
            [b'L', class @ .., b';'] => {
                let class = ClassName::from(class);
                let id = self.classes.id(&class);
                let used = self.classes.get(id, self.facts);
                used.file.is_none() && !is_among(IMMUTABLE, &class)
            }
            _ => false,
        }
    }
}

fn is_among(names: &[&str], class: &ClassName) -> bool {
    names.iter().any(|name| name.as_bytes() == class.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;
    use std::time::SystemTime;

    use tamis_build::{ClassPath, path_text};
    use tamis_classfile::checksum::DebugInfo;
    use tamis_store::StatCache;
    use tamis_testkit::jdks::newest_jdk;
    use tamis_testkit::server::JavaServer;

    use super::*;
    use crate::collect::class_table::Loaded;
    use crate::today::ClassStates;

    const HOLDER: &str = "package p; import java.util.function.Supplier; public class Holder {
        static class Fixed { final int a = 1; final String b = \"b\"; }
        static class Chain { final Chain next = null; final Holder.Mode mode = Mode.ON; }
        static class Open { int a; }
        static class Below extends Open { }
        static class Table { final char[] letters = { 'a' }; }
        static class Private { private final char[] letters = { 'a' }; }
        static class Mate { char first() { return NAMED_IN_NEST[0]; } }
        enum Mode { ON; final int a = 1; }
        enum Count { ONE; int a; }
        static Object any() { return new Open(); }
        static final int NUMBER = any().hashCode();
        static final Supplier<String> LAMBDA = () -> \"a\";
        static final Supplier<String> CAPTURING = any()::toString;
        static final Object[] EMPTY = {};
        static final int[][] NO_ROWS = new int[0][];
        static final Object LOCK = new Object();
        static final Object EITHER = any() == null ? new Object() : new Open();
        static final Integer BOXED = Integer.valueOf(1);
        static final Fixed FIXED = new Fixed();
        static final Chain CHAIN = new Chain();
        static final Mode MODE = Mode.ON;
        static final Object OBJECT = any();
        static final Object OPEN = new Open();
        static final Below BELOW = new Below();
        static final Count COUNT = Count.ONE;
        static final Runnable RUNNABLE = null;
        static final char[] LETTERS = { 'a' };
        static final Table TABLE = new Table();
        static final java.util.Map<String, String> MAP = new java.util.HashMap<>();
        static String text;
        private static final char[] KEPT = { 'a' };
        private static final Open[] KEPT_OPEN = { new Open() };
        private static int[] kept_but_set = { 1 };
        private static final char[] NAMED_IN_NEST = { 'a' };
        static final Private PRIVATE = new Private();
    }";

    #[test]
    fn what_fields_lead_to() {
        let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
        let compiled = server.compile(&[], &[("p/Holder.java", HOLDER)]).unwrap();
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("p")).unwrap();
        for (name, bytes) in &compiled {
            fs::write(dir.path().join(format!("{name}.class")), bytes).unwrap();
        }
        let path = ClassPath::of_places(&[path_text(dir.path())], &Arc::default());
        let cache = StatCache::new(SystemTime::now());
        let states = ClassStates::new(&path, &cache, DebugInfo::Ignored);
        let mut classes = ClassTable::new(&states, Loaded::default());
        let mut facts = FactTable::default();
        let holder = classes.id(&"p/Holder".into());
        let used = classes.get(holder, &mut facts);
        let mut found = Vec::new();
        for (field, info) in &used.file.as_ref().unwrap().info.fields {
            let reach = Reach::of(holder, field, info, &mut classes, &mut facts);
            let arrays = ["I", "C", "La;"].map(|element| {
                let kind = ArrayKinds::of_type(format!("[{element}").as_bytes());
                let mut more = reach.arrays;
                more.add(kind);
                more == reach.arrays
            });
            let state = match reach {
                _ if reach.is_nothing() => "nothing".to_owned(),
                Reach { is_open: true, .. } => "open".to_owned(),
                _ if reach.arrays.is_empty() && !reach.kept.is_empty() => {
                    format!("{} fields, kept", reach.fields.len())
                }
                _ => format!("{} fields, arrays {arrays:?}", reach.fields.len()),
            };
            found.push(format!("{} {state}", field.name));
        }
        assert_eq!(
            found,
            [
                "BELOW 1 fields, arrays [false, false, false]",
                "BOXED nothing",
                "CAPTURING open",
                "CHAIN nothing",
                "COUNT 1 fields, arrays [false, false, false]",
                "EITHER open",
                "EMPTY nothing",
                "FIXED nothing",
                "KEPT 0 fields, kept",
                "KEPT_OPEN 1 fields, kept",
                "LAMBDA nothing",
                "LETTERS 0 fields, arrays [false, true, false]",
                "LOCK nothing",
                "MAP open",
                "MODE nothing",
                "NAMED_IN_NEST 0 fields, arrays [false, true, false]",
                "NO_ROWS nothing",
                "NUMBER nothing",
                "OBJECT open",
                "OPEN 1 fields, arrays [false, false, false]",
                "PRIVATE 0 fields, kept",
                "RUNNABLE open",
                "TABLE 0 fields, arrays [false, true, false]",
                "kept_but_set 0 fields, kept",
                "text nothing",
            ]
        );
    }
}
