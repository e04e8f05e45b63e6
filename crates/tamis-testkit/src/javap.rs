//! The JDK's own disassembler as an oracle, its output freed of what depends on the order of the
//! constant pool.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use tamis_build::Jdk;

/// What `javap -v -p` prints for each class, in normal form: without the constant pool and the
/// lines about the file, with `#` for every constant pool index and single spaces. Numbers that are
/// no indices stay, code offsets among them.
pub fn javap(jdk: &Jdk, classes: &[&[u8]]) -> Result<Vec<String>> {
    let dir = tempfile::tempdir()?;
    let mut command = Command::new(jdk.javap());
    command
        .args(["-J-Duser.language=en", "-v", "-p"])
        .current_dir(dir.path());
    for (i, class) in classes.iter().enumerate() {
        let name = format!("{i}.class");
        fs::write(dir.path().join(&name), class)?;
        command.arg(name);
    }
    let output = command
        .output()
        .with_context(|| format!("cannot start {}", jdk.javap().display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(
        output.status.success(),
        "javap failed:\n{}{}",
        String::from_utf8_lossy(&output.stderr),
        text.lines()
            .filter(|line| line.starts_with("Error"))
            .collect::<String>()
    );
    let text = format!("\n{text}");
    let texts: Vec<String> = text
        .split("\nClassfile ")
        .skip(1)
        .map(normal_form)
        .collect();
    ensure!(
        texts.len() == classes.len(),
        "javap prints {} of {} classes",
        texts.len(),
        classes.len()
    );
    Ok(texts)
}

/// Whether the line is about the file and not about the class.
fn is_about_file(line: &str) -> bool {
    let line = line.trim_start();
    ["Last modified", "MD5 checksum", "SHA-256 checksum"]
        .iter()
        .any(|s| line.starts_with(s))
}

/// Whether the line is an entry of the constant pool.
fn is_constant(line: &str) -> bool {
    let rest = line.trim_start().strip_prefix('#');
    rest.is_some_and(|rest| {
        rest.trim_start_matches(|c: char| c.is_ascii_digit())
            .starts_with(" = ")
    })
}

/// The first line, left over from `Classfile <path>`, goes too.
fn normal_form(text: &str) -> String {
    let lines = text
        .lines()
        .skip(1)
        .filter(|line| !is_about_file(line) && !is_constant(line));
    let mut normal = String::new();
    for line in lines {
        let words: Vec<String> = line.split_whitespace().map(without_indices).collect();
        normal.push_str(&words.join(" "));
        normal.push('\n');
    }
    normal
}

/// Drops the digits after each `#`.
fn without_indices(word: &str) -> String {
    let mut parts = word.split('#');
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        result.push('#');
        result.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jdks::jdks;
    use crate::server::{Classes, JavaServer};

    fn compile(server: &mut JavaServer, source: &str) -> Classes {
        server.compile(&["-g"], &[("A.java", source)]).unwrap()
    }

    #[test]
    fn pool_order_does_not_show_and_code_does() {
        for jdk in jdks().unwrap() {
            let mut server = JavaServer::start(&jdk).unwrap();
            let plain = compile(&mut server, "class A { String f() { return \"x#1\"; } }");
            // ASM numbers the constants anew.
            let renamed = server
                .rename_method(&plain["A"], ("f", "()Ljava/lang/String;"), "f")
                .unwrap();
            let other = compile(&mut server, "class A { String f() { return \"y#1\"; } }");
            let texts = javap(&jdk, &[&plain["A"], &renamed, &other["A"]]).unwrap();
            assert!(
                texts[0].contains("\n0: ldc # // String x#\n"),
                "{}",
                texts[0]
            );
            assert_eq!(texts[0], texts[1]);
            assert_ne!(texts[0], texts[2]);
        }
    }
}
