//! Images of whole bodies on the device against those of the CPU.

mod common;

use common::{body, built_in, distance, gpu};
use crumple::volume::{Direction, ImageOptions, LayeredDepthImage};
use crumple_gpu::{GpuBody, GpuImage, Path};

#[test]
fn the_compute_path_sees_what_the_cpu_sees_from_all_six_directions() {
    let gpu = gpu();
    eprintln!("{:?}", gpu.adapter());
    for (name, shape) in built_in() {
        let body = body(&shape);
        let on_gpu = GpuBody::new(&gpu, &body).unwrap();
        for direction in Direction::ALL {
            let options = ImageOptions::default().with_direction(direction);
            let mut cpu = LayeredDepthImage::new();
            cpu.render(&body, &options).unwrap();
            let mut image = GpuImage::new(&gpu, options, Path::Compute).unwrap();
            image.render(&on_gpu).unwrap();
            let columns = image.read_columns().unwrap();
            let found = distance(&cpu, &columns);
            eprintln!(
                "{name} {direction:?} n_max {} {found:?}, {} unordered",
                image.depth_complexity(),
                columns.unordered_columns()
            );
        }
    }
}
