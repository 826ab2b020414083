// Checks that the committed page, crates/crumple-io/assets/index.html, is what its source builds to.
//
//   node check.mjs          compares the number the page carries; builds and compares byte for byte where vite is installed
//   node check.mjs --quick  only the number

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtPage, sourceHash, viewer } from './sources.mjs';

const built = readFileSync(builtPage, 'utf8');
const carried = built.match(/<meta name="crumple-viewer" content="([0-9a-f]{16})">/)?.[1];
const expected = sourceHash();
if (carried !== expected) {
  fail(`the built page comes from other sources (it carries ${carried}, the sources make ${expected})`);
}
const vite = join(viewer, 'node_modules/vite/bin/vite.js');
if (process.argv.includes('--quick') || !existsSync(vite)) {
  console.log(`viewer: the built page carries the number of its sources, ${expected}; not built again`);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'crumple-viewer-'));
  try {
    const options = ['build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'];
    execFileSync(process.execPath, [vite, ...options], { cwd: viewer, stdio: 'inherit' });
    if (readFileSync(join(folder, 'index.html'), 'utf8') !== built) fail('the built page is not what the sources build to');
  } finally {
    rmSync(folder, { recursive: true });
  }
  console.log('viewer: the built page is what its sources build to');
}

function fail(what) {
  console.error(`viewer: ${what}\nhint: npm ci && npm run build, in viewer/`);
  process.exit(1);
}
