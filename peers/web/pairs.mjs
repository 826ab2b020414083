// crumple in Node beside three-mesh-bvh, on the same frames in one run: pairs compared as sets, times per frame.
//
//   node peers/web/pairs.mjs [SCENE] [--frames N] [--scalar]     LE1 and 20 frames if omitted
//
// Needs `cargo xtask wasm`, `node web/build.mjs --wasm target/web` and `npm --prefix peers/web ci` before. three-mesh-bvh refits
// its trees, walks both together (bvhcast) and asks its own ExtendedTriangle for each candidate; crumple takes in the positions
// and lists the pairs. Times are the best of three passes, copying positions included for both.

import { BufferAttribute, BufferGeometry, Matrix4 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { parseArgs } from 'node:util';
import { init, Scene } from '../../web/dist/index.js';
import { openScene } from '../../web/test/scenes.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { frames: { type: 'string', default: '20' }, scalar: { type: 'boolean', default: false } },
});
const name = positionals[0] ?? 'LE1';
await init({ simd: !options.scalar });
const scene = openScene(name);
if (scene.bodies.length !== 2) throw new Error(`${name} has ${scene.bodies.length} bodies; this compares two`);
const wanted = Number(options.frames);
const numbers = Array.from({ length: wanted }, (_, i) => Math.round((i * (scene.frames - 1)) / Math.max(1, wanted - 1)));
const frames = numbers.map((frame) => scene.bodies.map((body) => body.positions(frame)));

const ours = new Scene();
const ids = scene.bodies.map(({ indices }, i) => ours.add({ indices, positions: frames[0][i] }));
const theirs = scene.bodies.map(({ indices }, i) => {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(frames[0][i].slice(), 3));
  geometry.setIndex(new BufferAttribute(indices.slice(), 1));
  const bvh = new MeshBVH(geometry);
  // Building sorts the triangles of the geometry: by their corners they are found again.
  const key = (list, t) => [list[3 * t], list[3 * t + 1], list[3 * t + 2]].sort((p, q) => p - q).join();
  const original = new Map(Array.from({ length: indices.length / 3 }, (_, t) => [key(indices, t), t]));
  const numberOf = Array.from({ length: indices.length / 3 }, (_, t) => original.get(key(geometry.index.array, t)));
  return { geometry, bvh, numberOf };
});

function crumple(frame) {
  ids.forEach((id, i) => ours.setPositions(id, frame[i]));
  const [contact] = ours.update().contacts();
  return contact?.pairs ?? new Uint32Array(0);
}

const identity = new Matrix4();
function threeMeshBvh(frame) {
  theirs.forEach(({ geometry, bvh }, i) => {
    geometry.attributes.position.array.set(frame[i]);
    bvh.refit();
  });
  const found = [];
  theirs[0].bvh.bvhcast(theirs[1].bvh, identity, {
    intersectsTriangles(a, b, i, j) {
      if (a.intersectsTriangle(b)) found.push(i, j);
      return false;
    },
  });
  return found;
}

const times = frames.map(() => [Infinity, Infinity]);
const answers = [];
for (let pass = 0; pass < 3; pass++) {
  frames.forEach((frame, i) => {
    [crumple, threeMeshBvh].forEach((method, m) => {
      const started = performance.now();
      const pairs = method(frame);
      times[i][m] = Math.min(times[i][m], performance.now() - started);
      (answers[i] ??= [])[m] = pairs;
    });
  });
}
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
let [onlyOurs, onlyTheirs, common] = [0, 0, 0];
console.log('frame    pairs   crumple  three-mesh-bvh   ratio   only crumple   only three-mesh-bvh');
times.forEach(([a, b], i) => {
  const mine = new Set(Array.from({ length: answers[i][0].length / 2 }, (_, k) => `${answers[i][0][2 * k]},${answers[i][0][2 * k + 1]}`));
  const list = answers[i][1];
  const other = new Set(Array.from({ length: list.length / 2 }, (_, k) => `${theirs[0].numberOf[list[2 * k]]},${theirs[1].numberOf[list[2 * k + 1]]}`));
  const missed = [...mine].filter((pair) => !other.has(pair)).length;
  const invented = [...other].filter((pair) => !mine.has(pair)).length;
  onlyOurs += missed;
  onlyTheirs += invented;
  common += mine.size - missed;
  console.log(`${String(numbers[i]).padStart(5)} ${String(mine.size).padStart(8)} ${a.toFixed(3).padStart(9)} ${b.toFixed(2).padStart(15)} ${(b / a).toFixed(1).padStart(7)} ${String(missed).padStart(14)} ${String(invented).padStart(21)}`);
});
const ratios = times.map(([a, b]) => b / a);
console.log(`${name}: median ${median(times.map(([a]) => a)).toFixed(3)} ms and ${median(times.map(([, b]) => b)).toFixed(2)} ms per frame; ratio ${median(ratios).toFixed(1)} at the median, ${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)}`);
console.log(`pairs: ${common} in both, ${onlyOurs} only crumple, ${onlyTheirs} only three-mesh-bvh`);
