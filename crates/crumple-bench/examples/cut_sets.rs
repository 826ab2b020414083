//! Draws which triangles of two bodies are left after each cut of GJK with the cut (Hatab & Kheddar 2006, figure 1).
//!
//! ```text
//! cargo run --release -p crumple-bench --example cut_sets -- 40 docs/figures/cut-sets.svg
//! ```
//!
//! The bodies are those of GE3-1500 in one of their 100 frames; one panel per cut, seen along a direction
//! orthogonal to the first cut. Triangles that have been cut away stay as grey outlines, and an arrow shows the direction of
//! the cut. If the bodies meet, the last panel shows the triangles that do.

use std::error::Error;
use std::fmt::Write;

use crumple::{Body, Mesh, TriangleId, pairs};
use crumple_methods::gjk_cut::cut_steps;

/// The size of a panel, and of the line above it.
const SIDE: f64 = 300.0;
const HEAD: f64 = 40.0;

/// Blue and orange, as the first two lines of the plots.
const COLOURS: [&str; 2] = ["#0072b2", "#d55e00"];

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [frame, file] = &words[..] else { return Err("usage: cut_sets FRAME FILE.svg".into()) };
    let frame: usize = frame.parse()?;
    let scene = crumple_scenes::by_name("GE3-1500")?;
    let mut bodies = Vec::new();
    for body in scene.bodies() {
        let mesh = Mesh::new(body.vertex_count(), body.triangles().to_vec())?;
        bodies.push(Body::new(mesh, &body.positions_at(frame))?);
    }
    let steps = cut_steps(&bodies[0], &bodies[1]);
    let view = View::new(steps.first().map_or([1.0, 0.0, 0.0], |step| step.direction), &bodies);
    let whole = bodies.iter().map(|body| (0..body.mesh().triangles().len() as u32).map(TriangleId).collect());
    let whole: Vec<Vec<TriangleId>> = whole.collect();

    let mut panels = vec![(format!("{} and {} triangles", whole[0].len(), whole[1].len()), None, whole)];
    for (number, step) in steps.iter().enumerate() {
        let [a, b] = &step.left;
        let title = format!("cut {}: {} and {} are left", number + 1, a.len(), b.len());
        panels.push((title, Some(step.direction), step.left.to_vec()));
    }
    let met = pairs(&bodies[0], &bodies[1]);
    let sides = [met.iter().map(|pair| pair.a).collect(), met.iter().map(|pair| pair.b).collect()];
    let sides = sides.map(|mut side: Vec<TriangleId>| {
        side.sort_unstable();
        side.dedup();
        side
    });
    if !met.is_empty() {
        panels.push((format!("{} and {} meet", sides[0].len(), sides[1].len()), None, sides.to_vec()));
    }
    std::fs::write(file, drawn(&panels, &bodies, &view)?)?;
    Ok(())
}

/// A title, the direction of the cut, and the triangles of both bodies that are left.
type Panel = (String, Option<[f64; 3]>, Vec<Vec<TriangleId>>);

fn drawn(panels: &[Panel], bodies: &[Body], view: &View) -> Result<String, std::fmt::Error> {
    let columns = panels.len().min(3);
    let rows = panels.len().div_ceil(columns);
    let (width, height) = (SIDE * columns as f64, (SIDE + HEAD) * rows as f64);
    let mut svg = String::new();
    writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"14\">"
    )?;
    writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>")?;
    // The outlines are the same in every panel.
    writeln!(svg, "<defs><g id=\"whole\" fill=\"none\" stroke=\"#bbb\" stroke-width=\"0.3\">")?;
    for body in bodies {
        let all: Vec<TriangleId> = (0..body.mesh().triangles().len() as u32).map(TriangleId).collect();
        writeln!(svg, "<path d=\"{}\"/>", view.path(body, &all)?)?;
    }
    writeln!(svg, "</g></defs>")?;
    for (at, (title, direction, left)) in panels.iter().enumerate() {
        let (x, y) = ((at % columns) as f64 * SIDE, (at / columns) as f64 * (SIDE + HEAD));
        writeln!(svg, "<g transform=\"translate({x} {y})\"><text x=\"10\" y=\"24\">{title}</text>")?;
        writeln!(svg, "<g transform=\"translate(0 {HEAD})\"><use href=\"#whole\"/>")?;
        for ((body, left), colour) in bodies.iter().zip(left).zip(COLOURS) {
            let path = view.path(body, left)?;
            writeln!(
                svg,
                "<path d=\"{path}\" fill=\"{colour}\" fill-opacity=\"0.35\" stroke=\"{colour}\" stroke-width=\"0.5\"/>"
            )?;
        }
        if let Some(direction) = direction {
            arrow(&mut svg, view.turned(*direction))?;
        }
        writeln!(svg, "</g></g>")?;
    }
    writeln!(svg, "</svg>")?;
    Ok(svg)
}

