/** The functions that match a search, and their fraction of the time. */
import type { Share } from '../../base/units';
import type { ProfileFold, ProfileStore } from '../../run/logs/profile';

/** Numbers of the functions whose name or file contains a text, ignoring case; `null` for an empty text. */
export function matches(store: ProfileStore, text: string): ReadonlySet<number> | null {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') {
    return null;
  }
  const found = new Set<number>();
  for (const [number, frame] of store.frames.entries()) {
    if (frame !== null && (frame.name.toLowerCase().includes(wanted) || frame.file.toLowerCase().includes(wanted))) {
      found.add(number);
    }
  }
  return found;
}

/** Fraction of the samples with a found function anywhere on the stack; each sample counts once. */
export function matchedShare(store: ProfileStore, fold: ProfileFold, found: ReadonlySet<number>): Share {
  const within = new Uint8Array(store.stacks);
  let samples = 0;
  for (let stack = 1; stack < store.stacks; stack++) {
    within[stack] = within[store.parent(stack)] === 1 || found.has(store.frameNumber(stack)) ? 1 : 0;
    samples += within[stack] === 1 ? fold.own[stack] : 0;
  }
  return fold.total[0] > 0 ? samples / fold.total[0] : 0;
}
