//! Overlaps of two bodies on the device against those of the CPU.

use crate::common::{assert_same_spans, cuboid, distance, joined, moved};
use crate::support::{body, gpu};
use crumple::Body;
use crumple_ldi::gpu::{GpuBody, GpuOverlap, GpuOverlapOptions, Layout, Path};
use crumple_ldi::{InsideRule, OverlapOptions, OverlapSampler};
use crumple_scenes::{BodyPair, Model, OverlapKind, Shape};

fn pairs() -> Vec<(String, Body, Body)> {
    let small = |model| crumple_scenes::smooth_body_of_parts(model, 20).unwrap();
    let knot = crumple_scenes::torus_knot(12).unwrap();
    let turned = |shape: &Shape, by: [f32; 3]| {
        moved(shape, |[x, y, z]| [0.6 * x - 0.8 * y + by[0], 0.8 * x + 0.6 * y + by[1], z + by[2]])
    };
    let mut pairs = vec![
        ("knot, rabbit".to_owned(), body(&knot), body(&turned(&small(Model::Rabbit), [0.1, 0.05, 0.02]))),
        (
            "rabbit, reptile".to_owned(),
            body(&small(Model::Rabbit)),
            body(&turned(&small(Model::Reptile), [0.1, 0.0, 0.1])),
        ),
        (
            "reptile, santa".to_owned(),
            body(&small(Model::Reptile)),
            body(&turned(&small(Model::Santa), [0.0, 0.1, 0.2])),
        ),
        ("boxes".to_owned(), body(&cuboid([0.0; 3], [2.0; 3])), body(&cuboid([1.0; 3], [3.0; 3]))),
        ("nested".to_owned(), body(&cuboid([0.0; 3], [8.0; 3])), body(&turned(&small(Model::Santa), [3.0, 4.0, 5.0]))),
    ];
    let scene = crumple_scenes::overlapping(BodyPair::KnotRabbit, OverlapKind::Complex);
    let [a, b] = [0, 1].map(|number| {
        let scene_body = &scene.bodies()[number];
        body(&Shape { triangles: scene_body.triangles().to_vec(), positions: scene_body.positions_at(0) })
    });
    pairs.push(("knot, rabbit of HE1".to_owned(), a, b));
    pairs
}

#[test]
fn both_paths_measure_the_volume_the_cpu_measures() {
    let gpu = gpu();
    for (name, a, b) in pairs() {
        let [on_a, on_b] = [&a, &b].map(|body| GpuBody::new(&gpu, body).unwrap());
        let mut cpu = OverlapSampler::new(OverlapOptions::default());
        let (volume, depth_complexity, voi) = {
            let answer = cpu.compute(&a, &b).unwrap();
            (answer.volume(), answer.depth_complexity(), answer.volume_of_interest().unwrap())
        };
        for (path, allowed) in [(Path::Compute, 1e-4), (Path::Stencil, 1e-3)] {
            let mut overlap = GpuOverlap::new(&gpu, GpuOverlapOptions::default().with_path(path)).unwrap();
            let found = overlap.compute(&on_a, &on_b).unwrap();
            assert!((found.volume - volume).abs() <= allowed * volume, "{name} {path}: {} {volume}", found.volume);
            assert_eq!(found.volume_of_interest, Some((voi.bounds(), voi.direction_a())), "{name} {path}");
            assert!(found.collides);
            let images = overlap.read_images().unwrap().unwrap();
            for (ours, theirs) in images.iter().zip(cpu.images()) {
                let found = distance(theirs, ours);
                assert!(found.other_counts == 0 && found.depth < 1e-5, "{name} {path}: {found:?}");
            }
            assert_eq!(found.depth_complexity, depth_complexity, "{name} {path}");
        }
    }
    assert_eq!(gpu.counters().refused, 0);
}

#[test]
fn spans_read_back_are_those_of_the_cpu() {
    let gpu = gpu();
    for (name, a, b) in pairs() {
        let [on_a, on_b] = [&a, &b].map(|body| GpuBody::new(&gpu, body).unwrap());
        for path in [Path::Compute, Path::Stencil] {
            for inside in [InsideRule::WindingNumber, InsideRule::Parity] {
                let mut cpu = OverlapSampler::new(OverlapOptions::default().with_inside(inside));
                let answer = cpu.compute(&a, &b).unwrap();
                let expected: Vec<_> = answer.spans().collect();
                let deep =
                    f64::from(answer.volume_of_interest().unwrap().bounds().extent().into_iter().fold(0.0, f32::max));
                let options = GpuOverlapOptions::default().with_path(path).with_inside(inside);
                let mut overlap = GpuOverlap::new(&gpu, options).unwrap();
                let found = overlap.compute(&on_a, &on_b).unwrap();
                let spans = overlap.read_spans().unwrap();
                assert!(!spans.is_empty());
                assert_same_spans(&spans, &expected, 1e-5 * deep, &format!("{name} {path} {inside:?}"));
                // They are what the volume is the sum of.
                let (bounds, direction) = found.volume_of_interest.unwrap();
                let (low, high) = (bounds.min().map(f64::from), bounds.max().map(f64::from));
                let pixel: f64 = direction
                    .axis()
                    .others()
                    .iter()
                    .map(|&axis| (high[axis as usize] - low[axis as usize]) / 128.0)
                    .product();
                let sum = spans.iter().map(|span| span.span.length()).sum::<f64>() * pixel;
                assert!((sum - found.volume).abs() <= 1e-9 * found.volume, "{name} {path}: {sum} {}", found.volume);
            }
        }
    }
    assert_eq!(gpu.counters().refused, 0);
}

