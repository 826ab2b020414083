//! Writes the page of a built-in play, for looking at and for the browser tests.
//!
//! ```text
//! cargo run --release -p crumple-io --example make_page -- PLAY FILE.html [POSITIONS.json]
//! ```
//!
//! PLAY is one of the names in `plays.rs`. POSITIONS.json takes some vertices as they were before packing, so that a test
//! can compare what the browser shows.

mod finder;
mod plays;

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

use crumple_io::report::{BodyRecord, CheckSummary, Header};
use crumple_io::write::PageWriter;
use finder::Finder;
use plays::Play;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, file, samples) = match &arguments[..] {
        [name, file] => (name, file, None),
        [name, file, samples] => (name, file, Some(samples)),
        _ => return Err(format!("usage: make_page PLAY FILE.html [POSITIONS.json]; plays: {}", plays::NAMES).into()),
    };
    let play = plays::by_name(name)?;
    let mut sampled = Vec::new();
    write_page(&play, BufWriter::new(File::create(file)?), &mut sampled)?;
    if let Some(samples) = samples {
        writeln!(File::create(samples)?, "[\n{}\n]", sampled.join(",\n"))?;
    }
    Ok(())
}

/// Plays it frame by frame, looks for contacts and writes the page; `sampled` takes a line of JSON a sampled vertex.
fn write_page(play: &Play, out: impl Write, sampled: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    let header = Header::new("wide-tree", records(play), play.frames);
    let triangles: Vec<_> = play.bodies.iter().map(|body| &body.triangles).collect();
    let mut page = PageWriter::new(out, &play.title, &header, &triangles)?.with_fps(30.0);
    if let Some(note) = &play.note {
        page.note(note);
    }
    let mut finder = Finder::new(play)?;
    let mut summary = CheckSummary::default();
    for number in 0..play.frames {
        let positions = (play.positions)(number);
        let (found, overlap) = finder.find(number + play.first_number, &positions)?;
        let listed = if play.counts_only { found.without_pairs() } else { found.listing_at_most(usize::MAX) };
        let spans = if play.overlap { overlap.find()? } else { None };
        let overlaps: Vec<_> = spans.iter().map(finder::Spans::overlap).collect();
        page.frame_with_overlaps(&positions, &listed, &overlaps)?;
        summary.add(&listed);
        for (body, positions) in positions.iter().enumerate() {
            if let Some([x, y, z]) = positions.last().filter(|_| number % 7 == 0) {
                let vertex = positions.len() - 1;
                sampled
                    .push(format!("{{\"frame\":{number},\"body\":{body},\"vertex\":{vertex},\"at\":[{x},{y},{z}]}}"));
            }
        }
    }
    page.finish(summary)?;
    Ok(())
}

fn records(play: &Play) -> Vec<BodyRecord> {
    let record = |(id, body): (usize, &plays::PlayBody)| BodyRecord {
        id: id as u32,
        name: body.name.clone(),
        triangles: body.triangles.len() as u64,
        vertices: body.vertices as u64,
        closed: body.closed,
        face_of_triangle: body.face_of_triangle.clone(),
    };
    play.bodies.iter().enumerate().map(record).collect()
}
