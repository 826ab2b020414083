// What meets what in this frame, and the triangle that was picked.

import type { Contact, Impact, Region } from '../data/found';
import type { Vec3 } from '../data/head';
import { regionColour } from '../scene/colours';
import type { Selection } from '../selection';
import { element, iconButton, nameElement } from './dom';
import { counted, grouped, measure } from './numbers';

/** Rows shown of a list; the rest is counted. */
const LISTED = 60;

export interface DetailActions {
  /** Looks at a region. */
  region(region: Region): void;
  /** Picks the first pair of a contact. */
  open(contact: Contact): void;
  pick(selection: Selection): void;
  next(by: number): void;
  locate(): void;
  clear(): void;
}

/** A triangle, and the file's face it was cut from where the file had polygons. */
export interface Named extends Selection {
  face: number | null;
}

/** What is known about the picked triangle in this frame. */
export interface Picked extends Named {
  corners: { vertex: number; at: Vec3 }[];
  partners: Named[];
}

export class Details {
  readonly root: HTMLElement;
  private readonly contacts = element('ul', { class: 'contacts' });
  private readonly regions = element('div', { class: 'regions', hidden: true });
  private readonly impacts = element('div', { class: 'impacts', hidden: true });
  private readonly picked = element('div', { class: 'picked', role: 'status' });

  constructor(
    private readonly name: (body: number) => string,
    private readonly actions: DetailActions,
  ) {
    this.root = element(
      'section',
      { class: 'panel-part', 'aria-labelledby': 'details-title' },
      element('div', { class: 'part-head' }, element('h2', { id: 'details-title' }, 'This frame')),
      this.contacts,
      this.regions,
      this.impacts,
      this.picked,
    );
  }

  private bodyName(body: number): HTMLElement {
    return nameElement(this.name(body));
  }

  showContacts(contacts: Contact[]): void {
    const worst = [...contacts].filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
    const rows = worst.slice(0, LISTED).map((contact) => {
      const { a, b, count, pairs } = contact;
      const bodies = a === b ? [this.bodyName(a), ' with itself'] : [this.bodyName(a), ' × ', this.bodyName(b)];
      const listed = pairs.length / 2;
      const missing = listed < count ? [element('small', {}, listed === 0 ? 'counted only' : `${grouped(listed)} listed`)] : [];
      const open = () => this.actions.open(contact);
      const button = element(
        'button',
        { type: 'button', disabled: listed === 0, click: open },
        element('span', { class: 'name' }, ...bodies, ...missing),
        element('span', { class: 'badge' }, grouped(count)),
      );
      return element('li', {}, button);
    });
    if (rows.length === 0) rows.push(element('li', { class: 'nothing' }, 'Nothing meets.'));
    if (worst.length > LISTED) rows.push(element('li', { class: 'nothing' }, `and ${grouped(worst.length - LISTED)} more`));
    this.contacts.replaceChildren(...rows);
  }

  /** The regions of the overlap, the largest first; `exact` if there are any in the page. */
  showRegions(regions: Region[], exact: boolean): void {
    this.regions.hidden = !exact;
    if (!exact) return;
    const sorted = [...regions].sort((one, other) => Math.abs(other.volume) - Math.abs(one.volume));
    const rows = sorted.slice(0, LISTED).map((region) => {
      const swatch = element('span', { class: 'swatch' });
      swatch.style.background = regionColour(region.id);
      const look = () => this.actions.region(region);
      const name = element('span', { class: 'name' }, `region ${region.id}`);
      const button = element('button', { type: 'button', title: 'Look at it', click: look }, swatch, name, measure(region.volume));
      return element('li', {}, button);
    });
    if (sorted.length > LISTED) rows.push(element('li', { class: 'nothing' }, `and ${grouped(sorted.length - LISTED)} more`));
    const total = regions.reduce((sum, { volume }) => sum + volume, 0);
    const about = regions.length === 0 ? 'No overlap.' : `Overlap ${measure(total)} in ${counted(regions.length, 'region')}:`;
    this.regions.replaceChildren(element('p', {}, about), element('ul', { class: 'contacts' }, ...rows));
  }

