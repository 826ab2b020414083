//! The winding number at one germ of each component of a surface: what all others are counted from.
//!
//! Take the vertex v of the component that is highest in x, and a point p beyond the whole body in the direction of x, where the
//! winding number is 0. Follow the line from p to v: every triangle that it crosses changes the number, and next to v it is known.
//! Turn from there to an edge v a, in the plane of p, v and a: the segments in which the triangles at v cross that plane and which
//! begin in v change it (as the turns of a corner do, see `germs`; the triangle v p a stands in for the corner). What is left is
//! whether one arrives at the edge from outside the wedge of its two triangles, or from inside: then the number outside is less by 1.
//!
//! All of it is decided by signs about four different vertices (`exact::own_motions`), p being one of them.
//!
//! Only triangles that reach as far as v can be crossed by the line. Of its own component these are few, if any. The triangles are
//! looked at only where the line may meet another component, or another vertex is as high.
//!
//! Cost: O(vertices), and one pass over all triangles in these cases.

use crate::body::{Body, PointSource, Points};
use crate::exact::OwnMotions;
use crate::mesh::{Mesh, around};
use crate::work::spend;

/// Of more components than this it is not asked which may meet which: all take part.
const MOST_COMPARED: usize = 64;

/// A germ and its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed {
    pub(super) vertex: u32,
    pub(super) half_edge: u32,
    pub(super) number: i32,
    /// Where the component starts in the spanning tree.
    pub(super) root: usize,
}

/// Finds seeds; working memory.
#[derive(Clone, Debug, Default)]
pub(super) struct SeedFinder {
    tops: Vec<Top>,
    /// Those whose lines may meet triangles, by y.
    lines: Vec<u32>,
    seeds: Vec<Seed>,
}

/// The highest vertex of a component.
#[derive(Clone, Copy, Debug)]
struct Top {
    vertex: u32,
    point: [f64; 3],
    root: usize,
    /// Whether another vertex of the component is as high.
    is_shared: bool,
    min: [f64; 3],
    max: [f64; 3],
    /// What the triangles that the line crosses add up to.
    crossed: i32,
}

impl SeedFinder {
    /// A seed for every component of a body with a plain mesh.
    pub(super) fn find(&mut self, body: &Body) -> &[Seed] {
        match body.points() {
            Points::F32(points) => self.find_from(body.mesh(), points),
            Points::F64(points) => self.find_from(body.mesh(), points),
        }
        &self.seeds
    }

    fn find_from(&mut self, mesh: &Mesh, points: impl PointSource) {
        self.seeds.clear();
        self.find_tops(mesh, points);
        let far = self.beyond();
        self.find_lines();
        self.follow_lines(mesh, points, far);
        for (component, top) in (0..).zip(&self.tops) {
            let Some(half_edge) = mesh.single_fans().first(top.vertex) else { continue };
            let line = Line::new(top, far, mesh, component);
            let number = line.number_at(mesh, points, half_edge, top.crossed);
            self.seeds.push(Seed { vertex: top.vertex, half_edge, number, root: top.root });
        }
    }

    fn find_tops(&mut self, mesh: &Mesh, points: impl PointSource) {
        self.tops.clear();
        let tree = mesh.spanning_tree();
        if tree.components().len() == 1 {
            return self.find_top_of_all(mesh, points);
        }
        for component in tree.components() {
            let vertices = &tree.vertices()[component.clone()];
            let first = points.at(vertices[0]);
            let (mut vertex, mut point, mut is_shared) = (vertices[0], first, false);
            let (mut min, mut max) = (first, first);
            for &other in &vertices[1..] {
                let p = points.at(other);
                if p[0] >= point[0] {
                    is_shared = p[0] == point[0];
                    if !is_shared {
                        (vertex, point) = (other, p);
                    }
                }
                for axis in 0..3 {
                    min[axis] = min[axis].min(p[axis]);
                    max[axis] = max[axis].max(p[axis]);
                }
            }
            self.tops.push(Top { vertex, point, root: component.start, is_shared, min, max, crossed: 0 });
        }
    }

    /// The same where there is but one component: in the order of memory, and along x only.
    fn find_top_of_all(&mut self, mesh: &Mesh, points: impl PointSource) {
        let fans = mesh.single_fans();
        let (mut found, mut is_shared) = (None, false);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for vertex in 0..mesh.vertex_count() as u32 {
            let x = points.at(vertex)[0];
            low = low.min(x);
            // Vertices of no triangle, and those that others represent, do not count.
            if x >= high && fans.first(vertex).is_some() {
                is_shared = x == high;
                if !is_shared {
                    (found, high) = (Some(vertex), x);
                }
            }
        }
        let Some(vertex) = found else { return };
        let point = points.at(vertex);
        let (min, max) = ([low, point[1], point[2]], [high, point[1], point[2]]);
        self.tops.push(Top { vertex, point, root: 0, is_shared, min, max, crossed: 0 });
    }

    /// A coordinate beyond the whole body.
    fn beyond(&self) -> f64 {
        let max = self.tops.iter().fold(f64::NEG_INFINITY, |max, top| max.max(top.max[0]));
        let min = self.tops.iter().fold(f64::INFINITY, |min, top| min.min(top.min[0]));
        // By the size of the body; of one that is flat, by its distance from 0.
        let by = if max > min { max - min } else { max.abs() };
        if by > 0.0 { max + by } else { max + 1.0 }
    }

