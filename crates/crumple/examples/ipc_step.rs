//! A cloth falls on a ball, in implicit steps that never let surfaces meet. `cargo run --release --example ipc_step`
//!
//! Each step minimises the incremental potential of Li et al. 2020 by Newton's method: inertia, springs, and the barriers of what is
//! near; a step along the descent ends before the first impact. The linear system is solved by conjugate gradients.

use crumple::potential::{ContactPotential, Projection};
use crumple::{Body, BodyId, Frame, Mesh, Scene};

type Done<T = ()> = Result<T, Box<dyn std::error::Error>>;
type Point = [f64; 3];

const SECONDS: f64 = 0.02;
const MASS: f64 = 1e-3;
const SPRING: f64 = 20.0;
const REACH: f64 = 0.02;
const CELLS: u32 = 10;

/// What a step minimises, at one place.
struct Energy {
    value: f64,
    gradient: Vec<f64>,
    /// Row, column and value; what stands in one place more than once is added up.
    hessian: Vec<(usize, usize, f64)>,
}

struct Cloth {
    id: BodyId,
    springs: Vec<([usize; 2], f64)>,
    positions: Vec<Point>,
    velocities: Vec<Point>,
}

/// A grid of cells over the plane, turned into a surface by a function.
fn surface(cells: u32, at: impl Fn(f64, f64) -> Point) -> Done<(Mesh, Vec<Point>)> {
    let number = |i: u32, j: u32| i * (cells + 1) + j;
    let grid = || (0..cells).flat_map(|i| (0..cells).map(move |j| (i, j)));
    let triangles = grid().flat_map(|(i, j)| {
        let [p, q, r, s] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
        if (i + j) % 2 == 0 { [[p, q, r], [p, r, s]] } else { [[p, q, s], [q, r, s]] }
    });
    let part = |k: u32| f64::from(k) / f64::from(cells);
    let points =
        (0..=cells).flat_map(|i| (0..=cells).map(move |j| (part(i), part(j)))).map(|(u, v)| at(u, v)).collect();
    Ok((Mesh::new(((cells + 1) * (cells + 1)) as usize, triangles.collect())?, points))
}

impl Cloth {
    /// Where the vertices would be without springs and barriers.
    fn free(&self) -> Vec<Point> {
        let fall = [0.0, -9.81 * SECONDS * SECONDS, 0.0];
        self.positions
            .iter()
            .zip(&self.velocities)
            .map(|(x, v)| [0, 1, 2].map(|k| x[k] + SECONDS * v[k] + fall[k]))
            .collect()
    }

    fn energy(&self, x: &[Point], free: &[Point], potential: &mut ContactPotential) -> Energy {
        let size = 3 * x.len();
        let inertia = MASS / (SECONDS * SECONDS);
        let mut all = Energy { value: potential.energy(), gradient: vec![0.0; size], hessian: Vec::new() };
        // The cloth was added first: its vertices are the first of the potential.
        all.gradient.copy_from_slice(&potential.gradient().as_flattened()[..size]);
        all.hessian.extend(potential.hessian(Projection::Clamp).triplets().filter(|&(i, j, _)| i < size && j < size));
        for (i, (x, free)) in x.as_flattened().iter().zip(free.as_flattened()).enumerate() {
            all.value += 0.5 * inertia * (x - free) * (x - free);
            all.gradient[i] += inertia * (x - free);
            all.hessian.push((i, i, inertia));
        }
        for &([p, q], rest) in &self.springs {
            let along = [0, 1, 2].map(|k| x[q][k] - x[p][k]);
            let length = along.iter().map(|c| c * c).sum::<f64>().sqrt();
            all.value += 0.5 * SPRING * (length - rest) * (length - rest);
            for k in 0..3 {
                let force = SPRING * (length - rest) * along[k] / length;
                all.gradient[3 * p + k] -= force;
                all.gradient[3 * q + k] += force;
                for l in 0..3 {
                    // Sideways a spring that is pressed together has no stiffness: the system stays positive definite.
                    let (same, sideways) = (if k == l { 1.0 } else { 0.0 }, (1.0 - rest / length).max(0.0));
                    let outer = along[k] * along[l] / (length * length);
                    let entry = SPRING * (outer + sideways * (same - outer));
                    for (i, j, sign) in [(p, p, 1.0), (q, q, 1.0), (p, q, -1.0), (q, p, -1.0)] {
                        all.hessian.push((3 * i + k, 3 * j + l, sign * entry));
                    }
                }
            }
        }
        all
    }
}

