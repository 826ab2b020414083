// Builds the package into dist/: TypeScript to JavaScript and types, WebAssembly with and without SIMD beside it.
//
//   node build.mjs                 everything; builds the WebAssembly by `cargo xtask wasm` first
//   node build.mjs --wasm DIR      with crumple.wasm, crumple.contacts.wasm and the like from that folder

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

const { values: options } = parseArgs({ options: { wasm: { type: 'string' } } });
const web = fileURLToPath(new URL('.', import.meta.url));
const root = join(web, '..');
const dist = join(web, 'dist');
const wasm = options.wasm ?? join(root, 'target/web');

if (!options.wasm) execFileSync('cargo', ['xtask', 'wasm'], { cwd: root, stdio: 'inherit' });
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
for (const file of ['crumple.wasm', 'crumple.contacts.wasm']) copyFileSync(join(wasm, file), join(dist, file));
for (const file of ['crumple.scalar.wasm', 'crumple.contacts.scalar.wasm']) {
  // They take minutes to compile: whoever only tests does without, whoever publishes does not.
  if (existsSync(join(wasm, file))) copyFileSync(join(wasm, file), join(dist, file));
  else if (!options.wasm) throw new Error(`${file} was not built`);
}
// The module inside the script: compressed, then as text. The time that gzip notes is 0, so that the text is always the same.
const packed = gzipSync(readFileSync(join(wasm, 'crumple.wasm')), { level: 9 }).toString('base64');
writeFileSync(join(dist, 'bytes.js'), `export const BYTES = '${packed}';\n`);
writeFileSync(join(dist, 'bytes.d.ts'), 'export declare const BYTES: string;\n');
execFileSync(process.execPath, [join(web, 'node_modules/typescript/bin/tsc'), '-p', web], { cwd: web, stdio: 'inherit' });
for (const file of ['LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(join(root, file), join(web, file));
