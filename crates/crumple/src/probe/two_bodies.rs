//! Points and rays of one body, without a scene.

use super::batch::{Signed, cast_into, check_points, check_rays, closest_into};
use super::{ClosestPoint, QueryError, Ray, RayHit};
use crate::body::Body;
use crate::geom::Coordinate;
use crate::geom::lanes::{Instructions, chosen_simd};
use crate::tree::{Snapshot, Tree, TreeSide, View};

/// The point of a body that is closest to `point`, whose coordinates are f32 or f64 numbers.
///
/// Builds a tree of the body; for many points use [`closest_points`], and for a body that moves a
/// [`Scene`](crate::Scene), which keeps the tree.
///
/// ```
/// use crumple::{Body, Mesh};
///
/// let body = Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
/// let closest = crumple::closest_point(&body, [0.25, 0.25, 2.0])?;
/// assert_eq!((closest.distance, closest.point), (2.0, [0.25, 0.25, 0.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the point is not finite, or the body has no triangles. For f64 numbers also if a coordinate is out of the range of
/// those of a body, see [`Body::new`].
pub fn closest_point<C: Coordinate>(body: &Body, point: [C; 3]) -> Result<ClosestPoint, QueryError> {
    Ok(closest(body, &[point], Signed::No)?[0])
}

/// The point of a body that is closest to each of `points`.
///
/// # Errors
/// If a point is not finite, or the body has no triangles.
pub fn closest_points<C: Coordinate>(body: &Body, points: &[[C; 3]]) -> Result<Vec<ClosestPoint>, QueryError> {
    closest(body, points, Signed::No)
}

/// As [`closest_points`], with negative distances inside the body: the signed distance function (SDF) of a closed body at
/// these points. Whether a point is inside is decided exactly.
///
/// # Errors
/// As there, and if the surface of the body is open or not oriented.
#[doc(alias = "SDF")]
#[doc(alias = "signed distance")]
pub fn signed_closest_points<C: Coordinate>(body: &Body, points: &[[C; 3]]) -> Result<Vec<ClosestPoint>, QueryError> {
    closest(body, points, Signed::Yes)
}

/// Where a ray first hits a body; `None` if it does not.
///
/// Builds a tree of the body, see [`closest_point`].
///
/// ```
/// use crumple::{Body, Mesh, Ray};
///
/// let body = Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
/// let hit = crumple::cast_ray(&body, &Ray::new([0.5, 0.25, 2.0], [0.0, 0.0, -1.0]))?.expect("it is above the triangle");
/// assert_eq!((hit.t, hit.barycentric, hit.normal), (2.0, [0.25, 0.5, 0.25], [0.0, 0.0, 1.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the ray is not finite or has no direction.
pub fn cast_ray(body: &Body, ray: &Ray) -> Result<Option<RayHit>, QueryError> {
    Ok(cast_rays(body, std::slice::from_ref(ray))?[0])
}

/// Where each of `rays` first hits a body.
///
/// # Errors
/// If a ray is not finite or has no direction.
pub fn cast_rays(body: &Body, rays: &[Ray]) -> Result<Vec<Option<RayHit>>, QueryError> {
    check_rays(rays)?;
    let mut hits = vec![None; rays.len()];
    with_view(body, |simd, view| {
        cast_into(simd, view, rays, &mut hits, |_| f64::INFINITY, |hit, found| *hit = Some(found));
    });
    Ok(hits)
}

fn closest<C: Coordinate>(body: &Body, points: &[[C; 3]], sign: Signed) -> Result<Vec<ClosestPoint>, QueryError> {
    check_points(body, points, sign)?;
    let mut found = vec![ClosestPoint::default(); points.len()];
    with_view(body, |simd, view| closest_into(simd, view, sign, points, &mut found, &mut Vec::new()));
    Ok(found)
}

fn with_view(body: &Body, ask: impl FnOnce(Instructions, &View<'_>)) {
    let simd = chosen_simd();
    let tree = Tree::new(body, simd);
    let side = TreeSide { body, tree: &tree };
    let mut snapshot = Snapshot::default();
    snapshot.take(simd, side);
    ask(simd, &View::of_snapshot(side, &snapshot));
}
