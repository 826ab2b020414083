//! Cuts a polygon with very many concave corners by a sweep from top to bottom.
//!
//! Paper: Hertel & Mehlhorn 1985, section 2 (triangulation by plane sweep).
//!
//! ```text
//!        latest               The sweep keeps, for every part of its line that is inside, the corners above it that are not
//!    ╲   ╱ ╲      ╱           cut off yet: a chain from the edge on the left to the edge on the right, concave everywhere.
//!     ╲_╱   ╲    ╱            A new corner at an end of the chain cuts off triangles until the chain is concave again. A
//!            ╲__╱  chain      corner inside the part divides it at the latest corner, which it sees; one between two parts
//! ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─       joins them.
//! ```
//!
//! Departs: nothing is promised about polygons that cross or touch themselves. Whether the triangles cover the polygon is
//! checked by the caller, exactly, so a wrong order of edges costs time and no more.
//!
//! Cost: O(n log n) comparisons, each exact; joining the halves of a chain moves the shorter one.
//! Held by: the tests of the module above.

use std::cmp::Ordering;
use std::collections::{BTreeMap, VecDeque};
use std::mem::take;

use robust::{Coord, orient2d};

/// Triangles that cover a polygon, by the numbers of its corners; `None`, or others, if it crosses or touches itself.
/// `turn` is the way that the polygon turns: to the left if it is greater.
pub(super) fn triangles(seen: &[[f64; 2]], turn: Ordering) -> Option<Vec<[u32; 3]>> {
    // Everything below is for polygons that turn to the left.
    let mut sweep = match turn {
        Ordering::Less => Sweep::new(seen.iter().rev()),
        _ => Sweep::new(seen.iter()),
    };
    sweep.run()?;
    let last = seen.len() as u32 - 1;
    if turn.is_lt() {
        sweep.found.as_flattened_mut().iter_mut().for_each(|corner| *corner = last - *corner);
    }
    Some(sweep.found)
}

/// A corner of the polygon; the number comes last, so that equal positions have an order too.
#[derive(Clone, Copy, Debug)]
struct Corner {
    at: Coord<f64>,
    number: u32,
}

impl Corner {
    /// Greater is further down; of corners at one height, the one to the right.
    fn order(&self, other: &Self) -> Ordering {
        let down = other.at.y.total_cmp(&self.at.y);
        down.then(self.at.x.total_cmp(&other.at.x)).then(self.number.cmp(&other.number))
    }
}

