//! `--baseline` and `--write-baseline`: findings that are known, so that only new and worse ones count.
//!
//! A baseline has one entry per kind of finding and two bodies (and per animation, where the file has several), with the worst
//! of all their episodes. So a baseline of all animations serves each of them, and none excuses what another does. Bodies are
//! named, and frames are counted but not numbered, so that neither the order of bodies nor that of frames matters.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, bail};
use crumple_io::report::{Finding, FindingKind, Header, Status};
use serde::{Deserialize, Serialize};

use crate::error::hinted;

/// The schema of a baseline.
const SCHEMA: &str = "crumple.baseline/1";

/// Findings that are known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    schema: String,
    findings: Vec<Entry>,
}

/// What is known about two bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    key: Key,
    #[serde(flatten)]
    worst: Worst,
}

/// What a finding is recognised by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// What it is.
    pub kind: FindingKind,
    /// The names of the bodies, in alphabetical order unless one is inside the other.
    pub a: String,
    /// The other one.
    pub b: String,
    /// The animation, where the file has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
}

/// The worst of all episodes together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worst {
    /// How many frames they last.
    pub frames: u64,
    /// The pairs of triangles, or impacts, of the frame with the most.
    pub pairs: u64,
    /// The depth of the deepest frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
    /// The largest volume that both share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<f64>,
    /// The least distance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
}

impl Key {
    /// That of a finding of a report.
    pub(crate) fn of(finding: &Finding, header: &Header) -> Self {
        let name = |id: u32| header.bodies.get(id as usize).map(|body| body.name.clone()).unwrap_or_default();
        let (mut a, mut b) = (name(finding.a), name(finding.b));
        if finding.kind != FindingKind::Inside && a > b {
            std::mem::swap(&mut a, &mut b);
        }
        let animation = finding.animation.clone().or_else(|| header.animation.clone());
        Self { kind: finding.kind, a, b, animation }
    }
}

impl Worst {
    fn of(finding: &Finding) -> Self {
        let Finding { frames, depth, volume, distance, .. } = *finding;
        Self { frames, pairs: finding.most_pairs, depth, volume, distance }
    }

    fn add(&mut self, finding: &Finding) {
        let other = Self::of(finding);
        let join = |a: Option<f64>, b: Option<f64>, choose: fn(f64, f64) -> f64| match (a, b) {
            (Some(a), Some(b)) => Some(choose(a, b)),
            (a, b) => a.or(b),
        };
        self.frames += other.frames;
        self.pairs = self.pairs.max(other.pairs);
        self.depth = join(self.depth, other.depth, f64::max);
        self.volume = join(self.volume, other.volume, f64::max);
        self.distance = join(self.distance, other.distance, f64::min);
    }

    /// Whether anything is worse than before: longer, more pairs, deeper or closer. A depth that only one of them knows says
    /// nothing.
    pub fn is_worse_than(&self, known: &Self) -> bool {
        let beyond = |now: Option<f64>, known: Option<f64>, is: fn(f64, f64) -> bool| {
            now.zip(known).is_some_and(|(now, known)| is(now, known))
        };
        self.frames > known.frames
            || self.pairs > known.pairs
            || beyond(self.depth, known.depth, |now, known| now > known)
            || beyond(self.volume, known.volume, |now, known| now > known)
            || beyond(self.distance, known.distance, |now, known| now < known)
    }
}

/// The worst of all findings about the same bodies.
pub fn by_bodies(findings: &[Finding], header: &Header) -> BTreeMap<Key, Worst> {
    let mut all: BTreeMap<Key, Worst> = BTreeMap::new();
    for finding in findings {
        let worst = all.entry(Key::of(finding, header));
        worst.and_modify(|worst| worst.add(finding)).or_insert_with(|| Worst::of(finding));
    }
    all
}

impl Baseline {
    /// A baseline of these findings.
    pub(crate) fn of(findings: &[Finding], header: &Header) -> Self {
        let entries = by_bodies(findings, header).into_iter().map(|(key, worst)| Entry { key, worst });
        Self { schema: SCHEMA.to_owned(), findings: entries.collect() }
    }

    /// Reads a baseline.
    pub(crate) fn read(file: &Path) -> Result<Self> {
        let at = || file.display().to_string();
        let text = std::fs::read_to_string(file).with_context(|| format!("{}: cannot be read", file.display()))?;
        #[derive(Deserialize)]
        struct Named {
            schema: String,
        }
        let schema = serde_json::from_str::<Named>(&text).map(|named| named.schema);
        match schema.as_deref() {
            Ok(SCHEMA) => {}
            Ok(other) => bail!("{}: its schema is {other}, not {SCHEMA}", file.display()),
            Err(_) => {
                let what = format!("{}: it is not a baseline", file.display());
                return Err(hinted(what, "`crumple check --write-baseline FILE` writes one"));
            }
        }
        serde_json::from_str(&text).with_context(at)
    }

