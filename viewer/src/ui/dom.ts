// Small helpers to build the window's parts.

type Properties = Record<string, string | boolean | ((event: Event) => void)>;

/** An element; properties that are functions listen to the event of their name, the others are attributes. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (typeof value === 'string') made.setAttribute(name, value);
    else made.toggleAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** Words longer than this may be broken after a mark, as in `left_sleeve`, and before a capital, as in `LeftSleeve`. */
const LONG_WORD = 12;

/** A name apart from what stands around it, whichever way its script runs; long words of it break between their parts. */
export function nameElement(name: string): HTMLElement {
  const broken = (word: string): (Node | string)[] => {
    const parts = word.length > LONG_WORD ? word.split(/(?<=[_./:|-])(?=[^_./:|-])|(?<=\p{Ll})(?=\p{Lu})/u) : [word];
    return parts.flatMap((part, i) => (i === 0 ? [part] : [document.createElement('wbr'), part]));
  };
  return element('bdi', {}, ...name.split(/(\s+)/).flatMap(broken));
}

/** A button with a picture; the label says what it does, the key how else to do it. */
export function iconButton(icon: keyof typeof ICONS, label: string, key: string, act: () => void): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'icon', click: act }, picture(icon));
  setLabel(button, label, key);
  return button;
}

export function setLabel(button: HTMLElement, label: string, key = ''): void {
  button.setAttribute('aria-label', label);
  button.title = key ? `${label} (${key})` : label;
  // The names of the other keys are for reading only.
  if (/^[A-Za-z+]+$/.test(key)) button.setAttribute('aria-keyshortcuts', key);
}

export function picture(icon: keyof typeof ICONS): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', ICONS[icon]);
  svg.append(path);
  return svg;
}

/** Outlines on a field of 20 by 20. */
const ICONS = {
  play: 'M6 4 L16 10 L6 16 Z',
  pause: 'M6 4 V16 M14 4 V16',
  back: 'M13 4 L6 10 L13 16',
  forward: 'M7 4 L14 10 L7 16',
  first: 'M15 4 L8 10 L15 16 M5 4 V16',
  last: 'M5 4 L12 10 L5 16 M15 4 V16',
  worst: 'M3 16 H17 M5 16 V11 M10 16 V3 M15 16 V8',
  fit: 'M3 7 V3 H7 M13 3 H17 V7 M17 13 V17 H13 M7 17 H3 V13',
  edges: 'M10 3 L17 16 H3 Z M10 3 L10 16 M6.5 9.5 L10 16 L13.5 9.5',
  through: 'M3 3 H12 V12 H3 Z M15 8 H17 V10 M17 13 V17 H14 M11 17 H8 V15',
  depth: 'M3 6 H8 M12 6 H17 M8 6 C8 18 12 18 12 6',
  spans: 'M4 6 V14 M8 3 V17 M12 4 V16 M16 7 V13',
  up: 'M10 17 V3 M5 8 L10 3 L15 8',
  theme: 'M10 3 A7 7 0 1 0 10 17 Z M10 3 A7 7 0 0 1 10 17',
  help: 'M7 7.5 A3 3 0 1 1 10 10.5 V12 M10 15 V15.5',
  eye: 'M2 10 Q10 2 18 10 Q10 18 2 10 Z M10 7.5 A2.5 2.5 0 1 0 10 12.5 A2.5 2.5 0 1 0 10 7.5',
  glass: 'M10 3 C10 3 5 8.5 5 12 A5 5 0 0 0 15 12 C15 8.5 10 3 10 3 Z M8 12.5 A2.2 2.2 0 0 0 10 14.5',
  close: 'M5 5 L15 15 M15 5 L5 15',
  locate: 'M10 2 V6 M10 14 V18 M2 10 H6 M14 10 H18 M10 6 A4 4 0 1 0 10 14 A4 4 0 1 0 10 6',
};
