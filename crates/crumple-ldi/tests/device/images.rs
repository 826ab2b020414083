//! Images of whole bodies on the device against those of the CPU.

use crate::common::{built_in, cuboid, distance, joined};
use crate::support::{body, gpu};
use crumple::Body;
use crumple_ldi::gpu::{DepthColumns, Gpu, GpuBody, GpuError, GpuImage, Path};
use crumple_ldi::{Direction, ImageOptions, InsideRule, LayeredDepthImage};

fn both(
    gpu: &Gpu,
    path: Path,
    body: &Body,
    on_gpu: &GpuBody,
    options: ImageOptions,
) -> (LayeredDepthImage, DepthColumns) {
    let mut cpu = LayeredDepthImage::new();
    cpu.render(body, &options).unwrap();
    let mut image = GpuImage::new(gpu, options, path).unwrap();
    image.render(on_gpu).unwrap();
    let columns = image.read_columns().unwrap();
    assert_eq!(image.depth_complexity(), columns.depth_complexity());
    (cpu, columns)
}

#[test]
fn the_compute_path_sees_what_the_cpu_sees_from_all_six_directions() {
    let gpu = gpu();
    for (name, shape) in built_in() {
        let body = body(&shape);
        let on_gpu = GpuBody::new(&gpu, &body).unwrap();
        for direction in Direction::ALL {
            let options = ImageOptions::default().with_direction(direction);
            let (cpu, columns) = both(&gpu, Path::Compute, &body, &on_gpu, options);
            let found = distance(&cpu, &columns);
            assert_eq!((columns.odd_columns(), columns.unordered_columns()), (0, 0), "{name} {direction:?}");
            // A sample within a 2^31-th of an edge may be counted to its other side: far away, where positions are coarse,
            // samples and edges meet that closely.
            assert!(found.other_counts <= 1 && found.other_order == 0, "{name} {direction:?}: {found:?}");
            assert!(found.depth < 1e-5 && found.volume < 1e-4, "{name} {direction:?}: {found:?}");
            assert_eq!(cpu.depth_complexity(), columns.depth_complexity(), "{name} {direction:?}");
        }
    }
    assert_eq!(gpu.counters().refused, 0);
}

#[test]
fn any_shape_of_image_is_even_and_agrees() {
    let gpu = gpu();
    let shapes = built_in();
    for (name, shape) in shapes.iter().filter(|(name, _)| ["knot", "boxes"].contains(name)) {
        let body = body(shape);
        let on_gpu = GpuBody::new(&gpu, &body).unwrap();
        for resolution in [[1, 1], [2, 3], [31, 64], [100, 7], [1, 4096], [500, 300]] {
            let options = ImageOptions::default().with_resolution(resolution).with_direction(Direction::NegativeY);
            let (cpu, columns) = both(&gpu, Path::Compute, &body, &on_gpu, options);
            let found = distance(&cpu, &columns);
            assert_eq!((columns.odd_columns(), found.other_counts), (0, 0), "{name} {resolution:?}");
            assert!(found.depth < 1e-5 && found.volume < 1e-4, "{name} {resolution:?}: {found:?}");
        }
    }
}

#[test]
fn the_stencil_path_counts_as_the_cpu_does_in_all_but_a_few_pixels() {
    let gpu = gpu();
    let (mut pixels, mut others) = (0, 0);
    for (name, shape) in built_in() {
        let body = body(&shape);
        let on_gpu = GpuBody::new(&gpu, &body).unwrap();
        // The way back sees the same crossings, and every layer is a pass of software.
        for direction in [Direction::PositiveX, Direction::NegativeY, Direction::PositiveZ] {
            let options = ImageOptions::default().with_direction(direction);
            let (cpu, columns) = both(&gpu, Path::Stencil, &body, &on_gpu, options);
            let found = distance(&cpu, &columns);
            assert_eq!(columns.odd_columns(), 0, "{name} {direction:?}");
            assert!(found.depth < 1e-5 && found.volume < 1e-3, "{name} {direction:?}: {found:?}");
            pixels += found.pixels;
            others += found.other_counts;
        }
    }
    assert!(others * 10_000 <= pixels, "{others} of {pixels} pixels have other counts than on the cpu");
    assert_eq!(gpu.counters().refused, 0);
}

