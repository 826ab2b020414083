//! What was found, for people: which bodies meet in which frames, not a wall of numbers.

use std::collections::BTreeMap;

use anyhow::Result;
use crumple_io::report::{CheckSummary, Frame, WorstFrame};

use crate::out::Answer;
use crate::table::{Align, Table, count, counted, time};

/// The frames in which each two bodies meet.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    of_bodies: BTreeMap<(u32, u32), Meeting>,
    /// Microseconds of the last frame added.
    last_us: f64,
}

/// Two bodies, and when they meet.
#[derive(Debug, Default)]
struct Meeting {
    /// Runs of frames, first and last of each.
    runs: Vec<(u64, u64)>,
    pairs: u64,
    worst: Option<WorstFrame>,
}

/// More runs than these are only counted.
const RUNS_SHOWN: usize = 4;

impl Ranges {
    /// Takes one more frame in; frames must come in order.
    pub(super) fn add(&mut self, record: &Frame) {
        self.last_us = record.update_us + record.query_us;
        for contact in &record.contacts {
            let meeting = self.of_bodies.entry((contact.a, contact.b)).or_default();
            match meeting.runs.last_mut() {
                Some((_, last)) if *last + 1 == record.frame => *last = record.frame,
                _ => meeting.runs.push((record.frame, record.frame)),
            }
            meeting.pairs += contact.count;
            if meeting.worst.is_none_or(|worst| contact.count > worst.count) {
                meeting.worst = Some(WorstFrame { frame: record.frame, count: contact.count });
            }
        }
    }

    /// A line for each two bodies that meet in a single frame checked, a table for more frames.
    pub(super) fn told(&self, names: &[String], summary: &CheckSummary) -> String {
        if self.of_bodies.is_empty() {
            return format!("nothing collides in {}", counted(summary.frames, "frame"));
        }
        if summary.frames == 1 {
            let line = |(&bodies, meeting): (&(u32, u32), &Meeting)| {
                let (frame, pairs) = (meeting.runs[0].0, counted(meeting.pairs, "pair"));
                format!("{}: {pairs} in frame {frame} ({})", called(bodies, names), time(self.last_us))
            };
            return self.of_bodies.iter().map(line).collect::<Vec<_>>().join("\n");
        }
        let mut table = Table::new(&[
            ("bodies", Align::Left),
            ("frames in contact", Align::Left),
            ("worst frame", Align::Right),
            ("its pairs", Align::Right),
            ("all pairs", Align::Right),
        ]);
        for (&bodies, meeting) in &self.of_bodies {
            let worst = meeting.worst.unwrap_or(WorstFrame { frame: 0, count: 0 });
            table.row(vec![
                called(bodies, names),
                meeting.frames(summary.frames),
                worst.frame.to_string(),
                count(worst.count),
                count(meeting.pairs),
            ]);
        }
        table.to_string().trim_end().to_owned()
    }
}

impl Meeting {
    fn frames(&self, of: u64) -> String {
        let run =
            |&(first, last): &(u64, u64)| if first == last { first.to_string() } else { format!("{first}..={last}") };
        let shown: Vec<String> = self.runs.iter().take(RUNS_SHOWN).map(run).collect();
        let more = match self.runs.len().saturating_sub(RUNS_SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let total: u64 = self.runs.iter().map(|(first, last)| last - first + 1).sum();
        format!("{}{more} ({total} of {of})", shown.join(", "))
    }
}

fn called((a, b): (u32, u32), names: &[String]) -> String {
    let name = |id: u32| names.get(id as usize).map_or("?", String::as_str);
    if a == b { format!("{} × itself", name(a)) } else { format!("{} × {}", name(a), name(b)) }
}

/// A line a pair of triangles.
pub(super) fn list_pairs(record: &Frame, names: &[String], answer: &mut Answer) -> Result<()> {
    for contact in &record.contacts {
        let [a, b] = [contact.a, contact.b].map(|id| &names[id as usize]);
        for [i, j] in contact.pairs.iter().flatten() {
            answer.line(format_args!("frame {}: {a} {i} × {b} {j}", record.frame))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crumple_io::report::ContactRecord;

    #[test]
    fn frames_in_a_row_are_told_as_a_range() {
        let names = ["cloth".to_owned(), "body".to_owned()];
        let (mut ranges, mut summary) = (Ranges::default(), CheckSummary::default());
        for (frame, own, other) in
            [(0, 0, 1), (1, 0, 0), (2, 7, 5), (3, 0, 9), (4, 0, 2), (6, 0, 1), (8, 0, 1), (10, 0, 1)]
        {
            let contact = |a, b, count| ContactRecord { a, b, count, pairs: None };
            let mut contacts = vec![contact(0, 0, own), contact(0, 1, other)];
            contacts.retain(|contact| contact.count > 0);
            let record = Frame { frame, contacts, update_us: 0.0, query_us: 0.0 };
            ranges.add(&record);
            summary.add(&record);
        }
        let expected = "\
bodies          frames in contact                   worst frame  its pairs  all pairs
cloth × itself  2 (1 of 8)                                    2          7          7
cloth × body    0, 2..=4, 6, 8 and 1 more (7 of 8)            3          9         20";
        assert_eq!(ranges.told(&names, &summary), expected);
    }
}
