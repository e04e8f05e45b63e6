//! The options behind `-agentpath:FILE=`: where to connect, and what to say of this JVM.
//!
//! `socket=HEX,token=HEX`, then, in this order and only where there is something to say, `label=HEX`
//! and `parent=JVM.FORK`. Paths and labels stand in hexadecimal digits, since options of a JVM are cut at
//! spaces when they come from the environment.
//!
//! Tests of the agent may end the options with `,doctored=CLASS.METHOD`: those rows are then missing in the
//! tables of the JDK's methods, as if the JDK were newer than the agent.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;

use tamis_wire::{Parent, Token};

/// What the agent is told when a JVM starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The socket that the process listens on.
    pub socket: PathBuf,
    /// What shows that it was this process that started the agent.
    pub token: Token,
    /// What the build tool says of the tests in this JVM; it is passed on as it is.
    pub label: Vec<u8>,
    /// The JVM that started this one.
    pub parent: Option<Parent>,
}

impl Options {
    /// Reads the options; nothing if they are not those of an agent that has anything to do.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let mut parts = std::str::from_utf8(text).ok()?.split(',').peekable();
        let socket = from_hex(parts.next()?.strip_prefix("socket=")?)?;
        let token = from_hex(parts.next()?.strip_prefix("token=")?)?;
        let label = parts.next_if(|part| part.starts_with(LABEL));
        let parent = parts.next_if(|part| part.starts_with(PARENT));
        if parts.next().is_some() {
            return None;
        }
        Some(Self {
            socket: OsString::from_vec(socket).into(),
            token: token.try_into().ok()?,
            label: from_hex(label.map_or("", |label| &label[LABEL.len()..]))?,
            parent: match parent {
                None => None,
                Some(parent) => Some(parse_parent(&parent[PARENT.len()..])?),
            },
        })
    }

    /// The options as text without spaces or commas of its own.
    pub fn encode(&self) -> String {
        let socket = to_hex(self.socket.as_os_str().as_bytes());
        let mut text = format!("socket={socket},token={}", to_hex(&self.token));
        if !self.label.is_empty() {
            text.push(',');
            text.push_str(LABEL);
            text.push_str(&to_hex(&self.label));
        }
        if let Some(parent) = self.parent {
            let Parent { jvm, fork } = parent;
            write!(text, ",{PARENT}{jvm}.{fork}").expect("a string takes all that is written");
        }
        text
    }
}

/// Takes off the row of the tables of the JDK's methods that a test wants to be missing.
pub(crate) fn split_doctored(text: &[u8]) -> (&[u8], Option<String>) {
    let mut windows = text.windows(DOCTORED.len());
    let Some(start) = windows.position(|part| part == DOCTORED) else {
        return (text, None);
    };
    let row = &text[start + DOCTORED.len()..];
    (&text[..start], String::from_utf8(row.to_vec()).ok())
}

const DOCTORED: &[u8] = b",doctored=";
const LABEL: &str = "label=";
const PARENT: &str = "parent=";

fn parse_parent(text: &str) -> Option<Parent> {
    let (jvm, fork) = text.split_once('.')?;
    Some(Parent {
        jvm: jvm.parse().ok()?,
        fork: fork.parse().ok()?,
    })
}

const HEX: &[u8; 16] = b"0123456789abcdef";

fn to_hex(bytes: &[u8]) -> String {
    let digits = |byte: &u8| [byte >> 4, byte & 0xf].map(|digit| HEX[usize::from(digit)]);
    bytes.iter().flat_map(digits).map(char::from).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            let [high, low] = pair else { return None };
            let [high, low] = [high, low].map(|digit| char::from(*digit).to_digit(16));
            Some((high? << 4 | low?) as u8)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_back() {
        let parent = Parent { jvm: 3, fork: 70 };
        for (label, parent) in [
            ("", None),
            ("a b\nc", None),
            ("", Some(parent)),
            ("d", Some(parent)),
        ] {
            let options = Options {
                socket: "/tmp/a b,c/socket".into(),
                token: *b"0123456789abcdef",
                label: label.into(),
                parent,
            };
            let text = options.encode();
            assert!(!text.contains(char::is_whitespace));
            assert_eq!(Options::parse(text.as_bytes()), Some(options));
        }
    }

    #[test]
    fn a_doctored_table_is_an_option_of_its_own() {
        assert_eq!(split_doctored(b"a=b,c=d"), (&b"a=b,c=d"[..], None));
        let (rest, row) = split_doctored(b"a=b,doctored=a/B.c");
        assert_eq!((rest, row.as_deref()), (&b"a=b"[..], Some("a/B.c")));
    }

    #[test]
    fn anything_else_is_nothing() {
        for text in [
            "",
            "socket=2f",
            "socket=2f,token=00",
            "socket=zz,token=",
            "token=,socket=",
            "socket=2f,token=00000000000000000000000000000000,more=1",
            "socket=2f,token=00000000000000000000000000000000,parent=1.2,label=00",
            "socket=2f,token=00000000000000000000000000000000,parent=1",
            "socket=2f,token=00000000000000000000000000000000,label=0",
        ] {
            assert_eq!(Options::parse(text.as_bytes()), None, "{text}");
        }
        assert_eq!(Options::parse(&[0xff]), None);
    }
}
