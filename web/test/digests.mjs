// Plays the built-in scenes through one build of the package; started twice by digests.test.mjs, once per build.
//
//   node test/digests.mjs simd|scalar [contacts]

import assert from 'node:assert/strict';
import { init, Scene } from '../dist/index.js';
import { digestOf, openScene, pinned } from './scenes.mjs';

await init({ simd: process.argv[2] === 'simd', only: process.argv[3] });
const expected = grouped(pinned());
let frames = 0;
for (const [name, lines] of Object.entries(expected)) {
  const { bodies } = openScene(name);
  const scene = new Scene();
  // In the small scenes bodies are asked about themselves, too.
  const selfCollision = name.startsWith('small-');
  const ids = bodies.map(({ indices, positions }) => scene.add({ indices, positions: positions(0), selfCollision }));
  for (const { frame, count, digest } of lines) {
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
