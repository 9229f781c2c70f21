/** A run in a few numbers, for cards and bars. Pure; each costs one pass over workers or prefixes. */
import type { MemoryLevel } from '../base/theme';
import type { Bytes, Seconds } from '../base/units';
import { WORKER_STATUS, type WorkerStatus } from '../feed/schema';
import type { MemoryThresholds, Run } from './run';

/** Workers that are there. */
export interface WorkerFigures {
  readonly count: number;
  readonly threads: number;
  readonly paused: number;
  readonly retiring: number;
}

/** Memory of the workers that are there. */
export interface MemoryFigures {
  readonly managed: Bytes;
  readonly unmanaged: Bytes;
  readonly recent: Bytes;
  readonly spilled: Bytes;
  /** 0 where no worker has a limit. */
  readonly limit: Bytes;
  /** Of the worker that is worst off. */
  readonly level: MemoryLevel;
}

/** Tasks of the run so far. */
export interface TaskFigures {
  /** Finished, with a result or an error. */
  readonly done: number;
  readonly all: number;
  readonly erred: number;
}

const GONE: ReadonlySet<WorkerStatus> = new Set<WorkerStatus>(['closing', 'closed', 'failed', 'lost']);

/** Count workers and threads. */
export function workerFigures(run: Run): WorkerFigures {
  const figures = { count: 0, threads: 0, paused: 0, retiring: 0 };
  for (const [id, status] of present(run)) {
    figures.count += 1;
    figures.threads += known(run.workers.get(id, 'nthreads'));
    figures.paused += status === 'paused' ? 1 : 0;
    figures.retiring += status === 'closing_gracefully' ? 1 : 0;
  }
  return figures;
}

/** Sum up memory. */
export function memoryFigures(run: Run): MemoryFigures {
  const figures = { managed: 0, unmanaged: 0, recent: 0, spilled: 0, limit: 0 };
  const { thresholds } = run;
  let worst = 0;
  for (const [id, status] of present(run)) {
    const limit = known(run.workers.get(id, 'memory_limit'));
    figures.managed += known(run.workers.get(id, 'managed'));
    figures.unmanaged += known(run.workers.get(id, 'unmanaged_old'));
    figures.recent += known(run.workers.get(id, 'unmanaged_recent'));
    figures.spilled += known(run.workers.get(id, 'spilled'));
    figures.limit += limit;
    worst = Math.max(worst, severity(status, known(run.workers.get(id, 'process')), limit, thresholds));
  }
  return { ...figures, level: LEVELS[worst] };
}

/**
 * Count tasks. What the scheduler has forgotten stays counted; what was cancelled before it ran is not, since it will
 * never be done.
 */
export function taskFigures(run: Run): TaskFigures {
  const figures = { done: 0, all: 0, erred: 0 };
  for (const id of run.prefixes.ids) {
    const sum = (...states: Parameters<typeof run.prefixes.get>[1][]): number =>
      states.reduce((total, state) => total + known(run.prefixes.get(id, state)), 0);
    const erred = sum('erred', 'forgotten_erred');
    const done = sum('released', 'memory', 'forgotten') + erred;
    figures.erred += erred;
    figures.done += done;
    figures.all += done + sum('waiting', 'queued', 'no_worker', 'processing');
  }
  return figures;
}

/** Tasks finished in a second, over the last moments: as long as the counts of two moments say it. */
export class Rate {
  /**
   * Note how many are done.
   *
   * @param done - finished so far; a smaller number than before begins anew
   * @param time - scheduler clock of the count
   */
  note(done: number, time: Seconds): void {
    const last = this.counts.at(-1);
    if (last !== undefined && (done < last.done || time < last.time)) {
      this.counts.length = 0;
    } else if (last !== undefined && time - last.time < RATE_STEP) {
      return;
    }
    this.counts.push({ done, time });
    while (this.counts.length > 1 && time - this.counts[0].time > RATE_SPAN) {
      this.counts.shift();
    }
  }

  /** Per second; NaN while unknown. */
  get perSecond(): number {
    const first = this.counts[0];
    const last = this.counts.at(-1);
    if (first === undefined || last === undefined || last.time - first.time < 2 * RATE_STEP) {
      return Number.NaN;
    }
    return (last.done - first.done) / (last.time - first.time);
  }

  private readonly counts: { readonly done: number; readonly time: Seconds }[] = [];
}

/** Counts are renewed at this pace (topic `prefixes`). */
const RATE_STEP: Seconds = 0.25;
const RATE_SPAN: Seconds = 10;

const LEVELS: readonly MemoryLevel[] = ['blue', 'orange', 'red'];

/** Index into `LEVELS`, by Dask's own rule for the colour of a worker's memory with the cluster's own thresholds. */
function severity(status: WorkerStatus, process: Bytes, limit: Bytes, thresholds: MemoryThresholds): number {
  if (status === 'paused' || status === 'closing_gracefully') {
    return 2;
  }
  if (limit === 0) {
    return 0;
  }
  const near = Math.min(thresholds.target ?? Number.POSITIVE_INFINITY, thresholds.spill ?? Number.POSITIVE_INFINITY);
  const full = Math.min(thresholds.terminate ?? Number.POSITIVE_INFINITY, 1);
  return process >= limit * full ? 2 : process >= limit * near ? 1 : 0;
}

/** The workers that are there. */
function* present(run: Run): Generator<[id: number, status: WorkerStatus]> {
  for (const id of run.workers.ids) {
    const status = WORKER_STATUS[run.workers.get(id, 'status')] ?? 'unknown';
    if (!GONE.has(status)) {
      yield [id, status];
    }
  }
}

/** A column that frames never had counts as nothing. */
function known(value: number): number {
  return Number.isFinite(value) ? value : 0;
}
