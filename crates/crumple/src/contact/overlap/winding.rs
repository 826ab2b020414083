//! Which vertices of a body are inside the other one: winding numbers, along a spanning tree.
//!
//! From one end of an edge to the other the winding number changes only where the edge crosses the other surface, and the
//! cuts say where it does. So one number per component and the crossings of the edges of a spanning tree
//! (`mesh::SpanningTree`) give all of them in one pass; nothing is flooded and nothing sorted. A component with a vertex
//! outside the other body's box has 0 there; of a component without one, the first vertex is decided by an exact ray
//! (`exact::winding_step`). One of the bodies is moved by an infinitesimal in both (see `exact::NudgedPair`).
//!
//! Cost: about 1 ns per vertex; a ray O(triangles of the other body), several in one pass.

use super::Cuts;
use super::pairs::Segment;
use crate::body::{Body, PointSource, Points};
use crate::exact::{Moved, winding_step};
use crate::geom::Aabb;
use crate::mesh::{Mesh, SpanningTree};
use crate::threads;

/// Winding numbers of each of two bodies around the vertices of the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Windings(pub(in crate::contact) [Winding; 2]);

impl Windings {
    /// Overwrites the numbers with those of two bodies, of which the surface of each that is asked about encloses a volume.
    pub(crate) fn find(&mut self, bodies: [&Body; 2], cuts: &Cuts, memory: &mut WindingMemory) {
        let Some(common) = cuts.common else { return };
        let [of_a, of_b] = &mut self.0;
        let [memory_a, memory_b] = &mut memory.0;
        let moves_a = common.moved == Moved::A;
        threads::join(
            super::threads_for(bodies, cuts),
            || memory_a.find(Side { bodies, side: 0, moves: moves_a, segments: &cuts.segments }, of_a),
            || memory_b.find(Side { bodies, side: 1, moves: !moves_a, segments: &cuts.segments }, of_b),
        );
    }
}

/// Winding numbers of the other body around the vertices of one.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Winding {
    /// Per vertex.
    pub(in crate::contact) numbers: Vec<i32>,
    /// The vertices whose edge from their parent in the spanning tree is crossed, by their indices in it, some more than
    /// once.
    pub(in crate::contact) crossed: Vec<u32>,
}

/// Working memory of both bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct WindingMemory([Memory; 2]);

#[derive(Clone, Debug, Default)]
struct Memory {
    /// The numbers in the order of the tree, so that they can be computed in one pass over memory.
    in_order: Vec<i32>,
    /// Per vertex, in the order of the tree, how much the number changes on the edge from its parent; 0 between uses.
    steps: Vec<i32>,
    /// Vertices to decide by rays, with their positions; sorted by y.
    rays: Vec<Ray>,
}

#[derive(Clone, Copy, Debug)]
struct Ray {
    point: [f64; 3],
    /// The component it decides, by where it starts in the tree, and by how much that vertex differs from the root.
    component: usize,
    number: i32,
}

/// The body whose vertices are asked about.
#[derive(Clone, Copy)]
struct Side<'a> {
    bodies: [&'a Body; 2],
    /// Which of the two it is.
    side: usize,
    /// Whether it is moved by an infinitesimal, and not the other one.
    moves: bool,
    segments: &'a [Segment],
}

impl Memory {
    /// Computes the winding numbers of the other body around the vertices of one.
    fn find(&mut self, asked: Side<'_>, found: &mut Winding) {
        let Side { bodies, side, moves, segments } = asked;
        let (body, other) = (bodies[side], bodies[1 - side]);
        let mesh = body.mesh();
        let tree = mesh.spanning_tree();
        self.steps.resize(mesh.vertex_count(), 0);
        found.crossed.clear();
        note_crossings(mesh, side, segments, &mut self.steps, &mut found.crossed);
        let numbers = &mut found.numbers;
        let (bounds, vertices) = (other.bounds(), tree.vertices());
        self.rays.clear();
        for component in tree.components() {
            let start = component.start;
            match component.clone().find(|&index| is_outside(&bounds, body, vertices[index])) {
                Some(index) => self.steps[start] = -above_root(tree, &self.steps, index),
                None => {
                    let point = body.exact_position(vertices[start]);
                    self.rays.push(Ray { point, component: start, number: 0 });
                }
            }
        }
        if !self.rays.is_empty() {
            match other.points() {
                Points::F32(points) => self.cast_rays(other, points, moves),
                Points::F64(points) => self.cast_rays(other, points, moves),
            }
            for ray in &self.rays {
                self.steps[ray.component] = ray.number;
            }
        }
        spread(mesh, &self.steps, &mut self.in_order, numbers);
        tree.components().for_each(|component| self.steps[component.start] = 0);
        for &index in &found.crossed {
            self.steps[index as usize] = 0;
        }
    }

