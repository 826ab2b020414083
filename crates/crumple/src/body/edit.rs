//! Bodies whose triangles come and go: cutting, tearing, fusing, coarse for fine.
//!
//! Within a body numbers are stable: a removed triangle keeps its number, which is never given to another, and what is
//! added gets the next numbers. Splitting, fusing and compacting make new numbers and say which is which. Whatever is
//! refused changes nothing.
//!
//! Cost: an edit is O(what it changes), and O(triangles) once if somebody else holds the mesh too; all else is
//! O(vertices + triangles). Trees take an edit in when they are next needed
//! ([`PairMethod::rebuild`](crate::narrow::PairMethod::rebuild)).

use std::ops::Range;
use std::sync::Arc;

use glam::Vec4;

use super::{Body, BodyError, Doubles, Drift, Move, Vertices, Wide};
use crate::geom::{Aabb, Coordinate, ShownPosition, TriangleId, VertexId};
use crate::mesh::{Mesh, Renumbering, Seam};

/// What changes in a body: first triangles go, then some come back, then others are added.
///
/// ```
/// use crumple::{Body, Edit, Mesh, TriangleId, VertexId};
///
/// let sheet = Mesh::new(4, vec![[0, 1, 2], [2, 1, 3]])?;
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
/// let mut body = Body::new(sheet, &corners)?;
/// let edited = body.edit(&Edit {
///     remove: vec![TriangleId(1)],
///     add_vertices: vec![[1.0, 1.0, 1.0]],
///     add_triangles: vec![[2, 1, 4].map(VertexId)],
///     ..Edit::default()
/// })?;
/// assert_eq!(edited.vertices, VertexId(4)..VertexId(5));
/// assert_eq!(edited.triangles, TriangleId(2)..TriangleId(3));
/// assert_eq!(body.triangle(TriangleId(1)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edit {
    /// Triangles to remove.
    pub remove: Vec<TriangleId>,
    /// Triangles to put back that were removed earlier; they have their old numbers.
    pub restore: Vec<TriangleId>,
    /// Positions of vertices to add, which get the next numbers. A body made with f64 positions widens them.
    pub add_vertices: Vec<[f32; 3]>,
    /// The same in f64; these vertices are numbered after those above. A body made with f32 positions takes them if they are
    /// f32 numbers.
    pub add_vertices_f64: Vec<[f64; 3]>,
    /// Triangles to add, over old and new vertices; they get the next numbers.
    pub add_triangles: Vec<[VertexId; 3]>,
}

/// The numbers of what an edit has added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Edited {
    /// The numbers of the added vertices.
    pub vertices: Range<VertexId>,
    /// The numbers of the added triangles.
    pub triangles: Range<TriangleId>,
}

/// Why a change of triangles was refused; the body is then as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// A triangle's number was never given.
    #[error("there is no triangle {triangle}: the body has {len}, counted from 0")]
    NoSuchTriangle {
        /// The number.
        triangle: TriangleId,
        /// How many triangles there are, removed ones counted.
        len: usize,
    },
    /// A triangle was removed before.
    #[error("triangle {triangle} has been removed already")]
    AlreadyRemoved {
        /// Its number.
        triangle: TriangleId,
    },
    /// A triangle that is to come back is still there.
    #[error("triangle {triangle} is there: only a removed one can be restored")]
    NotRemoved {
        /// Its number.
        triangle: TriangleId,
    },
    /// A triangle is in a list more than once.
    #[error("triangle {triangle} is named twice")]
    NamedTwice {
        /// Its number.
        triangle: TriangleId,
    },
    /// An added triangle names a vertex that is not there.
    #[error("added triangle {triangle} uses vertex {vertex}, but the body has {len} vertices with the added ones")]
    NoSuchVertex {
        /// The number the triangle would have.
        triangle: TriangleId,
        /// The vertex it names.
        vertex: VertexId,
        /// How many vertices there would be.
        len: usize,
    },
    /// A coordinate of an added vertex is NaN or infinite.
    #[error("added vertex {vertex} is at {}: not finite", ShownPosition(*position))]
    NotFinite {
        /// The number the vertex would have.
        vertex: VertexId,
        /// Its position as given.
        position: [f64; 3],
    },
    /// The position of an added vertex is one that the body cannot hold.
    #[error("an added vertex is refused: {source}")]
    Position {
        /// Why; the vertex is named by the number it would have. Part of the message, see [`SceneError`](crate::SceneError).
        r#source: BodyError,
    },
    /// Numbers are 32 bits wide.
    #[error("{vertices} vertices and {triangles} triangles are too many: a body holds fewer than {} of each", u32::MAX)]
    TooMany {
        /// How many vertices there would be.
        vertices: usize,
        /// How many triangles there would be, removed ones counted.
        triangles: usize,
    },
    /// Nothing would be split off.
    #[error("the set of triangles to split off is empty: name at least one")]
    NothingToSplitOff,
    /// Nothing would be left.
    #[error("the set to split off holds all {len} triangles of the body: leave at least one")]
    NothingLeft {
        /// How many triangles there are.
        len: usize,
    },
}

