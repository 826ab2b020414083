//! Times distances and near features on the published scenes.
//!
//! ```text
//! distance_times [ROUNDS]
//! ```
//!
//! Prints, for LE1 before contact, the median times per frame in microseconds of the update (positions in, boxes), of the
//! distance from where the last search ended (warm, trees brought up to date within it), and of a search from nothing (cold,
//! trees up to date); and for CR1 those of `near` within the cloth at 0.1 % and 1 % of its size.

use std::error::Error;
use std::time::{Duration, Instant};

use crumple::{Body, BodyId, Mesh, Scene};

fn scene_of(of: &crumple_scenes::Scene) -> Result<(Scene, Vec<BodyId>), Box<dyn Error>> {
    let (mut scene, mut ids) = (Scene::new(), Vec::new());
    for body in of.bodies() {
        let mesh = Mesh::new(body.vertex_count(), body.triangles().to_vec())?;
        ids.push(scene.add(Body::new(mesh, &body.positions_at(0))?));
    }
    Ok((scene, ids))
}

/// The median of some times, in microseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e6
}

fn main() -> Result<(), Box<dyn Error>> {
    let rounds: usize = std::env::args().nth(1).map_or(Ok(5), |rounds| rounds.parse())?;
    let spheres = crumple_scenes::by_name("LE1")?;
    let frames: Vec<_> = (0..57).map(|number| spheres.frame(number)).collect();
    let (mut scene, ids) = scene_of(&spheres)?;
    let [mut updates, mut warm, mut both, mut cold] = [const { Vec::new() }; 4];
    for round in 0..2 * rounds {
        for frame in &frames {
            let begin = Instant::now();
            ids.iter().zip(frame).try_for_each(|(&id, positions)| scene.set_positions(id, positions))?;
            let frame = scene.update()?;
            let updated = begin.elapsed();
            if round % 2 == 0 {
                frame.distance(ids[0], ids[1])?;
                let asked = begin.elapsed();
                updates.push(updated);
                warm.push(asked - updated);
                both.push(asked);
            } else {
                // A copy knows nothing of the last search, but its trees are up to date.
                frame.distance(ids[0], ids[1])?;
                let mut copy = scene.clone();
                let frame = copy.update()?;
                let begin = Instant::now();
                frame.distance(ids[0], ids[1])?;
                cold.push(begin.elapsed());
            }
        }
    }
    println!(
        "LE1 update {:.1} us, warm {:.1} us, both {:.1} us, cold {:.1} us",
        median(updates),
        median(warm),
        median(both),
        median(cold)
    );

    let cloth = crumple_scenes::by_name("CR1")?;
    let (mut scene, ids) = scene_of(&cloth)?;
    scene.set_self_collision(ids[0], true)?;
    for number in [0, 31, 59] {
        let positions = cloth.frame(number);
        scene.set_positions(ids[0], &positions[0])?;
        let size = scene.body(ids[0])?.bounds().extent().into_iter().fold(0.0, f32::max);
        for part in [0.001, 0.01] {
            let d = part * f64::from(size);
            let (mut times, mut count) = (Vec::new(), 0);
            for _ in 0..rounds.min(3) {
                scene.set_positions(ids[0], &positions[0])?;
                let frame = scene.update()?;
                let begin = Instant::now();
                count = frame.near(d).len();
                times.push(begin.elapsed());
            }
            println!("CR1 frame {number}, d = {d:.5}: {count} near pairs, {:.1} ms", median(times) / 1e3);
        }
    }
    Ok(())
}
