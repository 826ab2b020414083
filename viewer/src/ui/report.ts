// The report the page carries as text, moved to where the rest is and made to lead somewhere.

import type { Head } from '../data/head';
import { isSame, type Pair } from '../selection';
import { element, nameElement } from './dom';

export interface Report {
  /** The heading and the one-line answer, for the top of the window. */
  title: Node;
  answer: Node;
  /** Everything else, as a part of the panel. */
  rest: HTMLElement;
  /** Shows the rows of two bodies alone, or all of them again. */
  isolate(pair: Pair | null): void;
}

export function takeReport(head: Head, go: (frame: number) => void): Report {
  const report = document.getElementById('report');
  const title = report?.querySelector('h1') ?? element('h1', {}, head.title);
  title.replaceChildren(nameElement(title.textContent ?? ''));
  const answer = report?.querySelector('.answer') ?? element('p', { class: 'answer' });
  const rest = element('details', { class: 'panel-part report', open: true }, element('summary', {}, 'Report'));
  if (report) {
    report.querySelector('#report-title')?.remove();
    rest.append(report);
    for (const name of report.querySelectorAll('bdi')) name.replaceWith(nameElement(name.textContent ?? ''));
    for (const row of report.querySelectorAll<HTMLElement>('tr[data-worst]')) addLinks(row, head, go);
  }
  const isolate = (pair: Pair | null) => {
    for (const row of rest.querySelectorAll<HTMLElement>('tr[data-a]')) {
      row.hidden = pair !== null && !isSame(pair, { a: Number(row.dataset.a), b: Number(row.dataset.b) });
    }
    // A table without a row says nothing.
    for (const table of rest.querySelectorAll('table')) {
      const rows = [...table.querySelectorAll<HTMLElement>('tr[data-a]')];
      table.hidden = rows.length > 0 && rows.every((row) => row.hidden);
    }
  };
  return { title, answer, rest, isolate };
}

/** Makes the frame numbers of a row buttons that go there. */
function addLinks(row: HTMLElement, head: Head, go: (frame: number) => void): void {
  const cells = [...row.querySelectorAll('td')].slice(0, 3);
  for (const [i, cell] of cells.entries()) {
    const number = Number(cell.textContent);
    const frame = head.frames.number.indexOf(number);
    const what = ['first', 'last', 'worst'][i];
    const button = element('button', { type: 'button', 'aria-label': `Go to the ${what} frame, ${number}` }, String(number));
    button.addEventListener('click', () => go(frame));
    cell.replaceChildren(button);
  }
}
