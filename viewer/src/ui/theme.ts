// Light, dark, or as the system has it. The choice is kept where the browser lets a page from disk keep something.

export type Theme = 'auto' | 'light' | 'dark';

const ORDER: Theme[] = ['auto', 'light', 'dark'];
const KEY = 'crumple-theme';

export class ThemeSwitch {
  private theme: Theme;

  constructor(private readonly changed: () => void) {
    this.theme = ORDER.find((theme) => theme === stored()) ?? 'auto';
    this.apply();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.changed());
  }

  next(): Theme {
    this.theme = ORDER[(ORDER.indexOf(this.theme) + 1) % ORDER.length];
    try {
      localStorage.setItem(KEY, this.theme);
    } catch {
      // Not allowed for this page: the choice lasts until it is closed.
    }
    this.apply();
    this.changed();
    return this.theme;
  }

  get current(): Theme {
    return this.theme;
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.theme;
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
