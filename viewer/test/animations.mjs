// Several animations, on a page of `crumple check --animation all`: frames have their numbers within their animation.
//
//   node test/animations.mjs PAGE.html

import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, open, show } from './browser.mjs';

const [file] = process.argv.slice(2);
if (!file) throw new Error('which page? node test/animations.mjs PAGE.html');

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

const select = () => page.locator('select.animation');
const number = () => page.locator('.number input');
const shown = async (frame) => page.waitForFunction((frame) => crumple.frame === frame, frame);

test('an animation is chosen by name, and frames by their number in it', async () => {
  assert.ok(head.animations.length > 1 && head.animations[0].start === 0);
  for (const { name, start } of [...head.animations].reverse()) {
    await select().selectOption({ label: name });
    await shown(start);
    assert.equal(head.frames.number[start], 0);
    assert.equal(await number().inputValue(), '0');
    await number().fill('2');
    await number().press('Enter');
    await shown(start + 2);
    assert.equal(await select().inputValue(), String(start));
    assert.match(await page.locator('[role=slider]').getAttribute('aria-valuetext'), new RegExp(`^frame 2 of ${name}, `));
  }
  // A number that the animation does not have changes nothing.
  const last = head.frames.number.indexOf(0, 1) - 1;
  await number().fill(String(last + 1));
  await number().press('Enter');
  assert.equal(await number().inputValue(), '2');
  assert.equal((await page.locator('label.number span').textContent()).trim(), `of ${last}`);
});

test('the address has the animation', async () => {
  const { name, start } = head.animations[1];
  await show(page, start + 1);
  const hash = `#frame=1&animation=${encodeURIComponent(name)}`;
  await page.waitForFunction((hash) => location.hash === hash, hash);
  await show(page, 0);
  await page.waitForFunction((hash) => location.hash !== hash, hash);
  await page.evaluate((hash) => (location.hash = hash), hash);
  await shown(start + 1);
});

test('findings and the report lead to frames of their animation', async () => {
  for (const [at, finding] of head.summary.findings.slice(0, 20).entries()) {
    const place = head.frames.frame.indexOf(finding.worst.frame);
    const own = finding.numbers ?? { first: finding.first, last: finding.last, worst: finding.worst.frame };
    assert.equal(own.worst, head.frames.number[place]);
    const row = page.locator('.finding').nth(at);
    const frames = own.first === own.last ? `frame ${own.first} ·` : `frames ${own.first}–${own.last} ·`;
    const text = await row.textContent();
    assert.ok(text.includes(frames) && text.includes(finding.animation), text);
    await row.click();
    await shown(place);
  }
  const rows = page.locator('#ranges tbody tr');
  const last = rows.nth((await rows.count()) - 1);
  const [first] = (await last.getAttribute('data-frames')).split(' ').map(Number);
  const place = head.frames.frame.indexOf(first);
  const button = last.locator('button').first();
  assert.equal(await button.textContent(), String(head.frames.number[place]));
  await button.click();
  await shown(place);
});

test('nothing was complained about', () => assert.deepEqual(complaints, []));
