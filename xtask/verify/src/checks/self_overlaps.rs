//! How much meshes and sequences overlap themselves, against the numbers of an independent program, and the regions against the whole.
//! Says how long it takes beside the pairs, which have been found before.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use crumple::{Body, Mesh, Scene};

use crate::Tally;
use crate::data::Data;

/// The most that volumes may differ: relative, or where that is less, by so much.
const MOST: (f64, f64) = (1e-9, 1e-17);

pub(crate) fn check(data: &Data) -> Result<Tally> {
    let table = data.table("ground_truth/self_overlap.csv")?;
    let mut tally = Tally::default();
    let mut worst = 0.0f64;
    let mut rows = table.rows.as_slice();
    while let Some(first) = rows.first() {
        let name = &first[0];
        let (of_mesh, rest) = rows.split_at(rows.iter().take_while(|row| row[0] == *name).count());
        rows = rest;
        let moving = data.path(&format!("deforming/{name}.ply")).is_file();
        let still = data.path(&format!("static/{name}.ply")).is_file();
        let sequence = match (moving, still) {
            (true, _) => data.sequence(&format!("deforming/{name}.ply@deforming/{name}.pc2"))?,
            (_, true) => data.mesh(name)?,
            _ => anyhow::bail!("self_overlap.csv is about {name}, which is not there"),
        };
        let mut scene = Scene::new();
        let body = scene.add(Body::new(sequence.mesh.clone(), &sequence.frames[0])?);
        scene.set_self_collision(body, true)?;
        let mut took = [Duration::ZERO; 3];
        for row in of_mesh {
            let frame: usize = table.number(row, "frame")?;
            let expected: f64 = table.number(row, "self_overlap")?;
            let positions = sequence.frames.get(frame).with_context(|| format!("{name} has no frame {frame}"))?;
            // Twice, so that all memory is there.
            let mut times = [Duration::MAX; 3];
            for _ in 0..2 {
                scene.set_positions(body, positions)?;
                let shown = scene.update()?;
                let times_now = [
                    timed(|| shown.contacts().len()),
                    timed(|| shown.self_overlap(body).is_ok()),
                    timed(|| shown.self_regions(body).is_ok()),
                ];
                times = std::array::from_fn(|k| times[k].min(times_now[k]));
            }
            (0..3).for_each(|k| took[k] += times[k]);
            let shown = scene.frame().context("a frame was begun")?;
            let found = shown.self_overlap(body)?;
            let off = (found.volume() - expected).abs();
            let what = || format!("{name}, frame {frame}: {:e} instead of {expected:e}", found.volume());
            tally.expect(off <= MOST.1.max(MOST.0 * expected), what);
            if off > MOST.1 {
                worst = worst.max(off / expected);
            }
            let regions = shown.self_regions(body)?;
            let sum: f64 = regions.iter().map(|region| region.volume).sum();
            tally.expect((sum - expected).abs() <= MOST.1.max(MOST.0 * expected), || {
                format!("{name}, frame {frame}: {} regions of {sum:e} instead of {expected:e}", regions.len())
            });
            // Pairs of triangles that merely touch have no segment.
            let pairs: usize = regions.iter().map(|region| region.pairs.len()).sum();
            let segments: usize = table.number(row, "segments")?;
            tally.expect(pairs <= segments, || {
                format!("{name}, frame {frame}: {pairs} pairs, at most {segments} expected")
            });
        }
        let [pairs, overlap, regions] = took.map(|took| took.as_secs_f64() * 1e6 / of_mesh.len() as f64);
        println!("  {name}: pairs {pairs:.0} µs, overlap {overlap:.0} µs, regions {regions:.0} µs per frame");
    }
    println!("  worst: {worst:.1e} relative");
    as_one_mesh(&mut tally)?;
    Ok(tally)
}

/// The two spheres of LE1 as one mesh: each overlaps the other, and neither itself, so E is what the overlap of two bodies says.
fn as_one_mesh(tally: &mut Tally) -> Result<()> {
    let le1 = crumple_scenes::by_name("LE1")?;
    let [a, b] = le1.bodies() else { anyhow::bail!("LE1 has two bodies") };
    let shift = a.vertex_count() as u32;
    let second = b.triangles().iter().map(|triangle| triangle.map(|vertex| vertex + shift));
    let both: Vec<[u32; 3]> = a.triangles().iter().copied().chain(second).collect();
    let mesh = |count: usize, triangles: &[[u32; 3]]| Ok::<_, anyhow::Error>(Mesh::new(count, triangles.to_vec())?);
    let (mut two, mut one) = (Scene::new(), Scene::new());
    let ids = [a, b].map(|body| {
        let mesh = mesh(body.vertex_count(), body.triangles())?;
        Ok::<_, anyhow::Error>(two.add(Body::new(mesh, &body.positions_at(0))?))
    });
    let [id_a, id_b] = ids;
    let (id_a, id_b) = (id_a?, id_b?);
    let all = |frame: usize| [a.positions_at(frame), b.positions_at(frame)].concat();
    let id = one.add(Body::new(mesh(all(0).len(), &both)?, &all(0))?);
    one.set_self_collision(id, true)?;
    let mut took = [Duration::ZERO; 2];
    let (mut frames, mut worst) = (0, 0.0f64);
    for frame in (1..le1.frame_count()).step_by(9).chain([le1.frame_count() - 1]) {
        two.set_positions(id_a, &a.positions_at(frame))?;
        two.set_positions(id_b, &b.positions_at(frame))?;
        let expected = two.update()?.overlap(id_a, id_b)?.volume();
        let mut times = [Duration::MAX; 2];
        for _ in 0..3 {
            one.set_positions(id, &all(frame))?;
            let shown = one.update()?;
            let now = [timed(|| shown.contacts().len()), timed(|| shown.self_overlap(id).is_ok())];
            times = std::array::from_fn(|k| times[k].min(now[k]));
        }
        (0..2).for_each(|k| took[k] += times[k]);
        frames += 1;
        let found = one.frame().context("a frame was begun")?.self_overlap(id)?.volume();
        let off = (found - expected).abs();
        worst = worst.max(off / expected.max(1e-3));
        tally.expect(off <= 1e-13 * expected.max(1e-3), || {
            format!("LE1, frame {frame}: {found:e} instead of {expected:e}")
        });
    }
    let [pairs, overlap] = took.map(|took| took.as_secs_f64() * 1e6 / f64::from(frames));
    println!("  LE1 as one mesh: pairs {pairs:.0} µs, overlap {overlap:.0} µs per frame, off by {worst:.1e}");
    Ok(())
}

fn timed<T>(ask: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    std::hint::black_box(ask());
    start.elapsed()
}
