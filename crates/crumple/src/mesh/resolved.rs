//! A plain mesh in place of a closed one that is not: every fan has a vertex of its own, and no edge runs twice.
//!
//! Where solids touch in a vertex or along an edge, one vertex belongs to several parts of the surface. Questions that follow the
//! surface, such as how much it overlaps itself, are then about a mesh in which
//!
//! - triangles that name a vertex twice are left out: they have no area, and their edges cancel each other;
//! - every fan of a vertex (`single_fans`) has a vertex of its own, at the same position;
//! - edges that still run twice between the same two vertices get a vertex in the middle of each copy, and the triangles at them
//!   one in their middle, from which they are cut into pieces. With both, no edge runs twice: those at a middle are of one triangle.
//!   (To cut from the opposite corner is not enough: two triangles that share all three vertices would share the new edges.)
//! - holes are closed, if that is asked for: with a fan of triangles from the mean of the vertices around each.
//!
//! New vertices are means of old ones, and follow them. Cost: O(triangles) once per mesh.

use super::lists::Lists;
use super::single_fans::{around, names_a_vertex_twice};
use super::{EdgeFault, Mesh};
use crate::geom::{TriangleId, VertexId};

/// A plain mesh and what it was made of.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    pub(crate) mesh: std::sync::Arc<Mesh>,
    /// Per vertex the vertices whose mean it is.
    sources: Lists<u32>,
    /// Per triangle that of the original mesh it is all or part of; none if it closes a hole.
    triangles: Vec<Option<TriangleId>>,
}

impl Resolved {
    /// The original vertices whose mean a vertex is.
    pub(crate) fn sources(&self, vertex: usize) -> &[u32] {
        self.sources.at(vertex)
    }

    /// The original triangle that a triangle is all or part of; `None` if it closes a hole.
    pub(crate) fn triangle(&self, triangle: u32) -> Option<TriangleId> {
        self.triangles[triangle as usize]
    }

    /// Whether some vertices are means of several.
    pub(crate) fn has_means(&self) -> bool {
        self.sources.iter().any(|sources| sources.len() > 1)
    }

    /// Resolves a mesh, and closes its holes if `cap_holes`.
    ///
    /// # Errors
    /// Names the first edge along which more triangles run one way than the other: with `cap_holes` the first at which the
    /// surface does not simply end.
    pub(super) fn of(mesh: &Mesh, cap_holes: bool) -> Result<Self, EdgeFault> {
        if let Some(fault) = mesh.topology().unbalanced.filter(|_| !cap_holes) {
            return Err(fault);
        }
        let welded = mesh.welded_indices();
        let is_proper = |triangle: &u32| !names_a_vertex_twice(welded[*triangle as usize]);
        let numbers: Vec<u32> = mesh.live_numbers().filter(is_proper).collect();
        let mut parts = Parts {
            corners: numbers.iter().map(|&triangle| welded[triangle as usize]).collect(),
            triangles: numbers.iter().map(|&triangle| Some(TriangleId(triangle))).collect(),
            sources: Lists::default(),
        };
        (0..mesh.vertex_count() as u32).for_each(|vertex| parts.sources.push([vertex]));
        if cap_holes {
            parts.cap_holes()?;
        }
        parts.part_fans();
        parts.part_edges();
        let mesh = parts.mesh();
        debug_assert!(mesh.single_fans().is_plain());
        Ok(Self { mesh: std::sync::Arc::new(mesh), sources: parts.sources, triangles: parts.triangles })
    }
}

/// A mesh in the making.
struct Parts {
    corners: Vec<[u32; 3]>,
    /// Per triangle the original one.
    triangles: Vec<Option<TriangleId>>,
    /// Per vertex the original ones whose mean it is.
    sources: Lists<u32>,
}

impl Parts {
    fn mesh(&self) -> Mesh {
        Mesh { vertex_count: self.sources.len(), triangles: self.corners.clone(), ..Mesh::default() }
    }

