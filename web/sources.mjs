// What the playground is made of, as one number: the built page carries it, and `check.mjs` compares it.
//
// FNV-1a with 64 bits over path, a zero byte, contents with line ends as \n, and a zero byte, in the order of the paths, as for
// the viewer. The WebAssembly inside comes from the sources of the library, which have a number of their own: where the module
// cannot be compared, because this machine has another compiler, that number is.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const web = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('..', import.meta.url));

/** The built page, committed inside the package that embeds it: a package holds no file from outside its folder. */
export const builtPage = join(web, '../crates/crumple-io/assets/playground.html');

const SINGLE = ['package-lock.json', 'playground/index.html', 'playground/vite.config.mjs', 'sources.mjs', 'tsconfig.json'];

/** The files the page is made of, with `/` between folders, in order. */
export function sources() {
  return [...SINGLE, ...filesIn(web, ['src', 'playground/src'])].sort((a, b) => (a < b ? -1 : 1));
}

/** The number of the page's own sources, as 16 hexadecimal digits. */
export function sourceHash() {
  return hash(web, sources());
}

/** The number of the sources that the module is compiled from. */
export function moduleHash() {
  const crates = ['crates/crumple', 'crates/crumple-web'];
  const files = filesIn(root, crates.map((crate) => `${crate}/src`));
  return hash(root, [...crates.map((crate) => `${crate}/Cargo.toml`), ...files].sort((a, b) => (a < b ? -1 : 1)));
}

/** What the module in dist/ was compiled with. */
export function compiler() {
  const file = join(web, 'dist/compiler.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : 'an unknown compiler';
}

function filesIn(base, folders) {
  return folders.flatMap((folder) =>
    readdirSync(join(base, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(base.length).replaceAll('\\', '/')),
  );
}

function hash(base, paths) {
  // In two halves of 32 bits: the prime is 2^40 + 0x1b3, so a product needs no more than additions and small products.
  let [high, low] = [0xcbf29ce4, 0x84222325];
  for (const path of paths) {
    const contents = readFileSync(join(base, path), 'latin1').replaceAll('\r\n', '\n');
    for (const byte of Buffer.from(`${path}\0${contents}\0`, 'latin1')) {
      low = (low ^ byte) >>> 0;
      const product = low * 0x1b3;
      high = (Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0;
      low = product >>> 0;
    }
  }
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('');
}
