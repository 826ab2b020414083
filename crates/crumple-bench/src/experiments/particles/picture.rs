//! What HE3 looks like: three moments side by side, drawn with a depth buffer.
//!
//! Red marks particles that touch the body or did so lately, as in figure 12 of the paper.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use crumple::Body;
use crumple_io::write::WholeFile;
use glam::{Mat3, Vec2, Vec3};

use super::png;
use super::rain::Rain;

/// Pixels of one moment, and how many are drawn for each along both sides before they are averaged.
const WIDTH: usize = 400;
const HEIGHT: usize = 460;
const FINER: usize = 2;

/// When, in parts of the frames.
const MOMENTS: [f64; 3] = [0.2, 0.6, 1.0];

const EYE: Vec3 = Vec3::new(1.6, 2.2, 8.2);
const LOOKS_AT: Vec3 = Vec3::new(0.0, 0.15, 0.0);
/// Pixels per unit at distance 1.
const ZOOM: f32 = 830.0;
/// How large particles are drawn, in units.
const RADIUS: f32 = 0.016;

/// White between moments, in pixels.
const GAP: usize = 4;

const SKY: [Vec3; 2] = [Vec3::new(0.97, 0.98, 1.0), Vec3::new(0.80, 0.84, 0.90)];
const SKIN: Vec3 = Vec3::new(0.93, 0.78, 0.52);
const DROP: Vec3 = Vec3::new(0.18, 0.38, 0.66);
const TOUCHED: Vec3 = Vec3::new(0.88, 0.10, 0.08);

/// A picture in the making, and the file it goes to.
#[derive(Debug)]
pub(super) struct Picture {
    file: std::path::PathBuf,
    out: WholeFile,
    moments: Vec<usize>,
    panels: Vec<Panel>,
}

impl Picture {
    /// A picture of some moments out of `frames`; the file is started now, so that a bad path is known before the work.
    pub(super) fn new(file: &Path, frames: Range<usize>) -> Result<Self> {
        let out = WholeFile::create(file).with_context(|| format!("{}: cannot be written", file.display()))?;
        let last = (frames.len() - 1) as f64;
        let moments = MOMENTS.map(|part| frames.start + (part * last).round() as usize).to_vec();
        Ok(Self { file: file.into(), out, moments, panels: Vec::new() })
    }

    /// Draws a frame if it is one of the moments, and not drawn yet.
    pub(super) fn show(&mut self, frame: usize, body: &Body, rain: &Rain) {
        while self.moments.get(self.panels.len()) == Some(&frame) {
            let mut panel = Panel::new();
            panel.draw_body(body);
            rain.particles().for_each(|(position, heat)| panel.draw_particle(position, heat));
            self.panels.push(panel);
        }
    }

    /// Writes the moments drawn side by side.
    pub(super) fn write(mut self) -> Result<()> {
        let panels: Vec<Vec<[u8; 3]>> = self.panels.iter().map(Panel::averaged).collect();
        let width = panels.len() * (WIDTH + GAP) - GAP;
        let mut pixels = Vec::with_capacity(width * HEIGHT);
        for row in 0..HEIGHT {
            for (number, panel) in panels.iter().enumerate() {
                pixels.extend(std::iter::repeat_n([u8::MAX; 3], if number == 0 { 0 } else { GAP }));
                pixels.extend_from_slice(&panel[row * WIDTH..(row + 1) * WIDTH]);
            }
        }
        let bytes = png::encoded(width as u32, &pixels);
        let written = self.out.write_all(&bytes).and_then(|()| self.out.finish());
        written.with_context(|| format!("{}: cannot be written", self.file.display()))
    }
}

/// One moment: colours and depths of fine pixels.
#[derive(Debug)]
struct Panel {
    colours: Vec<Vec3>,
    depths: Vec<f32>,
    world_to_view: Mat3,
}

const FINE_WIDTH: usize = WIDTH * FINER;
const FINE_HEIGHT: usize = HEIGHT * FINER;

impl Panel {
    fn new() -> Self {
        let row = |y: usize| SKY[0].lerp(SKY[1], y as f32 / FINE_HEIGHT as f32);
        let back = (EYE - LOOKS_AT).normalize();
        let right = Vec3::Y.cross(back).normalize();
        Self {
            colours: (0..FINE_HEIGHT).flat_map(|y| std::iter::repeat_n(row(y), FINE_WIDTH)).collect(),
            depths: vec![f32::INFINITY; FINE_WIDTH * FINE_HEIGHT],
            world_to_view: Mat3::from_cols(right, back.cross(right), back).transpose(),
        }
    }

