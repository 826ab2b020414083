//! How near the bodies of a frame are, for a page to colour and draw.
//!
//! A vertex is as far from a body as from the closest point of its surface; from its own body as from the faces that it is
//! no corner of. Two bodies can be nearest between two edges, far from any vertex: so a segment joins the points where
//! they are.

use anyhow::Result;
use crumple::FeaturePair;
use crumple::distance::NearPair;
use crumple::probe::ClosestPoint;
use crumple::{Aabb, Body, BodyId, Frame};
use crumple_io::write::NearShown;

/// What is near in one frame after another.
#[derive(Debug)]
pub struct Nearness {
    /// Vertices closer than this are coloured.
    clearance: f64,
    shown: NearShown,
    numbers: Vec<usize>,
    points: Vec<[f32; 3]>,
    closest: Vec<ClosestPoint>,
}

impl Nearness {
    /// For vertices closer than this.
    pub fn new(clearance: f64) -> Self {
        let (numbers, points, closest) = (Vec::new(), Vec::new(), Vec::new());
        Self { clearance, shown: NearShown::default(), numbers, points, closest }
    }

    /// What is near between these bodies, and within one that is given twice; bodies by their numbers in the scene.
    pub fn of(&mut self, now: Frame<'_>, pairs: impl Iterator<Item = (u32, u32)>) -> Result<&mut NearShown> {
        let ids: Vec<BodyId> = now.bodies().map(|(id, _)| id).collect();
        self.shown.segments.clear();
        self.shown.distances.resize_with(ids.len(), Vec::new);
        self.shown.distances.iter_mut().for_each(Vec::clear);
        for bodies in pairs {
            let (a, b) = (bodies.0 as usize, bodies.1 as usize);
            if a == b {
                self.add_own(now, a, ids[a])?;
            } else {
                self.add(now, (a, ids[a]), ids[b])?;
                self.add(now, (b, ids[b]), ids[a])?;
                let points = now.distance(ids[a], ids[b])?.points;
                self.shown.segments.push((bodies.into(), points.map(|point| point.map(|x| x as f32))));
            }
        }
        Ok(&mut self.shown)
    }

    /// The vertices of one body that are near another.
    fn add(&mut self, now: Frame<'_>, (number, id): (usize, BodyId), other: BodyId) -> Result<()> {
        let positions = now.body(id)?.positions();
        let bounds = now.body(other)?.bounds();
        self.numbers.clear();
        let clearance = self.clearance;
        self.numbers.extend((0..positions.len()).filter(|at| may_be_near(positions[*at], &bounds, clearance)));
        self.points.clear();
        self.points.extend(self.numbers.iter().map(|vertex| positions[*vertex]));
        now.closest_points(other, &self.points, &mut self.closest)?;
        let distances = sized(&mut self.shown.distances[number], positions.len());
        for (&vertex, closest) in self.numbers.iter().zip(&self.closest) {
            distances[vertex] = distances[vertex].min(closest.distance as f32);
        }
        Ok(())
    }

    /// The vertices of a body that are near faces of the same.
    fn add_own(&mut self, now: Frame<'_>, number: usize, id: BodyId) -> Result<()> {
        let near = now.near(self.clearance);
        let (body, pairs) = (now.body(id)?, near.between(id, id));
        let distances = sized(&mut self.shown.distances[number], body.positions().len());
        for pair in pairs {
            if let FeaturePair::VertexFace { vertex, .. } = pair.features {
                let distance = &mut distances[vertex.index()];
                *distance = distance.min(pair.distance() as f32);
            }
        }
        let nearest = pairs.iter().min_by(|one, other| one.distance_squared.total_cmp(&other.distance_squared));
        let segment = nearest.and_then(|pair| ends(pair, body));
        self.shown.segments.extend(segment.map(|ends| ([number as u32; 2], ends)));
        Ok(())
    }
}

/// Whether a point is within the clearance of a box, along each axis.
fn may_be_near(point: [f32; 3], bounds: &Aabb, clearance: f64) -> bool {
    (0..3).all(|axis| {
        let [x, min, max] = [point[axis], bounds.min()[axis], bounds.max()[axis]].map(f64::from);
        x > min - clearance && x < max + clearance
    })
}

/// A list with a place for each vertex, infinity where nothing is known yet.
fn sized(distances: &mut Vec<f32>, vertices: usize) -> &mut [f32] {
    distances.resize(vertices, f32::INFINITY);
    distances
}

/// The two points where features of one body are nearest.
fn ends(near: &NearPair, body: &Body) -> Option<[[f32; 3]; 2]> {
    let at = |vertex: crumple::VertexId| body.positions()[vertex.index()].map(f64::from);
    let start: [f64; 3] = match near.features {
        FeaturePair::VertexFace { vertex, .. } => at(vertex),
        FeaturePair::EdgeEdge { edge_a: [p, q], .. } => {
            let (p, q, along) = (at(p), at(q), near.barycentric[0]);
            std::array::from_fn(|axis| p[axis] + along * (q[axis] - p[axis]))
        }
        _ => return None,
    };
    let end: [f64; 3] = std::array::from_fn(|axis| start[axis] - near.distance() * near.direction[axis]);
    Some([start, end].map(|point| point.map(|x| x as f32)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crumple::{Mesh, Scene};

    #[test]
    fn vertices_are_measured_to_the_other_body_and_a_segment_joins_the_nearest_points() {
        let mut scene = Scene::new();
        let slanted = [[0.0, 0.25, 0.0], [1.0, 4.0, 0.0], [0.0, 0.375, 1.0]];
        for positions in [[[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]], slanted] {
            scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &positions).unwrap());
        }
        let now = scene.update().unwrap();
        let mut nearness = Nearness::new(0.5);
        let shown = nearness.of(now, [(0, 1)].into_iter()).unwrap();
        let near = |body: usize| -> Vec<f32> { shown.distances[body].iter().map(|x| x.min(1.0)).collect() };
        assert_eq!((near(0), near(1)), (vec![1.0; 3], vec![0.25, 1.0, 0.375]));
        assert_eq!(shown.segments, [([0, 1], [[0.0; 3], [0.0, 0.25, 0.0]])]);
        assert!(nearness.of(now, std::iter::empty()).unwrap().distances.iter().all(Vec::is_empty));
    }

    #[test]
    fn parts_of_one_body_are_measured_to_each_other() {
        let mut scene = Scene::new();
        let sheets =
            [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.125], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]];
        let id = scene.add(Body::new(Mesh::new(6, vec![[0, 1, 2], [3, 4, 5]]).unwrap(), &sheets).unwrap());
        scene.set_self_collision(id, true).unwrap();
        let now = scene.update().unwrap();
        let mut nearness = Nearness::new(0.5);
        let shown = nearness.of(now, [(0, 0)].into_iter()).unwrap();
        assert!(shown.distances[0][3] == 0.125 && shown.distances[0][4] == f32::INFINITY);
        let [(_, [start, end])] = shown.segments[..] else { panic!("{:?}", shown.segments) };
        assert!((start[2] - end[2]).abs() <= 0.125);
    }
}
