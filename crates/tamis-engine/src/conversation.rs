//! What one JVM told, put together message by message.

use std::collections::{BTreeMap, BTreeSet};

use tamis_wire::{
    Access, Accessed, Bye, ClassLoaded, Discovered, EntityEnd, EntityKind, Forked, Frame,
    FromAgent, Granularity, Hello, Marking, Marks, N_ACCESSES, N_UNITS, Segment, Session, Sight,
    Sighted, Sighting, ToAgent, Token, UnitSet, Unseen, Unsupported, Verdict, WireError,
};

use crate::audience::Audience;

/// The unit of the first sighting.
pub(crate) const FIRST_SIGHTING: u32 = N_UNITS + N_ACCESSES;

/// The sighting that a unit is, of all that were told; none if it is something else.
pub(crate) fn sighting_of(unit: u32, sightings: &[Sighting]) -> Option<&Sighting> {
    sightings.get(unit.checked_sub(FIRST_SIGHTING)? as usize)
}

/// A JVM that was watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedJvm {
    /// Stands for it in this run.
    pub number: u32,
    /// Who it is.
    pub hello: Hello,
    /// The classes it loaded, in that order.
    pub classes: Vec<ClassLoaded>,
    /// What it did with files, each once, in the order of the first times: the n-th is unit [`N_UNITS`]` + n`.
    pub accesses: Vec<Accessed>,
    /// What else it asked for, each once, in the order of the first times: the n-th has the n-th number behind those of
    /// all accesses.
    pub sightings: Vec<Sighting>,
    /// What its agent did not see.
    pub unseen: Vec<Unseen>,
    /// What its frameworks showed, by number.
    pub entities: BTreeMap<u32, ToldEntity>,
    /// What ran while no entity did, in parts: an entity relies on those that were told before its end.
    pub ambient: Vec<UnitSet>,
    /// What building runners took, in the order in which they were built.
    pub built: Vec<UnitSet>,
    /// What ran while a class was initialised, by the number of the class.
    pub initialisers: BTreeMap<u32, UnitSet>,
    /// The processes that it started.
    pub forks: Vec<ToldFork>,
    /// Frameworks that are not understood.
    pub unsupported: Vec<Unsupported>,
    /// Whether all of it was told.
    pub ending: Ending,
    n_runs: usize,
}

/// What was told of an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldEntity {
    /// What it is; the tests are those of all times it was shown, the parent is that of the last.
    pub discovered: Discovered,
    /// The entities that it is or was part of: a class may run in several suites.
    pub parents: BTreeSet<u32>,
    /// Whether it was to be skipped, the last time it was shown.
    pub is_skipped: bool,
    /// Each time that it ran to its end.
    pub runs: Vec<EntityRun>,
    /// What ran while it did and no entity in it.
    pub own: UnitSet,
    /// What threads may have gone on running when it began.
    pub carried: UnitSet,
    /// Whether it began and has not ended.
    pub is_open: bool,
    /// How many runs of entities had ended when it began for the first time; none if it never did.
    pub first_begin: Option<usize>,
}

/// An entity ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityRun {
    /// How it went.
    pub end: EntityEnd,
    /// How many parts of the ambient set were told before.
    pub n_ambient: usize,
    /// How many runners were built before, its own among them.
    pub n_built: usize,
    /// How many classes were told before.
    pub n_classes: usize,
    /// How many accesses to files were told before.
    pub n_accesses: usize,
    /// How many other sightings were told before.
    pub n_sightings: usize,
    /// How many runs of entities ended before.
    pub order: usize,
}

/// A process was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldFork {
    /// Which.
    pub forked: Forked,
    /// The entities that were open; none means that it was ambient.
    pub entities: BTreeSet<u32>,
}

/// How the words of a JVM ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// With a good-bye: all was told.
    Complete,
    /// With a good-bye that says what may be missing.
    Incomplete(String),
    /// Without a good-bye: the JVM was killed, or lost its agent.
    Lost,
    /// It said something that cannot be understood, and was not listened to any further.
    Garbled(WireError),
    /// It spoke of an entity that it had not shown, or not begun, and was not listened to any further.
    Contradictory,
    /// It outlived the command.
    StillRunning,
}

/// What agents are to tell.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted {
    pub(crate) granularity: Granularity,
    pub(crate) marking: Marking,
}

