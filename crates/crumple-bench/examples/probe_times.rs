//! Times closest points and rays on a body that moves, read from a file, for `peers/distance.py` to put beside other libraries.
//!
//! ```text
//! probe_times QUERY ROUNDS [ANSWERS]
//! ```
//!
//! QUERY: little-endian numbers of four bytes; the counts of vertices, triangles, points and rays (u32), the positions at
//! the start and at the end (f32, three per vertex), the triangles (u32, three each), the points (f32, three each), the rays
//! (f32, three for the origin and three for the direction). All questions are about the end. Prints `name value` lines: the
//! median processor times in milliseconds of the update, of the closest points, the signed ones, and the rays, each without the
//! update. ANSWERS is written with the signed distance of every point and t of every ray, f64; infinity without a hit.

#[path = "support/clock.rs"]
mod clock;

use std::error::Error;

use crumple::{Body, Mesh, Ray, Scene};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (file, rounds, answers) = match &words[..] {
        [file, rounds] => (file, rounds, None),
        [file, rounds, answers] => (file, rounds, Some(answers)),
        _ => return Err("usage: QUERY ROUNDS [ANSWERS]".into()),
    };
    let bytes = std::fs::read(file)?;
    let mut numbers = bytes.as_chunks::<4>().0.iter().copied();
    let mut count = || numbers.next().map(|count| u32::from_le_bytes(count) as usize).ok_or("a count is missing");
    let (vertices, triangles, points, rays) = (count()?, count()?, count()?, count()?);
    let mut threes = |count: usize| -> Vec<[[u8; 4]; 3]> {
        let taken: Vec<[u8; 4]> = numbers.by_ref().take(3 * count).collect();
        taken.as_chunks::<3>().0.to_vec()
    };
    let floats = |threes: Vec<[[u8; 4]; 3]>| -> Vec<[f32; 3]> {
        threes.into_iter().map(|three| three.map(f32::from_le_bytes)).collect()
    };
    let (start, end) = (floats(threes(vertices)), floats(threes(vertices)));
    let triangles = threes(triangles).iter().map(|triangle| triangle.map(u32::from_le_bytes)).collect();
    let points = floats(threes(points));
    let rays: Vec<Ray> =
        floats(threes(2 * rays)).as_chunks::<2>().0.iter().map(|&[from, along]| Ray::new(from, along)).collect();

    let mut scene = Scene::new();
    let body = scene.add(Body::new(Mesh::new(vertices, triangles)?, &start)?);
    let (mut closest, mut signed, mut hits) = (Vec::new(), Vec::new(), Vec::new());
    let mut times = [const { Vec::new() }; 4];
    for _ in 0..rounds.parse::<usize>()?.max(1) {
        for question in 0..3 {
            scene.set_positions(body, &start)?;
            scene.update()?;
            let begin = clock::now();
            scene.set_positions(body, &end)?;
            let frame = scene.update()?;
            times[0].push(clock::now() - begin);
            let begin = clock::now();
            match question {
                0 => frame.closest_points(body, &points, &mut closest)?,
                1 => frame.signed_closest_points(body, &points, &mut signed)?,
                _ => frame.cast_rays_at(body, &rays, &mut hits)?,
            }
            times[question + 1].push(clock::now() - begin);
        }
    }
    for (name, mut times) in ["update_ms", "points_ms", "signed_ms", "rays_ms"].into_iter().zip(times) {
        times.sort();
        println!("{name} {}", times[times.len() / 2].as_secs_f64() * 1e3);
    }
    println!("hits {}", hits.iter().flatten().count());
    if let Some(answers) = answers {
        let distances = signed.iter().map(|closest| closest.distance);
        let places = hits.iter().map(|hit| hit.map_or(f64::INFINITY, |hit| hit.t));
        std::fs::write(answers, distances.chain(places).flat_map(f64::to_le_bytes).collect::<Vec<u8>>())?;
    }
    Ok(())
}
