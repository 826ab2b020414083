// Bodies from three.js meshes, and what collides drawn over them.

import { BufferAttribute, BufferGeometry, Mesh, MeshBasicMaterial, Vector3 } from 'three';
import type { Matrix4, Object3D } from 'three';
import type { BodyId, Contact } from './frame.js';
import type { BodyInput, Scene } from './scene.js';

/** How a geometry is added: everything that `Scene.add` takes except the lists. */
export type GeometryOptions = Omit<BodyInput, 'positions' | 'indices'>;

/**
 * Adds a geometry, or a mesh where it stands in the world, as a body: indexed or not, interleaved or not, skinned and
 * morphed meshes in their current pose. Vertices that geometries keep apart for their normals or textures count as one.
 */
export function addGeometry(scene: Scene, from: BufferGeometry | Mesh, options: GeometryOptions = {}): BodyId {
  const isMesh = (from as Mesh).isMesh;
  const geometry = isMesh ? (from as Mesh).geometry : (from as BufferGeometry);
  const attribute = geometry.getAttribute('position');
  if (!attribute) throw new Error('the geometry has no attribute position');
  const index = geometry.getIndex();
  const positions = new Float32Array(3 * attribute.count);
  write(from, positions);
  const name = options.name ?? (from.name || undefined);
  return scene.add({ weld: true, ...options, name, positions, indices: index?.array });
}

/** Moves a body to where a mesh is now: after its skeleton, its morph targets, its vertices or its place have changed. */
export function updateSkinned(scene: Scene, body: BodyId, from: BufferGeometry | Mesh): void {
  write(from, scene.positions(body));
}

const at = /* @__PURE__ */ new Vector3();

/** Writes every vertex of a geometry as it is, or of a mesh as it stands in the world. */
function write(from: BufferGeometry | Mesh, positions: Float32Array): void {
  const mesh = (from as Mesh).isMesh ? (from as Mesh) : undefined;
  const attribute = (mesh?.geometry ?? (from as BufferGeometry)).getAttribute('position')!;
  if (positions.length !== 3 * attribute.count) {
    throw new Error(`the geometry has ${attribute.count} vertices, but the body has ${positions.length / 3}`);
  }
  let place: Matrix4 | undefined;
  if (mesh) {
    mesh.updateWorldMatrix(true, false);
    place = mesh.matrixWorld;
  }
  for (let i = 0; i < attribute.count; i++) {
    // Also moves the vertex by morph targets and by a skeleton.
    if (mesh) mesh.getVertexPosition(i, at);
    else at.fromBufferAttribute(attribute, i);
    if (place) at.applyMatrix4(place);
    positions[3 * i] = at.x;
    positions[3 * i + 1] = at.y;
    positions[3 * i + 2] = at.z;
  }
}

/** Draws the triangles of bodies that collide, in one colour over whatever shows the bodies. */
export class ContactHighlighter {
  readonly material: MeshBasicMaterial;
  readonly #scene: Scene;
  readonly #parent: Object3D;
  readonly #shown = new Map<BodyId, { mesh: Mesh; corners: ArrayLike<number> | undefined }>();

  /** `parent` is where the triangles are drawn, in the coordinates of the bodies: usually the scene of three.js. */
  constructor(scene: Scene, parent: Object3D, { color = 0xd5202a }: { color?: number } = {}) {
    this.#scene = scene;
    this.#parent = parent;
    // Nearer to the eye than the body they lie on.
    this.material = new MeshBasicMaterial({ color, side: 2, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 });
  }

  /** Shows the triangles of a body when they collide; `indices` are those it was added with, none if it had none. */
  watch(body: BodyId, indices?: ArrayLike<number>): void {
    this.unwatch(body);
    const mesh = new Mesh(new BufferGeometry(), this.material);
    mesh.frustumCulled = false;
    mesh.visible = false;
    this.#parent.add(mesh);
    this.#shown.set(body, { mesh, corners: indices });
  }

  unwatch(body: BodyId): void {
    const shown = this.#shown.get(body);
    shown?.mesh.removeFromParent();
    shown?.mesh.geometry.dispose();
    this.#shown.delete(body);
  }

  /** Shows the contacts of a frame, where the bodies are in it. Returns how many triangles collide. */
  show(contacts: readonly Contact[]): number {
    const colliding = new Map<BodyId, Set<number>>();
    const of = (body: BodyId): Set<number> => colliding.get(body) ?? (colliding.set(body, new Set()), colliding.get(body)!);
    for (const { a, b, pairs } of contacts) {
      const [inA, inB] = [of(a), of(b)];
      for (let i = 0; i < pairs.length; i += 2) {
        inA.add(pairs[i]!);
        inB.add(pairs[i + 1]!);
      }
    }
    let count = 0;
    for (const [body, { mesh, corners }] of this.#shown) {
      const triangles = colliding.get(body);
      mesh.visible = triangles !== undefined;
      if (!triangles) continue;
      count += triangles.size;
      this.#draw(mesh.geometry, this.#scene.positions(body), triangles, corners);
    }
    return count;
  }

  #draw(geometry: BufferGeometry, positions: Float32Array, triangles: Set<number>, corners: ArrayLike<number> | undefined): void {
    const needed = 9 * triangles.size;
    let attribute = geometry.getAttribute('position') as BufferAttribute | undefined;
    if (!attribute || attribute.array.length < needed) {
      geometry.dispose();
      attribute = new BufferAttribute(new Float32Array(2 * needed), 3);
      geometry.setAttribute('position', attribute);
    }
    const out = attribute.array as Float32Array;
    let at = 0;
    for (const triangle of triangles) {
      for (let corner = 3 * triangle; corner < 3 * triangle + 3; corner++) {
        const vertex = 3 * (corners ? corners[corner]! : corner);
        for (let axis = 0; axis < 3; axis++) out[at++] = positions[vertex + axis]!;
      }
    }
    geometry.setDrawRange(0, at / 3);
    attribute.needsUpdate = true;
  }

  dispose(): void {
    for (const body of [...this.#shown.keys()]) this.unwatch(body);
    this.material.dispose();
  }
}
