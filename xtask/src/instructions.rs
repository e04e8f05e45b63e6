//! `cargo xtask instructions`: how many instructions the parts of Tamis take that only compute, against a stored baseline.
//!
//! Times differ from run to run and from machine to machine; counts under callgrind do not. So a change that costs more than it
//! should is seen at once, and by everybody. The parts are in the crate `tamis-instructions`; `docs/design/performance.md` says what
//! keeps the machine out of the counts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::command::{output_of, run as run_command, run_quietly};
use crate::metadata::Metadata;
use crate::setup;
use crate::workplace::Workplace;

const BASELINE: &str = "crates/tamis-instructions/baseline.txt";

/// How far a count may be from the baseline, in percent. Less comes from compilers that lay code out anew.
const MAX_PERCENT: f64 = 2.0;

/// Copying and comparing of the C library are to choose the same code on each processor.
const SAME_PROCESSOR: (&str, &str) = (
    "GLIBC_TUNABLES",
    "glibc.cpu.hwcaps=-AVX2,-AVX,-AVX512F,-AVX512VL,-AVX512BW,-ERMS,-FSRM,-BMI2",
);

const UPDATE_HINT: &str = "hint: if that is meant, `cargo xtask instructions --update` writes the new baseline: \
     commit it with the reason";

/// Compares, or with `--update` writes the baseline anew.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let workplace = setup::for_instructions()?;
    match arguments {
        [] => check(&workplace),
        [update] if update == "--update" => write(&workplace),
        [other, ..] => bail!("unexpected argument `{other}`"),
    }
}

/// Fails if a part takes more, or fewer, instructions than it did.
pub(crate) fn check(workplace: &Workplace) -> Result<()> {
    let text = fs::read_to_string(workplace.root.join(BASELINE));
    let text = text.with_context(|| format!("cannot read {BASELINE}"))?;
    let before = Baseline::parse(&text)?;
    let now = count(workplace)?;
    let complaints = before.compare(&now)?;
    ensure!(complaints.is_empty(), "{complaints}{UPDATE_HINT}");
    Ok(())
}

fn write(workplace: &Workplace) -> Result<()> {
    let now = count(workplace)?;
    fs::write(workplace.root.join(BASELINE), now.to_text())
        .with_context(|| format!("cannot write {BASELINE}"))
}

/// Counts of all parts, and what they were made with.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Baseline {
    compiler: String,
    host: String,
    /// Instructions by part.
    parts: BTreeMap<String, u64>,
}

impl Baseline {
    fn parse(text: &str) -> Result<Self> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let mut field = |name: &str| -> Result<String> {
            let line = lines.next().unwrap_or_default();
            let value = line.strip_prefix(name).map(str::trim);
            let value = value.with_context(|| format!("{BASELINE}: `{line}` is no {name}"))?;
            Ok(value.to_owned())
        };
        let (compiler, host) = (field("compiler")?, field("host")?);
        let part = |line: &str| -> Result<(String, u64)> {
            let parsed = line.split_once(' ').and_then(|(name, count)| {
                let count = count.trim().parse().ok()?;
                Some((name.to_owned(), count))
            });
            parsed.with_context(|| format!("{BASELINE}: `{line}` is no part with its count"))
        };
        Ok(Self {
            compiler,
            host,
            parts: lines.map(part).collect::<Result<_>>()?,
        })
    }

    fn to_text(&self) -> String {
        let mut text = format!(
            "# Instructions of the parts that only compute, written by `cargo xtask instructions --update`.\n\
             compiler {}\nhost {}\n",
            self.compiler, self.host
        );
        for (name, count) in &self.parts {
            writeln!(text, "{name:<16} {count}").expect("a string takes all that is written");
        }
        text
    }

    /// One line for each part that is too far away; an error where nothing can be compared.
    fn compare(&self, now: &Self) -> Result<String> {
        let is_alike = self.compiler == now.compiler && self.host == now.host;
        ensure!(
            is_alike,
            "the baseline was made with Rust {} on {}, and this is Rust {} on {}\n{UPDATE_HINT}",
            self.compiler,
            self.host,
            now.compiler,
            now.host
        );
        let mut complaints = String::new();
        let mut complain = |text: String| {
            complaints += &text;
            complaints.push('\n');
        };
        for (name, before) in &self.parts {
            match now.parts.get(name) {
                Some(now) if percent(*before, *now).abs() > MAX_PERCENT => {
                    complain(line(name, *before, *now));
                }
                Some(_) => {}
                None => complain(format!("{name}: is in the baseline and was not counted")),
            }
        }
        for name in now.parts.keys() {
            if !self.parts.contains_key(name) {
                complain(format!("{name}: is not in the baseline"));
            }
        }
        Ok(complaints)
    }
}

