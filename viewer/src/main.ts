// Starts the page. Whatever goes wrong, the report below stays readable and the reason stands above it.

import { App } from './app';
import { firstImpact, readHead, worstFrame } from './data/head';
import { Store } from './data/store';
import { scripting } from './scripting';

start().catch((error: unknown) => {
  const why = error instanceof Error ? error.message : String(error);
  explain(`The bodies cannot be drawn here (${why}). The report is complete without them.`);
});

async function start(): Promise<void> {
  const head = readHead();
  if (!head) {
    explain('This is the empty viewer of crumple. Pages with something to see are written by crumple check --html.');
    return;
  }
  const root = document.getElementById('app');
  if (!root) return;
  if (typeof DecompressionStream === 'undefined') throw new Error('this browser cannot unpack deflated data');
  const store = await Store.open(head);
  const app = new App(root, head, store);
  root.hidden = false;
  document.documentElement.classList.add('live');
  await app.playback.go(app.link.asked() ?? worstFrame(head) ?? firstImpact(head) ?? 0);
  scripting(app, head);
}

function explain(what: string): void {
  const notice = document.createElement('p');
  notice.className = 'notice';
  notice.setAttribute('role', 'status');
  notice.textContent = what;
  document.body.prepend(notice);
}
