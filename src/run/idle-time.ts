/** When a run was idle, as far as it is known: for all views of it, so that they fold the same pauses. */
import type { Seconds } from '../base/units';
import { Folding, FOLD_WIDTHS } from './folded-time';
import { BusyPeriods, type Pause, pausedIn, SHORTEST_PAUSE } from './lanes/busy-periods';
import type { Run } from './run';
import type { TimeSpan } from './time-window';

/** A longer time between two measurements was not measured: nothing is known of it. Old ones are ten seconds apart. */
const UNMEASURED: Seconds = 15;

/** Time between two measurements. */
const SAMPLED: Seconds = 1;

/** Columns of the picture that pauses are folded for where there is no task stream: charts have different widths. */
const COLUMNS = 640;

interface Known {
  readonly state: string;
  readonly pauses: readonly Pause[];
}

const known = new WeakMap<Run, Known>();
const foldings = new WeakMap<readonly Pause[], Folding>();

/**
 * Pauses of a run, in order. Where a view of it needs its executions, they are those between executions; later ones, and
 * those of a run whose executions nobody has asked for, are known from what the scheduler measured: no task was running or assigned
 * to a worker, and no computation began or ended.
 */
export function pausesOf(run: Run): readonly Pause[] {
  const { tasks, running } = run;
  const versions = [run.version('series'), run.version('computations'), tasks.busy.version, tasks.busy.end];
  const state = [run.identity, ...versions, running.earliest].join(' ');
  let found = known.get(run);
  if (found?.state !== state) {
    const exact = pausesOfExecutions(run);
    const pauses = [...exact, ...later(measured(run), Math.max(tasks.busy.end, exact[exact.length - 1]?.to ?? tasks.busy.end))];
    const same = found !== undefined && JSON.stringify(found.pauses) === JSON.stringify(pauses);
    found = { state, pauses: same && found !== undefined ? found.pauses : pauses };
    known.set(run, found);
  }
  return found.pauses;
}

/** Pauses between executions, in order, as far as no thread ran what leaves no record meanwhile. */
export function pausesOfExecutions(run: Pick<Run, 'tasks' | 'running' | 'series'>): readonly Pause[] {
  return withoutUnrecorded(run, run.tasks.busy.pauses(run.running.earliest));
}

/**
 * Periods in which the scheduler did not get to look at itself, as while its process was stopped. That nothing ran then does not
 * mean that there was nothing to do: it is not called idle.
 */
export function unobservedPeriods({ meta }: Pick<Run, 'meta'>): readonly Pause[] {
  return (meta.unobserved ?? []).flatMap(([from, to]) => (from !== null && to !== null && from < to ? [{ from, to }] : []));
}

/** How much of some pauses was not observed. */
export function unobservedIn(run: Pick<Run, 'meta'>, pauses: readonly Pause[]): Seconds {
  const periods = unobservedPeriods(run);
  return pauses.reduce((sum, { from, to }) => sum + pausedIn(periods, from, to), 0);
}

/** A span with the pauses of the run in it folded, for a picture of any width: the same for all charts of the same span. */
export function withFolds(run: Run, { from, to }: TimeSpan): TimeSpan {
  const pauses = pausesOf(run);
  if (!(from < to) || !pauses.some(pause => pause.from < to && pause.to > from)) {
    return { from, to };
  }
  let folding = foldings.get(pauses);
  if (folding === undefined) {
    folding = new Folding(pauses, COLUMNS, FOLD_WIDTHS);
    foldings.set(pauses, folding);
  }
  const folded = folding.at(run.origin, folding.perColumnFor(from, to, COLUMNS));
  return folded.folds.some(fold => fold.pause.from < to && fold.pause.to > from) ? { from, to, folded } : { from, to };
}

/** After this time, on a small cluster, heartbeats report a task that was cancelled, and none any more that has ended. */
export const HEARD: Seconds = 2;

/**
 * Pauses between executions without the time in which, by the heartbeats, threads ran what leaves no record, as tasks do that were
 * cancelled.
 */
function withoutUnrecorded({ series }: Pick<Run, 'series'>, pauses: readonly Pause[]): readonly Pause[] {
  const [times, untils, executing, cancelled] = ['time', 'until', 'executing_sum', 'cancelled_sum'].map(name =>
    series.column(name)
  );
  let i = 0;
  return pauses.flatMap(pause => {
    const busy = new BusyPeriods();
    busy.add(pause.from, pause.from);
    for (; i < times.length && times[i] < pause.to; i++) {
      const until = Math.max(times[i], untils[i] || 0);
      if (times[i] > pause.from + HEARD && until < pause.to && (executing[i] > 0 || cancelled[i] > 0)) {
        busy.add(times[i], until);
      }
    }
    busy.add(pause.to, pause.to);
    return busy.pauses(Number.POSITIVE_INFINITY);
  });
}

/** The parts of pauses that are later than a time. */
function later(pauses: readonly Pause[], begin: Seconds): Pause[] {
  return pauses.map(({ from, to }) => ({ from: Math.max(from, begin), to })).filter(({ from, to }) => to - from > SHORTEST_PAUSE);
}

function measured(run: Run): readonly Pause[] {
  const { series, computations } = run;
  const [times, untils] = ['time', 'until'].map(name => series.column(name));
  const loads = ['processing', 'executing', 'cancelled'].map(measure => series.column(`${measure}_sum`));
  if (loads[0].length === 0) {
    return [];
  }
  const busy = new BusyPeriods();
  let last = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < times.length; i++) {
    const until = Math.max(times[i], untils[i] || 0);
    if (times[i] - last > UNMEASURED) {
      busy.add(Number.isFinite(last) ? last : times[i], times[i]);
    }
    if (loads.some(load => load[i] > 0)) {
      // It may have begun after the measurement before, and end before the next one.
      busy.add(Math.max(last, times[i] - SAMPLED), Math.max(until, Math.min(until + SAMPLED, times[i + 1] ?? until)));
    }
    last = until;
  }
  for (const { values } of computations.list) {
    for (const time of [values.since, values.start, values.stop]) {
      if (Number.isFinite(time)) {
        busy.add(time, time);
      }
    }
  }
  return busy.pauses(Number.POSITIVE_INFINITY);
}