/// An arrow in the lower left corner; shorter if the direction leads into the picture.
fn arrow(svg: &mut String, [x, y]: [f64; 2]) -> std::fmt::Result {
    let (from, length) = ([40.0, SIDE - 40.0], 30.0);
    let to = [from[0] + length * x, from[1] - length * y];
    let [u, v] = [to[0] - from[0], to[1] - from[1]].map(|side| side * 0.25);
    writeln!(
        svg,
        "<path d=\"M{:.1} {:.1}L{:.1} {:.1}m{:.1} {:.1}L{:.1} {:.1}l{:.1} {:.1}\" fill=\"none\" stroke=\"black\" stroke-width=\"1.5\"/>",
        from[0],
        from[1],
        to[0],
        to[1],
        -u - v,
        -v + u,
        to[0],
        to[1],
        -u + v,
        -v - u
    )
}

/// Looks at the bodies so that a direction lies in the picture, from the left to the right.
struct View {
    right: [f64; 3],
    up: [f64; 3],
    /// The middle of the picture, and units of the picture per unit of the scene.
    middle: [f64; 2],
    scale: f64,
}

impl View {
    fn new(right: [f64; 3], bodies: &[Body]) -> Self {
        let least = (0..3).min_by(|&i, &j| right[i].abs().total_cmp(&right[j].abs())).unwrap_or(0);
        let axis: [f64; 3] = std::array::from_fn(|i| f64::from(u8::from(i == least)));
        let up = unit(cross(right, axis));
        let mut view = Self { right, up, middle: [0.0; 2], scale: 1.0 };
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for position in bodies.iter().flat_map(|body| body.positions()) {
            let at = view.turned(position.map(f64::from));
            for i in 0..2 {
                (low[i], high[i]) = (low[i].min(at[i]), high[i].max(at[i]));
            }
        }
        view.middle = [0, 1].map(|i| 0.5 * (low[i] + high[i]));
        view.scale = (SIDE - 20.0) / (high[0] - low[0]).max(high[1] - low[1]);
        view
    }

    fn turned(&self, vector: [f64; 3]) -> [f64; 2] {
        [dot(self.right, vector), dot(self.up, vector)]
    }

    /// The outlines of some triangles.
    fn path(&self, body: &Body, triangles: &[TriangleId]) -> Result<String, std::fmt::Error> {
        let mut path = String::new();
        for &TriangleId(number) in triangles {
            for (corner, vertex) in body.mesh().indices()[number as usize].into_iter().enumerate() {
                let [x, y] = self.turned(body.positions()[vertex as usize].map(f64::from));
                let x = SIDE / 2.0 + self.scale * (x - self.middle[0]);
                let y = SIDE / 2.0 - self.scale * (y - self.middle[1]);
                write!(path, "{}{x:.1} {y:.1}", if corner == 0 { "M" } else { "L" })?;
            }
            path.push('z');
        }
        Ok(path)
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(vector: [f64; 3]) -> [f64; 3] {
    let length = dot(vector, vector).sqrt();
    vector.map(|x| x / length)
}
