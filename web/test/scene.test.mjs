// What the package promises: positions in, answers out, errors in words.

import assert from 'node:assert/strict';
import test from 'node:test';
import { hasSimd, init, Scene } from '../dist/index.js';
import { grid, tetrahedron, triangle } from './shapes.mjs';

test('a scene before init says what to do', () => {
  assert.throws(() => new Scene(), /await init\(\) first/);
});

test('Node has SIMD, and init can be called twice', async () => {
  assert.equal(hasSimd(), true);
  await Promise.all([init(), init()]);
  await init();
});

test('contacts are pairs of triangles by the numbers of the bodies', () => {
  const scene = new Scene();
  const floor = scene.add({ positions: [-9, 0, -9, 9, 0, -9, 0, 0, 9], indices: [0, 1, 2], name: 'floor' });
  const leaf = scene.add(triangle(2));
  assert.deepEqual(scene.update().contacts(), []);
  scene.setPositions(leaf, [0, -1, 0, 1, 1, 0, 0, 1, 1]);
  assert.deepEqual(scene.update().contacts(), [{ a: floor, b: leaf, pairs: Uint32Array.of(0, 0) }]);
  scene.ignore(floor, leaf);
  assert.deepEqual(scene.update().contacts(), []);
  scene.ignore(floor, leaf, false);
  assert.equal(scene.update().contacts().length, 1);
  scene.remove(floor);
  assert.deepEqual(scene.update().contacts(), []);
});

