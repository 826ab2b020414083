//! Potentials of what is near: energies against brute force over all features, derivatives against finite differences.

use crumple::potential::{Barrier, BodyVertex, ContactPotential, Friction, Projection};
use crumple::{Body, BodyId, FeaturePair, Frame, Mesh, Scene};
use crumple_scenes::Random;

use crate::distance::all_features;

type Points = Vec<[f64; 3]>;

/// A sheet of 2 × n × n triangles.
fn sheet(n: u32) -> (Mesh, Points) {
    let at = |i: u32, j: u32| i * (n + 1) + j;
    let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let triangles = cells.flat_map(|(i, j)| {
        let [p, q, r, s] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[p, q, r], [p, r, s]]
    });
    let points = (0..=n).flat_map(|i| (0..=n).map(move |j| [f64::from(i), f64::from(j), 0.0]));
    (Mesh::new(((n + 1) * (n + 1)) as usize, triangles.collect()).unwrap(), points.collect())
}

/// Two sheets, the first of which is asked about itself, with where they rest.
struct Setup {
    scene: Scene,
    ids: [BodyId; 2],
    rest: [Points; 2],
    now: [Points; 2],
}

impl Setup {
    /// At random positions in even rounds, on a grid with parallel edges and many ties in odd ones.
    fn new(round: u64) -> Self {
        let mut random = Random::new(round);
        let (mesh, rest) = sheet(3);
        let mut scene = Scene::new();
        let mut moved = |height: f64| -> Points {
            let jitter = |random: &mut Random| match round % 2 {
                0 => random.between(-0.4, 0.4),
                _ => 0.25 * random.integer(-2, 2) as f64,
            };
            rest.iter().map(|&[x, y, _]| [x, y, height].map(|c| c + jitter(&mut random))).collect()
        };
        let now = [moved(0.0), moved(if round.is_multiple_of(2) { 0.9 } else { 1.0 })];
        let ids = [0, 1].map(|k| scene.add(Body::new_f64(mesh.clone(), &now[k]).unwrap()));
        scene.set_self_collision(ids[0], true).unwrap();
        Self { scene, ids, rest: [rest.clone(), rest], now }
    }

    fn update(&mut self, potential: &mut ContactPotential) {
        let frame = self.scene.update().unwrap();
        for k in 0..2 {
            potential.set_rest(&frame, self.ids[k], &self.rest[k]).unwrap();
        }
        potential.update(&frame);
    }

