// The timeline: strips of bars one below the other and a line at the present frame. Clicked, dragged, or moved by keys.

import { frameName, type Head, type Meeting, meetingOf, worstFrame } from '../data/head';
import type { Pair } from '../selection';
import { element } from './dom';
import { counted, duration, grouped, length, measure, median } from './numbers';
import { Strip } from './strip';

export class Timeline {
  readonly root: HTMLElement;
  private readonly frames: number;
  private readonly strips: Strip[] = [];
  private readonly area = element('div', { class: 'strips' });
  private readonly line = element('div', { class: 'playhead', hidden: true });
  private readonly hint = element('div', { class: 'hint', hidden: true });
  private readonly axis = element('div', { class: 'axis', 'aria-hidden': 'true' });
  private readonly tabs = element('div', { class: 'tabs', role: 'group', 'aria-label': 'Charts' });
  private times: HTMLElement | null = null;
  /** Rows that can show two bodies alone, and their charts. */
  private readonly ofPair: [{ element: HTMLElement; strip: Strip }, (meeting: Meeting | null) => Strip][] = [];
  /** Points at the worst frame. */
  private readonly mark = element('span', { class: 'worst-mark', 'aria-hidden': 'true', hidden: true }, '▾');
  /** Two bodies that are charted alone. */
  private alone: Meeting | null = null;

