//! Penetration depths and self-overlaps.

use crate::support::shapes::{self, Shape};
use crumple::TriangleId;
use crumple::geom::Axis;
use crumple_ldi::{
    Direction, ImageOptions, LayeredDepthImage, OverlapOptions, OverlapSampler, Penetration, PointDepth, SelfOverlap,
    Span,
};

fn penetration(a: &Shape, b: &Shape, resolution: u32) -> crumple_ldi::PenetrationAnswer {
    let options = OverlapOptions::default().with_resolution(resolution);
    Penetration::new(options).compute(&a.body(), &b.body()).unwrap()
}

#[test]
fn boxes_are_parted_by_the_shortest_way_out() {
    let a = shapes::cuboid([0.0; 3], [4.0, 4.0, 4.0]);
    let answer = penetration(&a, &shapes::cuboid([3.0, 1.0, -1.0], [9.0, 9.0, 9.0]), 16);
    assert_eq!(answer.translation(), [-1.0, 0.0, 0.0]);
    assert_eq!(answer.depth(), 1.0);
    let [x, y, z] = answer.axes;
    assert_eq!((x.separating, y.separating, z.separating), ([-1.0, 9.0], [-3.0, 9.0], [-5.0, 9.0]));
    assert_eq!([x, y, z].map(|found| found.deepest.unwrap().span.length()), [1.0, 3.0, 4.0]);
    assert_eq!(x.axis, Axis::X);
}

#[test]
fn a_contained_box_has_to_go_all_the_way_out() {
    // The deepest span along x is the inner box itself, 1 long; the way out is 3.
    let (inner, outer) = (shapes::cuboid([2.0; 3], [3.0; 3]), shapes::cuboid([0.0; 3], [10.0; 3]));
    let answer = penetration(&inner, &outer, 8);
    assert_eq!(answer.depth(), 3.0);
    assert_eq!(answer.axes[0].deepest.unwrap().span.length(), 1.0);
    assert_eq!(penetration(&outer, &inner, 8).depth(), 3.0);
}

#[test]
fn a_ring_off_centre_on_a_rod_is_freed_sideways_into_its_own_hole() {
    let rod = shapes::cuboid([-0.3, -0.3, -5.0], [0.3, 0.3, 1.0]);
    let ring = shapes::torus(80, 40, 0.4).translated([0.45, 0.0, 0.0]);
    let answer = penetration(&ring, &rod, 128);
    // The deepest span is as long as the rod is wide or more; the hole is nearer.
    assert!(answer.depth() < 0.4, "{answer:?}");
    assert_eq!(answer.shortest().unwrap().axis, Axis::X);
}

#[test]
fn after_the_translation_nothing_overlaps_any_more() {
    let (a, b) = (shapes::bumpy(4), shapes::torus(50, 25, 0.5).translated([0.6, 0.4, 0.3]));
    let mut overlap = OverlapSampler::new(OverlapOptions::default().with_resolution(128));
    let before = overlap.compute(&a.body(), &b.body()).unwrap().volume();
    let answer = penetration(&a, &b, 128);
    assert!(before > 0.1 && answer.depth() > 0.0);
    for found in answer.axes {
        for way in found.separating {
            let part = |scale: f64| {
                let mut by = [0.0; 3];
                by[found.axis as usize] = (way * scale) as f32;
                a.translated(by)
            };
            let after = overlap.compute(&part(1.001).body(), &b.body()).unwrap().volume();
            assert!(after < 1e-3 * before, "{found:?} leaves {after}");
            assert!(overlap.compute(&part(0.9).body(), &b.body()).unwrap().volume() > after);
        }
    }
}

#[test]
fn bodies_apart_or_touching_have_no_depth() {
    let cube = shapes::cube(0.0, 1.0);
    for by in [[2.0, 0.0, 0.0], [1.0, 0.0, 0.0]] {
        let answer = penetration(&cube, &cube.translated(by), 16);
        assert_eq!((answer.depth(), answer.translation()), (0.0, [0.0; 3]));
        assert!(answer.shortest().is_none());
    }
}

