// Checks that the committed playground, crates/crumple-io/assets/playground.html, is what its source builds to.
//
//   node check.mjs          compares the number the page carries, and the page as built from dist/ byte for byte
//   node check.mjs --quick  only the number
//
// The WebAssembly inside depends on the compiler. Where this machine's is the one that the page names, the module is compared, too;
// where it is another one, the number of the library's sources that the page carries is, so that an old module is found anywhere.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtPage, compiler, moduleHash, sourceHash, web } from './sources.mjs';

const committed = readFileSync(builtPage, 'utf8');
const carried = committed.match(/<meta name="crumple-playground" content="([0-9a-f]{16})">/)?.[1];
const expected = sourceHash();
if (carried !== expected) fail(`the built page comes from other sources (it carries ${carried}, the sources make ${expected})`);
const vite = join(web, 'node_modules/vite/bin/vite.js');
if (process.argv.includes('--quick') || !existsSync(vite) || !existsSync(join(web, 'dist/bytes.js'))) {
  console.log(`playground: the built page carries the number of its sources, ${expected}; not built again`);
} else {
  const [, library, by] = committed.match(/<meta name="crumple-module" content="([0-9a-f]{16}) by ([^"]*)">/) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'crumple-playground-'));
  try {
    const words = ['build', '--config', join(web, 'playground/vite.config.mjs'), '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'];
    execFileSync(process.execPath, [vite, ...words], { cwd: web, stdio: 'inherit' });
    const built = readFileSync(join(folder, 'playground.html'), 'utf8');
    if (withoutModule(built) !== withoutModule(committed)) fail('the built page is not what the sources build to');
    const number = moduleHash();
    if (by === compiler()) {
      if (moduleOf(built) !== moduleOf(committed)) {
        fail(`the WebAssembly inside the built page is not what the library builds to with ${by}: it comes from an older library`);
      }
      console.log(`playground: the built page is what its sources build to, the WebAssembly inside included (${by})`);
    } else {
      if (library !== number) {
        fail(`the WebAssembly inside the built page comes from another library (it carries ${library}, the sources make ${number})`);
      }
      console.log(`playground: the built page is what its sources build to; the WebAssembly inside was built by ${by} from these sources, not by ${compiler()}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The module, as the text that it is inside the page. */
function moduleOf(page) {
  return page.match(/H4sI[A-Za-z0-9+/=]{1000,}/)?.[0];
}

/** A page without the module and without what depends on it. */
function withoutModule(page) {
  return page
    .replace(/H4sI[A-Za-z0-9+/=]{1000,}/, '')
    .replace(/sha256-[A-Za-z0-9+/=]+/g, '')
    .replace(/<meta name="crumple-module"[^>]*>/, '');
}

function fail(what) {
  console.error(`playground: ${what}\nhint: cargo xtask wasm, then npm ci && npm run build && npm run playground in web/`);
  process.exit(1);
}
