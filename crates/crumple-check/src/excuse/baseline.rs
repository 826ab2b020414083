//! `--baseline` and `--write-baseline`: findings that are known, so that only new and worse ones count.
//!
//! A baseline has one entry per kind of finding, two bodies and region of their contact (and per animation, where the file has
//! several), with the worst of all their episodes. A region is known by the bones or materials that carry it, by triangles that both
//! its sides share with a known region, or by its place: where both sides reach those of a known region in the rest pose, it is that one. So a baseline of all animations serves each of them, and none excuses what another does. Bodies are
//! named, and frames are counted but not numbered, so that neither the order of bodies nor that of frames matters.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, bail};
use crumple_io::report::{Finding, FindingKind, Header, RestPlace, Status};
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
    /// Where the regions are in the rest pose; none where regions are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    places: Vec<RestPlace>,
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
    /// What the region of a contact is called, where it has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
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
        let mut carriers = finding.region.as_ref().and_then(|region| region.carriers.clone());
        if finding.kind != FindingKind::Inside && a > b {
            std::mem::swap(&mut a, &mut b);
            carriers.iter_mut().for_each(|carriers| carriers.reverse());
        }
        let number = finding.region.as_ref().map_or(1, |region| region.number);
        let region = match carriers {
            Some([of_a, of_b]) => Some(format!("{of_a} × {of_b}")),
            None => (number > 1).then(|| format!("region {number}")),
        };
        let animation = finding.animation.clone().or_else(|| header.animation.clone());
        Self { kind: finding.kind, a, b, region, animation }
    }
}

impl Worst {
    fn of(finding: &Finding) -> Self {
        let Finding { frames, depth, volume, distance, .. } = *finding;
        Self { frames, pairs: finding.most_pairs, depth, volume, distance }
    }

    fn take_in(&mut self, other: Self) {
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

    fn join(mut self, other: &Self) -> Self {
        self.take_in(*other);
        self
    }

    /// Whether anything is worse than before: longer, more pairs, deeper or closer. A depth that only one of them knows says
    /// nothing. With `slack`, up to a quarter more frames or pairs, and up to [`FEW`] more pairs, are the same.
    fn is_beyond(&self, known: &Self, slack: bool) -> bool {
        let beyond = |now: Option<f64>, known: Option<f64>, is: fn(f64, f64) -> bool| {
            now.zip(known).is_some_and(|(now, known)| is(now, known))
        };
        let more = |known: u64, at_least: u64| if slack { known + (known / 4).max(at_least) } else { known };
        self.frames > more(known.frames, 0)
            || self.pairs > more(known.pairs, FEW)
            || beyond(self.depth, known.depth, |now, known| now > known)
            || beyond(self.volume, known.volume, |now, known| now > known)
            || beyond(self.distance, known.distance, |now, known| now < known)
    }
}

/// So many more pairs of a region are the same: a small change of the motion changes by so much where surfaces slide.
const FEW: u64 = 3;

/// A region whose sides are in a known place to this part of their reach says nothing more about where it is.
const SAME_PLACE: f64 = 0.5;

/// How what is known about two bodies, or a region of their contact, has changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// What it is about.
    pub key: Key,
    /// The worst before; `None` if there was nothing.
    pub old: Option<Worst>,
    /// The worst now; `None` if there is nothing any more.
    pub new: Option<Worst>,
    /// Whether it has become worse: never of what is new or gone.
    pub is_worse: bool,
    /// Whether it was worse before.
    pub is_better: bool,
}

/// What is in either of two reports, in the order of keys.
pub fn compared(old: (&[Finding], &Header), new: (&[Finding], &Header)) -> Vec<Changed> {
    let known = Baseline::of(old.0, old.1);
    let (mut now, mut fresh) = (vec![None::<Worst>; known.findings.len()], Vec::new());
    for finding in new.0 {
        match known.entry_of(finding, new.1) {
            Some(entry) => {
                let worst = Worst::of(finding);
                now[entry] = Some(now[entry].map_or(worst, |known| known.join(&worst)));
            }
            None => fresh.push(finding.clone()),
        }
    }
    let fresh = Baseline::of(&fresh, new.1).findings.into_iter().map(|entry| Changed {
        key: entry.key,
        old: None,
        new: Some(entry.worst),
        is_worse: false,
        is_better: false,
    });
    let in_old = known.findings.into_iter().zip(now).map(|(Entry { key, worst, places }, now)| Changed {
        key,
        old: Some(worst),
        new: now,
        is_worse: now.is_some_and(|now| now.is_beyond(&worst, !places.is_empty())),
        is_better: now.is_some_and(|now| worst.is_beyond(&now, !places.is_empty())),
    });
    let mut all: Vec<Changed> = in_old.chain(fresh).collect();
    all.sort_by(|one, other| one.key.cmp(&other.key));
    all
}

