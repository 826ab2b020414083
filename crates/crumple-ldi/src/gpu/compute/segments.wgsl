// What a triangle covers of each row: the samples between the crossings of its two edges there.
//
// Going round a triangle, each row that its corners part is crossed once upwards and once downwards. Going round counter-
// clockwise, the way up lies right of the way down. Along a closed surface every edge is run through as often upwards as
// downwards, by triangles that read one and the same crossing: so entries and exits of every column are equal in number.

@group(0) @binding(0) var<uniform> window: Window;
@group(0) @binding(1) var<uniform> shape: Shape;
@group(0) @binding(2) var<storage, read> placed: array<vec4<i32>>;
@group(0) @binding(3) var<storage, read> corners: array<u32>;
@group(0) @binding(4) var<storage, read> sides: array<u32>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
@group(0) @binding(6) var<storage, read> crossings: array<u32>;
// Three words each: triangle; row, and 1 << 16 for an exit; first sample and, shifted by 16, one beyond the last.
@group(0) @binding(7) var<storage, read_write> segments: array<u32>;
@group(0) @binding(8) var<storage, read_write> status: Status;

struct Covered {
    first: u32,
    end: u32,
    exit: bool,
}

fn covered(row: u32, rows: vec3<u32>, starts_of: vec3<u32>) -> Covered {
    var up = 0u;
    var down = 0u;
    for (var k = 0u; k < 3u; k++) {
        let from_row = rows[k];
        let to_row = rows[(k + 1u) % 3u];
        if from_row <= row && row < to_row {
            up = crossings[starts_of[k] + row - from_row];
        } else if to_row <= row && row < from_row {
            down = crossings[starts_of[k] + row - to_row];
        }
    }
    // (u, v, w) is right-handed: counter-clockwise triangles face along +w.
    let counter_clockwise = down < up;
    return Covered(min(up, down), max(up, down), counter_clockwise == (window.axes.w == 1u));
}

@compute @workgroup_size(64)
fn cover_rows(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let triangle = thread(id, groups, 64u);
    if !usable(window) || triangle >= shape.triangles || atomicLoad(&status.crossings) > arrayLength(&crossings) {
        return;
    }
    let a = placed[corners[3u * triangle]];
    let b = placed[corners[3u * triangle + 1u]];
    let c = placed[corners[3u * triangle + 2u]];
    let differ = (a.w ^ b.w) | (a.w ^ c.w);
    let beyond = window.size.w == 1 && min(min(a.z, b.z), c.z) > window.size.z;
    if (differ & 0xffff) == 0 || (differ >> 16u) == 0 || beyond {
        return;
    }
    let rows = vec3(u32(a.w) >> 16u, u32(b.w) >> 16u, u32(c.w) >> 16u);
    let from_row = min(min(rows.x, rows.y), rows.z);
    let to_row = max(max(rows.x, rows.y), rows.z);
    let at = vec3(sides[3u * triangle], sides[3u * triangle + 1u], sides[3u * triangle + 2u]);
    let starts_of = vec3(starts[at.x], starts[at.y], starts[at.z]);
    var count = 0u;
    for (var row = from_row; row < to_row; row++) {
        let here = covered(row, rows, starts_of);
        count += select(0u, 1u, here.first < here.end);
    }
    if count == 0u {
        return;
    }
    let start = atomicAdd(&status.segments, count);
    if start + count < start || start > 0x40000000u {
        atomicMax(&status.saturated, 2u);
        return;
    }
    if 3u * (start + count) > arrayLength(&segments) {
        return;
    }
    var next = 3u * start;
    for (var row = from_row; row < to_row; row++) {
        let here = covered(row, rows, starts_of);
        if here.first < here.end {
            segments[next] = triangle;
            segments[next + 1u] = row | select(0u, 0x10000u, here.exit);
            segments[next + 2u] = here.first | (here.end << 16u);
            next += 3u;
        }
    }
}
