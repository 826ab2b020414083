//! Distances of real meshes: against a search in f64 that knows no tree, the pairs of CGAL, and what FCL and Coal say.
//!
//! The search here compares the boxes of runs of up to 128 triangles, then of single triangles, in f64, and measures what is nearer
//! than the best so far: every vertex with every face and every edge with every edge of two triangles. Distances must agree
//! to 10⁻⁹ of themselves, or 10⁻¹⁴ of the size of both bodies where they almost touch; they must be 0 exactly where there
//! are pairs.

use std::sync::Arc;

use anyhow::Result;
use crumple::distance::{edge_edge_distance, vertex_face_distance};
use crumple::{Body, Closest, Mesh, Scene, VertexId};

use super::mesh_pairs::{placed, rows};
use crate::Tally;
use crate::data::Data;

/// The first frame of `scenes/spheres`, as FCL 0.7, Coal 3.0 and a search in f64 over all triangles measured it.
const SPHERES_APART: f64 = 0.636_461_317;

pub(crate) fn check(data: &Data) -> Result<Tally> {
    let mut tally = Tally::default();
    let [a, b] = ["a", "b"].map(|name| data.sequence(&format!("scenes/spheres_{name}.ply@scenes/spheres_{name}.pc2")));
    let (a, b) = (a?, b?);
    let frames: Vec<_> = a.frames.iter().zip(&b.frames).map(|(a, b)| [a.clone(), b.clone()]).collect();
    let found = sequence("spheres", [&a.mesh, &b.mesh], &frames, &mut tally)?;
    let apart = found[0].distance;
    tally.expect((apart.hi - SPHERES_APART).abs() < 5e-10, || format!("spheres, frame 0: {apart:?}"));

    let scene = crumple_scenes::by_name("LE1")?;
    let meshes = scene.bodies().iter().map(|body| Mesh::new(body.vertex_count(), body.triangles().to_vec()));
    let meshes: Vec<Arc<Mesh>> = meshes.map(|mesh| Ok(Arc::new(mesh?))).collect::<Result<_>>()?;
    let frames: Vec<_> =
        (0..62).map(|number| scene.frame(number)).map(|frame| [frame[0].clone(), frame[1].clone()]).collect();
    sequence("LE1", [&meshes[0], &meshes[1]], &frames, &mut tally)?;

    // The poses of the pairs, and the same meshes moved apart along each axis by parts of their size.
    for row in rows(data)? {
        let [a, b] = [data.mesh(&row.names[0])?, data.mesh(&row.names[1])?];
        let at = placed(&b.frames[0], &row);
        let shifts = [[0.0; 3], [1.02, 0.0, 0.0], [0.1, -1.1, 0.2], [0.0, 0.3, 2.0]];
        let moved = |by: [f32; 3]| at.iter().map(|p| std::array::from_fn(|axis| p[axis] + by[axis])).collect();
        let frames: Vec<_> = shifts.iter().map(|&by| [a.frames[0].clone(), moved(by)]).collect();
        let name = format!("{} and {} at {:?}", row.names[0], row.names[1], row.offset);
        sequence(&name, [&a.mesh, &b.mesh], &frames, &mut tally)?;
    }
    let [environment, robot] = [data.sequence("fcl/env.obj")?, data.sequence("fcl/rob.obj")?];
    let frames: Vec<_> = (0..200)
        .map(|step| {
            // Through the environment along its diagonal.
            let by: [f32; 3] = {
                let bounds = Body::new(Arc::clone(&environment.mesh), &environment.frames[0])?.bounds();
                let part = step as f32 / 100.0 - 0.5;
                std::array::from_fn(|axis| bounds.min()[axis] + part * bounds.extent()[axis])
            };
            let moved = robot.frames[0].iter().map(|p| std::array::from_fn(|axis| p[axis] + by[axis])).collect();
            Ok([environment.frames[0].clone(), moved])
        })
        .collect::<Result<_>>()?;
    sequence("fcl", [&environment.mesh, &robot.mesh], &frames, &mut tally)?;
    Ok(tally)
}

