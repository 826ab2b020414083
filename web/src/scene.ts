// Bodies that deform and collide.

import { type BodyId, Frame } from './frame.js';
import { checked, wasm, writeText } from './module.js';

/** How pairs are searched for. All methods find the same pairs; the default is the fastest. */
export type Method = 'wide-tree' | 'hybrid-tree' | 'bucket-tree' | 'gjk-cut' | 'local-tree' | 'brute-force';

/** Vertices and triangles of a body. */
export interface MeshInput {
  /** Three coordinates per vertex. */
  positions: ArrayLike<number>;
  /** Three vertices per triangle; each three vertices in a row are a triangle if omitted. */
  indices?: ArrayLike<number> | undefined;
  /** Whether vertices at equal positions count as one when neighbours are left out of self-collision. Default: false. */
  weld?: boolean | undefined;
}

export interface BodyInput extends MeshInput {
  /** What errors call the body; its number if omitted. */
  name?: string | undefined;
  /** Whether collisions of the body with itself are found. Default: false. */
  selfCollision?: boolean | undefined;
  /** For impacts: surfaces meet when they come closer than half the sum of both thicknesses. Default: 0. */
  thickness?: number | undefined;
}

/** A body as this side knows it. */
interface Known {
  vertices: number;
  /** The list that `positions` has handed out. */
  positions: Float32Array<ArrayBuffer> | undefined;
}

/** Bodies that deform and collide: positions in, frames out. */
export class Scene {
  #scene: number;
  readonly #bodies = new Map<BodyId, Known>();
  #updates = 0;

