//! Questions about what was measured, answered from CSV files.
//!
//! There are two kinds of rows: the time of one method in one frame of a trial, and the rows of a table that an experiment makes.
//!
//! ```text
//! LE1; hybrid-tree; median               a time, over all frames: median, mean, worst, first (first contact), last,
//!                                        contact (mean of the frames with pairs), frame 62
//! LE1; hybrid-tree; median query         only the query, or only the update
//! LE1; local-tree / hybrid-tree; last    how many times as long the first takes
//! LE1; hybrid-tree:degree-4 against hybrid-tree; mean      by how many per cent it is faster or slower
//! LE1; pairs; last                       pairs: last, most, first (the number of the frame of first contact)
//! BE3.traversal; thousand_pairs_us; levels=3 & opened=the smaller      a cell of a table, by the cells that select its row
//! ```

use std::collections::HashMap;

use anyhow::{Context, Result, bail, ensure};

/// The rows of some files.
#[derive(Default)]
pub(super) struct Measured {
    rows: Vec<Row>,
}

/// A row by the names of its columns; empty cells are left out.
type Row = HashMap<String, String>;

impl Measured {
    /// Adds the rows of a file.
    pub(super) fn add(&mut self, text: &str) -> Result<()> {
        let mut lines = text.lines();
        let columns = cells(lines.next().context("the file is empty")?);
        for line in lines {
            let cells = cells(line);
            ensure!(cells.len() == columns.len(), "a row has {} cells instead of {}", cells.len(), columns.len());
            let filled = columns.iter().cloned().zip(cells).filter(|(_, cell)| !cell.is_empty());
            self.rows.push(filled.collect());
        }
        Ok(())
    }

    pub(super) fn answer(&self, question: &str) -> Result<String> {
        let parts: Vec<&str> = question.split(';').map(str::trim).collect();
        let [subject, what, which] = parts[..] else {
            bail!("a question has three parts, parted by `;`");
        };
        if let Some((experiment, table)) = subject.split_once('.') {
            return self.cell(experiment, table, what, which);
        }
        if what == "pairs" {
            return self.pairs(subject, which);
        }
        if let Some((slow, fast)) = what.split_once(" / ") {
            return Ok(ratio(self.time(subject, slow, which)? / self.time(subject, fast, which)?));
        }
        if let Some((method, usual)) = what.split_once(" against ") {
            return Ok(percent(self.time(subject, method, which)?, self.time(subject, usual, which)?));
        }
        Ok(time(self.time(subject, what, which)?))
    }

    /// The rows of a method in the order of the frames.
    fn frames(&self, trial: &str, method: Option<&str>) -> Result<Vec<&Row>> {
        let is = |row: &Row, key: &str, value: &str| row.get(key).is_some_and(|cell| cell == value);
        let of_trial = self.rows.iter().filter(|row| is(row, "experiment", trial) && row.contains_key("frame"));
        let mut frames: Vec<&Row> = match method {
            Some(method) => of_trial.filter(|row| is(row, "method", method)).collect(),
            None => {
                let all: Vec<&Row> = of_trial.collect();
                let first = all.first().and_then(|row| row.get("method")).cloned();
                all.into_iter().filter(|row| row.get("method") == first.as_ref()).collect()
            }
        };
        ensure!(!frames.is_empty(), "no frame of {trial} was measured with {}", method.unwrap_or("any method"));
        frames.sort_by_key(|row| number(row, "frame").map_or(0, |frame| frame as u64));
        Ok(frames)
    }

    /// A time in microseconds.
    fn time(&self, trial: &str, method: &str, which: &str) -> Result<f64> {
        let (which, part) = match which.rsplit_once(' ') {
            Some((which, part @ ("update" | "query"))) => (which, Some(part)),
            _ => (which, None),
        };
        let mut times = Vec::new();
        let mut pairs = Vec::new();
        for row in self.frames(trial, Some(method.trim()))? {
            let (update, query) = (number(row, "update_us")?, number(row, "query_us")?);
            times.push(match part {
                Some("update") => update,
                Some(_) => query,
                None => update + query,
            });
            pairs.push(number(row, "pairs")?);
        }
        let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
        Ok(match which {
            "median" => median(&times),
            "mean" => mean(&times),
            "worst" => times.iter().copied().fold(0.0, f64::max),
            "last" => times[times.len() - 1],
            "first" => times[pairs.iter().position(|&count| count > 0.0).context("nothing meets in any frame")?],
            "contact" => {
                let meeting = times.iter().zip(&pairs).filter(|(_, pairs)| **pairs > 0.0);
                let meeting: Vec<f64> = meeting.map(|(time, _)| *time).collect();
                ensure!(!meeting.is_empty(), "nothing meets in any frame");
                mean(&meeting)
            }
            which => {
                let frame = which.strip_prefix("frame ").and_then(|frame| frame.parse::<usize>().ok());
                let frame = frame.with_context(|| format!("there is no figure called {which}"))?;
                *times.get(frame).with_context(|| format!("there is no frame {frame}"))?
            }
        })
    }

    fn pairs(&self, trial: &str, which: &str) -> Result<String> {
        let frames = self.frames(trial, None)?;
        let pairs = frames.iter().map(|row| number(row, "pairs")).collect::<Result<Vec<f64>>>()?;
        let count = match which {
            "last" => pairs[pairs.len() - 1],
            "most" => pairs.iter().copied().fold(0.0, f64::max),
            "first" => {
                let first = pairs.iter().position(|&count| count > 0.0).context("nothing meets in any frame")?;
                number(frames[first], "frame")?
            }
            which => bail!("there is no figure of pairs called {which}"),
        };
        Ok(grouped(count as u64))
    }

