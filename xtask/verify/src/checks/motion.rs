//! Impacts of steps, held to positions in between: an oracle that knows nothing of continuous detection.
//!
//! Two triangles that share a point at some time of a step, and are apart at its start, have touched for the first time at
//! or before that time, and at a first touch a corner of one is on the other or two of their edges meet. So for every pair
//! of triangles that meets at a time k/64, `Frame::impacts` must list an impact of features of these two triangles that
//! begins at or before k/64, or the two must meet at the start. Of one body, triangles that share a vertex are left out, as
//! continuous detection leaves out features that do.
//!
//! Positions in between have to be exact, or the oracle would speak of another motion. So the vertices of both frames are
//! first rounded to multiples of a power of two of which no coordinate has more than 2^18, and counted in units of 1/64 of
//! it: the frames are 64·n₀ and 64·n₁ with |n| ≤ 2^18, and the position at k/64 is (64 − k)·n₀ + k·n₁, a whole number of at
//! most 2^24, which f32 holds. What is tested is that rounded motion, which is as entangled as the original. The triangles
//! that meet at a time are found by the default method, which other checks here hold to lists of CGAL.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::{Result, ensure};
use crumple::FeaturePair;
use crumple::{Body, BodyId, Frame, Mesh, Scene};

use crate::Tally;
use crate::data::Data;

/// Parts of a step.
const PARTS: i32 = 64;

/// The largest rounded coordinate.
const LARGEST: f64 = (1 << 18) as f64;

pub(crate) fn check(data: &Data) -> Result<Tally> {
    let mut tally = Tally::default();
    for (name, every_step, every_part) in [("cesium_man", 1, 2), ("fox_run", 1, 1), ("tshirt", 1, 2)] {
        let sequence = data.sequence(&format!("deforming/{name}.ply@deforming/{name}.pc2"))?;
        for step in (0..sequence.frames.len() - 1).step_by(every_step) {
            let bodies = [moving(&sequence.mesh, &sequence.frames[step], &sequence.frames[step + 1])];
            Step::new(&bodies, true)?.check(every_part, &mut tally, &format!("{name}, step {step}"))?;
        }
    }
    // Two files of one sequence: the cloth and the ball are one mesh.
    let [start, end] = [92, 93].map(|number| data.sequence(&format!("deforming/cloth_ball{number}.ply")));
    let (start, end) = (start?, end?);
    let bodies = [moving(&start.mesh, &start.frames[0], &end.frames[0])];
    Step::new(&bodies, true)?.check(8, &mut tally, "cloth_ball92 to 93")?;

    for (name, own, steps, every_part) in
        [("LE1", false, &[56, 58, 59, 60, 100, 150, 198][..], 1), ("CR1", true, &[20, 26, 30, 31, 43, 58][..], 8)]
    {
        let scene = crumple_scenes::by_name(name)?;
        for &step in steps {
            let (start, end) = (scene.frame(step), scene.frame(step + 1));
            let meshes = scene.bodies().iter().map(|body| Mesh::new(body.vertex_count(), body.triangles().to_vec()));
            let meshes: Vec<Arc<Mesh>> = meshes.map(|mesh| Ok(Arc::new(mesh?))).collect::<Result<_>>()?;
            let bodies: Vec<Moving<'_>> = meshes
                .iter()
                .zip(start.iter().zip(&end))
                .map(|(mesh, (start, end))| moving(mesh, start, end))
                .collect();
            Step::new(&bodies, own)?.check(every_part, &mut tally, &format!("{name}, step {step}"))?;
        }
    }
    Ok(tally)
}

/// A body at both ends of a step.
struct Moving<'a> {
    mesh: &'a Arc<Mesh>,
    start: &'a [[f32; 3]],
    end: &'a [[f32; 3]],
}

fn moving<'a>(mesh: &'a Arc<Mesh>, start: &'a [[f32; 3]], end: &'a [[f32; 3]]) -> Moving<'a> {
    Moving { mesh, start, end }
}

/// A step of rounded bodies.
struct Step<'a> {
    meshes: Vec<&'a Arc<Mesh>>,
    /// Whole coordinates of every body at the start and at the end.
    ends: Vec<[Vec<[i32; 3]>; 2]>,
    own: bool,
}

