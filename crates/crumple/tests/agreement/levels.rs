//! Every question is answered with the same bits at every SIMD level that this machine has.
//!
//! A process chooses its level once, by `CRUMPLE_SIMD`; so this test starts itself again for each level, and compares what
//! these processes write down.

use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Command;

use crate::support::doubles::perturbed;
use crate::support::playback::bodies;
use crumple::{Body, BodyId, Ray, Scene, SimdLevel};
use crumple_ldi::{OverlapOptions, OverlapSampler, PointsInside, PointsOptions};
use crumple_scenes::Random;

/// Where a process that was started for one level writes its answers.
const FILE: &str = "CRUMPLE_ANSWERS_OF_A_LEVEL";

#[test]
fn every_question_is_answered_with_the_same_bits_at_every_level() {
    if let Some(file) = std::env::var_os(FILE) {
        std::fs::write(file, answers()).unwrap();
        return;
    }
    let this = std::env::current_exe().unwrap();
    let answers_at = |level: SimdLevel| {
        let file = std::env::temp_dir().join(format!("crumple-level-{}-{level}", std::process::id()));
        let test = "levels::every_question_is_answered_with_the_same_bits_at_every_level";
        let mut again = Command::new(&this);
        again.args(["--exact", test]).env("CRUMPLE_SIMD", level.name()).env(FILE, &file);
        let ended = again.output().unwrap();
        assert!(ended.status.success(), "at {level}: {}", String::from_utf8_lossy(&ended.stderr));
        let answers = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        let (first, rest) = answers.split_once('\n').unwrap();
        assert_eq!(first, level.name(), "the level that was asked for is the one that ran");
        rest.to_owned()
    };
    let levels: Vec<SimdLevel> = SimdLevel::available().collect();
    println!("levels: {levels:?}");
    let expected = answers_at(levels[0]);
    assert!(expected.lines().count() > 50, "{expected}");
    for &level in &levels[1..] {
        assert_eq!(answers_at(level), expected, "{level} beside {}", levels[0]);
    }
}

#[test]
fn a_level_that_is_not_there_is_said() {
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "levels::every_question_is_answered_with_the_same_bits_at_every_level", "--nocapture"]);
    let ended =
        again.env("CRUMPLE_SIMD", "mmx").env(FILE, std::env::temp_dir().join("crumple-never")).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(!ended.status.success() && said.contains("CRUMPLE_SIMD is \"mmx\", but this machine"), "{said}");
}

/// A line per question, and how many numbers and which its answer has.
fn answers() -> String {
    let mut lines = String::new();
    let level = crumple::simd_level().unwrap_or_else(|error| panic!("{error}"));
    writeln!(lines, "{level}").unwrap();
    let mut random = Random::new(3);
    for name in ["small-spheres-320", "small-cloth", "small-inside-out", "small-twist"] {
        let Some(played) = crumple_scenes::small().into_iter().find(|scene| scene.name() == name) else {
            panic!("there is no scene {name}");
        };
        let last = played.frame_count() - 1;
        for wide in [false, true] {
            let mut scene = Scene::new();
            let start = bodies(&played);
            let mut at = |body: &Body, positions: &[[f32; 3]]| -> Body {
                if wide {
                    Body::new_f64(body.mesh().clone(), &perturbed(&mut random, positions)).unwrap()
                } else {
                    Body::new(body.mesh().clone(), positions).unwrap()
                }
            };
            let ids: Vec<BodyId> = start.iter().map(|body| scene.add(at(body, body.positions()))).collect();
            ids.iter().for_each(|&id| scene.set_self_collision(id, true).unwrap());
            for frame in [last / 3, last / 2, last] {
                for ((&id, body), positions) in ids.iter().zip(&start).zip(&played.frame(frame)) {
                    let moved = at(body, positions);
                    match moved.positions_f64() {
                        Some(positions) => scene.set_positions_f64(id, positions).unwrap(),
                        None => scene.set_positions(id, moved.positions()).unwrap(),
                    }
                }
                let mut note = |question: &str, answer: String| {
                    let mut digest = DefaultHasher::new();
                    answer.hash(&mut digest);
                    let kind = if wide { "f64" } else { "f32" };
                    let size = answer.len();
                    writeln!(lines, "{name} {kind} {frame} {question}: {size} {:016x}", digest.finish()).unwrap();
                };
                ask(&mut scene, &ids, &mut note);
            }
        }
    }
    lines
}

/// Asks a scene everything; answers as text, in which two numbers are alike only if their bits are.
fn ask(scene: &mut Scene, ids: &[BodyId], note: &mut impl FnMut(&str, String)) {
    let frame = scene.update().unwrap();
    note("contacts", format!("{:?}", frame.contacts().iter().collect::<Vec<_>>()));
    note("first impact", format!("{:?}", frame.first_impact()));
    note("safe step", format!("{:?}", frame.safe_step()));
    note("near", format!("{:?}", frame.near(0.02).iter().collect::<Vec<_>>()));
    note("curves", format!("{:?}", frame.curves().map(|found| found.iter().collect::<Vec<_>>()).collect::<Vec<_>>()));
    let points: Vec<[f32; 3]> = crumple_scenes::points_in_box(200, 1, [-2.0; 3], [2.0; 3]);
    let rays: Vec<Ray> = points.as_chunks::<2>().0.iter().map(|&[from, along]| Ray::new(from, along)).collect();
    let mut hits = Vec::new();
    frame.cast_rays(&rays, &mut hits).unwrap();
    note("rays", format!("{hits:?}"));
    let (a, b) = (ids[0], ids[ids.len() - 1]);
    let mut closest = Vec::new();
    frame.closest_points(a, &points, &mut closest).unwrap();
    note("closest points", format!("{closest:?}"));
    let [body_a, body_b] = [a, b].map(|id| frame.body(id).unwrap());
    if a != b {
        note("distance", format!("{:?}", frame.distance(a, b).unwrap()));
        note("is closer", format!("{:?}", frame.is_closer_than(a, b, 0.1)));
    }
    if !(body_a.mesh().topology().is_solid() && body_b.mesh().topology().is_solid()) {
        return;
    }
    let mut inside = PointsInside::new(PointsOptions::default().with_exact());
    note("points inside", format!("{:?}", inside.test(body_a, &points)));
    if a == b {
        return;
    }
    note("overlaps", format!("{:?}", frame.overlaps().iter().collect::<Vec<_>>()));
    note("regions", format!("{:?}", frame.regions().collect::<Vec<_>>()));
    let mut depths = Vec::new();
    frame.depths(a, b, &mut depths).unwrap();
    note("depths", format!("{depths:?}"));
    let mut sampled = OverlapSampler::new(OverlapOptions::default().with_resolution(64));
    if let Ok(found) = sampled.compute(body_a, body_b) {
        note("sampled", format!("{:?} {:?} {:?}", found.volume(), found.centroid(), found.spans().collect::<Vec<_>>()));
    }
}
