//! `crumple merge REPORT...`: parts of a report, made with `--frames` elsewhere, as one.
//!
//! Frames are passed through as they are, in order, one report after another, so that memory does not grow with them. The
//! summary is made anew. Findings that go on from one part to the next are joined; what a part has accepted stays accepted.
//!
//! The first frame of a part has no step that leads to it. So parts made with `--continuous` overlap by one frame: the last frame
//! of one part is the first of the next, which is left out.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, bail};
use crumple_io::report::{
    CheckSummary, DistanceSummary, Episodes, Finding, Frame, FrameName, FrameNames, Header, InsideSummary, LastRecord,
    PartRecord, Record, VolumeSummary,
};
use crumple_io::words::counted;

use super::read::Report;
use crate::args::MergeArgs;
use crate::output::{Destination, FilesInUse, Out, Verdict, hinted, say, stdout};

/// What the frames of all parts come to.
enum Sum {
    Check(CheckSummary),
    Volume(VolumeSummary),
    Inside(InsideSummary),
    Distance(DistanceSummary),
}

/// A part, and its first frame as far as it has one.
struct Part {
    report: Report,
    first: Option<(Record, String)>,
}

impl Part {
    fn open(file: &Path, allow_partial: bool) -> Result<Self> {
        let mut report = Report::open(file, allow_partial)?;
        let first = report.next()?;
        Ok(Self { report, first })
    }

    /// Where its frames start.
    fn start(&self) -> u64 {
        let frame = self.first.as_ref().and_then(|(record, _)| frame_of(record)).map(|(frame, _)| frame);
        frame.or(self.report.header.part.map(|part| part.first)).unwrap_or(0)
    }

    /// Whether its first frame is the last of the part before it.
    fn overlaps(&self, before: &Part) -> bool {
        self.start() + 1 == before.start() + before.report.header.frames
    }

    fn next(&mut self) -> Result<Option<(Record, String)>> {
        match self.first.take() {
            Some(first) => Ok(Some(first)),
            None => self.report.next(),
        }
    }
}

pub(crate) fn run(args: MergeArgs) -> Result<Verdict> {
    let mut in_use = FilesInUse::new();
    for file in &args.reports {
        in_use.read(&crumple_io::Source::File(file.clone()));
    }
    let mut parts = args.reports.iter().map(|file| Part::open(file, args.allow_partial)).collect::<Result<Vec<_>>>()?;
    parts.sort_by_key(Part::start);
    for pair in parts.windows(2) {
        check_alike(&pair[0].report, &pair[1].report)?;
    }
    let mut lines = Lines::new(args.out.as_deref(), &mut in_use)?;
    let first = &parts[0].report.header;
    let all: u64 = parts.iter().map(|part| part.report.header.frames).sum();
    let frames = all - parts.windows(2).filter(|pair| pair[1].overlaps(&pair[0])).count() as u64;
    let of = parts.iter().filter_map(|part| part.report.header.part).map(|part| part.of).max();
    let start = parts[0].start();
    let is_whole = of.is_none_or(|of| start == 0 && frames == of);
    let header =
        Header { frames, part: of.filter(|_| !is_whole).map(|of| PartRecord { first: start, of }), ..first.clone() };
    lines.put(&serde_json::to_string(&header)?)?;
    let mut names = FrameNames::default();
    let (sum, missing) = join(parts, of, &mut lines, &mut names)?;
    for &[first, last] in &missing {
        say(format_args!("{} missing", gap(first, last, of, &names)));
    }
    let summary = match sum {
        None | Some(Sum::Check(_)) => {
            let Some(Sum::Check(mut summary)) = sum else { bail!("there are no frames in these reports") };
            summary.complete = (!missing.is_empty()).then_some(false);
            summary.missing = missing;
            serde_json::to_string(&LastRecord { summary })?
        }
        Some(Sum::Volume(summary)) => serde_json::to_string(&LastRecord { summary })?,
        Some(Sum::Inside(summary)) => serde_json::to_string(&LastRecord { summary })?,
        Some(Sum::Distance(summary)) => serde_json::to_string(&LastRecord { summary })?,
    };
    lines.put(&summary)?;
    lines.finish()?;
    Ok(Verdict::Done)
}

