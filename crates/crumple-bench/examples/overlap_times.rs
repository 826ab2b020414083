//! Times the exact overlap, regions and curves of two bodies, and the sampled overlap beside them; `peers/overlap.py` puts
//! them beside an exact boolean.
//!
//! ```text
//! overlap_times SCENE FRAME ROUNDS          the first two bodies of a published scene, such as LE1
//! overlap_times A.ply B.ply ROUNDS
//! ```
//!
//! Prints `name value` lines; times are the least of the rounds in microseconds, one thread unless `RAYON_NUM_THREADS` says
//! otherwise. `query_us` is the update of the trees and the list of pairs, which the exact answers need and do not contain.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use crumple::contact::{CompletePairs, OverlapFinder};
use crumple::{Body, Frame, Mesh, Scene};
use crumple_ldi::{OverlapOptions, OverlapSampler};

fn bodies(words: &[String]) -> Result<[Body; 2], Box<dyn Error>> {
    if words[0].ends_with(".ply") {
        let body = |file: &String| -> Result<Body, Box<dyn Error>> {
            let file = crumple_io::read::read_ply(file)?;
            Ok(Body::new(Mesh::new(file.positions.len(), file.triangles)?, &file.positions)?)
        };
        return Ok([body(&words[0])?, body(&words[1])?]);
    }
    let scene = crumple_scenes::by_name(&words[0])?;
    let frame: usize = words[1].parse()?;
    let body = |index: usize| -> Result<Body, Box<dyn Error>> {
        let body = scene.bodies().get(index).ok_or("the scene has fewer than two bodies")?;
        Ok(Body::new(Mesh::new(body.vertex_count(), body.triangles().to_vec())?, &body.positions_at(frame))?)
    };
    Ok([body(0)?, body(1)?])
}

/// The least time of a few rounds, in microseconds.
fn least(rounds: usize, mut round: impl FnMut()) -> f64 {
    let time = || {
        let start = Instant::now();
        round();
        start.elapsed().as_secs_f64() * 1e6
    };
    std::iter::repeat_with(time).take(rounds.max(1)).fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.len() != 3 {
        return Err("usage: SCENE FRAME ROUNDS, or A.ply B.ply ROUNDS".into());
    }
    let rounds: usize = words[2].parse()?;
    let [a, b] = bodies(&words)?;
    let positions = [a.positions().to_vec(), b.positions().to_vec()];
    let mut scene = Scene::new();
    let ids = [scene.add(a), scene.add(b)];
    let mut time = |question: &dyn Fn(&Frame<'_>) -> f64| {
        // Answers are kept until the next frame, so every round is one.
        let mut best = f64::INFINITY;
        for _ in 0..rounds + 1 {
            ids.iter().zip(&positions).for_each(|(&id, positions)| scene.set_positions(id, positions).expect("finite"));
            let frame = scene.update().expect("all bodies are known");
            best = best.min(question(&frame));
        }
        best
    };
    let mut after_contacts = |ask: &dyn Fn(&Frame<'_>)| {
        let ask = |frame: &Frame<'_>| {
            black_box(frame.contacts().pair_count());
            least(1, || ask(frame))
        };
        time(&ask)
    };
    let overlaps_us = after_contacts(&|frame| _ = black_box(frame.overlaps().len()));
    let regions_us = after_contacts(&|frame| _ = black_box(frame.regions().count()));
    let curves_us = after_contacts(&|frame| _ = black_box(frame.curves().count()));
    let mut query_us = f64::INFINITY;
    for _ in 0..rounds {
        ids.iter().zip(&positions).try_for_each(|(&id, positions)| scene.set_positions(id, positions))?;
        query_us = query_us.min(least(1, || {
            let frame = scene.update().expect("all bodies are known");
            black_box(frame.contacts().pair_count());
        }));
    }
    let frame = scene.update()?;
    let pairs = frame.contact(ids[0], ids[1]).map_or(&[][..], |contact| contact.pairs);
    let complete = CompletePairs::promised(pairs);
    let (a, b) = (frame.body(ids[0])?, frame.body(ids[1])?);
    let mut finder = OverlapFinder::default();
    let exact_us = least(rounds, || drop(black_box(finder.find(a, b, complete).map(|found| found.volume()))));
    let volume = finder.find(a, b, complete)?.volume();
    println!("pairs {}\nvolume {volume:e}\nregions {}\nquery_us {query_us:.1}", pairs.len(), frame.regions().count());
    println!(
        "exact_us {exact_us:.1}\noverlaps_us {overlaps_us:.1}\nregions_us {regions_us:.1}\ncurves_us {curves_us:.1}"
    );
    for resolution in [128, 256] {
        let mut overlap = OverlapSampler::new(OverlapOptions::default().with_resolution(resolution));
        let image_us = least(rounds, || drop(black_box(overlap.compute(a, b).map(|found| found.volume()))));
        println!("image{resolution}_us {image_us:.1}");
    }
    Ok(())
}
