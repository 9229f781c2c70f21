import { formatCount, formatDuration, formatPercent } from '../../../../base/format';
import type { Seconds } from '../../../../base/units';
import { oneLine } from '../../../../plot/text';
import { unobservedPeriods } from '../../../../run/idle-time';
import { pausedIn } from '../../../../run/lanes/busy-periods';
import type { Computation } from '../../../../run/tables/computations';
import type { RunningTask } from '../../../../run/tables/running';
import { liveWorkers, total } from '../../../../selectors/workers/worker-rows';
import { count, seconds } from '../../../figures';
import { byFrequency, type Facts, selecting } from '../../../facts';
import type { Rule } from '../../../rule';
import { claimIn, type Span } from '../../../spans';

/** A task may take as long, and be no longer than others. */
const LEAST_STUCK: Seconds = 10;
/**
 * Dask's name for the client of a worker, which `get_client` and `worker_client` give to tasks; a UUID follows. A user's may
 * begin so, too.
 */
const WORKER_CLIENT = /^Client-worker-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The end of the run is now: later heartbeats say nothing else. */
const NOW: Seconds = 1;

/** All threads are taken by tasks that began before other tasks submitted what waits for a thread. */
export const nestedTasks: Rule = {
  cause: 'nested-tasks',
  theme: 'scheduling',
  workload: 'nested_tasks.py',
  recognised:
    'At the end of the run, tasks that tasks have submitted wait, and as many other tasks run as there are threads, without having seceded. None has begun or ended, ' +
    'and none was submitted, for 10 s or more. Where tasks submit tasks of their own function, it is not known which of them wait.',
  needs: ['tasks', 'computations', 'running'],
  thresholds: [
    { value: LEAST_STUCK, unit: 's', of: 'time in which nothing begins or ends', source: 'one task may take as long' }
  ],
  link: 'https://distributed.dask.org/en/stable/task-launch.html',
  title: trans => trans.__('Tasks wait for tasks that they submitted'),
  remedy: trans =>
    trans.__(
      'In a task that waits for others, use worker_client(), or call secede() before it waits and rejoin() afterwards: its thread is free meanwhile.'
    ),
  find: facts => {
    const { run, trans } = facts;
    const stuck = stuckIn(facts);
    if (stuck === null) {
      return null;
    }
    const { span, waiting, running } = stuck;
    const name = oneLine(run.prefixNames[byFrequency(running)[0]] ?? '?', 60);
    return {
      claims: [claimIn(facts, [span], ['running'])],
      confidence: 'medium',
      doubt: trans.__('What a running task does is not known: it may also compute for so long.'),
      evidence: {
        selection: selecting({ period: span }),
        plot: 'running',
        figures: [
          count(trans.__('Tasks that take all threads'), running.length),
          count(trans.__('Tasks that tasks submitted and that wait'), waiting),
          seconds(trans.__('Nothing has begun or ended for'), span.to - span.from)
        ]
      },
      sentence: cost =>
        trans.__(
          'Tasks wait for tasks that they submitted: %1, and %2. Nothing has begun or ended for %3. It costs %4 of the time.',
          trans._n(
            '1 running task of %2 takes the only thread',
            '%3 running tasks such as %2 take all threads',
            running.length,
            name,
            formatCount(running.length)
          ),
          trans._n(
            '1 task that was submitted by a task gets none',
            '%2 tasks that were submitted by tasks get none',
            waiting,
            formatCount(waiting)
          ),
          formatDuration(span.to - span.from),
          formatPercent(cost.share)
        )
    };
  },
  overlooked: facts =>
    isNow(facts) || !facts.computations.some(isNested)
      ? null
      : facts.trans.__('Which tasks waited for others is only known at the end of the run.')
};

function isNow({ run, period }: Facts): boolean {
  return period.to >= run.clock.latest - NOW;
}

/** Whether a task has submitted it. */
function isNested({ client }: Computation): boolean {
  return WORKER_CLIENT.test(client);
}

interface Stuck {
  readonly span: Span;
  /** Number of tasks that tasks have submitted. */
  readonly waiting: number;
  readonly running: readonly RunningTask[];
}

function stuckIn(facts: Facts): Stuck | null {
  const { run, period, executions } = facts;
  const now = Math.min(period.to, run.clock.latest);
  const nested = run.computations.list.filter(each => isNested(each) && each.values.left > 0);
  if (nested.length === 0 || !isNow(facts)) {
    return null;
  }
  const running = [...run.running.list].filter(({ seceded, start }) => !seceded && start < now);
  const threads = total(liveWorkers(run), each => each.nthreads);
  const waiting = new Set(
    nested.flatMap(({ id }) => run.computations.functionsOf(id)).flatMap(of => (of.left > 0 ? [of.prefix] : []))
  );
  const last = (times: readonly Seconds[]): Seconds => times.reduce((most, time) => Math.max(most, time || 0), 0);
  const from = Math.max(
    last(running.map(({ start }) => start)),
    last(nested.map(({ values }) => values.last)),
    executions.span?.to ?? 0
  );
  const full = threads > 0 && running.length >= threads && !running.some(({ prefix }) => waiting.has(prefix));
  // What happened while the scheduler did not answer is not known.
  const stuck = now - from - pausedIn(unobservedPeriods(run), from, now);
  return full && stuck >= LEAST_STUCK
    ? { span: { from, to: now }, running, waiting: nested.reduce((sum, { values }) => sum + values.left, 0) }
    : null;
}