    /// As text, one entry per line, so that changes of a committed baseline can be read.
    pub(crate) fn text(&self) -> Result<String> {
        let entries: Result<Vec<String>, _> = self.findings.iter().map(serde_json::to_string).collect();
        let entries = entries?.iter().map(|entry| format!("\n  {entry}")).collect::<Vec<_>>().join(",");
        Ok(format!("{{\"schema\":\"{SCHEMA}\",\"findings\":[{entries}\n]}}\n"))
    }

    /// How many entries it has.
    pub(crate) fn len(&self) -> usize {
        self.findings.len()
    }

    /// How many of its entries nothing was found for, as `now` has it, among those that were looked for. An entry without an
    /// animation is of no use where there are several.
    pub(crate) fn stale(&self, now: &Self, is_looked_for: impl Fn(&Key) -> bool) -> u64 {
        let found: BTreeSet<&Key> = now.findings.iter().map(|entry| &entry.key).collect();
        self.findings.iter().filter(|entry| !found.contains(&entry.key) && is_looked_for(&entry.key)).count() as u64
    }

    /// Takes in the entries of animations that were not checked, so that a new baseline of one animation does not lose them.
    pub(crate) fn keep_others(&mut self, known: &Self, is_checked: impl Fn(&Key) -> bool) {
        let others = known.findings.iter().filter(|entry| entry.key.animation.is_some() && !is_checked(&entry.key));
        self.findings.extend(others.cloned());
        self.findings.sort_by(|one, other| one.key.cmp(&other.key));
    }

    /// Keeps the findings that are new or worse and marks them; returns how many were dropped.
    pub(crate) fn apply(&self, findings: &mut Vec<Finding>, header: &Header) -> u64 {
        let known: BTreeMap<&Key, &Worst> = self.findings.iter().map(|entry| (&entry.key, &entry.worst)).collect();
        let now = by_bodies(findings, header);
        let before = findings.len();
        findings.retain_mut(|finding| {
            let key = Key::of(finding, header);
            finding.status = match known.get(&key) {
                None => Some(Status::New),
                Some(known) => now[&key].is_worse_than(known).then_some(Status::Worse),
            };
            finding.status.is_some()
        });
        (before - findings.len()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crumple_io::report::{BodyRecord, ContactRecord, Episodes, Frame};

    fn findings(frames: &[(u64, u32, u32, u64, Option<f64>)]) -> Vec<Finding> {
        let mut episodes = Episodes::default();
        for &(frame, a, b, count, depth) in frames {
            let contacts = vec![ContactRecord { a, b, count, depth, area: None, volume: None, pairs: None }];
            episodes.add(&Frame { frame, contacts, ..Frame::default() });
        }
        episodes.finish()
    }

    fn header(names: &[&str]) -> Header {
        let body = |name: &&str| BodyRecord {
            id: 0,
            name: (*name).to_owned(),
            triangles: 1,
            vertices: 3,
            closed: false,
            face_of_triangle: None,
            precision: None,
        };
        Header::new("wide-tree", names.iter().map(body).collect(), 1)
    }

    #[test]
    fn a_baseline_knows_what_it_was_made_of_in_any_order_of_bodies_and_frames() {
        let old = findings(&[(0, 0, 1, 5, Some(0.5)), (1, 0, 1, 9, Some(0.25)), (4, 0, 1, 2, None)]);
        let baseline = Baseline::of(&old, &header(&["shirt", "body"]));
        let text = baseline.text().unwrap();
        assert_eq!(serde_json::from_str::<Baseline>(&text).unwrap(), baseline);
        assert_eq!(
            text,
            "{\"schema\":\"crumple.baseline/1\",\"findings\":[\n  \
             {\"kind\":\"contact\",\"a\":\"body\",\"b\":\"shirt\",\"frames\":3,\"pairs\":9,\"depth\":0.5}\n]}\n"
        );
        let mut now = findings(&[(2, 1, 2, 9, Some(0.25)), (7, 1, 2, 2, None), (9, 1, 2, 5, Some(0.5))]);
        assert_eq!(baseline.apply(&mut now, &header(&["hat", "body", "shirt"])), 3);
        assert_eq!(now, []);
    }

    #[test]
    fn what_is_new_or_worse_stays() {
        let header = header(&["a", "b", "c"]);
        let baseline = Baseline::of(&findings(&[(0, 0, 1, 5, Some(0.5)), (1, 0, 1, 5, None)]), &header);
        let status = |frames: &[(u64, u32, u32, u64, Option<f64>)]| {
            let mut now = findings(frames);
            let known = baseline.apply(&mut now, &header);
            (now.first().and_then(|finding| finding.status), known)
        };
        assert_eq!(status(&[(0, 0, 1, 5, Some(0.5))]), (None, 1));
        assert_eq!(status(&[(0, 0, 1, 6, None)]), (Some(Status::Worse), 0));
        assert_eq!(status(&[(0, 0, 1, 1, Some(0.75))]), (Some(Status::Worse), 0));
        assert_eq!(status(&[(0, 0, 1, 1, None), (1, 0, 1, 1, None), (2, 0, 1, 1, None)]), (Some(Status::Worse), 0));
        assert_eq!(status(&[(0, 0, 2, 1, None)]), (Some(Status::New), 0));
        assert_eq!(status(&[(0, 0, 0, 1, None)]), (Some(Status::New), 0));
    }
}
