//! What was found, for people: which bodies meet in which frames, not a wall of numbers.

use std::collections::BTreeMap;

use anyhow::Result;
use crumple_io::report::{BodyRecord, CheckSummary, Frame, WorstFrame};

use crate::out::{Answer, say};
use crate::table::{Align, Table, count, counted, time};

/// The frames in which each two bodies meet.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    of_bodies: BTreeMap<(u32, u32), Meeting>,
    /// Bodies inside others, by inner and outer; nothing meets there.
    inside: BTreeMap<(u32, u32), Meeting>,
    /// Microseconds of the last frame added.
    last_us: f64,
}

/// Two bodies, and when they meet.
#[derive(Debug, Default)]
struct Meeting {
    /// Runs of frames, first and last of each.
    runs: Vec<(u64, u64)>,
    pairs: u64,
    /// Impacts of all steps between frames.
    impacts: u64,
    worst: Option<WorstFrame>,
}

/// More runs than these are only counted.
const RUNS_SHOWN: usize = 4;

impl Ranges {
    /// Takes one more frame in; frames must come in order.
    pub(super) fn add(&mut self, record: &Frame<'_>) {
        self.last_us = record.update_us + record.query_us;
        for contact in &record.contacts {
            let meeting = self.of_bodies.entry((contact.a, contact.b)).or_default();
            meeting.add(record.frame);
            meeting.pairs += contact.count;
            if meeting.worst.is_none_or(|worst| contact.count > worst.count) {
                meeting.worst = Some(WorstFrame { frame: record.frame, count: contact.count });
            }
        }
        for impact in record.impacts.as_deref().unwrap_or_default() {
            let bodies = (impact.a.min(impact.b), impact.a.max(impact.b));
            self.of_bodies.entry(bodies).or_default().impacts += 1;
        }
        for found in &record.contained {
            self.inside.entry((found.inner, found.outer)).or_default().add(record.frame);
        }
    }

    /// A line for each two bodies that meet in a single frame checked, a table for more frames.
    pub(super) fn told(&self, names: &[String], summary: &CheckSummary) -> String {
        if self.of_bodies.is_empty() && self.inside.is_empty() {
            let between = if summary.impacts.is_some() { ", nor between them" } else { "" };
            return format!("nothing collides in {}{between}", counted(summary.frames, "frame"));
        }
        if summary.frames == 1 {
            let line = |(&bodies, meeting): (&(u32, u32), &Meeting)| {
                let (frame, pairs) = (meeting.runs[0].0, counted(meeting.pairs, "pair"));
                format!("{}: {pairs} in frame {frame} ({})", called(bodies, names), time(self.last_us))
            };
            let inside = |(&bodies, meeting): (&(u32, u32), &Meeting)| {
                format!("{} in frame {}", called_inside(bodies, names), meeting.runs[0].0)
            };
            let lines = self.of_bodies.iter().map(line).chain(self.inside.iter().map(inside));
            return lines.collect::<Vec<_>>().join("\n");
        }
        let mut columns = vec![
            ("bodies", Align::Left),
            ("frames in contact", Align::Left),
            ("worst frame", Align::Right),
            ("its pairs", Align::Right),
            ("all pairs", Align::Right),
        ];
        columns.extend(summary.impacts.map(|_| ("impacts", Align::Right)));
        let mut table = Table::new(&columns);
        for (&bodies, meeting) in &self.of_bodies {
            let [worst, most] = match meeting.worst {
                Some(worst) => [worst.frame.to_string(), count(worst.count)],
                None => ["-".to_owned(), "-".to_owned()],
            };
            let mut row =
                vec![called(bodies, names), meeting.frames(summary.frames), worst, most, count(meeting.pairs)];
            row.extend(summary.impacts.map(|_| count(meeting.impacts)));
            table.row(row);
        }
        for (&bodies, meeting) in &self.inside {
            table.row(vec![called_inside(bodies, names), meeting.frames(summary.frames)]);
        }
        table.to_string().trim_end().to_owned()
    }
}

