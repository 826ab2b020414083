// Crosses every edge with the rows between its ends, once; both triangles at the edge read what is written here.
//
// A row at y crosses an edge when lower.y < y <= upper.y. There the edge is at x = lower.x + (y - lower.y) · dx / dy, and
// a sample s lies at or before x exactly if (s - lower.x) · dy <= (y - lower.y) · dx: whole numbers of 64 bits decide.

@group(0) @binding(0) var<uniform> window: Window;
@group(0) @binding(1) var<uniform> shape: Shape;
@group(0) @binding(2) var<storage, read> samples: array<i32>;
@group(0) @binding(3) var<storage, read> placed: array<vec4<i32>>;
@group(0) @binding(4) var<storage, read> ends: array<vec2<u32>>;
// Where an edge's crossings begin; the cell at each of its rows.
@group(0) @binding(5) var<storage, read_write> starts: array<u32>;
@group(0) @binding(6) var<storage, read_write> crossings: array<u32>;
@group(0) @binding(7) var<storage, read_write> status: Status;

fn at_or_before(sample: i32, lower: vec4<i32>, dy: i32, along: Wide) -> bool {
    return at_most(product(sample - lower.x, dy), along);
}

fn crossed_cell(lower: vec4<i32>, upper: vec4<i32>, row: u32) -> u32 {
    let columns = window.count.x;
    let dx = upper.x - lower.x;
    let dy = upper.y - lower.y;
    let rise = samples[columns + row] - lower.y;
    let along = product(rise, dx);
    let x = f32(lower.x) + f32(dx) * (f32(rise) / f32(dy));
    var found = u32(clamp(x / f32(window.size.x) * f32(columns) + 0.5, 0.0, f32(columns)));
    while found < columns && at_or_before(samples[found], lower, dy, along) {
        found++;
    }
    while found > 0u && !at_or_before(samples[found - 1u], lower, dy, along) {
        found--;
    }
    return found;
}

@compute @workgroup_size(64)
fn cross_edges(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let edge = thread(id, groups, 64u);
    if !usable(window) || edge >= shape.edges {
        return;
    }
    var lower = placed[ends[edge].x];
    var upper = placed[ends[edge].y];
    if (lower.w >> 16u) == (upper.w >> 16u) {
        return;
    }
    if lower.y > upper.y {
        let swapped = lower;
        lower = upper;
        upper = swapped;
    }
    let first_row = u32(lower.w) >> 16u;
    let rows = (u32(upper.w) >> 16u) - first_row;
    let start = atomicAdd(&status.crossings, rows);
    starts[edge] = start;
    if start + rows < start {
        atomicMax(&status.saturated, 2u);
    }
    if start + rows > arrayLength(&crossings) {
        return;
    }
    let column = u32(lower.w) & 0xffffu;
    let one_column = column == (u32(upper.w) & 0xffffu);
    for (var k = 0u; k < rows; k++) {
        if one_column {
            crossings[start + k] = column;
        } else {
            crossings[start + k] = crossed_cell(lower, upper, first_row + k);
        }
    }
}
