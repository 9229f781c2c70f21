import { formatCount, formatDuration, formatPercent } from '../../../base/format';
import type { Seconds, Share } from '../../../base/units';
import { liveWorkers } from '../../../selectors/workers/worker-rows';
import { count, seconds } from '../../figures';
import { type Facts, LEAST_SHARE, selecting } from '../../facts';
import { momentsOf } from '../../points';
import type { Finding, Rule } from '../../rule';
import { type Claim, claimedTime, claimIn, claimOf, joined, longestOf, type Span } from '../../spans';
import { SETTLED, workOf } from '../../time/activity';
import { touchedBy } from '../../time/grid';
import { lacks, onlyMeans } from '../../time/only-means';
import { timeIn } from '../../time/parts';
import { lateSamples } from '../../../selectors/unheard';
import { LIMIT } from '../../time/workers/silences';
import { apart, byBegin, type Unheard, unheardIn } from './waiting/unheard';

/** So many tasks, at least, are not reported: of a step in which a task ends, a part of one is. */
const MISSING = 0.9;
/** With more workers heartbeats come every 2 s or more rarely (heartbeat_interval of Dask's scheduler). */
const MOST_WORKERS = 49;
/**
 * So long after the sample before, the scheduler has stood still: it takes one a second, and may not have read the heartbeats
 * that came meanwhile.
 */
const STOOD: Seconds = 2;
/** A smaller cost is not mentioned. */
const NOTICED: Share = 0.005;

/** Event loops of workers do nothing for seconds, while a task holds them. */
export const eventLoopBlocked: Rule = {
  cause: 'event-loop-blocked',
  theme: 'scheduling',
  workload: 'blocked_loop.py',
  recognised:
    'Tasks ran for more than 1.5 s, but the heartbeats of their workers, which come once or twice a second, did not ' +
    'report them although the scheduler itself was on time; 3 s of it in all, and at a time if it costs less than what is reported otherwise. Or, if that is longer: a worker sent no ' +
    'heartbeat for 3 s longer than usual while tasks ran, or while a worker that had run some began no more of its tasks, the scheduler itself was on time, or had just heard of another worker, and no bytes were spilled; in all a tenth of the ' +
    'period, if it costs less. If all workers had tasks, or only one, or none was heard of, what threads of one worker (of all, if none was heard of) lost between tasks counts, what all lost while nothing ran, and what others lost while tasks ' +
    'waited. Tasks that a worker had all that time, while it began and ended none, count too, since nobody knows whether they computed, and threads that had nothing but these to wait for; how much longer other tasks took is not counted.',
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
    const [missing, unheard] = [silences(facts), unheardIn(facts)];
    return lengthOf(unheard) > lengthOf(missing) ? ofUnheard(facts, unheard) : ofMissing(facts, missing);
  },
  overlooked: facts =>
    lacks(facts.run, 'unheard_max') && ranLong(facts)
      ? facts.trans.__('How long workers sent no heartbeat was not recorded.')
      : onlyMeans(facts)
};

/** Whether a task had run for longer than {@link SETTLED} at any time of the period, also one that left no record. */
function ranLong({ run, period, partition: { activity } }: Facts): boolean {
  const long = (begin: Seconds, end: Seconds): boolean =>
    begin < period.to && end > period.from && Math.min(end, period.to) - begin > SETTLED;
  return (
    activity.settled.some(seconds => seconds > 0) ||
    [...run.running.list].some(({ start }) => long(start, run.clock.latest)) ||
    run.attempts.timed.some(({ how, begin, end }) => how !== 'rescheduled' && long(begin, end)) ||
    activity.cancelled.some(seconds => seconds > 0)
  );
}

