// Keeps bodies apart, on top of what crumple finds.
//
// Before a step all features that are nearer than `reach` are listed, each with the direction in which they lie apart. While the
// step is solved, features of the list are kept `thickness` apart along that direction. At its end no vertex may have moved
// farther than a bit less than half of its distance to the nearest feature of another body (half of `reach` if none is
// listed): features that start apart then cannot meet, whatever the solver wanted, because every point of a feature
// moves at most as far as the farthest of its corners. So bodies that start apart stay apart. Vertices of the cloth far outside
// the spheres around the balls may move farther: every feature of theirs is at least as far from the balls as they are,
// less the longest edge.

import type { NearGroup } from 'crumple/inline';
import type { SoftBody } from './soft';
import { distance } from './springs';

/** How much of half the distance may be used. */
const SHARE = 0.45;

/** How many times as far vertices may move that nothing is near. */
const MOST = 8;

/** How much of a motion along a surface is lost on it, per pass. */
const FRICTION = 0.08;

/** A feature pair as one linear constraint: up to four vertices with weights that sum to 0, and a direction. */
interface Constraints {
  a: SoftBody;
  b: SoftBody;
  count: number;
  /** Four per constraint. */
  vertices: Uint32Array;
  weights: Float32Array;
  /** Bit k is set if vertex k is of `b`. */
  ofB: Uint8Array;
  /** Three per constraint. */
  directions: Float32Array;
  distances: Float32Array;
}

export class Response {
  readonly #lists: Constraints[] = [];
  /** Per body, how far each vertex may move in this step. */
  readonly #bounds = new Map<SoftBody, Float32Array>();

  /** Begins a step with the features that are nearer than `reach`. Returns how many there are. */
  begin(near: readonly NearGroup[], bodies: readonly SoftBody[], bodyOf: (id: number) => SoftBody, reach: number): number {
    for (const body of bodies) {
      const count = body.mobility.length;
      let bounds = this.#bounds.get(body);
      if (bounds?.length !== count) this.#bounds.set(body, (bounds = new Float32Array(count)));
      bounds.fill(SHARE * reach);
      if (!body.isClosed) raise(bounds, body, bodies.filter((other) => other.isClosed), reach);
    }
    this.#lists.length = 0;
    let pairs = 0;
    for (const group of near) {
      if (group.a === group.b) continue;
      const list = constraintsOf(group, bodyOf);
      this.#lists.push(list);
      pairs += list.count;
      const [inA, inB] = [this.#bounds.get(list.a)!, this.#bounds.get(list.b)!];
      for (let i = 0; i < list.count; i++) {
        const most = SHARE * list.distances[i]!;
        for (let k = 0; k < 4; k++) {
          const bounds = (list.ofB[i]! >> k) & 1 ? inB : inA;
          const vertex = list.vertices[4 * i + k]!;
          if (bounds[vertex]! > most) bounds[vertex] = most;
        }
      }
    }
    return pairs;
  }

  /** Moves features of the list apart where they are nearer than `thickness`, and slows down what slides. */
  solve(thickness: number, reach: number): void {
    for (const list of this.#lists) {
      // Those that are far cannot come near in this step.
      for (let i = 0; i < list.count; i++) if (list.distances[i]! < reach) push(list, i, thickness);
    }
  }

  /** Takes back what goes beyond the bounds. */
  limit(bodies: readonly SoftBody[]): void {
    for (const body of bodies) {
      const bounds = this.#bounds.get(body);
      if (!bounds) continue;
      const { x, start } = body;
      for (let i = 0; i < bounds.length; i++) {
        const at = 3 * i;
        const dx = x[at]! - start[at]!;
        const dy = x[at + 1]! - start[at + 1]!;
        const dz = x[at + 2]! - start[at + 2]!;
        const moved = Math.sqrt(dx * dx + dy * dy + dz * dz);
        if (moved <= bounds[i]!) continue;
        const s = bounds[i]! / moved;
        x[at] = start[at]! + s * dx;
        x[at + 1] = start[at + 1]! + s * dy;
        x[at + 2] = start[at + 2]! + s * dz;
      }
    }
  }
}

/** Lets vertices of an open body move farther where all closed ones are far. */
function raise(bounds: Float32Array, { x, springs }: SoftBody, balls: readonly SoftBody[], reach: number): void {
  let longest = 0;
  for (let i = 0; i < springs.edges; i++) longest = Math.max(longest, distance(x, springs.ends[2 * i]!, springs.ends[2 * i + 1]!));
  const spheres = balls.map(sphereAround);
  for (let i = 0; i < bounds.length; i++) {
    let free = Infinity;
    for (const [cx, cy, cz, radius] of spheres) {
      free = Math.min(free, Math.hypot(x[3 * i]! - cx, x[3 * i + 1]! - cy, x[3 * i + 2]! - cz) - radius - longest);
    }
    // Not much farther than their neighbours, which would tear the cloth.
    if (free > reach) bounds[i] = SHARE * Math.min(free, MOST * reach);
  }
}

/** A sphere that holds a body: its middle and its radius, with room for rounding. */
function sphereAround({ x }: SoftBody): readonly [number, number, number, number] {
  const middle: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) middle[i % 3]! += (3 * x[i]!) / x.length;
  let farthest = 0;
  for (let i = 0; i < x.length; i += 3) {
    farthest = Math.max(farthest, Math.hypot(x[i]! - middle[0], x[i + 1]! - middle[1], x[i + 2]! - middle[2]));
  }
  return [...middle, farthest + 1e-5];
}

