//! Small valid files, damaged in thousands of seeded ways: no reader panics, hangs, hands out a mesh that does not fit
//! together, or takes memory out of proportion to the file. `fuzz/` looks further; this runs every time.
use std::io::Cursor;

use crate::common::glb;
use crumple_io::{CacheFormat, MeshFile, ObjBodies, PointCache, ReadOptions, read};
use crumple_scenes::Random;

/// How many times as many files are damaged as usual: `CRUMPLE_DAMAGE`, 1 if it is not set.
pub(crate) fn times_as_many() -> usize {
    std::env::var("CRUMPLE_DAMAGE").map_or(1, |times| times.parse().unwrap())
}

/// Damages files, reads them, and holds the memory that takes against `per_byte` bytes for each byte of the file.
fn damage(seeds: &[Vec<u8>], rounds: usize, per_byte: usize, read: impl Fn(&[u8])) {
    let mut random = Random::new(seeds.len() as u64);
    let mut file = Vec::new();
    for round in 0..rounds * times_as_many() {
        let seed = &seeds[round % seeds.len()];
        file.clear();
        file.extend_from_slice(seed);
        for _ in 0..=random.below(3) {
            mutate(&mut file, &mut random);
        }
        let used = allocation_counter::measure(|| read(&file)).bytes_max as usize;
        // Messages and fixed tables take a little whatever the file is.
        let allowed = 16_384 + per_byte * file.len();
        assert!(used <= allowed, "round {round}: {used} bytes for a file of {}", file.len());
    }
}

/// An index into a list of so many items.
fn below(random: &mut Random, count: usize) -> usize {
    random.below(count as u64) as usize
}

/// One change of the kinds that break parsers: numbers, structure, lengths.
fn mutate(file: &mut Vec<u8>, random: &mut Random) {
    if file.is_empty() {
        file.push(random.bits() as u8);
        return;
    }
    let at = below(random, file.len());
    match random.below(9) {
        0 => file[at] = random.bits() as u8,
        1 => file[at] ^= 1 << random.below(8),
        2 => file.truncate(at),
        3 => {
            let end = (at + below(random, 20)).min(file.len());
            file.drain(at..end);
        }
        4 => {
            let end = (at + below(random, 20)).min(file.len());
            let copy = file[at..end].to_vec();
            let to = below(random, file.len());
            file.splice(to..to, copy);
        }
        // An extreme in place of a binary number.
        5 => {
            let extremes = [0, 1, u32::MAX, i32::MAX as u32, 1 << 31, f32::NAN.to_bits(), f32::MAX.to_bits()];
            let value = extremes[below(random, extremes.len())];
            let bytes = if random.below(2) == 0 { value.to_le_bytes() } else { value.to_be_bytes() };
            for (byte, new) in file[at..].iter_mut().zip(bytes) {
                *byte = new;
            }
        }
        // A word in place of a number in a text.
        6 | 7 => {
            let digit = |b: &u8| b.is_ascii_digit();
            let Some(start) = file[at..].iter().position(digit).map(|k| at + k) else {
                return;
            };
            let len = file[start..].iter().take_while(|b| digit(b)).count();
            let words = [
                "0",
                "1",
                "2",
                "3",
                "7",
                "-1",
                "255",
                "65535",
                "4294967295",
                "4000000000",
                "18446744073709551616",
                "1e39",
                "nan",
                "-inf",
                "\"\"",
                "null",
                "[]",
                "\\",
                "#",
                "/",
            ];
            let word = words[below(random, words.len())];
            file.splice(start..start + len, word.bytes());
        }
        _ => {
            let line = [b' ', b'\n', b'\r', b'"', b',', b'{', b'[', 0, 0xff][below(random, 9)];
            file.insert(at, line);
        }
    }
}

fn check(mesh: &MeshFile) {
    assert!(mesh.positions.as_flattened().iter().all(|x| x.is_finite()));
    check_triangles(&mesh.triangles, mesh.positions.len());
    if let Some(map) = &mesh.face_of_triangle {
        assert_eq!(map.len(), mesh.triangles.len());
        assert!(map.is_sorted());
    }
}

