// What lies inside both bodies: the length, added up over all columns in 64 bits (whole numbers, so the order of the sums
// leaves no trace), and the spans themselves. The images look at each other, so b's column is walked backwards.

@group(0) @binding(0) var<uniform> window_a: Window;
@group(0) @binding(1) var<storage, read> offsets_a: array<u32>;
@group(0) @binding(2) var<storage, read> lengths_a: array<u32>;
@group(0) @binding(3) var<storage, read> keys_a: array<u32>;
@group(0) @binding(4) var<storage, read> offsets_b: array<u32>;
@group(0) @binding(5) var<storage, read> lengths_b: array<u32>;
@group(0) @binding(6) var<storage, read> keys_b: array<u32>;
// The sum, low word first.
@group(0) @binding(7) var<storage, read_write> sum: array<atomic<u32>, 4>;
// How many spans each column has, where they begin, and the spans: from where to where, in a's depths.
@group(0) @binding(8) var<storage, read_write> span_counts: array<u32>;
@group(0) @binding(9) var<storage, read> span_offsets: array<u32>;
@group(0) @binding(10) var<storage, read_write> spans: array<vec2<u32>>;

var<workgroup> shared_low: array<u32, 64>;
var<workgroup> shared_high: array<u32, 64>;

fn inside(winding: i32) -> bool {
    return select(winding != 0, (winding & 1) == 1, window_a.count.z == 1u);
}

fn turn(key: u32) -> i32 {
    return select(1, -1, is_exit(key));
}

// Where a walk along both columns has come to. Depths are a's.
struct Walk {
    start_a: u32,
    count_a: u32,
    at_a: u32,
    start_b: u32,
    left_b: u32,
    winding_a: i32,
    winding_b: i32,
    here: u32,
}

fn begin(pixel: u32) -> Walk {
    var walk = Walk(offsets_a[pixel], lengths_a[pixel], 0u, offsets_b[pixel], lengths_b[pixel], 0, 0, 0u);
    if walk.count_a == 0u {
        walk.left_b = 0u;
    }
    // At a's near plane, b is what it is at its far plane: everything it crossed.
    for (var k = 0u; k < walk.left_b; k++) {
        walk.winding_b += turn(keys_b[walk.start_b + k]);
    }
    return walk;
}

// The next span that lies inside both bodies; an empty one behind the last. Everything at one depth is taken in before
// it is asked whether the ray is inside, so that bodies that end where they begin again are in one span.
fn next_span(walk: ptr<function, Walk>) -> vec2<u32> {
    let depth = u32(window_a.size.z);
    var low = 0u;
    var is_open = false;
    loop {
        while (*walk).at_a < (*walk).count_a && (keys_a[(*walk).start_a + (*walk).at_a] >> 1u) <= (*walk).here {
            (*walk).winding_a += turn(keys_a[(*walk).start_a + (*walk).at_a]);
            (*walk).at_a++;
        }
        while (*walk).left_b > 0u && depth - (keys_b[(*walk).start_b + (*walk).left_b - 1u] >> 1u) <= (*walk).here {
            (*walk).left_b--;
            (*walk).winding_b -= turn(keys_b[(*walk).start_b + (*walk).left_b]);
        }
        let here = (*walk).here;
        let both = here < depth && inside((*walk).winding_a) && inside((*walk).winding_b);
        if both && !is_open {
            low = here;
            is_open = true;
        } else if is_open && !both {
            return vec2(low, here);
        }
        // Behind the last crossing of either body nothing begins.
        if here >= depth || (!is_open && ((*walk).at_a == (*walk).count_a && (*walk).left_b == 0u)) {
            return vec2(depth);
        }
        var next = depth;
        if (*walk).at_a < (*walk).count_a {
            next = min(next, keys_a[(*walk).start_a + (*walk).at_a] >> 1u);
        }
        if (*walk).left_b > 0u {
            next = min(next, depth - (keys_b[(*walk).start_b + (*walk).left_b - 1u] >> 1u));
        }
        (*walk).here = next;
    }
    return vec2(depth);
}

fn has_columns(pixel: u32) -> bool {
    return usable(window_a) && pixel < window_a.count.x * window_a.count.y;
}

fn common_length(pixel: u32) -> u32 {
    var walk = begin(pixel);
    var length = 0u;
    loop {
        let span = next_span(&walk);
        if span.x == span.y {
            return length;
        }
        length += span.y - span.x;
    }
    return length;
}

@compute @workgroup_size(64)
fn count_spans(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let pixel = thread(id, groups, 64u);
    if !has_columns(pixel) {
        return;
    }
    var walk = begin(pixel);
    var count = 0u;
    loop {
        let span = next_span(&walk);
        if span.x == span.y {
            break;
        }
        count++;
    }
    span_counts[pixel] = count;
}

@compute @workgroup_size(64)
fn write_spans(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let pixel = thread(id, groups, 64u);
    // Where there is too little room nothing is written: the caller makes more and asks again.
    if !has_columns(pixel) || span_offsets[window_a.count.x * window_a.count.y] > arrayLength(&spans) {
        return;
    }
    var walk = begin(pixel);
    for (var at = span_offsets[pixel]; at < span_offsets[pixel + 1u]; at++) {
        spans[at] = next_span(&walk);
    }
}

@compute @workgroup_size(64)
fn add_up(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let pixel = thread(id, groups, 64u);
    var length = 0u;
    if has_columns(pixel) {
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
