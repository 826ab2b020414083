// Counts of fragments from colours, and the most of them.

@group(0) @binding(0) var<uniform> window: Window;
@group(0) @binding(1) var counted: texture_2d<f32>;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> status: Status;

@compute @workgroup_size(64)
fn read_counts(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let pixel = thread(id, groups, 64u);
    let columns = window.count.x;
    let rows = window.count.y;
    if !usable(window) || pixel >= columns * rows {
        return;
    }
    let at = vec2(pixel % columns, pixel / columns);
    let count = u32(round(textureLoad(counted, at, 0).x * 255.0));
    counts[pixel] = count;
    if count > 0u {
        atomicMax(&status.depth_complexity, count);
    }
    if count == 255u {
        atomicMax(&status.saturated, 1u);
    }
}
