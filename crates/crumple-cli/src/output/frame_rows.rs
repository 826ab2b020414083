//! Rows of a table, one per frame; consecutive frames with the same result become one row with a range.

use crumple_io::FrameRun;
use crumple_io::words::{Table, numbered};

/// Rows about frames, in order.
#[derive(Debug, Default)]
pub(crate) struct FrameRows {
    rows: Vec<Row>,
}

/// Frames with the same result.
#[derive(Debug)]
struct Row {
    run: FrameRun,
    /// The numbers that files give the first and the last of them.
    numbers: [Option<u64>; 2],
    cells: Vec<String>,
}

impl FrameRows {
    /// Adds the row of one more frame, with the number that files give it; frames must come in order.
    pub(crate) fn add(&mut self, frame: u64, number: Option<u64>, cells: Vec<String>) {
        match self.rows.last_mut() {
            Some(row) if row.cells == cells && row.run.ends_before(frame) => {
                row.run.extend(frame);
                row.numbers[1] = number;
            }
            _ => self.rows.push(Row { run: FrameRun::new(frame), numbers: [number; 2], cells }),
        }
    }

    /// Fills a table: the frames in its first column, the cells in the others.
    pub(crate) fn fill(self, mut table: Table) -> Table {
        for Row { run, numbers, cells } in self.rows {
            let frames = match numbers {
                [number, _] if run.frame_count() == 1 => numbered(run.first(), number),
                [Some(first), Some(last)] if [first, last] != [run.first(), run.last()] => {
                    format!("{run} (numbers {first}..={last})")
                }
                _ => run.to_string(),
            };
            table.row([vec![frames], cells].concat());
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crumple_io::words::Align;

    #[test]
    fn consecutive_frames_with_equal_cells_are_one_row() {
        let mut rows = FrameRows::default();
        for (frame, cell) in [(3, "no"), (4, "no"), (5, "yes"), (7, "yes"), (8, "no")] {
            rows.add(frame, None, vec![cell.into()]);
        }
        let table = rows.fill(Table::new(&[("frame", Align::Right), ("", Align::Left)]));
        assert_eq!(table.to_string(), "frame\n3..=4  no\n    5  yes\n    7  yes\n    8  no\n");
    }
}
