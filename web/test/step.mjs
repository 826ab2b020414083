// How long a step of the playground takes, without drawing: while the cloth falls, and where it lies on both balls. Not part of
// the tests; run it on a quiet machine.
//
//   node web/build.mjs && node web/test/step.mjs [TRIANGLES]      20,000 per body if omitted

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const web = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(web, 'dist/.step-'));
try {
  const bundle = await rolldown({ input: join(web, 'playground/src/sim/world.ts'), external: ['crumple/inline'], logLevel: 'silent' });
  await bundle.write({ file: join(folder, 'world.mjs'), format: 'esm' });
  const { init } = await import('crumple/inline');
  const { World } = await import(pathToFileURL(join(folder, 'world.mjs')).href);
  await init();
  const triangles = Number(process.argv[2] ?? 20_000);
  const world = new World({ method: 'wide-tree', triangles, respond: true, selfCollision: false });
  const reports = Array.from({ length: 200 }, () => {
    const { detection, step, nearPairs } = world.step();
    return { detection, step, nearPairs, deepest: world.deepest() };
  });
  const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
  const touched = reports.findIndex(({ nearPairs }) => nearPairs > 0);
  console.log(`${triangles} triangles per body; the cloth touches a ball in step ${touched}; the deepest vertex ${Math.max(...reports.map(({ deepest }) => deepest))} inside`);
  for (const [what, list] of [['until they touch', reports.slice(Math.min(10, touched - 1), touched)], ['last 40 steps', reports.slice(-40)]]) {
    const [step, detection, pairs] = ['step', 'detection', 'nearPairs'].map((key) => median(list.map((report) => report[key])));
    const mean = list.reduce((sum, report) => sum + report.step / list.length, 0);
    console.log(`${what}: ${step.toFixed(1)} ms per step at the median, ${mean.toFixed(1)} on average; detection ${detection.toFixed(1)} at the median; ${pairs} features near each other`);
  }
  world.dispose();
} finally {
  rmSync(folder, { recursive: true });
}
