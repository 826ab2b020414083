//! INPUT: which vertices make up which triangle, and what follows from that.
//!
//! A mesh that is shared does not change. A body whose triangles are removed or added
//! ([`Body::edit`](crate::Body::edit)) gets its own copy of the mesh first.

mod components;
mod error;
mod fans;
mod features;
mod half_edges;
mod lists;
mod live;
mod part;
mod resolved;
mod rings;
#[cfg(feature = "serde")]
mod saved;
mod single_fans;
mod spanning_tree;
mod surround;
mod topology;
pub(crate) mod union_find;
mod weld;

use std::sync::OnceLock;

pub use error::MeshError;
pub(crate) use fans::{Fans, Ring8, distinct};
pub(crate) use features::OwnedFeatures;
pub(crate) use half_edges::HalfEdges;
pub use part::{Renumbering, Seam};
pub(crate) use resolved::Resolved;
pub(crate) use rings::Rings;
pub(crate) use single_fans::{SingleFans, around};
pub(crate) use spanning_tree::SpanningTree;
pub(crate) use surround::Surround;
pub use topology::{EdgeFault, Topology};
pub use weld::DistinctPositions;

use crate::geom::{Coordinate, TriangleId, VertexId};
use lists::Lists;
pub(crate) use live::Live;

/// Triangles over numbered vertices; the vertices' positions belong to a [`Body`](crate::Body).
///
/// ```
/// use crumple::Mesh;
///
/// let tetrahedron = Mesh::new(4, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// assert!(tetrahedron.topology().is_closed());
/// # Ok::<(), crumple::MeshError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "saved::Saved", into = "saved::Saved")
)]
pub struct Mesh {
    vertex_count: usize,
    triangles: Vec<[u32; 3]>,
    live: Live,
    /// For each vertex the one that represents it; none if every vertex represents itself.
    representatives: Option<Vec<u32>>,
    /// The same triangles over welded vertices; none if every vertex represents itself.
    welded: Option<Vec<[u32; 3]>>,
    tables: Tables,
}

/// What follows from the triangles, each computed at the first call.
#[derive(Clone, Debug, Default)]
struct Tables {
    /// See `collapsed_indices`.
    collapsed: OnceLock<Vec<[u32; 3]>>,
    half_edges: OnceLock<HalfEdges>,
    /// Over welded vertices; not in use if every vertex represents itself.
    welded_half_edges: OnceLock<HalfEdges>,
    neighbours: OnceLock<Lists<TriangleId>>,
    topology: OnceLock<Topology>,
    fans: OnceLock<Fans>,
    owned_features: OnceLock<OwnedFeatures>,
    spanning_tree: OnceLock<SpanningTree>,
    surround: OnceLock<Surround>,
    single_fans: OnceLock<SingleFans>,
    /// As it is, and with its holes closed.
    resolved: [OnceLock<Result<Resolved, EdgeFault>>; 2],
}

impl Mesh {
    /// Checks that every triangle uses vertices that exist. A mesh may be empty.
    ///
    /// # Errors
    /// Names the first triangle with a vertex out of range, or says that there are too many triangles to number.
    pub fn new(vertex_count: usize, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        if triangles.len() >= u32::MAX as usize {
            return Err(MeshError::TooManyTriangles { len: triangles.len() });
        }
        for (triangle, vertices) in triangles.iter().enumerate() {
            if let Some(&vertex) = vertices.iter().find(|&&vertex| vertex as usize >= vertex_count) {
                let (triangle, vertex) = (TriangleId(triangle as u32), VertexId(vertex));
                return Err(MeshError::NoSuchVertex { triangle, vertex, len: vertex_count });
            }
        }
        Ok(Self { vertex_count, triangles, ..Self::default() })
    }

