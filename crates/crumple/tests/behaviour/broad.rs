//! Sweep and prune, and the automatic choice, against all pairs.

use crumple::Aabb;
use crumple::broad::{AllPairs, Auto, BroadError, BroadPhase, MOST_SKIPPED, SweepAndPrune};
use crumple_scenes::Random;

/// A box with whole corners in 0..=`side`, so that ends coincide all the time.
fn grid_box(random: &mut Random, side: i64, longest: i64) -> Aabb {
    let min = [0; 3].map(|_| random.integer(0, side));
    let max = min.map(|low| low + random.integer(0, longest));
    Aabb::new(min.map(|x| x as f32), max.map(|x| x as f32))
}

fn moved(random: &mut Random, bounds: Aabb, step: i64) -> Aabb {
    let shift = [0; 3].map(|_| random.integer(-step, step) as f32);
    let shifted = |corner: [f32; 3]| std::array::from_fn(|axis| corner[axis] + shift[axis]);
    Aabb::new(shifted(bounds.min()), shifted(bounds.max()))
}

/// What a test does in a frame, to be repeated with another broad phase.
type Frame = Vec<(u32, Aabb)>;

/// Bodies that walk about on a grid, come and go.
fn crowd(seed: u64, bodies: u32, side: i64, frames: usize) -> Vec<Frame> {
    let mut random = Random::new(seed);
    let mut boxes = vec![Aabb::EMPTY; bodies as usize];
    (0..frames)
        .map(|frame| {
            let mut changes = Vec::new();
            for slot in 0..bodies {
                let bounds = &mut boxes[slot as usize];
                let before = *bounds;
                if bounds.is_empty() {
                    if frame == 0 || random.once_in(20) {
                        *bounds = grid_box(&mut random, side, 3);
                    }
                } else if random.once_in(100) {
                    *bounds = Aabb::EMPTY;
                } else if random.once_in(500) {
                    *bounds = grid_box(&mut random, side, 2 * side);
                } else if !random.once_in(4) {
                    *bounds = moved(&mut random, *bounds, 1);
                }
                if *bounds != before || random.once_in(10) {
                    changes.push((slot, *bounds));
                }
            }
            changes
        })
        .collect()
}

fn play(broad: &mut impl BroadPhase, frame: &Frame) -> Vec<(u32, u32)> {
    for &(slot, bounds) in frame {
        if bounds.is_empty() { broad.remove(slot) } else { broad.set(slot, bounds).unwrap() }
    }
    broad.pairs().to_vec()
}

fn assert_agreement(frames: &[Frame]) -> usize {
    let (mut all_pairs, mut sweep, mut auto) = (AllPairs::default(), SweepAndPrune::default(), Auto::default());
    let mut pairs = 0;
    for (number, frame) in frames.iter().enumerate() {
        let truth = play(&mut all_pairs, frame);
        assert!(truth.is_sorted() && truth.iter().all(|(a, b)| a < b));
        assert_eq!(play(&mut sweep, frame), truth, "sweep and prune in frame {number}");
        assert_eq!(play(&mut auto, frame), truth, "automatic choice in frame {number}");
        pairs += truth.len();
    }
    pairs
}

#[test]
fn sweep_and_prune_finds_what_all_pairs_find_for_a_thousand_bodies_that_come_and_go() {
    assert!(assert_agreement(&crowd(1, 1000, 30, 60)) > 60 * 1000);
}

#[test]
fn sweep_and_prune_finds_what_all_pairs_find_in_many_small_crowds() {
    for seed in 0..300 {
        let bodies = 2 + seed as u32 % 40;
        assert_agreement(&crowd(seed, bodies, 2 + seed as i64 % 9, 30));
    }
}

#[test]
fn a_scene_that_jumps_is_swept_anew_and_right() {
    let mut random = Random::new(3);
    let frames: Vec<Frame> =
        (0..20).map(|_| (0..400).map(|slot| (slot, grid_box(&mut random, 20, 4))).collect()).collect();
    assert_agreement(&frames);
}

#[test]
fn all_pairs_agree_with_the_definition() {
    let mut random = Random::new(4);
    let boxes: Vec<Aabb> = (0..60).map(|_| grid_box(&mut random, 8, 3)).collect();
    let mut broad = AllPairs::default();
    (0..).zip(&boxes).for_each(|(slot, bounds)| broad.set(slot, *bounds).unwrap());
    let pairs = broad.pairs();
    for a in 0..60 {
        for b in 0..60 {
            let share = (0..3).all(|axis| {
                let (a, b) = (&boxes[a as usize], &boxes[b as usize]);
                a.min()[axis].max(b.min()[axis]) <= a.max()[axis].min(b.max()[axis])
            });
            assert_eq!(pairs.contains(&(a, b)), a < b && share);
        }
    }
}

