//! What tests of other crates need and the product does not: real libraries, ASM and `javac` as oracles, and sample
//! programs that run.

pub mod corpus;
pub mod java_side;
pub mod jdks;
pub mod maven;
pub mod place;
pub mod server;
