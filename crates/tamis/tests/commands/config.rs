//! Settings in their layers, and what is said of wrong ones.

use insta::assert_snapshot;

use crate::sandbox::{Sandbox, shown};

#[test]
fn without_settings() {
    assert_snapshot!(Sandbox::empty().run(["config", "show"]));
}

#[test]
fn each_layer_is_named() {
    let sandbox = Sandbox::empty();
    sandbox.write(
        "configuration/tamis/config.toml",
        b"max-age = 7\nrecords-kept = 3\n",
    );
    sandbox.write(
        "project/tamis.toml",
        b"# for all of us\nmax-age = 14\nstore = 'known'\nignored-files = ['docs/**']\n",
    );
    sandbox.write("project/below/file", b"");
    let command = |format: &str| {
        let mut command = sandbox.tamis();
        command
            .current_dir(sandbox.path("project/below"))
            .env("TAMIS_DEBUG_INFO", "true")
            .args(["config", "show", "--mesh", "file", "--format", format]);
        let text = shown(command);
        text.replace(sandbox.path("").to_str().unwrap(), "[sandbox]/")
    };
    assert_snapshot!(command("text"));
    assert_snapshot!(command("json"));
}

/// The file that is printed can be used, and changes nothing.
#[test]
fn the_default_file() {
    let sandbox = Sandbox::empty();
    let output = sandbox
        .tamis()
        .args(["config", "default"])
        .output()
        .unwrap();
    sandbox.write("tamis.toml", &output.stdout);
    let shown = sandbox.run(["config", "show"]);
    assert_eq!(shown, Sandbox::empty().run(["config", "show"]));
}

#[test]
fn an_unknown_key() {
    let sandbox = Sandbox::empty();
    sandbox.write("tamis.toml", b"\nmax_age = 14\n");
    assert_snapshot!(sandbox.run(["config", "show"]));
    assert_snapshot!(sandbox.run(["test"]));
}

#[test]
fn wrong_values() {
    let sandbox = Sandbox::empty();
    let mut command = sandbox.tamis();
    command.env("TAMIS_MESH", "fine").args(["config", "show"]);
    assert_snapshot!(shown(command));
    sandbox.write("tamis.toml", b"mesh = 'file\n");
    assert_snapshot!(sandbox.run(["config", "show"]));
}

#[test]
fn names_of_ekstazi() {
    let sandbox = Sandbox::empty();
    sandbox.write("tamis.toml", b"forceall = true\nroot.dir = 'data'\n");
    assert_snapshot!(sandbox.run(["config", "show"]));
    sandbox.write("tamis.toml", b"hash.algorithm = 'CRC32'\n");
    assert_snapshot!(sandbox.run(["config", "show"]));
}
