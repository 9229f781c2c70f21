/**
 * The time series of one worker, which is not in the feed: it is requested from the collector while the plot is
 * visible.
 */
import { countLeading } from '../../base/arrays';
import { listOf, mapOf, numberOf } from '../../base/untrusted';
import type { Seconds } from '../../base/units';
import { MEASURE } from '../../feed/schema';
import { PerRun } from '../../run/per-run';
import type { Run } from '../../run/run';
import { Series } from '../../run/tables/series';
import { chosenWorker } from '../../selectors/workers/one-worker';
import type { PlotContext, PlotQuestion } from '../../plot/plot';

/** Columns by measure, and `time`. */
type Columns = Readonly<Record<string, readonly number[]>>;

/** A series, and what of an answer is in it. */
interface Built {
  readonly series: Series;
  samples: number;
  /** Up to when the newest of them held. */
  until: Seconds;
}

/** Answers by worker, as columns; plain data, since a paused view gets a copy. */
const answers = new PerRun(() => new Map<number, Columns>());
/** Why the last request failed; else empty. */
const faults = new PerRun(() => new Map<number, string>());
const builts = new WeakMap<Columns, Built>();

/** Why a worker's series could not be requested; else empty. */
export function faultOf(run: Run, worker: number): string {
  return faults.of(run).get(worker) ?? '';
}

/** The known time series of a worker, in the columns of the cluster's. */
export function workerSeries(run: Run, worker: number): Series {
  const columns = answers.of(run).get(worker);
  if (columns === undefined) {
    return new Series();
  }
  const built = builts.get(columns) ?? { series: new Series(), samples: 0, until: Number.NaN };
  builts.set(columns, built);
  const { length } = columns.time;
  const [until] = heldUntil(columns.time.slice(-1), run.series);
  if (until !== undefined && (built.samples !== length || built.until !== until)) {
    // The newest one again: it may hold for longer.
    extend(built.series, columns, Math.max(0, built.samples - 1), run.series);
    Object.assign(built, { samples: length, until });
  }
  return built.series;
}

function extend(series: Series, answered: Columns, first: number, cluster: Series): void {
  const { time, ...measures } = answered;
  const times = time.slice(first);
  const columns: Record<string, Float64Array> = {
    time: Float64Array.from(times),
    until: Float64Array.from(heldUntil(times, cluster)),
    workers: new Float64Array(times.length).fill(1)
  };
  for (const measure of MEASURE) {
    const values = measures[measure]?.slice(first);
    for (const what of values === undefined ? [] : ['sum', 'min', 'max']) {
      columns[`${measure}_${what}`] = Float64Array.from(values ?? []);
    }
  }
  series.apply({ columns, scalars: { first } });
}

/**
 * Up to when samples held. Workers are sampled with the cluster, and an idle cluster whose figures stay as they are has no new
 * samples: the point that it has longer holds for each worker, too.
 */
function heldUntil(samples: readonly Seconds[], cluster: Series): Seconds[] {
  const [times, untils] = ['time', 'until'].map(name => cluster.column(name));
  return samples.map((time, i) => {
    const until = untils[countLeading(times.length, k => times[k] <= time) - 1] ?? time;
    const next = samples[i + 1] ?? Number.POSITIVE_INFINITY;
    return until > time && until < next ? until : time;
  });
}

/** Intervals that tell how far apart samples are now. */
const NEWEST = 5;

/** Time between the newest samples of a worker: it grows if many workers share the collector's buffer. */
export function stepOf(series: Series): Seconds {
  const [times, untils] = ['time', 'until'].map(name => series.column(name).slice(-NEWEST - 1));
  const steps = [...times.slice(1)].map((time, i) => time - Math.max(untils[i], times[i])).sort((a, b) => a - b);
  // Of two, the shorter: the other one may be a gap.
  return steps[(steps.length - 1) >> 1] ?? 0;
}

/** The request for the time series of the selected worker. */
export function workerQuestion(run: Run, context: PlotContext): PlotQuestion | null {
  const worker = chosenWorker(run, context);
  return worker === null
    ? null
    : {
        about: `worker ${worker}`,
        name: 'series',
        args: { worker, after: answers.of(run).get(worker)?.time.at(-1) ?? 0 },
        take: answer => {
          faults.of(run).delete(worker);
          answers.of(run).set(worker, joined(answers.of(run).get(worker), columnsOf(answer)));
        },
        fail: reason => {
          faults.of(run).set(worker, reason);
        }
      };
}

/** Merges the known and the new samples, which the series of the known ones takes up; an answer overtaken by another adds nothing. */
function joined(known: Columns | undefined, more: Columns): Columns {
  const last = known?.time.at(-1) ?? Number.NEGATIVE_INFINITY;
  if (known === undefined || more.time.length === 0 || more.time[0] <= last) {
    return known ?? more;
  }
  const names = Object.keys(more).filter(name => name in known);
  const all = { time: [], ...Object.fromEntries(names.map(name => [name, [...known[name], ...more[name]]])) };
  const built = builts.get(known);
  if (built !== undefined) {
    builts.set(all, built);
  }
  return all;
}

function columnsOf(answer: unknown): Columns {
  const given = Object.entries(mapOf(answer));
  const columns = given.flatMap(([name, values]) =>
    Array.isArray(values) ? [[name, listOf(values).map(value => numberOf(value, Number.NaN))] as const] : []
  );
  return { time: [], ...Object.fromEntries(columns) };
}
