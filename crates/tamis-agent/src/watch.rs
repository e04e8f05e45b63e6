//! The watching of a JVM: what happens when classes are loaded and initialised, when entities begin and
//! end, and when the JVM ends.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use tamis_classfile::ClassFile;
use tamis_classfile::probe::EntryPlan;
use tamis_facts::ClassName;
use tamis_wire::{
    Asker, Bye, ClassLoaded, ContentHash, EntityBegin, Forked, FromAgent, Initialiser, Marking,
    Marks, Outcome, Probing, Segment, Sight, Sighting, ToAgent, UnitSet, Unsupported, Verdict,
};

use crate::boot_path::BootPath;
use crate::channel::{Channel, Replies};
use crate::child::{self, ForkAndExec};
use crate::doors::{self, Doors};
use crate::entities::{Entities, Plan};
use crate::files::{Accesses, Askers, Classes, Deed, Files, Scene, Wanted};
use crate::guard::{incomplete, lock, note_incomplete};
use crate::handshake::Accepted;
use crate::helper_class::{self, N_MARKS, c_name, holder_name};
use crate::instrument::ProbePlan;
use crate::jdk_doors::Member;
use crate::jni::{Global, Jni, Object};
use crate::jvmti::Jvmti;
use crate::marks;
use crate::natives::{Arguments, Binding, Does, Doing, Natives};
use crate::origin::Origins;
use crate::questions::Questions;
use crate::raw::jni::RawMember;
use crate::raw::jvmti::CLASS_FILE_LOAD_HOOK;
use crate::registry::{Answer, Content, Known, Registry, Request};
use crate::segments::{Segments, Start};
use crate::sightings::Sightings;
use crate::threads::Threads;

/// Stands for the loader that has no object; others are numbered from 1.
const NO_LOADER: u32 = 0;

/// A JVM that is watched.
pub(crate) struct Watch {
    jvmti: Jvmti,
    origins: Origins,
    threads: Threads,
    boot_path: BootPath,
    natives: Natives,
    files: Files,
    askers: Askers,
    questions: Questions,
    state: Mutex<State>,
    /// Taken alone, or while the state is held; never the other way round.
    pub(crate) entities: Mutex<Entities>,
    answers: Mutex<Answers>,
    marking: Marking,
    /// Whether a test started this JVM.
    is_child: bool,
    is_over: AtomicBool,
}

/// What the process answered.
struct Answers {
    replies: Replies,
    /// Those that another thread asked for.
    others: BTreeMap<u32, bool>,
}

/// Locked for short stretches only, in which no code of the JVM's runs: that could load classes and so
/// come back here.
struct State {
    registry: Registry,
    segments: Segments,
    channel: Channel,
    arrays: BTreeMap<u32, Global>,
    accesses: Accesses,
    sightings: Sightings,
}

/// A class that is about to be defined or redefined.
pub(crate) struct Load<'j> {
    pub(crate) is_redefined: bool,
    pub(crate) loader: Object<'j>,
    /// Where it was read from.
    pub(crate) domain: Option<Object<'j>>,
    /// None where whoever defines it does not say.
    pub(crate) name: Option<&'j [u8]>,
    pub(crate) bytes: &'j [u8],
}

impl Watch {
    pub(crate) fn new(jvmti: Jvmti, accepted: Accepted, natives: Natives, files: Files) -> Self {
        Self {
            jvmti,
            origins: Origins::new(jvmti),
            threads: Threads::new(jvmti),
            boot_path: BootPath::new(jvmti),
            natives,
            files,
            askers: Askers::new(jvmti),
            questions: Questions::new(jvmti),
            state: Mutex::new(State {
                registry: Registry::default(),
                segments: Segments::default(),
                channel: accepted.channel,
                arrays: BTreeMap::new(),
                accesses: Accesses::default(),
                sightings: Sightings::default(),
            }),
            entities: Mutex::new(Entities::new(accepted.granularity)),
            answers: Mutex::new(Answers {
                replies: accepted.replies,
                others: BTreeMap::new(),
            }),
            marking: accepted.marking,
            is_child: accepted.is_child,
            is_over: AtomicBool::new(false),
        }
    }

