//! What tests of other crates need and the product does not: real libraries, ASM and `javac` as
//! oracles, and sample programs that run.

pub mod corpus;
pub mod jdks;
pub mod maven;
pub mod place;

pub mod java_side;
pub mod javap;
pub mod run;
pub mod server;

pub mod compilers;
mod generated;
pub mod program;

pub mod exact_agent;
pub mod jacoco;
pub mod suite;
pub mod suite_library;
pub mod suite_results;
