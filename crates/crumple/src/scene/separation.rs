//! The smallest translation that parts two bodies.
//!
//! For one direction the answer is a question of motion: body `a` is placed far enough out along the direction to be
//! apart, and moved back in; where it first meets `b` is how far it has to come out. That impact is certified (`motion`),
//! so the translation parts the bodies wherever they are hollow or self-overlapping, up to the rounding of positions to
//! f32: they are apart there, and all the way further out.
//!
//! The direction is searched for. The search starts from the normals of the regions, the ways out of the deepest vertices
//! and the six axes; around the best of them it looks at four directions at a time, and halves their angle when none is
//! better. So the depth is never too small, and is the least one up to [`FINEST`] in the angle if the valley the search
//! ends in is the deepest (at the bottom of a valley an angle of ε makes a way longer by ε²/2 of it): for two convex bodies that meet in one region it is; for others that is not proven.
//!
//! Cost: some hundred impacts, each a walk over both trees. Held by: `tests/response/depth.rs`.

use super::onset::in_range;
use super::{BodyId, Frame, Scene, SceneError};
use crate::body::Body;
use crate::contact::regions;
use crate::narrow::Method;
use crate::probe::signed_closest_points;

/// The angle at which the search begins, and that at which it ends.
const COARSEST: f64 = 0.25;
const FINEST: f64 = 1e-4;

/// How many of the first directions are improved.
const IMPROVED: usize = 3;

/// How two bodies are parted.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Separation {
    /// How far body `a` has to move; 0 if they only touch.
    pub depth: f64,
    /// In which direction, of length 1.
    pub direction: [f64; 3],
}

impl Separation {
    /// The translation of body `a`; that of `b` is its negative.
    pub fn translation(&self) -> [f64; 3] {
        self.direction.map(|x| x * self.depth)
    }
}

impl Frame<'_> {
    /// The smallest translation of body `a` that parts it from `b`; `None` if they are apart already. Bodies inside closed
    /// ones are not apart. Bodies may be open.
    ///
    /// The depth is never too small, up to the rounding of positions to f32, or to f64 if `a` has such. It is the smallest one found by a search over
    /// directions that starts from where the bodies overlap; for bodies with several regions, or far from convex, there
    /// may be a shorter way out. It takes some hundred times as long as [`first_impact`](Self::first_impact), and is not
    /// kept.
    ///
    /// ```
    /// use crumple::{Body, Mesh, Method, Scene};
    ///
    /// let mut scene = Scene::new(Method::default());
    /// let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// let corner = |x: f32| [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]];
    /// let a = scene.add(Body::new(Mesh::new(4, faces.clone())?, &corner(0.0))?);
    /// let b = scene.add(Body::new(Mesh::new(4, faces)?, &corner(0.75))?);
    /// let found = scene.update()?.separation(a, b)?.expect("they overlap");
    /// // Perpendicular to the slanted face: 0.25 / √3.
    /// assert!((found.depth - 0.25 / 3f64.sqrt()).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such body, the two are the same, or one is known only by its loose box.
    pub fn separation(&self, a: BodyId, b: BodyId) -> Result<Option<Separation>, SceneError> {
        let bodies = [self.known_body(a)?, self.known_body(b)?];
        if a == b {
            return Err(SceneError::OverlapWithItself { body: a });
        }
        Ok(separation(bodies[0], bodies[1]))
    }
}

/// The smallest translation of body `a` that parts it from `b`; `None` if they are apart. See [`Frame::separation`].
pub fn separation(a: &Body, b: &Body) -> Option<Separation> {
    if a.bounds().intersection(&b.bounds()).is_empty() {
        return None;
    }
    let mut search = Search::new(a, b)?;
    let mut tried: Vec<Separation> = Vec::new();
    for direction in search.first_directions(a, b)? {
        tried.extend(search.along(direction));
    }
    // Among equals the one that was tried first.
    tried.sort_by(|one, other| one.depth.total_cmp(&other.depth));
    tried.truncate(IMPROVED);
    let improved = tried.into_iter().map(|start| search.improve(start));
    improved.min_by(|one, other| one.depth.total_cmp(&other.depth))
}

/// Two bodies of which the first is moved about.
struct Search {
    scene: Scene,
    ids: [BodyId; 2],
    /// In f64, also if they are f32 numbers.
    positions: [Vec<[f64; 3]>; 2],
    moved: Vec<[f64; 3]>,
    /// Whether positions of the body that is moved are rounded to f32.
    rounds: bool,
}

impl Search {
    /// `None` if a body has no triangles, so that nothing has to be parted.
    fn new(a: &Body, b: &Body) -> Option<Self> {
        if [a, b].iter().any(|body| body.mesh().live_count() == 0) {
            return None;
        }
        let mut scene = Scene::new(Method::default());
        let ids = [scene.add(a.clone()), scene.add(b.clone())];
        Some(Self { scene, ids, positions: [exact(a), exact(b)], moved: Vec::new(), rounds: !a.is_wide() })
    }