    /// Whether the JVM has ended, as far as can be told.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// From now on every class that is defined comes by.
    pub(crate) fn enable_load_hook(&self) -> bool {
        self.jvmti.enable(CLASS_FILE_LOAD_HOOK)
    }

    /// Memory for the JVM to free, with these bytes.
    pub(crate) fn copy_for_jvm(&self, bytes: &[u8]) -> Option<NonNull<u8>> {
        self.jvmti.copy(bytes)
    }

    /// A native method gets its code; the code to use instead, if any.
    pub(crate) fn bind(
        &self,
        jni: &Jni<'_>,
        method: RawMember,
        code: *mut c_void,
        fork_and_exec: ForkAndExec,
    ) -> Option<*mut c_void> {
        let method = self.jvmti.method_names(jni, method)?;
        if child::is_start(&method) {
            return Some(child::replace(code, fork_and_exec));
        }
        match self.natives.bind(&method, code) {
            Binding::Replaced(ours) => Some(ours),
            Binding::Left => None,
            Binding::Unknown(sights, reason) => {
                for sight in sights {
                    self.tell_unseen(*sight, &reason);
                }
                None
            }
        }
    }

    /// A native method is about to do its work.
    pub(crate) fn note_native(&self, jni: &Jni<'_>, does: Does, arguments: &Arguments<'_>) {
        if self.is_over() {
            return;
        }
        match does {
            Does::Files(doing) => self.note_files(jni, doing, arguments),
            Does::Asks(question) => {
                let sightings = self
                    .questions
                    .sightings(jni, &self.origins, question, arguments);
                for sighting in sightings {
                    self.note_sighting(sighting);
                }
            }
        }
    }

    fn note_files(&self, jni: &Jni<'_>, doing: Doing, arguments: &Arguments<'_>) {
        match self.files.deed(jni, doing, arguments) {
            Ok(None) => {}
            Ok(Some(deed)) => {
                let Some(asker) = self.asker_of(jni, &deed) else {
                    return;
                };
                let mut state = lock(&self.state);
                if !self.is_over() {
                    state.on_scene(|accesses, _, scene| {
                        scene.asker = asker;
                        accesses.note(&deed, scene);
                    });
                }
            }
            Err(reason) => self.tell_unseen(Sight::Files, reason),
        }
    }

    /// Who does something with files; nobody if a framework looks for tests, and does nothing else. (What it finds in a JVM
    /// that a test started is nobody's to decide about, and a matter of that test.)
    fn asker_of(&self, jni: &Jni<'_>, deed: &Deed) -> Option<Asker> {
        let only_looks = deed.only_looks() && !self.is_child;
        let has_asker = deed.has_asker();
        // Loaders look at class files all the time; frameworks look for tests before there are any.
        if has_asker || only_looks && self.is_between_tests() {
            let asker = self.asker(jni, deed.wanted());
            let asker = asker.or((!only_looks).then_some(Asker::Unknown))?;
            Some(if has_asker { asker } else { Asker::Unknown })
        } else {
            Some(Asker::Unknown)
        }
    }

    fn is_between_tests(&self) -> bool {
        lock(&self.state).segments.going_on().next().is_none()
    }

    /// Who asks for something in this thread; nobody if a framework looks for tests.
    pub(crate) fn asker(&self, jni: &Jni<'_>, wanted: Wanted) -> Option<Asker> {
        let is_watched = |loader, name| lock(&self.state).registry.is_known(loader, name);
        let classes = Classes {
            origins: &self.origins,
            boot_path: &self.boot_path,
            is_watched: &is_watched,
        };
        self.askers.asker(jni, classes, wanted)
    }

    /// The JVM asks for something that is no file.
    pub(crate) fn note_sighting(&self, sighting: Sighting) {
        let mut state = lock(&self.state);
        if !self.is_over() {
            state.on_scene(|_, sightings, scene| sightings.note(sighting, scene));
        }
    }

    /// The absolute path of an archive, unless it does not count.
    pub(crate) fn archive(&self, path: &[u8]) -> Option<Vec<u8>> {
        self.files.archive(path)
    }

    /// The JVM asks an archive for a member.
    pub(crate) fn note_member(&self, member: Member) {
        let mut state = lock(&self.state);
        if !self.is_over() {
            state.on_scene(|accesses, sightings, scene| {
                if !accesses.is_made_here(&member.archive, scene) {
                    sightings.note_member(member, scene);
                }
            });
        }
    }

