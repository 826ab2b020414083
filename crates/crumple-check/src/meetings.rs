//! What was found, as text: which bodies meet in which frames. Frames have the numbers of their files, and a row for each
//! animation.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crumple_io::FrameRun;
use crumple_io::report::{
    BodyRecord, BodyStatus, CheckSummary, ContactRegionRecord, Finding, FindingKind, Frame, FrameName, StatusRecord,
    are_joined, of_animation,
};
use crumple_io::words::{Align, Table, count, counted, shown, size, time};

use crate::question::depth::Deepest;
use crate::sink::TableStyle;

/// The frames in which each two bodies meet.
#[derive(Debug, Default)]
pub(crate) struct Meetings {
    of_bodies: BTreeMap<Row, Meeting>,
    /// Bodies inside others, by inner and outer; nothing meets there.
    inside: BTreeMap<Row, Meeting>,
    frames: FrameCounts,
    frames_in_contact: u64,
    /// Microseconds of the last frame added.
    last_us: f64,
    /// The unit of lengths, where files have one.
    pub(crate) unit: Option<String>,
}

/// Two bodies, in an animation where several are played, and a region of their contact: what a row of the table is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    pub(crate) bodies: (u32, u32),
    pub(crate) animation: Option<String>,
    /// The number of the region; 0 where it is about the bodies as a whole.
    pub(crate) region: u64,
}

/// How many frames were looked at in each animation.
#[derive(Debug, Default)]
pub(crate) struct FrameCounts(BTreeMap<Option<String>, u64>);

impl FrameCounts {
    pub(crate) fn add(&mut self, record: &Frame<'_>) {
        match self.0.get_mut(&record.animation) {
            Some(frames) => *frames += 1,
            None => drop(self.0.insert(record.animation.clone(), 1)),
        }
    }

    /// In the animation of a row, or of all.
    pub(crate) fn of(&self, row: &Row) -> u64 {
        self.0.get(&row.animation).copied().unwrap_or_default()
    }
}

impl Row {
    /// The cell with its animation, in a table that has some.
    pub(crate) fn animation(&self) -> String {
        self.animation.as_deref().map_or("-".into(), shown).into_owned()
    }
}

/// Two bodies, and when they meet.
#[derive(Clone, Debug, Default)]
struct Meeting {
    runs: Vec<FrameRun>,
    /// What carries the sides of the region, in the worst frame, and whether a skeleton joins it.
    carriers: Option<[String; 2]>,
    is_joined: bool,
    pairs: u64,
    /// Impacts of all steps between frames.
    impacts: u64,
    /// The number of the worst frame and its pairs.
    worst: Option<(u64, u64)>,
    deepest: Deepest,
    /// The largest volume that both share.
    volume: Option<f64>,
}

/// More runs than these are only counted.
const RUNS_SHOWN: usize = 4;
/// The head of the column of frames.
const FRAMES: &str = "frames in contact";
/// More rows than these are only counted: a table should fit one screen. Reports have all of them.
const ROWS_SHOWN: usize = 20;

impl Meetings {
    /// Takes one more frame in; frames must come in order.
    ///
    /// `numbers` are those of its regions.
    pub(crate) fn add(&mut self, record: &Frame<'_>, numbers: &[u64]) {
        self.frames.add(record);
        self.last_us = record.update_us + record.query_us;
        self.frames_in_contact += u64::from(!record.contacts.is_empty());
        let row = |bodies| Row { bodies, animation: record.animation.clone(), region: 0 };
        for contact in &record.contacts {
            let bodies = (contact.a, contact.b);
            let mut add = |region: u64, count: u64, of: Option<&ContactRegionRecord>| {
                let meeting = self.of_bodies.entry(Row { region, ..row(bodies) }).or_default();
                add_to(&mut meeting.runs, record);
                meeting.pairs += count;
                let depth = of.and_then(|of| of.depth).or(contact.depth);
                let area = of.and_then(|of| of.area_inside).or(contact.area);
                meeting.deepest.add(record.own_number(), depth, area);
                meeting.volume = contact.volume.into_iter().chain(meeting.volume).reduce(f64::max);
                if meeting.worst.is_none_or(|(_, most)| count > most) {
                    meeting.worst = Some((record.own_number(), count));
                    meeting.carriers = of.and_then(|of| of.carriers.clone());
                    meeting.is_joined = of.is_some_and(|of| are_joined(of.apart));
                }
            };
            let mut has_regions = false;
            for (of, &number) in record.regions.iter().zip(numbers).filter(|(of, _)| (of.a, of.b) == bodies) {
                add(number, of.count, Some(of));
                has_regions = true;
            }
            if !has_regions {
                add(0, contact.count, None);
            }
        }
        for impact in record.impacts.as_deref().unwrap_or_default() {
            let bodies = (impact.a.min(impact.b), impact.a.max(impact.b));
            self.of_bodies.entry(row(bodies)).or_default().impacts += 1;
        }
        for found in &record.contained {
            add_to(&mut self.inside.entry(row((found.inner, found.outer))).or_default().runs, record);
        }
    }

