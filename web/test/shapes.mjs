// Small bodies for the tests.

/** A triangle in a plane of constant y. */
export const triangle = (y, size = 1) => ({ positions: [0, y, 0, size, y, 0, 0, y, size], indices: [0, 1, 2] });

/** A tetrahedron, closed, its corner at (x, y, z). */
export function tetrahedron(x = 0, y = 0, z = 0) {
  const corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
  return {
    positions: corners.flatMap(([p, q, r]) => [p + x, q + y, r + z]),
    indices: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3],
  };
}

/** A square grid of n × n squares in the plane y = 0. */
export function grid(n, height = () => 0) {
  const positions = [];
  const indices = [];
  for (let i = 0; i <= n; i++) for (let j = 0; j <= n; j++) positions.push(i / n, height(i / n, j / n), j / n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const at = i * (n + 1) + j;
      indices.push(at, at + 1, at + n + 1, at + 1, at + n + 2, at + n + 1);
    }
  }
  return { positions, indices };
}
