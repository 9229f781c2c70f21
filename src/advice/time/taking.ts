/** When a client went on taking results one after the other, and nothing was left to compute. */
import type { Seconds } from '../../base/units';
import { SHORTEST_PAUSE } from '../../run/lanes/busy-periods';
import type { Run } from '../../run/run';
import type { Period } from '../../run/selection/selection';
import { beginOf } from '../../selectors/computations/reading';
import { endOf } from './in-progress';

/** Fewer may be a user who looks at some results. */
export const LEAST_TIMES = 20;
/** Nobody runs one cell after the other so soon: half as many are a program. */
export const QUICK: Seconds = 2;

/** From the last task to the last result. */
export interface Taking extends Period {
  /** When a client took results. */
  readonly moments: readonly Seconds[];
}

/**
 * Such stretches, in order. A client took results before the last task ended, then again and again with no more than
 * {@link SHORTEST_PAUSE} between, and no more than there were: a client that reads the same ones as long as it runs, such as a
 * page that shows them, keeps nothing waiting.
 */
export function takingsOf(run: Run): readonly Taking[] {
  const times = run.events.list.filter(({ action }) => action === 'gather').map(({ time }) => time);
  // Panes ask with each drawing: of most runs this is all that there is to look at.
  const works = times.length < LEAST_TIMES / 2 ? [] : worksOf(run);
  const found: Taking[] = [];
  let next = 0;
  for (const [i, { from, to: end, results }] of works.entries()) {
    while (next < times.length && times[next] < from) {
      next += 1;
    }
    let taken = 0;
    for (; next < times.length && times[next] <= end; next++) {
      taken += 1;
    }
    const until = works[i + 1]?.from ?? Number.POSITIVE_INFINITY;
    let last = taken > 0 ? times[next - 1] : Number.NEGATIVE_INFINITY;
    let longest: Seconds = 0;
    const first = next;
    for (; next < times.length && times[next] < until && times[next] - last <= SHORTEST_PAUSE && taken < results; next++) {
      longest = Math.max(longest, times[next] - last);
      last = times[next];
      taken += 1;
    }
    if (next - first >= (longest <= QUICK ? LEAST_TIMES / 2 : LEAST_TIMES)) {
      found.push({ from: end, to: last, moments: times.slice(first, next) });
    }
  }
  return found;
}

interface Work extends Period {
  /** Results that it has had. */
  readonly results: number;
}

/** When anything was to be computed, in order; what overlaps is one. */
function worksOf(run: Run): readonly Work[] {
  const found: { from: Seconds; to: Seconds; results: number }[] = [];
  const spans = run.computations.list
    .map(each => ({ from: beginOf(each), to: endOf(run, each), results: each.values.done || 0 }))
    .filter(({ from, to }) => from <= to)
    .sort((a, b) => a.from - b.from);
  for (const each of spans) {
    const before = found.at(-1);
    if (before !== undefined && each.from <= before.to) {
      before.to = Math.max(before.to, each.to);
      before.results += each.results;
    } else {
      found.push(each);
    }
  }
  return found;
}
