// Where a body is swallowed by another: the triangles inside, shaded by depth, with a contour at every eighth of the scale so
// that colour is not alone. Colliding triangles are left out: they are red. Behind a surface the shading shines through it.

import { BufferGeometry, type Color, DoubleSide, GreaterDepth, Group, LessEqualDepth, Mesh, ShaderMaterial } from 'three';
import type { Depths } from '../data/found';
import type { BodyView } from './body';
import { Growing } from './buffers';
import { DEPTHS } from './colours';

const VERTEX = /* glsl */ `
  attribute float depth;
  varying vec3 seen;
  varying float deep;
  void main() {
    vec4 at = modelViewMatrix * vec4(position, 1.0);
    seen = at.xyz;
    deep = depth;
    gl_Position = projectionMatrix * at;
  }
`;

const FRAGMENT = /* glsl */ `
  uniform vec3 scale[4];
  uniform float opacity;
  varying vec3 seen;
  varying float deep;
  void main() {
    float at = clamp(deep, 0.0, 1.0) * 3.0;
    vec3 colour = mix(scale[0], scale[1], clamp(at, 0.0, 1.0));
    colour = mix(colour, scale[2], clamp(at - 1.0, 0.0, 1.0));
    colour = mix(colour, scale[3], clamp(at - 2.0, 0.0, 1.0));
    // How many pixels it is to the nearest eighth; where eighths are closer than a few pixels there are no lines.
    float eighths = deep * 8.0;
    float pixel = max(fwidth(eighths), 1e-6);
    float line = 1.0 - smoothstep(0.6, 1.4, abs(eighths - round(eighths)) / pixel);
    line *= step(0.5, eighths) * (1.0 - smoothstep(0.12, 0.25, pixel));
    colour = mix(colour, deep < 0.6 ? scale[3] : scale[0], 0.42 * line);
    vec3 normal = normalize(cross(dFdx(seen), dFdy(seen)));
    gl_FragColor = vec4(colour * (0.78 + 0.22 * abs(normal.z)), opacity);
  }
`;

/** The swallowed parts of all bodies that are shown. */
export class DepthView {
  readonly group = new Group();
  private readonly geometry = new BufferGeometry();
  private readonly corners = new Growing(this.geometry, 'position', 'vertex');
  private readonly depths = new Growing(this.geometry, 'depth', 'vertex', 1);
  private readonly behind: Mesh;

  constructor(
    /** The depth at the end of the scale, in the unit of the file. */
    private readonly deepest: number,
  ) {
    this.behind = new Mesh(this.geometry, material(0.62, false));
    for (const part of [new Mesh(this.geometry, material(1, true)), this.behind]) {
      part.frustumCulled = false;
      // After all bodies, glass or not, and before contacts, which lie over it.
      part.renderOrder = 5;
      this.group.add(part);
    }
  }

  /** Shades the triangles with a vertex inside another body, but for those that meet one. */
  show(groups: Depths[], touching: Uint32Array[], bodies: BodyView[]): void {
    const shaded = bodies.map((body, number) => (body.visible ? this.shadesOf(groups, number, body) : null));
    const lists = bodies.map((body, number) => insideOf(body, shaded[number], touching[number]));
    const count = lists.reduce((sum, list) => sum + list.length, 0);
    const [corners, depths] = [this.corners.reserve(3 * count), this.depths.reserve(3 * count)];
    let at = 0;
    lists.forEach((list, number) => {
      const { positions, triangles } = bodies[number];
      for (const triangle of list) {
        for (let side = 0; side < 3; side++, at++) {
          const vertex = triangles.corners[3 * triangle + side];
          for (let axis = 0; axis < 3; axis++) corners[3 * at + axis] = positions[3 * vertex + axis];
          depths[at] = shaded[number]?.[vertex] ?? 0;
        }
      }
    });
    this.geometry.setDrawRange(0, 3 * count);
    this.group.visible = count > 0;
  }

  setThrough(on: boolean): void {
    this.behind.layers.set(on ? 0 : 31);
  }

  setVisible(on: boolean): void {
    for (const part of this.group.children) part.visible = on;
  }

  /** The depth of every vertex of a body, 0 to 1 for nothing to the deepest; the larger one of a vertex inside two bodies. */
  private shadesOf(groups: Depths[], number: number, body: BodyView): Float32Array | null {
    const own = groups.filter(({ inner }) => inner === number);
    if (own.length === 0 || this.deepest <= 0) return null;
    const shades = new Float32Array(body.positions.length / 3);
    for (const { vertices, depths } of own) {
      vertices.forEach((vertex, i) => (shades[vertex] = Math.max(shades[vertex], depths[i] / this.deepest)));
    }
    return shades;
  }
}

/** The triangles of a body that have a shade and meet nothing. */
function insideOf({ triangles }: BodyView, shades: Float32Array | null, touching: Uint32Array): number[] {
  if (!shades) return [];
  const red = new Set(touching);
  const { corners } = triangles;
  const list: number[] = [];
  for (let triangle = 0; 3 * triangle < corners.length; triangle++) {
    const at = 3 * triangle;
    const isInside = shades[corners[at]] > 0 || shades[corners[at + 1]] > 0 || shades[corners[at + 2]] > 0;
    if (isInside && !red.has(triangle)) list.push(triangle);
  }
  return list;
}

function material(opacity: number, before: boolean): ShaderMaterial {
  const colours = DEPTHS.map((colour: Color) => colour.clone().convertLinearToSRGB());
  return new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { scale: { value: colours }, opacity: { value: opacity } },
    side: DoubleSide,
    // As contacts are: drawn after all bodies.
    transparent: true,
    depthFunc: before ? LessEqualDepth : GreaterDepth,
    depthWrite: before,
  });
}
