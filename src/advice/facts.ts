/** What rules look at: the run, the period, and what is computed of them once for all rules. */
import type { Seconds, Share } from '../base/units';
import type { Translate } from '../plot/plot';
import type { Run } from '../run/run';
import { NOTHING_SELECTED, type Period, type Selection } from '../run/selection/selection';
import type { Computation } from '../run/tables/computations';
import { type ExecutionStatistics, executionStatistics, type FunctionStatistics } from '../selectors/selection/statistics';
import { touchedBy } from './time/grid';
import { type Partition, partitionOf } from './time/partition';
import { isInProgress, lastOf } from './time/in-progress';
import type { Part } from './time/parts';

/**
 * An execution is an outlier from this multiple of the median of its function on. Rules for Spark take 1.5 times the
 * third quartile to 5 times the median of a stage.
 */
export const OUTLYING = 3;
/** Shorter executions are never outliers: a first call that imports something takes as long. */
const SHORTEST_OUTLIER: Seconds = 0.25;
/** A median of fewer executions says little. */
const LEAST_EXECUTIONS = 5;

/**
 * A smaller cost is not reported. Healthy runs lose as much in their first and last moments (`npm run bench -- advice`).
 */
export const LEAST_SHARE: Share = 0.1;

/** A cost of less wall time than this is not noticed. */
export const LEAST_WALL: Seconds = 0.5;

/** The run and the period that rules look at. */
export interface Facts {
  readonly run: Run;
  readonly trans: Translate;
  readonly period: Period;
  /** The computation whose time the period is; `null` if another period was asked about. */
  readonly computation: Computation | null;
  /**
   * Length of the period without pauses of the user, and without time of which nothing is known since the scheduler did not
   * answer.
   */
  readonly wall: Seconds;
  /** Threads on average, while any are there, no pause of the user is, and the scheduler answered. */
  readonly threads: number;
  readonly partition: Partition;
  /** Time × threads, while any are there and no pause of the user is. */
  readonly capacity: Seconds;
  /** Executions of the period. */
  readonly executions: ExecutionStatistics;
  readonly byPrefix: ReadonlyMap<number, FunctionStatistics>;
  /** Computations that overlap the period, the newest first. */
  readonly computations: readonly Computation[];
  /** Whether the period contains all that the run knows: sums without a time then belong to it. */
  readonly whole: boolean;
}

/** What several rules look at, computed for the first of them. */
export function once<T>(make: (facts: Facts) => T): (facts: Facts) => T {
  const known = new WeakMap<Facts, { readonly made: T }>();
  return facts => {
    const kept = known.get(facts) ?? { made: make(facts) };
    known.set(facts, kept);
    return kept.made;
  };
}

/** Gather the facts of a period. */
export function factsOf(
  run: Run,
  period: Period,
  whole: boolean,
  trans: Translate,
  computation: Computation | null = null
): Facts {
  const executions = executionStatistics(run, { ...NOTHING_SELECTED, period }, 'median');
  const byPrefix = new Map(executions.functions.map(each => [each.prefix, each]));
  const partition = partitionOf(run, period, limitsOf(executions.functions));
  return {
    run,
    trans,
    period,
    computation,
    wall: partition.wall,
    threads: threadsIn(partition, period),
    partition,
    capacity: partition.capacity,
    executions,
    byPrefix,
    computations: run.computations.list.filter(each => {
      const { since } = each.values;
      return since < period.to && (isInProgress(run, each) || lastOf(run, each) > period.from);
    }),
    whole
  };
}

/**
 * How many threads there are on average in a part of the period, while any are there and no pause of the user is. While the scheduler
 * did not answer, only those that ran something are known: they count where there is nothing else.
 */
export function threadsIn({ threads, unanswered, steps }: Partition, part: Period): number {
  const [first, end] = touchedBy(part, steps);
  let [sum, there, ran, silent] = [0, 0, 0, 0];
  for (let i = first; i < end; i++) {
    const count = threads[i] > 0 ? 1 : 0;
    if (unanswered[i] > 0) {
      ran += threads[i];
      silent += count;
    } else {
      sum += threads[i];
      there += count;
    }
  }
  return there > 0 ? sum / there : silent > 0 ? ran / silent : 0;
}

/** Limits of all functions by prefix, for a loop over executions. */
function limitsOf(functions: readonly FunctionStatistics[]): Float64Array {
  const limits = new Float64Array(functions.reduce((most, { prefix }) => Math.max(most, prefix + 1), 0)).fill(
    Number.POSITIVE_INFINITY
  );
  for (const each of functions) {
    limits[each.prefix] = outlierLimit(each);
  }
  return limits;
}

/** From which duration on an execution of a function is an outlier; Infinity if none is. */
export function outlierLimit(of: FunctionStatistics | undefined): Seconds {
  return of === undefined || of.count < LEAST_EXECUTIONS
    ? Number.POSITIVE_INFINITY
    : Math.max(SHORTEST_OUTLIER, OUTLYING * of.median);
}

/** Prefixes of some tasks, the most frequent first. */
export function byFrequency(tasks: readonly { readonly prefix: number }[]): readonly number[] {
  const counts = new Map<number, number>();
  for (const { prefix } of tasks) {
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([prefix]) => prefix);
}

/** A part of wall time × threads. */
export function shareOf({ capacity }: Pick<Facts, 'capacity'>, seconds: Seconds): Share {
  return capacity > 0 ? Math.min(1, Math.max(0, seconds / capacity)) : 0;
}

/** The sum of some parts. */
export function timeOf({ partition }: Facts, ...parts: readonly Part[]): Seconds {
  return parts.reduce((sum, part) => sum + partition.parts[part], 0);
}

/** Two stretches with less than this share of the period between them are shown as one. */
export const JOINED: Share = 0.03;
/** Share of the threads that a step must lose to be shown. */
const NOTICEABLE: Share = 0.2;

/** The stretch of the period in which some parts took most; the whole period if there is none. */
export function stretchOf({ partition, period, threads }: Facts, ...parts: readonly Part[]): Period {
  const { steps, byStep, activity } = partition;
  const { from, width, count } = steps;
  const all = threads * width * NOTICEABLE;
  const patience = Math.max(1, Math.round(JOINED * count));
  let [best, sum, begin, end] = [0, 0, -1, -1];
  let found: Period = period;
  const close = (): void => {
    if (begin >= 0 && sum > best) {
      best = sum;
      found = { from: from + begin * width, to: from + (end + 1) * width };
    }
    begin = -1;
    sum = 0;
  };
  for (let i = 0; i < activity.compute.length; i++) {
    const seconds = parts.reduce((total, part) => total + byStep[part][i], 0);
    if (seconds >= all) {
      begin = begin < 0 ? i : begin;
      end = i;
      sum += seconds;
    } else if (begin >= 0 && i - end > patience) {
      close();
    }
  }
  close();
  return found;
}

/** The part of a span that lies in a period; the period if nothing does. */
export function clippedTo(period: Period, span: Period | null): Period {
  const from = Math.max(period.from, span?.from ?? period.from);
  const to = Math.min(period.to, span?.to ?? period.to);
  return from < to ? { from, to } : period;
}

/** A selection with some conditions. */
export function selecting(conditions: Partial<Selection>): Selection {
  return { ...NOTHING_SELECTED, ...conditions };
}
