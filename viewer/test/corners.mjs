// Opens the pages that are unlike the demo: one frame, one body, hundreds, none, no contact, names meant to do harm.
//
//   node test/corners.mjs DIR [--shots DIR]      DIR has a page for each play of crumple-io's example make_page

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { parseArgs } from 'node:util';
import { difference, drawn, launch, open, pixels, redPixels, show } from './browser.mjs';

const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { shots: { type: 'string' } } });
const [folder] = positionals;
if (!folder) throw new Error('where are the pages? node test/corners.mjs DIR [--shots DIR]');

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

/** Opens the page of a play and, when `use` is done with it, asks whether the browser complained. */
async function withPage(play, use) {
  const { page, context, complaints } = await open(browser, join(folder, `${play}.html`));
  await use(page);
  assert.deepEqual(complaints, []);
  await context.close();
}

const answer = (page) => page.locator('header .answer').textContent();

test('a page of one frame shows it and plays nothing', () =>
  withPage('single', async (page) => {
    assert.match(await answer(page), /^Triangles meet in 1 of 1 frame: \d+ pairs in frame 30\.$/);
    assert.ok(redPixels(await pixels(page)) > 100);
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await drawn(page);
    assert.deepEqual(await page.evaluate(() => [crumple.frame, crumple.playing]), [0, false]);
  }));

test('a page without contact says so and shows no red', () =>
  withPage('apart', async (page) => {
    assert.equal(await answer(page), 'Nothing collides in 8 frames.');
    for (const key of ['w', 'n', 'c', 'l', 'End']) await page.keyboard.press(key);
    await page.waitForFunction(() => crumple.frame === 7);
    assert.equal(redPixels(await pixels(page)), 0);
    assert.ok(await page.getByRole('button', { name: 'Worst frame' }).isDisabled());
  }));

test('one body that meets itself names its faces and its own triangles', () =>
  withPage('itself', async (page) => {
    assert.ok(redPixels(await pixels(page)) > 300);
    await page.keyboard.press('n');
    const text = await page.locator('.picked').textContent();
    const [, face, triangle] = text.match(/sheet face (\d+), triangle (\d+)/);
    assert.equal(Number(face), Math.floor(Number(triangle) / 2));
    assert.match(await page.locator('.contacts').textContent(), /sheet with itself/);
  }));

test('hundreds of bodies can be searched and reduced to those that collide', () =>
  withPage('crowd', async (page) => {
    assert.equal(await page.locator('.bodies li').count(), 343);
    await page.getByRole('searchbox').fill('ball 34');
    assert.equal(await page.locator('.bodies li:visible').count(), 3);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'Show only bodies that collide' }).click();
    assert.equal(await page.locator('.bodies li:not(.off)').count(), 98);
    assert.ok(redPixels(await pixels(page)) > 300);
    await show(page, 0);
    assert.equal(redPixels(await pixels(page)), 0);
  }));

test('bodies that stand still stay where they are over all chunks', () =>
  withPage('crowd', async (page) => {
    const at = async (frame) => {
      await show(page, frame);
      return page.evaluate(() => crumple.position(1, 5));
    };
    assert.deepEqual(await at(0), await at(39));
  }));

test('names cannot put anything into the page', () =>
  withPage('hostile', async (page) => {
    assert.equal(await page.title(), '</title><script>alert(1)</script>');
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.locator('section#report').count(), 1);
    await page.keyboard.press('n');
    assert.match(await page.locator('.picked').textContent(), /<\/script><script>document\.title='taken'<\/script><!-- triangle \d+/);
    const scripts = await page.locator('script').evaluateAll((list) => list.filter((script) => !script.id).length);
    assert.equal(scripts, 1);
    assert.ok((await page.locator('#number, .number input').inputValue()) >= '20', 'frames keep the numbers of the file');
  }));

test('a link can name the frame', async () => {
  const { page, context } = await open(browser, join(folder, 'hostile.html'));
  await page.goto(`${page.url().split('#')[0]}#frame=22`);
  await page.reload();
  await page.waitForFunction(() => 'crumple' in globalThis && crumple.frame === 2);
  await context.close();
});

test('contacts that were counted but not listed are counted and not drawn', () =>
  withPage('counts', async (page) => {
    assert.match(await page.locator('.contacts').textContent(), /counted only/);
    assert.equal(redPixels(await pixels(page)), 0);
  }));

const violet = (data) => {
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i + 2] > data[i + 1] + 40 && data[i] > data[i + 1]) count++;
  return count;
};

test('the overlap is drawn as spans and can be switched off', () =>
  withPage('overlap', async (page) => {
    await page.setViewportSize({ width: 1040, height: 660 });
    await page.getByRole('button', { name: 'Make all bodies transparent' }).click();
    await show(page, 44);
    await page.keyboard.press('c');
    const on = violet(await pixels(page));
    assert.ok(on > 1000, `${on} pixels of the overlap`);
    await page.mouse.move(0, 0);
    if (options.shots) await page.screenshot({ path: join(options.shots, 'page-overlap.png') });
    await page.keyboard.press('v');
    assert.ok(violet(await pixels(page)) < on / 4);
    assert.match(await page.locator('.timeline').textContent(), /Overlap/);
  }));

