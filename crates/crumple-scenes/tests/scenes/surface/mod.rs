//! Is a surface closed, and does it face outward? Written for the tests, sharing nothing with the scenes.

/// Six times the volume on the inner side of the triangles.
pub(crate) fn signed_volume(triangles: &[[u32; 3]], positions: &[[f32; 3]]) -> f64 {
    triangles
        .iter()
        .map(|triangle| {
            let [a, b, c] = triangle.map(|vertex| positions[vertex as usize].map(f64::from));
            a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
        })
        .sum()
}

/// Every edge joins exactly two triangles that run along it in opposite directions, around every vertex there is one fan,
/// and the volume is positive.
pub(crate) fn closed_outward(triangles: &[[u32; 3]], positions: &[[f32; 3]]) -> Result<(), String> {
    // Each triangle runs along its three edges: from, to, and the third vertex. Sorted, so that an edge is soon found.
    let mut edges: Vec<[u32; 3]> = triangles.iter().flat_map(|&[a, b, c]| [[a, b, c], [b, c, a], [c, a, b]]).collect();
    edges.sort_unstable();
    if let Some([[from, to, _], _]) = edges.array_windows().find(|[a, b]| a[..2] == b[..2]) {
        return Err(format!("two triangles run from vertex {from} to vertex {to}"));
    }
    let third =
        |from: u32, to: u32| edges.binary_search_by(|edge| edge[..2].cmp(&[from, to])).ok().map(|at| edges[at][2]);
    if let Some([from, to, _]) = edges.iter().find(|edge| third(edge[1], edge[0]).is_none()) {
        return Err(format!("the surface is open between vertices {from} and {to}"));
    }
    let mut triangles_at = vec![0usize; positions.len()];
    let mut a_neighbour = vec![0; positions.len()];
    for triangle in triangles {
        for corner in 0..3 {
            triangles_at[triangle[corner] as usize] += 1;
            a_neighbour[triangle[corner] as usize] = triangle[(corner + 1) % 3];
        }
    }
    for vertex in 0..positions.len() as u32 {
        // Walking once around the vertex must meet all of its triangles.
        let (first, mut neighbour, mut met) = (a_neighbour[vertex as usize], a_neighbour[vertex as usize], 0);
        loop {
            neighbour = third(vertex, neighbour).unwrap_or(first);
            met += 1;
            if neighbour == first || met > triangles_at[vertex as usize] {
                break;
            }
        }
        if met != triangles_at[vertex as usize] {
            return Err(format!("vertex {vertex} joins parts of the surface that share no edge there"));
        }
    }
    if signed_volume(triangles, positions) <= 0.0 {
        return Err("the surface faces inward".to_owned());
    }
    Ok(())
}
