// What met in the step that led to a frame, drawn where it is now: the vertex or the edges, and the triangle passed.

import { Group } from 'three';
import type { Impact } from '../data/found';
import type { BodyView } from './body';
import { Lines } from './lines';

export class ImpactView {
  readonly group = new Group();
  /** A vertex: a line without length is as long as it is wide. */
  private readonly dots = new Lines({ width: 5, where: 'everywhere' });
  private readonly edges = new Lines({ width: 2.4, where: 'everywhere' });
  private readonly faces = new Lines({ width: 1.4, thinnest: 0.6, where: 'everywhere' });

  constructor() {
    this.lines.forEach((lines, order) => {
      lines.mesh.renderOrder = 16 + order;
      this.group.add(lines.mesh);
    });
  }

  show(impacts: Impact[], bodies: BodyView[]): void {
    const [dots, edges, faces]: number[][] = [[], [], []];
    for (const impact of impacts) {
      const [a, b] = [bodies[impact.a], bodies[impact.b]];
      if (!a.visible || !b.visible) continue;
      if (impact.kind === 'vertex-face') {
        addLine(dots, a, impact.vertex, impact.vertex);
        addTriangle(faces, b, impact.triangle);
      } else if (impact.kind === 'edge-edge') {
        [a, b].forEach((body, side) => addLine(edges, body, impact.edges[side][0], impact.edges[side][1]));
      }
    }
    this.faces.set(faces);
    this.edges.set(edges);
    this.dots.set(dots);
  }

  setColour(colour: string): void {
    for (const lines of this.lines) lines.setColour(colour);
  }

  setSize(width: number, height: number, pixelRatio: number): void {
    for (const lines of this.lines) lines.setSize(width, height, pixelRatio);
  }

  private get lines(): Lines[] {
    return [this.faces, this.edges, this.dots];
  }
}

function addLine(out: number[], body: BodyView, from: number, to: number): void {
  for (const vertex of [from, to]) for (let axis = 0; axis < 3; axis++) out.push(body.positions[3 * vertex + axis]);
}

function addTriangle(out: number[], body: BodyView, triangle: number): void {
  const corners = body.triangles.corners.subarray(3 * triangle, 3 * triangle + 3);
  for (let side = 0; side < 3; side++) addLine(out, body, corners[side], corners[(side + 1) % 3]);
}
