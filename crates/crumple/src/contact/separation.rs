//! The smallest translation that parts two bodies.
//!
//! For one direction the answer is a question of motion: body `a` is placed far enough out along the direction to be
//! apart, and moved back in; where it first meets `b` is how far it has to come out. That impact is certified (`motion`),
//! so the translation parts the bodies wherever they are hollow or self-overlapping, up to the rounding of positions to
//! f32: they are apart there, and all the way further out. The way in is taken in short steps, the outermost first: a step that
//! meets nothing is cheap, and the box of a triangle over a short step overlaps few others.
//!
//! The direction is searched for. How far the shadows of the bodies on a line overlap is a bound for every direction, costs one
//! pass over the vertices, and for convex bodies its minimum is the answer. So the search starts from the normals of the
//! largest regions, the ways out of the deepest vertices, the six axes, and the directions with the least shadows that lead
//! on from these. Around the best of them it looks at four directions at a time, and halves their angle when none is better.
//! A direction in which the bodies still meet at the least depth so far is not followed any further.
//!
//! So the depth is never too small, and is the least one up to [`FINEST`] in the angle if the valley the search ends in is the
//! deepest (at the bottom of a valley an angle of ε makes a way longer by ε²/2 of it): for two convex bodies that meet in one
//! region it is; for others that is not proven. At most [`MOST_SWEEPS`] directions are followed, whatever the bodies are.
//!
//! Bodies that touch along a plane across an axis need no search: their depth is 0. A search ends once rounding is all that is
//! left of the depth.
//!
//! Cost: some ten to a hundred sweeps of up to [`STEPS`] impacts each. Held by: `tests/response/depth.rs`.

use std::borrow::Cow;

use super::regions;
use crate::body::Body;
use crate::exclusions::LeftOut;
use crate::motion::onset::in_range;
use crate::motion::{self, Asked, Impacts, Latest};
use crate::narrow::wide_tree::{Tree, WideTree};
use crate::narrow::{self, PairMethod, Side, Wanted};
use crate::probe::signed_closest_points;

/// The angle at which the search begins, and that at which it ends.
const COARSEST: f64 = 0.25;
const FINEST: f64 = 1e-4;

/// How many of the first directions are improved.
const IMPROVED: usize = 3;

/// How many directions are followed at most: enough for the first ones, and for each of those that are improved about two for
/// every time its angle is halved.
const MOST_SWEEPS: usize = 96;

/// How many regions give a direction to start from.
const MOST_REGIONS: usize = 8;

/// In how many steps the way in is taken.
const STEPS: usize = 16;

/// A direction is followed only if it may shorten the way by more than this fraction of it.
const WORTH_A_SWEEP: f64 = 1.0 / (1 << 20) as f64;

/// Coordinates beyond this are scaled down for the search, so that a body can be moved out without leaving the range of f32: it
/// moves by less than four times the largest coordinate along each axis.
const LARGE: f64 = f32::MAX as f64 / 8.0;
const SCALE: f64 = 1.0 / 16.0;

/// How two bodies are parted.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Separation {
    /// How far body `a` has to move; 0 if they only touch.
    pub depth: f64,
    /// In which direction, of length 1.
    pub direction: [f64; 3],
}

impl Separation {
    /// The translation of body `a`; that of `b` is its negative.
    pub fn translation(&self) -> [f64; 3] {
        self.direction.map(|x| x * self.depth)
    }
}

