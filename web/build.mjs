// Builds the package into dist/: TypeScript to JavaScript and types, WebAssembly with and without SIMD beside it.
//
//   node build.mjs                 everything; builds the WebAssembly by `cargo xtask wasm` first
//   node build.mjs --wasm DIR      with crumple.wasm, crumple.contacts.wasm and the like from that folder

import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

// What the modules use beyond the first version of WebAssembly; the builds without SIMD use all but SIMD.
const FEATURES = ['bulk-memory', 'bulk-memory-opt', 'multivalue', 'mutable-globals', 'nontrapping-float-to-int', 'reference-types', 'sign-ext'];

const { values: options } = parseArgs({ options: { wasm: { type: 'string' } } });
const web = fileURLToPath(new URL('.', import.meta.url));
const root = join(web, '..');
const dist = join(web, 'dist');
const wasm = options.wasm ?? join(root, 'target/web');

if (!options.wasm) execFileSync('cargo', ['xtask', 'wasm'], { cwd: root, stdio: 'inherit' });
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
// Side by side: each takes one core, and most of the time of this build.
await Promise.all([
  ...['crumple.scalar.wasm', 'crumple.contacts.scalar.wasm'].map((file) => optimise(file, FEATURES)),
  ...['crumple.wasm', 'crumple.contacts.wasm'].map((file) => optimise(file, [...FEATURES, 'simd'])),
]);
// The module inside the script: compressed, then as text. The time that gzip notes is 0, so that the text is always the same.
const packed = gzipSync(readFileSync(join(dist, 'crumple.wasm')), { level: 9 }).toString('base64');
writeFileSync(join(dist, 'bytes.js'), `export const BYTES = '${packed}';\n`);
writeFileSync(join(dist, 'bytes.d.ts'), 'export declare const BYTES: string;\n');
// For the playground, which says what its module was built with.
copyFileSync(join(wasm, 'compiler.txt'), join(dist, 'compiler.txt'));
execFileSync(process.execPath, [join(web, 'node_modules/typescript/bin/tsc'), '-p', web], { cwd: web, stdio: 'inherit' });
for (const file of ['LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(join(root, file), join(web, file));

/** Optimises a module for speed once more, with the pinned binaryen, and takes the names out. The result depends on the module alone. */
async function optimise(file, features) {
  const words = [...features.map((feature) => `--enable-${feature}`), '-O3', '--strip-debug', '--strip-producers', '--strip-target-features'];
  const program = join(web, 'node_modules/binaryen/bin/wasm-opt');
  await promisify(execFile)(process.execPath, [program, join(wasm, file), ...words, '-o', join(dist, file)]);
}
