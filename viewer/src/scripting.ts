// A handle for scripts and tests: `crumple` in the browser's console.

import { Vector3 } from 'three';
import type { App } from './app';
import type { Head, Vec3 } from './data/head';
import type { Pair, Selection } from './selection';

export interface Scripting {
  readonly head: Head;
  /** The place of the frame that is shown. */
  readonly frame: number;
  readonly selection: Selection | null;
  readonly playing: boolean;
  /** The two bodies that are shown alone. */
  readonly isolated: Pair | null;
  /** Shows a frame by its place; done when it is there. */
  show(frame: number): Promise<void>;
  /** Triangles that meet another, a list a body. */
  touching(): number[][];
  /** The regions of exact overlaps in the frame that is shown. */
  regions(): { id: number; volume: number; normal: number[] }[];
  /** How many vertices of each body are coloured, and how near the nearest of them is: 0 to 1 for nothing to the clearance. */
  near(): { body: number; vertices: number; least: number }[];
  /** How many vertices of a body are inside another and how deep the deepest is, for each two that are shown. */
  depths(): { inner: number; outer: number; vertices: number; deepest: number }[];
  /** Where a vertex is in the frame that is shown, in the file's units. */
  position(body: number, vertex: number): Vec3;
  /** Where in the window the middle of a triangle is drawn. */
  clientAt(selection: Selection): { x: number; y: number };
  /** What a click there would pick. */
  pickAt(x: number, y: number): Selection | null;
}

export function scripting(app: App, head: Head): void {
  const { view, playback } = app;
  const handle: Scripting = {
    head,
    get frame() {
      return playback.index;
    },
    get selection() {
      return app.selection;
    },
    get playing() {
      return playback.playing;
    },
    get isolated() {
      return app.isolated;
    },
    show: (frame) => playback.go(frame),
    touching: () => view.touching.map((list) => [...list]),
    regions: () => view.exact.regions.map(({ id, volume, normal }) => ({ id, volume, normal })),
    near: () => view.near.bodies.map(({ body, distances }) => ({ body, vertices: distances.length, least: Math.min(...distances) })),
    depths: () =>
      view.depths.map(({ inner, outer, depths }) => ({ inner, outer, vertices: depths.length, deepest: depths.reduce((most, depth) => Math.max(most, depth), 0) })),
    position: (body, vertex) => view.placement.inFile(view.bodies[body].positions.subarray(3 * vertex, 3 * vertex + 3)),
    clientAt: (selection) => {
      const middle = new Vector3();
      for (const corner of view.cornersOf(selection)) middle.addScaledVector(corner, 1 / 3);
      return view.stage.clientAt(middle);
    },
    pickAt: (x, y) => view.pickAt(x, y),
  };
  Object.assign(window, { crumple: handle });
}