fn check_triangles(triangles: &[[u32; 3]], vertices: usize) {
    assert!(triangles.as_flattened().iter().all(|&v| (v as usize) < vertices));
}

fn text(lines: &[&str]) -> Vec<u8> {
    lines.join("\n").into_bytes()
}

#[test]
fn damaged_ply_files() {
    let header = |format: &str| {
        format!(
            "ply\nformat {format} 1.0\ncomment x\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
             property uchar red\nelement extra 2\nproperty short s\nproperty list uchar short t\nelement face 3\n\
             property list uchar int vertex_indices\nproperty float quality\nend_header\n"
        )
    };
    let mut seeds = vec![
        (header("ascii") + "0 0 0 1\n1 0 0 2\n0 1 0 3\n1 1 0 4\n5 2 6 7\n5 0\n3 0 1 2 1.5\n4 0 1 3 2 2.5\n3 2 1 3 0\n")
            .into_bytes(),
    ];
    for (format, big) in [("binary_little_endian", false), ("binary_big_endian", true)] {
        let mut file = header(format).into_bytes();
        let word = |x: u32| {
            if big { x.to_be_bytes() } else { x.to_le_bytes() }
        };
        for v in 0..4_u8 {
            for x in [f32::from(v % 2), f32::from(v / 2), 0.0] {
                file.extend(word(x.to_bits()));
            }
            file.push(v);
        }
        file.extend([5, 0, 2, 6, 0, 7, 0, 5, 0, 0]);
        for face in [&[0, 1, 2][..], &[0, 1, 3, 2], &[2, 1, 3]] {
            file.push(face.len() as u8);
            file.extend(face.iter().flat_map(|&v| word(v)));
            file.extend(word(0));
        }
        seeds.push(file);
    }
    for seed in &seeds {
        assert_eq!(read::parse_ply(seed, "a.ply").unwrap().triangles.len(), 4);
    }
    damage(&seeds, 6000, 64, |file| {
        if let Ok(mesh) = read::parse_ply(file, "a.ply") {
            check(&mesh);
        }
    });
}

#[test]
fn damaged_obj_files() {
    let seeds = [text(&[
        "8 4",
        "# x",
        "mtllib a.mtl",
        "o cloth",
        "v 0 0 0",
        "v 1 0 0 0.5 0.5 0.5",
        "v 0 1 0",
        "v 1 1 1e-3",
        "vt 0 0",
        "vn 0 0 1",
        "g left",
        "usemtl m",
        "f 1/1/1 2/1/1 3/1/1",
        "f -1//1 -2//1 \\",
        "-3//1",
        "g right",
        "f 1 2 4 3",
        "l 1 2",
        "",
    ])];
    assert_eq!(read::parse_obj(&seeds[0], "a.obj").unwrap().triangles.len(), 4);
    damage(&seeds, 4000, 64, |file| {
        if let Ok(mesh) = read::parse_obj(file, "a.obj") {
            check(&mesh);
        }
        for bodies in [ObjBodies::Groups, ObjBodies::Objects] {
            if let Ok(parts) = read::parse_obj_bodies(file, "a.obj", bodies) {
                parts.iter().for_each(check);
            }
        }
    });
}

#[test]
fn damaged_stl_files() {
    let facet =
        ["facet normal 0 0 1", "outer loop", "vertex 0 0 0", "vertex 1 0 0", "vertex 0 1 0.5", "endloop", "endfacet"];
    let mut binary = vec![b'x'; 80];
    binary.extend(2_u32.to_le_bytes());
    for t in 0..2_u8 {
        binary.extend([0; 12]);
        for corner in [[0, 0, 0], [1, t, 0], [0, 1, 1]] {
            binary.extend(corner.iter().flat_map(|&x| f32::from(x).to_le_bytes()));
        }
        binary.extend([0; 2]);
    }
    let seeds = [text(&[&["solid s"][..], &facet, &facet, &["endsolid s"]].concat()), binary];
    for seed in &seeds {
        assert_eq!(read::parse_stl(seed, "a.stl").unwrap().triangles.len(), 2);
    }
    damage(&seeds, 6000, 64, |file| {
        if let Ok(mesh) = read::parse_stl(file, "a.stl") {
            check(&mesh);
        }
    });
}

