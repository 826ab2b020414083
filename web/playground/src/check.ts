// Checks a glTF file in the page: every mesh is a body, in its pose at every moment of its animation. Nothing leaves the page.

import { type AnimationClip, AnimationMixer, Box3, type Group, Mesh, MeshStandardMaterial, DoubleSide, Sphere, type Object3D } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { type Contact, Scene } from 'crumple/inline';
import { addGeometry, ContactHighlighter, updateSkinned } from 'crumple/three';
import type { View } from './view';

interface CheckedBody {
  id: number;
  mesh: Mesh;
  name: string;
}

/** A file that is shown and checked, frame after frame. */
export class Check {
  readonly #scene = new Scene();
  readonly #bodies: CheckedBody[] = [];
  readonly #highlighter: ContactHighlighter;
  readonly #mixer: AnimationMixer | undefined;
  /** How long detection took in the last frame, in milliseconds. */
  detection = 0;

  private constructor(view: View, private readonly root: Group, animations: AnimationClip[]) {
    this.#highlighter = new ContactHighlighter(this.#scene, view.scene, { color: 0xd81e1e });
    root.updateMatrixWorld(true);
    const meshes: Mesh[] = [];
    root.traverse((node: Object3D) => {
      if ((node as Mesh).isMesh && (node as Mesh).geometry.getAttribute('position')) meshes.push(node as Mesh);
    });
    if (meshes.length === 0) throw new Error('the file holds no triangles');
    for (const mesh of meshes) {
      mesh.frustumCulled = false;
      mesh.material = new MeshStandardMaterial({ color: 0x9fb4cc, roughness: 0.8, side: DoubleSide });
      // A single body is checked against itself; among several, each other is what matters first.
      const id = addGeometry(this.#scene, mesh, { selfCollision: meshes.length === 1 });
      this.#bodies.push({ id, mesh, name: mesh.name || `mesh ${id}` });
      this.#highlighter.watch(id, mesh.geometry.getIndex()?.array);
    }
    view.scene.add(root);
    const sphere = new Box3().setFromObject(root).getBoundingSphere(new Sphere());
    view.lookAt(sphere.center, sphere.radius || 1);
    if (animations.length > 0) {
      this.#mixer = new AnimationMixer(root);
      this.#mixer.clipAction(animations[0]!).play();
    }
  }

  static async open(view: View, bytes: ArrayBuffer): Promise<Check> {
    const file = await new GLTFLoader().parseAsync(bytes, '');
    return new Check(view, file.scene, file.animations);
  }

  get triangles(): number {
    return this.#bodies.reduce((sum, { mesh: { geometry } }) => sum + (geometry.getIndex()?.count ?? geometry.getAttribute('position').count) / 3, 0);
  }

  get bodyCount(): number {
    return this.#bodies.length;
  }

  /** Goes on by some seconds and returns what collides then. */
  step(seconds: number): Contact[] {
    if (this.#mixer) {
      this.#mixer.update(seconds);
      this.root.updateMatrixWorld(true);
      for (const { id, mesh } of this.#bodies) updateSkinned(this.#scene, id, mesh);
    }
    const asked = performance.now();
    const contacts = this.#scene.update().contacts();
    this.detection = performance.now() - asked;
    this.#highlighter.show(contacts);
    return contacts;
  }

  nameOf(id: number): string {
    return this.#bodies.find((body) => body.id === id)?.name ?? String(id);
  }

  dispose(): void {
    this.root.removeFromParent();
    this.#highlighter.dispose();
    this.#scene.dispose();
  }
}