    /// Closes every loop of edges at which the surface ends by a fan of triangles to the mean of its vertices.
    fn cap_holes(&mut self) -> Result<(), EdgeFault> {
        let mesh = self.mesh();
        let edges = mesh.half_edges();
        self.check_borders(&mesh)?;
        let has_twin = |half_edge: u32| edges.twin(half_edge / 3, (half_edge % 3) as u8).is_some();
        let next = |half_edge: u32| half_edge - half_edge % 3 + (half_edge + 1) % 3;
        let start = |half_edge: u32| self.corners[half_edge as usize / 3][half_edge as usize % 3];
        let mut is_done = vec![false; 3 * self.corners.len()];
        let (mut caps, mut centres) = (Vec::new(), Vec::new());
        for first in 0..is_done.len() as u32 {
            if has_twin(first) || is_done[first as usize] {
                continue;
            }
            let centre = (self.sources.len() + centres.len()) as u32;
            let (mut half_edge, mut loop_of) = (first, Vec::new());
            while !std::mem::replace(&mut is_done[half_edge as usize], true) {
                loop_of.push(start(half_edge));
                caps.push([start(next(half_edge)), start(half_edge), centre]);
                // Round the end of the edge, to where the surface ends there.
                half_edge = next(half_edge);
                while let Some((triangle, corner)) = edges.twin(half_edge / 3, (half_edge % 3) as u8) {
                    half_edge = next(3 * triangle + u32::from(corner));
                }
            }
            centres.push(loop_of);
        }
        self.triangles.resize(self.corners.len() + caps.len(), None);
        self.corners.extend(caps);
        centres.into_iter().for_each(|sources| self.sources.push(sources));
        Ok(())
    }

    /// Refuses edges along which two triangles more run one way than the other: there the surface does not simply end.
    fn check_borders(&self, mesh: &Mesh) -> Result<(), EdgeFault> {
        let runs_up = |&half_edge: &u32| {
            let (corners, k) = (self.corners[half_edge as usize / 3], half_edge as usize % 3);
            corners[k] < corners[(k + 1) % 3]
        };
        let mut fault = None;
        for uses in mesh.half_edges().uses() {
            let up = uses.iter().filter(|half_edge| runs_up(half_edge)).count();
            if up.abs_diff(uses.len() - up) < 2 {
                continue;
            }
            let (corners, k) = (self.corners[uses[0] as usize / 3], uses[0] as usize % 3);
            let triangle = self.triangles[uses[0] as usize / 3].unwrap_or_default();
            let count = 1 + fault.map_or(0, |fault: EdgeFault| fault.count);
            let (from, to) = (VertexId(corners[k]), VertexId(corners[(k + 1) % 3]));
            let first = fault.filter(|earlier| earlier.triangle <= triangle);
            fault =
                Some(first.map_or(EdgeFault { count, triangle, from, to }, |earlier| EdgeFault { count, ..earlier }));
        }
        fault.map_or(Ok(()), Err)
    }

    /// Gives every fan a vertex of its own. The first keeps the old one.
    fn part_fans(&mut self) {
        let mesh = self.mesh();
        let mut new = vec![[u32::MAX; 3]; self.corners.len()];
        let mut is_taken = vec![false; self.sources.len()];
        for half_edge in 0..3 * self.corners.len() as u32 {
            let (triangle, corner) = (half_edge as usize / 3, half_edge as usize % 3);
            if new[triangle][corner] != u32::MAX {
                continue;
            }
            let mut vertex = self.corners[triangle][corner];
            if std::mem::replace(&mut is_taken[vertex as usize], true) {
                let sources = self.sources.at(vertex as usize).to_vec();
                vertex = self.sources.len() as u32;
                self.sources.push(sources);
            }
            around(&mesh, half_edge, |half_edge| new[half_edge as usize / 3][half_edge as usize % 3] = vertex);
        }
        self.corners = new;
    }

    /// Puts a vertex into the middle of each copy of edges that run more than once, and cuts the triangles at them into pieces.
    fn part_edges(&mut self) {
        let mesh = self.mesh();
        let edges = mesh.half_edges();
        let mut middles = vec![[u32::MAX; 3]; self.corners.len()];
        for uses in edges.uses().filter(|uses| uses.len() > 2) {
            for &half_edge in uses {
                let (triangle, corner) = (half_edge as usize / 3, half_edge as usize % 3);
                if middles[triangle][corner] == u32::MAX
                    && let Some((other, at)) = edges.twin(triangle as u32, corner as u8)
                {
                    let corners = self.corners[triangle];
                    let middle = self.mean(&[corners[corner], corners[(corner + 1) % 3]]);
                    middles[triangle][corner] = middle;
                    middles[other as usize][at as usize] = middle;
                }
            }
        }
        for triangle in 0..middles.len() {
            let corners = self.corners[triangle];
            if middles[triangle] == [u32::MAX; 3] {
                continue;
            }
            // Not a third of each: this is exact where coordinates are whole multiples of something, and the pieces stay in one plane.
            let [p, q, r] = corners;
            let (centre, of) = (self.mean(&[p, q, r, r]), self.triangles[triangle]);
            let mut pieces = Vec::with_capacity(6);
            for k in 0..3 {
                let (from, to) = (corners[k], corners[(k + 1) % 3]);
                match middles[triangle][k] {
                    u32::MAX => pieces.push([from, to, centre]),
                    middle => pieces.extend([[from, middle, centre], [middle, to, centre]]),
                }
            }
            self.corners[triangle] = pieces[0];
            self.corners.extend(&pieces[1..]);
            self.triangles.resize(self.corners.len(), of);
        }
    }

