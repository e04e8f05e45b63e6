//! The kinds of probes, put into classes by this crate and by ASM.

use std::collections::BTreeMap;

use tamis_classfile::probe::{self, Argument, BlockPlan, Bracket, Call, EntryPlan, Slots};
use tamis_classfile::{AccessFlags, ClassFile, Result};
use tamis_facts::MethodId;
use tamis_testkit::server::{self, Answer, BlockProbe, Classes, EntryProbe, JavaServer, Prologue};

use crate::classes::Class;
use crate::tally::Tally;

/// The kinds.
#[derive(Clone, Copy)]
pub(crate) enum Probe {
    Entry,
    Blocks,
    Bracket,
    Skip,
    Call,
}

const HOLDER: &str = "tamis/H0";
const OWNER: &str = "tamis/T";
const FIRST: u16 = 300;
const ID: u32 = 70_000;
const SLOTS: Slots<'_> = Slots {
    holder: HOLDER,
    first: FIRST,
};

/// A method of a class and what it can pass on.
struct Chosen {
    method: MethodId,
    arguments: Vec<Argument>,
}

/// A probed class, or nothing where the class has nothing to probe.
type Outcome = Result<Option<Vec<u8>>>;

impl Probe {
    /// The kinds that ASM puts in too.
    pub(crate) const ALL: [Self; 5] = [
        Self::Entry,
        Self::Blocks,
        Self::Bracket,
        Self::Skip,
        Self::Call,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Blocks => "blocks",
            Self::Bracket => "bracket",
            Self::Skip => "skip",
            Self::Call => "call",
        }
    }

    fn put(self, class: &[u8]) -> Outcome {
        match self {
            Self::Entry => {
                let plan = EntryPlan::scan(class)?;
                let probed = plan.write(&SLOTS)?;
                Ok((plan.n_units() > 0).then_some(probed.bytes))
            }
            Self::Blocks => {
                let plan = BlockPlan::scan(class)?;
                plan.map(|plan| plan.write(&SLOTS)).transpose()
            }
            Self::Bracket => {
                let probed = probe::bracket(
                    class,
                    &Bracket {
                        owner: OWNER,
                        id: ID,
                    },
                )?;
                Ok(probed.map(|probed| probed.bytes))
            }
            Self::Skip | Self::Call => {
                let Some(chosen) = self.choose(class)? else {
                    return Ok(None);
                };
                let arguments = &chosen.arguments[..];
                let call = Call {
                    owner: OWNER,
                    name: self.name(),
                    arguments,
                };
                let put = if matches!(self, Self::Skip) {
                    probe::skip
                } else {
                    probe::call
                };
                put(class, &chosen.method, &call).map(Some)
            }
        }
    }

    /// Puts the probe into all classes; those that are refused stay as they are.
    pub(crate) fn put_into(self, classes: &Classes, tally: &mut Tally) -> Classes {
        let mut probed = classes.clone();
        for class in probed.values_mut() {
            match self.put(class) {
                Ok(Some(bytes)) => {
                    tally.probed(self.name());
                    *class = bytes;
                }
                Ok(None) => {}
                Err(error) => tally.refused(self.name(), &error),
            }
        }
        probed
    }

    /// Compares what this crate and ASM make of the classes.
    pub(crate) fn compare(self, server: &mut JavaServer, classes: &[Class], tally: &mut Tally) {
        let mut ours = Vec::new();
        for class in classes {
            match self.put(&class.bytes) {
                Ok(Some(probed)) => ours.push((class, probed)),
                Ok(None) => {}
                Err(error) => tally.refused(self.name(), &error),
            }
        }
        let plain: Vec<&[u8]> = ours.iter().map(|(class, _)| &class.bytes[..]).collect();
        let theirs = self.put_by_asm(server, &plain);
        let mut pairs = Vec::new();
        for ((class, ours), theirs) in ours.iter().zip(&theirs) {
            tally.probed(self.name());
            match theirs {
                Ok(theirs) => pairs.push((class, &ours[..], &theirs[..])),
                Err(trace) => tally.differs(&format!("ASM refuses {}: {trace}", class.location)),
            }
        }
        let texts: Vec<_> = pairs
            .iter()
            .map(|(_, ours, theirs)| (*ours, *theirs))
            .collect();
        let answers = server.differences(&texts).unwrap();
        for ((class, ..), answer) in pairs.iter().zip(answers) {
            let location = &class.location;
            match answer {
                Ok(None) => {}
                Ok(Some(text)) => tally.differs(&format!("{} {location}:\n{text}", self.name())),
                Err(trace) => tally.differs(&format!("{} {location}: {trace}", self.name())),
            }
        }
    }

    fn put_by_asm(self, server: &mut JavaServer, classes: &[&[u8]]) -> Vec<Answer<Vec<u8>>> {
        match self {
            Self::Entry => {
                let job = |class| EntryProbe {
                    class,
                    holder: HOLDER,
                    first: FIRST,
                };
                let jobs: Vec<_> = classes.iter().copied().map(job).collect();
                let answers = server.probe_entry(&jobs).unwrap().into_iter();
                answers
                    .map(|answer| answer.map(|probed| probed.class))
                    .collect()
            }
            Self::Blocks => put_blocks_by_asm(server, classes),
            Self::Bracket => {
                let id = ID.cast_signed();
                let job = |class| server::Bracket {
                    class,
                    owner: OWNER,
                    id,
                };
                let jobs: Vec<_> = classes.iter().copied().map(job).collect();
                server.probe_bracket(&jobs).unwrap()
            }
            Self::Skip | Self::Call => self.put_prologues_by_asm(server, classes),
        }
    }

    fn put_prologues_by_asm(
        self,
        server: &mut JavaServer,
        classes: &[&[u8]],
    ) -> Vec<Answer<Vec<u8>>> {
        let chosen: Vec<_> = classes
            .iter()
            .map(|class| {
                let chosen = self
                    .choose(class)
                    .unwrap()
                    .expect("this crate found a method");
                let numbers = chosen.arguments.iter().map(|argument| number(*argument));
                let names = (
                    chosen.method.name.to_string(),
                    chosen.method.descriptor.to_string(),
                );
                (names, numbers.collect::<Vec<u8>>())
            })
            .collect();
        let jobs: Vec<_> = classes
            .iter()
            .zip(&chosen)
            .map(|(class, ((method, descriptor), arguments))| Prologue {
                class,
                method,
                descriptor,
                owner: OWNER,
                name: self.name(),
                arguments,
            })
            .collect();
        let answers = match self {
            Self::Skip => server.probe_skip(&jobs),
            _ => server.probe_call(&jobs),
        };
        answers.unwrap()
    }

    /// The longest method that can have the probe: the more there is to move, the better.
    fn choose(self, class: &[u8]) -> Result<Option<Chosen>> {
        let class = ClassFile::parse(class)?;
        let mut longest = (0, None);
        for method in &class.methods {
            let id = MethodId {
                name: class.constant_pool.name(method.name)?,
                descriptor: class.constant_pool.name(method.descriptor)?,
            };
            let can_return =
                id.name.as_bytes() != b"<init>" && id.descriptor.as_bytes().ends_with(b")V");
            let Some(code) = method
                .code()
                .filter(|_| can_return || matches!(self, Self::Call))
            else {
                continue;
            };
            // Names that are no UTF-8 do not get through to ASM.
            let is_plain = id.name.as_bytes().is_ascii() && id.descriptor.as_bytes().is_ascii();
            if is_plain && code.instructions.len() > longest.0 {
                let is_static = method.access_flags.contains(AccessFlags::STATIC);
                longest = (code.instructions.len(), Some((id, is_static)));
            }
        }
        Ok(longest.1.map(|(method, is_static)| Chosen {
            arguments: arguments(&method, is_static),
            method,
        }))
    }
}

