//! Closest points and rays.

use std::ops::Deref;
use std::sync::Arc;

use super::{BodyId, Frame, Scene, SceneError};
use crate::body::Body;
use crate::geom::Coordinate;
use crate::geom::lanes::Instructions;
use crate::probe::{self, ClosestPoint, QueryError, Ray, RayHit, Signed};
use crate::tree::{Snapshot, TreeSide, View};

/// A snapshot costs as much as some hundred questions; fewer than one for so many triangles do without.
const TRIANGLES_PER_QUESTION: usize = 64;

/// A hit and the body it is on; reads like a [`RayHit`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct FrameHit {
    /// The body that is hit.
    pub body: BodyId,
    /// Where.
    pub hit: RayHit,
}

impl Deref for FrameHit {
    type Target = RayHit;

    fn deref(&self) -> &RayHit {
        &self.hit
    }
}

impl Frame<'_> {
    /// The point of a body that is closest to `point`, whose coordinates are f32 or f64 numbers.
    ///
    /// ```
    /// use crumple::{Body, Mesh, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let mesh = Mesh::new(4, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let corner = scene.add(Body::new(mesh, &corners)?);
    /// let frame = scene.update()?;
    /// let closest = frame.closest_point(corner, [0.25, 0.25, -1.0])?;
    /// assert_eq!((closest.distance, closest.triangle.0, closest.barycentric), (1.0, 0, [0.5, 0.25, 0.25]));
    /// assert_eq!(frame.signed_closest_point(corner, [0.25, 0.25, 0.125])?.distance, -0.125);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such body, it is known only by its loose box, it has no triangles, or the point is not finite.
    pub fn closest_point<C: Coordinate>(&self, body: BodyId, point: [C; 3]) -> Result<ClosestPoint, SceneError> {
        let mut found = [ClosestPoint::default()];
        self.find_closest(body, &[point], Signed::No, |len| &mut found[..len])?;
        Ok(found[0])
    }

    /// The point of a body that is closest to each of `points`; `found` is overwritten.
    ///
    /// Threads share the points. In `found` lies all the memory it takes, besides a copy of the body's triangles that the
    /// scene keeps: a second call allocates nothing.
    ///
    /// # Errors
    /// As [`closest_point`](Self::closest_point).
    pub fn closest_points<C: Coordinate>(
        &self,
        body: BodyId,
        points: &[[C; 3]],
        found: &mut Vec<ClosestPoint>,
    ) -> Result<(), SceneError> {
        self.find_closest(body, points, Signed::No, |len| resized(found, len))
    }

    /// As [`closest_point`](Self::closest_point), with a negative distance if the point is inside the body, which is
    /// decided exactly, by winding number.
    ///
    /// # Errors
    /// As there, and if the surface of the body is open or not oriented.
    pub fn signed_closest_point<C: Coordinate>(&self, body: BodyId, point: [C; 3]) -> Result<ClosestPoint, SceneError> {
        let mut found = [ClosestPoint::default()];
        self.find_closest(body, &[point], Signed::Yes, |len| &mut found[..len])?;
        Ok(found[0])
    }

    /// As [`closest_points`](Self::closest_points), with negative distances inside the body.
    ///
    /// # Errors
    /// As [`signed_closest_point`](Self::signed_closest_point).
    pub fn signed_closest_points<C: Coordinate>(
        &self,
        body: BodyId,
        points: &[[C; 3]],
        found: &mut Vec<ClosestPoint>,
    ) -> Result<(), SceneError> {
        self.find_closest(body, points, Signed::Yes, |len| resized(found, len))
    }

    /// The first hit of a ray on any body; of two at the same t, the one on the body with the smaller id. A body known
    /// only by a loose box takes no part.
    ///
    /// Whether a triangle is hit is exact: no ray passes between two triangles that share an edge. Triangles are closed
    /// and have two sides; one that is seen edge-on, or has no area, is hit where the ray meets it.
    ///
    /// ```
    /// use crumple::{Body, Mesh, Ray, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let sheet = |y: f32| [[-9.0, y, -9.0], [9.0, y, -9.0], [0.0, y, 9.0]];
    /// scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &sheet(0.0))?);
    /// let upper = scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &sheet(1.0))?);
    /// let frame = scene.update()?;
    /// let hit = frame.cast_ray(&Ray::new([0.0, 5.0, 0.0], [0.0, -2.0, 0.0]))?.expect("it falls on the upper sheet");
    /// assert_eq!((hit.body, hit.t), (upper, 2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the ray is not finite or has no direction.
    pub fn cast_ray(&self, ray: &Ray) -> Result<Option<FrameHit>, SceneError> {
        let mut hits = [None];
        self.cast_all(std::slice::from_ref(ray), |len| &mut hits[..len])?;
        Ok(hits[0])
    }

    /// The first hit of each of `rays` on any body; `hits` is overwritten. Threads share the rays.
    ///
    /// Every body is gone through for every ray whose way its box lies in.
    ///
    /// # Errors
    /// If a ray is not finite or has no direction.
    pub fn cast_rays(&self, rays: &[Ray], hits: &mut Vec<Option<FrameHit>>) -> Result<(), SceneError> {
        self.cast_all(rays, |len| resized(hits, len))
    }

    /// The first hit of a ray on one body.
    ///
    /// # Errors
    /// If there is no such body, it is known only by its loose box, or the ray is not finite or has no direction.
    pub fn cast_ray_at(&self, body: BodyId, ray: &Ray) -> Result<Option<RayHit>, SceneError> {
        let mut hits = [None];
        self.cast_at(body, std::slice::from_ref(ray), |len| &mut hits[..len])?;
        Ok(hits[0])
    }

    /// The first hit of each of `rays` on one body; `hits` is overwritten. Threads share the rays.
    ///
    /// # Errors
    /// As [`cast_ray_at`](Self::cast_ray_at).
    pub fn cast_rays_at(&self, body: BodyId, rays: &[Ray], hits: &mut Vec<Option<RayHit>>) -> Result<(), SceneError> {
        self.cast_at(body, rays, |len| resized(hits, len))
    }

    fn find_closest<'f, C: Coordinate>(
        &self,
        id: BodyId,
        points: &[[C; 3]],
        sign: Signed,
        room: impl FnOnce(usize) -> &'f mut [ClosestPoint],
    ) -> Result<(), SceneError> {
        let body = self.known_body(id)?;
        let refused = |source: QueryError| SceneError::ClosestPoint { body: id, source };
        probe::check_points(body, points, sign).map_err(refused)?;
        let found = room(points.len());
        self.scene.with_view(id, body, points.len(), |simd, view| {
            let orders = &self.scene.answers.orders;
            orders.lend(|order| probe::closest_into(simd, view, sign, points, found, order));
        });
        Ok(())
    }

    fn cast_at<'h>(
        &self,
        id: BodyId,
        rays: &[Ray],
        room: impl FnOnce(usize) -> &'h mut [Option<RayHit>],
    ) -> Result<(), SceneError> {
        let body = self.known_body(id)?;
        probe::check_rays(rays).map_err(|source| SceneError::Ray { source })?;
        let hits = room(rays.len());
        self.scene.with_view(id, body, rays.len(), |simd, view| {
            probe::cast_into(simd, view, rays, hits, |_| f64::INFINITY, |hit, found| *hit = Some(found));
        });
        Ok(())
    }

    fn cast_all<'h>(
        &self,
        rays: &[Ray],
        room: impl FnOnce(usize) -> &'h mut [Option<FrameHit>],
    ) -> Result<(), SceneError> {
        probe::check_rays(rays).map_err(|source| SceneError::Ray { source })?;
        let hits = room(rays.len());
        let before = |hit: &Option<FrameHit>| hit.map_or(f64::INFINITY, |hit| hit.t);
        for (id, entry) in self.scene.bodies.iter().filter(|(_, entry)| entry.loose.is_none()) {
            let bounds = entry.body.bounds();
            let reaches = |(ray, hit): (&Ray, &Option<FrameHit>)| probe::may_reach(ray, &bounds, before(hit));
            if rays.iter().zip(hits.iter()).any(reaches) {
                self.scene.with_view(id, &entry.body, rays.len(), |simd, view| {
                    probe::cast_into(simd, view, rays, hits, before, |hit, found| {
                        *hit = Some(FrameHit { body: id, hit: found });
                    });
                });
            }
        }
        Ok(())
    }

    /// A body whose vertices are known.
    pub(super) fn known_body(&self, id: BodyId) -> Result<&Body, SceneError> {
        let entry = self.scene.bodies.get(id)?;
        match entry.loose {
            Some(_) => Err(SceneError::VerticesNeeded { body: id, near: id }),
            None => Ok(&entry.body),
        }
    }
}