    /// Looks at the frame in which one coordinate is moved by `by`, and moves it back.
    fn moved<T>(&mut self, coordinate: usize, by: f64, look: impl FnOnce(&Frame<'_>) -> T) -> T {
        let per_body = 3 * self.now[0].len();
        let (body, at) = (coordinate / per_body, coordinate % per_body);
        let mut points = self.now[body].clone();
        points[at / 3][at % 3] += by;
        self.scene.set_positions_f64(self.ids[body], &points).unwrap();
        let seen = look(&self.scene.update().unwrap());
        self.scene.set_positions_f64(self.ids[body], &self.now[body]).unwrap();
        seen
    }
}

fn potential(barrier: Barrier) -> ContactPotential {
    ContactPotential::new(0.5).with_barrier(barrier).with_stiffness(3.0)
}

fn squared_cross([p, q, r, s]: [[f64; 3]; 4]) -> f64 {
    let (d, e): ([f64; 3], [f64; 3]) = (std::array::from_fn(|k| q[k] - p[k]), std::array::from_fn(|k| s[k] - r[k]));
    let of = |i: usize, j: usize| (d[i] * e[j] - d[j] * e[i]).powi(2);
    of(1, 2) + of(2, 0) + of(0, 1)
}

/// The energy of every vertex and face and every two edges, one by one.
fn energy_by_brute_force(setup: &Setup, barrier: Barrier, thickness: f64) -> f64 {
    let bodies = setup.ids.map(|id| setup.scene.body(id).unwrap());
    let mut sum = 0.0;
    for (a, b) in [(0, 0), (0, 1)] {
        for (features, apart) in all_features(bodies[a], bodies[b], a == b) {
            let y_hat = (2.0 * thickness + 0.5) * 0.5;
            let y = apart.squared - thickness * thickness;
            if y >= y_hat {
                continue;
            }
            let value = match barrier {
                Barrier::Cubic => 2.0 / 3.0 * (y_hat - y).powi(3) / y_hat,
                _ => -(y - y_hat).powi(2) * (y / y_hat).ln(),
            };
            let mollifier = if let FeaturePair::EdgeEdge { edge_a: [p, q], edge_b: [r, s] } = features {
                let at = |of: &[Points; 2]| [of[a][p.index()], of[a][q.index()], of[b][r.index()], of[b][s.index()]];
                let rest = at(&setup.rest);
                let length = |i: usize| (0..3).map(|k| (rest[i + 1][k] - rest[i][k]).powi(2)).sum::<f64>();
                let by = squared_cross(at(&setup.now)) / (1e-3 * length(0) * length(2));
                if by < 1.0 { (2.0 - by) * by } else { 1.0 }
            } else {
                1.0
            };
            sum += if mollifier == 0.0 { 0.0 } else { 3.0 * mollifier * value };
        }
    }
    sum
}

#[test]
fn the_energy_is_that_of_all_features_one_by_one() {
    for round in 0..40 {
        for (barrier, thickness) in [(Barrier::ClampedLog, 0.0), (Barrier::Cubic, 0.0), (Barrier::Cubic, 0.125)] {
            let mut setup = Setup::new(round);
            let mut potential = potential(barrier).with_thickness(thickness);
            setup.update(&mut potential);
            let (found, expected) = (potential.energy(), energy_by_brute_force(&setup, barrier, thickness));
            let same = found == expected || (found - expected).abs() <= 1e-12 * expected;
            assert!(same, "round {round}, {barrier:?}, {thickness}: {found} and {expected}");
        }
    }
}

#[test]
fn stencils_have_what_is_nearest_and_weights_that_are_derivatives() {
    let mut kinds = [0; 4];
    for round in 0..20 {
        let mut setup = Setup::new(round);
        let mut potential = potential(Barrier::Cubic);
        setup.update(&mut potential);
        let frame = setup.scene.frame().unwrap();
        let position = |(id, vertex): BodyVertex| frame.body(id).unwrap().point(vertex).unwrap();
        let mut before = None;
        for stencil in potential.stencils() {
            kinds[stencil.kind as usize] += stencil.multiplicity as usize;
            let apart = stencil.relative(position);
            for k in 0..3 {
                assert!((apart[k] - stencil.distance * stencil.direction[k]).abs() < 1e-14, "{stencil:?}");
            }
            assert!(stencil.weights.iter().sum::<f64>().abs() < 1e-15);
            let [s, t] = stencil.tangents();
            let dot = |x: [f64; 3], y: [f64; 3]| x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
            assert!([dot(s, t), dot(s, stencil.direction), dot(t, stencil.direction)].iter().all(|x| x.abs() < 1e-15));
            // Only edges may be listed more than once with the same vertices, in another order.
            let key = (stencil.kind, stencil.vertices);
            assert!(before != Some(key));
            before = Some(key);
        }
        // Merged or not, they stand for every near pair, each of which has a stencil of its own.
        let near = frame.near(0.5);
        assert_eq!(potential.stencils().iter().map(|stencil| stencil.multiplicity).sum::<f64>(), near.len() as f64);
        for pair in near {
            let stencil = pair.stencil(&frame).unwrap().unwrap();
            assert_eq!(stencil.distance, pair.distance());
            let apart = stencil.relative(position);
            for k in 0..3 {
                assert!((apart[k] - stencil.distance * stencil.direction[k]).abs() < 1e-14, "{pair:?}");
            }
        }
    }
    assert!(kinds.iter().all(|&count| count > 50), "{kinds:?}");
}

/// The largest difference, as a part of the largest entry.
fn relative(found: &[f64], expected: &[f64]) -> f64 {
    let largest = expected.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    found.iter().zip(expected).fold(0.0, |most: f64, (x, y)| most.max((x - y).abs())) / largest
}

fn dense(triplets: impl Iterator<Item = (usize, usize, f64)>, size: usize) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; size]; size];
    triplets.for_each(|(i, j, value)| matrix[i][j] += value);
    matrix
}