    /// Drops the rows for which there is no finding.
    pub(crate) fn keep(&mut self, findings: &[Finding]) {
        let rows = |is_kind: fn(FindingKind) -> bool| -> BTreeSet<Row> {
            let of_kind = findings.iter().filter(|finding| is_kind(finding.kind));
            of_kind
                .map(|finding| Row {
                    bodies: (finding.a, finding.b),
                    animation: finding.animation.clone(),
                    region: finding.region.as_ref().map_or(0, |region| region.number),
                })
                .collect()
        };
        let meeting = rows(|kind| matches!(kind, FindingKind::Contact | FindingKind::Impact));
        let inside = rows(|kind| kind == FindingKind::Inside);
        self.of_bodies.retain(|row, _| meeting.contains(row));
        self.inside.retain(|row, _| inside.contains(row));
    }

    /// A line for each two bodies that meet in a single frame checked, a table for more frames; with depths if those were
    /// asked. The most severe come first.
    pub(crate) fn text(&self, names: &[String], summary: &CheckSummary, depths: bool, style: TableStyle) -> String {
        if self.of_bodies.is_empty() && self.inside.is_empty() {
            return nothing(summary);
        }
        let grouped = self.grouped(names);
        let mut meetings: Vec<_> =
            grouped.iter().map(|((row, title), meeting)| (row, title.as_str(), meeting)).collect();
        meetings.sort_by(|(_, _, one), (_, _, other)| one.by_severity(other));
        let rows = meetings.len() + self.inside.len();
        let mut text = if summary.frames == 1 {
            self.lines(&meetings, names)
        } else {
            text_of(style, self.has_animations(), |room, is_narrow| {
                self.table(&meetings, names, summary, Columns { depths, is_narrow, room })
            })
        };
        if rows > ROWS_SHOWN {
            text += &format!("\nand {} more; --output-format csv lists all findings", rows - ROWS_SHOWN);
        }
        if summary.known > 0 {
            text += &format!("\n{} known to the baseline", counted(summary.known, "more finding"));
        }
        text
    }

    /// Whether something meets in nearly every frame of some.
    pub(crate) fn is_everywhere(&self) -> bool {
        let frames: u64 = self.frames.0.values().sum();
        frames > 1 && 10 * self.frames_in_contact >= 9 * frames
    }

    /// The rows with their titles; regions with the same name share one.
    fn grouped(&self, names: &[String]) -> BTreeMap<(Row, String), Meeting> {
        let mut grouped: BTreeMap<(Row, String), Meeting> = BTreeMap::new();
        for (row, meeting) in &self.of_bodies {
            let is_second = |other: &Row| other.bodies == row.bodies && other.region > 1;
            let number = (row.region > 1 || self.of_bodies.keys().any(is_second)).then_some(row.region);
            let region = (row.region > 0).then_some((meeting.carriers.as_ref(), number));
            let title = region_title(row.bodies, region, |body| name(body, names).to_owned(), names.len());
            let row = Row { region: 0, ..row.clone() };
            match grouped.get_mut(&(row.clone(), title.clone())) {
                Some(known) => known.join(meeting),
                None => drop(grouped.insert((row, title), meeting.clone())),
            }
        }
        grouped
    }

