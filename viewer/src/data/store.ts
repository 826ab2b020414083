// The frames of the page, unpacked a chunk at a time as they are asked for.

import { readBlock } from './bytes';
import {
  type Contact,
  type Curve,
  type Depths,
  type Impact,
  type Mesh,
  type Near,
  type Overlap,
  type Region,
  readContacts,
  readCurves,
  readDepths,
  readImpacts,
  readMesh,
  readNear,
  readOverlaps,
  readRegions,
} from './found';
import type { Head } from './head';
import { Motion, readMotion } from './motion';

/** Everything about one frame. */
export interface Frame {
  /** Its place among the frames of the page. */
  index: number;
  /** Its place in its chunk, which is what motions count by. */
  inChunk: number;
  /** One a body. */
  motions: Motion[];
  contacts: Contact[];
  overlaps: Overlap[];
  /** Of the step that led here, the first of very many. */
  impacts: Impact[];
  /** Of exact overlaps. */
  regions: Region[];
  curves: Curve[];
  near: Near;
  depths: Depths[];
}

interface Chunk {
  motions: Motion[];
  frames: Pick<Frame, 'contacts' | 'overlaps' | 'impacts' | 'regions' | 'curves' | 'near' | 'depths'>[];
  memory: number;
}

/** Unpacked chunks are forgotten, the longest unused first, when they take more than this. */
const MEMORY = 384 * 2 ** 20;

export class Store {
  private readonly asked = new Map<number, Promise<Chunk>>();
  private readonly ready = new Map<number, Chunk>();
  private readonly starts: number[];

  private constructor(
    private readonly head: Head,
    readonly meshes: Mesh[],
  ) {
    let start = 0;
    this.starts = head.chunks.map((frames) => (start += frames) - frames);
  }

  static async open(head: Head): Promise<Store> {
    const bytes = await readBlock('mesh');
    return new Store(
      head,
      head.header.bodies.map(() => readMesh(bytes)),
    );
  }

  get frames(): number {
    return this.head.frames.number.length;
  }

  /** The frame at once if its chunk is unpacked. */
  frameNow(index: number): Frame | null {
    const number = this.chunkOf(index);
    const chunk = this.ready.get(number);
    if (!chunk) return null;
    // Asked for last means forgotten last.
    this.ready.delete(number);
    this.ready.set(number, chunk);
    return this.frameOf(chunk, number, index);
  }

  async frame(index: number): Promise<Frame> {
    const number = this.chunkOf(index);
    return this.frameOf(await this.chunk(number), number, index);
  }

  private frameOf(chunk: Chunk, number: number, index: number): Frame {
    const inChunk = index - this.starts[number];
    return { index, inChunk, motions: chunk.motions, ...chunk.frames[inChunk] };
  }

  /** Unpacks what lies ahead, so that playing does not wait. */
  prefetch(index: number): void {
    const next = this.chunkOf(index) + 1;
    if (next < this.head.chunks.length) void this.chunk(next).catch(() => undefined);
  }

  private chunkOf(index: number): number {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private chunk(number: number): Promise<Chunk> {
    let chunk = this.asked.get(number);
    if (!chunk) {
      chunk = this.unpack(number);
      this.asked.set(number, chunk);
    }
    return chunk;
  }

  private async unpack(number: number): Promise<Chunk> {
    const bytes = await readBlock(`chunk-${number}`);
    const count = this.head.chunks[number];
    const read = this.head.header.bodies.map((body) => readMotion(bytes, body.vertices, count));
    const frames = Array.from({ length: count }, () => ({
      contacts: readContacts(bytes),
      overlaps: readOverlaps(bytes),
      impacts: readImpacts(bytes),
      regions: readRegions(bytes),
      curves: readCurves(bytes),
      near: this.head.clearance === undefined ? { bodies: [], segments: [] } : readNear(bytes),
      depths: this.head.deepest === undefined ? [] : readDepths(bytes),
    }));
    const motions = await Promise.all(
      read.map(async (motion, body) => (motion instanceof Motion ? motion : (await this.chunk(motion)).motions[body])),
    );
    const memory = read.reduce<number>((sum, motion) => sum + (motion instanceof Motion ? motion.memory : 0), 0);
    const chunk = { motions, frames, memory };
    this.ready.set(number, chunk);
    this.forget(number);
    return chunk;
  }

  private forget(keep: number): void {
    let memory = [...this.ready.values()].reduce((sum, chunk) => sum + chunk.memory, 0);
    for (const [number, chunk] of [...this.ready]) {
      if (memory <= MEMORY) return;
      if (number === keep) continue;
      memory -= chunk.memory;
      this.ready.delete(number);
      this.asked.delete(number);
    }
  }
}
