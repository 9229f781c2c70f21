import { formatBytes, formatDuration, formatPercent } from '../../../base/format';
import type { Bytes, Seconds, Share } from '../../../base/units';
import type { Run } from '../../../run/run';
import { bytes, seconds, share } from '../../figures';
import { type Facts, selecting } from '../../facts';
import { meansOf, untilsOf } from '../../points';
import type { Rule } from '../../rule';
import { joined, longestOf, type Span } from '../../spans';
import { onlyMeans } from '../../time/only-means';
import { lostWorkers } from '../scheduling/lost/lost-work';
import { knowsPauses, pausesOf } from './paused';
import { MINOR, spilledIn } from './spilled';
import { grows } from './unmanaged-memory';

/** Shorter than this, a task may have needed much for a moment. */
const LONG: Seconds = 3;
/** Between two samples in a row there may be one in which a task has just ended. */
const GAP: Seconds = 2.5;
/** A sample says no more than this about the time after it. */
const SAMPLE: Seconds = 1;
/** Dask's default of worker.memory.spill, for the documentation. */
const SPILL: Share = 0.7;
/** Below the next threshold, where a worker does not spill by the memory of its process. */
const MARGIN: Share = 0.1;

/** Workers have nearly as much memory in use as they may have, and nothing has come of it yet. */
export const nearLimit: Rule = {
  cause: 'near-limit',
  theme: 'memory',
  workload: 'nearly_full.py',
  recognised:
    'By samples of every second, the process of a worker has as much memory as that at which Dask writes results to disk (or, if ' +
    'it does not, as much as 10 % of the limit less than that at which workers pause), for 3 s or more; but nothing worth mentioning is on disk and ' +
    'no worker pauses, which would be reported instead, and so would unmanaged memory that grows. It has no cost: ' +
    'what a worker costs that was lost is reported beside it. If workers have different limits, the largest counts.',
  needs: ['meta', 'series', 'workers'],
  thresholds: [
    {
      value: SPILL,
      unit: 'share',
      of: "a worker's limit that its process has",
      source: "Dask's setting worker.memory.spill, as it is on the cluster"
    },
    { value: LONG, unit: 's', of: 'in a row', source: 'samples come once a second, and a task may need much for a moment' }
  ],
  link: 'https://distributed.dask.org/en/stable/worker-memory.html#thresholds-configuration',
  title: trans => trans.__('Memory of workers is nearly full'),
  remedy: trans =>
    trans.__(
      'Before more data or larger chunks make workers write to disk, pause or end: use less memory per task (smaller chunks, fewer threads per worker), or give workers more memory.'
    ),
  unknown: ({ run, trans }) =>
    run.meta.thresholds === undefined ? trans.__('The memory thresholds of the workers are not known.') : null,
  find: facts => {
    const { run, trans } = facts;
    const level = levelOf(run);
    const limits = limitsOf(run);
    const limit = Math.max(...limits);
    if (level === null || limits.length === 0) {
      return null;
    }
    const { spans, most } = nearIn(facts, level.near * limit);
    const longest = longestOf(facts, spans);
    if (spans.length === 0 || longest.to - longest.from < LONG || isReported(facts)) {
      return null;
    }
    const time = spans.reduce((sum, { from, to }) => sum + to - from, 0);
    const same = limits.every(each => each === limit);
    const near = formatPercent(level.near);
    const words = [formatBytes(most), formatPercent(most / limit), formatDuration(time), near, formatPercent(level.next)];
    return {
      claims: [],
      confidence: same ? 'high' : 'medium',
      doubt: same ? '' : trans.__('Workers have different limits: their memory is compared with the largest.'),
      always: true,
      evidence: {
        selection: selecting({ period: longest }),
        plot: 'memory-timeseries',
        figures: [
          bytes(trans.__('Most that a worker had'), most),
          share(trans.__('Of its limit'), most / limit),
          seconds(trans.__('At %1 or more for', near), time)
        ]
      },
      sentence: () =>
        [
          level.pauses
            ? trans.__(
                'Memory of workers is nearly full: one had up to %1, %2 of its limit. For %3, one had %4 or more. At %5, a worker pauses.',
                ...words
              )
            : trans.__(
                'Memory of workers is nearly full: one had up to %1, %2 of its limit. For %3, one had %4 or more. At %5, the nanny of a worker ends it, if it has one.',
                ...words
              ),
          ...(costsNothing(facts) ? [trans.__('It has cost no time yet.')] : [])
        ].join(' ')
    };
  },
  overlooked: facts => {
    const level = levelOf(facts.run);
    const least = (level?.near ?? Number.NaN) * Math.max(...limitsOf(facts.run));
    return nearIn(facts, least).unsure && !isReported(facts) ? onlyMeans(facts) : null;
  }
};

/** From which share of the limit on memory is nearly full, and what is next. */
interface Level {
  readonly near: Share;
  readonly next: Share;
  /** Whether the next is that it pauses, and not that it is ended. */
  readonly pauses: boolean;
}

/** `null` if nothing would come of it. */
function levelOf({ thresholds: { spill, pause, terminate } }: Run): Level | null {
  const next = pause ?? terminate;
  return next === null
    ? null
    : { near: Math.min(spill ?? 1, next - (spill === null ? MARGIN : 0)), next, pauses: pause !== null };
}

/** Memory limits of all workers that have one. */
function limitsOf({ workerNames }: Run): readonly Bytes[] {
  return workerNames.map(name => name?.memory_limit ?? 0).filter(limit => limit > 0);
}

/** Whether something has come of it, or another rule warns. */
function isReported(facts: Facts): boolean {
  const { most, earlier } = spilledIn(facts);
  return (most >= MINOR && !earlier) || (knowsPauses(facts.run) && pausesOf(facts).some(({ full }) => full)) || grows(facts);
}

/** What is not reported has cost nothing, except where a worker was lost, most often for lack of memory, or may have been. */
function costsNothing(facts: Facts): boolean {
  return facts.run.has('events') && lostWorkers(facts).length === 0;
}

interface Near {
  readonly spans: readonly Span[];
  readonly most: Bytes;
  /** Whether it is not known for how long at some time. */
  readonly unsure: boolean;
}

/** When the process with the most memory had at least so much. */
function nearIn({ run, period }: Facts, least: Bytes): Near {
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, process, sums, workers] = [column('time'), column('process_max'), column('process_sum'), column('workers')];
  const [untils, means] = [untilsOf(run), meansOf(run)];
  const spans: Span[] = [];
  let [most, unsure] = [0, false];
  for (let k = 0; k < Math.min(times.length, process.length); k++) {
    const from = Math.max(times[k], period.from);
    // The greatest of a mean was there for a moment; what all workers had on average, one had all the time.
    const momentary = means[k] && !(sums[k] >= least * workers[k]);
    const to = Math.min(
      Math.max(momentary ? times[k] : untils[k], Math.min(times[k + 1] ?? times[k], times[k] + SAMPLE)),
      period.to
    );
    if (process[k] >= least && from < to) {
      spans.push({ from, to });
      most = Math.max(most, process[k]);
      unsure ||= momentary;
    }
  }
  return { spans: joined(spans, GAP), most, unsure };
}