/// What the process wants to hear, and what it answers.
#[derive(Clone, Copy)]
pub(crate) struct Policy<'p> {
    pub(crate) token: Token,
    pub(crate) wanted: Wanted,
    pub(crate) audience: &'p dyn Audience,
}

/// The process's side of a connection, without the connection: bytes in, bytes out.
pub(crate) struct Conversation<'p> {
    policy: Policy<'p>,
    number: u32,
    /// Told who the JVM is, it gives its class directories.
    greet: Box<Greet<'p>>,
    arrived: Vec<u8>,
    jvm: Option<WatchedJvm>,
}

type Greet<'p> = dyn FnMut(&Hello) -> Vec<Vec<u8>> + 'p;

/// The peer is no agent of ours, or erred: nothing more is to be read from it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HangUp;

impl<'p> Conversation<'p> {
    /// With the JVM that is to have this number.
    pub(crate) fn new(policy: Policy<'p>, number: u32) -> Self {
        Self {
            policy,
            number,
            greet: Box::new(|_| vec![ANYWHERE.to_vec()]),
            arrived: Vec::new(),
            jvm: None,
        }
    }

    /// Calls `greet` once, before the hello is answered: while the JVM waits, nothing on its class path goes away. It
    /// gives the directories in which class loaders look for files.
    pub(crate) fn greeting(self, greet: impl FnMut(&Hello) -> Vec<Vec<u8>> + 'p) -> Self {
        Self {
            greet: Box::new(greet),
            ..self
        }
    }

    /// Takes bytes as they arrive; gives the bytes to answer.
    pub(crate) fn receive(&mut self, bytes: &[u8]) -> Result<Vec<u8>, HangUp> {
        self.arrived.extend(bytes);
        let mut answer = Vec::new();
        let mut n_done = 0;
        loop {
            let message = Frame::parse(&self.arrived[n_done..]).and_then(|frame| {
                frame
                    .map(|(f, n)| Ok((FromAgent::parse(&f)?, n)))
                    .transpose()
            });
            match message {
                Ok(None) => break,
                Ok(Some((message, length))) => {
                    n_done += length;
                    self.take(message, &mut answer)?;
                }
                Err(error) => {
                    self.end(Ending::Garbled(error));
                    return Err(HangUp);
                }
            }
        }
        self.arrived.drain(..n_done);
        Ok(answer)
    }

    /// Who hears of it.
    pub(crate) fn audience(&self) -> &'p dyn Audience {
        self.policy.audience
    }

    /// The number of the JVM.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// The connection has ended; what was told, if a JVM of ours was there at all.
    pub(crate) fn finish(self) -> Option<WatchedJvm> {
        self.jvm
    }

    /// The command has ended and the JVM has not.
    pub(crate) fn note_still_running(&mut self) {
        if let Some(jvm) = self.jvm.as_mut().filter(|jvm| jvm.ending == Ending::Lost) {
            jvm.ending = Ending::StillRunning;
        }
    }

    fn take(&mut self, message: FromAgent, answer: &mut Vec<u8>) -> Result<(), HangUp> {
        let Some(jvm) = &mut self.jvm else {
            return self.greet(message, answer);
        };
        // After its good-bye a JVM has nothing to say.
        if jvm.ending != Ending::Lost {
            self.end(Ending::Contradictory);
            return Err(HangUp);
        }
        let taken = match message {
            FromAgent::Discovered(discovered) => {
                let audience = self.policy.audience;
                let is_skipped = |discovered: &_| audience.is_skipped(self.number, discovered);
                say(&jvm.show(discovered, is_skipped), answer);
                Some(())
            }
            FromAgent::EntityEnd(end) => jvm.end(end).map(|(discovered, end)| {
                self.policy.audience.note_end(self.number, discovered, end);
            }),
            other => jvm.take(other),
        };
        taken.ok_or_else(|| {
            self.end(Ending::Contradictory);
            HangUp
        })
    }

    /// The first message is a hello with our token, or the peer is none of ours.
    fn greet(&mut self, message: FromAgent, answer: &mut Vec<u8>) -> Result<(), HangUp> {
        let FromAgent::Hello(hello) = message else {
            return Err(HangUp);
        };
        if hello.token != self.policy.token {
            return Err(HangUp);
        }
        let session = Session::Accept {
            jvm: self.number,
            granularity: self.policy.wanted.granularity,
            marking: self.policy.wanted.marking,
            class_directories: in_few_bytes((self.greet)(&hello)),
        };
        self.jvm = Some(WatchedJvm::new(self.number, hello));
        say(&ToAgent::Session(session), answer);
        Ok(())
    }

    fn end(&mut self, ending: Ending) {
        if let Some(jvm) = &mut self.jvm {
            jvm.ending = ending;
        }
    }
}

