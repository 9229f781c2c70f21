import { formatDuration, formatPercent } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import { oneLine } from '../../../plot/text';
import { count, seconds } from '../../figures';
import { type Facts, LEAST_SHARE, once, selecting, shareOf } from '../../facts';
import { momentsOf } from '../../points';
import type { Rule } from '../../rule';
import { type Work, workIn } from '../../work-in';
import { claimedTime, claimIn, joined, longestOf, type Span } from '../../spans';
import { onlyMeans, withoutAssigned } from '../../time/only-means';
import { retiringOf } from '../../time/retiring';
import { tasksWords } from '../../words';

/** Two samples one after the other: Dask looks for tasks to move once a second, and some wait for moments anywhere. */
const LEAST_SAMPLES = 2;
/** That often Dask looks for tasks to move. */
const STEALING: Seconds = 1;
/** Tasks that wait for each thread that has one, in a sample alone: with fewer, they may wait for the end of the task before. */
const QUEUED = 2;
/** Of a step in which a thread had no task at all, some may be the end of the task before. */
const MOSTLY = 0.5;

/** Tasks wait for a worker while threads of others have none: their data or a restriction keeps them there. */
export const unevenWorkers: Rule = {
  cause: 'uneven-workers',
  theme: 'scheduling',
  workload: 'pinned.py',
  recognised:
    'In consecutive samples, one a second, workers have more tasks than threads while threads of other workers ' +
    'have no task: these tasks may not run elsewhere, or their data keeps them where they are. If a thread has ' +
    'nothing to do all the time, this also holds for the seconds before and after these samples. Of a single sample, it must be for a second or more, with twice as many waiting tasks as threads that have one, and not where workers have just come; then it is not certain.',
  needs: ['tasks', 'series', 'workers'],
  thresholds: [
    {
      value: LEAST_SAMPLES,
      unit: 'count',
      of: 'samples one after the other',
      source: 'Dask moves tasks to idle workers once a second (distributed.scheduler.work-stealing-interval), where it may'
    }
  ],
  link: 'https://distributed.dask.org/en/stable/locality.html',
  title: trans => trans.__('Work is uneven between the workers'),
  remedy: trans =>
    trans.__(
      'Let tasks run anywhere, without workers= and resources=, or with allow_other_workers=True. Spread their data with client.rebalance or client.scatter without workers=, or load it on all workers.'
    ),
  find: facts => {
    const { run, trans } = facts;
    const spans = unevenIn(facts);
    const claims = [claimIn(facts, spans, ['starved', 'overhead'])];
    if (spans.length === 0 || shareOf(facts, claimedTime(claims)) < LEAST_SHARE) {
      return null;
    }
    const period = longestOf(facts, joined(spans));
    // A worker with more threads may do more work though it has some left.
    const perThread = ({ id, total }: Work): number => total / Math.max(1, run.workerNames[id]?.nthreads ?? 1);
    const [busiest] = [...workIn(run, period).workers].sort((a, b) => perThread(b) - perThread(a));
    const known = busiest === undefined ? undefined : run.workerNames[busiest.id];
    const waiting = Math.max(...spans.map(each => each.waiting));
    const time = spans.reduce((sum, { from, to }) => sum + to - from, 0);
    const name = oneLine(known?.name || known?.address || '', 60);
    const single = spans.every(each => each.single);
    return {
      claims,
      confidence: single ? 'medium' : 'high',
      doubt: single ? trans.__('It is seen in single samples only: Dask may have been about to move these tasks.') : '',
      evidence: {
        selection: selecting({ period, workers: known === undefined ? null : [known.address] }),
        plot: 'task-stream',
        figures: [
          count(trans.__('Tasks that waited for a worker, at most'), waiting),
          seconds(trans.__('While others had none'), time)
        ]
      },
      sentence: cost => {
        const words = [formatDuration(time), tasksWords(waiting, trans), name, formatPercent(cost.share)];
        return name === ''
          ? trans.__(
              'Work is uneven: for %1, up to %2 waited for their workers while threads of other workers had none. It costs %4 of the time.',
              ...words
            )
          : trans.__(
              'Work is uneven: for %1, up to %2 waited for workers such as %3 while threads of other workers had none. It costs %4 of the time.',
              ...words
            );
      }
    };
  },
  overlooked: facts => withoutAssigned(facts) ?? onlyMeans(facts)
};

