import { formatDuration, formatPercent } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import { liveWorkers } from '../../../selectors/workers/worker-rows';
import { count, seconds } from '../../figures';
import { type Facts, selecting } from '../../facts';
import { momentsOf } from '../../points';
import type { Rule } from '../../rule';
import { longestOf, lostIn, type Span } from '../../spans';
import { SETTLED } from '../../time/activity';

/** Dask logs a line on the worker from this on (distributed.admin.tick.limit). */
const LIMIT: Seconds = 3;
/** So many tasks, at least, are not reported: of a step in which a task ends, a part of one is. */
const MISSING = 0.9;
/** With more workers heartbeats come every 2 s or more rarely, up to 10 of them twice a second (heartbeat_interval of Dask's scheduler). */
const MOST_WORKERS = 49;

/** Event loops of workers do nothing for seconds, while a task holds them. */
export const eventLoopBlocked: Rule = {
  cause: 'event-loop-blocked',
  theme: 'scheduling',
  workload: 'blocked_loop.py',
  recognised:
    'Tasks ran for more than 1.5 s, but the heartbeats of their workers, which come once or twice a second, did not ' +
    'report them; 3 s of it in all, and at a time if it costs less than what is reported otherwise.',
  needs: ['tasks', 'series', 'workers'],
  thresholds: [
    {
      value: LIMIT,
      unit: 's',
      of: 'without a heartbeat that reports a running task',
      source: "Dask's setting distributed.admin.tick.limit"
    }
  ],
  link: 'https://distributed.dask.org/en/stable/worker.html',
  title: trans => trans.__('Event loops of workers were blocked'),
  remedy: trans =>
    trans.__(
      'Do not block in coroutines (async def tasks): await, or use an ordinary function, which runs in a thread. Native code that keeps the GIL for seconds needs processes.'
    ),
  unknown: facts =>
    mostWorkers(facts) > MOST_WORKERS
      ? facts.trans.__('With more than %1 workers heartbeats are too rare.', String(MOST_WORKERS))
      : null,
  find: facts => {
    const { trans } = facts;
    const spans = silences(facts);
    const time = spans.reduce((sum, { from, to }) => sum + to - from, 0);
    if (time < LIMIT) {
      return null;
    }
    const period = longestOf(facts, spans);
    return {
      claims: lostIn(facts, spans, ['starved', 'overhead', 'quiet', 'transfer']),
      confidence: 'medium',
      doubt: trans.__('Late heartbeats of a busy machine look the same.'),
      // Single heartbeats come late in every long run.
      always: spans.some(({ from, to }) => to - from >= LIMIT),
      evidence: {
        selection: selecting({ period }),
        plot: 'task-stream',
        figures: [count(trans.__('Times'), spans.length), seconds(trans.__('In all'), time)]
      },
      sentence: cost =>
        trans.__(
          'Event loops of workers were blocked for %1: tasks ran, but their workers did not answer. Other threads lost %2 of the time.',
          formatDuration(time),
          formatPercent(cost.share)
        )
    };
  }
};

/** The most workers that there were at a time, by the samples: a cluster may have been scaled down since. */
function mostWorkers({ run, period }: Facts): number {
  const [times, workers] = [run.series.column('time'), run.series.column('workers')];
  const known = Array.from(workers).filter((each, k) => each >= 0 && times[k] >= period.from && times[k] <= period.to);
  return known.length > 0 ? known.reduce((most, each) => Math.max(most, each)) : liveWorkers(run).length;
}

/** Stretches in which tasks had run for longer than {@link SETTLED}, and no heartbeat reported them. */
function silences({ run, partition, threads }: Facts): readonly Span[] {
  const { steps, activity } = partition;
  const { from, width, count: length } = steps;
  // Also tasks that have seceded, which hold no thread and therefore do not count as computing.
  const [times, executing] = [run.series.column('time'), run.series.column('executing_sum')];
  const moments = momentsOf(run);
  const spans: (Span & { readonly threads: number })[] = [];
  for (let k = 0; k < Math.min(times.length, executing.length); k++) {
    const first = Math.floor((times[k] - SETTLED - from) / width);
    const last = Math.floor((times[k] - from) / width);
    if (!moments[k] || first < 0 || last >= length - 1 || !(executing[k] >= 0)) {
      continue;
    }
    // Not those that end in the step of the sample. Of short tasks, what is reported differs by chance from what runs.
    const silent = Math.min(activity.settled[last], activity.settled[last + 1]) / width - executing[k];
    if (silent < MISSING) {
      continue;
    }
    let ran = Number.POSITIVE_INFINITY;
    for (let i = first; i <= last; i++) {
      ran = Math.min(ran, activity.compute[i] / width);
    }
    // The tasks that ran then may have begun earlier, and go on.
    const holds = (i: number): boolean => activity.compute[i] >= (silent - 0.1) * width;
    let [begin, end] = [first, last];
    while (begin > 0 && holds(begin - 1) && from + begin * width > (times[k - 1] ?? 0)) {
      begin -= 1;
    }
    while (end < length - 1 && holds(end + 1) && from + end * width < (times[k + 1] ?? Number.POSITIVE_INFINITY)) {
      end += 1;
    }
    const span = {
      from: from + begin * width,
      to: from + (end + 1) * width,
      threads: threads * (silent / Math.max(ran, silent))
    };
    const before = spans.at(-1);
    if (before !== undefined && before.to >= span.from) {
      spans[spans.length - 1] = { ...span, from: before.from, threads: Math.max(span.threads, before.threads) };
    } else {
      spans.push(span);
    }
  }
  return spans.filter(span => span.to - span.from > SETTLED);
}
