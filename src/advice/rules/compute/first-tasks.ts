/**
 * Functions whose first executions on each worker take much longer than the later ones: something is imported, compiled or
 * loaded first.
 */
import type { Seconds, Share } from '../../../base/units';
import { formatCount, formatDuration, formatPercent } from '../../../base/format';
import { oneLine } from '../../../plot/text';
import { DETAIL, DURATION, INTERVAL_WORDS, LABEL_MASK, LOOKS, ROW, START_STRIDE } from '../../../run/lanes/lane-chunk';
import { quantiles } from '../../../selectors/selection/quantile';
import { count, seconds } from '../../figures';
import { clippedTo, type Facts, LEAST_SHARE, once, selecting, shareOf } from '../../facts';
import type { Finding } from '../../rule';
import { joined, type Span } from '../../spans';
import { waitedOf } from '../scheduling/long-tasks';
import { MOSTLY, waitKinds, waitsOf } from './waits';

/** Functions of which Dask knows no name, all together. */
export const UNNAMED = 'lambda';
/** Shorter ones are not noticed: most packages are imported sooner. */
export const LONG: Seconds = 1;
/** Of a single worker, a task that takes longer may have more to do. */
export const LEAST_WORKERS = 2;
/** Times as long as nearly all later ones: on a busy machine, the first that need much memory took four times as long. */
export const TIMES = 5;
/** First executions: fewer may have been submitted first since they are long. */
const CERTAIN = 4;
/** Of the later executions: some take long by chance. */
const NEARLY_ALL: Share = 0.95;
/** Fewer say little of how long it takes otherwise. */
const LEAST_LATER = 10;
/** Times as large as later results: a task with so much larger results has more to do. */
const LARGER = 2;
/** Of the first executions: where the next ones take so long, it is no matter of being the first. */
const AS_LONG: Share = 0.5;
/** Of each thread, the first ones of the period are enough, so that a million executions take as long as some thousand. */
const MOST_EXECUTIONS = 500;
/** Tasks that "Show me" selects. */
const MOST_SHOWN = 1000;
/** Functions that are looked at. */
const MOST_FUNCTIONS = 10;

/** First executions of a function. */
interface First {
  readonly prefix: number;
  readonly workers: number;
  readonly list: readonly Execution[];
  /** Median of {@link list}. */
  readonly duration: Seconds;
  /** Median of the later ones. */
  readonly usual: Seconds;
}

interface Execution {
  readonly start: Seconds;
  readonly duration: Seconds;
  readonly row: number;
  readonly bytes: number;
}

/** Such functions of the period, the one that lost most first. */
export const firstTasksIn = once((facts): readonly First[] => {
  const { run, partition } = facts;
  if (run.tasks.dropped > 0) {
    return [];
  }
  const long = partition.activity.outliers.filter(({ duration }) => duration >= LONG);
  const prefixes = [...new Set(long.map(({ prefix }) => prefix))].filter(prefix => run.prefixNames[prefix] !== UNNAMED);
  return prefixes.length === 0
    ? []
    : [...executionsOf(facts, prefixes.slice(0, MOST_FUNCTIONS))]
        .flatMap(([prefix, all]) => firstOf(facts, prefix, all) ?? [])
        .sort((a, b) => excessOf(b) - excessOf(a));
});

function excessOf({ list, usual }: First): Seconds {
  return list.reduce((sum, { duration }) => sum + duration - usual, 0);
}

/** The first executions of a function on its workers, if all of these take much longer than nearly all later ones. */
function firstOf(facts: Facts, prefix: number, { byWorker, before }: Executions): First | null {
  const list: Execution[] = [];
  const next: Execution[] = [];
  const later: Execution[] = [];
  let workers = 0;
  for (const [worker, all] of byWorker) {
    all.sort((a, b) => a.start - b.start);
    const [first] = all;
    const isNew = !before.has(worker);
    // Threads that begin meanwhile wait for the same, and end with it, a moment earlier or later.
    const half = first.start + first.duration / 2;
    const begun = isNew ? all.filter(({ start }) => start < half) : [];
    list.push(...begun);
    next.push(...all.slice(begun.length, 2 * begun.length));
    later.push(...all.slice(begun.length));
    workers += isNew ? 1 : 0;
  }
  const until = lastOf(facts, list);
  const others = later.filter(({ start }) => start <= until);
  const most = quantileOf(others, NEARLY_ALL);
  const slow = list.filter(({ duration }) => duration >= LONG && duration >= TIMES * most);
  const enough = workers >= LEAST_WORKERS && others.length >= LEAST_LATER && slow.length === list.length;
  const duration = quantileOf(list, 0.5);
  // What is loaded once costs those after it nothing: they have as much to do.
  const asLong = quantileOf(next, 0.5) >= AS_LONG * duration;
  return enough && !asLong && meanBytes(list) <= LARGER * meanBytes(others)
    ? { prefix, workers, list, duration, usual: quantileOf(others, 0.5) }
    : null;
}

