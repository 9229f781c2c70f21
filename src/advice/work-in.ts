import type { Seconds } from '../base/units';
import type { Run } from '../run/run';
import type { Period } from '../run/selection/selection';
import { type SelectionStatistics, selectionStatistics } from '../selectors/selection/statistics';
import { selecting } from './facts';
import { knownUntil } from './time/activity';

/** What tasks of a function, or on a worker, did in a period. */
export interface Work {
  /** Prefix or worker. */
  readonly id: number;
  readonly count: number;
  /** Inside the period. */
  readonly total: Seconds;
}

/** What ran in a period: tasks that have ended and those that have not. */
export interface WorkInPeriod {
  /** Largest total first. */
  readonly functions: readonly Work[];
  /** Largest total first. */
  readonly workers: readonly Work[];
  readonly use: SelectionStatistics['use'];
}

/**
 * Gather what threads ran in a period. A live run may have a long task only among those that have not ended. One that has seceded has
 * left its thread to others.
 */
export function workIn(run: Run, period: Period): WorkInPeriod {
  const ended = selectionStatistics(run, selecting({ period }));
  const functions = new Sums();
  const workers = new Sums();
  for (const { prefix, count, total } of ended.functions) {
    functions.add(prefix, count, total);
  }
  for (const { worker, count, total } of ended.workers) {
    workers.add(worker, count, total);
  }
  for (const { prefix, worker, start, seceded } of run.running.list) {
    const elapsed = Math.min(period.to, knownUntil(run, worker)) - Math.max(start, period.from);
    if (elapsed > 0 && !seceded) {
      functions.add(prefix, 1, elapsed);
      workers.add(worker, 1, elapsed);
    }
  }
  return { functions: functions.ranked(), workers: workers.ranked(), use: ended.use };
}

class Sums {
  add(id: number, count: number, total: Seconds): void {
    const before = this.byId.get(id);
    this.byId.set(id, { id, count: (before?.count ?? 0) + count, total: (before?.total ?? 0) + total });
  }

  ranked(): readonly Work[] {
    return [...this.byId.values()].sort((a, b) => b.total - a.total || a.id - b.id);
  }

  private readonly byId = new Map<number, Work>();
}
