//! Limits to the work of questions: what is answered is whole, what is refused can be asked again.

use crate::support::shapes::sphere;
use crumple::{Body, Mesh, Ray, Scene, Stopped, WorkLimit, overlap, separation};
use crumple_methods::Method;

/// So many triangles in one place.
fn copies(count: u32, height: f32) -> Body {
    let corners = [[0.0, 0.0, height], [1.0, 0.0, height], [0.0, 1.0, height]];
    let positions: Vec<[f32; 3]> = (0..count).flat_map(|_| corners).collect();
    let triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Body::new(Mesh::new(positions.len(), triangles).unwrap(), &positions).unwrap()
}

/// Triangles around one edge.
fn book(count: u32) -> Body {
    let mut positions = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    positions.extend((0..count).map(|i| {
        let angle = i as f32 / count as f32 * std::f32::consts::TAU;
        [angle.cos(), angle.sin(), 0.5]
    }));
    Body::new(Mesh::new(positions.len(), (0..count).map(|i| [0, 1, 2 + i]).collect()).unwrap(), &positions).unwrap()
}

/// Every question about a frame of two bodies, by name; each says how much it answered.
type Ask = fn(&crumple::Frame<'_>) -> usize;

const QUESTIONS: [(&str, Ask); 9] = [
    ("contacts", |frame| frame.contacts().pair_count()),
    ("witnesses", |frame| frame.witnesses().len()),
    ("near", |frame| frame.near(0.1).len()),
    ("impacts", |frame| frame.impacts().len()),
    ("first impact", |frame| usize::from(frame.first_impact().is_some())),
    ("curves", |frame| frame.curves().len()),
    ("distance", |frame| {
        let ids: Vec<_> = frame.bodies().map(|(id, _)| id).collect();
        usize::from(frame.distance(ids[0], ids[1]).unwrap().distance.hi < 1.0)
    }),
    ("rays", |frame| {
        let mut hits = Vec::new();
        frame.cast_rays(&[Ray::new([0.25, 0.25, 9.0], [0.0, 0.0, -1.0]); 40], &mut hits).unwrap();
        hits.iter().flatten().count()
    }),
    ("points", |frame| {
        let (id, _) = frame.bodies().next().unwrap();
        let mut found = Vec::new();
        frame.closest_points(id, &[[0.25, 0.25, 9.0]; 40], &mut found).unwrap();
        found.len()
    }),
];

#[test]
fn a_question_over_its_limit_is_refused_and_can_be_asked_again() {
    let limit = 2_000;
    for method in Method::all() {
        for (name, ask) in QUESTIONS {
            let mut scene = method.scene();
            let a = scene.add(copies(100, 0.0));
            let b = scene.add(book(100));
            scene.set_self_collision(a, true).unwrap();
            scene.set_self_collision(b, true).unwrap();
            let mut whole = scene.clone();
            for scene in [&mut scene, &mut whole] {
                scene.update().unwrap();
                let moved: Vec<[f32; 3]> =
                    scene.body(b).unwrap().positions().iter().map(|&[x, y, z]| [x, y, z - 0.4]).collect();
                scene.set_positions(b, &moved).unwrap();
            }
            let expected = ask(&whole.update().unwrap());
            let frame = scene.update().unwrap();
            // One of the triangles in one place is enough for it.
            if name != "witnesses" {
                let refused = WorkLimit::new(limit).run(|| ask(&frame));
                assert_eq!(refused, Err(Stopped::OverLimit { limit }), "{name} by {}", method.name());
            }
            assert_eq!(WorkLimit::new(u64::MAX).run(|| ask(&frame)), Ok(expected), "{name} by {}", method.name());
            assert_eq!(ask(&frame), expected, "{name} by {}", method.name());
        }
    }
}

#[test]
fn a_refused_frame_has_no_events_and_the_next_one_does() {
    let mut scene = Scene::new();
    scene.add(copies(200, 0.0));
    scene.add(copies(200, 0.0));
    let frame = scene.update().unwrap();
    assert!(WorkLimit::new(10).run(|| frame.began().count()).is_err());
    assert_eq!(scene.update().unwrap().began().count(), 1);
}

#[test]
fn what_is_asked_without_a_scene_counts_as_well() {
    let ball = |x: f32| sphere(3, [x, 0.0, 0.0], 1.0).body();
    let (a, b) = (ball(0.0), ball(0.5));
    let limit = WorkLimit::new(500);
    assert!(limit.run(|| overlap(&a, &b).unwrap()).is_err());
    // Copies share what is left, which is nothing.
    assert!(limit.clone().run(|| separation(&a, &b)).is_err());
    let allowed = WorkLimit::new(1_000_000_000).run(|| overlap(&a, &b).unwrap().volume());
    assert_eq!(allowed, Ok(overlap(&a, &b).unwrap().volume()));
}

#[test]
fn another_thread_stops_what_would_take_minutes() {
    let body = copies(40_000, 0.0);
    let limit = WorkLimit::new(u64::MAX);
    let handle = limit.clone();
    let stopped = std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(50));
            handle.stop();
        });
        limit.run(|| crumple::self_pairs(&body).len())
    });
    assert_eq!(stopped, Err(Stopped::ByCaller));
}

