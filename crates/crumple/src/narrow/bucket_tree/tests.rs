//! The octree from inside: both algorithms, every level, and what all traversals rely on.

use super::occupancy::Buckets;
use super::*;
use crate::geom::Aabb;
use crumple_scenes::Random;

/// A point on a grid of 20 steps per axis: coordinates coincide with each other and with the starts of slabs.
fn grid_point(random: &mut Random) -> [f32; 3] {
    std::array::from_fn(|_| random.below(20) as f32)
}

#[test]
fn both_algorithms_file_a_moving_soup_in_the_same_valid_buckets() {
    for levels in [LevelChoice::FromData].into_iter().chain((1..=6).map(LevelChoice::Fixed)) {
        for split_above in [None, Some(1), Some(4)] {
            let options = BucketTreeOptions::default().with_levels(levels).with_split_above(split_above);
            let mut random = Random::new(7);
            let mut soup: Vec<Option<[f32; 3]>> = (0..300).map(|_| Some(grid_point(&mut random))).collect();
            let (mut by_equation, mut by_sorting) = (Buckets::default(), Buckets::default());
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
                // The soup also grows and shrinks at its end.
                let slots = 250 + random.below(50) as usize;
                let primitive = |slot: usize| {
                    let grown = |point: [f32; 3]| (Aabb::new(point, point.map(|x| x + 1.5)), point);
                    soup[slot].map(grown)
                };
                by_equation.update(&options.with_filing(Filing::ByEquation), slots, primitive);
                by_sorting.update(&options.with_filing(Filing::BySorting), slots, primitive);
                assert_eq!(by_equation.filed(), by_sorting.filed(), "{levels:?} at frame {frame}");
                by_equation.validate();
                by_sorting.validate();
                if let Some(most) = split_above {
                    // What is left together lies in one point of the grid.
                    assert!(by_sorting.stats.largest_leaf <= u64::from(most).max(12), "{:?}", by_sorting.stats);
                }
            }
        }
    }
}

#[test]
fn a_soup_that_stands_still_moves_nothing_and_no_pointer() {
    let mut random = Random::new(3);
    let points: Vec<[f32; 3]> = (0..500).map(|_| grid_point(&mut random)).collect();
    let options = BucketTreeOptions::of_the_paper(4);
    let mut buckets = Buckets::default();
    let mut update = || {
        buckets.update(&options, points.len(), |slot| Some((Aabb::new(points[slot], points[slot]), points[slot])));
        (buckets.stats.sort_moves, buckets.stats.full_sorts, buckets.stats.pointer_steps)
    };
    assert_eq!(update().1, 3);
    assert_eq!(update(), (0, 0, 0));
}

#[test]
fn points_that_coincide_or_differ_by_the_smallest_number_end_the_splitting() {
    let tiny = f32::from_bits(1);
    let next = f32::from_bits(1.0f32.to_bits() + 1);
    for [low, high] in [[0.0, 0.0], [0.0, tiny], [1.0, next], [-f32::MAX, f32::MAX]] {
        let options = BucketTreeOptions::default().with_split_above(Some(1)).with_levels(LevelChoice::Fixed(1));
        let mut buckets = Buckets::default();
        buckets.update(&options, 64, |slot| {
            let point = [0, 1, 2].map(|axis| if slot >> axis & 1 == 0 { low } else { high });
            Some((Aabb::new(point, point), point))
        });
        buckets.validate();
        let together = if low == high { 64 } else { 8 };
        assert_eq!(buckets.stats.largest_leaf, together, "{low} to {high}");
    }
}

#[test]
fn one_outlier_does_not_buy_levels_that_do_not_help() {
    let grid = |slot: usize| [slot % 10, slot / 10 % 10, slot / 100].map(|x| x as f32);
    let levels = |outlier: f32| {
        let mut buckets = Buckets::default();
        buckets.update(&BucketTreeOptions::default(), 1001, |slot| {
            let point = if slot == 1000 { [outlier; 3] } else { grid(slot) };
            Some((Aabb::new(point, point), point))
        });
        buckets.validate();
        buckets.stats
    };
    assert!(levels(5.0).largest_bucket < 50 && levels(5.0).levels > 1, "{:?}", levels(5.0));
    let clustered = levels(1.0e9);
    assert_eq!((clustered.largest_bucket, clustered.levels), (1000, 1), "{clustered:?}");
    assert!(clustered.largest_leaf <= 16, "{clustered:?}");
}
