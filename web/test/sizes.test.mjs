// What a visitor downloads.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
const packed = (...files) => gzipSync(Buffer.concat(files.map((file) => readFileSync(new URL(file, dist)))), { level: 9 }).length;

// The limits are for the compiler that the published package is built with, Debian's, which compiles the standard library along and
// leaves out the code that formats panics. With that of rustup the same sources make larger modules, which are only reported.
const compiler = readFileSync(new URL('compiler.txt', dist), 'utf8').trim();
const isPublished = compiler.endsWith('with std compiled along');

test('contacts take at most 120 KB of WebAssembly, compressed; all questions do not grow unnoticed', (t) => {
  t.diagnostic(`built with ${compiler}${isPublished ? '' : ', for which there are no limits'}`);
  for (const [file, most] of [['crumple.contacts.wasm', 120_000], ['crumple.wasm', 311_000]]) {
    const bytes = packed(file);
    t.diagnostic(`${file}: ${bytes} bytes compressed`);
    assert.ok(!isPublished || bytes <= most, `${file} is ${bytes} bytes compressed`);
  }
  // The builds without SIMD are for the few browsers without it; they are larger, and only reported.
  for (const file of ['crumple.contacts.scalar.wasm', 'crumple.scalar.wasm']) t.diagnostic(`${file}: ${packed(file)} bytes compressed`);
});

test('the JavaScript is at most 8 KB compressed, the worker and three.js included', (t) => {
  const bytes = packed('index.js', 'api.js', 'module.js', 'scene.js', 'frame.js', 'worker-scene.js', 'worker.js', 'three.js');
  t.diagnostic(`${bytes} bytes compressed`);
  assert.ok(bytes <= 8_000, `${bytes} bytes compressed`);
});
