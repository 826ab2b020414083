//! Bodies that are split by material or loose part, or masked, at rest and in motion.

use crumple_io::{Mask, ReadError, ReadOptions, Source, Split, read_source};

use crate::common::Folder;

/// Two squares that share no vertex, the second of which has its corners twice, as two triangles.
const SQUARES: &str = "\
v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nusemtl red\nf 1 2 3 4\n\
v 5 0 Z\nv 6 0 0\nv 6 1 0\nusemtl blue\nf 5 6 7\nv 5 0 Z\nv 6 1 0\nv 5 1 0\nusemtl red\nf 8 9 10\n";

fn squares(folder: &Folder, name: &str, z: &str) {
    std::fs::write(folder.path().join(name), SQUARES.replace('Z', z)).unwrap();
}

fn parts(folder: &Folder, name: &str, options: &ReadOptions) -> Vec<crumple_io::AnimatedBody> {
    read_source(&Source::from(folder.path().join(name).as_path()), options).unwrap()
}

#[test]
fn a_part_has_its_own_vertices_and_knows_the_faces_of_the_file() {
    let folder = Folder::new("split-faces");
    squares(&folder, "s.obj", "0");
    let loose = ReadOptions::default().with_split(Split::Parts);
    for (options, expected) in [
        (loose.clone(), vec![("s/part 1", 4, vec![0, 0]), ("s/part 2", 6, vec![1, 2])]),
        (
            loose.without_welding(),
            vec![("s/part 1", 4, vec![0, 0]), ("s/part 2", 3, vec![1]), ("s/part 3", 3, vec![2])],
        ),
        (
            ReadOptions::default().with_split(Split::Materials),
            vec![("s/red", 7, vec![0, 0, 2]), ("s/blue", 3, vec![1])],
        ),
    ] {
        let found = parts(&folder, "s.obj", &options);
        let told: Vec<_> = found
            .iter()
            .map(|part| (part.name(), part.vertex_count(), part.face_of_triangle().unwrap().to_vec()))
            .collect();
        assert_eq!(told, expected, "{options:?}");
        for part in &found {
            assert!(part.triangles().as_flattened().iter().all(|&vertex| (vertex as usize) < part.vertex_count()));
        }
    }
}

#[test]
fn parts_move_with_their_body_in_any_order_of_frames() {
    let folder = Folder::new("split-frames");
    for frame in 0..4 {
        squares(&folder, &format!("s_{frame}.obj"), &frame.to_string());
    }
    let mut found = parts(&folder, "s_#.obj", &ReadOptions::default().with_split(Split::Parts));
    assert_eq!(
        found.iter().map(|part| (part.name(), part.frame_count())).collect::<Vec<_>>(),
        [("s/part 1", 4), ("s/part 2", 4)]
    );
    for frame in [2, 0, 3, 3, 1] {
        for (number, part) in found.iter_mut().enumerate() {
            let mut positions = vec![[9.0; 3]; part.vertex_count()];
            part.frame(frame, &mut positions).unwrap();
            assert_eq!(positions[0], [[0.0, 0.0, 0.0], [5.0, 0.0, frame as f32]][number]);
            assert_eq!(part.frame_number(frame), Some(frame as u64));
        }
    }
    // The whole body's vertex is named, since the file has no parts.
    let error = found[1].not_finite(2, 0, [0.0, 0.0, f32::NAN]);
    assert!(matches!(error, ReadError::NotFinite { .. }) && error.to_string().contains("vertex 4"), "{error}");
}

#[test]
fn a_mask_that_a_body_has_or_has_not_is_told() {
    let folder = Folder::new("split-masks");
    squares(&folder, "s.obj", "0");
    let mask = |name: &str| Mask { name: name.to_owned(), leaves_out: false };
    let found = parts(&folder, "s.obj", &ReadOptions::default().with_masks(vec![mask("left")]));
    assert_eq!((found.len(), found[0].triangles().len(), found[0].has_masks()), (1, 4, &[false][..]));
}
