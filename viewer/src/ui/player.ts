// The buttons under the picture: playing, stepping, the worst frame, and which frame it is.

import { type Animation, endsAround, type Head, placeOfNumber, worstFrame } from '../data/head';
import type { Pair } from '../selection';
import { element, iconButton, picture, setLabel } from './dom';
import { counted, length } from './numbers';

export interface PlayerActions {
  go(frame: number): void;
  /** Goes to the worst frame. */
  worst(): void;
  step(frames: number): void;
  toggle(): void;
  speed(factor: number): void;
}

export class Player {
  readonly root: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly number: HTMLInputElement;
  /** The last number of the animation, or of all frames. */
  private readonly last = element('span', {}, ' of 0');
  /** Chooses one of several animations. */
  private readonly animation: HTMLSelectElement | null;
  private shown = 0;
  private readonly toWorst: HTMLButtonElement;
  private readonly found = element('span', { class: 'found' });
  private readonly depth = element('span', { class: 'depth' });

  constructor(
    private readonly head: Head,
    actions: PlayerActions,
  ) {
    const last = head.frames.number.length - 1;
    this.play = iconButton('play', 'Play', 'Space', () => actions.toggle());
    this.play.classList.add('primary');
    this.number = element('input', {
      type: 'number',
      'aria-label': 'Frame number',
      change: () => {
        const frame = placeOfNumber(head, Number(this.number.value), this.shown);
        if (frame >= 0) actions.go(frame);
        else this.number.value = this.number.defaultValue;
      },
    });
    this.animation = head.animations ? this.animations(head.animations, actions) : null;
    this.toWorst = element(
      'button',
      { type: 'button', class: 'worst', click: () => actions.worst() },
      picture('worst'),
      element('span', {}, 'Worst frame'),
    );
    setLabel(this.toWorst, 'Worst frame', 'W');
    this.isolate(null);
    this.root = element(
      'div',
      { class: 'player', role: 'group', 'aria-label': 'Playback' },
      element(
        'div',
        { class: 'buttons' },
        iconButton('first', 'First frame', 'Home', () => actions.go(0)),
        iconButton('back', 'Previous frame', '←', () => actions.step(-1)),
        this.play,
        iconButton('forward', 'Next frame', '→', () => actions.step(1)),
        iconButton('last', 'Last frame', 'End', () => actions.go(last)),
      ),
      this.toWorst,
      ...(this.animation ? [this.animation] : []),
      element('label', { class: 'number' }, 'Frame ', this.number, this.last),
      this.found,
      this.depth,
      this.speeds(actions),
    );
    const stuck = last < 1 ? 'button:not(.worst), input, select' : '';
    if (stuck) for (const part of this.root.querySelectorAll<HTMLButtonElement>(stuck)) part.disabled = true;
  }

  /** The worst frame is that of two bodies alone, or of all. */
  isolate(pair: Pair | null): void {
    this.toWorst.disabled = worstFrame(this.head, pair) === null;
  }

  /** Shows a frame; of two bodies shown alone, what they have in it. */
  show(frame: number, alone: { pairs: number; depth: number | null; impacts: number } | null): void {
    const { number, pairs, impacts, depth } = this.head.frames;
    const [first, last] = endsAround(this.head, frame);
    this.shown = frame;
    this.number.value = this.number.defaultValue = String(number[frame]);
    [this.number.min, this.number.max] = [String(number[first]), String(number[last])];
    this.last.textContent = ` of ${number[last]}`;
    if (this.animation) this.animation.value = String(first);
    const count = alone ? alone.pairs : pairs[frame];
    const before = (alone ? alone.impacts : impacts[frame]) ?? 0;
    const nothing = before > 0 ? `${counted(before, 'impact')} before` : 'no contact';
    this.found.textContent = count === 0 ? nothing : counted(count, 'pair');
    this.found.classList.toggle('some', count + before > 0);
    const deep = alone ? alone.depth : depth[frame];
    this.depth.textContent = deep === null ? '' : `${length(deep, this.head.header.unit)} deep`;
  }

  setPlaying(playing: boolean): void {
    this.play.replaceChildren(picture(playing ? 'pause' : 'play'));
    setLabel(this.play, playing ? 'Pause' : 'Play', 'Space');
  }

  private animations(animations: Animation[], actions: PlayerActions): HTMLSelectElement {
    const options = animations.map(({ name, start }) => element('option', { value: String(start) }, name));
    const select = element('select', { class: 'animation', 'aria-label': 'Animation', title: 'Animation' }, ...options);
    select.addEventListener('change', () => actions.go(Number(select.value)));
    return select;
  }

  private speeds(actions: PlayerActions): HTMLElement {
    const speeds = [0.1, 0.25, 0.5, 1, 2, 4];
    const options = speeds.map((speed) => element('option', { value: String(speed), selected: speed === 1 }, `${speed}×`));
    const select = element('select', { 'aria-label': 'Speed', title: 'Speed' }, ...options);
    select.addEventListener('change', () => actions.speed(Number(select.value)));
    return select;
  }
}