function constraintsOf({ a, b, vertexFace, edgeEdge }: NearGroup, bodyOf: (id: number) => SoftBody): Constraints {
  const count = vertexFace.count + edgeEdge.count;
  const vertices = new Uint32Array(4 * count);
  const weights = new Float32Array(4 * count);
  const directions = new Float32Array(3 * count);
  const distances = new Float32Array(count);
  const ofB = new Uint8Array(count);
  const list: Constraints = { a: bodyOf(a), b: bodyOf(b), count, vertices, weights, ofB, directions, distances };
  const common = (i: number, values: Float64Array, at: number): void => {
    distances[i] = values[at]!;
    directions[3 * i] = values[at + 4]!;
    directions[3 * i + 1] = values[at + 5]!;
    directions[3 * i + 2] = values[at + 6]!;
  };
  for (let i = 0; i < vertexFace.count; i++) {
    const { features, values } = vertexFace;
    const isOfB = features[3 * i] === 1;
    const triangle = 3 * features[3 * i + 2]!;
    const { indices } = isOfB ? list.a : list.b;
    vertices[4 * i] = features[3 * i + 1]!;
    weights[4 * i] = 1;
    for (let k = 0; k < 3; k++) {
      vertices[4 * i + 1 + k] = indices[triangle + k]!;
      weights[4 * i + 1 + k] = -values[7 * i + 1 + k]!;
    }
    ofB[i] = isOfB ? 0b0001 : 0b1110;
    common(i, values, 7 * i);
  }
  for (let j = 0, i = vertexFace.count; j < edgeEdge.count; j++, i++) {
    const { features, values } = edgeEdge;
    for (let k = 0; k < 4; k++) vertices[4 * i + k] = features[4 * j + k]!;
    const s = values[7 * j + 1]!;
    const t = values[7 * j + 2]!;
    weights[4 * i] = 1 - s;
    weights[4 * i + 1] = s;
    weights[4 * i + 2] = t - 1;
    weights[4 * i + 3] = -t;
    ofB[i] = 0b1100;
    common(i, values, 7 * j);
  }
  return list;
}

/** Keeps one pair of features apart. */
function push({ a, b, vertices, weights, ofB, directions }: Constraints, i: number, thickness: number): void {
  const nx = directions[3 * i]!;
  const ny = directions[3 * i + 1]!;
  const nz = directions[3 * i + 2]!;
  let apart = 0;
  let mobility = 0;
  let sx = 0;
  let sy = 0;
  let sz = 0;
  for (let k = 0; k < 4; k++) {
    const body = (ofB[i]! >> k) & 1 ? b : a;
    const vertex = vertices[4 * i + k]!;
    const w = weights[4 * i + k]!;
    const at = 3 * vertex;
    const x = body.x;
    const start = body.start;
    apart += w * (nx * x[at]! + ny * x[at + 1]! + nz * x[at + 2]!);
    sx += w * (x[at]! - start[at]!);
    sy += w * (x[at + 1]! - start[at + 1]!);
    sz += w * (x[at + 2]! - start[at + 2]!);
    mobility += w * w * body.mobility[vertex]!;
  }
  if (apart >= thickness || mobility === 0) return;
  const away = (thickness - apart) / mobility;
  // What they slide along each other in this step, without what they come closer.
  const along = sx * nx + sy * ny + sz * nz;
  const slide = -FRICTION / mobility;
  const fx = away * nx + slide * (sx - along * nx);
  const fy = away * ny + slide * (sy - along * ny);
  const fz = away * nz + slide * (sz - along * nz);
  for (let k = 0; k < 4; k++) {
    const body = (ofB[i]! >> k) & 1 ? b : a;
    const vertex = vertices[4 * i + k]!;
    const s = weights[4 * i + k]! * body.mobility[vertex]!;
    const at = 3 * vertex;
    const x = body.x;
    x[at] = x[at]! + s * fx;
    x[at + 1] = x[at + 1]! + s * fy;
    x[at + 2] = x[at + 2]! + s * fz;
  }
}
