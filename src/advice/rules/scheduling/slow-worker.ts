import { formatCount, formatPercent } from '../../../base/format';
import { oneDecimal } from '../../../selectors/plain-number';
import type { Bytes, Seconds, Share } from '../../../base/units';
import { oneLine } from '../../../plot/text';
import { DETAIL, DURATION, INTERVAL_WORDS, LABEL_MASK, LOOKS, START_STRIDE } from '../../../run/lanes/lane-chunk';
import { quantiles } from '../../../selectors/selection/quantile';
import { average, count } from '../../figures';
import { type Facts, selecting } from '../../facts';
import type { Rule } from '../../rule';
import { lostIn, type Span, spansOf } from '../../spans';
import { Grid } from '../../time/grid';
import { atMost } from '../../time/parts';

/** Times as long as others: less is what machines differ by. */
const SLOW = 2;
/** Executions of a function on a worker that say how long it takes there. */
const LEAST_EXECUTIONS = 8;
/** Of equal workers, half of the executions are longer than the median: it must be more by this number of standard deviations. */
const DEVIATIONS = 2;
/** Of shorter executions, what a thread waits for a core, or for Python's lock, is a large part. */
const SHORTEST: Seconds = 0.02;
/** Times as large as those of the others: a task with so much larger results has more to do. */
const LARGER = 1.5;
/** The size of a smaller result says nothing of the work. */
const SMALL: Bytes = 10_000;
/** Of each thread the newest are enough, so that a million executions take as long as a few thousand. */
const MOST_CHUNKS = 2;

/** A worker and how many times as long as the others it takes for the same functions. */
interface Slow {
  readonly worker: number;
  readonly ratio: number;
  readonly executions: number;
  /** The worker that it was compared with; NaN if there are several. */
  readonly other: number;
  /** Functions that were compared. */
  readonly prefixes: ReadonlySet<number>;
  /** Of its time, that of these functions. */
  readonly part: Share;
}

/** A worker takes much longer than the others for the same functions. */
export const slowWorker: Rule = {
  cause: 'slow-worker',
  theme: 'scheduling',
  workload: 'slow_worker.py',
  recognised:
    'On a worker, functions that take 20 ms or more there have a median of at least twice that on the other workers, ' +
    'with at least 8 of the newest executions on both sides, and results that are no more than 1.5 times as large. At most half ' +
    'of the workers are slow in this way. What these functions take longer counts, and what other threads lost while they ran there.',
  needs: ['tasks', 'workers'],
  thresholds: [
    { value: SLOW, unit: 'count', of: 'times as long as on the other workers', source: 'less is what machines differ by' },
    { value: LEAST_EXECUTIONS, unit: 'count', of: 'executions on the worker', source: 'fewer may be chance' },
    {
      value: DEVIATIONS,
      unit: 'count',
      of: 'standard deviations by which more than half of them are longer than on the others',
      source: 'less may be chance'
    }
  ],
  link: 'https://distributed.dask.org/en/stable/worker.html',
  title: trans => trans.__('A worker is slower than the others'),
  remedy: trans =>
    trans.__(
      'Check what else runs on its machine, and whether it has as many cores as the worker has threads. Retire or restart the worker, or give it fewer threads.'
    ),
  find: facts => {
    const { run, trans, period } = facts;
    const slow = slowOnes(facts);
    const [worst] = slow;
    if (worst === undefined) {
      return null;
    }
    const totals = new Map(facts.executions.workers.map(each => [each.worker, each.total]));
    const excess = slow.reduce((sum, { worker, ratio, part }) => sum + (totals.get(worker) ?? 0) * part * (1 - 1 / ratio), 0);
    const { threads } = facts;
    const own = slow.reduce((sum, { worker }) => sum + (run.workerNames[worker]?.nthreads ?? 1), 0);
    // While it takes longer, the threads of the others may have nothing left.
    const spans = ranIn(facts, slow);
    const rest = spans.map(each => ({ ...each, threads: Math.max(0, threads - own) }));
    const idle = lostIn(facts, rest, ['straggler', 'starved']);
    const longest = (excess * Math.max(0, threads - own)) / Math.max(1, own);
    const addresses = slow.map(({ worker }) => run.workerNames[worker]?.address ?? '');
    const nameOf = (worker: number): string =>
      oneLine(run.workerNames[worker]?.name || (run.workerNames[worker]?.address ?? ''), 60);
    const name = nameOf(worst.worker);
    const one = slow.length === 1 && worst.other >= 0;
    return {
      claims: [
        { time: { compute: excess }, spans },
        { time: atMost(longest, idle), spans: rest }
      ],
      confidence: 'medium',
      title: one ? trans.__('A worker is slower than another one') : undefined,
      doubt: one
        ? trans.__('Its tasks may have had more to do than those of the other one.')
        : trans.__('Its tasks may have had more to do than those of the others.'),
      evidence: {
        selection: selecting({ period, workers: addresses }),
        plot: 'task-stream',
        figures: [
          average(one ? trans.__('Times as long as the other one') : trans.__('Times as long as the others'), worst.ratio),
          count(trans.__('Executions compared'), worst.executions),
          count(trans.__('Slow workers'), slow.length)
        ]
      },
      sentence: cost =>
        one
          ? trans.__(
              'Worker %1 takes %2 times as long as worker %4 for the same functions. It costs %3 of the time.',
              name,
              oneDecimal(worst.ratio),
              formatPercent(cost.share),
              nameOf(worst.other)
            )
          : slow.length === 1
            ? trans.__(
                'Worker %1 takes %2 times as long as the others for the same functions. It costs %3 of the time.',
                name,
                oneDecimal(worst.ratio),
                formatPercent(cost.share)
              )
            : trans.__(
                '%1 workers such as %2 take up to %3 times as long as the others for the same functions. It costs %4 of the time.',
                formatCount(slow.length),
                name,
                oneDecimal(worst.ratio),
                formatPercent(cost.share)
              )
    };
  }
};

