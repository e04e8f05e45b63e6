//! What one JVM told, put together message by message.

use std::collections::BTreeMap;

use tamis_wire::{
    Bye, ClassLoaded, Frame, FromAgent, Hello, Segment, Session, ToAgent, Token, UnitSet, Verdict,
    WireError,
};

/// A JVM that was watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedJvm {
    /// Who it is.
    pub hello: Hello,
    /// The classes it loaded, in that order.
    pub classes: Vec<ClassLoaded>,
    /// What ran, and during what.
    pub segments: BTreeMap<Segment, UnitSet>,
    /// Whether all of it was told.
    pub ending: Ending,
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
    /// It outlived the command.
    StillRunning,
}

/// The process's side of a connection, without the connection: bytes in, bytes out.
#[derive(Debug)]
pub(crate) struct Conversation {
    token: Token,
    arrived: Vec<u8>,
    jvm: Option<WatchedJvm>,
}

/// The peer is no agent of ours, or erred: nothing more is to be read from it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HangUp;

impl Conversation {
    pub(crate) fn new(token: Token) -> Self {
        Self {
            token,
            arrived: Vec::new(),
            jvm: None,
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
                Err(error) => return Err(self.garbled(error)),
            }
        }
        self.arrived.drain(..n_done);
        Ok(answer)
    }

    /// Who the JVM is, once it has said so.
    pub(crate) fn hello(&self) -> Option<&Hello> {
        self.jvm.as_ref().map(|jvm| &jvm.hello)
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
        if jvm.ending != Ending::Lost {
            return Err(HangUp);
        }
        match message {
            FromAgent::Hello(_) => return Err(HangUp),
            FromAgent::ClassLoaded(class) => jvm.classes.push(class),
            FromAgent::Marks(marks) => {
                let segment = jvm.segments.entry(marks.segment).or_default();
                segment.extend(&marks.units);
            }
            FromAgent::Discovered(discovered) => {
                let verdict = ToAgent::Verdict(Verdict::Run(discovered.entity));
                say(verdict, answer);
            }
            // Marks name their entity; nothing is kept of its outcome.
            FromAgent::EntityBegin(_) | FromAgent::EntityEnd(_) => {}
            FromAgent::Bye(Bye::Complete) => jvm.ending = Ending::Complete,
            FromAgent::Bye(Bye::Incomplete(reason)) => {
                jvm.ending = Ending::Incomplete(String::from_utf8_lossy(&reason).into_owned());
            }
        }
        Ok(())
    }

    /// The first message is a hello with our token, or the peer is none of ours.
    fn greet(&mut self, message: FromAgent, answer: &mut Vec<u8>) -> Result<(), HangUp> {
        let FromAgent::Hello(hello) = message else {
            return Err(HangUp);
        };
        if hello.token != self.token {
            return Err(HangUp);
        }
        self.jvm = Some(WatchedJvm {
            hello,
            classes: Vec::new(),
            segments: BTreeMap::new(),
            ending: Ending::Lost,
        });
        say(ToAgent::Session(Session::Accept), answer);
        Ok(())
    }

    fn garbled(&mut self, error: WireError) -> HangUp {
        if let Some(jvm) = &mut self.jvm {
            jvm.ending = Ending::Garbled(error);
        }
        HangUp
    }
}

fn say(message: ToAgent, answer: &mut Vec<u8>) {
    message
        .encode(answer)
        .expect("an answer is a few bytes and fits a frame");
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_wire::{EntityBegin, Marks};

    const TOKEN: Token = [9; 16];

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
            let mut conversation = Conversation::new(TOKEN);
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

    #[test]
    fn marks_of_a_segment_add_up() {
        let mut conversation = Conversation::new(TOKEN);
        let messages = [
            hello(TOKEN),
            marks(&[1]),
            marks(&[5]),
            FromAgent::Bye(Bye::Complete),
        ];
        conversation.receive(&bytes(&messages)).unwrap();
        let jvm = conversation.finish().unwrap();
        assert_eq!(
            jvm.segments[&Segment::Ambient].iter().collect::<Vec<_>>(),
            [1, 5]
        );
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
        let mut conversation = Conversation::new(TOKEN);
        conversation.receive(&bytes(&[hello(TOKEN)])).unwrap();
        assert_eq!(conversation.receive(&[0xff; 8]), Err(HangUp));
        let jvm = conversation.finish().unwrap();
        assert!(matches!(jvm.ending, Ending::Garbled(_)), "{:?}", jvm.ending);

        for wrong in [hello(TOKEN), FromAgent::Bye(Bye::Complete)] {
            let mut conversation = Conversation::new(TOKEN);
            let messages = [hello(TOKEN), FromAgent::Bye(Bye::Complete), wrong];
            assert_eq!(conversation.receive(&bytes(&messages)), Err(HangUp));
        }
    }

    #[test]
    fn an_entity_that_is_shown_runs() {
        let mut conversation = Conversation::new(TOKEN);
        conversation.receive(&bytes(&[hello(TOKEN)])).unwrap();
        let discovered = tamis_wire::Discovered {
            entity: 4,
            name: b"ATest".to_vec(),
            tests: Vec::new(),
        };
        let begin = FromAgent::EntityBegin(EntityBegin { entity: 4 });
        let answer = conversation.receive(&bytes(&[FromAgent::Discovered(discovered), begin]));
        let mut expected = Vec::new();
        say(ToAgent::Verdict(Verdict::Run(4)), &mut expected);
        assert_eq!(answer, Ok(expected));
    }
}
