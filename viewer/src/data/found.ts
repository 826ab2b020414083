// What does not move and what was found, unpacked (see write/page/contacts.rs for the bytes).

import type { Bytes } from './bytes';

export interface Mesh {
  /** Three vertices a triangle. */
  corners: Uint32Array;
  /** The file's face each triangle was cut from, where it had polygons. */
  faces: Uint32Array | null;
}

export interface Contact {
  a: number;
  b: number;
  /** How many pairs were found. */
  count: number;
  /** A triangle of a and one of b for each pair listed; fewer than were found where a limit was set. */
  pairs: Uint32Array;
}

export interface Overlap {
  a: number;
  b: number;
  /** How wide a column is along the two axes it does not run along. */
  footprint: number[];
  /** Entry and exit of every span, six numbers each. */
  spans: Float32Array;
}

/** What meets in the step that led to a frame (see write/page/impacts.rs for the bytes). */
export type Impact = { a: number; b: number; time: number } & (
  | { kind: 'already'; triangles: number[] }
  | { kind: 'vertex-face'; vertex: number; triangle: number }
  | { kind: 'edge-edge'; edges: number[][] }
);

/** A connected part of an exact overlap (see write/page/regions.rs for the bytes). */
export interface Region {
  a: number;
  b: number;
  /** The same from frame to frame while it shares triangles with itself. */
  id: number;
  volume: number;
  centroid: number[];
  /** The direction in which body a comes out fastest; 0 where there is none. */
  normal: number[];
  /** Triangles of a and of b that are at least partly in its surface. */
  triangles: [Uint32Array, Uint32Array];
}

/** A curve along which two surfaces cross. */
export interface Curve {
  closed: boolean;
  /** Three numbers a point. */
  points: Float32Array;
}

/** Vertices of one body inside another (see write/page/depths.rs for the bytes). */
export interface Depths {
  inner: number;
  outer: number;
  vertices: Uint32Array;
  /** In the unit of the file. */
  depths: Float32Array;
}

/** How near bodies are in a frame (see write/page/near.rs for the bytes). */
export interface Near {
  /** Vertices and their distances, 0 to 1 for nothing to the clearance. */
  bodies: { body: number; vertices: Uint32Array; distances: Float32Array }[];
  /** From where one body is nearest to where the other is: six numbers. */
  segments: { a: number; b: number; ends: number[] }[];
}

const SPAN_STEPS = 1023;
const CURVE_STEPS = 65535;

export function readMesh(bytes: Bytes): Mesh {
  const triangles = bytes.count();
  const corners = readSteps(bytes, 3 * triangles);
  return { corners, faces: bytes.byte() === 1 ? readSteps(bytes, triangles) : null };
}

function readSteps(bytes: Bytes, count: number): Uint32Array {
  const values = new Uint32Array(count);
  let value = 0;
  for (let i = 0; i < count; i++) values[i] = value = bytes.step(value);
  return values;
}

export function readContacts(bytes: Bytes): Contact[] {
  return Array.from({ length: bytes.count() }, () => {
    const [a, b, count, listed] = [bytes.count(), bytes.count(), bytes.count(), bytes.count()];
    const pairs = new Uint32Array(2 * listed);
    let [inA, inB] = [0, 0];
    for (let i = 0; i < pairs.length; i += 2) {
      pairs[i] = inA = bytes.step(inA);
      pairs[i + 1] = inB = bytes.step(inB);
    }
    return { a, b, count, pairs };
  });
}

export function readOverlaps(bytes: Bytes): Overlap[] {
  return Array.from({ length: bytes.count() }, () => {
    const [a, b, footprint, count, corners] = [bytes.count(), bytes.count(), bytes.floats(2), bytes.count(), bytes.floats(6)];
    const spans = new Float32Array(6 * count);
    const size = [0, 1, 2].map((axis) => (corners[axis + 3] - corners[axis]) / SPAN_STEPS);
    const entry = [0, 0, 0];
    for (let i = 0; i < spans.length; i += 6) {
      for (let axis = 0; axis < 3; axis++) {
        entry[axis] = bytes.step(entry[axis]);
        spans[i + axis] = corners[axis] + entry[axis] * size[axis];
      }
      for (let axis = 0; axis < 3; axis++) spans[i + 3 + axis] = corners[axis] + bytes.step(entry[axis]) * size[axis];
    }
    return { a, b, footprint, spans };
  });
}

export function readImpacts(bytes: Bytes): Impact[] {
  return Array.from({ length: bytes.count() }, () => {
    const [kind, [time], a, b] = [bytes.byte(), bytes.floats(1), bytes.count(), bytes.count()];
    const pair = () => [bytes.count(), bytes.count()];
    if (kind === 0) return { a, b, time, kind: 'already', triangles: pair() };
    if (kind === 1) return { a, b, time, kind: 'vertex-face', vertex: bytes.count(), triangle: bytes.count() };
    return { a, b, time, kind: 'edge-edge', edges: [pair(), pair()] };
  });
}

export function readRegions(bytes: Bytes): Region[] {
  return Array.from({ length: bytes.count() }, () => {
    const [a, b, id, [volume], centroid, normal] = [
      bytes.count(),
      bytes.count(),
      bytes.count(),
      bytes.floats(1),
      bytes.floats(3),
      bytes.floats(3),
    ];
    const triangles: Region['triangles'] = [readSteps(bytes, bytes.count()), readSteps(bytes, bytes.count())];
    return { a, b, id, volume, centroid, normal, triangles };
  });
}

export function readCurves(bytes: Bytes): Curve[] {
  const count = bytes.count();
  if (count === 0) return [];
  const corners = bytes.floats(6);
  const size = [0, 1, 2].map((axis) => (corners[axis + 3] - corners[axis]) / CURVE_STEPS);
  return Array.from({ length: count }, () => {
    const closed = bytes.byte() === 1;
    const points = new Float32Array(3 * bytes.count());
    const steps = [0, 0, 0];
    for (let i = 0; i < points.length; i++) {
      const axis = i % 3;
      steps[axis] = bytes.step(steps[axis]);
      points[i] = corners[axis] + steps[axis] * size[axis];
    }
    return { closed, points };
  });
}

export function readNear(bytes: Bytes): Near {
  const bodies = Array.from({ length: bytes.count() }, () => {
    const [body, count] = [bytes.count(), bytes.count()];
    const [vertices, distances] = [new Uint32Array(count), new Float32Array(count)];
    let vertex = 0;
    for (let i = 0; i < count; i++) {
      vertices[i] = vertex = bytes.step(vertex);
      distances[i] = bytes.byte() / 255;
    }
    return { body, vertices, distances };
  });
  const segments = Array.from({ length: bytes.count() }, () => ({ a: bytes.count(), b: bytes.count(), ends: bytes.floats(6) }));
  return { bodies, segments };
}

export function readDepths(bytes: Bytes): Depths[] {
  return Array.from({ length: bytes.count() }, () => {
    const [inner, outer, [deepest], count] = [bytes.count(), bytes.count(), bytes.floats(1), bytes.count()];
    const [vertices, depths] = [new Uint32Array(count), new Float32Array(count)];
    let vertex = 0;
    for (let i = 0; i < count; i++) {
      vertices[i] = vertex = bytes.step(vertex);
      depths[i] = (bytes.byte() / 255) * deepest;
    }
    return { inner, outer, vertices, depths };
  });
}
