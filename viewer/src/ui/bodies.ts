// The list of bodies: each can be shown, made transparent or hidden.

import type { Contact } from '../data/found';
import type { BodyRecord } from '../data/head';
import type { Display } from '../scene/body';
import { bodyColour } from '../scene/colours';
import { element, iconButton, nameElement, setLabel } from './dom';
import { counted, grouped } from './numbers';

/** From this many bodies on the list can be searched. */
const SEARCHED = 10;

export class Bodies {
  readonly root: HTMLElement;
  private readonly rows: Row[];

  constructor(
    bodies: BodyRecord[],
    private readonly changed: (body: number, display: Display) => void,
  ) {
    this.rows = bodies.map((record, body) => new Row(record, body, (display) => changed(body, display)));
    const list = element('ul', { class: 'bodies' }, ...this.rows.map((row) => row.root));
    this.root = element(
      'section',
      { class: 'panel-part', 'aria-labelledby': 'bodies-title' },
      element(
        'div',
        { class: 'part-head' },
        element('h2', { id: 'bodies-title' }, bodies.length === 1 ? 'Body' : 'Bodies'),
        ...(bodies.length > 1 ? this.forAll() : []),
      ),
      ...(bodies.length >= SEARCHED ? [this.search()] : []),
      list,
    );
  }

  /** Shows and hides bodies as if each had been pressed. */
  setAll(display: (body: number) => Display): void {
    this.rows.forEach((row, body) => {
      row.set(display(body));
      this.changed(body, row.display);
    });
  }

  /** How many pairs of this frame each body has a part in. */
  show(contacts: Contact[]): void {
    const pairs = this.rows.map(() => 0);
    for (const { a, b, count } of contacts) {
      pairs[a] += count;
      if (a !== b) pairs[b] += count;
    }
    this.rows.forEach((row, body) => row.setPairs(pairs[body]));
  }

  private forAll(): HTMLElement[] {
    const button = (text: string, label: string, act: () => void) =>
      element('button', { type: 'button', class: 'quiet', 'aria-label': label, click: act }, text);
    const all = (display: (row: Row) => Display) => () => {
      this.rows.forEach((row, body) => {
        row.set(display(row));
        this.changed(body, row.display);
      });
    };
    return [
      button('all', 'Show all bodies', all(() => 'shown')),
      button('transparent', 'Make all bodies transparent', all(() => 'glass')),
      button('colliding', 'Show only bodies that collide in this frame', all((row) => (row.pairs > 0 ? 'shown' : 'hidden'))),
    ];
  }

  private search(): HTMLElement {
    const input = element('input', { type: 'search', placeholder: 'Find a body', 'aria-label': 'Find a body' });
    input.addEventListener('input', () => {
      const wanted = input.value.trim().toLowerCase();
      for (const row of this.rows) row.root.hidden = !row.name.includes(wanted);
    });
    return input;
  }
}

class Row {
  readonly root: HTMLElement;
  readonly name: string;
  display: Display = 'shown';
  pairs = -1;
  private readonly eye: HTMLButtonElement;
  private readonly glass: HTMLButtonElement;
  private readonly badge = element('span', { class: 'badge' });

  constructor(record: BodyRecord, body: number, changed: (display: Display) => void) {
    this.name = record.name.toLowerCase();
    const turn = (display: Display) => () => {
      this.set(this.display === display ? 'shown' : display);
      changed(this.display);
    };
    const shown = record.name || `body ${body}`;
    this.eye = iconButton('eye', `Show ${shown}`, '', turn('hidden'));
    this.glass = iconButton('glass', `Make ${shown} transparent`, '', turn('glass'));
    const swatch = element('span', { class: 'swatch', 'aria-hidden': 'true' });
    swatch.style.background = bodyColour(body);
    const about = counted(record.triangles, 'triangle');
    const full = `${shown}: ${about}, ${grouped(record.vertices)} vertices, ${record.closed ? 'closed' : 'open'}`;
    this.root = element(
      'li',
      {},
      swatch,
      element('span', { class: 'name', title: full }, nameElement(shown), element('small', {}, about)),
      this.badge,
      this.glass,
      this.eye,
    );
    this.set('shown');
  }

  set(display: Display): void {
    this.display = display;
    this.root.classList.toggle('off', display === 'hidden');
    this.eye.setAttribute('aria-pressed', String(display !== 'hidden'));
    this.glass.setAttribute('aria-pressed', String(display === 'glass'));
  }

  setPairs(pairs: number): void {
    if (pairs === this.pairs) return;
    this.pairs = pairs;
    this.badge.textContent = pairs > 0 ? grouped(pairs) : '';
    setLabel(this.badge, `${counted(pairs, 'pair')} in this frame`);
  }
}
