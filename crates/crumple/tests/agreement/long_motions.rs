//! Long motions of all kinds: what a method carries from frame to frame must stay right however bodies drift, tremble,
//! jump and return, and however many frames pass between two questions.

use std::sync::Arc;

use crumple::narrow::Wanted;
use crumple::{Body, Mesh};

use crate::support::methods::{brute_force, default_methods};
use crumple_scenes::Random;

/// Two bodies that stay close to each other while both wander about, on a grid, so that they touch all the time.
struct Wanderers {
    random: Random,
    /// Of both together, and of each by itself.
    common: [f64; 3],
    own: [[f64; 3]; 2],
    vertices: [Vec<[f64; 3]>; 2],
}

impl Wanderers {
    fn new(seed: u64, vertices: usize) -> Self {
        let mut random = Random::new(seed);
        // Each a few steps from the one before, so that most triangles are small.
        let vertices = [0; 2].map(|_| {
            let mut corner = [12.0f64; 3];
            let mut next = || {
                corner = corner.map(|x| (x + random.integer(-3, 3) as f64).clamp(0.0, 24.0));
                corner
            };
            (0..vertices).map(|_| next()).collect()
        });
        Self { random, common: [0.0; 3], own: [[0.0; 3]; 2], vertices }
    }

    /// Triangles over vertices that are near each other by number, and sometimes over any.
    fn meshes(&mut self, triangles: usize) -> [Arc<Mesh>; 2] {
        [0, 1].map(|body| {
            let vertices = self.vertices[body].len() as u64;
            let triangle = |_| {
                let first = self.random.below(vertices);
                let reach = if self.random.once_in(10) { vertices } else { 4 };
                [0, 1, 2].map(|_| ((first + self.random.below(reach)) % vertices) as u32)
            };
            Arc::new(Mesh::new(vertices as usize, (0..triangles).map(triangle).collect()).unwrap())
        })
    }

    fn step(&mut self) {
        let Self { random, common, own, vertices } = self;
        let walk = |random: &mut Random, place: &mut [f64; 3], size: f64| {
            place.iter_mut().for_each(|x| *x += random.integer(-2, 2) as f64 * size);
        };
        // Mostly slowly together; now and then far, and back. So far out that every triangle becomes a point, and all
        // meet all, they stay for one frame.
        match random.below(40) {
            _ if common[0].abs() > 1e7 => *common = [0.0; 3],
            0 => walk(random, common, 1e4),
            1 => walk(random, common, 1e6),
            2 => *common = [1e20, 0.0, -1e20],
            3 => *common = [2e38, -2e38, 0.0],
            4..=6 => *common = [0.0; 3],
            _ => walk(random, common, 1.0),
        }
        for own in own.iter_mut() {
            let size = if random.once_in(10) { 3.0 } else { 0.25 };
            walk(random, own, size);
        }
        if random.once_in(15) {
            *own = [[0.0; 3]; 2];
        }
        let trembles = if random.once_in(4) { 1_000_000 } else { 8 };
        for vertex in vertices.iter_mut().flatten() {
            if random.once_in(trembles) {
                walk(random, vertex, 0.5);
            }
        }
        // One vertex far out loosens all boxes.
        if random.once_in(30) {
            let far = random.integer(-1_000, 1_000) as f64;
            vertices[0][0] = [far; 3];
        }
    }

    fn positions(&self, body: usize) -> Vec<[f32; 3]> {
        let place = |vertex: &[f64; 3]| {
            std::array::from_fn(|axis| (vertex[axis] + self.own[body][axis] + self.common[axis]) as f32)
        };
        self.vertices[body].iter().map(place).collect()
    }
}

#[test]
fn every_method_keeps_up_with_bodies_that_wander_jump_and_return() {
    let (mut questions, mut contacts) = (0, 0);
    for (seed, triangles) in [(1, 20), (2, 70), (3, 150), (4, 520)] {
        let mut motion = Wanderers::new(seed, triangles);
        let meshes = motion.meshes(triangles);
        let mut bodies: Vec<Body> =
            [0, 1].map(|at| Body::new(Arc::clone(&meshes[at]), &motion.positions(at)).unwrap()).into();
        let methods = default_methods();
        let mut trees: Vec<_> = methods.iter().map(|method| method.trees(&bodies)).collect();
        for frame in 0..(20_000 / triangles).clamp(60, 200) {
            motion.step();
            for (at, body) in bodies.iter_mut().enumerate() {
                body.set_positions(&motion.positions(at)).unwrap();
            }
            // Bodies far from all others are not looked at for many frames.
            if frame % 50 >= 40 || motion.random.once_in(3) {
                continue;
            }
            let truth = brute_force().trees(&bodies).pairs(&bodies, 0, 1, Wanted::All);
            for (method, trees) in methods.iter().zip(&mut trees) {
                trees.update(&bodies);
                let found = trees.pairs(&bodies, 0, 1, Wanted::All);
                assert!(found == truth, "{method}, seed {seed}, frame {frame}");
            }
            questions += 1;
            contacts += usize::from(!truth.is_empty());
        }
    }
    assert!(contacts > questions / 2, "{contacts} of {questions} frames in contact");
}
