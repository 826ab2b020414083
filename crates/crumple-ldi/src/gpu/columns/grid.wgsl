// What every shader here shares: the window, whole numbers for coordinates, and products of 64 bits.
//
// Coordinates are whole numbers: 2^31 of them span the bodies along each axis, so that differences fit an i32. Positions
// themselves are kept modulo 2^32, which differences do not notice. Whole numbers do not round, so every shader and every
// card gets the same ones.

struct Window {
    // The numbers of the coordinates u, v (across) and w (in depth); 1 if the image looks along +w.
    axes: vec4<u32>,
    // The lower corner in u and v, and the near plane in w, on the grid.
    low: vec4<i32>,
    // The sides and the depth on the grid; 1 if the far plane cuts.
    size: vec4<i32>,
    // One step of the grid is 2 to this power, in u, v and w; then what is wrong, 0 if nothing is.
    exponent: vec4<i32>,
    // Columns, rows, 1 for parity.
    count: vec4<u32>,
    // The box in world coordinates x, y, z.
    world_low: vec4<f32>,
    world_high: vec4<f32>,
    // Up to 256 bytes, written out because not every backend heeds a size given to a member.
    unused: array<vec4<u32>, 9>,
}

// How many of everything a body has; floats from vertex to vertex.
struct Shape {
    vertices: u32,
    stride: u32,
    edges: u32,
    triangles: u32,
}

// What kernels tell each other and the caller.
struct Status {
    crossings: atomic<u32>,
    segments: atomic<u32>,
    fragments: u32,
    depth_complexity: atomic<u32>,
    odd: atomic<u32>,
    unordered: atomic<u32>,
    kept: atomic<u32>,
    // 1 if a column has more fragments than a stencil can count.
    saturated: atomic<u32>,
}

const BEYOND = 0xffffffffu;

fn usable(window: Window) -> bool {
    return window.exponent.w == 0;
}

// The number of this thread among all of them; a dispatch of many groups is folded into rows of 32768.
fn thread(id: vec3<u32>, groups: vec3<u32>, size: u32) -> u32 {
    return id.x + id.y * groups.x * size;
}

// A float on the grid of step 2^exponent, rounded to the nearest, modulo 2^32. Done on its bits, since a product may
// round, overflow or flush to zero.
fn on_grid(bits: u32, exponent: i32) -> i32 {
    let field = (bits >> 23u) & 0xffu;
    let mantissa = (bits & 0x7fffffu) | select(0u, 0x800000u, field > 0u);
    let shift = i32(max(field, 1u)) - 150 - exponent;
    var whole = 0u;
    if shift >= 0 {
        whole = select(0u, mantissa << u32(min(shift, 31)), shift < 32);
    } else if shift >= -25 {
        let right = u32(-shift);
        whole = (mantissa + (1u << (right - 1u))) >> right;
    }
    return select(i32(whole), -i32(whole), (bits >> 31u) == 1u);
}

struct Wide {
    high: i32,
    low: u32,
}

fn product(a: i32, b: i32) -> Wide {
    let x = u32(abs(a));
    let y = u32(abs(b));
    let x0 = x & 0xffffu;
    let x1 = x >> 16u;
    let y0 = y & 0xffffu;
    let y1 = y >> 16u;
    let bottom = x0 * y0;
    let middle = x1 * y0 + (bottom >> 16u);
    let other = x0 * y1 + (middle & 0xffffu);
    var high = x1 * y1 + (middle >> 16u) + (other >> 16u);
    var low = (other << 16u) | (bottom & 0xffffu);
    if (a < 0) != (b < 0) {
        low = ~low + 1u;
        high = ~high + select(0u, 1u, low == 0u);
    }
    return Wide(i32(high), low);
}

fn at_most(a: Wide, b: Wide) -> bool {
    return a.high < b.high || (a.high == b.high && a.low <= b.low);
}

fn difference(a: Wide, b: Wide) -> Wide {
    return Wide(a.high - b.high - select(0, 1, a.low < b.low), a.low - b.low);
}

// The magnitude, to the precision of a float.
fn magnitude(a: Wide) -> f32 {
    var high = u32(a.high);
    var low = a.low;
    if a.high < 0 {
        low = ~low + 1u;
        high = ~high + select(0u, 1u, low == 0u);
    }
    return f32(high) * 4294967296.0 + f32(low);
}

fn is_exit(key: u32) -> bool {
    return (key & 1u) == 1u;
}

// Twice the area of a triangle across the window.
fn area(a: vec2<i32>, b: vec2<i32>, c: vec2<i32>) -> f32 {
    return magnitude(difference(product(b.x - a.x, c.y - a.y), product(b.y - a.y, c.x - a.x)));
}

// The depth of a triangle at a sample it covers: its corners' depths, weighted by the areas opposite to them. The areas
// are whole numbers, turned into floats only when they are divided, so the weights are as good as floats get however
// thin the triangle.
fn depth_at(here: vec2<i32>, a: vec3<i32>, b: vec3<i32>, c: vec3<i32>) -> i32 {
    let of_a = area(here, b.xy, c.xy);
    let of_b = area(here, c.xy, a.xy);
    let of_c = area(here, a.xy, b.xy);
    let deeper = (of_b * f32(b.z - a.z) + of_c * f32(c.z - a.z)) / max(of_a + of_b + of_c, 1.0);
    let depth = a.z + i32(round(clamp(deeper, -2147483000.0, 2147483000.0)));
    // Rounding may carry a depth past the corners, and must not carry it past the near plane.
    return clamp(depth, min(min(a.z, b.z), c.z), max(max(a.z, b.z), c.z));
}
