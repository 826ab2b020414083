//! Instructions of a frame of LE1, stage by stage: they are the same on a busy machine, so a regression shows.
//!
//! The stages cannot be called by themselves, but frames can be chosen in which one of them is most of the work: bodies
//! that have not met are all traversal, bodies deep in each other are mostly triangle tests.

use std::hint::black_box;

use crumple::narrow::wide_tree::{Tree, WideTree};
use crumple::narrow::{PairMethod, Search, Side, Wanted};
use crumple::{Body, Mesh, TrianglePair};
use gungraun::{library_benchmark, library_benchmark_group, main};

/// Two bodies in some frame, with their trees up to date, as if the frames before had been asked about.
struct Frame {
    method: WideTree,
    bodies: Vec<Body>,
    trees: Vec<Tree>,
    search: Search<WideTree>,
    found: Vec<TrianglePair>,
    next: Vec<Vec<[f32; 3]>>,
}

impl Frame {
    fn find(&mut self) -> usize {
        let Self { method, bodies, trees, search, found, .. } = self;
        found.clear();
        let side = |at: usize| Side { body: &bodies[at], tree: &trees[at] };
        search.pairs(method, (side(0), side(1)), Wanted::All, found);
        found.len()
    }

    fn take_in(&mut self) {
        for (body, positions) in self.bodies.iter_mut().zip(&self.next) {
            body.set_positions(positions).expect("positions of a scene are finite");
        }
    }

    fn update(&mut self) {
        for (tree, body) in self.trees.iter_mut().zip(&self.bodies) {
            self.method.update(tree, body);
        }
    }
}

/// LE1 up to a frame, which is not yet taken in.
fn before(frame: usize) -> Frame {
    let scene = crumple_scenes::by_name("LE1").expect("LE1 is published");
    let method = WideTree::default();
    let bodies: Vec<Body> = scene
        .bodies()
        .iter()
        .map(|body| {
            let mesh = Mesh::new(body.vertex_count(), body.triangles().to_vec()).expect("a scene's mesh is sound");
            Body::new(mesh, &body.positions_at(frame - 3)).expect("positions of a scene are finite")
        })
        .collect();
    let trees = bodies.iter().map(|body| method.build(body)).collect();
    let next = scene.frame(frame - 3);
    let mut at = Frame { method, bodies, trees, search: Search::default(), found: Vec::new(), next };
    for frame in frame - 2..frame {
        at.find();
        at.next = scene.frame(frame);
        at.take_in();
        at.update();
    }
    at.find();
    at.next = scene.frame(frame);
    at
}

fn taken_in(frame: usize) -> Frame {
    let mut at = before(frame);
    at.take_in();
    at
}

fn updated(frame: usize) -> Frame {
    let mut at = taken_in(frame);
    at.update();
    at
}

#[library_benchmark]
#[bench::le1(before(199))]
fn set_positions(mut frame: Frame) -> Frame {
    frame.take_in();
    black_box(frame)
}

#[library_benchmark]
#[bench::few_reached(taken_in(60))]
#[bench::all_reached(taken_in(199))]
fn refit(mut frame: Frame) -> Frame {
    frame.update();
    black_box(frame)
}

#[library_benchmark]
#[bench::just_apart(updated(56))]
fn traversal(mut frame: Frame) -> Frame {
    frame.find();
    black_box(frame)
}

#[library_benchmark]
#[bench::median(updated(100))]
#[bench::deepest(updated(199))]
fn triangle_lanes(mut frame: Frame) -> Frame {
    frame.find();
    black_box(frame)
}

library_benchmark_group!(name = wide_tree; benchmarks = set_positions, refit, traversal, triangle_lanes);
main!(library_benchmark_groups = wide_tree);
