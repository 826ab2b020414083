//! The octree from inside: both algorithms, every level, and what all traversals rely on.

use super::buckets::Buckets;
use super::occupancy::slabs_of;
use super::view::{View, ViewMemory};
use super::*;
use crumple::Aabb;
use crumple_scenes::Random;
use glam::Vec4;

/// A point on a grid of 20 steps per axis: coordinates coincide with each other and with the starts of slabs.
fn grid_point(random: &mut Random) -> [f32; 3] {
    std::array::from_fn(|_| random.below(20) as f32)
}

/// A box and a reference point.
type Given = (Aabb, [f32; 3]);

fn update(
    buckets: &mut Buckets,
    options: &BucketTreeOptions,
    slots: usize,
    primitive: impl Fn(usize) -> Option<Given>,
) {
    let padded = |slot: usize| primitive(slot).map(|(bounds, [x, y, z])| (bounds, Vec4::new(x, y, z, 0.0)));
    let root = buckets.take_in(slots, padded);
    buckets.file(options, &root);
    buckets.pass_stamps_on();
}

fn everything() -> Aabb {
    Aabb::new([f32::NEG_INFINITY; 3], [f32::INFINITY; 3])
}

/// Checks what every query relies on: each primitive in one bucket, in cells that hold it all the way up to the root, and
/// in the same bucket's part of a view. Returns the bucket of each slot and the most primitives left together.
fn validate(
    buckets: &Buckets,
    options: &BucketTreeOptions,
    slots: usize,
    primitive: impl Fn(usize) -> Option<Given>,
) -> (Vec<Option<u32>>, usize) {
    let bounds_of = |slot: u32| primitive(slot as usize).unwrap().0;
    let mut filed = vec![None; slots];
    let levels = buckets.occupancy.levels();
    for bucket in 0..1 << (3 * levels) {
        if buckets.is_empty() || !buckets.occupancy.holds(levels, bucket) {
            continue;
        }
        let mut count = 0;
        for slot in buckets.occupancy.primitives(bucket) {
            assert_eq!(filed[slot as usize].replace(bucket), None, "slot {slot}");
            count += 1;
            for level in 0..=levels {
                let number = bucket >> (3 * (levels - level));
                assert!(buckets.occupancy.holds(level, number));
                let cell = buckets.loose.cell(level, slabs_of(level, number));
                assert_eq!(cell.union(&bounds_of(slot)), cell, "slot {slot} on level {level}");
            }
        }
        assert_eq!((buckets.occupancy.count(bucket), count > 0), (count, true));
    }
    let present: Vec<bool> = (0..slots).map(|slot| primitive(slot).is_some()).collect();
    assert_eq!(filed.iter().map(Option::is_some).collect::<Vec<_>>(), present);

    let mut memory = ViewMemory::default();
    let mut view = View::of_primitives(buckets, bounds_of, everything(), options.split_above, &mut memory);
    view.open_everything(&mut Stats::default());
    let (mut seen, mut largest) = (vec![false; slots], 0);
    let mut open: Vec<u32> = if view.is_empty() { Vec::new() } else { vec![0] };
    while let Some(at) = open.pop() {
        let node = view.node(at);
        let mut joined = Aabb::EMPTY;
        if node.is_bucket() {
            largest = largest.max(node.len());
            for item in view.items(node) {
                assert_eq!(item.bounds, bounds_of(item.triangle.0));
                assert!(!std::mem::replace(&mut seen[item.triangle.index()], true));
                joined = joined.union(&item.bounds);
            }
        }
        for child in if node.is_bucket() { 0..0 } else { node.children() } {
            open.push(child);
            joined = joined.union(&view.node(child).bounds);
        }
        assert_eq!(joined, node.bounds, "node {at}");
    }
    assert_eq!(seen, present);
    (filed, largest)
}