    /// A cell of the row of a table that the conditions select.
    fn cell(&self, experiment: &str, table: &str, column: &str, conditions: &str) -> Result<String> {
        let mut wanted = vec![("experiment", experiment), ("table", table)];
        for condition in conditions.split(" & ") {
            wanted
                .push(condition.split_once('=').with_context(|| format!("{condition}: not of the form column=cell"))?);
        }
        let is_meant = |row: &&Row| wanted.iter().all(|(key, value)| row.get(*key).is_some_and(|cell| cell == value));
        let rows: Vec<&Row> = self.rows.iter().filter(is_meant).collect();
        let [row] = rows[..] else {
            bail!("{} rows are meant instead of one", rows.len());
        };
        let cell = row.get(column).with_context(|| format!("the row has no {column}"))?;
        let Ok(value) = cell.parse::<f64>() else {
            return Ok(cell.clone());
        };
        Ok(match column {
            column if column.ends_with("_us") => time(value),
            column if column.contains("ratio") => ratio(value),
            _ if value.fract() == 0.0 => grouped(value as u64),
            _ => digits(value),
        })
    }
}

/// The commit in the first row of a file.
pub(super) fn commit(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let at = cells(lines.next()?).iter().position(|column| column == "commit")?;
    cells(lines.next()?).get(at).cloned()
}

fn number(row: &Row, column: &str) -> Result<f64> {
    let cell = row.get(column).with_context(|| format!("a row without {column}"))?;
    cell.parse().with_context(|| format!("{column} {cell} is not a number"))
}

/// The cells of a line, without the quotes around those that hold a comma.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cells.last_mut().into_iter().for_each(|cell| cell.push('"'));
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            letter => cells.last_mut().into_iter().for_each(|cell| cell.push(letter)),
        }
    }
    cells
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}

/// Three digits: `8.86`, `98.4`, `368`.
fn digits(value: f64) -> String {
    let before_point = if value.abs() < 1.0 { 1 } else { value.abs().log10().floor() as usize + 1 };
    format!("{value:.*}", 3usize.saturating_sub(before_point))
}

fn time(us: f64) -> String {
    match us {
        us if us < 1e3 => format!("{} us", digits(us)),
        us if us < 1e6 => format!("{} ms", digits(us / 1e3)),
        us => format!("{} s", digits(us / 1e6)),
    }
}

fn ratio(times: f64) -> String {
    format!("{}x", digits(times))
}

fn percent(time: f64, usual: f64) -> String {
    let change = 100.0 * (time / usual - 1.0);
    match change.round() {
        0.0 => "as fast".to_owned(),
        less if less < 0.0 => format!("{:.0} % faster", -less),
        more => format!("{more:.0} % slower"),
    }
}

/// `20480` as `20,480`.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAMES: &str = "\
machine,commit,experiment,method,frame,pairs,update_us,query_us
\"a, b\",abc,LE1,slow,0,0,10,0
\"a, b\",abc,LE1,slow,1,4,10,20
\"a, b\",abc,LE1,slow,2,1500,1000,2000
\"a, b\",abc,LE1,fast,0,0,5,0
\"a, b\",abc,LE1,fast,1,4,5,10
\"a, b\",abc,LE1,fast,2,1500,500,1500
";
    const TABLE: &str = "\
commit,experiment,table,levels,opened,thousand_us,ratio_to_paper,tests
abc,BE3,traversal,3,\"the \"\"big\"\" one\",284.81,0.0123,26055691
abc,BE3,traversal,4,the small one,1364,12.5,7.86
";

    #[test]
    fn figures_of_frames_and_cells_of_tables_are_found() {
        let mut measured = Measured::default();
        measured.add(FRAMES).unwrap();
        measured.add(TABLE).unwrap();
        for (question, answer) in [
            ("LE1; slow; median", "30.0 us"),
            ("LE1; slow; worst query", "2.00 ms"),
            ("LE1; slow; frame 1 update", "10.0 us"),
            ("LE1; slow / fast; first", "2.00x"),
            ("LE1; slow / fast; last", "1.50x"),
            ("LE1; fast against slow; mean", "34 % faster"),
            ("LE1; slow; contact", "1.51 ms"),
            ("LE1; pairs; most", "1,500"),
            ("LE1; pairs; first", "1"),
            ("BE3.traversal; thousand_us; levels=3", "285 us"),
            ("BE3.traversal; ratio_to_paper; levels=4 & opened=the small one", "12.5x"),
            ("BE3.traversal; tests; levels=3", "26,055,691"),
            ("BE3.traversal; opened; levels=3", "the \"big\" one"),
        ] {
            assert_eq!(measured.answer(question).unwrap(), answer, "{question}");
        }
        for question in [
            "LE1; slow",
            "LE1; none; median",
            "LE1; slow; most",
            "LE1; slow; frame 9",
            "BE3.traversal; tests; experiment=BE3",
            "BE3.traversal; nothing; levels=3",
        ] {
            assert!(measured.answer(question).is_err(), "{question}");
        }
    }

    #[test]
    fn the_commit_is_that_of_the_first_row() {
        assert_eq!(commit(FRAMES).as_deref(), Some("abc"));
        assert_eq!(commit("scene,frame\nLE1,0\n"), None);
        assert_eq!(commit(""), None);
    }
}
