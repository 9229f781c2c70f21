import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import { type PrefixCounts, prefixCounts, type TaskTotals, taskTotals } from './prefix-counts';

/** Work goes on across a pause of less than that, as that of a function does (docs, feed: Episodes). */
const GAP: Seconds = 2;

/** A function that had nothing to do for so long, while others worked, gives way to them. */
const PATIENCE: Seconds = 60;

/**
 * Functions that are at work first, each part in the order in which Dask takes their tasks.
 *
 * At work is also who was so within the last minute before now, or before all work ended, and who began with the same
 * graph as one of these: so no row moves while a computation goes on, or when it ends.
 *
 * @param now - scheduler clock
 */
export function atWorkFirst(counts: readonly PrefixCounts[], now: Seconds): readonly PrefixCounts[] {
  const last = counts.some(each => each.active > 0) ? now : counts.reduce((most, { until }) => Math.max(most, until || 0), 0);
  const lately = (each: PrefixCounts): boolean => each.active > 0 || each.until >= last - PATIENCE;
  const graphs = new Set(counts.filter(lately).map(({ since }) => since));
  const rank = (each: PrefixCounts): number => (lately(each) || graphs.has(each.since) ? 0 : 1);
  return [...counts].sort((a, b) => rank(a) - rank(b) || (a.since || 0) - (b.since || 0) || a.order - b.order || a.id - b.id);
}

/** Functions of the present stretch of work, or of the last: their runs follow each other without a pause of 2 s. */
export function presentWork(counts: readonly PrefixCounts[]): readonly PrefixCounts[] {
  const end = (each: PrefixCounts): Seconds => (each.active > 0 ? Number.POSITIVE_INFINITY : each.until);
  let begin = Number.NaN;
  const present = new Set<number>();
  for (const each of [...counts].sort((a, b) => end(b) - end(a) || 0)) {
    // Where a feed does not tell times, all is of one stretch.
    if (!(end(each) < begin - GAP)) {
      begin = Math.min(each.since, Number.isNaN(begin) ? each.since : begin);
      present.add(each.id);
    }
  }
  return counts.filter(({ id }) => present.has(id));
}

/** What the tasks of the present stretch of work add up to. */
export function presentTotals(run: Run): TaskTotals {
  return taskTotals(presentWork(prefixCounts(run)));
}
