// Constraints within one body, as extended position-based dynamics has them (Macklin, Müller, Chentanez 2016): lengths of
// edges, distances across edges against bending, and the volume of a closed body.
//
// Inner loops are written without destructuring, which costs more there than the arithmetic.

/** Lengths to be kept, each between two vertices of one body, which all weigh the same. */
export class Springs {
  /**
   * Two vertices per spring. Springs beside each other in the list share no vertex, as far as that can be had: a processor then
   * works on several at once.
   */
  ends: Uint32Array;
  rest: Float32Array;

  constructor(positions: Float32Array, indices: ArrayLike<number>, private readonly bending: number) {
    [this.ends, this.rest] = [new Uint32Array(0), new Float32Array(0)];
    this.build(positions, indices);
  }

  /** How many keep the length of an edge; the others keep the distance across one. */
  edges = 0;

  /** Finds the edges of the triangles; their lengths are those at `positions`. */
  build(positions: Float32Array, indices: ArrayLike<number>): void {
    const opposite = new Map<number, number>();
    const [edges, across]: [number[], number[]] = [[], []];
    const stride = positions.length;
    for (let t = 0; t < indices.length; t += 3) {
      for (let k = 0; k < 3; k++) {
        const [p, q, r] = [indices[t + k]!, indices[t + ((k + 1) % 3)]!, indices[t + ((k + 2) % 3)]!];
        const key = Math.min(p, q) * stride + Math.max(p, q);
        const other = opposite.get(key);
        if (other === undefined) {
          opposite.set(key, r);
          edges.push(p, q);
        } else if (other !== r) {
          across.push(other, r);
        }
      }
    }
    this.edges = edges.length / 2;
    this.ends = new Uint32Array(edges.length + across.length);
    this.ends.set(inColours(edges, stride / 3));
    this.ends.set(inColours(across, stride / 3), edges.length);
    this.rest = Float32Array.from({ length: this.ends.length / 2 }, (_, i) => distance(positions, this.ends[2 * i]!, this.ends[2 * i + 1]!));
  }

  /** Keeps only the springs whose ends are joined by one of these triangles, or lie across their edges; lengths stay. */
  cut(positions: Float32Array, indices: ArrayLike<number>): void {
    const stride = positions.length;
    const kept = new Map<number, number>();
    this.rest.forEach((length, i) => kept.set(this.ends[2 * i]! * stride + this.ends[2 * i + 1]!, length));
    this.build(positions, indices);
    for (let i = 0; i < this.rest.length; i++) {
      const [p, q] = [this.ends[2 * i]!, this.ends[2 * i + 1]!];
      this.rest[i] = kept.get(p * stride + q) ?? kept.get(q * stride + p) ?? this.rest[i]!;
    }
  }

  /** How long the longest edge is now. */
  longestEdge(x: Float32Array): number {
    const { ends, edges } = this;
    let longest = 0;
    for (let i = 0; i < edges; i++) {
      const a = 3 * ends[2 * i]!;
      const b = 3 * ends[2 * i + 1]!;
      const dx = x[b]! - x[a]!;
      const dy = x[b + 1]! - x[a + 1]!;
      const dz = x[b + 2]! - x[a + 2]!;
      longest = Math.max(longest, dx * dx + dy * dy + dz * dz);
    }
    return Math.sqrt(longest);
  }

  /** Moves vertices towards the lengths, one spring after the other. */
  solve(x: Float32Array): void {
    pullTogether(x, this.ends, this.rest, 0, this.edges, 1);
    pullTogether(x, this.ends, this.rest, this.edges, this.rest.length, this.bending);
  }
}

function pullTogether(x: Float32Array, ends: Uint32Array, rest: Float32Array, from: number, to: number, stiffness: number): void {
  const half = 0.5 * stiffness;
  for (let i = from; i < to; i++) {
    const a = 3 * ends[2 * i]!;
    const b = 3 * ends[2 * i + 1]!;
    const dx = x[b]! - x[a]!;
    const dy = x[b + 1]! - x[a + 1]!;
    const dz = x[b + 2]! - x[a + 2]!;
    // Of ends at one point any direction would do, so they stay.
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz) + 1e-9;
    const s = half - (half * rest[i]!) / length;
    x[a] = x[a]! + s * dx;
    x[a + 1] = x[a + 1]! + s * dy;
    x[a + 2] = x[a + 2]! + s * dz;
    x[b] = x[b]! - s * dx;
    x[b + 1] = x[b + 1]! - s * dy;
    x[b + 2] = x[b + 2]! - s * dz;
  }
}

