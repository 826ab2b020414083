// How many crossings each column will have, those beyond the far plane included.

@group(0) @binding(0) var<uniform> window: Window;
@group(0) @binding(1) var<storage, read> segments: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> status: Status;

@compute @workgroup_size(64)
fn count_crossings(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let segment = thread(id, groups, 64u);
    let found = atomicLoad(&status.segments);
    if segment >= found || 3u * found > arrayLength(&segments) {
        return;
    }
    let row = segments[3u * segment + 1u] & 0xffffu;
    let covers = segments[3u * segment + 2u];
    let before = row * window.count.x;
    for (var column = covers & 0xffffu; column < (covers >> 16u); column++) {
        atomicAdd(&counts[before + column], 1u);
    }
}
