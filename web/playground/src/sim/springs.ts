// Constraints within one body, as extended position-based dynamics has them (Macklin, Müller, Chentanez 2016): lengths of
// edges, distances across edges against bending, and the volume of a closed body.
//
// Inner loops are written without destructuring, which costs more there than the arithmetic.

/** Lengths to be kept, each between two vertices. */
export class Springs {
  /** Two vertices per spring. */
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
    this.ends.set(edges);
    this.ends.set(across, edges.length);
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

  /** Moves vertices towards the lengths, one spring after the other. `mobility` is the inverse mass per vertex. */
  solve(x: Float32Array, mobility: Float32Array): void {
    const { ends, rest, edges } = this;
    for (let i = 0; i < rest.length; i++) {
      const p = ends[2 * i]!;
      const q = ends[2 * i + 1]!;
      const wp = mobility[p]!;
      const wq = mobility[q]!;
      if (wp + wq === 0) continue;
      const a = 3 * p;
      const b = 3 * q;
      const dx = x[b]! - x[a]!;
      const dy = x[b + 1]! - x[a + 1]!;
      const dz = x[b + 2]! - x[a + 2]!;
      const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (length < 1e-9) continue;
      const stiffness = i < edges ? 1 : this.bending;
      const s = (stiffness * (length - rest[i]!)) / (length * (wp + wq));
      x[a] = x[a]! + wp * s * dx;
      x[a + 1] = x[a + 1]! + wp * s * dy;
      x[a + 2] = x[a + 2]! + wp * s * dz;
      x[b] = x[b]! - wq * s * dx;
      x[b + 1] = x[b + 1]! - wq * s * dy;
      x[b + 2] = x[b + 2]! - wq * s * dz;
    }
  }
}

/** The distance of two vertices. */
export function distance(x: Float32Array, p: number, q: number): number {
  return Math.hypot(x[3 * q]! - x[3 * p]!, x[3 * q + 1]! - x[3 * p + 1]!, x[3 * q + 2]! - x[3 * p + 2]!);
}

/** Keeps the volume of a closed body near a value. */
export class Volume {
  readonly rest: number;
  readonly #gradient: Float32Array;

  constructor(x: Float32Array, private readonly indices: Uint32Array, private readonly stiffness: number) {
    this.rest = volume(x, indices);
    this.#gradient = new Float32Array(x.length);
  }

  solve(x: Float32Array, mobility: Float32Array): void {
    const g = this.#gradient.fill(0);
    const { indices } = this;
    for (let t = 0; t < indices.length; t += 3) {
      const a = 3 * indices[t]!;
      const b = 3 * indices[t + 1]!;
      const c = 3 * indices[t + 2]!;
      addCross(g, a, x, b, c);
      addCross(g, b, x, c, a);
      addCross(g, c, x, a, b);
    }
    let sum = 0;
    for (let i = 0; i < mobility.length; i++) sum += mobility[i]! * (g[3 * i]! ** 2 + g[3 * i + 1]! ** 2 + g[3 * i + 2]! ** 2);
    if (sum < 1e-20) return;
    const s = (-6 * this.stiffness * (volume(x, indices) - this.rest)) / sum;
    for (let i = 0; i < mobility.length; i++) {
      const w = s * mobility[i]!;
      x[3 * i] = x[3 * i]! + w * g[3 * i]!;
      x[3 * i + 1] = x[3 * i + 1]! + w * g[3 * i + 1]!;
      x[3 * i + 2] = x[3 * i + 2]! + w * g[3 * i + 2]!;
    }
  }
}

/** Six times the gradient of the volume by one corner: the product of the other two. */
function addCross(g: Float32Array, at: number, x: Float32Array, b: number, c: number): void {
  g[at] = g[at]! + x[b + 1]! * x[c + 2]! - x[b + 2]! * x[c + 1]!;
  g[at + 1] = g[at + 1]! + x[b + 2]! * x[c]! - x[b]! * x[c + 2]!;
  g[at + 2] = g[at + 2]! + x[b]! * x[c + 1]! - x[b + 1]! * x[c]!;
}

/** The volume inside a closed surface. */
export function volume(x: Float32Array, indices: ArrayLike<number>): number {
  let sum = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const a = 3 * indices[t]!;
    const b = 3 * indices[t + 1]!;
    const c = 3 * indices[t + 2]!;
    sum += x[a]! * (x[b + 1]! * x[c + 2]! - x[b + 2]! * x[c + 1]!);
    sum += x[a + 1]! * (x[b + 2]! * x[c]! - x[b]! * x[c + 2]!);
    sum += x[a + 2]! * (x[b]! * x[c + 1]! - x[b + 1]! * x[c]!);
  }
  return sum / 6;
}
