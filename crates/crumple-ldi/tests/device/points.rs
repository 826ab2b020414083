//! Points against an image on the device, and against the image of the CPU.

use crate::common::built_in;
use crate::support::{body, gpu};
use crumple_ldi::gpu::{GpuBody, GpuImage, Layout, Path};
use crumple_ldi::{ImageOptions, LayeredDepthImage};

/// Whether a point lies within `step` of a crossing of its pixel's ray on the CPU.
fn near_surface(image: &LayeredDepthImage, point: [f32; 3], step: f64) -> bool {
    let bounds = image.bounds();
    let direction = image.direction().unwrap();
    let k = direction.axis() as usize;
    let depth = f64::from(point[k]) - f64::from(bounds.min()[k]);
    let [u, v] = direction.axis().others().map(|axis| axis as usize);
    let [du, dv] = image.step();
    let at = |axis: usize, step: f64| (f64::from(point[axis]) - f64::from(bounds.min()[axis])) / step;
    let (column, row) = (at(u, du), at(v, dv));
    // On the border of two pixels either may be asked.
    let border = |x: f64| (x - x.round()).abs() < 1e-5;
    let column_here = image.column(column as u32, row as u32);
    border(column) || border(row) || column_here.crossings().any(|crossing| (crossing.depth - depth).abs() <= step)
}

#[test]
fn points_get_the_answers_of_the_cpu_but_for_those_within_a_step_of_the_surface() {
    let gpu = gpu();
    for (name, shape) in built_in() {
        let body = body(&shape);
        let on_gpu = GpuBody::new(&gpu, &body).unwrap();
        let bounds = body.bounds();
        // A third lies outside the box.
        let [low, high] = [0, 1].map(|end| {
            [0, 1, 2].map(|k| {
                let (low, high) = (bounds.min()[k], bounds.max()[k]);
                if end == 0 { low - 0.05 * (high - low) } else { high + 0.05 * (high - low) }
            })
        });
        if name == "huge" {
            continue;
        }
        let mut points = crumple_scenes::points_in_box(20_000, 7, low, high);
        points.extend([[f32::NAN; 3], [f32::INFINITY, 0.0, 0.0], bounds.min(), bounds.max()]);
        points.extend(body.positions().iter().take(100));
        let options = ImageOptions::default();
        let mut cpu = LayeredDepthImage::new();
        cpu.render(&body, &options).unwrap();
        let mut theirs = Vec::new();
        cpu.contains_points(&points, &mut theirs);
        for path in [Path::Compute, Path::Stencil] {
            let mut image = GpuImage::new(&gpu, options, path).unwrap();
            image.render(&on_gpu).unwrap();
            let mut ours = Vec::new();
            image.contains_points(&points, &mut ours).unwrap();
            assert_eq!(ours.len(), points.len());
            let deep = f64::from(bounds.max()[2]) - f64::from(bounds.min()[2]);
            let mut excused = 0;
            for ((&point, ours), theirs) in points.iter().zip(&ours).zip(&theirs) {
                if ours != theirs {
                    excused += 1;
                    assert!(near_surface(&cpu, point, 1e-6 * deep), "{name} {path}: {point:?} {ours} {theirs}");
                }
            }
            assert!(excused < 150, "{name} {path}: {excused}");
        }
    }
}

#[test]
fn a_mask_comes_back_a_bit_a_point_in_one_read_back_also_from_a_buffer_of_the_callers() {
    let gpu = gpu();
    let body = body(&crumple_scenes::torus_knot(12).unwrap());
    let on_gpu = GpuBody::new(&gpu, &body).unwrap();
    let points = crumple_scenes::points_in_box(1_001, 3, body.bounds().min(), body.bounds().max());
    let mut image = GpuImage::new(&gpu, ImageOptions::default(), Path::Compute).unwrap();
    image.render(&on_gpu).unwrap();
    let mut inside = Vec::new();
    image.contains_points(&points, &mut inside).unwrap();
    let before = gpu.counters();
    let mask = image.mask_of_points(&points).unwrap().to_vec();
    let spent = gpu.counters() - before;
    assert_eq!((spent.read_backs, spent.bytes_read, spent.objects_created), (1, 128, 0));
    assert_eq!(mask.len(), 32);
    let bits: Vec<bool> = (0..points.len()).map(|number| mask[number / 32] >> (number % 32) & 1 == 1).collect();
    assert_eq!(bits, inside);
    assert!(inside.iter().any(|&inside| inside) && !inside.iter().all(|&inside| inside));

    let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 12 * points.len() as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.queue().write_buffer(&buffer, 0, bytemuck::cast_slice(&points));
    assert_eq!(image.mask_of_buffer(&buffer, points.len(), Layout::Packed).unwrap(), mask);
    assert!(image.mask_of_points(&[] as &[[f32; 3]]).unwrap().is_empty());
}