#[test]
fn the_innermost_limit_counts_and_other_panics_pass_through() {
    let body = copies(200, 0.0);
    let outer = WorkLimit::new(10);
    let inner = outer.run(|| WorkLimit::new(u64::MAX).run(|| crumple::self_pairs(&body).len()));
    assert_eq!(inner, Ok(Ok(200 * 199 / 2)));
    let caught = std::panic::catch_unwind(|| WorkLimit::new(10).run(|| std::panic::resume_unwind(Box::new(7))));
    assert_eq!(caught.unwrap_err().downcast_ref::<i32>(), Some(&7));
}

#[test]
fn a_refusal_says_what_to_do() {
    let message = Stopped::OverLimit { limit: 1_000 }.to_string();
    assert!(message.contains("more than 1000 steps") && message.contains("raise the limit"), "{message}");
}

#[test]
fn the_first_impact_of_two_bodies_spares_work_on_bodies_that_meet_later() {
    // How many triangles fall from which height by 10; they meet others at height 0.
    let (early, late) = ((1, 1.0), (60, 9.0));
    let least_work = |falling: &[(u32, f32)]| {
        let is_enough = |steps: u64| {
            let (mut scene, mut ends) = (Scene::new(), Vec::new());
            for (at, &(count, height)) in falling.iter().enumerate() {
                let aside = |body: &Body, height: f32| -> Vec<[f32; 3]> {
                    body.positions().iter().map(|&[x, y, z]| [x + 50.0 * at as f32, y, z + height]).collect()
                };
                let body = copies(count, 0.0);
                let mesh = || Mesh::new(body.positions().len(), body.mesh().indices().to_vec()).unwrap();
                scene.add(Body::new(mesh(), &aside(&body, 0.0)).unwrap());
                let id = scene.add(Body::new(mesh(), &aside(&body, height)).unwrap());
                ends.push((id, aside(&body, height - 10.0)));
            }
            scene.update().unwrap();
            ends.iter().for_each(|(id, positions)| scene.set_positions(*id, positions).unwrap());
            let frame = scene.update().unwrap();
            WorkLimit::new(steps).run(|| frame.first_impact().map(|impact| impact.time.hi)).is_ok()
        };
        let (mut too_little, mut enough) = (0, 1 << 30);
        assert!(is_enough(enough));
        while enough - too_little > 1 {
            let middle = too_little + (enough - too_little) / 2;
            (too_little, enough) = if is_enough(middle) { (too_little, middle) } else { (middle, enough) };
        }
        enough
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let [of_early, of_late, of_both] =
        pool.install(|| [least_work(&[early]), least_work(&[late]), least_work(&[early, late])]);
    assert!(of_late > 100 * of_early, "{of_late} {of_early}");
    assert!(of_both < of_late / 2, "{of_both} {of_late}");
}
