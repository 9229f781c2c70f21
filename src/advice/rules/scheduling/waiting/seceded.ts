/**
 * Threads without a task while tasks that have left theirs wait for others, as with `worker_client()`. Dask's record of a task
 * that has ended does not say that it had seceded: its time counts as computing, as if a thread had worked.
 */
import type { Seconds } from '../../../../base/units';
import { type Facts, once } from '../../../facts';
import { type Claim, claimOf, joined, type Span, sumOf } from '../../../spans';
import { touchedBy } from '../../../time/grid';
import { onlyMeans, withoutAssigned } from '../../../time/only-means';
import { workIn } from '../../../work-in';
import { haveSeceded } from '../../compute/locks';
import { waitKinds, waitsOf } from '../../compute/waits';
import { meanOf, secondsIn } from './by-second';

/** Such threads. */
export interface FreeThreads {
  /** Function whose tasks wait, and in what. */
  readonly name: string;
  readonly wait: string;
  /** The time of these threads that counts as computing. */
  readonly claim: Claim;
  readonly seconds: Seconds;
  /** When it was. */
  readonly spans: readonly Span[];
  /** Threads that had a task meanwhile, on average, and all of them. */
  readonly held: number;
  readonly threads: number;
}

/** Seconds with less than this between them are shown as one time. */
const GAP: Seconds = 1;

/**
 * Such threads, by samples of every second; `null` where no tasks had seceded, or where the profile does not show that they wait: they
 * may compute.
 *
 * @param explained - when threads have no task for another reason
 */
export function freeThreadsIn(facts: Facts, explained: readonly Span[]): FreeThreads | null {
  const waiting = waitingIn(facts);
  if (waiting === null) {
    return null;
  }
  const { series } = facts.run;
  const { steps, byStep } = facts.partition;
  const [assigned, threads] = [series.column('assigned_sum'), series.column('threads_sum')];
  const most = new Float64Array(steps.count);
  const found = secondsIn(facts).filter(second => {
    const { sample, capacity, busy } = second;
    // The others are in another part already.
    const free = (1 - assigned[sample] / threads[sample]) * capacity - (capacity - busy);
    const [first, end] = touchedBy(second, steps);
    for (let i = first; free > 0 && i < end; i++) {
      most[i] = Math.min(1, free / busy) * byStep.compute[i];
    }
    return free > 0;
  });
  for (const span of explained) {
    most.fill(0, ...touchedBy(span, steps));
  }
  return {
    ...waiting,
    claim: claimOf('compute', most),
    seconds: sumOf(most),
    spans: joined(found, GAP),
    held: meanOf(facts, 'assigned_sum', found),
    threads: meanOf(facts, 'threads_sum', found)
  };
}

/** Of the functions whose tasks wait for other tasks, the one that takes most time. */
const waitingIn = once((facts): Pick<FreeThreads, 'name' | 'wait'> | null => {
  const { run, period } = facts;
  const kinds = haveSeceded(facts) ? waitKinds(facts) : null;
  if (kinds === null) {
    return null;
  }
  for (const { id, total } of workIn(run, period).functions) {
    const name = run.prefixNames[id] ?? '';
    const found = waitsOf(facts, kinds, name, total).find(({ wait, certain }) => certain && wait.kind === 'task');
    if (found !== undefined) {
      return { name, wait: found.wait.name };
    }
  }
  return null;
});

/** Why such threads may not be seen where there are tasks beside which they may be; `null` if they would be. */
export function whyUnseen(facts: Facts): string | null {
  return waitingIn(facts) === null ? null : (withoutAssigned(facts) ?? onlyMeans(facts));
}
