// Draws a body's triangles across the window: each fragment is a crossing, with its depth and its side.
//
// The image is turned by half a turn, sample (i, j) being pixel (columns - 1 - i, rows - 1 - j): graphics cards count a
// sample on a left or a top edge as covered, `crumple::volume` one on a right or a bottom edge, as it looks at it.
// Nothing is clipped in depth, since all vertices get the same z: a vertex on the near plane must not be lost to
// rounding, and what lies beyond the far plane is discarded, which keeps it from being counted too.

@group(0) @binding(0) var<uniform> window: Window;

struct Fragment {
    @invariant @builtin(position) position: vec4<f32>,
    @location(0) depth: f32,
}

@vertex
fn project(@location(0) placed: vec4<i32>) -> Fragment {
    if !usable(window) {
        return Fragment(vec4(2.0, 2.0, 0.5, 1.0), 0.0);
    }
    let x = 1.0 - 2.0 * (f32(placed.x) / f32(window.size.x));
    let y = 2.0 * (f32(placed.y) / f32(window.size.y)) - 1.0;
    return Fragment(vec4(x, y, 0.5, 1.0), f32(placed.z));
}

@fragment
fn note(fragment: Fragment, @builtin(front_facing) front: bool) -> @location(0) u32 {
    if window.size.w == 1 && fragment.depth > f32(window.size.z) {
        discard;
    }
    let depth = min(u32(max(fragment.depth, 0.0)), u32(window.size.z));
    // Turning x round makes what runs counter-clockwise across the window run clockwise on the target.
    let exit = !front == (window.axes.w == 1u);
    return (depth << 1u) | select(0u, 1u, exit);
}
