//! Pieces of a page. Text becomes a piece only by being escaped.
//!
//! The pages of `tamis check` have the same look; nothing is shared, because a program that measures the product
//! does not link it.

use crate::agent::figure::{Unit, Verdict};
use crate::agent::statistics::Estimate;

/// Text as it may stand between tags and in quoted attributes. What cannot be shown is shown as U+FFFD.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            // These could turn the direction of what follows.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A number as it is printed, with a minus that is as wide as a digit.
pub(super) fn with_minus(text: &str) -> String {
    text.replace('-', "−")
}

/// The median in bold and its interval.
pub(super) fn interval(unit: Unit, estimate: Option<Estimate>) -> String {
    let Some(Estimate { median, low, high }) = estimate else {
        return "<span class=\"aside\">nothing was measured</span>".to_owned();
    };
    let [median, low, high] = [median, low, high].map(|it| with_minus(&unit.number(it)));
    format!(
        "<b>{median}{}</b> <span class=\"aside\">[{low}, {high}]</span>",
        unit.text()
    )
}

/// What came of a goal, by colour, sign and word.
pub(super) fn verdict(verdict: Verdict) -> String {
    let (class, text) = match verdict {
        Verdict::Pass => ("good", "✓ met"),
        Verdict::Missed => ("bad", "✗ missed"),
        Verdict::NotResolved => ("doubt", "? not resolved"),
    };
    format!("<span class=\"{class}\">{text}</span>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(
            escaped("<script>\"&'\u{1b}[31m\u{202e}\n"),
            "&lt;script&gt;&quot;&amp;&#39;\u{fffd}[31m\u{fffd}\n"
        );
    }

    #[test]
    fn less_than_nothing_has_a_minus() {
        let estimate = Estimate {
            median: -1.25,
            low: -2.0,
            high: 0.5,
        };
        assert_eq!(
            interval(Unit::Milliseconds, Some(estimate)),
            "<b>−1.2 ms</b> <span class=\"aside\">[−2.0, 0.5]</span>"
        );
    }
}
