//! Regions of contacts in frames, and which of them are the same from frame to frame.
//!
//! A region is followed by what its record says and nothing else, so that a run, a report that is read back and parts that are put
//! together name it alike. It is the region of the frame before with which it shares the most triangles on both sides, or if it
//! shares none, the nearest one that it would reach in the rest pose. What has been gone for some frames and comes back to its place
//! has its old number.
//!
//! Of many triangles a record has a sample: those whose numbers, mixed, are the smallest. Two regions that share triangles then share
//! some of their samples too, unless they share few.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Frame;

/// How many triangles of each side a record names.
const SAMPLE: usize = 16;

/// A place in which two bodies meet, or one meets itself: pairs of triangles that are neighbours on both sides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ContactRegionRecord {
    /// One body.
    pub a: u32,
    /// The other body, or the same one.
    pub b: u32,
    /// How many pairs of triangles meet here.
    pub count: u64,
    /// What carries the triangles of each side, bones or materials, where the file has some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carriers: Option<[String; 2]>,
    /// How many bones these are apart in the skeleton, where they are bones of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apart: Option<u32>,
    /// Where it is in this frame: the mean, over the pairs, of the centre of the smaller triangle.
    pub centroid: [f64; 3],
    /// Where its sides are in the rest pose.
    #[serde(flatten)]
    pub place: RestPlace,
    /// The area of the triangles.
    pub area: f64,
    /// How deep it is: how far the farthest vertex of what its curves cut off is from the other surface, in the file's unit; missing
    /// where that was not asked, or nothing is cut off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
    /// The area of the surface that is cut off, in squares of the file's unit; missing where there is no depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area_inside: Option<f64>,
}

/// The sides as they are, or also exchanged.
fn orders(or_exchanged: bool) -> impl Iterator<Item = [usize; 2]> {
    [[0, 1], [1, 0]].into_iter().take(1 + usize::from(or_exchanged))
}

/// Different numbers for different numbers, in no order: the last step of MurmurHash3.
fn mix(number: u32) -> u32 {
    let mut mixed = number;
    mixed = (mixed ^ (mixed >> 16)).wrapping_mul(0x85eb_ca6b);
    mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35);
    mixed ^ (mixed >> 16)
}

/// Where the sides of a region are in the rest pose, how far they reach, and some of their triangles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RestPlace {
    /// The centre of each side.
    pub rest: [[f64; 3]; 2],
    /// How far each side reaches from there.
    pub reach: [f64; 2],
    /// Triangles of each side, sorted: all, or of many a sample that is chosen alike in every frame.
    pub triangles: [Vec<u32>; 2],
}

impl RestPlace {
    /// The triangles that a record names, of all triangles of a side.
    pub fn sample(triangles: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut mixed: Vec<(u32, u32)> = triangles.map(|triangle| (mix(triangle), triangle)).collect();
        if mixed.len() > SAMPLE {
            mixed.select_nth_unstable(SAMPLE);
            mixed.truncate(SAMPLE);
        }
        let mut chosen: Vec<u32> = mixed.into_iter().map(|(_, triangle)| triangle).collect();
        chosen.sort_unstable();
        chosen
    }

    /// How many triangles of two places are the same; none unless some are on both sides. With `or_exchanged`, in either order.
    pub fn shared(&self, other: &Self, or_exchanged: bool) -> usize {
        let of = |[first, second]: [usize; 2]| {
            let counts = [(0, first), (1, second)]
                .map(|(own, of_other)| common(&self.triangles[own], &other.triangles[of_other]));
            if counts.contains(&0) { 0 } else { counts[0] + counts[1] }
        };
        orders(or_exchanged).map(of).max().unwrap_or(0)
    }