test('a page of sampled overlaps draws them in the frames that have one', () =>
  withPage('sampled', async (page) => {
    const volume = await page.evaluate(() => crumple.head.frames.volume);
    assert.ok(volume.every((value) => value >= 0) && volume[0] === 0, 'a volume for every frame');
    const worst = volume.indexOf(Math.max(...volume));
    await page.getByRole('button', { name: 'Make all bodies transparent' }).click();
    await show(page, worst);
    const on = violet(await pixels(page));
    assert.ok(on > 1000, `${on} pixels of the overlap`);
    await page.keyboard.press('v');
    assert.ok(violet(await pixels(page)) < on / 4);
    await page.keyboard.press('v');
    await show(page, 0);
    assert.ok(violet(await pixels(page)) < on / 10, 'nothing is left of it where they are apart');
    assert.match(await page.locator('.timeline').textContent(), /Overlap/);
    assert.match(await page.locator('#report').textContent(), /They overlap in \d+ of \d+ frames/);
  }));

test('a page of a body that overlaps itself draws what is covered more than once', () =>
  withPage('swelling', async (page) => {
    await page.getByRole('button', { name: 'Make knot transparent' }).click();
    await show(page, 3);
    const on = violet(await pixels(page));
    assert.ok(on > 300, `${on} pixels of the overlap`);
    await page.keyboard.press('v');
    assert.ok(violet(await pixels(page)) < on / 4);
    assert.match(await page.locator('#report').textContent(), /It overlaps itself in 4\s+of 4 frames/);
  }));

test('the regions of an exact overlap have tints, numbers, arrows and curves, and can be switched off', () =>
  withPage('regions', async (page) => {
    const worst = await page.evaluate(() => crumple.frame);
    await show(page, worst);
    const regions = await page.evaluate(() => crumple.regions());
    assert.ok(regions.length > 0 && regions.every(({ volume }) => volume > 0));
    assert.equal(await page.locator('.region-labels span:visible').count(), regions.length);
    const told = await page.locator('.regions').textContent();
    assert.match(told, /^Overlap [\d.]+ in 1 region:region 0[\d.]+$/);
    assert.equal(redPixels(await pixels(page)), 0, 'red is for pages that are about contacts');
    const on = violet(await pixels(page));
    assert.ok(on > 1000, `${on} pixels of the region`);
    await page.keyboard.press('v');
    assert.ok(violet(await pixels(page)) < on / 4);
    assert.equal(await page.locator('.region-labels span:visible').count(), 0);
    await page.keyboard.press('v');
    const before = await pixels(page);
    await page.locator('.regions button').first().click();
    assert.ok(difference(before, await pixels(page)) > 0.02, 'the view did not move');
    await page.keyboard.press('n');
    assert.match(await page.locator('.picked').textContent(), /Meets \d+ triangles?:/);
    await show(page, 0);
    assert.equal(await page.locator('.regions').textContent(), 'No overlap.');
    assert.equal(await page.locator('.region-labels span').count(), 0);
    assert.match(await page.locator('.timeline').textContent(), /Overlap/);
  }));

test('many regions are listed by size, each in its own tint', () =>
  withPage('knot', async (page) => {
    await page.setViewportSize({ width: 1040, height: 660 });
    const regions = await page.evaluate(() => crumple.regions());
    assert.ok(regions.length > 1, `${regions.length} regions`);
    const names = await page.locator('.regions li .name').allTextContents();
    const sorted = [...regions].sort((one, other) => other.volume - one.volume).map(({ id }) => `region ${id}`);
    assert.deepEqual(names, sorted);
    await page.keyboard.press('c');
    await page.mouse.move(0, 0);
    await drawn(page);
    if (options.shots) await page.screenshot({ path: join(options.shots, 'page-regions.png') });
  }));

test('what passes through between two frames is marked, named and drawn', () =>
  withPage('bullet', async (page) => {
    assert.equal(await answer(page), 'No triangles meet in 4 frames. Between frames there are 7 impacts.');
    assert.equal(await page.evaluate(() => crumple.frame), 2, 'it opens where something has passed');
    assert.match(await page.locator('.timeline').textContent(), /Impacts\s*in 1 step/);
    assert.match(await page.locator('.player .found').textContent(), /^7 impacts before$/);
    const told = await page.locator('.impacts').textContent();
    assert.match(told, /^7 impacts on the way from the frame before:at 0\.2500: bullet vertex 0 × wall triangle 0/);
    assert.match(told, /wall edge 0-2 × bullet edge \d-\d/);
    const orange = (data) => {
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] > data[i + 1] + 40 && data[i + 1] > data[i + 2] + 20) count++;
      return count;
    };
    const passed = orange(await pixels(page));
    assert.ok(passed > 100, `${passed} pixels of what passed`);
    await show(page, 1);
    assert.equal(orange(await pixels(page)), 0);
    assert.ok(await page.locator('.impacts').isHidden());
  }));

test('a page of nothing says so', () =>
  withPage('empty', async (page) => {
    assert.equal(await answer(page), 'There are no frames to look at.');
    for (const key of ['Space', 'ArrowRight', 'End', 'w', 'n', 'c', 'e', 'x', 'u', 'f']) await page.keyboard.press(key);
  }));
