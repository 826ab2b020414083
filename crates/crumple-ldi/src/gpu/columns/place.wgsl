// Samples and vertices on the grid of a window.

@group(0) @binding(0) var<uniform> window: Window;
@group(0) @binding(1) var<uniform> shape: Shape;
// Where the samples of a row lie, then those of a column, from the window's corner.
@group(0) @binding(2) var<storage, read_write> samples: array<i32>;
@group(0) @binding(3) var<storage, read> positions: array<u32>;
// Places from the window's corner and depth; the column and the row of the cell in one word.
@group(0) @binding(4) var<storage, read_write> placed: array<vec4<i32>>;

// The middle of pixel `number` of `count` along `side`: (2 number + 1) · side / (2 count), long division by 16 bits.
fn middle(number: u32, count: u32, side: i32) -> i32 {
    let wide = product(i32(2u * number + 1u), side);
    let divisor = 2u * count;
    var rest = u32(wide.high) % divisor;
    rest = (rest << 16u) | (wide.low >> 16u);
    let upper = rest / divisor;
    rest = ((rest % divisor) << 16u) | (wide.low & 0xffffu);
    return i32((upper << 16u) + rest / divisor);
}

@compute @workgroup_size(64)
fn place_samples(@builtin(global_invocation_id) id: vec3<u32>) {
    let columns = window.count.x;
    let rows = window.count.y;
    if !usable(window) || id.x >= columns + rows {
        return;
    }
    if id.x < columns {
        samples[id.x] = middle(id.x, columns, window.size.x);
    } else {
        samples[id.x] = middle(id.x - columns, rows, window.size.y);
    }
}

// How many of the samples from `first` on lie at or before a place; a guess, then put right.
fn cell(place: i32, first: u32, count: u32, side: i32) -> u32 {
    let guess = f32(place) / f32(side) * f32(count) + 0.5;
    var found = u32(clamp(guess, 0.0, f32(count)));
    while found < count && samples[first + found] <= place {
        found++;
    }
    while found > 0u && samples[first + found - 1u] > place {
        found--;
    }
    return found;
}

@compute @workgroup_size(64)
fn place_vertices(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let vertex = thread(id, groups, 64u);
    if !usable(window) || vertex >= shape.vertices {
        return;
    }
    var place = vec3<i32>();
    for (var k = 0u; k < 3u; k++) {
        let bits = positions[vertex * shape.stride + window.axes[k]];
        place[k] = on_grid(bits, window.exponent[k]) - window.low[k];
    }
    place.z = select(-place.z, place.z, window.axes.w == 1u);
    let column = cell(place.x, 0u, window.count.x, window.size.x);
    let row = cell(place.y, window.count.x, window.count.y, window.size.y);
    placed[vertex] = vec4(place, i32(column | (row << 16u)));
}
