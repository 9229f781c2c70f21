import { timeIn } from '../../../time/parts';
import { formatCount, formatDuration, formatPercent } from '../../../../base/format';
import type { Seconds, Share } from '../../../../base/units';
import type { Cost, Figure } from '../../../advice';
import { count, seconds } from '../../../figures';
import { type Facts, LEAST_SHARE, selecting } from '../../../facts';
import type { Finding, Rule } from '../../../rule';
import { knowsEvents } from '../../../spans';
import type { Removal } from '../../../../selectors/events/removals';
import type { Translate } from '../../../../plot/plot';
import { type Killed, killedIn } from '../../compute/failures';
import { type LostWork, lostWork, lostWorkers } from './lost-work';
import { tasksWords } from '../../../words';

/** A smaller cost is not mentioned. */
const NOTICED: Share = 0.005;

/** A worker ends while it has tasks or results. */
export const lostWorker: Rule = {
  cause: 'lost-worker',
  theme: 'scheduling',
  workload: 'lost_worker.py',
  recognised:
    "A worker left unexpectedly while it had tasks, or results that were nowhere else, by Dask's log of events. Workers that announce that they close, such as " +
    'those of a cluster that is scaled down, were stopped; workers that the events of a restart or a retirement name were asked to leave. If the events of a ' +
    'whole run are missing, attempts that Dask counts as lost, or tasks that it counts as suspicious, show it. The cost is the time of attempts that ended ' +
    'with the worker (of those whose beginning is not recorded, from when their workers had tasks and nothing ran) and of results that were computed again, and how much longer than otherwise threads had nothing to do until both had been made up for. ' +
    'How long threads were missing until other workers came is reported and counts for the order, but is no cost: it is not time of threads that existed. Where ' +
    'none was left, that is also said beside the cost, as a part of the wall time. ' +
    'Where most of these workers were killed by their nanny because their memory had reached the limit, it says so, and comes before the causes that lead there.',
  needs: ['attempts', 'prefixes', 'events'],
  thresholds: [{ value: 1, unit: 'count', of: 'tasks or results of a worker that ended', source: 'they run again, or fail' }],
  link: 'https://distributed.dask.org/en/stable/killed.html',
  isHarm: true,
  title: trans => trans.__('A worker was lost'),
  remedy: trans =>
    trans.__(
      'See the log of the worker and of its host: most often memory was short, or native code crashed. Results that it held are computed again.'
    ),
  unknown: facts =>
    facts.whole || knowsEvents(facts) ? null : facts.trans.__('The scheduler no longer has its events of that time.'),
  find: facts => {
    const { trans, period } = facts;
    const loss = lossIn(facts);
    if (loss === null) {
      return null;
    }
    const { removed, work, certain, isMemory, lost, waiting, guessed } = loss;
    const { attempts, unseen, again, waited, spans, missing, until } = work;
    const at = removed[0]?.time ?? Number.NaN;
    return {
      claims: [{ time: { running: attempts, compute: again } }, unseen, { time: waited, spans }],
      weight: (lost + waiting + missing.seconds) / (facts.capacity + missing.seconds) || 0,
      ...(isLong(facts, missing.none) ? { workerless: missing.none } : {}),
      ...(isMemory ? outOfMemory(trans) : { title: certain ? undefined : trans.__('A worker left with its work') }),
      confidence: !certain ? 'low' : waiting > lost || guessed > attempts + again ? 'medium' : 'high',
      doubt: doubtOf(loss, trans),
      always: true,
      evidence: {
        selection: selecting({ period: at < period.to ? { from: at, to: until > at ? until : period.to } : period }),
        plot: 'events',
        figures: figuresOf(facts, loss)
      },
      sentence: cost => sentenceOf(facts, loss, cost)
    };
  }
};

/** Workers that left with work, and what that cost. */
interface Loss {
  readonly removed: readonly Removal[];
  /** Whether the scheduler has all events of the period. */
  readonly known: boolean;
  /** Whether none of them was asked to leave. */
  readonly certain: boolean;
  /** How many were killed because of their memory, and whether that is most of them. */
  readonly full: number;
  readonly isMemory: boolean;
  readonly tasks: number;
  readonly results: number;
  readonly work: LostWork;
  /** Time of threads: for work that was lost, that waited for it, and the part of the first that is not recorded. */
  readonly lost: Seconds;
  readonly waiting: Seconds;
  readonly guessed: Seconds;
}