    /// Whether the table has a column of animations.
    fn has_animations(&self) -> bool {
        self.of_bodies.keys().chain(self.inside.keys()).any(|row| row.animation.is_some())
    }

    /// One line per row.
    fn lines(&self, meetings: &[(&Row, &str, &Meeting)], names: &[String]) -> String {
        let line = |&(row, title, meeting): &(&Row, &str, &Meeting)| {
            let (frame, pairs) = (meeting.first_frame(row), counted(meeting.pairs, "pair"));
            let deep = meeting.deepest.words(self.unit.as_deref()) + &volume_words(meeting.volume);
            format!("{title}: {pairs}{deep} in frame {frame} ({})", time(self.last_us))
        };
        let inside = |(row, meeting): (&Row, &Meeting)| {
            format!("{} in frame {}", inside_name(row.bodies, names), meeting.first_frame(row))
        };
        let lines = meetings.iter().map(line).chain(self.inside.iter().map(inside));
        lines.take(ROWS_SHOWN).collect::<Vec<_>>().join("\n")
    }

    /// One row per two bodies and name of a region.
    fn table(
        &self,
        meetings: &[(&Row, &str, &Meeting)],
        names: &[String],
        summary: &CheckSummary,
        Columns { depths, is_narrow, room }: Columns,
    ) -> Table {
        let has_animations = self.has_animations();
        let mut columns = vec![("bodies", Align::Left)];
        columns.extend(has_animations.then_some(("animation", Align::Left)));
        columns.push((FRAMES, Align::Left));
        // Where there is no room, what is deepest says more than what has the most pairs.
        let has_pairs = !(depths && is_narrow);
        let of_pairs = ["worst frame", "its pairs", "all pairs"].map(|name| (name, Align::Right));
        columns.extend(of_pairs.into_iter().filter(|_| has_pairs));
        columns.extend(summary.impacts.map(|_| ("impacts", Align::Right)));
        let (in_frame, digits) = if is_narrow { ("in frame", 4) } else { ("deepest frame", 6) };
        let of_depth = ["depth", in_frame, "area inside"].map(|name| (name, Align::Right));
        columns.extend(of_depth.into_iter().filter(|_| depths));
        let has_volumes = meetings.iter().any(|(_, _, meeting)| meeting.volume.is_some());
        columns.extend(has_volumes.then_some(("volume", Align::Right)));
        let mut table = Table::new(&columns);
        for &(row, title, meeting) in meetings.iter().take(ROWS_SHOWN) {
            let [worst, most] = match meeting.worst {
                Some((frame, most)) => [frame.to_string(), count(most)],
                None => ["-".to_owned(), "-".to_owned()],
            };
            let mut cells = vec![title.to_owned()];
            cells.extend(has_animations.then(|| row.animation()));
            cells.push(frames_within(&meeting.runs, self.frames.of(row), room));
            cells.extend([worst, most, count(meeting.pairs)].into_iter().filter(|_| has_pairs));
            cells.extend(summary.impacts.map(|_| count(meeting.impacts)));
            let deepest = &meeting.deepest;
            let unit = self.unit.as_deref();
            let of_depth = [deepest.depth(digits, unit), deepest.frame(), deepest.area(digits, unit)];
            cells.extend(of_depth.into_iter().filter(|_| depths));
            cells.extend(has_volumes.then(|| meeting.volume.map_or("-".to_owned(), |volume| size(volume, 6))));
            table.row(cells);
        }
        for (row, meeting) in self.inside.iter().take(ROWS_SHOWN.saturating_sub(meetings.len())) {
            let mut cells = vec![inside_name(row.bodies, names)];
            cells.extend(has_animations.then(|| row.animation()));
            cells.push(frames_within(&meeting.runs, self.frames.of(row), room));
            table.row(cells);
        }
        table
    }
}

/// What a table of meetings shows.
#[derive(Clone, Copy)]
struct Columns {
    depths: bool,
    /// Only what is needed to act.
    is_narrow: bool,
    /// Frames take at most so many characters if that can be.
    room: usize,
}