  constructor(
    private readonly head: Head,
    private readonly go: (frame: number) => void,
  ) {
    this.frames = head.frames.number.length;
    this.root = element('div', { class: 'timeline' }, this.tabs, this.area);
    this.addPairs();
    this.addDepths();
    this.addImpacts();
    this.addVolumes();
    this.addTimes();
    this.area.append(this.axis, this.line, this.hint);
    this.addAxis();
    this.addTabs();
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.area);
  }

  show(frame: number): void {
    this.line.style.left = `${this.place(frame)}%`;
    this.line.hidden = false;
    const slider = this.area;
    slider.setAttribute('aria-valuenow', String(frame));
    const { pairs, impacts } = this.at(frame);
    const before = impacts ? `, ${counted(impacts, 'impact')} before it` : '';
    slider.setAttribute('aria-valuetext', `frame ${frameName(this.head, frame)}, ${counted(pairs, 'pair')}${before}`);
  }

  draw(): void {
    for (const strip of this.strips) strip.draw();
  }

  /** Charts two bodies alone, or all of them again. */
  isolate(pair: Pair | null): void {
    this.alone = pair && (meetingOf(this.head, pair) ?? { ...pair, at: [], pairs: [] });
    // A page of very many pairs of bodies has no charts of two alone.
    const isKept = pair === null || this.head.meetings.length > 0;
    for (const [row, draw] of this.ofPair) {
      const strip = draw(this.alone);
      this.strips.splice(this.strips.indexOf(row.strip), 1, strip);
      row.element.replaceChild(strip.canvas, row.strip.canvas);
      row.strip = strip;
      const about = row.element.querySelector('.strip-label span');
      if (about) about.textContent = isKept ? aboutMost(strip) : 'not kept per pair';
    }
    // What the other charts show is not known of two bodies alone.
    this.root.classList.toggle('isolated', pair !== null);
    this.placeMark(worstFrame(this.head, pair));
    this.draw();
  }

  private addPairs(): void {
    const { pairs } = this.head.frames;
    const chart = (meeting: Meeting | null) =>
      new Strip([{ values: meeting ? this.spread(meeting.at, meeting.pairs) : pairs, colour: 'contact' }], this.frames);
    const strip = chart(null);
    const worst = worstFrame(this.head);
    const most = worst === null ? 'none' : `most ${grouped(strip.most)}`;
    const row = this.addStrip('Pairs', most, strip, 'tall of-pair');
    this.ofPair.push([{ element: row, strip }, chart]);
    row.append(this.mark);
    this.placeMark(worst);
  }

  private placeMark(worst: number | null): void {
    this.mark.hidden = worst === null;
    this.mark.style.left = `${this.place(worst ?? 0)}%`;
  }

  /** What a frame has: of all bodies, or of the two that are charted alone. */
  private at(frame: number): { pairs: number; depth: number | null; impacts: number; volume: number | null } {
    const { pairs, depth, impacts, volume } = this.head.frames;
    const { alone } = this;
    if (!alone) return { pairs: pairs[frame] ?? 0, depth: depth[frame] ?? null, impacts: impacts[frame] ?? 0, volume: volume[frame] ?? null };
    const at = alone.at.indexOf(frame);
    return { pairs: alone.pairs[at] ?? 0, depth: alone.depth?.[at] ?? null, impacts: 0, volume: null };
  }

  /** How deep bodies are in each other, where that is known. */
  private addDepths(): void {
    const { depth } = this.head.frames;
    if (!depth.some((value) => value !== null)) return;
    const chart = (meeting: Meeting | null) =>
      new Strip([{ values: meeting ? this.spread(meeting.at, meeting.depth ?? []) : depth, colour: 'depth' }], this.frames);
    const strip = chart(null);
    const row = this.addStrip('Depth', `most ${length(strip.most, this.head.header.unit)}`, strip, 'short of-pair');
    this.ofPair.push([{ element: row, strip }, chart]);
  }

  /** One value per frame, from values at some of them. */
  private spread(at: number[], values: (number | null)[]): (number | null)[] {
    const all: (number | null)[] = new Array(this.frames).fill(null);
    at.forEach((frame, i) => (all[frame] = values[i] ?? null));
    return all;
  }

  /** The times have a tab of their own: they are about the check, not about the bodies. */
  private addTabs(): void {
    const { times } = this;
    if (!times) return;
    const tab = (name: string, timing: boolean) => {
      const button = element('button', { type: 'button', class: 'quiet', 'aria-pressed': String(!timing) }, name);
      button.addEventListener('click', () => {
        for (const other of this.tabs.children) other.setAttribute('aria-pressed', String(other === button));
        for (const row of this.area.querySelectorAll<HTMLElement>('.strip')) row.hidden = (row === times) !== timing;
        this.draw();
      });
      return button;
    };
    times.hidden = true;
    this.tabs.append(tab('Contacts', false), tab('Timing', true));
  }

  /** Marks between two frames, where something meets on the way from one to the other. */
  private addImpacts(): void {
    const { impacts } = this.head.frames;
    if (!impacts.some((count) => count !== null)) return;
    const strip = new Strip([{ values: impacts, colour: 'impact' }], this.frames, true, true);
    const steps = impacts.filter((count) => count !== null && count > 0).length;
    this.addStrip('Impacts', steps === 0 ? 'none' : `in ${counted(steps, 'step')}`, strip, 'short');
  }

  private addTimes(): void {
    const { update_us: update, query_us: query } = this.head.frames;
    const strip = new Strip(
      [
        { values: update, colour: 'update', hatched: true },
        { values: query, colour: 'query' },
      ],
      this.frames,
      true,
    );
    if (strip.most === 0) return;
    const middle = median(update.map((us, frame) => us + query[frame]));
    const key = element(
      'span',
      { class: 'key' },
      element('i', { class: 'update' }),
      'update ',
      element('i', { class: 'query' }),
      'query',
    );
    this.times = this.addStrip('Time', `median ${duration(middle)}`, strip, 'tall of-check', key);
  }

  private addVolumes(): void {
    const { volume } = this.head.frames;
    if (!volume.some((value) => value !== null)) return;
    const strip = new Strip([{ values: volume, colour: 'overlap' }], this.frames);
    this.addStrip('Overlap', `most ${measure(strip.most)}`, strip, 'short');
  }

  private addStrip(name: string, about: string, strip: Strip, size: string, ...more: Node[]): HTMLElement {
    this.strips.push(strip);
    const label = element('div', { class: 'strip-label' }, element('b', {}, name), element('span', {}, about), ...more);
    const row = element('div', { class: `strip ${size}` }, label, strip.canvas);
    this.area.append(row);
    return row;
  }

  private addAxis(): void {
    const { number } = this.head.frames;
    const wanted = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((step) => this.frames / step <= 10);
    const step = wanted ?? Math.ceil(this.frames / 10);
    for (let frame = 0; frame < this.frames; frame += step) {
      const tick = element('span', {}, String(number[frame]));
      tick.style.left = `${this.place(frame)}%`;
      this.axis.append(tick);
    }
    // A line where one animation ends and the next begins.
    for (const { start } of this.head.animations?.slice(1) ?? []) {
      const line = element('i', { class: 'animation-start' });
      line.style.left = `${(start / this.frames) * 100}%`;
      this.area.append(line);
    }
  }

  private listen(): void {
    const slider = this.area;
    const attributes = {
      role: 'slider',
      tabindex: '0',
      'aria-label': 'Frame',
      'aria-valuemin': '0',
      'aria-valuemax': String(Math.max(0, this.frames - 1)),
    };
    for (const [name, value] of Object.entries(attributes)) slider.setAttribute(name, value);
    slider.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      slider.setPointerCapture(event.pointerId);
      this.go(this.frameAt(event));
    });
    slider.addEventListener('pointermove', (event) => {
      const frame = this.frameAt(event);
      this.showHint(frame);
      if (slider.hasPointerCapture(event.pointerId)) this.go(frame);
    });
    slider.addEventListener('pointerleave', () => (this.hint.hidden = true));
  }

  private showHint(frame: number): void {
    const { update_us: update, query_us: query } = this.head.frames;
    if (this.frames === 0) return;
    const { pairs, depth, impacts, volume } = this.at(frame);
    const parts = [`frame ${frameName(this.head, frame)}`, counted(pairs, 'pair')];
    if (depth !== null) parts.push(`${length(depth, this.head.header.unit)} deep`);
    if (this.times && !this.times.hidden) parts.push(duration(update[frame] + query[frame]));
    if (impacts > 0) parts.push(`${counted(impacts, 'impact')} before it`);
    if (volume !== null) parts.push(`overlap ${measure(volume)}`);
    this.hint.textContent = parts.join(' · ');
    this.hint.style.left = `${Math.min(85, Math.max(15, this.place(frame)))}%`;
    this.hint.hidden = false;
  }

  /** The middle of a frame's bar, in per cent of the width. */
  private place(frame: number): number {
    return ((frame + 0.5) / Math.max(1, this.frames)) * 100;
  }

  private frameAt(event: PointerEvent): number {
    const box = this.area.getBoundingClientRect();
    const frame = Math.floor(((event.clientX - box.left) / box.width) * this.frames);
    return Math.max(0, Math.min(this.frames - 1, frame));
  }
}

function aboutMost({ most }: Strip): string {
  return most === 0 ? 'none' : `most ${Number.isInteger(most) ? grouped(most) : measure(most)}`;
}
