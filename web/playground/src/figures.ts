// How long detection takes beside the whole frame: numbers, and a curve of the last seconds.

const KEPT = 240;

export class Figures {
  readonly #list = document.createElement('dl');
  readonly #canvas = document.createElement('canvas');
  readonly #detection: number[] = [];
  readonly #step: number[] = [];

  constructor(host: HTMLElement) {
    this.#canvas.width = 516;
    this.#canvas.height = 104;
    this.#canvas.setAttribute('role', 'img');
    this.#canvas.setAttribute('aria-label', 'Time of detection and of the whole step over the last frames');
    host.append(this.#list, this.#canvas);
  }

  add(detection: number, step: number): void {
    for (const [list, value] of [[this.#detection, detection], [this.#step, step]] as const) {
      list.push(value);
      if (list.length > KEPT) list.shift();
    }
  }

  clear(): void {
    this.#detection.length = this.#step.length = 0;
  }

  /** Shows what was added; `more` are further lines. */
  show(more: readonly (readonly [string, string])[]): void {
    const median = (list: readonly number[]): string => {
      const sorted = list.slice(-60).sort((a, b) => a - b);
      return `${(sorted[sorted.length >> 1] ?? 0).toFixed(2)} ms`;
    };
    const lines: [string, string, string?][] = [
      ['Detection', median(this.#detection), '--detection'],
      ['Whole step', median(this.#step), '--step'],
      ...more.map(([name, value]): [string, string] => [name, value]),
    ];
    this.#list.replaceChildren(
      ...lines.flatMap(([name, value, colour]) => {
        const [term, text] = [document.createElement('dt'), document.createElement('dd')];
        if (colour) {
          const mark = document.createElement('i');
          mark.style.background = `var(${colour})`;
          term.append(mark);
        }
        term.append(name);
        text.textContent = value;
        return [term, text];
      }),
    );
    this.#draw();
  }

  #draw(): void {
    const paper = this.#canvas.getContext('2d');
    if (!paper) return;
    const { width, height } = this.#canvas;
    paper.clearRect(0, 0, width, height);
    const most = Math.max(16.7, ...this.#step);
    const bars = (list: readonly number[], colour: string): void => {
      this.#canvas.style.color = `var(${colour})`;
      paper.fillStyle = getComputedStyle(this.#canvas).color;
      const wide = width / KEPT;
      list.forEach((value, i) => paper.fillRect(i * wide, height * (1 - value / most), wide, (height * value) / most));
    };
    bars(this.#step, '--step');
    bars(this.#detection, '--detection');
  }
}
