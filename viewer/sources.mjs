// What the built page is made of, as one number: the page carries it, `check.mjs` and a test of crumple-io compare it.
//
// FNV-1a with 64 bits over path, a zero byte, contents with line ends as \n, and a zero byte, in the order of the paths.
// It tells a stale page from a fresh one; it is no defence against somebody who wants it to match.

import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export const viewer = fileURLToPath(new URL('.', import.meta.url));

/** The built page, committed inside the package that embeds it: a package holds no file from outside its folder. */
export const builtPage = join(viewer, '../crates/crumple-io/assets/index.html');

const SINGLE = ['index.html', 'package-lock.json', 'package.json', 'sources.mjs', 'tsconfig.json', 'vite.config.mjs'];

/** The files the page is made of, with `/` between folders, in order. */
export function sources() {
  const inside = readdirSync(join(viewer, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(viewer.length).replaceAll('\\', '/'));
  return [...SINGLE, ...inside].sort((a, b) => (a < b ? -1 : 1));
}

/** The number, as 16 hexadecimal digits. */
export function sourceHash() {
  // In two halves of 32 bits: the prime is 2^40 + 0x1b3, so a product needs no more than additions and small products.
  let [high, low] = [0xcbf29ce4, 0x84222325];
  const add = (byte) => {
    low = (low ^ byte) >>> 0;
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0;
    low = product >>> 0;
  };
  for (const path of sources()) {
    const contents = readFileSync(join(viewer, path), 'latin1').replaceAll('\r\n', '\n');
    for (const byte of Buffer.from(`${path}\0${contents}\0`, 'latin1')) add(byte);
  }
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('');
}
