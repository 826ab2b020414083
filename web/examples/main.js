import { init, Scene } from 'crumple';

await init();
const scene = new Scene();
scene.add({ positions: [-9, 0, -9, 9, 0, -9, 0, 0, 9], indices: [0, 1, 2], name: 'floor' });
scene.add({ positions: [0, -1, 0, 1, 1, 0, 0, 1, 1], indices: [0, 1, 2], name: 'leaf' });
for (const { a, b, pairs } of scene.update().contacts()) {
  globalThis.found = `${a} meets ${b}: ${pairs.length / 2} pair`;
  console.log(globalThis.found);
}
