//! What every bench leaves behind: lines of JSON, one object each, to be read by `bench report` and by anybody
//! else. `docs/reference/bench.md` describes them; a change of their meaning changes [`VERSION`].
//!
//! They are appended as results come in, so that a bench that is stopped leaves all it had measured, and
//! several benches may share a file.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::agent::figure::{Direction, Figure, Unit, Verdict};
use crate::agent::report::Section;
use crate::agent::series::Series;
use crate::agent::statistics::Estimate;

pub(crate) const VERSION: u32 = 1;

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Line {
    /// A bench begins; all lines up to the next one belong to it.
    Bench(Circumstances),
    Section(SectionLine),
    Figure(FigureLine),
    Series(SeriesLine),
    /// A single run, for those who want to know more than the figures tell; each bench has its own members.
    Run(Map<String, Value>),
    /// The bench came to its end.
    End(Ending),
}

/// Where, on what and how something was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Circumstances {
    pub(crate) version: u32,
    pub(crate) bench: String,
    /// The words of the command line behind the bench's name.
    pub(crate) arguments: Vec<String>,
    /// In seconds since 1970.
    pub(crate) began: u64,
    pub(crate) cpu: String,
    pub(crate) n_cores: usize,
    /// The kernel and its release.
    pub(crate) system: String,
    pub(crate) jdk: String,
    /// Those on which some sections were measured besides.
    pub(crate) other_jdks: Vec<String>,
    /// The version of Tamis.
    pub(crate) tamis: String,
    pub(crate) commit: String,
    pub(crate) n_rounds: usize,
    pub(crate) seed: u64,
    /// Of the last 1, 5 and 15 minutes, before the first round.
    pub(crate) load: String,
}

/// What was found out about a subject, in words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SectionLine {
    pub(crate) name: String,
    pub(crate) notes: Vec<String>,
    /// After it was measured.
    pub(crate) load: String,
}

/// A figure with all that it was made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FigureLine {
    pub(crate) section: String,
    pub(crate) name: String,
    pub(crate) unit: Unit,
    /// Null where there is nothing to be reached.
    pub(crate) bar: Option<f64>,
    pub(crate) direction: Direction,
    /// Round by round; null where a value is no number.
    pub(crate) values: Vec<Option<f64>>,
    pub(crate) noise: Vec<Option<f64>>,
    /// Null if nothing was measured.
    pub(crate) estimate: Option<Estimate>,
    pub(crate) noise_estimate: Option<Estimate>,
    /// Null without a bar.
    pub(crate) verdict: Option<Verdict>,
    /// Whether it can be told from no difference at all.
    pub(crate) is_resolved: bool,
}

/// Something that was measured at several sizes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SeriesLine {
    pub(crate) section: String,
    pub(crate) name: String,
    pub(crate) x_unit: String,
    pub(crate) y_unit: String,
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) exponent: Option<Estimate>,
}

/// How a bench ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ending {
    pub(crate) load: String,
    pub(crate) seconds: f64,
    /// Why it could not go on; null if all was measured.
    pub(crate) error: Option<String>,
}

impl Line {
    /// All lines about a section.
    pub(crate) fn of_section(section: &Section, seed: u64, load: String) -> Vec<Self> {
        let head = SectionLine {
            name: section.name.clone(),
            notes: section.notes.clone(),
            load,
        };
        let mut lines = vec![Self::Section(head)];
        let figures = section.figures.iter();
        lines.extend(figures.map(|it| Self::Figure(FigureLine::new(&section.name, it, seed))));
        let series = section.series.iter();
        lines.extend(series.map(|it| Self::Series(SeriesLine::new(&section.name, it))));
        lines
    }
}

impl FigureLine {
    fn new(section: &str, figure: &Figure, seed: u64) -> Self {
        let judged = figure.judge(seed);
        let numbers = |values: &[f64]| {
            let values = values.iter();
            values.map(|it| it.is_finite().then_some(*it)).collect()
        };
        Self {
            section: section.to_owned(),
            name: figure.name.clone(),
            unit: figure.unit,
            bar: figure.bar,
            direction: figure.unit.direction(),
            values: numbers(&figure.values),
            noise: numbers(&figure.noise),
            estimate: judged.estimate.if_known(),
            noise_estimate: judged.noise.if_known(),
            verdict: judged.verdict,
            is_resolved: judged.is_resolved(),
        }
    }
}

