// Where the scene is drawn: its box moved to the origin and scaled to fit a ball of radius 1. Files come in millimetres and in
// kilometres, near the origin and far from it; graphics cards want small numbers near zero.

import type { Head, Vec3 } from './head';

export class Placement {
  readonly centre: Vec3;
  readonly scale: number;

  constructor(bounds: Head['bounds']) {
    const [low, high] = bounds ?? [[0, 0, 0], [0, 0, 0]];
    this.centre = [0, 1, 2].map((axis) => low[axis] / 2 + high[axis] / 2) as Vec3;
    const radius = Math.hypot(...[0, 1, 2].map((axis) => high[axis] / 2 - low[axis] / 2));
    this.scale = radius > 0 ? 1 / radius : 1;
  }

  /** A point of the file as it is drawn. */
  placed(point: ArrayLike<number>): Vec3 {
    return [0, 1, 2].map((axis) => (point[axis] - this.centre[axis]) * this.scale) as Vec3;
  }

  /** A drawn point as the file has it, up to rounding. */
  inFile(point: ArrayLike<number>): Vec3 {
    return [0, 1, 2].map((axis) => point[axis] / this.scale + this.centre[axis]) as Vec3;
  }
}
