//! Who asks for a file, or for a member of an archive: code of the program, which keeps what it found in fields of its own, or anybody else, who may keep
//! it where nobody sees it. The stack of the thread tells.
//!
//! The program asks if all methods of the JDK on the stack, out to the test framework, are known to keep nothing
//! (`passing.rs`). Anything else is unknown: the JDK's caches are many, and each JDK may have new ones.
//!
//! A framework that looks which classes there are, to find tests among them, asks for nobody: what it finds it shows, and is told.

mod passing;
mod remembered;

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};

use tamis_wire::{Asker, ContentHash, is_harness, is_logging};

use self::passing::{Passing, passing};
use self::remembered::Remembered;
use crate::boot_path::BootPath;
use crate::jni::Jni;
use crate::jvmti::Jvmti;
use crate::origin::Origins;
use crate::raw::jni::RawMember;
use crate::raw::jvmti::FrameInfo;

/// How many frames are looked at first: no more than were needed lately, for each of them is costly.
const N_FIRST: RangeInclusive<usize> = 8..=40;
/// How many are looked at in all; what is deeper is unknown.
const N_FRAMES: usize = 192;

/// The methods that were seen on stacks.
static REMEMBERED: Remembered = Remembered::new();

pub(crate) struct Askers {
    jvmti: Jvmti,
    /// How many frames were needed lately for what is wanted: at once the most, then slowly fewer.
    n_needed: [AtomicUsize; 3],
}

/// What tells where classes come from.
#[derive(Clone, Copy)]
pub(crate) struct Classes<'c> {
    pub(crate) origins: &'c Origins,
    pub(crate) boot_path: &'c BootPath,
    /// Whether the class of this name in the loader of this number came by when it was loaded.
    pub(crate) is_watched: &'c dyn Fn(u32, ContentHash) -> bool,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// What is there, of a native method.
    Look,
    /// The content of a file, its size or its names, of a native method.
    File,
    /// A member of an archive, of a method with a door. Who keeps archives open asks them each time.
    Member,
}

/// What a method on the stack is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frame {
    /// The program's: what it keeps is seen.
    Program,
    /// One that the JVM made of the program's code, such as a lambda: it says nothing.
    Made,
    /// The test framework's. What calls it is its launcher.
    Harness,
    /// The test framework's that looks for classes; so may programs, through it.
    Scanner,
    /// The JDK's, and keeps nothing.
    Passes,
    /// The JDK's: it loads a class or makes an object, and keeps nothing of what that asks for.
    Loads,
    /// The JDK's: it keeps archives open.
    Opens,
    /// Anybody's who may keep what is found, or nobody knows whose.
    Keeps,
}

/// What is known of a stack, from the innermost frame outwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Inside,
    /// A method of the program's has been seen, and none that keeps anything.
    InProgram,
    /// The framework looks for classes, and no method of the program's has been seen that has it do so.
    InScanner,
    Done(Asker),
}

impl Askers {
    pub(crate) fn new(jvmti: Jvmti) -> Self {
        Self {
            jvmti,
            n_needed: [const { AtomicUsize::new(*N_FIRST.end()) }; 3],
        }
    }

    /// Who called the native method that this thread is in; nobody if a framework looks for tests.
    pub(crate) fn asker(
        &self,
        jni: &Jni<'_>,
        classes: Classes<'_>,
        wanted: Wanted,
    ) -> Option<Asker> {
        // The native method of a door is the agent's.
        let n_inner = usize::from(wanted == Wanted::Member);
        let frame = |method| match self.frame(jni, classes, method) {
            Frame::Opens if wanted == Wanted::Member => Frame::Passes,
            frame => frame,
        };
        let n_needed = &self.n_needed[wanted as usize];
        let n_first = n_needed.load(Ordering::Relaxed);
        let mut look = Look::Inside;
        let mut room = [FrameInfo::EMPTY; *N_FIRST.end()];
        let first = self.jvmti.own_frames(n_inner, &mut room[..n_first]);
        let mut n_looked = look.go_on(first.map(frame));
        let mut is_all = n_looked < n_first;
        if !is_all && !matches!(look, Look::Done(_)) {
            let mut room = [FrameInfo::EMPTY; N_FRAMES];
            let more = self
                .jvmti
                .own_frames(n_inner + n_first, &mut room[n_first..]);
            n_looked += look.go_on(more.map(frame));
            is_all = n_looked < N_FRAMES;
        }
        // That there are no more frames shows only if more are asked for.
        let next = (n_looked + 1).max(n_first - 1);
        // Other threads may note others meanwhile: it is a guess anyway.
        n_needed.store(
            next.clamp(*N_FIRST.start(), *N_FIRST.end()),
            Ordering::Relaxed,
        );
        look.asker(is_all)
    }

