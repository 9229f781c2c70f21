/** The periods that marks of a picture with a time axis stand for. */

/** In the units of the picture. */
export interface Period {
  readonly at: number;
  readonly until: number;
}

/** The period of a mark; `null` if it has none. */
export function periodOf({ at, until }: Partial<Period> = {}): Period | null {
  return at === undefined || until === undefined ? null : { at, until };
}

/** Whether two periods are one: what is visible of it grows at the newest moment and shrinks at the edge of a window that moves. */
export function areSame(a: Period, b: Period | null): boolean {
  if (b === null) {
    return false;
  }
  const shared = Math.min(a.until, b.until) - Math.max(a.at, b.at);
  // Neighbours may share a rounding error.
  return shared > Math.min(a.until - a.at, b.until - b.at) / 2;
}
