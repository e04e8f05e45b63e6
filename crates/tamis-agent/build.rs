//! Compiles the agent as a library that a JVM can load, to be embedded in this crate.
//!
//! Cargo cannot embed a `cdylib` of its own workspace in a binary, so the compiler is called directly:
//! the agent and the crates below it have no dependencies on others' crates, and one file per crate
//! is all it takes. `TAMIS_AGENT_LIB` names a library to embed instead, for distributions and cross
//! builds.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// In the order of compilation: name, and which of the earlier ones it needs.
const CRATES: &[(&str, &[&str])] = &[
    ("tamis-facts", &[]),
    ("tamis-classfile", &["tamis-facts"]),
    ("tamis-wire", &["tamis-facts"]),
    (
        "tamis-agent",
        &["tamis-facts", "tamis-classfile", "tamis-wire"],
    ),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rustc-check-cfg=cfg(tamis_cdylib)");
    println!("cargo::rerun-if-env-changed=TAMIS_AGENT_LIB");
    let library = match env::var_os("TAMIS_AGENT_LIB") {
        Some(prebuilt) => PathBuf::from(prebuilt),
        None => build()?,
    };
    println!("cargo::rerun-if-changed={}", library.display());
    println!("cargo::rustc-env=TAMIS_AGENT_EMBED={}", library.display());
    Ok(())
}

fn build() -> Result<PathBuf, Box<dyn Error>> {
    let out = PathBuf::from(var("OUT_DIR")?);
    let manifest = PathBuf::from(var("CARGO_MANIFEST_DIR")?);
    let crates = manifest.parent().ok_or("the crate lies beside others")?;
    for (name, dependencies) in CRATES {
        let source = crates.join(name).join("src");
        println!("cargo::rerun-if-changed={}", source.display());
        compile(name, dependencies, &source.join("lib.rs"), &out)?;
    }
    Ok(out.join(file_name("tamis-agent")))
}

fn compile(
    name: &str,
    dependencies: &[&str],
    root: &Path,
    out: &Path,
) -> Result<(), Box<dyn Error>> {
    let mut command = Command::new(var("RUSTC")?);
    command
        .arg(root)
        .args(["--edition=2024", "--cap-lints=allow"])
        .args(["--crate-name", &name.replace('-', "_")])
        .args(["--crate-type", crate_type(name)])
        .arg("--target")
        .arg(var("TARGET")?);
    // A panic is caught at every entry of the agent, whatever the profile of the program is.
    command.args(["-Cpanic=unwind", "-Copt-level=3", "-Cstrip=symbols"]);
    command.arg("-Ccodegen-units=1");
    if env::var_os("CARGO_FEATURE_SABOTAGE").is_some() {
        command.arg("--cfg=feature=\"sabotage\"");
    }
    if name == "tamis-agent" {
        // Nothing but the JVM's entry points; on musl the C library is the JVM's own.
        command.args(["--cfg=tamis_cdylib", "-Ctarget-feature=-crt-static"]);
        // Boundaries go through all of these crates, and through the standard library.
        command.arg("-Clto=fat");
    }
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut option = OsString::from("-Clinker=");
        option.push(linker);
        command.arg(option);
    }
    if let Ok(flags) = env::var("CARGO_ENCODED_RUSTFLAGS") {
        let flags = flags.split('\u{1f}').filter(|flag| !flag.is_empty());
        command.args(flags);
    }
    for dependency in dependencies {
        let library = out.join(file_name(dependency));
        let name = dependency.replace('-', "_");
        command.arg("--extern");
        command.arg(format!("{name}={}", library.display()));
    }
    command
        .arg("-L")
        .arg(out)
        .arg("-o")
        .arg(out.join(file_name(name)));
    let status = command.status()?;
    if status.success() {
        return Ok(());
    }
    Err(format!("{command:?} failed with {status}").into())
}

fn crate_type(name: &str) -> &'static str {
    match name {
        "tamis-agent" => "cdylib",
        _ => "rlib",
    }
}

fn file_name(name: &str) -> String {
    let name = name.replace('-', "_");
    match crate_type(&name.replace('_', "-")) {
        "cdylib" => format!("lib{name}.so"),
        _ => format!("lib{name}.rlib"),
    }
}

fn var(name: &str) -> Result<OsString, String> {
    env::var_os(name).ok_or_else(|| format!("cargo sets {name}"))
}
