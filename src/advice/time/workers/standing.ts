/** Workers that sent no heartbeats while threads of theirs had a task: whether these computed meanwhile is not known. */
import type { Seconds } from '../../../base/units';
import { unobservedPeriods } from '../../../run/idle-time';
import { pausedIn } from '../../../run/lanes/busy-periods';
import { eachBetween } from '../../../run/lanes/lane-search';
import type { Run } from '../../../run/run';
import type { Period } from '../../../run/selection/selection';
import { intervalOf, lateSamples } from '../../../selectors/unheard';
import { momentsOf } from '../../points';
import type { OwnLanes } from './by-worker';

/** Dask logs a line on the worker from this on (distributed.admin.tick.limit). */
export const LIMIT: Seconds = 3;
/** Silences that begin at times that differ by more are of two workers. */
export const NEAR: Seconds = 0.1;

/** A sample at which some worker had sent no heartbeat for {@link LIMIT} longer than it waits between two. */
interface SilentSample {
  readonly sample: number;
  /** When the last heartbeat had come. */
  readonly since: Seconds;
  /** Time between two heartbeats. */
  readonly usual: Seconds;
}

/** Those at which the scheduler was on time. */
export function silentSamples(run: Run): readonly SilentSample[] {
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, unheard, workers] = [column('time'), column('unheard_max'), column('workers')];
  const [moments, late] = [momentsOf(run), lateSamples(run)];
  const gaps = unobservedPeriods(run);
  const found: SilentSample[] = [];
  for (let sample = 0; sample < Math.min(times.length, unheard.length); sample++) {
    const usual = intervalOf(workers[sample]);
    const since = times[sample] - unheard[sample];
    // A scheduler that did not answer heard nobody.
    if (moments[sample] && !late[sample] && unheard[sample] - pausedIn(gaps, since, times[sample]) >= LIMIT + usual) {
      found.push({ sample, since, usual });
    }
  }
  return found;
}

/** A time in which a worker sent no heartbeat: from its last one to the last sample that says so. */
export interface Silence extends Period {
  /** When a sample has heard of it again, or of no silence of that length. */
  readonly until: Seconds;
  readonly usual: Seconds;
  /** Whether it is one that had tasks at some time of it: all workers had some, or only one. */
  readonly had: boolean;
  /** Whether no worker at all was heard of. */
  readonly all: boolean;
}

function silencesOf(run: Run): readonly Silence[] {
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, unheard, others] = [column('time'), column('unheard_max'), column('unheard_min')];
  const [assigned, least, most] = [column('assigned_sum'), column('assigned_min'), column('assigned_max')];
  const found: Silence[] = [];
  for (const { sample, since, usual } of silentSamples(run)) {
    let next = sample + 1;
    while (next < times.length && Number.isNaN(unheard[next])) {
      next += 1;
    }
    const before = found.at(-1);
    const same = before !== undefined && since - before.from <= NEAR;
    const had = assigned[sample] >= 1 && (least[sample] >= 1 || most[sample] >= assigned[sample]);
    const silence = {
      ...{ from: same ? before.from : since, to: times[sample], until: times[next] ?? run.clock.latest, usual },
      had: had || (same && before.had),
      all: others[sample] >= LIMIT + usual
    };
    found.splice(same ? found.length - 1 : found.length, same ? 1 : 0, silence);
  }
  return found;
}

/** Silences in which threads of the silent worker had one task from begin to end. */
export interface Standing {
  /** By worker. */
  readonly byWorker: ReadonlyMap<number, readonly Silence[]>;
  /** Where it is not known which worker it was. */
  readonly doubtful: readonly Silence[];
}

/** Of those workers that may have been silent; one that began or ended a task did not stand still. */
export function standingOf(run: Run, period: Period, workers: Iterable<OwnLanes>): Standing {
  const byWorker = new Map<number, Silence[]>();
  const doubtful: Silence[] = [];
  for (const silence of silencesOf(run).filter(({ from, to }) => from < period.to && to > period.from)) {
    const possible = [...workers].filter(each => stood(each, silence));
    if (silence.had && (silence.all || possible.length === 1)) {
      for (const { worker } of possible) {
        byWorker.set(worker, [...(byWorker.get(worker) ?? []), silence]);
      }
    } else if (possible.length > 0) {
      doubtful.push(silence);
    }
  }
  return { byWorker, doubtful };
}

/** Whether threads had a task all the time, and none of them began or ended one. */
function stood({ lanes, running }: OwnLanes, silence: Silence): boolean {
  const { from, to, usual } = silence;
  const begins = running.filter(start => start < to);
  let had = begins.length > 0;
  const began = begins.some(start => !covers(start, to, silence));
  return (
    !began &&
    lanes.every(({ compute }) => {
      let still = true;
      eachBetween(compute, from + usual + NEAR, to - NEAR, ({ start, duration }) => {
        still = covers(start, start + duration, silence);
        had ||= still;
        return still;
      });
      return still;
    }) &&
    had
  );
}

/** Whether a task ran from the start of a silence to its end. */
export function covers(start: Seconds, end: Seconds, { from, to, usual }: Silence): boolean {
  return start <= from + usual + NEAR && end >= to - NEAR;
}

/** What is known to have been computed of a task that ran between two times, at least. */
export function withoutSilences(start: Seconds, end: Seconds, silences: readonly Silence[]): Seconds {
  return silences.reduce(
    (left, each) => (covers(start, end, each) ? left - (Math.min(end, each.until) - Math.max(start, each.from)) : left),
    end - start
  );
}