/// A list of so many answers, all of them to be written.
fn resized<T: Clone + Default>(list: &mut Vec<T>, len: usize) -> &mut [T] {
    list.clear();
    list.resize(len, T::default());
    list
}

impl Scene {
    /// Lends the tree of a body as so many questions walk it.
    pub(super) fn with_view(
        &self,
        id: BodyId,
        body: &Body,
        questions: usize,
        ask: impl FnOnce(Instructions, &View<'_>),
    ) {
        let simd = self.wide.method.simd();
        self.wide.with_sides((id.slot(), body), (id.slot(), body), |side, _| {
            let is_worth_it = questions * TRIANGLES_PER_QUESTION >= side.tree.triangle_count();
            match self.snapshot(id.slot(), simd, side, is_worth_it) {
                Some(snapshot) => ask(simd, &View::of_snapshot(side, &snapshot)),
                None => ask(simd, &View::of_tree(side)),
            }
        });
    }
    /// The snapshot of the tree in a slot if there is one of this version; taken now if it is worth it.
    fn snapshot(&self, slot: u32, simd: Instructions, side: TreeSide<'_>, is_worth_it: bool) -> Option<Arc<Snapshot>> {
        let (snapshots, version) = (&self.answers.snapshots, side.body.version());
        let mut old = match snapshots.get(slot) {
            Some((taken, snapshot)) if taken == version => return Some(snapshot),
            _ if !is_worth_it => return None,
            _ => snapshots.take(slot).map(|(_, snapshot)| snapshot).unwrap_or_default(),
        };
        // Its memory is used again, unless somebody still reads it.
        if Arc::get_mut(&mut old).is_none() {
            old = Arc::default();
        }
        if let Some(snapshot) = Arc::get_mut(&mut old) {
            snapshot.take(simd, side);
        }
        snapshots.put(slot, (version, Arc::clone(&old)));
        Some(old)
    }
}