#[test]
fn more_spans_than_there_is_room_for_are_all_read() {
    // Slats across a box: 30 spans per column, and room for one at first.
    let gpu = gpu();
    let slat = |k: u32| cuboid([0.0, 0.0, 2.0 * k as f32], [1.0, 1.0, 2.0 * k as f32 + 1.0]);
    let slats = body(&(1..30).fold(slat(0), |slats, k| joined(&slats, &slat(k))));
    let around = body(&cuboid([-0.5, 0.25, -1.0], [1.5, 0.75, 70.0]));
    let [on_a, on_b] = [&slats, &around].map(|body| GpuBody::new(&gpu, body).unwrap());
    let options = GpuOverlapOptions::default().with_resolution(16);
    let mut overlap = GpuOverlap::new(&gpu, options).unwrap();
    overlap.compute(&on_a, &on_b).unwrap();
    let axis = overlap.compute(&on_a, &on_b).unwrap().volume_of_interest.unwrap().1.axis();
    let spans = overlap.read_spans().unwrap();
    let mut cpu = OverlapSampler::new(OverlapOptions::default().with_resolution(16));
    let expected: Vec<_> = cpu.compute(&slats, &around).unwrap().spans().collect();
    assert_same_spans(&spans, &expected, 1e-4, &format!("{axis:?}"));
    let before = gpu.counters();
    assert_eq!(overlap.read_spans().unwrap(), spans);
    let spent = gpu.counters() - before;
    assert_eq!((spent.read_backs, spent.retries, spent.objects_created), (1, 0, 0));
}

#[test]
fn the_volume_comes_back_in_one_read_back_or_in_two() {
    let gpu = gpu();
    for (name, a, b) in pairs() {
        let [on_a, on_b] = [&a, &b].map(|body| GpuBody::new(&gpu, body).unwrap());
        for path in [Path::Compute, Path::Stencil] {
            let mut overlap = GpuOverlap::new(&gpu, GpuOverlapOptions::default().with_path(path)).unwrap();
            overlap.compute(&on_a, &on_b).unwrap();
            let before = gpu.counters();
            let found = overlap.compute(&on_a, &on_b).unwrap();
            let spent = gpu.counters() - before;
            let (read_backs, passes) = match path {
                Path::Compute => (1, 0),
                Path::Stencil => (2, u64::from(found.depth_complexity[0] + found.depth_complexity[1])),
            };
            assert_eq!((spent.read_backs, spent.passes, spent.retries), (read_backs, passes, 0), "{name} {path}");
            assert!(spent.bytes_read <= 2 * 1024, "{name} {path}: {}", spent.bytes_read);
        }
    }
}

#[test]
fn bodies_apart_or_touching_overlap_by_nothing() {
    let gpu = gpu();
    let unit = GpuBody::new(&gpu, &body(&cuboid([0.0; 3], [1.0; 3]))).unwrap();
    for (low, high) in [([2.0; 3], [3.0; 3]), ([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])] {
        let other = GpuBody::new(&gpu, &body(&cuboid(low, high))).unwrap();
        for path in [Path::Compute, Path::Stencil] {
            let mut overlap = GpuOverlap::new(&gpu, GpuOverlapOptions::default().with_path(path)).unwrap();
            let found = overlap.compute(&unit, &other).unwrap();
            assert_eq!((found.volume, found.collides, found.volume_of_interest), (0.0, false, None));
            assert!(!overlap.collides(&other, &unit).unwrap());
            assert!(overlap.read_images().unwrap().is_none());
            assert!(overlap.read_spans().unwrap().is_empty());
        }
    }
}

#[test]
fn vertices_in_a_buffer_of_the_callers_are_read_there() {
    let gpu = gpu();
    let shape = crumple_scenes::torus_knot(12).unwrap();
    let mut still = body(&shape);
    let mesh = still.mesh().clone();
    let still_on_gpu = GpuBody::new(&gpu, &still).unwrap();
    for layout in [Layout::Packed, Layout::Padded] {
        let floats = |by: f32| -> Vec<f32> {
            let place = |&[x, y, z]: &[f32; 3]| match layout {
                Layout::Packed => vec![x + by, y, z],
                Layout::Padded => vec![x + by, y, z, f32::NAN],
            };
            shape.positions.iter().flat_map(place).collect()
        };
        let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 4 * floats(0.0).len() as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let callers = GpuBody::from_buffer(&gpu, mesh.clone(), &buffer, layout).unwrap();
        let mut overlap = GpuOverlap::new(&gpu, GpuOverlapOptions::default()).unwrap();
        for by in [0.1, 0.3, 0.02] {
            gpu.queue().write_buffer(&buffer, 0, bytemuck::cast_slice(&floats(by)));
            let found = overlap.compute(&callers, &still_on_gpu).unwrap();
            still.set_positions(&shape.positions).unwrap();
            let moved = body(&moved(&shape, |[x, y, z]| [x + by, y, z]));
            let volume = OverlapSampler::new(OverlapOptions::default()).compute(&moved, &still).unwrap().volume();
            assert!((found.volume - volume).abs() <= 1e-4 * volume, "{layout:?} {by}");
        }
    }
}
