// The small build: contacts and nothing else.

import assert from 'node:assert/strict';
import test from 'node:test';
import { init, Scene } from '../dist/index.js';
import { triangle } from './shapes.mjs';

test('the small build finds contacts, and says what it leaves out', async () => {
  await init({ only: 'contacts' });
  const scene = new Scene({ method: 'wide-tree' });
  scene.add(triangle(0));
  scene.add(triangle(0));
  const frame = scene.update();
  assert.equal(frame.contacts().length, 1);
  for (const ask of [() => frame.near(1), () => frame.distance(0, 1), () => frame.firstImpact(), () => frame.safeStep(), () => frame.depths(0, 1)]) {
    assert.throws(ask, /loaded with contacts only: await init\(\) without `only`/);
  }
  assert.throws(() => new Scene({ method: 'gjk-cut' }), /only the method wide-tree, not gjk-cut/);
});
