//! What targets share: how they read their input, and what holds for everything a reader hands out.

use crumple::Scene;
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

/// The bytes of an input one by one; zeros once they are used up.
#[derive(Debug)]
pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    /// The next byte.
    pub fn next(&mut self) -> u8 {
        let (&first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        first
    }

    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.next() as usize % limit
    }

    /// Places on a grid of sixteen steps along each axis.
    pub fn positions(&mut self, count: usize, scale: f32) -> Vec<[f32; 3]> {
        let coordinate = |byte: u8| f32::from(byte as i8 / 16) * scale;
        (0..count).map(|_| [0; 3].map(|_: u8| coordinate(self.next()))).collect()
    }
}

/// The numbers of two bodies and of their triangles that meet.
pub type PlainContacts = Vec<(usize, usize, Vec<(u32, u32)>)>;

/// The contacts of the next frame as plain numbers.
pub fn found(scene: &mut Scene) -> PlainContacts {
    let frame = scene.update().expect("no body is known by a loose box");
    let plain = |pairs: &[crumple::TrianglePair]| pairs.iter().map(|pair| (pair.a.0, pair.b.0)).collect();
    frame.contacts().iter().map(|contact| (contact.a.index(), contact.b.index(), plain(contact.pairs))).collect()
}
