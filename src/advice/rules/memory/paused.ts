import { formatCount, formatDuration, formatPercent } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import { WORKER_STATUS } from '../../../feed/schema';
import type { Run } from '../../../run/run';
import { pausesForMemory } from '../../../selectors/events/marks';
import { fieldOf } from '../../../selectors/events/message';
import { count, seconds } from '../../figures';
import { type Facts, selecting } from '../../facts';
import type { Translate } from '../../../plot/plot';
import type { Finding, Rule } from '../../rule';
import { claimIn, knowsEvents, longestOf, type Span } from '../../spans';

const PAUSED = WORKER_STATUS.indexOf('paused');
/** What Dask logs of it. Tasks log with other loggers of Dask, whatever they like. */
const LOGGER = 'distributed.worker.memory';
const CHANGE = /Worker is at \d+% memory usage\. (Pausing|Resuming) worker/;
/** A worker logs that it pauses about when the scheduler hears of it, and a tab gets the line so much later. */
const [NEAR, LATER]: readonly [Seconds, Seconds] = [2, 5];

/** Workers start no more tasks: most often because their memory is nearly full. */
export const paused: Rule = {
  cause: 'paused',
  theme: 'memory',
  workload: 'paused.py',
  recognised:
    "The logs of workers say that they pause, or the scheduler's events, or their status; what their threads lost until they went on " +
    'or left. Where they have no limit at which Dask pauses them, or their logs are read and say nothing of it, memory is not given as the reason.',
  needs: ['workers'],
  thresholds: [
    { value: 1, unit: 'count', of: 'workers that paused', source: "Dask's setting worker.memory.pause, 80 % of the limit" }
  ],
  link: 'https://distributed.dask.org/en/stable/worker-memory.html#pause-worker',
  title: trans => trans.__('Workers pause because memory is nearly full'),
  remedy: trans =>
    trans.__(
      'Use less memory per task (smaller chunks, fewer threads per worker), free what is not needed, or give workers more memory.'
    ),
  unknown: ({ run, trans }) => (knowsPauses(run) ? null : trans.__('Not received: %1', 'logs')),
  find: facts => {
    const { run, trans } = facts;
    const all = pausesOf(facts);
    if (all.length === 0) {
      return null;
    }
    const full = all.filter(each => each.full);
    // A sentence is about one reason.
    const spans = full.length > 0 ? full : all;
    const time = spans.reduce((sum, { from, to }) => sum + to - from, 0);
    const workers = new Set(spans.map(({ worker }) => worker));
    const addresses = [...workers].flatMap(worker => run.workerNames[worker]?.address ?? []);
    return {
      claims: [claimIn(facts, spans, ['quiet', 'starved', 'overhead', 'straggler', 'disk'])],
      confidence: full.length > 0 ? 'high' : 'medium',
      ...(full.length > 0 ? {} : withoutReason(trans)),
      always: true,
      evidence: {
        selection: selecting({ period: longestOf(facts, spans), workers: addresses }),
        plot: full.length > 0 ? 'memory-timeseries' : 'task-stream',
        figures: [count(trans.__('Workers that paused'), workers.size), seconds(trans.__('Paused for'), time)]
      },
      sentence: cost => {
        const words = [workers.size, formatDuration(time), formatPercent(cost.share), formatCount(workers.size)] as const;
        return full.length > 0
          ? trans._n(
              '1 worker paused for %2 because its memory was nearly full. It costs %3 of the time.',
              '%4 workers paused for %2 in all because their memory was nearly full. It costs %3 of the time.',
              ...words
            )
          : trans._n(
              '1 worker was paused for %2. It costs %3 of the time.',
              '%4 workers were paused for %2 in all. It costs %3 of the time.',
              ...words
            );
      }
    };
  },
  // Either of them says all.
  overlooked: facts =>
    (facts.run.has('events') && knowsEvents(facts)) || (facts.run.has('logs') && facts.run.logs.lost === 0)
      ? null
      : facts.trans.__('The scheduler no longer has all its events of that time.')
};

