import { formatCount, formatDuration } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import type { Translate } from '../../../plot/plot';
import type { Period } from '../../../run/selection/selection';
import { executionStatistics } from '../../../selectors/selection/statistics';
import { knowsAllTasks, type PrefixCounts, prefixCounts } from '../../../selectors/tasks/prefix-counts';
import { oneLine } from '../../../plot/text';
import { count, seconds } from '../../figures';
import { type Facts, LEAST_SHARE, selecting, shareOf, timeOf } from '../../facts';
import type { Rule } from '../../rule';
import { claimIn } from '../../spans';
import { isHalted, liveWorkers } from '../../../selectors/workers/worker-rows';
import { knowsPauses, paused } from '../memory/paused';

const NOW: Seconds = 1;

/** Tasks ask for a worker or a resource that the cluster does not have. */
export const noWorkerFits: Rule = {
  cause: 'no-worker-fits',
  theme: 'scheduling',
  workload: 'no_worker.py',
  recognised:
    'Tasks are in the state no-worker at the end of the period. If a worker left, or an attempt at one of them ended, ' +
    'after they arrived, only the time since then counts: they may have been allowed to run on that worker. So does the time ' +
    'after the last task of the task groups that they need: before, they waited for that. While other tasks run, no more threads count than ' +
    'there are tasks without a worker. While all workers are paused, that is the reason.',
  needs: ['prefixes'],
  thresholds: [{ value: 1, unit: 'count', of: 'tasks without a worker', source: 'they never run as it is' }],
  link: 'https://distributed.dask.org/en/stable/resources.html',
  isHarm: true,
  title: trans => trans.__('No worker may run some tasks'),
  remedy: trans =>
    trans.__(
      'Start workers that have what the tasks ask for (workers=, resources=), or ask for less. Without any worker, start one.'
    ),
  unknown: ({ run, trans }) => (knowsAllTasks(run) ? null : trans.__('The scheduler does not report which tasks fit no worker.')),
  find: facts => {
    const { run, trans, period } = facts;
    const waiting = prefixCounts(run)
      .filter(each => each.noWorker > 0)
      .sort((a, b) => b.noWorker - a.noWorker);
    const tasks = waiting.reduce((sum, each) => sum + each.noWorker, 0);
    if (tasks === 0 || !isNow(facts)) {
      return null;
    }
    const live = liveWorkers(run);
    const halted = live.filter(isHalted).length;
    const none = halted > 0 && live.every(({ status }) => status === 'paused');
    if (none && knowsPauses(run)) {
      // It is reported that they pause, and since when.
      return null;
    }
    const functions = waiting.map(each => run.prefixNames[each.id] ?? '');
    const { since, known } = noneSince(facts, waiting);
    // It is not known since when a worker on which they may run has been halted.
    const certain = known !== 'no' && since < period.to && halted === 0;
    const idle = { from: Math.max(since, period.from), to: period.to };
    const label = oneLine(waiting[0]?.label ?? '', 60);
    return {
      // While others run, no more threads than there are such tasks would have had one.
      claims: [claimIn(facts, [idle], ['quiet']), claimIn(facts, [{ ...idle, threads: tasks }], ['starved', 'overhead'])],
      confidence: halted > 0 ? 'medium' : 'high',
      doubt: halted > 0 ? trans.__('Workers that are paused or retire start no tasks: these may be allowed to run there.') : '',
      remedy: none ? paused.remedy(trans) : undefined,
      always: true,
      evidence: {
        selection: selecting({
          period: idle.from < idle.to ? idle : period,
          functions
        }),
        plot: 'progress',
        figures: [
          count(trans.__('Tasks without a worker'), tasks),
          ...(certain ? [seconds(known === 'exactly' ? trans.__('For') : trans.__('For at least'), idle.to - idle.from)] : [])
        ]
      },
      sentence: () => {
        const some = waiting.length > 1 ? trans.__('%1 and others', label) : label;
        return sentenceOf(some, tasks, idle, certain ? known : 'no', trans);
      }
    };
  },
  overlooked: facts =>
    mayHaveWaited(facts)
      ? facts.trans.__('Which tasks had no worker earlier is not recorded: only those of now are known.')
      : null
};

/** How well it is known since when there is no worker. */
type Known = 'exactly' | 'at least' | 'no';

