import { formatBytes, formatPercent } from '../../../base/format';
import type { Bytes, Share } from '../../../base/units';
import { bytes, share } from '../../figures';
import { type Facts, once, selecting } from '../../facts';
import { memoryLimitIn } from '../../points';
import type { Rule } from '../../rule';
import { lostWorkers } from '../scheduling/lost/lost-work';
import { pausesOf } from './paused';
import { spilledIn } from './spilled';

/** Growth that matters, as a share of the workers' limits: Dask warns when 70 % are unmanaged. */
const LEAST_GROWTH: Share = 0.2;
/** Share of the changes that must go up: memory that comes and goes is no leak. */
const MOSTLY: Share = 0.75;
/** Of the mean change: smaller changes do not count. */
const RISE: Share = 0.1;
const LEAST_POINTS = 4;
/** Of what it grew by, less than this is there after the period: it was in use, and is returned. */
const KEPT: Share = 0.5;

interface Growth {
  readonly points: number;
  readonly from: Bytes;
  /** What the first became, without what came and went with workers. */
  readonly to: Bytes;
  /** Whether the workers are the same all the time, as far as their number shows. */
  readonly steady: boolean;
  /** Whether most of it is no longer there after the period. */
  readonly returned: boolean;
  readonly up: Share;
  readonly limit: Bytes;
}

/** Unmanaged memory grows all the time. */
export const unmanagedMemory: Rule = {
  cause: 'unmanaged-memory',
  theme: 'memory',
  workload: 'leak.py',
  recognised:
    'The unmanaged memory of the processes is higher in three of four samples than in the sample ' +
    'before, by 20 % of the limits in all, and most of it is still there afterwards. Two samples ' +
    'between which workers join or leave are not compared. It costs no time, so it has no cost.',
  needs: ['series', 'workers'],
  thresholds: [
    {
      value: LEAST_GROWTH,
      unit: 'share',
      of: "growth in the period, of the workers' limits",
      source: 'Dask warns when 70 % are unmanaged'
    },
    {
      value: MOSTLY,
      unit: 'share',
      of: 'samples that are higher than the one before',
      source: 'memory that comes and goes is no leak'
    }
  ],
  link: 'https://distributed.dask.org/en/stable/worker-memory.html#memory-not-released-back-to-the-os',
  title: trans => trans.__('Unmanaged memory grows'),
  remedy: trans =>
    trans.__(
      'Look for what tasks keep: globals, caches, objects of libraries. Where nothing is kept, client.run with malloc_trim or restarting workers returns it to the system.'
    ),
  find: facts => {
    const { trans, period } = facts;
    const { points, from, to, steady, limit } = growth(facts);
    if (!grows(facts)) {
      return null;
    }
    return {
      claims: [],
      confidence: points >= 4 * LEAST_POINTS ? 'high' : 'medium',
      doubt: points >= 4 * LEAST_POINTS ? '' : trans.__('This is based on %1 samples.', String(points)),
      always: true,
      evidence: {
        selection: selecting({ period }),
        plot: 'memory-timeseries',
        figures: steady
          ? [bytes(trans.__('At first'), from), bytes(trans.__('At last'), to), share(trans.__('Of the limits'), to / limit)]
          : [bytes(trans.__('Growth'), to - from), share(trans.__('Of the limits'), (to - from) / limit)]
      },
      sentence: () =>
        [
          steady
            ? trans.__(
                'Unmanaged memory of the workers grew from %1 to %2, %3 of their limits.',
                formatBytes(from),
                formatBytes(to),
                formatPercent(to / limit)
              )
            : trans.__(
                'Unmanaged memory of the workers grew by %1, %2 of their limits, not counting workers that joined or left.',
                formatBytes(to - from),
                formatPercent((to - from) / limit)
              ),
          ...(hasCost(facts) ? [] : [trans.__('It has cost no time yet.')])
        ].join(' ')
    };
  }
};

/** Whether it grows all the time, by so much that it matters. */
export function grows(facts: Facts): boolean {
  const { points, from, to, returned, up, limit } = growth(facts);
  return points >= LEAST_POINTS && !returned && limit > 0 && to - from >= LEAST_GROWTH * limit && up >= MOSTLY;
}

/** Whether memory may have been so short that workers paused, spilled or ended, or it is not known whether one did. */
function hasCost(facts: Facts): boolean {
  return !facts.run.has('events') || spilledIn(facts).most > 0 || pausesOf(facts).length > 0 || lostWorkers(facts).length > 0;
}

/**
 * Results of workers may be counted before the heartbeat that has the memory of their processes: while there is less of it
 * than of results, what is not of results is not known.
 */
const growth = once(({ run, period }): Growth => {
  const [process, managed] = [run.series.column('process_sum'), run.series.column('managed_sum')];
  const [times, workers] = [run.series.column('time'), run.series.column('workers')];
  const [values, counts]: [Bytes[], number[]] = [[], []];
  let after = Number.NaN;
  for (let i = 0; i < Math.min(times.length, process.length, managed.length); i++) {
    const unmanaged = process[i] - managed[i];
    if (times[i] < period.from || !(unmanaged > 0)) {
      continue;
    }
    if (times[i] <= period.to) {
      values.push(unmanaged);
      counts.push(workers[i] ?? 0);
    } else {
      // Of other workers it is not known what is left of theirs.
      after = workers[i] === counts.at(-1) ? unmanaged : after;
    }
  }
  const [from, last] = [values[0] ?? 0, values.at(-1) ?? 0];
  const changes: Bytes[] = [];
  for (let i = 1; i < values.length; i++) {
    // A worker that has just come still loads what all have.
    if (counts[i] === counts[i - 1] && counts[i] === (counts[i - 2] ?? counts[i])) {
      changes.push(values[i] - values[i - 1]);
    }
  }
  const grown = changes.reduce((sum, each) => sum + each, 0);
  const [to, compared] = [from + grown, changes.length];
  // A worker that loads packages first, and then grows by some bytes each second, does not grow all the time.
  const rises = changes.filter(each => each > 0 && each >= (RISE * grown) / compared).length;
  return {
    points: compared + 1,
    from,
    to,
    steady: compared === values.length - 1,
    returned: after - last + to < from + (to - from) * KEPT,
    up: rises / Math.max(1, compared),
    limit: memoryLimitIn(run, period)
  };
});
