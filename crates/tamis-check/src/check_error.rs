//! Why a check cannot go on. What a tool does is never among it.

use std::io;
use std::path::PathBuf;

use tamis_build::JdkError;

use crate::evolving::ProgramId;
use crate::java_side::JavaSideError;
use crate::rule::UserRuleError;

/// A check cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The user wants to stop; what is finished is kept.
    #[error("stopped after {n_done} of {n_programs} programs")]
    Stopped {
        /// Programs whose results are kept.
        n_done: usize,
        /// Programs that were asked for.
        n_programs: usize,
        /// Where the results are.
        work: PathBuf,
    },
    /// The JDK that was named is none.
    #[error(transparent)]
    Jdk(#[from] JdkError),
    /// There is no JDK at all.
    #[error("found no JDK, which programs are compiled and run with")]
    NoJdk,
    /// JUnit, the oracle, or the compiler cannot be put in place.
    #[error(transparent)]
    JavaSide(#[from] JavaSideError),
    /// javac cannot be talked to.
    #[error("cannot compile with `{}`", javac.display())]
    Compiler {
        /// The compiler.
        javac: PathBuf,
        /// Why not.
        #[source]
        cause: io::Error,
    },
    /// javac refuses what it should take.
    #[error("javac refuses {what}: {said}")]
    Refused {
        /// What it refuses.
        what: String,
        /// Its first words.
        said: String,
    },
    /// Tests cannot even be run without a tool.
    #[error("cannot run all tests without a tool: {0}")]
    RetestAll(String),
    /// There is no such program under this seed.
    #[error("there is no program `{0}` under this seed")]
    NoProgram(ProgramId),
    /// Another process works on the same.
    #[error("another check works in `{}`", .0.display())]
    Locked(PathBuf),
    /// Files of the check cannot be written or read.
    #[error("cannot use the work directory `{}`", work.display())]
    Work {
        /// The directory.
        work: PathBuf,
        /// Why not.
        #[source]
        cause: io::Error,
    },
    /// A rule of the user's.
    #[error(transparent)]
    UserRule(#[from] UserRuleError),
}