#[test]
fn gradient_and_hessian_are_the_derivatives() {
    // Rounds of random positions: on a grid there are ties, at which the Hessian jumps.
    for round in [0, 2, 4] {
        for (barrier, areas) in [(Barrier::ClampedLog, false), (Barrier::Cubic, true)] {
            let mut setup = Setup::new(round);
            let mut potential = potential(barrier).with_thickness(1e-3);
            if areas {
                potential = potential.with_areas();
            }
            setup.update(&mut potential);
            let gradient = potential.gradient().as_flattened().to_vec();
            let size = gradient.len();
            let hessian = dense(potential.hessian(Projection::None).triplets(), size);
            let step = 1e-6;
            let mut by_differences = Vec::new();
            for coordinate in 0..size {
                let [above, below] = [step, -step].map(|by| {
                    setup.moved(coordinate, by, |frame| potential.update(frame));
                    (potential.energy(), potential.gradient().as_flattened().to_vec())
                });
                by_differences.push((above.0 - below.0) / (2.0 * step));
                let column: Vec<f64> = above.1.iter().zip(&below.1).map(|(x, y)| (x - y) / (2.0 * step)).collect();
                let found: Vec<f64> = hessian.iter().map(|row| row[coordinate]).collect();
                let largest = hessian.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
                let worst = found.iter().zip(&column).fold(0.0, |most: f64, (x, y)| most.max((x - y).abs()));
                assert!(worst < 1e-6 * largest, "round {round}, {barrier:?}, {coordinate}: {}", worst / largest);
            }
            assert!(relative(&gradient, &by_differences) < 1e-7, "round {round}, {barrier:?}");
        }
    }
}

#[test]
fn forces_and_torques_add_up_to_nothing_and_ties_are_finite() {
    for round in 0..20 {
        let mut setup = Setup::new(round);
        let mut potential = potential(Barrier::Cubic);
        setup.update(&mut potential);
        let gradient = potential.gradient().to_vec();
        let points: Points = setup.now.iter().flatten().copied().collect();
        let largest = gradient.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        assert!(largest.is_finite() && largest > 0.0);
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let force: f64 = gradient.iter().map(|g| g[k]).sum();
            let torque: f64 = points.iter().zip(&gradient).map(|(p, g)| p[i] * g[j] - p[j] * g[i]).sum();
            assert!(
                force.abs() < 1e-12 * largest && torque.abs() < 1e-11 * largest,
                "round {round}: {force}, {torque}"
            );
        }
    }
}

#[test]
fn projected_blocks_have_no_negative_eigenvalues_and_differ_only_where_they_had() {
    let mut random = Random::new(7);
    for round in 0..6 {
        let mut setup = Setup::new(round);
        let mut potential = potential(Barrier::ClampedLog);
        setup.update(&mut potential);
        let exact: Vec<[[f64; 12]; 12]> = potential.hessian(Projection::None).blocks().map(|b| *b.values).collect();
        let absolute: Vec<[[f64; 12]; 12]> = potential.hessian(Projection::Abs).blocks().map(|b| *b.values).collect();
        let mut changed = 0;
        for ((block, exact), absolute) in potential.hessian(Projection::Clamp).blocks().zip(&exact).zip(&absolute) {
            let largest = block.values.as_flattened().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            for _ in 0..200 {
                let v: [f64; 12] = std::array::from_fn(|_| random.between(-1.0, 1.0));
                let along = |m: &[[f64; 12]; 12]| -> f64 {
                    (0..12).map(|i| (0..12).map(|j| v[i] * m[i][j] * v[j]).sum::<f64>()).sum()
                };
                let (clamped, turned) = (along(block.values), along(absolute));
                assert!(clamped >= -1e-12 * largest, "{clamped}");
                assert!(turned >= clamped - 1e-12 * largest && clamped >= along(exact) - 1e-12 * largest);
            }
            changed += usize::from(block.values.as_flattened() != exact.as_flattened());
        }
        assert!(changed > 0);
    }
}

#[test]
fn answers_are_the_same_bits_for_any_number_of_threads() {
    let (mesh, mut points) = sheet(40);
    let mut random = Random::new(3);
    points.iter_mut().flatten().for_each(|x| *x += random.between(-0.45, 0.45));
    let all = |threads: usize| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            let mut scene = Scene::new();
            let id = scene.add(Body::new_f64(mesh.clone(), &points).unwrap());
            scene.set_self_collision(id, true).unwrap();
            let mut potential = ContactPotential::new(0.6).with_areas();
            potential.update(&scene.update().unwrap());
            assert!(potential.stencils().len() > 1_000, "{}", potential.stencils().len());
            let (energy, gradient) = (potential.energy(), potential.gradient().to_vec());
            let triplets: Vec<_> = potential.hessian(Projection::Clamp).triplets().map(|t| t.2.to_bits()).collect();
            (energy, gradient, triplets)
        })
    };
    let one = all(1);
    assert!(one == all(2) && one == all(5));
}

