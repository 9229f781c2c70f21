/** Texts of the gutter and the tooltip for a worker. */
import { formatCount, formatPercent } from '../../../base/format';
import type { Seconds, Share } from '../../../base/units';
import { WORKER_STATUS, type WorkerStatus } from '../../../feed/schema';
import type { Translate } from '../../../plot/plot';
import { busyBetween } from '../../../run/lanes/busy-periods';
import type { Run } from '../../../run/run';
import { eventMarks } from '../../../selectors/events/marks';
import { executingOf, isGone, isLeaving } from '../../../selectors/workers/worker-rows';
import { threadsOf, type WorkerLanes } from './lanes';

/** A state as text, its symbol and severity. */
export interface WorkerWords {
  readonly text: string;
  /** Replaces the text if it does not fit; '' for no state. */
  readonly sign: string;
  readonly tone: 'plain' | 'warn' | 'bad' | 'lost';
}

function statusOf(run: Run, worker: number): WorkerStatus {
  return WORKER_STATUS[run.workers.get(worker, 'status')] ?? 'unknown';
}

/** Whether a worker has left; unknown ones have not. */
export function isLost(run: Run, worker: number): boolean {
  const { address, lane } = run.workerNames[worker] ?? {};
  // Of those that left long ago, the scheduler keeps no more than the number.
  return isGone({ status: statusOf(run, worker) }) || (address === '' && lane === undefined);
}

/** Whether a worker that has left was not asked to: if events do not show it, it may have been lost. */
function wasLost(run: Run, worker: number): boolean {
  const address = run.workerNames[worker]?.address;
  return run.events.list.length === 0 || eventMarks(run).some(mark => mark.kind === 'lost' && mark.worker === address);
}

/** A period of scheduler time, and how much of a part of it does not count because all workers paused. */
export interface CountedPeriod {
  readonly from: Seconds;
  readonly to: Seconds;
  readonly paused: (from: Seconds, to: Seconds) => Seconds;
}

/**
 * Fraction of some workers' time, while they were there, spent computing, including running tasks; NaN if there is no such
 * time, or if running tasks are not reported individually.
 */
export function busyShare(run: Run, workers: readonly WorkerLanes[], { from, to, paused }: CountedPeriod): Share {
  const whole = to - from - paused(from, to);
  let time = 0;
  let busy = 0;
  for (const worker of workers) {
    if (hasUnreportedTasks(run, worker.worker)) {
      return Number.NaN;
    }
    const begin = Math.max(from, run.workerNames[worker.worker]?.joined ?? from);
    const end = Math.min(to, leftAtOrNever(run, worker.worker));
    if (!(begin < end)) {
      continue;
    }
    // Most are there all the time, and there may be thousands.
    const length = begin === from && end === to ? whole : end - begin - paused(begin, end);
    const own = threadsOf([worker]);
    let seconds = runningBetween(run, worker.worker, from, to);
    for (const lane of worker.lanes) {
      const state = run.tasks.lanes[lane];
      if (state !== undefined) {
        // Overlapping tasks of one thread count as one thread at most.
        seconds += Math.min(length, busyBetween(state.compute, from, to));
      }
    }
    time += own * length;
    busy += Math.min(own * length, seconds);
  }
  return time > 0 ? busy / time : Number.NaN;
}

/** When a worker left; Infinity while it is there, or if that is not known. */
export function leftAtOrNever(run: Run, worker: number): Seconds {
  const left = isLost(run, worker) ? run.workers.get(worker, 'left') : Number.NaN;
  return left > 0 ? left : Number.POSITIVE_INFINITY;
}

/** Whether a worker runs tasks that are not reported individually. */
function hasUnreportedTasks(run: Run, worker: number): boolean {
  return !run.has('running') && executingOf(run, worker) > 0;
}

/** Time that threads of a worker spent on running tasks between two moments. */
function runningBetween(run: Run, worker: number, from: Seconds, to: Seconds): Seconds {
  let seconds = 0;
  for (const { start, seceded } of run.running.of(worker)) {
    seconds += seceded ? 0 : Math.max(0, to - Math.max(from, start));
  }
  return seconds;
}

/**
 * The second line of a worker: its state if noteworthy, else threads and busy share.
 *
 * @param period - of the busy share; without one, an ordinary worker has no words: to sum up its tasks takes time
 */
export function workerWords(run: Run, lanes: WorkerLanes, period: CountedPeriod | null, trans: Translate): WorkerWords {
  const status = statusOf(run, lanes.worker);
  if (isGone({ status })) {
    return stateWords('×', wasLost(run, lanes.worker) ? trans.__('lost') : trans.__('has left'), 'lost');
  }
  if (status === 'paused') {
    return stateWords('‖', trans.__('paused'), 'bad');
  }
  if (isLeaving({ status })) {
    return stateWords('→', trans.__('retiring'), 'bad');
  }
  if (isSpilling(run, lanes.worker)) {
    return stateWords('▲', trans.__('spilling'), 'warn');
  }
  if (period === null) {
    return ORDINARY;
  }
  const words = hasUnreportedTasks(run, lanes.worker)
    ? trans.__('%1 running', formatCount(executingOf(run, lanes.worker)))
    : formatPercent(busyShare(run, [lanes], period));
  return { text: `${trans.__('%1 thr', lanes.threads)} · ${words}`, sign: '', tone: 'plain' };
}

/** The second line of workers that are drawn as one: threads and busy share, and how many of them are in a state worth a look. */
export function groupWords(run: Run, workers: readonly WorkerLanes[], period: CountedPeriod, trans: Translate): WorkerWords {
  const states = workers.map(worker => workerWords(run, worker, null, trans));
  const worst = (['bad', 'warn'] as const).map(tone => states.filter(state => state.tone === tone)).find(list => list.length > 0);
  const threads = threadsOf(workers);
  const text = `${trans.__('%1 thr', threads)} · ${formatPercent(busyShare(run, workers, period))}`;
  return worst === undefined
    ? { text, sign: '', tone: 'plain' }
    : { text: `${worst[0].text}: ${formatCount(worst.length)} · ${text}`, sign: worst[0].sign, tone: worst[0].tone };
}

const ORDINARY: WorkerWords = { text: '', sign: '', tone: 'plain' };

function stateWords(sign: string, word: string, tone: WorkerWords['tone']): WorkerWords {
  return { text: `${sign} ${word}`, sign, tone };
}

/** Whether a worker's process memory is above Dask's spill threshold. */
function isSpilling(run: Run, worker: number): boolean {
  const { spill } = run.thresholds;
  const limit = run.workers.get(worker, 'memory_limit');
  return spill !== null && limit > 0 && run.workers.get(worker, 'process') >= spill * limit;
}
