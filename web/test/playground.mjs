// Opens the playground in a real browser and uses it as a person would.
//
//   node test/playground.mjs PAGE.html FILE.glb [--shots DIR]

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { shots: { type: 'string' } } });
const [file, model] = positionals;
if (!model) throw new Error('node test/playground.mjs PAGE.html FILE.glb [--shots DIR]');
const executablePath = process.env.CRUMPLE_CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(executablePath)) throw new Error(`no browser at ${executablePath}; apt-get install chromium, or say where it is in CRUMPLE_CHROMIUM`);
// Without a graphics card, and without anything a browser does on the network by itself.
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

let browser;
before(async () => (browser = await chromium.launch({ executablePath, args })));
after(() => browser?.close());

/** Opens the page, paused and coarse: a test steps as often as it needs. */
async function withPage(use, { ready = true, prepare = '', ...settings } = {}) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 }, colorScheme: 'light', ...settings });
  const page = await context.newPage();
  const [complaints, requests] = [[], []];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => /^(https?|ftp|ws)/.test(request.url()) && requests.push(request.url()));
  if (prepare) await page.addInitScript(prepare);
  await page.goto(pathToFileURL(resolve(file)).href);
  if (ready) {
    await page.waitForFunction(() => 'playground' in globalThis);
    await page.evaluate(() => (playground.paused = true));
    await page.locator('#triangles').selectOption('800');
  }
  await use(page);
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests, [], 'nothing is fetched');
  await context.close();
}

/** Where a vertex of a body is on the screen. */
const onScreen = (page, body, vertex) =>
  page.evaluate(([body, vertex]) => {
    const { view, world } = playground;
    const at = view.camera.position.clone().fromArray(world.bodies[body].x, 3 * vertex).project(view.camera);
    const box = view.canvas.getBoundingClientRect();
    return { x: box.left + ((at.x + 1) / 2) * box.width, y: box.top + ((1 - at.y) / 2) * box.height };
  }, [body, vertex]);

/** The screen position of the small ball's middle. */
const middleOf = async (page, body) => {
  const count = await page.evaluate((body) => playground.world.bodies[body].vertexCount, body);
  let [x, y] = [0, 0];
  const steps = 24;
  for (let i = 0; i < steps; i++) {
    const at = await onScreen(page, body, Math.floor((i * count) / steps));
    x += at.x / steps;
    y += at.y / steps;
  }
  return { x, y };
};

const run = (page, steps) => page.evaluate((steps) => playground.run(steps), steps);
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));
const shot = async (page, name) => options.shots && (await drawn(page), await page.screenshot({ path: join(options.shots, name) }));

test('the cloth falls over a ball that is dragged, and no vertex goes inside over 600 frames', () =>
  withPage(async (page) => {
    const start = await page.evaluate(() => playground.world.bodies[2].x[1]);
    const fallen = await run(page, 150);
    assert.ok(fallen.touching > 20, `${fallen.touching} triangles touch`);
    const { x, y } = await middleOf(page, 2);
    await page.mouse.move(x, y);
    await page.mouse.down();
    assert.ok(await page.evaluate(() => playground.world.grips.length > 0), 'the ball is held');
    const all = [fallen];
    // Into the cloth, up, and back.
    for (const [dx, dy] of [[-60, -20], [-140, -60], [-200, -160], [-260, -60], [-120, 10], [40, 20]]) {
      await page.mouse.move(x + dx, y + dy, { steps: 4 });
      all.push(await run(page, 60));
    }
    await page.mouse.up();
    assert.equal(await page.evaluate(() => playground.world.grips.length), 0);
    all.push(await run(page, 90));
    assert.ok(await page.evaluate(() => Number.isFinite(playground.world.bodies[0].x[0])));
    assert.notEqual(await page.evaluate(() => playground.world.bodies[2].x[1]), start);
    // The bound is 0: features that start apart cannot meet (playground/src/sim/response.ts).
    assert.deepEqual(all.map(({ deepest, pairs }) => [deepest, pairs]), all.map(() => [0, 0]));
    assert.match(await page.locator('#answer').textContent(), /touch/);
  }));

