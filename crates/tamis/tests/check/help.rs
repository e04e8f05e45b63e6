//! What the commands say of themselves.

use insta::assert_snapshot;

use crate::sandbox::{Sandbox, said};

fn printed(arguments: &[&str]) -> String {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command();
    command.arg("check").args(arguments);
    said(command).out
}

#[test]
fn help() {
    assert_snapshot!(printed(&["--help"]));
    assert_snapshot!(printed(&["auto", "--help"]));
    assert_snapshot!(printed(&["replay", "--help"]));
    assert_snapshot!(printed(&["rules", "--help"]));
    assert_snapshot!(printed(&["history", "--help"]));
    assert_snapshot!(printed(&["defects", "--help"]));
}

#[test]
fn rules() {
    assert_snapshot!(printed(&["rules"]));
    assert_snapshot!(printed(&["rules", "r1", "R3"]));
}
