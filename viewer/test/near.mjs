// The colours of distances, on a page of `crumple check --clearance`.
//
//   node test/near.mjs PAGE.html [--shots DIR]
//
// In the page two bodies come closer than the clearance before they meet.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { difference, drawn, launch, open, pixels, show } from './browser.mjs';

const [file, , shots] = process.argv.slice(2);
if (!file) throw new Error('which page? node test/near.mjs PAGE.html');

let browser;
let page;
let complaints;
let head;

before(async () => {
  browser = await launch();
  ({ page, complaints } = await open(browser, file, { width: 1400, height: 860 }));
  head = await page.evaluate(() => crumple.head);
});

after(() => browser.close());

const nearest = () => {
  const finding = head.summary.findings.find(({ kind }) => kind === 'near');
  return head.frames.frame.indexOf(finding.worst.frame);
};

test('vertices closer than the clearance are coloured, and no others', async () => {
  const seen = [];
  for (let frame = 0; frame < head.frames.number.length; frame++) {
    await show(page, frame);
    seen.push(await page.evaluate(() => crumple.near()));
  }
  const close = seen.map((bodies) => bodies.length > 0);
  assert.ok(close.includes(true) && close.includes(false), 'some frames are clear and some are not');
  assert.ok(close[nearest()]);
  for (const { body, vertices, least } of seen.flat()) {
    assert.ok(body < head.header.bodies.length && vertices > 0);
    assert.ok(least >= 0 && least <= 1);
  }
});

test('what is near has another colour than the body, and goes back to it', async () => {
  const clear = async () => {
    for (let frame = 0; ; frame++) {
      await show(page, frame);
      if ((await page.evaluate(() => crumple.near().length)) === 0) return frame;
    }
  };
  await show(page, nearest());
  // Of the colours of the scale, the second half: orange and yellow, which no body has.
  const bright = (data) => {
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] > 150 && data[i + 2] < 0.55 * data[i]) count++;
    return count;
  };
  const coloured = await pixels(page);
  assert.ok(bright(coloured) > 50, `${bright(coloured)} pixels`);
  await show(page, await clear());
  const plain = await pixels(page);
  assert.ok(bright(plain) < bright(coloured) / 10);
  assert.ok(difference(plain, coloured) > 0);
});

test('the legend has the clearance and fits the window', async () => {
  const legend = page.locator('.legend .scale');
  assert.ok((await legend.textContent()).includes(String(Number(head.clearance.toPrecision(4)))));
  for (const width of [1400, 420]) {
    await page.setViewportSize({ width, height: 860 });
    await show(page, nearest());
    const [inside, outside] = [await legend.boundingBox(), await page.locator('.picture').boundingBox()];
    assert.ok(inside.x >= outside.x && inside.x + inside.width <= outside.x + outside.width, `at ${width} pixels`);
    if (shots) await page.screenshot({ path: join(shots, `near-${width}.png`) });
  }
  await drawn(page);
});

test('the browser had nothing to complain about', () => {
  assert.deepEqual(complaints, []);
});
