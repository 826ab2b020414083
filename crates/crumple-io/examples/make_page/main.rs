//! Writes the page of a built-in play, for looking at and for the browser tests.
//!
//! ```text
//! cargo run --release -p crumple-io --example make_page -- PLAY FILE.html [POSITIONS.json]
//! ```
//!
//! PLAY is one of the names in `plays.rs`. POSITIONS.json takes some vertices as they were before packing, so that a test
//! can compare what the browser shows.

mod columns;
mod plays;

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::time::Instant;

use crumple::narrow::hybrid_tree::HybridTree;
use crumple::narrow::{PairMethod, Side, Wanted};
use crumple::{Body, Mesh, TrianglePair};
use crumple_io::report::{BodyRecord, ContactRecord, Frame, Header, micros};
use crumple_io::write::PageWriter;
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
    let header = Header::new("hybrid-tree", records(play), play.frames);
    let triangles: Vec<_> = play.bodies.iter().map(|body| &body.triangles).collect();
    let mut page = PageWriter::new(out, &play.title, header, &triangles)?.with_fps(30.0);
    if let Some(note) = &play.note {
        page.note(note);
    }
    let mut finder = Finder::new(play)?;
    for number in 0..play.frames {
        let positions = (play.positions)(number);
        let mut found = finder.find(number + play.first_number, &positions, play.with_itself)?;
        if play.counts_only {
            found.contacts.iter_mut().for_each(|contact| contact.pairs = None);
        }
        let spans = if play.overlap { columns::spans(play, &positions) } else { vec![] };
        let overlaps: Vec<_> = spans.iter().map(columns::Columns::overlap).collect();
        page.frame_with_overlaps(&positions, &found, &overlaps)?;
        for (body, positions) in positions.iter().enumerate() {
            if let Some([x, y, z]) = positions.last().filter(|_| number % 7 == 0) {
                let vertex = positions.len() - 1;
                sampled
                    .push(format!("{{\"frame\":{number},\"body\":{body},\"vertex\":{vertex},\"at\":[{x},{y},{z}]}}"));
            }
        }
    }
    page.finish()?;
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

/// Every body with its tree.
struct Finder {
    method: HybridTree,
    meshes: Vec<Mesh>,
    bodies: Vec<(Body, <HybridTree as PairMethod>::Tree)>,
    scratch: <HybridTree as PairMethod>::Scratch,
}

impl Finder {
    fn new(play: &Play) -> Result<Self, Box<dyn Error>> {
        let mesh = |body: &plays::PlayBody| Mesh::new(body.vertices, body.triangles.clone());
        let meshes = play.bodies.iter().map(mesh).collect::<Result<_, _>>()?;
        Ok(Finder { method: HybridTree::default(), meshes, bodies: vec![], scratch: Default::default() })
    }

    fn find(&mut self, number: u64, positions: &[Vec<[f32; 3]>], with_itself: bool) -> Result<Frame, Box<dyn Error>> {
        let start = Instant::now();
        for (mesh, positions) in self.meshes.drain(..).zip(positions) {
            let body = Body::new(mesh, positions)?;
            let tree = self.method.build(&body);
            self.bodies.push((body, tree));
        }
        for ((body, tree), positions) in self.bodies.iter_mut().zip(positions) {
            body.set_positions(positions)?;
            self.method.update(tree, body);
        }
        let update_us = micros(start.elapsed());
        let start = Instant::now();
        let mut contacts = vec![];
        for a in 0..self.bodies.len() {
            for b in a + usize::from(!with_itself)..self.bodies.len() {
                let side = |body: usize| Side { body: &self.bodies[body].0, tree: &self.bodies[body].1 };
                let mut pairs: Vec<TrianglePair> = vec![];
                if a == b {
                    self.method.find_self_pairs(side(a), Wanted::All, &mut self.scratch, &mut pairs);
                } else {
                    self.method.find_pairs(side(a), side(b), Wanted::All, &mut self.scratch, &mut pairs);
                }
                pairs.sort_unstable();
                if !pairs.is_empty() {
                    let listed = pairs.iter().map(|pair| [pair.a.0, pair.b.0]).collect();
                    contacts.push(ContactRecord {
                        a: a as u32,
                        b: b as u32,
                        count: pairs.len() as u64,
                        pairs: Some(listed),
                    });
                }
            }
        }
        Ok(Frame { frame: number, contacts, update_us, query_us: micros(start.elapsed()) })
    }
}
