//! Times the impacts of one step, read from a file, for `peers/motion.py` to put beside other libraries.
//!
//! ```text
//! step_times STEP ROUNDS [self]
//! ```
//!
//! STEP: little-endian numbers of four bytes; per body its count of vertices and of triangles (u32), the positions at the
//! start and at the end (f32, three per vertex), the triangles (u32, three each). With `self` bodies are tested against
//! themselves as well. Prints `name value` lines: the median times in milliseconds of the update to the end of the step, of
//! the first impact and of all impacts, how many there are, and the bounds of the first.

use std::error::Error;
use std::time::Instant;

use crumple::{Body, Mesh, Scene};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (file, rounds, itself) = match &words[..] {
        [file, rounds] => (file, rounds, false),
        [file, rounds, word] if word == "self" => (file, rounds, true),
        _ => return Err("usage: STEP ROUNDS [self]".into()),
    };
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
        let body = scene.add(Body::new(Mesh::new(vertices, triangles)?, &start)?);
        scene.set_self_collision(body, itself)?;
        steps.push((body, start, end));
    }

    let (mut updates, mut firsts, mut alls) = (Vec::new(), Vec::new(), Vec::new());
    let mut found = (0, [1.0; 2]);
    for round in 0..2 * rounds.parse::<usize>()?.max(1) {
        for (body, start, _) in &steps {
            scene.set_positions(*body, start)?;
        }
        scene.update()?;
        let begin = Instant::now();
        for (body, _, end) in &steps {
            scene.set_positions(*body, end)?;
        }
        let frame = scene.update()?;
        updates.push(begin.elapsed());
        let begin = Instant::now();
        // In turn: an answer that has been computed is kept.
        if round % 2 == 0 {
            frame.first_impact();
            firsts.push(begin.elapsed());
        } else {
            let impacts = frame.impacts();
            alls.push(begin.elapsed());
            found = (impacts.len(), impacts.first().map_or([1.0; 2], |first| [first.time.lo, first.time.hi]));
        }
    }
    for (name, mut times) in [("update_ms", updates), ("first_ms", firsts), ("all_ms", alls)] {
        times.sort();
        println!("{name} {}", times[times.len() / 2].as_secs_f64() * 1e3);
    }
    let (count, [lo, hi]) = found;
    println!("impacts {count}\nfirst_lo {lo}\nfirst_hi {hi}");
    Ok(())
}
