//! Tables in aligned columns, for a terminal or a `<pre>`.

use std::fmt;

/// Rows of text in aligned columns below a head.
///
/// `{}` writes plain text; `{:#}` sets the head in bold by escape sequences, for a terminal.
#[derive(Clone, Debug)]
pub struct Table {
    head: Vec<&'static str>,
    align: Vec<Align>,
    rows: Vec<Vec<String>>,
}

/// To which side the cells of a column are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

impl Table {
    /// A table with these columns and no rows.
    pub fn new(columns: &[(&'static str, Align)]) -> Self {
        let (head, align) = columns.iter().copied().unzip();
        Self { head, align, rows: Vec::new() }
    }

    /// Adds a row; a cell that is missing stays empty.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = |row: &[String], column: usize| row.get(column).cloned().unwrap_or_default();
        let head: Vec<String> = self.head.iter().map(|&name| name.to_owned()).collect();
        let lines = || std::iter::once(&head).chain(&self.rows);
        let columns = 0..self.align.len();
        let widths: Vec<usize> =
            columns.map(|column| lines().map(|row| cell(row, column).chars().count()).max().unwrap_or(0)).collect();
        for (number, row) in lines().enumerate() {
            let mut line = String::new();
            for (column, &width) in widths.iter().enumerate() {
                let words = cell(row, column);
                // Not by a width in a format string, which may not be above 65,535.
                let padding = " ".repeat(width - words.chars().count());
                line += if column == 0 { "" } else { "  " };
                match self.align[column] {
                    Align::Left => line.extend([words, padding]),
                    Align::Right => line.extend([padding, words]),
                }
            }
            let line = line.trim_end();
            match (number, f.alternate()) {
                (0, true) => writeln!(f, "\x1b[1m{line}\x1b[0m")?,
                _ => writeln!(f, "{line}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(&[("body", Align::Left), ("triangles", Align::Right)]);
        table.row(vec!["a × b".into(), "12".into()]);
        table.row(vec!["long name".into()]);
        assert_eq!(table.to_string(), "body       triangles\na × b             12\nlong name\n");
    }

    #[test]
    fn a_cell_may_be_of_any_width() {
        let mut table = Table::new(&[("body", Align::Left), ("triangles", Align::Right)]);
        table.row(vec!["x".repeat(70_000), "1".into()]);
        assert!(table.to_string().lines().all(|line| line.len() == 70_000 + 2 + "triangles".len()));
    }

    #[test]
    fn the_head_is_bold_where_that_is_asked_for() {
        let mut table = Table::new(&[("body", Align::Left)]);
        table.row(vec!["cloth".into()]);
        assert_eq!(format!("{table:#}"), "\x1b[1mbody\x1b[0m\ncloth\n");
    }
}
