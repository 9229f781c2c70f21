/** How long a computation in progress still takes, estimated from the executions that ended in the last 10 s. */
import type { Seconds } from '../../base/units';
import { firstReaching } from '../../run/lanes/lane-search';
import type { Track } from '../../run/lanes/lane-track';
import type { Run } from '../../run/run';
import { type Computation, isDivided } from '../../run/tables/computations';
import { stateOf } from '../tasks/computation-words';
import { ENOUGH, SHORTEST, WINDOW } from './rates';

/** Executions of one function that ended in the window. */
interface Ended {
  count: number;
  /** When the first of them started. */
  since: Seconds;
}

/** Executions by function that ended in the window before a moment. */
interface Lately {
  readonly now: Seconds;
  readonly ended: ReadonlyMap<number, Ended>;
}

/** How long counts are used again: a window has hundreds of thousands of executions in a large cluster. */
const KEPT: Seconds = 0.5;

const cache = new WeakMap<Run, Lately>();

/**
 * Estimated seconds until all tasks of a computation are done: of the function that takes longest at its present rate.
 *
 * NaN if no reliable estimate is possible: it is not in progress, the run has ended, some tasks are not followed, a function
 * has tasks left and too few that ended, or another computation has unfinished tasks of the same function.
 */
export function timeLeft(run: Run, computation: Computation): Seconds {
  const shares = run.computations.functionsOf(computation.id);
  if (run.hasEnded || stateOf(computation) !== 'active' || !isDivided(computation, shares)) {
    return Number.NaN;
  }
  const { now, ended } = endedLately(run);
  const others = functionsOfOthers(run, computation);
  let longest = 0;
  for (const { prefix, left } of shares) {
    const { count, since } = ended.get(prefix) ?? { count: 0, since: now };
    const span = Math.min(WINDOW, now - since);
    if (left > 0 && (count < ENOUGH || span < SHORTEST || others === null || others.has(prefix))) {
      return Number.NaN;
    }
    longest = left > 0 ? Math.max(longest, (left * span) / count) : longest;
  }
  return longest > 0 ? longest : Number.NaN;
}

/**
 * Functions of which another computation has unfinished tasks, or had some in the window: executions do not say whose they
 * are. `null` if they are not known.
 */
function functionsOfOthers(run: Run, { id }: Computation): ReadonlySet<number> | null {
  if (run.computations.unkept > 0) {
    return null;
  }
  const from = run.clock.latest - WINDOW - KEPT;
  const functions = new Set<number>();
  for (const other of run.computations.list) {
    if (other.id !== id && (other.values.left > 0 || other.values.stop >= from)) {
      const shares = run.computations.functionsOf(other.id);
      if (!isDivided(other, shares)) {
        return null;
      }
      for (const { prefix, tasks } of shares) {
        if (tasks > 0) {
          functions.add(prefix);
        }
      }
    }
  }
  return functions;
}

/** What ended in the window before now, or before a moment ago; nothing where some of it is not kept. */
function endedLately(run: Run): Lately {
  const now = run.clock.latest;
  const last = cache.get(run);
  if (last !== undefined && last.now <= now && now < last.now + KEPT) {
    return last;
  }
  const ended = new Map<number, Ended>();
  const from = now - WINDOW;
  if (run.tasks.incompleteUntil <= from) {
    for (const lane of run.tasks.lanes) {
      if (lane !== undefined && lane.compute.end >= from) {
        countEnded(lane.compute, from, ended);
      }
    }
  }
  const lately = { now, ended };
  cache.set(run, lately);
  return lately;
}

function countEnded({ chunks }: Track, from: Seconds, ended: Map<number, Ended>): void {
  for (const chunk of chunks) {
    for (let i = chunk.end < from ? chunk.length : firstReaching(chunk, from); i < chunk.length; i++) {
      const start = chunk.startOf(i);
      if (start + chunk.durationOf(i) >= from) {
        const of = ended.get(chunk.labelOf(i)) ?? { count: 0, since: start };
        ended.set(chunk.labelOf(i), of);
        of.count += 1;
        of.since = Math.min(of.since, start);
      }
    }
  }
}
