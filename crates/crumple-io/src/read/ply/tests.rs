use super::parse_ply;
use crate::mesh_file::MeshFile;

fn parse(text: impl AsRef<[u8]>) -> Result<MeshFile, String> {
    parse_ply(text.as_ref(), "body.ply").map_err(|e| e.to_string())
}

const SQUARE: &str = "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 4\nproperty float x\nproperty float y\n\
    property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n\
    0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";

#[test]
fn a_polygon_becomes_a_fan_and_its_triangles_know_it() {
    let mesh = parse(SQUARE).unwrap();
    assert_eq!(mesh.name, "body");
    assert_eq!(mesh.positions[2], [1.0, 1.0, 0.0]);
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(mesh.face_of_triangle, Some(vec![0, 0]));
}

/// A binary file whose vertices carry a list and lie behind the faces, with doubles, shorts and foreign elements.
fn awkward(big: bool) -> Vec<u8> {
    let order = if big { "big" } else { "little" };
    let mut file = format!(
        "ply\r\nformat binary_{order}_endian 1.0\r\nobj_info odd\r\nelement face 3\r\nproperty uchar flag\r\n\
         property list ushort ushort vertex_index\r\nproperty list uchar float texcoord\r\nelement nothing 4000000000\r\n\
         element material 2\r\nproperty int id\r\nelement vertex 5\r\nproperty list uchar short tags\r\nproperty double z\r\n\
         property float y\r\nproperty char x\r\nend_header\r\n"
    )
    .into_bytes();
    let short = |x: u16| {
        if big { x.to_be_bytes() } else { x.to_le_bytes() }
    };
    let long = |x: u32| {
        if big { x.to_be_bytes() } else { x.to_le_bytes() }
    };
    let double = |x: f64| {
        if big { x.to_be_bytes() } else { x.to_le_bytes() }
    };
    for face in [&[0_u16, 1, 2][..], &[0, 1, 2, 3, 4], &[2, 3, 4]] {
        file.push(9);
        file.extend(short(face.len() as u16));
        file.extend(face.iter().flat_map(|&v| short(v)));
        file.push(1);
        file.extend(long(0.5_f32.to_bits()));
    }
    file.extend(long(7));
    file.extend(long(8));
    for vertex in 0..5_u8 {
        file.push(vertex % 2);
        file.extend((0..vertex % 2).flat_map(|_| short(3)));
        file.extend(double(f64::from(vertex) / 4.0));
        file.extend(long((f32::from(vertex) * 2.0).to_bits()));
        file.push(0_u8.wrapping_sub(vertex));
    }
    file
}

#[test]
fn any_order_and_type_of_properties_is_read_in_both_byte_orders() {
    for big in [false, true] {
        let mesh = parse(awkward(big)).unwrap();
        assert_eq!(mesh.positions[4], [-4.0, 8.0, 1.0]);
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 1, 2], [0, 2, 3], [0, 3, 4], [2, 3, 4]]);
        assert_eq!(mesh.face_of_triangle, Some(vec![0, 1, 1, 1, 2]));
    }
}

#[test]
fn every_truncation_of_a_file_is_refused() {
    for big in [false, true] {
        let file = awkward(big);
        for len in 0..file.len() {
            assert!(parse(&file[..len]).is_err(), "{len} bytes");
        }
    }
}

/// Triangles, a polygon and triangles again, in the layout that is copied in bulk.
fn mixed(corners: &[&[u32]]) -> Vec<u8> {
    let mut file = format!(
        "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
         property uchar red\nelement face {}\nproperty list uchar int vertex_indices\nproperty uchar red\nend_header\n",
        corners.len()
    )
    .into_bytes();
    for x in 0..4 {
        file.extend([x as f32, 0.5, -1.0].iter().flat_map(|x| x.to_le_bytes()));
        file.push(255);
    }
    for face in corners {
        file.push(face.len() as u8);
        file.extend(face.iter().flat_map(|v| v.to_le_bytes()));
        file.push(255);
    }
    file
}

#[test]
fn bulk_copies_go_on_after_a_polygon() {
    let mesh = parse(mixed(&[&[0, 1, 2], &[1, 2, 3], &[0, 1, 2, 3], &[3, 2, 1], &[0, 1], &[2, 1, 0]])).unwrap();
    assert_eq!(mesh.positions[3], [3.0, 0.5, -1.0]);
    assert_eq!(mesh.triangles, [[0, 1, 2], [1, 2, 3], [0, 1, 2], [0, 2, 3], [3, 2, 1], [2, 1, 0]]);
    assert_eq!(mesh.face_of_triangle, Some(vec![0, 1, 2, 2, 3, 5]));
}

#[test]
fn a_missing_vertex_is_named_with_its_face_and_byte() {
    let file = mixed(&[&[0, 1, 2], &[1, 2, 3], &[0, 4, 2]]);
    let at = file.len() - 9;
    assert_eq!(
        parse(file).unwrap_err(),
        format!("body.ply: byte {at}: face 2 uses vertex 4, but the file has 4 vertices")
    );
    assert_eq!(
        parse(SQUARE.replace("4 0 1 2 3", "4 0 1 -2 3")).unwrap_err(),
        "body.ply: line 15: face 0 uses vertex -2, but the file has 4 vertices"
    );
}

#[test]
fn a_file_without_faces_is_a_set_of_points() {
    let text = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n1 2 3";
    let mesh = parse(text).unwrap();
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (1, 0));
}