/// Frames that are missing, in words that end with "is" or "are". What files call frames that are in no report is not known: where
/// frames have numbers, these are named by their neighbours.
fn gap(first: u64, last: u64, of: Option<u64>, names: &FrameNames) -> String {
    let before = first.checked_sub(1).map(|frame| (frame, names.of(frame)));
    let after = Some(last + 1).filter(|&frame| of.is_none_or(|of| frame < of)).map(|frame| (frame, names.of(frame)));
    let is_numbered = |(frame, name): (u64, FrameName<'_>)| name.animation.is_some() || name.number != frame;
    let place = match (before, after) {
        _ if !before.into_iter().chain(after).any(is_numbered) => {
            return if first == last { format!("frame {first} is") } else { format!("frames {first} to {last} are") };
        }
        (Some((_, before)), Some((_, after))) => format!("between frame {before} and frame {after}"),
        (Some((_, before)), None) => format!("after frame {before}"),
        (None, Some((_, after))) => format!("before frame {after}"),
        (None, None) => String::new(),
    };
    let missing = last + 1 - first;
    format!("{} {place} {}", counted(missing, "frame"), if missing == 1 { "is" } else { "are" })
}

/// Where the lines go.
enum Lines {
    Stdout(Out),
    /// Kept until they are complete: parts are refused late, and a file should appear whole.
    File(Destination, String),
}

impl Lines {
    fn new(file: Option<&Path>, in_use: &mut FilesInUse) -> Result<Self> {
        let Some(file) = file else { return Ok(Self::Stdout(stdout())) };
        in_use.write("--out", file)?;
        Ok(Self::File(Destination::create(file)?, String::new()))
    }

    fn put(&mut self, line: &str) -> Result<()> {
        match self {
            Self::Stdout(answer) => answer.line(line),
            Self::File(_, text) => {
                text.push_str(line);
                text.push('\n');
                Ok(())
            }
        }
    }

    fn finish(self) -> Result<()> {
        match self {
            Self::Stdout(answer) => answer.finish(),
            Self::File(file, text) => file.write(&text).map(|_| ()),
        }
    }
}

/// Refuses reports about different things.
fn check_alike(one: &Report, other: &Report) -> Result<()> {
    let (a, b) = (&one.header, &other.header);
    let (one, other) = (one.file.display(), other.file.display());
    let bodies = |header: &Header| {
        header.bodies.iter().map(|body| (body.name.clone(), body.triangles, body.vertices)).collect::<Vec<_>>()
    };
    if bodies(a) != bodies(b) {
        return Err(hinted(format!("{one} and {other} are about different bodies"), "merge parts of one run"));
    }
    if a.method != b.method || a.animation != b.animation {
        bail!("{one} and {other} were made with different methods or animations");
    }
    let of = |header: &Header| header.part.map(|part| part.of);
    if let (Some(a), Some(b)) = (of(a), of(b))
        && a != b
    {
        bail!("{one} is a part of {a} frames, but {other} of {b}");
    }
    Ok(())
}

/// Passes the frames of all parts on, and notes their names; returns what they come to and which are missing.
fn join(
    parts: Vec<Part>,
    of: Option<u64>,
    lines: &mut Lines,
    names: &mut FrameNames,
) -> Result<(Option<Sum>, Vec<[u64; 2]>)> {
    let mut sum: Option<Sum> = None;
    let (mut missing, mut next) = (Vec::new(), of.map(|_| 0));
    let mut findings: Vec<Finding> = Vec::new();
    // Of all frames, in which regions have the numbers of one run.
    let mut whole = Episodes::default();
    let mut tested = None;
    let mut known = 0;
    // The last frame that was passed on, where a part made with `--continuous` or `--first-contact` may begin.
    let mut last: Option<Frame<'static>> = None;
    for mut part in parts {
        let file = part.report.file.display().to_string();
        let (mut episodes, mut of_summary, mut numbers) = (Episodes::default(), None, Numbers::default());
        let (mut is_overlapping, mut has_steps, mut stepless) = (false, false, None);
        while let Some((record, line)) = part.next()? {
            if let Some((frame, name)) = frame_of(&record) {
                if let (Record::Frame(here), Some(before)) = (&record, &last) {
                    if is_same_moment(before, here) {
                        is_overlapping = true;
                        continue;
                    }
                    if !has_step(here) && before.frame + 1 == frame && has_step(before) {
                        stepless = Some(name.to_string());
                    }
                }
                match next {
                    Some(expected) if frame < expected => bail!("{file}: frame {name} is in another report too"),
                    Some(expected) if frame > expected => missing.push([expected, frame - 1]),
                    _ => {}
                }
                next = Some(frame + 1);
                names.add(frame, name);
                if let Record::Frame(frame) = &record {
                    episodes.add(frame);
                    whole.add(frame);
                    numbers.add(frame, episodes.numbers(), whole.numbers());
                    has_steps |= has_step(frame);
                }
                last = match &record {
                    Record::Frame(frame) => Some(frame.clone()),
                    _ => None,
                };
                add(&mut sum, &record, &file)?;
                lines.put(&line)?;
                continue;
            }
            match record {
                Record::Summary(of_part) => {
                    tested = tested.or(of_part.summary.tested);
                    known += of_part.summary.known;
                    if is_overlapping && of_part.summary.known > 0 {
                        return Err(hinted(
                            format!(
                                "{file}: its first frame is in another report too, and a baseline was applied to both"
                            ),
                            "make the parts without --baseline",
                        ));
                    }
                    // Those of a part that overlaps count its first frame, which was left out: its frames say what is left.
                    if let Some(found) = of_part.summary.findings.filter(|_| !is_overlapping) {
                        of_summary = Some(found);
                    }
                }
                Record::InsideSummary(of_part) => {
                    if let Some(Sum::Inside(sum)) = &mut sum {
                        sum.points = of_part.summary.points;
                    }
                }
                Record::VolumeSummary(_) | Record::DistanceSummary(_) => {}
                _ => bail!("{file}: it is not a report that can be merged"),
            }
        }
        // A part without a summary was interrupted: its frames say what was found.
        let found = of_summary.unwrap_or_else(|| episodes.finish());
        findings.extend(found.into_iter().map(|finding| numbers.of_run(finding)));
        if let Some(frame) = stepless.filter(|_| has_steps) {
            say(format_args!(
                "the step that leads to frame {frame} is missing: parts made with --continuous or --first-contact must overlap \
                 by one frame"
            ));
        }
    }
    if let (Some(of), Some(next)) = (of, next)
        && next < of
    {
        missing.push([next, of - 1]);
    }
    if let Some(Sum::Check(sum)) = &mut sum {
        let findings = joined(findings, &whole.finish());
        (sum.tested, sum.known, sum.findings) = (tested, known, Some(findings));
    }
    Ok((sum, missing))
}

/// Whether the first frame of a part, to which no step leads, is the one with which the part before has ended.
fn is_same_moment(before: &Frame<'_>, here: &Frame<'_>) -> bool {
    has_step(before)
        && !has_step(here)
        && before.frame == here.frame
        && before.animation == here.animation
        && before.contacts == here.contacts
}

/// Whether a frame says what happened in the step that leads to it.
fn has_step(frame: &Frame<'_>) -> bool {
    frame.impacts.is_some() || frame.onsets.is_some()
}

/// The frame that a record is about, and what it is called.
fn frame_of(record: &Record) -> Option<(u64, FrameName<'_>)> {
    match record {
        Record::Frame(frame) => Some((frame.frame, frame.name())),
        Record::VolumeFrame(frame) => Some((frame.frame, frame.name())),
        Record::ExactVolumeFrame(frame) => Some((frame.frame, frame.name())),
        Record::ExactSelfOverlapFrame(frame) => Some((frame.frame, frame.name())),
        Record::SelfOverlapFrame(frame) => Some((frame.frame, frame.name())),
        Record::InsideFrame(frame) => Some((frame.frame, frame.name())),
        Record::DistanceFrame(frame) => Some((frame.frame, frame.name())),
        _ => None,
    }
}

fn add(sum: &mut Option<Sum>, record: &Record, file: &str) -> Result<()> {
    let fresh = || match record {
        Record::VolumeFrame(_)
        | Record::ExactVolumeFrame(_)
        | Record::ExactSelfOverlapFrame(_)
        | Record::SelfOverlapFrame(_) => Sum::Volume(VolumeSummary::default()),
        Record::InsideFrame(_) => Sum::Inside(InsideSummary::default()),
        Record::DistanceFrame(_) => Sum::Distance(DistanceSummary::default()),
        _ => Sum::Check(CheckSummary::default()),
    };
    match (sum.get_or_insert_with(fresh), record) {
        (Sum::Check(sum), Record::Frame(frame)) => sum.add(frame),
        (Sum::Volume(sum), Record::VolumeFrame(frame)) => sum.add(frame),
        (Sum::Volume(sum), Record::ExactVolumeFrame(frame)) => sum.add_exact(frame),
        (Sum::Volume(sum), Record::ExactSelfOverlapFrame(frame)) => sum.add_exact_self_overlap(frame),
        (Sum::Volume(sum), Record::SelfOverlapFrame(frame)) => sum.add_self_overlap(frame),
        (Sum::Inside(sum), Record::InsideFrame(frame)) => sum.add(frame),
        (Sum::Distance(sum), Record::DistanceFrame(frame)) => sum.add(frame),
        _ => bail!("{file}: it is a report of another command than the others"),
    }
    Ok(())
}

/// Which number of the whole run a region has that has another in a part.
#[derive(Default)]
struct Numbers(BTreeMap<(u32, u32, u64), Vec<(u64, u64)>>);

impl Numbers {
    /// Takes in the regions of one more frame, with their numbers in the part and in the run.
    fn add(&mut self, frame: &Frame<'_>, of_part: &[u64], of_run: &[u64]) {
        for ((region, &of_part), &of_run) in frame.regions.iter().zip(of_part).zip(of_run) {
            let changes = self.0.entry((region.a, region.b, of_part)).or_default();
            if changes.last().is_none_or(|(_, last)| *last != of_run) {
                changes.push((frame.frame, of_run));
            }
        }
    }

    /// The finding with the number of its region in the run.
    fn of_run(&self, mut finding: Finding) -> Finding {
        if let Some(region) = &mut finding.region
            && let Some(changes) = self.0.get(&(finding.a, finding.b, region.number))
            && let Some((_, of_run)) = changes.iter().rfind(|(frame, _)| *frame <= finding.first)
        {
            region.number = *of_run;
        }
        finding
    }
}

/// Findings in order of severity, with those that go on in the next part joined. `whole` are those of all frames, which know which
/// regions have split off from others and merged into them.
fn joined(mut findings: Vec<Finding>, whole: &[Finding]) -> Vec<Finding> {
    let number = |finding: &Finding| finding.region.as_ref().map(|region| region.number);
    findings.sort_by_key(|finding| (finding.kind, finding.a, finding.b, number(finding), finding.first));
    let mut all: Vec<Finding> = Vec::new();
    for finding in findings {
        match all.last_mut() {
            Some(last) if last.goes_on_as(&finding) => last.join(finding),
            _ => all.push(finding),
        }
    }
    let about = |finding: &Finding| (finding.kind, finding.a, finding.b, number(finding));
    for finding in &mut all {
        let (this, first, last) = (about(finding), finding.first, finding.last);
        let is_same = |other: &&Finding| about(other) == this && other.first <= first && other.last >= last;
        let of_whole = whole.iter().find(is_same);
        if let (Some(region), Some(of_whole)) = (&mut finding.region, of_whole)
            && let Some(known) = &of_whole.region
        {
            region.split_from = known.split_from.filter(|_| of_whole.first == first);
            region.merged_into = known.merged_into.filter(|_| of_whole.last == last);
        }
    }
    all.sort_by(Finding::by_severity);
    all
}
