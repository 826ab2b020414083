// Opens a page in a real browser and uses it as a person would.
//
//   node test/page.mjs PAGE.html [--positions FILE.json] [--shots DIR]
//
// The page must have two bodies or more, frame 0 without contact and a later one with. --positions compares vertices with
// what they were before packing; --shots takes the pictures of the guide.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { parseArgs } from 'node:util';
import { difference, drawn, launch, open, pixels, redPixels, show } from './browser.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { positions: { type: 'string' }, shots: { type: 'string' } },
});
const [file] = positionals;
if (!file) throw new Error('which page? node test/page.mjs PAGE.html [--positions FILE.json] [--shots DIR]');

let browser;
let page;
let complaints;
let requests;
let head;
let worst;

before(async () => {
  browser = await launch();
  const start = performance.now();
  ({ page, complaints, requests } = await open(browser, file));
  console.log(`# ready after ${Math.round(performance.now() - start)} ms`);
  head = await page.evaluate(() => globalThis.crumple.head);
  worst = head.frames.pairs.indexOf(Math.max(...head.frames.pairs));
});

after(() => browser?.close());

const state = () => page.evaluate(() => ({ frame: crumple.frame, selection: crumple.selection, playing: crumple.playing }));
const press = async (key) => {
  await page.keyboard.press(key);
  await drawn(page);
};

test('opens from disk and asks nobody else for anything', () => {
  assert.equal(requests.length, 1, requests.join('\n'));
  assert.ok(requests[0].startsWith('file:'));
});

test('opens at the worst frame', async () => {
  assert.equal((await state()).frame, worst);
});

test('draws the bodies: pixels differ from the background', async () => {
  await show(page, 0);
  const shown = await pixels(page);
  const eyes = page.locator('.bodies li button:last-child');
  for (const eye of await eyes.all()) await eye.click();
  const background = await pixels(page);
  for (const eye of await eyes.all()) await eye.click();
  assert.ok(difference(shown, background) > 0.03, 'the bodies cover next to nothing');
  assert.ok(difference(shown, await pixels(page)) < 0.001, 'shown again they look different');
});

test('red appears in a frame with contact and not in frame 0', async () => {
  await show(page, 0);
  assert.equal(redPixels(await pixels(page)), 0);
  await show(page, worst);
  assert.ok(redPixels(await pixels(page)) > 300);
});

test('contacts are told by more than red: their pixels are striped light and dark', async () => {
  await show(page, worst);
  const data = await pixels(page);
  let dark = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i] < 135 && data[i] > 20 && data[i + 1] < 25 && data[i + 2] < 25) dark++;
  assert.ok(dark > 100, `${dark} dark pixels`);
});

const showsVertices = async () => {
  const [low, high] = head.bounds;
  const step = Math.max(...[0, 1, 2].map((axis) => high[axis] - low[axis])) / 65535;
  for (const { frame, body, vertex, at } of JSON.parse(readFileSync(options.positions, 'utf8'))) {
    const shown = await page.evaluate(
      async ([frame, body, vertex]) => {
        if (crumple.frame !== frame) await crumple.show(frame);
        return crumple.position(body, vertex);
      },
      [frame, body, vertex],
    );
    const off = Math.max(...[0, 1, 2].map((axis) => Math.abs(shown[axis] - at[axis])));
    assert.ok(off <= step, `frame ${frame}, body ${body}, vertex ${vertex}: ${shown} is not ${at}`);
  }
};
if (options.positions) test('shows vertices where they were before packing', showsVertices);

test('goes to the frame that is clicked or dragged to', async () => {
  const box = await page.locator('[role=slider]').boundingBox();
  const frames = head.frames.number.length;
  const x = (frame) => box.x + ((frame + 0.5) / frames) * box.width;
  const middle = Math.floor(frames / 2);
  await page.mouse.click(x(middle), box.y + 10);
  await page.waitForFunction((frame) => crumple.frame === frame, middle);
  await page.mouse.move(x(middle), box.y + 10);
  await page.mouse.down();
  await page.mouse.move(x(middle - 3), box.y + 12, { steps: 4 });
  await page.mouse.move(x(1), box.y + 12, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => crumple.frame === 1);
  const slider = page.locator('[role=slider]');
  assert.match(await slider.getAttribute('aria-valuetext'), new RegExp(`frame ${head.frames.number[1]}, `));
});

test('a click on a red triangle says its body, its number and what it meets', async () => {
  await show(page, worst);
  const target = await page.evaluate(() => {
    for (const [body, list] of crumple.touching().entries()) {
      for (const triangle of list) {
        const middle = crumple.clientAt({ body, triangle });
        // A click has whole coordinates.
        const [x, y] = [Math.round(middle.x), Math.round(middle.y)];
        const hit = crumple.pickAt(x, y);
        if (hit && hit.body === body && hit.triangle === triangle) return { body, triangle, x, y };
      }
    }
    return null;
  });
  assert.ok(target, 'no colliding triangle can be seen');
  await page.mouse.click(target.x, target.y);
  assert.deepEqual((await state()).selection, { body: target.body, triangle: target.triangle });
  const picked = page.locator('.picked');
  const text = await picked.textContent();
  assert.ok(text.includes(head.header.bodies[target.body].name), text);
  assert.ok(text.includes(`triangle ${target.triangle}`), text);
  assert.match(text, /Meets \d+ triangles?:/);

  await picked.locator('.partners button').first().click();
  const partner = (await state()).selection;
  assert.notDeepEqual(partner, { body: target.body, triangle: target.triangle });
  const back = await picked.locator('.partners button').allTextContents();
  assert.ok(back.some((name) => name.endsWith(` ${target.triangle}`)), 'the partner does not know it');
});

