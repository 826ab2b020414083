// Plays the built-in scenes through one build of the package; digests.test.mjs starts it once per build.
//
// All pinned frames take half a minute without SIMD. The build with all questions, which finds contacts by the same code as the other
// one, then answers one frame of each scene: the last with at most 10,000 pairs. A frame needs none of those before it.
//
//   node test/digests.mjs simd|scalar [contacts]

import assert from 'node:assert/strict';
import { init, Scene } from '../dist/index.js';
import { digestOf, openScene, pinned } from './scenes.mjs';

const [simd, only] = [process.argv[2] === 'simd', process.argv[3]];
await init({ simd, only });
const expected = grouped(pinned());
let frames = 0;
for (const [name, lines] of Object.entries(expected)) {
  const { bodies } = openScene(name);
  const scene = new Scene();
  // In the small scenes bodies are asked about themselves, too.
  const selfCollision = name.startsWith('small-');
  const ids = bodies.map(({ indices, positions }) => scene.add({ indices, positions: positions(0), selfCollision }));
  for (const { frame, count, digest } of simd || only ? lines : lines.filter(({ count }) => count <= 10_000).slice(-1)) {
    bodies.forEach(({ positions }, i) => scene.positions(ids[i]).set(positions(frame)));
    const contacts = scene.update().contacts();
    const found = contacts.reduce((sum, { pairs }) => sum + pairs.length / 2, 0);
    assert.deepEqual([found, digestOf(contacts)], [count, digest], `${name}, frame ${frame}`);
    frames++;
  }
  scene.dispose();
}
console.log(`${frames} frames of ${Object.keys(expected).length} scenes`);

function grouped(lines) {
  const groups = {};
  for (const line of lines) (groups[line.scene] ??= []).push(line);
  return groups;
}
