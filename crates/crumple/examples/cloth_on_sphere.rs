//! A cloth falls on a sphere that deforms, and stays on it. `cargo run --release --example cloth_on_sphere`

#[path = "support/soft.rs"]
mod soft;

use crumple::{Frame, Scene};
use soft::{Cushion, Done, Soft, Vector, scale, sub};

pub(crate) const SECONDS: f64 = 0.001;
/// The sphere deforms this long.
pub(crate) const DEFORMS: f64 = 0.6;
const CUSHION: Cushion = Cushion { thickness: 0.03, stiffness: 10.0, damping: 0.005, grip: 0.01, friction: 0.6 };

/// Where a vertex of the unit sphere is at a time: squashed and stretched along y.
fn on_sphere(p: [f32; 3], time: f64) -> Vector {
    let wave = if time < DEFORMS { (std::f64::consts::PI * time / DEFORMS).sin().powi(2) } else { 0.0 };
    let [x, y, z] = p.map(|x| 0.5 * f64::from(x));
    let bulge = 1.0 + 0.2 * wave;
    [x * bulge, y / bulge, z * bulge]
}

/// Calls `watch` in every step with the cloth, the frame, and the energy.
pub(crate) fn simulate(steps: usize, mut watch: impl FnMut(usize, &Soft, &Frame<'_>, f64)) -> Done {
    let sphere = crumple_scenes::sphere(crumple_scenes::Solid::Icosahedron, 3)?;
    let at = |time: f64| sphere.positions.iter().map(|&p| on_sphere(p, time)).collect::<Vec<_>>();
    let mut bodies = [Soft::sheet(16, 1.2, [0.0, 0.6, 0.0]), Soft::moved(at(0.0), sphere.triangles.clone())];
    // Damped to 4 % of 2 √(stiffness · mass), which would be critical; drag leaves e^-10 of a velocity after 2,000 steps.
    (bodies[0].stiffness, bodies[0].damping, bodies[0].drag) = (15.0, 0.008, 10.0 / (2_000.0 * SECONDS));
    let mut scene = Scene::new();
    let ids = [scene.add(bodies[0].body()?), scene.add(bodies[1].body()?)];
    for step in 0..steps {
        let next = at(step as f64 * SECONDS);
        let velocity = |(p, q): (&Vector, &Vector)| scale(sub(*p, *q), 1.0 / SECONDS);
        bodies[1].velocities = next.iter().zip(&bodies[1].positions).map(velocity).collect();
        bodies[1].positions = next;
        for (body, id) in bodies.iter_mut().zip(ids) {
            scene.set_positions(id, &body.rounded())?;
            body.start_forces();
        }
        let frame = scene.update()?;
        let near = frame.near(CUSHION.thickness);
        let stored: f64 = near.iter().map(|near| CUSHION.push(&near, &mut bodies)).sum();
        watch(step, &bodies[0], &frame, stored + bodies[0].energy());
        bodies[0].step(SECONDS);
    }
    Ok(())
}

fn main() -> Done {
    simulate(2_000, |step, cloth, _, energy| {
        if step % 100 == 0 {
            println!("step {step}: centre {:.4?}, speed {:.5}, energy {energy:.5}", cloth.centre(), cloth.speed());
        }
    })
}