impl WatchedJvm {
    pub(crate) fn new(number: u32, hello: Hello) -> Self {
        Self {
            number,
            hello,
            classes: Vec::new(),
            accesses: Vec::new(),
            sightings: Vec::new(),
            unseen: Vec::new(),
            entities: BTreeMap::new(),
            ambient: Vec::new(),
            built: Vec::new(),
            initialisers: BTreeMap::new(),
            forks: Vec::new(),
            unsupported: Vec::new(),
            ending: Ending::Lost,
            n_runs: 0,
        }
    }

    /// An entity is shown, for the first time or with other tests than before.
    fn show(
        &mut self,
        discovered: Discovered,
        is_skipped: impl Fn(&Discovered) -> bool,
    ) -> ToAgent {
        let number = discovered.entity;
        let is_skipped = discovered.kind != EntityKind::Container && is_skipped(&discovered);
        if let Some(known) = self.entities.get_mut(&number) {
            known.is_skipped = is_skipped;
            known.discovered.kind = discovered.kind;
            known.discovered.parent = discovered.parent.or(known.discovered.parent);
            known.parents.extend(discovered.parent);
            known.discovered.tests.extend(discovered.tests);
            known.discovered.tests.sort();
            known.discovered.tests.dedup();
        } else {
            let entity = ToldEntity {
                parents: discovered.parent.into_iter().collect(),
                discovered,
                is_skipped,
                runs: Vec::new(),
                own: UnitSet::default(),
                carried: UnitSet::default(),
                is_open: false,
                first_begin: None,
            };
            self.entities.insert(number, entity);
        }
        ToAgent::Verdict(if is_skipped {
            Verdict::Skip(number)
        } else {
            Verdict::Run(number)
        })
    }

    /// Nothing if the message contradicts what was told before.
    fn take(&mut self, message: FromAgent) -> Option<()> {
        match message {
            FromAgent::Hello(_) | FromAgent::Discovered(_) | FromAgent::EntityEnd(_) => {
                return None;
            }
            FromAgent::ClassLoaded(class) => self.classes.push(class),
            FromAgent::Accessed(accessed) => self.access(accessed)?,
            FromAgent::Sighted(sighted) => self.sight(sighted)?,
            FromAgent::Unseen(unseen) => self.unseen.push(unseen),
            FromAgent::Marks(marks) => self.mark(marks)?,
            FromAgent::EntityBegin(begin) => {
                let entity = self.entities.get_mut(&begin.entity)?;
                entity.is_open = true;
                entity.first_begin.get_or_insert(self.n_runs);
            }
            FromAgent::Forked(forked) => {
                let open = self.entities.iter().filter(|(_, entity)| entity.is_open);
                let entities = open.map(|(number, _)| *number).collect();
                self.forks.push(ToldFork { forked, entities });
            }
            FromAgent::Unsupported(framework) => self.unsupported.push(framework),
            FromAgent::Bye(Bye::Complete) => self.ending = Ending::Complete,
            FromAgent::Bye(Bye::Incomplete(reason)) => {
                self.ending = Ending::Incomplete(String::from_utf8_lossy(&reason).into_owned());
            }
        }
        Some(())
    }

    /// An entity has ended; nothing if it had not begun.
    fn end(&mut self, end: EntityEnd) -> Option<(&Discovered, &EntityEnd)> {
        let entity = self
            .entities
            .get_mut(&end.entity)
            .filter(|one| one.is_open)?;
        entity.is_open = false;
        entity.runs.push(EntityRun {
            end,
            n_ambient: self.ambient.len(),
            n_built: self.built.len(),
            n_classes: self.classes.len(),
            n_accesses: self.accesses.len(),
            n_sightings: self.sightings.len(),
            order: self.n_runs,
        });
        self.n_runs += 1;
        let run = entity.runs.last()?;
        Some((&entity.discovered, &run.end))
    }

    /// They are numbered in the order in which they are told.
    fn access(&mut self, accessed: Accessed) -> Option<()> {
        if accessed.unit as usize != N_UNITS as usize + self.accesses.len() {
            return None;
        }
        self.accesses.push(accessed);
        Some(())
    }

