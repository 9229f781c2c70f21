import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import { presentCounts } from '../computations/counts';
import { knowsAllTasks, type PrefixCounts, prefixCounts, type TaskTotals, taskTotals } from './prefix-counts';

/** A shorter pause does not end the work, as for a function (docs, feed: Episodes). */
const GAP: Seconds = 2;

/** A function without work for this long, while others worked, moves behind them. */
const PATIENCE: Seconds = 60;

/**
 * Active functions first, each part in the order in which Dask schedules their tasks.
 *
 * A function is also active if it was within the last minute before now, or before all work ended, or if it began with
 * the same graph as such a function. So no row moves during a computation or when it ends.
 *
 * @param now - scheduler time
 */
export function atWorkFirst<T extends PrefixCounts>(counts: readonly T[], now: Seconds): readonly T[] {
  const lately = latelyActive(counts, now);
  const graphs = new Set(counts.filter(lately).map(({ since }) => since));
  const sorted = [...counts].sort((a, b) => (a.since || 0) - (b.since || 0) || a.order - b.order || a.id - b.id);
  const isAtWork = sorted.map(each => lately(each) || graphs.has(each.since));
  return [...sorted.filter((_, i) => isAtWork[i]), ...sorted.filter((_, i) => !isAtWork[i])];
}

/** The same for what arrives once and does not come again, in order of arrival. */
export function activeFirst<T extends PrefixCounts>(counts: readonly T[], now: Seconds): readonly T[] {
  const lately = latelyActive(counts, now);
  return [...counts].sort((a, b) => Number(lately(b)) - Number(lately(a)) || a.order - b.order);
}

/** Whether something was active within the last minute before now, or before all work ended. */
function latelyActive(counts: readonly PrefixCounts[], now: Seconds): (each: PrefixCounts) => boolean {
  const last = counts.some(each => each.active > 0) ? now : counts.reduce((most, { until }) => Math.max(most, until || 0), 0);
  return each => each.active > 0 || each.until >= last - PATIENCE;
}

/** For title, summary and sidebar of one moment. */
const presents = new WeakMap<readonly PrefixCounts[], readonly PrefixCounts[]>();

/** Functions of the current work period, or of the last one: a period is work without a pause of 2 s. */
export function presentWork(counts: readonly PrefixCounts[]): readonly PrefixCounts[] {
  const known = presents.get(counts);
  if (known !== undefined) {
    return known;
  }
  let begin = Number.NaN;
  const present = new Uint8Array(counts.length);
  const ended: number[] = [];
  const include = (i: number): void => {
    const { since } = counts[i];
    begin = Math.min(since, Number.isNaN(begin) ? since : begin);
    present[i] = 1;
  };
  for (let i = 0; i < counts.length; i++) {
    if (counts[i].active > 0) {
      include(i);
    } else {
      ended.push(i);
    }
  }
  for (const i of ended.sort((a, b) => counts[b].until - counts[a].until || 0)) {
    // If a feed reports no times, everything belongs to one period.
    if (!(counts[i].until < begin - GAP)) {
      include(i);
    }
  }
  const found = counts.filter((_, i) => present[i] === 1);
  presents.set(counts, found);
  return found;
}

/** The same, or all functions where it is not known which of them are without work: their tasks may be queued. */
export function workNow(run: Run, counts: readonly PrefixCounts[]): readonly PrefixCounts[] {
  return knowsAllTasks(run) ? presentWork(counts) : counts;
}

/** Totals of tasks of the present computations; where these are not known, of the current work period. */
export function presentTotals(run: Run): TaskTotals {
  const present = presentCounts(run);
  return taskTotals(present.computations === null ? workNow(run, prefixCounts(run)) : present.counts);
}