impl SeriesLine {
    fn new(section: &str, series: &Series) -> Self {
        Self {
            section: section.to_owned(),
            name: series.name.clone(),
            x_unit: series.x_unit.clone(),
            y_unit: series.y_unit.clone(),
            points: series.points.clone(),
            exponent: series.exponent.and_then(Estimate::if_known),
        }
    }
}

/// A bench as its lines tell of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToldBench {
    pub(crate) circumstances: Circumstances,
    pub(crate) sections: Vec<ToldSection>,
    /// None if it was stopped, or goes on.
    pub(crate) ending: Option<Ending>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToldSection {
    pub(crate) head: SectionLine,
    pub(crate) figures: Vec<FigureLine>,
    pub(crate) series: Vec<SeriesLine>,
}

/// All benches of a file. A line that is not understood is an error, for whatever it says would be missing.
pub(crate) fn read(file: &Path) -> Result<Vec<ToldBench>> {
    let text = fs::read_to_string(file);
    let text = text.with_context(|| format!("cannot read {}", file.display()))?;
    let mut benches = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = parse(line).and_then(|line| add(&mut benches, line));
        line.with_context(|| format!("{}:{number}: not a line of a bench", file.display()))?;
    }
    Ok(benches)
}

fn parse(line: &str) -> Result<Line> {
    let line: Line = serde_json::from_str(line)?;
    if let Line::Bench(Circumstances { version, .. }) = line {
        ensure!(
            version == VERSION,
            "its version is {version}; this program knows {VERSION}"
        );
    }
    Ok(line)
}

fn add(benches: &mut Vec<ToldBench>, line: Line) -> Result<()> {
    if let Line::Bench(circumstances) = line {
        benches.push(ToldBench {
            circumstances,
            sections: Vec::new(),
            ending: None,
        });
        return Ok(());
    }
    let bench = benches.last_mut();
    let bench = bench.context("no line before it says which bench it belongs to")?;
    match line {
        Line::Bench(_) | Line::Run(_) => {}
        Line::Section(head) => bench.sections.push(ToldSection {
            head,
            figures: Vec::new(),
            series: Vec::new(),
        }),
        Line::Figure(figure) => bench.section(&figure.section)?.figures.push(figure),
        Line::Series(series) => bench.section(&series.section)?.series.push(series),
        Line::End(ending) => bench.ending = Some(ending),
    }
    Ok(())
}

