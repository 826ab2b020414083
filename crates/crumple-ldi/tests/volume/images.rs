//! Depth images: every column is right, whatever the mesh does to the samples.

use crate::support::shapes::{self, Shape};
use crumple::{Body, Mesh};
use crumple_ldi::{CrossingKind, Direction, ImageOptions, InsideRule, LayeredDepthImage, Resolution};
use crumple_scenes::Random;
use proptest::prelude::*;

fn image(shape: &Shape, direction: Direction, resolution: impl Into<Resolution>) -> LayeredDepthImage {
    LayeredDepthImage::of_body(&shape.body(), direction, resolution).unwrap()
}

/// A staircase with a hole and two cells that touch along an edge; corners at whole numbers.
fn stairs() -> Shape {
    let mut filled = vec![[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [0, 2, 0], [1, 2, 0], [2, 2, 0], [2, 1, 0]];
    filled.extend([[0, 0, 1], [1, 0, 1], [0, 0, 2], [3, 3, 3], [2, 2, 2], [3, 0, 1]]);
    shapes::cells(&filled)
}

fn clean_shapes() -> Vec<(&'static str, Shape)> {
    vec![
        ("sphere", shapes::sphere(4, [0.1, 0.2, 0.3], 1.5)),
        ("bumpy sphere", shapes::bumpy(5)),
        ("torus", shapes::torus(60, 30, 0.4)),
        ("cube", shapes::cube(0.0, 1.0)),
        ("stairs", stairs()),
        // Corners on the samples of 8, 16, 24 … samples a side: 4 cells of side 8 · 1/16.
        ("stairs in half cells", stairs().moved(|p| p.map(|x| x * 0.5))),
        ("sliver", shapes::cube(0.0, 1.0).moved(|p| [p[0] * 1e-6, p[1] + p[0] * 1e4, p[2] * 1e5])),
        ("tiny", shapes::bumpy(2).moved(|p| p.map(|x| x * 1e-36))),
        ("huge", shapes::bumpy(2).moved(|p| p.map(|x| x * 1e38))),
        ("far away", shapes::torus(20, 10, 0.4).translated([4096.0, -8192.0, 1e5])),
    ]
}

#[test]
fn every_column_of_a_closed_body_is_even_and_alternates_from_all_six_directions() {
    for (name, shape) in clean_shapes() {
        assert!(shape.body().mesh().topology().is_solid(), "{name}");
        for direction in Direction::ALL {
            for resolution in [[1, 1], [2, 3], [8, 8], [16, 16], [31, 64], [128, 128], [1, 4096]] {
                let image = image(&shape, direction, resolution);
                assert_eq!(image.odd_columns(), 0, "{name} {direction:?} {resolution:?}");
                assert_eq!(image.unordered_columns(), 0, "{name} {direction:?} {resolution:?}");
            }
        }
    }
}

#[test]
fn columns_through_edges_and_corners_count_each_surface_once() {
    // Cells of side 1 in a box of 4: with 4, 8 or 12 samples a side some, all or a third of the edges lie on samples.
    let stairs = stairs();
    let cell_volume = stairs.volume();
    for scale in [0.5, 1.0, 3.0] {
        // Half a cell off, so that the faces between cells fall on the samples of 4 a side.
        let shape = stairs.with(&shapes::cuboid([-0.5; 3], [-0.25; 3])).moved(|p| p.map(|x| x * scale));
        for direction in Direction::ALL {
            for resolution in [9, 18, 27, 36] {
                let image = image(&shape, direction, resolution);
                assert_eq!(
                    (image.odd_columns(), image.unordered_columns()),
                    (0, 0),
                    "{scale} {direction:?} {resolution}"
                );
            }
        }
    }
    // Where no face lies on a sample the count of cells is exact.
    for direction in Direction::ALL {
        for resolution in [4, 8, 64] {
            assert_eq!(image(&stairs, direction, resolution).volume(), cell_volume);
        }
    }
}

#[test]
fn volumes_converge_to_the_volume_of_the_mesh() {
    for (name, shape) in [
        ("sphere", shapes::sphere(4, [0.1, 0.2, 0.3], 1.5)),
        ("bumpy sphere", shapes::bumpy(5)),
        ("torus", shapes::torus(60, 30, 0.4)),
    ] {
        for direction in Direction::ALL {
            for resolution in [32u32, 64, 128, 256, 512] {
                let image = image(&shape, direction, resolution);
                let extent = image.bounds().extent();
                let of_box: f64 = extent.iter().map(|&x| f64::from(x)).product();
                let error = (image.volume() - shape.volume()).abs() / of_box;
                let allowed = 4.0 / f64::from(resolution * resolution);
                assert!(
                    error <= allowed,
                    "{name} {direction:?} {resolution}: {error:e} of the box, {allowed:e} allowed"
                );
            }
        }
    }
}

#[test]
fn opposite_directions_see_the_same_spans_from_the_other_side() {
    let shape = shapes::bumpy(4);
    for direction in [Direction::PositiveX, Direction::PositiveY, Direction::PositiveZ] {
        let (front, back) = (image(&shape, direction, [40, 30]), image(&shape, direction.opposite(), [40, 30]));
        let k = direction.axis() as usize;
        let far = f64::from(front.bounds().max()[k]) - f64::from(front.bounds().min()[k]);
        for (column, row) in (0..40).flat_map(|column| (0..30).map(move |row| (column, row))) {
            let forward: Vec<_> = front.column(column, row).spans().collect();
            let mut backward: Vec<_> = back.column(column, row).spans().collect();
            backward.reverse();
            assert_eq!(forward.len(), backward.len());
            for (f, b) in forward.iter().zip(&backward) {
                assert!((f.low - (far - b.high)).abs() < 1e-12 && (f.high - (far - b.low)).abs() < 1e-12);
            }
            let kinds: Vec<_> = front.column(column, row).crossings().map(|crossing| crossing.kind).collect();
            assert!(kinds.iter().step_by(2).all(|&kind| kind == CrossingKind::Entry));
        }
    }
}

#[test]
fn a_body_turned_inside_out_has_the_same_volume_and_exits_where_it_had_entries() {
    let shape = shapes::torus(40, 20, 0.4);
    let (outward, inward) =
        (image(&shape, Direction::PositiveX, 50), image(&shape.inside_out(), Direction::PositiveX, 50));
    assert_eq!(outward.volume(), inward.volume());
    assert_eq!((inward.odd_columns(), inward.unordered_columns()), (0, 0));
    let first = inward.column(25, 25).crossings().next().map(|crossing| crossing.kind);
    assert!(first.is_none_or(|kind| kind == CrossingKind::Exit));
}

#[test]
fn a_body_that_overlaps_itself_is_counted_once_by_winding_number_and_not_at_all_by_parity() {
    let both = shapes::cube(0.0, 2.0).with(&shapes::cube(1.0, 3.0)).body();
    let options = ImageOptions::default().with_resolution(48);
    let mut image = LayeredDepthImage::new();
    image.render(&both, &options).unwrap();
    assert!((image.volume() - 15.0).abs() < 1e-9);
    assert_eq!((image.odd_columns(), image.depth_complexity()), (0, 4));
    assert_eq!(image.unordered_columns(), 16 * 16);
    image.render(&both, &options.with_inside(InsideRule::Parity)).unwrap();
    assert!((image.volume() - 14.0).abs() < 1e-9);
}

#[test]
fn memory_used_before_leaves_no_trace() {
    let mut reused = LayeredDepthImage::new();
    for (name, shape) in clean_shapes() {
        for resolution in [[64, 64], [5, 7], [200, 3]] {
            let options = ImageOptions::default().with_direction(Direction::NegativeY).with_resolution(resolution);
            reused.render(&shape.body(), &options).unwrap();
            let fresh = image(&shape, Direction::NegativeY, resolution);
            assert_eq!(reused.stats(), fresh.stats());
            for (column, row) in (0..resolution[0]).flat_map(|c| (0..resolution[1]).map(move |r| (c, r))) {
                let crossings = |image: &LayeredDepthImage| image.column(column, row).crossings().collect::<Vec<_>>();
                assert_eq!(crossings(&reused), crossings(&fresh), "{name} {resolution:?}");
            }
        }
    }
}

#[test]
fn samples_that_are_not_there_have_empty_columns() {
    let image = image(&shapes::cube(0.0, 1.0), Direction::PositiveZ, [4, 6]);
    assert_eq!((image.column(3, 5).len(), image.column(4, 0).len(), image.column(0, 6).len()), (2, 0, 0));
    assert!(image.column(u32::MAX, u32::MAX).is_empty());
    let empty = LayeredDepthImage::new();
    assert!(empty.column(0, 0).is_empty() && empty.bounds().is_empty() && empty.volume() == 0.0);
    assert_eq!(empty.direction(), None);
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let cube = shapes::cube(0.0, 1.0);
    let refused = |body: &Body, resolution: [u32; 2]| {
        LayeredDepthImage::of_body(body, Direction::PositiveZ, resolution).unwrap_err().to_string()
    };
    let out_of_range = "is out of range: each side takes 1 to 4096 samples";
    for bad in [[0, 8], [8, 0], [4097, 1], [1, u32::MAX]] {
        let message = format!("a resolution of {} x {} {out_of_range}", bad[0], bad[1]);
        assert_eq!(refused(&cube.body(), bad), message);
    }
    let empty = Body::new(Mesh::new(0, Vec::new()).unwrap(), &[[0.0f32; 3]; 0]).unwrap();
    assert_eq!(refused(&empty, [8, 8]), "the body has no triangles, so it encloses nothing");
    let flat = cube.moved(|p| [p[0], 2.0, p[2]]);
    let message = "the body is flat: its box from [0.0, 2.0, 0.0] to [1.0, 2.0, 1.0] has no volume";
    assert_eq!(refused(&flat.body(), [8, 8]), message);

    let mut open = cube.clone();
    open.triangles.remove(0);
    let message = "the body is open: 3 edges belong to an odd number of triangles, the first from vertex 0 to vertex 6 \
                   (triangle 0); close it, or say `with_assumed_closed`";
    assert_eq!(refused(&open.body(), [8, 8]), message);

    let mut turned = cube.clone();
    turned.triangles[0].swap(0, 1);
    let message = "the body is not oriented: along 3 edges more triangles run one way than the other, the first from";
    assert!(refused(&turned.body(), [8, 8]).starts_with(message), "{}", refused(&turned.body(), [8, 8]));
    // Parity does not care which way triangles face.
    let mut image = LayeredDepthImage::new();
    image.render(&turned.body(), &ImageOptions::default().with_inside(InsideRule::Parity)).unwrap();
    assert!((image.volume() - 1.0).abs() < 1e-9);
}

#[test]
fn assume_closed_goes_on_and_counts_the_columns_that_show_it() {
    let mut open = shapes::cube(0.0, 1.0);
    let lid = open.triangles.pop();
    assert!(lid.is_some());
    let mut image = LayeredDepthImage::new();
    let options = ImageOptions::default().with_resolution(16).with_direction(Direction::NegativeZ);
    image.render(&open.body(), &options.with_assumed_closed()).unwrap();
    // One of the two triangles on top is missing: half of the square, the diagonal to one side.
    assert!((112..=144).contains(&image.odd_columns()), "{}", image.odd_columns());
    assert_eq!(image.unordered_columns(), image.odd_columns());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The octahedron's triangles with corners anywhere on a small grid: flat, folded and touching itself as it likes.
    #[test]
    fn closed_surfaces_on_a_small_grid_have_even_balanced_columns(seed in any::<u64>(), side in 1u32..9, half in any::<bool>()) {
        let mut random = Random::new(seed);
        let scale = if half { 0.5 } else { 1.0 };
        let mut octahedron = crumple_scenes::sphere(crumple_scenes::Solid::Octahedron, 1).unwrap();
        for position in &mut octahedron.positions {
            *position = std::array::from_fn(|_| random.below(5) as f32 * scale);
        }
        let shape = Shape { positions: octahedron.positions, triangles: octahedron.triangles };
        for direction in Direction::ALL {
            match LayeredDepthImage::of_body(&shape.body(), direction, [side, 2 * side]) {
                Err(error) => prop_assert!(error.to_string().contains("flat"), "{error}"),
                Ok(image) => {
                    prop_assert_eq!(image.odd_columns(), 0);
                    for (column, row) in (0..side).flat_map(|column| (0..2 * side).map(move |row| (column, row))) {
                        let crossings = image.column(column, row).crossings();
                        let entries = crossings.filter(|crossing| crossing.kind == CrossingKind::Entry).count();
                        prop_assert_eq!(2 * entries, image.column(column, row).len());
                    }
                }
            }
        }
    }

    /// A tetrahedron is convex, so a column crosses it twice or not at all, and always in order.
    #[test]
    fn tetrahedra_on_a_small_grid_alternate(seed in any::<u64>(), side in 1u32..17) {
        let mut random = Random::new(seed);
        let corner = |random: &mut Random| std::array::from_fn(|_| random.below(9) as f32);
        let positions = (0..4).map(|_| corner(&mut random)).collect();
        let shape = Shape { positions, triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]] };
        for direction in Direction::ALL {
            if let Ok(image) = LayeredDepthImage::of_body(&shape.body(), direction, side) {
                prop_assert_eq!((image.odd_columns(), image.unordered_columns()), (0, 0));
                prop_assert!(image.depth_complexity() <= 2 || image.volume() == 0.0);
            }
        }
    }
}