test('a body can be hidden, and made transparent', async () => {
  await show(page, worst);
  await press('Escape');
  const whole = await pixels(page);
  const row = page.locator('.bodies li').first();
  const eye = row.locator('button').last();
  await eye.click();
  assert.equal(await eye.getAttribute('aria-pressed'), 'false');
  const hidden = await pixels(page);
  assert.ok(difference(whole, hidden) > 0.01);
  await eye.click();
  const glass = row.locator('button').first();
  await glass.click();
  assert.equal(await glass.getAttribute('aria-pressed'), 'true');
  const transparent = await pixels(page);
  assert.ok(difference(whole, transparent) > 0.01);
  assert.ok(difference(hidden, transparent) > 0.005);
  await glass.click();
  assert.ok(difference(whole, await pixels(page)) < 0.001);
});

test('the keyboard does everything', async () => {
  const last = head.frames.number.length - 1;
  await press('Home');
  assert.equal((await state()).frame, 0);
  await press('ArrowRight');
  await press('ArrowRight');
  await press('ArrowLeft');
  assert.equal((await state()).frame, 1);
  await press('PageDown');
  assert.equal((await state()).frame, Math.min(11, last));
  await press('End');
  await page.waitForFunction((frame) => crumple.frame === frame, last);
  await press('w');
  await page.waitForFunction((frame) => crumple.frame === frame, worst);
  await press('n');
  const first = (await state()).selection;
  await press('n');
  assert.notDeepEqual((await state()).selection, first);
  await press('Shift+N');
  assert.deepEqual((await state()).selection, first);
  await press('l');
  await press('Escape');
  assert.equal((await state()).selection, null);
  await press('f');
  await press('Home');
  await press('Space');
  await page.waitForFunction(() => crumple.playing && crumple.frame > 1);
  await press('Space');
  const { frame, playing } = await state();
  assert.equal(playing, false);
  await drawn(page);
  assert.equal((await state()).frame, frame, 'it goes on though paused');
  await press('?');
  assert.ok(await page.locator('dialog').isVisible());
  await press('Escape');
  assert.ok(!(await page.locator('dialog').isVisible()));
});

test('keys turn the view and come nearer', async () => {
  await show(page, worst);
  const before = await pixels(page);
  await press('Shift+ArrowRight');
  const turned = await pixels(page);
  assert.ok(difference(before, turned) > 0.01);
  await press('+');
  assert.ok(difference(turned, await pixels(page)) > 0.01);
  await press('f');
  assert.ok(difference(before, await pixels(page)) < 0.001);
});

test('the focus can be seen and everything that can be pressed has a name', async () => {
  await page.locator('[role=slider]').focus();
  await page.keyboard.press('ArrowRight');
  const outline = await page.locator('[role=slider]').evaluate((slider) => getComputedStyle(slider).outlineStyle);
  assert.equal(outline, 'solid');
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, [role=slider]')]
      .filter((part) => !(part.getAttribute('aria-label') || part.textContent.trim()))
      .map((part) => part.outerHTML),
  );
  assert.deepEqual(nameless, []);
});

test('light and dark follow the system and the switch', async () => {
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await ground();
  assert.notEqual(light, dark);
  await press('t');
  assert.equal(await ground(), light);
  await press('t');
  await page.emulateMedia({ colorScheme: 'light' });
  assert.equal(await ground(), dark);
  await press('t');
  assert.equal(await ground(), light);
});

test('nothing hangs over the side of a narrow window', async () => {
  await page.setViewportSize({ width: 340, height: 640 });
  await drawn(page);
  const [inside, outside] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(inside <= outside, `${inside} > ${outside}`);
  const numbers = await page.locator('.axis span:visible').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right]));
  for (const [at, [left]] of numbers.slice(1).entries()) assert.ok(left > numbers[at][1] + 2, `number ${at + 1} of the axis runs into the one before`);
  await show(page, worst);
  assert.ok(redPixels(await pixels(page)) > 30);
  await page.setViewportSize({ width: 1200, height: 760 });
});

test('without WebGL and without scripts the report is there to read', async () => {
  const blind = await launch(['--disable-3d-apis']);
  try {
    const without = await open(blind, file, { ready: false });
    await without.page.locator('.notice').first().waitFor();
    assert.match(await without.page.locator('body').innerText(), /cannot be drawn[^]*Triangles meet in/);
    assert.deepEqual(without.complaints, []);
    const silent = await open(blind, file, { ready: false, javaScriptEnabled: false });
    assert.match(await silent.page.locator('body').innerText(), /Scripts are switched off[^]*Frames in contact/);
  } finally {
    await blind.close();
  }
});

const takesPictures = async () => {
  mkdirSync(options.shots, { recursive: true });
  await page.setViewportSize({ width: 1040, height: 660 });
  await page.evaluate(() => document.activeElement.blur());
  await page.mouse.move(0, 0);
  const shot = (name) => page.screenshot({ path: join(options.shots, `${name}.png`) });
  await show(page, worst);
  await press('f');
  await press('c');
  await shot('page-light');
  await press('n');
  await press('l');
  await shot('page-picked');
  await press('Escape');
  await press('c');
  await page.emulateMedia({ colorScheme: 'dark' });
  await drawn(page);
  await shot('page-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 400, height: 800 });
  await press('f');
  await drawn(page);
  await shot('page-narrow');
  await page.setViewportSize({ width: 1200, height: 760 });
};
if (options.shots) test('takes the pictures of the guide', takesPictures);

test('the browser had nothing to complain about', () => {
  assert.deepEqual(complaints, []);
});
