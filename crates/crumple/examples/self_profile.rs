//! scratch
use crumple::narrow::{PairMethod, Side, Wanted};
use crumple::{Body, Mesh};
use std::time::Instant;
fn run<M: PairMethod>(name: &str, method: M, reps: usize, frame0: usize) {
    let scene = crumple_scenes::by_name("CR1").unwrap();
    let b = &scene.bodies()[0];
    let mesh = Mesh::new(b.vertex_count(), b.triangles().to_vec()).unwrap();
    let mut body = Body::new(mesh, &b.positions_at(frame0)).unwrap();
    let mut tree = method.build(&body);
    let mut scratch = M::Scratch::default();
    let (mut up, mut q) = (f64::MAX, f64::MAX);
    let mut found = Vec::new();
    let next: Vec<_> = (0..2).map(|k| b.positions_at(frame0 + k)).collect();
    let mut stats = None;
    for rep in 0..reps {
        body.set_positions(&next[(rep + 1) % 2]).unwrap();
        let t = Instant::now();
        method.update(&mut tree, &body);
        up = up.min(t.elapsed().as_secs_f64());
        found.clear();
        let t = Instant::now();
        stats = Some(method.find_self_pairs(Side { body: &body, tree: &tree }, Wanted::All, &mut scratch, &mut found));
        q = q.min(t.elapsed().as_secs_f64());
    }
    println!("{name:12} update {:.2} ms query {:.2} ms pairs {} {:?}", up * 1e3, q * 1e3, found.len(), stats.unwrap());
}
fn main() {
    let which = std::env::args().nth(1).unwrap_or("all".into());
    let reps: usize = std::env::args().nth(2).map_or(40, |s| s.parse().unwrap());
    let frame: usize = std::env::args().nth(3).map_or(40, |s| s.parse().unwrap());
    use crumple::narrow::*;
    let on = |n: &str| which == "all" || which == n;
    if on("wide") {
        run("wide", wide_tree::WideTree::default(), reps, frame);
    }
    if on("hybrid") {
        run("hybrid", hybrid_tree::HybridTree::default(), reps, frame);
    }
    if on("local") {
        run("local", local_tree::LocalTree::default(), reps, frame);
    }
    if on("bucket") {
        run("bucket", bucket_tree::BucketTree::default(), reps, frame);
    }
    if on("gjk") {
        run("gjk", gjk_cut::GjkCut::default(), reps, frame);
    }
}