    /// Where to start; `None` if the bodies are apart.
    fn first_directions(&mut self, a: &Body, b: &Body) -> Option<Vec<[f64; 3]>> {
        let mut found: Vec<[f64; 3]> = Vec::new();
        let mut is_inside = false;
        for (own, other, sign) in [(0, b, 1.0), (1, a, -1.0)] {
            let own = &self.positions[own];
            // An open body has no inside.
            let Ok(closest) = signed_closest_points(other, own) else { continue };
            let deepest = closest.iter().zip(own).min_by(|(p, _), (q, _)| p.distance.total_cmp(&q.distance));
            let Some((closest, at)) = deepest.filter(|(closest, _)| closest.distance <= 0.0) else { continue };
            is_inside = true;
            found.push(std::array::from_fn(|k| sign * (closest.point[k] - at[k])));
        }
        let meet = !self.scene.update().ok()?.witnesses().is_empty();
        if !meet && !is_inside {
            return None;
        }
        if let Ok(regions) = regions(a, b) {
            found.extend(regions.iter().map(|region| region.normal));
        }
        for axis in 0..3 {
            for sign in [1.0, -1.0] {
                let mut direction = [0.0; 3];
                direction[axis] = sign;
                found.push(direction);
            }
        }
        found.retain_mut(|direction| {
            let length = dot(*direction, *direction).sqrt();
            *direction = direction.map(|x| x / length);
            length > 0.0
        });
        Some(found)
    }

    /// How far body `a` has to move in a direction; `None` if that leaves the range of f32.
    fn along(&mut self, direction: [f64; 3]) -> Option<Separation> {
        let reach = |p: &[f64; 3]| dot(*p, direction);
        let lowest = self.positions[0].iter().map(reach).fold(f64::INFINITY, f64::min);
        let highest = self.positions[1].iter().map(reach).fold(f64::NEG_INFINITY, f64::max);
        // Beyond the plane that holds all of `b` back, and a little more than rounding can undo.
        let size = [0, 1].map(|k| self.positions[k].iter().flatten().fold(0.0, |most, x| f64::max(most, x.abs())));
        let rounding = 2f64.powi(if self.rounds { -20 } else { -48 });
        let out = highest - lowest + rounding * (size[0] + size[1]) + f64::from(f32::MIN_POSITIVE);
        let rounds = self.rounds;
        let moved = |x: f64, by: f64| if rounds { f64::from((x + by) as f32) } else { in_range(x + by) };
        let outside = |p: &[f64; 3]| std::array::from_fn(|k| moved(p[k], out * direction[k]));
        self.moved.clear();
        self.moved.extend(self.positions[0].iter().map(outside));
        self.scene.set_positions(self.ids[0], &self.moved).ok()?;
        self.scene.update().ok()?;
        self.scene.set_positions(self.ids[0], &self.positions[0]).ok()?;
        let impact = self.scene.update().ok()?.first_impact().copied();
        // Up to `lo` of the way in they are apart.
        let depth = impact.map_or(0.0, |impact| out * (1.0 - impact.time.lo));
        Some(Separation { depth, direction })
    }

    /// Turns a direction as long as that makes the way shorter.
    fn improve(&mut self, mut best: Separation) -> Separation {
        let mut angle = COARSEST;
        while angle > FINEST {
            let [u, v] = across(best.direction);
            let around = [(u, angle), (u, -angle), (v, angle), (v, -angle)];
            let turned = around.map(|(w, by)| unit(std::array::from_fn(|k| best.direction[k] + by * w[k])));
            let tried = turned.into_iter().filter_map(|direction| self.along(direction));
            match tried.min_by(|one, other| one.depth.total_cmp(&other.depth)) {
                Some(better) if better.depth < best.depth => best = better,
                _ => angle *= 0.5,
            }
        }
        best
    }
}

fn exact(body: &Body) -> Vec<[f64; 3]> {
    (0..body.mesh().vertex_count() as u32).map(|vertex| body.exact_position(vertex)).collect()
}

fn dot(p: [f64; 3], q: [f64; 3]) -> f64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

fn unit(p: [f64; 3]) -> [f64; 3] {
    let length = dot(p, p).sqrt();
    p.map(|x| x / length)
}

/// Two unit vectors perpendicular to a third and to each other.
fn across(n: [f64; 3]) -> [[f64; 3]; 2] {
    let axis = (0..3).min_by(|&i, &j| n[i].abs().total_cmp(&n[j].abs())).unwrap_or(0);
    let mut u = n.map(|x| -x * n[axis]);
    u[axis] += 1.0;
    let u = unit(u);
    [u, [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]]]
}
