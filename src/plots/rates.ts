/** How fast tasks finish, from the counts as they come in: a run's counts have no history of their own. */
import type { Seconds } from '../base/units';
import { Beside } from '../run/beside';
import type { Run } from '../run/run';
import { prefixCounts } from './prefix-counts';

/** A rate is the mean of so long. */
const WINDOW: Seconds = 10;
/** A rate of less than that would be a guess. */
const SHORTEST: Seconds = 2;
/** Tasks that must have finished in the window before anybody says how long the rest takes. */
const ENOUGH = 5;

/** Speed of one function. */
export interface Rate {
  /** Tasks finished per second over the last 10 s; NaN while nobody can know it. */
  readonly perSecond: number;
  /** Estimated seconds until all its tasks are done; NaN where no estimate would be honest. */
  readonly left: Seconds;
}

interface Sample {
  readonly time: Seconds;
  readonly done: number;
}

/** Samples by prefix, and the version of the counts that the last ones are of. */
const observed = new Beside(() => ({ version: -1, samples: new Map<number, Sample[]>() }));

/** Note the counts that the run has now. Called by whoever draws; costs nothing while nothing changed. */
export function observeRates(run: Run): void {
  const version = run.version('prefixes');
  const state = observed.of(run);
  if (state.version === version) {
    return;
  }
  state.version = version;
  const time = run.clock.latest;
  for (const { id, done } of prefixCounts(run)) {
    const samples = state.samples.get(id) ?? [];
    state.samples.set(id, samples);
    const last = samples[samples.length - 1];
    if (last !== undefined && (time < last.time || done < last.done)) {
      // A recording was wound back.
      samples.length = 0;
    }
    samples.push({ time, done });
    while (samples.length > 2 && samples[1].time <= time - WINDOW) {
      samples.shift();
    }
  }
}

/**
 * Speed of a function now.
 *
 * @param remaining - its tasks that are not done
 * @param moving - its tasks that have a worker: with none, the rate says nothing about the rest
 */
export function rateOf(run: Run, prefix: number, remaining: number, moving: number): Rate {
  const samples = observed.of(run).samples.get(prefix) ?? [];
  const now = run.clock.latest;
  const last = samples[samples.length - 1];
  // The newest sample that is at least a window old, else the oldest.
  let base: Sample | undefined = samples[0];
  for (const sample of samples) {
    base = sample.time <= now - WINDOW ? sample : base;
  }
  if (base === undefined || now - base.time < SHORTEST) {
    return { perSecond: Number.NaN, left: Number.NaN };
  }
  // Counts come only when they change: between base and the window's start nothing happened.
  const finished = last.done - base.done;
  const perSecond = finished / Math.min(now - base.time, WINDOW);
  const honest = finished >= ENOUGH && moving > 0 && remaining > 0;
  return { perSecond, left: honest ? remaining / perSecond : Number.NaN };
}
