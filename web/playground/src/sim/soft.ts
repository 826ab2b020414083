// One body that deforms: vertices with speeds, and what holds them together.

import type { Shape } from './shapes';
import { Springs, Volume, distance } from './springs';

/** The vertices of all bodies, one after the other: three numbers each. */
export interface Vertices {
  /** Where they are, and where they were when the step began. */
  x: Float32Array<ArrayBuffer>;
  start: Float32Array<ArrayBuffer>;
}

export class SoftBody {
  /** The part of [`Vertices`] that is this body's. */
  readonly x: Float32Array<ArrayBuffer>;
  readonly start: Float32Array<ArrayBuffer>;
  readonly velocity: Float32Array;
  /** The inverse mass of each vertex. */
  readonly mobility: number;
  readonly springs: Springs;
  indices: Uint32Array<ArrayBuffer>;
  readonly #volume: Volume | undefined;

  constructor(readonly name: string, shape: Shape, readonly isClosed: boolean, mass: number, all: Vertices, readonly firstVertex: number) {
    const numbers = shape.positions.length;
    this.x = all.x.subarray(3 * firstVertex, 3 * firstVertex + numbers);
    this.start = all.start.subarray(3 * firstVertex, 3 * firstVertex + numbers);
    this.x.set(shape.positions);
    this.velocity = new Float32Array(numbers);
    this.mobility = numbers / 3 / mass;
    this.indices = shape.indices;
    this.springs = new Springs(this.x, this.indices, isClosed ? 0.5 : 0.04);
    this.#volume = isClosed ? new Volume(this.x, this.indices, 0.9) : undefined;
  }

  get vertexCount(): number {
    return this.x.length / 3;
  }

  /** Begins a step: where the vertices would go if nothing held them. Returns how far the fastest one goes. */
  predict(dt: number, gravity: number): number {
    this.start.set(this.x);
    const { x, velocity } = this;
    let fastest = 0;
    for (let at = 0; at < x.length; at += 3) {
      velocity[at + 1] = velocity[at + 1]! - gravity * dt;
      const dx = velocity[at]! * dt;
      const dy = velocity[at + 1]! * dt;
      const dz = velocity[at + 2]! * dt;
      x[at] = x[at]! + dx;
      x[at + 1] = x[at + 1]! + dy;
      x[at + 2] = x[at + 2]! + dz;
      fastest = Math.max(fastest, dx * dx + dy * dy + dz * dz);
    }
    return Math.sqrt(fastest);
  }

  /** Pulls the body together once, and every other time to its volume. */
  solve(pass: number, floor: number): void {
    this.springs.solve(this.x);
    if (pass % 2 === 1) this.#volume?.solve(this.x);
    this.#standOn(floor);
  }

  /** Keeps vertices above the floor; those on it lose most of their motion along it. */
  #standOn(floor: number): void {
    const { x, start } = this;
    for (let at = 0; at < x.length; at += 3) {
      if (x[at + 1]! >= floor) continue;
      x[at + 1] = floor;
      x[at] = x[at]! + 0.3 * (start[at]! - x[at]!);
      x[at + 2] = x[at + 2]! + 0.3 * (start[at + 2]! - x[at + 2]!);
    }
  }

  /** Takes back what vertices have moved farther than this. */
  slowDown(farthest: number): void {
    const { x, start } = this;
    for (let at = 0; at < x.length; at += 3) {
      const dx = x[at]! - start[at]!;
      const dy = x[at + 1]! - start[at + 1]!;
      const dz = x[at + 2]! - start[at + 2]!;
      const square = dx * dx + dy * dy + dz * dz;
      if (square <= farthest * farthest) continue;
      const s = farthest / Math.sqrt(square);
      x[at] = start[at]! + s * dx;
      x[at + 1] = start[at + 1]! + s * dy;
      x[at + 2] = start[at + 2]! + s * dz;
    }
  }

  /** Ends a step: speeds are what the vertices have moved. */
  finish(dt: number, damping: number): void {
    const { x, start, velocity } = this;
    const factor = damping / dt;
    for (let i = 0; i < x.length; i++) velocity[i] = (x[i]! - start[i]!) * factor;
  }

  /** Takes triangles out. */
  cut(triangles: ReadonlySet<number>): void {
    this.indices = this.indices.filter((_, corner) => !triangles.has(Math.floor(corner / 3)));
    this.springs.cut(this.x, this.indices);
  }

  /** The triangles at edges that are longer than `most` times their length at rest. */
  overstretched(most: number): Set<number> {
    const torn = new Set<number>();
    const { x, springs, indices } = this;
    const stride = x.length;
    const edges = new Set<number>();
    for (let i = 0; i < springs.edges; i++) {
      const p = springs.ends[2 * i]!;
      const q = springs.ends[2 * i + 1]!;
      if (distance(x, p, q) > most * springs.rest[i]!) edges.add(Math.min(p, q) * stride + Math.max(p, q));
    }
    if (edges.size === 0) return torn;
    for (let c = 0; c < indices.length; c++) {
      const [p, q] = [indices[c]!, indices[c % 3 === 2 ? c - 2 : c + 1]!];
      if (edges.has(Math.min(p, q) * stride + Math.max(p, q))) torn.add(Math.floor(c / 3));
    }
    return torn;
  }
}
