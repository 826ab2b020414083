// A strip of the timeline: a bar a frame, or the tallest of several frames where there are more frames than pixels.

import { themeColour } from '../scene/colours';
import { element } from './dom';

/** One number per frame, and the name of its colour in the style sheet. */
export interface Series {
  values: (number | null)[];
  colour: string;
  /** Hatched, to be told from its neighbour without colour. */
  hatched?: boolean;
}

/** Bars of a few frames do not become walls. */
const WIDEST = 40;

export class Strip {
  readonly canvas = element('canvas', { class: 'strip-bars' });
  /** The largest total. */
  readonly most: number;
  /** The total at the upper end of the strip. */
  private readonly top: number;

  constructor(
    /** Stacked, the first at the bottom. */
    private readonly series: Series[],
    private readonly frames: number,
    /** Bars that stand far above the others end at the upper end of the strip. */
    cut = false,
    /** Bars stand between the frame before and theirs. */
    private readonly between = false,
  ) {
    const totals = Array.from({ length: frames }, (_, frame) => this.total(frame)).sort((a, b) => a - b);
    this.most = totals[frames - 1] ?? 0;
    // A first frame that builds the trees, or a hiccup of the machine, must not flatten all others.
    const usual = totals[Math.floor(frames * 0.98)] ?? 0;
    this.top = cut && usual > 0 && this.most > 2 * usual ? 1.3 * usual : this.most;
  }

  total(frame: number): number {
    return this.series.reduce((sum, series) => sum + (series.values[frame] ?? 0), 0);
  }

  draw(): void {
    const { canvas } = this;
    const ratio = devicePixelRatio;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext('2d');
    if (!context || width === 0) return;
    context.scale(ratio, ratio);
    context.fillStyle = themeColour('line');
    context.fillRect(0, height - 1, width, 1);
    if (this.top === 0) return;
    const fills = this.series.map((series) => fill(context, themeColour(series.colour), series.hatched ?? false));
    for (const { frame, x, width: bar } of this.bars(width)) {
      let bottom = height;
      this.series.forEach((series, i) => {
        const value = series.values[frame] ?? 0;
        // Something that is there is seen, however little it is.
        const tall = value > 0 ? Math.min(bottom, Math.max(1, (value / this.top) * (height - 2))) : 0;
        context.fillStyle = fills[i];
        context.fillRect(x, bottom - tall, bar, tall);
        bottom -= tall;
      });
    }
  }

  /** Which frame each bar shows, and where. */
  private *bars(width: number): Generator<{ frame: number; x: number; width: number }> {
    const each = width / this.frames;
    if (each >= 1) {
      const gap = each >= 4 ? 1 : each >= 2.5 ? 0.5 : 0;
      const bar = Math.min(each - gap, WIDEST);
      for (let frame = 0; frame < this.frames; frame++) yield { frame, x: (frame + (this.between ? 0 : 0.5)) * each - bar / 2, width: bar };
      return;
    }
    for (let x = 0; x < width; x++) {
      const [from, to] = [Math.floor((x / width) * this.frames), Math.ceil(((x + 1) / width) * this.frames)];
      let frame = from;
      for (let other = from; other < Math.min(to, this.frames); other++) {
        if (this.total(other) > this.total(frame)) frame = other;
      }
      yield { frame, x, width: 1 };
    }
  }
}

function fill(context: CanvasRenderingContext2D, colour: string, hatched: boolean): CanvasPattern | string {
  if (!hatched) return colour;
  const tile = document.createElement('canvas');
  tile.width = tile.height = 4;
  const inside = tile.getContext('2d');
  if (!inside) return colour;
  inside.globalAlpha = 0.45;
  inside.fillStyle = colour;
  inside.fillRect(0, 0, 4, 4);
  inside.globalAlpha = 1;
  inside.fillRect(0, 0, 2, 2);
  inside.fillRect(2, 2, 2, 2);
  return context.createPattern(tile, 'repeat') ?? colour;
}
