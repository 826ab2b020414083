//! What holds for everything a reader hands out.

use crumple_io::MeshFile;

/// A mesh whose parts fit together.
pub fn check(mesh: &MeshFile) {
    check_finite(&mesh.positions);
    check_triangles(&mesh.triangles, mesh.positions.len());
    if let Some(map) = &mesh.face_of_triangle {
        assert_eq!(map.len(), mesh.triangles.len());
        assert!(map.is_sorted());
    }
}

/// Triangles that use only vertices that are there.
pub fn check_triangles(triangles: &[[u32; 3]], vertices: usize) {
    assert!(triangles.as_flattened().iter().all(|&v| (v as usize) < vertices));
}

/// Coordinates that are numbers.
pub fn check_finite(positions: &[[f32; 3]]) {
    assert!(positions.as_flattened().iter().all(|x| x.is_finite()));
}
