//! Times overlaps and points inside on meshes from files, for `peers/volume.py` to put beside other libraries.
//!
//! ```text
//! volume_times overlap A.ply B.ply RESOLUTION ROUNDS
//! volume_times points BODY.ply POINTS RESOLUTION ROUNDS ANSWERS     POINTS: f32 x y z …; ANSWERS: one byte per point
//! volume_times image BODY.ply RESOLUTION ROUNDS
//! ```
//!
//! Prints `name value` lines; times are medians in milliseconds, one thread unless `RAYON_NUM_THREADS` says otherwise.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use crumple::{Body, Mesh};
use crumple_ldi::{ImageOptions, LayeredDepthImage, OverlapOptions, OverlapSampler, PointsInside, PointsOptions};

fn body(file: &str) -> Result<Body, Box<dyn Error>> {
    let file = crumple_io::read::read_ply(file)?;
    let body = Body::new(Mesh::new(file.positions.len(), file.triangles)?, &file.positions)?;
    // Computed once per mesh, not once per frame.
    body.mesh().topology();
    Ok(body)
}

/// The median time of a few rounds.
fn median(rounds: usize, mut round: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..rounds.max(1))
        .map(|_| {
            let start = Instant::now();
            round();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn overlap(a: &str, b: &str, resolution: u32, rounds: usize) -> Result<(), Box<dyn Error>> {
    let (a, b) = (body(a)?, body(b)?);
    let mut overlap = OverlapSampler::new(OverlapOptions::default().with_resolution(resolution));
    println!("volume {}", overlap.compute(&a, &b)?.volume());
    let images = median(rounds, || overlap.render(&a, &b).expect("computed above"));
    let all = median(rounds, || {
        black_box(overlap.compute(&a, &b).expect("computed above").volume());
    });
    println!("images_ms {images}\noverlap_ms {all}");
    Ok(())
}

fn points(file: &str, points: &str, resolution: u32, rounds: usize, answers: &str) -> Result<(), Box<dyn Error>> {
    let body = body(file)?;
    let bytes = std::fs::read(points)?;
    let coordinate = |four: &[u8; 4]| f32::from_le_bytes(*four);
    let points: Vec<[f32; 3]> =
        bytes.as_chunks::<4>().0.as_chunks::<3>().0.iter().map(|p| p.each_ref().map(coordinate)).collect();
    for (name, options) in [("sampled", PointsOptions::default()), ("exact", PointsOptions::default().with_exact())] {
        let mut tester = PointsInside::new(options.with_resolution(resolution));
        let found: Vec<u8> = tester.test(&body, &points)?.iter().map(|&inside| u8::from(inside)).collect();
        std::fs::write(format!("{answers}.{name}"), found)?;
        let time = median(rounds, || {
            black_box(tester.test(&body, &points).expect("tested above"));
        });
        println!("{name}_ms {time}");
    }
    Ok(())
}

fn image(file: &str, resolution: u32, rounds: usize) -> Result<(), Box<dyn Error>> {
    let body = body(file)?;
    // The floor: one pass over the triangles that computes their boxes across the image.
    let (positions, triangles): (Vec<_>, _) =
        (body.positions().iter().map(|&[x, y, z]| [x, y, z, 0.0]).collect(), body.mesh().indices());
    let mut boxes = vec![[0.0f32; 4]; triangles.len()];
    let floor = median(rounds, || {
        for (triangle, bounds) in triangles.iter().zip(&mut boxes) {
            let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
            *bounds = [
                a[0].min(b[0]).min(c[0]),
                a[1].min(b[1]).min(c[1]),
                a[0].max(b[0]).max(c[0]),
                a[1].max(b[1]).max(c[1]),
            ];
        }
        black_box(&boxes);
    });
    let mut image = LayeredDepthImage::new();
    let options = ImageOptions::default().with_resolution(resolution);
    image.render(&body, &options)?;
    let time = median(rounds, || image.render(&body, &options).expect("rendered above"));
    println!("floor_ms {floor}\nimage_ms {time}\ncrossings {}", image.stats().crossings);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["overlap", a, b, resolution, rounds] => overlap(a, b, resolution.parse()?, rounds.parse()?),
        ["points", body, file, resolution, rounds, answers] => {
            points(body, file, resolution.parse()?, rounds.parse()?, answers)
        }
        ["image", body, resolution, rounds] => image(body, resolution.parse()?, rounds.parse()?),
        _ => Err("usage: volume_times overlap | points | image, see the head of the file".into()),
    }
}