    /// How far the sides of two places are apart, if both reach each other; with `or_exchanged`, in either order.
    pub fn distance(&self, other: &Self, or_exchanged: bool) -> Option<f64> {
        let apart = |[first, second]: [usize; 2]| {
            let side = |own: usize, of_other: usize| {
                let [p, q] = [self.rest[own], other.rest[of_other]];
                let square = (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>();
                let reach = self.reach[own] + other.reach[of_other];
                (square <= reach * reach).then(|| square.sqrt())
            };
            Some(side(0, first)? + side(1, second)?)
        };
        orders(or_exchanged).filter_map(apart).reduce(f64::min)
    }
}

impl RestPlace {
    /// Whether a side of another place is within this part of the reach of this one's, and reaches no farther.
    pub fn is_within(&self, other: &Self, side: usize, part: f64) -> bool {
        let [p, q] = [self.rest[side], other.rest[side]];
        let distance = (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt();
        distance <= part * self.reach[side] && other.reach[side] <= self.reach[side]
    }

    /// The same with four digits of its reach: as much as places are compared with.
    pub fn shortened(&self) -> Self {
        let smallest = self.reach.into_iter().filter(|reach| *reach > 0.0).fold(f64::INFINITY, f64::min);
        if !smallest.is_finite() {
            return self.clone();
        }
        // A power of ten, so that the numbers are short.
        let step = 10f64.powf(smallest.log10().floor() - 3.0);
        let short = |x: f64| {
            let digits = (-step.log10()).round().max(0.0) as usize;
            format!("{:.digits$}", (x / step).round() * step).parse().unwrap_or(x)
        };
        let (rest, reach) =
            (self.rest.map(|point| point.map(short)), self.reach.map(|reach| short(reach + 0.5 * step)));
        Self { rest, reach, triangles: self.triangles.clone() }
    }
}

/// Which region of a contact a record is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowedRegion {
    /// Its number among those of its bodies, from 1; it stays.
    pub number: u64,
    /// The region of the frame before that it was a part of, if it has split off.
    pub split_from: Option<u64>,
}

/// A region that has become a part of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergedRegion {
    /// The bodies.
    pub bodies: (u32, u32),
    /// The one that is gone.
    pub number: u64,
    /// The one that it is a part of now.
    pub into: u64,
}

/// Gives regions numbers that stay, frame by frame.
#[derive(Clone, Debug, Default)]
pub struct RegionFollower {
    of_bodies: BTreeMap<(u32, u32), Vec<Seen>>,
    /// The animation of the last frame, and how many there were before it.
    animation: (Option<String>, u64),
}

/// A region as it was when it was last seen; its number is its index plus 1.
#[derive(Clone, Debug)]
struct Seen {
    frame: u64,
    animation: u64,
    place: RestPlace,
}

/// A region that was seen before and one of this frame that may be the same, the likeliest first.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    shared: usize,
    distance: f64,
    seen: usize,
    region: usize,
}

impl RegionFollower {
    /// Takes one more frame in; frames must come in order. Returns which regions its records are about, in their order, and which of
    /// the frame before have merged into these.
    pub fn add(&mut self, frame: &Frame<'_>) -> (Vec<FollowedRegion>, Vec<MergedRegion>) {
        if frame.animation != self.animation.0 {
            self.animation = (frame.animation.clone(), self.animation.1 + 1);
        }
        let (mut followed, mut merged) = (Vec::with_capacity(frame.regions.len()), Vec::new());
        for regions in frame.regions.chunk_by(|one, other| (one.a, one.b) == (other.a, other.b)) {
            let bodies = (regions[0].a, regions[0].b);
            let seen = self.of_bodies.entry(bodies).or_default();
            follow(seen, (frame.frame, self.animation.1), regions, &mut followed, |number, into| {
                merged.push(MergedRegion { bodies, number, into });
            });
        }
        (followed, merged)
    }
}

/// Follows the regions of two bodies.
fn follow(
    seen: &mut Vec<Seen>,
    (frame, animation): (u64, u64),
    regions: &[ContactRegionRecord],
    followed: &mut Vec<FollowedRegion>,
    mut merges: impl FnMut(u64, u64),
) {
    let is_before = |of: &Seen| of.frame + 1 == frame && of.animation == animation;
    let mut candidates = Vec::new();
    for (region, record) in regions.iter().enumerate() {
        for (number, of) in seen.iter().enumerate() {
            let is_self = record.a == record.b;
            if let Some(distance) = record.place.distance(&of.place, is_self) {
                let shared = record.place.shared(&of.place, is_self);
                candidates.push(Candidate { shared, distance, seen: number, region });
            }
        }
    }
    candidates.sort_by(|p, q| {
        let key = |candidate: &Candidate| (Reverse(candidate.shared), candidate.seen, candidate.region);
        let by_place = q.shared.cmp(&p.shared).then(p.distance.total_cmp(&q.distance));
        by_place.then_with(|| key(p).cmp(&key(q)))
    });
    let mut number_of: Vec<Option<usize>> = vec![None; regions.len()];
    let mut is_taken = vec![false; seen.len()];
    // Those of the frame before come first, then those that were gone.
    for goes_on in [true, false] {
        for candidate in candidates.iter().filter(|candidate| is_before(&seen[candidate.seen]) == goes_on) {
            if number_of[candidate.region].is_none() && !is_taken[candidate.seen] {
                number_of[candidate.region] = Some(candidate.seen);
                is_taken[candidate.seen] = true;
            }
        }
    }
    let first_new = seen.len();
    let mut next = first_new;
    let numbers: Vec<usize> = number_of
        .iter()
        .map(|number| {
            number.unwrap_or_else(|| {
                next += 1;
                next - 1
            })
        })
        .collect();
    let of_before = |candidate: &&Candidate| candidate.shared > 0 && is_before(&seen[candidate.seen]);
    for (region, &number) in numbers.iter().enumerate() {
        let goes_on = number < first_new && is_before(&seen[number]);
        let origin = candidates.iter().filter(of_before).find(|candidate| candidate.region == region);
        let split_from = origin.filter(|_| !goes_on).map(|candidate| candidate.seen as u64 + 1);
        followed.push(FollowedRegion { number: number as u64 + 1, split_from });
    }
    for gone in (0..first_new).filter(|&gone| is_before(&seen[gone]) && !is_taken[gone]) {
        if let Some(into) = candidates.iter().filter(of_before).find(|candidate| candidate.seen == gone) {
            merges(gone as u64 + 1, numbers[into.region] as u64 + 1);
        }
    }
    for (record, &number) in regions.iter().zip(&numbers) {
        let now = Seen { frame, animation, place: record.place.clone() };
        if number < seen.len() { seen[number] = now } else { seen.push(now) }
    }
}

