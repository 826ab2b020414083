// The same pairs as native in every built-in scene, with SIMD and without, by the build with all questions and by that with contacts only.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('digests.mjs', import.meta.url));

for (const words of [['simd'], ['scalar'], ['simd', 'contacts'], ['scalar', 'contacts']]) {
  test(`the build ${words.join(', ')} finds the pinned pairs of every built-in scene`, (t) => {
    // A process each: a process loads one build.
    const said = execFileSync(process.execPath, [program, ...words], { encoding: 'utf8' });
    assert.match(said, /^\d+ frames of \d+ scenes\n$/);
    t.diagnostic(said.trim());
  });
}
