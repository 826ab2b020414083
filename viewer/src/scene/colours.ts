// Colours of what is drawn. Red is kept for contacts: no body has a hue near it.

import { Color } from 'three';

const BODIES = ['#5d8fbf', '#cdb67f', '#6fa88c', '#9088c0', '#74b3bf', '#a4aa98', '#4c8580', '#b5c285'];

/** The colour of a body; after eight bodies the same hues come again, darker and lighter in turn. */
export function bodyColour(body: number): string {
  const hue = BODIES[body % BODIES.length];
  const round = Math.floor(body / BODIES.length) % 3;
  const shade = [1, 0.78, 1.14][round];
  const channels = [1, 3, 5].map((at) => Math.min(255, Math.round(parseInt(hue.slice(at, at + 2), 16) * shade)));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

const REGIONS = ['#8250df', '#0e9594', '#d07a00', '#2f74e0', '#5c9a1c', '#c03fc4'];

/** The colour of a region, which stays its own from frame to frame. */
export function regionColour(id: number): string {
  return REGIONS[id % REGIONS.length];
}

/** From touching to as far as the clearance; the legend (`i.near` in the style sheet) has the same. */
const NEAR = ['#5b1379', '#c2387a', '#f58b1f', '#ffe45c'].map((colour) => new Color(colour));

/** The colour of a distance, 0 to 1 for nothing to the clearance. */
export function nearColour(distance: number): Color {
  const at = Math.min(1, Math.max(0, distance)) * (NEAR.length - 1);
  const below = Math.min(NEAR.length - 2, Math.floor(at));
  return NEAR[below].clone().lerp(NEAR[below + 1], at - below);
}

/**
 * From the surface to the deepest vertex: light to dark, in a hue that no body has and that is not the red of contacts; the legend
 * (`i.deep` in the style sheet) has the same.
 */
export const DEPTHS = ['#ffeef9', '#f29ad6', '#b32a9f', '#37004f'].map((colour) => new Color(colour));

/** A colour of the style sheet, as it is in the present theme. */
export function themeColour(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}
