//! What to check, with everything resolved that can be before the first frame.

use std::path::{Path, PathBuf};

use anyhow::Result;
use crumple_io::report::{CheckSummary, FindingKind, FrameName, Header, Tested};
use crumple_io::words::{bytes, count, counted};

use crate::bodies::memory::{Memory, PER_PAIR};
use crate::error::hinted;
use crate::excuse::baseline::Key;
use crate::excuse::gate::Gate;
use crate::excuse::rest::Rest;
use crate::excuse::seams::Seams;
use crate::excuse::select::Selection;
use crate::frames::Frames;
use crate::meetings;
use crate::options::Options;
use crate::question::impacts::Continuous;

/// More pairs of bodies than these are not named one by one in formats that could.
const MOST_NAMED: u64 = 500;

/// What to check. Does not change while frames are.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) options: Options,
    /// The names of the bodies as they are shown in text.
    pub(crate) names: Vec<String>,
    /// The file of each body.
    pub(crate) files: Vec<String>,
    pub(crate) header: Header,
    pub(crate) frames: Frames,
    /// Whether bodies are tested against themselves.
    pub(crate) own: bool,
    /// Whether they are because there is only one.
    pub(crate) is_alone: bool,
    /// How many pairs of two bodies are kept at most.
    pub(crate) kept_pairs: usize,
    pub(crate) memory: Memory,
    /// Which bodies are tested against which.
    pub(crate) selection: Selection,
    pub(crate) tested: Tested,
    /// The pairs of bodies, or bodies twice, that are tested; `None` if there are very many.
    pub(crate) tested_pairs: Option<Vec<(u32, u32)>>,
    /// The parts of one body that touch where they were cut.
    pub(crate) seams: Seams,
    /// What touches in the rest pose.
    pub(crate) rest: Rest,
    pub(crate) gate: Gate,
    /// Whether the baseline that is written takes the place of the one that is read.
    pub(crate) replaces_baseline: bool,
    pub(crate) continuous: Option<Continuous>,
}

impl Plan {
    /// Counts only what the rest pose leaves to test.
    ///
    /// # Errors
    /// If that is nothing.
    pub(crate) fn leave_out_rest(&mut self) -> Result<()> {
        self.tested.body_pairs = self.tested.body_pairs.saturating_sub(self.rest.bodies.len() as u64);
        if let Some(pairs) = &mut self.tested_pairs {
            pairs.retain(|&(a, b)| !self.rest.leaves_out(a, b));
        }
        if !self.tested.is_nothing() {
            return Ok(());
        }
        let hint = "choose a pose in which bodies are apart, or add --self to check them against themselves";
        Err(hinted("there is nothing to check: --rest excuses every pair of bodies", hint))
    }

    /// Up to how many bones apart the sides of a region may be for it to be left out; 0 if none is.
    pub(crate) fn joint_distance(&self) -> u32 {
        self.options.joint_distance.unwrap_or(0)
    }

    /// Whether regions of contacts are left out.
    pub(crate) fn leaves_out_regions(&self) -> bool {
        self.joint_distance() > 0 || self.selection.has_region_rules()
    }

    /// Where the run has ended and which frames are not checked if it ends after this many, in words; `reached` is the last
    /// frame that was.
    pub(crate) fn unchecked(&self, checked: usize, reached: Option<FrameName<'_>>) -> String {
        let left = self.frames.len() - checked;
        if left == 0 {
            return " after the last frame".to_owned();
        }
        let [first, last] = [checked, self.frames.len() - 1].map(|position| self.frames.at(position) as u64);
        // Of frames that have numbers of their own, those that were not reached are only counted.
        let is_numbered = |name: &FrameName<'_>| name.animation.is_some() || name.number + 1 != first;
        if let Some(name) = reached.filter(is_numbered) {
            let were = if left == 1 { "was" } else { "were" };
            return format!(" after frame {name}: {} {were} not checked", counted(left as u64, "frame"));
        }
        match first == last {
            true => format!(": frame {first} was not checked"),
            false => format!(": frames {first} to {last} were not checked"),
        }
    }

    /// What is looked at and what is not, in sentences.
    ///
    /// `is_everywhere` says that something meets in nearly every frame.
    pub(crate) fn remarks(&self, is_everywhere: bool, summary: &CheckSummary) -> Vec<String> {
        let (options, mut remarks) = (&self.options, Vec::new());
        if summary.joined_regions > 0 {
            let left_out = counted(summary.joined_regions, "region");
            let frames = counted(summary.frames, "frame");
            let distance = self.joint_distance();
            remarks.push(format!("--joint-distance {distance} leaves out {left_out} of contacts in {frames}"));
        }
        remarks.extend(is_everywhere.then(|| self.suggestion(summary)).flatten());
        if self.is_alone {
            remarks.push("there is only one body: it was checked against itself".to_owned());
        }
        if !self.own {
            let tested = counted(self.tested.body_pairs, "pair");
            remarks.push(format!("{tested} of bodies checked; bodies were not checked against themselves: --self"));
        }
        if !self.rest.is_empty() {
            remarks.push(self.rest.text());
        }
        for (option, is_given) in [("--continuous", options.continuous), ("--first-contact", options.first_contact)] {
            if is_given && self.frames.len() == 1 {
                remarks.push(format!("there is only one frame; {option} looks between frames"));
            }
        }
        remarks.extend(meetings::what_is_open(&self.header.bodies).filter(|_| options.needs_containment()));
        remarks
    }

