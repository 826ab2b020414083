//! Self-overlaps on the device against those of the CPU.

use crate::common::{assert_same_spans, built_in, cuboid, joined, moved};
use crate::support::{body, gpu};
use crumple::Body;
use crumple_ldi::gpu::{GpuBody, GpuError, GpuSelfOverlap, Path};
use crumple_ldi::{Direction, ImageOptions, SelfOverlap};
use crumple_scenes::{Scene, Shape};

fn turned_inside_out(shape: &Shape) -> Shape {
    let mut shape = moved(shape, |at| at);
    shape.triangles.iter_mut().for_each(|corners| corners.swap(0, 1));
    shape
}

fn frame_of(scene: &Scene, frame: usize) -> Shape {
    let body = &scene.bodies()[0];
    Shape { triangles: body.triangles().to_vec(), positions: body.positions_at(frame) }
}

/// Bodies that overlap themselves, are partly or wholly inside out, or do nothing of the kind.
fn bodies() -> Vec<(String, Body)> {
    let cube = |low: f32, high: f32| cuboid([low; 3], [high; 3]);
    let twice = joined(&cube(0.0, 2.0), &cube(1.0, 3.0));
    let thrice = joined(&twice, &cube(1.5, 4.0));
    let partly = joined(&cube(0.0, 4.0), &turned_inside_out(&cube(5.0, 6.0)));
    let mut shapes = vec![
        ("two cubes".to_owned(), twice.clone()),
        ("three cubes".to_owned(), thrice.clone()),
        ("three cubes inside out".to_owned(), turned_inside_out(&thrice)),
        ("partly inside out".to_owned(), partly),
    ];
    let swelling = crumple_scenes::swelling_knot(12).unwrap();
    shapes.extend([60, 99].map(|frame| (format!("knot in frame {frame}"), frame_of(&swelling, frame))));
    let turning = crumple_scenes::inside_out(3).unwrap();
    shapes.extend([40, 60].map(|frame| (format!("sphere turning, frame {frame}"), frame_of(&turning, frame))));
    shapes.extend(
        built_in().into_iter().filter(|(name, _)| *name == "rabbit").map(|(name, shape)| (name.to_owned(), shape)),
    );
    shapes.into_iter().map(|(name, shape)| (name, body(&shape))).collect()
}

#[test]
fn both_paths_find_the_volumes_samples_and_spans_of_the_cpu() {
    let gpu = gpu();
    let (mut overlapping, mut inverted) = (0, 0);
    for (name, body) in bodies() {
        let on_gpu = GpuBody::new(&gpu, &body).unwrap();
        let whole = f64::from(body.bounds().extent().into_iter().product::<f32>());
        let deep = f64::from(body.bounds().extent().into_iter().fold(0.0, f32::max));
        for direction in [Direction::PositiveZ, Direction::NegativeX] {
            let options = ImageOptions::default().with_resolution(64).with_direction(direction);
            let mut cpu = SelfOverlap::new(options);
            let expected = cpu.find(&body).unwrap().clone();
            overlapping += usize::from(expected.volume > 0.0);
            inverted += usize::from(expected.inverted_volume > 0.0);
            for path in [Path::Compute, Path::Stencil] {
                let what = format!("{name} {direction:?} {path}");
                let mut finder = GpuSelfOverlap::new(&gpu, options, path).unwrap();
                let found = finder.find(&on_gpu).unwrap();
                let off = [found.volume - expected.volume, found.inverted_volume - expected.inverted_volume];
                assert!(off.iter().all(|off| off.abs() <= 1e-5 * whole), "{what}: {found:?} {expected:?}");
                // A sample may lie so near to an edge that the grid of the device sees it on the other side.
                let samples = [found.samples as usize, expected.samples.len()];
                assert!(samples[0].abs_diff(samples[1]) <= 1 + samples[1] / 1000, "{what}: {samples:?}");
                assert_eq!(found.depth_complexity, cpu.image().depth_complexity(), "{what}");
                assert_same_spans(&finder.read_spans().unwrap(), &expected.spans, 1e-5 * deep, &what);
            }
        }
    }
    assert!(overlapping >= 8 && inverted >= 4, "{overlapping} {inverted}");
    assert_eq!(gpu.counters().refused, 0);
}

#[test]
fn a_self_overlap_comes_back_in_one_read_back_or_in_two() {
    let gpu = gpu();
    let twice = body(&joined(&cuboid([0.0; 3], [2.0; 3]), &cuboid([1.0; 3], [3.0; 3])));
    let on_gpu = GpuBody::new(&gpu, &twice).unwrap();
    for (path, read_backs) in [(Path::Compute, 1), (Path::Stencil, 2)] {
        let mut finder = GpuSelfOverlap::new(&gpu, ImageOptions::default(), path).unwrap();
        assert_eq!(finder.read_spans().unwrap_err(), GpuError::Empty);
        finder.find(&on_gpu).unwrap();
        let before = gpu.counters();
        finder.find(&on_gpu).unwrap();
        let spent = gpu.counters() - before;
        assert_eq!((spent.read_backs, spent.retries, spent.objects_created), (read_backs, 0, 0), "{path}");
    }
}

#[test]
fn an_open_body_has_no_self_overlap() {
    let gpu = gpu();
    let mut open = cuboid([0.0; 3], [1.0; 3]);
    open.triangles.remove(0);
    let on_gpu = GpuBody::new(&gpu, &body(&open)).unwrap();
    let mut finder = GpuSelfOverlap::new(&gpu, ImageOptions::default(), Path::Compute).unwrap();
    let error = finder.find(&on_gpu).unwrap_err().to_string();
    assert!(error.starts_with("the body is open: 3 edges"), "{error}");
    let mut assumed = GpuSelfOverlap::new(&gpu, ImageOptions::default().with_assumed_closed(), Path::Compute).unwrap();
    assert!(assumed.find(&on_gpu).is_ok());
}
