// The length that lies inside both bodies, added up over all columns in 64 bits: whole numbers, so the order of the sums
// leaves no trace. The images look at each other, so b's column is walked backwards.

@group(0) @binding(0) var<uniform> window_a: Window;
@group(0) @binding(1) var<storage, read> offsets_a: array<u32>;
@group(0) @binding(2) var<storage, read> lengths_a: array<u32>;
@group(0) @binding(3) var<storage, read> keys_a: array<u32>;
@group(0) @binding(4) var<storage, read> offsets_b: array<u32>;
@group(0) @binding(5) var<storage, read> lengths_b: array<u32>;
@group(0) @binding(6) var<storage, read> keys_b: array<u32>;
// The sum, low word first.
@group(0) @binding(7) var<storage, read_write> sum: array<atomic<u32>, 4>;

var<workgroup> shared_low: array<u32, 64>;
var<workgroup> shared_high: array<u32, 64>;

fn inside(winding: i32) -> bool {
    return select(winding != 0, (winding & 1) == 1, window_a.count.z == 1u);
}

fn turn(key: u32) -> i32 {
    return select(1, -1, is_exit(key));
}

fn common_length(pixel: u32) -> u32 {
    let count_a = lengths_a[pixel];
    var left_b = lengths_b[pixel];
    if count_a == 0u || left_b == 0u {
        return 0u;
    }
    let start_a = offsets_a[pixel];
    let start_b = offsets_b[pixel];
    let depth = u32(window_a.size.z);
    var winding_a = 0;
    // At a's near plane, b is what it is at its far plane: everything it crossed.
    var winding_b = 0;
    for (var k = 0u; k < left_b; k++) {
        winding_b += turn(keys_b[start_b + k]);
    }
    var at_a = 0u;
    var here = 0u;
    var length = 0u;
    while here < depth {
        let next_a = select(depth, keys_a[start_a + min(at_a, count_a - 1u)] >> 1u, at_a < count_a);
        let next_b = select(depth, depth - (keys_b[start_b + max(left_b, 1u) - 1u] >> 1u), left_b > 0u);
        let next = min(min(next_a, next_b), depth);
        if inside(winding_a) && inside(winding_b) {
            length += next - here;
        }
        here = next;
        if at_a < count_a && next_a == here {
            winding_a += turn(keys_a[start_a + at_a]);
            at_a++;
        } else if left_b > 0u && next_b == here {
            left_b--;
            winding_b -= turn(keys_b[start_b + left_b]);
        }
    }
    return length;
}

@compute @workgroup_size(64)
fn add_up(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let pixel = thread(id, groups, 64u);
    var length = 0u;
    if usable(window_a) && pixel < window_a.count.x * window_a.count.y {
        length = common_length(pixel);
    }
    shared_low[local] = length;
    shared_high[local] = 0u;
    for (var reach = 32u; reach > 0u; reach /= 2u) {
        workgroupBarrier();
        if local < reach {
            let low = shared_low[local] + shared_low[local + reach];
            shared_high[local] += shared_high[local + reach] + select(0u, 1u, low < shared_low[local]);
            shared_low[local] = low;
        }
    }
    if local == 0u && (shared_low[0] | shared_high[0]) != 0u {
        // Whoever makes the low word wrap carries for it.
        let before = atomicAdd(&sum[0], shared_low[0]);
        let carry = select(0u, 1u, before + shared_low[0] < before);
        atomicAdd(&sum[1], shared_high[0] + carry);
    }
}