/// A body made of a part of another one.
#[derive(Clone, Debug)]
pub struct Part {
    /// The part.
    pub body: Body,
    /// Which vertices and triangles of the old body it has.
    pub numbers: Renumbering,
}

impl Edit {
    /// All vertices that come, in the order of their numbers.
    fn added_vertices(&self) -> impl Iterator<Item = [f64; 3]> {
        let widened = self.add_vertices.iter().map(|position| position.map(f64::from));
        widened.chain(self.add_vertices_f64.iter().copied())
    }
}

impl Body {
    /// How many times the triangles have changed; what was built over them holds as long as this stays.
    pub fn topology_version(&self) -> u64 {
        self.topology_version
    }

    /// Whether all triangles and vertices have kept their numbers since an earlier topology version.
    pub(crate) fn keeps_numbers_since(&self, topology_version: u64) -> bool {
        self.renumbered_at <= topology_version
    }

    /// Removes, restores and adds triangles, and adds vertices. Counts as a new version.
    ///
    /// Triangles that are removed leave their vertices behind, which [`set_positions`](Self::set_positions) goes on
    /// asking for; [`compact`](Self::compact) drops them. If the mesh is welded, added vertices stand for themselves.
    ///
    /// # Errors
    /// If a triangle to remove is not there, one to restore was not removed, either is named twice, an added triangle
    /// uses a vertex that does not exist, or an added position is not finite. The body then stays as it was.
    pub fn edit(&mut self, edit: &Edit) -> Result<Edited, EditError> {
        let edited = self.check(edit)?;
        // Only a mesh that somebody else holds too is copied.
        let mesh = Arc::make_mut(&mut self.mesh);
        mesh.change(&edit.remove, &edit.restore, edit.added_vertices().count(), &edit.add_triangles);
        for position in edit.added_vertices() {
            // −0 + 0 is +0, as for all positions.
            let [x, y, z] = position.map(|x| x as f32 + 0.0);
            self.now.push([x, y, z]);
            // Positions written in place stay; added vertices are then where they come.
            if self.has_written {
                match &mut self.wide {
                    None => self.next.push([x, y, z]),
                    Some(wide) => wide.next.push(position),
                }
            }
            if let Some(wide) = &mut self.wide {
                wide.now.push(position);
                if !self.stands_still {
                    wide.start.push(position);
                }
            }
            if !self.stands_still {
                self.start.push([x, y, z]);
                self.start_bounds = self.start_bounds.with_vertex(Vec4::new(x, y, z, 0.0));
                self.start_drift.include_rest(&self.drift);
            }
            self.bounds = self.bounds.with_vertex(Vec4::new(x, y, z, 0.0));
        }
        self.note_new_topology();
        Ok(edited)
    }

    /// Splits a body in two: what is left without the given triangles, and those.
    ///
    /// Vertices that both use are doubled; those that neither uses are dropped.
    ///
    /// # Errors
    /// If a triangle of the set is not there or named twice, or the set is empty or holds every triangle.
    pub fn split(&self, off: &[TriangleId]) -> Result<[Part; 2], EditError> {
        if off.is_empty() {
            return Err(EditError::NothingToSplitOff);
        }
        let mut goes = vec![false; self.mesh.triangles().len()];
        self.check_list(off, &mut goes, true)?;
        if off.len() == self.mesh.live_count() {
            return Err(EditError::NothingLeft { len: off.len() });
        }
        Ok([false, true].map(|which| self.part(|triangle| goes[triangle as usize] == which)))
    }

