//! What a check is about in the end: findings, which are episodes of a region of a contact, and what was tested to find them.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{ContactRecord, ContactRegionRecord, Frame, RegionFollower, RestPlace, WorstFrame};

/// How much was tested; where both are 0, nothing was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tested {
    /// Pairs of bodies, without those that were ignored.
    pub body_pairs: u64,
    /// Bodies tested against themselves.
    #[serde(rename = "self")]
    pub own: u64,
}

impl Tested {
    /// Whether nothing was tested.
    pub fn is_nothing(self) -> bool {
        self == Self::default()
    }
}

/// What kind of thing was found. The order is that of severity, where nothing else decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FindingKind {
    /// Body `a` lies inside body `b` without meeting it.
    Inside,
    /// Triangles of two bodies, or of one, meet.
    Contact,
    /// Something meets in a step between two frames.
    Impact,
    /// Two bodies, or parts of one, are closer than the clearance.
    Near,
}

impl FindingKind {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inside => "inside",
            Self::Contact => "contact",
            Self::Impact => "impact",
            Self::Near => "near",
        }
    }
}

/// How a finding compares with a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The baseline has nothing of this kind about these bodies.
    New,
    /// The baseline has it, but not as bad.
    Worse,
}

/// The region of a contact that a finding is about, as it is in the worst frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingRegion {
    /// Its number among the regions of the two bodies, from 1. It stays from frame to frame, and is the same when the region comes
    /// back.
    pub number: u64,
    /// What carries the triangles of each side, bones or materials, where the file has some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carriers: Option<[String; 2]>,
    /// How many bones these are apart in the skeleton, where they are bones of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apart: Option<u32>,
    /// Where it is.
    pub centroid: [f64; 3],
    /// Where its sides are in the rest pose.
    #[serde(flatten)]
    pub place: RestPlace,
    /// The area of its triangles.
    pub area: f64,
    /// The region that it was a part of in the frame before its first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_from: Option<u64>,
    /// The region that it is a part of in the frame after its last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged_into: Option<u64>,
}

impl FindingRegion {
    fn new(record: &ContactRegionRecord, number: u64, split_from: Option<u64>) -> Self {
        let ContactRegionRecord { apart, centroid, area, .. } = *record;
        let (carriers, place) = (record.carriers.clone(), record.place.clone());
        Self { number, carriers, apart, centroid, place, area, split_from, merged_into: None }
    }

    /// Takes over how the region is in another frame.
    fn take_worst(&mut self, other: Self) {
        let Self { number, split_from, merged_into, .. } = *self;
        *self = Self { number, split_from, merged_into, ..other };
    }

    /// Whether the skeleton joins what carries it: at most two bones apart, surfaces meet in every pose.
    pub fn is_joined(&self) -> bool {
        are_joined(self.apart)
    }
}

/// Whether bones are so close in a skeleton that surfaces meet there in every pose.
pub fn are_joined(apart: Option<u32>) -> bool {
    apart.is_some_and(|apart| apart <= JOINED)
}

/// Four fifths of the pairs of triangles that meet in real characters are at most so many bones apart: armpits, knees, necks.
const JOINED: u32 = 2;

/// Something found in consecutive frames: two bodies, from when to when, and where it is worst.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// One body; of [`FindingKind::Inside`] the one inside.
    pub a: u32,
    /// The other body, or the same one.
    pub b: u32,
    /// The animation, where several are played one after another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// The first frame.
    pub first: u64,
    /// The last frame.
    pub last: u64,
    /// What the files call these frames and the worst one; missing where that is how they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<FindingNumbers>,
    /// The region of the contact, of [`FindingKind::Contact`]; missing where regions are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<Box<FindingRegion>>,
    /// How many frames these are.
    pub frames: u64,
    /// The frame in which it is worst, with its pairs of triangles or its impacts: the deepest frame where depths are
    /// known, the one with the largest volume where volumes are, the nearest of [`FindingKind::Near`], else the one with the most
    /// pairs.
    pub worst: WorstFrame,
    /// The pairs of triangles, or the impacts, of all its frames together.
    pub pairs: u64,
    /// The most pairs, or impacts, of any of its frames.
    pub most_pairs: u64,
    /// How deep the bodies are in each other, there, in the worst frame, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
    /// The area of the surface that is inside there in the worst frame, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<f64>,
    /// The volume that both bodies share in the worst frame, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<f64>,
    /// How close the bodies come, of [`FindingKind::Near`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
    /// How it compares with the baseline, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
}

