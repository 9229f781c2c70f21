import { formatCount, formatDuration, formatPercent } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import { count, seconds, share } from '../../figures';
import { type Facts, JOINED, selecting, shareOf } from '../../facts';
import type { Rule } from '../../rule';
import { claimedTime, claimIn, joined, longestOf, type Span } from '../../spans';
import { measuredWords } from '../../words';
import { keptOut } from './uneven-workers';

/** Dask recommends tasks of 100 ms and more, and counts with about 1 ms of overhead each: at 20 ms that is 5 %. */
export const SMALL = 0.02;
/** The cost of fewer tasks is not noticeable. */
const LEAST_TASKS = 100;
/** Over this time it is looked at what threads did; what they wait for one small task is much less. */
const WINDOW: Seconds = 1;
/** Tasks of each thread in this time: one that starts fewer waits for something else. */
const LEAST_STARTS = 2;

/** Tasks take no longer than what it costs to hand them out. */
export const smallTasks: Rule = {
  cause: 'small-tasks',
  theme: 'scheduling',
  workload: 'tiny_tasks.py',
  recognised:
    'In some seconds each thread starts two tasks or more, which take 20 ms or less on average, and threads ' +
    'spend much of that time between two tasks although other threads run tasks at the same time. In other ' +
    'seconds threads wait for something else, so other work in the period does not change this.',
  needs: ['tasks'],
  thresholds: [
    { value: SMALL, unit: 's', of: 'mean duration of the tasks', source: "Dask's best practices: overhead of about 1 ms a task" },
    {
      value: LEAST_STARTS,
      unit: 'count',
      of: 'tasks that a thread starts in a second',
      source: 'fewer leave no trace of waiting'
    },
    { value: LEAST_TASKS, unit: 'count', of: 'tasks in these seconds', source: 'fewer cost less than 0.1 s' }
  ],
  link: 'https://docs.dask.org/en/stable/best-practices.html#avoid-very-large-graphs',
  title: trans => trans.__('Tasks are too small'),
  remedy: trans =>
    trans.__(
      'Give each task more to do: larger chunks or partitions, or many items for one call. 100 ms per task is comfortable.'
    ),
  find: facts => {
    const { trans, executions, period } = facts;
    // Of a long task, the period may have the first or the last moments only.
    const tiny = executions.functions.filter(each => each.total / each.count <= SMALL && each.min <= SMALL);
    const tasks = tiny.reduce((sum, each) => sum + each.count, 0);
    const time = tiny.reduce((sum, each) => sum + each.total, 0);
    const { spans, starts } = amongSmall(facts);
    if (Math.min(tasks, starts) < LEAST_TASKS) {
      return null;
    }
    const claims = [claimIn(facts, spans, ['overhead'], keptOut(facts)), claimIn(facts, spans, ['quiet'])];
    const waited = claimedTime(claims);
    const shown = longestOf(facts, joined(spans, JOINED * (period.to - period.from)));
    return {
      claims,
      confidence: tasks >= 10 * LEAST_TASKS ? 'high' : 'medium',
      evidence: {
        selection: selecting({ period: shown, functions: tiny.map(({ name }) => name) }),
        plot: 'task-stream',
        figures: [
          count(trans.__('Tasks'), tasks),
          seconds(trans.__('Mean duration'), time / tasks),
          share(trans.__('Threads between two tasks'), shareOf(facts, waited))
        ]
      },
      sentence: cost => {
        const sentence = trans.__(
          'Tasks are too small: %1 took %2 on average, and threads waited %3 of the time for their next one.',
          formatCount(tasks),
          formatDuration(time / tasks),
          formatPercent(cost.share)
        );
        return measuredWords(sentence, cost, waited, trans);
      }
    };
  }
};

/** When threads ran small tasks only, and how many of them. */
function amongSmall({ partition, threads }: Facts): { readonly spans: readonly Span[]; readonly starts: number } {
  const { steps, activity } = partition;
  const { from, count: length, width } = steps;
  const span = Math.max(1, Math.round(WINDOW / width));
  const least = LEAST_STARTS * threads;
  const windows = Array.from({ length: Math.ceil(length / span) }, (_, i) => {
    const window = { begin: i * span, end: Math.min(length, (i + 1) * span), busy: 0, starts: 0, first: 0, last: 0 };
    for (let k = window.begin; k < window.end; k++) {
      window.busy += activity.compute[k] + activity.running[k];
      if (activity.starts[k] > 0) {
        window.first = window.starts === 0 ? k : window.first;
        window.last = k;
      }
      window.starts += activity.starts[k];
    }
    return window;
  });
  const small = windows.map(({ begin, end, busy, starts }) => {
    // The last one may be short.
    return starts >= (least * (end - begin)) / span && starts > 0 && busy / starts <= SMALL;
  });
  const spans: Span[] = [];
  let tasks = 0;
  windows.forEach(({ begin, end, starts, first, last }, i) => {
    const [before, after] = [small[i - 1] === true, small[i + 1] === true];
    // A scheduler that is overrun leaves all threads without news for a while.
    if (small[i] || (starts === 0 && before && after)) {
      spans.push({ from: from + (before ? begin : first) * width, to: from + (after ? end : last + 1) * width });
      tasks += starts;
    }
  });
  return { spans, starts: tasks };
}
