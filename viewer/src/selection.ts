// A triangle of a body, as it is picked, and two bodies, as they are isolated.

import type { Contact } from './data/found';

export interface Selection {
  body: number;
  triangle: number;
}

/** Two bodies, or one twice. */
export interface Pair {
  a: number;
  b: number;
}

/** Whether these are the same two bodies, in whichever order. */
export function isSame(one: Pair, other: Pair): boolean {
  return (one.a === other.a && one.b === other.b) || (one.a === other.b && one.b === other.a);
}

/** The triangles that meet the selected one. */
export function partnersOf({ body, triangle }: Selection, contacts: Contact[]): Selection[] {
  const partners: Selection[] = [];
  for (const { a, b, pairs } of contacts) {
    if (a !== body && b !== body) continue;
    for (let i = 0; i < pairs.length; i += 2) {
      if (a === body && pairs[i] === triangle) partners.push({ body: b, triangle: pairs[i + 1] });
      if (b === body && pairs[i + 1] === triangle) partners.push({ body: a, triangle: pairs[i] });
    }
  }
  return partners;
}

/** The triangles of a contact. */
export function trianglesOf({ a, b, pairs }: Contact): Selection[] {
  const seen = new Map<string, Selection>();
  pairs.forEach((triangle, at) => {
    const body = at % 2 === 0 ? a : b;
    seen.set(`${body} ${triangle}`, { body, triangle });
  });
  return [...seen.values()];
}

/** The colliding triangle after the selected one, or before it, over all bodies and around the end. */
export function neighbour(selection: Selection | null, touching: Uint32Array[], by: number): Selection | null {
  const all = touching.flatMap((list, body) => Array.from(list, (triangle) => ({ body, triangle })));
  if (all.length === 0) return null;
  const isLater = (other: Selection, than: Selection) =>
    other.body > than.body || (other.body === than.body && other.triangle >= than.triangle);
  let at = selection ? all.findIndex((other) => isLater(other, selection)) : -1;
  const exact = selection && at >= 0 && all[at].body === selection.body && all[at].triangle === selection.triangle;
  if (at < 0) at = by > 0 ? 0 : all.length - 1;
  else if (exact || by < 0) at = (at + by + all.length) % all.length;
  return all[at];
}
