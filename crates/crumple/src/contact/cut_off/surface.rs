//! What curves cut off of one surface: its parts between them.
//!
//! A part consists of ends of edges: the two ends of an edge hang together where no curve crosses it, the ends of edges at a vertex
//! where no segment ends in the vertex between them. A curve has a part *behind* it and one *in front*, as seen from the triangles
//! that cut: at each crossing next to the end of an edge the direction of the crossing says which of the two that end is in. Parts are
//! followed from there, and only as far as they reach.
//!
//! What a part has of a triangle is what curves add to the integral of its winding number (`overlap`): 1 or 0, as the edge from
//! corner 1 begins in the part, and what every segment that bounds it adds.

use super::super::overlap::{Ends, Segment};
use super::marks::Marks;
use super::smaller::Growth;
use crate::body::Body;
use crate::mesh::Mesh;
use crate::work::spend;

/// One of the two sides of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Bank {
    /// On the side of the other surface to which its normals do not point: inside, if it is closed.
    #[default]
    Behind,
    Front,
}

impl Bank {
    fn other(self) -> Self {
        match self {
            Self::Behind => Self::Front,
            Self::Front => Self::Behind,
        }
    }
}

/// That a part lies at a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    curve: u32,
    bank: Bank,
    pub(super) part: u32,
}

/// The middle of a piece of an edge between two crossings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Middle {
    pub(super) point: [f64; 3],
    /// The curves that cross, and on which bank of each it is.
    pub(super) between: [(u32, Bank); 2],
}

/// A surface with the curves on it; working memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    /// Per edge, named by the first of its half-edges, where it is crossed.
    crossed_of: Marks<u32>,
    crossed: Vec<Crossed>,
    /// All crossings by the edge; of edges with several, sorted, to find the pieces between them.
    crossings: Vec<(u32, Crossing)>,
    /// The corners of triangles in which a segment ends.
    is_parted: Marks<()>,
    /// Per triangle the last segment on it.
    seen_on: Marks<u32>,
    seen: Vec<Seen>,
    /// The triangles of each curve; sorted.
    triangles_of: Vec<(u32, u32)>,
    /// Per half-edge and end the part: that of half-edge h at 2h, at its end at 2h + 1.
    part_of: Marks<u32>,
    parts: Vec<Part>,
    vertices: Vec<u32>,
    triangles: Vec<u32>,
    vertex_in: Marks<u32>,
    triangle_in: Marks<u32>,
    marked: Marks<()>,
    stack: Vec<u32>,
    links: Vec<Link>,
    /// The bank of each curve that is inside, or the smaller one; sorted.
    inside: Vec<(u32, Bank)>,
    votes: Vec<(u32, i32)>,
    /// Curves that part nothing; sorted.
    joined: Vec<u32>,
    pub(super) growth: Growth,
    middles: Vec<Middle>,
    listed: Vec<u32>,
}

/// An edge that curves cross.
#[derive(Clone, Copy, Debug)]
struct Crossed {
    half_edge: u32,
    count: u32,
    /// Those that are nearest to its start and to its end.
    nearest: [Crossing; 2],
}

impl Crossed {
    /// Its ends for which the nearest crossing says on which bank of which curve they are.
    fn ends(&self) -> impl Iterator<Item = (u32, Bank, u32)> + use<> {
        let Self { half_edge, nearest, .. } = *self;
        (0..).zip(nearest).filter(|(_, crossing)| crossing.change != 0).map(
            move |(end, Crossing { change, curve, .. })| {
                // It is entered towards the end, and left towards the start.
                let is_behind = (change > 0) == (end == 1);
                (2 * half_edge + end, if is_behind { Bank::Behind } else { Bank::Front }, curve)
            },
        )
    }
}

/// A crossing of an edge, or several in one point.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    /// Where along the edge.
    time: f64,
    /// By how much the winding number grows there.
    change: i32,
    curve: u32,
}

/// A segment on a triangle.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// The one before it on this triangle.
    before: u32,
    curve: u32,
    /// What it adds to the integral of the winding number.
    fraction: f64,
}

/// Where the lists of a part begin and end.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    vertices: [u32; 2],
    triangles: [u32; 2],
    /// Twice the area of its triangles, as wholes.
    area: f64,
}

