/** What tasks wait for while they run, by the samples of their profile: for a lock, another task, a client or an actor. */
import type { Seconds, Share } from '../../../base/units';
import type { ProfileFilter, ProfileStore } from '../../../run/logs/profile';
import { foldOf } from '../../../selectors/profile/profile-folds';
import { sampledTime } from '../../../selectors/profile/profile-rows';
import { type Facts, once } from '../../facts';

/** Of the time of a function that waits for something else than a lock: with less, it may be the way there and back. */
export const MOSTLY: Share = 0.5;
/** Fewer samples of waiting may be chance. */
export const LEAST_SAMPLES = 50;
/** Of the time of a function that is sampled: with less, what its tasks did is not known. */
export const SAMPLED: Share = 0.5;

/** What tasks wait for: functions that return when another task or a client lets them. */
export interface Wait {
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

/** A wait of the tasks of one function. */
export interface Waiting {
  readonly wait: Wait;
  /** Of the samples of the function. */
  readonly part: Share;
  readonly samples: number;
  readonly time: Seconds;
  /** Whether most of the time of the function was sampled, and there are enough samples of waiting. */
  readonly certain: boolean;
}

/** What tasks of a function wait for, by its name and the time that they took; also by few samples. */
export function waitsOf({ run, period, whole }: Facts, kinds: Uint8Array, name: string, time: Seconds): readonly Waiting[] {
  const { profile: store } = run;
  const prefix = store.prefixes.indexOf(name);
  return prefix < 0 ? [] : sampledWaits(store, kinds, { prefixes: [prefix], ...(whole ? {} : period) }, time);
}

/**
 * The time of samples of tasks of a function of which it is not known whether they wait: of functions that were called in one
 * place and called no other, as an acquire() of Dask's SerializableLock and what writes the data, the profile has only the sum.
 */
export function perhapsWaiting({ run, period, whole }: Facts, kinds: Uint8Array, name: string, time: Seconds): Seconds {
  const { profile: store } = run;
  const prefix = store.prefixes.indexOf(name);
  if (prefix < 0) {
    return 0;
  }
  const { own, total } = foldOf(store, { prefixes: [prefix], ...(whole ? {} : period) });
  const callers = new Set<number>();
  for (let stack = 1; stack < own.length; stack++) {
    if (kinds[stack] > 0 && own[stack] > 0) {
      callers.add(store.parent(stack));
    }
  }
  const isOneOfSeveral = (stack: number): boolean => stack > 0 && kinds[stack] === 0 && store.frameNumber(stack) === 0;
  const samples = own.reduce(
    (sum, each, stack) => sum + (isOneOfSeveral(stack) && callers.has(store.parent(stack)) ? each : 0),
    0
  );
  return total[0] > 0 ? (samples / total[0]) * time : 0;
}

function sampledWaits(store: ProfileStore, kinds: Uint8Array, filter: ProfileFilter, time: Seconds): readonly Waiting[] {
  const { own, total } = foldOf(store, filter);
  const sampled = sampledTime(store, total[0]) >= SAMPLED * time;
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
    const certain = sampled && samples >= LEAST_SAMPLES;
    return wait.kind !== 'release' && samples > 0 && enough ? [{ wait, samples, part, time: part * time, certain }] : [];
  });
}

/**
 * What each stack waits for, as 1 + its number in {@link WAITS}; 0 for nothing, and `null` if none does. It is the outermost function
 * that counts: a Lock calls what a Semaphore does.
 */
export const waitKinds = once(({ run: { profile: store } }): Uint8Array | null => {
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
});