function lossIn(facts: Facts): Loss | null {
  const removed = lostWorkers(facts);
  const [logged, results] = [totalOf(removed, 'tasks'), totalOf(removed, 'results')];
  const known = knowsEvents(facts);
  const counted = facts.whole ? countedTasks(facts) : 0;
  const tasks = known ? logged : Math.max(logged, counted);
  if (tasks + results === 0) {
    return null;
  }
  const work = lostWork(facts);
  const [waiting, guessed] = [timeIn(work.waited), timeIn(work.unseen.time)];
  const full = removed.filter(({ outOfMemory }) => outOfMemory).length;
  return {
    ...{ removed, known, tasks, results, work, full, waiting, guessed },
    certain: known && removed.every(({ how }) => how === 'lost'),
    isMemory: full > removed.length / 2,
    lost: work.attempts + guessed + work.again
  };
}

function doubtOf({ work, known, certain, lost, waiting, guessed }: Loss, trans: Translate): string {
  if (!known) {
    return trans.__('The scheduler no longer has all its events: these workers may have been stopped.');
  }
  if (!certain) {
    return trans.__('It may have been asked to stop: the events of the scheduler do not show this.');
  }
  if (waiting > lost) {
    return trans.__('Threads that had nothing to do meanwhile may have waited for something else, too.');
  }
  return guessed > work.attempts + work.again
    ? trans.__('When these attempts began is not recorded: they count from when their workers had tasks and nothing else ran.')
    : '';
}

function figuresOf(facts: Facts, { removed, known, full, tasks, results, work, waiting, guessed }: Loss): readonly Figure[] {
  const { trans } = facts;
  const { attempts, again, renewed, missing } = work;
  return [
    ...(known ? [count(trans.__('Workers that ended'), removed.length)] : []),
    ...(full > 0 ? [count(trans.__('Killed at their memory limit'), full)] : []),
    count(trans.__('Tasks that they had'), tasks),
    ...(known ? [count(trans.__('Results that were nowhere else'), results)] : []),
    seconds(trans.__('Attempts that ended with them'), attempts + guessed),
    ...(renewed > 0 ? [count(trans.__('Results that were computed again'), renewed)] : []),
    ...(again > 0 ? [seconds(trans.__('Computing them again'), again)] : []),
    ...(waiting > 0 ? [seconds(trans.__('Threads that waited for it'), waiting)] : []),
    ...(isLong(facts, missing.none) ? [seconds(trans.__('Time without any worker'), missing.none)] : [])
  ];
}

function isLong({ wall }: Facts, time: Seconds): boolean {
  return time > 0 && time >= LEAST_SHARE * wall;
}

function sentenceOf(
  facts: Facts,
  { removed, known, certain, full, isMemory, tasks, results, work, lost }: Loss,
  cost: Cost
): string {
  const { trans } = facts;
  const { missing } = work;
  const failed = killedIn(facts);
  const had = hadWords(tasks, results, trans);
  return [
    known
      ? isMemory && certain
        ? killedWords(removed.length, full, had, trans)
        : lossWords(removed.length, had, certain, trans)
      : trans._n('1 task was on a worker that ended.', '%2 tasks were on workers that ended.', tasks, formatCount(tasks)),
    ...(isLong(facts, missing.none)
      ? [
          trans.__(
            'Until others came, there was no worker for %1, %2 of %3.',
            formatDuration(missing.none),
            formatPercent(missing.none / facts.wall),
            formatDuration(facts.wall)
          )
        ]
      : []),
    ...(cost.share >= NOTICED ? [costWords(cost, lost, isLong(facts, missing.none), trans)] : []),
    ...(missing.threads > 0 && isLong(facts, missing.time)
      ? [
          trans._n(
            '1 thread was missing for %2.',
            'Up to %3 threads were missing for %2.',
            missing.threads,
            formatDuration(missing.time),
            formatCount(missing.threads)
          )
        ]
      : []),
    ...(failed.count > 0 ? [failedWords(failed, trans)] : [])
  ].join(' ');
}