    /// The same mesh in which vertices at equal positions count as one for topology. Vertices keep their numbers.
    ///
    /// Without this, meshes from files that store a vertex once per face or per texture seam consist of loose
    /// triangles.
    ///
    /// # Errors
    /// If the number of positions is not the number of vertices.
    pub fn welded<C: Coordinate>(self, positions: &[[C; 3]]) -> Result<Self, MeshError> {
        if positions.len() != self.vertex_count {
            return Err(MeshError::WrongNumberOfPositions { given: positions.len(), len: self.vertex_count });
        }
        Ok(self.with_representatives(Some(weld::by_position(positions))))
    }

    /// The same mesh in which each vertex is represented by another, or by itself.
    fn with_representatives(self, representatives: Option<Vec<u32>>) -> Self {
        let stand_in = |of: &Vec<u32>| self.triangles.iter().map(|t| t.map(|vertex| of[vertex as usize])).collect();
        let welded = representatives.as_ref().map(stand_in);
        Self { representatives, welded, tables: Tables::default(), ..self }
    }

    /// How many vertices the triangles may use; some may be unused.
    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// The vertices of each triangle, by its number; of removed ones too, see [`live_triangles`](Self::live_triangles).
    pub fn triangles(&self) -> &[[VertexId; 3]] {
        bytemuck::cast_slice(&self.triangles)
    }

    /// The same as plain numbers: an index buffer, as files and graphics have it.
    #[doc(alias = "index buffer")]
    pub fn indices(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The triangles that have not been removed, in order, with their numbers and vertices.
    pub fn live_triangles(&self) -> impl Iterator<Item = (TriangleId, [VertexId; 3])> + Clone + '_ {
        self.live_numbers().map(|triangle| (TriangleId(triangle), self.triangles()[triangle as usize]))
    }

