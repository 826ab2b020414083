// Draws a body's triangles: each fragment that is kept is a crossing, with its depth and its side.
//
//   o───────────────o      the cells of a triangle's corners bound the samples it can cover; one right triangle over
//   │ ┌──────┐  ..'        twice that box proposes them all
//   │ │  /\  │..'
//   │ │ /  \..│            the fragment shader keeps those between the crossings of two edges with the sample's row, by
//   │ └─..───┘             the products of 64 bits of compute/edges.wgsl, and discards the rest
//   o.'
//
// Nothing is clipped in depth, since all vertices get the same z: what lies beyond the far plane is discarded, which keeps
// it from being counted too.

@group(0) @binding(0) var<uniform> window: Window;
@group(0) @binding(1) var<storage, read> samples: array<i32>;
@group(0) @binding(2) var<storage, read> placed: array<vec4<i32>>;
@group(0) @binding(3) var<storage, read> corners: array<u32>;

struct Fragment {
    @invariant @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat, either) triangle: u32,
}

@vertex
fn project(@builtin(vertex_index) number: u32) -> Fragment {
    let triangle = number / 3u;
    let a = placed[corners[3u * triangle]];
    let b = placed[corners[3u * triangle + 1u]];
    let c = placed[corners[3u * triangle + 2u]];
    let columns = vec3(a.w, b.w, c.w) & vec3(0xffff);
    let rows = vec3(a.w, b.w, c.w) >> vec3(16u);
    let low = vec2(min(min(columns.x, columns.y), columns.z), min(min(rows.x, rows.y), rows.z));
    let high = vec2(max(max(columns.x, columns.y), columns.z), max(max(rows.x, rows.y), rows.z));
    let beyond = window.size.w == 1 && min(min(a.z, b.z), c.z) > window.size.z;
    if !usable(window) || any(low == high) || beyond {
        return Fragment(vec4(2.0, 2.0, 0.5, 1.0), triangle);
    }
    let corner = number % 3u;
    let reach = vec2(select(0, 2, corner == 1u), select(0, 2, corner == 2u));
    let at = vec2<f32>(low + reach * (high - low)) / vec2<f32>(window.count.xy);
    return Fragment(vec4(2.0 * at.x - 1.0, 1.0 - 2.0 * at.y, 0.5, 1.0), triangle);
}

// Whether a sample lies at or before where an edge crosses the sample's row.
fn at_or_before(sample: vec2<i32>, from_end: vec4<i32>, to_end: vec4<i32>) -> bool {
    let upwards = from_end.y < to_end.y;
    let lower = select(to_end, from_end, upwards);
    let upper = select(from_end, to_end, upwards);
    return at_most(product(sample.x - lower.x, upper.y - lower.y), product(sample.y - lower.y, upper.x - lower.x));
}

@fragment
fn note(fragment: Fragment) -> @location(0) u32 {
    // Regions lie at whole multiples of the image's size.
    let column = u32(fragment.position.x) % window.count.x;
    let row = u32(fragment.position.y) % window.count.y;
    let here = vec2(samples[column], samples[window.count.x + row]);
    let first = 3u * fragment.triangle;
    let a = placed[corners[first]];
    let b = placed[corners[first + 1u]];
    let c = placed[corners[first + 2u]];
    // Going round, the row is crossed once upwards and once downwards, or not at all.
    var right_of_up = false;
    var right_of_down = false;
    for (var k = 0u; k < 3u; k++) {
        var from_end = a;
        var to_end = b;
        if k == 1u {
            from_end = b;
            to_end = c;
        } else if k == 2u {
            from_end = c;
            to_end = a;
        }
        let from_row = u32(from_end.w) >> 16u;
        let to_row = u32(to_end.w) >> 16u;
        if from_row <= row && row < to_row {
            right_of_up = !at_or_before(here, from_end, to_end);
        } else if to_row <= row && row < from_row {
            right_of_down = !at_or_before(here, from_end, to_end);
        }
    }
    if right_of_up == right_of_down {
        discard;
    }
    let depth = depth_at(here, a.xyz, b.xyz, c.xyz);
    if window.size.w == 1 && depth > window.size.z {
        discard;
    }
    // Counter-clockwise, the way up lies right of the way down.
    let exit = right_of_down == (window.axes.w == 1u);
    return (u32(depth) << 1u) | select(0u, 1u, exit);
}