fn every_kind(check: impl Fn(&mut dyn BroadPhase)) {
    check(&mut AllPairs::default());
    check(&mut SweepAndPrune::default());
    check(&mut Auto::default());
}

#[test]
fn boxes_that_touch_overlap_on_every_axis_and_from_every_side() {
    every_kind(|broad| {
        for axis in 0..3 {
            let corner = |x: f32| std::array::from_fn(|k| if k == axis { x } else { 0.0 });
            let interval = |low: f32, high: f32| Aabb::new(corner(low), corner(high));
            broad.set(0, interval(0.0, 1.0)).unwrap();
            broad.set(1, interval(1.0f32.next_up(), 2.0)).unwrap();
            assert_eq!(broad.pairs(), []);
            broad.set(1, interval(1.0, 2.0)).unwrap();
            assert_eq!(broad.pairs(), [(0, 1)]);
            // −0 and +0 are one place.
            broad.set(0, interval(-1.0, -0.0)).unwrap();
            broad.set(1, interval(0.0, 1.0)).unwrap();
            assert_eq!(broad.pairs(), [(0, 1)]);
            broad.set(1, interval(f32::from_bits(1), 1.0)).unwrap();
            assert_eq!(broad.pairs(), []);
            broad.set(0, interval(0.5, 0.5)).unwrap();
            assert_eq!(broad.pairs(), [(0, 1)]);
        }
    });
}

#[test]
fn empty_boxes_of_every_kind_overlap_nothing() {
    let everything = Aabb::new([f32::NEG_INFINITY; 3], [f32::INFINITY; 3]);
    let inside_out = Aabb::new([0.0, 2.0, 0.0], [9.0, 1.0, 9.0]);
    let not_a_number = Aabb::new([0.0, f32::NAN, 0.0], [9.0; 3]);
    every_kind(|broad| {
        for empty in [Aabb::EMPTY, inside_out, not_a_number] {
            broad.set(0, everything).unwrap();
            broad.set(1, empty).unwrap();
            assert_eq!(broad.pairs(), []);
            broad.set(1, Aabb::new([1.0; 3], [1.0; 3])).unwrap();
            assert_eq!(broad.pairs(), [(0, 1)]);
            broad.set(1, empty).unwrap();
            broad.set(2, empty).unwrap();
            assert_eq!(broad.pairs(), []);
        }
    });
}

#[test]
fn a_slot_can_be_used_again_and_removing_nobody_is_fine() {
    let (left, right) = (Aabb::new([0.0; 3], [1.0; 3]), Aabb::new([5.0; 3], [6.0; 3]));
    every_kind(|broad| {
        broad.remove(7);
        broad.set(7, left).unwrap();
        broad.set(2, left).unwrap();
        broad.set(3, right).unwrap();
        assert_eq!(broad.pairs(), [(2, 7)]);
        broad.remove(7);
        broad.set(7, right).unwrap();
        assert_eq!(broad.pairs(), [(3, 7)]);
        broad.remove(3);
        broad.remove(3);
        assert_eq!(broad.pairs(), []);
    });
}

#[test]
fn a_second_identical_pass_allocates_nothing() {
    fn check(mut broad: impl BroadPhase, frames: &[Frame]) {
        let mut pass = || {
            let mut pairs = 0;
            for frame in frames {
                frame.iter().for_each(|&(slot, bounds)| broad.set(slot, bounds).unwrap());
                pairs += broad.pairs().len();
            }
            pairs
        };
        let first = pass();
        let allocations = allocation_counter::measure(|| assert_eq!(pass(), first));
        assert_eq!(allocations.count_total, 0);
    }
    // All bodies are there in the first frame, so that both passes begin alike; around the automatic choice's line.
    for bodies in [90, 400] {
        let frames = crowd(5, bodies, 12, 40);
        check(AllPairs::default(), &frames);
        check(SweepAndPrune::default(), &frames);
        check(Auto::default(), &frames);
    }
}

#[test]
fn a_slot_far_beyond_the_others_is_refused_and_takes_no_memory() {
    let bounds = Aabb::new([0.0; 3], [1.0; 3]);
    let broads: [Box<dyn BroadPhase>; 3] =
        [Box::new(AllPairs::default()), Box::new(SweepAndPrune::default()), Box::new(Auto::default())];
    for mut broad in broads {
        broad.set(0, bounds).unwrap();
        for slot in [MOST_SKIPPED + 2, 1 << 31, u32::MAX] {
            assert_eq!(broad.set(slot, bounds), Err(BroadError::SlotTooFar { slot, known: 1 }));
            broad.remove(slot);
        }
        broad.set(MOST_SKIPPED + 1, bounds).unwrap();
        assert_eq!(broad.pairs(), [(0, MOST_SKIPPED + 1)]);
        assert_eq!(broad.boxed_clone().pairs(), [(0, MOST_SKIPPED + 1)]);
    }
}
