// The regions of exact overlaps: the triangles of each in a tint of its own, its number, its normal as an arrow, and the
// curves along which the surfaces cross. All of it is inside bodies, so it shines through them.

import { BufferGeometry, Color, DoubleSide, GreaterDepth, Group, LessEqualDepth, Mesh, ShaderMaterial, Vector3 } from 'three';
import type { Curve, Region } from '../data/found';
import type { Placement } from '../data/placement';
import type { BodyView } from './body';
import { Growing } from './buffers';
import { regionColour } from './colours';
import { Lines } from './lines';

const VERTEX = /* glsl */ `
  attribute vec3 tint;
  varying vec3 seen;
  varying vec3 colour;
  void main() {
    vec4 at = modelViewMatrix * vec4(position, 1.0);
    seen = at.xyz;
    colour = tint;
    gl_Position = projectionMatrix * at;
  }
`;

const FRAGMENT = /* glsl */ `
  uniform float opacity;
  varying vec3 seen;
  varying vec3 colour;
  void main() {
    vec3 normal = normalize(cross(dFdx(seen), dFdy(seen)));
    gl_FragColor = vec4(colour * (0.62 + 0.38 * abs(normal.z)), opacity);
  }
`;

/** Numbers drawn in the picture; with more regions they would hide it. */
const LABELS = 24;

/** How long an arrow is: as the region is wide, within these bounds of the size of the scene. */
const SHORTEST = 0.14;
const LONGEST = 0.5;

export class RegionView {
  readonly group = new Group();
  readonly labels = document.createElement('div');
  private readonly geometry = new BufferGeometry();
  private readonly corners = new Growing(this.geometry, 'position', 'vertex');
  private readonly tints = new Growing(this.geometry, 'tint', 'vertex');
  private readonly curves = new Lines({ width: 2, where: 'everywhere' });
  private readonly arrowHalo = new Lines({ width: 5.4, where: 'everywhere' });
  private readonly arrows = new Lines({ width: 2.6, where: 'everywhere' });
  private places: { at: Vector3; label: HTMLElement }[] = [];

  constructor() {
    this.labels.className = 'region-labels';
    this.labels.setAttribute('aria-hidden', 'true');
    const fills = [new Mesh(this.geometry, material(0.5, false)), new Mesh(this.geometry, material(0.92, true))];
    [...fills, ...this.lines.map((lines) => lines.mesh)].forEach((part, order) => {
      part.frustumCulled = false;
      part.renderOrder = 10 + order;
      this.group.add(part);
    });
  }

  show(regions: Region[], curves: Curve[], bodies: BodyView[], placement: Placement): void {
    this.fill(regions, bodies);
    this.curves.set(curves.flatMap((curve) => segments(curve, placement)));
    const arrows = regions.flatMap((region) => arrow(region, placement));
    this.arrowHalo.set(arrows);
    this.arrows.set(arrows);
    this.places = regions.slice(0, LABELS).map((region) => {
      const label = document.createElement('span');
      label.textContent = String(region.id);
      label.style.borderColor = regionColour(region.id);
      return { at: new Vector3(...placement.placed(region.centroid)), label };
    });
    this.labels.replaceChildren(...this.places.map(({ label }) => label));
  }

  /** Puts the numbers where the regions are drawn. */
  placeLabels(clientAt: (point: Vector3) => { x: number; y: number; behind: boolean }, box: DOMRect): void {
    for (const { at, label } of this.places) {
      const { x, y, behind } = clientAt(at);
      const inside = x > box.left && x < box.right && y > box.top && y < box.bottom;
      label.hidden = behind || !inside;
      label.style.translate = `${x - box.left}px ${y - box.top}px`;
    }
  }

  setVisible(on: boolean): void {
    this.group.visible = on;
    this.labels.hidden = !on;
  }

  setColours(curve: string, arrowColour: string, halo: string): void {
    this.curves.setColour(curve);
    this.arrows.setColour(arrowColour);
    this.arrowHalo.setColour(halo);
  }

  setSize(width: number, height: number, pixelRatio: number): void {
    for (const lines of this.lines) lines.setSize(width, height, pixelRatio);
  }

  private get lines(): Lines[] {
    return [this.curves, this.arrowHalo, this.arrows];
  }

  private fill(regions: Region[], bodies: BodyView[]): void {
    const lists = regions.flatMap(({ a, b, id, triangles }) =>
      [a, b].map((body, side) => ({ body: bodies[body], id, triangles: triangles[side] })),
    );
    const shown = lists.filter(({ body }) => body.visible);
    const count = shown.reduce((sum, { triangles }) => sum + triangles.length, 0);
    const [corners, tints] = [this.corners.reserve(3 * count), this.tints.reserve(3 * count)];
    let at = 0;
    for (const { body, id, triangles } of shown) {
      // Written to the screen as they are, so they must not be converted to linear light.
      const { r, g, b } = new Color(regionColour(id)).convertLinearToSRGB();
      for (const triangle of triangles) {
        for (let side = 0; side < 3; side++) {
          const from = 3 * body.triangles.corners[3 * triangle + side];
          corners.set(body.positions.subarray(from, from + 3), at);
          tints.set([r, g, b], at);
          at += 3;
        }
      }
    }
    this.geometry.setDrawRange(0, 3 * count);
  }
}

function material(opacity: number, before: boolean): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { opacity: { value: opacity } },
    side: DoubleSide,
    // Both count as transparent, so that they are drawn after all bodies, glass or not.
    transparent: true,
    depthFunc: before ? LessEqualDepth : GreaterDepth,
    depthWrite: before,
  });
}

/** The lines of a curve, six numbers each. */
function segments({ closed, points }: Curve, placement: Placement): number[] {
  const count = points.length / 3;
  const at = (i: number) => placement.placed(points.subarray(3 * (i % count), 3 * (i % count) + 3));
  return Array.from({ length: closed ? count : count - 1 }, (_, i) => [...at(i), ...at(i + 1)]).flat();
}

/** A shaft from the middle of a region along its normal, and four lines back from the tip. */
function arrow({ centroid, normal, volume }: Region, placement: Placement): number[] {
  const along = new Vector3(...normal);
  if (along.length() === 0) return [];
  const length = Math.min(LONGEST, Math.max(SHORTEST, 1.5 * Math.cbrt(Math.abs(volume)) * placement.scale));
  const from = new Vector3(...placement.placed(centroid));
  const tip = from.clone().addScaledVector(along, length);
  const least = normal.map(Math.abs).indexOf(Math.min(...normal.map(Math.abs)));
  const u = new Vector3().setComponent(least, 1).cross(along).normalize();
  const v = along.clone().cross(u);
  const back = (side: Vector3, sign: number) =>
    tip.clone().addScaledVector(along, -0.22 * length).addScaledVector(side, 0.08 * sign * length);
  const ends = [from, back(u, 1), back(u, -1), back(v, 1), back(v, -1)];
  return ends.flatMap((end) => [...end.toArray(), ...tip.toArray()]);
}