    /// Decides all rays in one pass over the triangles of the other body.
    fn cast_rays(&mut self, other: &Body, points: impl PointSource, point_moves: bool) {
        // If the surface moves instead of the points, everything is seen in a point reflection: it turns the motion
        // round, and the surface inside out.
        let sign = if point_moves { 1.0 } else { -1.0 };
        let seen = |p: [f64; 3]| p.map(|x| sign * x);
        self.rays.iter_mut().for_each(|ray| ray.point = seen(ray.point));
        self.rays.sort_unstable_by(|p, q| p.point[1].total_cmp(&q.point[1]).then(p.component.cmp(&q.component)));
        for (_, vertices) in other.mesh().live_indices() {
            let triangle = points.corners(vertices).map(seen);
            let low = triangle[0][1].min(triangle[1][1]).min(triangle[2][1]);
            let high = triangle[0][1].max(triangle[1][1]).max(triangle[2][1]);
            let first = self.rays.partition_point(|ray| ray.point[1] < low);
            for ray in self.rays[first..].iter_mut().take_while(|ray| ray.point[1] <= high) {
                ray.number += winding_step(&triangle, ray.point) * sign as i32;
            }
        }
    }
}

/// Notes where the edges of a body cross the other surface: into it (+1) or out of it (−1).
///
/// Adds to `steps` the changes along edges of the spanning tree, and to `crossed` the vertices these lead to.
pub(in crate::contact) fn note_crossings(
    mesh: &Mesh,
    side: usize,
    segments: &[Segment],
    steps: &mut [i32],
    crossed: &mut Vec<u32>,
) {
    let (tree, welded) = (mesh.spanning_tree(), mesh.welded_indices());
    for Segment { triangles, cut } in segments {
        // Along its border, a leaves b where the segment starts and enters it where it ends; b the other way round.
        let into = if side == 0 { 1 } else { -1 };
        for (edge, change) in [(cut.ends.start, -into), (cut.ends.end, into)] {
            let corner = edge.wrapping_sub(3 * side as u8);
            if corner >= 3 {
                continue;
            }
            let direction = tree.edge(triangles[side], corner);
            if direction != 0 {
                let child = if direction > 0 { (corner + 1) % 3 } else { corner };
                let index = tree.index_of(welded[triangles[side] as usize][child as usize]);
                steps[index as usize] += direction * change;
                crossed.push(index);
            }
        }
    }
}

/// By how much the number of a vertex, given by its index in the tree, exceeds that of its root.
pub(in crate::contact) fn above_root(tree: &SpanningTree, steps: &[i32], mut index: usize) -> i32 {
    let mut sum = 0;
    loop {
        let parent = tree.parents()[index] as usize;
        if parent == index {
            return sum;
        }
        sum += steps[index];
        index = parent;
    }
}

/// Overwrites the numbers of all vertices, given those of the roots and how much they change on the edges of the tree: one step per
/// vertex, in the order of the tree. `in_order` is working memory.
pub(in crate::contact) fn spread(mesh: &Mesh, steps: &[i32], in_order: &mut Vec<i32>, numbers: &mut Vec<i32>) {
    let tree = mesh.spanning_tree();
    let (vertices, parents) = (tree.vertices(), tree.parents());
    numbers.resize(mesh.vertex_count(), 0);
    in_order.resize(vertices.len(), 0);
    if vertices.len() < numbers.len() {
        // Vertices of no triangle are in no tree; all others are overwritten.
        numbers.fill(0);
    }
    // The number of a root is its step, counted from 0; it is its own parent.
    tree.components().for_each(|component| in_order[component.start] = 0);
    for (index, (&vertex, &parent)) in vertices.iter().zip(parents).enumerate() {
        let number = in_order[parent as usize] + steps[index];
        in_order[index] = number;
        numbers[vertex as usize] = number;
    }
    if let Some(representatives) = mesh.representatives() {
        for (vertex, &of) in representatives.iter().enumerate() {
            numbers[vertex] = numbers[of as usize];
        }
    }
}

/// Compares the copies of f64 positions, which are outside only if these are (`body::wide`).
#[inline]
fn is_outside(bounds: &Aabb, body: &Body, vertex: u32) -> bool {
    !bounds.holds(body.vertices().get(vertex))
}
