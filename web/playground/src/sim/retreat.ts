// Moves what has met back on its way.

import type { Contact, Frame } from 'crumple/inline';
import type { SoftBody } from './soft';

/** How many times the neighbours of what goes back go back, too. */
const RINGS = 2;

/** Vertices of triangles that meet, vertices of the cloth inside balls and their neighbours go back to this part of their way. */
export function retreat(part: number, frame: Frame, contacts: readonly Contact[], bodies: readonly SoftBody[], ids: readonly number[]): void {
  const marks = bodies.map(({ vertexCount }) => new Uint8Array(vertexCount));
  for (const { a, b, pairs } of contacts) {
    if (a === b) continue;
    for (const [side, id] of [a, b].entries()) {
      const i = ids.indexOf(id);
      const { indices } = bodies[i]!;
      for (let k = side; k < pairs.length; k += 2) {
        for (let corner = 0; corner < 3; corner++) marks[i]![indices[3 * pairs[k]! + corner]!] = 1;
      }
    }
    for (const [of, to] of [[a, b], [b, a]] as const) {
      if (!bodies[ids.indexOf(to)]!.isClosed) continue;
      const inside = marks[ids.indexOf(of)]!;
      for (const vertex of frame.depths(of, to).vertices) inside[vertex] = 1;
    }
  }
  bodies.forEach((body, i) => {
    let marked = marks[i]!;
    if (!marked.includes(1)) return;
    for (let ring = 0; ring < RINGS; ring++) marked = withNeighbours(marked, body.indices);
    const { x, start } = body;
    marked.forEach((is, vertex) => {
      if (!is) return;
      for (let k = 3 * vertex; k < 3 * vertex + 3; k++) x[k] = start[k]! + part * (x[k]! - start[k]!);
    });
  });
}

function withNeighbours(marked: Uint8Array<ArrayBuffer>, indices: Uint32Array): Uint8Array<ArrayBuffer> {
  const wider = marked.slice();
  for (let t = 0; t < indices.length; t += 3) {
    if (marked[indices[t]!]! | marked[indices[t + 1]!]! | marked[indices[t + 2]!]!) {
      wider[indices[t]!] = wider[indices[t + 1]!] = wider[indices[t + 2]!] = 1;
    }
  }
  return wider;
}