    /// Makes one body of two: the vertices and triangles of `a`, then those of `b`.
    ///
    /// It keeps the pose, the name and the user data of `a`. Removed triangles are dropped; vertices are all kept.
    ///
    /// # Errors
    /// If there would be too many vertices or triangles to number.
    pub fn fuse(a: &Self, b: &Self, seam: Seam) -> Result<(Self, [Renumbering; 2]), EditError> {
        let vertices = a.now.len() + b.now.len();
        check_counts(vertices, a.mesh.live_count() + b.mesh.live_count())?;
        let meshes = [a, b].map(|body| &*body.mesh);
        // In f64 if either is: the other's numbers widen without change.
        let both = |at: fn(&Self, u32) -> [f64; 3]| {
            [a, b].into_iter().flat_map(move |body| (0..body.now.len() as u32).map(move |vertex| at(body, vertex)))
        };
        let wide = (a.is_wide() || b.is_wide()).then(|| Wide {
            now: both(Self::exact_position).collect(),
            start: both(Self::exact_previous_position).collect(),
            next: Doubles::default(),
        });
        let (mesh, numbers) = match &wide {
            None => Mesh::joined(meshes, [a.now.as_slice(), b.now.as_slice()], seam),
            Some(wide) => Mesh::joined(meshes, wide.now.positions.split_at(a.now.len()).into(), seam),
        };
        let (now, start) = (a.now.joined(&b.now), a.previous_vertices().joined(b.previous_vertices()));
        let mut fused = a.successor(mesh, now, start, wide.map(Box::new));
        fused.stands_still = a.stands_still && b.stands_still;
        if a.has_written || b.has_written {
            fused.write(both(Self::written_position));
        }
        Ok((fused, numbers))
    }

    /// Drops removed triangles and vertices that no triangle uses, and numbers the others anew, in their order. Counts
    /// as a new version.
    pub fn compact(&mut self) -> Renumbering {
        let Part { body, numbers } = self.part(|_| true);
        (self.mesh, self.now, self.start, self.wide) = (body.mesh, body.now, body.start, body.wide);
        self.next = body.next;
        (self.bounds, self.start_bounds) = (body.bounds, body.start_bounds);
        self.note_new_topology();
        self.renumbered_at = self.topology_version;
        numbers
    }

    /// Puts another mesh with its own vertices in the place of this one: coarse for fine, or anything for anything.
    ///
    /// The pose stays; there are no previous positions, so they are the same as now.
    ///
    /// # Errors
    /// If the number of positions is not the new mesh's number of vertices, or a position is refused, as by
    /// [`set_positions`](Self::set_positions). The body then stays as it was.
    pub fn swap_mesh<C: Coordinate>(
        &mut self,
        mesh: impl Into<Arc<Mesh>>,
        positions: &[[C; 3]],
    ) -> Result<(), BodyError> {
        let mut other = Self::at_origin(mesh.into(), self.precision());
        other.move_to(C::given(positions), Move::Step)?;
        (self.mesh, self.bounds) = (other.mesh, other.bounds);
        (self.now, self.wide) = (other.now, other.wide);
        self.hold_still();
        self.drop_written();
        self.note_new_topology();
        self.renumbered_at = self.topology_version;
        Ok(())
    }

    fn note_new_topology(&mut self) {
        self.topology_version += 1;
        self.version += 1;
    }

    /// Where a vertex will be by what was written in place; where it is now if nothing was.
    fn written_position(&self, vertex: u32) -> [f64; 3] {
        match &self.wide {
            _ if !self.has_written => self.exact_position(vertex),
            None => self.next.position(vertex).map(f64::from),
            Some(wide) => wide.next.positions[vertex as usize],
        }
    }

    /// Writes all positions in place, as a caller would.
    fn write(&mut self, positions: impl Iterator<Item = [f64; 3]>) {
        match &mut self.wide {
            None => self.next = positions.map(|position| position.map(|x| x as f32)).collect(),
            Some(wide) => wide.next = positions.collect(),
        }
        self.has_written = true;
    }

