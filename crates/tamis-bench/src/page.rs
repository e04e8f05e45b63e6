//! `cargo xtask bench report`: what benches wrote, as a page for a browser: one file, without scripts and without anything to
//! fetch.
//!
//! It shows what the lines say and computes no figure anew. Whatever comes from them is escaped.

mod axis;
mod circumstances;
mod drawing;
mod element;
mod goals;
mod growth;
mod interval;
mod sections;
mod summary;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::lines::{ToldBench, read};
use goals::Count;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Files that benches wrote with `--output`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where the page goes; the goals go beside it as a table in Markdown, for a README
    #[arg(long, value_name = "FILE", default_value = DEFAULT_PAGE)]
    html: PathBuf,
}

pub(crate) const DEFAULT_PAGE: &str = "target/bench/report.html";

const STYLE: &str = include_str!("page/style.css");

pub(crate) fn run(options: &Options) -> Result<()> {
    make(&options.files, &options.html)
}

/// Makes one page of all files, with a table of its goals beside it, and says where they are.
pub(crate) fn make(files: &[PathBuf], html: &Path) -> Result<()> {
    let mut benches = Vec::new();
    for file in files {
        benches.extend(read(file)?);
    }
    if let Some(directory) = html.parent() {
        fs::create_dir_all(directory)?;
    }
    let markdown = html.with_extension("md");
    for (file, text) in [
        (html, page(&benches)),
        (&markdown, summary::table(&benches)),
    ] {
        fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    println!(
        "{}; the page is {}, and a table of the goals is {}",
        Count::of(&benches),
        html.display(),
        markdown.display()
    );
    Ok(())
}

/// The whole page.
fn page(benches: &[ToldBench]) -> String {
    let parts = [
        goals::heading(benches),
        goals::table(benches),
        sections::all(benches),
        circumstances::all(benches),
    ];
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>tamis bench</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
        parts.concat()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::figure::{Unit, Verdict};
    use crate::agent::statistics::Estimate;
    use crate::lines::tests::lines;

    /// A bench with all kinds of lines.
    fn told() -> ToldBench {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("lines.jsonl");
        let lines = lines().into_iter();
        let lines = lines.map(|line| serde_json::to_string(&line).unwrap() + "\n");
        fs::write(&file, lines.collect::<String>()).unwrap();
        read(&file).unwrap().remove(0)
    }

    #[test]
    fn a_page_tells_of_goals_figures_growth_and_circumstances() {
        let page = page(&[told()]);
        for part in [
            "1 goal met",
            "one harvest",
            "≤ 20 µs",
            "load",
            "0123456789ab",
        ] {
            assert!(page.contains(part), "{part} is missing in {page}");
        }
        assert!(
            !page.contains("<script") && !page.contains("http"),
            "{page}"
        );
    }

    #[test]
    fn a_figure_without_a_bar_is_shown_and_is_no_goal() {
        let mut bench = told();
        bench.sections[0].figures.remove(0);
        let page = page(&[bench]);
        assert!(page.contains("no bar, no noise, one value that is none"));
        assert!(!page.contains("class=\"bar-text\""));
        assert!(page.contains("No goal was measured"));
    }

    #[test]
    fn whatever_comes_from_data_is_escaped() {
        let mut bench = told();
        let evil = "<img src=x onerror=\"1\">'&".to_owned();
        let words = &mut bench.circumstances;
        for text in [
            &mut words.bench,
            &mut words.cpu,
            &mut words.system,
            &mut words.jdk,
            &mut words.tamis,
            &mut words.commit,
            &mut words.load,
        ] {
            text.clone_from(&evil);
        }
        words.arguments = vec![evil.clone()];
        words.other_jdks = vec![evil.clone()];
        let section = &mut bench.sections[0];
        section.head.name.clone_from(&evil);
        section.head.notes = vec![evil.clone()];
        section.head.load.clone_from(&evil);
        section.figures[0].name.clone_from(&evil);
        section.series[0].name.clone_from(&evil);
        section.series[0].x_unit.clone_from(&evil);
        section.series[0].y_unit.clone_from(&evil);
        let ending = bench.ending.as_mut().unwrap();
        ending.load.clone_from(&evil);
        ending.error = Some(evil.clone());
        let page = page(&[bench]);
        assert!(page.contains("&lt;img src=x onerror=&quot;1&quot;&gt;&#39;&amp;"));
        assert!(!page.contains("<img") && !page.contains("'&"), "{page}");
    }

    #[test]
    fn of_nothing_there_is_a_page_that_says_so() {
        assert!(page(&[]).contains("Nothing was measured"));
    }

    #[test]
    fn numbers_that_cannot_be_drawn_leave_a_page() {
        let mut bench = told();
        let section = &mut bench.sections[0];
        section.figures[0].values = vec![None];
        section.figures[0].estimate = None;
        section.figures[0].verdict = Some(Verdict::NotResolved);
        section.figures[1].unit = Unit::PerSecond;
        section.figures[1].estimate = Some(Estimate {
            median: 0.0,
            low: f64::MIN,
            high: f64::MAX,
        });
        section.figures[1].values = vec![Some(f64::MAX), Some(f64::MIN), Some(0.0)];
        section.series[0].points = vec![(0.0, -1.0), (f64::MAX, f64::MIN_POSITIVE)];
        let page = page(&[bench]);
        assert!(!page.contains("NaN") && !page.contains("inf%"), "{page}");
    }

    #[test]
    fn a_busy_machine_is_told() {
        let mut bench = told();
        assert!(!page(&[bench.clone()]).contains("was busy"));
        bench.circumstances.load = "9.50 0.10 0.10".to_owned();
        assert!(page(&[bench]).contains("was busy when <b>agent</b> began"));
    }

    #[test]
    fn a_bench_that_was_stopped_is_called_so() {
        let mut bench = told();
        bench.ending = None;
        assert!(page(&[bench]).contains("did not come to its end"));
    }
}
