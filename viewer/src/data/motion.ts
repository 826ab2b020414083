// Positions of a body over the frames of a chunk, unpacked (see write/page/motion.rs for the bytes).

import type { Bytes } from './bytes';
import type { Placement } from './placement';

const STEPS = 65535;
const GUESS = { neighbour: 0, stays: 1, goesOn: 2, bendsOn: 3, withNeighbour: 4 };

/** The frames of a body in one chunk; a body that stands still has one frame. */
export class Motion {
  constructor(
    private readonly vertices: number,
    /** The two corners of the box, six numbers. */
    private readonly corners: number[],
    /** All x of the first frame, all y, all z, then the next frame. */
    private readonly steps: Uint16Array,
  ) {}

  get memory(): number {
    return this.steps.byteLength;
  }

  get moves(): boolean {
    return this.steps.length > 3 * this.vertices;
  }

  /** Writes the positions of a frame of the chunk, placed for drawing, as x, y, z a vertex. */
  write(frame: number, placement: Placement, out: Float32Array): void {
    const { vertices, corners, steps } = this;
    const start = 3 * vertices * Math.min(frame, steps.length / Math.max(1, 3 * vertices) - 1);
    for (let axis = 0; axis < 3; axis++) {
      const step = ((corners[axis + 3] - corners[axis]) / STEPS) * placement.scale;
      const origin = (corners[axis] - placement.centre[axis]) * placement.scale;
      const from = start + axis * vertices;
      for (let vertex = 0; vertex < vertices; vertex++) out[3 * vertex + axis] = origin + steps[from + vertex] * step;
    }
  }
}

/** Reads a body's part of a chunk; a number is the chunk in which the body stood as it stands in this one. */
export function readMotion(bytes: Bytes, vertices: number, frames: number): Motion | number {
  const kind = bytes.byte();
  if (kind === 2) return bytes.count();
  const corners = bytes.floats(6);
  const stored = kind === 0 ? frames : 1;
  const steps = new Uint16Array(stored * 3 * vertices);
  for (let frame = 0; frame < stored; frame++) readFrame(bytes, steps, frame, vertices);
  return new Motion(vertices, corners, steps);
}

function readFrame(bytes: Bytes, steps: Uint16Array, frame: number, vertices: number): void {
  const size = 3 * vertices;
  const guess = bytes.byte();
  const low = bytes.take(size);
  const high = bytes.take(size);
  const start = frame * size;
  for (let i = 0; i < size; i++) {
    const folded = low[i] | (high[i] << 8);
    const error = (folded >> 1) ^ -(folded & 1);
    const now = start + i;
    const leads = i % vertices === 0;
    let expected = 0;
    if (guess === GUESS.neighbour) {
      expected = leads ? 0 : steps[now - 1];
    } else if (guess === GUESS.stays) {
      expected = steps[now - size];
    } else if (guess === GUESS.goesOn) {
      expected = 2 * steps[now - size] - steps[now - 2 * size];
    } else if (guess === GUESS.bendsOn) {
      expected = 3 * (steps[now - size] - steps[now - 2 * size]) + steps[now - 3 * size];
    } else {
      expected = steps[now - size] + (leads ? 0 : steps[now - 1] - steps[now - size - 1]);
    }
    // The array keeps the lowest 16 bits, which is how steps wrap around.
    steps[now] = expected + error;
  }
}
