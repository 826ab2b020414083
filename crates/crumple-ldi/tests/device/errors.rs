//! Bad input and lost devices: errors that say what to do, never a panic.

use crate::common::cuboid;
use crate::support::{body, gpu};
use crumple::{Body, Mesh};
use crumple_ldi::gpu::{AdapterChoice, Gpu, GpuBody, GpuError, GpuImage, GpuOverlap, GpuOverlapOptions, Layout, Path};
use crumple_ldi::{ImageOptions, VolumeError};

fn unit() -> Body {
    body(&cuboid([0.0; 3], [1.0; 3]))
}

fn buffer(gpu: &Gpu, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    gpu.device().create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
}

#[test]
fn an_adapter_that_is_not_there_is_named_with_what_there_is_and_what_to_install() {
    let error = Gpu::open(&AdapterChoice::Named("no such card".to_owned())).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, GpuError::NoAdapter { .. }), "{text}");
    assert!(text.contains("no such card") && text.contains("mesa-vulkan-drivers"), "{text}");
    assert!(!Gpu::adapters().is_empty());
}

#[test]
fn a_resolution_out_of_range_or_beyond_the_device_is_refused() {
    let gpu = gpu();
    for resolution in [0, 4097] {
        let options = ImageOptions::default().with_resolution(resolution);
        let error = GpuImage::new(&gpu, options, Path::Compute).unwrap_err();
        assert!(matches!(error, GpuError::Volume(VolumeError::Resolution { .. })), "{error}");
    }
    // A device opened for small textures only.
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = instance.request_adapter(&wgpu::RequestAdapterOptions::default());
    let adapter = pollster::block_on(adapter).unwrap_or_else(|error| panic!("{error}; install mesa-vulkan-drivers"));
    let limits = |textures: u32, threads: u32| wgpu::Limits {
        max_texture_dimension_2d: textures,
        max_compute_invocations_per_workgroup: threads,
        ..wgpu::Limits::default()
    };
    let open = |required_limits: wgpu::Limits| {
        let asked = adapter.request_device(&wgpu::DeviceDescriptor { required_limits, ..Default::default() });
        let (device, queue) = pollster::block_on(asked).unwrap();
        Gpu::from_device(device, queue)
    };
    let small = open(limits(2048, 256)).unwrap();
    let options = ImageOptions::default().with_resolution(2049);
    let error = GpuImage::new(&small, options, Path::Stencil).unwrap_err();
    assert_eq!(error, GpuError::ResolutionBeyondDevice { resolution: 2049.into(), most: 2048 });
    assert!(GpuImage::new(&small, options, Path::Compute).is_ok());
    let error = open(limits(2048, 64)).unwrap_err();
    assert!(matches!(&error, GpuError::Lacking { what, .. } if what.contains("64") && what.contains("256")), "{error}");
}

#[test]
fn bodies_without_an_inside_are_refused_in_the_words_of_the_cpu() {
    let gpu = gpu();
    let open =
        Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]]).unwrap();
    let flat = body(&cuboid([0.0; 3], [1.0, 1.0, 0.0]));
    let empty = Body::new(Mesh::new(0, vec![]).unwrap(), &[] as &[[f32; 3]]).unwrap();
    for path in [Path::Compute, Path::Stencil] {
        let mut image = GpuImage::new(&gpu, ImageOptions::default(), path).unwrap();
        let mut overlap = GpuOverlap::new(&gpu, GpuOverlapOptions::default().with_path(path)).unwrap();
        let unit = GpuBody::new(&gpu, &unit()).unwrap();
        for (body, expected) in [(&open, "is open"), (&flat, "is flat"), (&empty, "has no triangles")] {
            let on_gpu = GpuBody::new(&gpu, body).unwrap();
            let error = image.render(&on_gpu).unwrap_err().to_string();
            assert!(error.starts_with("the body") && error.contains(expected), "{path}: {error}");
            let error = overlap.compute(&unit, &on_gpu).unwrap_err().to_string();
            assert!(error.starts_with("body b") && error.contains(expected), "{path}: {error}");
            assert_eq!(image.read_columns().unwrap_err(), GpuError::Empty);
        }
        let mut not_finite = GpuBody::new(&gpu, &crate::support::body(&cuboid([0.0; 3], [1.0; 3]))).unwrap();
        let mut positions = crate::support::body(&cuboid([0.0; 3], [1.0; 3])).positions().to_vec();
        positions[3][1] = f32::NAN;
        not_finite.set_positions(&positions).unwrap();
        let error = overlap.compute(&not_finite, &unit).unwrap_err().to_string();
        assert_eq!(error, "body a has a vertex that is not finite");
    }
    assert_eq!(gpu.counters().refused, 0);
}