#[test]
fn damaged_off_files() {
    let seeds = [text(&[
        "COFF",
        "# x",
        "4 3 0",
        "0 0 0 255 0 0",
        "1 0 0 1 1 1 # y",
        "0 1 0",
        "1 1 0.5",
        "3 0 1 2",
        "4 0 1 3 2 0.5 0.5 0.5",
        "3 3 2 1",
        "",
    ])];
    assert_eq!(read::parse_off(&seeds[0], "a.off").unwrap().triangles.len(), 4);
    damage(&seeds, 4000, 64, |file| {
        if let Ok(mesh) = read::parse_off(file, "a.off") {
            check(&mesh);
        }
    });
}

#[test]
fn damaged_xyz_files() {
    let seeds = [text(&["# x y z", "0 0.5 -1e-3", "", "1 2 3 255 0 0", "  -4\t5.25 6", ""])];
    assert_eq!(read::parse_xyz(&seeds[0], "a.xyz").unwrap().positions.len(), 3);
    damage(&seeds, 4000, 64, |file| {
        if let Ok(mesh) = read::parse_xyz(file, "a.xyz") {
            check(&mesh);
        }
    });
}

#[test]
fn damaged_point_caches() {
    let floats: Vec<f32> = (0..18).map(|k| k as f32 / 2.0).collect();
    let mut pc2 = b"POINTCACHE2\0".to_vec();
    pc2.extend([1, 2, 0, 0, 3_i32].iter().flat_map(|x| x.to_le_bytes()));
    pc2.extend(floats.iter().flat_map(|x| x.to_le_bytes()));
    let mut mdd: Vec<u8> = [3, 2, 0, 0, 0_i32].iter().flat_map(|x| x.to_be_bytes()).collect();
    mdd.extend(floats.iter().flat_map(|x| x.to_be_bytes()));
    for (seed, format) in [(pc2, CacheFormat::Pc2), (mdd, CacheFormat::Mdd)] {
        assert_eq!(PointCache::new(Cursor::new(&seed), format, "a").unwrap().frame_count(), 3);
        damage(&[seed], 4000, 16, |file| {
            let Ok(mut cache) = PointCache::new(Cursor::new(file), format, "a") else {
                return;
            };
            // The file backs every point that the header announces, so this is never larger than the file.
            let mut positions = vec![[0.0; 3]; cache.vertex_count()];
            for frame in 0..cache.frame_count() {
                cache.read_frame(frame, &mut positions).unwrap();
            }
        });
    }
}

#[test]
fn damaged_gltf_files() {
    let seeds = [glb::everything()];
    let options = ReadOptions::default();
    let read_all = |file: &[u8]| {
        let Ok(mut bodies) = read::parse_gltf(file, "a.glb", &options) else {
            return 0;
        };
        for body in &mut bodies {
            check_triangles(body.triangles(), body.vertex_count());
            let last = body.frame_count() - 1;
            for frame in [0, last / 2, last] {
                let mut positions = vec![[f32::NAN; 3]; body.vertex_count()];
                body.frame(frame, &mut positions).unwrap();
                let finite = positions.as_flattened().iter().all(|x| x.is_finite());
                assert_eq!(body.check(frame, &positions).is_ok(), finite);
            }
        }
        bodies.iter().map(|body| body.frame_count()).sum()
    };
    assert_eq!(read_all(&seeds[0]), 24);
    damage(&seeds, 8000, 200, |file| {
        read_all(file);
    });
}