fn line(name: &str, before: u64, now: u64) -> String {
    let percent = percent(before, now);
    format!(
        "{name}: {before} instructions before, {now} now: {percent:+.1} % (±{MAX_PERCENT:.0} % is allowed)"
    )
}

/// How much more it is now.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts are far below 2^52, and a percentage needs few digits"
)]
fn percent(before: u64, now: u64) -> f64 {
    (now as f64 / before as f64 - 1.0) * 100.0
}

/// Builds the program and counts each of its parts.
fn count(workplace: &Workplace) -> Result<Baseline> {
    let build = [
        "build",
        "--release",
        "--quiet",
        "--package",
        "tamis-instructions",
        "--features",
        "portable",
    ];
    run_command(&mut workplace.cargo(&build)?)?;
    let target = Metadata::load(workplace)?.target_directory()?;
    let program = target.join("release/tamis-instructions");
    let names = output_of(&mut workplace.command(&program)?)?;
    let mut parts = BTreeMap::new();
    for name in names.lines() {
        let count = count_part(workplace, &program, &target, name)?;
        println!("{name:<16} {count:>12}");
        parts.insert(name.to_owned(), count);
    }
    let version = output_of(workplace.command("rustc")?.arg("-vV"))?;
    let field = |name: &str| -> Result<String> {
        let mut lines = version.lines();
        let value = lines.find_map(|line| line.strip_prefix(name));
        Ok(value
            .with_context(|| format!("rustc tells no `{name}`"))?
            .trim()
            .to_owned())
    };
    Ok(Baseline {
        compiler: field("release:")?,
        host: field("host:")?,
        parts,
    })
}

fn count_part(workplace: &Workplace, program: &Path, target: &Path, name: &str) -> Result<u64> {
    let output = target.join(format!("callgrind.{name}"));
    let mut command = workplace.command("valgrind")?;
    command
        .arg("--tool=callgrind")
        .arg("--quiet")
        .arg("--collect-atstart=no")
        .arg("--toggle-collect=*counted_part*")
        .arg(format!("--callgrind-out-file={}", output.display()))
        .arg(program)
        .arg(name)
        .env(SAME_PROCESSOR.0, SAME_PROCESSOR.1);
    run_quietly(&mut command)?;
    let text = fs::read_to_string(&output);
    let text = text.with_context(|| format!("callgrind left nothing of `{name}`"))?;
    let count = total(&text).filter(|count| *count > 0);
    count.with_context(|| format!("callgrind counted nothing of `{name}`"))
}

/// The sum in what callgrind writes.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("totals:"));
    line?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline(parts: &[(&str, u64)]) -> Baseline {
        Baseline {
            compiler: "1.2.3".to_owned(),
            host: "x86_64-unknown-linux-gnu".to_owned(),
            parts: parts
                .iter()
                .map(|(name, count)| ((*name).to_owned(), *count))
                .collect(),
        }
    }

    #[test]
    fn a_baseline_comes_back() {
        let baseline = baseline(&[("diff", 12), ("parse-messages", 3_456_789_012)]);
        assert_eq!(Baseline::parse(&baseline.to_text()).unwrap(), baseline);
        assert!(Baseline::parse("").is_err());
        assert!(Baseline::parse("compiler 1\nhost x\ndiff many").is_err());
    }

    #[test]
    fn two_percent_are_allowed_in_both_directions() {
        let before = baseline(&[("diff", 1_000_000)]);
        for count in [980_100, 1_000_000, 1_019_900] {
            assert_eq!(before.compare(&baseline(&[("diff", count)])).unwrap(), "");
        }
        assert_eq!(
            before.compare(&baseline(&[("diff", 1_021_000)])).unwrap(),
            "diff: 1000000 instructions before, 1021000 now: +2.1 % (±2 % is allowed)\n"
        );
        let faster = before.compare(&baseline(&[("diff", 900_000)])).unwrap();
        assert!(faster.contains("-10.0 %"), "{faster}");
    }

    #[test]
    fn no_part_is_left_out() {
        let before = baseline(&[("diff", 1), ("gone", 1)]);
        let now = baseline(&[("diff", 1), ("new", 1)]);
        assert_eq!(
            before.compare(&now).unwrap(),
            "gone: is in the baseline and was not counted\nnew: is not in the baseline\n"
        );
    }

    #[test]
    fn another_compiler_needs_another_baseline() {
        let before = baseline(&[("diff", 1)]);
        let now = Baseline {
            compiler: "1.2.4".to_owned(),
            ..before.clone()
        };
        let error = before.compare(&now).unwrap_err().to_string();
        assert!(
            error.contains("Rust 1.2.3") && error.contains("Rust 1.2.4"),
            "{error}"
        );
    }

    #[test]
    fn the_sum_of_callgrind_is_found() {
        assert_eq!(
            total("events: Ir\nsummary: 7\n\ntotals: 12345\n"),
            Some(12_345)
        );
        assert_eq!(total("events: Ir\n"), None);
    }
}