/// The smallest translation of body `a` that parts it from `b`; `None` if they are apart. See
/// [`Frame::separation`](crate::Frame::separation).
pub fn separation(a: &Body, b: &Body) -> Option<Separation> {
    if a.bounds().intersection(&b.bounds()).is_empty() {
        return None;
    }
    let mut search = Search::new(a, b)?;
    let meet = search.meet();
    let axes =
        (0..3).flat_map(|axis| [1.0, -1.0].map(|sign| std::array::from_fn(|k| if k == axis { sign } else { 0.0 })));
    let mut starts: Vec<[f64; 3]> = axes.collect();
    // Along an axis shadows are exact.
    if let Some(&direction) = starts.iter().find(|&&axis| search.shadow(axis) <= 0.0) {
        return meet.then_some(Separation { depth: 0.0, direction });
    }
    let ways_out = ways_out(a, b);
    if !meet && ways_out.is_empty() {
        return None;
    }
    // Among equals the one that comes first is taken.
    starts.splice(0..0, ways_out.into_iter().chain(normals(a, b)).filter_map(unit));
    Some(search.find(starts))
}

/// The ways out of the deepest vertex of each body in the other, for body `a`; none if no vertex is inside.
fn ways_out(a: &Body, b: &Body) -> Vec<[f64; 3]> {
    let mut found = Vec::new();
    for (own, other, sign) in [(a, b, 1.0), (b, a, -1.0)] {
        let own = exact(own);
        // An open body has no inside.
        let Ok(closest) = signed_closest_points(other, &own) else { continue };
        let deepest = closest.iter().zip(&own).min_by(|(p, _), (q, _)| p.distance.total_cmp(&q.distance));
        let Some((closest, at)) = deepest.filter(|(closest, _)| closest.distance <= 0.0) else { continue };
        found.push(std::array::from_fn(|k| sign * (closest.point[k] - at[k])));
    }
    found
}

/// The normals of the largest regions.
fn normals(a: &Body, b: &Body) -> Vec<[f64; 3]> {
    let Ok(regions) = regions(a, b) else { return Vec::new() };
    let mut found: Vec<(f64, [f64; 3])> = regions.iter().map(|region| (region.volume, region.normal)).collect();
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    found.into_iter().take(MOST_REGIONS).map(|(_, normal)| normal).collect()
}

/// Two bodies of which the first is moved about, a copy.
struct Search<'a> {
    /// The second one is the one that was given, unless it moves in its last step or has to be scaled.
    bodies: [Cow<'a, Body>; 2],
    trees: [Tree; 2],
    pairs: narrow::Search<WideTree>,
    memory: motion::Memory,
    impacts: Impacts,
    /// In f64, also if they are f32 numbers; scaled.
    positions: [Vec<[f64; 3]>; 2],
    moved: Vec<[f64; 3]>,
    /// Whether positions of the body that is moved are rounded to f32.
    rounds: bool,
    /// What coordinates are multiplied by.
    scale: f64,
    /// More than rounding can undo of a way.
    margin: f64,
    /// How many directions may still be followed.
    sweeps: usize,
}

impl<'a> Search<'a> {
    /// `None` if a body has no triangles, so that nothing has to be parted.
    fn new(a: &'a Body, b: &'a Body) -> Option<Self> {
        if [a, b].iter().any(|body| body.mesh().live_count() == 0) {
            return None;
        }
        let mut bodies = [a, b].map(Cow::Borrowed);
        let mut positions = [exact(a), exact(b)];
        let largest =
            |positions: &[[f64; 3]]| positions.as_flattened().iter().fold(0.0, |most, x| f64::max(most, x.abs()));
        let mut size = positions.each_ref().map(|positions| largest(positions));
        let scale = if size[0].max(size[1]) > LARGE { SCALE } else { 1.0 };
        if scale != 1.0 {
            size = size.map(|x| x * scale);
            for (body, positions) in bodies.iter_mut().zip(&mut positions) {
                for x in positions.as_flattened_mut() {
                    // Of f32 numbers below the normal ones, beside which these bodies are large, bits may be lost.
                    *x = if body.is_wide() { in_range(*x * scale) } else { f64::from((*x * scale) as f32) };
                }
                body.to_mut().set_positions_f64(positions).ok()?;
            }
        }
        for body in bodies.iter_mut().filter(|body| !body.stands_still()) {
            body.to_mut().hold_still();
        }
        let rounds = !a.is_wide();
        let margin = 2f64.powi(if rounds { -20 } else { -48 }) * (size[0] + size[1]) + f64::from(f32::MIN_POSITIVE);
        let trees = bodies.each_ref().map(|body| WideTree::default().build(body));
        let (pairs, memory, impacts) = (narrow::Search::default(), motion::Memory::default(), Impacts::default());
        let (moved, sweeps) = (Vec::new(), MOST_SWEEPS);
        Some(Self { bodies, trees, pairs, memory, impacts, positions, moved, rounds, scale, margin, sweeps })
    }

