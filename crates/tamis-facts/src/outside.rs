//! What a test turned to that no fact can cover.

use std::fmt;

/// Something outside of the JVM, of which nobody can tell whether it is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outside {
    /// Another machine, or a program on this one, by a connection.
    Network,
    /// A program that is no JVM, which the test started.
    Process,
    /// Whatever it may be: the test says of itself that it has to run each time.
    Anything,
}

impl Outside {
    /// All of them.
    pub const ALL: &[Self] = &[Self::Network, Self::Process, Self::Anything];

    /// How it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Process => "process",
            Self::Anything => "anything",
        }
    }

    /// The one of this name.
    pub fn of(name: &[u8]) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|outside| outside.name().as_bytes() == name)
    }
}

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
