// One body as it is drawn: shaded triangles, and their edges when asked for.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  type Object3D,
} from 'three';
import type { Mesh as Triangles } from '../data/found';
import type { Motion } from '../data/motion';
import type { Placement } from '../data/placement';
import { nearColour } from './colours';
import { addNormals } from './normals';

export type Display = 'shown' | 'glass' | 'hidden';

export class BodyView {
  /** x, y, z of every vertex as drawn in this frame. */
  readonly positions: Float32Array;
  readonly mesh: Mesh<BufferGeometry, MeshLambertMaterial>;
  private display: Display = 'shown';
  private edges: LineSegments | null = null;
  /** The colour of the body, once vertices have their own. */
  private plain = new Color();
  private shownMotion: Motion | null = null;
  private shownFrame = -1;

  constructor(
    readonly triangles: Triangles,
    vertices: number,
    colour: string,
    /** Normals cost a pass over all triangles per frame; without them every triangle is flat. */
    private readonly smooth: boolean,
  ) {
    this.positions = new Float32Array(3 * vertices);
    const geometry = new BufferGeometry();
    geometry.setIndex(new BufferAttribute(triangles.corners, 1));
    geometry.setAttribute('position', new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage));
    if (smooth) {
      const normals = new BufferAttribute(new Float32Array(3 * vertices), 3).setUsage(DynamicDrawUsage);
      geometry.setAttribute('normal', normals);
    }
    // Pushed back a little, so that what lies on the surface (contacts, edges) shows.
    const pushed = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
    const material = new MeshLambertMaterial({ color: colour, side: DoubleSide, flatShading: !smooth, ...pushed });
    this.mesh = new Mesh(geometry, material);
    // The box changes every frame; finding out costs more than drawing what is out of sight.
    this.mesh.frustumCulled = false;
  }

  get visible(): boolean {
    return this.display !== 'hidden';
  }

  /** Takes the body to a frame; a body that has not moved since is left alone. */
  show(motion: Motion, frame: number, placement: Placement): void {
    const asBefore = motion === this.shownMotion && (frame === this.shownFrame || !motion.moves);
    this.shownMotion = motion;
    this.shownFrame = frame;
    if (asBefore) return;
    motion.write(frame, placement, this.positions);
    this.mesh.geometry.getAttribute('position').needsUpdate = true;
    if (this.smooth) {
      const normals = this.mesh.geometry.getAttribute('normal') as BufferAttribute;
      addNormals(this.triangles.corners, this.positions, normals.array as Float32Array);
      normals.needsUpdate = true;
    }
  }

  /** Colours vertices by their distance, 0 to 1; all others have the colour of the body. */
  setNear(vertices: Uint32Array, distances: Float32Array): void {
    const { geometry, material } = this.mesh;
    if (!geometry.hasAttribute('color')) {
      if (vertices.length === 0) return;
      const colours = new BufferAttribute(new Float32Array(this.positions.length), 3).setUsage(DynamicDrawUsage);
      geometry.setAttribute('color', colours);
      this.plain = material.color.clone();
      material.color.set('white');
      material.vertexColors = true;
      material.needsUpdate = true;
    }
    const colours = geometry.getAttribute('color') as BufferAttribute;
    for (let vertex = 0; vertex < colours.count; vertex++) this.plain.toArray(colours.array, 3 * vertex);
    vertices.forEach((vertex, i) => nearColour(distances[i]).toArray(colours.array, 3 * vertex));
    colours.needsUpdate = true;
  }

  setDisplay(display: Display): void {
    this.display = display;
    this.mesh.visible = this.visible;
    const { material } = this.mesh;
    const glass = display === 'glass';
    material.transparent = glass;
    material.opacity = glass ? 0.22 : 1;
    material.depthWrite = !glass;
    material.needsUpdate = true;
  }

  /** Draws the edges of all triangles, or no longer. */
  setEdges(on: boolean, colour: string): void {
    if (on && !this.edges) {
      const geometry = new BufferGeometry();
      geometry.setIndex(new BufferAttribute(edgesOf(this.triangles.corners), 1));
      geometry.setAttribute('position', this.mesh.geometry.getAttribute('position'));
      this.edges = new LineSegments(geometry, new LineBasicMaterial({ transparent: true, opacity: 0.28 }));
      this.edges.frustumCulled = false;
      this.mesh.add(this.edges as Object3D);
    }
    if (!this.edges) return;
    this.edges.visible = on;
    (this.edges.material as LineBasicMaterial).color.set(colour);
  }
}

/** Every edge once, as two vertices. */
function edgesOf(corners: Uint32Array): Uint32Array {
  const seen = new Set<number>();
  const edges: number[] = [];
  for (let i = 0; i < corners.length; i += 3) {
    for (let side = 0; side < 3; side++) {
      const from = corners[i + side];
      const to = corners[i + ((side + 1) % 3)];
      const key = edgeKey(from, to);
      if (!seen.has(key)) edges.push(from, to);
      seen.add(key);
    }
  }
  return Uint32Array.from(edges);
}

/** One number for an edge, whichever way it runs. */
export function edgeKey(from: number, to: number): number {
  return from < to ? from * 2 ** 26 + to : to * 2 ** 26 + from;
}
