//! Small triangles far away, whose copies are off by more than they are large: what is nearest and what is hit first is
//! not found by a search that takes the copies for the triangles.

use super::{FAR, UNIT, Wide, shifted};
use crumple::{Body, Mesh, first_impact};
use crumple_scenes::Random;

/// Corners of small triangles in a slab, `from` to `from` + 1 along x.
fn soup(random: &mut Random, count: usize, from: f64) -> Vec<Wide> {
    let mut number = |low: f64, high: f64| (random.between(low, high) / UNIT).round() * UNIT;
    let mut corners = Vec::new();
    for _ in 0..count {
        let centre = [number(from, from + 1.0), number(0.0, 1.0), number(0.0, 1.0)];
        corners.extend((0..3).map(|_| centre.map(|x| x + number(-0.03, 0.03))));
    }
    corners
}

fn body(corners: &[Wide], by: f64) -> Body {
    let triangles = (0..corners.len() as u32 / 3).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Body::new_f64(Mesh::new(corners.len(), triangles).unwrap(), &shifted(corners, by)).unwrap()
}

#[test]
fn the_nearest_triangles_are_found_far_away() {
    let mut random = Random::new(21);
    for round in 0..60 {
        let (a, b) = (soup(&mut random, 150, 0.0), soup(&mut random, 150, 0.9 + 0.01 * f64::from(round)));
        let here = crumple::distance(&body(&a, 0.0), &body(&b, 0.0)).unwrap();
        let far = crumple::distance(&body(&a, FAR), &body(&b, FAR)).unwrap();
        // Differences of coordinates are the same bits; how often the search was wrong at first may change the lower bound.
        assert_eq!((far.triangles, far.distance.hi), (here.triangles, here.distance.hi), "{round}");
        assert!(far.distance.lo <= far.distance.hi && far.distance.lo >= 0.999 * here.distance.lo, "{far:?} {here:?}");
    }
}

#[test]
fn the_first_impact_is_found_far_away() {
    let mut random = Random::new(22);
    let mut found = 0;
    for _ in 0..60 {
        let (a, b) = (soup(&mut random, 100, 0.0), soup(&mut random, 100, 1.2));
        let moved: Vec<Wide> = b.iter().map(|&[x, y, z]| [x - 0.5, y, z]).collect();
        let [here, far] = [0.0, FAR].map(|by| {
            let mut moving = body(&b, by);
            moving.set_positions_f64(&shifted(&moved, by)).unwrap();
            first_impact(&body(&a, by), &moving).map(|impact| (impact.time, impact.features))
        });
        assert_eq!(here, far);
        found += usize::from(here.is_some());
    }
    assert!(found > 20, "{found}");
}
