//! A table of figures: made once; printed, written as CSV, and handed on as records.
//!
//! ```text
//!             ┌─► the table people read      1.04 ms
//! Figures ────┼─► rows of a CSV file         1040.2
//!             └─► records of --json          {"update_us":1040.2}
//! ```

use std::collections::BTreeMap;

use crumple_io::report::{BenchRow, Value};

use crate::show::plot::Series;
use crumple_io::words::{Align, Table, count, number, ratio, time};

/// A column: what people read above it, and what files and records call it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) head: &'static str,
    pub(crate) key: &'static str,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Text(String),
    Count(u64),
    /// A time in microseconds; the key of its column ends in `_us`.
    Micros(f64),
    /// How many times one thing is another.
    Ratio(f64),
    /// Any other number.
    Number(f64),
    /// Nothing was measured here.
    Nothing,
}

impl Cell {
    /// Words.
    pub(crate) fn text(words: impl Into<String>) -> Self {
        Self::Text(words.into())
    }

    /// Something counted.
    pub(crate) fn count(number: usize) -> Self {
        Self::Count(number as u64)
    }

    fn for_people(&self) -> String {
        match self {
            Self::Text(words) => words.clone(),
            Self::Count(number) => count(*number),
            Self::Micros(us) => time(*us),
            Self::Ratio(times) => ratio(*times),
            Self::Number(value) => number(*value),
            Self::Nothing => "-".to_owned(),
        }
    }

    fn for_files(&self) -> Option<Value> {
        match self {
            Self::Text(words) => Some(Value::Text(words.clone())),
            Self::Count(number) => Some(Value::Count(*number)),
            // Four digits after the point: finer than any clock.
            Self::Micros(value) | Self::Ratio(value) | Self::Number(value) => {
                Some(Value::Number((value * 1e4).round() / 1e4))
            }
            Self::Nothing => None,
        }
    }

    fn as_number(&self) -> Option<f64> {
        match self {
            Self::Count(number) => Some(*number as f64),
            Self::Micros(value) | Self::Ratio(value) | Self::Number(value) => Some(*value),
            Self::Text(_) | Self::Nothing => None,
        }
    }
}

/// A named table.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    /// What records and files call it; tables of one experiment have different names.
    pub(crate) name: &'static str,
    /// The line above it.
    pub(crate) caption: String,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl Figures {
    /// A table without rows; columns are pairs of head and key.
    pub(crate) fn new(
        name: &'static str,
        caption: impl Into<String>,
        columns: &[(&'static str, &'static str)],
    ) -> Self {
        let columns = columns.iter().map(|&(head, key)| Column { head, key }).collect();
        Self { name, caption: caption.into(), columns, rows: Vec::new() }
    }

    /// Adds a row, one cell per column.
    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.columns.len(), "{}", self.name);
        self.rows.push(cells);
    }

    /// As people read it.
    pub(crate) fn table(&self) -> Table {
        let align = |at: usize| match self.rows.first().and_then(|row| row.get(at)) {
            Some(Cell::Text(_)) => Align::Left,
            _ => Align::Right,
        };
        let columns: Vec<_> = self.columns.iter().enumerate().map(|(at, column)| (column.head, align(at))).collect();
        let mut table = Table::new(&columns);
        for row in &self.rows {
            table.row(row.iter().map(Cell::for_people).collect());
        }
        table
    }

    /// As files have it: the rows with the key of each cell.
    pub(crate) fn keyed(&self) -> impl Iterator<Item = Vec<(&'static str, Value)>> {
        self.rows.iter().map(|row| {
            let keyed = |(column, cell): (&Column, &Cell)| Some((column.key, cell.for_files()?));
            self.columns.iter().zip(row).filter_map(keyed).collect()
        })
    }

    /// As records have it.
    pub(crate) fn records(&self, experiment: &str) -> impl Iterator<Item = BenchRow> {
        self.keyed().map(move |row| BenchRow {
            experiment: experiment.to_owned(),
            table: self.name.to_owned(),
            row: row.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<BTreeMap<_, _>>(),
        })
    }

    /// Lines for a plot: one for each different content of the columns `by`, its points from the columns `x` and `y`.
    pub(crate) fn series(&self, by: &[&str], x: &str, y: &str, scale_y: f64) -> Vec<Series> {
        let index = |key: &str| self.columns.iter().position(|column| column.key == key);
        let (Some(x), Some(y)) = (index(x), index(y)) else { return Vec::new() };
        let mut series: Vec<Series> = Vec::new();
        for row in &self.rows {
            let (Some(x), Some(y)) = (row[x].as_number(), row[y].as_number()) else { continue };
            let words: Vec<String> = by.iter().filter_map(|&key| Some(row[index(key)?].for_people())).collect();
            let label = words.join(", ");
            let at = series.iter().position(|line| line.label == label).unwrap_or_else(|| {
                series.push(Series { label, points: Vec::new() });
                series.len() - 1
            });
            series[at].points.push((x, y * scale_y));
        }
        series
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Figures {
        let columns = [("who", "method"), ("primitives", "primitives"), ("update", "update_us"), ("ratio", "ratio")];
        let mut figures = Figures::new("update", "how long", &columns);
        for (who, count, us) in [("one", 1_000, 1_040.0), ("two", 1_000, 99.5), ("one", 2_000, 2_100.0)] {
            figures.row(vec![Cell::text(who), Cell::Count(count), Cell::Micros(us), Cell::Nothing]);
        }
        figures
    }

    #[test]
    fn people_read_units_and_files_have_plain_numbers() {
        let figures = sample();
        assert!(figures.table().to_string().contains("one       1,000  1.04 ms"), "{}", figures.table());
        let first = figures.records("BE1").next().unwrap();
        assert_eq!((first.experiment.as_str(), first.table.as_str()), ("BE1", "update"));
        assert_eq!(first.row["update_us"], Value::Number(1_040.0));
        assert_eq!(first.row.len(), 3, "what was not measured is left out");
    }

    #[test]
    fn rows_of_one_name_make_one_line() {
        let lines = sample().series(&["method"], "primitives", "update_us", 0.001);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].label, "one");
        assert_eq!(lines[0].points, [(1_000.0, 1.04), (2_000.0, 2.1)]);
    }
}
