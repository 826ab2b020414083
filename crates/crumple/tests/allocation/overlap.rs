//! Exact overlaps, regions of overlaps and contacts, curves and depths of a scene: a second identical pass allocates nothing on one thread.

use crate::support::shapes;
use allocation_counter::measure;
use crumple::Scene;
use crumple::contact::SelfLoss;

#[test]
fn a_second_pass_over_a_sequence_allocates_nothing() {
    let (shape_a, shape_b) = (shapes::bumpy(4), shapes::torus(60, 30, 0.4));
    let inner = shapes::sphere(2, [0.0; 3], 0.2);
    let mut scene = Scene::new();
    let ids = [&shape_a, &shape_b, &inner].map(|shape| scene.add(shape.body()));
    let frames: Vec<_> = (0..7)
        .map(|frame| {
            // A motion that ends where it began, so that the second pass begins with no longer a step than the first.
            let turn = std::f32::consts::TAU * frame as f32 / 7.0;
            let (swell, away) = (1.0 + 0.1 * turn.sin(), 0.75 - 0.75 * turn.cos());
            let moved = shape_b.translated([away, 0.2, 0.3]);
            [shape_a.moved(|p| [p[0] * swell, p[1], p[2] / swell]), moved, inner.translated([0.5 * away, 0.0, 0.0])]
        })
        .collect();
    let (mut depths, mut of_regions) = (Vec::new(), Vec::new());
    let mut pass = || {
        let mut total = (0.0, 0, 0, 0, 0);
        for shapes in &frames {
            for (&id, shape) in ids.iter().zip(shapes) {
                scene.set_positions(id, &shape.positions).unwrap();
            }
            let frame = scene.update().unwrap();
            total.0 += frame.overlaps().iter().map(|overlap| overlap.volume()).sum::<f64>();
            total.1 += frame.curves().map(|curves| curves.len()).sum::<usize>();
            total.2 += frame.regions().count();
            total.4 += frame.contact_regions().map(|region| region.pairs.len()).sum::<usize>();
            frame.depths(ids[1], ids[0], &mut depths).unwrap();
            total.3 += depths.len();
            let regions = frame.contact_regions().filter(|of| (of.a, of.b) == (ids[0], ids[1]));
            frame.region_depths(ids[0], ids[1], regions.map(|of| of.of), &mut of_regions).unwrap();
            total.0 += of_regions.iter().filter_map(|of| of.depth).sum::<f64>();
        }
        total
    };
    // A pool of one thread, for where the library would share work among those of the pool it is called in.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let first = pass();
        let mut second = first;
        let counted = measure(|| second = pass());
        assert!(first.0 > 0.0 && first.1 > 0 && first.2 > 0 && first.3 > 0 && first.4 > 0);
        assert_eq!((first, counted.count_total), (second, 0));
    });
}

#[test]
fn a_second_pass_of_bodies_that_overlap_themselves_allocates_nothing() {
    let crossing = shapes::bumpy(4).moved(|[x, y, z]| [x, y, z * (z * z - 0.4)]);
    // Solids that touch along an edge: its mesh is resolved.
    let touching = shapes::cells(&[[0, 0, 0], [1, 1, 0], [2, 2, 0], [2, 1, 1]]);
    let mut scene = Scene::new();
    let ids = [&crossing, &touching].map(|shape| scene.add(shape.body()));
    let frames: Vec<_> = (0..7)
        .map(|frame| {
            let turn = std::f32::consts::TAU * frame as f32 / 7.0;
            let bend = 0.5 - 0.5 * turn.cos();
            let bent = touching.moved(|[x, y, z]| [x, y - bend * x * x, z + 3.0 * bend * (x - 1.5) * y]);
            [crossing.moved(|[x, y, z]| [x, y * (1.0 + 0.1 * turn.sin()), z]), bent]
        })
        .collect();
    let mut loss = SelfLoss::default();
    let mut pass = || {
        let mut total = (0.0, 0, 0.0);
        for shapes in &frames {
            for (&id, shape) in ids.iter().zip(shapes) {
                scene.set_positions(id, &shape.positions).unwrap();
            }
            let frame = scene.update().unwrap();
            for id in ids {
                total.0 += frame.self_overlap(id).unwrap().volume();
                let regions = frame.self_regions(id).unwrap();
                total.1 += regions.len();
                regions.add_up(|region| !region.pairs.is_empty(), &mut loss);
                total.2 += loss.value;
            }
        }
        total
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let first = pass();
        let mut second = first;
        let counted = measure(|| second = pass());
        assert!(first.0 > 0.0 && first.1 > 0 && first.2 > 0.0);
        assert_eq!((first, counted.count_total), (second, 0));
    });
}