    /// The body that some of the triangles make.
    fn part(&self, chosen: impl Fn(u32) -> bool) -> Part {
        let (mesh, numbers) = self.mesh.part(chosen);
        let gathered =
            |from: &Vertices| numbers.old_vertices().iter().map(|&VertexId(old)| from.position(old)).collect();
        let wide = self.wide.as_ref().map(|_| {
            let old = || numbers.old_vertices().iter().map(|&VertexId(old)| old);
            let now = old().map(|old| self.exact_position(old)).collect();
            let start = old().map(|old| self.exact_previous_position(old)).collect();
            Box::new(Wide { now, start, next: Doubles::default() })
        });
        let mut body = self.successor(mesh, gathered(&self.now), gathered(self.previous_vertices()), wide);
        body.stands_still = self.stands_still;
        if self.has_written {
            body.write(numbers.old_vertices().iter().map(|&VertexId(old)| self.written_position(old)));
        }
        Part { body, numbers }
    }

    /// A body of another mesh with this one's pose, name and user data.
    fn successor(&self, mesh: Mesh, now: Vertices, start: Vertices, wide: Option<Box<Wide>>) -> Self {
        let bounds = Aabb::of_points(now.as_slice());
        let (start_drift, mut drift) = (Drift::default(), Drift::default());
        let displacements = now.as_slice().iter().zip(start.as_slice());
        let moved = displacements.fold(Aabb::EMPTY, |moved, (now, start)| {
            moved.with_vertex(Vec4::new(now[0] - start[0], now[1] - start[1], now[2] - start[2], 0.0))
        });
        drift.add(&moved);
        Self {
            mesh: Arc::new(mesh),
            now,
            next: Vertices::default(),
            wide,
            stands_still: false,
            has_written: false,
            start_bounds: Aabb::of_points(start.as_slice()),
            start_drift,
            bounds,
            version: 1,
            topology_version: 0,
            renumbered_at: 0,
            drift,
            pose: self.pose,
            name: self.name.clone(),
            user_data: self.user_data,
            start,
        }
    }

    fn check(&self, edit: &Edit) -> Result<Edited, EditError> {
        let (vertices, triangles) = (self.now.len(), self.mesh.triangles().len());
        let (all_vertices, all_triangles) =
            (vertices + edit.added_vertices().count(), triangles + edit.add_triangles.len());
        check_counts(all_vertices, all_triangles)?;
        if !(edit.remove.is_empty() && edit.restore.is_empty()) {
            let mut named = vec![false; triangles];
            self.check_list(&edit.remove, &mut named, true)?;
            self.check_list(&edit.restore, &mut named, false)?;
        }
        for (vertex, position) in (vertices as u32..).map(VertexId).zip(edit.added_vertices()) {
            self.check_position(vertex, position).map_err(|source| match source {
                BodyError::NotFinite { vertex, position } => EditError::NotFinite { vertex, position },
                source => EditError::Position { source },
            })?;
        }
        for (triangle, corners) in (triangles as u32..).zip(&edit.add_triangles) {
            if let Some(&vertex) = corners.iter().find(|vertex| vertex.index() >= all_vertices) {
                return Err(EditError::NoSuchVertex { triangle: TriangleId(triangle), vertex, len: all_vertices });
            }
        }
        Ok(Edited {
            vertices: VertexId(vertices as u32)..VertexId(all_vertices as u32),
            triangles: TriangleId(triangles as u32)..TriangleId(all_triangles as u32),
        })
    }

    /// Checks that triangles are all there, or all removed, and none is named before; marks them as named.
    fn check_list(&self, list: &[TriangleId], named: &mut [bool], there: bool) -> Result<(), EditError> {
        for &triangle in list {
            let Some(named) = named.get_mut(triangle.index()) else {
                return Err(EditError::NoSuchTriangle { triangle, len: self.mesh.triangles().len() });
            };
            match (self.mesh.is_live(triangle), there) {
                (false, true) => return Err(EditError::AlreadyRemoved { triangle }),
                (true, false) => return Err(EditError::NotRemoved { triangle }),
                _ if std::mem::replace(named, true) => return Err(EditError::NamedTwice { triangle }),
                _ => {}
            }
        }
        Ok(())
    }
}

fn check_counts(vertices: usize, triangles: usize) -> Result<(), EditError> {
    let most = u32::MAX as usize;
    if vertices < most && triangles < most { Ok(()) } else { Err(EditError::TooMany { vertices, triangles }) }
}
