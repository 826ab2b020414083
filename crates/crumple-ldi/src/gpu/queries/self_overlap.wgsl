// Where a body overlaps itself: the lengths along which the winding number is not 0 or 1, added up over all columns in 64
// bits, and the spans that are inside the body more than once. What a body turned inside out as a whole would show is
// added up beside it, since which of the two it is shows only in the sums.

@group(0) @binding(0) var<uniform> window: Window;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> lengths: array<u32>;
@group(0) @binding(3) var<storage, read> keys: array<u32>;
// Sums of 64 bits, low word first. Lengths for a body that faces outward: covered more than once, turned inside out. The
// same two for one that faces inward. Windings times lengths: positive ones, negative ones. Then two counts of 32 bits: the
// columns that show any of it if the body faces outward, and if it faces inward.
@group(0) @binding(7) var<storage, read_write> sums: array<atomic<u32>, 16>;
// As in overlap.wgsl.
@group(0) @binding(8) var<storage, read_write> span_counts: array<u32>;
@group(0) @binding(9) var<storage, read> span_offsets: array<u32>;
@group(0) @binding(10) var<storage, read_write> spans: array<vec2<u32>>;

// Where a walk along a column has come to.
struct Walk {
    start: u32,
    count: u32,
    at: u32,
    winding: i32,
}

// From one depth to the next, and the winding number in between; empty behind the last.
struct Stretch {
    low: u32,
    high: u32,
    winding: i32,
}

fn begin(pixel: u32) -> Walk {
    return Walk(offsets[pixel], lengths[pixel], 0u, 0);
}

fn next_stretch(walk: ptr<function, Walk>) -> Stretch {
    if (*walk).at >= (*walk).count {
        return Stretch(0u, 0u, 0);
    }
    let low = keys[(*walk).start + (*walk).at] >> 1u;
    while (*walk).at < (*walk).count && (keys[(*walk).start + (*walk).at] >> 1u) == low {
        (*walk).winding += select(1, -1, is_exit(keys[(*walk).start + (*walk).at]));
        (*walk).at++;
    }
    if (*walk).at >= (*walk).count {
        return Stretch(0u, 0u, 0);
    }
    return Stretch(low, keys[(*walk).start + (*walk).at] >> 1u, (*walk).winding);
}

fn has_column(pixel: u32) -> bool {
    return usable(window) && pixel < window.count.x * window.count.y;
}

fn plus(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn add_to(word: u32, value: vec2<u32>) {
    if (value.x | value.y) != 0u {
        // Whoever makes the low word wrap carries for it.
        let before = atomicAdd(&sums[word], value.x);
        atomicAdd(&sums[word + 1u], value.y + select(0u, 1u, before + value.x < before));
    }
}

@compute @workgroup_size(64)
fn add_up_windings(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let pixel = thread(id, groups, 64u);
    if !has_column(pixel) {
        return;
    }
    var walk = begin(pixel);
    var found: array<vec2<u32>, 6>;
    loop {
        let stretch = next_stretch(&walk);
        if stretch.low == stretch.high {
            break;
        }
        let length = stretch.high - stretch.low;
        let winding = stretch.winding;
        let own = product(i32(length), abs(winding));
        let weighted = vec2(own.low, u32(own.high));
        let plain = vec2(length, 0u);
        let none = vec2(0u, 0u);
        found[0] = plus(found[0], select(none, plain, winding >= 2));
        found[1] = plus(found[1], select(none, plain, winding <= -1));
        found[2] = plus(found[2], select(none, plain, winding <= -2));
        found[3] = plus(found[3], select(none, plain, winding >= 1));
        found[4] = plus(found[4], select(none, weighted, winding > 0));
        found[5] = plus(found[5], select(none, weighted, winding < 0));
    }
    for (var k = 0u; k < 6u; k++) {
        add_to(2u * k, found[k]);
    }
    atomicAdd(&sums[12], select(0u, 1u, any((found[0] | found[1]) != vec2(0u))));
    atomicAdd(&sums[13], select(0u, 1u, any((found[2] | found[3]) != vec2(0u))));
}

// Whether the body as a whole faces outward.
fn outward() -> bool {
    let positive = vec2(atomicLoad(&sums[8]), atomicLoad(&sums[9]));
    let negative = vec2(atomicLoad(&sums[10]), atomicLoad(&sums[11]));
    return positive.y > negative.y || (positive.y == negative.y && positive.x >= negative.x);
}

// The next span that is inside the body more than once; an empty one behind the last.
fn next_span(walk: ptr<function, Walk>, facing: i32) -> vec2<u32> {
    var span = vec2(0u);
    loop {
        let stretch = next_stretch(walk);
        let is_twice = stretch.low != stretch.high && stretch.winding * facing >= 2;
        if is_twice {
            span = vec2(select(span.x, stretch.low, span.x == span.y), stretch.high);
        } else if span.x != span.y || stretch.low == stretch.high {
            return span;
        }
    }
    return span;
}

@compute @workgroup_size(64)
fn count_self_spans(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let pixel = thread(id, groups, 64u);
    if !has_column(pixel) {
        return;
    }
    let facing = select(-1, 1, outward());
    var walk = begin(pixel);
    var count = 0u;
    loop {
        let span = next_span(&walk, facing);
        if span.x == span.y {
            break;
        }
        count++;
    }
    span_counts[pixel] = count;
}

@compute @workgroup_size(64)
fn write_self_spans(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let pixel = thread(id, groups, 64u);
    if !has_column(pixel) || span_offsets[window.count.x * window.count.y] > arrayLength(&spans) {
        return;
    }
    let facing = select(-1, 1, outward());
    var walk = begin(pixel);
    for (var at = span_offsets[pixel]; at < span_offsets[pixel + 1u]; at++) {
        spans[at] = next_span(&walk, facing);
    }
}
