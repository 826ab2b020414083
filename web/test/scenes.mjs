// The built-in scenes, from the WebAssembly that crates/crumple-web/examples/scenes.rs compiles to, and digests of contacts.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where `cargo xtask wasm` puts what it builds. */
export const built = new URL('../../target/web/', import.meta.url);
const fixtures = new URL('../../fixtures/', import.meta.url);

const { instance } = await WebAssembly.instantiate(readFileSync(fileURLToPath(new URL('scenes.wasm', built))), {});
const scenes = instance.exports;

/** A scene by name: bodies with their triangles, and positions frame by frame. One at a time. */
export function openScene(name) {
  const text = new TextEncoder().encode(name);
  const address = scenes.name_of(text.length);
  new Uint8Array(scenes.memory.buffer, address, text.length).set(text);
  const count = scenes.scene_open();
  if (count === 0) throw new Error(`there is no scene ${name}`);
  const list = (type, at, length) => new type(scenes.memory.buffer, at, length).slice();
  return {
    frames: scenes.scene_frames(),
    bodies: Array.from({ length: count }, (_, body) => ({
      indices: list(Uint32Array, scenes.triangles_address(body), 3 * scenes.triangle_count(body)),
      positions: (frame) => list(Float32Array, scenes.positions_address(body, frame), 3 * scenes.vertex_count(body)),
    })),
  };
}

/** The pinned digests: scene, frame, number of pairs, digest. */
export function pinned() {
  const lines = readFileSync(new URL('pair_digests.txt', fixtures), 'utf8').split('\n');
  return lines.filter((line) => line && !line.startsWith('#')).map((line) => {
    const [scene, frame, count, digest] = line.split(' ');
    return { scene, frame: Number(frame), count: Number(count), digest };
  });
}

/** FNV-1a with 64 bits over bodies, number of pairs and pairs, as crates/crumple/tests/agreement/determinism.rs has it. */
export function digestOf(contacts) {
  let [high, low] = [0xcbf29ce4, 0x84222325];
  const add = (numbers) => {
    for (const byte of new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)) {
      low = (low ^ byte) >>> 0;
      // The prime is 2^40 + 0x1b3.
      const product = low * 0x1b3;
      high = (Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0;
      low = product >>> 0;
    }
  };
  for (const { a, b, pairs } of contacts) {
    add(Uint32Array.of(a, b, pairs.length / 2));
    add(pairs);
  }
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('');
}
