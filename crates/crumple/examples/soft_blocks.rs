//! A soft block falls on another, pushed back by their overlap. `cargo run --release --example soft_blocks`

#[path = "support/soft.rs"]
mod soft;

use crumple::Scene;
use soft::{Done, Soft, scale};

pub(crate) const SECONDS: f64 = 0.002;
/// With a contact of area A = 0.7 the weight m g = STIFFNESS A² d of a block of mass 1 is carried at a depth of d = 0.005.
const STIFFNESS: f64 = 4_000.0;
/// A sixth of the critical damping 2 √(STIFFNESS m) / A of that spring: a block bounces once or twice.
const DAMPING: f64 = 30.0;
/// Friction per velocity where it is less than Coulomb's: a block on a slope creeps.
const GRIP: f64 = 30.0;
const FRICTION: f64 = 0.5;

/// Calls `watch` in every step with the blocks, the volume of their overlap, and the energy of all.
pub(crate) fn simulate(steps: usize, mut watch: impl FnMut(usize, &[Soft; 2], f64, f64)) -> Done {
    let mut blocks = [[0.0; 3], [0.15, 1.35, 0.1]].map(|centre| Soft::block(3, centre));
    for block in &mut blocks {
        // Damped to 7 % of 2 √(stiffness · mass), which would be critical; drag leaves e^-10 of a velocity after 2,000 steps.
        (block.stiffness, block.damping, block.drag) = (300.0, 0.3, 10.0 / (2_000.0 * SECONDS));
    }
    blocks[0].fix(|[_, y, _]| y < -0.49); // it stands on a floor
    for p in &mut blocks[1].positions {
        let [x, y] = [p[0] - 0.15, p[1] - 1.35];
        *p = [0.15 + 0.96 * x + 0.28 * y, 1.35 + 0.96 * y - 0.28 * x, p[2]]; // tilted by 16 degrees
    }
    let mut scene = Scene::new();
    let ids = [scene.add(blocks[0].body()?), scene.add(blocks[1].body()?)];
    for step in 0..steps {
        for (block, id) in blocks.iter_mut().zip(ids) {
            scene.set_positions(id, &block.rounded())?;
            block.start_forces();
        }
        let overlap = scene.update()?.overlap(ids[0], ids[1])?;
        let gradients = [overlap.gradient_a(), overlap.gradient_b()];
        // The volume as the length of a spring; the gradient says how fast it grows, and whom to push where.
        let pressure = STIFFNESS * overlap.volume() + DAMPING * soft::growth(&blocks, gradients);
        for (block, gradients) in blocks.iter_mut().zip(gradients) {
            for of in gradients {
                block.push(of.vertex.index(), scale(of.gradient, -pressure.max(0.0)));
            }
        }
        soft::rub(&mut blocks, gradients, FRICTION * pressure.max(0.0), GRIP);
        let stored = 0.5 * STIFFNESS * overlap.volume() * overlap.volume();
        watch(step, &blocks, overlap.volume(), stored + blocks.iter().map(Soft::energy).sum::<f64>());
        blocks.iter_mut().for_each(|block| block.step(SECONDS));
    }
    Ok(())
}

fn main() -> Done {
    simulate(2_000, |step, blocks, volume, energy| {
        if step % 100 == 0 {
            let (centre, speed) = (blocks[1].centre(), blocks[1].speed());
            println!("step {step}: centre {centre:.4?}, speed {speed:.5}, overlap {volume:.6}, energy {energy:.5}");
        }
    })
}