    /// As accesses are.
    fn sight(&mut self, sighted: Sighted) -> Option<()> {
        if sighted.unit as usize != FIRST_SIGHTING as usize + self.sightings.len() {
            return None;
        }
        self.sightings.push(sighted.sighting);
        Some(())
    }

    /// Whether a unit that is no code was told.
    fn is_told(&self, unit: u32) -> bool {
        let is_in = |first: u32, n_told: usize| ((unit - first) as usize) < n_told;
        match unit {
            ..N_UNITS => true,
            N_UNITS..FIRST_SIGHTING => is_in(N_UNITS, self.accesses.len()),
            FIRST_SIGHTING.. => is_in(FIRST_SIGHTING, self.sightings.len()),
        }
    }

    fn mark(&mut self, marks: Marks) -> Option<()> {
        if !marks.units.iter().all(|unit| self.is_told(unit)) {
            return None;
        }
        match marks.segment {
            Segment::Ambient => self.ambient.push(marks.units),
            Segment::Entity(number) => self.entities.get_mut(&number)?.own.extend(&marks.units),
            Segment::Carried(number) => {
                let entity = self.entities.get_mut(&number)?;
                entity.carried.extend(&marks.units);
            }
            Segment::Built(_) => self.built.push(marks.units),
            Segment::Initialiser(number) => {
                self.initialisers
                    .entry(number)
                    .or_default()
                    .extend(&marks.units);
            }
        }
        Some(())
    }

    /// Whether its agent saw all of this.
    pub fn sees(&self, what: Sight) -> bool {
        !self.unseen.iter().any(|unseen| unseen.what == what)
    }

    /// How many accesses to files were told when it first loaded a native library that is not the JDK's: from then on any
    /// file may be read unseen. Nothing if it never did.
    pub fn native_since(&self) -> Option<usize> {
        let mut accesses = self.accesses.iter();
        accesses.position(|accessed| {
            accessed.access == Access::Read && is_native_library(&accessed.path)
        })
    }

    /// Whether nothing in it can have read files unseen.
    pub fn shows_all_files(&self) -> bool {
        let is_followed = |fork: &ToldFork| fork.forked.is_followed;
        self.sees(Sight::Files)
            && self.native_since().is_none()
            && self.forks.iter().all(is_followed)
    }

    /// Every unit that ran, whatever it ran for; accesses to files included.
    pub fn all_units(&self) -> UnitSet {
        let mut all = UnitSet::default();
        let own = self.entities.values().map(|entity| &entity.own);
        for units in self
            .ambient
            .iter()
            .chain(own)
            .chain(&self.built)
            .chain(self.initialisers.values())
        {
            all.extend(units);
        }
        all
    }
}

/// By its name: `libsqlite.so`, `libz.so.1`.
fn is_native_library(path: &[u8]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
    name.ends_with(b".so") || name.windows(4).any(|part| part == b".so.")
}

/// Everything lies in there.
const ANYWHERE: &[u8] = b"/";

/// How many bytes of paths an agent is answered: it takes a long answer for somebody else's.
const MAX_ANSWERED: usize = 2048;

/// The directories, or one that has all of them in it.
fn in_few_bytes(directories: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    const LENGTH: usize = 4;
    let lengths = directories.iter().map(|directory| LENGTH + directory.len());
    if lengths.sum::<usize>() > MAX_ANSWERED {
        return vec![ANYWHERE.to_vec()];
    }
    directories
}

