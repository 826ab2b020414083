// Checks that the committed playground, crates/crumple-io/assets/playground.html, is what its source builds to.
//
//   node check.mjs          compares the number the page carries, and the page as built from dist/ byte for byte
//   node check.mjs --quick  only the number
//
// The WebAssembly inside depends on the compiler. Where this machine's is another one than the page was built with, scripts and
// styles are compared without it, and that is said.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtPage, sourceHash, web } from './sources.mjs';

const committed = readFileSync(builtPage, 'utf8');
const carried = committed.match(/<meta name="crumple-playground" content="([0-9a-f]{16})">/)?.[1];
const expected = sourceHash();
if (carried !== expected) fail(`the built page comes from other sources (it carries ${carried}, the sources make ${expected})`);
const vite = join(web, 'node_modules/vite/bin/vite.js');
if (process.argv.includes('--quick') || !existsSync(vite) || !existsSync(join(web, 'dist/bytes.js'))) {
  console.log(`playground: the built page carries the number of its sources, ${expected}; not built again`);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'crumple-playground-'));
  try {
    const words = ['build', '--config', join(web, 'playground/vite.config.mjs'), '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'];
    execFileSync(process.execPath, [vite, ...words], { cwd: web, stdio: 'inherit' });
    const built = readFileSync(join(folder, 'playground.html'), 'utf8');
    if (built === committed) console.log('playground: the built page is what its sources build to');
    else if (withoutModule(built) === withoutModule(committed)) {
      console.log('playground: the built page is what its sources build to, but for the WebAssembly inside, which comes from another compiler or an older library');
    } else fail('the built page is not what the sources build to');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A page without the module and without what depends on it. */
function withoutModule(page) {
  return page.replace(/H4sI[A-Za-z0-9+/=]{1000,}/, '').replace(/sha256-[A-Za-z0-9+/=]+/g, '');
}

function fail(what) {
  console.error(`playground: ${what}\nhint: npm ci && npm run build && npm run playground, in web/`);
  process.exit(1);
}