test('without a response, dragging a ball through the cloth shows pairs that collide', () =>
  withPage(async (page) => {
    await page.locator('#respond').uncheck();
    assert.equal((await run(page, 1)).pairs, 0);
    const { x, y } = await middleOf(page, 2);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 150, y - 60, { steps: 5 });
    const found = await run(page, 40);
    await page.mouse.up();
    assert.ok(found.pairs > 10, `${found.pairs} pairs`);
    await drawn(page);
    await run(page, 1);
    if ((await page.evaluate(() => playground.report.contacts.length)) > 0) {
      await drawn(page);
      assert.match(await page.locator('#answer').textContent(), /pairs? of triangles collide/);
    }
  }));

test('the cloth can be cut', () =>
  withPage(async (page) => {
    await page.locator('.picture').focus();
    await page.keyboard.press('c');
    const before = await page.evaluate(() => playground.world.cloth.indices.length / 3);
    const [from, to] = [await onScreen(page, 0, 5), await onScreen(page, 0, 400)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 8 });
    await page.mouse.up();
    const { deepest, pairs } = await run(page, 30);
    const left = await page.evaluate(() => playground.world.cloth.indices.length / 3);
    assert.ok(left < before - 5, `${before} triangles, then ${left}`);
    assert.deepEqual([deepest, pairs], [0, 0]);
  }));

test('a glTF file that is dropped is checked in the page', () =>
  withPage(async (page) => {
    const bytes = readFileSync(model).toString('base64');
    await page.evaluate(
      ([bytes, name]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name));
        dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      [bytes, basename(model)],
    );
    await page.waitForFunction(() => /collide|cannot be read/.test(document.getElementById('answer').textContent));
    assert.match(await page.locator('#answer').textContent(), /collide/);
    assert.match(await page.locator('#hint').textContent(), new RegExp(`^${basename(model)}: 1 mesh, [\\d,]+ triangles`));
    await shot(page, 'playground-gltf.png');
    await page.locator('#reset').click();
    assert.ok(await page.evaluate(() => playground.world !== undefined));
    await page.setInputFiles('#file', { name: 'broken.glb', mimeType: 'model/gltf-binary', buffer: Buffer.from('glTF nonsense') });
    await page.waitForFunction(() => /cannot be read/.test(document.getElementById('answer').textContent));
  }));

test('keys work, and every method runs', () =>
  withPage(async (page) => {
    for (const method of ['hybrid-tree', 'bucket-tree', 'gjk-cut', 'local-tree']) {
      await page.locator('#method').selectOption(method);
      assert.equal((await run(page, 2)).pairs, 0, method);
    }
    await page.locator('#self').check();
    await run(page, 1);
    await page.locator('.picture').focus();
    await page.keyboard.press('Space');
    assert.equal(await page.evaluate(() => playground.paused), false);
    for (const key of ['ArrowUp', 'ArrowLeft', 'ArrowRight', 'ArrowDown', 'v', 'd', 'r']) await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => playground.hand.tool), 'drag');
  }));

test('narrow and dark, the page fits', () =>
  withPage(
    async (page) => {
      await run(page, 90);
      await drawn(page);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 420);
      await shot(page, 'playground-narrow.png');
    },
    { viewport: { width: 420, height: 800 }, colorScheme: 'dark', hasTouch: true },
  ));

test('wide, the page shows what touches and how long that takes', () =>
  withPage(
    async (page) => {
      if (options.shots) await page.locator('#triangles').selectOption('2000');
      await run(page, 100);
      await drawn(page);
      assert.match(await page.locator('#figures').textContent(), /Detection\d+\.\d\d ms/);
      await shot(page, 'playground.png');
    },
    { viewport: { width: 1400, height: 860 } },
  ));

for (const [what, prepare, words] of [
  ['WebGL', 'HTMLCanvasElement.prototype.getContext = () => null', /no WebGL 2.*hardware acceleration/],
  ['WebAssembly', 'delete globalThis.WebAssembly', /no WebAssembly.*allow it for this page/],
]) {
  test(`without ${what} the page says what to do`, () =>
    withPage(
      async (page) => {
        await page.locator('.failure').waitFor();
        assert.match(await page.locator('.failure').textContent(), words);
      },
      { ready: false, prepare },
    ));
}
