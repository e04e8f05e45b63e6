//! What is said where nothing is known yet, and where there is no build.

use insta::assert_snapshot;

use crate::sandbox::{Sandbox, shown};

#[test]
fn no_build() {
    let sandbox = Sandbox::empty();
    assert_snapshot!(sandbox.run(["test"]));
    assert_snapshot!(sandbox.run(["select"]));
}

#[test]
fn no_records() {
    let sandbox = Sandbox::empty();
    assert_snapshot!(sandbox.run(["why", "CartTest"]));
    assert_snapshot!(sandbox.run(["what", "shop.Cart"]));
    assert_snapshot!(sandbox.run(["status"]));
    assert_snapshot!(sandbox.run(["forget"]));
    assert!(
        !sandbox.path(".tamis").exists(),
        "who only looks leaves nothing"
    );
}

/// Switched off, the command takes the place of Tamis.
#[test]
fn switched_off() {
    let sandbox = Sandbox::empty();
    let mut command = sandbox.tamis();
    command
        .env("TAMIS_ENABLED", "false")
        .args(["run", "--", "sh", "-c", "echo ran; exit 3"]);
    assert_snapshot!(shown(command));
    sandbox.write("tamis.toml", b"enabled = false");
    assert_snapshot!(sandbox.run(["run", "--", "./no-such-program"]));
    assert!(!sandbox.path(".tamis").exists());
}