impl ToldBench {
    /// The section that lines belong to: always the last one.
    fn section(&mut self, name: &str) -> Result<&mut ToldSection> {
        match self.sections.last_mut() {
            Some(section) if section.head.name == name => Ok(section),
            _ => bail!("its section `{name}` is not the one before it"),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn circumstances() -> Circumstances {
        Circumstances {
            version: VERSION,
            bench: "agent".to_owned(),
            arguments: vec!["--only".to_owned(), "harvest".to_owned()],
            began: 1_800_000_000,
            cpu: "a processor".to_owned(),
            n_cores: 2,
            system: "Linux 6.1".to_owned(),
            jdk: "17.0.15".to_owned(),
            other_jdks: Vec::new(),
            tamis: "0.1.0".to_owned(),
            commit: "0123456789ab".to_owned(),
            n_rounds: 6,
            seed: 4,
            load: "0.10 0.20 0.30".to_owned(),
        }
    }

    pub(crate) fn section() -> Section {
        Section {
            name: "harvest".to_owned(),
            notes: vec!["2,000 a round".to_owned()],
            figures: vec![
                Figure {
                    name: "one harvest".to_owned(),
                    unit: Unit::Microseconds,
                    values: vec![3.0, 4.0, 5.0, 4.0, 4.0, 4.0],
                    noise: vec![0.0, 1.0, -1.0, 0.0, 0.0, 0.0],
                    bar: Some(20.0),
                },
                Figure {
                    name: "no bar, no noise, one value that is none".to_owned(),
                    unit: Unit::Ratio,
                    values: vec![1.0, f64::NAN],
                    noise: Vec::new(),
                    bar: None,
                },
            ],
            series: vec![Series {
                name: "load".to_owned(),
                x_unit: "classes".to_owned(),
                y_unit: "ms".to_owned(),
                points: vec![(1000.0, 2.5), (10_000.0, 25.0)],
                exponent: None,
            }],
        }
    }

    /// All lines of a bench.
    pub(crate) fn lines() -> Vec<Line> {
        let mut lines = vec![Line::Bench(circumstances())];
        lines.extend(Line::of_section(&section(), 4, "1.00 0.50 0.30".to_owned()));
        lines.push(Line::Run(Map::from_iter([("tests".into(), 5.into())])));
        lines.push(Line::End(Ending {
            load: "1.00 0.50 0.30".to_owned(),
            seconds: 12.5,
            error: None,
        }));
        lines
    }

    fn written(lines: &[Line]) -> String {
        let lines = lines.iter();
        let lines = lines.map(|line| serde_json::to_string(line).unwrap() + "\n");
        lines.collect()
    }

    fn check(text: &str) -> Result<Vec<ToldBench>> {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("lines.jsonl");
        fs::write(&file, text).unwrap();
        read(&file)
    }

    fn error_of(text: &str) -> String {
        format!("{:#}", check(text).unwrap_err())
    }

    #[test]
    fn what_is_written_is_read() {
        // Two benches in one file, as if appended.
        let text = written(&lines()).repeat(2);
        let benches = check(&text).unwrap();
        assert_eq!(benches.len(), 2);
        assert_eq!(benches[0], benches[1]);
        let bench = &benches[0];
        assert_eq!(bench.circumstances, circumstances());
        let section = &bench.sections[0];
        assert_eq!(section.figures[0].verdict, Some(Verdict::Pass));
        assert_eq!(section.figures[1].values, [Some(1.0), None]);
        assert_eq!(section.series[0].points.len(), 2);
        assert!(bench.ending.is_some());
    }

    /// The words that others may rely on.
    #[test]
    fn a_figure_is_written_so() {
        let line = serde_json::to_value(&lines()[2]).unwrap();
        let expected = serde_json::json!({
            "kind": "figure", "section": "harvest", "name": "one harvest",
            "unit": "microseconds", "bar": 20.0, "direction": "at-most",
            "values": [3.0, 4.0, 5.0, 4.0, 4.0, 4.0], "noise": [0.0, 1.0, -1.0, 0.0, 0.0, 0.0],
            "estimate": {"median": 4.0, "low": 3.5, "high": 4.5},
            "noise_estimate": {"median": 0.0, "low": -0.5, "high": 0.5},
            "verdict": "pass", "is_resolved": true,
        });
        assert_eq!(line, expected);
    }

    #[test]
    fn a_damaged_line_is_named() {
        let text = written(&lines()) + "{\"kind\":\"figure\",\"sec";
        let error = error_of(&text);
        let n_lines = lines().len() + 1;
        let expected = format!("lines.jsonl:{n_lines}: not a line of a bench: EOF");
        assert!(error.contains(&expected), "{error}");
    }

    #[test]
    fn lines_without_their_bench_or_section_are_errors() {
        let lines = lines();
        let error = error_of(&written(&lines[2..3]));
        assert!(
            error.contains(":1: ") && error.contains("which bench"),
            "{error}"
        );
        let error = error_of(&written(&[lines[0].clone(), lines[2].clone()]));
        assert!(
            error.contains(":2: ") && error.contains("`harvest`"),
            "{error}"
        );
    }

    #[test]
    fn other_versions_are_refused() {
        let newer = Circumstances {
            version: VERSION + 1,
            ..circumstances()
        };
        let error = error_of(&written(&[Line::Bench(newer)]));
        assert!(error.contains("its version is 2"), "{error}");
    }

    #[test]
    fn an_empty_file_tells_of_nothing() {
        assert_eq!(check("").unwrap(), []);
    }
}
