// Which triangle lies under the pointer.

import type { Ray } from 'three';
import type { BodyView } from './body';

export interface Hit {
  body: number;
  triangle: number;
  distance: number;
}

/** The nearest triangle of a visible body that the ray goes through; among `only` where given, a list a body. */
export function pick(ray: Ray, bodies: BodyView[], only?: Uint32Array[]): Hit | null {
  let nearest: Hit | null = null;
  bodies.forEach((body, number) => {
    if (!body.visible) return;
    const { corners } = body.triangles;
    const list = only?.[number];
    const count = list ? list.length : corners.length / 3;
    for (let i = 0; i < count; i++) {
      const triangle = list ? list[i] : i;
      const distance = crossing(ray, corners, body.positions, triangle);
      if (distance !== null && (!nearest || distance < nearest.distance)) nearest = { body: number, triangle, distance };
    }
  });
  return nearest;
}

/** How far along the ray it goes through the triangle, from either side. */
function crossing(ray: Ray, corners: Uint32Array, p: Float32Array, triangle: number): number | null {
  const a = 3 * corners[3 * triangle];
  const b = 3 * corners[3 * triangle + 1];
  const c = 3 * corners[3 * triangle + 2];
  const { origin: o, direction: d } = ray;
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  // The triangle's plane is met where origin + t d = a + s u + r v; Cramer's rule for s, r and t.
  const nx = d.y * vz - d.z * vy;
  const ny = d.z * vx - d.x * vz;
  const nz = d.x * vy - d.y * vx;
  const volume = ux * nx + uy * ny + uz * nz;
  if (volume === 0) return null;
  const wx = o.x - p[a];
  const wy = o.y - p[a + 1];
  const wz = o.z - p[a + 2];
  const s = (wx * nx + wy * ny + wz * nz) / volume;
  if (s < 0 || s > 1) return null;
  const mx = wy * uz - wz * uy;
  const my = wz * ux - wx * uz;
  const mz = wx * uy - wy * ux;
  const r = (d.x * mx + d.y * my + d.z * mz) / volume;
  if (r < 0 || r + s > 1) return null;
  const t = (vx * mx + vy * my + vz * mz) / volume;
  return t > 0 ? t : null;
}
