// The bodies of the playground, step after step: ask crumple what is near, predict, solve, ask crumple what collides.

import { type Contact, type Frame, type Method, type NearGroup, Scene } from 'crumple/inline';
import { ball, cloth } from './shapes';
import { SoftBody, type Vertices } from './soft';
import { Response } from './response';
import { retreat } from './retreat';

export interface Settings {
  method: Method;
  /** About this many triangles per body. */
  triangles: number;
  /** Whether bodies push each other away; without, they pass through each other and what collides is seen. */
  respond: boolean;
  /** Whether the cloth is asked about itself. */
  selfCollision: boolean;
}

/** What one step took and found; times in milliseconds. */
export interface StepReport {
  detection: number;
  step: number;
  contacts: Contact[];
  /** Triangles of features that are nearer than the thickness, by body. */
  touching: Map<number, Set<number>>;
  nearPairs: number;
}

/** What a hand does to one vertex. */
export interface Grip {
  body: SoftBody;
  vertex: number;
  target: [number, number, number];
}

const DT = 1 / 60;
const GRAVITY = 9.8;
const FLOOR = 0.004;
/** An edge of this many times its length tears. */
const TEAR = 2.4;
const CLOTH_SIZE = 1.7;
/** How far a vertex may move in one step: a small part of the size of the smallest ball, so that no body passes through another unseen. */
const FARTHEST = 0.05;
/** More triangles than this are solved in fewer and coarser steps, so that the page stays fluent. */
const MANY = 9000;

export class World {
  readonly bodies: SoftBody[];
  readonly ids: number[];
  readonly scene: Scene;
  readonly #response: Response;
  #fastest = 0;
  /** What touched when features were last listed, and how many were listed. */
  #touching = new Map<number, Set<number>>();
  #nearPairs = 0;
  #isCut = false;
  /** Surfaces are kept this far apart: less than the length of an edge, so that few features are near each other. */
  readonly thickness: number;
  readonly #substeps: number;
  readonly #passes: number;
  /** The vertices that a hand holds. */
  grips: Grip[] = [];

