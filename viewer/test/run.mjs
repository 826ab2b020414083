// Makes the pages and runs all browser tests on them: the page `crumple demo` writes, and those of unusual plays.
//
//   npm test                     from viewer/, after npm ci
//   npm test -- --shots          also takes the pictures of the guide, into docs/images
//   npm test -- --built DIR      with the programs in that folder of cargo's, in place of building them first

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { viewer } from '../sources.mjs';

const { values: options } = parseArgs({
  options: { shots: { type: 'boolean' }, built: { type: 'string' } },
});
const root = join(viewer, '..');
const folder = join(root, 'target/page-test');
const plays = ['demo', 'single', 'apart', 'itself', 'crowd', 'hostile', 'counts', 'overlap', 'empty'];
const shots = options.shots ? ['--shots', join(root, 'docs/images')] : [];
const built = options.built ? resolve(options.built) : join(root, 'target/release');

if (!options.built) {
  run('cargo', ['build', '--release', '-p', 'crumple-cli', '--target-dir', join(root, 'target')], root);
  run('cargo', ['build', '--release', '-p', 'crumple-io', '--example', 'make_page', '--target-dir', join(root, 'target')], root);
}
mkdirSync(folder, { recursive: true });
run(join(built, 'crumple'), ['demo', '--quiet'], folder, ['ignore', 'ignore', 'inherit']);
for (const play of plays) {
  const files = ['html', 'json'].map((kind) => join(folder, `${play}.${kind}`));
  run(join(built, 'examples/make_page'), [play, ...files], root);
}
// Exit code 1 says that something meets, which is the point of it.
const bullet = ['check', 'fixtures/wall.obj', 'fixtures/bullet_#.obj', '--continuous', '--quiet'];
run(join(built, 'crumple'), [...bullet, '--html', join(folder, 'bullet.html')], root, 'ignore', 1);
// Two spheres that overlap, and two knots in a pose with many regions.
const spheres = ['a', 'b'].map((name) => `fixtures/spheres_${name}.ply@fixtures/spheres_${name}.pc2`);
run(join(built, 'crumple'), ['volume', ...spheres, '--exact', '--quiet', '--html', join(folder, 'regions.html')], root, 'ignore');
run(join(built, 'crumple'), ['volume', ...spheres, '--quiet', '--html', join(folder, 'sampled.html')], root, 'ignore');
// A knot that swells until it overlaps itself, in its last frames.
run(join(built, 'crumple'), ['scene', 'HE5', '--out', folder, '--quiet'], root, 'ignore');
const swelling = `${join(folder, 'knot.ply')}@${join(folder, 'knot.pc2')}`;
run(join(built, 'crumple'), ['volume', swelling, '--self-overlap', '--frames', '96..', '--quiet', '--html', join(folder, 'swelling.html')], root, 'ignore');
run(join(built, 'crumple'), ['scene', 'HE1-knot-rabbit-complex', '--out', folder, '--quiet'], root, 'ignore');
const knot = ['knot', 'rabbit'].map((name) => join(folder, `${name}.ply`));
run(join(built, 'crumple'), ['volume', ...knot, '--exact', '--quiet', '--html', join(folder, 'knot.html')], root, 'ignore');
// The play `demo` is the scene of the command's demo; it knows where the vertices were before they were packed.
const demo = join(folder, 'crumple-demo.html');
node('test/page.mjs', demo, '--positions', join(folder, 'demo.json'), ...shots);
// Three bodies with depths: a list of findings.
const sphere = (name, cache = `@fixtures/${name}.pc2`) => `fixtures/${name}.ply${cache}`;
const three = ['check', sphere('spheres_a'), sphere('spheres_b'), sphere('spheres_b', ''), '--depth', '--max-pairs', '2000', '--quiet'];
run(join(built, 'crumple'), [...three, '--html', join(folder, 'findings.html')], root, 'ignore', 1);
node('test/findings.mjs', join(folder, 'findings.html'));
node('test/depths.mjs', join(folder, 'findings.html'), ...shots);
// The same with names of 60 characters that differ at their end, as exporters make them.
const long = ['left', 'rght'].map((side) => join(folder, `character_costume_layer_3_outer_jacket_sleeve_cuff_trim_${side}`));
for (const [at, name] of ['spheres_a', 'spheres_b'].entries()) {
  for (const kind of ['ply', 'pc2']) copyFileSync(join(root, `fixtures/${name}.${kind}`), `${long[at]}.${kind}`);
}
const named = ['check', ...long.map((name) => `${name}.ply@${name}.pc2`), sphere('spheres_b', ''), '--depth', '--max-pairs', '2000', '--quiet'];
run(join(built, 'crumple'), [...named, '--html', join(folder, 'names.html')], root, 'ignore', 1);
node('test/names.mjs', join(folder, 'names.html'));
// Two spheres that come near each other before they meet.
const close = ['check', sphere('spheres_a'), sphere('spheres_b'), '--clearance', '0.3', '--quiet'];
run(join(built, 'crumple'), [...close, '--html', join(folder, 'near.html')], root, 'ignore', 1);
node('test/near.mjs', join(folder, 'near.html'));
// A fox with three animations.
const fox = ['check', 'crates/crumple-io/tests/assets/fox.glb', '--animation', 'all', '--quiet'];
run(join(built, 'crumple'), [...fox, '--html', join(folder, 'animations.html')], root, 'ignore', 1);
node('test/animations.mjs', join(folder, 'animations.html'));
node('test/corners.mjs', folder, ...shots);

function node(...words) {
  run(process.execPath, words, viewer);
}

function run(program, words, cwd, stdio = 'inherit', expected = 0) {
  try {
    execFileSync(program, words, { cwd, stdio });
  } catch (error) {
    if (error.status === expected) return;
    if (error.code === 'ENOENT') console.error(`${program} is not there`);
    process.exit(error.status ?? 1);
  }
}
