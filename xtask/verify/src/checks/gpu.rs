//! Depth images on the device against those of the CPU, on every closed mesh: columns, volumes, points, and volumes of
//! overlaps. Both paths at 128 by 128 samples, along the three axes; looking the other way sees the same crossings.

use std::collections::HashMap;

use anyhow::Result;
use crumple::Body;
use crumple_ldi::gpu::{AdapterChoice, DepthColumns, Gpu, GpuBody, GpuImage, GpuOverlap, GpuOverlapOptions, Path};
use crumple_ldi::{Direction, ImageOptions, LayeredDepthImage, OverlapOptions, OverlapSampler};

use super::images::CLOSED;
use super::mesh_pairs::{placed, rows};
use super::points::scattered;
use crate::Tally;
use crate::data::{Data, MESHES, Sequence};

const DIRECTIONS: [Direction; 3] = [Direction::PositiveX, Direction::PositiveY, Direction::PositiveZ];
/// Each path, and how far its volumes may be off, of the volume.
const PATHS: [(Path, f64); 2] = [(Path::Compute, 1e-4), (Path::Stencil, 1e-3)];
/// How far depths of the compute path may be off, of the depth of the box.
const DEPTH: f64 = 1e-5;
/// The part of the pixels of the stencil path that may have other counts.
const OTHER_COUNTS: f64 = 1e-4;
/// A point nearer to a crossing than this, of the depth of the box, may be answered either way.
const POINT: f64 = 1e-6;

/// How far images are apart.
#[derive(Clone, Copy, Debug, Default)]
struct Distance {
    pixels: usize,
    other_counts: usize,
    other_order: usize,
    odd: usize,
    unordered: usize,
    depth: f64,
    volume: f64,
}

pub(crate) fn check(data: &Data) -> Result<Tally> {
    let gpu = Gpu::open(&AdapterChoice::default())?;
    println!("  on {} ({})", gpu.adapter().name, gpu.adapter().kind);
    let mut tally = Tally::default();
    images(&mut tally, &gpu, data)?;
    overlaps(&mut tally, &gpu, data)?;
    tally.compare(gpu.counters().refused, 0, || "commands the graphics stack refused".to_owned());
    Ok(tally)
}

/// Whole bodies: what the device sees, and which points lie inside.
fn images(tally: &mut Tally, gpu: &Gpu, data: &Data) -> Result<()> {
    println!(
        "  columns over three directions: n_max, of other length, in other order, not alternating; then how far off"
    );
    let mut compared = [Distance::default(); 2];
    let mut meshes = Vec::new();
    for name in MESHES {
        meshes.push((name, data.mesh(name)?));
    }
    for name in CLOSED {
        meshes.push((name, data.sequence(&format!("deforming/{name}.ply@deforming/{name}.pc2"))?));
    }
    for (name, mesh) in &meshes {
        // Of a sequence, a frame in which it has moved.
        let body = Body::new(mesh.mesh.clone(), &mesh.frames[mesh.frames.len() / 2])?;
        let on_gpu = GpuBody::new(gpu, &body)?;
        for ((path, of_volume), all) in PATHS.into_iter().zip(&mut compared) {
            let (mut total, mut layers, mut excused) = (Distance::default(), 0, 0);
            for direction in DIRECTIONS {
                let options = ImageOptions::default().with_direction(direction);
                let what = |which: &str| format!("{name}, {path}, {direction:?}: {which}");
                let mut cpu = LayeredDepthImage::new();
                cpu.render(&body, &options)?;
                let mut image = GpuImage::new(gpu, options, path)?;
                let before = gpu.counters();
                image.render(&on_gpu)?;
                let columns = image.read_columns()?;
                let spent = gpu.counters() - before;
                if path == Path::Stencil {
                    let expected = (u64::from(columns.depth_complexity()), 2);
                    tally.compare((spent.passes, spent.read_backs), expected, || what("passes and read-backs"));
                }
                let found = distance(&cpu, &columns);
                tally.compare(found.odd, 0, || what("odd columns"));
                tally.expect(found.volume <= of_volume, || what(&format!("a volume {:e} off", found.volume)));
                if path == Path::Compute {
                    tally.expect(found.depth <= DEPTH, || what(&format!("a depth {:e} off", found.depth)));
                }
                total.add(&found);
                layers = layers.max(columns.depth_complexity());
                if direction == Direction::PositiveZ {
                    excused = points(tally, &cpu, &mut image, &what)?;
                }
            }
            println!(
                "  {name:26} {path:8} {layers:4} {:4} {:4} {:6}  depth {:.1e}  volume {:.1e}  {excused} points at a crossing",
                total.other_counts, total.other_order, total.unordered, total.depth, total.volume
            );
            all.add(&total);
        }
    }
    for ((path, _), all) in PATHS.into_iter().zip(compared) {
        println!("  {path}: {} of {} columns have another length than on the cpu", all.other_counts, all.pixels);
        let part = all.other_counts as f64 / all.pixels as f64;
        tally.expect(part <= OTHER_COUNTS, || format!("{path}: {part:e} of the columns have another length"));
    }
    Ok(())
}

