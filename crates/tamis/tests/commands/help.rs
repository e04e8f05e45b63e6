//! What the commands say of themselves.

use insta::assert_snapshot;

use crate::sandbox::Sandbox;

fn help(command: &str) -> String {
    let arguments = command.split(' ').chain(["--help"]);
    Sandbox::empty().run(arguments)
}

#[test]
fn commands_that_run_tests() {
    assert_snapshot!(help("test"));
    assert_snapshot!(help("run"));
    assert_snapshot!(help("select"));
}

#[test]
fn commands_that_explain() {
    assert_snapshot!(help("why"));
    assert_snapshot!(help("what"));
}

#[test]
fn commands_about_what_is_known() {
    assert_snapshot!(help("status"));
    assert_snapshot!(help("doctor"));
    assert_snapshot!(help("forget"));
}

#[test]
fn commands_about_settings() {
    assert_snapshot!(help("config"));
    assert_snapshot!(help("config show"));
    assert_snapshot!(help("config default"));
}

/// Whoever leaves out `--` learns of it.
#[test]
fn wrong_use() {
    let sandbox = Sandbox::empty();
    assert_snapshot!(sandbox.run(["test", "-Dtest=Foo"]));
    assert_snapshot!(sandbox.run(["run"]));
    assert_snapshot!(sandbox.run(["test", "--mesh", "word"]));
    assert_snapshot!(sandbox.run(["why"]));
}