    /// The JVM asks an archive for the names of its members.
    pub(crate) fn note_member_names(&self, archive: Vec<u8>) {
        let mut state = lock(&self.state);
        if !self.is_over() {
            state.on_scene(|accesses, sightings, scene| {
                if !accesses.is_made_here(&archive, scene) {
                    sightings.note(Sighting::MemberNames(archive), scene);
                }
            });
        }
    }

    /// Something is not seen, or not all of it.
    pub(crate) fn tell_unseen(&self, what: Sight, reason: &str) {
        let mut state = lock(&self.state);
        if !self.is_over() {
            state.on_scene(|_, sightings, scene| sightings.tell_unseen(what, reason, scene.tell));
        }
    }

    /// Tells of the classes that were loaded before classes could be probed.
    pub(crate) fn tell_loaded_before(&self, jni: &Jni<'_>) {
        let Some(classes) = self.jvmti.loaded_classes(jni) else {
            note_incomplete("the JVM does not tell which classes it has loaded");
            return;
        };
        self.boot_path.check();
        for class in classes {
            let loader = self.jvmti.loader(jni, class);
            let number = match loader {
                None => Some(NO_LOADER),
                Some(loader) => self.origins.number(jni, loader),
            };
            if let Some(number) = number {
                self.tell_unprobed(jni, class, number);
            }
            if let Some(loader) = loader {
                jni.delete(loader);
            }
            jni.delete(class);
        }
    }

    fn tell_unprobed(&self, jni: &Jni<'_>, class: Object<'_>, loader: u32) {
        let Some(signature) = self.jvmti.signature(class) else {
            return;
        };
        // Arrays are no classes of their own.
        let Some([b'L', name @ .., b';']) = signature.get(..) else {
            return;
        };
        let origin = match loader {
            NO_LOADER if self.boot_path.is_appended(jni, name) => self.boot_path.place(),
            NO_LOADER => return,
            _ => Vec::new(),
        };
        let mut state = lock(&self.state);
        if state.registry.is_known(loader, ContentHash::of(name)) {
            return;
        }
        let message = ClassLoaded {
            number: state.registry.new_number(),
            loader,
            name: ClassName::from(name),
            hash: None,
            probing: Probing::Refused(b"it was loaded before the agent could probe it".to_vec()),
            origin,
            names: Vec::new(),
        };
        state.channel.send(&FromAgent::ClassLoaded(message));
    }

    /// A class without a loader is about to be defined: the JDK's, or one that was appended to it.
    pub(crate) fn load_without_loader(&self, jni: &Jni<'_>, name: Option<&[u8]>, bytes: &[u8]) {
        let own_name = name.is_none().then(|| own_name(bytes));
        let name = name.or(own_name.as_ref().map(ClassName::as_bytes));
        let name = name.unwrap_or_default();
        self.note_defined(name);
        if self.is_over() || !self.boot_path.is_appended(jni, name) {
            return;
        }
        let plan = EntryPlan::scan(bytes);
        let mut state = lock(&self.state);
        let message = ClassLoaded {
            number: state.registry.new_number(),
            loader: NO_LOADER,
            name: ClassName::from(name),
            hash: Some(ContentHash::of(bytes)),
            probing: Probing::Refused(b"it was appended to the JDK's own class path".to_vec()),
            origin: self.boot_path.place(),
            names: plan.as_ref().map_or_else(|_| Vec::new(), names),
        };
        state.channel.send(&FromAgent::ClassLoaded(message));
    }

