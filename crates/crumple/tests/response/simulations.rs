//! The simulations among the examples, 2,000 steps of each: they come to rest, let nothing through, do not drift, and gain
//! no energy.

#[allow(dead_code)]
#[path = "../../examples/cloth_on_sphere.rs"]
mod cloth_on_sphere;
#[allow(dead_code)]
#[path = "../../examples/safe_steps.rs"]
mod safe_steps;
#[allow(dead_code)]
#[path = "../../examples/soft_blocks.rs"]
mod soft_blocks;

use crumple::Scene;

const STEPS: usize = 2_000;

/// What is watched of one body.
#[derive(Debug, Default)]
struct Track {
    centres: Vec<[f64; 3]>,
    speeds: Vec<f64>,
    energies: Vec<f64>,
}

impl Track {
    fn add(&mut self, centre: [f64; 3], speed: f64, energy: f64) {
        self.centres.push(centre);
        self.speeds.push(speed);
        self.energies.push(energy);
    }

    /// No hundred steps, from the `start`-th on, reach a higher energy than the hundred before: within a few steps it
    /// goes up and down by the error of the integration.
    fn assert_gains_no_energy(&self, start: usize) {
        let most: Vec<f64> =
            self.energies[start..].chunks(100).map(|part| part.iter().copied().fold(f64::MIN, f64::max)).collect();
        let range = most[0] - most[most.len() - 1];
        assert!(range > 0.0 && self.energies.iter().all(|energy| energy.is_finite()));
        for (k, pair) in most.windows(2).enumerate() {
            assert!(
                pair[1] <= pair[0] + 1e-3 * range,
                "steps {}: {} after {}",
                start + 100 * (k + 1),
                pair[1],
                pair[0]
            );
        }
    }

    /// What a run comes to, for a reader of `--nocapture`.
    fn print(&self, what: &str) {
        let last = STEPS - 100..;
        let fastest = self.speeds[last].iter().copied().fold(0.0, f64::max);
        let drift =
            (0..3).map(|k| (self.centres[STEPS - 1][k] - self.centres[STEPS - 500][k]).abs()).fold(0.0, f64::max);
        let (first, end) = (self.energies[0], self.energies[STEPS - 1]);
        println!(
            "{what}; at most {fastest:.4} fast at the end, {drift:.5} of drift, energy from {first:.4} to {end:.4}"
        );
    }

    /// In the last hundred steps nothing is faster than this.
    fn assert_rests(&self, speed: f64) {
        let fastest = self.speeds[STEPS - 100..].iter().copied().fold(0.0, f64::max);
        assert!(fastest < speed, "{fastest} at the end");
    }

    /// In the last 500 steps the centre moves no further than this.
    fn assert_stays(&self, within: f64) {
        let last = self.centres[STEPS - 1];
        for centre in &self.centres[STEPS - 500..] {
            assert!((0..3).all(|k| (centre[k] - last[k]).abs() < within), "from {centre:?} to {last:?}");
        }
    }
}

#[test]
fn a_soft_block_comes_to_rest_on_another_by_the_gradient_of_their_overlap() {
    let (mut track, mut volumes, mut depths) = (Track::default(), Vec::new(), Vec::new());
    let mut watched: Option<(Scene, [_; 2])> = None;
    soft_blocks::simulate(STEPS, |_, blocks, volume, energy| {
        track.add(blocks[1].centre(), blocks[1].speed().max(blocks[0].speed()), energy);
        volumes.push(volume);
        // How deep they are is measured apart from what pushes them back.
        let (scene, ids) = watched.get_or_insert_with(|| {
            let mut scene = Scene::new();
            let ids = [0, 1].map(|k: usize| scene.add(blocks[k].body().unwrap()));
            (scene, ids)
        });
        (0..2).for_each(|k| scene.set_positions(ids[k], &blocks[k].rounded()).unwrap());
        depths.push(scene.update().unwrap().deepest(ids[0], ids[1]).unwrap().unwrap());
    })
    .unwrap();
    let deepest = volumes.iter().copied().fold(0.0, f64::max);
    let depth = depths.iter().copied().fold(0.0, f64::max);
    track.print(&format!(
        "blocks: overlap at most {deepest:.4}, {:.5} at the end, at most {depth:.4} deep, {:.5} at the end",
        volumes[STEPS - 1],
        depths[STEPS - 1]
    ));
    track.assert_gains_no_energy(0);
    track.assert_rests(0.05);
    track.assert_stays(0.01);
    // It fell, overlapped, and was never more than a twentieth inside.
    assert_eq!(volumes[0], 0.0);
    assert!(0.005 < deepest && deepest < 0.05, "{deepest}");
    // The impact drives it in by a sixteenth of its side, its weight by a fiftieth.
    assert!(0.01 < depth && depth < 0.065 && depths[STEPS - 1] < 0.025, "{depth}, {}", depths[STEPS - 1]);
    assert!(track.centres.iter().all(|centre| centre[1] > 0.9));
    // At rest the overlap carries the block: stiffness · volume · area of the contact = weight, the area being about 0.7.
    let rests = volumes[STEPS - 1];
    let area = 9.81 / (4_000.0 * rests);
    assert!(0.5 < area && area < 1.0, "{rests} carries over an area of {area}");
}

#[test]
fn a_cloth_comes_to_rest_on_a_sphere_that_has_deformed_by_what_is_near() {
    let mut track = Track::default();
    let mut nearest = f64::MAX;
    cloth_on_sphere::simulate(STEPS, |_, cloth, frame, energy| {
        track.add(cloth.centre(), cloth.speed(), energy);
        // Neither at the ends of a step nor within it does anything meet.
        assert!(frame.contacts().is_empty() && frame.first_impact().is_none(), "frame {}", frame.number());
        nearest = frame.near(0.03).iter().map(|near| near.distance()).fold(nearest, f64::min);
    })
    .unwrap();
    track.print(&format!("cloth: never nearer than {nearest:.4}"));
    assert!(0.005 < nearest && nearest < 0.03, "{nearest}");
    // While the sphere moves it does work on the cloth.
    let stands = (cloth_on_sphere::DEFORMS / cloth_on_sphere::SECONDS) as usize;
    track.assert_gains_no_energy(stands);
    track.assert_rests(0.1);
    track.assert_stays(0.005);
    // It hangs over the sphere, whose radius is 0.5, and has not slid to one side.
    let [x, y, z] = track.centres[STEPS - 1];
    assert!(y > 0.1 && x.abs() < 0.02 && z.abs() < 0.02, "{:?}", [x, y, z]);
}

#[test]
fn a_block_thrown_at_a_sheet_comes_to_rest_on_it_and_never_meets_it() {
    let (mut track, mut prevented) = (Track::default(), 0);
    safe_steps::simulate(STEPS, |_, bodies, frame, met, energy| {
        track.add(bodies[1].centre(), bodies[1].speed(), energy);
        assert!(frame.contacts().is_empty() && frame.first_impact().is_none(), "frame {}", frame.number());
        prevented += met;
    })
    .unwrap();
    track.print(&format!("block and sheet: {prevented} impacts were prevented"));
    track.assert_gains_no_energy(0);
    track.assert_rests(0.1);
    track.assert_stays(0.02);
    assert!(track.centres.iter().all(|centre| centre[1] > -0.5));
    // It is thrown fast enough to have passed through the sheet.
    assert!(prevented > 0);
}
