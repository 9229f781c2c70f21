import { formatPercent } from '../../../base/format';
import type { Seconds, Share } from '../../../base/units';
import { oneLine } from '../../../plot/text';
import type { Translate } from '../../../plot/plot';
import { count, seconds, share } from '../../figures';
import { type Facts, LEAST_SHARE, once, selecting, shareOf, timeOf } from '../../facts';
import { LEAST_COST, type Rule } from '../../rule';
import { onCpuIn } from '../../time/on-cpu';
import { measuredWords } from '../../words';
import { workIn } from '../../work-in';
import { LEAST_SAMPLES, MOSTLY, SAMPLED, type Wait, type Waiting, perhapsWaiting, waitKinds, waitsOf } from './waits';

/** Tasks hold their threads while they wait for a lock, for another task or for an actor. */
export const locks: Rule = {
  cause: 'locks',
  theme: 'compute',
  workload: 'locked.py',
  recognised:
    'By the profile, tasks spend their time in functions that return when another task or a client lets them: Lock, MultiLock, Semaphore and ' +
    'SerializableLock (acquire, without as much time as they take to release it), Queue (get and put), Event (wait), Variable (get), the result of a call of an actor, or results of other tasks (Future.result, Client.gather, wait, as_completed). That part of the time of ' +
    "each function counts. Nothing is said where tasks secede: those hold no thread. Locks of Python's own modules and of other libraries are not seen. " +
    'Where a SerializableLock is acquired in the same function in which data is written, and neither calls another function, the profile has only their sum: it is not known.',
  needs: ['tasks', 'running', 'series'],
  thresholds: [
    LEAST_COST,
    {
      value: MOSTLY,
      unit: 'share',
      of: 'the time of a function that waits for something else than a lock',
      source: 'with less, it may be the way there and back: a quarter on a busy machine'
    },
    { value: LEAST_SAMPLES, unit: 'count', of: 'samples of waiting', source: 'fewer may be chance' },
    {
      value: SAMPLED,
      unit: 'share',
      of: 'the time of a function that is sampled',
      source: 'what tasks did in the rest is not known'
    }
  ],
  link: 'https://docs.dask.org/en/stable/futures.html#coordination-primitives',
  title: trans => trans.__('Tasks wait for a lock or for each other'),
  remedy: trans =>
    trans.__(
      'Do inside of a lock only what needs it, or write to what needs none (Zarr, Parquet, a file for each block). If a limit is intended, as for a database, more threads than it allows do not help.'
    ),
  // Tasks that compute all the time do not wait.
  unknown: facts => {
    const waiting = 1 - (onCpuIn(facts) || 0);
    return facts.run.profile.length === 0 && shareOf(facts, waiting * timeOf(facts, 'compute')) >= LEAST_SHARE
      ? facts.trans.__('There is no profile of the tasks.')
      : null;
  },
  find: facts => {
    const { trans, period } = facts;
    const { waits, part } = waitsIn(facts);
    const [worst] = waits;
    const [compute, running] = [part * timeOf(facts, 'compute'), part * timeOf(facts, 'running')];
    if (worst === undefined || shareOf(facts, compute + running) < LEAST_SHARE) {
      return null;
    }
    const name = oneLine(worst.function, 60);
    const words = wordsOf(worst.wait, trans);
    return {
      claims: [{ time: { compute, running } }],
      confidence: 'medium',
      doubt: trans.__('How long tasks waited is estimated from samples of what they did.'),
      title: words.title,
      remedy: words.remedy,
      evidence: {
        selection: selecting({ period, functions: [...new Set(waits.map(each => each.function))] }),
        plot: 'profile',
        figures: [
          share(worst.wait.name, worst.part),
          count(
            trans.__('Samples of waiting'),
            waits.reduce((sum, { samples }) => sum + samples, 0)
          ),
          seconds(trans.__('Threads that waited'), compute + running)
        ]
      },
      sentence: cost => {
        const sentence = trans.__(
          '%1. By samples, tasks of %2 wait %3 of their time in %4. Such waiting costs %5 of the time.',
          words.title,
          name,
          formatPercent(worst.part),
          worst.wait.name,
          formatPercent(cost.share)
        );
        return measuredWords(sentence, cost, compute + running, trans);
      }
    };
  },
  overlooked: unknownWaits
};

/** That tasks may have waited for something, where samples do not tell; `null` if they do. */
export function unknownWaits(facts: Facts): string | null {
  const { uncertain, mixed } = waitsIn(facts);
  const isMuch = (part: Share): boolean => shareOf(facts, part * timeOf(facts, 'compute', 'running')) >= LEAST_SHARE;
  if (isMuch(uncertain)) {
    return facts.trans.__('There are too few samples of tasks that seem to wait.');
  }
  return isMuch(mixed)
    ? facts.trans.__(
        "Tasks may have waited for a lock of their process: Dask's samples do not tell that from what they do beside it."
      )
    : null;
}