/// The numbers that files give the frames of a finding, within its animation where several are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingNumbers {
    /// That of the first frame.
    pub first: u64,
    /// That of the last frame.
    pub last: u64,
    /// That of the worst frame.
    pub worst: u64,
}

impl Finding {
    /// The numbers of its frames; the frames themselves where files give none.
    pub fn own_numbers(&self) -> FindingNumbers {
        self.numbers.unwrap_or(self.counted_numbers())
    }

    /// Its frames as they are counted.
    fn counted_numbers(&self) -> FindingNumbers {
        FindingNumbers { first: self.first, last: self.last, worst: self.worst.frame }
    }

    /// Keeps the numbers that files give where they say something.
    fn set_numbers(&mut self, numbers: FindingNumbers) {
        self.numbers = (numbers != self.counted_numbers()).then_some(numbers);
    }

    /// Orders findings by severity, the worst first: by depth, by volume and by area where they are known, then by kind, those that a
    /// skeleton joins last, by the pairs of the worst frame (what is near by its distance), by duration, and at last by bodies, region
    /// and frame, so that the order is always the same.
    pub fn by_severity(&self, other: &Self) -> Ordering {
        let depth = |finding: &Self| finding.depth.unwrap_or(-1.0);
        let volume = |finding: &Self| finding.volume.unwrap_or(-1.0);
        let area = |finding: &Self| finding.area.unwrap_or(-1.0);
        let distance = |finding: &Self| finding.distance.unwrap_or(0.0);
        let number = |finding: &Self| finding.region.as_ref().map(|region| region.number);
        let place = |finding: &Self| (finding.first, finding.a, finding.b, number(finding));
        let is_joined = |finding: &Self| finding.region.as_ref().is_some_and(|region| region.is_joined());
        // A body inside another is deeper than any vertex says.
        let is_inside = |finding: &Self| finding.kind == FindingKind::Inside;
        (is_inside(other).cmp(&is_inside(self)))
            .then(depth(other).total_cmp(&depth(self)))
            .then(volume(other).total_cmp(&volume(self)))
            .then(area(other).total_cmp(&area(self)))
            .then(self.kind.cmp(&other.kind))
            .then(is_joined(self).cmp(&is_joined(other)))
            .then(other.worst.count.cmp(&self.worst.count))
            .then(distance(self).total_cmp(&distance(other)))
            .then(other.frames.cmp(&self.frames))
            .then(place(self).cmp(&place(other)))
    }

    /// Whether `next` is about the same and starts in the frame after the last: one episode, found in two parts.
    pub fn goes_on_as(&self, next: &Self) -> bool {
        let number = |finding: &Self| finding.region.as_ref().map(|region| region.number);
        (self.kind, self.a, self.b, number(self)) == (next.kind, next.a, next.b, number(next))
            && self.animation == next.animation
            && self.last + 1 == next.first
    }

