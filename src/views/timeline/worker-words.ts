/** What the gutter and the tooltip say of a worker. */
import { formatPercent } from '../../base/format';
import type { Seconds, Share } from '../../base/units';
import { WORKER_STATUS, type WorkerStatus } from '../../feed/schema';
import type { Translate } from '../../plots/plot';
import { busyBetween } from '../../run/lane-fold';
import type { Run } from '../../run/run';
import type { WorkerLanes } from './lanes';

/** A state in words with its sign, and how urgent it is. */
export interface WorkerWords {
  readonly text: string;
  /** What stands for the text where there is no room; '' where nothing is to be said. */
  readonly sign: string;
  readonly tone: 'plain' | 'warn' | 'bad' | 'lost';
}

const GONE: ReadonlySet<WorkerStatus> = new Set<WorkerStatus>(['closed', 'failed', 'lost']);

function statusOf(run: Run, worker: number): WorkerStatus {
  return WORKER_STATUS[run.workers.get(worker, 'status')] ?? 'unknown';
}

/** Whether a worker has left; unknown ones have not. */
export function isLost(run: Run, worker: number): boolean {
  return GONE.has(statusOf(run, worker));
}

/** Share of the time of some lanes that was spent computing; NaN when there is no such time. */
export function busyShare(run: Run, lanes: readonly number[], threads: number, from: Seconds, to: Seconds): Share {
  const length = to - from;
  const rows = Math.max(threads, lanes.filter(lane => lane >= 0).length);
  if (!(length > 0) || rows === 0) {
    return Number.NaN;
  }
  let busy = 0;
  for (const lane of lanes) {
    const state = run.tasks.lanes[lane];
    if (state !== undefined) {
      // What overlaps in one thread is no more than one thread.
      busy += Math.min(length, busyBetween(state.compute, from, to));
    }
  }
  return busy / (rows * length);
}

/** The second line of a worker: its state where it has one that matters, else threads and busy share. */
export function workerWords(run: Run, lanes: WorkerLanes, from: Seconds, to: Seconds, trans: Translate): WorkerWords {
  const status = statusOf(run, lanes.worker);
  if (GONE.has(status)) {
    return stateWords('×', trans('lost'), 'lost');
  }
  if (status === 'paused') {
    return stateWords('‖', trans('paused'), 'bad');
  }
  if (status === 'closing_gracefully' || status === 'closing') {
    return stateWords('→', trans('retiring'), 'bad');
  }
  if (isSpilling(run, lanes.worker)) {
    return stateWords('▲', trans('spilling'), 'warn');
  }
  const share = busyShare(run, lanes.lanes, lanes.threads, from, to);
  return { text: `${trans('%1 thr', lanes.threads)} · ${formatPercent(share)}`, sign: '', tone: 'plain' };
}

function stateWords(sign: string, word: string, tone: WorkerWords['tone']): WorkerWords {
  return { text: `${sign} ${word}`, sign, tone };
}

/** Whether a worker's process memory is above the share of its limit at which Dask spills. */
function isSpilling(run: Run, worker: number): boolean {
  const { spill } = run.thresholds;
  const limit = run.workers.get(worker, 'memory_limit');
  return spill !== null && limit > 0 && run.workers.get(worker, 'process') >= spill * limit;
}