    fn frame(&self, jni: &Jni<'_>, classes: Classes<'_>, method: RawMember) -> Frame {
        let key = method.addr();
        REMEMBERED.get(key).unwrap_or_else(|| {
            let frame = self.look_up(jni, classes, method).unwrap_or(Frame::Keeps);
            REMEMBERED.insert(key, frame);
            frame
        })
    }

    fn look_up(&self, jni: &Jni<'_>, classes: Classes<'_>, method: RawMember) -> Option<Frame> {
        let method_name = self.jvmti.method_name(method)?;
        jni.in_frame(|| {
            let class = self.jvmti.declaring_class(jni, method)?;
            let signature = self.jvmti.signature(class)?;
            let name = signature.strip_prefix(b"L")?.strip_suffix(b";")?;
            let loader = self.jvmti.loader(jni, class);
            let number = match loader {
                None if classes.boot_path.is_appended(jni, name) => return None,
                None => None,
                Some(loader) => classes.origins.number(jni, loader),
            };
            Some(match number {
                None => of_jdk(name, &method_name),
                Some(_) if is_made(name) => Frame::Made,
                Some(number) if (classes.is_watched)(number, ContentHash::of(name)) => {
                    of_others(name)
                }
                // A module of the JDK's in the application's loader, or one that was there before the agent.
                Some(_) => Frame::Keeps,
            })
        })
    }
}

impl Frame {
    /// All of them, in the order of their numbers.
    const ALL: [Self; 8] = [
        Self::Program,
        Self::Made,
        Self::Harness,
        Self::Scanner,
        Self::Passes,
        Self::Loads,
        Self::Opens,
        Self::Keeps,
    ];
}

impl Look {
    /// Who asks, if no more is looked at; nobody if a framework looks for tests.
    fn asker(self, is_all: bool) -> Option<Asker> {
        match self {
            Self::Done(asker) => Some(asker),
            Self::InProgram if is_all => Some(Asker::Program),
            Self::InScanner if is_all => None,
            Self::InProgram | Self::InScanner | Self::Inside => Some(Asker::Unknown),
        }
    }

    /// Looks at more frames, until it is known who asks; how many they were.
    fn go_on(&mut self, frames: impl Iterator<Item = Frame>) -> usize {
        let mut n_frames = 0;
        for frame in frames {
            n_frames += 1;
            *self = self.after(frame);
            if matches!(self, Self::Done(_)) {
                break;
            }
        }
        n_frames
    }

    fn after(self, frame: Frame) -> Self {
        match (self, frame) {
            (Self::Done(_), _)
            | (_, Frame::Passes | Frame::Made)
            | (Self::InProgram, Frame::Loads) => self,
            (Self::InScanner, Frame::Program) => Self::Done(Asker::Unknown),
            (Self::Inside, Frame::Scanner) | (Self::InScanner, _) => Self::InScanner,
            (_, Frame::Program) => Self::InProgram,
            (Self::InProgram, Frame::Harness | Frame::Scanner) => Self::Done(Asker::Program),
            (_, Frame::Keeps | Frame::Opens) | (Self::Inside, Frame::Loads | Frame::Harness) => {
                Self::Done(Asker::Unknown)
            }
        }
    }
}

