// The other ways in: a worker, the module inside the script, three.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import * as three from 'three';
import { init, Scene, WorkerScene } from '../dist/index.js';
import * as inline from '../dist/inline.js';
import { addGeometry, ContactHighlighter, updateSkinned } from '../dist/three.js';
import { tetrahedron, triangle } from './shapes.mjs';

test('a scene in a worker answers in order, and lists go there and back without a copy', async () => {
  const scene = await WorkerScene.create();
  const [floor, leaf] = await Promise.all([scene.add(triangle(0, 9)), scene.add(triangle(1))]);
  await assert.rejects(scene.near(1), /await update\(\) first/);
  const positions = Float32Array.from(triangle(0).positions);
  const update = scene.update([[leaf, positions]]);
  assert.equal(positions.length, 0, 'handed over');
  const found = await update;
  assert.deepEqual(found.contacts, [{ a: floor, b: leaf, pairs: Uint32Array.of(0, 0) }]);
  assert.deepEqual([...found.positions.get(leaf)], triangle(0).positions);
  const moved = found.positions.get(leaf).fill(5);
  await scene.update(new Map([[leaf, moved]]));
  assert.ok((await scene.distance(floor, leaf)).lo > 4.9);
  assert.equal(await scene.safeStep(), 0);
  assert.equal((await scene.firstImpact()).features.kind, 'already');
  await assert.rejects(scene.update([[leaf, new Float32Array(2)]]), /2 coordinates were given/);
  await assert.rejects(scene.remove(9), /there is no body 9/);
  scene.dispose();
  await assert.rejects(scene.update(), /disposed of/);
  await assert.rejects(WorkerScene.create({ method: 'guess' }), /guess/);
});

test('the module inside the script is the same package', async () => {
  await inline.init();
  assert.equal(inline.Scene, Scene);
  const scene = new inline.Scene();
  scene.add(triangle(0));
  scene.add(triangle(0));
  assert.equal(scene.update().contacts().length, 1);
});

test('geometries of three.js are bodies: indexed or not, interleaved, meshes in the world', async () => {
  await init();
  const scene = new Scene();
  const sphere = new three.SphereGeometry(1, 16, 12);
  const ids = [addGeometry(scene, sphere), addGeometry(scene, sphere.toNonIndexed())];
  const numbers = new Float32Array(8 * sphere.attributes.position.count);
  const interleaved = new three.BufferGeometry();
  const attribute = new three.InterleavedBufferAttribute(new three.InterleavedBuffer(numbers, 8), 3, 4);
  for (let i = 0; i < attribute.count; i++) attribute.setXYZ(i, ...new three.Vector3().fromBufferAttribute(sphere.attributes.position, i).toArray());
  interleaved.setAttribute('position', attribute).setIndex(sphere.index);
  const mesh = new three.Mesh(interleaved);
  const parent = new three.Group();
  parent.position.x = 1.5;
  parent.add(mesh);
  ids.push(addGeometry(scene, mesh, { name: 'placed', selfCollision: true }));
  // Adding 0 turns -0 into 0, as the library does.
  assert.deepEqual([...scene.positions(ids[0])], [...sphere.attributes.position.array].map((x) => x + 0));
  scene.ignore(ids[0], ids[1]);
  // Equal geometry, moved by 1.5: welded, so that the seam and the poles are no self-collision.
  const contacts = scene.update().contacts();
  assert.deepEqual(contacts.map(({ a, b }) => [a, b]), [[ids[0], ids[2]], [ids[1], ids[2]]]);
  assert.equal(contacts[0].pairs.length, contacts[1].pairs.length);
  parent.position.x = 5;
  updateSkinned(scene, ids[2], mesh);
  assert.deepEqual(scene.update().contacts(), []);
});

test('skinned and morphed meshes are followed', async () => {
  await init();
  const scene = new Scene();
  const geometry = new three.BoxGeometry(1, 1, 1);
  const count = geometry.attributes.position.count;
  geometry.setAttribute('skinIndex', new three.Uint16BufferAttribute(new Uint16Array(4 * count), 4));
  geometry.setAttribute('skinWeight', new three.Float32BufferAttribute(Array.from({ length: 4 * count }, (_, i) => Number(i % 4 === 0)), 4));
  const up = geometry.attributes.position.clone();
  for (let i = 0; i < count; i++) up.setXYZ(i, 0, 3, 0);
  geometry.morphAttributes.position = [up];
  geometry.morphTargetsRelative = true;
  const mesh = new three.SkinnedMesh(geometry);
  const bone = new three.Bone();
  mesh.add(bone);
  mesh.updateMatrixWorld(true);
  mesh.bind(new three.Skeleton([bone]));
  const body = addGeometry(scene, mesh);
  const other = scene.add(tetrahedron(2));
  assert.deepEqual(scene.update().contacts(), []);
  bone.position.x = 2;
  mesh.updateMatrixWorld(true);
  updateSkinned(scene, body, mesh);
  assert.deepEqual(scene.update().contacts().map(({ a, b }) => [a, b]), [[body, other]]);
  mesh.morphTargetInfluences[0] = 1;
  updateSkinned(scene, body, mesh);
  assert.deepEqual(scene.update().contacts(), []);
});

test('what collides is drawn where it is', async () => {
  await init();
  const [scene, root] = [new Scene(), new three.Scene()];
  const highlighter = new ContactHighlighter(scene, root);
  const bodies = [tetrahedron(), tetrahedron(0.9)];
  const ids = bodies.map((body) => scene.add(body));
  ids.forEach((id, i) => highlighter.watch(id, bodies[i].indices));
  const count = highlighter.show(scene.update().contacts());
  assert.ok(count >= 4 && root.children.every((mesh) => mesh.visible));
  const drawn = root.children.map((mesh) => mesh.geometry.drawRange.count);
  assert.equal(drawn.reduce((sum, corners) => sum + corners), 3 * count);
  scene.setPositions(ids[1], tetrahedron(5).positions);
  assert.equal(highlighter.show(scene.update().contacts()), 0);
  assert.ok(root.children.every((mesh) => !mesh.visible));
  highlighter.dispose();
  assert.equal(root.children.length, 0);
});