/// Solves H d = −g by conjugate gradients.
fn descent(Energy { gradient, hessian, .. }: &Energy) -> Vec<f64> {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let mut found = vec![0.0; gradient.len()];
    let mut rest: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let (mut way, mut size) = (rest.clone(), dot(&rest, &rest));
    let enough = 1e-16 * size;
    for _ in 0..gradient.len() {
        if size <= enough {
            break;
        }
        let mut image = vec![0.0; way.len()];
        hessian.iter().for_each(|&(i, j, entry)| image[i] += entry * way[j]);
        let step = size / dot(&way, &image);
        found.iter_mut().zip(&way).for_each(|(x, w)| *x += step * w);
        rest.iter_mut().zip(&image).for_each(|(r, a)| *r -= step * a);
        let before = std::mem::replace(&mut size, dot(&rest, &rest));
        way.iter_mut().zip(&rest).for_each(|(w, r)| *w = r + size / before * *w);
    }
    found
}

/// Calls `watch` after every step with the frame, and the energy of motion, height and springs.
pub(crate) fn simulate(steps: usize, mut watch: impl FnMut(usize, &Frame<'_>, f64)) -> Done {
    let (mesh, points) = surface(CELLS, |u, v| [u - 0.5, 0.45, v - 0.5])?;
    let edges = mesh.triangles().iter().flat_map(|&[p, q, r]| [[p, q], [q, r], [r, p]]);
    let mut springs: Vec<_> = edges.map(|[p, q]| [p.min(q).index(), p.max(q).index()]).collect();
    springs.sort_unstable();
    springs.dedup();
    let length = |[p, q]: [usize; 2]| (0..3).map(|k| (points[p][k] - points[q][k]).powi(2)).sum::<f64>().sqrt();
    let springs = springs.into_iter().map(|ends| (ends, length(ends))).collect();
    let mut scene = Scene::new();
    let id = scene.add(Body::new_f64(mesh, &points)?);
    scene.set_self_collision(id, true)?;
    let (ball, ball_points) = surface(16, |u, v| {
        let (a, b) = (std::f64::consts::PI * (0.05 + 0.9 * u), std::f64::consts::TAU * v);
        [0.3 * a.sin() * b.cos(), 0.3 * a.cos(), 0.3 * a.sin() * b.sin()]
    })?;
    scene.add(Body::new_f64(ball, &ball_points)?);
    let mut cloth = Cloth { id, springs, velocities: vec![[0.0; 3]; points.len()], positions: points };
    let mut potential = ContactPotential::new(REACH).with_stiffness(1e3);
    for step in 0..steps {
        let (free, mut x) = (cloth.free(), cloth.positions.clone());
        scene.set_positions_f64(cloth.id, &x)?;
        potential.update(&scene.update()?);
        let mut now = cloth.energy(&x, &free, &mut potential);
        for _ in 0..30 {
            let way = descent(&now);
            if way.iter().fold(0.0, |most: f64, d| most.max(d.abs())) < 1e-4 * SECONDS {
                break;
            }
            let ahead = |by: f64| -> Vec<Point> {
                (0..x.len()).map(|i| [0, 1, 2].map(|k| x[i][k] + by * way[3 * i + k])).collect()
            };
            scene.set_positions_f64(cloth.id, &x)?;
            scene.update()?;
            scene.set_positions_f64(cloth.id, &ahead(1.0))?;
            let mut by = (0.9 * scene.update()?.safe_step()).min(1.0);
            let (next, energy) = loop {
                let next = ahead(by);
                scene.set_positions_f64(cloth.id, &next)?;
                potential.update(&scene.update()?);
                let energy = cloth.energy(&next, &free, &mut potential);
                if energy.value <= now.value || by < 1e-9 {
                    break (next, energy);
                }
                by *= 0.5;
            };
            (x, now) = (next, energy);
        }
        let moved = |(x, before): (&Point, &Point)| [0, 1, 2].map(|k| (x[k] - before[k]) / SECONDS);
        cloth.velocities = x.iter().zip(&cloth.positions).map(moved).collect();
        cloth.positions = x;
        let height: f64 = cloth.positions.iter().map(|p| MASS * 9.81 * p[1]).sum();
        let motion: f64 = cloth.velocities.as_flattened().iter().map(|v| 0.5 * MASS * v * v).sum();
        let stretched = |&([p, q], rest): &([usize; 2], f64)| {
            let along = [0, 1, 2].map(|k| cloth.positions[q][k] - cloth.positions[p][k]);
            0.5 * SPRING * (along.iter().map(|c| c * c).sum::<f64>().sqrt() - rest).powi(2)
        };
        scene.set_positions_f64(cloth.id, &cloth.positions)?;
        let frame = scene.update()?;
        assert!(frame.contacts().is_empty(), "surfaces meet in step {step}");
        watch(step, &frame, height + motion + cloth.springs.iter().map(stretched).sum::<f64>());
    }
    Ok(())
}

fn main() -> Done {
    simulate(200, |step, frame, energy| {
        if step % 10 == 0 {
            println!(
                "step {step}: {} near, energy {energy:.6} {}",
                frame.near(REACH).len(),
                "*".repeat((2e2 * energy.max(0.0)) as usize)
            );
        }
    })
}