fn of_jdk(class: &[u8], method: &[u8]) -> Frame {
    match passing(class, method) {
        Some(Passing::Everywhere) => Frame::Passes,
        Some(Passing::OutsideOfProgram) => Frame::Loads,
        Some(Passing::Members) => Frame::Opens,
        None => Frame::Keeps,
    }
}

/// A class that is not the JDK's. Names are enough here: who is called like a library that keeps things is taken for one.
fn of_others(class: &[u8]) -> Frame {
    const STORE: &[u8] = b"Store";
    // What extensions of JUnit have its stores compute outlives the test.
    let is_store = || class.windows(STORE.len()).any(|part| part == STORE);
    if is_logging(class) {
        Frame::Keeps
    } else if !is_harness(class) {
        Frame::Program
    } else if is_store() {
        Frame::Keeps
    } else if SCANNERS.iter().any(|name| class.starts_with(name)) {
        Frame::Scanner
    } else {
        Frame::Harness
    }
}

/// Where the JUnit Platform looks for classes, up to 1.11 and since then.
const SCANNERS: &[&[u8]] = &[
    b"org/junit/platform/commons/support/scanning/",
    b"org/junit/platform/commons/util/ClassFileVisitor",
    b"org/junit/platform/commons/util/ClasspathScanner",
    b"org/junit/platform/commons/util/DefaultClasspathScanner",
];

/// Whether a class has no file: hidden ones have a dot in their names, those before JDK 15 a number behind them.
fn is_made(class: &[u8]) -> bool {
    let last = class.rsplit(|byte| *byte == b'/').next();
    class.contains(&b'.') || last.is_some_and(|last| last.iter().all(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(frames: &[Frame], expected: Look) {
        let mut look = Look::Inside;
        look.go_on(frames.iter().copied());
        assert_eq!(look, expected, "{frames:?}");
    }

    #[test]
    fn the_program_asks_if_nothing_around_it_keeps() {
        use Frame::{Harness, Keeps, Loads, Made, Opens, Passes, Program, Scanner};
        let program = Look::Done(Asker::Program);
        let unknown = Look::Done(Asker::Unknown);
        check(&[Passes, Passes, Program, Passes, Harness, Keeps], program);
        check(&[Passes, Made, Program, Loads, Program, Harness], program);
        check(&[Passes, Program, Made, Passes], Look::InProgram);
        check(&[Passes, Made, Passes], Look::Inside);
        check(&[], Look::Inside);
        check(&[Passes, Keeps, Passes, Program, Harness], unknown);
        check(&[Passes, Program, Keeps, Program, Harness], unknown);
        check(&[Passes, Loads, Program, Harness], unknown);
        check(&[Passes, Harness, Program], unknown);
        check(&[Passes, Opens, Passes, Program], unknown);
        let scanner = Look::InScanner;
        check(&[Passes, Scanner, Made, Keeps, Harness, Loads], scanner);
        check(&[Passes, Scanner, Harness, Program, Harness], unknown);
        check(&[Passes, Loads, Passes, Scanner], unknown);
        check(&[Passes, Program, Passes, Scanner], program);
    }

    #[test]
    fn libraries_that_keep_are_known_by_their_names() {
        for (class, expected) in [
            ("shop/Cart", Frame::Program),
            ("shop/Store", Frame::Program),
            ("org/slf4j/LoggerFactory", Frame::Keeps),
            ("org/junit/runners/ParentRunner", Frame::Harness),
            (
                "org/junit/platform/commons/util/ClasspathScanner",
                Frame::Scanner,
            ),
            (
                "org/junit/platform/engine/support/store/NamespacedHierarchicalStore$1",
                Frame::Keeps,
            ),
        ] {
            assert_eq!(of_others(class.as_bytes()), expected, "{class}");
        }
        for (class, expected) in [
            ("shop/Cart$$Lambda.0x0000123", true),
            ("shop/Cart$$Lambda$1/12345", true),
            ("shop/Cart$1", false),
        ] {
            assert_eq!(is_made(class.as_bytes()), expected, "{class}");
        }
    }
}
