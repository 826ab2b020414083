// Where to look, decided where the boxes are: for a whole body its own box; for two, the volume of interest with a pair
// of opposite outside faces, by the rules of `crate::VolumeOfInterest`.

struct Query {
    columns: u32,
    rows: u32,
    parity: u32,
    // 1 for two bodies.
    overlap: u32,
    // For one body: the axis and whether along it.
    axis: u32,
    positive: u32,
    unused_0: u32,
    unused_1: u32,
}

struct Box {
    low: vec3<f32>,
    high: vec3<f32>,
    finite: bool,
}

const APART = 1;
const FLAT = 2;
const NOT_FINITE = 3;

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> box_a: array<u32, 8>;
@group(0) @binding(2) var<storage, read> box_b: array<u32, 8>;
@group(0) @binding(3) var<storage, read_write> windows: array<Window, 2>;

fn float_of(word: u32) -> f32 {
    return bitcast<f32>(word ^ select(0xffffffffu, 0x80000000u, (word >> 31u) == 1u));
}

fn decoded(words: array<u32, 8>) -> Box {
    let low = vec3(float_of(~words[0]), float_of(~words[1]), float_of(~words[2]));
    let high = vec3(float_of(words[3]), float_of(words[4]), float_of(words[5]));
    return Box(low, high, words[6] == 0u);
}

// The step at which 2^31 of them just hold a length: one more than the length's own exponent, less 31.
fn step_for(low: f32, high: f32) -> i32 {
    var bits = bitcast<u32>(high - low);
    var extra = 0;
    if (bits & 0x7f800000u) == 0x7f800000u {
        bits = bitcast<u32>(0.5 * high - 0.5 * low);
        extra = 1;
    }
    return i32(max((bits >> 23u) & 0xffu, 1u)) - 127 + 1 - 31 + extra;
}

fn look(bounds: Box, around: Box, axis: u32, positive: bool, cuts: bool) -> Window {
    let axes = vec3((axis + 1u) % 3u, (axis + 2u) % 3u, axis);
    var window: Window;
    window.axes = vec4(axes, u32(positive));
    window.count = vec4(query.columns, query.rows, query.parity, 0u);
    window.world_low = vec4(bounds.low, 0.0);
    window.world_high = vec4(bounds.high, 0.0);
    window.size.w = i32(cuts);
    for (var k = 0u; k < 3u; k++) {
        let exponent = step_for(around.low[axes[k]], around.high[axes[k]]);
        let low = on_grid(bitcast<u32>(bounds.low[axes[k]]), exponent);
        let high = on_grid(bitcast<u32>(bounds.high[axes[k]]), exponent);
        window.exponent[k] = exponent;
        window.size[k] = high - low;
        // Depth counts from the near plane.
        window.low[k] = select(low, high, k == 2u && !positive);
    }
    // Far smaller than its bodies, a box may have no step of the grid inside.
    window.exponent.w = select(0, APART, any(window.size.xyz <= vec3(0)));
    return window;
}


@compute @workgroup_size(1)
fn choose() {
    windows[1].exponent.w = APART;
    let a = decoded(box_a);
    windows[0].world_low = vec4(a.low, 0.0);
    windows[0].world_high = vec4(a.high, 0.0);
    if !a.finite {
        windows[0].exponent.w = NOT_FINITE;
        return;
    }
    if !all(a.low < a.high) {
        windows[0].exponent.w = FLAT;
        return;
    }
    if query.overlap == 0u {
        windows[0] = look(a, a, query.axis, query.positive == 1u, false);
        return;
    }
    let b = decoded(box_b);
    windows[1].world_low = vec4(b.low, 0.0);
    windows[1].world_high = vec4(b.high, 0.0);
    if !b.finite || !all(b.low < b.high) {
        windows[0].exponent.w = APART;
        windows[1].exponent.w = select(NOT_FINITE, FLAT, b.finite);
        return;
    }
    let meeting = Box(max(a.low, b.low), min(a.high, b.high), true);
    if !all(meeting.low < meeting.high) {
        windows[0].exponent.w = APART;
        return;
    }
    // Two candidates an axis; those that extend nothing come first, then the shortest.
    var best_extended = true;
    var best_distance = 0.0;
    var best = meeting;
    var best_axis = 3u;
    var best_positive = false;
    for (var number = 0u; number < 6u; number++) {
        let axis = number / 2u;
        let positive = number % 2u == 0u;
        let low = select(b.low[axis], a.low[axis], positive);
        let high = select(a.high[axis], b.high[axis], positive);
        let extended = low != meeting.low[axis] || high != meeting.high[axis];
        let distance = high - low;
        let better = best_axis == 3u || (best_extended && !extended)
            || (best_extended == extended && distance < best_distance);
        if better {
            best_extended = extended;
            best_distance = distance;
            best = meeting;
            best.low[axis] = low;
            best.high[axis] = high;
            best_axis = axis;
            best_positive = positive;
        }
    }
    let around = Box(min(a.low, b.low), max(a.high, b.high), true);
    windows[0] = look(best, around, best_axis, best_positive, true);
    windows[1] = look(best, around, best_axis, !best_positive, true);
}