/// A table as text, given one whose frames take at most so many characters if that can be, with all columns or only some; frames follow
/// the names and, if there are some, the animations. Where lines are too long, frames are left out first, then columns: names say what to
/// act on.
fn text_of(style: TableStyle, has_animations: bool, table: impl Fn(usize, bool) -> Table) -> String {
    let whole = table(usize::MAX, false);
    let frames = 1 + usize::from(has_animations);
    let fitted = |is_narrow: bool| {
        let whole = table(usize::MAX, is_narrow);
        let excess = whole.width().saturating_sub(style.columns);
        let mut fitted = table(whole.width_of(frames).saturating_sub(excess).max(FRAMES.len()), is_narrow);
        fitted.fit(0, style.columns);
        fitted
    };
    let table = match whole.width() <= style.columns {
        true => whole,
        false => Some(fitted(false)).filter(|table| table.width() <= style.columns).unwrap_or_else(|| fitted(true)),
    };
    let text = if style.is_bold { format!("{table:#}") } else { table.to_string() };
    text.trim_end().to_owned()
}

/// A volume as a part of a sentence.
pub(crate) fn volume_words(volume: Option<f64>) -> String {
    volume.map(|volume| format!(", a volume of {} shared", size(volume, 6))).unwrap_or_default()
}

/// How many bodies lie how to each other, the worst first.
pub(crate) fn statuses_in_words(statuses: &[StatusRecord]) -> String {
    use BodyStatus::{Apart, Crossing, Inside, Near, Touching};
    let kinds = [(Inside, "inside"), (Crossing, "crossing"), (Touching, "touching"), (Near, "near"), (Apart, "apart")];
    let counted_of = |(kind, name): (BodyStatus, &str)| {
        let many = statuses.iter().filter(|found| found.status == kind).count();
        (many > 0).then(|| format!("{} {name}", count(many as u64)))
    };
    let parts: Vec<String> = kinds.into_iter().filter_map(counted_of).collect();
    format!("{} of bodies: {}", counted(statuses.len() as u64, "pair"), parts.join(", "))
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
    /// Takes in another region with the same name.
    fn join(&mut self, other: &Self) {
        let mut runs: Vec<FrameRun> = self.runs.iter().chain(&other.runs).copied().collect();
        runs.sort_by_key(FrameRun::first);
        self.runs.clear();
        for run in runs {
            if !self.runs.last_mut().is_some_and(|last| last.join(&run)) {
                self.runs.push(run);
            }
        }
        (self.pairs, self.impacts) = (self.pairs + other.pairs, self.impacts + other.impacts);
        if other.worst.map(|(_, most)| most) > self.worst.map(|(_, most)| most) {
            self.worst = other.worst;
        }
        self.is_joined &= other.is_joined;
        self.deepest = self.deepest.worse(other.deepest);
        self.volume = other.volume.into_iter().chain(self.volume).reduce(f64::max);
    }

    /// The worst first: by depth and area where they are known, what a skeleton joins last, then by the pairs of the worst frame, then
    /// by duration.
    fn by_severity(&self, other: &Self) -> Ordering {
        let pairs = |meeting: &Self| meeting.worst.map_or(0, |(_, most)| most);
        let frames = |meeting: &Self| meeting.runs.iter().map(FrameRun::frame_count).sum::<u64>();
        (other.deepest.severity().total_cmp(&self.deepest.severity()))
            .then(other.deepest.swallowed().total_cmp(&self.deepest.swallowed()))
            .then(self.is_joined.cmp(&other.is_joined))
            .then(pairs(other).cmp(&pairs(self)))
            .then(frames(other).cmp(&frames(self)))
    }

    /// The first frame in contact, in words.
    fn first_frame(&self, row: &Row) -> String {
        FrameName { number: self.runs[0].numbers()[0], animation: row.animation.as_deref() }.to_string()
    }
}

/// Takes one more frame into runs of frames; frames must come in order.
pub(crate) fn add_to(runs: &mut Vec<FrameRun>, record: &Frame<'_>) {
    if !runs.last_mut().is_some_and(|run| run.extend(record.frame, record.own_number())) {
        runs.push(FrameRun::new(record.frame, record.own_number()));
    }
}

