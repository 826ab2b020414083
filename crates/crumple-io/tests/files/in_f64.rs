//! Positions read as f64 numbers: what is kept, what stays f32, and what is refused.

use crumple::{Body, Mesh, Precision};
use crumple_io::{AnimatedBody, ReadOptions, Source, Split, read_points, read_source};

use crate::common::{Folder, message};

/// Numbers that f32 does not hold: the last one is halfway between two f32 numbers, plus a little.
const NUMBERS: [[f64; 3]; 3] =
    [[4_321_987.123_456_789, 0.1, -1e-40], [1.0, 2.0, 1e-300], [1.000_000_059_604_645, 0.0, 3.0]];

fn in_f64() -> ReadOptions {
    ReadOptions::default().with_precision(Precision::F64)
}

fn read(folder: &Folder, name: &str, options: &ReadOptions) -> Vec<AnimatedBody> {
    read_source(&Source::from(folder.join(name).as_path()), options).unwrap()
}

fn frame(body: &mut AnimatedBody, frame: usize) -> Vec<[f64; 3]> {
    let mut positions = vec![[0.0; 3]; body.vertex_count()];
    body.frame_f64(frame, &mut positions).unwrap();
    positions
}

fn lines(before: &str, numbers: &[[f64; 3]]) -> String {
    numbers.iter().map(|[x, y, z]| format!("{before}{x:?} {y:?} {z:?}\n")).collect()
}

fn obj(numbers: &[[f64; 3]]) -> String {
    lines("v ", numbers) + "f 1 2 3\n"
}

/// PLY in the three encodings, with coordinates of a type.
fn ply(kind: &str, encoding: &str, numbers: &[[f64; 3]]) -> Vec<u8> {
    let header = format!(
        "ply\nformat {encoding} 1.0\nelement vertex {}\nproperty {kind} x\nproperty {kind} y\nproperty {kind} z\n\
         element face 1\nproperty list uchar int vertex_indices\nend_header\n",
        numbers.len()
    );
    let mut bytes = header.into_bytes();
    for &x in numbers.as_flattened() {
        match (kind, encoding) {
            (_, "ascii") => bytes.extend(format!("{x:?} ").bytes()),
            ("double", "binary_little_endian") => bytes.extend(x.to_le_bytes()),
            ("double", _) => bytes.extend(x.to_be_bytes()),
            (_, "binary_little_endian") => bytes.extend((x as f32).to_le_bytes()),
            _ => bytes.extend((x as f32).to_be_bytes()),
        }
    }
    match encoding {
        "ascii" => bytes.extend(b"3 0 1 2\n"),
        "binary_little_endian" => bytes.extend([3, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]),
        _ => bytes.extend([3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2]),
    }
    bytes
}

#[test]
fn formats_with_f64_numbers_keep_every_bit_and_without_the_option_are_rounded() {
    let folder = Folder::new("f64-formats");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
    write("a.obj", obj(&NUMBERS).as_bytes());
    write("a.off", format!("OFF\n3 1 0\n{}3 0 1 2\n", lines("", &NUMBERS)).as_bytes());
    let encodings = ["ascii", "binary_little_endian", "binary_big_endian"];
    for encoding in encodings {
        write(&format!("{encoding}.ply"), &ply("double", encoding, &NUMBERS));
        write(&format!("{encoding}_float.ply"), &ply("float", encoding, &NUMBERS));
    }
    let rounded = NUMBERS.map(|position| position.map(|x| x as f32));
    for name in ["a.obj", "a.off", "ascii.ply", "binary_little_endian.ply", "binary_big_endian.ply"] {
        let [body] = &mut read(&folder, name, &in_f64())[..] else { panic!("{name} is one body") };
        assert_eq!((body.precision(), frame(body, 0)), (Precision::F64, NUMBERS.to_vec()), "{name}");
        let mut narrow = vec![[0.0; 3]; 3];
        body.frame(0, &mut narrow).unwrap();
        assert_eq!(narrow, rounded);
        let [body] = &mut read(&folder, name, &ReadOptions::default())[..] else { panic!("{name} is one body") };
        assert_eq!(body.precision(), Precision::F32);
        body.frame(0, &mut narrow).unwrap();
        assert_eq!(narrow, rounded, "{name}");
    }
    // What is stored in f32 takes no more memory for having been asked for in f64.
    for encoding in encodings {
        let [body] = &mut read(&folder, &format!("{encoding}_float.ply"), &in_f64())[..] else { panic!("one body") };
        assert_eq!(body.precision(), Precision::F32);
        assert_eq!(frame(body, 0), rounded.map(|position| position.map(f64::from)));
    }
    write("points.xyz", lines("", &NUMBERS).as_bytes());
    let [points] = &mut read_points(folder.join("points.xyz"), &in_f64()).unwrap()[..] else { panic!("one set") };
    assert_eq!(frame(points, 0), NUMBERS);
}