/** When the computations that have some executions ended: later ones may use a function of the same name for something else. */
function lastOf({ computations }: Facts, list: readonly Execution[]): Seconds {
  const own = computations.filter(({ values }) => list.some(({ start }) => start >= values.start && start <= values.stop));
  return own.length > 0 ? Math.max(...own.map(({ values }) => values.stop)) : Number.POSITIVE_INFINITY;
}

function quantileOf(list: readonly Execution[], wanted: Share): Seconds {
  return quantiles(
    Float32Array.from(list, ({ duration }) => duration),
    list.length,
    [wanted]
  )[0];
}

function meanBytes(list: readonly Execution[]): number {
  return list.reduce((sum, { bytes }) => sum + bytes, 0) / list.length;
}

/** Executions of a function. */
interface Executions {
  /** In the period, by worker. */
  readonly byWorker: Map<number, Execution[]>;
  /** Workers that had run it before. */
  readonly before: Set<number>;
}

/** Executions of some functions. */
function executionsOf({ run, period }: Facts, prefixes: readonly number[]): ReadonlyMap<number, Executions> {
  const found = new Map(
    prefixes.map(prefix => [prefix, { byWorker: new Map<number, Execution[]>(), before: new Set<number>() }])
  );
  for (const [lane, state] of run.tasks.lanes.entries()) {
    const worker = run.laneNames[lane]?.[0] ?? -1;
    let left = MOST_EXECUTIONS;
    for (const { f64, f32, u32, length } of state?.compute.chunks ?? []) {
      for (let i = 0, word = 0; i < length && left > 0; i++, word += INTERVAL_WORDS) {
        const start = f64[i * START_STRIDE];
        const own = found.get(u32[word + LOOKS] & LABEL_MASK);
        left -= start < period.from ? 0 : 1;
        if (own !== undefined && start < period.from) {
          own.before.add(worker);
        } else if (own !== undefined && start < period.to) {
          const list = own.byWorker.get(worker) ?? [];
          own.byWorker.set(worker, list);
          list.push({ start, duration: f32[word + DURATION], row: u32[word + ROW], bytes: f32[word + DETAIL] || 0 });
        }
      }
      if (left === 0) {
        break;
      }
    }
  }
  return found;
}

/** What the first executions take beyond the later ones, and what other threads waited for them; `null` if it is little. */
export function firstTasks(facts: Facts): Finding | null {
  const { run, trans, period } = facts;
  const found = firstTasksIn(facts).filter(each => !waits(facts, each));
  const [worst] = found;
  const excess = found.reduce((sum, each) => sum + excessOf(each), 0);
  const spans = joined(spansOf(found));
  const waited = waitedOf(facts);
  const waiting = spans.reduce((sum, { from, to }) => sum + waited(from, to), 0);
  if (worst === undefined || shareOf(facts, excess + waiting) < LEAST_SHARE) {
    return null;
  }
  const name = oneLine(run.prefixNames[worst.prefix] ?? '?', 60);
  const last = spans[spans.length - 1];
  return {
    claims: [{ time: { compute: excess, straggler: waiting }, spans }],
    confidence: worst.list.length >= CERTAIN ? 'medium' : 'low',
    title: trans.__('The first tasks of workers take longer'),
    doubt: trans.__('They may have had more to do than the later ones.'),
    remedy: trans.__(
      'Most often they import, compile, load or connect to something first. Let workers do it before (client.run, a preload module or a plugin of workers), and cache what is compiled.'
    ),
    evidence: {
      selection: selecting({
        period: clippedTo(period, { from: spans[0].from, to: last.to }),
        rows: { run: run.identity, numbers: found.flatMap(({ list }) => list.map(({ row }) => row)).slice(0, MOST_SHOWN) }
      }),
      plot: 'task-stream',
      figures: [
        count(trans.__('Workers'), worst.workers),
        seconds(trans.__('Median of the first tasks'), worst.duration),
        seconds(trans.__('Median of the later ones'), worst.usual),
        seconds(trans.__('They took longer by, in all'), excess)
      ]
    },
    sentence: cost =>
      trans.__(
        'The first tasks of %1 on %5 workers took %2, later ones %3. Most often something is imported, compiled or loaded first. It costs %4 of the time.',
        name,
        formatDuration(worst.duration),
        formatDuration(worst.usual),
        formatPercent(cost.share),
        formatCount(worst.workers)
      )
  };
}

/** Whether, by samples, most of what they take longer is waiting for a lock, another task or a client: nothing is loaded then. */
function waits(facts: Facts, first: First): boolean {
  const { run } = facts;
  const kinds = waitKinds(facts);
  const name = run.prefixNames[first.prefix] ?? '';
  const total = facts.byPrefix.get(first.prefix)?.total ?? 0;
  const waited = kinds === null ? 0 : waitsOf(facts, kinds, name, total).reduce((sum, { time }) => sum + time, 0);
  return waited >= MOSTLY * excessOf(first);
}

function spansOf(found: readonly First[]): readonly Span[] {
  return found
    .flatMap(({ list }) => list.map(({ start, duration }) => ({ from: start, to: start + duration })))
    .sort((a, b) => a.from - b.from);
}
