import type { Bytes, Seconds, Share } from '../../../base/units';
import type { Period } from '../../../run/selection/selection';
import { executionStatistics } from '../../../selectors/selection/statistics';
import { clippedTo, type Facts, once, selecting, stretchOf, timeOf } from '../../facts';
import { untilsOf } from '../../points';
import type { Claim, Span } from '../../spans';
import { partOf } from '../../time/parts';

/** What is known of spilled results in a period. */
export interface Spilled {
  /** The most that was on disk at a time, if nothing was written what stayed there; NaN if it is not known. */
  readonly most: Bytes;
  /** Whether it was all there before the work of the period began: other work wrote it. */
  readonly earlier: boolean;
  /** From the first change of the bytes on disk to the last; `null` if there was none. */
  readonly span: Period | null;
  /** What threads did not do while they grew: a worker that writes does nothing else. */
  readonly idle: { quiet: number; starved: number; overhead: number };
  /** When they grew. */
  readonly spans: readonly Span[];
}

/** Less on disk is nothing that memory lacks: a worker writes what there is, however little, once its process has much. */
export const MINOR: Bytes = 100_000;

const IDLE = ['quiet', 'starved', 'overhead'] as const;

/** After the last work, workers write as long, and report it with their heartbeats. */
const HEARD: Seconds = 1.5;

/** Results are turned into bytes and written at least this fast. Bytes a second. */
export const SLOWEST = 10_000_000;

/**
 * Spilled bytes. Workers report them with their heartbeats, and go on writing after their last task: what they report
 * after the last work of a run belongs to it, and what they report when other work has just begun to the work before.
 */
export const spilledIn = once((facts): Spilled => {
  const { run, partition, period, threads } = facts;
  const other = otherUntil(facts);
  const { from, width, count } = partition.steps;
  const { byStep } = partition;
  const times = run.series.column('time');
  const untils = untilsOf(run);
  const values = run.series.column('spilled_sum');
  const idle = { quiet: 0, starved: 0, overhead: 0 };
  const spans: Span[] = [];
  const until: Seconds = period.to >= run.tasks.lastEnd ? Number.POSITIVE_INFINITY : period.to;
  let [most, least] = [Number.NaN, Number.NaN];
  let grew = false;
  // Without any waiting for disk, results that go from there are deleted, not read.
  const reads = partition.parts.disk > 0;
  let [begin, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let k = 0; k < Math.min(values.length, times.length); k++) {
    if (untils[k] < period.from || times[k] > until) {
      continue;
    }
    if (values[k] >= 0) {
      most = Math.max(most || 0, values[k]);
      least = Number.isNaN(least) ? values[k] : Math.min(least, values[k]);
    }
    // The value before held until it was last seen, which on an idle cluster may be minutes after its time.
    if (k > 0 && times[k] >= period.from && (values[k] > values[k - 1] || (reads && values[k] < values[k - 1]))) {
      const since = untils[k - 1];
      if (since < other + HEARD && values[k] > values[k - 1]) {
        continue;
      }
      grew ||= values[k] > values[k - 1];
      begin = Math.min(begin, since);
      end = times[k];
      spans.push({ from: since, to: end });
      const first = Math.max(0, Math.floor((since - from) / width));
      const last = Math.min(count, Math.ceil((times[k] - from) / width));
      const within = { quiet: 0, starved: 0, overhead: 0 };
      for (let i = first; i < last; i++) {
        within.quiet += byStep.quiet[i];
        within.starved += byStep.starved[i];
        within.overhead += byStep.overhead[i];
      }
      // Where nothing is read back, what is written is known, and for longer threads wait for something else.
      const longest = reads ? Number.POSITIVE_INFINITY : (threads * (values[k] - values[k - 1])) / SLOWEST;
      const part = Math.min(1, longest / (within.quiet + within.starved + within.overhead || 1));
      for (const name of IDLE) {
        idle[name] += part * within[name];
      }
    }
  }
  const span = begin < end ? { from: begin, to: end } : null;
  return { most: grew || reads ? most : least, earlier: other > 0 && !grew, span, idle, spans };
});

/** When other work before that of the period ended; 0 if there is none, or if it goes on. */
function otherUntil({ run, computations, period }: Facts): Seconds {
  if (computations.length === 0 || computations.some(({ values }) => values.since < period.from)) {
    return 0;
  }
  const before = run.computations.list.filter(({ values }) => values.since < period.from);
  return before.reduce((last, { values }) => Math.max(last, values.stop || 0, values.last), 0);
}

/** Executions on both sides that say how long a function takes. */
export const LEAST_EXECUTIONS = 5;
/** Times as long: less is chance. Times as large: other results are other work. */
export const [LONGER, LARGER] = [1.25, 1.25];

/**
 * By how much tasks took longer while the bytes on disk changed than before, by the medians of their functions: workers that
 * write take the same cores, memory and lock. Only where results are as large as before.
 */
export function slowedBy({ run, period }: Facts, { span }: Spilled): Seconds {
  if (span === null || !(span.from > period.from && span.from < period.to)) {
    return 0;
  }
  const [before, meanwhile] = [
    { from: period.from, to: span.from },
    { from: span.from, to: Math.min(span.to, period.to) }
  ].map(each => executionStatistics(run, selecting({ period: each }), 'median').functions);
  let slowed: Seconds = 0;
  for (const now of meanwhile) {
    const then = before.find(each => each.prefix === now.prefix);
    if (then !== undefined && Math.min(then.count, now.count) >= LEAST_EXECUTIONS && now.median >= LONGER * then.median) {
      const larger = now.bytes / now.count / (then.bytes / then.count);
      slowed += larger > LARGER ? 0 : Math.min(now.total, now.count * (now.median - then.median));
    }
  }
  return slowed;
}

/**
 * What memory that is short costs.
 *
 * @param slowed - by how much tasks took longer
 * @param share - of the rest that counts
 */
export function claimsOf(facts: Facts, { idle, span, spans }: Spilled, slowed: Seconds, share: Share = 1): readonly Claim[] {
  return [
    { time: { disk: share * timeOf(facts, 'disk') } },
    { time: { compute: slowed }, spans: span === null ? [] : [span] },
    { time: partOf(idle, share), spans }
  ];
}

/** The time to look at: while the bytes on disk changed, else while threads waited for them. */
export function spillingPeriod(facts: Facts, { span }: Spilled): Period {
  return span === null ? stretchOf(facts, 'disk') : clippedTo(facts.period, span);
}
