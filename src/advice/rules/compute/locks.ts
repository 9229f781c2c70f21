import { formatPercent } from '../../../base/format';
import type { Seconds, Share } from '../../../base/units';
import { oneLine } from '../../../plot/text';
import type { Translate } from '../../../plot/plot';
import type { ProfileFilter, ProfileStore } from '../../../run/logs/profile';
import { foldOf } from '../../../selectors/profile/profile-folds';
import { sampledTime } from '../../../selectors/profile/profile-rows';
import { count, seconds, share } from '../../figures';
import { type Facts, LEAST_SHARE, selecting, shareOf, timeOf } from '../../facts';
import { LEAST_COST, type Rule } from '../../rule';
import { onCpuIn } from '../../time/on-cpu';
import { measuredWords } from '../../words';
import { workIn } from '../../work-in';

/** Of the time of a function that waits for something else than a lock: with less, it may be the way there and back. */
const MOSTLY: Share = 0.5;
/** Fewer samples of waiting may be chance. */
const LEAST_SAMPLES = 50;
/** Of the time of a function that is sampled: with less, what its tasks did is not known. */
const SAMPLED: Share = 0.5;

/** What tasks wait for: functions that return when another task or a client lets them. */
interface Wait {
  /** Releasing a lock takes as long as acquiring a free one. A signal may come from another task or from a client. */
  readonly kind: 'lock' | 'signal' | 'task' | 'actor' | 'release';
  /** As users write it. */
  readonly name: string;
  readonly file: RegExp;
  readonly functions: readonly string[];
}

const WAITS: readonly Wait[] = [
  { kind: 'lock', name: 'Lock.acquire', file: /[\\/]distributed[\\/]lock\.py$/, functions: ['acquire'] },
  { kind: 'lock', name: 'MultiLock.acquire', file: /[\\/]distributed[\\/]multi_lock\.py$/, functions: ['acquire'] },
  { kind: 'lock', name: 'Semaphore.acquire', file: /[\\/]distributed[\\/]semaphore\.py$/, functions: ['acquire'] },
  {
    kind: 'lock',
    name: 'SerializableLock.acquire',
    file: /[\\/](dask[\\/]utils|xarray[\\/]backends[\\/]locks)\.py$/,
    functions: ['acquire', '__enter__']
  },
  { kind: 'signal', name: 'Queue.get', file: /[\\/]distributed[\\/]queues\.py$/, functions: ['get'] },
  { kind: 'signal', name: 'Queue.put', file: /[\\/]distributed[\\/]queues\.py$/, functions: ['put'] },
  { kind: 'signal', name: 'Event.wait', file: /[\\/]distributed[\\/]event\.py$/, functions: ['wait'] },
  { kind: 'signal', name: 'Variable.get', file: /[\\/]distributed[\\/]variable\.py$/, functions: ['get'] },
  { kind: 'task', name: 'Future.result', file: /[\\/]distributed[\\/]client\.py$/, functions: ['result'] },
  { kind: 'task', name: 'Client.gather', file: /[\\/]distributed[\\/]client\.py$/, functions: ['gather'] },
  { kind: 'task', name: 'wait', file: /[\\/]distributed[\\/]client\.py$/, functions: ['wait'] },
  { kind: 'task', name: 'as_completed', file: /[\\/]distributed[\\/]client\.py$/, functions: ['__next__'] },
  { kind: 'actor', name: 'ActorFuture.result', file: /[\\/]distributed[\\/]actor\.py$/, functions: ['result'] },
  { kind: 'release', name: 'release', file: /[\\/]distributed[\\/](lock|multi_lock|semaphore)\.py$/, functions: ['release'] }
];
const FUNCTIONS: ReadonlySet<string> = new Set(WAITS.flatMap(({ functions }) => functions));

/** Tasks hold their threads while they wait for a lock, for another task or for an actor. */
export const locks: Rule = {
  cause: 'locks',
  theme: 'compute',
  workload: 'locked.py',
  recognised:
    'By the profile, tasks spend their time in functions that return when another task or a client lets them: Lock, MultiLock, Semaphore and ' +
    'SerializableLock (acquire, without as much time as they take to release it), Queue (get and put), Event (wait), Variable (get), the result of a call of an actor, or results of other tasks (Future.result, Client.gather, wait, as_completed). That part of the time of ' +
    "each function counts. Nothing is said where tasks secede: those hold no thread. Locks of Python's own modules and of other libraries are not seen.",
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
          '%1: by samples, tasks of %2 wait %3 of their time in %4. Waiting in tasks takes %5 of the time.',
          words.title,
          name,
          formatPercent(worst.part),
          worst.wait.name,
          formatPercent(cost.share)
        );
        return measuredWords(sentence, cost, compute + running, trans);
      }
    };
  }
};

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

