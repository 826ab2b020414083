//! How fast each format is read: megabytes per second, with a warm cache, on one core.
//!
//! ```text
//! cargo run --release -p crumple-bench --example read_speed -- [TRIANGLES] [--csv results/MACHINE/read-speed.csv]
//! ```
//!
//! Writes a wavy sheet in every format into a temporary folder, reads each file a few times and prints the best.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crumple_bench::measure::machine;
use crumple_io::{Encoding, MeshFile, PointCache, PointCacheWriter, read, write};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut triangles, mut csv) = (2_000_000, None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--csv" => csv = Some(PathBuf::from(words.next().ok_or("--csv wants a file")?)),
            number => triangles = number.parse()?,
        }
    }
    let folder = std::env::temp_dir().join(format!("crumple-read-speed-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let mut speeds = Vec::new();
    let result = measure_all(&folder, &sheet(triangles), &mut speeds);
    std::fs::remove_dir_all(&folder)?;
    result?;
    match csv {
        Some(file) => Ok(std::fs::write(file, as_csv(&speeds))?),
        None => Ok(()),
    }
}

/// How fast one format was read.
struct Speed {
    format: &'static str,
    megabytes: f64,
    megabytes_a_second: f64,
}

/// One row per format, each complete in itself: files of several machines can be joined.
fn as_csv(speeds: &[Speed]) -> String {
    let (machine, commit) = (machine::machine().replace(',', ""), machine::commit());
    let row = |Speed { format, megabytes, megabytes_a_second }: &Speed| {
        format!("{machine},{commit},{format},{megabytes:.1},{megabytes_a_second:.0}\n")
    };
    let head = "machine,commit,format,megabytes,megabytes_a_second\n".to_owned();
    head + &speeds.iter().map(row).collect::<String>()
}

fn measure_all(folder: &Path, mesh: &MeshFile, speeds: &mut Vec<Speed>) -> Result<(), Box<dyn Error>> {
    let mut measure = |what, file: &Path, read: Read<'_>| -> Result<(), Box<dyn Error>> {
        speeds.push(timed(what, file, read)?);
        Ok(())
    };
    for (what, encoding) in [
        ("PLY little-endian", Encoding::LittleEndian),
        ("PLY big-endian", Encoding::BigEndian),
        ("PLY ascii", Encoding::Ascii),
    ] {
        let file = folder.join("sheet.ply");
        write::write_ply(&file, mesh, encoding)?;
        measure(what, &file, &mut || Ok(read::read_ply(&file)?.triangles.len() == mesh.triangles.len()))?;
    }
    let text = |line: &str| -> String {
        let vertices = mesh.positions.iter().map(|[x, y, z]| format!("{line}{x} {y} {z}\n"));
        vertices.collect()
    };
    let file = folder.join("sheet.obj");
    let faces = mesh.triangles.iter().map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
    std::fs::write(&file, text("v ") + &faces.collect::<String>())?;
    measure("OBJ", &file, &mut || Ok(read::read_obj(&file)?.triangles == mesh.triangles))?;

    let file = folder.join("sheet.off");
    let counts = format!("OFF\n{} {} 0\n", mesh.positions.len(), mesh.triangles.len());
    let faces = mesh.triangles.iter().map(|[a, b, c]| format!("3 {a} {b} {c}\n"));
    std::fs::write(&file, counts + &text("") + &faces.collect::<String>())?;
    measure("OFF", &file, &mut || Ok(read::read_off(&file)?.triangles == mesh.triangles))?;

    let file = folder.join("sheet.stl");
    std::fs::write(&file, binary_stl(mesh))?;
    measure("STL binary", &file, &mut || Ok(read::read_stl(&file)?.positions.len() == mesh.positions.len()))?;
    std::fs::write(&file, text_stl(mesh))?;
    measure("STL ascii", &file, &mut || Ok(read::read_stl(&file)?.positions.len() == mesh.positions.len()))?;

    for (what, name) in [("PC2", "sheet.pc2"), ("MDD", "sheet.mdd")] {
        let file = folder.join(name);
        let mut writer = PointCacheWriter::create(&file, mesh.positions.len(), 8)?;
        for _ in 0..8 {
            writer.write_frame(&mesh.positions)?;
        }
        writer.finish()?;
        let mut positions = vec![[0.0; 3]; mesh.positions.len()];
        measure(what, &file, &mut || {
            let mut cache = PointCache::open(&file)?;
            for frame in 0..cache.frame_count() {
                cache.read_frame(frame, &mut positions)?;
            }
            Ok(positions == mesh.positions)
        })?;
    }
    Ok(())
}

fn corners(mesh: &MeshFile) -> impl Iterator<Item = [[f32; 3]; 3]> {
    mesh.triangles.iter().map(|t| t.map(|v| mesh.positions[v as usize]))
}

fn binary_stl(mesh: &MeshFile) -> Vec<u8> {
    let mut file = vec![0; 80];
    file.extend((mesh.triangles.len() as u32).to_le_bytes());
    for three in corners(mesh) {
        file.extend([0; 12]);
        file.extend(three.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
        file.extend([0; 2]);
    }
    file
}

fn text_stl(mesh: &MeshFile) -> String {
    let mut file = String::from("solid sheet\n");
    for three in corners(mesh) {
        file += "  facet normal 0 0 1\n    outer loop\n";
        for [x, y, z] in three {
            file += &format!("      vertex {x} {y} {z}\n");
        }
        file += "    endloop\n  endfacet\n";
    }
    file + "endsolid sheet\n"
}

/// Reads a file; says whether that is what was written.
type Read<'a> = &'a mut dyn FnMut() -> Result<bool, Box<dyn Error>>;

/// Times `read` until the best of several runs is known; it says whether it read what was written.
fn timed(format: &'static str, file: &Path, read: Read<'_>) -> Result<Speed, Box<dyn Error>> {
    let megabytes = std::fs::metadata(file)?.len() as f64 / 1e6;
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        if !read()? {
            return Err(format!("{format} did not come back as it was written").into());
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    let megabytes_a_second = megabytes / best;
    println!("{format:<18} {megabytes:8.1} MB {megabytes_a_second:8.0} MB/s");
    std::fs::remove_file(file)?;
    Ok(Speed { format, megabytes, megabytes_a_second })
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
