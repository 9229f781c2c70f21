import type { Seconds, Share } from '../../base/units';
import { type Facts, once } from '../facts';

/**
 * Share of the computing time in which a task was on a CPU, by Dask's fine metrics; NaN if it is not known for the period. Only the thread
 * of the task itself is measured: libraries and subprocesses may compute for it meanwhile.
 */
export const onCpuIn = once((facts): Share => {
  const [on, off] = secondsOf(facts);
  return facts.whole && on + off > 0 ? on / (on + off) : Number.NaN;
});

/** With a smaller share, tasks wait more than they compute. */
const MOSTLY: Share = 0.5;
/** Metrics of less of the computing time say little. */
const KNOWN: Share = 0.5;

/** The same if it is so small that tasks mostly wait for something, and known for most of them; else NaN. */
export function waitingOnCpu(facts: Facts): Share {
  const share = onCpuIn(facts);
  const [on, off] = secondsOf(facts);
  return share < MOSTLY && on + off >= KNOWN * facts.partition.parts.compute ? share : Number.NaN;
}

function secondsOf({ run }: Facts): readonly [on: Seconds, off: Seconds] {
  const sum = (activity: string): Seconds =>
    run.activities.sumObserved('seconds', metric => metric.context === 'execute' && metric.activity === activity) || 0;
  return [sum('thread-cpu'), sum('thread-noncpu')];
}
