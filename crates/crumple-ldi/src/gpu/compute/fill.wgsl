// Writes every crossing into its column: depth and, in the last bit, 1 for an exit.
//
// A crossing beyond the far plane is written as such and dropped by the sort; were it dropped here, counting would have to
// round depths exactly as filling does.

@group(0) @binding(0) var<uniform> window: Window;
@group(0) @binding(1) var<storage, read> samples: array<i32>;
@group(0) @binding(2) var<storage, read> placed: array<vec4<i32>>;
@group(0) @binding(3) var<storage, read> corners: array<u32>;
@group(0) @binding(4) var<storage, read> segments: array<u32>;
@group(0) @binding(5) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read> offsets: array<u32>;
@group(0) @binding(7) var<storage, read_write> keys: array<u32>;
@group(0) @binding(8) var<storage, read_write> status: Status;

@compute @workgroup_size(64)
fn fill_columns(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let segment = thread(id, groups, 64u);
    let found = atomicLoad(&status.segments);
    if segment >= found || 3u * found > arrayLength(&segments) || status.fragments > arrayLength(&keys) {
        return;
    }
    let triangle = segments[3u * segment];
    let row = segments[3u * segment + 1u] & 0xffffu;
    let exit = segments[3u * segment + 1u] >> 16u;
    let covers = segments[3u * segment + 2u];
    let a = placed[corners[3u * triangle]].xyz;
    let b = placed[corners[3u * triangle + 1u]].xyz;
    let c = placed[corners[3u * triangle + 2u]].xyz;
    let columns = window.count.x;
    for (var column = covers & 0xffffu; column < (covers >> 16u); column++) {
        let depth = depth_at(vec2(samples[column], samples[columns + row]), a, b, c);
        let drop = window.size.w == 1 && depth > window.size.z;
        let pixel = row * columns + column;
        let left = atomicSub(&counts[pixel], 1u);
        keys[offsets[pixel] + left - 1u] = select((u32(depth) << 1u) | exit, BEYOND, drop);
    }
}