impl Entry {
    /// Adds where a region is, unless that is known.
    fn add_place(&mut self, place: RestPlace) {
        let is_within = |known: &RestPlace| {
            let near = |side: usize| known.is_within(&place, side, SAME_PLACE);
            near(0) && near(1)
        };
        if !self.places.iter().any(is_within) {
            self.places.push(place);
        }
    }
}

impl Baseline {
    /// A baseline of these findings.
    pub(crate) fn of(findings: &[Finding], header: &Header) -> Self {
        let mut entries: BTreeMap<Key, Entry> = BTreeMap::new();
        for finding in findings {
            let (key, worst) = (Key::of(finding, header), Worst::of(finding));
            let fresh = || Entry { key: key.clone(), worst: Worst { frames: 0, ..worst }, places: Vec::new() };
            let entry = entries.entry(key.clone()).or_insert_with(fresh);
            entry.worst.take_in(worst);
            finding.region.iter().for_each(|region| entry.add_place(region.place.shortened()));
        }
        Self { schema: SCHEMA.to_owned(), findings: entries.into_values().collect() }
    }

    /// The entry that a finding belongs to: that of its name, else the one whose place is nearest. An entry without places, written
    /// before there were regions, is about all regions of its bodies.
    fn entry_of(&self, finding: &Finding, header: &Header) -> Option<usize> {
        let key = Key::of(finding, header);
        let of_bodies = |other: &Key| {
            (other.kind, &other.a, &other.b, &other.animation) == (key.kind, &key.a, &key.b, &key.animation)
        };
        let entries = || self.findings.iter().enumerate().filter(|(_, entry)| of_bodies(&entry.key));
        let named = || entries().find(|(_, entry)| entry.key.region == key.region).map(|(at, _)| at);
        let Some(region) = &finding.region else { return named().or_else(|| entries().next().map(|(at, _)| at)) };
        let by_name = region.carriers.as_ref().and_then(|_| named());
        let by_place = || {
            let places = entries().flat_map(|(at, entry)| entry.places.iter().map(move |place| (at, place)));
            let fits = places.filter_map(|(at, place)| {
                let (shared, distance) = (place.shared(&region.place, true), place.distance(&region.place, true));
                (shared > 0 || distance.is_some()).then(|| (shared, distance.unwrap_or(f64::INFINITY), at))
            });
            // The most triangles in common, then the nearest.
            let order = |p: &(usize, f64, usize), q: &(usize, f64, usize)| q.0.cmp(&p.0).then(p.1.total_cmp(&q.1));
            fits.min_by(order).map(|(_, _, at)| at)
        };
        let of_all = || entries().find(|(_, entry)| entry.places.is_empty()).map(|(at, _)| at);
        by_name.or_else(by_place).or_else(of_all)
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

    /// How many of its entries nothing was found for among those that were looked for. An entry without an animation is of no use where
    /// there are several.
    pub(crate) fn stale(&self, now: &[Finding], header: &Header, is_looked_for: impl Fn(&Key) -> bool) -> u64 {
        let found: BTreeSet<usize> = now.iter().filter_map(|finding| self.entry_of(finding, header)).collect();
        let entries = self.findings.iter().enumerate();
        entries.filter(|(at, entry)| !found.contains(at) && is_looked_for(&entry.key)).count() as u64
    }

    /// Takes in the entries of animations that were not checked, so that a new baseline of one animation does not lose them.
    pub(crate) fn keep_others(&mut self, known: &Self, is_checked: impl Fn(&Key) -> bool) {
        let others = known.findings.iter().filter(|entry| entry.key.animation.is_some() && !is_checked(&entry.key));
        self.findings.extend(others.cloned());
        self.findings.sort_by(|one, other| one.key.cmp(&other.key));
    }

    /// Keeps the findings that are new or worse and marks them; returns how many were dropped.
    pub(crate) fn apply(&self, findings: &mut Vec<Finding>, header: &Header) -> u64 {
        let entries: Vec<Option<usize>> = findings.iter().map(|finding| self.entry_of(finding, header)).collect();
        let mut now: BTreeMap<usize, Worst> = BTreeMap::new();
        for (finding, entry) in findings.iter().zip(&entries) {
            let Some(entry) = entry else { continue };
            let worst = Worst::of(finding);
            now.entry(*entry).and_modify(|known| known.take_in(worst)).or_insert(worst);
        }
        let before = findings.len();
        let mut entries = entries.into_iter();
        findings.retain_mut(|finding| {
            finding.status = match entries.next().flatten() {
                None => Some(Status::New),
                Some(entry) => {
                    let Entry { worst, places, .. } = &self.findings[entry];
                    now[&entry].is_beyond(worst, !places.is_empty()).then_some(Status::Worse)
                }
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
