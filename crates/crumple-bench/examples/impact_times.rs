//! Times the exact impact tests on queries from a file, for `peers/motion.py` to put beside other libraries.
//!
//! ```text
//! impact_times QUERIES VERTEX_FACE ROUNDS
//! ```
//!
//! QUERIES: f64 numbers, little-endian, 24 per query: four points at the start, then at the end. The first VERTEX_FACE
//! queries are a vertex and a face, the rest two edges. Prints `name value` lines: the median time of a round in
//! milliseconds, how many queries meet, and the bounds of the earliest impact.

use std::error::Error;
use std::time::Instant;

use crumple::exact::{ImpactTime, edge_edge_impact, vertex_face_impact};

type Points = [[f64; 3]; 4];

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, vertex_face, rounds] = &words[..] else { return Err("usage: QUERIES VERTEX_FACE ROUNDS".into()) };
    let (vertex_face, rounds): (usize, usize) = (vertex_face.parse()?, rounds.parse()?);
    let bytes = std::fs::read(file)?;
    let numbers: Vec<f64> = bytes.as_chunks::<8>().0.iter().map(|eight| f64::from_le_bytes(*eight)).collect();
    let points = |numbers: &[f64]| -> Points { std::array::from_fn(|i| std::array::from_fn(|k| numbers[3 * i + k])) };
    let queries: Vec<[Points; 2]> =
        numbers.chunks_exact(24).map(|query| [points(&query[..12]), points(&query[12..])]).collect();

    let (mut found, mut times) = (Vec::new(), Vec::new());
    for _ in 0..rounds.max(1) {
        let start = Instant::now();
        found.clear();
        for (number, [start, end]) in queries.iter().enumerate() {
            let impact = if number < vertex_face { vertex_face_impact } else { edge_edge_impact };
            found.extend(impact(start, end));
        }
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let first = found.iter().copied().min_by(|one: &ImpactTime, other| one.lo.total_cmp(&other.lo));
    println!("all_ms {}\nmeet {}", times[times.len() / 2], found.len());
    let first = first.unwrap_or(ImpactTime { lo: 1.0, hi: 1.0 });
    println!("first_lo {}\nfirst_hi {}", first.lo, first.hi);
    Ok(())
}
