//! In which places bodies meet: the regions of every contact, what they are called, and which of them are left out.
//!
//! A side of a region has the name of the bone that carries the most of its triangles: the joint with the largest sum of weights over
//! their vertices; or of the material of the most of them. A region is left out with its pairs if a rule of `--ignore` and `--only`
//! says so, or if it is of one body and the bones of its two sides are close in the skeleton (`--joint-distance`).
//!
//! With depths, every region gets its own (`Frame::region_depths`), and a contact the largest of them.
//!
//! Cost: that of `contact::ContactRegionFinder`, and a pass over the triangles of the regions.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use anyhow::Result;
use crumple::contact::{ContactRegion, ContactRegionFinder, RegionDepth};
use crumple::{Body, BodyId, Frame, TriangleId};
use crumple_io::Carriers;
use crumple_io::report::{self, ContactRecord, ContactRegionRecord, RestPlace};

use crate::bodies::Motion;
use crate::plan::Plan;

/// Finds the regions of contacts, frame after frame.
#[derive(Debug)]
pub(crate) struct Regions {
    finder: ContactRegionFinder,
    of_body: Vec<OfBody>,
    sums: Sums,
    depths: Vec<RegionDepth>,
}

/// What is known about a body to name places on it.
#[derive(Debug)]
struct OfBody {
    /// Read when the body first meets something.
    known: Option<Known>,
    /// Its vertices where it starts, if that is its first frame and its file has no rest pose.
    start: Option<Vec<[f32; 3]>>,
}

#[derive(Debug)]
struct Known {
    carriers: Option<Carriers>,
    /// Its vertices in the rest pose.
    rest: Vec<[f32; 3]>,
}

/// How much everything that carries a side carries of it; working memory.
#[derive(Debug, Default)]
struct Sums {
    /// By carrier; 0 between uses.
    of_carrier: Vec<f64>,
    carriers: Vec<u32>,
}

/// A side of a region: a body and its triangles.
#[derive(Clone, Copy)]
struct Side<'a> {
    body: &'a Body,
    known: &'a Known,
    triangles: &'a [TriangleId],
}

impl OfBody {
    fn new(motion: &Motion, body: &Body) -> Self {
        let has_rest = motion.file().has_rest();
        Self { known: None, start: (!has_rest && motion.is_at_start()).then(|| body.positions().to_vec()) }
    }

    /// Reads what is not known yet.
    fn know(&mut self, motion: &mut Motion) -> Result<()> {
        if self.known.is_none() {
            let rest = match (motion.file().rest(), self.start.take()) {
                (Some(rest), _) | (None, Some(rest)) => rest,
                (None, None) => {
                    let mut rest = vec![[0.0; 3]; motion.file().vertex_count()];
                    motion.file_mut().frame(0, &mut rest)?;
                    rest
                }
            };
            self.known = Some(Known { carriers: motion.file_mut().carriers(), rest });
        }
        Ok(())
    }
}

impl Regions {
    /// For these bodies as they start.
    pub(crate) fn new<'a>(bodies: impl Iterator<Item = (&'a Motion, &'a Body)>) -> Self {
        let of_body = bodies.map(|(motion, body)| OfBody::new(motion, body)).collect();
        Self { finder: ContactRegionFinder::default(), of_body, sums: Sums::default(), depths: Vec::new() }
    }

    /// Adds the regions of all contacts that have all their pairs, and takes those that are left out from the contacts. Returns how
    /// long their depths took.
    pub(crate) fn fill(
        &mut self,
        now: Frame<'_>,
        ids: &[BodyId],
        motions: &mut [Motion],
        plan: &Plan,
        found: &mut report::Frame<'_>,
    ) -> Result<Duration> {
        let mut took = Duration::ZERO;
        let report::Frame { contacts, regions, joined_regions, .. } = found;
        for contact in contacts.iter_mut().filter(|contact| contact.listed().len() as u64 == contact.count) {
            let numbers = [contact.a, contact.b].map(|body| body as usize);
            for number in numbers {
                self.of_body[number].know(&mut motions[number])?;
            }
            let is_one_body = contact.a == contact.b || plan.seams.join(contact.a, contact.b);
            let Self { finder, of_body, sums, depths } = self;
            let [Some(of_a), Some(of_b)] = numbers.map(|number| of_body[number].known.as_ref()) else { continue };
            let (a, b) = (now.body(ids[numbers[0]])?, now.body(ids[numbers[1]])?);
            let pairs = contact.triangle_pairs();
            let parts = if contact.a == contact.b { finder.find_self(a, pairs) } else { finder.find(a, b, pairs) };
            let of_whole = contact.depth;
            depths.clear();
            if plan.options.needs_depth() {
                let start = Instant::now();
                now.region_depths(ids[numbers[0]], ids[numbers[1]], parts.iter(), depths)?;
                contact.depth = depths.iter().filter_map(|of| of.depth).chain(of_whole).reduce(f64::max);
                took += start.elapsed();
            }
            let mut depths = depths.iter().copied().chain(std::iter::repeat(RegionDepth::default()));
            let (before, mut are_kept) = (regions.len(), Vec::with_capacity(parts.len()));
            for region in parts.iter() {
                let sides = [
                    Side { body: a, known: of_a, triangles: region.triangles_a },
                    Side { body: b, known: of_b, triangles: region.triangles_b },
                ];
                let mut record = record((contact.a, contact.b), &region, sides, sums);
                let RegionDepth { depth, area, .. } = depths.next().unwrap_or_default();
                // No region is deeper than the whole, where that is known.
                (record.depth, record.area_inside) = (depth.or(of_whole), area);
                let is_joined = is_one_body && record.apart.is_some_and(|apart| apart <= plan.joint_distance());
                let is_far = plan.joint_distance() == 0 || !is_joined;
                *joined_regions += u64::from(!is_far);
                let is_kept = is_far && plan.selection.keeps(contact.a, contact.b, record.carriers.as_ref());
                regions.extend(is_kept.then_some(record));
                are_kept.push(is_kept);
            }
            if are_kept.contains(&false) {
                let kept = parts.iter().zip(are_kept).filter(|(_, is_kept)| *is_kept);
                let pairs = kept.flat_map(|(region, _)| region.pairs).map(|pair| [pair.a.0, pair.b.0]).collect();
                leave_only(contact, pairs);
                if contact.count == 0 {
                    regions.truncate(before);
                }
            }
        }
        contacts.retain(|contact| contact.count > 0);
        Ok(took)
    }
}

