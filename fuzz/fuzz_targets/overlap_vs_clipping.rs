//! Two closed bodies on a small grid, where faces, edges and corners coincide: overlaps and regions against convex clipping.
//!
//! The input is read as: where the grid lies, how fine it is, then two bodies, each of some tetrahedra in cells of their own, so
//! that those of one body do not touch each other. Volumes are sums over pairs of tetrahedra, each clipped at the faces of the
//! other; regions are one for each two that share a volume, whichever body comes first.

#![no_main]

use crumple::contact::regions;
use crumple::{Body, Mesh, Scene, overlap};
use crumple_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

type Point = [f64; 3];
type Tetrahedron = [Point; 4];

const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

/// The side of a cell: corners have the coordinates 0 to 7 in it.
const CELL: f64 = 8.0;

fn minus(p: Point, q: Point) -> Point {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

/// Six times the volume of a tetrahedron.
fn determinant([p, q, r, s]: Tetrahedron) -> f64 {
    let ([a, b, c], [d, e, f], [g, h, i]) = (minus(q, p), minus(r, p), minus(s, p));
    a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)
}

/// Some tetrahedra of positive volume, each in a cell of its own, moved as a whole by some steps of the grid.
fn tetrahedra(bytes: &mut Bytes<'_>) -> Vec<Tetrahedron> {
    let count = 1 + bytes.next() % 4;
    let by = [0; 3].map(|_: u8| f64::from(bytes.next() % 5));
    let mut found = Vec::new();
    for cell in 0..count {
        let at = [CELL * f64::from(cell % 2), CELL * f64::from(cell / 2), 0.0];
        let mut corners = [[0.0; 3]; 4].map(|_: Point| [0, 1, 2].map(|k| at[k] + by[k] + f64::from(bytes.next() % 8)));
        let size = determinant(corners);
        if size < 0.0 {
            corners.swap(0, 1);
        }
        if size != 0.0 {
            found.push(corners);
        }
    }
    found
}

/// What is left of a tetrahedron on the inner side of the plane of a face, as tetrahedra.
fn clip(piece: Tetrahedron, [p, q, r]: [Point; 3], found: &mut Vec<Tetrahedron>) {
    // Faces run counter-clockwise seen from outside.
    let heights = piece.map(|corner| -determinant([p, q, r, corner]));
    let (inner, outer): (Vec<usize>, Vec<usize>) = (0..4).partition(|&k| heights[k] >= 0.0);
    let cut = |i: usize, o: usize| {
        let t = heights[i] / (heights[i] - heights[o]);
        [0, 1, 2].map(|k| piece[i][k] + t * (piece[o][k] - piece[i][k]))
    };
    match (&inner[..], &outer[..]) {
        (_, []) => found.push(piece),
        (&[i], &[p, q, r]) => found.push([piece[i], cut(i, p), cut(i, q), cut(i, r)]),
        (&[i, j], &[p, q]) => found.extend([
            [piece[i], cut(i, p), cut(i, q), piece[j]],
            [cut(i, p), cut(i, q), piece[j], cut(j, p)],
            [cut(i, q), piece[j], cut(j, p), cut(j, q)],
        ]),
        (&[i, j, l], &[p]) => found.extend([
            [piece[i], piece[j], piece[l], cut(i, p)],
            [piece[j], piece[l], cut(i, p), cut(j, p)],
            [piece[l], cut(i, p), cut(j, p), cut(l, p)],
        ]),
        _ => {}
    }
}

/// The volume that two tetrahedra share.
fn common(a: Tetrahedron, b: Tetrahedron) -> f64 {
    let mut pieces = vec![a];
    for face in FACES {
        let mut next = Vec::new();
        pieces.iter().for_each(|&piece| clip(piece, face.map(|k| b[k]), &mut next));
        pieces = next;
    }
    pieces.iter().map(|&piece| determinant(piece).abs() / 6.0).sum()
}

/// A body of tetrahedra; of f32 positions if it is near the origin.
fn body(tetrahedra: &[Tetrahedron], scale: f64, offset: f64) -> Body {
    let positions: Vec<Point> = tetrahedra.iter().flatten().map(|p| p.map(|x| (x + offset) * scale)).collect();
    let faces = (0..tetrahedra.len()).flat_map(|k| FACES.map(|face| face.map(|corner| (4 * k + corner) as u32)));
    let mesh = Mesh::new(positions.len(), faces.collect()).expect("the vertices are there");
    if offset == 0.0 {
        let narrow: Vec<[f32; 3]> = positions.iter().map(|p| p.map(|x| x as f32)).collect();
        return Body::new(mesh, &narrow).expect("a grid has finite positions");
    }
    Body::new_f64(mesh, &positions).expect("a grid has finite positions")
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let scale = [1.0, 2f64.powi(-60), 2f64.powi(60), 2f64.powi(-3)][bytes.next() as usize % 4];
    let offset = [0.0, 2f64.powi(26), -2f64.powi(40), 3.0][bytes.next() as usize % 4];
    let limit = bytes.next() % 8;
    let (of_a, of_b) = (tetrahedra(&mut bytes), tetrahedra(&mut bytes));
    if of_a.is_empty() || of_b.is_empty() {
        return;
    }
    let (a, b) = (body(&of_a, scale, offset), body(&of_b, scale, offset));
    let unit = scale.powi(3);
    let volumes = of_a.iter().flat_map(|&a| of_b.iter().map(move |&b| common(a, b)));
    // The least volume that tetrahedra of this grid share is far above the rounding of clipping.
    let mut expected: Vec<f64> = volumes.filter(|&volume| volume > 1e-10).collect();
    expected.sort_by(f64::total_cmp);
    let total: f64 = expected.iter().sum();
    for (a, b) in [(&a, &b), (&b, &a)] {
        let found = overlap(a, b).expect("both are closed");
        assert!(
            (found.volume() / unit - total).abs() < 1e-10,
            "{} and {total}: {of_a:?} {of_b:?}",
            found.volume() / unit
        );
        assert_eq!(found.centroid().is_some(), total > 0.0, "{of_a:?} {of_b:?}");
        let parts = regions(a, b).expect("both are closed");
        let mut volumes: Vec<f64> = parts.iter().map(|part| part.volume / unit).collect();
        volumes.sort_by(f64::total_cmp);
        assert_eq!(volumes.len(), expected.len(), "{volumes:?} and {expected:?}: {of_a:?} {of_b:?}");
        volumes.iter().zip(&expected).for_each(|(x, y)| assert!((x - y).abs() < 1e-10, "{of_a:?} {of_b:?}"));
        for part in parts.iter() {
            let numbers = [part.centroid, part.surface_centroid, part.normal];
            assert!(part.area > 0.0 && numbers.as_flattened().iter().all(|x| x.is_finite()), "{of_a:?} {of_b:?}");
        }
        // In a scene a limit of contacts changes nothing.
        let mut scene = Scene::new();
        scene.set_max_pairs(Some(usize::from(limit)));
        let ids = [a, b].map(|body| scene.add(body.clone()));
        let frame = scene.update().expect("no body is known by a loose box");
        if limit % 2 == 0 {
            frame.contacts();
        }
        assert_eq!(frame.overlap(ids[0], ids[1]).expect("both are closed").volume(), found.volume());
        assert_eq!(frame.regions().count(), parts.len());
    }
});