/// The first few runs of frames as text, and how many frames of all they are.
pub(crate) fn frames_of(runs: &[FrameRun], of: u64) -> String {
    frames_within(runs, of, usize::MAX)
}

/// The same with as many runs as `room` characters have place for, or else only the ends of all: `0…69 (35 of 70)`.
fn frames_within(runs: &[FrameRun], of: u64, room: usize) -> String {
    let (Some(first), Some(last)) = (runs.first(), runs.last()) else { return format!("none (0 of {of})") };
    let total: u64 = runs.iter().map(FrameRun::frame_count).sum();
    let listing = |shown: usize| {
        let listed: Vec<String> = runs.iter().take(shown).map(FrameRun::to_string).collect();
        let more = match runs.len().saturating_sub(shown) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{}{more} ({total} of {of})", listed.join(", "))
    };
    let fits = |text: &String| runs.len() == 1 || text.chars().count() <= room;
    let ends = || format!("{}…{} ({total} of {of})", first.numbers()[0], last.numbers()[1]);
    (1..=RUNS_SHOWN).rev().map(listing).find(fits).unwrap_or_else(ends)
}

/// What a region of a contact is called, given what carries its sides and, if there are several, its number: `LeftHand × Hips` in a
/// scene of one body, `shirt (Spine) × body (Hips)` of two bodies, `cloth (region 2)` where nothing has a name.
pub(crate) fn region_title(
    (a, b): (u32, u32),
    region: Option<(Option<&[String; 2]>, Option<u64>)>,
    name: impl Fn(u32) -> String,
    bodies: usize,
) -> String {
    let [name_a, name_b] = [name(a), name(b)];
    let whole = if a == b { format!("{name_a} × itself") } else { format!("{name_a} × {name_b}") };
    let Some((carriers, number)) = region else { return whole };
    let carriers = carriers.map(|carriers| carriers.each_ref().map(|name| shown(name)));
    match carriers {
        Some([of_a, of_b]) if a != b => format!("{name_a} ({of_a}) × {name_b} ({of_b})"),
        Some([of_a, of_b]) if bodies == 1 => format!("{of_a} × {of_b}"),
        Some([of_a, of_b]) => format!("{name_a}: {of_a} × {of_b}"),
        None => match number {
            Some(number) if a == b => format!("{name_a} (region {number})"),
            Some(number) => format!("{whole} (region {number})"),
            None => whole,
        },
    }
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
    of_bodies: BTreeMap<Row, Closest>,
    frames: FrameCounts,
}

/// When two bodies are too close, the number of the frame in which they are nearest, and how near.
#[derive(Debug)]
struct Closest {
    runs: Vec<FrameRun>,
    frame: u64,
    distance: f64,
}

impl TooClose {
    /// Takes one more frame in; frames must come in order.
    pub(crate) fn add(&mut self, record: &Frame<'_>) {
        self.frames.add(record);
        for near in record.near.iter().flatten() {
            let row = Row { bodies: (near.a, near.b), animation: record.animation.clone(), region: 0 };
            let fresh = || Closest { runs: Vec::new(), frame: 0, distance: f64::INFINITY };
            let closest = self.of_bodies.entry(row).or_insert_with(fresh);
            add_to(&mut closest.runs, record);
            if near.distance < closest.distance {
                (closest.frame, closest.distance) = (record.own_number(), near.distance);
            }
        }
    }

    /// Drops the bodies for which there is no finding.
    pub(crate) fn keep(&mut self, findings: &[Finding]) {
        let is_found = |row: &Row| {
            let mut near = findings.iter().filter(|finding| finding.kind == FindingKind::Near);
            near.any(|finding| (finding.a, finding.b) == row.bodies && finding.animation == row.animation)
        };
        self.of_bodies.retain(|row, _| is_found(row));
    }

    /// A table, or a sentence if nothing is too close.
    pub(crate) fn text(&self, names: &[String], clearance: f64, frames: u64, style: TableStyle) -> String {
        if self.of_bodies.is_empty() {
            return format!("nothing is closer than {clearance} in {}", counted(frames, "frame"));
        }
        text_of(style, self.has_animations(), |room, _| self.table(names, room))
    }

