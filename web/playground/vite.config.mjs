// Builds the playground into one file: nothing is fetched, so it opens from disk. The file lies in the package that embeds it.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { builtPage, compiler, moduleHash, sourceHash } from '../sources.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [singleFile()],
  build: {
    outDir: dirname(builtPage),
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 3000,
    rolldownOptions: { input: here('index.html'), output: { codeSplitting: false } },
  },
});

/** Puts script and style into the page, and says in a policy that no other may run. */
function singleFile() {
  return {
    name: 'single-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      const files = Object.values(bundle);
      const script = only(files.filter((file) => file.type === 'chunk' && file.isEntry)).code.trim();
      const style = only(files.filter((file) => file.fileName.endsWith('.css'))).source.trim();
      if (/<\/script|<!--/i.test(script)) throw new Error('the script would end its own element');
      const policy = [
        "default-src 'none'",
        // Textures inside a file that is dropped on the page.
        'img-src data: blob:',
        'connect-src data: blob:',
        `script-src 'wasm-unsafe-eval' '${digest(script)}'`,
        // Elements have colours that depend on what they show.
        `style-src '${digest(style)}'`,
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; ');
      const notice = readFileSync(here('../node_modules/three/LICENSE'), 'utf8').trim();
      page.source = page.source
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
        .replace('<meta name="crumple-playground">', () =>
          [
            `<meta name="crumple-playground" content="${sourceHash()}">`,
            `<meta name="crumple-module" content="${moduleHash()} by ${compiler()}">`,
            `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
            `<!--\nThe script holds three.js:\n\n${notice}\n-->`,
            `<style>${style}</style>`,
          ].join('\n'),
        )
        .replace('</body>', () => `<script type="module">${script}</script>\n</body>`);
      // It lies beside the viewer's page, under a name of its own.
      for (const file of files) if (file !== page) delete bundle[file.fileName];
      page.fileName = 'playground.html';
    },
  };
}

function only(files) {
  if (files.length !== 1) throw new Error(`expected one file, found ${files.length}`);
  return files[0];
}

function digest(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
