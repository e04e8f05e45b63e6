//! Who runs the tests of a project, and what happened to the project before.

use std::fmt;

use tamis_check::Peer;
use tamis_facts::Mesh;

/// A way to run the tests, on an occasion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Contestant {
    pub(crate) tool: Tool,
    pub(crate) occasion: Occasion,
}

/// Each has a copy of the project to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tool {
    /// Maven alone.
    Plain,
    /// The same, to know how much two equal runs differ.
    PlainAgain,
    /// Maven, told to compile the tests and not to run them.
    SkipTests,
    Tamis(Mesh),
    /// The plug-in of JaCoCo, with its default options.
    Jacoco,
    /// A tool of others that selects tests.
    Peer(Peer),
}

/// What the tool knows, and what is new to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Occasion {
    /// It knows nothing of earlier runs.
    First,
    /// Nothing has changed since the last run.
    Unchanged,
    /// A method has changed since the last run, as it never was before.
    MethodChanged,
    /// A file that tests read from the class path has, likewise.
    ResourceChanged,
}

pub(crate) const PLAIN: Contestant = of(Tool::Plain, Occasion::Unchanged);
pub(crate) const PLAIN_AGAIN: Contestant = of(Tool::PlainAgain, Occasion::Unchanged);
pub(crate) const SKIP_TESTS: Contestant = of(Tool::SkipTests, Occasion::Unchanged);
pub(crate) const JACOCO: Contestant = of(Tool::Jacoco, Occasion::Unchanged);

/// A tool on an occasion.
pub(crate) const fn of(tool: Tool, occasion: Occasion) -> Contestant {
    Contestant { tool, occasion }
}

impl Contestant {
    /// The run of every test that it is compared with: one after the same change.
    pub(crate) fn plain(self) -> Self {
        let occasion = match self.occasion {
            Occasion::First => Occasion::Unchanged,
            occasion => occasion,
        };
        of(Tool::Plain, occasion)
    }
}

impl Tool {
    /// Whether it remembers runs and leaves tests out.
    pub(crate) fn selects(self) -> bool {
        matches!(self, Self::Tamis(_) | Self::Peer(_))
    }

    /// Whether the bench goes on without it where it does not work.
    pub(crate) fn is_rival(self) -> bool {
        matches!(self, Self::Jacoco | Self::Peer(_))
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tool, occasion } = self;
        match occasion {
            Occasion::Unchanged if !tool.selects() => write!(f, "{tool}"),
            occasion => write!(f, "{tool}, {occasion}"),
        }
    }
}

impl fmt::Display for Occasion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "first run",
            Self::Unchanged => "unchanged",
            Self::MethodChanged => "method changed",
            Self::ResourceChanged => "resource changed",
        })
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Plain => "plain",
            Self::PlainAgain => "plain again",
            Self::SkipTests => "plain, -DskipTests",
            Self::Tamis(Mesh::Method) => "Tamis",
            Self::Tamis(mesh) => return write!(f, "Tamis by {mesh}"),
            Self::Jacoco => "JaCoCo",
            Self::Peer(Peer::Ekstazi) => "Ekstazi",
            Self::Peer(Peer::Starts) => "STARTS",
            Self::Peer(Peer::Hyrts) => "HyRTS",
            Self::Peer(Peer::Hyrtsf) => "HyRTSf",
            Self::Peer(Peer::OpenClover) => "OpenClover",
        };
        f.write_str(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_compared_with_the_plain_run_after_the_same_change() {
        let tamis = Tool::Tamis(Mesh::Method);
        for (occasion, plain) in [
            (Occasion::First, "plain"),
            (Occasion::Unchanged, "plain"),
            (Occasion::MethodChanged, "plain, method changed"),
            (Occasion::ResourceChanged, "plain, resource changed"),
        ] {
            assert_eq!(of(tamis, occasion).plain().to_string(), plain);
        }
    }

    #[test]
    fn names_tell_tools_and_occasions_apart() {
        let named = |tool, occasion| of(tool, occasion).to_string();
        let mesh = Tool::Tamis(Mesh::Block);
        assert_eq!(named(mesh, Occasion::First), "Tamis by block, first run");
        let starts = Tool::Peer(Peer::Starts);
        assert_eq!(named(starts, Occasion::Unchanged), "STARTS, unchanged");
        assert_eq!(JACOCO.to_string(), "JaCoCo");
    }
}