    /// Where a position is in the picture, and its distance from the eye.
    fn seen(&self, position: Vec3) -> (Vec2, f32) {
        let view = self.world_to_view * (position - EYE);
        let scale = ZOOM * FINER as f32 / -view.z;
        let middle = Vec2::new(FINE_WIDTH as f32, FINE_HEIGHT as f32) / 2.0;
        (middle + Vec2::new(view.x, -view.y) * scale, -view.z)
    }

    fn draw_body(&mut self, body: &Body) {
        let places: Vec<Vec3> = body.positions().iter().copied().map(Vec3::from).collect();
        let mut normals = vec![Vec3::ZERO; places.len()];
        let triangles = body.mesh().indices();
        for triangle in triangles {
            let [a, b, c] = triangle.map(|vertex| places[vertex as usize]);
            let normal = (b - a).cross(c - a);
            triangle.iter().for_each(|&vertex| normals[vertex as usize] += normal);
        }
        let shades: Vec<Vec3> = normals.iter().map(|normal| lit(SKIN, normal.normalize_or_zero())).collect();
        for triangle in triangles {
            let corners = triangle.map(|vertex| self.seen(places[vertex as usize]));
            self.draw_triangle(corners, triangle.map(|vertex| shades[vertex as usize]));
        }
    }

    fn draw_triangle(&mut self, [(a, depth_a), (b, depth_b), (c, depth_c)]: [(Vec2, f32); 3], shades: [Vec3; 3]) {
        let area = (b - a).perp_dot(c - a);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        self.each_pixel(low, high, |at, pixel, depth| {
            let [u, v] = [(at - a).perp_dot(c - a) / area, (b - a).perp_dot(at - a) / area];
            let here = depth_a + u * (depth_b - depth_a) + v * (depth_c - depth_a);
            if u >= 0.0 && v >= 0.0 && u + v <= 1.0 && here < *depth {
                (*pixel, *depth) = (shades[0] + u * (shades[1] - shades[0]) + v * (shades[2] - shades[0]), here);
            }
        });
    }

    fn draw_particle(&mut self, position: Vec3, heat: f32) {
        let (middle, depth) = self.seen(position);
        let radius = RADIUS * ZOOM * FINER as f32 / depth;
        let colour = DROP.lerp(TOUCHED, heat);
        let across = Vec2::splat(radius);
        self.each_pixel(middle - across, middle + across, |at, pixel, nearest| {
            let aside = (at - middle) / radius;
            let bulge = 1.0 - aside.length_squared();
            if bulge > 0.0 && depth < *nearest {
                let normal = Vec3::new(aside.x, -aside.y, bulge.sqrt());
                // Lit from the same direction as the body.
                (*pixel, *nearest) = (lit(colour, normal), depth);
            }
        });
    }

    /// Calls `paint` with the index, colour and depth of every fine pixel whose middle lies in a box.
    fn each_pixel(&mut self, low: Vec2, high: Vec2, mut paint: impl FnMut(Vec2, &mut Vec3, &mut f32)) {
        let limits = Vec2::new((FINE_WIDTH - 1) as f32, (FINE_HEIGHT - 1) as f32);
        if high.cmplt(Vec2::ZERO).any() || low.cmpgt(limits).any() {
            return;
        }
        let (low, high) = (low.max(Vec2::ZERO).floor(), high.min(limits).ceil());
        for y in low.y as usize..=high.y as usize {
            for x in low.x as usize..=high.x as usize {
                let number = y * FINE_WIDTH + x;
                let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                paint(at, &mut self.colours[number], &mut self.depths[number]);
            }
        }
    }

    /// Fine pixels averaged, as bytes.
    fn averaged(&self) -> Vec<[u8; 3]> {
        let pixel = |x: usize, y: usize| {
            let fine = |k: usize| self.colours[(y * FINER + k / FINER) * FINE_WIDTH + x * FINER + k % FINER];
            let mean = (0..FINER * FINER).map(fine).sum::<Vec3>() / (FINER * FINER) as f32;
            (mean.clamp(Vec3::ZERO, Vec3::ONE) * 255.0).round().to_array().map(|channel| channel as u8)
        };
        (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))).map(|(x, y)| pixel(x, y)).collect()
    }
}

/// A colour under a light from above and the left, with some light from everywhere.
fn lit(colour: Vec3, normal: Vec3) -> Vec3 {
    let light = Vec3::new(-0.45, 0.75, 0.5).normalize();
    colour * (0.45 + 0.6 * normal.dot(light).max(0.0))
}
