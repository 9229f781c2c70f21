/** How busy the threads of all workers were with a computation. */
import { formatCount, formatDuration, formatPercent, UNKNOWN } from '../../base/format';
import type { Seconds, Share } from '../../base/units';
import type { Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import type { Period } from '../../run/selection/selection';
import type { Computation } from '../../run/tables/computations';
import { integral, sampleAt } from '../integral';
import { endOf, renewedWords, stateOf, taskWords, wallTime, wallWords } from '../tasks/computation-words';
import { beginOf } from './reading';

/** Smaller shares are shown as less than this. */
const LEAST: Share = 0.01;

/**
 * Share of the time of all workers' threads, from its submission to its end, or until now, in which its tasks computed; NaN if
 * that is not known. For one in progress it is a lower bound where {@link lacksRunning}.
 */
export function busyShare(run: Run, computation: Computation): Share {
  const { compute, offered, since, start, stop } = computation.values;
  if (computation.origin === 'earlier' && start < since) {
    // What its tasks computed before it was observed is in its sums, but not the time that the threads had then.
    return Number.NaN;
  }
  const begin = beginOf(computation);
  // Where nothing was measured, without the time before its first graph had been read.
  const before = begin < since ? integral(run, 'threads', { from: begin, to: since }) || 0 : 0;
  const known = offered > 0 ? offered + before : 0;
  if (stateOf(computation) !== 'active') {
    return known > 0 ? Math.min(1, compute / known) : Number.NaN;
  }
  if (known === 0 && stop > 0) {
    // In the recording of a block, its sums contain work from before the block.
    return Number.NaN;
  }
  const now = run.clock.latest;
  const ended = known > 0 ? stop : begin;
  const rest = now > ended ? integral(run, 'threads', { from: ended, to: now }) : 0;
  const running = followsRunning(run, computation) ? runningTime(run, { from: since, to: now }) : 0;
  const spent = compute + running;
  return known + rest > 0 && spent > 0 ? Math.min(1, spent / (known + rest)) : Number.NaN;
}

/** Whether what runs is not in the busy share of a computation in progress. */
export function lacksRunning(run: Run, computation: Computation): boolean {
  return stateOf(computation) === 'active' && !followsRunning(run, computation);
}

/** A busy share as text: `≥` where work is not in it, since it is not followed or not known to be of this computation. */
export function busyWords(run: Run, computation: Computation, share = busyShare(run, computation)): string {
  const partial = computation.values.unfollowed > 0 || lacksRunning(run, computation);
  // At least less than 1 % says nothing.
  const known = Number.isFinite(share) && !(partial && share < LEAST);
  return known ? `${partial ? '≥ ' : ''}${formatPercent(share)}` : UNKNOWN;
}

/** A shorter time without workers is not mentioned: there is one sample a second. */
const NOTEWORTHY: Seconds = 1;

/** How long there was no worker in the time of a computation, by samples: the busy share does not count it. */
export function withoutWorkers(run: Run, computation: Computation): Seconds {
  const [threads, times] = [run.series.column('threads_sum'), run.series.column('time')];
  const [from, to] = [computation.values.since, endOf(run, computation)];
  let seconds = 0;
  const length = Math.min(threads.length, times.length);
  for (let i = sampleAt(times, from); i < length && times[i] < to; i++) {
    if (threads[i] === 0) {
      seconds += Math.max(0, Math.min(to, times[i + 1] ?? to) - Math.max(from, times[i])) || 0;
    }
  }
  return seconds;
}

/** "no worker for 7.20 s"; empty if there always was one. */
function withoutWords(run: Run, computation: Computation, trans: Translate): string {
  const seconds = withoutWorkers(run, computation);
  return seconds >= NOTEWORTHY ? trans.__('no worker for %1', formatDuration(seconds)) : '';
}

/**
 * Its figures on one line: `38.0 s · 1,204 tasks · 40 erred before · 88 % busy · no worker for 7.20 s`. What is not known is left out.
 */
export function figureWords(run: Run, computation: Computation, trans: Translate): string {
  const { tasks, erred_before } = computation.values;
  const wall = wallTime(run, computation);
  const busy = busyWords(run, computation);
  const before = erred_before > 0 ? trans.__('%1 erred before', formatCount(erred_before)) : '';
  return [
    Number.isFinite(wall) ? wallWords(run, computation) : '',
    tasks > 0 || before === '' ? trans._n('1 task', '%2 tasks', tasks, taskWords(computation, trans)) : '',
    before,
    busy === UNKNOWN ? '' : trans.__('%1 busy', busy),
    withoutWords(run, computation, trans),
    renewedWords(run, computation, trans)
  ]
    .filter(part => part !== '')
    .join(' · ');
}

/** Whether all that runs is known, and is of this computation: running tasks do not say whose they are. */
function followsRunning(run: Run, computation: Computation): boolean {
  const { running, computations } = run;
  return (
    run.has('running') &&
    running.unlisted === 0 &&
    computations.unkept === 0 &&
    computations.list.every(each => each === computation || each.values.left === 0)
  );
}

function runningTime({ running }: Run, { from, to }: Period): Seconds {
  let sum = 0;
  for (const { start, seceded } of running.list) {
    // A task that has left the threads of its worker keeps none busy.
    sum += seceded ? 0 : Math.max(0, to - Math.max(from, start));
  }
  return sum;
}
