// Makes the pages and runs all browser tests on them.
//
//   npm test                     from viewer/, after npm ci
//   npm test -- --shots          also takes the pictures of the guide, into docs/images

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { viewer } from '../sources.mjs';

const root = join(viewer, '..');
const folder = join(root, 'target/page-test');
const plays = ['demo', 'single', 'apart', 'itself', 'crowd', 'hostile', 'counts', 'overlap', 'empty'];
const shots = process.argv.includes('--shots') ? ['--shots', join(root, 'docs/images')] : [];

mkdirSync(folder, { recursive: true });
const make = ['run', '--quiet', '--release', '-p', 'crumple-io', '--example', 'make_page', '--'];
for (const play of plays) {
  run('cargo', [...make, play, join(folder, `${play}.html`), join(folder, `${play}.json`)]);
}
run('node', ['test/page.mjs', join(folder, 'demo.html'), '--positions', join(folder, 'demo.json'), ...shots]);
run('node', ['test/corners.mjs', folder, ...shots]);

function run(command, words) {
  const [program, cwd] = command === 'node' ? [process.execPath, viewer] : [command, root];
  try {
    execFileSync(program, words, { cwd, stdio: 'inherit' });
  } catch (error) {
    if (error.code === 'ENOENT') console.error(`${command} is not there`);
    process.exit(error.status ?? 1);
  }
}
