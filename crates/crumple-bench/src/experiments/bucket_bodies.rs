//! The bucket tree on bodies of triangles: whether its update is linear, and the case in which it is slow.

use std::hint::black_box;

use anyhow::Result;
use crumple::narrow::{PairMethod, Search, Side, Wanted};
use crumple::{Body, Mesh, Stats};
use crumple_methods::bucket_tree::{BucketTree, BucketTreeOptions, Filing};
use crumple_scenes::{Solid, bumpy_spheres};

use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};
use crumple_io::words::{count, ratio};

/// Frames of the bumpy spheres: apart, and deep in each other.
const MOVING: std::ops::Range<usize> = 40..50;
const DEEP: usize = 199;

/// Time to take in new positions, over the number of triangles; and a remark.
pub(crate) fn linear(settings: &Settings) -> Result<(Figures, String)> {
    let columns = [
        ("triangles", "triangles"),
        ("algorithm", "algorithm"),
        ("update", "update_us"),
        ("ns per triangle", "ns_a_triangle"),
    ];
    let caption = "time to take in new positions of a bumpy sphere, levels chosen from the data, mean frame";
    let mut figures = Figures::new("bodies", caption, &columns);
    let mut all = Vec::new();
    for depth in 3..=6 {
        let scene = bumpy_spheres(Solid::Icosahedron, depth)?;
        let sphere = &scene.bodies()[0];
        let mesh = Mesh::new(sphere.vertex_count(), sphere.triangles().to_vec())?;
        let mut body = Body::new(mesh, &sphere.positions_at(MOVING.start))?;
        for (algorithm, filing) in super::buckets::ALGORITHMS {
            let method = BucketTree::new(BucketTreeOptions::default().with_filing(filing))?;
            let mut best = vec![f64::INFINITY; MOVING.len()];
            for _ in 0..settings.repeat {
                body.set_positions(&sphere.positions_at(MOVING.start - 1))?;
                let mut tree = method.build(&body);
                for (best, frame) in best.iter_mut().zip(MOVING) {
                    body.set_positions(&sphere.positions_at(frame))?;
                    *best = best.min(settings.once_us(|| method.update(&mut tree, &body)));
                }
            }
            let us = best.iter().sum::<f64>() / best.len() as f64;
            let each = 1000.0 * us / sphere.triangles().len() as f64;
            let triangles = Cell::count(sphere.triangles().len());
            figures.row(vec![triangles, Cell::text(algorithm), Cell::Micros(us), Cell::Number(each)]);
            if filing == Filing::ByEquation {
                all.push((sphere.triangles().len(), each));
            }
        }
    }
    let (&(few, first), &(many, last)) = (&all[0], &all[all.len() - 1]);
    let remark = format!(
        "a triangle costs {} as much in an update at {} triangles as at {} (paper: linear in the primitives)",
        ratio(last / first),
        count(many as u64),
        count(few as u64)
    );
    Ok((figures, remark))
}

/// Two bodies deep in each other, and the same with one triangle of each far away: all others then share one bucket.
pub(crate) fn outlier(settings: &Settings) -> Result<(Figures, String)> {
    let columns = [
        ("options", "options"),
        ("outlier", "outlier"),
        ("largest bucket", "largest_bucket"),
        ("box tests", "box_tests"),
        ("update and query", "frame_us"),
        ("it / without", "ratio_to_plain"),
    ];
    let scene = bumpy_spheres(Solid::Icosahedron, 4)?;
    let caption =
        format!("two bumpy spheres of {} triangles in frame {DEEP}", count(scene.bodies()[0].triangles().len() as u64));
    let mut figures = Figures::new("outlier", caption, &columns);
    let mut shares = Vec::new();
    for (name, options) in
        [("as default", BucketTreeOptions::default()), ("of the paper", BucketTreeOptions::of_the_paper(4))]
    {
        let method = BucketTree::new(options)?;
        let mut plain = f64::NAN;
        for at in [None, Some(1.0e4)] {
            let mut bodies = Vec::new();
            for (sphere, side) in scene.bodies().iter().zip([1.0, -1.0]) {
                let (mut positions, mut triangles) = (sphere.positions_at(DEEP), sphere.triangles().to_vec());
                if let Some(at) = at.map(|at: f32| side * at) {
                    let next = positions.len() as u32;
                    triangles.push([next, next + 1, next + 2]);
                    positions.extend([[at, at, at], [at + 1.0, at, at], [at, at + 1.0, at]]);
                }
                bodies.push(Body::new(Mesh::new(positions.len(), triangles)?, &positions)?);
            }
            let mut trees: Vec<_> = bodies.iter().map(|body| method.build(body)).collect();
            let (mut search, mut found, mut stats) = (Search::default(), Vec::new(), Stats::default());
            let us = settings.best_us(|| {
                for (tree, body) in trees.iter_mut().zip(&bodies) {
                    method.update(tree, body);
                }
                found.clear();
                let side = |at: usize| Side { body: &bodies[at], tree: &trees[at] };
                stats = search.pairs(&method, (side(0), side(1)), Wanted::All, &mut found);
                black_box(found.len())
            });
            figures.row(vec![
                Cell::text(name),
                Cell::text(if at.is_some() { "yes" } else { "no" }),
                Cell::Count(trees.iter().map(|tree| tree.stats().largest_bucket).max().unwrap_or(0)),
                Cell::Count(stats.box_tests),
                Cell::Micros(us),
                if at.is_some() { Cell::Ratio(us / plain) } else { Cell::Nothing },
            ]);
            if at.is_some() {
                shares.push(format!("{} with options {name}", ratio(us / plain)));
            } else {
                plain = us;
            }
        }
    }
    Ok((figures, format!("an outlier costs {} (paper: useless then)", shares.join(", "))))
}
