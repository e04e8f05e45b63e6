//! Every goal in a row of a table in Markdown, bench by bench: what a README can quote.

use std::fmt::Write as _;

use super::element::with_minus;
use crate::agent::figure::Verdict;
use crate::lines::{FigureLine, ToldBench};

/// The goals of all benches; of each its bench, subject, figure with interval, bar and verdict.
pub(super) fn table(benches: &[ToldBench]) -> String {
    let mut text =
        "| bench, subject | what | measured | bar | |\n| --- | --- | ---: | ---: | --- |\n"
            .to_owned();
    for bench in benches {
        for section in &bench.sections {
            let subject = format!("{}, {}", bench.circumstances.bench, section.head.name);
            for figure in &section.figures {
                row(&mut text, &subject, figure);
            }
        }
    }
    text
}

/// Nothing for a figure without a bar.
fn row(text: &mut String, subject: &str, figure: &FigureLine) {
    let Some((bar, verdict)) = figure.bar.zip(figure.verdict) else {
        return;
    };
    let measured = with_minus(&figure.unit.interval_text(figure.estimate));
    let verdict = match verdict {
        Verdict::Pass => "met",
        Verdict::Missed => "**missed**",
        Verdict::NotResolved => "not resolved",
    };
    let cells = [
        cell(subject),
        cell(&figure.name),
        measured,
        figure.unit.bar_text(bar),
        verdict.to_owned(),
    ];
    writeln!(text, "| {} |", cells.join(" | ")).expect("a string takes all that is written");
}

/// Text that neither ends a cell nor begins anything else.
fn cell(text: &str) -> String {
    let is_plain = |c: char| !c.is_control() && !"|<>`\\".contains(c);
    let plain = text.chars();
    plain.map(|c| if is_plain(c) { c } else { ' ' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::tests::{circumstances, lines};
    use crate::lines::{Line, SectionLine, ToldSection};

    fn told(name: &str) -> ToldBench {
        let figures = lines().into_iter().filter_map(|line| match line {
            Line::Figure(figure) => Some(figure),
            _ => None,
        });
        let section = ToldSection {
            head: SectionLine {
                name: name.to_owned(),
                notes: Vec::new(),
                load: String::new(),
            },
            figures: figures.collect(),
            series: Vec::new(),
        };
        ToldBench {
            circumstances: circumstances(),
            sections: vec![section],
            ending: None,
        }
    }

    #[test]
    fn goals_are_rows_and_other_figures_are_not() {
        let table = table(&[told("harvest")]);
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(
            rows,
            ["| agent, harvest | one harvest | 4.00 µs [3.50, 4.50] | ≤ 20 µs | met |"]
        );
    }

    #[test]
    fn names_do_not_end_a_cell() {
        let table = table(&[told("a | b <script> `c`")]);
        assert!(table.contains("| agent, a   b  script   c  | "), "{table}");
    }
}