/// In the methods that this crate puts them into; those left out must be too large.
fn put_blocks_by_asm(server: &mut JavaServer, classes: &[&[u8]]) -> Vec<Answer<Vec<u8>>> {
    let plans: Vec<_> = classes
        .iter()
        .map(|class| BlockPlan::scan(class).unwrap().unwrap())
        .collect();
    let positions: Vec<Vec<u16>> = plans
        .iter()
        .map(|plan| plan.methods().map(|blocks| blocks.method).collect())
        .collect();
    let jobs: Vec<_> = classes
        .iter()
        .zip(&positions)
        .map(|(class, methods)| BlockProbe {
            class,
            holder: HOLDER,
            first: FIRST,
            methods,
        })
        .collect();
    let answers = server.probe_blocks(&jobs).unwrap();
    for ((class, plan), answer) in classes.iter().zip(&plans).zip(&answers) {
        if let Ok(theirs) = answer {
            check_counts(class, plan, &theirs.methods);
        }
    }
    answers
        .into_iter()
        .map(|answer| answer.map(|probed| probed.class))
        .collect()
}

fn check_counts(class: &[u8], plan: &BlockPlan<'_>, theirs: &BTreeMap<u16, u32>) {
    let ours: BTreeMap<u16, u32> = plan
        .methods()
        .map(|blocks| (blocks.method, blocks.n_blocks))
        .collect();
    let class = ClassFile::parse(class).unwrap();
    for (method, n_blocks) in theirs {
        let code = class.methods[usize::from(*method)].code().unwrap();
        let grown = code.instructions.len() + 8 * *n_blocks as usize;
        match ours.get(method) {
            Some(count) => assert_eq!(count, n_blocks),
            None => assert!(*n_blocks == 1 || grown + 3 > 8000, "method {method}"),
        }
    }
}

/// Up to two references: the test's `tamis.T` takes no more.
fn arguments(method: &MethodId, is_static: bool) -> Vec<Argument> {
    let is_special = method.name.as_bytes().starts_with(b"<");
    let receiver = (!is_static && !is_special).then_some(Argument::Receiver);
    receiver
        .into_iter()
        .chain(references(&method.descriptor.to_string()))
        .take(2)
        .collect()
}

/// The parameters that are references.
fn references(descriptor: &str) -> Vec<Argument> {
    let mut found = Vec::new();
    let mut rest = descriptor.trim_start_matches('(');
    let mut number = 1;
    while !rest.starts_with(')') {
        let element = rest.trim_start_matches('[');
        let length = if element.starts_with('L') {
            element.find(';').unwrap() + 1
        } else {
            1
        };
        if rest.starts_with(['[', 'L']) {
            found.push(Argument::Parameter(number));
        }
        number += 1;
        rest = &element[length..];
    }
    found
}

fn number(argument: Argument) -> u8 {
    match argument {
        Argument::Receiver => 0,
        Argument::Parameter(number) => number,
    }
}
