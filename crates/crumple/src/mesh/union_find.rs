//! Disjoint sets of vertices: which ones are connected, whether by triangles or by being welded.
//!
//! A list holds for each vertex another of its set, in the end the smallest one, which represents the set and holds itself.
//! Cost: nearly constant per call, since every walk to the representative halves the path it took.

/// Makes one set of the sets of two vertices.
pub(crate) fn unite(of: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(of, a), root(of, b));
    of[a.max(b) as usize] = a.min(b);
}

/// The vertex that represents the set of `vertex`.
pub(crate) fn root(of: &mut [u32], mut vertex: u32) -> u32 {
    while of[vertex as usize] != vertex {
        of[vertex as usize] = of[of[vertex as usize] as usize];
        vertex = of[vertex as usize];
    }
    vertex
}
