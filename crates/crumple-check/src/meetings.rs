//! What was found, as text: which bodies meet in which frames.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crumple_io::FrameRun;
use crumple_io::report::{BodyRecord, CheckSummary, Finding, FindingKind, Frame, WorstFrame};
use crumple_io::words::{Align, Table, count, counted, numbered, shown, size, time};

use crate::question::depth::Deepest;

/// The frames in which each two bodies meet.
#[derive(Debug, Default)]
pub(crate) struct Meetings {
    of_bodies: BTreeMap<Row, Meeting>,
    /// Bodies inside others, by inner and outer; nothing meets there.
    inside: BTreeMap<Row, Meeting>,
    /// Whether files give frames other numbers.
    has_numbers: bool,
    /// Microseconds of the last frame added.
    last_us: f64,
}

/// Two bodies, in an animation where several are played: what a row of the table is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    bodies: (u32, u32),
    animation: Option<String>,
}

/// Two bodies, and when they meet.
#[derive(Debug, Default)]
struct Meeting {
    runs: Vec<FrameRun>,
    /// The numbers that files give the first and the last frame of each run.
    numbers: Vec<[Option<u64>; 2]>,
    pairs: u64,
    /// Impacts of all steps between frames.
    impacts: u64,
    worst: Option<WorstFrame>,
    number_of_worst: Option<u64>,
    deepest: Deepest,
}

/// More runs than these are only counted.
const RUNS_SHOWN: usize = 4;
/// More rows than these are only counted: a table should fit one screen. Reports have all of them.
const ROWS_SHOWN: usize = 20;

impl Meetings {
    /// Takes one more frame in; frames must come in order.
    pub(crate) fn add(&mut self, record: &Frame<'_>) {
        self.has_numbers |= record.number.is_some_and(|number| number != record.frame);
        self.last_us = record.update_us + record.query_us;
        let row = |bodies| Row { bodies, animation: record.animation.clone() };
        for contact in &record.contacts {
            let meeting = self.of_bodies.entry(row((contact.a, contact.b))).or_default();
            meeting.add(record);
            meeting.pairs += contact.count;
            meeting.deepest.add(record.frame, contact.depth, contact.area);
            if meeting.worst.is_none_or(|worst| contact.count > worst.count) {
                meeting.worst = Some(WorstFrame { frame: record.frame, count: contact.count });
                meeting.number_of_worst = record.number;
            }
        }
        for impact in record.impacts.as_deref().unwrap_or_default() {
            let bodies = (impact.a.min(impact.b), impact.a.max(impact.b));
            self.of_bodies.entry(row(bodies)).or_default().impacts += 1;
        }
        for found in &record.contained {
            self.inside.entry(row((found.inner, found.outer))).or_default().add(record);
        }
    }

    /// Drops the rows for which there is no finding.
    pub(crate) fn keep(&mut self, findings: &[Finding]) {
        let rows = |is_kind: fn(FindingKind) -> bool| -> BTreeSet<Row> {
            let of_kind = findings.iter().filter(|finding| is_kind(finding.kind));
            of_kind
                .map(|finding| Row { bodies: (finding.a, finding.b), animation: finding.animation.clone() })
                .collect()
        };
        let meeting = rows(|kind| matches!(kind, FindingKind::Contact | FindingKind::Impact));
        let inside = rows(|kind| kind == FindingKind::Inside);
        self.of_bodies.retain(|row, _| meeting.contains(row));
        self.inside.retain(|row, _| inside.contains(row));
    }

    /// A line for each two bodies that meet in a single frame checked, a table for more frames; with depths if those were
    /// asked. The most severe come first.
    pub(crate) fn text(&self, names: &[String], summary: &CheckSummary, depths: bool, is_styled: bool) -> String {
        if self.of_bodies.is_empty() && self.inside.is_empty() {
            return nothing(summary);
        }
        let mut meetings: Vec<_> = self.of_bodies.iter().collect();
        meetings.sort_by(|(_, one), (_, other)| one.by_severity(other));
        let rows = meetings.len() + self.inside.len();
        let mut text = if summary.frames == 1 {
            self.lines(&meetings, names)
        } else {
            text_of(&self.table(&meetings, names, summary, depths), is_styled)
        };
        if rows > ROWS_SHOWN {
            text +=
                &format!("\nand {} more pairs of bodies; --output-format csv lists all findings", rows - ROWS_SHOWN);
        }
        if summary.known > 0 {
            text += &format!("\n{} known to the baseline", counted(summary.known, "more finding"));
        }
        text
    }

