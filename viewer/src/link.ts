// The frame in the address, `page.html#frame=62`, with `&animation=walk` where there are several: kept current, and listened to.

import { animationAt, type Head, placeOfNumber } from './data/head';

/** Changes of the address are few: some browsers allow a hundred in half a minute. */
const PAUSE = 400;

export class Link {
  private last = 0;
  private waiting: number | undefined;
  /** What the address was when it was last read or written: if it is another, somebody has just asked for a frame. */
  private known = location.hash;

  constructor(
    private readonly head: Head,
    go: (frame: number) => void,
  ) {
    addEventListener('hashchange', () => {
      this.known = location.hash;
      const frame = this.asked();
      if (frame !== null) go(frame);
    });
  }

  /** The place of the frame that the address asks for. */
  asked(): number | null {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const number = wanted.get('frame') ?? '';
    const animation = this.head.animations?.find(({ name }) => name === wanted.get('animation'));
    const frame = /^\d+$/.test(number) ? placeOfNumber(this.head, Number(number), animation?.start ?? 0) : -1;
    return frame < 0 ? null : frame;
  }

  /** Writes the frame that is shown into the address, without a step in the history. */
  show(frame: number): void {
    clearTimeout(this.waiting);
    const write = () => {
      if (location.hash !== this.known) return;
      this.last = performance.now();
      const animation = animationAt(this.head, frame);
      const hash = `#frame=${this.head.frames.number[frame]}${animation ? `&animation=${encodeURIComponent(animation.name)}` : ''}`;
      if (location.hash !== hash) history.replaceState(history.state, '', hash);
      this.known = location.hash;
    };
    const pause = this.last + PAUSE - performance.now();
    if (pause <= 0) write();
    else this.waiting = window.setTimeout(write, pause);
  }
}
