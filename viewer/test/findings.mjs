// The list of findings, the frame in the address, PgDn, the tabs of the timeline and a narrow window.
//
//   node test/findings.mjs PAGE.html
//
// The page must have three bodies that meet pairwise, with depths.

import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { drawn, launch, open, show } from './browser.mjs';

const [file] = process.argv.slice(2);
if (!file) throw new Error('which page? node test/findings.mjs PAGE.html');

let browser;
let page;
let context;
let complaints;
let head;

before(async () => {
  browser = await launch();
  ({ page, context, complaints } = await open(browser, file, { permissions: [] }));
  head = await page.evaluate(() => crumple.head);
});

after(() => browser.close());

const frameOf = (finding) => head.frames.frame.indexOf(finding.worst.frame);

test('findings are listed by severity and lead to their worst frame', async () => {
  const { findings } = head.summary;
  assert.ok(findings.length >= 3);
  const depths = findings.map(({ depth }) => depth ?? -1);
  assert.deepEqual(depths, [...depths].sort((a, b) => b - a));
  const rows = page.locator('.finding');
  assert.equal(await rows.count(), findings.length);
  for (const [at, finding] of findings.entries()) {
    const text = await rows.nth(at).textContent();
    for (const body of [finding.a, finding.b]) assert.ok(text.includes(head.header.bodies[body].name), text);
    assert.match(text, /deep/);
    await rows.nth(at).click();
    await page.waitForFunction((frame) => crumple.frame === frame, frameOf(finding));
    await drawn(page);
    // The triangle that is picked first is one of the finding, whatever else meets in this frame.
    await page.keyboard.press('n');
    const { body } = await page.evaluate(() => crumple.selection);
    assert.ok([finding.a, finding.b].includes(body), `${body} is not of ${finding.a} and ${finding.b}`);
    await page.keyboard.press('Escape');
  }
});

test('a pair can be isolated in picture, chart and table', async () => {
  const [finding] = head.summary.findings;
  await show(page, frameOf(finding));
  const isolate = page.locator('.finding-actions button').first();
  await isolate.click();
  await drawn(page);
  assert.deepEqual(await page.evaluate(() => crumple.isolated), { a: finding.a, b: finding.b });
  assert.equal(await isolate.textContent(), 'Show all');
  const hidden = await page.locator('.bodies li.off').count();
  assert.equal(hidden, head.header.bodies.length - 2);
  assert.equal(await page.locator('.contacts li').count(), 1);
  const meeting = head.meetings.find(({ a, b }) => a === finding.a && b === finding.b);
  const pairs = meeting.pairs[meeting.at.indexOf(frameOf(finding))].toLocaleString('en-US');
  assert.equal(await page.locator('.player .found').textContent(), `${pairs} pairs`);
  const most = Math.max(...meeting.pairs).toLocaleString('en-US');
  assert.ok((await page.locator('.strip-label').first().textContent()).includes(`most ${most}`));
  const depth = Math.max(...meeting.depth);
  assert.ok((await page.locator('.strip-label').nth(1).textContent()).includes(`most ${Number(depth.toPrecision(4))}`));
  const visibleRows = () => page.locator('#ranges tbody tr:visible').evaluateAll((rows) => rows.map((row) => [row.dataset.a, row.dataset.b].map(Number)));
  const rows = await visibleRows();
  assert.ok(rows.length > 0 && rows.every(([a, b]) => a === finding.a && b === finding.b), JSON.stringify(rows));
  // Only triangles of the two are red, and the slider and W speak of the two.
  const touching = await page.evaluate(() => crumple.touching().map((list) => list.length));
  touching.forEach((count, body) => assert.equal(count > 0, body === finding.a || body === finding.b, `body ${body}`));
  assert.ok((await page.locator('[role=slider]').getAttribute('aria-valuetext')).includes(`, ${pairs} pairs`));
  await show(page, 0);
  await page.keyboard.press('w');
  await page.waitForFunction((frame) => crumple.frame === frame, meeting.at[meeting.depth.indexOf(depth)]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await drawn(page);
  assert.equal(await page.evaluate(() => crumple.isolated), null);
  assert.equal(await page.locator('.bodies li.off').count(), 0);
  assert.ok((await visibleRows()).length > rows.length);
  assert.ok((await page.locator('.strip-label').first().textContent()).includes(`most ${Math.max(...head.frames.pairs).toLocaleString('en-US')}`));
});

test('a pair is copied as an option', async () => {
  const [{ a, b }] = head.summary.findings;
  const button = page.locator('.finding-actions button').nth(1);
  const name = (body) => head.header.bodies[body].name;
  const title = await button.getAttribute('title');
  assert.ok(title.startsWith('--ignore ') && title.includes(`${name(a)},${name(b)}`), title);
  await button.click();
  await page.waitForFunction((before) => document.querySelectorAll('.finding-actions button')[1].textContent !== before, 'Copy as --ignore');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), title);
  await context.clearPermissions();
});

