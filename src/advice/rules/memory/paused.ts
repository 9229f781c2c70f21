import { formatDuration, formatPercent } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import { WORKER_STATUS } from '../../../feed/schema';
import type { Run } from '../../../run/run';
import { fieldOf } from '../../../selectors/events/message';
import { count, seconds } from '../../figures';
import { type Facts, selecting } from '../../facts';
import type { Rule } from '../../rule';
import { longestOf, lostIn, type Span } from '../../spans';

const PAUSED = WORKER_STATUS.indexOf('paused');
/** What Dask logs of it. Tasks log with other loggers of Dask, whatever they like. */
const LOGGER = 'distributed.worker.memory';
const CHANGE = /Worker is at \d+% memory usage\. (Pausing|Resuming) worker/;

/** Workers start no more tasks because their memory is nearly full. */
export const paused: Rule = {
  cause: 'paused',
  theme: 'memory',
  workload: 'paused.py',
  recognised:
    "The logs of workers say that they pause, or their status does, or, where logs are not read, the scheduler's events; what " +
    'their threads lost until they went on or left.',
  needs: ['workers'],
  thresholds: [
    { value: 1, unit: 'count', of: 'workers that paused', source: "Dask's setting worker.memory.pause, 80 % of the limit" }
  ],
  link: 'https://distributed.dask.org/en/stable/worker-memory.html#pause-workers',
  title: trans => trans.__('Workers pause because memory is nearly full'),
  remedy: trans =>
    trans.__(
      'Use less memory a task (smaller chunks, fewer threads a worker), free what is not needed, or give workers more memory.'
    ),
  unknown: ({ run, trans }) => (knowsPauses(run) ? null : trans.__('Not received: %1', 'logs')),
  find: facts => {
    const { run, trans } = facts;
    const spans = pausesOf(facts);
    if (spans.length === 0) {
      return null;
    }
    const time = spans.reduce((sum, { from, to }) => sum + to - from, 0);
    const workers = new Set(spans.map(({ worker }) => worker));
    const addresses = [...workers].flatMap(worker => run.workerNames[worker]?.address ?? []);
    return {
      claims: lostIn(facts, spans, ['quiet', 'starved', 'overhead', 'straggler', 'disk']),
      confidence: 'high',
      always: true,
      evidence: {
        selection: selecting({ period: longestOf(facts, spans), workers: addresses }),
        plot: 'memory-timeseries',
        figures: [count(trans.__('Workers that paused'), workers.size), seconds(trans.__('Paused for'), time)]
      },
      sentence: cost =>
        trans._n(
          '1 worker paused for %2 because its memory was nearly full: %3 of the time was lost.',
          '%1 workers paused for %2 in all because their memory was nearly full: %3 of the time was lost.',
          workers.size,
          formatDuration(time),
          formatPercent(cost.share)
        )
    };
  }
};

export interface Pause extends Span {
  readonly worker: number;
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

/** When workers paused and went on: by their logs, or else by the events of their status. */
function changesOf(run: Run): readonly Change[] {
  if (run.has('logs')) {
    return run.logs.list.flatMap(({ time, server, logger, text }) => {
      const [, change] = logger === LOGGER ? (CHANGE.exec(text) ?? []) : [];
      return change === undefined ? [] : [{ worker: server, time, paused: change === 'Pausing' }];
    });
  }
  const ids = new Map(run.workerNames.map((name, id) => [name?.address, id]));
  return run.events.list.flatMap(event => {
    const worker = ids.get(event.topic);
    return event.action === 'worker-status-change' && worker !== undefined
      ? [{ worker, time: event.time, paused: fieldOf(event, 'status') === 'paused' }]
      : [];
  });
}

/** Pauses of workers; the last one lasts as long as the worker is paused. */
export function pausesOf({ run, period }: Facts): readonly Pause[] {
  const since = new Map<number, Seconds>();
  const found: Pause[] = [];
  const close = (worker: number, to: Seconds): void => {
    const from = Math.max(since.get(worker) ?? Number.POSITIVE_INFINITY, period.from);
    const end = Math.min(to, period.to);
    if (from < end) {
      found.push({
        worker,
        from,
        to: end,
        threads: run.workers.get(worker, 'nthreads') || (run.workerNames[worker]?.nthreads ?? 1)
      });
    }
    since.delete(worker);
  };
  for (const { worker, time, paused: pauses } of changesOf(run)) {
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