    /// Lists the components whose lines may meet triangles that are not at their vertex, by y.
    fn find_lines(&mut self) {
        let Self { tops, lines, .. } = self;
        lines.clear();
        let compares = tops.len() <= MOST_COMPARED;
        let may_meet = |top: &Top, other: &Top| {
            other.root != top.root
                && other.max[0] >= top.point[0]
                && (1..3).all(|axis| other.min[axis] <= top.point[axis] && top.point[axis] <= other.max[axis])
        };
        let takes_part = |top: &Top| {
            top.is_shared || (tops.len() > 1 && (!compares || tops.iter().any(|other| may_meet(top, other))))
        };
        lines.extend((0..).zip(tops.iter()).filter(|(_, top)| takes_part(top)).map(|(at, _)| at));
        let y = |&line: &u32| tops[line as usize].point[1];
        lines.sort_unstable_by(|p, q| y(p).total_cmp(&y(q)).then(p.cmp(q)));
    }

    /// Counts what each line crosses, in one pass over the triangles.
    fn follow_lines(&mut self, mesh: &Mesh, points: impl PointSource, far: f64) {
        let Self { tops, lines, .. } = self;
        let (Some(&lowest), Some(&highest)) = (lines.first(), lines.last()) else { return };
        let within = [lowest, highest].map(|line| tops[line as usize].point[1]);
        let welded = mesh.welded_indices();
        spend(mesh.triangles().len() / 8);
        for triangle in mesh.live_numbers() {
            let vertices = welded[triangle as usize];
            let corners = points.corners(vertices);
            let low = |axis: usize| corners[0][axis].min(corners[1][axis]).min(corners[2][axis]);
            let high = |axis: usize| corners[0][axis].max(corners[1][axis]).max(corners[2][axis]);
            let (low_y, high_y) = (low(1), high(1));
            if high_y < within[0] || low_y > within[1] {
                continue;
            }
            let first = lines.partition_point(|&line| tops[line as usize].point[1] < low_y);
            for &line in &lines[first..] {
                let top = &mut tops[line as usize];
                if top.point[1] > high_y {
                    break;
                }
                let is_met = low(2) <= top.point[2] && top.point[2] <= high(2) && high(0) >= top.point[0];
                if is_met && !vertices.contains(&top.vertex) {
                    top.crossed += Line::new(top, far, mesh, line).step(corners, vertices);
                }
            }
        }
    }
}

/// The line from a point beyond the body to a vertex.
struct Line {
    /// The vertex and the point, where they are and their numbers.
    ends: [[f64; 3]; 2],
    names: [u32; 2],
}

impl Line {
    fn new(top: &Top, far: f64, mesh: &Mesh, component: u32) -> Self {
        let point = [far, top.point[1], top.point[2]];
        // No vertex has this number.
        Self { ends: [top.point, point], names: [top.vertex, mesh.vertex_count() as u32 + component] }
    }

    /// How a triangle that is not at the vertex changes the number on the way from the point to the vertex.
    fn step(&self, corners: [[f64; 3]; 3], vertices: [u32; 3]) -> i32 {
        let ([v, p], [of_v, of_p]) = (self.ends, self.names);
        let [a, b, c] = corners;
        let moved =
            OwnMotions::new([v, p, a, b, c, c], [of_v, of_p, vertices[0], vertices[1], vertices[2], vertices[2]]);
        let is_above = |end: usize| moved.is_positive([2, 3, 4, end]);
        let (from_above, to_above) = (is_above(1), is_above(0));
        if from_above == to_above {
            return 0;
        }
        let side = |from: usize, to: usize| moved.is_positive([1, 0, from, to]);
        let first = side(2, 3);
        if side(3, 4) != first || side(4, 2) != first {
            return 0;
        }
        if from_above { 1 } else { -1 }
    }

    /// The number of a half-edge that starts at the vertex, given what the line has crossed on its way.
    fn number_at(&self, mesh: &Mesh, points: impl PointSource, half_edge: u32, crossed: i32) -> i32 {
        let welded = mesh.welded_indices();
        // The other ends of a half-edge at the vertex and of the next one: the triangle between them is on its left.
        let ends_of = |half_edge: u32| {
            let (corners, k) = (welded[half_edge as usize / 3], half_edge as usize % 3);
            [corners[(k + 1) % 3], corners[(k + 2) % 3]]
        };
        let ([v, p], [of_v, of_p]) = (self.ends, self.names);
        let [a, c] = ends_of(half_edge);
        let at = |vertex: u32| points.at(vertex);
        let mut number = crossed;
        let mut d = c;
        around(mesh, half_edge, |other| {
            let [r, s] = ends_of(other);
            if s == a {
                // The triangle on the right of the edge.
                d = r;
            }
            if r == a || s == a {
                return;
            }
            // Points 0 to 4: v, p, a, r, s. As two triangles that share a vertex, see `overlap::cut`: v p a and v r s.
            let moved = OwnMotions::new([v, p, at(a), at(r), at(s), at(s)], [of_v, of_p, a, r, s, s]);
            let [p_is_above, a_is_above] = [1, 2].map(|k| moved.is_positive([0, 3, 4, k]));
            if p_is_above == a_is_above {
                return;
            }
            let [r_is_above, s_is_above] = [3, 4].map(|k| moved.is_positive([0, 1, 2, k]));
            if r_is_above != s_is_above && a_is_above != s_is_above {
                number += if a_is_above { -1 } else { 1 };
            }
        });
        if c == d {
            // Two triangles back to back, with nothing between them.
            return number;
        }
        // Points 0 to 4: v, p, a, c, d. The triangles at the edge are v a c and a v d.
        let moved = OwnMotions::new([v, p, at(a), at(c), at(d), at(d)], [of_v, of_p, a, c, d, d]);
        let [above_left, above_right] = [[0, 2, 3, 1], [2, 0, 4, 1]].map(|four| moved.is_positive(four));
        let is_reflex = moved.is_positive([0, 2, 3, 4]);
        let is_outside = if is_reflex { above_left && above_right } else { above_left || above_right };
        if is_outside { number } else { number - 1 }
    }
}