/// No segment.
const NONE: u32 = u32::MAX;

impl Surface {
    pub(super) fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// Forgets everything; what follows is about this mesh.
    pub(super) fn start(&mut self, mesh: &Mesh) {
        let (triangles, vertices) = (mesh.triangles().len(), mesh.vertex_count());
        self.crossed_of.start(3 * triangles);
        self.is_parted.start(3 * triangles);
        self.seen_on.start(triangles);
        self.part_of.start(6 * triangles);
        self.vertex_in.start(vertices);
        self.triangle_in.start(triangles);
        self.crossed.clear();
        self.crossings.clear();
        self.seen.clear();
        self.triangles_of.clear();
        self.parts.clear();
        self.vertices.clear();
        self.triangles.clear();
        self.links.clear();
        self.middles.clear();
    }

    /// Adds a segment of a curve on one of its two triangles.
    pub(super) fn add(&mut self, mesh: &Mesh, segment: &Segment, side: usize, curve: u32) {
        let Segment { triangles, cut } = segment;
        let triangle = triangles[side];
        let before = self.seen_on.get(triangle).unwrap_or(NONE);
        self.seen_on.set(triangle, self.seen.len() as u32);
        self.seen.push(Seen { before, curve, fraction: cut.fractions(side).0[0] });
        self.triangles_of.push((curve, triangle));
        // Along its border, a leaves b where the segment starts and enters it where it ends; b the other way round.
        let into = if side == 0 { 1 } else { -1 };
        let coordinates = if side == 0 { cut.in_a } else { cut.in_b };
        for (end, [beta, gamma], change) in
            [(cut.ends.start, coordinates[0], -into), (cut.ends.end, coordinates[1], into)]
        {
            let corner = end.wrapping_sub(3 * side as u8);
            if corner < 3 {
                let time = [beta, gamma, 1.0 - gamma][corner as usize];
                self.cross(mesh, [triangle, corner.into()], Crossing { time, change, curve });
            } else if let Some(corners) = Ends::corners_of(end) {
                self.is_parted.set(3 * triangle + corners[side], ());
            }
        }
    }

    /// Adds a crossing of an edge. Both triangles at the edge have it; it is that of the first one.
    fn cross(&mut self, mesh: &Mesh, [triangle, corner]: [u32; 2], crossing: Crossing) {
        let half_edge = 3 * triangle + corner;
        let (edge, _) = edge_of(mesh, half_edge);
        let index = self.crossed_of.get(edge).unwrap_or_else(|| {
            let nearest = [f64::INFINITY, f64::NEG_INFINITY].map(|time| Crossing { time, change: 0, curve: NONE });
            self.crossed_of.set(edge, self.crossed.len() as u32);
            self.crossed.push(Crossed { half_edge: edge, count: 0, nearest });
            self.crossed.len() as u32 - 1
        });
        if half_edge != edge {
            return;
        }
        let Crossed { count, nearest: [first, last], .. } = &mut self.crossed[index as usize];
        *count += 1;
        self.crossings.push((index, crossing));
        let (is_first, is_last) = (crossing.time < first.time, crossing.time > last.time);
        for (known, is_nearer) in [(first, is_first), (last, is_last)] {
            if is_nearer {
                *known = crossing;
            } else if crossing.time == known.time {
                known.change += crossing.change;
            }
        }
    }

    /// Finds the parts at all curves: given the winding number of the other surface at the ends of edges (2h for that of half-edge h, 2h + 1
    /// at its end) those that are inside, else the smaller ones.
    pub(super) fn find_parts(&mut self, body: &Body, winding: Option<impl Fn(u32) -> i32>) {
        self.inside.clear();
        self.joined.clear();
        if let Some(winding) = &winding {
            self.find_inside(winding);
            for at in 0..self.crossed.len() {
                for (node, bank, _) in self.crossed[at].ends() {
                    // Where a curve runs from one depth to another, each crossing decides for itself.
                    if (bank == Bank::Behind) == is_behind_inside(winding, node, bank) {
                        self.part_from(body, node);
                    }
                }
            }
        } else {
            self.find_smaller(body);
        }
        for at in 0..self.crossed.len() {
            for (node, bank, curve) in self.crossed[at].ends() {
                let Some(part) = self.part_of.get(node) else { continue };
                let bank = match &winding {
                    Some(winding) if (bank == Bank::Behind) == is_behind_inside(winding, node, bank) => {
                        self.inside(curve)
                    }
                    Some(_) => self.inside(curve).other(),
                    None => bank,
                };
                self.links.push(Link { curve, bank, part });
            }
        }
        self.links.sort_unstable();
        self.links.dedup();
        self.triangles_of.sort_unstable();
        self.triangles_of.dedup();
        self.find_middles(body);
    }

