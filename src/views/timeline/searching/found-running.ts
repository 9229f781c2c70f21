import type { Seconds } from '../../../base/units';
import type { Run } from '../../../run/run';
import type { Selection } from '../../../run/selection/selection';
import type { RunningTask } from '../../../run/tables/running';

/**
 * The running tasks that satisfy the conditions of a search, in order of start.
 *
 * @param keys - texts that their keys contain
 * @param now - scheduler time up to which they have run
 */
export function runningOf(
  run: Run,
  { functions, workers, durations }: Selection,
  keys: readonly string[],
  now: Seconds
): RunningTask[] {
  const texts = keys.map(text => text.toLowerCase());
  return [...run.running.list]
    .filter(({ worker, prefix, start, key }) => {
      const long = now - start;
      return (
        texts.every(text => key.toLowerCase().includes(text)) &&
        (functions?.includes(run.prefixNames[prefix] ?? '') ?? true) &&
        (workers?.includes(run.workerNames[worker]?.address ?? '') ?? true) &&
        (durations === null || (long >= durations.least && long <= durations.most))
      );
    })
    .sort((a, b) => a.start - b.start || a.id - b.id);
}
