/** How many threads of a worker work at the same time. */
import type { Seconds, Share } from '../../../base/units';
import { liveWorkers } from '../../../selectors/workers/worker-rows';
import { type Facts, timeOf } from '../../facts';
import { workIn } from '../../work-in';

/** A worker that works for a smaller share of the time is not one of those that take a core. */
const LEAST_WORK: Share = 0.05;

/** Threads at work in workers that use a core. */
export interface Busy {
  /** In each of them, on average while tasks run. */
  readonly busy: number;
  /** Their part of all work. */
  readonly part: Share;
  /** How many of those that work they are; 0 if they are all. */
  readonly workers: number;
}

/**
 * Threads at work in each of the given number of workers. Which of them use a core is not known: where not all do, it is those
 * with the fewest threads at work, for others may wait for a store or a service.
 */
export function busyIn(facts: Facts, processes: number): Busy {
  const { run, period } = facts;
  const byProcess = new Map<string, Seconds>();
  for (const { id, total } of workIn(run, period).workers) {
    const process = processOf(run.workerNames[id]?.address ?? String(id));
    byProcess.set(process, (byProcess.get(process) ?? 0) + total);
  }
  const totals = [...byProcess.values()];
  const live = new Set(liveWorkers(run).map(({ address }) => processOf(address)));
  const shared = [...live].some(process => process.startsWith('inproc:'));
  // Workers that have left since count, too: without them, the others would seem to have had their threads.
  const workers = Math.max(1, shared ? live.size : meanWorkers(facts) || Math.max(live.size, totals.length));
  const wall = workingTime(facts);
  const all = timeOf(facts, 'compute') + timeOf(facts, 'running');
  const working = totals.filter(total => total >= LEAST_WORK * wall).sort((a, b) => a - b);
  if (!(processes < Math.min(working.length, Math.round(workers)))) {
    return { busy: all / wall / workers, part: 1, workers: 0 };
  }
  const few = Math.max(1, processes);
  const some = working.slice(0, few).reduce((sum, total) => sum + total, 0);
  return { busy: some / wall / few, part: all > 0 ? Math.min(1, some / all) : 0, workers: few };
}

/** Time in which tasks ran anywhere. */
function workingTime({ partition: { steps, activity } }: Facts): Seconds {
  return activity.compute.reduce((sum, each, i) => sum + (each + activity.running[i] > 0 ? steps.width : 0), 0);
}

/** How many workers there were at a time, by the samples; NaN if it is not known. One that is restarted is another one. */
function meanWorkers({ run, period }: Facts): number {
  const [times, workers] = [run.series.column('time'), run.series.column('workers')];
  let [sum, points] = [0, 0];
  for (let k = 0; k < Math.min(times.length, workers.length); k++) {
    if (times[k] >= period.from && times[k] <= period.to && workers[k] > 0) {
      sum += workers[k];
      points += 1;
    }
  }
  return sum / points;
}

/** Workers in the process of their scheduler share one lock: their addresses begin with the host and the number of the process. */
function processOf(address: string): string {
  return /^inproc:\/\/[^/]*\/[^/]*/.exec(address)?.[0] ?? address;
}