/** Workers that are slow, the slowest first; none if most are. */
function slowOnes(facts: Facts): readonly Slow[] {
  const { medians, times } = mediansOf(facts);
  const workers = new Set<number>();
  const slow: Slow[] = [];
  const rows = new Map<number, Compared>();
  for (const [prefix, byWorker] of medians) {
    if (byWorker.size < 2) {
      continue;
    }
    for (const [worker, { median, list, size, time }] of byWorker) {
      workers.add(worker);
      const others = [...byWorker].flatMap(([other, each]) => (other === worker ? [] : [each]));
      const usual = middle(others.map(each => each.median));
      if (usual < SHORTEST) {
        continue;
      }
      const other = byWorker.size === 2 ? [...byWorker.keys()].filter(each => each !== worker)[0] : Number.NaN;
      const none = { own: 0, expected: 0, executions: 0, longer: 0, size: 0, usualSize: 0, time: 0 };
      const row = rows.get(worker) ?? { ...none, other, prefixes: new Set() };
      rows.set(worker, {
        prefixes: row.prefixes.add(prefix),
        time: row.time + time,
        other: row.other === other ? other : Number.NaN,
        size: row.size + size * list.length,
        usualSize: row.usualSize + middle(others.map(each => each.size)) * list.length,
        own: row.own + median * list.length,
        expected: row.expected + usual * list.length,
        executions: row.executions + list.length,
        longer: row.longer + list.filter(duration => duration > usual).length
      });
    }
  }
  for (const [worker, { own, expected, executions, longer, size, usualSize, other, prefixes, time }] of rows) {
    if (size > LARGER * usualSize && size > SMALL * executions) {
      continue;
    }
    if (expected > 0 && own >= SLOW * expected && longer >= executions / 2 + DEVIATIONS * (Math.sqrt(executions) / 2)) {
      slow.push({ worker, ratio: own / expected, executions, other, prefixes, part: time / (times.get(worker) ?? time) });
    }
  }
  return 2 * slow.length <= workers.size ? slow.sort((a, b) => b.ratio - a.ratio) : [];
}

/** When slow workers ran the functions that were compared. */
function ranIn({ run, partition: { steps } }: Facts, slow: readonly Slow[]): readonly Span[] {
  const grid = new Grid(steps);
  const compared = new Map(slow.map(({ worker, prefixes }) => [worker, prefixes]));
  for (const [lane, state] of run.tasks.lanes.entries()) {
    const prefixes = compared.get(run.laneNames[lane]?.[0] ?? -1);
    for (const { f64, f32, u32, length } of prefixes === undefined ? [] : (state?.compute.chunks ?? [])) {
      for (let i = 0, word = 0; i < length; i++, word += INTERVAL_WORDS) {
        if (prefixes?.has(u32[word + LOOKS] & LABEL_MASK)) {
          grid.add(f64[i * START_STRIDE], f64[i * START_STRIDE] + f32[word + DURATION]);
        }
      }
    }
  }
  return spansOf(steps, grid.seconds());
}