    /// Makes one episode of this one and the next; see [`goes_on_as`](Self::goes_on_as).
    pub fn join(&mut self, next: Self) {
        let Self { depth, area, volume, distance, .. } = next;
        let next_is = Badness { count: next.worst.count, depth, area, volume, distance };
        let (mut numbers, of_next) = (self.own_numbers(), next.own_numbers());
        if self.is_worse(next_is) {
            self.take_worst(next.worst.frame, next_is);
            numbers.worst = of_next.worst;
            if let (Some(region), Some(of_next)) = (&mut self.region, &next.region) {
                region.take_worst(FindingRegion::clone(of_next));
            }
        }
        if let (Some(region), Some(of_next)) = (&mut self.region, &next.region) {
            region.merged_into = of_next.merged_into;
        }
        self.last = next.last;
        self.set_numbers(FindingNumbers { last: of_next.last, ..numbers });
        self.frames += next.frames;
        self.pairs += next.pairs;
        self.most_pairs = self.most_pairs.max(next.most_pairs);
        self.status = self.status.or(next.status);
    }

    fn take_worst(&mut self, frame: u64, Badness { count, depth, area, volume, distance }: Badness) {
        self.worst = WorstFrame { frame, count };
        (self.depth, self.area, self.volume, self.distance) = (depth, area, volume, distance);
    }

    fn is_worse(&self, found: Badness) -> bool {
        // Negative, so that what is nearest is the largest.
        let nearness = |distance: Option<f64>| distance.map(|distance| -distance);
        let measures = [
            (found.depth, self.depth),
            (found.volume, self.volume),
            (nearness(found.distance), nearness(self.distance)),
        ];
        // The first measure that tells them apart decides; a measure that only one has is worse than none.
        let decided =
            measures.iter().map(|(new, old)| new.partial_cmp(old)).find(|order| *order != Some(Ordering::Equal));
        decided.flatten().map_or(found.count > self.worst.count, |order| order == Ordering::Greater)
    }
}

/// How bad something is in a frame.
#[derive(Clone, Copy, Debug, Default)]
struct Badness {
    count: u64,
    depth: Option<f64>,
    area: Option<f64>,
    volume: Option<f64>,
    distance: Option<f64>,
}

/// Joins what is found frame by frame into episodes.
#[derive(Clone, Debug, Default)]
pub struct Episodes {
    /// The last episode of each kind and two bodies, and of each region of a contact.
    open: BTreeMap<(FindingKind, u32, u32, u64), Finding>,
    over: Vec<Finding>,
    follower: RegionFollower,
    /// The regions of the last frame by number.
    numbers: Vec<u64>,
}

impl Episodes {
    /// Takes one more frame in; frames must come in order.
    pub fn add(&mut self, frame: &Frame<'_>) {
        self.add_counted(frame, frame);
    }

    /// Takes one more frame in, of which only some contacts and regions count, in their order. Regions have the numbers that they have
    /// where all count.
    pub fn add_counted(&mut self, found: &Frame<'_>, frame: &Frame<'_>) {
        let (mut followed, merged) = self.follower.add(found);
        if frame.regions.len() < found.regions.len() {
            let mut counted = frame.regions.iter().peekable();
            let mut is_counted = found.regions.iter().map(|record| counted.next_if_eq(&record).is_some());
            followed.retain(|_| is_counted.next() == Some(true));
        }
        for merged in merged {
            let (a, b) = merged.bodies;
            let open = self.open.get_mut(&(FindingKind::Contact, a, b, merged.number));
            if let Some(last) = open.filter(|last| last.last + 1 == frame.frame)
                && let Some(region) = &mut last.region
            {
                region.merged_into = Some(merged.into);
            }
        }
        self.numbers.clear();
        self.numbers.extend(followed.iter().map(|followed| followed.number));
        for contact in &frame.contacts {
            let ContactRecord { count, depth, area, volume, .. } = *contact;
            let whole = Badness { count, depth, area, volume, distance: None };
            let (bodies, mut has_regions) = ((contact.a, contact.b), false);
            for (record, followed) in frame.regions.iter().zip(&followed).filter(|(of, _)| (of.a, of.b) == bodies) {
                let region = FindingRegion::new(record, followed.number, followed.split_from);
                let own = (record.depth.or(depth), record.area_inside.or(area));
                let of_region = Badness { count: record.count, depth: own.0, area: own.1, ..whole };
                self.extend(frame, FindingKind::Contact, bodies, of_region, Some(region));
                has_regions = true;
            }
            if !has_regions {
                self.extend(frame, FindingKind::Contact, bodies, whole, None);
            }
        }
        for found in &frame.contained {
            let badness = Badness { volume: found.volume, ..Badness::default() };
            self.extend(frame, FindingKind::Inside, (found.inner, found.outer), badness, None);
        }
        let mut impacts = BTreeMap::new();
        for impact in frame.impacts.as_deref().unwrap_or_default() {
            *impacts.entry((impact.a.min(impact.b), impact.a.max(impact.b))).or_insert(0) += 1;
        }
        for (bodies, count) in impacts {
            self.extend(frame, FindingKind::Impact, bodies, Badness { count, ..Badness::default() }, None);
        }
        for near in frame.near.iter().flatten() {
            let found = Badness { distance: Some(near.distance), ..Badness::default() };
            self.extend(frame, FindingKind::Near, (near.a, near.b), found, None);
        }
    }