test('the address has the frame, and a new address goes there', async () => {
  const last = head.frames.number.length - 1;
  await page.keyboard.press('End');
  await page.waitForFunction((number) => location.hash === `#frame=${number}`, head.frames.number[last]);
  const length = await page.evaluate(() => history.length);
  await page.keyboard.press('Home');
  await page.waitForFunction((number) => location.hash === `#frame=${number}`, head.frames.number[0]);
  assert.equal(await page.evaluate(() => history.length), length);
  await page.evaluate((number) => (location.hash = `#frame=${number}`), head.frames.number[2]);
  await page.waitForFunction(() => crumple.frame === 2);
  // What is no frame of the page changes nothing.
  await page.evaluate(() => (location.hash = '#frame=99999'));
  await drawn(page);
  assert.equal(await page.evaluate(() => crumple.frame), 2);
  const address = `${page.url().split('#')[0]}#frame=${head.frames.number[3]}`;
  const other = await context.newPage();
  await other.goto(address);
  await other.waitForFunction(() => 'crumple' in globalThis && crumple.frame === 3);
  await other.close();
});

test('PgDn goes forward and PgUp back, on the timeline too', async () => {
  const last = head.frames.number.length - 1;
  for (const focus of [false, true]) {
    if (focus) await page.locator('[role=slider]').focus();
    await show(page, 0);
    await page.keyboard.press('PageDown');
    await page.waitForFunction((frame) => crumple.frame === frame, Math.min(10, last));
    await page.keyboard.press('PageUp');
    await page.waitForFunction(() => crumple.frame === 0);
  }
  await page.evaluate(() => document.activeElement.blur());
});

test('times have a tab of their own', async () => {
  const time = page.locator('.strip', { hasText: 'Time' });
  const depth = page.locator('.strip', { hasText: 'Depth' });
  assert.ok(!(await time.isVisible()) && (await depth.isVisible()));
  await page.locator('.tabs button', { hasText: 'Timing' }).click();
  assert.ok((await time.isVisible()) && !(await depth.isVisible()));
  await page.locator('.tabs button', { hasText: 'Contacts' }).click();
  assert.ok(!(await time.isVisible()) && (await depth.isVisible()));
});

test('the frame in a narrow window is marked beside the labels', async () => {
  await page.setViewportSize({ width: 420, height: 860 });
  for (const frame of [0, 1, head.frames.number.length - 1]) {
    await show(page, frame);
    const covered = await page.evaluate(() => {
      const line = document.querySelector('.playhead').getBoundingClientRect();
      const knob = { left: line.left - 4, right: line.right + 4, top: line.top - 2, bottom: line.top + 8 };
      const boxes = (selector) => [...document.querySelectorAll(selector)].map((part) => part.getBoundingClientRect());
      const meets = (one, other) =>
        one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
      const labels = boxes('.strip-label, .tabs, .axis span').filter((box) => box.width > 0);
      return labels.filter((label) => meets(label, line) || meets(label, knob)).length;
    });
    assert.equal(covered, 0, `frame ${frame}`);
  }
  for (const tab of ['Timing', 'Contacts']) {
    await page.locator('.tabs button', { hasText: tab }).click();
    const room = await page.evaluate(() =>
      [...document.querySelectorAll('.strip')]
        .filter((strip) => !strip.hidden)
        .map((strip) => {
          const words = [...strip.querySelectorAll('.strip-label *')].map((word) => {
            const range = document.createRange();
            range.selectNodeContents(word);
            return range.getBoundingClientRect().right;
          });
          return strip.querySelector('.strip-bars').getBoundingClientRect().left - Math.max(...words);
        }),
    );
    assert.ok(room.length > 0 && room.every((pixels) => pixels >= 2), `${tab}: ${room}`);
  }
  await page.setViewportSize({ width: 1200, height: 760 });
});

test('in a narrow window nothing overlaps', async () => {
  await page.setViewportSize({ width: 420, height: 860 });
  await drawn(page);
  const [inside, outside] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(inside <= outside, `${inside} > ${outside}`);
  const overlaps = await page.evaluate(() => {
    const parts = [...document.querySelectorAll('.player > *, .tabs, .strip-label, .strip-bars, .axis, .finding, .finding-actions, .bodies li')];
    const boxes = parts
      .map((part) => {
        const { left, right, top, bottom } = part.getBoundingClientRect();
        // Lists scroll: what is scrolled away is under what follows.
        const list = part.closest('.findings')?.getBoundingClientRect();
        return { name: part.className, box: { left, right, top, bottom: Math.min(bottom, list?.bottom ?? bottom) } };
      })
      .filter(({ box }) => box.right > box.left && box.bottom > box.top);
    const found = [];
    for (const [i, one] of boxes.entries()) {
      for (const other of boxes.slice(i + 1)) {
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (across > 2 && down > 2) found.push(`${one.name} and ${other.name}`);
      }
    }
    return found;
  });
  assert.deepEqual(overlaps, []);
  await page.setViewportSize({ width: 1200, height: 760 });
});

test('the browser had nothing to complain about', () => {
  assert.deepEqual(complaints, []);
});
