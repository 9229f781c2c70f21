/** Workers that retire: they move their results to others and take no new tasks, which may take minutes. */
import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import type { Period } from '../../run/selection/selection';
import { fieldOf } from '../../selectors/events/message';

/** From when a worker retires until it has left, or goes on since its results have no place elsewhere. */
export interface Retiring extends Period {
  /** Of the worker. */
  readonly threads: number;
}

/** Retirements, by the scheduler's events. */
export function retiringOf(run: Run): readonly Retiring[] {
  const threads = new Map(run.workerNames.map(name => [name?.address, name?.nthreads ?? 0]));
  const since = new Map<string, Seconds>();
  const found: Retiring[] = [];
  const close = (worker: string, to: Seconds): void => {
    const from = since.get(worker);
    if (from !== undefined && from < to) {
      found.push({ from, to, threads: threads.get(worker) ?? 0 });
    }
    since.delete(worker);
  };
  for (const event of run.events.list) {
    const { action, topic, time } = event;
    if (action === 'remove-worker') {
      close(fieldOf(event, 'worker') || topic, time);
    } else if (action === 'worker-status-change') {
      close(topic, time);
      if (fieldOf(event, 'status') === 'closing_gracefully') {
        since.set(topic, time);
      }
    }
  }
  for (const worker of [...since.keys()]) {
    close(worker, Number.POSITIVE_INFINITY);
  }
  return found;
}