    /// The bytes to define instead; none to leave the class as it is.
    pub(crate) fn load(&self, jni: &Jni<'_>, load: &Load<'_>) -> Option<Vec<u8>> {
        if self.is_over() {
            return None;
        }
        let name = load
            .name
            .map_or_else(|| own_name(load.bytes), ClassName::from);
        if !load.is_redefined {
            self.note_defined(name.as_bytes());
        }
        let origin = self.origins.find(jni, load.loader, load.domain)?;
        let hash = ContentHash::of(load.bytes);
        let mut plan = ProbePlan::scan(load.bytes, self.marks_blocks(&origin.place));
        let request = Request {
            content: Content {
                name: ContentHash::of(name.as_bytes()),
                bytes: hash,
            },
            loader: origin.loader,
            n_units: plan.as_ref().map_or(0, ProbePlan::n_units),
            is_redefined: load.is_redefined,
        };
        let known = self.request(jni, &request);
        let (probing, bytes) = match &mut plan {
            Ok(plan) => {
                plan.agree(load.bytes, known.n_units);
                probe(plan, known)
            }
            Err(error) => (Probing::Refused(error.to_string().into()), None),
        };
        let (names, doors) = match &plan {
            Ok(plan) => {
                let bytes = bytes.as_deref().unwrap_or(load.bytes);
                let doors = doors::open(name.as_bytes(), &plan.entries, bytes);
                (names(&plan.entries), doors)
            }
            Err(_) => (Vec::new(), Doors::default()),
        };
        let message = ClassLoaded {
            number: known.number,
            loader: origin.loader,
            name,
            hash: Some(hash),
            probing,
            origin: origin.place,
            names,
        };
        let mut state = lock(&self.state);
        state.channel.send(&FromAgent::ClassLoaded(message));
        if let Some((framework, reason)) = doors.unsupported {
            let message = Unsupported {
                framework: framework.into(),
                reason: reason.into(),
            };
            state.channel.send(&FromAgent::Unsupported(message));
        }
        doors.bytes.or(bytes)
    }

    /// Whether blocks are marked in a class that was read from this place: libraries change as a whole.
    fn marks_blocks(&self, place: &[u8]) -> bool {
        self.marking == Marking::Blocks && place.ends_with(b"/")
    }

    /// This thread is defining a class: what it read for that is no access to a file or an archive.
    fn note_defined(&self, name: &[u8]) {
        let mut state = lock(&self.state);
        let thread = thread::current().id();
        state.accesses.define(thread, name);
        state.sightings.define(thread, name);
    }

    /// Numbers a class; defines holders as they are needed.
    fn request(&self, jni: &Jni<'_>, request: &Request) -> Known {
        loop {
            let answer = lock(&self.state).registry.request(request);
            match answer {
                Answer::Known(known) => return known,
                Answer::Define(holder) if self.define_holder(jni, holder) => {}
                Answer::Define(_) => {
                    return Known {
                        number: lock(&self.state).registry.new_number(),
                        n_units: request.n_units,
                        slot: None,
                    };
                }
            }
        }
    }

    /// Makes a holder and keeps its array; whether that succeeded.
    pub(crate) fn define_holder(&self, jni: &Jni<'_>, holder: u32) -> bool {
        let name = holder_name(holder);
        let array = jni.in_frame(|| {
            let class = jni.define_class(&c_name(&name), &helper_class::holder(&name))?;
            jni.keep(jni.static_field(class, c"C", c"[B")?)
        });
        let Some(array) = array else { return false };
        let mut state = lock(&self.state);
        state.arrays.insert(holder, array);
        state.registry.add_holder(holder);
        true
    }

    /// The initialiser of a class begins.
    pub(crate) fn begin_initialiser(&self, jni: &Jni<'_>, class: u32) {
        let mut state = lock(&self.state);
        state.harvest(jni);
        state.segments.begin_initialiser(class);
    }

    /// The initialiser of a class ends, one way or another.
    pub(crate) fn end_initialiser(&self, jni: &Jni<'_>, class: u32) {
        let mut state = lock(&self.state);
        state.harvest(jni);
        if let Some(units) = state.segments.end_initialiser(class) {
            state.tell(vec![(Segment::Initialiser(class), units)]);
        }
    }

    /// The runner of an entity is about to be built.
    pub(crate) fn begin_building(&self, jni: &Jni<'_>, entity: u32) {
        // A virtual thread may go on in another thread of the system.
        let thread = (!self.jvmti.is_in_virtual_thread(jni)).then(|| thread::current().id());
        let mut state = lock(&self.state);
        state.harvest(jni);
        state.segments.begin_build(entity, thread);
    }

    /// The runner of an entity is built.
    pub(crate) fn end_building(&self, jni: &Jni<'_>, entity: u32) {
        let mut state = lock(&self.state);
        state.harvest(jni);
        let built = state.segments.end_build(entity);
        if let Some(units) = built.filter(|units| !units.is_empty()) {
            state.tell(vec![(Segment::Built(entity), units)]);
        }
    }

