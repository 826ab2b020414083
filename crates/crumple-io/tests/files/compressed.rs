//! Compressed and plain versions of one model are the same model, but for the rounding that compression brings.
//!
//! The samples are written by the encoders that exporters use (`tests/assets/sheets.mjs`).

use crate::common::{frame_of, message};
use crate::mutations::times_as_many;
use crumple::{Body, Mesh, self_pairs};
use crumple_io::read::parse_gltf;
use crumple_io::{AnimatedBody, ReadOptions};

const PLAIN: &[u8] = include_bytes!("../assets/sheet.glb");

/// Each sample, how far its vertices may be off, and whether its vertices and triangles keep their order.
const COMPRESSED: [(&str, &[u8], f32, bool); 5] = [
    ("draco edgebreaker", include_bytes!("../assets/sheet_draco_edgebreaker.glb"), 5e-4, false),
    ("draco sequential", include_bytes!("../assets/sheet_draco_sequential.glb"), 5e-4, false),
    // Triangles may begin with another corner.
    ("meshopt", include_bytes!("../assets/sheet_meshopt.glb"), 0.0, true),
    ("meshopt, filtered", include_bytes!("../assets/sheet_meshopt_filtered.glb"), 2e-4, true),
    ("meshopt, version 1", include_bytes!("../assets/sheet_meshopt_khr.glb"), 2e-4, true),
];

fn body(name: &str, file: &[u8]) -> AnimatedBody {
    let read = parse_gltf(file, "sheet.glb", &ReadOptions::default().with_fps(8.0));
    let mut bodies = read.unwrap_or_else(|error| panic!("{name}: {}", message(&error)));
    assert_eq!(bodies.len(), 1);
    bodies.remove(0)
}

fn distance(a: &[f32; 3], b: &[f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// Triangles as sets: each begins with its smallest corner.
fn sorted(triangles: impl Iterator<Item = [u32; 3]>) -> Vec<[u32; 3]> {
    let mut sorted: Vec<[u32; 3]> = triangles
        .map(|mut triangle| {
            let first = (0..3).min_by_key(|&k| triangle[k]).unwrap();
            triangle.rotate_left(first);
            triangle
        })
        .collect();
    sorted.sort_unstable();
    sorted
}

#[test]
fn compressed_files_have_the_triangles_and_the_motion_of_the_plain_one() {
    let mut plain = body("plain", PLAIN);
    let first = frame_of(&mut plain, 0).unwrap();
    let triangles = sorted(plain.triangles().iter().copied());
    assert_eq!((first.len(), triangles.len(), plain.frame_count()), (169, 288, 9));
    for (name, file, off, in_order) in COMPRESSED {
        let mut compressed = body(name, file);
        assert_eq!(
            (compressed.name(), compressed.vertex_count(), compressed.frame_count()),
            ("sheet", 169, 9),
            "{name}"
        );
        let found = frame_of(&mut compressed, 0).unwrap();
        let nearest = |position: &[f32; 3]| {
            let by_distance =
                |a: &usize, b: &usize| distance(&first[*a], position).total_cmp(&distance(&first[*b], position));
            (0..first.len()).min_by(by_distance).unwrap() as u32
        };
        let vertex: Vec<u32> = found.iter().map(nearest).collect();
        if in_order {
            assert_eq!(vertex, (0..169).collect::<Vec<u32>>(), "{name}");
        }
        let renamed = compressed.triangles().iter().map(|triangle| triangle.map(|corner| vertex[corner as usize]));
        assert_eq!(sorted(renamed), triangles, "{name}");
        for frame in 0..9 {
            let (wanted, found) = (frame_of(&mut plain, frame).unwrap(), frame_of(&mut compressed, frame).unwrap());
            for (k, position) in found.iter().enumerate() {
                let apart = distance(position, &wanted[vertex[k] as usize]);
                assert!(apart <= off, "{name}, frame {frame}, vertex {k}: {apart}");
            }
            let pairs = |positions: &[[f32; 3]], triangles: &[[u32; 3]]| {
                let mesh = Mesh::new(positions.len(), triangles.to_vec()).unwrap();
                self_pairs(&Body::new(mesh, positions).unwrap()).len()
            };
            let answers = [pairs(&wanted, plain.triangles()), pairs(&found, compressed.triangles())];
            assert_eq!(answers[0], answers[1], "{name}, frame {frame}");
        }
    }
}

#[test]
fn damaged_compressed_files_are_refused_or_read_and_never_panic() {
    let mut random = crumple_scenes::Random::new(7);
    let (mut refused, mut read) = (0, 0);
    for (_, file, _, _) in COMPRESSED {
        // The JSON ends where the second chunk begins; damage to it is what `mutations.rs` is about.
        let json = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
        let bytes = 20 + json + 8;
        for _ in 0..3000 * times_as_many() {
            let mut damaged = file.to_vec();
            for _ in 0..1 + random.below(3) {
                let at = bytes + random.below((file.len() - bytes) as u64) as usize;
                damaged[at] = random.bits() as u8;
            }
            match parse_gltf(&damaged, "sheet.glb", &ReadOptions::default()) {
                Ok(_) => read += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 1000 && read > 1000, "{refused} refused, {read} read");
}
