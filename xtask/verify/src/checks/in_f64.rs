//! f64 positions: the truth about triangles shifted and scaled beyond what f32 holds, and meshes perturbed below f32
//! resolution, held to all pairs whose boxes overlap, decided one by one by the exact predicates.
//!
//! The boxes are compared by a sweep of its own here, on f64 numbers: none of the library's trees has a part in it.

use std::sync::Arc;

use anyhow::Result;
use crumple::exact::{SharedVertices, self_pair_meets_f64, triangles_meet_f64};
use crumple::{Body, Mesh, Scene};
use crumple_methods::Method;

use super::mesh_pairs;
use crate::data::{Data, MESHES};
use crate::{Tally, methods};

type Wide = [[f64; 3]; 3];

/// Triangles of the truth, each moved by multiples of 2^40 where that rounds nothing, and multiplied by 2^28 + 1.
pub(crate) fn triangles(data: &Data) -> Result<Tally> {
    let table = data.table("ground_truth/tri_tri.csv")?;
    let mut tally = Tally::default();
    let mut cases: Vec<(usize, [Wide; 2], bool)> = Vec::new();
    let mut shifted = 0;
    for (number, row) in table.rows.iter().enumerate() {
        let corner = |name: &str| -> Result<[f64; 3]> {
            let [x, y, z] = ["x", "y", "z"].map(|axis| table.number(row, &format!("{name}{axis}")));
            Ok([x?, y?, z?].map(|x: f32| f64::from(x)))
        };
        let pair = [[corner("a0")?, corner("a1")?, corner("a2")?], [corner("b0")?, corner("b1")?, corner("b2")?]];
        let truth = table.number::<u8>(row, "intersect")? == 1;
        let shift = [1.0, -1.0, 3.0].map(|k| k * (1.0 + (number % 7) as f64) * 2f64.powi(40));
        let moved = pair.map(|t| t.map(|corner| [0, 1, 2].map(|axis| corner[axis] + shift[axis])));
        if moved.map(|t| t.map(|corner| [0, 1, 2].map(|axis| corner[axis] - shift[axis]))) == pair {
            cases.push((number, moved, truth));
            shifted += 1;
        }
        // 24 bits times 29 bits are f64 numbers.
        cases.push((number, pair.map(|t| t.map(|corner| corner.map(|x| x * (2f64.powi(28) + 1.0)))), truth));
    }
    tally.expect(2 * shifted > table.rows.len(), || format!("only {shifted} rows could be shifted"));
    let mut named = methods::for_pairs();
    named.push(("brute-force", Method::BruteForce));
    for (name, method) in named {
        let mut scene = method.scene();
        let mesh = Arc::new(Mesh::new(3, vec![[0, 1, 2]])?);
        let ids = [0, 1].map(|side| Ok(scene.add(Body::new_f64(Arc::clone(&mesh), &cases[0].1[side])?)));
        let [a, b]: [Result<_>; 2] = ids;
        let ids = [a?, b?];
        for (number, pair, truth) in &cases {
            for (id, corners) in ids.iter().zip(pair) {
                scene.set_positions_f64(*id, corners)?;
            }
            let found = !scene.update()?.contacts().is_empty();
            tally.compare(found, *truth, || format!("row {} by {name}: {pair:?}", number + 1));
        }
    }
    Ok(tally)
}

/// Meshes against each other, as in `mesh_pairs.csv`, perturbed.
pub(crate) fn mesh_pairs(data: &Data) -> Result<Tally> {
    let mut tally = Tally::default();
    let (rows, mut total) = (mesh_pairs::rows(data)?, 0);
    for group in rows.chunk_by(|row, next| row.names == next.names) {
        let [a, b] = [data.mesh(&group[0].names[0])?, data.mesh(&group[0].names[1])?];
        let positions_a = perturbed(&a.frames[0]);
        for row in group {
            let positions_b = perturbed(&mesh_pairs::placed(&b.frames[0], row));
            let truth = pairs(&a.mesh, &positions_a, &b.mesh, &positions_b);
            total += truth.len();
            let bodies =
                [Body::new_f64(Arc::clone(&a.mesh), &positions_a)?, Body::new_f64(Arc::clone(&b.mesh), &positions_b)?];
            let mut named = methods::for_pairs();
            if a.mesh.triangles().len() * b.mesh.triangles().len() < 300_000_000 {
                named.push(("brute-force", Method::BruteForce));
            }
            for (name, method) in named {
                let mut scene = method.scene();
                for body in &bodies {
                    scene.add(body.clone());
                }
                let found = found(&mut scene)?;
                tally.compare_lists(&found, &truth, || format!("{:?} at {:?} by {name}", row.names, row.offset));
            }
        }
    }
    tally.expect(total > 0, || "no pair was found in any row".to_owned());
    Ok(tally)
}