  /** A scene without bodies. `init()` must have been awaited. */
  constructor({ method }: { method?: Method | undefined } = {}) {
    writeText(method ?? '');
    this.#scene = checked(wasm().scene_new());
    leftovers?.register(this, this.#scene, this);
  }

  /** Adds a body and returns its number. */
  add({ name = '', selfCollision = false, thickness = 0, weld = false, ...mesh }: BodyInput): BodyId {
    const vertices = writeMesh(mesh);
    writeText(name);
    const body = checked(wasm().body_add(this.#scene, vertices, Number(selfCollision), Number(weld), thickness));
    this.#bodies.set(body, { vertices, positions: undefined });
    return body;
  }

  /** Takes a body out; its number is never valid again. */
  remove(body: BodyId): void {
    checked(wasm().body_remove(this.#scene, body));
    this.#bodies.delete(body);
  }

  /** Gives a body other vertices and triangles, after a cut for example. Ask for its positions again. */
  setMesh(body: BodyId, { weld = false, ...mesh }: MeshInput): void {
    const vertices = writeMesh(mesh);
    checked(wasm().body_set_mesh(this.#scene, body, vertices, Number(weld)));
    this.#bodies.set(body, { vertices, positions: undefined });
  }

  /**
   * The positions of a body in the next frame, to be written in place: three coordinates per vertex. They start as the current
   * ones, and every update takes in what they hold.
   *
   * The list is yours to keep as long as the body keeps its mesh. It is no view of WebAssembly memory: growing memory detaches
   * such views, and what is written to them is then lost without a word. `writePositions` is the way without a copy.
   */
  positions(body: BodyId): Float32Array<ArrayBuffer> {
    const known = this.#bodies.get(body);
    if (known?.positions) return known.positions;
    const positions = this.#draft(body).slice();
    if (known) known.positions = positions;
    return positions;
  }

  /**
   * Writes the positions of a body in the next frame without a copy: `write` is handed a view of WebAssembly memory that holds the
   * current ones, and that is valid until it returns.
   */
  writePositions(body: BodyId, write: (positions: Float32Array<ArrayBuffer>) => void): void {
    const view = this.#draft(body);
    write(view);
    if (view.buffer !== wasm().memory.buffer) {
      throw new Error(`memory grew while the positions of body ${body} were written, so they may be lost: call nothing of crumple there`);
    }
    this.#takeIn(body, view, 0);
  }

  /** Moves every vertex of a body to its position in the next frame, checked at once. */
  setPositions(body: BodyId, positions: ArrayLike<number>): void {
    this.#set(body, positions, 0);
  }

  /** Moves every vertex again within the step of the last frame, for a solver that improves on a frame: where the step began stays. */
  correctPositions(body: BodyId, positions: ArrayLike<number>): void {
    this.#set(body, positions, 1);
  }

  #set(body: BodyId, positions: ArrayLike<number>, correct: number): void {
    const view = this.#draft(body);
    if (positions.length !== view.length) {
      throw new Error(`${positions.length} coordinates were given for body ${body}, which needs ${view.length}: three per vertex`);
    }
    view.set(positions);
    this.#takeIn(body, view, correct);
  }

  #takeIn(body: BodyId, view: Float32Array<ArrayBuffer>, correct: number): void {
    checked(wasm().body_take_in(this.#scene, body, correct));
    // Asked for again if memory has grown.
    this.#bodies.get(body)?.positions?.set(view.length ? view : this.#draft(body));
  }

  /** Where the module reads the positions of the next frame, until its next call. */
  #draft(body: BodyId): Float32Array<ArrayBuffer> {
    const address = checked(wasm().body_positions(this.#scene, body));
    return new Float32Array(wasm().memory.buffer as ArrayBuffer, address, 3 * (this.#bodies.get(body)?.vertices ?? 0));
  }

  /** Lets two bodies touch: contacts between them are not reported. `false` takes that back. */
  ignore(a: BodyId, b: BodyId, on = true): void {
    checked(wasm().body_ignore(this.#scene, a, b, Number(on)));
  }

  /** Whether collisions of a body with itself are found. */
  setSelfCollision(body: BodyId, on: boolean): void {
    checked(wasm().body_self_collision(this.#scene, body, Number(on)));
  }

  /** Ends the frame so far and begins the next one, with the bodies where they were moved to. */
  update(): Frame {
    for (const [body, { positions }] of this.#bodies) if (positions) this.#draft(body).set(positions);
    checked(wasm().scene_update(this.#scene));
    const update = ++this.#updates;
    return new Frame(this.#scene, () => this.#updates === update);
  }

  /** Frees the memory of the scene. What is not disposed of is freed when it is garbage-collected. */
  dispose(): void {
    if (this.#scene === DISPOSED) return;
    leftovers?.unregister(this);
    wasm().scene_free(this.#scene);
    this.#scene = DISPOSED;
    this.#updates++;
    this.#bodies.clear();
  }

  declare [Symbol.dispose]: () => void;
}

// Older engines have no such symbol.
if (Symbol.dispose) {
  Object.defineProperty(Scene.prototype, Symbol.dispose, { value: Scene.prototype.dispose, configurable: true, writable: true });
}

/** No scene has this number. */
const DISPOSED = 0xffffffff;

const leftovers =
  typeof FinalizationRegistry === 'function'
    ? /* @__PURE__ */ new FinalizationRegistry<number>((scene) => wasm().scene_free(scene))
    : undefined;

/** Hands a mesh to the next call; returns how many vertices it has. */
function writeMesh({ positions, indices }: MeshInput): number {
  const vertices = positions.length / 3;
  const triangles = (indices ? indices.length : vertices) / 3;
  if (!Number.isInteger(vertices)) throw new Error(`positions holds ${positions.length} numbers, but it needs three per vertex`);
  if (!Number.isInteger(triangles)) {
    throw new Error(`${indices ? 'indices holds' : 'without indices, positions has'} ${triangles * 3} vertices, but it needs three per triangle`);
  }
  const address = checked(wasm().mesh_of(vertices, triangles));
  const buffer = wasm().memory.buffer;
  new Float32Array(buffer, address, 3 * vertices).set(positions);
  const corners = new Uint32Array(buffer, address + 12 * vertices, 3 * triangles);
  if (indices) corners.set(indices);
  else corners.forEach((_, i) => (corners[i] = i));
  return vertices;
}