function middle(values: readonly number[]): number {
  return quantiles(Float32Array.from(values), values.length, [0.5])[0];
}

/** Functions on one worker, and what they would be on the others. */
interface Compared {
  readonly own: Seconds;
  readonly expected: Seconds;
  readonly executions: number;
  readonly longer: number;
  /** Of all results. */
  readonly size: Bytes;
  readonly usualSize: Bytes;
  /** The only other worker; NaN if there are several. */
  readonly other: number;
  readonly prefixes: Set<number>;
  /** Of all their executions. */
  readonly time: Seconds;
}

/** Executions of a function on a worker. */
interface Executions {
  readonly median: Seconds;
  readonly list: readonly Seconds[];
  /** Mean of the results. */
  readonly size: Bytes;
  /** Also of executions that cannot be compared. */
  readonly time: Seconds;
}

type ByWorker<T> = ReadonlyMap<number, T>;

/**
 * The median of each function on each worker that has run it often enough: one long task makes no slow worker. And the time of all
 * executions that are looked at.
 */
function mediansOf({ run, period }: Facts): { medians: ReadonlyMap<number, ByWorker<Executions>>; times: ByWorker<Seconds> } {
  const durations = new Map<number, Map<number, Ran>>();
  const times = new Map<number, Seconds>();
  for (const [lane, state] of run.tasks.lanes.entries()) {
    const worker = run.laneNames[lane]?.[0] ?? -1;
    const chunks = worker < 0 ? [] : (state?.compute.chunks ?? []);
    const inside = chunks.filter(({ first, end }) => end > period.from && first < period.to);
    let time: Seconds = 0;
    for (const { f64, f32, u32, length } of inside.slice(-MOST_CHUNKS)) {
      for (let i = 0, word = 0; i < length; i++, word += INTERVAL_WORDS) {
        const start = f64[i * START_STRIDE];
        if (start >= period.from && start < period.to) {
          const prefix = u32[word + LOOKS] & LABEL_MASK;
          const byWorker = durations.get(prefix) ?? new Map<number, Ran>();
          durations.set(prefix, byWorker);
          const found = byWorker.get(worker) ?? { list: [], starts: [], sizes: [] };
          byWorker.set(worker, found);
          time += f32[word + DURATION];
          found.list.push(f32[word + DURATION]);
          found.starts.push(start);
          found.sizes.push(f32[word + DETAIL] || 0);
        }
      }
    }
    times.set(worker, (times.get(worker) ?? 0) + time);
  }
  return { medians: new Map([...durations].map(([prefix, byWorker]) => [prefix, comparable(byWorker)])), times };
}

/** What a worker ran. */
interface Ran {
  readonly list: Seconds[];
  readonly starts: Seconds[];
  readonly sizes: Bytes[];
}

/**
 * Executions by worker while at least two ran the function: what the only one did before, as the first of a growing cluster, or
 * afterwards, as the last of a shrinking one, may have been other work.
 */
function comparable(byWorker: ReadonlyMap<number, Ran>): ReadonlyMap<number, Executions> {
  const firsts: Seconds[] = [];
  const lasts: Seconds[] = [];
  for (const { list, starts } of byWorker.values()) {
    firsts.push(starts.reduce((first, start) => Math.min(first, start), Number.POSITIVE_INFINITY));
    lasts.push(starts.reduce((last, start, i) => Math.max(last, start + list[i]), Number.NEGATIVE_INFINITY));
  }
  const since = firsts.sort((a, b) => a - b)[1] ?? Number.POSITIVE_INFINITY;
  const until = lasts.sort((a, b) => b - a)[1] ?? Number.NEGATIVE_INFINITY;
  const found = new Map<number, Executions>();
  for (const [worker, { list, starts, sizes }] of byWorker) {
    const durations: Seconds[] = [];
    let bytes: Bytes = 0;
    for (let i = 0; i < list.length; i++) {
      if (starts[i] + list[i] > since && starts[i] < until) {
        durations.push(list[i]);
        bytes += sizes[i];
      }
    }
    if (durations.length >= LEAST_EXECUTIONS) {
      const time = list.reduce((sum, duration) => sum + duration, 0);
      found.set(worker, { median: middle(durations), list: durations, size: bytes / durations.length, time });
    }
  }
  return found;
}
