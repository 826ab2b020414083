// One body that deforms: vertices with speeds, and what holds them together.

import type { Shape } from './shapes';
import { Springs, Volume, distance } from './springs';

export class SoftBody {
  /** Where the vertices are, and where they were when the step began. */
  readonly x: Float32Array<ArrayBuffer>;
  readonly start: Float32Array<ArrayBuffer>;
  readonly velocity: Float32Array;
  /** The inverse mass per vertex; 0 is pinned. */
  readonly mobility: Float32Array;
  readonly springs: Springs;
  indices: Uint32Array<ArrayBuffer>;
  readonly #volume: Volume | undefined;

  constructor(readonly name: string, shape: Shape, readonly isClosed: boolean, mass: number) {
    this.x = shape.positions;
    this.start = shape.positions.slice();
    this.velocity = new Float32Array(shape.positions.length);
    const count = shape.positions.length / 3;
    this.mobility = new Float32Array(count).fill(count / mass);
    this.indices = shape.indices;
    this.springs = new Springs(this.x, this.indices, isClosed ? 0.5 : 0.04);
    this.#volume = isClosed ? new Volume(this.x, this.indices, 0.9) : undefined;
  }

  /** Begins a step: where the vertices would go if nothing held them. Returns how far the fastest one goes. */
  predict(dt: number, gravity: number): number {
    this.start.set(this.x);
    const { x, velocity, mobility } = this;
    let fastest = 0;
    for (let i = 0; i < mobility.length; i++) {
      if (mobility[i] === 0) continue;
      const at = 3 * i;
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

  /** Pulls the body together once. */
  solve(floor: number): void {
    this.springs.solve(this.x, this.mobility);
    this.#volume?.solve(this.x, this.mobility);
    this.#standOn(floor);
  }

  /** Keeps vertices above the floor; those on it lose most of their motion along it. */
  #standOn(floor: number): void {
    const { x, start, mobility } = this;
    for (let i = 0; i < mobility.length; i++) {
      const at = 3 * i;
      if (x[at + 1]! >= floor || mobility[i] === 0) continue;
      x[at + 1] = floor;
      x[at] = x[at]! + 0.3 * (start[at]! - x[at]!);
      x[at + 2] = x[at + 2]! + 0.3 * (start[at + 2]! - x[at + 2]!);
    }
  }

  /** Ends a step: speeds are what the vertices have moved. */
  finish(dt: number, damping: number): void {
    const { x, start, velocity } = this;
    for (let i = 0; i < x.length; i++) velocity[i] = ((x[i]! - start[i]!) / dt) * damping;
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
