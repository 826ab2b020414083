// The keys, in one table: what they do and what the help says.

import { element, iconButton } from './dom';

export interface Binding {
  /** As `KeyboardEvent.key` has them, with `Shift+` before them where it matters. */
  keys: string[];
  shown: string;
  does: string;
  act: () => void;
}

/** Runs the binding of a key, unless it is meant for the field that has the focus. */
export function listen(bindings: Binding[]): void {
  const table = new Map(bindings.flatMap((binding) => binding.keys.map((key) => [key, binding.act])));
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const target = event.target as HTMLElement;
    const typing = target.matches('input, select, textarea');
    const pressing = event.key === ' ' && target.matches('button, summary');
    if ((typing && event.key !== 'Escape') || pressing) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = (event.shiftKey && table.get(`Shift+${name}`)) || table.get(name);
    if (!act) return;
    event.preventDefault();
    act();
  });
  // Whoever clicks a button and then presses space wants to play, not the button once more. A click by key has no detail.
  addEventListener('click', (event) => {
    if (event.detail > 0) (event.target as HTMLElement).closest<HTMLElement>('button, summary')?.blur();
  });
}

/** A dialog that lists the keys. */
export function helpDialog(bindings: Binding[]): HTMLDialogElement {
  const listed = bindings.filter(({ does }) => does !== '');
  const rows = listed.map(({ shown, does }) =>
    element('tr', {}, element('td', {}, ...shown.split(' ').map((key) => element('kbd', {}, key))), element('td', {}, does)),
  );
  const dialog = element('dialog', { 'aria-labelledby': 'help-title' });
  dialog.append(
    element(
      'div',
      { class: 'part-head' },
      element('h2', { id: 'help-title' }, 'Keys'),
      iconButton('close', 'Close', 'Escape', () => dialog.close()),
    ),
    element('table', {}, element('tbody', {}, ...rows)),
    element('p', {}, 'Drag to turn, right button or two fingers to move, wheel or pinch to come nearer.'),
  );
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  return dialog;
}
