// The report the page carries as text, moved to where the rest is and made to lead somewhere.

import type { Head } from '../data/head';
import { element } from './dom';

/** The heading and the one-line answer, for the top of the window; the rest as a part of the panel. */
export function takeReport(head: Head, go: (frame: number) => void): { title: Node; answer: Node; rest: HTMLElement } {
  const report = document.getElementById('report');
  const title = report?.querySelector('h1') ?? element('h1', {}, head.title);
  const answer = report?.querySelector('.answer') ?? element('p', { class: 'answer' });
  const rest = element('details', { class: 'panel-part report', open: true }, element('summary', {}, 'Report'));
  if (report) {
    report.querySelector('#report-title')?.remove();
    rest.append(report);
    for (const row of report.querySelectorAll<HTMLElement>('tr[data-worst]')) addLinks(row, head, go);
  }
  return { title, answer, rest };
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
