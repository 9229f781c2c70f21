/** Names and positions of the runs of Dask's MemorySampler in a plot. */
import { countLeading } from '../../../base/arrays';
import type { Bytes, Seconds } from '../../../base/units';
import type { Run } from '../../../run/run';
import { type EarlierSamples, gapOf } from '../../../run/tables/memory-runs';
import type { PlotContext, PlotOption } from '../../../plot/plot';
import { oneLine } from '../../../plot/text';
import type { Span } from '../../../charts/over-time/thin';

/** Placement of the runs on the time axis. */
export const PLACE: PlotOption = {
  id: 'place',
  label: 'Time',
  choices: [
    { value: 'aligned', label: 'runs side by side, from their starts' },
    { value: 'absolute', label: 'when they were' }
  ],
  initial: 'aligned'
};

/** More lines cannot be distinguished: only the newest are drawn; the table lists all. */
export const DRAWN = 24;

/** A run with at least one sample. */
export interface NamedRun {
  readonly id: number;
  /** Its name on one line; unique among runs. */
  readonly name: string;
  readonly measure: string;
  readonly interval: Seconds;
  readonly stopped: boolean;
  /** `null` if all samples are kept. */
  readonly earlier: EarlierSamples | null;
  /** Scheduler clock. */
  readonly times: readonly Seconds[];
  readonly values: readonly Bytes[];
}

/** Index of the last time not later than a moment; -1 if all are later. */
function lastAt(times: readonly Seconds[], moment: Seconds): number {
  return countLeading(times.length, i => times[i] <= moment) - 1;
}

/** All runs with samples, in order of their start. */
export function namedRuns(run: Run): readonly NamedRun[] {
  const runs = run.memoryRuns.list
    // A paused view excludes later samples.
    .map(each => ({ each, count: lastAt(each.times, run.clock.latest) + 1 }))
    .filter(({ count }) => count > 0);
  const several = new Set(runs.map(({ each }) => each.measure)).size > 1;
  const seen = new Map<string, number>();
  return runs.map(({ each, count }) => {
    const { id, measure, interval, earlier } = each;
    const label = oneLine(each.label) || oneLine(each.key);
    const name = several && measure !== '' ? `${label} · ${oneLine(measure)}` : label;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return {
      id,
      name: times > 1 ? `${name} (${times})` : name,
      measure: oneLine(measure),
      interval,
      earlier,
      stopped: each.stopped && count === each.times.length,
      times: count === each.times.length ? each.times : each.times.slice(0, count),
      values: count === each.values.length ? each.values : each.values.slice(0, count)
    };
  });
}

/** When a run began; its first samples may not be kept. */
export function startOf({ earlier, times }: NamedRun): Seconds {
  return earlier?.start ?? times[0];
}

/** Legend id of a run. */
export function legendId({ id }: NamedRun): string {
  return `run ${id}`;
}

/** Placement of the runs: the offset of each, and the total time span. */
export interface Placing {
  readonly span: Span;
  /** Origin of the time axis. */
  readonly origin: Seconds;
  /** Whether the axis has the time since the start of each run. */
  readonly elapsed: boolean;
  /** Axis position of a moment of a run. */
  readonly at: (run: NamedRun, time: Seconds) => Seconds;
  /** Moment of a run at an axis position. */
  readonly time: (run: NamedRun, at: Seconds) => Seconds;
}

/** Shortest time axis. */
const SHORTEST: Seconds = 1;

/** Place runs at a common start, or at their real times. */
export function place(runs: readonly NamedRun[], run: Run, { options }: PlotContext): Placing {
  const aligned = (options.place ?? PLACE.initial) === 'aligned';
  const first = runs.length > 0 ? Math.min(...runs.map(startOf)) : 0;
  const shift = (each: NamedRun): Seconds => (aligned ? startOf(each) : 0);
  const from = aligned ? 0 : first;
  const to = Math.max(from, ...runs.map(each => each.times[each.times.length - 1] - shift(each)));
  return {
    span: { from, to: Math.max(to, from + SHORTEST) },
    elapsed: aligned,
    origin: aligned ? 0 : Number.isFinite(run.origin) ? run.origin : first,
    at: (each, time) => time - shift(each),
    time: (each, at) => at + shift(each)
  };
}

/** Memory of a run at a moment: its last sample before it; NaN outside the run, and where it was not sampled. */
export function valueAt(run: NamedRun, time: Seconds): Bytes {
  const { times, values } = run;
  const last = lastAt(times, time);
  const isKnown = times[last] === time || times[last + 1] - times[last] <= gapOf(run);
  return isKnown ? values[last] : Number.NaN;
}

/** Figures of a run. */
export interface RunFigures {
  readonly duration: Seconds;
  readonly first: Bytes;
  readonly last: Bytes;
  readonly peak: Bytes;
  /** Mean over time: each sample is weighted by the time until the next one, unless that was not sampled. */
  readonly mean: Bytes;
}

/** Figures of a run, also of its first samples where these are not kept. */
export function figures(run: NamedRun): RunFigures {
  const { times, values, earlier } = run;
  const last = values.length - 1;
  const duration = times[last] - startOf(run);
  const gap = gapOf(run);
  let area = earlier?.area ?? 0;
  let sampled = earlier?.sampled ?? 0;
  let peak = Math.max(values[0], earlier?.peak ?? values[0]);
  for (let i = 0; i < last; i++) {
    const step = times[i + 1] - times[i];
    if (step <= gap) {
      area += values[i] * step;
      sampled += step;
    }
    peak = Math.max(peak, values[i + 1]);
  }
  const first = earlier?.first ?? values[0];
  return { duration, first, last: values[last], peak, mean: sampled > 0 ? area / sampled : first };
}
