//! Pieces of a page. Text becomes a piece only by being escaped.

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

/// A table with a heading, the cells escaped; all columns but the first are numbers.
pub(super) fn table(heading: &[String], rows: &[Vec<Cell>]) -> String {
    let mut text = String::from("<div class=\"wide\"><table>\n<thead><tr>");
    for name in heading {
        text.extend(["<th scope=\"col\">", &escaped(name), "</th>"]);
    }
    text += "</tr></thead>\n<tbody>\n";
    for row in rows {
        text += "<tr>";
        for (at, cell) in row.iter().enumerate() {
            let (open, close) = match at {
                0 => ("<th scope=\"row\"", "</th>"),
                _ => ("<td", "</td>"),
            };
            let class = cell
                .class
                .map_or(String::new(), |it| format!(" class=\"{it}\""));
            text.extend([open, &class, ">", &escaped(&cell.text), close]);
        }
        text += "</tr>\n";
    }
    text + "</tbody></table></div>\n"
}

/// A cell of a table.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    text: String,
    /// How it is shown; one of ours.
    class: Option<&'static str>,
}

impl Cell {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            class: None,
        }
    }

    pub(super) fn of_class(mut self, class: &'static str) -> Self {
        self.class = Some(class);
        self
    }
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
    fn cells_are_escaped() {
        let page = table(
            &["<a>".to_owned()],
            &[vec![Cell::new("<b>").of_class("bad")]],
        );
        assert!(page.contains("<th scope=\"col\">&lt;a&gt;</th>"), "{page}");
        assert!(
            page.contains("<th scope=\"row\" class=\"bad\">&lt;b&gt;</th>"),
            "{page}"
        );
    }
}
