// The smallest box around all vertices. Floats become unsigned numbers that sort alike; minima are kept inverted, so that
// a box of zeros is the empty one and every word is a maximum.

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> positions: array<u32>;
// Lower corner (inverted), upper corner, 1 if a number is not finite.
@group(0) @binding(2) var<storage, read_write> box: array<atomic<u32>, 8>;

var<workgroup> shared_box: array<atomic<u32>, 8>;

fn sortable(bits: u32) -> u32 {
    return bits ^ select(0x80000000u, 0xffffffffu, (bits >> 31u) == 1u);
}

@compute @workgroup_size(64)
fn bounds(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    var found = array<u32, 7>(0u, 0u, 0u, 0u, 0u, 0u, 0u);
    let threads = groups.x * groups.y * 64u;
    for (var vertex = thread(id, groups, 64u); vertex < shape.vertices; vertex += threads) {
        for (var axis = 0u; axis < 3u; axis++) {
            let bits = positions[vertex * shape.stride + axis];
            let word = sortable(bits);
            found[axis] = max(found[axis], ~word);
            found[3u + axis] = max(found[3u + axis], word);
            found[6] |= select(0u, 1u, (bits & 0x7f800000u) == 0x7f800000u);
        }
    }
    for (var word = 0u; word < 7u; word++) {
        atomicMax(&shared_box[word], found[word]);
    }
    workgroupBarrier();
    if local < 7u {
        atomicMax(&box[local], atomicLoad(&shared_box[local]));
    }
}