    fn has_animations(&self) -> bool {
        self.of_bodies.keys().any(|row| row.animation.is_some())
    }

    /// One row per two bodies; frames in at most `room` characters if that can be.
    fn table(&self, names: &[String], room: usize) -> Table {
        let has_animations = self.has_animations();
        let mut columns = vec![("bodies", Align::Left)];
        columns.extend(has_animations.then_some(("animation", Align::Left)));
        columns.push(("frames too close", Align::Left));
        columns.extend(["nearest frame", "distance"].map(|name| (name, Align::Right)));
        let mut table = Table::new(&columns);
        for (row, Closest { runs, frame, distance }) in &self.of_bodies {
            let mut cells = vec![pair_name(row.bodies, names)];
            cells.extend(has_animations.then(|| row.animation()));
            cells.extend([frames_within(runs, self.frames.of(row), room), frame.to_string(), size(*distance, 6)]);
            table.row(cells);
        }
        table
    }

    /// The same for the page.
    pub(crate) fn note(&self, names: &[String], clearance: f64, frames: u64) -> String {
        let lines = self.of_bodies.iter().map(|(row, Closest { runs, frame, distance })| {
            let (bodies, frames) = (pair_name(row.bodies, names), frames_of(runs, self.frames.of(row)));
            let (animation, distance) = (of_animation(row.animation.as_deref()), size(*distance, 6));
            format!(
                "{bodies}: closer than {clearance} in frames {frames}{animation}, nearest {distance} in frame {frame}"
            )
        });
        let lines: Vec<String> = lines.collect();
        if lines.is_empty() { self.text(names, clearance, frames, TableStyle::PLAIN) } else { lines.join("\n") }
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
            let contact =
                |a, b, count| ContactRecord { a, b, count, depth: None, area: None, volume: None, pairs: None };
            let mut contacts = vec![contact(0, 0, own), contact(0, 1, other)];
            contacts.retain(|contact| contact.count > 0);
            let record = Frame { frame, contacts, ..Frame::default() };
            ranges.add(&record, &[]);
            summary.add(&record);
        }
        let expected = "\
bodies          frames in contact                 worst frame  its pairs  all pairs
cloth × body    0, 2–4, 6, 8 and 1 more (7 of 8)            3          9         20
cloth × itself  2 (1 of 8)                                  2          7          7";
        let text = |columns: usize| ranges.text(&names, &summary, false, TableStyle { columns, ..TableStyle::PLAIN });
        assert_eq!(text(83), expected);
        // Of a narrower table fewer runs are shown, at last only where they begin and end.
        for (columns, width, row) in [
            (82, 80, "0, 2–4, 6 and 2 more (7 of 8)"),
            (79, 77, "0, 2–4 and 3 more (7 of 8)"),
            (70, 68, "0…10 (7 of 8)"),
        ] {
            let text = text(columns);
            assert!(text.contains(row), "{text}");
            assert_eq!(text.lines().map(|line| line.chars().count()).max(), Some(width), "{text}");
        }
    }

    #[test]
    fn long_names_are_shortened_to_the_columns_of_the_terminal() {
        let names = ["fox".to_owned()];
        let (mut ranges, mut summary) = (Meetings::default(), CheckSummary::default());
        for frame in [0, 1, 2, 7, 8, 50] {
            let contact = ContactRecord { a: 0, b: 0, count: 3, depth: None, area: None, volume: None, pairs: None };
            let carriers = Some(["b_LeftHand_011", "b_LeftForeArm_010"].map(str::to_owned));
            let region = ContactRegionRecord { count: 3, carriers, ..ContactRegionRecord::default() };
            let record = Frame { frame, contacts: vec![contact], regions: vec![region], ..Frame::default() };
            ranges.add(&record, &[1]);
            summary.add(&record);
        }
        let text = |columns: usize| ranges.text(&names, &summary, false, TableStyle { columns, ..TableStyle::PLAIN });
        assert!(text(100).contains("\nb_LeftHand_011 × b_LeftForeArm_010  0–2, 7–8, 50 (6 of 6)  "), "{}", text(100));
        let expected = "\
bodies                      frames in contact  worst frame  its pairs  all pairs
b_LeftHa…011 × b_LeftF…010  0…50 (6 of 6)                0          3         18";
        assert_eq!(text(80), expected);
    }

    #[test]
    fn frames_have_the_numbers_of_their_files() {
        let names = ["cloth".to_owned()];
        let (mut ranges, mut summary) = (Meetings::default(), CheckSummary::default());
        // No file has the number 103.
        for (frame, number, count) in [(0, 101, 2), (1, 102, 3), (2, 104, 1), (3, 105, 0), (4, 106, 1)] {
            let contact = ContactRecord { a: 0, b: 0, count, depth: None, area: None, volume: None, pairs: None };
            let contacts = [contact].into_iter().filter(|contact| contact.count > 0).collect();
            let record = Frame { frame, number: Some(number), contacts, ..Frame::default() };
            ranges.add(&record, &[]);
            summary.add(&record);
        }
        let expected = "\
bodies          frames in contact      worst frame  its pairs  all pairs
cloth × itself  101–104, 106 (4 of 5)          102          3          7";
        assert_eq!(ranges.text(&names, &summary, false, TableStyle::PLAIN), expected);
    }

    #[test]
    fn frames_of_several_animations_have_rows_and_numbers_of_their_own() {
        let names = ["arm".to_owned()];
        let (mut ranges, mut summary) = (Meetings::default(), CheckSummary::default());
        for (frame, number, animation) in [(0, 0, "walk"), (1, 1, "walk"), (2, 0, "run"), (3, 1, "run"), (4, 2, "run")]
        {
            let count = [0, 2, 3, 0, 9][frame as usize];
            let contact = ContactRecord { a: 0, b: 0, count, depth: None, area: None, volume: None, pairs: None };
            let contacts = [contact].into_iter().filter(|contact| contact.count > 0).collect();
            let (number, animation) = (Some(number), Some(animation.to_owned()));
            let record = Frame { frame, number, animation, contacts, ..Frame::default() };
            ranges.add(&record, &[]);
            summary.add(&record);
        }
        let expected = "\
bodies        animation  frames in contact  worst frame  its pairs  all pairs
arm × itself  run        0, 2 (2 of 3)                2          9         12
arm × itself  walk       1 (1 of 2)                   1          2          2";
        assert_eq!(ranges.text(&names, &summary, false, TableStyle::PLAIN), expected);
    }

    #[test]
    fn a_body_inside_another_has_a_row_without_pairs() {
        let names = ["shell".to_owned(), "nut".to_owned()];
        let (mut ranges, mut summary) = (Meetings::default(), CheckSummary::default());
        for frame in 3..8 {
            let contained = vec![ContainedRecord { inner: 1, outer: 0, volume: None }; usize::from(frame != 5)];
            let record = Frame { frame, contained, ..Frame::default() };
            ranges.add(&record, &[]);
            summary.add(&record);
        }
        let expected = "\
bodies            frames in contact  worst frame  its pairs  all pairs
nut inside shell  3–4, 6–7 (4 of 5)";
        assert_eq!(ranges.text(&names, &summary, false, TableStyle::PLAIN), expected);
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
        assert_eq!(found.text(&names, 0.5, 1, TableStyle::PLAIN), "nothing is closer than 0.5 in 1 frame");
        for (frame, distance) in [(1, 9.0), (2, 9.0), (3, 0.25), (4, 0.125), (5, 9.0), (6, 0.2), (7, 9.0)] {
            let near = (distance < 0.5).then(|| vec![NearRecord { a: 0, b: 1, distance }]);
            found.add(&Frame { frame, near, ..Frame::default() });
        }
        let expected = "\
bodies      frames too close  nearest frame  distance
arm × case  3–4, 6 (3 of 7)               4  0.125000";
        assert_eq!(found.text(&names, 0.5, 7, TableStyle::PLAIN), expected);
        assert_eq!(
            found.note(&names, 0.5, 7),
            "arm × case: closer than 0.5 in frames 3–4, 6 (3 of 7), nearest 0.125000 in frame 4"
        );
    }
}
