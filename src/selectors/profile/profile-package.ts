/**
 * The package of a function, and its colour: packages use the colour slots of functions, in order of first appearance.
 */
import { mix, type Colour, type Theme } from '../../base/theme';
import type { ProfileFrame, ProfileStore } from '../../run/logs/profile';
import { oneLine } from '../../plot/text';

/** Fraction of the background in the fill of a frame (`docs/look.md`, "Colours"). */
const FADE = 0.32;
/** Number of packages with a colour; the others are neutral. */
export const COLOURED = 16;

const PATTERNS: readonly RegExp[] = [
  /[\\/](?:site|dist)-packages[\\/]([^\\/]+)/,
  /[\\/]lib[\\/]python\d[^\\/]*[\\/](?!site-packages|dist-packages)/,
  /^<(?:frozen|string|built-in)/,
  /([^\\/]+)$/
];

/** Whether a file is what IPython compiled of a cell. */
export function isCell(file: string): boolean {
  return /[\\/]ipykernel_\d+[\\/]|^<ipython-input/.test(file);
}

/**
 * The package of a file: its folder in an environment, `Python` for the standard library, `notebook`, else the file's
 * name.
 */
export function packageOf(file: string): string {
  const [installed, library, frozen, plain] = PATTERNS;
  const folder = installed.exec(file);
  if (folder) {
    return oneLine(folder[1].replace(/\.py$/, ''));
  }
  if (isCell(file)) {
    return 'notebook';
  }
  if (library.test(file) || frozen.test(file)) {
    return 'Python';
  }
  return oneLine((plain.exec(file)?.[1] ?? '').replace(/\.py$/, '')) || '?';
}

/** Packages of a store by number of the function. */
export class Packages {
  constructor(private readonly store: ProfileStore) {}

  /** Names in order of first appearance. */
  get names(): readonly string[] {
    this.read();
    return this.list;
  }

  /** Index of a function's package in {@link names}; -1 for number 0. */
  of(frame: number): number {
    this.read();
    return this.slots[frame] ?? -1;
  }

  private read(): void {
    const { frames } = this.store;
    if (this.slots.length > frames.length || this.first !== (frames[1] ?? null)) {
      this.slots.length = this.list.length = 0;
      this.first = frames[1] ?? null;
    }
    for (let number = this.slots.length; number < frames.length; number++) {
      const frame = frames[number];
      this.slots.push(frame === null ? -1 : this.slotOf(packageOf(frame.file)));
    }
  }

  private slotOf(name: string): number {
    const known = this.list.indexOf(name);
    return known >= 0 ? known : this.list.push(name) - 1;
  }

  private first: ProfileFrame | null = null;
  private readonly list: string[] = [];
  private readonly slots: number[] = [];
}

const known = new WeakMap<ProfileStore, Packages>();

/** The packages of a store, shared by all callers. */
export function packagesOf(store: ProfileStore): Packages {
  const found = known.get(store) ?? new Packages(store);
  known.set(store, found);
  return found;
}

/** Fill of the functions of a package. */
export function packageColour(theme: Theme, slot: number): Colour {
  return slot < 0 || slot >= COLOURED ? theme.track : mix(theme.prefix(slot).colour, theme.background, FADE);
}