/** Pairs of vertices in another order: first some that share no vertex, then some of the others, and so on. */
function inColours(ends: readonly number[], vertices: number): Uint32Array {
  const used = new Uint32Array(vertices);
  const colours = new Uint8Array(ends.length / 2);
  const starts = new Uint32Array(33);
  for (let i = 0; i < colours.length; i++) {
    const taken = used[ends[2 * i]!]! | used[ends[2 * i + 1]!]!;
    // The lowest bit that is not set; where all are, the last colour, which need not be free.
    const free = ~taken & (taken + 1);
    const colour = free === 0 ? 31 : 31 - Math.clz32(free);
    used[ends[2 * i]!]! |= 1 << colour;
    used[ends[2 * i + 1]!]! |= 1 << colour;
    colours[i] = colour;
    starts[colour + 1]!++;
  }
  for (let colour = 0; colour < 32; colour++) starts[colour + 1]! += starts[colour]!;
  const sorted = new Uint32Array(ends.length);
  colours.forEach((colour, i) => sorted.set([ends[2 * i]!, ends[2 * i + 1]!], 2 * starts[colour]!++));
  return sorted;
}

/** The distance of two vertices. */
export function distance(x: Float32Array, p: number, q: number): number {
  return Math.hypot(x[3 * q]! - x[3 * p]!, x[3 * q + 1]! - x[3 * p + 1]!, x[3 * q + 2]! - x[3 * p + 2]!);
}

/** Keeps the volume of a closed body near a value. */
export class Volume {
  readonly #rest: number;
  /** Six times the gradient of the volume, per vertex: the sum of the normals around it, each of twice the area's length. */
  readonly #gradient: Float32Array;

  constructor(x: Float32Array, private readonly indices: Uint32Array, private readonly stiffness: number) {
    this.#gradient = new Float32Array(x.length);
    this.#rest = this.#volume(x);
  }

  /** Moves all vertices along the gradient. They all weigh the same. */
  solve(x: Float32Array): void {
    const volume = this.#volume(x);
    const g = this.#gradient;
    let sum = 0;
    for (let i = 0; i < g.length; i++) sum += g[i]! * g[i]!;
    if (sum < 1e-20) return;
    const s = (-6 * this.stiffness * (volume - this.#rest)) / sum;
    for (let i = 0; i < g.length; i++) x[i] = x[i]! + s * g[i]!;
  }

  /** The volume, from its gradient: it is a cubic form of the positions, so three times it is their product (Euler). */
  #volume(x: Float32Array): number {
    const g = this.#gradient.fill(0);
    const { indices } = this;
    for (let t = 0; t < indices.length; t += 3) {
      const a = 3 * indices[t]!;
      const b = 3 * indices[t + 1]!;
      const c = 3 * indices[t + 2]!;
      const ex = x[b]! - x[a]!;
      const ey = x[b + 1]! - x[a + 1]!;
      const ez = x[b + 2]! - x[a + 2]!;
      const fx = x[c]! - x[a]!;
      const fy = x[c + 1]! - x[a + 1]!;
      const fz = x[c + 2]! - x[a + 2]!;
      const nx = ey * fz - ez * fy;
      const ny = ez * fx - ex * fz;
      const nz = ex * fy - ey * fx;
      g[a] = g[a]! + nx;
      g[a + 1] = g[a + 1]! + ny;
      g[a + 2] = g[a + 2]! + nz;
      g[b] = g[b]! + nx;
      g[b + 1] = g[b + 1]! + ny;
      g[b + 2] = g[b + 2]! + nz;
      g[c] = g[c]! + nx;
      g[c + 1] = g[c + 1]! + ny;
      g[c + 2] = g[c + 2]! + nz;
    }
    let product = 0;
    for (let i = 0; i < g.length; i++) product += x[i]! * g[i]!;
    return product / 18;
  }
}