  /** What met on the way from the frame before, of `count` in all. */
  showImpacts(impacts: Impact[], count: number | null): void {
    this.impacts.hidden = !count;
    if (!count) return;
    const row = (impact: Impact) => {
      const when = impact.kind === 'already' ? 'at the start' : `at ${impact.time.toFixed(4)}`;
      const [one, other] = featuresOf(impact);
      return element('li', {}, `${when}: `, ...this.feature(impact.a, one), ' × ', ...this.feature(impact.b, other));
    };
    const rows = impacts.slice(0, LISTED).map(row);
    if (count > rows.length) rows.push(element('li', { class: 'nothing' }, `and ${grouped(count - rows.length)} more`));
    this.impacts.replaceChildren(
      element('p', {}, `${counted(count, 'impact')} on the way from the frame before:`),
      element('ul', {}, ...rows),
    );
  }

  private feature(body: number, words: string): (HTMLElement | string)[] {
    return [this.bodyName(body), ` ${words}`];
  }

  /** Says how to pick while nothing is picked. */
  showNothing(pickable: boolean, exact: boolean): void {
    const how = `Click a ${exact ? 'triangle' : 'red triangle'}, or press N, to see what it meets.`;
    this.picked.replaceChildren(...(pickable ? [element('p', { class: 'nothing' }, how)] : []));
  }

  showPicked(picked: Picked): void {
    const { body, partners } = picked;
    const corners = picked.corners.map(({ vertex, at }) =>
      element('li', {}, element('b', {}, String(vertex)), ` ${at.map(measure).join(', ')}`),
    );
    const meets = partners.slice(0, LISTED).map((partner) => {
      const pick = () => this.actions.pick(partner);
      const other = partner.body === body ? [] : [this.bodyName(partner.body), ' '];
      return element('li', {}, element('button', { type: 'button', click: pick }, ...other, numbers(partner, '')));
    });
    if (partners.length > LISTED) meets.push(element('li', {}, `and ${grouped(partners.length - LISTED)} more`));
    const head = element(
      'div',
      { class: 'picked-head' },
      element('span', { class: 'name' }, element('b', {}, this.bodyName(body)), ` ${numbers(picked, 'triangle ')}`),
      iconButton('back', 'Previous colliding triangle', 'Shift+N', () => this.actions.next(-1)),
      iconButton('forward', 'Next colliding triangle', 'N', () => this.actions.next(1)),
      iconButton('locate', 'Look at it', 'L', () => this.actions.locate()),
      iconButton('close', 'Clear', 'Escape', () => this.actions.clear()),
    );
    const meeting = partners.length === 0 ? 'Meets nothing in this frame.' : `Meets ${counted(partners.length, 'triangle')}:`;
    this.picked.replaceChildren(
      head,
      element('p', {}, meeting),
      element('ul', { class: 'partners' }, ...meets),
      element('details', {}, element('summary', {}, 'Vertices'), element('ul', { class: 'corners' }, ...corners)),
    );
  }
}

function featuresOf(impact: Impact): [string, string] {
  switch (impact.kind) {
    case 'already':
      return [`triangle ${impact.triangles[0]}`, `triangle ${impact.triangles[1]}`];
    case 'vertex-face':
      return [`vertex ${impact.vertex}`, `triangle ${impact.triangle}`];
    case 'edge-edge':
      return [`edge ${impact.edges[0].join('-')}`, `edge ${impact.edges[1].join('-')}`];
  }
}

/** The numbers of a triangle; `word` stands before one that stands alone. */
function numbers({ triangle, face }: Named, word: string): string {
  return face === null ? `${word}${triangle}` : `face ${face}, triangle ${triangle}`;
}
