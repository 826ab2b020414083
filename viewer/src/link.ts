// The frame in the address, `page.html#frame=62`: kept current, and listened to.

/** Changes of the address are few: some browsers allow a hundred in half a minute. */
const PAUSE = 400;

export class Link {
  private last = 0;
  private waiting: number | undefined;

  constructor(
    private readonly numbers: number[],
    go: (frame: number) => void,
  ) {
    addEventListener('hashchange', () => {
      const frame = this.asked();
      if (frame !== null) go(frame);
    });
  }

  /** The place of the frame that the address asks for. */
  asked(): number | null {
    const wanted = location.hash.match(/^#frame=(\d+)$/);
    const frame = wanted ? this.numbers.indexOf(Number(wanted[1])) : -1;
    return frame < 0 ? null : frame;
  }

  /** Writes the frame that is shown into the address, without a step in the history. */
  show(frame: number): void {
    clearTimeout(this.waiting);
    const write = () => {
      this.last = performance.now();
      const hash = `#frame=${this.numbers[frame]}`;
      if (location.hash !== hash) history.replaceState(history.state, '', hash);
    };
    const pause = this.last + PAUSE - performance.now();
    if (pause <= 0) write();
    else this.waiting = window.setTimeout(write, pause);
  }
}
