// Turns counts into where each column begins: sums of blocks of 4096, sums of those, then every place in its block.
// Two levels reach 4096 · 4096 columns, the most an image has.

@group(0) @binding(0) var<uniform> window: Window;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> offsets: array<u32>;
@group(0) @binding(3) var<storage, read_write> sums: array<u32, 4096>;
@group(0) @binding(4) var<storage, read_write> status: Status;

const EACH = 16u;

var<workgroup> part: array<u32, 256>;

fn pixel_count() -> u32 {
    return window.count.x * window.count.y;
}

// Turns the parts into sums of all parts before each, and returns the sum of all.
fn sum_before(local: u32) -> u32 {
    for (var reach = 1u; reach < 256u; reach *= 2u) {
        workgroupBarrier();
        let before = select(0u, part[local - min(reach, local)], local >= reach);
        workgroupBarrier();
        part[local] += before;
    }
    workgroupBarrier();
    let all = part[255];
    let before = select(0u, part[max(local, 1u) - 1u], local > 0u);
    workgroupBarrier();
    part[local] = before;
    workgroupBarrier();
    return all;
}

@compute @workgroup_size(256)
fn sum_blocks(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let first = (group.x * 256u + local) * EACH;
    var sum = 0u;
    for (var k = first; k < min(first + EACH, pixel_count()); k++) {
        sum += counts[k];
    }
    part[local] = sum;
    let all = sum_before(local);
    if local == 0u {
        sums[group.x] = all;
    }
}

@compute @workgroup_size(256)
fn sum_sums(@builtin(local_invocation_index) local: u32) {
    let blocks = (pixel_count() + 4095u) / 4096u;
    let first = local * EACH;
    var sum = 0u;
    for (var k = first; k < min(first + EACH, blocks); k++) {
        sum += sums[k];
    }
    part[local] = sum;
    let all = sum_before(local);
    var before = part[local];
    for (var k = first; k < min(first + EACH, blocks); k++) {
        let here = sums[k];
        sums[k] = before;
        before += here;
    }
    storageBarrier();
    if local == 0u && blocks > 0u {
        // What 32 bits cannot number would begin anew at 0; a sum of floats does not.
        var rough = 0.0;
        for (var k = 0u; k + 1u < blocks; k++) {
            rough += f32(sums[k + 1u] - sums[k]);
        }
        if rough + f32(all - sums[blocks - 1u]) > 4294967000.0 {
            atomicMax(&status.saturated, 2u);
        }
        status.fragments = all;
        offsets[pixel_count()] = all;
    }
}

@compute @workgroup_size(256)
fn place_columns(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let first = (group.x * 256u + local) * EACH;
    var sum = 0u;
    for (var k = first; k < min(first + EACH, pixel_count()); k++) {
        sum += counts[k];
    }
    part[local] = sum;
    sum_before(local);
    var before = sums[group.x] + part[local];
    for (var k = first; k < min(first + EACH, pixel_count()); k++) {
        offsets[k] = before;
        before += counts[k];
    }
}