/// Checks the distance of two bodies in every frame, both ways; returns what was found.
fn sequence(
    name: &str,
    meshes: [&Arc<Mesh>; 2],
    frames: &[[Vec<[f32; 3]>; 2]],
    tally: &mut Tally,
) -> Result<Vec<Closest>> {
    let mut scene = Scene::new();
    let [a, b] = [0, 1].map(|i| Body::new(Arc::clone(meshes[i]), &frames[0][i]));
    let (a, b) = (scene.add(a?), scene.add(b?));
    let mut found = Vec::new();
    for (number, [at_a, at_b]) in frames.iter().enumerate() {
        scene.set_positions(a, at_a)?;
        scene.set_positions(b, at_b)?;
        let frame = scene.update()?;
        let closest = frame.distance(a, b)?;
        let what = || format!("{name}, frame {number}");
        let turned = frame.distance(b, a)?;
        tally.compare(
            (turned.distance, turned.points),
            (closest.distance, [closest.points[1], closest.points[0]]),
            || format!("{}, exchanged", what()),
        );
        let meet = frame.contact(a, b).is_some();
        let (lo, hi) = (closest.distance.lo, closest.distance.hi);
        tally.compare((lo == 0.0, hi == 0.0), (meet, meet), what);
        if !meet {
            let [body_a, body_b] = [frame.body(a)?, frame.body(b)?];
            let truth = without_a_tree(body_a, body_b);
            let size = body_a.bounds().union(&body_b.bounds()).extent().into_iter().fold(0.0, f32::max);
            let error = 1e-9 * truth + 1e-14 * f64::from(size);
            tally.expect((hi - truth).abs() <= error && lo <= truth + error && truth - lo <= error, || {
                format!("{}: {lo} to {hi}, but {truth}", what())
            });
        }
        found.push(closest);
    }
    Ok(found)
}

type Corners = [[f64; 3]; 3];

/// A box in f64.
#[derive(Clone, Copy)]
struct Box64 {
    min: [f64; 3],
    max: [f64; 3],
}

impl Box64 {
    fn of(points: impl Iterator<Item = [f64; 3]>) -> Self {
        let mut bounds = Self { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] };
        for point in points {
            for axis in 0..3 {
                bounds.min[axis] = bounds.min[axis].min(point[axis]);
                bounds.max[axis] = bounds.max[axis].max(point[axis]);
            }
        }
        bounds
    }

    fn squared_distance(&self, other: &Self) -> f64 {
        let gap = |axis: usize| (self.min[axis] - other.max[axis]).max(other.min[axis] - self.max[axis]).max(0.0);
        (0..3).map(|axis| gap(axis).powi(2)).sum()
    }
}

/// Triangles with their boxes, in runs with theirs.
fn runs(body: &Body) -> Vec<(Box64, Vec<(Box64, Corners)>)> {
    let triangle = |(_, corners): (_, [VertexId; 3])| {
        let corners = corners.map(|corner| body.positions()[corner.index()].map(f64::from));
        (Box64::of(corners.into_iter()), corners)
    };
    let mut triangles: Vec<(Box64, Corners)> = body.mesh().live_triangles().map(triangle).collect();
    let mut runs = Vec::new();
    halve(&mut triangles, &mut runs);
    runs
}

/// Halves triangles along the longest side of their box until they are few.
fn halve(triangles: &mut [(Box64, Corners)], runs: &mut Vec<(Box64, Vec<(Box64, Corners)>)>) {
    let bounds = Box64::of(triangles.iter().flat_map(|triangle| triangle.1));
    if triangles.len() <= 128 {
        runs.push((bounds, triangles.to_vec()));
        return;
    }
    let extent = |axis: &usize| bounds.max[*axis] - bounds.min[*axis];
    let axis = (0..3).max_by(|one, other| extent(one).total_cmp(&extent(other))).unwrap_or(0);
    triangles.sort_by(|one, other| one.0.min[axis].total_cmp(&other.0.min[axis]));
    let (left, right) = triangles.split_at_mut(triangles.len() / 2);
    halve(left, runs);
    halve(right, runs);
}

/// The distance of two bodies that do not meet.
fn without_a_tree(a: &Body, b: &Body) -> f64 {
    let (a, b) = (runs(a), runs(b));
    let mut best = f64::INFINITY;
    // Nearest runs first: the rest is then soon too far.
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (i, (box_a, _)) in a.iter().enumerate() {
        pairs.extend(b.iter().enumerate().map(|(j, (box_b, _))| (box_a.squared_distance(box_b), i, j)));
    }
    pairs.sort_by(|one, other| one.0.total_cmp(&other.0));
    for &(squared, i, j) in pairs.iter().take_while(|pair| pair.0 < f64::INFINITY) {
        if squared > best {
            break;
        }
        for (box_a, of_a) in &a[i].1 {
            for (box_b, of_b) in &b[j].1 {
                if box_a.squared_distance(box_b) < best {
                    best = best.min(squared_distance(of_a, of_b));
                }
            }
        }
    }
    best.sqrt()
}

fn squared_distance(a: &Corners, b: &Corners) -> f64 {
    let mut best = f64::INFINITY;
    for k in 0..3 {
        best = best.min(vertex_face_distance(&[a[k], b[0], b[1], b[2]]).squared);
        best = best.min(vertex_face_distance(&[b[k], a[0], a[1], a[2]]).squared);
        for l in 0..3 {
            best = best.min(edge_edge_distance(&[a[k], a[(k + 1) % 3], b[l], b[(l + 1) % 3]]).squared);
        }
    }
    best
}