function wordsOf({ kind }: Wait, trans: Translate): { readonly title: string; readonly remedy?: string } {
  switch (kind) {
    case 'lock':
      return { title: trans.__('Tasks wait for a lock') };
    case 'actor':
      return {
        title: trans.__('Tasks wait for an actor'),
        remedy: trans.__('An actor runs one call at a time: let it do less in each, call it less often, or use several actors.')
      };
    case 'signal':
      return {
        title: trans.__('Tasks wait for another task or a client'),
        remedy: trans.__(
          'Submit tasks when they can begin, or let them depend on the results of others instead of waiting for a queue, an event or a variable. Or call secede() before a long wait, and rejoin() afterwards: the thread is free meanwhile.'
        )
      };
    default:
      return {
        title: trans.__('Tasks wait for each other'),
        remedy: trans.__(
          'Let tasks depend on the results of others instead of waiting for them. Or call secede() before a long wait, and rejoin() afterwards: the thread is free meanwhile.'
        )
      };
  }
}

/** A wait of the tasks of a function. */
interface Named extends Waiting {
  readonly function: string;
}

/** Where tasks wait, the longest first, and which part of the time of all tasks that is. */
interface Waits {
  readonly waits: readonly Named[];
  readonly part: Share;
  /** The part of which too few samples are known. */
  readonly uncertain: Share;
  /** The part of which samples do not tell whether tasks wait or do something else. */
  readonly mixed: Share;
}

const waitsIn = once((facts): Waits => {
  const { run, period } = facts;
  const kinds = haveSeceded(facts) ? null : waitKinds(facts);
  if (kinds === null) {
    return { waits: [], part: 0, uncertain: 0, mixed: 0 };
  }
  const seceded = new Set([...run.running.list].filter(each => each.seceded).map(({ prefix }) => prefix));
  const { functions } = workIn(run, period);
  const all = functions.reduce((sum, { total }) => sum + total, 0);
  const main = functions
    .filter(({ id, total }) => !seceded.has(id) && total >= LEAST_SHARE * all)
    .map(({ id, total }) => ({ name: run.prefixNames[id] ?? '', total }));
  const found = main
    .flatMap(({ name, total }) => waitsOf(facts, kinds, name, total).map(each => ({ ...each, function: name })))
    .sort((a, b) => b.time - a.time);
  const waits = found.filter(({ certain }) => certain);
  const partOf = (times: readonly Seconds[]): Share => (all > 0 ? times.reduce((sum, time) => sum + time, 0) / all : 0);
  const part = partOf(waits.map(({ time }) => time));
  return {
    waits,
    part,
    uncertain: partOf(found.map(({ time }) => time)) - part,
    mixed: partOf(main.map(({ name, total }) => perhapsWaiting(facts, kinds, name, total)))
  };
});

/** What that means for the time that counts as computing. */
export function secededWords(trans: Translate): string {
  return trans.__(
    'Tasks had left their threads (secede(), worker_client()). Their time counts as computing, so threads may have worked less.'
  );
}

/** Whether noticeably more tasks ran than held a thread, by samples of every second. */
export const haveSeceded = once(({ run, period }): boolean => {
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, holding, tasks] = [column('time'), column('computing_sum'), column('processing_sum')];
  // Of a worker that was not heard of for a while, tasks that had ended since are still reported.
  const running = column('executing_sum').map((each, k) => (tasks[k] < each ? tasks[k] : each));
  const more = (k: number): number => Math.max(0, running[k] - holding[k] || 0);
  let [all, free] = [0, 0];
  for (let k = 0; k < Math.min(times.length, running.length, holding.length); k++) {
    if (times[k] >= period.from && times[k] <= period.to && running[k] >= holding[k]) {
      all += running[k];
      // A single sample has tasks that have ended since the last heartbeat.
      free += Math.min(more(k), Math.max(more(k - 1), more(k + 1)));
    }
  }
  return all > 0 && free >= LEAST_SHARE * all;
});

/** Fewer samples say little of how many threads had tasks. */
const LEAST_SECONDS = 4;

/**
 * How many threads had a task, and how many there were, on average by samples of every second; `null` where no tasks had
 * seceded, or by too few.
 */
export const heldBySamples = once((facts): { readonly held: number; readonly threads: number } | null => {
  const { run, period } = facts;
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, threads, holding] = [column('time'), column('threads_sum'), column('computing_sum')];
  const samples = Array.from(holding, (_, k) => k).filter(
    k => times[k] >= period.from && times[k] <= period.to && holding[k] >= 0 && threads[k] > 0
  );
  const mean = (of: Float64Array): number => samples.reduce((sum, k) => sum + of[k], 0) / samples.length;
  return haveSeceded(facts) && samples.length >= LEAST_SECONDS ? { held: mean(holding), threads: mean(threads) } : null;
});
