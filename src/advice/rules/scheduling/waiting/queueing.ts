import { formatCount, formatDuration, formatPercent } from '../../../../base/format';
import type { CpuPercent, Seconds, Share } from '../../../../base/units';
import { count, seconds } from '../../../figures';
import { once, selecting } from '../../../facts';
import type { Rule } from '../../../rule';
import { claimIn, joined, longestOf } from '../../../spans';
import { SMALL } from '../small-tasks';
import { meanOf, type Second, secondsIn, sumOf } from './by-second';

/** Tasks a second that all threads together ask for: Dask counts with up to 1 ms for each. */
const MOST_RATE = 1000;
/** Tasks that begin in a second: where there are fewer, threads wait for something else than the scheduler's work. */
const LEAST_RATE = 100;
/** Of the time of the threads in a second: twice what healthy runs lose. */
const WAITING: Share = 0.2;
/** Tasks that workers have for each thread, being sent or not: with fewer, threads have none to wait for. */
export const LEAST_TASKS = 0.9;
/** One or two may be the start of something. */
const LEAST_SECONDS = 3;
/** The scheduler's process is busy itself from here on; below, it may not get more of its machine. */
const BUSY: CpuPercent = 70;
/** A second between two such. */
const GAP: Seconds = 1.5;

/** More tasks end in a second than the scheduler can replace, though each takes long enough. */
export const queueing: Rule = {
  cause: 'queueing',
  theme: 'scheduling',
  workload: 'many_threads.py',
  recognised:
    'In some seconds all threads together would need 1,000 tasks or more a second, by how many they are and how long the tasks take ' +
    'that begin in this second, which is more than 20 ms on average (others are too small); 100 or more begin, threads spend a fifth of the time or more between two tasks, and by samples the scheduler has assigned nearly a task to each thread: with fewer, there is nothing to hand out. What they lost then counts, after what ' +
    'other rules explain: tasks that are long enough for a few threads are not for many.',
  needs: ['tasks', 'series'],
  thresholds: [
    {
      value: MOST_RATE,
      unit: 'count',
      of: 'tasks a second that the threads ask for',
      source: "Dask's best practices: overhead of up to 1 ms a task"
    },
    {
      value: WAITING,
      unit: 'share',
      of: 'the time of threads between two tasks',
      source: 'measured: twice what healthy runs lose'
    },
    {
      value: LEAST_RATE,
      unit: 'count',
      of: 'tasks that begin in a second',
      source: 'with fewer, threads wait for something else'
    },
    {
      value: LEAST_TASKS,
      unit: 'count',
      of: 'tasks that workers have for each thread, or that are on their way',
      source: 'with fewer, nothing was submitted or ready'
    },
    { value: LEAST_SECONDS, unit: 'count', of: 'such seconds', source: 'fewer may be the start of something' },
    {
      value: BUSY,
      unit: 'count',
      of: "per cent of a core that the scheduler's process takes, for certainty",
      source: 'below, other programs may take the machine'
    }
  ],
  link: 'https://docs.dask.org/en/stable/best-practices.html#avoid-very-large-graphs',
  title: trans => trans.__('Tasks queue for the scheduler'),
  remedy: trans =>
    trans.__(
      'Give each task more to do: the scheduler hands out about a thousand tasks a second to all threads together. Or use fewer threads.'
    ),
  find: facts => {
    const { trans } = facts;
    const found = queuedIn(facts);
    if (found.length === 0) {
      return null;
    }
    const starts = sumOf(found, each => each.starts);
    const time = sumOf(found, each => each.to - each.from);
    const duration = sumOf(found, each => each.busy) / starts;
    // In these seconds: before, or later, there may have been fewer.
    const threads = sumOf(found, each => each.capacity) / time;
    const asked = threads / duration;
    const cpu = meanOf(facts, 'scheduler_cpu', found);
    const words = [threads, asked, starts / time].map(each => formatCount(Math.round(each)));
    return {
      claims: [claimIn(facts, found, ['overhead', 'quiet'])],
      confidence: cpu >= BUSY ? 'medium' : 'low',
      doubt:
        cpu >= BUSY
          ? trans.__('What the scheduler is busy with is not measured; the profile of event loops may show it.')
          : trans.__('Whether threads wait for the scheduler is not measured: its machine may be busy, or workers take long.'),
      evidence: {
        selection: selecting({ period: longestOf(facts, joined(found, GAP)) }),
        plot: 'task-stream',
        figures: [
          count(trans.__('Tasks a second that threads ask for'), Math.round(asked)),
          count(trans.__('Tasks a second that began'), Math.round(starts / time)),
          seconds(trans.__('Mean duration'), duration),
          ...(cpu >= 0 ? [count(trans.__('CPU of the scheduler, per cent'), Math.round(cpu))] : [])
        ]
      },
      sentence: cost =>
        trans.__(
          'Tasks queue for the scheduler: %1 threads asked for %2 tasks a second of %4 each, and got %3. They waited %5 of the time for their next one.',
          ...words,
          formatDuration(duration),
          formatPercent(cost.share)
        )
    };
  }
};

/** Seconds in which tasks queue for the scheduler; none if they are few. */
export const queuedIn = once((facts): readonly Second[] => {
  const found = secondsIn(facts).filter(({ from, to, starts, busy, capacity, overhead, quiet }) => {
    const [length, duration] = [to - from, busy / starts];
    const asked = capacity / length / duration;
    const many = starts >= LEAST_RATE * length && duration > SMALL && asked >= MOST_RATE;
    return many && overhead + quiet >= WAITING * capacity;
  });
  const threads = sumOf(found, each => each.capacity) / sumOf(found, each => each.to - each.from);
  const nothing = meanOf(facts, 'processing_sum', found) < LEAST_TASKS * threads;
  return found.length < LEAST_SECONDS || nothing ? [] : found;
});