test('every method finds the same pairs', () => {
  const methods = ['wide-tree', 'hybrid-tree', 'bucket-tree', 'gjk-cut', 'local-tree', 'brute-force'];
  const answers = methods.map((method) => {
    const scene = new Scene({ method });
    scene.add(grid(12, (x, z) => 0.1 * Math.sin(9 * x) * Math.cos(7 * z)));
    scene.add(grid(13));
    return scene.update().contacts();
  });
  assert.ok(answers[0][0].pairs.length > 50);
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

test('a list of positions can be kept and is taken in by every update', () => {
  const scene = new Scene();
  scene.add(triangle(0, 9));
  const leaf = scene.add(triangle(1));
  const view = scene.positions(leaf);
  assert.deepEqual([...view], triangle(1).positions);
  for (const y of [0.5, 0, 0.25]) {
    view[1] = view[4] = view[7] = y;
    assert.equal(scene.update().contacts().length, y === 0 ? 1 : 0);
  }
});

test('positions are never lost when memory grows', () => {
  const scene = new Scene();
  const leaf = scene.add(triangle(1));
  const before = scene.positions(leaf);
  before[1] = 5;
  const grow = () => {
    const large = grid(600);
    scene.add({ positions: Float32Array.from(large.positions).map((x) => x + 100), indices: large.indices });
  };
  grow();
  before[4] = 7;
  assert.equal(scene.positions(leaf), before);
  scene.update();
  scene.writePositions(leaf, (view) => {
    assert.deepEqual([...view], [0, 5, 0, 1, 7, 0, 0, 1, 1]);
    view[7] = 9;
  });
  assert.deepEqual([...before], [0, 5, 0, 1, 7, 0, 0, 9, 1]);
  let kept;
  scene.writePositions(leaf, (view) => (kept = view));
  assert.throws(() => {
    scene.writePositions(leaf, (view) => {
      for (let i = 0; i < 9 && view.length > 0; i++) grow();
      view[1] = 0;
    });
  }, /memory grew while the positions of body 0 were written/);
  assert.equal(kept.length, 0, 'a view that was kept is detached');
  assert.deepEqual([...scene.positions(leaf)], [0, 5, 0, 1, 7, 0, 0, 9, 1]);
});

test('lists of an answer stay what they are when the scene goes on', () => {
  const scene = new Scene();
  scene.add(tetrahedron());
  const other = scene.add(tetrahedron(0.2, 0.2, 0.2));
  const [{ pairs }] = scene.update().contacts();
  const copy = [...pairs];
  assert.ok(copy.length > 0);
  scene.setPositions(other, tetrahedron(9, 9, 9).positions);
  scene.update().contacts();
  scene.add(grid(300));
  assert.deepEqual([...pairs], copy);
});

test('self-collision is found where it is asked for, and welded vertices are neighbours', () => {
  const folded = [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1];
  for (const [weld, found] of [[true, 0], [false, 1]]) {
    const scene = new Scene();
    scene.add({ positions: folded, selfCollision: true, weld });
    assert.equal(scene.update().contacts().length, found);
  }
  const scene = new Scene();
  const body = scene.add({ positions: folded });
  assert.equal(scene.update().contacts().length, 0);
  scene.setSelfCollision(body, true);
  assert.equal(scene.update().contacts().length, 1);
});

test('near, distance, impacts and depths are answered', () => {
  const scene = new Scene();
  const below = scene.add(triangle(0));
  const above = scene.add(triangle(0.25));
  let frame = scene.update();
  const [{ a, b, vertexFace, edgeEdge }] = frame.near(0.3);
  assert.deepEqual([a, b, vertexFace.count, edgeEdge.count], [below, above, 6, 9]);
  assert.deepEqual([...vertexFace.features.subarray(0, 3)], [0, 0, 0]);
  assert.deepEqual([...vertexFace.values.subarray(0, 7)], [0.25, 1, 0, 0, 0, -1, 0]);
  assert.equal(edgeEdge.features.length, 36);
  assert.deepEqual(frame.near(0.25), []);
  const closest = frame.distance(below, above);
  assert.ok(closest.lo <= 0.25 && 0.25 <= closest.hi && closest.hi - closest.lo < 1e-9);
  assert.equal(closest.points[1][1] - closest.points[0][1], 0.25);
  assert.deepEqual(closest.triangles, [0, 0]);
  assert.equal(frame.firstImpact(), null);
  assert.equal(frame.safeStep(), 1);

  scene.setPositions(above, triangle(-0.75).positions);
  frame = scene.update();
  const impact = frame.firstImpact();
  assert.deepEqual([impact.time, impact.a, impact.b], [{ lo: 0.25, hi: 0.25 }, below, above]);
  assert.ok(['vertex-face', 'edge-edge'].includes(impact.features.kind));
  assert.ok(frame.safeStep() < 0.25 && frame.safeStep() > 0.2499);

  const solid = scene.add(tetrahedron(5));
  const probe = scene.add({ positions: [5.25, 0.25, 0.125, 7, 0, 2, 5, 2, 2], indices: [0, 1, 2] });
  const { vertices, depths, directions } = scene.update().depths(probe, solid);
  assert.deepEqual([[...vertices], [...depths], [...directions]], [[0], [0.125], [0, 0, -1]]);
  assert.throws(() => scene.update().depths(solid, probe), /body 3 cannot be found: the body is open: 3 edges/);
});

test('positions can be corrected within a step', () => {
  const scene = new Scene();
  scene.add(triangle(0));
  const leaf = scene.add(triangle(1));
  scene.update();
  scene.setPositions(leaf, triangle(-1).positions);
  const step = scene.update().safeStep();
  scene.correctPositions(leaf, triangle(1 - 2 * step).positions);
  assert.equal(scene.update().firstImpact(), null);
});

test('a body can be given another mesh', () => {
  const scene = new Scene();
  scene.add(triangle(0, 9));
  const cloth = scene.add(triangle(1));
  scene.positions(cloth)[1] = 0.5;
  scene.update();
  scene.setMesh(cloth, grid(3));
  assert.equal(scene.positions(cloth).length, 48);
  assert.ok(scene.update().contacts()[0].pairs.length >= 36);
});

test('errors are the library’s, in words, and leave the scene as it was', () => {
  const scene = new Scene();
  const leaf = scene.add({ ...triangle(1), name: 'leaf' });
  const refuses = (call, words) => assert.throws(call, (error) => error instanceof Error && words.test(error.message));
  refuses(() => scene.add({ positions: [0, 0, 0], indices: [0, 1, 2] }), /triangle 0 uses vertex 1, but the mesh has 1 vert/);
  refuses(() => scene.add({ positions: [0, 0], indices: [] }), /three per vertex/);
  refuses(() => scene.add({ positions: [0, 0, 0], indices: [0, 0] }), /three per triangle/);
  refuses(() => scene.add({ positions: [-0.1, NaN, 1e20, 0, 0, 0, 1, 1, 1] }), /vertex 0 is at \[-0\.1, NaN, 1e20\]: not finite/);
  refuses(() => scene.setPositions(leaf, [1, 2]), /2 coordinates were given for body 0, which needs 9/);
  refuses(() => scene.setPositions(leaf, [0, 0, Infinity, 0, 0, 0, 0, 0, 0]), /the positions of body "leaf" were refused: vertex 0 is at \[0, 0, inf\]/);
  assert.deepEqual([...scene.positions(leaf)], triangle(1).positions);
  scene.positions(leaf)[8] = NaN;
  refuses(() => scene.update(), /body "leaf" were refused: vertex 2/);
  scene.positions(leaf)[8] = 1;
  const frame = scene.update();
  refuses(() => frame.distance(leaf, leaf), /the distance of body "leaf" from itself was asked for/);
  refuses(() => frame.distance(leaf, 7), /there is no body 7 in this scene/);
  refuses(() => scene.remove(3), /there is no body 3/);
  refuses(() => scene.add({ ...triangle(1), thickness: -0.3 }), /the thickness of body 1 is -0\.3, but it must be a number from 0 to \d/);
  refuses(() => new Scene({ method: 'guess' }), /there is no method "guess"; try one of brute-force, /);
  scene.update();
  refuses(() => frame.contacts(), /this frame is over/);
  refuses(() => scene.positions(9), /there is no body 9/);
});

test('a scene can be disposed of, and says so afterwards', () => {
  const scene = new Scene();
  const leaf = scene.add(triangle(0));
  const frame = scene.update();
  scene.dispose();
  scene.dispose();
  assert.throws(() => scene.positions(leaf), /disposed of/);
  assert.throws(() => scene.update(), /disposed of/);
  assert.throws(() => frame.contacts(), /over/);
  if (Symbol.dispose) assert.equal(typeof scene[Symbol.dispose], 'function');
  const next = new Scene();
  assert.deepEqual(next.update().contacts(), []);
});

test('memory is used again by scenes that come and go', () => {
  const bytes = () => {
    const scene = new Scene();
    const body = scene.add(grid(60));
    scene.positions(body);
    const { byteLength } = scene.positions(body).buffer;
    scene.update().contacts();
    scene.dispose();
    return byteLength;
  };
  for (let i = 0; i < 20; i++) bytes();
  const settled = bytes();
  for (let i = 0; i < 100; i++) bytes();
  assert.equal(bytes(), settled);
});
