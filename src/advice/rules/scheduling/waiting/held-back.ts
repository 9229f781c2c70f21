import { formatCount, formatDuration, formatPercent } from '../../../../base/format';
import { oneDecimal } from '../../../../selectors/plain-number';
import type { Seconds, Share } from '../../../../base/units';
import { count, seconds } from '../../../figures';
import { type Facts, selecting } from '../../../facts';
import type { Rule } from '../../../rule';
import { claimIn, joined, longestOf, type Span } from '../../../spans';
import { touchedBy } from '../../../time/grid';
import { onlyMeans, withoutAssigned } from '../../../time/only-means';
import { type Second, secondsIn, sumOf } from './by-second';

/** For some seconds tasks may just have come, or a worker does not answer. */
const LEAST_SECONDS = 5;
/** Mean tick of a worker's event loop, which is 20 ms; a worker reports it when it can again. */
const BLOCKED: Seconds = 1;
const SOON: Seconds = 3;
/** Of a second, and of a thread: less is what lies between two tasks. */
const ALL: Share = 0.9;
/** Tasks that a thread begins in a second: with more, threads wait between them for moments each. */
const FEW = 1;

/** Workers have tasks for threads that do nothing, and others of their threads run tasks. */
export const heldBack: Rule = {
  cause: 'held-back',
  theme: 'scheduling',
  workload: 'resources.py',
  recognised:
    'In consecutive seconds, by their samples, workers have tasks for more threads than work, one at least for nearly the whole ' +
    'second, while others work, hardly a task begins or as many threads work nearly all the time, and no event loop of a worker stands still; nor, at the end of a live run, while workers receive data. What these threads lost counts, as far as no other rule explains it. ' +
    'Which resources tasks ask for is not recorded, so that this is the most likely reason, not a measured one.',
  needs: ['tasks', 'series'],
  thresholds: [
    {
      value: LEAST_SECONDS,
      unit: 'count',
      of: 'seconds one after the other',
      source: 'for some, tasks may just have come, or a worker does not answer'
    },
    { value: ALL, unit: 'share', of: 'the second that a thread does not work', source: 'less is what lies between two tasks' },
    { value: BLOCKED, unit: 's', of: "tick of a worker's event loop, at most", source: 'it is 20 ms where nothing is late' },
    {
      value: FEW,
      unit: 'count',
      of: 'tasks that a thread begins in a second, at most',
      source: 'with more, threads wait for each of them, unless as many work nearly all the time'
    }
  ],
  link: 'https://distributed.dask.org/en/stable/resources.html',
  title: trans => trans.__('Workers hold back tasks that they have'),
  remedy: trans =>
    trans.__(
      'If tasks ask for resources=, ask for less of them, give workers more, or start workers with as many threads as may work. The details of a task that waits say which it lacks.'
    ),
  find: facts => {
    const { trans } = facts;
    const held = heldBackIn(facts);
    if (held.length === 0) {
      return null;
    }
    const spans = joined(held);
    const time = sumOf(held, each => each.to - each.from);
    const most = Math.round(Math.max(...held.map(each => each.threads)));
    const working = sumOf(held, each => each.busy) / time;
    return {
      claims: [claimIn(facts, held, ['overhead'])],
      confidence: 'low',
      doubt: trans.__(
        'Which resources tasks ask for is not recorded: workers may also import or unpack something, or wait for data.'
      ),
      evidence: {
        selection: selecting({ period: longestOf(facts, spans) }),
        plot: 'task-stream',
        figures: [count(trans.__('Threads that had a task and did not work, at most'), most), seconds(trans.__('In all'), time)]
      },
      sentence: cost =>
        trans._n(
          'Workers hold back tasks: for %2, a thread had a task and did not start it, while %3 others worked. It costs %4 of the time. Most often resources= allow fewer at a time than there are threads.',
          'Workers hold back tasks: for %2, up to %5 threads had tasks and did not start them, while %3 others worked. It costs %4 of the time. Most often resources= allow fewer at a time than there are threads.',
          most,
          formatDuration(time),
          oneDecimal(working),
          formatPercent(cost.share),
          formatCount(most)
        )
    };
  },
  overlooked: facts => withoutAssigned(facts) ?? onlyMeans(facts)
};

interface Held extends Second, Span {
  /** That had tasks and did nothing. */
  readonly threads: number;
}

function heldBackIn(facts: Facts): readonly Held[] {
  const { series } = facts.run;
  const [assigned, computing] = [series.column('assigned_sum'), series.column('computing_sum')];
  const all = secondsIn(facts).map((second): Held | null => {
    const length: Seconds = second.to - second.from;
    // Heartbeats also report tasks that have no record yet.
    const working = Math.max(second.busy / length, computing[second.sample] || 0);
    const threads = Math.min((assigned[second.sample] ?? 0) - working, second.overhead / length);
    const few = second.starts < FEW * second.capacity || isEven(facts, second);
    return few && second.busy >= ALL * length && threads >= ALL ? { ...second, threads } : null;
  });
  const rows: Held[][] = [[]];
  for (const each of all) {
    if (each === null) {
      rows.push([]);
    } else {
      rows.at(-1)?.push(each);
    }
  }
  return rows.filter(row => row.length >= LEAST_SECONDS && !isBlocked(facts, row) && !isReceiving(facts, row)).flat();
}

/** Whether as many threads worked nearly all the time: where threads wait for each task, it is now more of them and now fewer. */
function isEven({ partition: { steps, activity } }: Facts, second: Second): boolean {
  const [first, end] = touchedBy(second, steps);
  const counts = new Map<number, number>();
  for (let i = first; i < end; i++) {
    const working = Math.round((activity.compute[i] + activity.running[i]) / steps.width);
    counts.set(working, (counts.get(working) ?? 0) + 1);
  }
  return Math.max(...counts.values()) >= ALL * (end - first);
}

/** Whether workers receive data now, which tasks may wait for: transfers are recorded with tasks that have ended. */
function isReceiving({ run }: Facts, row: readonly Held[]): boolean {
  const now = row[row.length - 1].to > run.clock.latest - SOON;
  return now && run.workers.ids.some(id => run.workers.get(id, 'transfer_in') > 0);
}

/** Whether a worker reports then, or soon after, that its event loop stood still: it could not have started anything. */
function isBlocked({ run }: Facts, row: readonly Held[]): boolean {
  const [times, ticks] = [run.series.column('time'), run.series.column('event_loop_max')];
  const until = row[row.length - 1].to + SOON;
  return ticks.some((tick, k) => tick >= BLOCKED && times[k] >= row[0].from && times[k] <= until);
}
