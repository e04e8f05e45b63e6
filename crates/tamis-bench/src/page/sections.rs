//! The middle of the page: bench by bench and subject by subject, what was found out.

use super::element::{self, escaped, verdict};
use super::{growth, interval};
use crate::lines::{FigureLine, ToldBench, ToldSection};

pub(super) fn all(benches: &[ToldBench]) -> String {
    let mut text = String::new();
    let mut number = 0;
    for bench in benches {
        let words = &bench.circumstances;
        let command = [&[words.bench.clone()][..], &words.arguments].concat();
        text += "<h2>";
        text.extend([&escaped(&words.bench), "</h2>\n<p class=\"aside\"><code>"]);
        text.extend([
            "cargo xtask bench ",
            &escaped(&command.join(" ")),
            "</code></p>\n",
        ]);
        for section in &bench.sections {
            text += &one(number, section);
            number += 1;
        }
    }
    text
}

fn one(number: usize, section: &ToldSection) -> String {
    let mut text = format!(
        "<section class=\"panel\" id=\"section-{number}\">\n<h3>{}</h3>\n",
        escaped(&section.head.name)
    );
    if !section.head.notes.is_empty() {
        let notes = section.head.notes.iter();
        let notes = notes.map(|note| format!("<li>{}</li>", escaped(note)));
        text.extend([
            "<ul class=\"notes\">",
            &notes.collect::<String>(),
            "</ul>\n",
        ]);
    }
    let pictures = interval::plots(&section.figures);
    let figures = section.figures.iter().zip(&pictures);
    text.extend(figures.map(|(it, picture)| figure(it, picture)));
    if !section.series.is_empty() {
        text += "<div class=\"growths\">\n";
        text.extend(section.series.iter().map(growth::figure));
        text += "</div>\n";
    }
    text + "</section>\n"
}

/// Words on one side, the picture on the other.
fn figure(figure: &FigureLine, picture: &str) -> String {
    let mut facts = vec![element::interval(figure.unit, figure.estimate)];
    facts.extend(figure.verdict.map(verdict));
    if !figure.is_resolved {
        facts.push("<span class=\"aside\">no difference resolved</span>".to_owned());
    }
    let n_rounds = figure.values.len();
    let rounds = if n_rounds == 1 { "round" } else { "rounds" };
    facts.push(format!("<span class=\"aside\">{n_rounds} {rounds}</span>"));
    let facts = facts.into_iter().map(|fact| format!("<li>{fact}</li>"));
    format!(
        "<div class=\"figure\"><div><h4>{}</h4><ul class=\"facts\">{}</ul></div>\n<div>{picture}</div></div>\n",
        escaped(&figure.name),
        facts.collect::<String>()
    )
}
