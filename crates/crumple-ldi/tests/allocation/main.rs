//! A second identical pass over a sequence allocates nothing on one thread.

#[path = "../../../crumple/tests/support/mod.rs"]
mod support;

use allocation_counter::measure;
use crumple_ldi::{
    ImageOptions, LayeredDepthImage, OverlapOptions, OverlapSampler, Penetration, PointsInside, PointsOptions,
    SelfOverlap,
};
use support::shapes;

#[test]
fn a_second_pass_over_a_sequence_allocates_nothing() {
    let (shape_a, shape_b) = (shapes::bumpy(5), shapes::torus(100, 50, 0.4));
    let (mut a, mut b) = (shape_a.body(), shape_b.body());
    let frames: Vec<_> = (0..6)
        .map(|frame| {
            let swell = 1.0 + 0.1 * (frame as f32).sin();
            let moved = shape_b.translated([0.1 * frame as f32, 0.2, 0.3]);
            (shape_a.moved(|p| [p[0] * swell, p[1], p[2] / swell]).positions, moved.positions)
        })
        .collect();
    let points: Vec<_> = shape_b.positions.clone();
    let mut image = LayeredDepthImage::new();
    let mut overlap = OverlapSampler::new(OverlapOptions::default());
    let mut inside = PointsInside::new(PointsOptions::default());
    let mut exactly = PointsInside::new(PointsOptions::default().with_exact());
    let mut penetration = Penetration::new(OverlapOptions::default().with_resolution(32));
    let mut self_overlap = SelfOverlap::new(ImageOptions::default());
    let mut depths = Vec::new();
    let mut pass = || {
        let mut total = 0.0;
        for (positions_a, positions_b) in &frames {
            a.set_positions(positions_a).unwrap();
            b.set_positions(positions_b).unwrap();
            image.render(&a, &ImageOptions::default().with_resolution([200, 100])).unwrap();
            image.depths_of_vertices(&b, &mut depths);
            total += image.volume() + overlap.compute(&a, &b).unwrap().volume();
            total += f64::from(u8::from(overlap.collides(&a, &b).unwrap()));
            total += inside.test(&a, &points).unwrap().iter().filter(|&&inside| inside).count() as f64;
            total += exactly.test(&a, &points).unwrap().iter().filter(|&&inside| inside).count() as f64;
            total += penetration.compute(&a, &b).unwrap().depth() + self_overlap.find(&a).unwrap().volume;
        }
        total
    };
    let mut counted = move || {
        let first = pass();
        let mut second = 0.0;
        let counted = measure(|| second = pass());
        (first, second, counted.count_total)
    };
    // A pool of one thread, for where the library would share work among those of the pool it is called in.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (first, second, allocations) = pool.install(&mut counted);
    assert_eq!((first, allocations), (second, 0));
}