    /// The numbers of the regions of the last frame that counted, in the order of its records.
    pub fn numbers(&self) -> &[u64] {
        &self.numbers
    }

    fn extend(
        &mut self,
        frame: &Frame<'_>,
        kind: FindingKind,
        (a, b): (u32, u32),
        found: Badness,
        region: Option<FindingRegion>,
    ) {
        let key = (kind, a, b, region.as_ref().map_or(0, |region| region.number));
        let (at, number, Badness { count, depth, area, volume, distance }) = (frame.frame, frame.own_number(), found);
        let open = self.open.get_mut(&key);
        if let Some(last) = open.filter(|last| last.last + 1 == at && last.animation == frame.animation) {
            let mut numbers = last.own_numbers();
            if last.is_worse(found) {
                last.take_worst(at, found);
                numbers.worst = number;
                if let (Some(known), Some(region)) = (&mut last.region, region) {
                    known.take_worst(region);
                }
            }
            (last.last, last.frames, last.pairs) = (at, last.frames + 1, last.pairs + count);
            last.most_pairs = last.most_pairs.max(count);
            last.set_numbers(FindingNumbers { last: number, ..numbers });
            return;
        }
        let mut fresh = Finding {
            kind,
            a,
            b,
            animation: frame.animation.clone(),
            first: at,
            last: at,
            numbers: None,
            region: region.map(Box::new),
            frames: 1,
            worst: WorstFrame { frame: at, count },
            pairs: count,
            most_pairs: count,
            depth,
            area,
            volume,
            distance,
            status: None,
        };
        fresh.set_numbers(FindingNumbers { first: number, last: number, worst: number });
        self.over.extend(self.open.insert(key, fresh));
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// All of them, the most severe first.
    pub fn finish(self) -> Vec<Finding> {
        let mut all = self.over;
        all.extend(self.open.into_values());
        all.sort_by(Finding::by_severity);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ContainedRecord, NearRecord};
    use super::*;

    fn frame(frame: u64, contacts: &[(u32, u32, u64, Option<f64>)]) -> Frame<'static> {
        let area = |depth: Option<f64>| depth.map(|depth| 2.0 * depth);
        let contact = |&(a, b, count, depth): &_| ContactRecord {
            a,
            b,
            count,
            depth,
            area: area(depth),
            volume: None,
            pairs: None,
        };
        Frame { frame, contacts: contacts.iter().map(contact).collect(), ..Frame::default() }
    }