    /// The entity whose runner this thread is building.
    pub(crate) fn building(&self) -> Option<u32> {
        lock(&self.state).segments.built_by(thread::current().id())
    }

    /// The number on an object of a framework.
    pub(crate) fn node(&self, object: Object<'_>) -> Option<u32> {
        u32::try_from(self.jvmti.tag(object) - 1).ok()
    }

    /// Puts a number on an object of a framework.
    pub(crate) fn set_node(&self, object: Object<'_>, number: u32) {
        self.jvmti.set_tag(object, i64::from(number) + 1);
    }

    /// The entity that an object was built for, until it has a number of its own.
    pub(crate) fn maker(&self, object: Object<'_>) -> Option<u32> {
        u32::try_from(-self.jvmti.tag(object) - 1).ok()
    }

    /// Notes what an object was built for.
    pub(crate) fn set_maker(&self, object: Object<'_>, entity: u32) {
        self.jvmti.set_tag(object, -i64::from(entity) - 1);
    }

    /// Shows what was discovered, and hears what of it is to be skipped. What is not answered runs.
    pub(crate) fn ask(&self, plan: Plan) {
        let questions = lock(&self.entities).questions(plan);
        if questions.is_empty() {
            return;
        }
        let asked: Vec<u32> = questions.iter().map(|question| question.entity).collect();
        let is_lost = {
            let mut state = lock(&self.state);
            for question in questions {
                state.channel.send(&FromAgent::Discovered(question));
            }
            state.channel.flush();
            state.channel.is_lost()
        };
        if is_lost {
            return;
        }
        for entity in asked {
            let Some(is_skipped) = lock(&self.answers).about(entity) else {
                note_incomplete("the process did not say whether a test is to run");
                return;
            };
            lock(&self.entities).set_skipped(entity, is_skipped);
        }
    }

    /// An entity begins, or does so once more while it is open.
    pub(crate) fn begin_entity(&self, jni: &Jni<'_>, entity: u32, start: Start) {
        let last = lock(&self.state).segments.epoch();
        let going_on = self.threads.going_on(jni, &self.origins, last);
        let parent = lock(&self.entities).parent(entity);
        let mut state = lock(&self.state);
        state.harvest(jni);
        state.segments.next_epoch();
        if !state.segments.begin(entity, parent, start) {
            return;
        }
        if let Some(since) = going_on.since {
            state.segments.carry(entity, since);
        }
        for (loader, name) in going_on.classes {
            if let Some(units) = state.registry.units(loader, name) {
                state.segments.carry_seen(entity, units);
            }
        }
        lock(&self.entities).begin(entity, Instant::now());
        state
            .channel
            .send(&FromAgent::EntityBegin(EntityBegin { entity }));
    }

    /// An entity ends, unless it was begun more often.
    pub(crate) fn end_entity(&self, jni: &Jni<'_>, entity: u32) {
        let mut state = lock(&self.state);
        state.harvest(jni);
        if let Some(told) = state.segments.end(entity) {
            state.tell(told);
            let end = lock(&self.entities).end(entity, Instant::now());
            let has_passed = end.outcome == Outcome::Passed;
            state.channel.send(&FromAgent::EntityEnd(end));
            if has_passed {
                state.channel.send_kept_in_time();
            } else {
                // Red is to be known, even if this JVM dies the next moment.
                state.channel.send_kept();
            }
        }
    }

    /// Something did not pass, and it cannot be said in which entity: in all that are open.
    pub(crate) fn note_around_all(&self, outcome: Outcome) {
        let state = lock(&self.state);
        let mut entities = lock(&self.entities);
        for entity in state.segments.open_entities() {
            entities.note_around(entity, outcome);
        }
    }

    /// The JVM is about to start a process; whether that could be told.
    pub(crate) fn tell_fork(&self, forked: Forked) -> bool {
        let mut state = lock(&self.state);
        if self.is_over() {
            return false;
        }
        // The child may be faster than what is kept here.
        state.channel.send(&FromAgent::Forked(forked));
        state.channel.flush();
        // A child would wait in vain for the same process.
        !state.channel.is_lost()
    }

