// Keeps bodies apart, on top of what crumple finds.
//
// From time to time all features that are nearer than `reach` are listed, each with the direction in which they lie apart. While a
// step is solved, features of the list are kept `thickness` apart along that direction. What the solver arrives at is taken if no
// triangles meet there: bodies that were apart and of which none can have passed through another as a whole are then still
// apart. If triangles meet, the vertices around them go back part of their way (`retreat`).
//
// If that does not help either, the step is taken back, and tried again in small motions (`limit`), which need no luck: no vertex
// may then be farther from where it was listed than a bit less than half of its distance to the nearest feature of another body
// (half of `reach` if none is listed). Features that were apart cannot have met, whatever the solver wanted, because every point of a
// feature moves at most as far as the farthest of its corners. Vertices of the cloth far outside the spheres around the
// balls may move farther: every feature of theirs is at least as far from the balls as they are, less the longest edge.

import type { NearGroup } from 'crumple/inline';
import type { SoftBody, Vertices } from './soft';

/** How much of half the distance may be used. */
const SHARE = 0.45;

/** How many times as far vertices may move that nothing is near. */
const MOST = 8;

/** How much of a motion along a surface is lost on it, per pass. */
const FRICTION = 0.08;

/** A list is used up after this many steps, or when this share of the vertices in it have moved as far as they surely may. */
const TIRED = { steps: 8, share: 0.3 };

/**
 * Pairs of features, each as one linear constraint: four vertices with weights that sum to 0, and a direction. The lists grow, and
 * never shrink.
 */
interface Constraints {
  count: number;
  /** Four per constraint: where the vertex is in [`Vertices`]. */
  at: Uint32Array;
  /** Four per constraint: weights of the vertices. */
  weights: Float32Array;
  /** Four per constraint: by how much each vertex moves along the direction to part the features by 1. */
  shares: Float32Array;
  /** Three per constraint. */
  directions: Float32Array;
}

export class Response {
  #constraints = room(1 << 10);
  /** Where the vertices were when the features were listed, and how far from there each may move. */
  readonly #origin: Float32Array;
  readonly #bounds: Float32Array;
  readonly #isListed: Uint8Array;
  #listed = 0;
  #age = Infinity;

  constructor(private readonly all: Vertices, private readonly bodies: readonly SoftBody[], private readonly thickness: number) {
    this.#origin = new Float32Array(all.x.length);
    this.#bounds = new Float32Array(all.x.length / 3);
    this.#isListed = new Uint8Array(all.x.length / 3);
  }

  /** Whether the list is used up. */
  get isTired(): boolean {
    return this.#age >= TIRED.steps;
  }

  /** Whether the list is about where this step began. */
  get isFresh(): boolean {
    return this.#age === 0;
  }

  /** Says that the list is of no use any more. */
  forget(): void {
    this.#age = Infinity;
  }