    /// One line per two bodies.
    fn lines(&self, meetings: &[(&Row, &Meeting)], names: &[String]) -> String {
        let line = |&(row, meeting): &(&Row, &Meeting)| {
            let (frame, pairs) = (meeting.first_frame(), counted(meeting.pairs, "pair"));
            let deep = meeting.deepest.words();
            format!("{}: {pairs}{deep} in frame {frame} ({})", pair_name(row.bodies, names), time(self.last_us))
        };
        let inside = |(row, meeting): (&Row, &Meeting)| {
            format!("{} in frame {}", inside_name(row.bodies, names), meeting.first_frame())
        };
        let lines = meetings.iter().map(line).chain(self.inside.iter().map(inside));
        lines.take(ROWS_SHOWN).collect::<Vec<_>>().join("\n")
    }

    /// One row per two bodies.
    fn table(&self, meetings: &[(&Row, &Meeting)], names: &[String], summary: &CheckSummary, depths: bool) -> Table {
        let if_numbered = |cell| Some(cell).filter(|_| self.has_numbers);
        let has_animations = self.of_bodies.keys().chain(self.inside.keys()).any(|row| row.animation.is_some());
        let mut columns = vec![("bodies", Align::Left)];
        columns.extend(has_animations.then_some(("animation", Align::Left)));
        columns.push(("frames in contact", Align::Left));
        columns.extend(if_numbered(("their numbers", Align::Left)));
        columns.push(("worst frame", Align::Right));
        columns.extend(if_numbered(("its number", Align::Right)));
        columns.extend([("its pairs", Align::Right), ("all pairs", Align::Right)]);
        columns.extend(summary.impacts.map(|_| ("impacts", Align::Right)));
        let of_depth = ["depth", "deepest frame", "area inside"].map(|name| (name, Align::Right));
        columns.extend(of_depth.into_iter().filter(|_| depths));
        let mut table = Table::new(&columns);
        let animation =
            |row: &Row| has_animations.then(|| row.animation.as_deref().map_or("-".into(), shown).into_owned());
        for (row, meeting) in meetings.iter().take(ROWS_SHOWN) {
            let [worst, most] = match meeting.worst {
                Some(worst) => [worst.frame.to_string(), count(worst.count)],
                None => ["-".to_owned(), "-".to_owned()],
            };
            let mut cells = vec![pair_name(row.bodies, names)];
            cells.extend(animation(row));
            cells.push(meeting.frames(summary.frames));
            cells.extend(self.has_numbers.then(|| meeting.numbers()));
            cells.push(worst);
            cells.extend(self.has_numbers.then(|| shown_number(meeting.number_of_worst)));
            cells.extend([most, count(meeting.pairs)]);
            cells.extend(summary.impacts.map(|_| count(meeting.impacts)));
            let deepest = &meeting.deepest;
            cells.extend([deepest.depth(), deepest.frame(), deepest.area()].into_iter().filter(|_| depths));
            table.row(cells);
        }
        for (row, meeting) in self.inside.iter().take(ROWS_SHOWN.saturating_sub(meetings.len())) {
            let mut cells = vec![inside_name(row.bodies, names)];
            cells.extend(animation(row));
            cells.push(meeting.frames(summary.frames));
            cells.extend(self.has_numbers.then(|| meeting.numbers()));
            table.row(cells);
        }
        table
    }
}

/// A table as text, its head bold if it is `styled`.
fn text_of(table: &Table, is_styled: bool) -> String {
    let text = if is_styled { format!("{table:#}") } else { table.to_string() };
    text.trim_end().to_owned()
}

/// That nothing counts, and why.
fn nothing(summary: &CheckSummary) -> String {
    let between = if summary.impacts.is_some() { ", nor between them" } else { "" };
    let frames = counted(summary.frames, "frame");
    match summary.known {
        0 => format!("nothing collides in {frames}{between}"),
        known => format!("nothing new collides in {frames}{between}; the baseline knows {}", counted(known, "finding")),
    }
}

impl Meeting {
    fn add(&mut self, record: &Frame<'_>) {
        if self.runs.last_mut().is_some_and(|run| run.extend(record.frame)) {
            self.numbers.last_mut().expect("each run has numbers")[1] = record.number;
        } else {
            self.runs.push(FrameRun::new(record.frame));
            self.numbers.push([record.number; 2]);
        }
    }

    /// The worst first: by depth and area where they are known, then by the pairs of the worst frame, then by duration.
    fn by_severity(&self, other: &Self) -> Ordering {
        let pairs = |meeting: &Self| meeting.worst.map_or(0, |worst| worst.count);
        let frames = |meeting: &Self| meeting.runs.iter().map(FrameRun::frame_count).sum::<u64>();
        (other.deepest.severity().total_cmp(&self.deepest.severity()))
            .then(other.deepest.swallowed().total_cmp(&self.deepest.swallowed()))
            .then(pairs(other).cmp(&pairs(self)))
            .then(frames(other).cmp(&frames(self)))
    }

