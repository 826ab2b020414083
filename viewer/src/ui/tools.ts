// The small buttons over the picture: how it is drawn and looked at.

import { element, iconButton } from './dom';
import { measure } from './numbers';

export interface Tool {
  name: string;
  /** As it is shown. */
  key: string;
  button: HTMLButtonElement;
  act: () => void;
}

/** A button that is on or off. */
export function toggle(
  icon: Parameters<typeof iconButton>[0],
  label: string,
  key: string,
  on: boolean,
  changed: (on: boolean) => void,
): Tool {
  let state = on;
  const act = () => {
    state = !state;
    button.setAttribute('aria-pressed', String(state));
    changed(state);
  };
  const button = iconButton(icon, label, key, act);
  button.setAttribute('aria-pressed', String(state));
  return { name: label, key, button, act };
}

/** Where the scales of colours end, where there are some. */
export interface Scales {
  clearance?: number;
  deepest?: number;
}

/** What the marks mean, for those who see the picture. */
export function legend(overlap: 'exact' | 'sampled' | null, withImpacts: boolean, { clearance, deepest }: Scales): HTMLElement {
  const scale = (kind: string, end: string) => element('span', { class: 'scale' }, '0', element('i', { class: kind }), end);
  const entry = (kind: string, text: string) => element('span', {}, element('i', { class: kind }), text);
  return element(
    'div',
    { class: 'legend', 'aria-hidden': 'true' },
    ...(overlap === 'exact'
      ? [entry('region', 'regions'), entry('curve', 'intersection'), entry('arrow', 'normal')]
      : [entry('contact', 'colliding')]),
    ...(overlap === 'sampled' ? [entry('overlap', 'overlap')] : []),
    ...(withImpacts ? [entry('impact', 'met on the way here')] : []),
    ...(clearance === undefined ? [] : [scale('near', `${measure(clearance)} apart (unit of the file)`)]),
    ...(deepest === undefined || deepest === 0 ? [] : [scale('deep', `${measure(deepest)} deep (unit of the file)`)]),
  );
}
