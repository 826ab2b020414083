// Lines of a width in pixels; the card's own are one pixel wide. Each line is a rectangle that faces the viewer.

import {
  BufferAttribute,
  Color,
  GreaterDepth,
  InstancedBufferGeometry,
  LessEqualDepth,
  Mesh,
  ShaderMaterial,
  Vector2,
} from 'three';
import { Growing } from './buffers';
import { STRIPED } from './stripes';

const VERTEX = /* glsl */ `
  attribute vec3 from;
  attribute vec3 to;
  uniform vec2 size;      // of the picture, in pixels
  uniform float width;    // of the line, in pixels
  uniform float thinnest; // it is drawn, however short
  uniform float lift;     // towards the viewer, as a share of the depth range
  void main() {
    vec4 a = projectionMatrix * modelViewMatrix * vec4(from, 1.0);
    vec4 b = projectionMatrix * modelViewMatrix * vec4(to, 1.0);
    vec2 along = (b.xy / b.w - a.xy / a.w) * size * 0.5;
    float reach = length(along);
    along = reach > 1e-4 ? along / reach : vec2(1.0, 0.0);
    // Lines around small triangles are thinner, or there would be nothing else to see.
    float drawn = min(width, max(thinnest, reach * 0.18));
    vec2 across = vec2(-along.y, along.x);
    // A little beyond both ends, so that lines which meet leave no gap.
    vec2 corner = across * position.y + along * (position.x * 2.0 - 1.0) * 0.8;
    vec4 end = position.x < 0.5 ? a : b;
    gl_Position = end;
    gl_Position.xy += corner * drawn / size * end.w;
    gl_Position.z -= lift * end.w;
    // Behind the viewer nothing is drawn, rather than something turned inside out.
    if (a.w <= 0.0 || b.w <= 0.0) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  uniform vec3 colour;
  uniform vec3 stripe;
  uniform float opacity;
  uniform float pixelRatio;
  ${STRIPED}
  void main() { gl_FragColor = vec4(mix(colour, stripe, striped()), opacity); }
`;

export interface LineStyle {
  /** In CSS pixels. */
  width: number;
  opacity?: number;
  /** Short lines may be this thin, in CSS pixels. */
  thinnest?: number;
  /** Drawn where nothing lies before it, only where something does, or everywhere. */
  where?: 'before' | 'behind' | 'everywhere';
}

export class Lines {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private readonly from: Growing;
  private readonly to: Growing;

  constructor(private readonly style: LineStyle) {
    const geometry = new InstancedBufferGeometry();
    const corners = new Float32Array([0, -1, 0, 1, -1, 0, 0, 1, 0, 1, 1, 0]);
    geometry.setAttribute('position', new BufferAttribute(corners, 3));
    geometry.setIndex([0, 1, 2, 2, 1, 3]);
    this.from = new Growing(geometry, 'from', 'instance');
    this.to = new Growing(geometry, 'to', 'instance');
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        size: { value: new Vector2(1, 1) },
        width: { value: style.width },
        thinnest: { value: style.width },
        lift: { value: 2e-5 },
        colour: { value: new Color() },
        stripe: { value: new Color() },
        opacity: { value: style.opacity ?? 1 },
        pixelRatio: { value: 1 },
      },
      transparent: true,
      depthTest: style.where !== 'everywhere',
      depthFunc: style.where === 'behind' ? GreaterDepth : LessEqualDepth,
      depthWrite: false,
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.set([]);
  }

  /** Draws these lines: six numbers each. */
  set(ends: number[]): void {
    const count = ends.length / 6;
    const from = this.from.reserve(count);
    const to = this.to.reserve(count);
    for (let i = 0; i < count; i++) {
      for (let axis = 0; axis < 3; axis++) {
        from[3 * i + axis] = ends[6 * i + axis];
        to[3 * i + axis] = ends[6 * i + 3 + axis];
      }
    }
    this.mesh.geometry.instanceCount = count;
    this.mesh.visible = count > 0;
  }

  /** Striped where a second colour is given. */
  setColour(colour: string, stripe = colour): void {
    // Written to the screen as they are, so they must not be converted to linear light.
    const { uniforms } = this.mesh.material;
    uniforms.colour.value.set(colour).convertLinearToSRGB();
    uniforms.stripe.value.set(stripe).convertLinearToSRGB();
  }

  setSize(width: number, height: number, pixelRatio: number): void {
    const { size, width: lineWidth, thinnest, pixelRatio: ratio } = this.mesh.material.uniforms;
    ratio.value = pixelRatio;
    size.value.set(width * pixelRatio, height * pixelRatio);
    lineWidth.value = this.style.width * pixelRatio;
    thinnest.value = (this.style.thinnest ?? this.style.width) * pixelRatio;
  }
}