    /// The shortest way out that is found from these directions.
    fn find(&mut self, mut starts: Vec<[f64; 3]>) -> Separation {
        let mut shadows: Vec<Separation> = starts.iter().map(|&start| self.descend(start)).collect();
        shadows.sort_by(|one, other| one.depth.total_cmp(&other.depth));
        // Beyond its shadow a body is apart, so this one is an answer in any case.
        let bound = Separation { depth: shadows[0].depth.max(0.0) + self.margin, ..shadows[0] };
        starts.splice(0..0, shadows.iter().take(IMPROVED).map(|shadow| shadow.direction));
        let mut tried: Vec<Separation> = Vec::new();
        for (index, &direction) in starts.iter().enumerate() {
            if starts[..index].iter().any(|&earlier| are_alike(earlier, direction)) {
                continue;
            }
            tried.extend(self.along(direction));
            if tried.iter().any(|way| way.depth <= self.margin) {
                break;
            }
        }
        tried.sort_by(|one, other| one.depth.total_cmp(&other.depth));
        tried.truncate(IMPROVED);
        let improved = tried.into_iter().map(|start| self.improve(start));
        let best = improved.chain([bound]).min_by(|one, other| one.depth.total_cmp(&other.depth)).unwrap_or(bound);
        Separation { depth: best.depth / self.scale, ..best }
    }

    /// How far the shadows of the bodies on a line overlap: so far moved, `a` is beyond a plane that holds all of `b` back.
    fn shadow(&self, direction: [f64; 3]) -> f64 {
        let reach = |p: &[f64; 3]| dot(*p, direction);
        let lowest = self.positions[0].iter().map(reach).fold(f64::INFINITY, f64::min);
        self.positions[1].iter().map(reach).fold(f64::NEG_INFINITY, f64::max) - lowest
    }

    /// Turns a direction as long as that makes the shadow smaller; the depth is that of the shadow.
    fn descend(&self, start: [f64; 3]) -> Separation {
        let mut best = Separation { depth: self.shadow(start), direction: start };
        let mut angle = COARSEST;
        while angle > FINEST {
            let tried =
                around(best.direction, angle).map(|direction| Separation { depth: self.shadow(direction), direction });
            match tried.into_iter().min_by(|one, other| one.depth.total_cmp(&other.depth)) {
                Some(better) if better.depth < best.depth => best = better,
                _ => angle *= 0.5,
            }
        }
        best
    }

    /// Moves body `a` from where it is given; `None` if that leaves the range of f32.
    fn place(&mut self, direction: [f64; 3], by: f64) -> Option<()> {
        let rounds = self.rounds;
        let moved = |x: f64, by: f64| if rounds { f64::from((x + by) as f32) } else { in_range(x + by) };
        self.moved.clear();
        self.moved.extend(self.positions[0].iter().map(|p| std::array::from_fn(|k| moved(p[k], by * direction[k]))));
        let body = self.bodies[0].to_mut();
        body.set_positions_f64(&self.moved).ok()?;
        WideTree::default().update(&mut self.trees[0], body);
        Some(())
    }

    /// Both bodies with their trees.
    fn sides(&self) -> [Side<'_, Tree>; 2] {
        [0, 1].map(|k| Side { body: &self.bodies[k], tree: &self.trees[k] })
    }

