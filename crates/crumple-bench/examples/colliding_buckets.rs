//! Draws the buckets of two bumpy spheres that touch, the colliding ones marked: the figure in docs/methods.md.
//!
//! Paper: Ganovelli, Dingliana & O'Sullivan 2000, figure 5.
//!
//! ```sh
//! cargo run --release -p crumple-bench --example colliding_buckets -- docs/figures/buckets.svg
//! ```

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::ControlFlow;

use anyhow::{Context, Result};
use crumple::{Aabb, Triangle};
use crumple_methods::bucket_tree::{BucketScratch, BucketTreeOptions, NodeBoxes, Soup};
use crumple_scenes::{Solid, bumpy_spheres};

/// The frame that is drawn: the spheres have just met.
const FRAME: usize = 110;
const LEVELS: u32 = 4;

/// The axes to the right and upwards in the picture; the view is along the third.
const RIGHT: usize = 0;
const UP: usize = 1;

/// The width of the picture.
const PIXELS: f32 = 900.0;
const MARGIN: f32 = 12.0;

fn main() -> Result<()> {
    let file = std::env::args().nth(1).context("usage: colliding_buckets FILE.svg")?;
    let scene = bumpy_spheres(Solid::Icosahedron, 5)?;
    let mut bodies = Vec::new();
    for body in scene.bodies() {
        let positions = body.positions_at(FRAME);
        let mut soup = Soup::new(BucketTreeOptions::of_the_paper(LEVELS))?;
        for corners in body.triangles() {
            soup.insert(Triangle(corners.map(|vertex| positions[vertex as usize])))?;
        }
        soup.update()?;
        bodies.push(soup);
    }
    let mut colliding = [BTreeSet::new(), BTreeSet::new()];
    bodies[0].bucket_pairs(&bodies[1], NodeBoxes::Tight, &mut BucketScratch::default(), |a, b| {
        colliding[0].insert(seen(&a.bounds));
        colliding[1].insert(seen(&b.bounds));
        ControlFlow::Continue(())
    })?;
    let cells = [0, 1].map(|body| bodies[body].buckets().map(|bucket| seen(&bucket.bounds)).collect());
    std::fs::write(&file, picture(&cells, &colliding)).with_context(|| format!("cannot write {file}"))
}

/// A box as it is seen along the third axis: left, bottom, right, top, as bits so that equal ones are drawn once.
type Seen = [i32; 4];

/// Coordinates in the picture are whole numbers of this part of a unit.
const STEPS: f32 = 4096.0;

fn seen(bounds: &Aabb) -> Seen {
    let (min, max) = (bounds.min(), bounds.max());
    [min[RIGHT], min[UP], max[RIGHT], max[UP]].map(|x| (x * STEPS).round() as i32)
}

fn picture(cells: &[BTreeSet<Seen>; 2], colliding: &[BTreeSet<Seen>; 2]) -> String {
    let all = || cells.iter().chain(colliding).flatten();
    let least = |side: usize| all().map(|seen| seen[side]).min().unwrap_or(0) as f32;
    let most = |side: usize| all().map(|seen| seen[side]).max().unwrap_or(1) as f32;
    let (left, bottom, right, top) = (least(0), least(1), most(2), most(3));
    let scale = (PIXELS - 2.0 * MARGIN) / (right - left);
    let height = (top - bottom) * scale + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {PIXELS} {height:.0}\">\n\
         <title>Occupied buckets of two bumpy spheres seen along z, colliding buckets filled</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let styles = [
        (&cells[0], "fill=\"#dce9f5\" stroke=\"#6f9cc4\""),
        (&cells[1], "fill=\"#f7e6d3\" stroke=\"#c99a5f\" fill-opacity=\"0.7\""),
        (&colliding[0], "fill=\"#1f5f9c\" stroke=\"#0d3154\" fill-opacity=\"0.6\""),
        (&colliding[1], "fill=\"#b3541e\" stroke=\"#5c2a0d\" fill-opacity=\"0.6\""),
    ];
    for (boxes, style) in styles {
        let mut path = String::new();
        for &[x0, y0, x1, y1] in boxes {
            let (x, y) = ((x0 as f32 - left) * scale + MARGIN, (top - y1 as f32) * scale + MARGIN);
            let (width, height) = ((x1 - x0) as f32 * scale, (y1 - y0) as f32 * scale);
            // Writing to a string does not fail.
            let _ = write!(path, "M{x:.1} {y:.1}h{width:.1}v{height:.1}h-{width:.1}z");
        }
        let _ = writeln!(svg, "<path {style} stroke-width=\"0.6\" d=\"{path}\"/>");
    }
    svg + "</svg>\n"
}
