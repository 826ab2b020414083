// The meshes of the playground: a cloth and balls.

export interface Shape {
  positions: Float32Array<ArrayBuffer>;
  indices: Uint32Array<ArrayBuffer>;
}

/** A square cloth of n × n squares, two triangles each, level, with its middle at `height`. */
export function cloth(n: number, size: number, height: number): Shape {
  const positions = new Float32Array(3 * (n + 1) ** 2);
  const indices = new Uint32Array(6 * n * n);
  let [at, corner] = [0, 0];
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= n; j++) {
      positions[at++] = (i / n - 0.5) * size;
      positions[at++] = height;
      positions[at++] = (j / n - 0.5) * size;
    }
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const [p, q, r, s] = [i * (n + 1) + j, i * (n + 1) + j + 1, (i + 1) * (n + 1) + j, (i + 1) * (n + 1) + j + 1];
      // The diagonals alternate, so that the cloth has no preferred direction.
      const corners = (i + j) % 2 === 0 ? [p, q, r, q, s, r] : [p, q, s, p, s, r];
      for (const vertex of corners) indices[corner++] = vertex;
    }
  }
  return { positions, indices };
}

/** A ball: an octahedron whose edges are divided by n, which makes 8 n² triangles. */
export function ball(n: number, radius: number, [x, y, z]: readonly [number, number, number]): Shape {
  const positions: number[] = [];
  const indices: number[] = [];
  const known = new Map<string, number>();
  const vertex = (p: readonly number[]): number => {
    const key = p.join();
    let at = known.get(key);
    if (at === undefined) {
      at = positions.length / 3;
      known.set(key, at);
      const length = Math.hypot(p[0]!, p[1]!, p[2]!);
      positions.push(x + (radius * p[0]!) / length, y + (radius * p[1]!) / length, z + (radius * p[2]!) / length);
    }
    return at;
  };
  for (const [sx, sy, sz] of [[1, 1, 1], [-1, 1, 1], [1, -1, 1], [1, 1, -1], [-1, -1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, -1]] as const) {
    const point = (i: number, j: number): number => vertex([sx * i || 0, sy * j || 0, sz * (n - i - j) || 0]);
    const outward = sx * sy * sz > 0;
    const add = (p: number, q: number, r: number): void => void (outward ? indices.push(p, q, r) : indices.push(p, r, q));
    for (let i = 0; i < n; i++) {
      for (let j = 0; i + j < n; j++) {
        add(point(i, j), point(i + 1, j), point(i, j + 1));
        if (i + j < n - 1) add(point(i + 1, j), point(i + 1, j + 1), point(i, j + 1));
      }
    }
  }
  return { positions: new Float32Array(positions), indices: new Uint32Array(indices) };
}
