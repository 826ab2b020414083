// What a pointer does: it drags vertices, cuts the cloth, or turns the camera. Mouse, pen and touch alike.

import { Plane, Vector3 } from 'three';
import type { SoftBody } from './sim/soft';
import type { Grip, World } from './sim/world';
import type { View } from './view';

export type Tool = 'drag' | 'cut' | 'turn';

/** Vertices within this distance of where a body is taken go along. */
const RADIUS = 0.12;

export class Hand {
  #tool: Tool = 'drag';
  readonly #plane = new Plane();
  #held: { pointer: number; from: Vector3; grips: { grip: Grip; offset: Vector3 }[] } | undefined;
  /** The triangles that a cut has passed over since the last step. */
  readonly #passed = new Set<number>();
  #cutting: { pointer: number; x: number; y: number } | undefined;

  constructor(private readonly view: View, private readonly world: () => World | undefined) {
    const { canvas } = view;
    canvas.addEventListener('pointerdown', (event) => this.#down(event));
    canvas.addEventListener('pointermove', (event) => this.#move(event));
    for (const name of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(name, () => this.release());
  }

  get tool(): Tool {
    return this.#tool;
  }

  set tool(tool: Tool) {
    this.release();
    this.#tool = tool;
    this.view.controls.enabled = tool === 'turn';
    this.view.canvas.style.cursor = { drag: 'grab', cut: 'crosshair', turn: 'move' }[tool];
  }

  release(): void {
    this.#held = this.#cutting = undefined;
    const world = this.world();
    if (world) world.grips = [];
  }

  /** Before a step: cuts what was passed over. */
  act(): void {
    if (this.#passed.size === 0) return;
    this.world()?.cut(this.#passed);
    this.#passed.clear();
  }

  /** Pushes the ball, for those who have no pointer. */
  nudge(x: number, y: number, z: number): void {
    const ball = this.world()?.bodies[1];
    if (!ball) return;
    for (let i = 0; i < ball.velocity.length; i += 3) {
      ball.velocity[i] = ball.velocity[i]! + x;
      ball.velocity[i + 1] = ball.velocity[i + 1]! + y;
      ball.velocity[i + 2] = ball.velocity[i + 2]! + z;
    }
  }

  #down(event: PointerEvent): void {
    const world = this.world();
    if (!world || this.#tool === 'turn') return;
    this.view.canvas.setPointerCapture(event.pointerId);
    if (this.#tool === 'cut') {
      this.#cutting = { pointer: event.pointerId, x: event.clientX, y: event.clientY };
      this.#cut(event.clientX, event.clientY);
      return;
    }
    const hit = this.view.pick(this.view.ray(event.clientX, event.clientY));
    if (!hit) return;
    // What is held moves in a plane that faces the viewer.
    this.#plane.setFromNormalAndCoplanarPoint(this.view.camera.getWorldDirection(new Vector3()), hit.point);
    const grips = around(hit.body, hit.triangle, hit.point);
    this.#held = { pointer: event.pointerId, from: hit.point, grips };
    world.grips = grips.map(({ grip }) => grip);
  }

  #move(event: PointerEvent): void {
    const cutting = this.#cutting;
    if (cutting?.pointer === event.pointerId) {
      // Also between the points that are reported.
      const steps = Math.max(1, Math.ceil(Math.hypot(event.clientX - cutting.x, event.clientY - cutting.y) / 3));
      for (let i = 1; i <= steps; i++) {
        this.#cut(cutting.x + ((event.clientX - cutting.x) * i) / steps, cutting.y + ((event.clientY - cutting.y) * i) / steps);
      }
      this.#cutting = { pointer: event.pointerId, x: event.clientX, y: event.clientY };
      return;
    }
    if (this.#held?.pointer !== event.pointerId) return;
    const at = this.view.ray(event.clientX, event.clientY).ray.intersectPlane(this.#plane, new Vector3());
    if (!at) return;
    at.y = Math.max(at.y, 0.02);
    for (const { grip, offset } of this.#held.grips) grip.target = at.clone().add(offset).toArray();
  }

  #cut(x: number, y: number): void {
    const world = this.world();
    const hit = world && this.view.pick(this.view.ray(x, y), world.cloth);
    if (hit) this.#passed.add(hit.triangle);
  }
}

/** The vertices of a body near a point of it. */
function around(body: SoftBody, triangle: number, point: Vector3): { grip: Grip; offset: Vector3 }[] {
  const held: { grip: Grip; offset: Vector3 }[] = [];
  const corners = new Set([0, 1, 2].map((k) => body.indices[3 * triangle + k]!));
  for (let vertex = 0; vertex < body.vertexCount; vertex++) {
    const at = new Vector3().fromArray(body.x, 3 * vertex);
    // A ball is held as a whole: pulled by its skin alone it would follow late.
    if (!corners.has(vertex) && !body.isClosed && at.distanceTo(point) > RADIUS) continue;
    held.push({ grip: { body, vertex, target: at.toArray() }, offset: at.sub(point) });
  }
  return held;
}
