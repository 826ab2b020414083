//! Tables and numbers for people.

use std::fmt;
use std::io::stdout;

use crate::out::colours;

/// Rows of text in aligned columns; the first column to the left, numbers to the right.
#[derive(Debug)]
pub(crate) struct Table {
    head: Vec<&'static str>,
    align: Vec<Align>,
    rows: Vec<Vec<String>>,
}

/// On which side the words of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

impl Table {
    /// A table with these columns.
    pub(crate) fn new(columns: &[(&'static str, Align)]) -> Self {
        let (head, align) = columns.iter().copied().unzip();
        Self { head, align, rows: Vec::new() }
    }

    /// Adds a row; a cell that is missing stays empty.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl fmt::Display for Table {
    /// With the head in bold where a person looks; `{:#}` is plain wherever it goes.
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
                let gap = if column == 0 { "" } else { "  " };
                line += &match self.align[column] {
                    Align::Left => format!("{gap}{words:<width$}"),
                    Align::Right => format!("{gap}{words:>width$}"),
                };
            }
            let line = line.trim_end();
            match (number, !f.alternate() && colours(&stdout())) {
                (0, true) => writeln!(f, "\x1b[1m{line}\x1b[0m")?,
                _ => writeln!(f, "{line}")?,
            }
        }
        Ok(())
    }
}

/// A count with its thousands set apart.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number and the thing counted, in the singular where there is one of it.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    match (number, thing.strip_suffix('y')) {
        (1, _) => format!("1 {thing}"),
        (_, Some(stem)) => format!("{} {stem}ies", count(number)),
        (_, None) => format!("{} {thing}s", count(number)),
    }
}

/// Microseconds in the unit that reads best, to three digits.
pub(crate) fn time(us: f64) -> String {
    let (value, unit) = match us {
        us if us >= 1e6 => (us / 1e6, "s"),
        us if us >= 1e3 => (us / 1e3, "ms"),
        us => (us, "us"),
    };
    format!("{} {unit}", digits(value))
}

/// How many times one thing is another.
pub(crate) fn ratio(value: f64) -> String {
    format!("{}x", digits(value))
}

/// A number that has no unit.
pub(crate) fn number(value: f64) -> String {
    digits(value)
}

/// A length, area or volume in the files' unit, to so many digits.
pub(crate) fn size(value: f64, digits: usize) -> String {
    let exponent = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    match (value, exponent) {
        (0.0, _) => "0".into(),
        (_, -4..=6) => format!("{value:.*}", (digits as i32 - 1 - exponent).max(0) as usize),
        _ => format!("{value:.*e}", digits - 1),
    }
}

/// A number to three digits, more where they stand before the point.
fn digits(value: f64) -> String {
    match value {
        v if v >= 99.95 => format!("{v:.0}"),
        v if v >= 9.995 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!([0, 999, 1000, 20480, 1234567].map(count), ["0", "999", "1,000", "20,480", "1,234,567"]);
        assert_eq!([0.5, 12.0, 104.0, 999.0].map(time), ["0.50 us", "12.0 us", "104 us", "999 us"]);
        assert_eq!([1_040.0, 99_970.0, 2.5e6].map(time), ["1.04 ms", "100 ms", "2.50 s"]);
        assert_eq!([0.0, 0.012345678, 123.45678, -2.5].map(|x| size(x, 5)), ["0", "0.012346", "123.46", "-2.5000"]);
        assert_eq!([1.5e-5, 2.25e8].map(|x| size(x, 3)), ["1.50e-5", "2.25e8"]);
        assert_eq!([counted(1, "body"), counted(2, "body"), counted(0, "pair")], ["1 body", "2 bodies", "0 pairs"]);
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(&[("body", Align::Left), ("triangles", Align::Right)]);
        table.row(vec!["a × b".into(), "12".into()]);
        table.row(vec!["long name".into()]);
        assert_eq!(table.to_string(), "body       triangles\na × b             12\nlong name\n");
    }
}
