//! Random triangles on small grids, where shared planes, edges, corners and whole triangles are the rule.

use std::sync::Arc;

use crumple::narrow::Wanted;
use crumple::{Body, Mesh};

use crate::support::counts::full_counts;
use crate::support::methods::{brute_force, methods};
use crate::support::soups::{grid_positions, soup_of_shared_vertices};
use crumple_scenes::Random;

/// Every method on every pair of bodies and each with itself, now and after every one of `frames`.
fn check(mut bodies: Vec<Body>, frames: &[Vec<Vec<[f32; 3]>>], context: &str) -> usize {
    let methods = methods();
    let mut trees: Vec<_> = methods.iter().map(|method| method.trees(&bodies)).collect();
    let mut count = 0;
    for number in 0..=frames.len() {
        if number > 0 {
            crate::support::playback::move_bodies(&mut bodies, &frames[number - 1]);
            trees.iter_mut().for_each(|trees| trees.update(&bodies));
        }
        for a in 0..bodies.len() {
            for b in a..bodies.len() {
                let truth = brute_force().trees(&bodies).pairs(&bodies, a, b, Wanted::All);
                for (method, trees) in methods.iter().zip(&mut trees) {
                    let context = || format!("{method}, bodies {a} and {b}, frame {number}, {context}");
                    assert_eq!(trees.pairs(&bodies, a, b, Wanted::All), truth, "{}", context());
                    let first = trees.pairs(&bodies, a, b, Wanted::First);
                    assert_eq!(first.len(), truth.len().min(1), "{}", context());
                    assert!(first.iter().all(|pair| truth.contains(pair)), "{}", context());
                    // The other way round it is the same pairs the other way round.
                    if a != b {
                        let mut turned = trees.pairs(&bodies, b, a, Wanted::All);
                        turned.iter_mut().for_each(|pair| std::mem::swap(&mut pair.a, &mut pair.b));
                        turned.sort_unstable();
                        assert_eq!(turned, truth, "{}", context());
                    }
                }
                count += truth.len();
            }
        }
    }
    count
}

#[test]
fn triangle_soups_on_small_grids_at_every_scale() {
    let smallest = f32::from_bits(1);
    // A multiple of the number of units.
    for seed in 0..if full_counts() { 42 } else { 12 } {
        let mut random = Random::new(seed);
        let unit = [1.0, 0.1, smallest, 1e-38, 1e18, f32::MAX / 8.0][seed as usize % 6];
        let side = random.integer(1, 6);
        let mut body = |most: u64| {
            let (vertices, triangles) = (1 + random.below(2 * most) as usize, random.below(most) as usize);
            soup_of_shared_vertices(&mut random, vertices, triangles, side, unit)
        };
        let bodies = vec![body(60), body(60), body(8)];
        let jumps: Vec<Vec<_>> = (0..2)
            .map(|_| {
                let jump = |body: &Body| grid_positions(&mut random, body.positions().len(), side, unit);
                bodies.iter().map(jump).collect()
            })
            .collect();
        check(bodies, &jumps, &format!("seed {seed}"));
    }
}

#[test]
fn bodies_of_no_and_of_one_triangle() {
    let flat = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
    let shapes = [
        vec![],                                                     // no vertices
        vec![[0.5, 0.5, 0.0]],                                      // a vertex, no triangle
        flat.to_vec(),                                              // with area
        vec![[0.5, 0.5, -1.0], [0.5, 0.5, 1.0], [0.5, 0.5, 0.0]],   // a segment
        vec![[0.5, 0.5, 0.0]; 3],                                   // a point
        vec![[0.5, 0.5, 0.25], [3.0, 0.5, 0.25], [0.5, 3.0, 0.25]], // near and apart
        vec![[2.0, 0.0, 0.0], [2.0, 0.0, 5.0], [2.0, -5.0, 5.0]],   // touching in a corner
    ];
    let body = |positions: &Vec<[f32; 3]>| {
        let triangles = if positions.len() == 3 { vec![[0, 1, 2]] } else { vec![] };
        Body::new(Mesh::new(positions.len(), triangles).unwrap(), positions).unwrap()
    };
    assert!(check(shapes.iter().map(body).collect(), &[], "one triangle each") >= 4);
}

#[test]
fn identical_bodies_meet_in_every_triangle() {
    let sphere = crumple_scenes::sphere(crumple_scenes::Solid::Icosahedron, 1).unwrap();
    let mesh = Arc::new(Mesh::new(sphere.positions.len(), sphere.triangles).unwrap());
    let body = Body::new(Arc::clone(&mesh), &sphere.positions).unwrap();
    let count = check(vec![body.clone(), body], &[], "identical bodies");
    assert!(count >= mesh.triangles().len());
    // And where many triangles are one, no split can tell them apart.
    let mesh = Arc::new(Mesh::new(3, vec![[0, 1, 2]; 50]).unwrap());
    let body = Body::new(mesh, &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap();
    assert_eq!(check(vec![body.clone(), body], &[], "fifty triangles in one place"), 50 * 50 + 2 * (50 * 49 / 2));
}

#[test]
fn triangles_that_shrink_by_half_from_one_to_the_next_make_a_deep_tree_and_no_error() {
    let mut positions = Vec::new();
    let mut size = 1.0f32;
    while size > 0.0 {
        positions.extend([[size, 0.0, 0.0], [size, size, 0.0], [size, 0.0, size]]);
        size /= 2.0;
    }
    let triangles: Vec<[u32; 3]> = (0..positions.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let mesh = Arc::new(Mesh::new(positions.len(), triangles).unwrap());
    let upright = Body::new(Arc::clone(&mesh), &positions).unwrap();
    let lying: Vec<[f32; 3]> = positions.iter().map(|&[x, y, z]| [y, x, z]).collect();
    let lying = Body::new(mesh, &lying).unwrap();
    assert!(check(vec![upright, lying], &[], "shrinking triangles") > 0);
}