/** What is not as for other workers that were lost. */
function outOfMemory(trans: Translate): Pick<Finding, 'title' | 'remedy' | 'above'> {
  return {
    title: trans.__('Workers are killed because their memory is full'),
    remedy: trans.__(
      'Use less memory per task (smaller chunks, fewer threads per worker), or give workers more memory: Dask kills a worker that takes 95 % of its limit, unless that is configured otherwise.'
    ),
    above: ['paused', 'spilling', 'near-limit', 'unmanaged-memory', 'kept-results', 'oversized-chunks']
  };
}

function killedWords(workers: number, full: number, all: string, trans: Translate): string {
  return full === workers
    ? trans._n(
        'A worker with %2 was killed because its memory had reached the limit: what is still needed runs again.',
        '%3 workers with %2 were killed because their memory had reached the limit: what is still needed runs again.',
        workers,
        all,
        formatCount(workers)
      )
    : trans.__(
        '%1 workers ended unexpectedly with %2, %3 of them killed because their memory had reached the limit: what is still needed runs again.',
        formatCount(workers),
        all,
        formatCount(full)
      );
}

/** "3 tasks and 2 results that were nowhere else". */
function hadWords(tasks: number, results: number, trans: Translate): string {
  const had = tasksWords(tasks, trans);
  const held = trans._n('1 result that was nowhere else', '%2 results that were nowhere else', results, formatCount(results));
  return tasks > 0 && results > 0 ? trans.__('%1 and %2', had, held) : tasks > 0 ? had : held;
}

function lossWords(workers: number, all: string, certain: boolean, trans: Translate): string {
  return certain
    ? trans._n(
        'A worker ended unexpectedly with %2: what is still needed runs again.',
        '%3 workers ended unexpectedly with %2: what is still needed runs again.',
        workers,
        all,
        formatCount(workers)
      )
    : trans._n(
        'A worker left with %2: what is still needed runs again.',
        '%3 workers left with %2: what is still needed runs again.',
        workers,
        all,
        formatCount(workers)
      );
}

/** Dask tries a task again when a worker that had it dies, as often as `distributed.scheduler.allowed-failures` says. */
function failedWords({ count: failed, atLeast, deaths }: Killed, trans: Translate): string {
  const error =
    deaths > 0
      ? trans._n('KilledWorker after 1 death', 'KilledWorker after %2 deaths', deaths, formatCount(deaths))
      : 'KilledWorker';
  return atLeast
    ? trans._n(
        'At least 1 task erred because more workers died while they had it than Dask allows (%2).',
        'At least %3 tasks erred because more workers died while they had them than Dask allows (%2).',
        failed,
        error,
        formatCount(failed)
      )
    : trans._n(
        '1 task erred because more workers died while they had it than Dask allows (%2).',
        '%3 tasks erred because more workers died while they had them than Dask allows (%2).',
        failed,
        error,
        formatCount(failed)
      );
}

/** @param isOfRest - whether there was no worker for long: the share is of the rest of the time */
function costWords({ share, seconds: all }: Cost, again: Seconds, isOfRest: boolean, trans: Translate): string {
  const waited = all - again;
  if (isOfRest) {
    return waited >= NOTICED * all
      ? trans.__(
          'While there were workers, it costs %1 of the time: %2 of thread time on work that was lost or repeated, and %3 in which other threads waited for it.',
          formatPercent(share),
          formatDuration(again),
          formatDuration(waited)
        )
      : trans.__(
          'While there were workers, it costs %1 of the time: %2 of thread time on work that was lost or repeated.',
          formatPercent(share),
          formatDuration(again)
        );
  }
  return waited >= NOTICED * all
    ? trans.__(
        'It costs %1 of the time: %2 of thread time on work that was lost or repeated, and %3 in which other threads waited for it.',
        formatPercent(share),
        formatDuration(again),
        formatDuration(waited)
      )
    : trans.__(
        'It costs %1 of the time: %2 of thread time on work that was lost or repeated.',
        formatPercent(share),
        formatDuration(again)
      );
}

function totalOf(removed: readonly Removal[], name: 'tasks' | 'results'): number {
  return removed.reduce((sum, each) => sum + each[name], 0);
}

/** Of the whole run: Dask counts them by function, without a time. */
function countedTasks({ run }: Facts): number {
  const sum = (each: readonly number[]): number => each.reduce((all, tasks) => all + (tasks || 0), 0);
  const lost = sum(run.attempts.ids.map(id => run.attempts.get(id, 'lost')));
  return Math.max(lost, sum(run.prefixes.ids.map(id => run.prefixes.get(id, 'suspicious'))));
}
