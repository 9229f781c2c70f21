import { formatCount, formatPercent } from '../../../base/format';
import { oneDecimal } from '../../../selectors/plain-number';
import type { Seconds, Share } from '../../../base/units';
import type { Run } from '../../../run/run';
import { quantiles } from '../../../selectors/selection/quantile';
import type { Translate } from '../../../plot/plot';
import type { Cost } from '../../advice';
import { average, count, seconds, share } from '../../figures';
import { type Facts, selecting, timeOf } from '../../facts';
import { meansOf } from '../../points';
import type { Rule } from '../../rule';
import { onCpuIn } from '../../time/on-cpu';
import { onlyMeans } from '../../time/only-means';
import { measuredWords } from '../../words';
import { busyIn } from './busy-threads';

/** A process whose threads share one lock takes one core at most; psutil's figure is off by some per cent. */
const MOST_CPU = 115;
/** What releases the lock for moments, such as reading Parquet, takes more than a core: in so many of the samples at most. */
const FEW: Share = 0.1;
/** Per cent of a core in half of the samples, if there are such moments: tasks that wait for a store vary more. */
const STEADY = 90;
/** Samples of which a tenth is some. */
const MANY = 10;
/** Less than this share of a core is not computing but waiting, for a store or a service. */
const LEAST_CPU = 75;
/** A sample is the mean of the half second before the heartbeat. */
const MEASURED: Seconds = 0.5;
/** With fewer threads at work in a process there is nothing to share. */
const LEAST_THREADS = 1.6;
const LEAST_POINTS = 3;
/** Of a core that all tasks together take at least: below, something else in the process takes it. */
const LEAST_TAKEN: Share = 0.5;
/**
 * Of the cores of a machine: the rest is for scheduler and client, and no thread waits for a lock that would get no core
 * without it.
 */
const FULL: Share = 0.85;
/** A lock that threads wait for is held nearly all the time. */
const LEAST_HELD: Share = 0.75;