    /// The first frame in contact and its number, in words.
    fn first_frame(&self) -> String {
        numbered(self.runs[0].first(), self.numbers[0][0])
    }

    fn frames(&self, of: u64) -> String {
        frames_of(&self.runs, of)
    }

    /// The numbers that files give the frames in contact.
    fn numbers(&self) -> String {
        listed(&self.numbers, |&[first, last]| match [first, last].map(shown_number) {
            [first, last] if first == last => first,
            [first, last] => format!("{first}..={last}"),
        })
    }
}

/// The first few runs in words, and how many more there are.
fn listed<T>(runs: &[T], word: impl Fn(&T) -> String) -> String {
    let shown: Vec<String> = runs.iter().take(RUNS_SHOWN).map(word).collect();
    let more = match runs.len().saturating_sub(RUNS_SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", shown.join(", "))
}

/// The number that files give a frame; a dash if there is none.
fn shown_number(number: Option<u64>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| number.to_string())
}

/// Runs of frames as text, and how many of all they are.
pub(crate) fn frames_of(runs: &[FrameRun], of: u64) -> String {
    if runs.is_empty() {
        return format!("none (0 of {of})");
    }
    let total: u64 = runs.iter().map(FrameRun::frame_count).sum();
    format!("{} ({total} of {of})", listed(runs, FrameRun::to_string))
}

/// Two bodies by name.
pub(crate) fn pair_name((a, b): (u32, u32), names: &[String]) -> String {
    let [name_a, name_b] = [a, b].map(|id| name(id, names));
    if a == b { format!("{name_a} × itself") } else { format!("{name_a} × {name_b}") }
}

fn inside_name((inner, outer): (u32, u32), names: &[String]) -> String {
    format!("{} inside {}", name(inner, names), name(outer, names))
}

/// The name of a body.
pub(crate) fn name(id: u32, names: &[String]) -> &str {
    names.get(id as usize).map_or("?", String::as_str)
}

/// The title of a page about these bodies.
pub(crate) fn title(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first, second] => format!("{first} and {second}"),
        [first, second, third] => format!("{first}, {second} and {third}"),
        [first, second, rest @ ..] => format!("{first}, {second} and {} more", rest.len()),
    }
}

/// Which bodies have no inside because they are open, in a sentence.
pub(crate) fn what_is_open(bodies: &[BodyRecord]) -> Option<String> {
    let open: Vec<String> =
        bodies.iter().filter(|body| !body.closed).map(|body| shown(&body.name).into_owned()).collect();
    (!open.is_empty()).then(|| format!("nothing can be inside {}: an open surface has no inside", title(&open)))
}

/// The frames in which each two bodies are too close, and how close.
#[derive(Debug, Default)]
pub(crate) struct TooClose {
    of_bodies: BTreeMap<(u32, u32), (Vec<FrameRun>, u64, f64)>,
}

impl TooClose {
    /// Takes one more frame in; frames must come in order.
    pub(crate) fn add(&mut self, record: &Frame<'_>) {
        for near in record.near.iter().flatten() {
            let fresh = || (Vec::new(), record.frame, f64::INFINITY);
            let (runs, nearest, least) = self.of_bodies.entry((near.a, near.b)).or_insert_with(fresh);
            if !runs.last_mut().is_some_and(|run| run.extend(record.frame)) {
                runs.push(FrameRun::new(record.frame));
            }
            if near.distance < *least {
                (*nearest, *least) = (record.frame, near.distance);
            }
        }
    }

    /// Drops the bodies for which there is no finding.
    pub(crate) fn keep(&mut self, findings: &[Finding]) {
        let is_found = |bodies: (u32, u32)| {
            findings.iter().any(|finding| finding.kind == FindingKind::Near && (finding.a, finding.b) == bodies)
        };
        self.of_bodies.retain(|&bodies, _| is_found(bodies));
    }

    /// A table, or a sentence if nothing is too close.
    pub(crate) fn text(&self, names: &[String], clearance: f64, frames: u64, is_styled: bool) -> String {
        if self.of_bodies.is_empty() {
            return format!("nothing is closer than {clearance} in {}", counted(frames, "frame"));
        }
        let columns = [
            ("bodies", Align::Left),
            ("frames too close", Align::Left),
            ("nearest frame", Align::Right),
            ("distance", Align::Right),
        ];
        let mut table = Table::new(&columns);
        for (&bodies, (runs, nearest, least)) in &self.of_bodies {
            let cells = [pair_name(bodies, names), frames_of(runs, frames), nearest.to_string(), size(*least, 6)];
            table.row(cells.to_vec());
        }
        text_of(&table, is_styled)
    }

