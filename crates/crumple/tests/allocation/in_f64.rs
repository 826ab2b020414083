//! f64 bodies: a second identical pass over a sequence allocates nothing on one thread, whatever the method and the question.

use crate::support::doubles::perturbed;
use crate::support::methods::{default_methods, steady_methods};
use crate::support::playback::Playback;
use crate::support::shapes;
use allocation_counter::measure;
use crumple::{Body, Mesh, Ray, Scene};
use crumple_ldi::{ImageOptions, LayeredDepthImage, OverlapOptions, OverlapSampler, PointsInside, PointsOptions};
use crumple_scenes::Random;

/// The positions of every body in a frame.
type FramePositions = Vec<Vec<[f64; 3]>>;

/// The bodies of a scene in the first of some frames, and all of these, perturbed below what f32 resolves.
fn perturbed_scene(name: &str, count: usize) -> (Vec<Body>, Vec<FramePositions>) {
    let scene = crumple_scenes::small().into_iter().find(|scene| scene.name() == name).unwrap();
    let mut random = Random::new(1);
    let last = scene.frame_count() - 1;
    let frames: Vec<FramePositions> = (0..count)
        .map(|i| {
            let positions = scene.frame(i * last / (count - 1));
            positions.iter().map(|positions| perturbed(&mut random, positions)).collect()
        })
        .collect();
    let body = |(of, positions): (&crumple_scenes::SceneBody, &Vec<[f64; 3]>)| {
        Body::new_f64(Mesh::new(positions.len(), of.triangles().to_vec()).unwrap(), positions).unwrap()
    };
    (scene.bodies().iter().zip(&frames[0]).map(body).collect(), frames)
}

/// Runs every frame twice on one thread, by all three ways to give positions; returns the pairs of a pass and how often
/// the second one allocated.
fn second_pass(playback: &mut Playback, frames: &[FramePositions]) -> (usize, u64) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut pass = || {
        let mut pairs = 0;
        for (number, frame) in frames.iter().enumerate() {
            for (&id, positions) in playback.ids.iter().zip(frame) {
                match number % 3 {
                    0 => playback.scene.set_positions_f64(id, positions).unwrap(),
                    1 => playback.scene.positions_mut_f64(id).unwrap().copy_from_slice(positions),
                    _ => playback.scene.write_positions_f64(id, |_, new| new.copy_from_slice(positions)).unwrap(),
                }
            }
            let frame = playback.scene.update().unwrap();
            pairs += frame.contacts().pair_count() + frame.witnesses().len();
        }
        pairs
    };
    pool.install(|| {
        let first = pass();
        let mut second = 0;
        let counted = measure(|| second = pass());
        assert_eq!(first, second);
        (first, counted.count_total)
    })
}

#[test]
fn two_f64_bodies_under_every_method() {
    let (bodies, frames) = perturbed_scene("small-scatter", 7);
    for method in default_methods() {
        let (found, allocations) = second_pass(&mut Playback::new(&*method, &bodies), &frames);
        assert!(found > 0);
        assert_eq!(allocations, 0, "{method}");
    }
}

#[test]
fn an_f64_body_that_meets_itself_and_another() {
    let (bodies, frames) = perturbed_scene("small-inside-out", 5);
    for method in steady_methods() {
        let mut playback = Playback::new(&*method, &bodies).with_self_collision();
        let (found, allocations) = second_pass(&mut playback, &frames);
        assert!(found > 0);
        assert_eq!(allocations, 0, "{method}");
    }
}

#[test]
fn every_question_about_two_f64_bodies() {
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
    let mut overlap = OverlapSampler::new(OverlapOptions::default().with_resolution(64));
    let mut inside = PointsInside::new(PointsOptions::default().with_exact());
    let mut pass = || {
        let mut total = [0.0; 8];
        for positions in &frames {
            for (&id, positions) in ids.iter().zip(positions) {
                scene.set_positions_f64(id, positions).unwrap();
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