    /// Finds out which bank of each curve is inside: that behind it, unless the winding number there is not positive, as where the other
    /// surface is inside out. If a curve runs from one depth to another, what most of its crossings say counts for its area.
    fn find_inside(&mut self, winding: impl Fn(u32) -> i32) {
        let Self { crossed, votes, inside, .. } = self;
        votes.clear();
        for (node, bank, curve) in crossed.iter().flat_map(Crossed::ends) {
            votes.push((curve, if is_behind_inside(&winding, node, bank) { 1 } else { -1 }));
        }
        votes.sort_unstable();
        for of_curve in votes.chunk_by(|one, other| one.0 == other.0) {
            let is_behind = of_curve.iter().map(|(_, vote)| vote).sum::<i32>() >= 0;
            inside.push((of_curve[0].0, if is_behind { Bank::Behind } else { Bank::Front }));
        }
    }

    /// The ends of edges next to curves, on which bank of which curve they are.
    pub(super) fn ends(&self) -> impl Iterator<Item = (u32, Bank, u32)> + '_ {
        self.crossed.iter().flat_map(Crossed::ends)
    }

    /// Says which bank of a curve is the smaller one; curves come in order.
    pub(super) fn set_inside(&mut self, curve: u32, bank: Bank) {
        self.inside.push((curve, bank));
    }

    /// Says that a curve parts nothing; curves come in order.
    pub(super) fn set_joined(&mut self, curve: u32) {
        self.joined.push(curve);
    }

    /// The part that has the end of an edge, if it has been followed.
    pub(super) fn part(&self, node: u32) -> Option<u32> {
        self.part_of.get(node)
    }

    /// Twice the area of the triangles of a part, as wholes.
    pub(super) fn part_area(&self, part: u32) -> f64 {
        self.parts[part as usize].area
    }

    /// The bank of a curve that is inside, or the smaller one.
    pub(super) fn inside(&self, curve: u32) -> Bank {
        self.inside.binary_search_by_key(&curve, |of| of.0).map_or(Bank::Behind, |at| self.inside[at].1)
    }

    /// Follows the part that has the end of an edge, if that has not been done.
    pub(super) fn part_from(&mut self, body: &Body, seed: u32) {
        if self.part_of.get(seed).is_some() {
            return;
        }
        let mut stack = std::mem::take(&mut self.stack);
        let (mesh, part) = (body.mesh(), self.parts.len() as u32);
        let (own, welded) = (mesh.indices(), mesh.welded_indices());
        let starts = [self.vertices.len() as u32, self.triangles.len() as u32];
        let (mut visited, mut area) = (0, 0.0);
        self.part_of.set(seed, part);
        stack.push(seed);
        while let Some(node) = stack.pop() {
            visited += 1;
            let (triangle, corner) = (node / 6, (node / 2 % 3 + node % 2) % 3);
            if self.triangle_in.is_new(triangle, part) {
                self.triangles.push(triangle);
                area += double_area(body, triangle);
            }
            if self.vertex_in.is_new(welded[triangle as usize][corner as usize], part) {
                self.vertices.push(own[triangle as usize][corner as usize]);
            }
            for next in self.next_to(mesh, node).into_iter().flatten() {
                if self.part_of.get(next).is_none() {
                    self.part_of.set(next, part);
                    stack.push(next);
                }
            }
        }
        spend(visited);
        self.stack = stack;
        let ends = [self.vertices.len() as u32, self.triangles.len() as u32];
        self.parts.push(Part { vertices: [starts[0], ends[0]], triangles: [starts[1], ends[1]], area });
    }

    /// The ends of edges that hang together with one.
    #[inline]
    pub(super) fn next_to(&self, mesh: &Mesh, node: u32) -> [Option<u32>; 3] {
        let (half_edge, is_end) = (node / 2, node % 2);
        let (triangle, from) = (half_edge / 3, half_edge % 3);
        let corner = (from + is_end) % 3;
        let (edge, twin) = edge_of(mesh, half_edge);
        // The other edge of the triangle at this corner.
        let beside = if is_end == 1 { 2 * (3 * triangle + corner) } else { 2 * (3 * triangle + (from + 2) % 3) + 1 };
        [
            self.crossed_of.get(edge).is_none().then_some(node ^ 1),
            twin.map(|twin| 2 * twin + 1 - is_end),
            self.is_parted.get(3 * triangle + corner).is_none().then_some(beside),
        ]
    }

    /// Edges that go through a surface and come out again may have no end there: what counts is the middle of each piece between.
    fn find_middles(&mut self, body: &Body) {
        let Self { crossed, crossings, middles, .. } = self;
        crossings.retain(|(edge, _)| crossed[*edge as usize].count > 1);
        crossings.sort_unstable_by(|(edge, one), (of_edge, other)| {
            let in_order = one.time.total_cmp(&other.time).then(one.curve.cmp(&other.curve));
            edge.cmp(of_edge).then(in_order).then(other.change.cmp(&one.change))
        });
        for pieces in crossings.windows(2) {
            let [(edge, enters), (of_next, leaves)] = [pieces[0], pieces[1]];
            if edge != of_next || enters.time == leaves.time {
                continue;
            }
            let half_edge = crossed[edge as usize].half_edge;
            let vertices = body.mesh().indices()[half_edge as usize / 3];
            let [p, q] = [half_edge % 3, (half_edge + 1) % 3].map(|k| body.exact_position(vertices[k as usize]));
            let middle = 0.5 * (enters.time + leaves.time);
            let point = [0, 1, 2].map(|axis| p[axis] + middle * (q[axis] - p[axis]));
            let bank = |is_behind: bool| if is_behind { Bank::Behind } else { Bank::Front };
            let between = [(enters.curve, bank(enters.change > 0)), (leaves.curve, bank(leaves.change < 0))];
            middles.push(Middle { point, between });
        }
    }

    /// The parts on one bank of a curve.
    pub(super) fn parts_at(&self, curve: u32, bank: Bank) -> &[Link] {
        let start = self.links.partition_point(|link| (link.curve, link.bank) < (curve, bank));
        let len = self.links[start..].partition_point(|link| (link.curve, link.bank) == (curve, bank));
        &self.links[start..start + len]
    }

    /// Whether some part lies on both banks of a curve: then the curve does not cut anything off.
    pub(super) fn is_joined(&self, curve: u32) -> bool {
        self.joined.binary_search(&curve).is_ok()
            || have_common(self.parts_at(curve, Bank::Behind), self.parts_at(curve, Bank::Front))
    }

    /// Whether there is anything of a curve.
    pub(super) fn has(&self, curve: u32) -> bool {
        self.triangles_of.get(self.triangles_of.partition_point(|of| of.0 < curve)).is_some_and(|of| of.0 == curve)
    }

    /// The middles of edges on one bank of a curve.
    pub(super) fn middles_at(&self, curve: u32, bank: Bank) -> impl Iterator<Item = &Middle> {
        self.middles.iter().filter(move |middle| middle.between.contains(&(curve, bank)))
    }

    /// The vertices of a part, each once.
    pub(super) fn vertices(&self, part: u32) -> &[u32] {
        let [start, end] = self.parts[part as usize].vertices;
        &self.vertices[start as usize..end as usize]
    }

    /// Marks the triangles that are at least partly in a part that lies on this bank of curves.
    pub(super) fn mark_part(&mut self, part: u32, bank: Bank) {
        let Self { marked, parts, triangles, links, triangles_of, part_of, .. } = self;
        marked.start(part_of.len() / 6);
        let [start, end] = parts[part as usize].triangles;
        triangles[start as usize..end as usize].iter().for_each(|&triangle| marked.set(triangle, ()));
        for link in links.iter().filter(|link| (link.part, link.bank) == (part, bank)) {
            mark_curve(marked, triangles_of, link.curve);
        }
    }

    /// Marks the triangles over which curves run.
    pub(super) fn mark_curves(&mut self, curves: [u32; 2]) {
        let Self { marked, triangles_of, part_of, .. } = self;
        marked.start(part_of.len() / 6);
        curves.into_iter().for_each(|curve| mark_curve(marked, triangles_of, curve));
    }

    /// Whether a triangle was marked last.
    pub(super) fn is_marked(&self, triangle: u32) -> bool {
        self.marked.get(triangle).is_some()
    }

    fn seen(&self, triangle: u32) -> impl Iterator<Item = &Seen> {
        let last = self.seen_on.get(triangle).unwrap_or(NONE);
        std::iter::successors(self.seen.get(last as usize), |seen| self.seen.get(seen.before as usize))
    }

    /// The area of what lies on one bank of a curve.
    pub(super) fn area(&mut self, body: &Body, curve: u32, bank: Bank) -> f64 {
        let mut listed = std::mem::take(&mut self.listed);
        listed.clear();
        let within = self.parts_at(curve, bank);
        for link in within {
            let [start, end] = self.parts[link.part as usize].triangles;
            listed.extend_from_slice(&self.triangles[start as usize..end as usize]);
        }
        let start = self.triangles_of.partition_point(|of| of.0 < curve);
        listed.extend(self.triangles_of[start..].iter().take_while(|of| of.0 == curve).map(|of| of.1));
        listed.sort_unstable();
        listed.dedup();
        let is_within = |part: u32| within.iter().any(|link| link.part == part);
        let sign = |bank: Bank| if bank == Bank::Behind { 1.0 } else { -1.0 };
        let weight = |other: u32| match () {
            () if other == curve => sign(bank),
            () if have_common(self.parts_at(other, Bank::Behind), within) => 1.0,
            () if have_common(self.parts_at(other, Bank::Front), within) => -1.0,
            () => 0.0,
        };
        let mut sum = 0.0;
        for &triangle in &listed {
            let fraction = match self.seen_on.get(triangle) {
                None => 1.0,
                Some(_) => {
                    let starts_within = self.part_of.get(2 * (3 * triangle + 1)).is_some_and(is_within);
                    let whole = if starts_within { 1.0 } else { 0.0 };
                    whole + self.seen(triangle).map(|seen| weight(seen.curve) * seen.fraction).sum::<f64>()
                }
            };
            sum += 0.5 * fraction * double_area(body, triangle);
        }
        self.listed = listed;
        // Of a part without a vertex the segments say only that, and not on which bank it is.
        sum.abs()
    }
}