#[test]
fn both_algorithms_file_a_moving_soup_in_the_same_buckets_and_the_second_moves_only_what_changed() {
    for levels in [LevelChoice::FromData].into_iter().chain((1..=6).map(LevelChoice::Fixed)) {
        for split_above in [None, Some(1), Some(4)] {
            let options = BucketTreeOptions::default().with_levels(levels).with_split_above(split_above);
            let mut random = Random::new(7);
            let mut soup: Vec<Option<[f32; 3]>> = (0..300).map(|_| Some(grid_point(&mut random))).collect();
            let mut by_equation = Buckets::default();
            let (mut by_sorting, mut by_exchange) = (Buckets::default(), Buckets::default());
            // Stamps start anew in the course of the frames.
            by_equation.occupancy.set_stamp(u32::MAX - 21);
            by_sorting.occupancy.set_stamp(u32::MAX - 9);
            let mut before = (0, Vec::new());
            for frame in 0..30 {
                for point in &mut soup {
                    match (point.as_mut(), random.below(30)) {
                        (Some(_), 0) => *point = None,
                        (None, 1..10) => *point = Some(grid_point(&mut random)),
                        // Far from coherent in some frames.
                        (Some(at), _) if frame % 7 == 6 => *at = grid_point(&mut random),
                        (Some(at), 1..20) => at[frame % 3] += random.below(3) as f32 - 1.0,
                        _ => {}
                    }
                }
                // The soup also grows and shrinks at its end, and is empty for a frame.
                let slots = if frame == 20 { 0 } else { 250 + random.below(50) as usize };
                let primitive = |slot: usize| {
                    let grown = |point: [f32; 3]| (Aabb::new(point, point.map(|x| x + 1.5)), point);
                    soup[slot].map(grown)
                };
                update(&mut by_equation, &options.with_filing(Filing::ByEquation), slots, primitive);
                update(&mut by_sorting, &options.with_filing(Filing::BySorting), slots, primitive);
                update(&mut by_exchange, &options.with_filing(Filing::ByExchange), slots, primitive);
                let (filed, largest) = validate(&by_sorting, &options, slots, primitive);
                assert_eq!(validate(&by_exchange, &options, slots, primitive), (filed.clone(), largest));
                assert_eq!(by_sorting.stats.filed, by_exchange.stats.filed);
                assert_eq!(validate(&by_equation, &options, slots, primitive), (filed.clone(), largest));
                let changed = (0..slots).filter(|&slot| {
                    let as_before =
                        by_sorting.stats.levels == before.0 && filed[slot] == *before.1.get(slot).unwrap_or(&None);
                    filed[slot].is_some() && !as_before
                });
                assert_eq!(by_sorting.stats.filed, changed.count() as u64, "{levels:?} at frame {frame}");
                before = (by_sorting.stats.levels, filed);
                if let Some(most) = split_above {
                    // What is left together lies in one point of the grid.
                    assert!(largest <= (most as usize).max(12), "{largest}");
                }
            }
        }
    }
}

#[test]
fn a_soup_that_stands_still_moves_nothing_and_no_pointer() {
    let mut random = Random::new(3);
    let points: Vec<[f32; 3]> = (0..500).map(|_| grid_point(&mut random)).collect();
    for (filing, full_sorts) in [(Filing::BySorting, 3), (Filing::ByExchange, 0)] {
        let options = BucketTreeOptions::of_the_paper(4).with_filing(filing);
        let mut buckets = Buckets::default();
        let mut stats = || {
            let primitive = |slot: usize| Some((Aabb::new(points[slot], points[slot]), points[slot]));
            update(&mut buckets, &options, points.len(), primitive);
            buckets.stats
        };
        let first = stats();
        assert_eq!((first.full_sorts, first.filed), (full_sorts, 500));
        let again = stats();
        assert_eq!((again.sort_moves, again.full_sorts, again.pointer_steps, again.filed), (0, 0, 0, 0));
    }
}

#[test]
fn points_that_coincide_or_differ_by_the_smallest_number_end_the_splitting() {
    let tiny = f32::from_bits(1);
    let next = f32::from_bits(1.0f32.to_bits() + 1);
    for [low, high] in [[0.0, 0.0], [0.0, tiny], [1.0, next], [-f32::MAX, f32::MAX]] {
        let options = BucketTreeOptions::default().with_split_above(Some(1)).with_levels(LevelChoice::Fixed(1));
        let mut buckets = Buckets::default();
        let primitive = |slot: usize| {
            let point = [0, 1, 2].map(|axis| if slot >> axis & 1 == 0 { low } else { high });
            Some((Aabb::new(point, point), point))
        };
        update(&mut buckets, &options, 64, primitive);
        let together = if low == high { 64 } else { 8 };
        assert_eq!(validate(&buckets, &options, 64, primitive).1, together, "{low} to {high}");
    }
}

#[test]
fn one_outlier_does_not_buy_levels_that_do_not_help() {
    let grid = |slot: usize| [slot % 10, slot / 10 % 10, slot / 100].map(|x| x as f32);
    let levels = |outlier: f32| {
        let (mut buckets, options) = (Buckets::default(), BucketTreeOptions::default());
        let primitive = |slot: usize| {
            let point = if slot == 1000 { [outlier; 3] } else { grid(slot) };
            Some((Aabb::new(point, point), point))
        };
        update(&mut buckets, &options, 1001, primitive);
        (buckets.stats, validate(&buckets, &options, 1001, primitive).1)
    };
    let (spread, _) = levels(5.0);
    assert!(spread.largest_bucket < 50 && spread.levels > 1, "{spread:?}");
    let (clustered, left_together) = levels(1.0e9);
    assert_eq!((clustered.largest_bucket, clustered.levels), (1000, 1), "{clustered:?}");
    assert!(left_together <= 16, "{left_together}");
}
