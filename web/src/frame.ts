// What can be asked about one frame. Every list in an answer is a copy: it stays valid when the scene goes on.

import { checked, numbers, question, reals, wasm } from './module.js';

/** The number of a body: counted from 0 in the order of adding, never used again. */
export type BodyId = number;

/** Two bodies that meet, or one that meets itself (`a === b`). */
export interface Contact {
  a: BodyId;
  b: BodyId;
  /** Two numbers per pair: a triangle of `a` and one of `b` that share a point. Sorted. */
  pairs: Uint32Array<ArrayBuffer>;
}

/** Features of two bodies that are closer than the distance asked for. Entry i of each list is about pair i. */
export interface NearGroup {
  a: BodyId;
  b: BodyId;
  /** Vertices near faces. */
  vertexFace: NearFeatures;
  /** Edges near edges. */
  edgeEdge: NearFeatures;
}

export interface NearFeatures {
  count: number;
  /**
   * Vertex and face: three numbers per pair: 1 if the vertex is of `b` (and the face of `a`), else 0; the vertex; the triangle.
   * Two edges: four numbers per pair: the two ends of the edge of `a`, the two ends of the edge of `b`.
   */
  features: Uint32Array<ArrayBuffer>;
  /** Seven numbers per pair: the distance; three weights of the nearest points; a unit vector from the face to the vertex, or from edge b to edge a. */
  values: Float64Array<ArrayBuffer>;
}

/** How far apart two bodies are, between certified bounds, and where. */
export interface Closest {
  lo: number;
  hi: number;
  points: [Point, Point];
  triangles: [number, number];
}

export type Point = [number, number, number];

/** The first time within a step at which two features touch. */
export interface Impact {
  a: BodyId;
  b: BodyId;
  /** A fraction of the step, between certified bounds. */
  time: { lo: number; hi: number };
  point: Point;
  normal: Point;
  features:
    | { kind: 'already'; triangles: [number, number] }
    | { kind: 'vertex-face'; vertexOfB: boolean; vertex: number; triangle: number }
    | { kind: 'edge-edge'; edgeA: [number, number]; edgeB: [number, number] };
}

/** Vertices of one body inside another. Entry i of each list is about the i-th of them. */
export interface Depths {
  vertices: Uint32Array<ArrayBuffer>;
  /** The triangle with the nearest point of the surface. */
  triangles: Uint32Array<ArrayBuffer>;
  /** How far the surface is. */
  depths: Float64Array<ArrayBuffer>;
  /** Three numbers each: the direction out. */
  directions: Float64Array<ArrayBuffer>;
}

/** One moment of a scene. It can be asked until the scene is changed. */
export class Frame {
  readonly #scene: number;
  readonly #isCurrent: () => boolean;

  /** @internal */
  constructor(scene: number, isCurrent: () => boolean) {
    this.#scene = scene;
    this.#isCurrent = isCurrent;
  }

  /** The scene of this frame, if it has not gone on. */
  get #current(): number {
    if (!this.#isCurrent()) throw new Error('this frame is over, since its scene has been updated: ask the newest frame');
    return this.#scene;
  }

  /** All pairs of triangles that meet, exactly, grouped by bodies and sorted. */
  contacts(): Contact[] {
    const count = checked(wasm().frame_contacts(this.#current));
    const heads = numbers(4 * count);
    const buffer = wasm().memory.buffer as ArrayBuffer;
    return Array.from({ length: count }, (_, i) => {
      const [a, b, address, pairs] = heads.subarray(4 * i) as unknown as [number, number, number, number];
      return { a, b, pairs: new Uint32Array(buffer, address, 2 * pairs).slice() };
    });
  }

  /** All vertices and faces, and edges and edges, that are closer than `distance`: between bodies, and within bodies with `selfCollision`. */
  near(distance: number): NearGroup[] {
    const groups = checked(question('frame_near')(this.#current, distance));
    let [at, atReal] = [0, 0];
    const take = (count: number, width: number): NearFeatures => {
      const features = numbers(width * count, at).slice();
      const values = reals(7 * count, atReal).slice();
      at += width * count;
      atReal += 7 * count;
      return { count, features, values };
    };
    return Array.from({ length: groups }, () => {
      const [a, b, faces, edges] = numbers(4, at) as unknown as [number, number, number, number];
      at += 4;
      return { a, b, vertexFace: take(faces, 3), edgeEdge: take(edges, 4) };
    });
  }

  /** How far apart two bodies are; 0 exactly if their surfaces share a point. */
  distance(a: BodyId, b: BodyId): Closest {
    checked(question('frame_distance')(this.#current, a, b));
    const [lo, hi, ...points] = reals(8) as unknown as [number, number, ...number[]];
    return { lo, hi, points: [points.slice(0, 3) as Point, points.slice(3) as Point], triangles: [...numbers(2)] as [number, number] };
  }

  /** The first touch in the step from the last frame to this one, or null. What passes through between frames is found. */
  firstImpact(): Impact | null {
    if (checked(question('frame_first_impact')(this.#current)) === 0) return null;
    const [a, b, kind, p, q, r, s] = numbers(7) as unknown as [number, number, number, number, number, number, number];
    const [lo, hi, ...rest] = reals(8) as unknown as [number, number, ...number[]];
    const features: Impact['features'] =
      kind === 0
        ? { kind: 'already', triangles: [p, q] }
        : kind === 1
          ? { kind: 'vertex-face', vertexOfB: p === 1, vertex: q, triangle: r }
          : { kind: 'edge-edge', edgeA: [p, q], edgeB: [r, s] };
    return { a, b, time: { lo, hi }, point: rest.slice(0, 3) as Point, normal: rest.slice(3) as Point, features };
  }

  /** A fraction of the step from the last frame that can be taken without contact: 1 if there is none, 0 if surfaces meet at its start. */
  safeStep(): number {
    checked(question('frame_safe_step')(this.#current));
    return reals(1)[0]!;
  }

  /** The vertices of `a` that are inside the closed body `b`, and how deep. */
  depths(a: BodyId, b: BodyId): Depths {
    const count = checked(question('frame_depths')(this.#current, a, b));
    const [of, at] = [numbers(2 * count), reals(4 * count)];
    return {
      vertices: Uint32Array.from({ length: count }, (_, i) => of[2 * i]!),
      triangles: Uint32Array.from({ length: count }, (_, i) => of[2 * i + 1]!),
      depths: Float64Array.from({ length: count }, (_, i) => at[4 * i]!),
      directions: Float64Array.from({ length: 3 * count }, (_, i) => at[4 * Math.floor(i / 3) + 1 + (i % 3)]!),
    };
  }
}