/** What tasks of one function wait for. */
interface Waiting {
  readonly function: string;
  readonly wait: Wait;
  /** Of the samples of the function. */
  readonly part: Share;
  readonly samples: number;
  readonly time: Seconds;
}

/** Where tasks wait, the longest first, and which part of the time of all tasks that is. */
function waitsIn(facts: Facts): { readonly waits: readonly Waiting[]; readonly part: Share } {
  const { run, period, whole } = facts;
  const store = run.profile;
  const kinds = haveSeceded(facts) ? null : kindsOf(store);
  if (kinds === null) {
    return { waits: [], part: 0 };
  }
  const seceded = new Set([...run.running.list].filter(each => each.seceded).map(({ prefix }) => prefix));
  const { functions } = workIn(run, period);
  const all = functions.reduce((sum, { total }) => sum + total, 0);
  const waits = functions
    .filter(({ id, total }) => !seceded.has(id) && total >= LEAST_SHARE * all)
    .flatMap(({ id, total }) => {
      const name = run.prefixNames[id] ?? '';
      const prefix = store.prefixes.indexOf(name);
      const filter = { prefixes: [prefix], ...(whole ? {} : period) };
      return prefix < 0 ? [] : waitsOf(store, kinds, filter, total).map(each => ({ ...each, function: name }));
    })
    .sort((a, b) => b.time - a.time);
  return { waits, part: all > 0 ? waits.reduce((sum, { time }) => sum + time, 0) / all : 0 };
}

/** Whether noticeably more tasks ran than held a thread, by samples of every second. */
function haveSeceded({ run, period }: Facts): boolean {
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, running, holding] = [column('time'), column('executing_sum'), column('computing_sum')];
  let [all, free] = [0, 0];
  for (let k = 0; k < Math.min(times.length, running.length, holding.length); k++) {
    if (times[k] >= period.from && times[k] <= period.to && running[k] >= holding[k]) {
      all += running[k];
      free += running[k] - holding[k];
    }
  }
  return all > 0 && free >= LEAST_SHARE * all;
}

/** What tasks of a function wait for, by their samples; nothing if these are few. */
function waitsOf(
  store: ProfileStore,
  kinds: Uint8Array,
  filter: ProfileFilter,
  time: Seconds
): readonly Omit<Waiting, 'function'>[] {
  const { own, total } = foldOf(store, filter);
  if (sampledTime(store, total[0]) < SAMPLED * time) {
    return [];
  }
  const sums = new Float64Array(WAITS.length);
  for (let stack = 1; stack < own.length; stack++) {
    if (kinds[stack] > 0) {
      sums[kinds[stack] - 1] += own[stack];
    }
  }
  const back = WAITS.reduce((sum, { kind }, i) => sum + (kind === 'release' ? sums[i] : 0), 0);
  return WAITS.flatMap((wait, i) => {
    const samples = sums[i] - (wait.kind === 'lock' ? back : 0);
    const part = samples / total[0];
    const enough = wait.kind === 'lock' || part >= MOSTLY;
    return wait.kind !== 'release' && samples >= LEAST_SAMPLES && enough ? [{ wait, samples, part, time: part * time }] : [];
  });
}

/**
 * What each stack waits for, as 1 + its number in {@link WAITS}; 0 for nothing, and `null` if none does. It is the outermost function
 * that counts: a Lock calls what a Semaphore does.
 */
function kindsOf(store: ProfileStore): Uint8Array | null {
  const frames = Uint8Array.from(store.frames, frame =>
    frame !== null && FUNCTIONS.has(frame.name)
      ? 1 + WAITS.findIndex(({ file, functions }) => functions.includes(frame.name) && file.test(frame.file))
      : 0
  );
  if (!frames.some(Boolean)) {
    return null;
  }
  const kinds = new Uint8Array(store.stacks);
  for (let stack = 1; stack < store.stacks; stack++) {
    kinds[stack] = kinds[store.parent(stack)] || frames[store.frameNumber(stack)];
  }
  return kinds;
}
