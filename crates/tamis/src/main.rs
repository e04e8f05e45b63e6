//! `tamis`, the program.

fn main() {}
