// Names of 60 characters that differ at their end, in a wide and in a narrow window.
//
//   node test/names.mjs PAGE.html [--shots DIR]

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { drawn, launch, open, show } from './browser.mjs';

const [file, , shots] = process.argv.slice(2);
if (!file) throw new Error('which page? node test/names.mjs PAGE.html');

let browser;
let page;
let complaints;
let head;

before(async () => {
  browser = await launch();
  ({ page, complaints } = await open(browser, file));
  head = await page.evaluate(() => crumple.head);
});

after(() => browser.close());

/** Names in a list that are cut off, or whose end lies outside of the window. */
const cutNames = (selector) =>
  page.evaluate((selector) => {
    const isCut = (name) => {
      for (let part = name; part && !part.matches('aside'); part = part.parentElement) {
        const { overflowX } = getComputedStyle(part);
        if (overflowX !== 'visible' && part.scrollWidth > part.clientWidth + 1) return true;
      }
      const box = name.getBoundingClientRect();
      const clamped = name.scrollHeight > name.clientHeight + 1 && getComputedStyle(name).overflowY !== 'visible' && name.clientHeight > 0;
      return clamped || box.left < 0 || box.right > innerWidth + 1;
    };
    return [...document.querySelectorAll(selector)].filter(isCut).map((name) => name.textContent);
  }, selector);

for (const width of [1400, 420]) {
  test(`both names of a pair are readable at ${width} pixels`, async () => {
    const names = head.header.bodies.map(({ name }) => name);
    assert.ok(names.filter((name) => name.length === 60).length >= 2, names.join());
    await page.setViewportSize({ width, height: 860 });
    const [finding] = head.summary.findings;
    await show(page, head.frames.frame.indexOf(finding.worst.frame));
    for (const list of ['.finding .name', '.contacts .name', '.bodies .name', '#ranges th[scope=row]']) {
      const texts = await page.locator(list).allTextContents();
      for (const name of [finding.a, finding.b].map((body) => names[body])) assert.ok(texts.some((text) => text.includes(name)), `${list}: ${name}`);
      assert.deepEqual(await cutNames(`${list}, ${list} bdi`), [], list);
    }
    const [legend, footer] = [await page.locator('.legend').boundingBox(), await page.locator('footer').boundingBox()];
    assert.ok(legend.y + legend.height <= footer.y, 'the player hides the legend');
    await page.keyboard.press('n');
    assert.deepEqual(await cutNames('.picked-head .name, .partners button'), []);
    const [inside, outside] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(inside <= outside, `${inside} > ${outside}`);
    for (const colorScheme of shots ? ['light', 'dark'] : []) {
      await page.emulateMedia({ colorScheme });
      await drawn(page);
      await page.screenshot({ path: join(shots, `names-${colorScheme}-${width}.png`), fullPage: width === 420 });
    }
    await page.keyboard.press('Escape');
  });
}

test('the browser had nothing to complain about', () => {
  assert.deepEqual(complaints, []);
});
