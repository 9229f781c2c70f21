/** Shortens names that are shown together: what they have in common goes first, what tells them apart stays. */
import { cutMiddle } from '../../plot/text';

/** A shorter common part is no gain. */
const LEAST_COMMON = 3;
/** With fewer glyphs only the beginning of a name that shares nothing is left. */
const BOTH_ENDS = 10;
/** Names that are compared; more are cut at their end. */
const MOST_NAMES = 2000;

/** Number of glyphs with which a name begins as another one does; 0 where it shares no beginning worth leaving out. */
export type CommonParts = ReadonlyMap<string, number>;

/** The common parts of names. */
export function commonParts(names: Iterable<string>): CommonParts {
  const sorted = [...new Set(names)].sort();
  const parts = new Map<string, number>();
  if (sorted.length > MOST_NAMES) {
    return parts;
  }
  const glyphs = sorted.map(name => [...name]);
  const shared = glyphs.map((name, i) => (i === 0 ? 0 : sharedStart(glyphs[i - 1], name)));
  for (const [i, name] of sorted.entries()) {
    const common = Math.max(shared[i], shared[i + 1] ?? 0);
    // A name that another one continues has no distinct part: its end stays.
    const most = glyphs[i].length - 1;
    parts.set(name, common >= LEAST_COMMON ? Math.min(common, most) : 0);
  }
  return parts;
}

function sharedStart(a: readonly string[], b: readonly string[]): number {
  const end = Math.min(a.length, b.length);
  let i = 0;
  while (i < end && a[i] === b[i]) {
    i += 1;
  }
  return i;
}

/**
 * A name in a number of glyphs: cut out of its common part if that is enough, else also in the middle of what is left; with few glyphs
 * only the beginning of that remains.
 *
 * @param most - at least 1
 */
export function shortName(name: string, parts: CommonParts, most: number): string {
  const glyphs = [...name];
  if (glyphs.length <= most) {
    return name;
  }
  const distinct = glyphs.slice(parts.get(name) ?? 0);
  if (distinct.length === glyphs.length || most < 3) {
    return most >= BOTH_ENDS ? cutMiddle(name, most) : `${glyphs.slice(0, most - 1).join('')}…`;
  }
  const head = most - 1 - distinct.length;
  if (head >= 0) {
    return `${glyphs.slice(0, head).join('')}…${distinct.join('')}`;
  }
  return most > BOTH_ENDS ? `…${cutMiddle(distinct.join(''), most - 1)}` : `…${distinct.slice(0, most - 2).join('')}…`;
}