/** Threads of a worker run one at a time, because pure Python holds the interpreter's lock. */
export const gil: Rule = {
  cause: 'gil',
  theme: 'compute',
  workload: 'gil.py',
  recognised:
    'Several threads of a worker work at the same time, but its process takes about one core in the busiest ' +
    'tenth of the samples, and never more; or in a tenth of ten or more samples at most, if it takes nine tenths of a core in half of them. Where all workers run on the machine of the scheduler, they must leave cores free; no more threads count than there are. Where gilknocker measures the lock, it must be held for three quarters of the time; ' +
    "where Dask's fine metrics say how long tasks were on a CPU, tasks must take half a core or more: else it is the scheduler, the client " +
    'or the event loop in the same process that uses it.',
  needs: ['tasks', 'series', 'workers'],
  thresholds: [
    { value: MOST_CPU, unit: 'count', of: 'per cent of a core that a worker takes at most', source: 'one lock, one core' },
    {
      value: FEW,
      unit: 'share',
      of: 'samples in which it takes more, at most',
      source: 'reading Parquet releases the lock, say'
    },
    {
      value: STEADY,
      unit: 'count',
      of: 'per cent of a core in half of the samples, if there are such',
      source: 'waiting is uneven'
    },
    { value: LEAST_CPU, unit: 'count', of: 'per cent of a core that it takes in its busiest tenth', source: 'less is waiting' },
    { value: LEAST_THREADS, unit: 'count', of: 'threads at work in a worker', source: 'one thread needs no lock' },
    {
      value: LEAST_TAKEN,
      unit: 'share',
      of: 'a core that tasks take, if that is known',
      source: 'tasks that take less mostly wait'
    },
    {
      value: FULL,
      unit: 'share',
      of: 'the cores of the machine that workers take at most, if it is that of the scheduler',
      source: 'else threads wait for a core, with the lock or without it'
    },
    {
      value: LEAST_HELD,
      unit: 'share',
      of: 'the time in which the lock is held, if that is known',
      source: 'threads that wait for it wait because it is held'
    }
  ],
  link: 'https://docs.dask.org/en/stable/best-practices.html#processes-threads-and-vm-sizes',
  title: trans => trans.__("Threads wait for Python's lock (GIL)"),
  remedy: trans =>
    trans.__(
      'Use more worker processes with fewer threads (n_workers=, threads_per_worker=1), or code that releases the lock: NumPy, pandas, Numba with nogil.'
    ),
  unknown: facts => (cpuOf(facts).points < LEAST_POINTS ? facts.trans.__('Too short: CPU is sampled once a second.') : null),
  find: facts => {
    const { trans, period, executions } = facts;
    const { high, half, most, over, points, processes } = cpuOf(facts);
    const { busy, part, workers } = busyIn(facts, processes);
    const held = lockHeldIn(facts);
    const mostly = over > 0 && over <= FEW && points >= MANY && half >= STEADY;
    if (!(high >= LEAST_CPU) || !(over === 0 || mostly) || !(busy >= LEAST_THREADS) || held < LEAST_HELD) {
      return null;
    }
    const taken = takenIn(facts);
    if (taken >= FULL) {
      return null;
    }
    // All but one of the threads of a worker wait, but without the lock no more of them could work than there are cores left.
    const waiting: Share = Math.min(1 - 1 / busy, 1 - taken);
    const onCpu = onCpuIn(facts);
    if ((onCpu * (timeOf(facts, 'compute') + timeOf(facts, 'running'))) / (facts.capacity / facts.threads) < LEAST_TAKEN) {
      return null;
    }
    const lost: Seconds =
      (1 - over) * part * timeOf(facts, 'compute') * Math.min(waiting, Number.isNaN(onCpu) ? waiting : 1 - onCpu);
    // Of workers that may have a core each, tasks are on a CPU no longer than of those that share a lock.
    const certain = onCpu < 1 / LEAST_THREADS && taken > 0;
    return {
      claims: [{ time: { compute: lost } }],
      confidence: held >= LEAST_HELD ? 'high' : certain ? 'medium' : 'low',
      doubt:
        held >= LEAST_HELD
          ? ''
          : taken > 0
            ? trans.__('Dask does not measure the lock without gilknocker; other programs on the machine have the same effect.')
            : trans.__(
                'Dask does not measure the lock without gilknocker; workers that may use fewer cores than they have threads, and other programs on their machines, have the same effect.'
              ),
      evidence: {
        selection: selecting({ period, functions: executions.functions.slice(0, 1).map(({ name }) => name) }),
        plot: 'cpu-timeseries',
        figures: [
          average(trans.__('Busy threads in a worker'), busy),
          ...(workers > 0 ? [count(trans.__('Such workers'), workers)] : []),
          share(trans.__('Of one core, at most'), most / 100),
          ...(mostly ? [share(trans.__('Samples with more'), over)] : []),
          ...(Number.isNaN(held) ? [] : [share(trans.__('Lock was held'), held)]),
          ...(Number.isNaN(onCpu) ? [] : [share(trans.__('Of the computing time on a CPU'), onCpu)]),
          seconds(trans.__('Threads that waited'), lost)
        ]
      },
      sentence: cost => sentenceOf({ busy, workers, most, over, mostly, lost }, cost, trans)
    };
  },
  overlooked: facts => {
    const { most, over, processes } = cpuOf(facts);
    const possible = most >= LEAST_CPU && over === 0 && busyIn(facts, processes).busy >= LEAST_THREADS;
    return possible ? onlyMeans(facts) : null;
  }
};

/** What shows that threads wait for the lock. */
interface Shown {
  /** Threads at work in a worker. */
  readonly busy: number;
  /** Workers in which they are; 0 for all. */
  readonly workers: number;
  /** Per cent of a core that a worker takes at most, except in a share of the samples. */
  readonly most: number;
  readonly over: Share;
  /** Whether there are such samples. */
  readonly mostly: boolean;
  readonly lost: Seconds;
}

function sentenceOf({ busy, workers, most, over, mostly, lost }: Shown, cost: Cost, trans: Translate): string {
  const who =
    workers > 0
      ? trans._n(
          '%2 threads work in 1 worker at the same time',
          '%2 threads work in each of %3 workers at the same time',
          workers,
          oneDecimal(busy),
          formatCount(workers)
        )
      : trans.__('%1 threads work in each worker at the same time', oneDecimal(busy));
  const words = [who, formatPercent(most / 100), formatPercent(cost.share), formatPercent(1 - over)] as const;
  const sentence = mostly
    ? trans.__(
        '%1, but in %4 of the samples no worker uses more than %2 of one core. They wait for the GIL while they compute. It costs %3 of the time.',
        ...words
      )
    : trans.__(
        '%1, but no worker uses more than %2 of one core. They wait for the GIL while they compute. It costs %3 of the time.',
        ...words
      );
  return measuredWords(sentence, cost, lost, trans);
}

