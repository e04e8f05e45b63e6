//! Finds bugs in tools for regression test selection (SPEC 7): programs that evolve are run with
//! every test and with each tool, and rules compare what the tools did.
//!
//! Nothing here shares code with the selection it checks: every tool, Tamis too, is a command.

// Programs that evolve.
mod constraint;
mod evolve;
mod evolving;
mod generate;
mod operator;
mod program;
mod random;
mod render;
mod sequence;

pub use constraint::{Constraint, ParseConstraintError};
pub use evolving::{
    Bounds, EvolvingProgram, Expected, Framework, ParseProgramIdError, Plan, ProgramId, Side,
    SourceFile,
};
pub use operator::{Operator, ParseOperatorError};

// Running them.