  /** Takes over the features that are nearer than `reach` where the vertices are now. Returns how many there are. */
  list(near: readonly NearGroup[], bodyOf: (id: number) => SoftBody, reach: number): number {
    this.#age = 0;
    this.#isListed.fill(0);
    this.#origin.set(this.all.x);
    this.#bounds.fill(SHARE * reach);
    const balls = this.bodies.filter(({ isClosed }) => isClosed);
    for (const body of this.bodies) {
      if (!body.isClosed) raise(this.#bounds.subarray(body.firstVertex, body.firstVertex + body.vertexCount), body, balls, reach);
    }
    const apart = near.filter(({ a, b }) => a !== b);
    const pairs = apart.reduce((sum, { vertexFace, edgeEdge }) => sum + vertexFace.count + edgeEdge.count, 0);
    if (pairs * 4 > this.#constraints.at.length) this.#constraints = room(2 * pairs);
    this.#constraints.count = 0;
    for (const group of apart) {
      this.#vertexFaces(group, bodyOf(group.a), bodyOf(group.b));
      this.#edgeEdges(group, bodyOf(group.a), bodyOf(group.b));
    }
    this.#listed = this.#isListed.reduce((sum, is) => sum + is, 0);
    return pairs;
  }

  /** Moves features of the list apart where they are nearer than the thickness, and slows down what slides. */
  solve(): void {
    push(this.#constraints, this.all.x, this.all.start, this.thickness);
  }

  /** Ends a step in which nothing met: looks whether the list will do for the next one. */
  accept(): void {
    this.#age++;
    let spent = 0;
    for (let i = 0; i < this.#bounds.length; i++) if (this.#isListed[i]! && this.#beyond(i) > 1) spent++;
    if (spent > TIRED.share * this.#listed) this.forget();
  }

  /** Takes back what goes beyond the bounds; then nothing can have met since the features were listed. */
  limit(): void {
    const x = this.all.x;
    const origin = this.#origin;
    for (let i = 0; i < this.#bounds.length; i++) {
      const square = this.#beyond(i);
      if (square <= 1) continue;
      const s = 1 / Math.sqrt(square);
      for (let k = 3 * i; k < 3 * i + 3; k++) x[k] = origin[k]! + s * (x[k]! - origin[k]!);
    }
    this.forget();
  }

  /** The square of how many times as far as it may a vertex has moved. */
  #beyond(i: number): number {
    const x = this.all.x;
    const origin = this.#origin;
    const dx = x[3 * i]! - origin[3 * i]!;
    const dy = x[3 * i + 1]! - origin[3 * i + 1]!;
    const dz = x[3 * i + 2]! - origin[3 * i + 2]!;
    return (dx * dx + dy * dy + dz * dz) / (this.#bounds[i]! * this.#bounds[i]!);
  }

  #vertexFaces({ vertexFace: { count, features, values } }: NearGroup, a: SoftBody, b: SoftBody): void {
    for (let i = 0; i < count; i++) {
      const isOfB = features[3 * i] === 1;
      const of = isOfB ? b : a;
      const to = isOfB ? a : b;
      const triangle = 3 * features[3 * i + 2]!;
      const v = of.firstVertex + features[3 * i + 1]!;
      const p = to.firstVertex + to.indices[triangle]!;
      const q = to.firstVertex + to.indices[triangle + 1]!;
      const r = to.firstVertex + to.indices[triangle + 2]!;
      const wp = values[7 * i + 1]!;
      const wq = values[7 * i + 2]!;
      const wr = values[7 * i + 3]!;
      const isInside = wp > 0 && wq > 0 && wr > 0;
      this.#add(v, p, q, r, 1, -wp, -wq, -wr, of.mobility, to.mobility, to.mobility, isInside, values, 7 * i);
    }
  }

  #edgeEdges({ edgeEdge: { count, features, values } }: NearGroup, a: SoftBody, b: SoftBody): void {
    for (let i = 0; i < count; i++) {
      const p = a.firstVertex + features[4 * i]!;
      const q = a.firstVertex + features[4 * i + 1]!;
      const r = b.firstVertex + features[4 * i + 2]!;
      const s = b.firstVertex + features[4 * i + 3]!;
      const u = values[7 * i + 1]!;
      const v = values[7 * i + 2]!;
      const isInside = u > 0 && u < 1 && v > 0 && v < 1;
      this.#add(p, q, r, s, 1 - u, u, v - 1, -v, a.mobility, a.mobility, b.mobility, isInside, values, 7 * i);
    }
  }

  /** Bounds what four vertices may move by a pair of features, and makes a constraint of it. */
  #add(
    p: number, q: number, r: number, s: number,
    wp: number, wq: number, wr: number, ws: number,
    mp: number, mq: number, mrs: number,
    isInside: boolean, values: Float64Array, at: number,
  ): void {
    const distance = values[at]!;
    const most = SHARE * distance;
    const bounds = this.#bounds;
    if (bounds[p]! > most) bounds[p] = most;
    if (bounds[q]! > most) bounds[q] = most;
    if (bounds[r]! > most) bounds[r] = most;
    if (bounds[s]! > most) bounds[s] = most;
    // Features that are nearest at a border of one of them meet other features there, too; those constrain it. And those that
    // are far cannot come near before the next list.
    if (distance >= 2 * this.thickness || (!isInside && distance >= 0.5 * this.thickness)) return;
    const listed = this.#isListed;
    listed[p] = listed[q] = listed[r] = listed[s] = 1;
    const list = this.#constraints;
    const i = list.count++;
    const mobility = 1 / (wp * wp * mp + wq * wq * mq + (wr * wr + ws * ws) * mrs);
    list.at[4 * i] = 3 * p;
    list.at[4 * i + 1] = 3 * q;
    list.at[4 * i + 2] = 3 * r;
    list.at[4 * i + 3] = 3 * s;
    list.weights[4 * i] = wp;
    list.weights[4 * i + 1] = wq;
    list.weights[4 * i + 2] = wr;
    list.weights[4 * i + 3] = ws;
    list.shares[4 * i] = wp * mp * mobility;
    list.shares[4 * i + 1] = wq * mq * mobility;
    list.shares[4 * i + 2] = wr * mrs * mobility;
    list.shares[4 * i + 3] = ws * mrs * mobility;
    list.directions[3 * i] = values[at + 4]!;
    list.directions[3 * i + 1] = values[at + 5]!;
    list.directions[3 * i + 2] = values[at + 6]!;
  }
}

/** Lists for this many constraints. */
function room(most: number): Constraints {
  return { count: 0, at: new Uint32Array(4 * most), weights: new Float32Array(4 * most), shares: new Float32Array(4 * most), directions: new Float32Array(3 * most) };
}

/** Lets vertices of an open body move farther where all closed ones are far. */
function raise(bounds: Float32Array, { x, springs }: SoftBody, balls: readonly SoftBody[], reach: number): void {
  const longest = springs.longestEdge(x);
  const spheres = balls.map(sphereAround);
  for (let i = 0; i < bounds.length; i++) {
    let free = Infinity;
    for (const sphere of spheres) {
      const dx = x[3 * i]! - sphere.x;
      const dy = x[3 * i + 1]! - sphere.y;
      const dz = x[3 * i + 2]! - sphere.z;
      free = Math.min(free, Math.sqrt(dx * dx + dy * dy + dz * dz) - sphere.radius - longest);
    }
    // Not much farther than their neighbours, which would tear the cloth.
    if (free > reach) bounds[i] = SHARE * Math.min(free, MOST * reach);
  }
}

/** A sphere that holds a body, with room for rounding. */
function sphereAround({ x: positions }: SoftBody): { x: number; y: number; z: number; radius: number } {
  let [x, y, z] = [0, 0, 0];
  for (let i = 0; i < positions.length; i += 3) {
    x += positions[i]!;
    y += positions[i + 1]!;
    z += positions[i + 2]!;
  }
  const count = positions.length / 3;
  [x, y, z] = [x / count, y / count, z / count];
  let farthest = 0;
  for (let i = 0; i < positions.length; i += 3) {
    const dx = positions[i]! - x;
    const dy = positions[i + 1]! - y;
    const dz = positions[i + 2]! - z;
    farthest = Math.max(farthest, dx * dx + dy * dy + dz * dz);
  }
  return { x, y, z, radius: Math.sqrt(farthest) + 1e-5 };
}

/** Keeps pairs of features apart, one after the other. */
function push({ count, at, weights, shares, directions }: Constraints, x: Float32Array, start: Float32Array, thickness: number): void {
  for (let i = 0; i < count; i++) {
    const p = at[4 * i]!;
    const q = at[4 * i + 1]!;
    const r = at[4 * i + 2]!;
    const s = at[4 * i + 3]!;
    const wp = weights[4 * i]!;
    const wq = weights[4 * i + 1]!;
    const wr = weights[4 * i + 2]!;
    const ws = weights[4 * i + 3]!;
    const nx = directions[3 * i]!;
    const ny = directions[3 * i + 1]!;
    const nz = directions[3 * i + 2]!;
    const ax = wp * x[p]! + wq * x[q]! + wr * x[r]! + ws * x[s]!;
    const ay = wp * x[p + 1]! + wq * x[q + 1]! + wr * x[r + 1]! + ws * x[s + 1]!;
    const az = wp * x[p + 2]! + wq * x[q + 2]! + wr * x[r + 2]! + ws * x[s + 2]!;
    const apart = ax * nx + ay * ny + az * nz;
    if (apart >= thickness) continue;
    // What they slide along each other in this step, without what they come closer.
    const sx = ax - (wp * start[p]! + wq * start[q]! + wr * start[r]! + ws * start[s]!);
    const sy = ay - (wp * start[p + 1]! + wq * start[q + 1]! + wr * start[r + 1]! + ws * start[s + 1]!);
    const sz = az - (wp * start[p + 2]! + wq * start[q + 2]! + wr * start[r + 2]! + ws * start[s + 2]!);
    const along = sx * nx + sy * ny + sz * nz;
    const away = thickness - apart + FRICTION * along;
    const fx = away * nx - FRICTION * sx;
    const fy = away * ny - FRICTION * sy;
    const fz = away * nz - FRICTION * sz;
    const mp = shares[4 * i]!;
    const mq = shares[4 * i + 1]!;
    const mr = shares[4 * i + 2]!;
    const ms = shares[4 * i + 3]!;
    x[p] = x[p]! + mp * fx;
    x[p + 1] = x[p + 1]! + mp * fy;
    x[p + 2] = x[p + 2]! + mp * fz;
    x[q] = x[q]! + mq * fx;
    x[q + 1] = x[q + 1]! + mq * fy;
    x[q + 2] = x[q + 2]! + mq * fz;
    x[r] = x[r]! + mr * fx;
    x[r + 1] = x[r + 1]! + mr * fy;
    x[r + 2] = x[r + 2]! + mr * fz;
    x[s] = x[s]! + ms * fx;
    x[s + 1] = x[s + 1]! + ms * fy;
    x[s + 2] = x[s + 2]! + ms * fz;
  }
}
