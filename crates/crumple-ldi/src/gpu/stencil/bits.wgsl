// A triangle over the whole target. Drawn once for each bit of the stencil, where that bit is set, with the bit's weight
// as the constant of an adding blend: so the stencil's counts become colours, which every backend can read.

@vertex
fn cover(@builtin(vertex_index) number: u32) -> @builtin(position) vec4<f32> {
    let x = select(-1.0, 3.0, number == 1u);
    let y = select(-1.0, 3.0, number == 2u);
    return vec4(x, y, 0.5, 1.0);
}

@fragment
fn one() -> @location(0) vec4<f32> {
    return vec4(1.0);
}
