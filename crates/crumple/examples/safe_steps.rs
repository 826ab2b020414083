//! A block is thrown at a thin sheet, in steps that end before anything meets. `cargo run --release --example safe_steps`

#[path = "support/soft.rs"]
mod soft;

use crumple::{Frame, Scene};
use soft::{Cushion, Done, Soft};

pub(crate) const SECONDS: f64 = 0.002;
const CUSHION: Cushion = Cushion { thickness: 0.02, stiffness: 20.0, damping: 0.01, grip: 0.02, friction: 0.5 };

/// Calls `watch` in every step with the sheet and the block, the frame, how many impacts were prevented, and the energy.
pub(crate) fn simulate(steps: usize, mut watch: impl FnMut(usize, &[Soft; 2], &Frame<'_>, usize, f64)) -> Done {
    let mut bodies = [Soft::sheet(12, 2.0, [0.0; 3]), Soft::block(3, [0.0, 0.75, 0.0])];
    bodies[0].fix(|[x, _, z]| x.abs().max(z.abs()) > 0.99);
    // Damped to 5 % of 2 √(stiffness · mass), which would be critical; drag leaves e^-8 of a velocity after 2,000 steps.
    (bodies[0].mass, bodies[0].stiffness, bodies[0].damping, bodies[0].drag) =
        (0.006, 60.0, 0.06, 8.0 / (2_000.0 * SECONDS));
    (bodies[1].mass, bodies[1].stiffness, bodies[1].damping, bodies[1].drag) =
        (0.0016, 30.0, 0.02, 8.0 / (2_000.0 * SECONDS));
    bodies[1].velocities.fill([0.0, -25.0, 0.0]); // 0.05 per step, more than the cushion
    let mut scene = Scene::new();
    let ids = [scene.add(bodies[0].body()?), scene.add(bodies[1].body()?)];
    let put = |scene: &mut Scene, bodies: &[Soft; 2]| {
        (0..2).try_for_each(|k| scene.correct_positions(ids[k], &bodies[k].rounded_after(SECONDS)))
    };
    for step in 0..steps {
        bodies.iter_mut().for_each(Soft::start_forces);
        for near in scene.update()?.near(CUSHION.thickness) {
            CUSHION.push(&near, &mut bodies);
        }
        for (body, id) in bodies.iter_mut().zip(ids) {
            body.hasten(SECONDS);
            scene.set_positions(id, &body.rounded_after(SECONDS))?; // begins the step
        }
        // What meets within the step loses the velocity with which it meets: the step then ends elsewhere.
        let impacts = scene.update()?.impacts();
        impacts.iter().for_each(|impact| soft::stop(impact, &mut bodies));
        let met = impacts.len();
        put(&mut scene, &bodies)?;
        // If others meet there, all slow down to less than what is safe: positions are rounded.
        let safe = scene.update()?.safe_step();
        if safe < 1.0 {
            bodies.iter_mut().for_each(|body| body.slow_down(0.9 * safe));
            put(&mut scene, &bodies)?;
        }
        bodies.iter_mut().for_each(|body| body.advance(SECONDS));
        let frame = scene.update()?;
        let stored: f64 = frame.near(CUSHION.thickness).iter().map(|near| CUSHION.energy(&near)).sum();
        watch(step, &bodies, &frame, met, stored + bodies.iter().map(Soft::energy).sum::<f64>());
    }
    Ok(())
}

fn main() -> Done {
    simulate(2_000, |step, bodies, _, met, energy| {
        if step % 100 == 0 || met > 0 {
            let (centre, speed) = (bodies[1].centre(), bodies[1].speed());
            println!("step {step}: centre {centre:.4?}, speed {speed:.5}, {met} impacts, energy {energy:.5}");
        }
    })
}
