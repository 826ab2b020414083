// Starts the playground. Whatever is missing, the page says what and what to do about it.

import { init } from 'crumple/inline';
import { Playground } from './playground';

const host = document.getElementById('picture')!;

start().catch((error: unknown) => {
  const why = error instanceof Error ? error.message : String(error);
  const box = document.createElement('div');
  box.className = 'failure';
  const text = document.createElement('p');
  text.textContent = why;
  box.append(text);
  host.replaceChildren(box);
  document.getElementById('answer')!.textContent = 'The playground cannot run here.';
});

async function start(): Promise<void> {
  if (typeof WebAssembly !== 'object' || typeof DecompressionStream !== 'function') {
    throw new Error('This browser has no WebAssembly, or it is switched off (some hardened modes do that): allow it for this page, or open the page in a current browser.');
  }
  await init();
  // For tests and for the console: `playground.run(600)`.
  Object.assign(globalThis, { playground: new Playground(host) });
}
