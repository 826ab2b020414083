//! Times the distance of two bodies and what is near, read from a file, for `peers/distance.py` to put beside other libraries.
//!
//! ```text
//! near_times STEP ROUNDS D [ANSWERS]
//! ```
//!
//! STEP is that of the example `step_times`; all questions are about its end. With one body features of that body are
//! looked for, with two the distance is measured as well. Prints `name value` lines: the median processor times in milliseconds of the
//! update, of the distance (from the answer at the start, and from nothing), of the features closer than D, and the answers.
//! ANSWERS is written with the near pairs, seven u32 for each: the kind (0 for vertex and face, 1 for two edges), the bodies
//! of both, and the vertex and the triangle, or the four ends.

#[path = "support/clock.rs"]
mod clock;

use std::error::Error;

use crumple::FeaturePair;
use crumple::{Body, Mesh, Scene};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (file, rounds, d, answers) = match &words[..] {
        [file, rounds, d] => (file, rounds, d, None),
        [file, rounds, d, answers] => (file, rounds, d, Some(answers)),
        _ => return Err("usage: STEP ROUNDS D [ANSWERS]".into()),
    };
    let (rounds, d): (usize, f64) = (rounds.parse()?, d.parse()?);
    let bytes = std::fs::read(file)?;
    let mut numbers = bytes.as_chunks::<4>().0.iter().copied();
    let (mut scene, mut steps) = (Scene::new(), Vec::new());
    while let (Some(vertices), Some(triangles)) = (numbers.next(), numbers.next()) {
        let [vertices, triangles] = [vertices, triangles].map(|count| u32::from_le_bytes(count) as usize);
        let mut threes = |count: usize| -> Vec<[[u8; 4]; 3]> {
            let taken: Vec<[u8; 4]> = numbers.by_ref().take(3 * count).collect();
            taken.as_chunks::<3>().0.to_vec()
        };
        let mut positions =
            || -> Vec<[f32; 3]> { threes(vertices).iter().map(|position| position.map(f32::from_le_bytes)).collect() };
        let (start, end) = (positions(), positions());
        let triangles = threes(triangles).iter().map(|triangle| triangle.map(u32::from_le_bytes)).collect();
        steps.push((scene.add(Body::new(Mesh::new(vertices, triangles)?, &start)?), start, end));
    }
    let pair = match &steps[..] {
        [(only, ..)] => {
            scene.set_self_collision(*only, true)?;
            None
        }
        [(a, ..), (b, ..)] => Some((*a, *b)),
        _ => return Err("one body or two".into()),
    };
    let mut times = [const { Vec::new() }; 4];
    let (mut distance, mut pairs) = (0.0, Vec::new());
    for round in 0..2 * rounds.max(1) {
        for (body, start, _) in &steps {
            scene.set_positions(*body, start)?;
        }
        let frame = scene.update()?;
        if let Some((a, b)) = pair {
            frame.distance(a, b)?;
        }
        let begin = clock::now();
        for (body, _, end) in &steps {
            scene.set_positions(*body, end)?;
        }
        let frame = scene.update()?;
        times[0].push(clock::now() - begin);
        // In turn, so that neither question finds the work of the other done.
        if let Some((a, b)) = pair.filter(|_| round % 2 == 0) {
            let begin = clock::now();
            distance = frame.distance(a, b)?.distance.hi;
            times[1].push(clock::now() - begin);
            // A clone knows nothing of earlier searches.
            let mut fresh = scene.clone();
            let frame = fresh.update()?;
            let begin = clock::now();
            frame.distance(a, b)?;
            times[2].push(clock::now() - begin);
        } else {
            let begin = clock::now();
            let near = frame.near(d);
            times[3].push(clock::now() - begin);
            pairs = near.into_iter().collect();
        }
    }
    for (name, mut times) in ["update_ms", "warm_ms", "cold_ms", "near_ms"].into_iter().zip(times) {
        times.sort();
        println!("{name} {}", times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e3));
    }
    println!("distance {distance}\nnear {}", pairs.len());
    if let Some(answers) = answers {
        let record = |near: &crumple::Between<crumple::NearPair>| {
            let (a, b) = (near.a.index() as u32, near.b.index() as u32);
            match near.features {
                FeaturePair::VertexFace { vertex_of_b: true, vertex, triangle } => {
                    [0, b, a, vertex.0, triangle.0, 0, 0]
                }
                FeaturePair::VertexFace { vertex, triangle, .. } => [0, a, b, vertex.0, triangle.0, 0, 0],
                FeaturePair::EdgeEdge { edge_a: [p, q], edge_b: [r, s] } => [1, a, b, p.0, q.0, r.0, s.0],
                _ => [2; 7],
            }
        };
        std::fs::write(answers, pairs.iter().flat_map(record).flat_map(u32::to_le_bytes).collect::<Vec<u8>>())?;
    }
    Ok(())
}