    /// A new vertex, the mean of others; if these are means themselves, of all their vertices, each as often as it counts.
    fn mean(&mut self, vertices: &[u32]) -> u32 {
        // Each of the vertices has to have as many sources as the others.
        let counts = vertices.iter().map(|&vertex| self.sources.at(vertex as usize).len());
        let common = counts.clone().fold(1, least_common_multiple);
        let mut sources = Vec::new();
        for &vertex in vertices {
            let of = self.sources.at(vertex as usize);
            (0..common / of.len()).for_each(|_| sources.extend_from_slice(of));
        }
        self.sources.push(sources);
        self.sources.len() as u32 - 1
    }
}

fn least_common_multiple(a: usize, b: usize) -> usize {
    let (mut p, mut q) = (a, b);
    while q != 0 {
        (p, q) = (q, p % q);
    }
    a / p * b
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

    fn resolved(vertex_count: usize, triangles: Vec<[u32; 3]>, cap_holes: bool) -> Resolved {
        Resolved::of(&Mesh::new(vertex_count, triangles).unwrap(), cap_holes).unwrap()
    }

    fn renamed(by: [u32; 4]) -> impl Iterator<Item = [u32; 3]> {
        TETRAHEDRON.into_iter().map(move |corners| corners.map(|vertex| by[vertex as usize]))
    }

    #[test]
    fn solids_that_touch_in_a_vertex_or_along_an_edge_get_vertices_of_their_own() {
        for (count, by) in [(7, [0, 4, 5, 6]), (6, [0, 1, 4, 5])] {
            let found = resolved(count, TETRAHEDRON.into_iter().chain(renamed(by)).collect(), false);
            assert!(found.mesh.single_fans().is_plain());
            assert_eq!((found.mesh.vertex_count(), found.mesh.triangles().len(), found.has_means()), (8, 8, false));
        }
    }

    #[test]
    fn an_edge_that_runs_twice_within_one_part_is_cut_in_the_middle() {
        // Two copies of one tetrahedron that are one surface, since the twins along their edges are matched in order.
        let found =
            resolved(4, TETRAHEDRON.into_iter().chain([[0, 1, 3], [0, 2, 1], [2, 0, 3], [1, 2, 3]]).collect(), false);
        assert!(found.mesh.single_fans().is_plain());
        // Faces of different tetrahedra that share two edges and all their vertices.
        let doubled = [[0, 1, 2], [0, 2, 1], [0, 2, 3], [0, 3, 2], [0, 1, 2], [2, 1, 0]];
        assert!(resolved(4, doubled.to_vec(), false).mesh.single_fans().is_plain());
    }

    #[test]
    fn random_closed_chains_become_plain() {
        let mut random = crumple_scenes::Random::new(7);
        let sphere = crumple_scenes::sphere(crumple_scenes::Solid::Octahedron, 1).unwrap();
        let mut parted = 0;
        for _ in 0..2_000 {
            // A sphere of 32 triangles whose vertices are made few: every edge is balanced.
            let by: Vec<u32> = sphere.positions.iter().map(|_| random.below(9) as u32).collect();
            let renamed = sphere.triangles.iter().map(|corners| corners.map(|vertex| by[vertex as usize]));
            let found = resolved(9, renamed.collect(), false);
            assert!(found.mesh.single_fans().is_plain());
            parted += usize::from(found.has_means());
        }
        assert!(parted > 10, "{parted}");
    }

    #[test]
    fn holes_are_closed_by_the_mean_of_their_vertices() {
        let found = resolved(4, TETRAHEDRON[1..].to_vec(), true);
        assert!(found.mesh.single_fans().is_plain());
        assert_eq!(
            (found.mesh.triangles().len(), found.triangle(0), found.triangle(3)),
            (6, Some(TriangleId(0)), None)
        );
        let mut sources = found.sources(4).to_vec();
        sources.sort_unstable();
        assert_eq!(sources, [0, 1, 2]);
        let mut turned = TETRAHEDRON;
        turned[2].swap(0, 1);
        let fault = Resolved::of(&Mesh::new(4, turned.to_vec()).unwrap(), true).unwrap_err();
        assert_eq!((fault.count, fault.triangle), (3, TriangleId(0)));
    }
}
