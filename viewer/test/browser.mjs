// What the tests need of a browser: pages opened from disk, their complaints, and the colours on the screen.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { readPng } from './png.mjs';

const executablePath = process.env.CRUMPLE_CHROMIUM ?? '/usr/bin/chromium';
// Without a graphics card, and without anything a browser does on the network by itself.
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const args = [...QUIET, '--disable-component-update', '--disable-sync'];

export async function launch(more = []) {
  if (!existsSync(executablePath)) {
    throw new Error(`no browser at ${executablePath}\nhint: apt-get install chromium, or say where it is in CRUMPLE_CHROMIUM`);
  }
  return chromium.launch({ executablePath, args: [...args, ...more] });
}

/** Opens a file; `complaints` and `requests` fill up as it runs. */
export async function open(browser, file, { width = 1200, height = 760, ready = true, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: 'light', ...options });
  const page = await context.newPage();
  const complaints = [];
  const requests = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(resolve(file)).href);
  if (ready) await page.waitForFunction(() => 'crumple' in globalThis);
  return { page, context, complaints, requests };
}

/** Shows a frame and waits until it is on the screen. */
export async function show(page, frame) {
  await page.evaluate((index) => globalThis.crumple.show(index), frame);
  await drawn(page);
}

/** Waits until what has been asked for is on the screen. */
export async function drawn(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** The pixels of the picture, without the strip at its lower end where the legend is. */
export async function pixels(page) {
  await drawn(page);
  const box = await page.locator('.picture canvas').boundingBox();
  const clip = { x: box.x, y: box.y, width: box.width - 60, height: box.height - 50 };
  return readPng(await page.screenshot({ clip }));
}

/** How many pixels are as red as a contact. */
export function redPixels(data) {
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i] > 140 && data[i + 1] < 75 && data[i + 2] < 75) count++;
  return count;
}

/** The share of pixels that clearly differ. */
export function difference(a, b) {
  let count = 0;
  for (let i = 0; i < a.length; i += 4) {
    const off = Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]);
    if (off > 40) count++;
  }
  return count / (a.length / 4);
}
