// Which frame is shown, and playing: frames follow each other at the wanted speed or as fast as they can be drawn. None is
// left out, since a contact may last a single frame.

import type { Frame, Store } from './data/store';

export class Playback {
  index = 0;
  playing = false;
  speed = 1;
  private wanted = 0;
  private due = 0;

  constructor(
    private readonly store: Store,
    private readonly fps: number,
    private readonly show: (frame: Frame) => void,
    private readonly playingChanged: (playing: boolean) => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Shows a frame, as soon as it is unpacked. */
  async go(index: number): Promise<void> {
    if (this.store.frames === 0) return;
    const wanted = Math.max(0, Math.min(this.store.frames - 1, index));
    this.wanted = wanted;
    try {
      const frame = this.store.frameNow(wanted) ?? (await this.store.frame(wanted));
      // While it was unpacked another one may have been asked for.
      if (this.wanted !== wanted) return;
      this.index = wanted;
      this.show(frame);
      this.store.prefetch(wanted);
    } catch (error) {
      this.pause();
      this.failed(error);
    }
  }

  /** Steps from the frame last asked for, so that fast key presses add up. */
  step(frames: number): void {
    this.pause();
    void this.go(this.wanted + frames);
  }

  toggle(): void {
    if (this.playing) {
      this.pause();
      return;
    }
    if (this.store.frames < 2) return;
    this.playing = true;
    this.playingChanged(true);
    if (this.index === this.store.frames - 1) void this.go(0);
    this.due = performance.now();
    requestAnimationFrame((now) => void this.tick(now));
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.playingChanged(false);
  }

  private async tick(now: number): Promise<void> {
    if (!this.playing) return;
    if (now >= this.due) {
      const pause = 1000 / (this.fps * this.speed);
      // Late is late: no hurry afterwards.
      this.due = Math.max(this.due + pause, now);
      await this.go(this.wanted + 1);
      if (this.index >= this.store.frames - 1) this.pause();
    }
    requestAnimationFrame((next) => void this.tick(next));
  }
}
