/** Transfer rates between workers, from Dask's averages and from the individual transfers that are known. */
import type { Bytes, BytesPerSecond, Seconds } from '../../../base/units';
import type { Party } from '../../../run/logs/transfers';
import type { Run } from '../../../run/run';
import { transferTime } from '../transfers';
import { liveWorkers, workerLabel } from '../../../selectors/workers/worker-rows';

/** A pair of workers, by their ids. */
export interface Pair {
  /** Combines both ids; stable while both workers live. */
  readonly id: number;
  readonly sender: number;
  readonly receiver: number;
  readonly from: string;
  readonly to: string;
  /** Dask's average over transfers above 1 MB; NaN if there was none. */
  readonly average: BytesPerSecond;
  /** Individually known transfers, of any size. */
  readonly count: number;
  readonly bytes: Bytes;
  readonly seconds: Seconds;
  /** The rate of the fastest of those that Dask counts; 0 without one. */
  readonly fastest: BytesPerSecond;
  /** Whether Dask's average is shown: it is there, and not higher than what was measured. */
  readonly trusted: boolean;
  /** The displayed rate: Dask's average, if it is {@link trusted}, else bytes / seconds of the known transfers. */
  readonly rate: BytesPerSecond;
}

/** Larger than any number of workers. */
const IDS = 1_000_000;

interface Known {
  readonly sender: number;
  readonly receiver: number;
  average: BytesPerSecond;
  count: number;
  bytes: Bytes;
  seconds: Seconds;
  fastest: BytesPerSecond;
}

/** By run, and by when what was before was cleared, of which panes may have several. */
const cache = new WeakMap<Run, Map<number | null, { readonly key: string; readonly pairs: readonly Pair[] }>>();

/** Such times for which pairs are kept. */
const KEPT = 4;

/** Dask's averages are of larger transfers alone. */
const COUNTED: Bytes = 1_000_000;

/** Clocks are not exact. */
const TOLERANCE = 1.05;

/**
 * Pairs of which Dask's average is higher than the fastest transfer that is known. It takes the sum of the rates of all transfers
 * between two heartbeats for the rate of one (`Scheduler.heartbeat_worker`, distributed 2026.8).
 */
export function tooFast(pairs: readonly Pair[]): number {
  return pairs.filter(({ average, trusted }) => Number.isFinite(average) && !trusted).length;
}

/** Whether workers that have left sent or received something. */
export function movedBefore(run: Run): boolean {
  const isWorker = ({ worker, address }: Party): boolean => worker >= 0 || address !== '';
  return (
    run.bandwidth.list.length > 0 ||
    run.transfers.list.some(({ sender, receiver, stop }) => isWorker(sender) && isWorker(receiver) && !(stop > run.clock.latest))
  );
}

/**
 * Pairs of current workers with at least one known transfer or average.
 *
 * @param since - only of transfers that ended later, without Dask's averages, which are of its whole life; `null` for all
 */
export function workerPairs(run: Run, since: Seconds | null = null): readonly Pair[] {
  const key = `${run.version('bandwidth')} ${run.version('transfers')} ${run.version('workers')}`;
  const known = cache.get(run) ?? new Map<number | null, { readonly key: string; readonly pairs: readonly Pair[] }>();
  const last = known.get(since);
  if (last?.key === key) {
    return last.pairs;
  }
  const pairs = read(run, since);
  if (known.size >= KEPT) {
    known.clear();
  }
  cache.set(run, known.set(since, { key, pairs }));
  return pairs;
}

/** Small transfers are slow, and prove nothing: those that Dask has averaged may not be in the log any more. */
function isTrusted({ average, fastest }: Known): boolean {
  return Number.isFinite(average) && !(fastest > 0 && average > TOLERANCE * fastest);
}

function read(run: Run, since: Seconds | null): readonly Pair[] {
  const here = new Set(liveWorkers(run).map(({ id }) => id));
  const known = new Map<string, Known>();
  const at = (sender: number, receiver: number): Known | undefined => {
    if (!here.has(sender) || !here.has(receiver)) {
      return undefined;
    }
    const name = `${sender} ${receiver}`;
    const found = known.get(name) ?? { sender, receiver, average: Number.NaN, count: 0, bytes: 0, seconds: 0, fastest: 0 };
    known.set(name, found);
    return found;
  };
  for (const { sender, receiver, rate } of since === null ? run.bandwidth.list : []) {
    const pair = at(sender, receiver);
    if (pair !== undefined) {
      pair.average = rate;
    }
  }
  for (const transfer of run.transfers.list) {
    const pair = at(transfer.sender.worker, transfer.receiver.worker);
    const seconds = transferTime(transfer);
    // A paused view excludes transfers that ended later. Without its time, a transfer has no rate.
    const shown = !(transfer.stop > run.clock.latest) && !(since !== null && transfer.stop <= since);
    if (pair !== undefined && Number.isFinite(seconds) && shown) {
      pair.count += 1;
      pair.bytes += transfer.total || 0;
      pair.seconds += seconds;
      if (transfer.total > COUNTED) {
        pair.fastest = Math.max(pair.fastest, transfer.total / seconds);
      }
    }
  }
  const measured = [...known.values()].filter(pair => pair.count > 0 || Number.isFinite(pair.average));
  return measured
    .map(pair => ({ ...pair, trusted: isTrusted(pair) }))
    .map(pair => ({
      ...pair,
      id: pair.sender * IDS + pair.receiver,
      from: workerLabel(run.workerNames[pair.sender]),
      to: workerLabel(run.workerNames[pair.receiver]),
      rate: pair.trusted ? pair.average : pair.bytes / pair.seconds
    }));
}
