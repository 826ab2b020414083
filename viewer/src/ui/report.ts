// The report the page carries as text, moved to where the rest is and made to lead somewhere.

import { frameName, type Head, placeOf } from '../data/head';
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
    for (const row of report.querySelectorAll<HTMLElement>('tr[data-frames]')) addLinks(row, head, go);
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

/** Makes the numbers of a row's frames buttons that go there. */
function addLinks(row: HTMLElement, head: Head, go: (frame: number) => void): void {
  const cells = row.querySelectorAll('td:not(.name)');
  for (const [i, frame] of (row.dataset.frames ?? '').split(' ').map(Number).entries()) {
    const place = placeOf(head, frame);
    const label = `Go to the ${['first', 'last', 'worst'][i]} frame, ${frameName(head, place)}`;
    const button = element('button', { type: 'button', 'aria-label': label }, String(head.frames.number[place]));
    button.addEventListener('click', () => go(place));
    cells[i].replaceChildren(button);
  }
}