#[test]
fn the_stencil_path_takes_as_many_passes_as_layers_and_two_read_backs() {
    let gpu = gpu();
    for (name, shape) in built_in() {
        let body = body(&shape);
        let on_gpu = GpuBody::new(&gpu, &body).unwrap();
        let mut image = GpuImage::new(&gpu, ImageOptions::default(), Path::Stencil).unwrap();
        let before = gpu.counters();
        image.render(&on_gpu).unwrap();
        let columns = image.read_columns().unwrap();
        let spent = gpu.counters() - before;
        assert_eq!(spent.passes, u64::from(columns.depth_complexity()), "{name}");
        assert_eq!((spent.read_backs, spent.retries), (2, 0), "{name}");
    }
}

/// As many boxes behind each other as asked for.
fn stack(boxes: u32) -> Body {
    let slice = |k: u32| cuboid([0.0, 0.0, 2.0 * k as f32], [1.0, 1.0, 2.0 * k as f32 + 1.0]);
    body(&(1..boxes).fold(slice(0), |stack, k| joined(&stack, &slice(k))))
}

#[test]
fn layers_beyond_one_target_take_several_rounds() {
    // 512 by 512 pixels leave room for four layers a target.
    let gpu = gpu();
    let body = stack(6);
    let on_gpu = GpuBody::new(&gpu, &body).unwrap();
    let options = ImageOptions::default().with_resolution(512);
    let before = gpu.counters();
    let (cpu, columns) = both(&gpu, Path::Stencil, &body, &on_gpu, options);
    let spent = gpu.counters() - before;
    assert_eq!((columns.depth_complexity(), columns.odd_columns()), (12, 0));
    assert_eq!((spent.passes, spent.read_backs), (12, 2));
    let found = distance(&cpu, &columns);
    assert_eq!((found.other_counts, found.other_order), (0, 0));
}

#[test]
fn more_layers_than_a_stencil_counts_are_an_error_and_the_compute_path_goes_on() {
    let gpu = gpu();
    let options = ImageOptions::default().with_resolution(16);
    let deep = |boxes: u32, path: Path| {
        let on_gpu = GpuBody::new(&gpu, &stack(boxes)).unwrap();
        let mut image = GpuImage::new(&gpu, options, path).unwrap();
        image.render(&on_gpu).map(|()| image.read_columns().unwrap())
    };
    let just = deep(127, Path::Stencil).unwrap();
    assert_eq!((just.depth_complexity(), just.unordered_columns()), (254, 0));
    let error = deep(128, Path::Stencil).unwrap_err();
    assert!(matches!(error, GpuError::TooManyLayers { .. }) && error.to_string().contains("compute path"), "{error}");
    let compute = deep(500, Path::Compute).unwrap();
    assert_eq!((compute.depth_complexity(), compute.unordered_columns()), (1000, 0));
}

#[test]
fn storage_grows_and_nothing_is_cut_off() {
    // A stack of 60 boxes has 120 crossings a column, far more than is made room for at first.
    let gpu = gpu();
    let body = stack(60);
    let on_gpu = GpuBody::new(&gpu, &body).unwrap();
    let mut image = GpuImage::new(&gpu, ImageOptions::default(), Path::Compute).unwrap();
    image.render(&on_gpu).unwrap();
    let first = gpu.counters();
    assert!(first.retries > 0);
    assert_eq!(image.read_columns().unwrap().crossing_count(), 120 * 128 * 128);
    image.render(&on_gpu).unwrap();
    assert_eq!(gpu.counters().retries, first.retries);
}

#[test]
fn a_body_that_overlaps_itself_is_inside_by_winding_number_and_outside_by_parity() {
    let gpu = gpu();
    let twice = body(&joined(&cuboid([0.0; 3], [2.0; 3]), &cuboid([1.0; 3], [3.0; 3])));
    let on_gpu = GpuBody::new(&gpu, &twice).unwrap();
    for rule in [InsideRule::WindingNumber, InsideRule::Parity] {
        for path in [Path::Compute, Path::Stencil] {
            let options = ImageOptions::default().with_inside(rule).with_resolution(48);
            let (cpu, columns) = both(&gpu, path, &twice, &on_gpu, options);
            let found = distance(&cpu, &columns);
            assert!(found.volume < 1e-6 && found.other_counts == 0, "{path} {rule:?}: {found:?}");
            assert_eq!(columns.unordered_columns(), cpu.unordered_columns(), "{path} {rule:?}");
        }
    }
}