  constructor(readonly settings: Settings) {
    const { triangles, method } = settings;
    const squares = Math.max(4, Math.round(Math.sqrt(triangles / 2)));
    this.thickness = Math.min(0.012, ((triangles > MANY ? 0.2 : 0.35) * CLOTH_SIZE) / squares);
    [this.#substeps, this.#passes] = triangles > MANY ? [1, 4] : [2, 6];
    const n = Math.max(2, Math.round(Math.sqrt(triangles / 8)));
    const shapes = [
      cloth(squares, CLOTH_SIZE, 1.0),
      ball(n, 0.36, [-0.08, 0.42, 0.02]),
      ball(Math.max(2, Math.round(0.6 * n)), 0.22, [0.6, 0.26, 0.5]),
    ];
    const numbers = shapes.reduce((sum, { positions }) => sum + positions.length, 0);
    const all: Vertices = { x: new Float32Array(numbers), start: new Float32Array(numbers) };
    let firstVertex = 0;
    this.bodies = shapes.map((shape, i) => {
      const body = new SoftBody(['cloth', 'ball', 'small ball'][i]!, shape, i > 0, [0.4, 2, 0.8][i]!, all, firstVertex);
      firstVertex += body.vertexCount;
      return body;
    });
    this.#response = new Response(all, this.bodies, this.thickness);
    this.scene = new Scene({ method });
    this.ids = this.bodies.map((body) =>
      this.scene.add({ positions: body.x, indices: body.indices, name: body.name, selfCollision: settings.selfCollision && !body.isClosed }),
    );
  }

  get cloth(): SoftBody {
    return this.bodies[0]!;
  }

  readonly bodyOf = (id: number): SoftBody => this.bodies[this.ids.indexOf(id)]!;

  /** One sixtieth of a second. */
  step(): StepReport {
    const started = performance.now();
    const { respond } = this.settings;
    this.#tear();
    let detection = 0;
    const dt = DT / this.#substeps;
    let contacts: Contact[] = [];
    for (let sub = 0; sub < this.#substeps; sub++) {
      if (respond && this.#response.isTired) detection += this.#list(this.#ask());
      this.#fastest = Math.max(...this.bodies.map((body) => body.predict(dt, GRAVITY)), this.#pull());
      for (let pass = 0; pass < this.#passes; pass++) {
        for (const body of this.bodies) body.solve(pass, FLOOR);
        for (const grip of this.grips) pull(grip);
        if (respond) this.#response.solve();
      }
      const asked = performance.now();
      contacts = respond ? this.#keepApart() : this.#ask().contacts();
      detection += performance.now() - asked;
      for (const body of this.bodies) body.finish(dt, body.isClosed ? 0.996 : 0.992);
    }
    return { detection, step: performance.now() - started, contacts, touching: this.#touching, nearPairs: this.#nearPairs };
  }

  /** Ends a step where nothing meets. Returns what meets there, which is the cloth with itself at most. */
  #keepApart(): Contact[] {
    const { bodies, ids } = this;
    for (const body of bodies) body.slowDown(FARTHEST);
    // Pieces of a cut cloth may be so small that they could pass through as a whole.
    if (this.#isCut) this.#response.limit();
    for (const part of [0.5, 0.3, 0]) {
      const frame = this.#ask();
      const contacts = frame.contacts();
      if (!contacts.some(({ a, b }) => a !== b)) {
        if (part < 0.5) this.#response.forget();
        else this.#response.accept();
        return contacts;
      }
      if (part > 0) retreat(part, frame, contacts, bodies, ids);
    }
    if (this.#response.isFresh) this.#response.limit();
    else for (const body of bodies) body.x.set(body.start);
    this.#response.forget();
    return this.#ask().contacts();
  }

  /** Lists what is near; returns how long crumple took. */
  #list(frame: Frame): number {
    const reach = this.#reach();
    const asked = performance.now();
    const near = frame.near(reach);
    const took = performance.now() - asked;
    this.#nearPairs = this.#response.list(near, this.bodyOf, reach);
    this.#touching = this.#trianglesOf(near);
    return took;
  }

  /** How far the hand would move the vertex that it moves farthest. */
  #pull(): number {
    return this.grips.reduce((most, grip) => Math.max(most, pullOf(grip)), 0);
  }

  /** How far to look for what is near where a step begins: the farther things go, the farther. */
  #reach(): number {
    const most = this.settings.triangles > MANY ? 1.5 : 3;
    return Math.min(most * this.thickness, Math.max(1.5 * this.thickness, 2.4 * this.#fastest));
  }

  /** How deep the deepest vertex of the cloth is inside a ball; 0 if none is. */
  deepest(): number {
    const frame = this.#ask();
    // What a cut leaves without triangles is no part of the cloth any more.
    const used = new Set(this.cloth.indices);
    let deepest = 0;
    for (const id of this.ids.slice(1)) {
      const { vertices, depths } = frame.depths(this.ids[0]!, id);
      vertices.forEach((vertex, i) => used.has(vertex) && (deepest = Math.max(deepest, depths[i]!)));
    }
    return deepest;
  }

  /** Takes triangles out of the cloth. */
  cut(triangles: ReadonlySet<number>): void {
    if (triangles.size === 0) return;
    const { cloth, ids, scene } = this;
    cloth.cut(triangles);
    this.#isCut = true;
    this.#response.forget();
    scene.setMesh(ids[0]!, { positions: cloth.x, indices: cloth.indices });
    this.onCut?.();
  }

  /** Called when the triangles of the cloth have changed. */
  onCut: (() => void) | undefined;

  dispose(): void {
    this.scene.dispose();
  }

  #ask(): Frame {
    this.bodies.forEach((body, i) => this.scene.setPositions(this.ids[i]!, body.x));
    return this.scene.update();
  }

  /** Only what a hand pulls at tears. */
  #tear(): void {
    if (this.grips[0]?.body === this.cloth) this.cut(this.cloth.overstretched(TEAR));
  }

  /** The triangles at features that are about the thickness apart, or nearer. */
  #trianglesOf(near: readonly NearGroup[]): Map<number, Set<number>> {
    const most = 1.2 * this.thickness;
    const touching = new Map<number, Set<number>>();
    for (const { a, b, vertexFace } of near) {
      if (a === b) continue;
      for (let i = 0; i < vertexFace.count; i++) {
        if (vertexFace.values[7 * i]! >= most) continue;
        const body = vertexFace.features[3 * i] ? a : b;
        if (!touching.has(body)) touching.set(body, new Set());
        touching.get(body)!.add(vertexFace.features[3 * i + 2]!);
      }
    }
    return touching;
  }
}

/** How far a hand would move a vertex. */
function pullOf({ body, vertex, target }: Grip): number {
  const at = 3 * vertex;
  return 0.25 * Math.hypot(target[0] - body.x[at]!, target[1] - body.x[at + 1]!, target[2] - body.x[at + 2]!);
}

function pull({ body, vertex, target }: Grip): void {
  for (let axis = 0; axis < 3; axis++) {
    const at = 3 * vertex + axis;
    body.x[at] = body.x[at]! + 0.25 * (target[axis]! - body.x[at]!);
  }
}
