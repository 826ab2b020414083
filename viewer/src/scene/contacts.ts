// The triangles that meet another: red, hatched and with a line around each patch, so that nobody needs to see red. Where
// something lies before them they shine through faintly, hatched as well.

import { BufferGeometry, Color, DoubleSide, GreaterDepth, Group, LessEqualDepth, Mesh, ShaderMaterial } from 'three';
import type { Contact } from '../data/found';
import { type BodyView, edgeKey } from './body';
import { Growing } from './buffers';
import { Lines } from './lines';
import { STRIPED } from './stripes';

const VERTEX = /* glsl */ `
  varying vec3 seen;
  void main() {
    vec4 at = modelViewMatrix * vec4(position, 1.0);
    seen = at.xyz;
    gl_Position = projectionMatrix * at;
  }
`;

const FRAGMENT = /* glsl */ `
  uniform vec3 colour;
  uniform vec3 stripe;
  uniform float opacity;
  uniform float pixelRatio;
  varying vec3 seen;
  ${STRIPED}
  void main() {
    vec3 normal = normalize(cross(dFdx(seen), dFdy(seen)));
    float light = 0.72 + 0.28 * abs(normal.z);
    gl_FragColor = vec4(mix(colour * light, stripe, striped()), opacity);
  }
`;

/** Which triangles of each body meet another in a frame, each once, in the order found. */
export function touching(contacts: Contact[], bodies: BodyView[]): Uint32Array[] {
  const marked = bodies.map(() => new Set<number>());
  for (const { a, b, pairs } of contacts) {
    for (let i = 0; i < pairs.length; i += 2) {
      marked[a].add(pairs[i]);
      marked[b].add(pairs[i + 1]);
    }
  }
  return marked.map((triangles) => Uint32Array.from(triangles).sort());
}

/** The contacts of a frame, of all bodies that are shown. */
export class ContactView {
  readonly group = new Group();
  private readonly geometry = new BufferGeometry();
  private readonly corners = new Growing(this.geometry, 'position', 'vertex');
  private readonly fill = material(1, true);
  private readonly ghost = material(0.3, false);
  private readonly outline = new Lines({ width: 1.7, thinnest: 0.2 });
  /** Around the patches and under them: a patch too small to be seen becomes a dot that can be. */
  private readonly rim = new Lines({ width: 3.4 });
  private readonly rimBehind = new Lines({ width: 1.8, opacity: 0.09, where: 'behind' });
  private readonly behind: Mesh[];

  constructor() {
    const fill = new Mesh(this.geometry, this.fill);
    const ghost = new Mesh(this.geometry, this.ghost);
    this.behind = [ghost, this.rimBehind.mesh];
    const parts = [this.rim.mesh, fill, this.outline.mesh, ...this.behind];
    parts.forEach((part, order) => {
      part.frustumCulled = false;
      part.renderOrder = 10 + order;
      this.group.add(part);
    });
  }

  show(triangles: Uint32Array[], bodies: BodyView[]): void {
    const shown = triangles.map((list, body) => (bodies[body].visible ? list : new Uint32Array(0)));
    const count = shown.reduce((sum, list) => sum + list.length, 0);
    const out = this.corners.reserve(3 * count);
    const lines: number[] = [];
    let at = 0;
    shown.forEach((list, body) => {
      const { positions, triangles: mesh } = bodies[body];
      for (const triangle of list) {
        for (let side = 0; side < 3; side++) {
          const from = 3 * mesh.corners[3 * triangle + side];
          for (let axis = 0; axis < 3; axis++) out[at++] = positions[from + axis];
        }
      }
      addBorder(list, mesh.corners, positions, lines);
    });
    this.geometry.setDrawRange(0, 3 * count);
    this.group.visible = count > 0;
    for (const border of this.borders) border.set(lines);
  }

  setThrough(on: boolean): void {
    for (const part of this.behind) part.layers.set(on ? 0 : 31);
  }

  setColours(red: string, stripe: string, line: string): void {
    for (const { uniforms } of [this.fill, this.ghost]) {
      uniforms.colour.value.set(red).convertLinearToSRGB();
      uniforms.stripe.value.set(stripe).convertLinearToSRGB();
    }
    this.outline.setColour(line);
    for (const rim of [this.rim, this.rimBehind]) rim.setColour(red, stripe);
  }

  setSize(width: number, height: number, pixelRatio: number): void {
    for (const { uniforms } of [this.fill, this.ghost]) uniforms.pixelRatio.value = pixelRatio;
    for (const border of this.borders) border.setSize(width, height, pixelRatio);
  }

  private get borders(): Lines[] {
    return [this.outline, this.rim, this.rimBehind];
  }
}

function material(opacity: number, before: boolean): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: {
      colour: { value: new Color() },
      stripe: { value: new Color() },
      opacity: { value: opacity },
      pixelRatio: { value: 1 },
    },
    side: DoubleSide,
    // Both count as transparent, so that they are drawn after all bodies, glass or not.
    transparent: true,
    depthFunc: before ? LessEqualDepth : GreaterDepth,
    depthWrite: before,
  });
}

/** Appends the edges that belong to one triangle of the list only: the lines around its patches. */
function addBorder(list: Uint32Array, corners: Uint32Array, positions: Float32Array, lines: number[]): void {
  const seen = new Map<number, number>();
  const eachEdge = (act: (key: number, from: number, to: number) => void) => {
    for (const triangle of list) {
      for (let side = 0; side < 3; side++) {
        const from = corners[3 * triangle + side];
        const to = corners[3 * triangle + ((side + 1) % 3)];
        act(edgeKey(from, to), from, to);
      }
    }
  };
  eachEdge((key) => seen.set(key, (seen.get(key) ?? 0) + 1));
  eachEdge((key, from, to) => {
    if (seen.get(key) !== 1) return;
    for (const vertex of [from, to]) for (let axis = 0; axis < 3; axis++) lines.push(positions[3 * vertex + axis]);
  });
}
