/** How many tasks run, for how long, and how many threads are busy. */
import { formatCount, formatTick } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import type { RunningTask } from '../../run/tables/running';
import { liveWorkers, total } from './worker-rows';

/**
 * Number of running tasks; NaN where nothing reports it. A task is reported one by one with the heartbeat after its start; until
 * then it is among those that its worker counts.
 */
export function runningCount(run: Run): number {
  const counted = total(liveWorkers(run), worker => worker.executing);
  return run.has('running') ? Math.max(run.running.count, counted || 0) : counted;
}

/** How long a task has run so far. */
export function runningFor({ clock }: Run, { start }: Pick<RunningTask, 'start'>): Seconds {
  return Math.max(0, clock.latest - start);
}

/** A mean number of busy threads: `2.5`, `< 0.1`. */
export function threadsText(threads: number): string {
  if (threads > 0 && threads < 0.05) {
    return `< ${formatTick(0.1)}`;
  }
  // Rounded to three digits, 2,048 would be 2,050: more threads than there are.
  return threads >= 99.95 ? formatCount(threads) : formatTick(Math.round(threads * 10) / 10);
}
