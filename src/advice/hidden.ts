/** Causes that the user has hidden ("not helpful"): of a run, and kept with its notebook. */
import { liveOf } from '../run/frozen';
import type { Run } from '../run/run';
import { adviceChanged } from './shown';

/** Where hidden causes are kept with the notebook that a run belongs to. */
export interface HiddenStore {
  /**
   * The causes that are hidden for the notebook at a path, the same object until they change; `null` if it cannot keep
   * any: it is not open here, or may not be written.
   */
  of(path: string): ReadonlySet<string> | null;
  /**
   * Keep causes with the notebook at a path.
   *
   * @returns false if nothing was written: {@link of} is `null`
   */
  keep(path: string, causes: readonly string[]): boolean;
}

const NONE: ReadonlySet<string> = new Set();
const hiddenOnes = new WeakMap<Run, ReadonlySet<string>>();
const paths = new WeakMap<Run, string>();
let store: HiddenStore | null = null;

/** From now on, hidden causes of notebooks are these. */
export function keepHiddenIn(next: HiddenStore | null): void {
  store = next;
}

/** Causes that the notebook at a path hides; `null` if it keeps none, or there is no notebook. */
export function hiddenAt(path: string | null): ReadonlySet<string> | null {
  return path === null ? null : (store?.of(path) ?? null);
}

/** Keep hidden causes with the notebook at a path; returns whether that was possible. */
export function keepHidden(path: string | null, causes: readonly string[]): boolean {
  return path !== null && store?.keep(path, causes) === true;
}

/** The user has hidden these causes in a pane of the run: lines about it do not mention them. */
export function hideCauses(run: Run, causes: ReadonlySet<string>): void {
  const live = liveOf(run);
  // The last ones that were reported: the notebook may have the new ones already.
  const before = hiddenOnes.get(live) ?? NONE;
  hiddenOnes.set(live, causes);
  if (before.size !== causes.size || [...causes].some(cause => !before.has(cause))) {
    adviceChanged(run).emit();
  }
}

/**
 * Causes that the user has hidden: for the notebook of the run if that keeps them, else in a pane of the run.
 *
 * @param path - of the session that the run belongs to, if it is known; it is remembered
 */
export function hiddenCauses(run: Run, path?: string): ReadonlySet<string> {
  const live = liveOf(run);
  if (path !== undefined) {
    paths.set(live, path);
  }
  return hiddenAt(paths.get(live) ?? null) ?? hiddenOnes.get(live) ?? NONE;
}