    #[test]
    fn consecutive_frames_are_one_episode_and_the_deepest_comes_first() {
        let mut episodes = Episodes::default();
        episodes.add(&frame(3, &[(0, 1, 9, Some(0.5)), (1, 2, 50, Some(0.1))]));
        episodes.add(&frame(4, &[(0, 1, 4, Some(0.75))]));
        episodes.add(&frame(6, &[(0, 1, 5, None), (0, 2, 7, None)]));
        let found = episodes.finish();
        let told: Vec<_> = found.iter().map(|f| (f.a, f.b, f.first, f.last, f.worst.frame, f.pairs, f.depth)).collect();
        assert_eq!(
            told,
            [
                (0, 1, 3, 4, 4, 13, Some(0.75)),
                (1, 2, 3, 3, 3, 50, Some(0.1)),
                (0, 2, 6, 6, 6, 7, None),
                (0, 1, 6, 6, 6, 5, None)
            ]
        );
    }

    /// Frames of two animations, each with its number there.
    fn played() -> Vec<Frame<'static>> {
        let frames = [(0, 0, "walk", 1), (1, 0, "run", 1), (2, 1, "run", 5), (3, 2, "run", 7), (4, 3, "run", 2)];
        let frames = frames.into_iter().map(|(at, number, animation, count)| Frame {
            number: Some(number),
            animation: Some(animation.into()),
            ..frame(at, &[(0, 0, count, None)])
        });
        frames.collect()
    }

    #[test]
    fn an_episode_ends_with_its_animation_and_has_the_numbers_of_its_frames_there() {
        let mut episodes = Episodes::default();
        played().iter().for_each(|frame| episodes.add(frame));
        let found = episodes.finish();
        assert_eq!(found.iter().map(|f| f.animation.as_deref()).collect::<Vec<_>>(), [Some("run"), Some("walk")]);
        assert_eq!(found[0].numbers, Some(FindingNumbers { first: 0, last: 3, worst: 2 }));
        assert_eq!(found[1].numbers, None);
    }

    #[test]
    fn parts_of_an_episode_have_the_numbers_of_the_whole() {
        let of = |frames: &[Frame<'_>]| {
            let mut episodes = Episodes::default();
            frames.iter().for_each(|frame| episodes.add(frame));
            episodes.finish()
        };
        let frames = played();
        let whole = of(&frames[1..]);
        for at in 2..frames.len() {
            let (mut first, rest) = (of(&frames[1..at]).remove(0), of(&frames[at..]).remove(0));
            assert!(first.goes_on_as(&rest));
            first.join(rest);
            assert_eq!([first], *whole);
        }
    }

    #[test]
    fn what_is_inside_comes_before_contacts_and_what_is_near_last_by_distance() {
        let mut episodes = Episodes::default();
        let contained = vec![ContainedRecord { inner: 2, outer: 0, volume: None }];
        let near = [(0, 1, 0.5), (0, 2, 0.25)].map(|(a, b, distance)| NearRecord { a, b, distance });
        episodes.add(&Frame { contained, near: Some(near.to_vec()), ..frame(0, &[(0, 1, 3, Some(2.0))]) });
        let kinds: Vec<_> = episodes.finish().iter().map(|f| (f.kind.name(), f.a, f.b)).collect();
        assert_eq!(kinds, [("inside", 2, 0), ("contact", 0, 1), ("near", 0, 2), ("near", 0, 1)]);
    }

    #[test]
    fn a_finding_is_a_record_with_names_of_plain_words() {
        let mut episodes = Episodes::default();
        episodes.add(&frame(7, &[(0, 1, 3, Some(0.25))]));
        let text = serde_json::to_string(&episodes.finish()[0]).unwrap();
        let expected = r#"{"kind":"contact","a":0,"b":1,"first":7,"last":7,"frames":1,"worst":{"frame":7,"count":3},"pairs":3,"most_pairs":3,"depth":0.25,"area":0.5}"#;
        assert_eq!(text, expected);
        let tested = serde_json::to_string(&Tested { body_pairs: 3, own: 1 }).unwrap();
        assert_eq!(tested, r#"{"body_pairs":3,"self":1}"#);
    }
}
