//! Files that bend their format as files in use do are read; files that are something else are named as what they are.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::common::{Folder, message};
use crumple_io::{MeshFile, read, read_mesh, read_points};

/// One mesh, written to a file and read.
fn mesh(name: &str, content: &[u8]) -> MeshFile {
    static FOLDERS: AtomicU32 = AtomicU32::new(0);
    let folder = Folder::new(&format!("odd-{}", FOLDERS.fetch_add(1, Ordering::Relaxed)));
    std::fs::write(folder.join(name), content).unwrap();
    read_mesh(folder.join(name)).unwrap_or_else(|error| panic!("{}", message(&error)))
}

const OBJ: &str = "# one\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 \\\n3\n";
const OFF: &str = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
const STL: &str = "solid one\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid one\n";
const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
    element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

#[test]
fn a_byte_order_mark_and_any_line_ends_change_nothing() {
    for (name, text) in [("a.obj", OBJ), ("a.off", OFF), ("a.stl", STL), ("a.ply", PLY)] {
        let plain = mesh(name, text.as_bytes());
        assert_eq!(plain.triangles, [[0, 1, 2]], "{name}");
        for ends in ["\r", "\r\n", "\n"] {
            for mark in ["", "\u{feff}"] {
                let bent = format!("{mark}{}", text.replace('\n', ends));
                assert_eq!(mesh(name, bent.as_bytes()), plain, "{name} {ends:?} {mark:?}");
            }
        }
    }
}

#[test]
fn a_binary_ply_may_have_a_header_of_carriage_returns_and_begin_with_a_line_feed() {
    let header = "ply\rformat binary_little_endian 1.0\relement vertex 3\rproperty uchar x\rproperty uchar y\r\
        property uchar z\relement face 1\rproperty list uchar int vertex_indices\rend_header\r";
    let mut file = header.as_bytes().to_vec();
    file.extend([b'\n', 0, 0, 1, 0, 0, 0, b'\r', 0, 3]);
    file.extend([0_i32, 1, 2].iter().flat_map(|corner| corner.to_le_bytes()));
    let read = mesh("mac.ply", &file);
    assert_eq!(read.positions, [[10.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 13.0, 0.0]]);
    assert_eq!(read.triangles, [[0, 1, 2]]);
}

#[test]
fn lines_of_a_ply_header_that_nobody_knows_are_stepped_over() {
    let text =
        PLY.replace("element vertex", "TextureFile skin.png\nelement vertex").replace("end_header", "\nend_header");
    assert_eq!(mesh("lines.ply", text.as_bytes()), MeshFile { name: "lines".into(), ..mesh("a.ply", PLY.as_bytes()) });
}

#[test]
fn counts_may_run_into_the_keyword_of_an_off_file() {
    for text in [OFF.replace("OFF\n", "OFF"), OFF.replace("OFF\n", "COFF"), OFF.replace("OFF\n", "")] {
        assert_eq!(mesh("a.off", text.as_bytes()), mesh("a.off", OFF.as_bytes()), "{text}");
    }
    let folder = Folder::new("odd-keyword");
    std::fs::write(folder.join("b.off"), "OFFSET 3 1 0\n").unwrap();
    let said = message(&read_mesh(folder.join("b.off")).unwrap_err());
    assert!(said.contains("begins with `OFF` or its counts, found `OFFSET`"), "{said}");
}

#[test]
fn every_reader_names_a_pointer_of_git_lfs_and_an_html_page() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    let page = "\u{feff} <!doctype HTML>\n<html lang=\"en\">\n";
    let folder = Folder::new("odd-something-else");
    std::fs::write(folder.join("mesh.ply"), PLY).unwrap();
    for name in ["a.obj", "a.off", "a.stl", "a.ply", "a.gltf", "a.glb", "a.xyz", "mesh.ply@a.pc2", "a.mdd"] {
        let file = name.rsplit('@').next().unwrap();
        for (content, want) in [
            (pointer, "it is a Git LFS pointer; the file itself has not been downloaded"),
            (page, "it is an HTML page, not a mesh"),
        ] {
            std::fs::write(folder.join(file), content).unwrap();
            let source = folder.path().join(name.replace('@', &format!("@{}/", folder.path().display())));
            let read = if name.ends_with(".xyz") || name.ends_with(".mdd") {
                read_points(source, &Default::default())
            } else {
                read(source)
            };
            let said = message(&read.unwrap_err());
            assert!(said.contains(&format!("{file}: {want}; hint: ")), "{name}: {said}");
        }
    }
}
