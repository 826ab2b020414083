//! Rows of a table, one per frame; consecutive frames with the same result become one row with a range.

use crumple_io::FrameRun;
use crumple_io::report::{FrameName, FrameNames, of_animation};
use crumple_io::words::Table;

/// Rows about frames, in order.
#[derive(Debug, Default)]
pub(crate) struct FrameRows {
    rows: Vec<Row>,
    names: FrameNames,
}

/// Frames with the same result.
#[derive(Debug)]
struct Row {
    run: FrameRun,
    /// The animation, where several are played.
    animation: Option<String>,
    cells: Vec<String>,
}

impl FrameRows {
    /// Adds the row of one more frame; frames must come in order.
    pub(crate) fn add(&mut self, frame: u64, name: FrameName<'_>, cells: Vec<String>) {
        self.names.add(frame, name);
        let FrameName { number, animation } = name;
        let last = self.rows.last_mut();
        let same = last.filter(|row| row.cells == cells && row.animation.as_deref() == animation);
        if !same.is_some_and(|row| row.run.extend(frame, number)) {
            let (run, animation) = (FrameRun::new(frame, number), animation.map(str::to_owned));
            self.rows.push(Row { run, animation, cells });
        }
    }

    /// What a frame is called.
    pub(crate) fn name_of(&self, frame: u64) -> String {
        self.names.of(frame).to_string()
    }

    /// Fills a table: the frames in its first column, the cells in the others.
    pub(crate) fn fill(&self, mut table: Table) -> Table {
        for Row { run, animation, cells } in &self.rows {
            let frames = format!("{run}{}", of_animation(animation.as_deref()));
            table.row([std::slice::from_ref(&frames), cells].concat());
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
            rows.add(frame, FrameName { number: frame, animation: None }, vec![cell.into()]);
        }
        let table = rows.fill(Table::new(&[("frame", Align::Right), ("", Align::Left)]));
        assert_eq!(table.to_string(), "frame\n  3–4  no\n    5  yes\n    7  yes\n    8  no\n");
    }
}
