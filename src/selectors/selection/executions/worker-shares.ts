import type { Seconds } from '../../../base/units';

/** Work of one worker. */
export interface WorkerShare {
  readonly worker: number;
  readonly count: number;
  /** Time of its executions inside the period. */
  readonly total: Seconds;
}

export class WorkerShares {
  note(worker: number | undefined, count: number, total: Seconds): void {
    if (worker !== undefined) {
      const share = this.byWorker.get(worker) ?? { worker, count: 0, total: 0 };
      share.count += count;
      share.total += total;
      this.byWorker.set(worker, share);
    }
  }

  /** Largest total first. */
  ranked(): readonly WorkerShare[] {
    return [...this.byWorker.values()].sort((a, b) => b.total - a.total || a.worker - b.worker);
  }

  private readonly byWorker = new Map<number, { worker: number; count: number; total: Seconds }>();
}
