//! Bodies, soups and the loop that every method goes through.

use crumple::narrow::{PairMethod, Search, Side, Wanted, brute::BruteForce};
use crumple::{Body, Mesh, Stats, TrianglePair};
use crumple_scenes::Random;

/// A point of a grid with `steps` steps per axis.
pub(crate) fn grid_point(random: &mut Random, steps: u64) -> [f32; 3] {
    std::array::from_fn(|_| random.below(steps) as f32)
}

pub(crate) fn body(triangles: Vec<[u32; 3]>, positions: &[[f32; 3]]) -> Body {
    Body::new(Mesh::new(positions.len(), triangles).unwrap(), positions).unwrap()
}

/// A soup of triangles that share no vertices; small ones near each other, on a grid, so that many are degenerate and
/// many touch.
pub(crate) fn soup(random: &mut Random, triangles: u64, steps: u64, size: u64) -> Body {
    let mut positions = Vec::new();
    for _ in 0..triangles {
        let corner = grid_point(random, steps);
        for _ in 0..3 {
            let offset = grid_point(random, size);
            positions.push(std::array::from_fn(|axis| corner[axis] + offset[axis]));
        }
    }
    body((0..triangles as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(), &positions)
}

/// Some vertices on the grid 0..=`side`, in units of `unit`.
pub(crate) fn grid_positions(random: &mut Random, count: usize, side: i64, unit: f32) -> Vec<[f32; 3]> {
    (0..count).map(|_| [0; 3].map(|_| random.integer(0, side) as f32 * unit)).collect()
}

/// Triangles over random vertices: some use a vertex twice, some are there twice, some vertices are welded.
pub(crate) fn soup_of_shared_vertices(
    random: &mut Random,
    vertices: usize,
    triangles: usize,
    side: i64,
    unit: f32,
) -> Body {
    let mut list: Vec<[u32; 3]> = Vec::new();
    for _ in 0..triangles {
        let repeated = random.once_in(8).then(|| list.get(random.below(list.len().max(1) as u64) as usize).copied());
        list.push(repeated.flatten().unwrap_or_else(|| [0; 3].map(|_| random.below(vertices as u64) as u32)));
    }
    let positions = grid_positions(random, vertices, side, unit);
    let mut mesh = Mesh::new(vertices, list).unwrap();
    if random.once_in(2) {
        mesh = mesh.welded(&positions).unwrap();
    }
    Body::new(mesh, &positions).unwrap()
}

/// Every corner of a body where `place` puts it.
pub(crate) fn moved(of: &Body, place: impl Fn([f32; 3]) -> [f32; 3]) -> Body {
    let positions: Vec<[f32; 3]> = of.positions().iter().copied().map(place).collect();
    Body::new(of.mesh().clone(), &positions).unwrap()
}

/// The two bumpy spheres of the published scenes, with few triangles, in some of their frames.
pub(crate) fn bumpy(levels: u32, frames: &[usize]) -> Vec<[Body; 2]> {
    let scene = crumple_scenes::bumpy_spheres(crumple_scenes::Solid::Icosahedron, levels).unwrap();
    let at = |frame: usize, i: usize| {
        let of = &scene.bodies()[i];
        body(of.triangles().to_vec(), &of.positions_at(frame))
    };
    frames.iter().map(|&frame| [at(frame, 0), at(frame, 1)]).collect()
}

/// Neighbours in the dense crowd of bodies with arms, in a frame in which their boxes overlap.
pub(crate) fn crowded(levels: u32, frame: usize) -> Vec<[Body; 2]> {
    let scene = crumple_scenes::dense_crowd(crumple_scenes::Crowd::Arms, levels).unwrap();
    let at = |of: &crumple_scenes::SceneBody| body(of.triangles().to_vec(), &of.positions_at(frame));
    let bodies: Vec<Body> = scene.bodies().iter().map(at).collect();
    let near = |pair: &&[Body]| pair[0].bounds().overlaps(&pair[1].bounds());
    bodies.windows(2).filter(near).take(3).map(|pair| [pair[0].clone(), pair[1].clone()]).collect()
}

/// Pairs of bodies on which methods go wrong: nothing, one triangle, everything in one place, touching only, far away.
pub(crate) fn hard_pairs() -> Vec<(String, [Body; 2])> {
    let mut random = Random::new(20);
    let mut pairs = Vec::new();
    for i in 0..12 {
        let (steps, size) = ([3, 6, 12, 20][i % 4], [2, 3, 5][i % 3]);
        let [m, n] = [random.below(60), random.below(60)];
        pairs.push((format!("soup {i}"), [soup(&mut random, m, steps, size), soup(&mut random, n, steps, size)]));
    }
    let large = soup(&mut random, 150, 12, 3);
    let nothing = body(Vec::new(), &[]);
    let one = body(vec![[0, 1, 2]], &[[0.0, 0.0, 5.0], [12.0, 0.0, 5.0], [0.0, 12.0, 5.0]]);
    let point = body(vec![[0, 0, 0]], &[[6.0, 5.0, 5.0]]);
    let same: Vec<[u32; 3]> = vec![[0, 1, 2]; 40];
    let coincident = body(same, &[[4.0; 3], [5.0, 4.0, 6.0], [4.0, 7.0, 4.0]]);
    let outlier = |of: &Body, at: [f32; 3]| {
        let mut positions: Vec<[f32; 3]> = of.positions().to_vec();
        let mut triangles = of.mesh().indices().to_vec();
        let first = positions.len() as u32;
        triangles.push([first, first + 1, first + 2]);
        positions.extend([at, at.map(|x| x + 1.0), [at[0], at[1], at[2] + 1.0]]);
        body(triangles, &positions)
    };
    let highest = large.bounds().max()[0];
    let lowest = large.bounds().min()[0];
    let beside = moved(&large, |[x, y, z]| [x + (highest - lowest), y, z]);
    let far = |x: f32| moved(&large, move |p| p.map(|c| c + x));
    pairs.extend([
        ("nothing, soup".into(), [nothing.clone(), large.clone()]),
        ("nothing, nothing".into(), [nothing.clone(), nothing]),
        ("one triangle, soup".into(), [one.clone(), large.clone()]),
        ("one triangle, itself".into(), [one.clone(), one.clone()]),
        ("point, one triangle".into(), [point.clone(), one]),
        ("point, soup".into(), [point, large.clone()]),
        ("coincident, soup".into(), [coincident.clone(), large.clone()]),
        ("coincident, itself".into(), [coincident.clone(), coincident]),
        ("soup, itself".into(), [large.clone(), large.clone()]),
        ("soup, beside itself".into(), [large.clone(), beside]),
        ("outlier, soup".into(), [outlier(&large, [1.0e6; 3]), large.clone()]),
        ("outlier, outlier".into(), [outlier(&large, [1.0e20; 3]), outlier(&large, [-1.0e20, 3.0, 1.0e30])]),
        ("far from the origin".into(), [far(1.0e6), far(1.0e6 + 1.0)]),
        ("huge".into(), {
            let huge = |s: f32| moved(&large, move |p| p.map(|c| (c - 7.0) * s));
            [huge(4.0e37), huge(-4.0e37)]
        }),
        ("tiny".into(), {
            let tiny = |s: f32| moved(&large, move |p| p.map(|c| (c - 7.0) * s));
            [tiny(1.4e-45), tiny(-2.8e-45)]
        }),
        ("flat sheets".into(), {
            let flat = |z: f32| moved(&large, move |[x, y, _]| [x, y, z]);
            [flat(3.0), flat(3.0)]
        }),
    ]);
    pairs
}

/// The `seed`-th random pair of soups: on a coarse or a fine grid, at the origin or far away, at many sizes.
pub(crate) fn random_pair(seed: u32) -> (String, [Body; 2]) {
    let mut random = Random::new(u64::from(seed) + 1000);
    let (steps, size) = (2 + random.below(10), 1 + random.below(5));
    let pair = [0, 1].map(|_| {
        let count = random.below(25);
        soup(&mut random, count, steps, size)
    });
    // Directions between vertices of a grid have dot products that round; far away they round more.
    let (scale, offset) =
        [(1.0, 0.0), (0.1, 0.0), (1.0, 1.0e7), (0.3, -1.0e5), (1.0e30, 0.0), (1.0e-40, 0.0)][random.below(6) as usize];
    let place = |[x, y, z]: [f32; 3]| [x * scale + offset, y * scale, z * scale - offset];
    (format!("random soup {seed}"), pair.map(|soup| moved(&soup, place)))
}

/// The pairs a method finds, sorted, and what it took.
pub(crate) fn pairs<M: PairMethod>(method: &M, a: &Body, b: &Body, wanted: Wanted) -> (Vec<TrianglePair>, Stats) {
    let (tree_a, tree_b) = (method.build(a), method.build(b));
    let (a, b) = (Side { body: a, tree: &tree_a }, Side { body: b, tree: &tree_b });
    let mut found = Vec::new();
    let stats = Search::default().pairs(method, (a, b), wanted, &mut found);
    (found, stats)
}

/// The pairs of one body that a method finds, sorted, and what it took.
pub(crate) fn self_pairs<M: PairMethod>(method: &M, of: &Body, wanted: Wanted) -> (Vec<TrianglePair>, Stats) {
    let tree = method.build(of);
    let side = Side { body: of, tree: &tree };
    let mut found = Vec::new();
    let stats = Search::default().self_pairs(method, side, wanted, &mut found);
    (found, stats)
}

/// What brute force says about a pair of bodies, and about each of them alone.
pub(crate) struct Truth {
    pub(crate) name: String,
    pub(crate) bodies: [Body; 2],
    pairs: Vec<TrianglePair>,
    self_pairs: [(Vec<TrianglePair>, u64); 2],
}

impl Truth {
    pub(crate) fn of((name, bodies): (String, [Body; 2])) -> Self {
        let [a, b] = &bodies;
        let (pairs, _) = pairs(&BruteForce, a, b, Wanted::All);
        let self_pairs = [a, b].map(|body| {
            let (pairs, stats) = self_pairs(&BruteForce, body, Wanted::All);
            (pairs, stats.degenerate)
        });
        Self { name, bodies, pairs, self_pairs }
    }

    /// The hard pairs and some frames of the published scenes.
    pub(crate) fn everything() -> Vec<Self> {
        let crowd = crowded(2, 120).into_iter().map(|bodies| ("dense crowd".to_string(), bodies));
        let spheres = bumpy(2, &[60, 130, 199]).into_iter().map(|bodies| ("bumpy spheres".to_string(), bodies));
        hard_pairs().into_iter().chain(spheres).chain(crowd).map(Self::of).collect()
    }

    /// Holds a method to this: all pairs in both orders, the first pair, and the pairs within each body.
    pub(crate) fn check<M: PairMethod>(&self, method: &M) {
        let name = &self.name;
        let trees = self.bodies.each_ref().map(|body| method.build(body));
        let [a, b] = [0, 1].map(|i| Side { body: &self.bodies[i], tree: &trees[i] });
        let mut search = Search::default();
        let mut pairs = |a, b, wanted| {
            let mut found = Vec::new();
            search.pairs(method, (a, b), wanted, &mut found);
            found
        };
        assert_eq!(pairs(a, b, Wanted::All), self.pairs, "{method:?} on {name}");
        let mut turned: Vec<TrianglePair> = self.pairs.iter().map(|p| TrianglePair { a: p.b, b: p.a }).collect();
        turned.sort_unstable();
        assert_eq!(pairs(b, a, Wanted::All), turned, "{method:?} on {name}, turned round");
        let first = pairs(a, b, Wanted::First);
        assert_eq!(first.len(), self.pairs.len().min(1), "{method:?} on {name}, first pair");
        assert!(first.iter().all(|pair| self.pairs.contains(pair)), "{method:?} on {name}, first pair");
        let mut self_pairs = |side, wanted| {
            let mut found = Vec::new();
            let stats = search.self_pairs(method, side, wanted, &mut found);
            (found, stats.degenerate)
        };
        for (side, truth) in [a, b].into_iter().zip(&self.self_pairs) {
            assert_eq!(&self_pairs(side, Wanted::All), truth, "{method:?} on {name}, within a body");
            let first = self_pairs(side, Wanted::First).0;
            assert_eq!(first.len(), truth.0.len().min(1), "{method:?} on {name}, first pair within a body");
            assert!(first.iter().all(|pair| truth.0.contains(pair)), "{method:?} on {name}, first pair within a body");
        }
    }
}
