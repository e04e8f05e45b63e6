//! Aligned columns.

use anstyle::Style;

use super::palette::paint;

/// Rows of cells; each column is as wide as its widest cell.
#[derive(Debug, Default)]
pub(super) struct Columns {
    rows: Vec<Vec<Cell>>,
}

/// A cell with its style and the side it leans to.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    text: String,
    style: Style,
    is_number: bool,
}

const GAP: &str = "  ";

impl Cell {
    /// Leans to the left.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            style: Style::new(),
            is_number: false,
        }
    }

    /// Leans to the right.
    pub(super) fn number(text: impl Into<String>) -> Self {
        Self {
            is_number: true,
            ..Self::text(text)
        }
    }

    /// The same cell in a style.
    pub(super) fn styled(self, style: Style) -> Self {
        Self { style, ..self }
    }

    fn n_columns(&self) -> usize {
        self.text.chars().count()
    }

    fn padded(&self, width: usize) -> String {
        let painted = paint(self.style, &self.text);
        let padding = " ".repeat(width - self.n_columns());
        if self.is_number {
            padding + &painted
        } else {
            painted + &padding
        }
    }
}

impl Columns {
    pub(super) fn push(&mut self, row: impl Into<Vec<Cell>>) {
        self.rows.push(row.into());
    }

    /// One line per row, without spaces at its end.
    pub(super) fn lines(&self) -> Vec<String> {
        let widths = self.widths();
        self.rows.iter().map(|row| line(row, &widths)).collect()
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths = Vec::new();
        for row in &self.rows {
            widths.resize(widths.len().max(row.len()), 0);
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.n_columns().max(*width);
            }
        }
        widths
    }
}

fn line(row: &[Cell], widths: &[usize]) -> String {
    let last = row.iter().rposition(|cell| !cell.text.is_empty());
    let shown = &row[..last.map_or(0, |last| last + 1)];
    let cells = shown
        .iter()
        .zip(widths)
        .enumerate()
        .map(|(column, (cell, width))| {
            if Some(column) == last && !cell.is_number {
                paint(cell.style, &cell.text)
            } else {
                cell.padded(*width)
            }
        });
    cells.collect::<Vec<_>>().join(GAP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lean_right_and_nothing_follows_the_last_cell() {
        let mut columns = Columns::default();
        columns.push([Cell::text("kind"), Cell::number("n"), Cell::text("name")]);
        columns.push([Cell::text("é"), Cell::number("12"), Cell::text("x")]);
        columns.push([Cell::text("enum"), Cell::number(""), Cell::text("")]);
        assert_eq!(columns.lines(), ["kind   n  name", "é     12  x", "enum"]);
    }

    #[test]
    fn colours_take_no_room() {
        let mut columns = Columns::default();
        let bold = Style::new().bold();
        columns.push([Cell::text("a").styled(bold), Cell::text("b")]);
        columns.push([Cell::text("aa"), Cell::text("b")]);
        assert_eq!(columns.lines(), ["\u{1b}[1ma\u{1b}[0m   b", "aa  b"]);
    }
}
