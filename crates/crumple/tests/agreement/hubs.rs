//! Vertices of very many triangles: polygons cut as fans, cones and poles, flat, folded and moved at random.

use crate::support::methods::default_methods;
use crumple::narrow::Wanted;
use crumple::{Body, Edit, Mesh, TriangleId};
use crumple_scenes::Random;

/// Corners of a regular polygon in the plane z = 0.
fn polygon(count: u32) -> Vec<[f32; 3]> {
    let angle = |k: u32| std::f32::consts::TAU * k as f32 / count as f32;
    (0..count).map(|k| [angle(k).cos(), angle(k).sin(), 0.0]).collect()
}

/// The corners of a polygon as a fan around the first, from corner `first` of the mesh on.
fn fan(count: u32, first: u32) -> impl Iterator<Item = [u32; 3]> {
    (1..count - 1).map(move |k| [first, first + k, first + k + 1])
}

fn check(what: &str, positions: &[[f32; 3]], triangles: Vec<[u32; 3]>, weld: bool) -> usize {
    let mut mesh = Mesh::new(positions.len(), triangles).unwrap();
    if weld {
        mesh = mesh.welded(positions).unwrap();
    }
    agree(what, [Body::new(mesh, positions).unwrap()])
}

/// Holds every method against brute force on one body; returns how many pairs there are.
fn agree(what: &str, bodies: [Body; 1]) -> usize {
    let mut wanted = None;
    for method in default_methods() {
        let mut trees = method.trees(&bodies);
        let found = trees.pairs(&bodies, 0, 0, Wanted::All);
        let witness = trees.pairs(&bodies, 0, 0, Wanted::First);
        // The first is brute force.
        let wanted = wanted.get_or_insert_with(|| found.clone());
        assert_eq!(&found, wanted, "{method}: {what}");
        assert_eq!(witness.len(), wanted.len().min(1), "{method}: {what}");
        assert!(witness.iter().all(|pair| wanted.contains(pair)), "{method}: {what}");
    }
    wanted.map_or(0, |pairs| pairs.len())
}

#[test]
fn a_flat_polygon_does_not_collide_and_a_folded_one_does() {
    for count in [33, 34, 35, 64, 150] {
        let flat = polygon(count);
        assert_eq!(check("flat", &flat, fan(count, 0).collect(), false), 0, "{count} corners");
        let mut folded = flat.clone();
        let (half, third) = (count as usize / 2, count as usize / 3);
        folded[half] = folded[third];
        folded[half][0] += 0.01;
        assert!(check("folded", &folded, fan(count, 0).collect(), false) > 0, "{count} corners");
        // The corner that all triangles share, inside out and out of the plane.
        for centre in [[0.1, 0.2, 0.0], [-3.0, 0.1, 0.0], [0.0, 0.0, 2.0]] {
            let mut moved = flat.clone();
            moved[0] = centre;
            check("moved", &moved, fan(count, 0).collect(), false);
        }
    }
}

#[test]
fn caps_and_cones_beside_other_triangles_are_found_as_brute_force_finds_them() {
    let count = 48;
    let mut random = Random::new(3);
    for round in 0..16 {
        // Two caps, each with corners of its own, a side between them, and a cone inside.
        let mut positions = polygon(count);
        positions.extend(polygon(count).into_iter().map(|[x, y, _]| [x, y, 1.0]));
        positions.extend(polygon(count).into_iter().map(|[x, y, _]| [0.5 * x, 0.5 * y, 0.3]));
        positions.push([0.0, 0.0, if round % 2 == 0 { 0.8 } else { 1.2 }]);
        let mut triangles: Vec<[u32; 3]> = fan(count, 0).chain(fan(count, count)).collect();
        for k in 0..count {
            let next = (k + 1) % count;
            triangles.extend([[k, next, count + k], [next, count + next, count + k]]);
            triangles.push([3 * count, 2 * count + k, 2 * count + next]);
        }
        for _ in 0..round / 2 {
            let vertex = random.below(positions.len() as u64) as usize;
            positions[vertex] = std::array::from_fn(|_| random.below(5) as f32 / 2.0 - 1.0);
        }
        check(&format!("round {round}"), &positions, triangles.clone(), false);
        check(&format!("round {round}, welded"), &positions, triangles, true);
    }
}

#[test]
fn a_fan_that_goes_round_twice_collides() {
    let count = 40;
    let mut positions = vec![[0.0, 0.0, 0.0]];
    positions.extend((0..2 * count).map(|k| {
        let angle = std::f32::consts::TAU * k as f32 / count as f32;
        [angle.cos(), angle.sin(), 0.0]
    }));
    let triangles = (1..2 * count).map(|k| [0, k, k + 1]).collect();
    assert!(check("twice round", &positions, triangles, false) > 0);
}

#[test]
fn a_tree_of_several_levels_leaves_out_no_pair_of_a_hub_that_is_dented() {
    let count = 700;
    let flat = polygon(count);
    assert_eq!(check("flat", &flat, fan(count, 0).collect(), false), 0);
    let mut dented = flat;
    dented.swap(400, 401);
    assert!(check("dented", &dented, fan(count, 0).collect(), false) > 0);
}

#[test]
fn a_hub_that_loses_triangles_is_looked_at_anew() {
    let count = 64;
    let folded = |mut positions: Vec<[f32; 3]>| {
        positions[50] = [0.9, 0.3, 0.0];
        positions
    };
    for positions in [polygon(count), folded(polygon(count))] {
        // At an end, where the fan stays whole; in the middle, where two fans remain; so many that it is tracked.
        for removed in [vec![0], vec![30], (5..45).collect::<Vec<u32>>()] {
            let mesh = Mesh::new(positions.len(), fan(count, 0).collect()).unwrap();
            let mut body = Body::new(mesh, &positions).unwrap();
            // Its fans are found out before and after.
            agree("whole", [body.clone()]);
            let removed: Vec<TriangleId> = removed.into_iter().map(TriangleId).collect();
            body.edit(&Edit { remove: removed.clone(), ..Edit::default() }).unwrap();
            agree("edited", [body.clone()]);
            body.edit(&Edit { restore: removed, ..Edit::default() }).unwrap();
            agree("restored", [body]);
        }
    }
}
