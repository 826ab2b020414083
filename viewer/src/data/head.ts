// What a page says about itself: the records of `crumple.report/1` and one number per frame for the charts.

import { isSame, type Pair } from '../selection';

export type Vec3 = [number, number, number];

export interface BodyRecord {
  id: number;
  name: string;
  triangles: number;
  vertices: number;
  closed: boolean;
}

export interface Summary {
  frames: number;
  frames_in_contact: number;
  first?: number;
  last?: number;
  worst?: { frame: number; count: number };
  pairs: number;
  impacts?: number;
  /** What counts, the most severe first. */
  findings?: Finding[];
  known?: number;
}

/** Something found in consecutive frames. */
export interface Finding {
  kind: 'contact' | 'inside' | 'impact' | 'near';
  a: number;
  b: number;
  animation?: string;
  first: number;
  last: number;
  frames: number;
  /** What the files call these frames, where that is not how they are counted. */
  numbers?: { first: number; last: number; worst: number };
  worst: { frame: number; count: number };
  pairs: number;
  depth?: number;
  distance?: number;
  status?: 'new' | 'worse';
}

/** Two bodies in the frames in which they meet. */
export interface Meeting {
  a: number;
  b: number;
  /** Places of frames. */
  at: number[];
  pairs: number[];
  depth?: (number | null)[];
}

/** An animation of several, and the place of its first frame. */
export interface Animation {
  name: string;
  start: number;
}

export interface Columns {
  /** Frames as records count them. */
  frame: number[];
  /** What the files call them, within their animation where there are several. */
  number: number[];
  pairs: number[];
  /** The deepest contact of the frame; null where no depth is known. */
  depth: (number | null)[];
  update_us: number[];
  query_us: number[];
  volume: (number | null)[];
  /** Impacts of the step that led to the frame; null where they were not looked for. */
  impacts: (number | null)[];
}

export interface Head {
  format: number;
  title: string;
  header: { schema: string; method: string; bodies: BodyRecord[]; frames: number };
  summary: Summary;
  fps: number;
  /** Whether overlaps are exact: regions and curves instead of spans. */
  exact: boolean;
  /** Up to which distance vertices are coloured. */
  clearance?: number;
  /** The largest depth that is shaded; missing where none is. */
  deepest?: number;
  bounds?: [Vec3, Vec3];
  frames: Columns;
  animations?: Animation[];
  /** How many frames each chunk holds. */
  chunks: number[];
  meetings: Meeting[];
}

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
