//! How fast each format is read: megabytes a second, warm, on one core.
//!
//!     cargo run --release -p crumple-io --example read_speed [TRIANGLES]
//!
//! Writes a wavy sheet in every format into a temporary folder, reads each file a few times and prints the best.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use crumple_io::{Encoding, MeshFile, PointCache, PointCacheWriter, read, write};

fn main() -> Result<(), Box<dyn Error>> {
    let triangles: usize = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 2_000_000,
    };
    let folder = std::env::temp_dir().join(format!("crumple-read-speed-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let result = measure_all(&folder, &sheet(triangles));
    std::fs::remove_dir_all(&folder)?;
    result
}

fn measure_all(folder: &Path, mesh: &MeshFile) -> Result<(), Box<dyn Error>> {
    for (what, encoding) in [
        ("PLY little-endian", Encoding::LittleEndian),
        ("PLY big-endian", Encoding::BigEndian),
        ("PLY ascii", Encoding::Ascii),
    ] {
        let file = folder.join("sheet.ply");
        write::write_ply(&file, mesh, encoding)?;
        measure(what, &file, || Ok(read::read_ply(&file)?.triangles.len() == mesh.triangles.len()))?;
    }
    for (what, name) in [("PC2", "sheet.pc2"), ("MDD", "sheet.mdd")] {
        let file = folder.join(name);
        let mut writer = PointCacheWriter::create(&file, mesh.positions.len(), 8)?;
        for _ in 0..8 {
            writer.write_frame(&mesh.positions)?;
        }
        writer.finish()?;
        let mut positions = Vec::new();
        measure(what, &file, || {
            let mut cache = PointCache::open(&file)?;
            for frame in 0..cache.frame_count() {
                cache.read_frame(frame, &mut positions)?;
            }
            Ok(positions.len() == mesh.positions.len())
        })?;
    }
    Ok(())
}

/// Times `read` until the best of several runs is known; it says whether it read what was written.
fn measure(
    what: &str,
    file: &Path,
    mut read: impl FnMut() -> Result<bool, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let megabytes = std::fs::metadata(file)?.len() as f64 / 1e6;
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        if !read()? {
            return Err(format!("{what} did not come back as it was written").into());
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{what:<18} {megabytes:8.1} MB {:8.0} MB/s", megabytes / best);
    std::fs::remove_file(file)?;
    Ok(())
}

/// A square sheet of about `triangles` triangles with waves in it.
fn sheet(triangles: usize) -> MeshFile {
    let side = ((triangles / 2) as f64).sqrt().ceil().max(1.0) as u32;
    let height = |x: f64, y: f64| 0.1 * (7.0 * x).sin() * (11.0 * y).cos();
    let mut mesh = MeshFile::default();
    for y in 0..=side {
        for x in 0..=side {
            let (u, v) = (f64::from(x) / f64::from(side), f64::from(y) / f64::from(side));
            mesh.positions.push([u as f32, v as f32, height(u, v) as f32]);
        }
    }
    for y in 0..side {
        for x in 0..side {
            let corner = y * (side + 1) + x;
            let above = corner + side + 1;
            mesh.triangles.push([corner, corner + 1, above]);
            mesh.triangles.push([corner + 1, above + 1, above]);
        }
    }
    mesh
}
