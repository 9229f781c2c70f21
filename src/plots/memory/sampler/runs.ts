/** The runs of Dask's MemorySampler as a plot names and places them. */
import type { Bytes, Seconds } from '../../../base/units';
import type { Run } from '../../../run/run';
import type { PlotContext, PlotOption } from '../../../plot/plot';
import { oneLine } from '../../../plot/text';
import type { Span } from '../../../charts/over-time/thin';

/** How the runs stand on the axis of time. */
export const PLACE: PlotOption = {
  id: 'place',
  label: 'Time',
  choices: [
    { value: 'aligned', label: 'runs side by side, from their starts' },
    { value: 'absolute', label: 'when they were' }
  ],
  initial: 'aligned'
};

/** More lines than that nobody tells apart: the newest are drawn, all are in the table. */
export const DRAWN = 24;

/** A run with at least one sample. */
export interface NamedRun {
  readonly id: number;
  /** What it is called, in one line; no two runs share it. */
  readonly name: string;
  readonly measure: string;
  readonly interval: Seconds;
  readonly stopped: boolean;
  /** Scheduler clock. */
  readonly times: readonly Seconds[];
  readonly values: readonly Bytes[];
}

/** Position of the last time that is not later than a moment; -1 where all are. */
function lastAt(times: readonly Seconds[], moment: Seconds): number {
  let [low, high] = [-1, times.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    [low, high] = times[middle] <= moment ? [middle, high] : [low, middle - 1];
  }
  return low;
}

/** All runs that have samples, in the order in which they began. */
export function namedRuns(run: Run): readonly NamedRun[] {
  const runs = run.memoryRuns.list
    // A paused view has no samples that came later.
    .map(each => ({ each, count: lastAt(each.times, run.clock.latest) + 1 }))
    .filter(({ count }) => count > 0);
  const several = new Set(runs.map(({ each }) => each.measure)).size > 1;
  const seen = new Map<string, number>();
  return runs.map(({ each, count }) => {
    const { id, measure, interval } = each;
    const label = oneLine(each.label) || oneLine(each.key);
    const name = several && measure !== '' ? `${label} · ${oneLine(measure)}` : label;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return {
      id,
      name: times > 1 ? `${name} (${times})` : name,
      measure: oneLine(measure),
      interval,
      stopped: each.stopped && count === each.times.length,
      times: count === each.times.length ? each.times : each.times.slice(0, count),
      values: count === each.values.length ? each.values : each.values.slice(0, count)
    };
  });
}

/** Legend id of a run. */
export function legendId({ id }: NamedRun): string {
  return `run ${id}`;
}

/** Where the runs stand: the shift of each, and the time that they take together. */
export interface Placing {
  readonly span: Span;
  /** Time from which the axis counts. */
  readonly origin: Seconds;
  /** Place of a moment of a run on the axis. */
  readonly at: (run: NamedRun, time: Seconds) => Seconds;
  /** Moment of a run at a place of the axis. */
  readonly time: (run: NamedRun, at: Seconds) => Seconds;
}

/** The least that an axis shows. */
const SHORTEST: Seconds = 1;

/** Place runs side by side, or where they were. */
export function place(runs: readonly NamedRun[], run: Run, { options }: PlotContext): Placing {
  const aligned = (options.place ?? PLACE.initial) === 'aligned';
  const first = runs.length > 0 ? Math.min(...runs.map(({ times }) => times[0])) : 0;
  const shift = (each: NamedRun): Seconds => (aligned ? each.times[0] : 0);
  const from = aligned ? 0 : first;
  const to = Math.max(from, ...runs.map(each => each.times[each.times.length - 1] - shift(each)));
  return {
    span: { from, to: Math.max(to, from + SHORTEST) },
    origin: aligned ? 0 : Number.isFinite(run.origin) ? run.origin : first,
    at: (each, time) => time - shift(each),
    time: (each, at) => at + shift(each)
  };
}

/** What a run held at a moment: its last sample then; NaN outside of it. */
export function valueAt({ times, values }: NamedRun, time: Seconds): Bytes {
  return time > times[times.length - 1] ? Number.NaN : (values[lastAt(times, time)] ?? Number.NaN);
}

/** Figures of a run. */
export interface RunFigures {
  readonly duration: Seconds;
  readonly first: Bytes;
  readonly last: Bytes;
  readonly peak: Bytes;
  /** Mean over time: each sample counts until the next one. */
  readonly mean: Bytes;
}

/** Figures of a run. */
export function figures({ times, values }: NamedRun): RunFigures {
  const last = values.length - 1;
  const duration = times[last] - times[0];
  let area = 0;
  let peak = values[0];
  for (let i = 0; i < last; i++) {
    area += values[i] * (times[i + 1] - times[i]);
    peak = Math.max(peak, values[i + 1]);
  }
  return { duration, first: values[0], last: values[last], peak, mean: duration > 0 ? area / duration : values[0] };
}