/** Tasks that wait for each thread that has one: among small tasks, fewer wait for moments anywhere. */
const QUEUE = 10;

/** When threads have no task since all tasks wait for others: it is no time between two of theirs. */
export function keptOut(facts: Facts): readonly Span[] {
  return unevenIn(facts).filter(({ waiting, busy }) => waiting >= QUEUE * busy);
}

interface Uneven extends Span {
  readonly threads: number;
  /** Tasks that were assigned to workers whose threads had tasks. */
  readonly waiting: number;
  /** Threads that had tasks. */
  readonly busy: number;
  /** Whether it is known from one sample. */
  readonly single: boolean;
}

/**
 * Times in which workers had more tasks than threads, and others fewer. Samples are a second apart: what they say also holds
 * until the next one and since the one before, as long as a thread had nothing to do all the time.
 */
const unevenIn = once((facts): readonly Uneven[] => {
  const { run, period } = facts;
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, threads, assigned] = [column('time'), column('threads_sum'), column('assigned_sum')];
  const [processing, executing, computing] = [column('processing_sum'), column('executing_sum'), column('computing_sum')];
  const moments = momentsOf(run);
  const retiring = retiringOf(run);
  const spans: Uneven[] = [];
  let [since, before]: [Seconds, Seconds] = [Number.NaN, Number.NaN];
  let samples = 0;
  let alone: Uneven | null = null;
  for (let k = 0; k < times.length; k++) {
    // A worker that retires takes no tasks, from wherever they come.
    const gone = retiring.reduce((sum, each) => sum + (each.from <= times[k] && times[k] < each.to ? each.threads : 0), 0);
    const free = threads[k] - assigned[k] - gone;
    // Tasks that have seceded are assigned, run, and hold no thread.
    const waiting = processing[k] - assigned[k] - (executing[k] - computing[k]);
    if (!moments[k] || times[k] < period.from || times[k] > period.to || !(free >= 1 && waiting >= 1)) {
      const last = samples >= LEAST_SAMPLES ? spans.at(-1) : alone;
      if (last !== null && last !== undefined) {
        const from = samples >= LEAST_SAMPLES ? last.to : starvedSince(facts, last.from, before);
        const to = starvedUntil(facts, last.to, Math.min(times[k], period.to));
        const isLong = samples >= LEAST_SAMPLES || to - from >= STEALING;
        spans.push(...(isLong ? [{ ...last, from, to }] : []));
      }
      [samples, alone] = [0, null];
      continue;
    }
    samples += 1;
    const sample = { to: times[k], threads: Math.min(free, waiting), waiting, busy: assigned[k], single: samples === 1 };
    // Dask has not had the time to move tasks to workers that have just come.
    const isNew = threads[k] > threads[k - 1];
    alone = samples === 1 && waiting >= QUEUED * assigned[k] && !isNew ? { ...sample, from: times[k] } : null;
    if (samples >= LEAST_SAMPLES) {
      spans.push({ ...sample, from: samples > LEAST_SAMPLES ? since : starvedSince(facts, since, before) });
    }
    before = samples === 1 ? Math.max(period.from, times[k - 1] ?? period.from) : before;
    since = times[k];
  }
  return spans;
});

function starvedSince({ partition }: Facts, time: Seconds, least: Seconds): Seconds {
  const { steps, byStep } = partition;
  let i = Math.floor((time - steps.from) / steps.width);
  while (i > 0 && steps.from + i * steps.width > least && byStep.starved[i - 1] >= MOSTLY * steps.width) {
    i -= 1;
  }
  return Math.min(time, Math.max(least, steps.from + i * steps.width));
}

function starvedUntil({ partition }: Facts, time: Seconds, most: Seconds): Seconds {
  const { steps, byStep } = partition;
  let i = Math.floor((time - steps.from) / steps.width);
  while (i < steps.count && steps.from + i * steps.width < most && byStep.starved[i] >= MOSTLY * steps.width) {
    i += 1;
  }
  return Math.max(time, Math.min(most, steps.from + i * steps.width));
}
