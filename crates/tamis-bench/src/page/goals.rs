//! The top of the page: how many goals are met, and each of them.

use std::collections::BTreeSet;
use std::fmt;

use super::element::{escaped, interval, verdict};
use crate::agent::figure::Verdict;
use crate::agent::statistics::MIN_VALUES;
use crate::lines::{Circumstances, FigureLine, ToldBench, ToldSection};
use crate::measure::to_f64;

/// A load per core that no bench makes by itself: the one before it may have left 1.
const BUSY: f64 = 1.5;

/// How many figures there are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count {
    met: usize,
    missed: usize,
    open: usize,
    /// Those without a bar.
    free: usize,
}

impl Count {
    pub(super) fn of(benches: &[ToldBench]) -> Self {
        let mut count = Self::default();
        for (_, _, figure) in figures(benches) {
            match figure.verdict {
                Some(Verdict::Pass) => count.met += 1,
                Some(Verdict::Missed) => count.missed += 1,
                Some(Verdict::NotResolved) => count.open += 1,
                None => count.free += 1,
            }
        }
        count
    }

    fn n_goals(self) -> usize {
        self.met + self.missed + self.open
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let goals = if self.met == 1 { "goal" } else { "goals" };
        let Self {
            met, missed, open, ..
        } = self;
        write!(f, "{met} {goals} met, {missed} missed, {open} not resolved")
    }
}

/// All figures, with the number of their section on the page.
fn figures(benches: &[ToldBench]) -> impl Iterator<Item = (usize, &ToldSection, &FigureLine)> {
    let sections = benches.iter().flat_map(|bench| &bench.sections);
    let sections = sections.enumerate();
    sections.flat_map(|(number, section)| {
        let figures = section.figures.iter();
        figures.map(move |figure| (number, section, figure))
    })
}

pub(super) fn heading(benches: &[ToldBench]) -> String {
    if benches.is_empty() {
        return "<h1>tamis bench</h1>\n<p>Nothing was measured.</p>\n".to_owned();
    }
    let count = Count::of(benches);
    let parts = [
        (
            count.met,
            "good",
            if count.met == 1 {
                "goal met"
            } else {
                "goals met"
            },
        ),
        (count.open, "doubt", "not resolved"),
        (count.missed, "bad", "missed"),
    ];
    let words = parts.map(|(n, class, word)| {
        let class = if n == 0 { "none" } else { class };
        format!("<span class=\"{class}\">{n} {word}</span>")
    });
    let shares = parts.map(|(n, class, _)| format!("<i class=\"{class}\" style=\"flex:{n}\"></i>"));
    let shares = match count.n_goals() {
        0 => String::new(),
        _ => format!(
            "<div class=\"shares\" aria-hidden=\"true\">{}</div>\n",
            shares.concat()
        ),
    };
    format!(
        "<h1>tamis bench</h1>\n<p class=\"count\">{}</p>\n{shares}{}{}",
        words.join(" · "),
        remarks(benches),
        legend(benches)
    )
}

/// What a reader has to know before believing anything.
fn remarks(benches: &[ToldBench]) -> String {
    let mut text = String::new();
    for bench in benches {
        let name = escaped(&bench.circumstances.bench);
        let why = match &bench.ending {
            Some(ending) => ending.error.as_deref().map(escaped),
            None => Some("it was stopped, or goes on".to_owned()),
        };
        if let Some(why) = why {
            text.extend([
                "<p class=\"remark\"><b>",
                &name,
                "</b> did not come to its end: ",
            ]);
            text.extend([&why, "</p>\n"]);
        }
    }
    text += &busy(benches);
    let n_few = figures(benches).filter(|it| it.2.values.len() < MIN_VALUES);
    let n_few = n_few.count();
    if n_few > 0 {
        let which = match n_few {
            1 => "One figure comes".to_owned(),
            some => format!("{some} figures come"),
        };
        text.extend(["<p class=\"remark\">", &which]);
        text += " from fewer than six rounds. From so few no interval holds the median with 95 %: five rounds give \
                 94 %, three 75 %, one none. Their goals are not resolved.</p>\n";
    }
    text
}