/// How many numbers two sorted lists have in common.
fn common(one: &[u32], other: &[u32]) -> usize {
    let mut rest = other;
    let is_in = |number: &&u32| {
        rest = &rest[rest.partition_point(|other| other < *number)..];
        rest.first() == Some(*number)
    };
    one.iter().filter(is_in).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A region of one body with itself whose sides are strips of triangles from `first[0]` and from `first[1]`.
    fn strip(first: [u32; 2], length: u32) -> ContactRegionRecord {
        let centre = |first: u32| [f64::from(first) + 0.5 * f64::from(length), 0.0, 0.0];
        ContactRegionRecord {
            count: u64::from(length),
            place: RestPlace {
                rest: first.map(centre),
                reach: [0.5 * f64::from(length); 2],
                triangles: first.map(|first| RestPlace::sample(first..first + length)),
            },
            ..ContactRegionRecord::default()
        }
    }

    fn frame(frame: u64, regions: &[ContactRegionRecord]) -> Frame<'static> {
        Frame { frame, regions: regions.to_vec(), ..Frame::default() }
    }

    fn numbers(follower: &mut RegionFollower, at: u64, regions: &[ContactRegionRecord]) -> Vec<u64> {
        follower.add(&frame(at, regions)).0.iter().map(|followed| followed.number).collect()
    }

    #[test]
    fn a_region_keeps_its_number_while_it_slides_and_when_it_comes_back() {
        let mut follower = RegionFollower::default();
        assert_eq!(numbers(&mut follower, 0, &[strip([0, 1000], 9), strip([500, 2000], 4)]), [1, 2]);
        assert_eq!(numbers(&mut follower, 1, &[strip([502, 2001], 4), strip([3, 1004], 9)]), [2, 1]);
        // It shares nothing any more, but reaches where it was; and the sides may be exchanged.
        assert_eq!(numbers(&mut follower, 2, &[strip([2005, 506], 4)]), [2]);
        assert_eq!(numbers(&mut follower, 9, &[strip([5, 1003], 7), strip([700, 900], 3)]), [1, 3]);
    }

    #[test]
    fn what_meets_on_one_side_only_is_another_region() {
        let mut follower = RegionFollower::default();
        assert_eq!(numbers(&mut follower, 0, &[strip([0, 1000], 9)]), [1]);
        assert_eq!(numbers(&mut follower, 1, &[strip([0, 3000], 9)]), [2]);
    }

    #[test]
    fn regions_split_and_merge() {
        let mut follower = RegionFollower::default();
        let (whole, parts) = (strip([0, 1000], 16), [strip([0, 1000], 9), strip([10, 1010], 6)]);
        follower.add(&frame(0, std::slice::from_ref(&whole)));
        let (split, merged) = follower.add(&frame(1, &parts));
        let expected = [(1, None), (2, Some(1))].map(|(number, split_from)| FollowedRegion { number, split_from });
        assert_eq!((split.as_slice(), merged.as_slice()), (&expected[..], &[][..]));
        let (whole, merged) = follower.add(&frame(2, &[whole]));
        assert_eq!(whole, [FollowedRegion { number: 1, split_from: None }]);
        assert_eq!(merged, [MergedRegion { bodies: (0, 0), number: 2, into: 1 }]);
    }

    #[test]
    fn a_sample_of_many_triangles_is_shared_as_far_as_they_are() {
        let (one, other) = (RestPlace::sample(0..400), RestPlace::sample(100..500));
        assert_eq!([one.len(), other.len()], [SAMPLE; 2]);
        assert!(common(&one, &other) > SAMPLE / 3);
        assert_eq!(common(&one, &RestPlace::sample(400..800)), 0);
        assert_eq!(RestPlace::sample([9, 2, 5].into_iter()), [2, 5, 9]);
    }
}