impl Meeting {
    fn add(&mut self, frame: u64) {
        match self.runs.last_mut() {
            Some((_, last)) if *last + 1 == frame => *last = frame,
            _ => self.runs.push((frame, frame)),
        }
    }

    fn frames(&self, of: u64) -> String {
        let run =
            |&(first, last): &(u64, u64)| if first == last { first.to_string() } else { format!("{first}..={last}") };
        let shown: Vec<String> = self.runs.iter().take(RUNS_SHOWN).map(run).collect();
        let more = match self.runs.len().saturating_sub(RUNS_SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        if self.runs.is_empty() {
            return format!("none (0 of {of})");
        }
        let total: u64 = self.runs.iter().map(|(first, last)| last - first + 1).sum();
        format!("{}{more} ({total} of {of})", shown.join(", "))
    }
}

fn called((a, b): (u32, u32), names: &[String]) -> String {
    let [name_a, name_b] = [a, b].map(|id| name(id, names));
    if a == b { format!("{name_a} × itself") } else { format!("{name_a} × {name_b}") }
}

fn called_inside((inner, outer): (u32, u32), names: &[String]) -> String {
    format!("{} inside {}", name(inner, names), name(outer, names))
}

/// What a body is called.
pub(super) fn name(id: u32, names: &[String]) -> &str {
    names.get(id as usize).map_or("?", String::as_str)
}

/// What a page about these bodies is called.
pub(super) fn title(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first, second] => format!("{first} and {second}"),
        [first, second, third] => format!("{first}, {second} and {third}"),
        [first, second, rest @ ..] => format!("{first}, {second} and {} more", rest.len()),
    }
}

/// Says which bodies could not be looked into, if there are any.
pub(super) fn say_what_is_open(bodies: &[BodyRecord]) {
    let open: Vec<String> = bodies.iter().filter(|body| !body.closed).map(|body| body.name.clone()).collect();
    if !open.is_empty() {
        say(format_args!("nothing can be inside {}: an open surface has no inside", title(&open)));
    }
}

/// One line per pair of triangles.
pub(super) fn list_pairs(record: &Frame<'_>, names: &[String], answer: &mut Answer) -> Result<()> {
    for contact in &record.contacts {
        let [a, b] = [contact.a, contact.b].map(|id| name(id, names));
        for [i, j] in contact.listed() {
            answer.line(format_args!("frame {}: {a} {i} × {b} {j}", record.frame))?;
        }
        let listed = contact.listed().len() as u64;
        if listed < contact.count {
            let more = count(contact.count - listed);
            answer.line(format_args!("frame {}: {a} × {b}: {more} more", record.frame))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crumple_io::report::{ContactRecord, ContainedRecord};

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
            let record = Frame { frame, contacts, ..Frame::default() };
            ranges.add(&record);
            summary.add(&record);
        }
        let expected = "\
bodies          frames in contact                   worst frame  its pairs  all pairs
cloth × itself  2 (1 of 8)                                    2          7          7
cloth × body    0, 2..=4, 6, 8 and 1 more (7 of 8)            3          9         20";
        assert_eq!(ranges.told(&names, &summary), expected);
    }

    #[test]
    fn a_body_inside_another_has_a_row_without_pairs() {
        let names = ["shell".to_owned(), "nut".to_owned()];
        let (mut ranges, mut summary) = (Ranges::default(), CheckSummary::default());
        for frame in 3..8 {
            let contained = vec![ContainedRecord { inner: 1, outer: 0 }; usize::from(frame != 5)];
            let record = Frame { frame, contained, ..Frame::default() };
            ranges.add(&record);
            summary.add(&record);
        }
        let expected = "\
bodies            frames in contact      worst frame  its pairs  all pairs
nut inside shell  3..=4, 6..=7 (4 of 5)";
        assert_eq!(ranges.told(&names, &summary), expected);
    }

    #[test]
    fn a_page_is_called_by_its_bodies() {
        let names: Vec<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
        let titles = [1, 2, 3, 5].map(|count| title(&names[..count]));
        assert_eq!(titles, ["a", "a and b", "a, b and c", "a, b and 3 more"]);
    }
}