#[test]
fn numbered_files_and_parts_of_bodies_keep_every_bit() {
    let folder = Folder::new("f64-sequence");
    let moved = NUMBERS.map(|[x, y, z]| [x + 1e-9, y, z]);
    for (number, positions) in [NUMBERS, moved].iter().enumerate() {
        std::fs::write(folder.join(&format!("s_{number}.obj")), obj(positions)).unwrap();
    }
    let [body] = &mut read(&folder, "s_#.obj", &in_f64())[..] else { panic!("one body") };
    assert_eq!((frame(body, 1), frame(body, 0)), (moved.to_vec(), NUMBERS.to_vec()));
    // The corners of two triangles, which coincide but for one that is off by less than f32 can tell.
    let [a, b, c] = NUMBERS;
    let near = [c[0], c[1], c[2].next_up()];
    let apart = lines("v ", &[a, b, c, near, [9.0; 3], [9.0, 8.0, 7.0]]) + "f 1 2 3\nf 4 5 6\n";
    std::fs::write(folder.join("parts.obj"), apart).unwrap();
    let split = in_f64().with_split(Split::Parts);
    let mut parts = read(&folder, "parts.obj", &split);
    assert_eq!(parts.len(), 2);
    assert_eq!((parts[1].precision(), frame(&mut parts[1], 0)[0]), (Precision::F64, near));
    assert_eq!(read(&folder, "parts.obj", &ReadOptions::default().with_split(Split::Parts)).len(), 1);
}

#[test]
fn files_of_a_sequence_that_would_have_to_be_rounded_are_refused() {
    let folder = Folder::new("f64-mixed");
    for (number, kind) in ["float", "double"].iter().enumerate() {
        std::fs::write(folder.join(&format!("s_{number}.ply")), ply(kind, "ascii", &NUMBERS)).unwrap();
    }
    let [body] = &mut read(&folder, "s_#.ply", &in_f64())[..] else { panic!("one body") };
    let error = body.frame_f64(1, &mut [[0.0; 3]; 3]).unwrap_err();
    let [first, second] = ["s_0.ply", "s_1.ply"].map(|name| folder.join(name).display().to_string());
    assert_eq!(
        message(&error),
        format!(
            "{second}: its coordinates are `double`, but those of {first} are `float`; hint: write all files of a sequence \
             in one precision"
        )
    );
}

#[test]
fn numbers_that_cannot_be_taken_are_named_with_file_body_and_vertex() {
    let folder = Folder::new("f64-refused");
    let path = folder.join("far.obj");
    std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1e60 0\nf 1 2 3\n").unwrap();
    let [body] = &mut read(&folder, "far.obj", &in_f64())[..] else { panic!("one body") };
    let mesh = Mesh::new(3, body.triangles().to_vec()).unwrap();
    let refused = Body::new_f64(mesh, &frame(body, 0)).unwrap_err();
    let message = body.refused(0, &refused).to_string();
    assert!(
        message.starts_with(&format!("{}: body far: vertex 2 is at [0.0, 1e60, 0.0]: ", path.display())),
        "{message}"
    );
    assert!(message.contains("multiply all positions by a power of two"), "{message}");
    std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1e400 0\nf 1 2 3\n").unwrap();
    let error = read_source(&Source::from(path.as_path()), &in_f64()).unwrap_err();
    let what = "vertex 2 has y = inf, which is not a finite double-precision number";
    assert_eq!(error.to_string(), format!("{}: {what}", path.display()));
}