#[test]
fn friction_pulls_back_what_slides_and_has_these_derivatives() {
    for slide in [3e-4, 0.05] {
        let mut setup = Setup::new(0);
        let mut potential = potential(Barrier::ClampedLog);
        setup.update(&mut potential);
        let mut friction = Friction::new(0.7, 1e-3);
        friction.lag(&potential);
        assert!((friction.gradient()).iter().flatten().all(|&x| x == 0.0));
        // The upper sheet slides along x.
        setup.now[1].iter_mut().for_each(|point| point[0] += slide);
        let now = setup.now[1].clone();
        setup.scene.set_positions_f64(setup.ids[1], &now).unwrap();
        friction.update(&setup.scene.update().unwrap());
        let gradient = friction.gradient().as_flattened().to_vec();
        let first = setup.now[0].len();
        assert!(gradient[3 * first..].iter().step_by(3).sum::<f64>() > 0.0);
        let hessian = dense(friction.hessian().triplets(), gradient.len());
        // What does not slide has a kink in the third derivative, so the error is the step by the creep.
        let step = 2f64.powi(-30);
        let mut by_differences = Vec::new();
        let mut worst: f64 = 0.0;
        for coordinate in 0..gradient.len() {
            let [above, below] = [step, -step].map(|by| {
                setup.moved(coordinate, by, |frame| friction.update(frame));
                (friction.energy(), friction.gradient().as_flattened().to_vec())
            });
            by_differences.push((above.0 - below.0) / (2.0 * step));
            for (i, (x, y)) in above.1.iter().zip(&below.1).enumerate() {
                worst = worst.max((hessian[i][coordinate] - (x - y) / (2.0 * step)).abs());
            }
        }
        let largest = hessian.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        assert!(relative(&gradient, &by_differences) < 1e-6, "{slide}");
        assert!(worst < 1e-6 * largest, "{slide}: {}", worst / largest);
    }
}

#[test]
fn impacts_have_stencils_too() {
    let (mesh, points) = sheet(1);
    let raised = |by: f64| points.iter().map(|&[x, y, z]| [x + 0.25, y + 0.125, z + by]).collect::<Points>();
    let mut scene = Scene::new();
    scene.add(Body::new_f64(mesh.clone(), &points).unwrap());
    let falling = scene.add(Body::new_f64(mesh, &raised(1.0)).unwrap());
    scene.update().unwrap();
    scene.set_positions_f64(falling, &raised(-1.0)).unwrap();
    let frame = scene.update().unwrap();
    let impact = frame.first_impact().unwrap();
    let stencil = impact.stencil(&frame).unwrap().unwrap();
    assert_eq!(stencil.distance, 0.0);
    assert!(stencil.weights.iter().sum::<f64>().abs() < 1e-15);
    // One body moves by -2 along z, the other not at all.
    let moved = stencil.relative(|(id, _)| if id == falling { [0.0, 0.0, -2.0] } else { [0.0; 3] });
    assert!((moved[2] * stencil.direction[2] + 2.0).abs() < 1e-14, "{moved:?} {stencil:?}");
}

#[test]
fn wrong_rest_positions_are_refused_and_no_reach_reaches_nothing() {
    let mut setup = Setup::new(0);
    for reach in [0.0, -1.0, f64::NAN] {
        let mut potential = ContactPotential::new(reach);
        setup.update(&mut potential);
        assert_eq!((potential.energy(), potential.stencils().len()), (0.0, 0));
    }
    let mut potential = ContactPotential::new(0.5);
    let frame = setup.scene.update().unwrap();
    let wrong = potential.set_rest(&frame, setup.ids[0], &setup.rest[0][1..]).unwrap_err().to_string();
    assert!(wrong.contains("15 positions were given, but the body has 16 vertices"), "{wrong}");
    let mut not_finite = setup.rest[0].clone();
    not_finite[3][1] = f64::NAN;
    let wrong = potential.set_rest(&frame, setup.ids[0], &not_finite).unwrap_err().to_string();
    assert!(wrong.contains("vertex 3"), "{wrong}");
    let mut other = Scene::new();
    let stranger = other.add(Body::new_f64(sheet(1).0, &sheet(1).1).unwrap());
    assert!(potential.set_rest(&frame, stranger, &sheet(1).1).is_err());
}
