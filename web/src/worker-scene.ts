// A scene in a thread of its own: the page goes on drawing while it works.

import type { BodyId, Closest, Contact, Depths, Impact, NearGroup } from './frame.js';
import type { BodyInput, MeshInput, Scene } from './scene.js';

/** A call of a method. @internal */
export interface Ask {
  id: number;
  call: string;
  words: unknown[];
}

/** What came of it. @internal */
export interface Answer {
  id: number;
  value?: unknown;
  error?: string;
}

/** What an update of a WorkerScene found. */
export interface WorkerFrame {
  contacts: Contact[];
  /** The lists of positions that were handed over, back again, to be filled for a later frame. */
  positions: Map<BodyId, Float32Array<ArrayBuffer>>;
}

type Thread = { postMessage(message: Ask, transfer: Transferable[]): void; terminate(): unknown };

/** A Scene in a worker. Every call returns a promise; calls are answered in order. */
export class WorkerScene {
  readonly #thread: Thread;
  readonly #waiting = new Map<number, { done: (value: unknown) => void; failed: (error: Error) => void }>();
  #asked = 0;
  #gone = '';

  private constructor() {
    const node = (globalThis as { process?: { getBuiltinModule?(name: string): { Worker: new (url: URL) => NodeThread } } }).process;
    const threads = typeof Worker === 'function' ? undefined : node?.getBuiltinModule?.('node:worker_threads');
    if (threads) {
      const thread = new threads.Worker(new URL('./worker.js', import.meta.url));
      thread.on('message', (answer) => this.#settle(answer as Answer));
      thread.on('error', (error) => this.#fail((error as Error).message));
      this.#thread = thread;
    } else {
      const thread = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
      thread.onmessage = (event: MessageEvent<Answer>): void => this.#settle(event.data);
      thread.onerror = (event): void => this.#fail(event.message || 'the worker cannot be started');
      this.#thread = thread;
    }
  }

  /** Starts a thread with a scene without bodies. */
  static async create(options: ConstructorParameters<typeof Scene>[0] = {}): Promise<WorkerScene> {
    const scene = new WorkerScene();
    try {
      await scene.#ask('open', [options]);
      return scene;
    } catch (error) {
      scene.dispose();
      throw error;
    }
  }

  /** Adds a body and returns its number. The lists are copied. */
  add(body: BodyInput): Promise<BodyId> {
    return this.#ask('add', [body]) as Promise<BodyId>;
  }

  remove(body: BodyId): Promise<void> {
    return this.#ask('remove', [body]) as Promise<void>;
  }

  setMesh(body: BodyId, mesh: MeshInput): Promise<void> {
    return this.#ask('setMesh', [body, mesh]) as Promise<void>;
  }

  ignore(a: BodyId, b: BodyId, on = true): Promise<void> {
    return this.#ask('ignore', [a, b, on]) as Promise<void>;
  }

  setSelfCollision(body: BodyId, on: boolean): Promise<void> {
    return this.#ask('setSelfCollision', [body, on]) as Promise<void>;
  }

  /** Moves bodies and begins the next frame. The lists are handed over, not copied: until they come back they are empty here. */
  async update(moved: Iterable<[BodyId, Float32Array<ArrayBuffer>]> = []): Promise<WorkerFrame> {
    const list = [...moved];
    const transfer = list.map(([, positions]) => positions.buffer);
    const found = (await this.#ask('update', [list], transfer)) as { contacts: Contact[]; positions: typeof list };
    return { contacts: found.contacts, positions: new Map(found.positions) };
  }

  near(distance: number): Promise<NearGroup[]> {
    return this.#ask('near', [distance]) as Promise<NearGroup[]>;
  }

  distance(a: BodyId, b: BodyId): Promise<Closest> {
    return this.#ask('distance', [a, b]) as Promise<Closest>;
  }

  firstImpact(): Promise<Impact | null> {
    return this.#ask('firstImpact', []) as Promise<Impact | null>;
  }

  safeStep(): Promise<number> {
    return this.#ask('safeStep', []) as Promise<number>;
  }

  depths(a: BodyId, b: BodyId): Promise<Depths> {
    return this.#ask('depths', [a, b]) as Promise<Depths>;
  }

  /** Ends the thread; calls that wait are refused. */
  dispose(): void {
    this.#fail('this scene was disposed of');
    this.#thread.terminate();
  }

  declare [Symbol.dispose]: () => void;

  #ask(call: string, words: unknown[], transfer: Transferable[] = []): Promise<unknown> {
    if (this.#gone) return Promise.reject(new Error(this.#gone));
    const id = this.#asked++;
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed });
      this.#thread.postMessage({ id, call, words }, transfer);
    });
  }

  #settle({ id, value, error }: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.done(value);
    else waiting?.failed(new Error(error));
  }

  #fail(message: string): void {
    this.#gone ||= message;
    for (const { failed } of this.#waiting.values()) failed(new Error(message));
    this.#waiting.clear();
  }
}

if (Symbol.dispose) {
  Object.defineProperty(WorkerScene.prototype, Symbol.dispose, { value: WorkerScene.prototype.dispose, configurable: true, writable: true });
}

type NodeThread = Thread & { on(name: string, listen: (value: unknown) => void): void };