#[test]
fn a_vertex_knows_how_deep_it_is_along_the_image() {
    let (cube, other) = (shapes::cube(0.0, 4.0), shapes::cube(3.0, 9.0));
    let mut depths = Vec::new();
    for (direction, behind, ahead) in [(Direction::PositiveY, 3.0, 1.0), (Direction::NegativeY, 1.0, 3.0)] {
        let image = LayeredDepthImage::of_body(&cube.body(), direction, 32).unwrap();
        image.depths_of_vertices(&other.body(), &mut depths);
        let deep: Vec<_> = depths.iter().filter(|found| found.depth() > 0.0).collect();
        assert_eq!(deep, [&PointDepth { behind, ahead }]);
        assert_eq!(deep[0].depth(), 1.0);
        image.depths_of_points(&[[2.0, 1.5, 2.0], [2.0, 4.5, 2.0], [f32::NAN; 3]], &mut depths);
        let [first, others @ ..] = depths.as_slice() else { panic!("three points, {} depths", depths.len()) };
        assert_eq!((first.behind + first.ahead, first.depth()), (4.0, 1.5));
        assert_eq!(others, [PointDepth::default(); 2]);
    }
}

#[test]
fn the_part_two_cubes_of_one_mesh_share_is_found_with_its_triangles_and_volume() {
    let both = shapes::cube(0.0, 2.0).with(&shapes::cube(1.0, 3.0));
    for shape in [both.clone(), both.inside_out()] {
        for direction in Direction::ALL {
            let mut finder = SelfOverlap::new(ImageOptions::default().with_resolution(48).with_direction(direction));
            let found = finder.find(&shape.body()).unwrap();
            assert!((found.volume - 1.0).abs() < 1e-9, "{found:?}");
            assert_eq!((found.inverted_volume, found.samples.len()), (0.0, 16 * 16));
            // The far side of the one cube and the near side of the other, two triangles each.
            assert_eq!(found.triangles.len(), 4, "{direction:?} {:?}", found.triangles);
            let of_first = found.triangles.iter().filter(|triangle| triangle.0 < 12).count();
            assert_eq!(of_first, 2);
            let samples: Vec<[u32; 2]> = found.spans.iter().map(|found| found.sample).collect();
            assert_eq!(samples, found.samples);
            let ends = |span: Span| (span.low - 1.0).abs() < 1e-9 && (span.high - 2.0).abs() < 1e-9;
            assert!(found.spans.iter().all(|found| ends(found.span)), "{direction:?}");
        }
    }
}

#[test]
fn what_is_covered_three_times_is_one_span_with_what_is_covered_twice_around_it() {
    let cubes = [shapes::cube(0.0, 3.0), shapes::cube(1.0, 4.0), shapes::cube(2.0, 5.0)];
    let shape = cubes[0].with(&cubes[1]).with(&cubes[2]);
    for direction in Direction::ALL {
        let mut finder = SelfOverlap::new(ImageOptions::default().with_resolution(5).with_direction(direction));
        let found = finder.find(&shape.body()).unwrap();
        let in_the_middle: Vec<Span> =
            found.spans.iter().filter(|found| found.sample == [2, 2]).map(|found| found.span).collect();
        assert_eq!(in_the_middle, [Span { low: 1.0, high: 4.0 }], "{direction:?}");
        // Two cubes of side 2 that share one of side 1.
        assert!((found.volume - 15.0).abs() < 1e-9, "{}", found.volume);
    }
}

#[test]
fn a_part_turned_inside_out_is_found_as_such() {
    let shape = shapes::cube(0.0, 4.0).with(&shapes::cube(5.0, 6.0).inside_out());
    let mut finder = SelfOverlap::new(ImageOptions::default().with_resolution(60));
    let found = finder.find(&shape.body()).unwrap();
    assert!((found.inverted_volume - 1.0).abs() < 1e-9 && found.volume == 0.0, "{found:?}");
    assert!(found.triangles.iter().all(|triangle| triangle.0 >= 12) && !found.triangles.is_empty());
}

#[test]
fn a_clean_body_has_no_self_overlap_and_memory_used_before_leaves_no_trace() {
    let mut finder = SelfOverlap::new(ImageOptions::default());
    let twice = shapes::cube(0.0, 2.0).with(&shapes::cube(1.0, 3.0));
    assert!(!finder.find(&twice.body()).unwrap().triangles.contains(&TriangleId(99)));
    let found = finder.find(&shapes::bumpy(4).body()).unwrap();
    assert_eq!(found, &crumple_ldi::SelfOverlapAnswer::default());
}
