//! Folded pieces of surface: what lies side by side is left out, and nothing else.

use crumple::narrow::Wanted;
use crumple::narrow::brute::BruteForce;
use crumple::narrow::wide_tree::{Lanes, WideTree, WideTreeOptions};
use crumple::narrow::{PairMethod, Search, Side};
use crumple::{Body, Edit, Mesh, TriangleId, TrianglePair, VertexId};
use crumple_scenes::Random;

use crate::support::counts::drawn;

/// A sheet of quads of two triangles each, which all turn to the left seen from above.
fn sheet(columns: u32, rows: u32) -> Vec<[u32; 3]> {
    let quad = |at: u32| {
        let (corner, up) = (at / columns * (columns + 1) + at % columns, columns + 1);
        [[corner, corner + 1, corner + up], [corner + 1, corner + up + 1, corner + up]]
    };
    (0..columns * rows).flat_map(quad).collect()
}

/// The vertices of a sheet, folded: bent along several lines, waved, sheared and with single vertices moved.
fn folded(random: &mut Random, columns: u32, rows: u32) -> Vec<[f32; 3]> {
    let turn: [f64; 3] = [(); 3].map(|()| random.between(-1.0, 1.0));
    // About one in three hardly bent, one bent around, one crumpled.
    let bent = [0.3, 3.0, 9.0][random.below(3) as usize];
    let wave = [0.0, 0.05, 0.4][random.below(3) as usize];
    let (shear, phase) = (random.between(-0.8, 0.8), random.between(0.0, 6.0));
    // Where the sheet turns around in its own plane: a contour that crosses itself, with all triangles turning one way.
    let curl = if random.once_in(3) { random.between(0.0, 12.0) } else { 0.0 };
    let place = |at: u32| {
        let (u, v) = (f64::from(at % (columns + 1)) / 16.0, f64::from(at / (columns + 1)) / 16.0);
        let angle = bent * (u - 1.0);
        let (x, z) = if bent < 1.0 { (u, 0.0) } else { (angle.sin() / bent, (1.0 - angle.cos()) / bent) };
        let (x, y) = (x + shear * v, v);
        let (x, y) = if curl > 0.0 {
            let (radius, angle) = (0.4 + 0.7 * y, curl * x);
            (radius * angle.cos(), radius * angle.sin())
        } else {
            (x, y)
        };
        [x, y, z + wave * (7.0 * u + 5.0 * v + phase).sin() * v + 0.02 * turn[0] * x]
    };
    let mut positions: Vec<[f32; 3]> = (0..(columns + 1) * (rows + 1)).map(|at| place(at).map(|x| x as f32)).collect();
    for _ in 0..random.below(3) {
        let vertex = random.below(positions.len() as u64) as usize;
        positions[vertex] = positions[random.below(positions.len() as u64) as usize].map(|x| x + 0.01);
    }
    // Along each axis, from either side.
    let axis = random.below(3) as usize;
    let flip = if random.once_in(2) { -1.0 } else { 1.0 };
    positions.iter().map(|p| [flip * p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]]).collect()
}

/// A wide tree and brute force about one body.
struct Both {
    methods: Vec<WideTree>,
    search: Search<WideTree>,
    brute: Search<BruteForce>,
    /// The tree, and whether it is the first frame.
    trees: Vec<crumple::narrow::wide_tree::Tree>,
}

impl Both {
    fn new(body: &Body) -> Self {
        let options = WideTreeOptions::default();
        let methods = [options, options.with_lanes(Lanes::Baseline)].map(|options| WideTree { options }).to_vec();
        let trees = methods.iter().map(|method| method.build(body)).collect();
        Self { methods, search: Search::default(), brute: Search::default(), trees }
    }

    /// The pairs by brute force, which every wide tree must find; and how many candidates the last of these looked at.
    fn pairs(&mut self, what: &str, body: &Body) -> (Vec<TrianglePair>, u64) {
        let mut expected = Vec::new();
        self.brute.self_pairs(&BruteForce, Side { body, tree: &() }, Wanted::All, &mut expected);
        let mut candidates = 0;
        for (method, tree) in self.methods.iter().zip(&self.trees) {
            let mut found = Vec::new();
            let stats = self.search.self_pairs(method, Side { body, tree }, Wanted::All, &mut found);
            assert_eq!(found, expected, "{what}, {method:?}");
            candidates = stats.candidates;
            let mut first = Vec::new();
            self.search.self_pairs(method, Side { body, tree }, Wanted::First, &mut first);
            assert_eq!(first.is_empty(), expected.is_empty(), "{what}, {method:?}");
        }
        (expected, candidates)
    }

    fn update(&mut self, body: &Body) {
        for (method, tree) in self.methods.iter().zip(&mut self.trees) {
            method.update(tree, body);
        }
    }

    fn rebuild(&mut self, body: &Body) {
        for (method, tree) in self.methods.iter().zip(&mut self.trees) {
            method.rebuild(tree, body);
        }
    }
}

