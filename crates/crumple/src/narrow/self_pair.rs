//! The rule of self-collision, for all methods: which pairs of triangles of one body collide, and who decides them.
//!
//! | the two triangles | decided |
//! |---|---|
//! | share a tracked vertex (see [`Fans`]) | with the fan of that vertex, by [`super::neighbours`] |
//! | share only vertices that are not tracked, or only welded ones | by [`collide`], if their boxes overlap |
//! | share nothing | as triangles of two bodies are, if their boxes overlap; those without area left out |

use crate::body::Body;
use crate::exact::{SharedVertices, has_no_area, self_pair_meets, self_pair_meets_f64, triangles_meet_f64};
use crate::geom::TrianglePair;
use crate::mesh::{Fans, Mesh};

/// What [`collide`] costs; see `crate::work`.
pub(super) const STEPS_PER_SELF_PAIR: usize = 20;

/// Decides one pair of triangles of a body by the rule of [`self_pair_meets`].
#[inline]
pub(super) fn collide(body: &Body, i: u32, j: u32) -> Option<TrianglePair> {
    let (i, j) = (i.min(j), i.max(j));
    let (triangles, welded) = (body.mesh().indices(), body.mesh().welded_indices());
    if body.rounding() > 0.0 {
        let (a, b) = (body.exact_corners(triangles[i as usize]), body.exact_corners(triangles[j as usize]));
        let shared = SharedVertices::between(&a, welded[i as usize], &b, welded[j as usize]);
        return self_pair_meets_f64(&a, &b, shared).then(|| TrianglePair::new(i, j));
    }
    let (a, b) = (body.corners(triangles[i as usize]), body.corners(triangles[j as usize]));
    let shared = SharedVertices::between(&a.0, welded[i as usize], &b.0, welded[j as usize]);
    self_pair_meets(&a, &b, shared).then(|| TrianglePair::new(i, j))
}

/// Whether a triangle of one body and a triangle of another share a point, by their positions without rounding.
#[cold]
pub(super) fn meet_unrounded((a, b): (&Body, &Body), (i, j): (u32, u32)) -> bool {
    let corners = |body: &Body, triangle: u32| body.exact_corners(body.mesh().indices()[triangle as usize]);
    triangles_meet_f64(&corners(a, i), &corners(b, j))
}

/// Whether a triangle of a body has no area.
#[inline]
pub(super) fn is_without_area(body: &Body, triangle: u32) -> bool {
    let vertices = body.mesh().indices()[triangle as usize];
    if body.rounding() > 0.0 {
        has_no_area(&body.exact_corners(vertices))
    } else {
        has_no_area(&body.corners(vertices).0)
    }
}

/// What a mesh says about a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// They share no vertex.
    Apart,
    /// They share a tracked vertex.
    InOneFan,
    /// They share a vertex that is not tracked, or one that is only welded.
    Sharing,
}

/// How triangles of one mesh are related.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relations<'a> {
    mesh: &'a Mesh,
    welded: &'a [[u32; 3]],
    fans: &'a Fans,
    /// Whether sharing a vertex is being in one fan: all vertices are tracked, none is welded.
    is_plain: bool,
}

impl<'a> Relations<'a> {
    pub(super) fn of(mesh: &'a Mesh) -> Self {
        let fans = mesh.fans();
        Self { mesh, welded: mesh.welded_indices(), fans, is_plain: mesh.is_unwelded() && fans.tracks_all() }
    }

    #[inline]
    pub(super) fn between(&self, i: u32, j: u32) -> Relation {
        if !have_in_common(self.welded[i as usize], self.welded[j as usize]) {
            Relation::Apart
        } else if self.is_plain || self.are_in_one_fan(i, j) {
            Relation::InOneFan
        } else {
            Relation::Sharing
        }
    }

    /// The vertices of a triangle, welded ones as one.
    #[inline]
    pub(super) fn vertices(&self, triangle: u32) -> [u32; 3] {
        self.welded[triangle as usize]
    }

    /// Whether a walk that leaves out fans leaves no pair that shares a vertex.
    pub(super) fn is_plain(&self) -> bool {
        self.is_plain
    }

    #[cold]
    fn are_in_one_fan(&self, i: u32, j: u32) -> bool {
        let triangles = self.mesh.indices();
        self.fans.have_in_common(triangles[i as usize], triangles[j as usize])
    }
}

/// Whether two triangles have a vertex in common.
#[inline]
fn have_in_common(a: [u32; 3], b: [u32; 3]) -> bool {
    a.iter().any(|vertex| b.contains(vertex))
}

/// Puts the triangles of the pairs from `start` on in order, and removes pairs with a triangle that has no area.
pub(super) fn keep_with_area(body: &Body, start: usize, found: &mut Vec<TrianglePair>) {
    let mut kept = start;
    for index in start..found.len() {
        let (i, j) = (found[index].a.0.min(found[index].b.0), found[index].a.0.max(found[index].b.0));
        if !is_without_area(body, i) && !is_without_area(body, j) {
            found[kept] = TrianglePair::new(i, j);
            kept += 1;
        }
    }
    found.truncate(kept);
}
