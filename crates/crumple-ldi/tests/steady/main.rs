//! Many frames: nothing is created, nothing grows, nothing is refused.
//!
//! A program of its own with one test: it reads the memory of the whole process, which no other test may change meanwhile.

#[path = "../support/mod.rs"]
mod support;

use crumple_ldi::ImageOptions;
use crumple_ldi::gpu::{Gpu, GpuBody, GpuImage, GpuOverlap, GpuOverlapOptions, GpuSelfOverlap, Path};
use support::{body, gpu};

/// Memory of this process that is in use, in bytes: on software that is the device's memory too.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    1024 * kilobytes.unwrap_or(0)
}

/// Buffers and textures the graphics stack holds, and the memory they take, by its own count.
fn held(gpu: &Gpu) -> [isize; 5] {
    let hal = gpu.device().get_internal_counters().hal;
    [&hal.buffers, &hal.textures, &hal.bind_groups, &hal.buffer_memory, &hal.texture_memory]
        .map(|counter| counter.read())
}

fn thousand_frames(path: Path) {
    let gpu = gpu();
    let shape = crumple_scenes::torus_knot(8).unwrap();
    let still = body(&crumple_scenes::sphere(crumple_scenes::Solid::Icosahedron, 2).unwrap());
    let still = GpuBody::new(&gpu, &still).unwrap();
    let mut moving = GpuBody::new(&gpu, &body(&shape)).unwrap();
    let resolution = 32;
    let options = GpuOverlapOptions::default().with_path(path).with_resolution(resolution);
    let mut overlap = GpuOverlap::new(&gpu, options).unwrap();
    let mut image = GpuImage::new(&gpu, ImageOptions::default().with_resolution(resolution), path).unwrap();
    let mut itself = GpuSelfOverlap::new(&gpu, ImageOptions::default().with_resolution(resolution), path).unwrap();
    let points = crumple_scenes::points_in_box(500, 1, [-1.0; 3], [1.0; 3]);
    let mut inside = Vec::new();
    let mut frame = |number: u32| {
        let phase = number as f32 * 0.1;
        let deformed: Vec<[f32; 3]> = shape
            .positions
            .iter()
            .map(|&[x, y, z]| [x * (1.2 + 0.2 * phase.sin()), y, z + 0.3 * phase.cos() * x])
            .collect();
        moving.set_positions(&deformed).unwrap();
        let answer = overlap.compute(&moving, &still).unwrap();
        image.render(&moving).unwrap();
        image.contains_points(&points, &mut inside).unwrap();
        itself.find(&moving).unwrap();
        assert!(answer.collides && !overlap.read_spans().unwrap().is_empty());
    };
    // One period of the motion, in which storage grows to what it needs.
    (0..64).for_each(&mut frame);
    let (counters, memory, by_its_own_count) = (gpu.counters(), resident(), held(&gpu));
    (64..1064).for_each(&mut frame);
    let spent = gpu.counters() - counters;
    let grown = resident().saturating_sub(memory);
    assert_eq!((spent.objects_created, spent.refused, spent.retries), (0, 0, 0), "{path}");
    assert_eq!(held(&gpu), by_its_own_count, "{path}");
    assert!(grown < 4 << 20, "{path}: {grown} bytes more after a thousand frames");
}

#[test]
fn a_thousand_frames_create_nothing_and_do_not_grow() {
    thousand_frames(Path::Compute);
    thousand_frames(Path::Stencil);
}
