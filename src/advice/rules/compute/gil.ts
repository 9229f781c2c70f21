import { formatPercent } from '../../../base/format';
import type { Seconds, Share } from '../../../base/units';
import { quantiles } from '../../../selectors/selection/quantile';
import { liveWorkers } from '../../../selectors/workers/worker-rows';
import { count, seconds, share } from '../../figures';
import { type Facts, selecting, shareOf, timeOf } from '../../facts';
import type { Rule } from '../../rule';
import { onCpuIn } from '../../time/on-cpu';
import { workIn } from '../../work-in';

/** A process whose threads share one lock takes one core at most; psutil's figure is off by some per cent. */
const MOST_CPU = 115;
/** Less than this share of a core is no computing but waiting, for a store or a service. */
const LEAST_CPU = 75;
/** With fewer threads at work in a process there is nothing to share. */
const LEAST_THREADS = 1.6;
const LEAST_POINTS = 3;
/** A lock that threads wait for is held nearly all the time. */
const LEAST_HELD: Share = 0.75;

/** Threads of a worker run one at a time, because pure Python holds the interpreter's lock. */
export const gil: Rule = {
  cause: 'gil',
  theme: 'compute',
  workload: 'gil.py',
  recognised:
    'Several threads of a worker work at the same time, but its process takes about one core in the busiest ' +
    'tenth of the samples, and never more. Where gilknocker measures the lock, it must be held for three quarters of the time.',
  needs: ['tasks', 'series', 'workers'],
  thresholds: [
    { value: MOST_CPU, unit: 'count', of: 'per cent of a core that a worker takes at most', source: 'one lock, one core' },
    { value: LEAST_CPU, unit: 'count', of: 'per cent of a core that it takes in its busiest tenth', source: 'less is waiting' },
    { value: LEAST_THREADS, unit: 'count', of: 'threads at work in a worker', source: 'one thread needs no lock' },
    {
      value: LEAST_HELD,
      unit: 'share',
      of: 'the time in which the lock is held, if that is known',
      source: 'who waits for it waits because it is held'
    }
  ],
  link: 'https://docs.dask.org/en/stable/best-practices.html#processes-and-threads',
  title: trans => trans.__("Threads wait for Python's lock (GIL)"),
  remedy: trans =>
    trans.__(
      'Use more worker processes with fewer threads (n_workers=, threads_per_worker=1), or code that releases the lock: NumPy, pandas, Numba with nogil.'
    ),
  unknown: facts => (cpuOf(facts).points < LEAST_POINTS ? facts.trans.__('Too short: CPU is sampled once a second.') : null),
  find: facts => {
    const { trans, period, executions } = facts;
    const { high, most } = cpuOf(facts);
    // Workers that have left since count, too: without them, the others would seem to have had their threads.
    const workers = Math.max(liveWorkers(facts.run).length, workIn(facts.run, period).workers.length);
    const counted = facts.capacity / facts.threads;
    const busy = (timeOf(facts, 'compute') + timeOf(facts, 'running')) / counted / Math.max(1, workers);
    const held = heldIn(facts);
    if (!(high >= LEAST_CPU) || most > MOST_CPU || !(busy >= LEAST_THREADS) || held < LEAST_HELD) {
      return null;
    }
    // All but one of the threads of a worker wait.
    const waiting: Share = 1 - 1 / busy;
    const onCpu = onCpuIn(facts);
    const lost: Seconds = timeOf(facts, 'compute') * Math.min(waiting, Number.isNaN(onCpu) ? waiting : 1 - onCpu);
    const certain = onCpu < 1 / LEAST_THREADS;
    return {
      claims: { compute: lost },
      confidence: held >= LEAST_HELD ? 'high' : certain ? 'medium' : 'low',
      doubt:
        held >= LEAST_HELD
          ? ''
          : trans.__('Dask does not measure the lock without gilknocker; other programs on the machine have the same effect.'),
      evidence: {
        selection: selecting({ period, functions: executions.functions.slice(0, 1).map(({ name }) => name) }),
        plot: 'cpu-timeseries',
        figures: [
          count(trans.__('Busy threads in a worker'), Number(busy.toFixed(1))),
          share(trans.__('Of one core, at most'), most / 100),
          ...(Number.isNaN(held) ? [] : [share(trans.__('Lock was held'), held)]),
          ...(Number.isNaN(onCpu) ? [] : [share(trans.__('Of the computing time on a CPU'), onCpu)]),
          seconds(trans.__('Threads that waited'), lost)
        ]
      },
      sentence: cost =>
        trans.__(
          '%1 threads work in each worker at the same time, but no worker uses more than %2 of one core: they wait for the GIL while they compute, %3 of the time.',
          busy.toFixed(1),
          formatPercent(most / 100),
          formatPercent(shareOf(facts, cost.seconds))
        )
    };
  }
};

/** CPU of the busiest worker, in per cent of a core: of the busiest tenth of the samples, and the most. */
function cpuOf({ run, period }: Facts): { points: number; high: number; most: number } {
  const [times, values] = [run.series.column('time'), run.series.column('cpu_max')];
  const found: number[] = [];
  for (let i = 0; i < Math.min(times.length, values.length); i++) {
    // A sample is the mean of the half second before the heartbeat.
    if (times[i] > period.from + 0.5 && times[i] <= period.to && values[i] >= 0) {
      found.push(values[i]);
    }
  }
  const [high] = quantiles(Float32Array.from(found), found.length, [0.9]);
  return { points: found.length, high, most: found.reduce((most, value) => Math.max(most, value), 0) };
}

/** Share of the time in which the lock of the busiest worker was held; NaN if nothing measures it. */
function heldIn({ run, period }: Facts): Share {
  const [times, values] = [run.series.column('time'), run.series.column('gil_max')];
  let [sum, points] = [0, 0];
  for (let i = 0; i < Math.min(times.length, values.length); i++) {
    if (times[i] > period.from && times[i] <= period.to && values[i] >= 0) {
      sum += values[i];
      points += 1;
    }
  }
  return points > 0 ? sum / points : Number.NaN;
}