/// Leaves a contact these pairs.
fn leave_only(contact: &mut ContactRecord<'_>, mut kept: Vec<[u32; 2]>) {
    kept.sort_unstable();
    contact.count = kept.len() as u64;
    contact.pairs = Some(Cow::Owned(kept));
}

/// The record of a region.
fn record(
    (a, b): (u32, u32),
    region: &ContactRegion<'_>,
    sides: [Side<'_>; 2],
    sums: &mut Sums,
) -> ContactRegionRecord {
    let carriers = sides.map(|side| Some((side.known.carriers.as_ref()?, sums.most(side)?)));
    let places = sides.map(Side::rest);
    let (names, apart) = match carriers {
        [Some((of_a, carrier_a)), Some((of_b, carrier_b))] => {
            let names = [of_a.name(carrier_a), of_b.name(carrier_b)].map(str::to_owned);
            (Some(names), of_a.distance(carrier_a, of_b, carrier_b))
        }
        _ => (None, None),
    };
    let mut record = ContactRegionRecord {
        a,
        b,
        count: region.pairs.len() as u64,
        carriers: names,
        apart,
        centroid: region.centroid,
        place: RestPlace {
            rest: places.map(|(rest, _)| rest),
            reach: places.map(|(_, reach)| reach),
            triangles: sides.map(|side| RestPlace::sample(side.triangles.iter().map(|triangle| triangle.0))),
        },
        area: region.area,
        depth: None,
        area_inside: None,
    };
    // Of one body, either side may have the triangle with the smaller number: the bone that is farther from the root comes first.
    let order = carriers.each_ref().map(|carrier| {
        let depth = carrier.as_ref().map_or(0, |(of, carrier)| of.depth(*carrier));
        std::cmp::Reverse(depth)
    });
    let names = || record.carriers.as_ref().is_some_and(|[one, other]| one > other);
    if a == b && (order[0] > order[1] || order[0] == order[1] && names()) {
        record.carriers.iter_mut().for_each(|names| names.reverse());
        record.place.rest.reverse();
        record.place.reach.reverse();
        record.place.triangles.reverse();
    }
    record
}

impl Side<'_> {
    /// The corners of a triangle in the rest pose.
    fn corners(self, triangle: TriangleId) -> [[f64; 3]; 3] {
        let vertices = self.body.mesh().indices()[triangle.index()];
        vertices.map(|vertex| self.known.rest[vertex as usize].map(f64::from))
    }

    /// The mean of the centres of its triangles in the rest pose, and how far these reach from there.
    fn rest(self) -> ([f64; 3], f64) {
        let mut sum = [0.0; 3];
        for &triangle in self.triangles {
            self.corners(triangle).iter().for_each(|corner| (0..3).for_each(|k| sum[k] += corner[k]));
        }
        let centre = sum.map(|sum| sum / (3 * self.triangles.len().max(1)) as f64);
        let mut farthest = 0.0;
        for &triangle in self.triangles {
            for corner in self.corners(triangle) {
                farthest = f64::max(farthest, (0..3).map(|k| (corner[k] - centre[k]).powi(2)).sum());
            }
        }
        (centre, farthest.sqrt())
    }
}

impl Sums {
    /// What carries the most of a side; of several the first.
    fn most(&mut self, side: Side<'_>) -> Option<u32> {
        let Self { of_carrier, carriers } = self;
        for &triangle in side.triangles {
            let vertices = side.body.mesh().indices()[triangle.index()];
            side.known.carriers.as_ref()?.of_triangle(triangle.0, vertices, |carrier, weight| {
                let needed = carrier as usize + 1;
                if of_carrier.len() < needed {
                    of_carrier.resize(needed, 0.0);
                }
                if of_carrier[carrier as usize] == 0.0 {
                    carriers.push(carrier);
                }
                of_carrier[carrier as usize] += weight;
            });
        }
        carriers.sort_unstable();
        let mut most: Option<(u32, f64)> = None;
        for carrier in carriers.drain(..) {
            let sum = std::mem::take(&mut of_carrier[carrier as usize]);
            if most.is_none_or(|(_, largest)| sum > largest) {
                most = Some((carrier, sum));
            }
        }
        most.map(|(carrier, _)| carrier)
    }
}
