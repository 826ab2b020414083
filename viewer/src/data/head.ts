// What a page says about itself: records, and one number per frame for the charts.

import { isSame, type Pair } from '../selection';
import type { Animation, BodyRecord, Finding, Head, PairColumn } from './records';

export type Vec3 = [number, number, number];

export type { Animation, BodyRecord, Finding, Head };

/** Two bodies in the frames in which they meet. */
export type Meeting = PairColumn;

/** The head of this page, or null where nothing has been put in. */
export function readHead(): Head | null {
  const text = document.getElementById('head')?.textContent;
  if (!text) return null;
  const head = JSON.parse(text) as Head;
  if (head.format !== 5) throw new Error(`the page has format ${head.format}, this viewer reads format 5`);
  return head;
}

/** The place of a frame as records count it; -1 if the page does not have it. */
export function placeOf(head: Head, frame: number): number {
  return head.frames.frame.indexOf(frame);
}

/** The animation that a place belongs to, where several are played one after another. */
export function animationAt(head: Head, place: number): Animation | null {
  return head.animations?.findLast(({ start }) => start <= place) ?? null;
}

/** The first and the last place of that animation, or of all frames. */
export function endsAround(head: Head, place: number): [number, number] {
  const next = head.animations?.find(({ start }) => start > place);
  return [animationAt(head, place)?.start ?? 0, (next?.start ?? head.frames.number.length) - 1];
}

/** The place of a number in the animation to which a place belongs; -1 if there is none. */
export function placeOfNumber(head: Head, number: number, place: number): number {
  const [first, last] = endsAround(head, place);
  const found = head.frames.number.indexOf(number, first);
  return found <= last ? found : -1;
}

/** What a frame is called: its number, and its animation where there are several. */
export function frameName(head: Head, place: number): string {
  const animation = animationAt(head, place);
  return `${head.frames.number[place]}${animation ? ` of ${animation.name}` : ''}`;
}

/** Two bodies in the frames in which they meet, in whichever order they are named. */
export function meetingOf(head: Head, pair: Pair): Meeting | null {
  return head.meetings.find((meeting) => isSame(meeting, pair)) ?? null;
}

/** The place of the worst frame: of all frames, the first with the most pairs; of two bodies alone, where they are deepest. */
export function worstFrame(head: Head, pair: Pair | null = null): number | null {
  if (pair) {
    const meeting = meetingOf(head, pair);
    if (!meeting) return null;
    const values = meeting.depth ?? meeting.pairs;
    const most = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
    return meeting.at[values.findIndex((value) => (value ?? 0) === most)];
  }
  const worst = head.summary.worst;
  return worst ? placeOf(head, worst.frame) : null;
}

/** The place of the first frame that something met on the way to, or null. */
export function firstImpact(head: Head): number | null {
  const frame = head.frames.impacts.findIndex((count) => count !== null && count > 0);
  return frame < 0 ? null : frame;
}