interface Cpu {
  readonly points: number;
  readonly high: number;
  readonly half: number;
  /** The most of the samples with no more than a core. */
  readonly most: number;
  /** Of the samples, those with more. */
  readonly over: Share;
  /** How many workers use as much as the busiest one, at least; Infinity if that is not known. */
  readonly processes: number;
}

/**
 * A measure of the busiest worker by sample. A mean of several has the greatest of any moment: what is known of all that time is
 * that the busiest worker had as much as all had on average, at least.
 */
function busiestOf(run: Run, measure: 'cpu' | 'gil'): Float64Array {
  const [sums, workers] = [run.series.column(`${measure}_sum`), run.series.column('workers')];
  const means = meansOf(run);
  return run.series.column(`${measure}_max`).map((greatest, i) => (means[i] ? sums[i] / workers[i] : greatest));
}

/** CPU of the busiest worker, in per cent of a core: of the busiest tenth and half of the samples, and the most. */
function cpuOf({ run, period }: Facts): Cpu {
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, values, sums, greatest] = [column('time'), busiestOf(run, 'cpu'), column('cpu_sum'), column('cpu_max')];
  const found: number[] = [];
  let [all, most, over] = [0, 0, 0];
  for (let i = 0; i < Math.min(times.length, values.length); i++) {
    if (times[i] > period.from + MEASURED && times[i] <= period.to && values[i] >= 0) {
      found.push(values[i]);
      most = greatest[i] > MOST_CPU ? most : Math.max(most, greatest[i]);
      over += greatest[i] > MOST_CPU ? 1 : 0;
      all += sums[i] >= values[i] ? sums[i] : Number.POSITIVE_INFINITY;
    }
  }
  const [half, high] = quantiles(Float32Array.from(found), found.length, [0.5, 0.9]);
  const busiest = found.reduce((sum, value) => sum + value, 0);
  const processes = busiest > 0 ? Math.round(all / busiest) : Number.POSITIVE_INFINITY;
  return { points: found.length, high, half, most, over: over / Math.max(1, found.length), processes };
}

/**
 * Which part of the cores of their machine workers take while one takes a core; 0 if it is not known: they may run elsewhere
 * than the scheduler.
 */
function takenIn({ run, period }: Facts): Share {
  const { address = '' } = run.meta;
  const cores = run.meta.cores ?? 0;
  const addresses = run.workerNames.map(name => name?.address ?? '');
  const elsewhere = addresses.some(each => hostOf(each) !== hostOf(address));
  const shared = addresses.some(each => each.startsWith('inproc:'));
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, values, sums] = [column('time'), busiestOf(run, 'cpu'), column('cpu_sum')];
  let [sum, points] = [0, 0];
  for (let i = 0; i < Math.min(times.length, values.length, sums.length); i++) {
    if (times[i] > period.from + MEASURED && times[i] <= period.to && values[i] >= LEAST_CPU) {
      // Of workers in one process, each reports that of all.
      sum += (shared ? values[i] : sums[i]) / 100;
      points += 1;
    }
  }
  const taken = cores > 0 && points > 0 && !elsewhere ? sum / points / cores : 0;
  // Workers that take more than the scheduler may use are in another container.
  return taken <= MOST_CPU / 100 ? Math.min(1, taken) : 0;
}

/** "10.0.0.1" of "tcp://10.0.0.1:8786". */
function hostOf(address: string): string {
  return /^\w+:\/\/(\[[^\]]*\]|[^/:]*)/.exec(address)?.[1] ?? '';
}

/** Share of the time in which the lock of the busiest worker was held; NaN if nothing measures it. */
function lockHeldIn({ run, period }: Facts): Share {
  const [times, values] = [run.series.column('time'), busiestOf(run, 'gil')];
  let [sum, points] = [0, 0];
  for (let i = 0; i < Math.min(times.length, values.length); i++) {
    if (times[i] > period.from && times[i] <= period.to && values[i] >= 0) {
      sum += values[i];
      points += 1;
    }
  }
  return points > 0 ? sum / points : Number.NaN;
}