impl Distance {
    fn add(&mut self, other: &Self) {
        self.pixels += other.pixels;
        self.other_counts += other.other_counts;
        self.other_order += other.other_order;
        self.odd += other.odd;
        self.unordered += other.unordered;
        self.depth = self.depth.max(other.depth);
        self.volume = self.volume.max(other.volume);
    }
}

fn distance(cpu: &LayeredDepthImage, gpu: &DepthColumns) -> Distance {
    let size = cpu.resolution();
    let deep = depth_of(cpu);
    let volumes = [cpu.volume(), gpu.volume()];
    let mut found = Distance {
        pixels: size.sample_count(),
        odd: gpu.odd_columns(),
        unordered: gpu.unordered_columns(),
        volume: (volumes[0] - volumes[1]).abs() / volumes[0],
        ..Distance::default()
    };
    for (column, row) in (0..size.rows).flat_map(|row| (0..size.columns).map(move |column| (column, row))) {
        let (ours, theirs) = (gpu.crossings(column, row), cpu.column(column, row).crossings());
        if ours.len() != theirs.len() {
            found.other_counts += 1;
            continue;
        }
        let mut other_order = false;
        for (ours, theirs) in ours.zip(theirs) {
            found.depth = found.depth.max((ours.depth - theirs.depth).abs() / deep);
            other_order |= ours.kind != theirs.kind;
        }
        found.other_order += usize::from(other_order);
    }
    found
}

/// How deep the box of an image is.
fn depth_of(image: &LayeredDepthImage) -> f64 {
    let k = image.direction().map_or(0, |direction| direction.axis() as usize);
    f64::from(image.bounds().max()[k]) - f64::from(image.bounds().min()[k])
}

/// Points against both images, which look along +z; returns how many differ, all of them at a crossing.
fn points(
    tally: &mut Tally,
    cpu: &LayeredDepthImage,
    image: &mut GpuImage,
    what: &dyn Fn(&str) -> String,
) -> Result<usize> {
    let points = scattered(cpu.bounds());
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    image.contains_points(&points, &mut ours)?;
    cpu.contains_points(&points, &mut theirs);
    let (low, [du, dv]) = (cpu.bounds().min().map(f64::from), cpu.step());
    let at_a_crossing = |&[x, y, z]: &[f32; 3]| {
        let [x, y, z] = [f64::from(x) - low[0], f64::from(y) - low[1], f64::from(z) - low[2]];
        let [column, row] = [x / du, y / dv];
        // On the border of two pixels, either may be asked.
        let border = |place: f64| (place - place.round()).abs() < POINT;
        let mut crossings = cpu.column(column as u32, row as u32).crossings();
        border(column) || border(row) || crossings.any(|crossing| (crossing.depth - z).abs() <= POINT * depth_of(cpu))
    };
    let differ: Vec<usize> = (0..points.len()).filter(|&k| ours[k] != theirs[k]).collect();
    let far = differ.iter().filter(|&&k| !at_a_crossing(&points[k])).count();
    tally.compare(far, 0, || what("points answered otherwise, away from crossings"));
    Ok(differ.len())
}

/// Volumes of overlaps.
fn overlaps(tally: &mut Tally, gpu: &Gpu, data: &Data) -> Result<()> {
    let rows = rows(data)?;
    let mut meshes: HashMap<&str, Sequence> = HashMap::new();
    for name in rows.iter().flat_map(|row| &row.names) {
        if !meshes.contains_key(name.as_str()) {
            meshes.insert(name, data.mesh(name)?);
        }
    }
    let mut worst = [0.0f64; 2];
    for row in &rows {
        let [a, b] = row.names.each_ref().map(|name| &meshes[name.as_str()]);
        let a = Body::new(a.mesh.clone(), &a.frames[0])?;
        let b = Body::new(b.mesh.clone(), &placed(&b.frames[0], row))?;
        let volume = OverlapSampler::new(OverlapOptions::default()).compute(&a, &b)?.volume();
        let [on_a, on_b] = [GpuBody::new(gpu, &a)?, GpuBody::new(gpu, &b)?];
        for ((path, allowed), worst) in PATHS.into_iter().zip(&mut worst) {
            let mut overlap = GpuOverlap::new(gpu, GpuOverlapOptions::default().with_path(path))?;
            let found = overlap.compute(&on_a, &on_b)?;
            let what = || format!("{:?} at {:?}, {path}: {} instead of {volume}", row.names, row.offset, found.volume);
            let off = if volume > 0.0 { (found.volume - volume).abs() / volume } else { found.volume };
            tally.expect(off <= allowed && found.collides == (volume > 0.0), what);
            *worst = worst.max(off);
        }
    }
    println!("  {} overlaps: volumes at most {:.1e} off by compute, {:.1e} by stencil", rows.len(), worst[0], worst[1]);
    Ok(())
}
