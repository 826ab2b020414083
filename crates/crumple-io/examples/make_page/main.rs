//! Writes the page of a built-in scene, for looking at and for the browser tests.
//!
//! ```text
//! cargo run --release -p crumple-io --example make_page -- SCENE FILE.html [POSITIONS.json]
//! ```
//!
//! SCENE is one of the names in `scenes.rs`. POSITIONS.json takes some vertices as they were before packing, so that a test
//! can compare what the browser shows.

mod finder;
mod scenes;

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

use crumple_io::report::{BodyRecord, CheckSummary, Header};
use crumple_io::write::{PageFrame, PageWriter};
use finder::Finder;
use scenes::PageScene;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, file, samples) = match &arguments[..] {
        [name, file] => (name, file, None),
        [name, file, samples] => (name, file, Some(samples)),
        _ => return Err(format!("usage: make_page SCENE FILE.html [POSITIONS.json]; scenes: {}", scenes::NAMES).into()),
    };
    let shown = scenes::by_name(name)?;
    let mut sampled = Vec::new();
    write_page(&shown, BufWriter::new(File::create(file)?), &mut sampled)?;
    if let Some(samples) = samples {
        writeln!(File::create(samples)?, "[\n{}\n]", sampled.join(",\n"))?;
    }
    Ok(())
}

/// Goes through it frame by frame, looks for contacts and writes the page; `sampled` takes one line of JSON per sampled vertex.
fn write_page(shown: &PageScene, out: impl Write, sampled: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    let header = Header::new("wide-tree", records(shown), shown.frames);
    let triangles: Vec<_> = shown.bodies.iter().map(|body| &body.triangles).collect();
    let mut page = PageWriter::new(out, &shown.title, &header, &triangles)?.with_fps(30.0);
    if let Some(note) = &shown.note {
        page.note(note);
    }
    let mut finder = Finder::new(shown)?;
    let mut summary = CheckSummary::default();
    for number in 0..shown.frames {
        let positions = (shown.positions)(number);
        let (found, overlap) = finder.find(number + shown.first_number, &positions)?;
        let listed = if shown.counts_only { found.without_pairs() } else { found.listing_at_most(usize::MAX) };
        let spans = if shown.overlap { overlap.find()? } else { None };
        let overlaps: Vec<_> = spans.iter().map(finder::Spans::overlap).collect();
        page.frame(&positions, PageFrame { overlaps: &overlaps, ..PageFrame::from(&listed) })?;
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

fn records(shown: &PageScene) -> Vec<BodyRecord> {
    let record = |(id, body): (usize, &scenes::PageBody)| BodyRecord {
        id: id as u32,
        name: body.name.clone(),
        triangles: body.triangles.len() as u64,
        vertices: body.vertices as u64,
        closed: body.closed,
        face_of_triangle: body.face_of_triangle.clone(),
        precision: None,
    };
    shown.bodies.iter().enumerate().map(record).collect()
}