function lengthOf(spans: readonly Span[]): Seconds {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Tasks that ran, and that heartbeats did not report. */
function ofMissing(facts: Facts, spans: readonly Span[]): Finding | null {
  const { trans } = facts;
  const time = lengthOf(spans);
  if (time < LIMIT) {
    return null;
  }
  const period = longestOf(facts, spans);
  return {
    claims: [claimIn(facts, spans, ['starved', 'overhead', 'quiet', 'transfer'])],
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

/** Workers that sent no heartbeats while there were tasks. */
function ofUnheard(facts: Facts, list: readonly Unheard[]): Finding {
  const { trans, wall, threads } = facts;
  const spans = byBegin(list);
  const time = lengthOf(joined(spans));
  const longest = spans.reduce((most, { from, to }) => Math.max(most, to - from), 0);
  const all = spans.length === 1 && list.every(each => each.all);
  const workers = all ? 1 : Math.max(1, mostWorkers(facts));
  // Which worker it was is not known, but its threads had tasks, and could not begin them.
  const own = joined(list.filter(({ had }) => had));
  const standing = standingClaims(facts, joined(spans));
  const stood = standing.some(({ time: lost }) => timeIn(lost) > 0);
  const claims = [
    claimIn(
      facts,
      own.map(each => ({ ...each, threads: threads / workers })),
      ['overhead']
    ),
    claimIn(facts, own, ['quiet']),
    // Tasks that wait on it cannot be moved.
    claimIn(
      facts,
      apart(list).flatMap(each => (each.had ? [{ ...each, threads: each.waiting }] : [])),
      ['starved']
    ),
    ...standing
  ];
  return {
    claims,
    confidence: 'medium',
    doubt: stood
      ? trans.__(
          'Heartbeats that are late for another reason, such as the network, look the same. Tasks of that worker may have computed meanwhile: whether they did is not known, and their time counts here.'
        )
      : trans.__(
          'Heartbeats that are late for another reason, such as the network, look the same. How much longer tasks took meanwhile is not known.'
        ),
    title: all ? trans.__('No worker answered') : trans.__('A worker did not answer'),
    remedy: trans.__(
      'Do not block in coroutines (async def tasks) or in functions of client.run, which run in the event loop. Use await, or submit an ordinary function, which runs in a thread. Code that keeps the GIL for seconds needs a process with one thread. If the whole process stood still, its host may swap memory or have too little CPU.'
    ),
    // Where nothing is lost while no worker is heard of, only heartbeats were.
    always: time >= LEAST_SHARE * wall && !(all && claimedTime(claims) === 0),
    evidence: {
      selection: selecting({ period: longestOf(facts, spans) }),
      plot: 'task-stream',
      figures: [
        count(trans.__('Times without heartbeats'), spans.length),
        seconds(trans.__('The longest, at least'), longest),
        seconds(trans.__('In all'), time)
      ]
    },
    sentence: cost => wordsOf(facts, { times: spans.length, time, all, stood }, cost.share)
  };
}

/** Time of tasks that the silent worker had all the time, and of the threads that had nothing but these to wait for. */
function standingClaims({ partition }: Facts, spans: readonly Span[]): readonly Claim[] {
  const { steps, activity, byStep } = partition;
  const [ended, running, waited] = ['ended', 'running', 'waited'].map(() => new Float64Array(steps.count));
  for (const span of spans) {
    const [first, end] = touchedBy(span, steps);
    for (let i = first; i < end; i++) {
      ended[i] = Math.min(activity.standing[i], byStep.compute[i]);
      running[i] = Math.min(activity.standing[i] - ended[i], byStep.running[i]);
      const stood = ended[i] + running[i];
      const others = workOf(activity, i) - stood;
      waited[i] = stood > 0 && others < steps.width / 2 ? byStep.starved[i] : 0;
    }
  }
  return [claimOf('compute', ended), claimOf('running', running), claimOf('starved', waited)];
}

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
  const [moments, late] = [momentsOf(run), lateSamples(run)];
  const spans: (Span & { readonly threads: number })[] = [];
  for (let k = 0; k < Math.min(times.length, executing.length); k++) {
    const first = Math.floor((times[k] - SETTLED - from) / width);
    const last = Math.floor((times[k] - from) / width);
    const stood = times[k] - times[k - 1] > STOOD || late[k];
    if (!moments[k] || stood || first < 0 || last >= length - 1 || !(executing[k] >= 0)) {
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

/** How often workers were not heard of, for how long in all, and whether it was all of them each time. */
interface Silence {
  readonly times: number;
  readonly time: Seconds;
  readonly all: boolean;
  /** Whether time is in the cost of which it is not known whether tasks computed. */
  readonly stood: boolean;
}

function wordsOf({ trans }: Facts, { times, time, all, stood }: Silence, share: Share): string {
  const words = [formatDuration(time), formatPercent(share), formatCount(times)] as const;
  if (all && share < NOTICED) {
    return trans.__(
      'No worker answered for %1 while there were tasks. Their event loops were blocked, or their processes stood still.',
      ...words
    );
  }
  if (all) {
    return stood
      ? trans.__(
          'No worker answered for %1 while there were tasks. Their event loops were blocked, or their processes stood still. If their tasks stood still, it costs %2 of the time.',
          ...words
        )
      : trans.__(
          'No worker answered for %1 while there were tasks. Their event loops were blocked, or their processes stood still. It costs at least %2 of the time.',
          ...words
        );
  }
  if (stood && share >= NOTICED) {
    return trans._n(
      'A worker did not answer for %2 while there were tasks. Its event loop was blocked, or its whole process stood still. If its tasks stood still, it costs %3 of the time.',
      '%4 times, a worker did not answer while there were tasks, for %2 in all. Its event loop was blocked, or its whole process stood still. If its tasks stood still, it costs %3 of the time.',
      times,
      ...words
    );
  }
  return share < NOTICED
    ? trans._n(
        'A worker did not answer for %2 while there were tasks. Its event loop was blocked, or its whole process stood still.',
        '%4 times, a worker did not answer while there were tasks, for %2 in all. Its event loop was blocked, or its whole process stood still.',
        times,
        ...words
      )
    : trans._n(
        'A worker did not answer for %2 while there were tasks. Its event loop was blocked, or its whole process stood still. It costs at least %3 of the time.',
        '%4 times, a worker did not answer while there were tasks, for %2 in all. Its event loop was blocked, or its whole process stood still. It costs at least %3 of the time.',
        times,
        ...words
      );
}