/** Code that sets the status of workers can pause them, too. */
function withoutReason(trans: Translate): Pick<Finding, 'title' | 'doubt' | 'remedy'> {
  return {
    title: trans.__('Workers are paused'),
    doubt: trans.__(
      'Why is not known: they have no limit of memory at which Dask pauses them, or their logs do not say that they have reached it.'
    ),
    remedy: trans.__('Find out what has paused them, such as a plugin or client.run that sets Worker.status, and let them go on.')
  };
}

export interface Pause extends Span {
  readonly worker: number;
  /** Whether its memory was nearly full, as far as is known. */
  readonly full: boolean;
}

/** Whether it is known when workers paused. */
export function knowsPauses(run: Run): boolean {
  return run.has('logs') || run.has('events');
}

interface Change {
  readonly worker: number;
  readonly time: Seconds;
  readonly paused: boolean;
}

/** When workers paused and went on, by what they log. */
function loggedChanges(run: Run): readonly Change[] {
  return run.logs.list.flatMap(({ time, server, logger, text }) => {
    const [, change] = logger === LOGGER ? (CHANGE.exec(text) ?? []) : [];
    return change === undefined ? [] : [{ worker: server, time, paused: change === 'Pausing' }];
  });
}

/** The same by the events of their status, also where nobody logs it. */
function reportedChanges(run: Run): readonly Change[] {
  const ids = new Map(run.workerNames.map((name, id) => [name?.address, id]));
  return run.events.list.flatMap(event => {
    const worker = ids.get(event.topic);
    return event.action === 'worker-status-change' && worker !== undefined
      ? [{ worker, time: event.time, paused: fieldOf(event, 'status') === 'paused' }]
      : [];
  });
}

/** Whether a worker paused for its memory: Dask pauses it for nothing else, and lets it go on where that is not so. */
function isFull(run: Run, logged: readonly Change[], worker: number, time: Seconds): boolean {
  if (logged.some(each => each.paused && each.worker === worker && Math.abs(each.time - time) <= NEAR)) {
    return true;
  }
  // What a worker logs that has left since may not have been read.
  const read =
    run.has('logs') && run.logs.lost === 0 && !(run.workers.get(worker, 'left') > 0) && time <= run.clock.latest - LATER;
  return !read && pausesForMemory(run, worker);
}

/** Pauses of workers; the last one lasts as long as the worker is paused. */
export function pausesOf({ run, period }: Facts): readonly Pause[] {
  const since = new Map<number, Seconds>();
  const found: Pause[] = [];
  const logged = loggedChanges(run);
  const close = (worker: number, to: Seconds): void => {
    const begin = since.get(worker) ?? Number.POSITIVE_INFINITY;
    const from = Math.max(begin, period.from);
    const end = Math.min(to, period.to);
    if (from < end) {
      found.push({
        worker,
        from,
        to: end,
        full: isFull(run, logged, worker, begin),
        threads: run.workers.get(worker, 'nthreads') || (run.workerNames[worker]?.nthreads ?? 1)
      });
    }
    since.delete(worker);
  };
  const changes = [...logged, ...reportedChanges(run)].sort((a, b) => a.time - b.time);
  for (const { worker, time, paused: pauses } of changes) {
    if (pauses) {
      since.set(worker, Math.min(since.get(worker) ?? time, time));
    } else {
      close(worker, time);
    }
  }
  for (const worker of run.workers.ids) {
    if (run.workers.get(worker, 'status') === PAUSED) {
      since.set(worker, since.get(worker) ?? run.workers.get(worker, 'last_seen'));
    }
  }
  for (const worker of [...since.keys()]) {
    const { workers, clock } = run;
    // A worker that is ended while it is paused never logs that it goes on. When else it did is not known.
    close(worker, workers.get(worker, 'status') === PAUSED ? clock.latest : workers.get(worker, 'left'));
  }
  return found;
}
