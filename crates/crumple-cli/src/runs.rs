//! Rows of a table, one per frame; consecutive frames with the same result become one row with a range.

use crate::table::Table;

/// What is said of frames, in order.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    rows: Vec<Run>,
}

#[derive(Debug)]
struct Run {
    first: u64,
    last: u64,
    cells: Vec<String>,
}

impl Runs {
    /// Takes one more frame in; frames must come in order.
    pub(crate) fn add(&mut self, frame: u64, cells: Vec<String>) {
        match self.rows.last_mut() {
            Some(run) if run.last + 1 == frame && run.cells == cells => run.last = frame,
            _ => self.rows.push(Run { first: frame, last: frame, cells }),
        }
    }

    /// Fills a table: the frames in its first column, what is said of them in the others.
    pub(crate) fn fill(self, mut table: Table) -> Table {
        for Run { first, last, cells } in self.rows {
            let frames = if first == last { first.to_string() } else { format!("{first}..={last}") };
            table.row([vec![frames], cells].concat());
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Align;

    #[test]
    fn frames_that_say_the_same_are_one_row() {
        let mut runs = Runs::default();
        for (frame, says) in [(3, "no"), (4, "no"), (5, "yes"), (7, "yes"), (8, "no")] {
            runs.add(frame, vec![says.into()]);
        }
        let table = runs.fill(Table::new(&[("frame", Align::Right), ("", Align::Left)]));
        assert_eq!(table.to_string(), "frame\n3..=4  no\n    5  yes\n    7  yes\n    8  no\n");
    }
}