    /// The JVM ends: tells the rest, and that it was all.
    pub(crate) fn finish(&self, jni: &Jni<'_>) {
        let mut state = lock(&self.state);
        if self.is_over.swap(true, Ordering::Relaxed) {
            return;
        }
        state.harvest(jni);
        let told = state.segments.end_all();
        state.tell(told);
        let bye = match incomplete() {
            None => Bye::Complete,
            Some(reason) => Bye::Incomplete(reason.as_bytes().to_vec()),
        };
        state.channel.send(&FromAgent::Bye(bye));
        state.channel.flush();
    }
}

impl Answers {
    /// Whether an entity is to be skipped; nothing if there is no answer.
    fn about(&mut self, entity: u32) -> Option<bool> {
        loop {
            if let Some(is_skipped) = self.others.remove(&entity) {
                return Some(is_skipped);
            }
            match self.replies.next()? {
                ToAgent::Verdict(Verdict::Run(number)) => self.others.insert(number, false),
                ToAgent::Verdict(Verdict::Skip(number)) => self.others.insert(number, true),
                ToAgent::Session(_) | ToAgent::Working(_) => return None,
            };
        }
    }
}

impl State {
    fn tell(&mut self, told: Vec<(Segment, UnitSet)>) {
        for (segment, units) in told {
            self.channel
                .send(&FromAgent::Marks(Marks { segment, units }));
        }
    }

    /// Does something with accesses, where they happen now.
    fn on_scene(&mut self, body: impl FnOnce(&mut Accesses, &mut Sightings, &mut Scene<'_>)) {
        let channel = &mut self.channel;
        let mut scene = Scene {
            segments: &mut self.segments,
            thread: thread::current().id(),
            asker: Asker::Unknown,
            tell: &mut |message| channel.send(&message),
        };
        body(&mut self.accesses, &mut self.sightings, &mut scene);
    }

    /// Takes all marks, and class files that were read for no class, and counts them for what is going on.
    fn harvest(&mut self, jni: &Jni<'_>) {
        let mut units = UnitSet::default();
        for (holder, n_used) in self.registry.holders() {
            let Some(array) = self.arrays.get(&holder) else {
                continue;
            };
            let taken = jni.pinned(array, |pinned| {
                if pinned.is_copy {
                    note_incomplete("this JVM gives copies of arrays: marks may be lost");
                }
                let first = holder * N_MARKS;
                // SAFETY: the array has N_MARKS elements, of which `n_used` are given away.
                unsafe {
                    marks::drain(pinned.start, n_used as usize, |position| {
                        units.insert(first + position as u32);
                    });
                }
            });
            if taken.is_none() {
                note_incomplete("the JVM does not give access to the marks");
            }
        }
        self.segments.add(&units);
        self.on_scene(|accesses, sightings, scene| {
            accesses.settle(scene);
            sightings.settle(scene);
        });
    }
}

/// Probes a class; what to tell, and the bytes if they differ.
fn probe(plan: &mut ProbePlan<'_>, known: Known) -> (Probing, Option<Vec<u8>>) {
    let Some(slot) = known.slot else {
        return (Probing::Refused(b"there are no marks left".to_vec()), None);
    };
    if known.n_units == 0 {
        let probing = Probing::Probed {
            first: slot.first_unit(),
            n_units: 0,
            initialiser: Initialiser::None,
        };
        return (probing, None);
    }
    match plan.instrument(slot, known.n_units, known.number) {
        Err(error) => (Probing::Refused(error.to_string().into()), None),
        Ok(instrumented) => {
            let probing = Probing::Probed {
                first: slot.first_unit(),
                n_units: instrumented.n_units,
                initialiser: instrumented.initialiser,
            };
            (probing, Some(instrumented.bytes))
        }
    }
}

/// The classes that a class names.
fn names(plan: &EntryPlan<'_>) -> Vec<Vec<u8>> {
    plan.class_names().into_iter().map(<[u8]>::to_vec).collect()
}

/// The name that the class gives itself.
fn own_name(bytes: &[u8]) -> ClassName {
    let class = ClassFile::parse(bytes);
    let name = class.as_ref().ok().and_then(|class| class.name().ok());
    ClassName::from(name.unwrap_or_default())
}