#[test]
fn a_buffer_of_the_wrong_size_or_usage_is_refused() {
    let gpu = gpu();
    let mesh = unit().mesh().clone();
    let small = buffer(&gpu, 92, wgpu::BufferUsages::STORAGE);
    let error = GpuBody::from_buffer(&gpu, mesh.clone(), &small, Layout::Packed).unwrap_err();
    assert_eq!(error.to_string(), "a buffer of 92 bytes was given for 8 positions of 12 bytes, which need 96");
    let error =
        GpuBody::from_buffer(&gpu, mesh.clone(), &buffer(&gpu, 96, wgpu::BufferUsages::STORAGE), Layout::Padded);
    assert!(matches!(error.unwrap_err(), GpuError::BufferSize { needed: 124, .. }));
    let error = GpuBody::from_buffer(&gpu, mesh.clone(), &buffer(&gpu, 96, wgpu::BufferUsages::VERTEX), Layout::Packed);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("STORAGE") && error.contains("VERTEX"), "{error}");

    let mut callers =
        GpuBody::from_buffer(&gpu, mesh, &buffer(&gpu, 96, wgpu::BufferUsages::STORAGE), Layout::Packed).unwrap();
    assert_eq!(callers.set_positions(&[[0.0; 3]; 8]).unwrap_err(), GpuError::CallersBuffer);
    let mut own = GpuBody::new(&gpu, &unit()).unwrap();
    assert_eq!(own.set_positions(&[[0.0; 3]; 7]).unwrap_err(), GpuError::PositionCount { given: 7, vertices: 8 });
    let mut image = GpuImage::new(&gpu, ImageOptions::default(), Path::Compute).unwrap();
    image.render(&own).unwrap();
    let error = image.mask_of_buffer(&buffer(&gpu, 16, wgpu::BufferUsages::STORAGE), 2, Layout::Packed).unwrap_err();
    assert!(matches!(error, GpuError::BufferSize { what: "points", .. }), "{error}");
}

#[test]
fn a_body_of_another_context_is_refused() {
    let (one, other) = (gpu(), gpu());
    let body = GpuBody::new(&other, &unit()).unwrap();
    let mut image = GpuImage::new(&one, ImageOptions::default(), Path::Compute).unwrap();
    assert!(matches!(image.render(&body).unwrap_err(), GpuError::OtherContext { .. }));
}

#[test]
fn a_lost_device_is_an_error_of_every_call() {
    let gpu = gpu();
    let mut on_gpu = GpuBody::new(&gpu, &unit()).unwrap();
    let mut image = GpuImage::new(&gpu, ImageOptions::default(), Path::Compute).unwrap();
    let mut overlap = GpuOverlap::new(&gpu, GpuOverlapOptions::default().with_path(Path::Stencil)).unwrap();
    image.render(&on_gpu).unwrap();
    gpu.device().destroy();
    let lost = |result: Result<(), GpuError>| {
        let error = result.unwrap_err();
        assert!(matches!(error, GpuError::Lost { .. }), "{error}");
    };
    lost(image.contains_points(&[[0.5; 3]], &mut Vec::new()));
    lost(image.render(&on_gpu));
    lost(overlap.compute(&on_gpu, &on_gpu).map(|_| ()));
    lost(on_gpu.set_positions(&[[0.0; 3]; 8]));
    lost(GpuBody::new(&gpu, &unit()).map(|_| ()));
    lost(GpuImage::new(&gpu, ImageOptions::default(), Path::Compute).map(|_| ()));
}