/// Appends a message to what is to be sent.
pub(crate) fn say(message: &ToAgent, answer: &mut Vec<u8>) {
    message
        .encode(answer)
        .expect("an answer is a few bytes and fits a frame");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class_files::ClassFiles;
    use tamis_wire::{EntityBegin, Outcome, Parent};

    const TOKEN: Token = [9; 16];

    const POLICY: Policy<'_> = Policy {
        token: TOKEN,
        wanted: Wanted {
            granularity: Granularity::Class,
            marking: Marking::Methods,
        },
        audience: &SkipOne,
    };

    /// Skips what is called so.
    struct SkipOne;

    impl Audience for SkipOne {
        fn is_skipped(&self, _: u32, discovered: &Discovered) -> bool {
            discovered.name == b"SkippedTest"
        }

        fn part(&self, _: WatchedJvm, _: ClassFiles) {}
    }

    fn hello(token: Token) -> FromAgent {
        FromAgent::Hello(Hello {
            token,
            ..Hello::default()
        })
    }

    fn bytes(messages: &[FromAgent]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for message in messages {
            message.encode(&mut bytes).unwrap();
        }
        bytes
    }

    fn marks(units: &[u32]) -> FromAgent {
        FromAgent::Marks(Marks {
            segment: Segment::Ambient,
            units: units.iter().copied().collect(),
        })
    }

    /// The ending after these messages, however they are cut into pieces.
    fn check(messages: &[FromAgent], expected: Option<&Ending>) {
        let bytes = bytes(messages);
        for size in [1, 3, 1000] {
            let mut conversation = Conversation::new(POLICY, 1);
            let heard: Result<Vec<_>, _> = bytes
                .chunks(size)
                .map(|piece| conversation.receive(piece))
                .collect();
            let jvm = conversation.finish();
            assert_eq!(jvm.as_ref().map(|jvm| &jvm.ending), expected);
            if let (Ok(answers), Some(_)) = (heard, jvm) {
                assert!(!answers.concat().is_empty(), "a hello is answered");
            }
        }
    }

    /// What an agent is answered whose JVM has these class directories.
    fn answered(directories: &[&str]) -> Vec<Vec<u8>> {
        let given: Vec<Vec<u8>> = directories.iter().map(|path| (*path).into()).collect();
        let mut n_greeted = 0;
        let conversation = Conversation::new(POLICY, 1);
        let mut conversation = conversation.greeting(|_| {
            n_greeted += 1;
            assert_eq!(n_greeted, 1);
            given.clone()
        });
        let answer = conversation.receive(&bytes(&[hello(TOKEN)])).unwrap();
        conversation.receive(&bytes(&[marks(&[1])])).unwrap();
        let (frame, _) = Frame::parse(&answer).unwrap().unwrap();
        match ToAgent::parse(&frame) {
            Ok(ToAgent::Session(Session::Accept {
                class_directories, ..
            })) => class_directories,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_hello_is_answered_with_class_directories() {
        let two = ["/p/target/classes", "/p/target/test-classes"];
        assert_eq!(answered(&two), two.map(Vec::from));
        assert_eq!(answered(&[]), Vec::<Vec<u8>>::new());
        // An agent would not take so long an answer; everywhere is too much, never too little.
        let long = "/p/".repeat(1000);
        assert_eq!(answered(&[two[0], &long]), [b"/".to_vec()]);
    }

    #[test]
    fn marks_of_a_segment_add_up() {
        let mut conversation = Conversation::new(POLICY, 1);
        let messages = [
            hello(TOKEN),
            marks(&[1]),
            marks(&[5]),
            FromAgent::Bye(Bye::Complete),
        ];
        conversation.receive(&bytes(&messages)).unwrap();
        let jvm = conversation.finish().unwrap();
        assert_eq!(jvm.all_units().iter().collect::<Vec<_>>(), [1, 5]);
        assert_eq!(jvm.ending, Ending::Complete);
    }

    #[test]
    fn endings() {
        check(&[hello(TOKEN)], Some(&Ending::Lost));
        check(
            &[hello(TOKEN), FromAgent::Bye(Bye::Complete)],
            Some(&Ending::Complete),
        );
        let incomplete = FromAgent::Bye(Bye::Incomplete(b"why".to_vec()));
        check(
            &[hello(TOKEN), incomplete],
            Some(&Ending::Incomplete("why".to_owned())),
        );
        check(&[hello([0; 16])], None);
        check(&[marks(&[1])], None);
        check(&[], None);
    }

    #[test]
    fn who_errs_once_is_not_heard_again() {
        let mut conversation = Conversation::new(POLICY, 1);
        conversation.receive(&bytes(&[hello(TOKEN)])).unwrap();
        assert_eq!(conversation.receive(&[0xff; 8]), Err(HangUp));
        let jvm = conversation.finish().unwrap();
        assert!(matches!(jvm.ending, Ending::Garbled(_)), "{:?}", jvm.ending);

        for wrong in [hello(TOKEN), FromAgent::Bye(Bye::Complete)] {
            let mut conversation = Conversation::new(POLICY, 1);
            let messages = [hello(TOKEN), FromAgent::Bye(Bye::Complete), wrong];
            assert_eq!(conversation.receive(&bytes(&messages)), Err(HangUp));
        }
    }

    fn shown(entity: u32, name: &str, tests: &[&str]) -> FromAgent {
        FromAgent::Discovered(Discovered {
            entity,
            parent: None,
            kind: EntityKind::Class,
            framework: b"junit4".to_vec(),
            name: name.into(),
            tests: tests.iter().map(|test| test.as_bytes().to_vec()).collect(),
        })
    }

    fn end(entity: u32) -> FromAgent {
        FromAgent::EntityEnd(EntityEnd {
            entity,
            outcome: Outcome::Passed,
            microseconds: 1,
            tests: Vec::new(),
        })
    }

    #[test]
    fn an_entity_that_is_shown_runs_unless_it_is_to_be_skipped() {
        let mut conversation = Conversation::new(POLICY, 1);
        conversation.receive(&bytes(&[hello(TOKEN)])).unwrap();
        let messages = [shown(4, "ATest", &[]), shown(5, "SkippedTest", &[])];
        let answer = conversation.receive(&bytes(&messages));
        let mut expected = Vec::new();
        say(&ToAgent::Verdict(Verdict::Run(4)), &mut expected);
        say(&ToAgent::Verdict(Verdict::Skip(5)), &mut expected);
        assert_eq!(answer, Ok(expected));
    }

    #[test]
    fn a_run_relies_on_what_was_ambient_before_its_end() {
        let mut conversation = Conversation::new(POLICY, 1);
        let begin = FromAgent::EntityBegin(EntityBegin { entity: 4 });
        let messages = [
            hello(TOKEN),
            shown(4, "ATest", &["b"]),
            shown(4, "ATest", &["a", "b"]),
            marks(&[1]),
            begin,
            marks(&[2]),
            end(4),
            marks(&[3]),
        ];
        conversation.receive(&bytes(&messages)).unwrap();
        let jvm = conversation.finish().unwrap();
        let entity = &jvm.entities[&4];
        assert_eq!(entity.discovered.tests, [b"a", b"b"]);
        assert_eq!((entity.runs[0].n_ambient, jvm.ambient.len()), (2, 3));
    }

    #[test]
    fn a_process_counts_for_the_entities_that_are_open() {
        let begin = |entity| FromAgent::EntityBegin(EntityBegin { entity });
        let forked = |fork, is_followed| {
            FromAgent::Forked(Forked {
                fork,
                is_followed,
                program: b"java".to_vec(),
            })
        };
        let mut conversation = Conversation::new(POLICY, 1);
        let messages = [
            hello(TOKEN),
            forked(0, false),
            shown(4, "ATest", &[]),
            shown(5, "BTest", &[]),
            begin(4),
            forked(1, true),
            begin(5),
            forked(2, true),
            end(4),
            forked(3, false),
        ];
        conversation.receive(&bytes(&messages)).unwrap();
        let jvm = conversation.finish().unwrap();
        let forks = jvm.forks.iter().map(|told| {
            let entities: Vec<u32> = told.entities.iter().copied().collect();
            (told.forked.fork, told.forked.is_followed, entities)
        });
        assert_eq!(
            forks.collect::<Vec<_>>(),
            [
                (0, false, vec![]),
                (1, true, vec![4]),
                (2, true, vec![4, 5]),
                (3, false, vec![5]),
            ]
        );
    }

    #[test]
    fn a_child_names_its_parent() {
        let parent = Some(Parent { jvm: 1, fork: 2 });
        let hello = FromAgent::Hello(Hello {
            token: TOKEN,
            parent,
            ..Hello::default()
        });
        let mut conversation = Conversation::new(POLICY, 3);
        conversation.receive(&bytes(&[hello])).unwrap();
        let jvm = conversation.finish().unwrap();
        assert_eq!((jvm.number, jvm.hello.parent), (3, parent));
    }

    #[test]
    fn what_was_not_shown_cannot_begin_or_end() {
        let begin = FromAgent::EntityBegin(EntityBegin { entity: 4 });
        for contradiction in [vec![begin], vec![shown(4, "ATest", &[]), end(4)]] {
            let mut conversation = Conversation::new(POLICY, 1);
            conversation.receive(&bytes(&[hello(TOKEN)])).unwrap();
            assert_eq!(conversation.receive(&bytes(&contradiction)), Err(HangUp));
            let jvm = conversation.finish().unwrap();
            assert_eq!(jvm.ending, Ending::Contradictory);
        }
    }
}
