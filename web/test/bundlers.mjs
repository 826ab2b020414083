// Installs the package as npm would, builds the example with Vite and with webpack, and opens both, and the plain page, in a
// browser. Not part of the tests, since it fetches both bundlers: run it by hand after a change to how the module is loaded.
//
//   node web/build.mjs && node web/test/bundlers.mjs

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const web = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'crumple-bundlers-'));
const run = (program, ...words) => execFileSync(program, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const server = createServer((request, response) => {
  try {
    const path = normalize(new URL(request.url, 'http://localhost').pathname);
    const bytes = readFileSync(join(folder, path));
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
let browser;
try {
  cpSync(join(web, 'examples'), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: web, encoding: 'utf8' });
  run('npm', 'install', '--no-audit', '--no-fund', packed.trim().split('\n').at(-1), 'vite', 'webpack', 'webpack-cli');
  run('npx', 'vite', 'build', '--base', './', '--outDir', 'vite-dist', '--logLevel', 'error');
  run('npx', 'webpack', '--config', 'webpack.config.cjs', '--stats', 'errors-only');
  writeFileSync(join(folder, 'webpack-dist/index.html'), '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="main.js"></script>');
  assert.match(execFileSync(process.execPath, ['main.js'], { cwd: folder, encoding: 'utf8' }), /^0 meets 1: 1 pair\n$/);
  console.log('node: 0 meets 1: 1 pair');
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  browser = await chromium.launch({ executablePath: process.env.CRUMPLE_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  for (const path of ['vite-dist/index.html', 'webpack-dist/index.html', 'plain.html']) {
    const page = await browser.newPage();
    const complaints = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.goto(`http://127.0.0.1:${server.address().port}/${path}`);
    await page.waitForFunction(() => 'found' in globalThis, undefined, { timeout: 20_000 }).catch((error) => complaints.push(String(error)));
    assert.deepEqual(complaints, [], path);
    console.log(`${path}: ${await page.evaluate(() => globalThis.found)}`);
    await page.close();
  }
} finally {
  await browser?.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
