//! Edits of bodies of thousands of triangles, which the wide tree takes in where they are: every answer is that of trees
//! built anew after each, and contacts are those of brute force.

use crumple::distance::{Distance, NearPair};
use crumple::motion::Impact;
use crumple::narrow::wide_tree::{Rebuild, WideTreeOptions};
use crumple::probe::{ClosestPoint, Ray, RayHit};
use crumple::{Body, BodyId, Edit, Frame, Mesh, Scene, TriangleId, TrianglePair, VertexId};
use crumple_methods::Method;
use crumple_scenes::Random;

use crate::support::counts::drawn;

const CELLS: u32 = 40;

/// Pairs by bodies, of which `true` is the second.
type Contacts = Vec<(bool, bool, Vec<TrianglePair>)>;

fn contacts(frame: Frame<'_>, b: BodyId) -> Contacts {
    frame.contacts().iter().map(|seen| (seen.a == b, seen.b == b, seen.pairs.to_vec())).collect()
}

/// What is asked in each frame.
struct Answers {
    contacts: Contacts,
    impacts: Vec<(bool, bool, Impact)>,
    near: Vec<(bool, bool, NearPair)>,
    distance: Option<Distance>,
    points: Vec<ClosestPoint>,
    hits: Vec<Option<RayHit>>,
}

impl Answers {
    fn of(frame: Frame<'_>, [a, b]: [BodyId; 2], points: &[[f32; 3]]) -> Self {
        let [mut closest, mut alone] = [Vec::new(), Vec::new()];
        frame.closest_points(a, points, &mut closest).unwrap();
        alone.extend(points.iter().map(|&point| frame.closest_point(a, point).unwrap()));
        assert_eq!(closest, alone);
        let down = |point: &[f32; 3]| Ray::new([point[0], point[1], 2.0], [0.0, 0.0, -1.0]);
        Self {
            contacts: contacts(frame, b),
            impacts: frame.impacts().iter().map(|seen| (seen.a == b, seen.b == b, seen.of)).collect(),
            near: frame.near(0.01).iter().map(|seen| (seen.a == b, seen.b == b, seen.of)).collect(),
            distance: frame.distance(a, b).ok().map(|closest| closest.distance),
            points: closest,
            hits: points.iter().map(|point| frame.cast_ray_at(a, &down(point)).unwrap()).collect(),
        }
    }
}

/// Names the first answer that differs, and not all of them: they are long.
fn assert_same(seen: &Answers, anew: &Answers, what: &str) {
    assert!(seen.contacts == anew.contacts, "{what}: contacts");
    assert!(seen.impacts == anew.impacts, "{what}: impacts");
    assert!(seen.near == anew.near, "{what}: near");
    assert_eq!(seen.distance, anew.distance, "{what}");
    assert_eq!(seen.points, anew.points, "{what}");
    assert_eq!(seen.hits, anew.hits, "{what}");
}

/// Two sheets that wave through each other.
fn sheet(step: usize, which: f32) -> impl Fn(f32, f32) -> [f32; 3] {
    let at = 0.07 * step as f32;
    move |x, y| [x, y, 0.06 * (9.0 * x + at + 2.0 * which).sin() * (7.0 * y - at * which).cos() + 0.03 * which]
}

fn vertices(place: &impl Fn(f32, f32) -> [f32; 3]) -> Vec<[f32; 3]> {
    let across = CELLS + 1;
    let part = |at: u32| at as f32 / CELLS as f32;
    (0..across * across).map(|at| place(part(at % across), part(at / across))).collect()
}

fn triangles() -> Vec<[u32; 3]> {
    let across = CELLS + 1;
    let cell = |at: u32| {
        let corner = at / CELLS * across + at % CELLS;
        [[corner, corner + 1, corner + across], [corner + 1, corner + across + 1, corner + across]]
    };
    (0..CELLS * CELLS).flat_map(cell).collect()
}

