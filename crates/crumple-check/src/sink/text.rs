//! The answer for people: a line per two bodies in a single frame, a table for more.

use anyhow::Result;
use crumple_io::report::Frame;
use crumple_io::words::count;

use super::{Out, Sink, View};
use crate::meetings::name;
use crate::outcome::Outcome;
use crate::question::{impacts, onsets};
use crate::run::Check;

pub(super) struct Text {
    out: Out,
    names: Vec<String>,
    /// Whether only the first impact of each step was asked for.
    is_first: bool,
    lists_pairs: bool,
}

impl Text {
    pub(super) fn new(check: &Check, out: Out) -> Self {
        let options = check.options();
        Self { out, names: check.names().to_vec(), is_first: options.first, lists_pairs: options.pairs }
    }

    /// One line per pair of triangles.
    fn list_pairs(&mut self, record: &Frame<'_>) -> Result<()> {
        let frame = record.name();
        for contact in &record.contacts {
            let [a, b] = [contact.a, contact.b].map(|id| name(id, &self.names));
            for [i, j] in contact.listed() {
                self.out.line(format_args!("frame {frame}: {a} {i} × {b} {j}"))?;
            }
            let listed = contact.listed().len() as u64;
            if listed < contact.count {
                let more = count(contact.count - listed);
                self.out.line(format_args!("frame {frame}: {a} × {b}: {more} more"))?;
            }
        }
        Ok(())
    }
}

impl Sink for Text {
    fn frame(&mut self, view: &View<'_>) -> Result<()> {
        for line in impacts::lines(view, self.is_first, &self.names).into_iter().chain(onsets::lines(view, &self.names))
        {
            self.out.line(line)?;
        }
        if self.lists_pairs { self.list_pairs(view.listed) } else { Ok(()) }
    }

    fn end(mut self: Box<Self>, outcome: &Outcome) -> Result<Option<String>> {
        self.out.line(outcome.table(self.out.style()))?;
        if let Some(clearance) = outcome.asked.clearance {
            let text = outcome.too_close.text(&self.names, clearance, outcome.summary.frames, self.out.style());
            self.out.line(text)?;
        }
        self.out.finish()?;
        Ok(None)
    }

    fn is_lost(&self) -> bool {
        self.out.is_lost()
    }
}
