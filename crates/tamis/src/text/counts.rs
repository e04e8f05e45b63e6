//! Numbers with their nouns, and the line with all of them.

use crate::view::{ClassReport, Content};

/// `1 class`, `2,003 classes`.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        with_commas(count),
        if count == 1 { one } else { many }
    )
}

/// `2,003`
pub(crate) fn with_commas(number: usize) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// `a, b, c and 2,003 more`; at most three are named.
pub(super) fn listed(names: &[String]) -> String {
    const MAX_NAMED: usize = 3;
    if names.len() <= MAX_NAMED {
        return names.join(", ");
    }
    let (named, rest) = names.split_at(MAX_NAMED);
    format!("{} and {} more", named.join(", "), with_commas(rest.len()))
}

/// A line with what it does not cover behind it: `; 1 not understood; 2 unreadable`.
pub(super) fn with_gaps(line: String, gaps: &[(usize, &str)]) -> String {
    let gaps = gaps.iter().filter(|(count, _)| *count > 0);
    let gaps = gaps.map(|(count, what)| format!("{} {what}", with_commas(*count)));
    let clauses: Vec<String> = std::iter::once(line).chain(gaps).collect();
    clauses.join("; ")
}

/// The last line of what `tamis class` shows.
pub(crate) fn totals(report: &ClassReport) -> String {
    let unreadable = report.sources.iter().map(|source| source.unreadable.len());
    let mut totals = Totals {
        n_unreadable: unreadable.sum(),
        ..Totals::default()
    };
    report
        .classes()
        .for_each(|class| totals.add(&class.content));
    totals.line()
}

#[derive(Debug, Default)]
#[expect(clippy::struct_field_names, reason = "counts are `n_…` everywhere")]
struct Totals {
    n_classes: usize,
    n_fields: usize,
    n_methods: usize,
    n_blocks: usize,
    n_not_understood: usize,
    n_unreadable: usize,
}

impl Totals {
    fn add(&mut self, content: &Content) {
        self.n_classes += 1;
        match content {
            Content::NotUnderstood { .. } => self.n_not_understood += 1,
            Content::Understood(class) => {
                self.n_fields += class.fields.len();
                self.n_methods += class.methods.len();
                let blocks = class
                    .methods
                    .iter()
                    .filter_map(|method| method.body.n_blocks());
                self.n_blocks += blocks.sum::<usize>();
            }
        }
    }

    fn line(&self) -> String {
        let parts = [
            counted(self.n_classes, "class", "classes"),
            counted(self.n_fields, "field", "fields"),
            counted(self.n_methods, "method", "methods"),
            counted(self.n_blocks, "block", "blocks"),
        ];
        let gaps = [
            (self.n_not_understood, "not understood"),
            (self.n_unreadable, "unreadable"),
        ];
        with_gaps(parts.join(", "), &gaps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        let shown = [0, 999, 1000, 1_234_567].map(with_commas);
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
    }
}