    /// What helps where something meets in nearly every frame.
    fn suggestion(&self, summary: &CheckSummary) -> Option<String> {
        let options = &self.options;
        let regions = || summary.findings.iter().flatten().filter_map(|finding| finding.region.as_ref());
        let has_joined = regions().any(|region| region.is_joined());
        let ways = [
            (options.rest.is_none(), "--rest 0"),
            (has_joined && self.joint_distance() == 0, "--joint-distance 2"),
            (options.html.is_none(), "--html FILE"),
        ];
        let ways: Vec<&str> = ways.into_iter().filter(|(helps, _)| *helps).map(|(_, way)| way).collect();
        let (last, before) = ways.split_last()?;
        let or = if before.is_empty() { "" } else { " or " };
        Some(format!("nearly every frame has contact: try {}{or}{last}", before.join(", ")))
    }

    /// Whether this check would report a finding of this kind about these bodies; of bodies that are gone it would have.
    pub(crate) fn looks_for(&self, key: &Key) -> bool {
        let is_asked = match key.kind {
            FindingKind::Contact => true,
            FindingKind::Inside => self.options.needs_containment(),
            FindingKind::Impact => self.continuous.is_some(),
            FindingKind::Near => self.options.clearance.is_some(),
        };
        let [a, b] = [&key.a, &key.b].map(|name| self.header.bodies.iter().position(|body| body.name == *name));
        let is_tested = |(a, b): (usize, usize)| (a != b || self.own) && self.selection.tests(a as u32, b as u32);
        is_asked && a.zip(b).is_none_or(is_tested)
    }

    /// Refuses a frame with more pairs than there is memory for. Where few are to be listed, no more were kept.
    pub(crate) fn check_room(&self, frame: FrameName<'_>, contacts: crumple::Contacts<'_>) -> Result<()> {
        let room = self.memory.pairs();
        let total: usize = contacts.iter().map(|contact| contact.pairs.len()).sum();
        let cut = contacts.iter().find(|contact| contact.count > contact.pairs.len() as u64 && self.kept_pairs == room);
        let (bodies_meet, pairs) = match cut {
            _ if total > room => ("bodies meet".to_owned(), total as u64),
            Some(contact) => {
                let [a, b] = [contact.a, contact.b].map(|id| &self.names[id.index()]);
                let meet = if contact.is_self() { format!("{a} meets itself") } else { format!("{a} and {b} meet") };
                (meet, contact.count)
            }
            None => return Ok(()),
        };
        let (needed, most) = (bytes(pairs.saturating_mul(PER_PAIR)), bytes(self.memory.most()));
        let what = format!(
            "frame {frame}: {bodies_meet} in {} pairs of triangles, which need about {needed}, more than is left of the \
             {most} of --max-memory",
            count(pairs)
        );
        Err(hinted(what, "--max-pairs N keeps N of them and counts all"))
    }
}

/// Whether the baseline that is written takes the place of the one that is read.
pub(crate) fn replaces_baseline(options: &Options) -> bool {
    let place = |file: &Option<PathBuf>| file.as_deref().and_then(|file: &Path| std::fs::canonicalize(file).ok());
    place(&options.baseline).is_some_and(|read| place(&options.write_baseline) == Some(read))
}

/// The error of a check that would look at nothing.
pub(crate) fn nothing_to_test(has_triangles: &[bool], own: bool) -> anyhow::Error {
    if !has_triangles.contains(&true) {
        return hinted(
            "there is nothing to check: the files have no triangles",
            "`crumple info` lists what is in a file",
        );
    }
    let hint = match own {
        true => "leave some pair of bodies to check",
        false => "leave some pair of bodies to check, or add --self",
    };
    hinted("there is nothing to check: --ignore and --only leave out every pair of bodies", hint)
}

/// The pairs of bodies, or bodies twice, that are tested; `None` if there are very many.
pub(crate) fn tested_pairs(
    selection: &Selection,
    tested: Tested,
    has_triangles: &[bool],
    own: bool,
) -> Option<Vec<(u32, u32)>> {
    if tested.body_pairs + tested.own > MOST_NAMED {
        return None;
    }
    let bodies: Vec<u32> = (0..).zip(has_triangles).filter(|(_, has)| **has).map(|(body, _)| body).collect();
    let mut pairs = Vec::new();
    for (at, &a) in bodies.iter().enumerate() {
        let others = bodies[at..].iter().filter(|&&b| (a != b || own) && selection.tests(a, b));
        pairs.extend(others.map(|&b| (a, b)));
    }
    Some(pairs)
}
