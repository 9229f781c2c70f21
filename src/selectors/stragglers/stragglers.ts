/** Tasks that run much longer than nearly all others of their function. */
import { formatCount, formatDuration } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import type { Run } from '../../run/run';
import { runningFor } from '../workers/running-count';
import { usualDurations } from './usual-durations';

/** A task is a straggler that runs this many times longer than most of its function. */
const STRAGGLING = 3;

/** Whether a task is a straggler; not where it is not known how long others of its function take. */
export function isStraggling(runsFor: Seconds, p95: Seconds): boolean {
  return runsFor > STRAGGLING * p95;
}

/** What most executions of a function take less than, as text. */
export function p95Words(p95: Seconds, trans: Translate): string {
  return trans.__('p95 %1', formatDuration(p95));
}

/** How many tasks are known to be stragglers, and which one runs for longest, as a sentence; '' without any. */
export function stragglerWords(run: Run, trans: Translate): string {
  const usual = usualDurations(run);
  const found = [...run.running.list].filter(task => isStraggling(runningFor(run, task), usual.known95(task.prefix)));
  if (found.length === 0) {
    return '';
  }
  const longest = found.reduce((first, task) => (task.start < first.start ? task : first));
  return trans._n(
    '1 task runs much longer than nearly all others of its function: %3 for %4, %5.',
    '%2 tasks run much longer than nearly all others of their functions, the longest: %3 for %4, %5.',
    found.length,
    formatCount(found.length),
    oneLine(run.prefixNames[longest.prefix] ?? '?'),
    formatDuration(runningFor(run, longest)),
    p95Words(usual.known95(longest.prefix), trans)
  );
}