/// Which benches began on a machine that had other things to do.
fn busy(benches: &[ToldBench]) -> String {
    let load = |it: &Circumstances| {
        let minute = it.load.split(' ').next();
        minute.and_then(|load| load.parse::<f64>().ok())
    };
    let busy = benches.iter().map(|bench| &bench.circumstances);
    let busy = busy.filter(|it| load(it) > Some(BUSY * to_f64(it.n_cores)));
    let names: BTreeSet<String> = busy.map(|it| escaped(&it.bench)).collect();
    if names.is_empty() {
        return String::new();
    }
    let names: Vec<String> = names.into_iter().collect();
    format!(
        "<p class=\"remark\">The machine was busy when <b>{}</b> began: what they measure in wall time says little, and \
         all of it less than on a quiet one.</p>\n",
        names.join("</b>, <b>")
    )
}

/// How to read the pictures.
fn legend(benches: &[ToldBench]) -> String {
    let mark = |class: &str, content: &str| {
        format!(
            "<svg class=\"plot mark\" width=\"26\" height=\"18\" aria-hidden=\"true\"><g class=\"{class}\">{content}</g></svg>"
        )
    };
    let dots = "<circle cx=\"5\" cy=\"11\" r=\"2.2\"/><circle cx=\"13\" cy=\"6\" r=\"2.2\"/><circle cx=\"21\" cy=\"10\" r=\"2.2\"/>";
    let interval = "<line class=\"interval\" x1=\"2\" x2=\"24\" y1=\"9\" y2=\"9\"/><line class=\"median\" x1=\"13\" x2=\"13\" y1=\"1\" y2=\"17\"/>";
    let bar = "<rect class=\"enough\" x=\"0\" y=\"0\" width=\"16\" height=\"18\"/><line class=\"bar\" x1=\"16\" x2=\"16\" y1=\"0\" y2=\"18\"/>";
    let growth = "<line class=\"straight\" x1=\"2\" x2=\"24\" y1=\"16\" y2=\"2\"/>";
    let mut sections = benches.iter().flat_map(|bench| &bench.sections);
    let has_growth = sections.any(|section| !section.series.is_empty());
    let growth = has_growth.then(|| (mark("", growth), "growth in step with the size"));
    let items = [
        (mark("free", dots), "a round"),
        (mark("free", interval), "median and 95 % interval"),
        (mark("noise", interval), "plain against plain: the noise"),
        (mark("", bar), "the bar, and what is good enough"),
    ];
    let items = items.into_iter().chain(growth);
    let items = items.map(|(mark, text)| format!("<li>{mark} {text}</li>"));
    let items: String = items.collect();
    format!("<ul class=\"legend\">{items}</ul>\n")
}

/// Every goal, first those that are not met.
pub(super) fn table(benches: &[ToldBench]) -> String {
    if benches.is_empty() {
        return String::new();
    }
    let mut rows = String::new();
    for wanted in [Verdict::Missed, Verdict::NotResolved, Verdict::Pass] {
        let figures = figures(benches).filter(|it| it.2.verdict == Some(wanted));
        rows.extend(figures.map(|(number, section, figure)| row(number, section, figure, wanted)));
    }
    let n_free = Count::of(benches).free;
    let aside = match n_free {
        0 => String::new(),
        1 => "<p class=\"aside\">One more figure has no bar.</p>\n".to_owned(),
        some => format!("<p class=\"aside\">{some} more figures have no bar.</p>\n"),
    };
    if rows.is_empty() {
        return format!("<h2>Goals</h2>\n<p>No goal was measured.</p>\n{aside}");
    }
    format!(
        "<h2>Goals</h2>\n<div class=\"wide\"><table class=\"goals\">\n<thead><tr><th scope=\"col\">goal</th>\
         <th scope=\"col\">measured</th><th scope=\"col\">bar</th><th scope=\"col\">verdict</th></tr></thead>\n\
         <tbody>\n{rows}</tbody></table></div>\n{aside}"
    )
}

fn row(number: usize, section: &ToldSection, figure: &FigureLine, wanted: Verdict) -> String {
    let bar = figure
        .bar
        .map_or(String::new(), |bar| figure.unit.bar_text(bar));
    format!(
        "<tr><th scope=\"row\"><a href=\"#section-{number}\">{}</a> <span class=\"aside\">{}</span></th>\
         <td>{}</td><td>{bar}</td><td>{}</td></tr>\n",
        escaped(&figure.name),
        escaped(&section.head.name),
        interval(figure.unit, figure.estimate),
        verdict(wanted)
    )
}