#[test]
fn folded_sheets_collide_where_brute_force_says() {
    let mut random = Random::new(36);
    let (mut flat, mut left_out, mut colliding) = (0, 0, 0);
    // Triangles of a whole body, of nodes of it, and of several levels.
    for round in 0..drawn(400) {
        let (columns, rows) = [(8, 5), (16, 16), (20, 24), (40, 20)][round % 4];
        let mesh = Mesh::new(((columns + 1) * (rows + 1)) as usize, sheet(columns, rows)).unwrap();
        let mut body = Body::new(mesh, &folded(&mut random, columns, rows)).unwrap();
        let mut both = Both::new(&body);
        for frame in 0..3 {
            if frame > 0 {
                body.set_positions(&folded(&mut random, columns, rows)).unwrap();
                both.update(&body);
            }
            let (pairs, candidates) = both.pairs(&format!("sheet {round}, frame {frame}"), &body);
            flat += usize::from(pairs.is_empty());
            left_out += usize::from(candidates == 0);
            colliding += usize::from(!pairs.is_empty());
        }
    }
    assert!(
        left_out > 20 && flat > left_out && colliding > 100,
        "{left_out} left out, {flat} flat, {colliding} collide"
    );
}

#[test]
fn a_flat_sheet_is_not_compared_with_itself_and_one_that_curls_over_itself_is() {
    let (columns, rows) = (60, 16);
    // Turned around a point by an angle, in its own plane: every triangle turns to the left, however far it goes.
    let curled = |turns: f32| -> Vec<[f32; 3]> {
        let place = |at: u32| {
            let (u, v) = ((at % (columns + 1)) as f32 / columns as f32, (at / (columns + 1)) as f32 / rows as f32);
            let (angle, radius) = (turns * std::f32::consts::TAU * u, 2.0 - v);
            [radius * angle.cos(), radius * angle.sin(), 0.25]
        };
        (0..(columns + 1) * (rows + 1)).map(place).collect()
    };
    let mesh = Mesh::new(((columns + 1) * (rows + 1)) as usize, sheet(columns, rows)).unwrap();
    let mut body = Body::new(mesh, &curled(0.9)).unwrap();
    let mut both = Both::new(&body);
    assert_eq!(both.pairs("not around", &body), (Vec::new(), 0));
    // The ends touch, overlap by one column, and more.
    for turns in [1.0, 1.01, 1.2, 1.9] {
        body.set_positions(&curled(turns)).unwrap();
        both.update(&body);
        assert!(!both.pairs(&format!("{turns} times round"), &body).0.is_empty());
    }
    body.set_positions(&curled(-0.9)).unwrap();
    // What failed is tried again after some frames.
    let mut candidates = Vec::new();
    for _ in 0..20 {
        both.update(&body);
        candidates.push(both.pairs("back", &body).1);
    }
    assert!(candidates.contains(&0), "{candidates:?}");
}

#[test]
fn sheets_that_are_cut_and_patched_collide_where_brute_force_says() {
    let mut random = Random::new(4);
    for round in 0..drawn(40) {
        let (columns, rows) = (30, 24);
        let mesh = Mesh::new(((columns + 1) * (rows + 1)) as usize, sheet(columns, rows)).unwrap();
        let flat = |at: u32| [(at % (columns + 1)) as f32, (at / (columns + 1)) as f32, 0.0];
        let positions: Vec<[f32; 3]> = (0..(columns + 1) * (rows + 1)).map(flat).collect();
        let mut body = Body::new(mesh, &positions).unwrap();
        let mut both = Both::new(&body);
        both.pairs("flat", &body);
        let mut removed = Vec::new();
        for step in 0..6 {
            let triangles = body.mesh().triangles().len() as u64;
            let live: Vec<TriangleId> = body.mesh().live_triangles().map(|(triangle, _)| triangle).collect();
            let remove: Vec<_> = (0..40).map(|_| live[random.below(live.len() as u64) as usize]).collect();
            let mut remove: Vec<_> = remove.into_iter().filter(|triangle| !removed.contains(triangle)).collect();
            remove.sort();
            remove.dedup();
            // Some come back, and some are added that cross the sheet or lie on it.
            let restore = if step % 3 == 2 { removed.split_off(removed.len() / 2) } else { Vec::new() };
            let vertex = |random: &mut Random| VertexId(random.below(u64::from((columns + 1) * (rows + 1))) as u32);
            let add = (0..random.below(4)).map(|_| [(); 3].map(|()| vertex(&mut random))).collect();
            body.edit(&Edit { remove: remove.clone(), restore, add_triangles: add, ..Edit::default() }).unwrap();
            removed.extend(remove);
            both.rebuild(&body);
            both.pairs(&format!("round {round}, step {step}, {triangles} triangles"), &body);
            both.update(&body);
            both.pairs(&format!("round {round}, after step {step}"), &body);
        }
    }
}
