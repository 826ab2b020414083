//! Bodies with f64 positions: a second identical pass over every question allocates nothing on one thread.

use crate::support::shapes;
use allocation_counter::measure;
use crumple::{Body, Mesh, Ray, Scene};
use crumple_ldi::{ImageOptions, LayeredDepthImage, Overlap, OverlapOptions, PointsInside, PointsOptions};

#[test]
fn a_second_pass_over_a_sequence_allocates_nothing() {
    let (shape_a, shape_b) = (shapes::bumpy(3), shapes::torus(40, 20, 0.4));
    let wide = |positions: &[[f32; 3]], by: f64| -> Vec<[f64; 3]> {
        positions.iter().map(|p| p.map(|x| f64::from(x) + 1e-9 + by)).collect()
    };
    let body = |shape: &shapes::Shape| {
        let mesh = Mesh::new(shape.positions.len(), shape.triangles.clone()).unwrap();
        Body::new_f64(mesh, &wide(&shape.positions, 0.0)).unwrap()
    };
    let mut scene = Scene::new();
    let ids = [scene.add(body(&shape_a)), scene.add(body(&shape_b))];
    scene.set_self_collision(ids[0], true).unwrap();
    let frames: Vec<_> = (0..7)
        .map(|frame| {
            let turn = std::f64::consts::TAU * f64::from(frame) / 7.0;
            [wide(&shape_a.positions, 0.0), wide(&shape_b.positions, 0.6 - 0.6 * turn.cos())]
        })
        .collect();
    let points = wide(&shape_b.positions[..100], 0.1);
    let rays: Vec<Ray> = shape_b.positions[..100].iter().map(|&p| Ray::new(p, p.map(|x| 0.1 - x))).collect();
    let (mut depths, mut closest, mut hits) = (Vec::new(), Vec::new(), Vec::new());
    let mut image = LayeredDepthImage::new();
    let mut overlap = Overlap::new(OverlapOptions::default().with_resolution(64));
    let mut inside = PointsInside::new(PointsOptions::default().with_exact());
    let mut pass = || {
        let mut total = [0.0; 8];
        for positions in &frames {
            for (&id, positions) in ids.iter().zip(positions) {
                scene.set_positions(id, positions).unwrap();
            }
            let frame = scene.update().unwrap();
            total[0] += frame.contacts().iter().map(|contact| contact.pairs.len()).sum::<usize>() as f64;
            total[1] += frame.impacts().len() as f64 + frame.first_impact().map_or(0.0, |impact| impact.time.lo);
            total[2] += frame.distance(ids[0], ids[1]).unwrap().distance.hi + frame.near(0.02).len() as f64;
            total[3] += frame.overlaps().iter().map(|overlap| overlap.volume()).sum::<f64>();
            total[4] += (frame.regions().count() + frame.curves().map(|curves| curves.len()).sum::<usize>()) as f64;
            frame.depths(ids[1], ids[0], &mut depths).unwrap();
            frame.signed_closest_points(ids[0], &points, &mut closest).unwrap();
            frame.cast_rays(&rays, &mut hits).unwrap();
            total[5] += (depths.len() + hits.iter().flatten().count()) as f64 + closest[0].distance;
            let [a, b] = ids.map(|id| frame.body(id).unwrap());
            image.render(a, &ImageOptions::default()).unwrap();
            total[6] += image.volume() + overlap.compute(a, b).unwrap().volume();
            total[7] += inside.test(a, &points).unwrap().iter().filter(|&&inside| inside).count() as f64;
        }
        total
    };
    // A pool of one thread, for where the library would share work among those of the pool it is called in.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        // The first pass begins where the bodies were made, the second where the first ended.
        pass();
        let first = pass();
        let mut second = first;
        let counted = measure(|| second = pass());
        assert!(first.iter().all(|&found| found > 0.0), "{first:?}");
        assert_eq!((first, counted.count_total), (second, 0));
    });
}
