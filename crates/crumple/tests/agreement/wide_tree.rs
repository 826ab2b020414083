//! The wide tree against brute force, on soups full of triangles that touch, lie in one plane or have no area.

use crate::support::counts::drawn;
use crate::support::soups::{Truth, random_pair};
use crumple::narrow::wide_tree::{Lanes, WideTree, WideTreeOptions};
use crumple::{Body, Mesh};
use crumple_methods::Method;

fn all_lanes() -> [WideTree; 2] {
    [Lanes::Best, Lanes::Baseline].map(|lanes| WideTree { options: WideTreeOptions::default().with_lanes(lanes) })
}

#[test]
fn finds_what_brute_force_finds_at_every_simd_level() {
    for truth in Truth::everything() {
        all_lanes().iter().for_each(|method| truth.check(method));
    }
}

#[test]
fn finds_what_brute_force_finds_in_random_soups() {
    for seed in 0..drawn(3000) as u32 {
        let truth = Truth::of(random_pair(seed));
        all_lanes().iter().for_each(|method| truth.check(method));
    }
}

/// A square grid of vertices, two triangles per cell, where `place` puts them.
fn sheet(cells: u32, place: impl Fn(f32, f32) -> [f32; 3]) -> (Vec<[u32; 3]>, Vec<[f32; 3]>) {
    let across = cells + 1;
    let cell = |at: u32| {
        let corner = at / cells * across + at % cells;
        [[corner, corner + 1, corner + across], [corner + 1, corner + across + 1, corner + across]]
    };
    let vertex = |at: u32| place((at % across) as f32 / cells as f32, (at / across) as f32 / cells as f32);
    ((0..cells * cells).flat_map(cell).collect(), (0..across * across).map(vertex).collect())
}

/// Boxes far from everything that a body is asked against stay loose; a small sheet that leaps from place to place over a
/// large one that waves gets to all of them.
#[test]
fn what_was_left_alone_for_long_is_found_when_another_body_gets_there() {
    let large = |frame: u32| {
        sheet(40, move |x, y| {
            [x, y, 0.05 * (9.0 * x + 0.3 * frame as f32).sin() * (7.0 * y - 0.2 * frame as f32).cos()]
        })
    };
    let small = |frame: u32| {
        // Some frames in each corner and in the middle.
        let (x, y) = [(0.1, 0.1), (0.85, 0.8), (0.5, 0.5), (0.1, 0.9), (0.9, 0.1)][frame as usize / 4 % 5];
        sheet(6, move |u, v| [x + 0.1 * u, y + 0.01 * frame as f32 * 0.1, 0.2 * v - 0.1])
    };
    let scene_of = |method: Method| {
        let mut scene = method.scene();
        let ids = [large(0), small(0)].map(|(triangles, positions)| {
            scene.add(Body::new(Mesh::new(positions.len(), triangles).unwrap(), &positions).unwrap())
        });
        (scene, ids)
    };
    let mut scenes = [Method::default(), Method::BruteForce].map(scene_of);
    for frame in 0..60 {
        let [found, expected] = scenes.each_mut().map(|(scene, ids)| {
            scene.set_positions(ids[0], &large(frame).1).unwrap();
            scene.set_positions(ids[1], &small(frame).1).unwrap();
            let at = scene.update().unwrap();
            let pairs: Vec<_> = at.contacts().iter().flat_map(|contact| contact.pairs.to_vec()).collect();
            // Now and then the trees are asked about everything: those of the next frame are then tight everywhere.
            let distance = (frame % 7 == 3).then(|| at.distance(ids[0], ids[1]).unwrap().distance);
            (pairs, distance)
        });
        assert!(!expected.0.is_empty(), "frame {frame} has contacts");
        assert_eq!(found, expected, "frame {frame}");
    }
}