fn scene_of(method: Method) -> (Scene, [BodyId; 2]) {
    let mut scene = method.scene();
    let ids = [0.0, 1.0].map(|which| {
        let positions = vertices(&sheet(0, which));
        let id = scene.add(Body::new(Mesh::new(positions.len(), triangles()).unwrap(), &positions).unwrap());
        scene.set_self_collision(id, which == 0.0).unwrap();
        id
    });
    (scene, ids)
}

/// Some triangles go, some come back, some are added: over old vertices, and over a new one above the sheet.
fn random_edit(random: &mut Random, body: &Body, most: u64) -> Edit {
    let count = body.mesh().triangles().len() as u64;
    let chosen = |random: &mut Random, live: bool| {
        // A patch of neighbouring numbers, or triangles all over the body.
        let (first, scattered) = (random.below(count), random.once_in(2));
        let mut chosen: Vec<TriangleId> = (0..random.below(most))
            .map(|i| TriangleId((if scattered { random.below(count) } else { (first + i) % count }) as u32))
            .filter(|&triangle| body.mesh().is_live(triangle) == live)
            .collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    };
    let (remove, restore) = (chosen(random, true), chosen(random, false));
    let old = body.positions().len() as u32;
    let around = body.positions()[random.below(old.into()) as usize];
    let mut add_triangles = Vec::new();
    for _ in 0..random.below(most) {
        let [a, b, c] = body.mesh().triangles()[random.below(count) as usize];
        // As another triangle of the same vertices, turned round, or to the new vertex.
        add_triangles.push(if random.once_in(2) { [a, c, b] } else { [a, b, VertexId(old)] });
    }
    Edit {
        remove,
        restore,
        add_vertices: vec![[around[0], around[1], around[2] + 0.02]],
        add_triangles,
        ..Edit::default()
    }
}

fn check(seed: u64, steps: usize, most: u64) {
    let mut random = Random::new(seed);
    let of_wide_tree = |rebuild| scene_of(Method::WideTree(WideTreeOptions::default().with_rebuild(rebuild)));
    let mut scenes = [Rebuild::WhenItPays, Rebuild::Never, Rebuild::Always].map(of_wide_tree);
    let mut by_brute_force = scene_of(Method::BruteForce);
    let mut found = 0;
    for step in 0..steps {
        let edit = random_edit(&mut random, scenes[0].0.body(scenes[0].1[0]).unwrap(), most);
        let moves = random.once_in(2);
        let points: Vec<[f32; 3]> = (0..20).map(|_| [0, 1, 2].map(|_| random.between(-0.1, 1.1) as f32)).collect();
        let mut advance = |(scene, ids): &mut (Scene, [BodyId; 2])| {
            if moves {
                for (which, &id) in [0.0, 1.0].iter().zip(&*ids) {
                    let body = scene.body(id).unwrap();
                    let mut positions = vertices(&sheet(step, *which));
                    positions.extend_from_slice(&body.positions()[positions.len()..]);
                    scene.set_positions(id, &positions).unwrap();
                }
            }
            scene.edit(ids[0], &edit).unwrap();
        };
        scenes.iter_mut().for_each(&mut advance);
        advance(&mut by_brute_force);
        let [followed, never, anew] =
            scenes.each_mut().map(|(scene, ids)| Answers::of(scene.update().unwrap(), *ids, &points));
        assert_same(&followed, &anew, &format!("step {step} of {seed}"));
        assert_same(&never, &anew, &format!("step {step} of {seed}, never built anew"));
        found += anew.contacts.iter().map(|contact| contact.2.len()).sum::<usize>();
        if step % 15 == 0 {
            let (scene, [_, b]) = &mut by_brute_force;
            assert!(anew.contacts == contacts(scene.update().unwrap(), *b), "step {step} of {seed}: brute force");
        }
    }
    assert!(found > 100 * steps, "{found} pairs");
}

#[test]
fn an_edited_tree_answers_as_one_built_anew_after_small_edits() {
    check(1, drawn(120), 12);
}

#[test]
fn an_edited_tree_answers_as_one_built_anew_after_edits_of_a_part_in_a_hundred() {
    check(2, drawn(60), 90);
}

#[test]
fn an_edited_tree_answers_as_one_built_anew_after_large_edits() {
    check(3, drawn(16), 900);
}
