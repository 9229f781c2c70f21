/**
 * The time series of one worker, which is not in the feed: it is requested from the collector while the plot is
 * visible.
 */
import { listOf, mapOf, numberOf } from '../../base/untrusted';
import { MEASURE } from '../../feed/schema';
import { PerRun } from '../../run/per-run';
import type { Run } from '../../run/run';
import { Series } from '../../run/tables/series';
import { chosenWorker } from '../../selectors/workers/one-worker';
import type { PlotContext, PlotQuestion } from '../../plot/plot';

/** Columns by measure, and `time`. */
type Columns = Readonly<Record<string, readonly number[]>>;

/** Answers by worker, as columns; plain data, since a paused view gets a copy. */
const answers = new PerRun(() => new Map<number, Columns>());
/** Why the last request failed; else empty. */
const faults = new PerRun(() => new Map<number, string>());
const built = new WeakMap<Columns, Series>();

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
  const known = built.get(columns) ?? build(columns);
  built.set(columns, known);
  return known;
}

function build(answered: Columns): Series {
  const { time, ...measures } = answered;
  const columns: Record<string, Float64Array> = {
    time: Float64Array.from(time),
    until: Float64Array.from(time),
    workers: new Float64Array(time.length).fill(1)
  };
  for (const measure of MEASURE) {
    const values = measures[measure];
    for (const what of values === undefined ? [] : ['sum', 'min', 'max']) {
      columns[`${measure}_${what}`] = Float64Array.from(values);
    }
  }
  const series = new Series();
  series.apply({ columns, scalars: { first: 0 } });
  return series;
}

/** Time between samples of a worker: it grows if many workers share the collector's buffer. */
export function stepOf(series: Series): number {
  const last = series.length - 1;
  return last > 0 ? (series.time(last) - series.time(0)) / last : 0;
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

/** Merges the known and the new samples; an answer overtaken by another adds nothing. */
function joined(known: Columns | undefined, more: Columns): Columns {
  const last = known?.time.at(-1) ?? Number.NEGATIVE_INFINITY;
  if (known === undefined || more.time.length === 0 || more.time[0] <= last) {
    return known ?? more;
  }
  const names = Object.keys(more).filter(name => name in known);
  return { time: [], ...Object.fromEntries(names.map(name => [name, [...known[name], ...more[name]]])) };
}

function columnsOf(answer: unknown): Columns {
  const given = Object.entries(mapOf(answer));
  const columns = given.flatMap(([name, values]) =>
    Array.isArray(values) ? [[name, listOf(values).map(value => numberOf(value, Number.NaN))] as const] : []
  );
  return { time: [], ...Object.fromEntries(columns) };
}