impl<'a> Step<'a> {
    fn new(bodies: &[Moving<'a>], own: bool) -> Result<Self> {
        let coordinates = bodies.iter().flat_map(|body| [body.start, body.end]).flat_map(|ends| ends.as_flattened());
        let largest = coordinates.fold(0.0f64, |largest, &x| largest.max(f64::from(x).abs()));
        // Scaling by a power of two is exact, so that rounding to whole numbers is the only change.
        let scale = 2f64.powi((LARGEST / largest).log2().floor() as i32);
        ensure!(scale.is_finite() && largest * scale <= LARGEST, "no scale for coordinates up to {largest}");
        let rounded = |ends: &[[f32; 3]]| -> Vec<[i32; 3]> {
            ends.iter().map(|point| point.map(|x| (f64::from(x) * scale).round() as i32)).collect()
        };
        Ok(Self {
            meshes: bodies.iter().map(|body| body.mesh).collect(),
            ends: bodies.iter().map(|body| [rounded(body.start), rounded(body.end)]).collect(),
            own,
        })
    }

    /// Where a body is at the time `part / PARTS`, in units that make every coordinate whole.
    fn positions(&self, body: usize, part: i32) -> Vec<[f32; 3]> {
        let [start, end] = &self.ends[body];
        let at = |from: i32, to: i32| ((PARTS - part) * from + part * to) as f32;
        start.iter().zip(end).map(|(from, to)| std::array::from_fn(|axis| at(from[axis], to[axis]))).collect()
    }

    /// Compares all impacts of the step with what meets at times in between.
    fn check(&self, every_part: usize, tally: &mut Tally, what: &str) -> Result<()> {
        let mut scene = Scene::new();
        let mut ids = Vec::new();
        for (body, &mesh) in self.meshes.iter().enumerate() {
            let id = scene.add(Body::new(Arc::clone(mesh), &self.positions(body, 0))?);
            scene.set_self_collision(id, self.own)?;
            ids.push(id);
        }
        let at_start = self.meeting(scene.update()?, &ids);
        self.place(&mut scene, &ids, PARTS)?;
        let impacts = self.impacts(scene.update()?, &ids);
        let first = impacts.values().copied().fold(f64::INFINITY, f64::min);
        let (mut met, mut missed) = (0usize, 0usize);
        for part in (every_part..=PARTS as usize).step_by(every_part) {
            self.place(&mut scene, &ids, part as i32)?;
            let time = part as f64 / f64::from(PARTS);
            for pair in self.meeting(scene.update()?, &ids) {
                if at_start.binary_search(&pair).is_ok() {
                    continue;
                }
                met += 1;
                let has_cause = self.features(pair).any(|key| impacts.get(&key).is_some_and(|&lo| lo <= time));
                if !has_cause || first > time {
                    missed += 1;
                }
            }
        }
        tally.answers += met;
        tally.expect(missed == 0, || format!("{what}: {missed} of {met} pairs met without an impact before"));
        Ok(())
    }

    fn place(&self, scene: &mut Scene, ids: &[BodyId], part: i32) -> Result<()> {
        for (body, &id) in ids.iter().enumerate() {
            scene.set_positions(id, &self.positions(body, part))?;
        }
        Ok(())
    }

    /// The pairs that meet in a frame, sorted; within a body, those that share no vertex.
    fn meeting(&self, frame: Frame<'_>, ids: &[BodyId]) -> Vec<Pair> {
        let number = |id: BodyId| ids.iter().position(|&other| other == id).unwrap_or_default();
        let mut found = Vec::new();
        for contact in frame.contacts() {
            let (a, b) = (number(contact.a), number(contact.b));
            let pairs = contact.pairs.iter().map(|pair| Pair { a, b, i: pair.a.0, j: pair.b.0 });
            found.extend(pairs.filter(|pair| a != b || !self.shares_a_vertex(pair)));
        }
        found.sort_unstable();
        found
    }

    fn shares_a_vertex(&self, pair: &Pair) -> bool {
        let [one, other] = [pair.i, pair.j].map(|triangle| self.corners(pair.a, triangle));
        one.iter().any(|vertex| other.contains(vertex))
    }

    /// When each two features meet, by the vertices that stand for those at the same place.
    fn impacts(&self, frame: Frame<'_>, ids: &[BodyId]) -> HashMap<Key, f64> {
        let number = |id: BodyId| ids.iter().position(|&other| other == id).unwrap_or_default();
        let welded: Vec<HashMap<u32, u32>> = self
            .meshes
            .iter()
            .map(|mesh| {
                let (own, joined) = (mesh.triangles().as_flattened(), mesh.welded_triangles().as_flattened());
                own.iter().zip(joined).map(|(own, joined)| (own.0, joined.0)).collect()
            })
            .collect();
        let mut all = HashMap::new();
        for impact in frame.impacts() {
            let (mut a, mut b) = (number(impact.a), number(impact.b));
            let key = match impact.features {
                FeaturePair::VertexFace { vertex, triangle, vertex_of_b } => {
                    if vertex_of_b {
                        (a, b) = (b, a);
                    }
                    Key::VertexFace((a, welded[a][&vertex.0]), (b, triangle.0))
                }
                FeaturePair::EdgeEdge { edge_a, edge_b } => Key::edges(
                    (a, edge_a.map(|vertex| welded[a][&vertex.0])),
                    (b, edge_b.map(|vertex| welded[b][&vertex.0])),
                ),
                // What meets at the start is known from the frame before.
                _ => continue,
            };
            let lo = all.entry(key).or_insert(f64::INFINITY);
            *lo = lo.min(impact.time.lo);
        }
        all
    }

    /// Every two features by which a pair of triangles can touch first.
    fn features(&self, Pair { a, b, i, j }: Pair) -> impl Iterator<Item = Key> {
        let (of_a, of_b) = (self.corners(a, i), self.corners(b, j));
        let edge = |corners: [u32; 3], k: usize| [corners[k], corners[(k + 1) % 3]];
        let vertices =
            (0..3).flat_map(move |k| [Key::VertexFace((a, of_a[k]), (b, j)), Key::VertexFace((b, of_b[k]), (a, i))]);
        let edges = (0..9).map(move |k| Key::edges((a, edge(of_a, k / 3)), (b, edge(of_b, k % 3))));
        vertices.chain(edges)
    }

    fn corners(&self, body: usize, triangle: u32) -> [u32; 3] {
        self.meshes[body].welded_triangles()[triangle as usize].map(|vertex| vertex.0)
    }
}

/// A triangle each of two bodies, or two of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    a: usize,
    b: usize,
    i: u32,
    j: u32,
}

/// An edge of a body by its vertices, the smaller number first.
type Edge = (usize, [u32; 2]);

/// Two features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// A vertex of a body and a triangle of one.
    VertexFace((usize, u32), (usize, u32)),
    /// The smaller edge first.
    EdgeEdge(Edge, Edge),
}

impl Key {
    fn edges(one: Edge, other: Edge) -> Self {
        let in_order = |(body, [p, q]): Edge| (body, [p.min(q), p.max(q)]);
        let (one, other) = (in_order(one), in_order(other));
        Self::EdgeEdge(one.min(other), one.max(other))
    }
}