    /// The same for the page.
    pub(crate) fn note(&self, names: &[String], clearance: f64, frames: u64) -> String {
        let lines = self.of_bodies.iter().map(|(&bodies, (runs, nearest, least))| {
            let (bodies, frames) = (pair_name(bodies, names), frames_of(runs, frames));
            format!(
                "{bodies}: closer than {clearance} in frames {frames}, nearest {} in frame {nearest}",
                size(*least, 6)
            )
        });
        let lines: Vec<String> = lines.collect();
        if lines.is_empty() { self.text(names, clearance, frames, false) } else { lines.join("\n") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crumple_io::report::{ContactRecord, ContainedRecord, NearRecord};

    #[test]
    fn consecutive_frames_are_shown_as_a_range() {
        let names = ["cloth".to_owned(), "body".to_owned()];
        let (mut ranges, mut summary) = (Meetings::default(), CheckSummary::default());
        for (frame, own, other) in
            [(0, 0, 1), (1, 0, 0), (2, 7, 5), (3, 0, 9), (4, 0, 2), (6, 0, 1), (8, 0, 1), (10, 0, 1)]
        {
            let contact = |a, b, count| ContactRecord { a, b, count, depth: None, area: None, pairs: None };
            let mut contacts = vec![contact(0, 0, own), contact(0, 1, other)];
            contacts.retain(|contact| contact.count > 0);
            let record = Frame { frame, contacts, ..Frame::default() };
            ranges.add(&record);
            summary.add(&record);
        }
        let expected = "\
bodies          frames in contact                   worst frame  its pairs  all pairs
cloth × body    0, 2..=4, 6, 8 and 1 more (7 of 8)            3          9         20
cloth × itself  2 (1 of 8)                                    2          7          7";
        assert_eq!(ranges.text(&names, &summary, false, false), expected);
    }

    #[test]
    fn numbers_of_files_stand_beside_the_frames() {
        let names = ["cloth".to_owned()];
        let (mut ranges, mut summary) = (Meetings::default(), CheckSummary::default());
        // No file has the number 103.
        for (frame, number, count) in [(0, 101, 2), (1, 102, 3), (2, 104, 1), (3, 105, 0), (4, 106, 1)] {
            let contact = ContactRecord { a: 0, b: 0, count, depth: None, area: None, pairs: None };
            let contacts = [contact].into_iter().filter(|contact| contact.count > 0).collect();
            let record = Frame { frame, number: Some(number), contacts, ..Frame::default() };
            ranges.add(&record);
            summary.add(&record);
        }
        let expected = "\
bodies          frames in contact  their numbers   worst frame  its number  its pairs  all pairs
cloth × itself  0..=2, 4 (4 of 5)  101..=104, 106            1         102          3          7";
        assert_eq!(ranges.text(&names, &summary, false, false), expected);
    }

    #[test]
    fn a_body_inside_another_has_a_row_without_pairs() {
        let names = ["shell".to_owned(), "nut".to_owned()];
        let (mut ranges, mut summary) = (Meetings::default(), CheckSummary::default());
        for frame in 3..8 {
            let contained = vec![ContainedRecord { inner: 1, outer: 0 }; usize::from(frame != 5)];
            let record = Frame { frame, contained, ..Frame::default() };
            ranges.add(&record);
            summary.add(&record);
        }
        let expected = "\
bodies            frames in contact      worst frame  its pairs  all pairs
nut inside shell  3..=4, 6..=7 (4 of 5)";
        assert_eq!(ranges.text(&names, &summary, false, false), expected);
    }

    #[test]
    fn a_page_is_called_by_its_bodies() {
        let names: Vec<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
        let titles = [1, 2, 3, 5].map(|count| title(&names[..count]));
        assert_eq!(titles, ["a", "a and b", "a, b and c", "a, b and 3 more"]);
    }

    #[test]
    fn what_is_too_close_is_listed_by_bodies_with_the_nearest_frame() {
        let names = ["arm", "case"].map(str::to_owned);
        let mut found = TooClose::default();
        assert_eq!(found.text(&names, 0.5, 1, false), "nothing is closer than 0.5 in 1 frame");
        for (frame, distance) in [(3, 0.25), (4, 0.125), (6, 0.2)] {
            let near = Some(vec![NearRecord { a: 0, b: 1, distance }]);
            found.add(&Frame { frame, near, ..Frame::default() });
        }
        let expected = "\
bodies      frames too close    nearest frame  distance
arm × case  3..=4, 6 (3 of 10)              4  0.125000";
        assert_eq!(found.text(&names, 0.5, 10, false), expected);
        assert_eq!(
            found.note(&names, 0.5, 10),
            "arm × case: closer than 0.5 in frames 3..=4, 6 (3 of 10), nearest 0.125000 in frame 4"
        );
    }
}