fn mark_curve(marked: &mut Marks<()>, triangles_of: &[(u32, u32)], curve: u32) {
    let start = triangles_of.partition_point(|of| of.0 < curve);
    triangles_of[start..].iter().take_while(|of| of.0 == curve).for_each(|of| marked.set(of.1, ()));
}

/// Whether a part is in both lists, which are sorted.
fn have_common(one: &[Link], other: &[Link]) -> bool {
    one.iter().any(|link| other.binary_search_by_key(&link.part, |link| link.part).is_ok())
}

/// Whether the part behind a crossing is inside, given the end of an edge on one bank: the winding number is larger by 1 there.
fn is_behind_inside(winding: impl Fn(u32) -> i32, node: u32, bank: Bank) -> bool {
    winding(node) + i32::from(bank == Bank::Front) > 0
}

/// Twice the area of a triangle.
pub(super) fn double_area(body: &Body, triangle: u32) -> f64 {
    let [p, q, r] = body.exact_corners(body.mesh().indices()[triangle as usize]);
    let (u, v) = ([0, 1, 2].map(|k| q[k] - p[k]), [0, 1, 2].map(|k| r[k] - p[k]));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    normal.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The first half-edge of the edge of a half-edge, and its twin.
#[inline]
pub(super) fn edge_of(mesh: &Mesh, half_edge: u32) -> (u32, Option<u32>) {
    let twin = mesh.welded_half_edges().twin(half_edge / 3, (half_edge % 3) as u8);
    let twin = twin.map(|(triangle, corner)| 3 * triangle + u32::from(corner));
    (twin.map_or(half_edge, |twin| half_edge.min(twin)), twin)
}