/// Positive if three corners turn to the left.
fn turn(a: Corner, b: Corner, c: Corner) -> Ordering {
    orient2d(a.at, b.at, c.at).partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

/// An edge that has the inside of the polygon on its right, ordered from left to right among those that cross one height; or a
/// single corner, to find what is on its left.
#[derive(Clone, Copy, Debug)]
struct Edge {
    upper: Corner,
    lower: Corner,
}

impl Ord for Edge {
    fn cmp(&self, other: &Self) -> Ordering {
        if (self.upper.number, self.lower.number) == (other.upper.number, other.lower.number) {
            return Ordering::Equal;
        }
        if self.upper.order(&other.upper).is_gt() {
            return other.cmp(self).reverse();
        }
        // The other one begins below: on the left of this edge, seen downwards, is what is to the right of it.
        let side = |corner| turn(self.upper, self.lower, corner).reverse();
        side(other.upper).then_with(|| side(other.lower)).then(self.upper.number.cmp(&other.upper.number))
    }
}

impl PartialOrd for Edge {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Edge {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Edge {}

/// What is not cut off yet above a part of the line.
#[derive(Debug)]
struct Chain {
    /// From the edge on the left to the latest corner, without it.
    left: VecDeque<Corner>,
    latest: Corner,
    /// From the latest corner, without it, to the edge on the right.
    right: VecDeque<Corner>,
}

impl Chain {
    fn all(self) -> VecDeque<Corner> {
        let Self { mut left, latest, mut right } = self;
        if left.len() < right.len() {
            right.push_front(latest);
            left.into_iter().rev().for_each(|corner| right.push_front(corner));
            right
        } else {
            left.push_back(latest);
            left.extend(right);
            left
        }
    }
}

struct Sweep {
    corners: Vec<Corner>,
    /// By the edge on the left.
    chains: BTreeMap<Edge, Chain>,
    found: Vec<[u32; 3]>,
}

impl Sweep {
    fn new<'a>(seen: impl Iterator<Item = &'a [f64; 2]>) -> Self {
        let corners = seen.zip(0..).map(|(&[x, y], number)| Corner { at: Coord { x, y }, number }).collect();
        Self { corners, chains: BTreeMap::new(), found: Vec::new() }
    }

    fn run(&mut self) -> Option<()> {
        let mut order = self.corners.clone();
        order.sort_unstable_by(Corner::order);
        let count = self.corners.len();
        for corner in order {
            let number = corner.number as usize;
            let (before, after) = (self.corners[(number + count - 1) % count], self.corners[(number + 1) % count]);
            let is_convex = turn(before, corner, after).is_gt();
            match (before.order(&corner).is_lt(), after.order(&corner).is_lt()) {
                (true, false) => self.bend_on_the_left(before, corner, after)?,
                (false, true) => self.bend_on_the_right(corner)?,
                (false, false) if is_convex => self.begin(corner, after),
                (false, false) => self.divide(corner, after)?,
                (true, true) if is_convex => self.end(before, corner)?,
                (true, true) => self.join(before, corner)?,
            }
        }
        self.chains.is_empty().then_some(())
    }

    fn begin(&mut self, corner: Corner, after: Corner) {
        let chain = Chain { left: VecDeque::new(), latest: corner, right: VecDeque::new() };
        self.chains.insert(Edge { upper: corner, lower: after }, chain);
    }

    fn bend_on_the_left(&mut self, before: Corner, corner: Corner, after: Corner) -> Option<()> {
        let mut right = self.chains.remove(&Edge { upper: before, lower: corner })?.all();
        self.cut_from_the_left(corner, &mut right);
        self.chains
            .insert(Edge { upper: corner, lower: after }, Chain { left: VecDeque::new(), latest: corner, right });
        Some(())
    }

    fn bend_on_the_right(&mut self, corner: Corner) -> Option<()> {
        let (edge, chain) = self.take_around(corner)?;
        let mut left = chain.all();
        self.cut_from_the_right(corner, &mut left);
        self.chains.insert(edge, Chain { left, latest: corner, right: VecDeque::new() });
        Some(())
    }

    fn divide(&mut self, corner: Corner, after: Corner) -> Option<()> {
        let (edge, mut chain) = self.take_around(corner)?;
        let mut right = take(&mut chain.right);
        right.push_front(chain.latest);
        let mut left = chain.all();
        self.cut_from_the_right(corner, &mut left);
        self.cut_from_the_left(corner, &mut right);
        self.chains.insert(edge, Chain { left, latest: corner, right: VecDeque::new() });
        self.chains
            .insert(Edge { upper: corner, lower: after }, Chain { left: VecDeque::new(), latest: corner, right });
        Some(())
    }

    fn join(&mut self, before: Corner, corner: Corner) -> Option<()> {
        let mut right = self.chains.remove(&Edge { upper: before, lower: corner })?.all();
        let (edge, chain) = self.take_around(corner)?;
        let mut left = chain.all();
        self.cut_from_the_right(corner, &mut left);
        self.cut_from_the_left(corner, &mut right);
        self.chains.insert(edge, Chain { left, latest: corner, right });
        Some(())
    }

    fn end(&mut self, before: Corner, corner: Corner) -> Option<()> {
        let chain = self.chains.remove(&Edge { upper: before, lower: corner })?.all();
        let neighbours = chain.iter().zip(chain.iter().skip(1));
        self.found.extend(neighbours.map(|(a, b)| [corner.number, b.number, a.number]));
        Some(())
    }

    /// The part of the line in which a corner lies, by the edge on its left.
    fn take_around(&mut self, corner: Corner) -> Option<(Edge, Chain)> {
        let here = Edge { upper: corner, lower: corner };
        let (&edge, _) = self.chains.range(..here).next_back()?;
        self.chains.remove_entry(&edge)
    }

    /// Cuts off what a corner that follows on the left end of a chain sees of it.
    fn cut_from_the_left(&mut self, corner: Corner, chain: &mut VecDeque<Corner>) {
        while let (Some(&first), Some(&second)) = (chain.front(), chain.get(1))
            && turn(corner, second, first).is_gt()
        {
            self.found.push([corner.number, second.number, first.number]);
            chain.pop_front();
        }
    }

    /// Cuts off what a corner that follows on the right end of a chain sees of it.
    fn cut_from_the_right(&mut self, corner: Corner, chain: &mut VecDeque<Corner>) {
        while let Some(at) = chain.len().checked_sub(2)
            && let (second, first) = (chain[at], chain[at + 1])
            && turn(corner, first, second).is_gt()
        {
            self.found.push([corner.number, first.number, second.number]);
            chain.pop_back();
        }
    }
}