/// Meshes against themselves, perturbed.
pub(crate) fn self_pairs(data: &Data) -> Result<Tally> {
    let mut tally = Tally::default();
    for name in MESHES {
        let sequence = data.mesh(name)?;
        let positions = perturbed(&sequence.frames[0]);
        let truth = self_pairs_of(&sequence.mesh, &positions);
        let body = Body::new_f64(Arc::clone(&sequence.mesh), &positions)?;
        for (method_name, method) in methods::for_self_pairs() {
            let mut scene = method.scene();
            let id = scene.add(body.clone());
            scene.set_self_collision(id, true)?;
            let found = found(&mut scene)?;
            tally.compare_lists(&found, &truth, || format!("{name} by {method_name}"));
        }
    }
    Ok(tally)
}

fn found(scene: &mut Scene) -> Result<Vec<[u32; 2]>> {
    let contacts = scene.update()?.contacts();
    Ok(contacts.iter().flat_map(|contact| contact.pairs).map(|pair| [pair.a.0, pair.b.0]).collect())
}

/// Positions that round to those given; equal positions stay equal.
fn perturbed(positions: &[[f32; 3]]) -> Vec<[f64; 3]> {
    let mixed = |seed: u64, word: u32| {
        let product = (seed ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        product ^ (product >> 29)
    };
    let place = |position: &[f32; 3]| {
        let mut seed = position.iter().fold(1, |seed, x| mixed(seed, (x + 0.0).to_bits()));
        position.map(|x| {
            seed = mixed(seed, 7);
            // Up to 0.49 of the way to the next f32 number, up or down.
            let next = if seed & 1 == 0 { x.next_up() } else { x.next_down() };
            let part = 0.49 * (seed >> 32) as f64 / 2f64.powi(32);
            f64::from(x) + part * (f64::from(next) - f64::from(x))
        })
    };
    positions.iter().map(place).collect()
}

/// A triangle with its f64 box.
struct Boxed {
    number: u32,
    corners: Wide,
    low: [f64; 3],
    high: [f64; 3],
}

impl Boxed {
    fn of(mesh: &Mesh, positions: &[[f64; 3]]) -> Vec<Self> {
        let boxed = |(number, vertices): (u32, &[u32; 3])| {
            let corners = vertices.map(|vertex| positions[vertex as usize]);
            let [p, q, r] = corners;
            let low = [0, 1, 2].map(|axis| p[axis].min(q[axis]).min(r[axis]));
            let high = [0, 1, 2].map(|axis| p[axis].max(q[axis]).max(r[axis]));
            Self { number, corners, low, high }
        };
        let mut all: Vec<Self> = (0..).zip(mesh.indices()).map(boxed).collect();
        all.sort_by(|s, t| s.low[0].total_cmp(&t.low[0]));
        all
    }

    fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }
}

/// All pairs of two meshes that meet, sorted.
fn pairs(mesh_a: &Mesh, positions_a: &[[f64; 3]], mesh_b: &Mesh, positions_b: &[[f64; 3]]) -> Vec<[u32; 2]> {
    let (a, b) = (Boxed::of(mesh_a, positions_a), Boxed::of(mesh_b, positions_b));
    let widest = b.iter().map(|t| t.high[0] - t.low[0]).fold(0.0, f64::max).next_up();
    let mut found = Vec::new();
    for of_a in &a {
        // What starts earlier than the widest triangle is wide ends before this one starts.
        let first = b.partition_point(|of_b| of_b.low[0] < (of_a.low[0] - widest).next_down());
        for of_b in b[first..].iter().take_while(|of_b| of_b.low[0] <= of_a.high[0]) {
            if of_a.overlaps(of_b) && triangles_meet_f64(&of_a.corners, &of_b.corners) {
                found.push([of_a.number, of_b.number]);
            }
        }
    }
    found.sort_unstable();
    found
}

/// All pairs of one mesh that collide, sorted.
fn self_pairs_of(mesh: &Mesh, positions: &[[f64; 3]]) -> Vec<[u32; 2]> {
    let (all, welded) = (Boxed::of(mesh, positions), mesh.welded_triangles());
    let mut found = Vec::new();
    for (nth, s) in all.iter().enumerate() {
        for t in all[nth + 1..].iter().take_while(|t| t.low[0] <= s.high[0]) {
            let vertices = [s, t].map(|triangle| welded[triangle.number as usize]);
            let shared = || SharedVertices::between(&s.corners, vertices[0], &t.corners, vertices[1]);
            if s.overlaps(t) && self_pair_meets_f64(&s.corners, &t.corners, shared()) {
                found.push([s.number.min(t.number), s.number.max(t.number)]);
            }
        }
    }
    found.sort_unstable();
    found
}