    pub(crate) fn live_indices(&self) -> impl Iterator<Item = (TriangleId, [u32; 3])> + Clone + '_ {
        self.live_numbers().map(|triangle| (TriangleId(triangle), self.triangles[triangle as usize]))
    }

    /// How many triangles have not been removed.
    pub fn live_count(&self) -> usize {
        self.triangles.len() - self.live.removed_count()
    }

    /// Whether there is such a triangle and it has not been removed.
    pub fn is_live(&self, triangle: TriangleId) -> bool {
        (triangle.0 as usize) < self.triangles.len() && self.live.holds(triangle.0)
    }

    /// Which triangles have not been removed.
    pub(crate) fn live(&self) -> &Live {
        &self.live
    }

    /// The numbers of the triangles that have not been removed, in order.
    pub(crate) fn live_numbers(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        (0..self.triangles.len() as u32).filter(|&triangle| self.live.holds(triangle))
    }

    /// As [`indices`](Self::indices), a removed triangle shrunk to its first vertex: for callers that need one list and ignore
    /// triangles without area.
    pub fn collapsed_indices(&self) -> &[[u32; 3]] {
        if self.live.removed_count() == 0 {
            return &self.triangles;
        }
        let shown =
            |(number, &triangle): (u32, &[u32; 3])| if self.live.holds(number) { triangle } else { [triangle[0]; 3] };
        self.tables.collapsed.get_or_init(|| (0..).zip(&self.triangles).map(shown).collect())
    }

    /// The vertices of each triangle with welded vertices replaced by one of them: equal numbers mean connected.
    pub fn welded_triangles(&self) -> &[[VertexId; 3]] {
        bytemuck::cast_slice(self.welded_indices())
    }

    pub(crate) fn welded_indices(&self) -> &[[u32; 3]] {
        self.welded.as_deref().unwrap_or(&self.triangles)
    }

    /// The triangles that share an edge with `triangle`, in order; none for one that is not there. A table of them is made at the
    /// first call.
    #[doc(alias = "adjacency")]
    pub fn neighbours(&self, triangle: TriangleId) -> &[TriangleId] {
        let compute = || topology::neighbours(self.triangles.len(), self.welded_half_edges());
        let table = self.tables.neighbours.get_or_init(compute);
        if triangle.index() < table.len() { table.at(triangle.index()) } else { &[] }
    }

    /// Whether the surface is closed, manifold and consistently oriented, and where it is not; computed at the first
    /// call.
    pub fn topology(&self) -> &Topology {
        self.tables.topology.get_or_init(|| {
            // A table of edges takes more memory than the mesh: it is not kept for those who ask nothing else of it.
            let kept = if self.welded.is_none() { &self.tables.half_edges } else { &self.tables.welded_half_edges };
            let of = |edges: &HalfEdges| Topology::of(self.welded_indices(), edges);
            kept.get().map_or_else(|| of(&HalfEdges::of(self, self.welded_indices())), of)
        })
    }

    /// Which triangle answers for which vertex and edge; computed at the first call.
    pub(crate) fn owned_features(&self) -> &OwnedFeatures {
        self.tables.owned_features.get_or_init(|| OwnedFeatures::of(self))
    }

    /// A tree of edges that reaches every vertex of a component; computed at the first call.
    pub(crate) fn spanning_tree(&self) -> &SpanningTree {
        self.tables.spanning_tree.get_or_init(|| SpanningTree::of(self))
    }

    /// Whether every vertex lies in one sheet of a closed surface, and where its edges begin; computed at the first call.
    pub(crate) fn single_fans(&self) -> &SingleFans {
        self.tables.single_fans.get_or_init(|| SingleFans::of(self))
    }

    /// The same surface as a mesh in which that is so; computed at the first call.
    pub(crate) fn resolved(&self, cap_holes: bool) -> Result<&Resolved, EdgeFault> {
        let resolved = &self.tables.resolved[usize::from(cap_holes)];
        resolved.get_or_init(|| Resolved::of(self, cap_holes)).as_ref().map_err(|&fault| fault)
    }

    /// The edges opposite each vertex; computed at the first call.
    pub(crate) fn surround(&self) -> &Surround {
        self.tables.surround.get_or_init(|| Surround::of(self))
    }

    /// The edges over the vertices as they are numbered.
    pub(crate) fn half_edges(&self) -> &HalfEdges {
        self.tables.half_edges.get_or_init(|| HalfEdges::of(self, &self.triangles))
    }

    /// The edges over welded vertices.
    pub(crate) fn welded_half_edges(&self) -> &HalfEdges {
        match &self.welded {
            None => self.half_edges(),
            Some(welded) => self.tables.welded_half_edges.get_or_init(|| HalfEdges::of(self, welded)),
        }
    }

    /// For each vertex the one that represents it; none if every vertex represents itself.
    pub(crate) fn representatives(&self) -> Option<&[u32]> {
        self.representatives.as_deref()
    }

    /// The triangles around each vertex; computed at the first call.
    pub(crate) fn fans(&self) -> &Fans {
        self.tables.fans.get_or_init(|| Fans::of(self))
    }

    /// Whether every vertex represents itself.
    pub(crate) fn is_unwelded(&self) -> bool {
        self.welded.is_none()
    }

    /// Takes triangles out and puts others back, then appends vertices and triangles. The caller has checked that all
    /// of it is possible.
    pub(crate) fn change(
        &mut self,
        remove: &[TriangleId],
        restore: &[TriangleId],
        vertices: usize,
        add: &[[VertexId; 3]],
    ) {
        remove.iter().for_each(|triangle| self.live.remove(triangle.0));
        restore.iter().for_each(|triangle| self.live.restore(triangle.0));
        let first_new = self.vertex_count as u32;
        self.vertex_count += vertices;
        let add: &[[u32; 3]] = bytemuck::cast_slice(add);
        self.triangles.extend_from_slice(add);
        if let (Some(of), Some(welded)) = (&mut self.representatives, &mut self.welded) {
            // A new vertex represents itself.
            of.extend(first_new..first_new + vertices as u32);
            welded.extend(add.iter().map(|t| t.map(|vertex| of[vertex as usize])));
        }
        self.tables = Tables::default();
    }
}
