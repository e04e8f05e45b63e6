//! The options behind `-agentpath:FILE=`: where to connect, and the token to show.
//!
//! `socket=PATH,token=HEX`. The path stands in hexadecimal digits too, since options of a JVM are cut
//! at spaces when they come from the environment.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;

use tamis_wire::Token;

/// What the agent is told when a JVM starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The socket that the process listens on.
    pub socket: PathBuf,
    /// What shows that it was this process that started the agent.
    pub token: Token,
}

impl Options {
    /// Reads the options; nothing if they are not those of an agent that has anything to do.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?;
        let (socket, token) = text.split_once(',')?;
        let socket = from_hex(socket.strip_prefix("socket=")?)?;
        let token = from_hex(token.strip_prefix("token=")?)?;
        Some(Self {
            socket: OsString::from_vec(socket).into(),
            token: token.try_into().ok()?,
        })
    }

    /// The options as text without spaces or commas of its own.
    pub fn encode(&self) -> String {
        let socket = to_hex(self.socket.as_os_str().as_bytes());
        format!("socket={socket},token={}", to_hex(&self.token))
    }
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
        let options = Options {
            socket: "/tmp/a b,c/socket".into(),
            token: *b"0123456789abcdef",
        };
        let text = options.encode();
        assert!(!text.contains(' '));
        assert_eq!(Options::parse(text.as_bytes()), Some(options));
    }

    #[test]
    fn anything_else_is_nothing() {
        for text in [
            "",
            "socket=2f",
            "socket=2f,token=00",
            "socket=zz,token=",
            "token=,socket=",
        ] {
            assert_eq!(Options::parse(text.as_bytes()), None, "{text}");
        }
        assert_eq!(Options::parse(&[0xff]), None);
    }
}
