/** Time of threads while the scheduler did not answer. */
import type { Seconds } from '../base/units';
import { unobservedPeriods } from '../run/idle-time';
import { busyBetween } from '../run/lanes/busy-periods';
import { eachBetween } from '../run/lanes/lane-search';
import type { Lane } from '../run/lanes/task-store';
import type { Run } from '../run/run';
import type { Period } from '../run/selection/selection';
import type { WorkerThreads } from './selection/threads';

/** The parts of a period in which the scheduler did not answer. */
export function silencesIn(run: Run, { from, to }: Period): readonly Period[] {
  return unobservedPeriods(run)
    .map(gap => ({ from: Math.max(gap.from, from), to: Math.min(gap.to, to) }))
    .filter(gap => gap.from < gap.to);
}

/** Thread-seconds of a worker while the scheduler did not answer. */
export interface SilentTime {
  /** While the worker was there. */
  readonly all: Seconds;
  /** What of it nothing is known of: no execution, no transfer, no access to a disk and no task that runs. */
  readonly unknown: Seconds;
}

/** How the selected threads of a worker spent the time in which the scheduler did not answer. */
export function silentTime(run: Run, { worker, lanes, count, stay }: WorkerThreads): SilentTime {
  let [all, unknown] = [0, 0];
  for (const { from, to } of silencesIn(run, stay)) {
    let known = 0;
    for (const number of lanes) {
      const lane = run.tasks.lanes[number];
      known += lane === undefined ? 0 : Math.min(to - from, knownOf(lane, from, to));
    }
    for (const { start, seceded } of run.running.of(worker)) {
      known += seceded ? 0 : Math.max(0, to - Math.max(from, start));
    }
    all += count * (to - from);
    unknown += Math.max(0, count * (to - from) - known);
  }
  return { all, unknown };
}

/** Time in which it is known what a thread did. */
function knownOf({ compute, moves }: Lane, from: Seconds, to: Seconds): Seconds {
  let known = busyBetween(compute, from, to);
  if (moves !== null) {
    eachBetween(moves, from, to, ({ start, duration }) => {
      const [begin, end] = [Math.max(from, start), Math.min(to, start + duration)];
      known += Math.max(0, end - begin - busyBetween(compute, begin, end));
      return true;
    });
  }
  return known;
}
