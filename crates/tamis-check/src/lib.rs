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
mod check;
mod check_error;
mod confirm;
mod reduce;
mod replay;

mod baseline;
mod batch;
mod compiler;
mod efficiency;
mod jar;
mod java_side;
mod outcome;
mod process;
mod project;
mod result;
mod resume;
mod revisions;
mod steps;
mod tool;
mod workshop;

mod history;
mod rule;
mod smallest;

// Real histories, and bugs of real programs.
mod defects;
mod git_history;

pub use defects::{
    BugName, BugRecord, DatabaseError, DatabaseErrorKind, DefectsAudience, DefectsCheck,
    DefectsError, DefectsOpening, DefectsResult, DefectsTool, NotReproduced, Obstacle,
    ParseBugNameError, ProjectResult, Trigger, TriggerCount, TriggerRecord, TriggerState,
};
pub use git_history::{
    Audience, Build, Conditions, Contestant, Cost, Explanations, Extra, ExtraSummary, Finding,
    Ground, HistoryCheck, HistoryError, HistoryResult, HistoryStep, HyrtsCore, LeftOut, Opening,
    Pair, ParseRangeError, Peer, Range, RevisionRecord, ToolRecord, ToolSummary,
};

pub use batch::{DropReason, Dropped, FailedTool, ToolTime};
pub use check::{Check, Checked, Equipment, Progress};
pub use check_error::CheckError;
pub use confirm::{Confirmed, ConfirmedKind};
pub use efficiency::{Efficiency, TimedRun};
pub use history::{History, Outcome, StepHistory, ToolStep, Variant};
pub use java_side::JavaSideError;
pub use process::Stop;
pub use reduce::{ReduceBounds, Reduced};
pub use replay::Replay;
pub use result::{CheckResult, VariantResult};
pub use rule::{
    RULES, Rule, UserRule, UserRuleError, UserRuleErrorKind, Violation, Weight, find_rule,
};
pub use smallest::smallest_of_each_kind;
pub use steps::Step;
pub use tool::{FailureKind, Granularity, TamisChoice, ToolChoice, ToolFailure};
