//! Tables in aligned columns, for a terminal or a `<pre>`.

use std::fmt;

use super::names::fitted;

/// No title of a row is shortened to fewer characters than this.
const LEAST: usize = 24;
/// What stands between two columns.
const BETWEEN: &str = "  ";

/// Rows of text in aligned columns below a head.
///
/// `{}` writes plain text; `{:#}` sets the head in bold by escape sequences, for a terminal.
#[derive(Clone, Debug)]
pub struct Table {
    head: Vec<String>,
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
        let (head, align) = columns.iter().map(|&(name, align)| (name.to_owned(), align)).unzip();
        Self { head, align, rows: Vec::new() }
    }

    /// Adds a row; a cell that is missing stays empty.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// How many characters its longest line may have.
    pub fn width(&self) -> usize {
        self.widths().iter().sum::<usize>() + BETWEEN.len() * self.align.len().saturating_sub(1)
    }

    /// How many characters a column has.
    pub fn width_of(&self, column: usize) -> usize {
        self.lines().map(|row| cell(row, column).chars().count()).max().unwrap_or(0)
    }

    /// Shortens the titles in a column in the middle, so that no line has more characters than `most`, as far as 24 characters of a
    /// title allow.
    pub fn fit(&mut self, column: usize, most: usize) {
        let room = (most + self.width_of(column)).saturating_sub(self.width()).max(LEAST);
        for title in self.rows.iter_mut().filter_map(|row| row.get_mut(column)) {
            *title = fitted(title, room).into_owned();
        }
    }

    /// The head and the rows.
    fn lines(&self) -> impl Iterator<Item = &[String]> {
        std::iter::once(self.head.as_slice()).chain(self.rows.iter().map(Vec::as_slice))
    }

    fn widths(&self) -> Vec<usize> {
        (0..self.align.len()).map(|column| self.width_of(column)).collect()
    }
}

fn cell(row: &[String], column: usize) -> &str {
    row.get(column).map_or("", String::as_str)
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        for (number, row) in self.lines().enumerate() {
            let mut line = String::new();
            for (column, &width) in widths.iter().enumerate() {
                let words = cell(row, column);
                // Not by a width in a format string, which may not be above 65,535.
                let padding = " ".repeat(width - words.chars().count());
                line += if column == 0 { "" } else { BETWEEN };
                match self.align[column] {
                    Align::Left => line.extend([words, padding.as_str()]),
                    Align::Right => line.extend([padding.as_str(), words]),
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
    fn titles_are_shortened_as_far_as_a_line_needs() {
        let mut table = Table::new(&[("body", Align::Left), ("triangles", Align::Right)]);
        table.row(vec!["b_LeftHand_011 × b_LeftForeArm_010".into(), "12".into()]);
        table.row(vec!["a × b".into()]);
        assert_eq!((table.width(), table.width_of(0)), (45, 34));
        let whole = table.to_string();
        table.fit(0, 45);
        assert_eq!(table.to_string(), whole);
        table.fit(0, 37);
        let expected = "body                        triangles\nb_LeftHa…011 × b_LeftF…010         12\na × b\n";
        assert_eq!(table.to_string(), expected);
        table.fit(0, 1);
        assert_eq!(table.width_of(0), LEAST);
    }

    #[test]
    fn the_head_is_bold_where_that_is_asked_for() {
        let mut table = Table::new(&[("body", Align::Left)]);
        table.row(vec!["cloth".into()]);
        assert_eq!(format!("{table:#}"), "\x1b[1mbody\x1b[0m\ncloth\n");
    }
}
