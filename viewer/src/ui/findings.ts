// The findings, the most severe first: a click goes to the worst frame and looks at the place; each pair of bodies can be isolated, and
// bodies, bones or materials copied as an option that lets them touch.

import { type Finding, frameName, type Head, placeOf } from '../data/head';
import { isSame, type Pair } from '../selection';
import { element, nameElement } from './dom';
import { area, counted, grouped, length, measure } from './numbers';

/** Rows shown; the rest is counted. */
const LISTED = 200;

export interface FindingActions {
  /** Goes to the worst frame of a finding, which has this place, and looks at what was found. */
  open(finding: Finding, frame: number): void;
  /** Shows a pair alone, or everything again. */
  isolate(pair: Pair | null): void;
}

export class Findings {
  readonly root: HTMLElement;
  private readonly buttons: { pair: Pair; button: HTMLButtonElement }[] = [];
  private isolated: Pair | null = null;

  constructor(
    private readonly head: Head,
    private readonly name: (body: number) => string,
    private readonly actions: FindingActions,
  ) {
    const { findings = [], known = 0 } = head.summary;
    const rows = findings.slice(0, LISTED).map((finding) => this.row(finding));
    if (findings.length > LISTED) rows.push(element('li', { class: 'nothing' }, `and ${grouped(findings.length - LISTED)} more`));
    if (known > 0) rows.push(element('li', { class: 'nothing' }, `${counted(known, 'finding')} known to the baseline`));
    this.root = element(
      'section',
      { class: 'panel-part', 'aria-labelledby': 'findings-title', hidden: rows.length === 0 },
      element('div', { class: 'part-head' }, element('h2', { id: 'findings-title' }, `Findings (${grouped(findings.length)})`)),
      element('ul', { class: 'findings' }, ...rows),
    );
  }

  /** Shows which pair is isolated. */
  show(pair: Pair | null): void {
    this.isolated = pair;
    for (const { pair: own, button } of this.buttons) {
      const on = pair !== null && isSame(own, pair);
      button.setAttribute('aria-pressed', String(on));
      button.textContent = on ? 'Show all' : 'Isolate';
    }
  }

  private row(finding: Finding): HTMLElement {
    const { a, b, kind, worst, depth, distance, animation, status, region } = finding;
    const { unit } = this.head.header;
    const frame = placeOf(this.head, worst.frame);
    const { first, last } = finding.numbers ?? finding;
    const between = kind === 'inside' ? ' inside ' : ' × ';
    const bodies: (Node | string)[] = a === b ? [this.bodyName(a), ' with itself'] : [this.bodyName(a), between, this.bodyName(b)];
    const carriers = region?.carriers;
    const isOnlyBody = this.head.header.bodies.length === 1;
    if (carriers) {
      // Of a single body its name says nothing.
      bodies.splice(0, isOnlyBody ? bodies.length : 0, nameElement(carriers[0]), ' × ', nameElement(carriers[1]), ...(isOnlyBody ? [] : [', ']));
    }
    const frames = first === last ? `frame ${first}` : `frames ${first}–${last}`;
    const facts = [
      ...(status ? [status] : []),
      frames,
      ...(animation ? [animation] : []),
      ...(region && !carriers && region.number > 1 ? [`region ${region.number}`] : []),
      ...(kind === 'contact' ? [counted(worst.count, 'pair')] : []),
      ...(kind === 'impact' ? [counted(finding.pairs, 'impact')] : []),
      ...(depth === undefined ? [] : [`${length(depth, unit)} deep`]),
      ...(finding.area === undefined ? [] : [`${area(finding.area, unit)} inside`]),
      ...(distance === undefined ? [] : [`${measure(distance)} apart`]),
    ];
    const go = () => frame >= 0 && this.actions.open(finding, frame);
    const open = element(
      'button',
      { type: 'button', class: 'finding', disabled: frame < 0, click: go, title: `Go to the worst frame, ${frameName(this.head, frame)}` },
      element('span', { class: 'name' }, ...bodies),
      element('small', {}, facts.join(' · ')),
    );
    // Without names of places, the option would leave out all of a body with itself.
    const copy = carriers || a !== b ? [this.copyButton(carriers ?? [this.name(a), this.name(b)])] : [];
    const isolate = isOnlyBody ? [] : [this.isolateButton({ a, b })];
    return element('li', {}, open, element('div', { class: 'finding-actions' }, ...isolate, ...copy));
  }

  private isolateButton(pair: Pair): HTMLButtonElement {
    const isOn = () => this.isolated !== null && isSame(this.isolated, pair);
    const act = () => this.actions.isolate(isOn() ? null : pair);
    const button = element('button', { type: 'button', class: 'quiet', 'aria-pressed': 'false', click: act }, 'Isolate');
    this.buttons.push({ pair, button });
    return button;
  }

  private copyButton([a, b]: [string, string]): HTMLButtonElement {
    const names = `${a},${b}`;
    // What begins with a dash would be taken for another option.
    const text = `--ignore${names.startsWith('-') ? '=' : ' '}${quoted(names)}`;
    const button = element('button', { type: 'button', class: 'quiet', title: text }, 'Copy as --ignore');
    button.addEventListener('click', () => {
      const done = (what: string) => {
        button.textContent = what;
        setTimeout(() => (button.textContent = 'Copy as --ignore'), 1500);
      };
      copy(text).then(
        () => done('Copied'),
        () => done(text),
      );
    });
    return button;
  }

  private bodyName(body: number): HTMLElement {
    return nameElement(this.name(body));
  }
}

/** A word for a shell, whatever is in it. */
export function quoted(word: string): string {
  return /^[\w.,@%+=:/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A page from disk may not have the clipboard; then a field that is selected does it. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element('textarea', { class: 'copied', 'aria-hidden': 'true' });
    field.value = text;
    document.body.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    if (!copied) throw new Error('the browser does not copy');
  }
}
