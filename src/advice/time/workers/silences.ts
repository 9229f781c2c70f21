/** When a worker sent no heartbeat for long, by samples of every second: the one place that says so. */
import type { Seconds } from '../../../base/units';
import { unobservedPeriods } from '../../../run/idle-time';
import { pausedIn } from '../../../run/lanes/busy-periods';
import type { Run } from '../../../run/run';
import type { Period } from '../../../run/selection/selection';
import { removals } from '../../../selectors/events/removals';
import { intervalOf, lateSamples } from '../../../selectors/unheard';
import { momentsOf } from '../../points';

/** Dask logs a line on the worker from this on (distributed.admin.tick.limit). */
export const LIMIT: Seconds = 3;
/** Silences that begin at times that differ by more are of two workers. */
export const NEAR: Seconds = 0.1;

/** What a sample says of a worker that had sent no heartbeat for {@link LIMIT} longer than it waits between two. */
export interface SilentSample extends Period {
  readonly sample: number;
  /** Whether the silent worker had tasks: all had some, or only one had, or no worker was heard of. */
  readonly had: boolean;
  /** Whether only one worker had tasks. */
  readonly one: boolean;
  /** Whether no worker at all was heard of. */
  readonly all: boolean;
}

/** A time in which a worker sent no heartbeat: from its last one to the last sample that says so. */
export interface Silence extends Period {
  /** When a sample has heard of it again, or of no silence of that length. */
  readonly until: Seconds;
  /** Time between two heartbeats. */
  readonly usual: Seconds;
  /** Whether the silent worker had tasks at some time of it. */
  readonly had: boolean;
  /** What the last sample says. */
  readonly one: boolean;
  readonly all: boolean;
  /** Whether results went to disk, or from there: a worker that writes some does so in its event loop, and its tasks go on. */
  readonly spilled: boolean;
  /** Whether the silent worker may be one that was removed then. */
  readonly removed: boolean;
  readonly samples: readonly SilentSample[];
}

/** Those while the scheduler was on time. */
export function silencesOf(run: Run): readonly Silence[] {
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, unheard, others, workers] = [column('time'), column('unheard_max'), column('unheard_min'), column('workers')];
  const [assigned, least, most] = [column('assigned_sum'), column('assigned_min'), column('assigned_max')];
  const [moments, late] = [momentsOf(run), lateSamples(run)];
  const gaps = unobservedPeriods(run);
  const found: SilentSample[][] = [];
  for (let k = 0; k < Math.min(times.length, unheard.length); k++) {
    const usual = intervalOf(workers[k]);
    const from = times[k] - unheard[k];
    // A scheduler that did not answer heard nobody.
    if (!moments[k] || late[k] || !(unheard[k] - pausedIn(gaps, from, times[k]) >= LIMIT + usual)) {
      continue;
    }
    // The one that was heard of last was silent as long, except for the time between two heartbeats.
    const all = others[k] >= unheard[k] - usual - NEAR;
    const one = most[k] >= assigned[k];
    const had = assigned[k] >= 1 && (all || one || least[k] >= 1);
    const sample = { sample: k, from, to: times[k], had, one, all };
    const before = found.at(-1);
    if (before !== undefined && from - before[0].from <= NEAR) {
      before.push(sample);
    } else {
      found.push([sample]);
    }
  }
  return found.map(samples => silenceOf(run, samples));
}

function silenceOf(run: Run, samples: readonly SilentSample[]): Silence {
  const [times, unheard, workers] = ['time', 'unheard_max', 'workers'].map(name => run.series.column(name));
  const [{ from }, { sample, to, one, all }] = [samples[0], samples[samples.length - 1]];
  let next = sample + 1;
  while (next < times.length && Number.isNaN(unheard[next])) {
    next += 1;
  }
  const until = times[next] ?? run.clock.latest;
  return {
    ...{ from, to, until, one, all, samples, usual: intervalOf(workers[sample]) },
    had: samples.some(each => each.had),
    spilled: hasSpilled(run, { from, to: until }, sample),
    removed: removals(run).some(({ time }) => time >= to && time <= until)
  };
}

/** Whether bytes on disk differ between samples of a time, of which one is known. */
function hasSpilled({ series }: Run, { from, to }: Period, inside: number): boolean {
  const [times, values] = [series.column('time'), series.column('spilled_sum')];
  let first = inside;
  while (first > 0 && times[first - 1] >= from) {
    first -= 1;
  }
  let before = Number.NaN;
  for (let k = first; k < Math.min(times.length, values.length) && times[k] <= to; k++) {
    if (values[k] >= 0) {
      if (before >= 0 && values[k] !== before) {
        return true;
      }
      before = values[k];
    }
  }
  return false;
}
