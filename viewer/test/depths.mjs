// Shading by depth, on a page of `crumple check --depth`.
//
//   node test/depths.mjs PAGE.html [--shots DIR]
//
// In the page three bodies meet pairwise, with depths; the first two are closed and apart in some frames.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { difference, drawn, launch, open, pixels, show } from './browser.mjs';

const [file, , shots] = process.argv.slice(2);
if (!file) throw new Error('which page? node test/depths.mjs PAGE.html');

let browser;
let page;
let complaints;
let head;
let deepest;

before(async () => {
  browser = await launch();
  ({ page, complaints } = await open(browser, file, { width: 1400, height: 860 }));
  head = await page.evaluate(() => crumple.head);
  deepest = head.frames.depth.indexOf(Math.max(...head.frames.depth));
});

after(() => browser.close());

const groups = () => page.evaluate(() => crumple.depths());

/** How many pixels have a hue of the scale, between blue and red with little green, which nothing else has. */
const shaded = (data) => {
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    const [red, green, blue] = [data[i], data[i + 1], data[i + 2]];
    if (red > green + 35 && blue > green + 35) count++;
  }
  return count;
};

test('vertices inside another body have a depth, up to what the frame says', async () => {
  const found = [];
  for (let frame = 0; frame < head.frames.number.length; frame++) {
    await show(page, frame);
    const now = await groups();
    const most = Math.max(0, ...now.map((group) => group.deepest));
    // Levels are 255ths and numbers single.
    assert.ok(Math.abs(most - (head.frames.depth[frame] ?? 0)) <= 1e-5 * head.deepest, `frame ${frame}: ${most}`);
    for (const { inner, outer, vertices } of now) assert.ok(inner !== outer && vertices > 0);
    found.push(...now);
  }
  assert.ok(found.length > 0);
  assert.ok(Math.abs(head.deepest - Math.max(...head.frames.depth)) <= 1e-5 * head.deepest);
});

test('the swallowed part is shaded, through what swallows it too', async () => {
  await show(page, deepest);
  const on = await pixels(page);
  assert.ok(shaded(on) > 400, `${shaded(on)} pixels`);
  await page.keyboard.press('d');
  const off = await pixels(page);
  assert.ok(shaded(off) < shaded(on) / 10, `${shaded(off)} of ${shaded(on)} pixels`);
  await page.keyboard.press('d');
  assert.ok(difference(on, await pixels(page)) < 0.001);
  await page.keyboard.press('x');
  const before = await pixels(page);
  assert.ok(shaded(before) < shaded(on), 'nothing shone through');
  await page.keyboard.press('x');
});

test('without the body around it the part is seen as it is, and with its own body it goes', async () => {
  await show(page, deepest);
  const [{ inner, outer }] = await groups();
  const eye = (body) => page.locator('.bodies li').nth(body).locator('button').last();
  const others = head.header.bodies.map((_, body) => body).filter((body) => body !== inner);
  for (const body of others) await eye(body).click();
  const alone = await pixels(page);
  assert.ok(others.includes(outer) && shaded(alone) > 400, `${shaded(alone)} pixels`);
  await eye(inner).click();
  assert.equal(shaded(await pixels(page)), 0);
  for (const body of [inner, ...others]) await eye(body).click();
});

test('an isolated pair is shaded alone', async () => {
  const { a, b } = head.summary.findings[0];
  await show(page, deepest);
  const all = await groups();
  await page.locator('.finding-actions button').first().click();
  await drawn(page);
  const alone = await groups();
  assert.ok(alone.length > 0 && alone.length < all.length, `${alone.length} of ${all.length}`);
  for (const { inner, outer } of alone) assert.deepEqual([inner, outer].sort(), [a, b].sort());
  await page.keyboard.press('Escape');
  await drawn(page);
  assert.equal((await groups()).length, all.length);
});

test('the legend has the scale and fits, light and dark, wide and narrow', async () => {
  const legend = page.locator('.legend .scale');
  assert.match(await legend.textContent(), /^0.* deep/);
  assert.ok((await legend.textContent()).includes(String(Number(head.deepest.toPrecision(4)))));
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1400, 420]) {
      await page.setViewportSize({ width, height: 860 });
      await show(page, deepest);
      const [inside, outside] = [await legend.boundingBox(), await page.locator('.picture').boundingBox()];
      assert.ok(inside.x >= outside.x && inside.x + inside.width <= outside.x + outside.width, `at ${width} pixels`);
      assert.ok(shaded(await pixels(page)) > 150, `${colorScheme}, ${width} pixels`);
    }
  }
});

const takesPicture = async () => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1040, height: 660 });
  await page.locator('.finding-actions button').first().click();
  await page.evaluate(() => document.activeElement.blur());
  await page.mouse.move(0, 0);
  await show(page, deepest);
  await page.keyboard.press('f');
  await page.keyboard.press('c');
  await page.keyboard.press('-');
  await drawn(page);
  await page.screenshot({ path: join(shots, 'page-depth.png') });
};
if (shots) test('takes the picture of the guide', takesPicture);

test('the browser had nothing to complain about', () => {
  assert.deepEqual(complaints, []);
});
