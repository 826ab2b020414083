// For each point whether it lies inside, a bit each.

struct Points {
    count: u32,
    // Floats from point to point.
    stride: u32,
    unused_0: u32,
    unused_1: u32,
}

@group(0) @binding(0) var<uniform> window: Window;
@group(0) @binding(1) var<uniform> points: Points;
@group(0) @binding(2) var<storage, read> positions: array<u32>;
@group(0) @binding(3) var<storage, read> offsets: array<u32>;
@group(0) @binding(4) var<storage, read> lengths: array<u32>;
@group(0) @binding(5) var<storage, read> keys: array<u32>;
@group(0) @binding(6) var<storage, read_write> mask: array<atomic<u32>>;

// The pixel a place falls into, place · count / side; a guess, then put right. The upper border belongs to the last.
fn pixel_along(place: i32, count: u32, side: i32) -> u32 {
    let scaled = product(place, i32(count));
    var found = u32(clamp(f32(place) / f32(side) * f32(count), 0.0, f32(count)));
    while found < count && at_most(product(i32(found + 1u), side), scaled) {
        found++;
    }
    while found > 0u && !at_most(product(i32(found), side), scaled) {
        found--;
    }
    return min(found, count - 1u);
}

fn lies_inside(point: u32) -> bool {
    var place = vec3<i32>();
    for (var k = 0u; k < 3u; k++) {
        let axis = window.axes[k];
        let bits = positions[point * points.stride + axis];
        let at = bitcast<f32>(bits);
        let finite = (bits & 0x7f800000u) != 0x7f800000u;
        if !finite || at < window.world_low[axis] || at > window.world_high[axis] {
            return false;
        }
        place[k] = on_grid(bits, window.exponent[k]) - window.low[k];
    }
    let depth = u32(select(-place.z, place.z, window.axes.w == 1u));
    let column = pixel_along(place.x, window.count.x, window.size.x);
    let row = pixel_along(place.y, window.count.y, window.size.y);
    let pixel = row * window.count.x + column;
    let start = offsets[pixel];
    var winding = 0;
    for (var k = 0u; k < lengths[pixel]; k++) {
        let key = keys[start + k];
        if (key >> 1u) == depth {
            return true;
        }
        if (key >> 1u) > depth {
            break;
        }
        winding += select(1, -1, is_exit(key));
    }
    return select(winding != 0, (winding & 1) == 1, window.count.z == 1u);
}

@compute @workgroup_size(64)
fn test_points(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let point = thread(id, groups, 64u);
    if usable(window) && point < points.count && lies_inside(point) {
        atomicOr(&mask[point / 32u], 1u << (point % 32u));
    }
}
