// Takes the layers of a target apart into columns.

struct Round {
    // The first layer in the target, from 1.
    first: u32,
    layers: u32,
    // Regions side by side.
    across: u32,
    unused: u32,
}

@group(0) @binding(0) var<uniform> window: Window;
@group(0) @binding(1) var<uniform> part: Round;
@group(0) @binding(2) var layers: texture_2d<u32>;
@group(0) @binding(3) var<storage, read> counts: array<u32>;
@group(0) @binding(4) var<storage, read> offsets: array<u32>;
@group(0) @binding(5) var<storage, read_write> keys: array<u32>;

@compute @workgroup_size(64)
fn gather_layers(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let pixel = thread(id, groups, 64u);
    let columns = window.count.x;
    let rows = window.count.y;
    if !usable(window) || pixel >= columns * rows {
        return;
    }
    let at = vec2(pixel % columns, pixel / columns);
    let start = offsets[pixel];
    for (var layer = part.first; layer < part.first + part.layers && layer <= counts[pixel]; layer++) {
        let region = layer - part.first;
        let corner = vec2(region % part.across * columns, region / part.across * rows);
        keys[start + layer - 1u] = textureLoad(layers, corner + at, 0).x;
    }
}
