// The timeline: strips of bars one below the other and a line at the present frame. Clicked, dragged, or moved by keys.

import { type Head, worstFrame } from '../data/head';
import { element } from './dom';
import { counted, duration, grouped, measure, median } from './numbers';
import { Strip } from './strip';

export class Timeline {
  readonly root: HTMLElement;
  private readonly frames: number;
  private readonly strips: Strip[] = [];
  private readonly area = element('div', { class: 'strips' });
  private readonly line = element('div', { class: 'playhead', hidden: true });
  private readonly hint = element('div', { class: 'hint', hidden: true });
  private readonly axis = element('div', { class: 'axis', 'aria-hidden': 'true' });

  constructor(
    private readonly head: Head,
    private readonly go: (frame: number) => void,
  ) {
    this.frames = head.frames.number.length;
    this.root = element('div', { class: 'timeline' }, this.area);
    this.addPairs();
    this.addImpacts();
    this.addTimes();
    this.addVolumes();
    this.area.append(this.axis, this.line, this.hint);
    this.addAxis();
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.area);
  }

  show(frame: number): void {
    const { number, pairs, impacts } = this.head.frames;
    this.line.style.left = `${this.place(frame)}%`;
    this.line.hidden = false;
    const slider = this.area;
    slider.setAttribute('aria-valuenow', String(frame));
    const before = impacts[frame] ? `, ${counted(impacts[frame], 'impact')} before it` : '';
    slider.setAttribute('aria-valuetext', `frame ${number[frame]}, ${counted(pairs[frame] ?? 0, 'pair')}${before}`);
  }

  draw(): void {
    for (const strip of this.strips) strip.draw();
  }

  private addPairs(): void {
    const strip = new Strip([{ values: this.head.frames.pairs, colour: 'contact' }], this.frames);
    const worst = worstFrame(this.head);
    const most = worst === null ? 'none' : `most ${grouped(strip.most)}`;
    const row = this.addStrip('Pairs', most, strip, 'tall');
    if (worst === null) return;
    const mark = element('span', { class: 'worst-mark', 'aria-hidden': 'true' }, '▾');
    mark.style.left = `${this.place(worst)}%`;
    row.append(mark);
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
    this.addStrip('Time', `median ${duration(middle)}`, strip, 'short', key);
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
    const { number, pairs, impacts, update_us: update, query_us: query, volume } = this.head.frames;
    if (this.frames === 0) return;
    const parts = [`frame ${number[frame]}`, counted(pairs[frame], 'pair'), duration(update[frame] + query[frame])];
    if (impacts[frame]) parts.push(`${counted(impacts[frame], 'impact')} before it`);
    const overlap = volume[frame];
    if (overlap !== null) parts.push(`overlap ${measure(overlap)}`);
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
