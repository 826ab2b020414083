// Stripes across the screen, the same wherever contacts are drawn: what marks them for those who do not see red.

/** GLSL: how much of the stripe's colour a pixel has; needs the uniform `pixelRatio`. */
export const STRIPED = /* glsl */ `
  float striped() {
    float place = mod((gl_FragCoord.x + gl_FragCoord.y) / pixelRatio, 7.0);
    return smoothstep(4.2, 4.9, place) * (1.0 - smoothstep(6.3, 7.0, place));
  }
`;
