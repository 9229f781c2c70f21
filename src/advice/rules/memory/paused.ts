import { formatDuration, formatPercent } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import { WORKER_STATUS } from '../../../feed/schema';
import { count, seconds } from '../../figures';
import { type Facts, selecting } from '../../facts';
import type { Rule } from '../../rule';
import { longestOf, lostIn, type Span } from '../../spans';

const PAUSED = WORKER_STATUS.indexOf('paused');

/** Workers start no more tasks because their memory is nearly full. */
export const paused: Rule = {
  cause: 'paused',
  theme: 'memory',
  workload: 'paused.py',
  recognised:
    'The logs of workers say that they pause, or their status does; what their threads lost until they went on or left.',
  needs: ['workers', 'logs'],
  thresholds: [
    { value: 1, unit: 'count', of: 'workers that paused', source: "Dask's setting worker.memory.pause, 80 % of the limit" }
  ],
  link: 'https://distributed.dask.org/en/stable/worker-memory.html#pause-workers',
  title: trans => trans.__('Workers pause because memory is nearly full'),
  remedy: trans =>
    trans.__(
      'Use less memory a task (smaller chunks, fewer threads a worker), free what is not needed, or give workers more memory.'
    ),
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

/** Pauses of workers, from their logs; the last one lasts as long as the worker is paused. */
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
  for (const { time, server, text } of run.logs.list) {
    if (text.includes('Pausing worker')) {
      since.set(server, Math.min(since.get(server) ?? time, time));
    } else if (text.includes('Resuming worker')) {
      close(server, time);
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
