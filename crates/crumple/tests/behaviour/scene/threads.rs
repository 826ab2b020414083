//! Many bodies, several threads: every question has the same answer at any number of threads.

use crate::support::playback::{Frame, bodies};
use crumple::distance::NearPair;
use crumple::{BodyId, Impact, Overlap, Scene, TriangleId, TrianglePair};

/// What the questions about one frame answer, as plain values; bodies by their places.
#[derive(Clone, Debug, PartialEq)]
struct Answers {
    contacts: Vec<([usize; 2], Vec<TrianglePair>)>,
    witnesses: Vec<([usize; 2], Vec<TrianglePair>)>,
    impacts: Vec<([usize; 2], Impact)>,
    first: Option<([usize; 2], Impact)>,
    near: Vec<([usize; 2], NearPair)>,
    nearer: usize,
    overlaps: Vec<([usize; 2], Overlap)>,
    curves: Vec<([usize; 2], usize, [f64; 3])>,
    regions: Vec<([usize; 2], u64, f64, usize)>,
    contact_regions: Vec<(Vec<TrianglePair>, Vec<TriangleId>, f64)>,
}

fn answers(frame: crumple::Frame<'_>) -> Answers {
    let places = |a: BodyId, b: BodyId| [a.index(), b.index()];
    let pairs = |contacts: crumple::Contacts<'_>| {
        contacts.iter().map(|contact| (places(contact.a, contact.b), contact.pairs.to_vec())).collect()
    };
    Answers {
        // Contacts come after regions here: nothing depends on the order.
        regions: frame.regions().map(|of| (places(of.a, of.b), of.id.0, of.volume, of.triangles_a.len())).collect(),
        contact_regions: frame
            .contact_regions()
            .map(|of| (of.pairs.to_vec(), of.triangles_a.to_vec(), of.area + of.centroid[0]))
            .collect(),
        contacts: pairs(frame.contacts()),
        witnesses: pairs(frame.witnesses()),
        impacts: frame.impacts().iter().map(|of| (places(of.a, of.b), of.of)).collect(),
        first: frame.first_impact().map(|of| (places(of.a, of.b), of.of)),
        near: frame.near(0.02).iter().map(|of| (places(of.a, of.b), of.of)).collect(),
        nearer: frame.near(0.005).len(),
        overlaps: frame.overlaps().iter().map(|of| (places(of.a, of.b), of.of.clone())).collect(),
        curves: frame
            .curves()
            .flat_map(|of| {
                of.iter().map(move |curve| (places(of.a, of.b), curve.points.len(), curve.points[0].position))
            })
            .collect(),
    }
}

/// A heap whose bodies have thicknesses, are asked about themselves or ignore another, some of them.
fn heap() -> (Scene, Vec<BodyId>, Vec<Frame>) {
    let shapes = crumple_scenes::heap(90, 2).unwrap();
    let mut scene = Scene::new();
    let ids: Vec<BodyId> = bodies(&shapes).into_iter().map(|body| scene.add(body)).collect();
    for (number, &id) in ids.iter().enumerate() {
        if number % 4 == 0 {
            scene.set_thickness(id, 0.001).unwrap();
        }
        scene.set_self_collision(id, number % 7 == 0).unwrap();
        scene.ignore(id, ids[(number + 1) % ids.len()]).unwrap();
    }
    (scene, ids, [70, 80, 99].map(|number| shapes.frame(number)).to_vec())
}

fn played(ask: impl Fn(crumple::Frame<'_>) -> Answers) -> Vec<Answers> {
    let (mut scene, ids, frames) = heap();
    let mut all = Vec::new();
    for (number, frame) in frames.iter().enumerate() {
        // In the last frame some stand still.
        let moving = ids.iter().zip(frame).enumerate().filter(|(body, _)| number < 2 || body % 3 > 0);
        moving.for_each(|(_, (&id, positions))| scene.set_positions(id, positions).unwrap());
        all.push(ask(scene.update().unwrap()));
    }
    all
}

#[test]
fn the_number_of_threads_changes_no_answer() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| played(answers))
    };
    let one = with(1);
    for of_frame in &one {
        assert!(of_frame.contacts.len() > 50 && of_frame.near.len() > 1_000 && of_frame.nearer > 100);
        assert!(of_frame.overlaps.len() > 50 && of_frame.curves.len() > 50 && of_frame.regions.len() > 50);
        assert!(of_frame.impacts.len() > 50 && of_frame.contact_regions.len() >= of_frame.contacts.len());
        assert_eq!(of_frame.first, of_frame.impacts.first().copied(), "one impact and all impacts agree");
    }
    for threads in [2, 8] {
        assert!(with(threads) == one, "{threads} threads");
    }
}

#[test]
fn tasks_of_one_pool_may_ask_everything_at_once() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let found = played(|frame| {
        let ask = || answers(frame);
        let (one, (other, third)) = pool.install(|| rayon::join(ask, || rayon::join(ask, ask)));
        assert!(one == other && one == third);
        one
    });
    assert!(found == played(answers));
}
