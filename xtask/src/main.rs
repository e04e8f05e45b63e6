//! What a developer of Tamis runs.

fn main() {}
