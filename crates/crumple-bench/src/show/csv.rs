//! Everything that was measured as CSV, each row complete in itself: files of several machines can be joined.
//!
//! Experiments have different columns. The file has those of all that were run, and a cell stays empty where an
//! experiment does not have the column.

use std::fmt::Write;
use std::num::NonZeroUsize;

use crumple_io::report::Value;

use crate::measure::Outcome;
use crate::measure::machine;
use crate::show::figures::Figures;
use crate::show::summary::frame_records;

/// A CSV file being made.
#[derive(Debug)]
pub(crate) struct Csv {
    /// Keys in the order in which they came up.
    columns: Vec<&'static str>,
    /// Cells in the order of the columns; the last ones may be missing.
    rows: Vec<Vec<String>>,
    /// What every row starts with.
    origin: Vec<(&'static str, Value)>,
}

impl Csv {
    /// A file without rows.
    pub(crate) fn new(threads: NonZeroUsize) -> Self {
        let origin = vec![
            ("machine", Value::Text(machine::machine())),
            ("commit", Value::Text(machine::commit())),
            ("threads", Value::Count(threads.get() as u64)),
        ];
        Self { columns: Vec::new(), rows: Vec::new(), origin }
    }

    /// Adds the frames of a trial.
    pub(crate) fn add(&mut self, trial: &str, outcome: &Outcome) {
        let (scene, digest) = (&outcome.recording.scene, &outcome.recording.digest);
        for record in frame_records(trial, outcome) {
            self.row(vec![
                ("scene", Value::Text(scene.clone())),
                ("scene_digest", Value::Text(digest.clone())),
                ("experiment", Value::Text(record.experiment)),
                ("method", Value::Text(record.method)),
                ("frame", Value::Count(record.frame)),
                ("pairs", Value::Count(record.pairs)),
                ("update_us", Value::Number(record.update_us)),
                ("query_us", Value::Number(record.query_us)),
            ]);
        }
    }

    /// Adds the rows of a table.
    pub(crate) fn add_figures(&mut self, experiment: &str, figures: &Figures) {
        let name = [("experiment", experiment), ("table", figures.name)].map(|(key, name)| (key, name.to_owned()));
        for row in figures.keyed() {
            let name = name.clone().map(|(key, name)| (key, Value::Text(name)));
            self.row(name.into_iter().chain(row).collect());
        }
    }

    fn row(&mut self, cells: Vec<(&'static str, Value)>) {
        let mut row = vec![String::new(); self.columns.len()];
        for (key, value) in self.origin.iter().cloned().chain(cells) {
            let at = self.columns.iter().position(|&column| column == key).unwrap_or_else(|| {
                self.columns.push(key);
                row.push(String::new());
                self.columns.len() - 1
            });
            row[at] = quoted(&value.to_string());
        }
        self.rows.push(row);
    }

    /// The whole file.
    pub(crate) fn text(&self) -> String {
        let mut text = self.columns.join(",") + "\n";
        for row in &self.rows {
            let missing = ",".repeat(self.columns.len() - row.len());
            let _ = writeln!(text, "{}{missing}", row.join(","));
        }
        text
    }
}

/// A cell, in quotes where it needs them.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::figures::Cell;

    #[test]
    fn tables_of_different_columns_share_one_head() {
        let mut csv = Csv::new(NonZeroUsize::MIN);
        csv.origin = vec![("machine", Value::Text("a, b".into()))];
        let mut one = Figures::new("one", "", &[("size", "size"), ("time", "update_us")]);
        one.row(vec![Cell::Count(3), Cell::Micros(1.5)]);
        let mut two = Figures::new("two", "", &[("levels", "levels"), ("size", "size")]);
        two.row(vec![Cell::Count(4), Cell::Nothing]);
        csv.add_figures("BE1", &one);
        csv.add_figures("BE2", &two);
        let expected =
            "machine,experiment,table,size,update_us,levels\n\"a, b\",BE1,one,3,1.5,\n\"a, b\",BE2,two,,,4\n";
        assert_eq!(csv.text(), expected);
    }
}