    /// Whether the bodies meet where they are.
    fn meet(&mut self) -> bool {
        let (mut search, mut found) = (std::mem::take(&mut self.pairs), Vec::new());
        let [a, b] = self.sides();
        search.pairs(&WideTree::default(), (a, b), Wanted::First, &mut found);
        self.pairs = search;
        !found.is_empty()
    }

    /// Up to when in the last step of body `a` the bodies are apart; `None` if they do not meet in it.
    fn first_impact(&mut self) -> Option<f64> {
        let asked = Asked {
            wanted: motion::Wanted::First,
            distance: 0.0,
            latest: &Latest::default(),
            left_out: LeftOut::default(),
        };
        let (mut memory, mut impacts) = (std::mem::take(&mut self.memory), std::mem::take(&mut self.impacts));
        let [a, b] = self.sides();
        motion::between(a.into(), b.into(), asked, &mut memory, &mut impacts);
        let found = impacts.found.first().map(|impact| impact.time.lo);
        (self.memory, self.impacts) = (memory, impacts);
        found
    }

    /// How far body `a` has to move in a direction; `None` if no more directions may be followed.
    fn along(&mut self, direction: [f64; 3]) -> Option<Separation> {
        self.sweeps = self.sweeps.checked_sub(1)?;
        let out = self.shadow(direction).max(0.0) + self.margin;
        self.place(direction, out)?;
        for step in 0..STEPS {
            let [from, to] = [step, step + 1].map(|k| out * (1.0 - k as f64 / STEPS as f64));
            self.place(direction, to)?;
            if let Some(apart) = self.first_impact() {
                return Some(Separation { depth: from - (from - to) * apart, direction });
            }
        }
        Some(Separation { depth: 0.0, direction })
    }

    /// Whether the bodies meet where `a` is moved so far.
    fn meet_at(&mut self, direction: [f64; 3], by: f64) -> bool {
        self.place(direction, by).is_some() && self.meet()
    }

    /// Turns a direction as long as that makes the way shorter.
    fn improve(&mut self, mut best: Separation) -> Separation {
        let mut angle = COARSEST;
        while angle > FINEST && self.sweeps > 0 && best.depth > self.margin {
            let mut better = best;
            for direction in around(best.direction, angle) {
                let below = better.depth * (1.0 - WORTH_A_SWEEP);
                if !self.meet_at(direction, below) {
                    let found = self.along(direction).filter(|found| found.depth < below);
                    better = found.unwrap_or(better);
                }
            }
            if better.depth < best.depth {
                best = better;
            } else {
                angle *= 0.5;
            }
        }
        best
    }
}

/// Four directions at an angle to another one.
fn around(direction: [f64; 3], angle: f64) -> [[f64; 3]; 4] {
    let [u, v] = across(direction);
    [(u, angle), (u, -angle), (v, angle), (v, -angle)]
        .map(|(w, by)| unit(std::array::from_fn(|k| direction[k] + by * w[k])).unwrap_or(direction))
}

/// Whether two directions differ by less than the search tells apart.
fn are_alike(one: [f64; 3], other: [f64; 3]) -> bool {
    (0..3).all(|k| (one[k] - other[k]).abs() < FINEST)
}

fn exact(body: &Body) -> Vec<[f64; 3]> {
    (0..body.mesh().vertex_count() as u32).map(|vertex| body.exact_position(vertex)).collect()
}

fn dot(p: [f64; 3], q: [f64; 3]) -> f64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

/// A vector of length 1; `None` if it has no direction.
fn unit(p: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(p, p).sqrt();
    (length > 0.0 && length.is_finite()).then(|| p.map(|x| x / length))
}

/// Two unit vectors perpendicular to a third and to each other.
fn across(n: [f64; 3]) -> [[f64; 3]; 2] {
    let axis = (0..3).min_by(|&i, &j| n[i].abs().total_cmp(&n[j].abs())).unwrap_or(0);
    let mut u = n.map(|x| -x * n[axis]);
    u[axis] += 1.0;
    let u = unit(u).unwrap_or([1.0, 0.0, 0.0]);
    [u, [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]]]
}