function sentenceOf(functions: string, tasks: number, { from, to }: Period, known: Known, trans: Translate): string {
  const words = [functions, formatDuration(to - from), formatCount(tasks)] as const;
  if (known === 'no') {
    return trans._n(
      '1 task of %2 waits for a worker that it may run on.',
      '%4 tasks of %2 wait for a worker that they may run on.',
      tasks,
      ...words
    );
  }
  return known === 'exactly'
    ? trans._n(
        '1 task of %2 waits for a worker that it may run on; there has been none for %3.',
        '%4 tasks of %2 wait for a worker that they may run on; there has been none for %3.',
        tasks,
        ...words
      )
    : trans._n(
        '1 task of %2 waits for a worker that it may run on; there has been none for at least %3.',
        '%4 tasks of %2 wait for a worker that they may run on; there has been none for at least %3.',
        tasks,
        ...words
      );
}

/** Whether the period goes on to now: counts of tasks are those of now. */
function isNow({ run, period }: Facts): boolean {
  return period.to >= run.clock.latest - NOW;
}

/**
 * Whether tasks may have had no worker earlier, until one came or they were cancelled, and threads lost as much as is reported; or
 * whether some have none now that were there then.
 */
function mayHaveWaited(facts: Facts): boolean {
  const { run, period, computations } = facts;
  if (!isNow(facts) && prefixCounts(run).some(each => each.noWorker > 0 && each.since < period.to)) {
    return true;
  }
  const lost = timeOf(facts, 'quiet', 'starved', 'overhead');
  const came = run.events.list.some(({ action, time }) => action === 'add-worker' && time > period.from);
  return shareOf(facts, lost) >= LEAST_SHARE && (came || computations.some(({ values }) => values.dropped > 0));
}

/** Since when no worker may run tasks, and whether that is known: before, one may have been there that left or ran others of them. */
interface NoneSince {
  readonly since: Seconds;
  readonly known: Known;
}

/** The news of a worker that left is this much older or younger than that of its tasks. */
const NEAR: Seconds = 0.1;

function noneSince({ run, period }: Facts, waiting: readonly PrefixCounts[]): NoneSince {
  const ids = new Set(waiting.map(({ id }) => id));
  const functions = waiting.map(({ id }) => run.prefixNames[id] ?? '');
  const arrived = waiting.reduce((least, each) => (each.since > 0 ? Math.min(least, each.since) : least), period.to);
  // Tasks of the same function that ran had a worker until then; whether the others might have run there is not known.
  const ended = executionStatistics(run, selecting({ period, functions }), 'none').span?.to ?? Number.NEGATIVE_INFINITY;
  const tried = latest(run.attempts.timed.filter(({ prefix }) => ids.has(prefix)).map(({ end }) => end));
  const left = latest(run.events.list.filter(({ action }) => action === 'remove-worker').map(({ time }) => time));
  const inputs = inputsOf({ run, period }, ids);
  const since = Math.max(arrived, ended, tried, left, inputs.until);
  const { events } = run;
  const forgotten = !run.has('events') || (events.lost > 0 && !(events.list[0]?.time <= arrived));
  if (forgotten || ended > arrived || inputs.active || waiting.some(({ processing }) => processing > 0)) {
    return { since, known: 'no' };
  }
  const exactly = (inputs.known || inputs.until <= arrived) && left <= Math.max(arrived, tried + NEAR);
  return { since, known: exactly ? 'exactly' : 'at least' };
}

/** What tasks without a worker need. */
interface Inputs {
  /** When the last of it was computed; -Infinity if they need nothing. */
  readonly until: Seconds;
  /** Whether some of it is still to be computed, so that it is not known which tasks had what they need, and when. */
  readonly active: boolean;
  readonly known: boolean;
}

/** By task groups; where these are not known, tasks may have needed all that ran. */
function inputsOf({ run, period }: Pick<Facts, 'run' | 'period'>, prefixes: ReadonlySet<number>): Inputs {
  const { groups } = run;
  const { rows } = groups;
  const own = rows.ids.filter(id => rows.get(id, 'no_worker') > 0 && prefixes.has(rows.get(id, 'prefix')));
  if (own.length === 0) {
    const all = executionStatistics(run, selecting({ period }), 'none').span?.to ?? Number.NEGATIVE_INFINITY;
    return { until: all, active: false, known: !Number.isFinite(all) };
  }
  const needed = [...new Set(own.flatMap(id => groups.needs(id)))].filter(id => !own.includes(id));
  const left = (id: number): number =>
    (['waiting', 'queued', 'processing'] as const).reduce((sum, state) => sum + (rows.get(id, state) || 0), 0);
  return {
    until: latest(needed.map(id => rows.get(id, 'stop'))),
    active: needed.some(id => left(id) > 0),
    known: true
  };
}

function latest(times: readonly Seconds[]): Seconds {
  return times.reduce((last, time) => (time > last ? time : last), Number.NEGATIVE_INFINITY);
}
