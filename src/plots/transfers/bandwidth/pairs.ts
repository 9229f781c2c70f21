/** How fast workers receive from each other, by Dask's averages and by the transfers that are known one by one. */
import type { Bytes, BytesPerSecond, Seconds } from '../../../base/units';
import type { Run } from '../../../run/run';
import { transferTime } from '../transfers';
import { liveWorkers, workerLabel } from '../../../selectors/workers/worker-rows';

/** A pair of workers, by their ids. */
export interface Pair {
  /** Made of both: stays while they live. */
  readonly id: number;
  readonly sender: number;
  readonly receiver: number;
  readonly from: string;
  readonly to: string;
  /** Dask's average of transfers above 1 MB; NaN where there was none. */
  readonly average: BytesPerSecond;
  /** Transfers that are known one by one, of any size. */
  readonly count: number;
  readonly bytes: Bytes;
  readonly seconds: Seconds;
  /** What is shown: Dask's average, else bytes by seconds of the transfers that are known. */
  readonly rate: BytesPerSecond;
}

/** More than there are workers. */
const IDS = 1_000_000;

interface Known {
  readonly sender: number;
  readonly receiver: number;
  average: BytesPerSecond;
  count: number;
  bytes: Bytes;
  seconds: Seconds;
}

const cache = new WeakMap<Run, { readonly key: string; readonly pairs: readonly Pair[] }>();

/** Pairs between workers that are there, of which anything is known. */
export function workerPairs(run: Run): readonly Pair[] {
  const key = `${run.version('bandwidth')} ${run.version('transfers')} ${run.version('workers')}`;
  const last = cache.get(run);
  if (last?.key === key) {
    return last.pairs;
  }
  const pairs = read(run);
  cache.set(run, { key, pairs });
  return pairs;
}

function read(run: Run): readonly Pair[] {
  const here = new Set(liveWorkers(run).map(({ id }) => id));
  const known = new Map<string, Known>();
  const at = (sender: number, receiver: number): Known | undefined => {
    if (!here.has(sender) || !here.has(receiver)) {
      return undefined;
    }
    const name = `${sender} ${receiver}`;
    const found = known.get(name) ?? { sender, receiver, average: Number.NaN, count: 0, bytes: 0, seconds: 0 };
    known.set(name, found);
    return found;
  };
  for (const { sender, receiver, rate } of run.bandwidth.list) {
    const pair = at(sender, receiver);
    if (pair !== undefined) {
      pair.average = rate;
    }
  }
  for (const transfer of run.transfers.list) {
    const pair = at(transfer.sender.worker, transfer.receiver.worker);
    // A paused view has none that ended later.
    if (pair !== undefined && !(transfer.stop > run.clock.latest)) {
      pair.count += 1;
      pair.bytes += transfer.total || 0;
      pair.seconds += transferTime(transfer);
    }
  }
  const told = [...known.values()].filter(pair => pair.count > 0 || Number.isFinite(pair.average));
  return told.map(pair => ({
    ...pair,
    id: pair.sender * IDS + pair.receiver,
    from: workerLabel(run.workerNames[pair.sender]),
    to: workerLabel(run.workerNames[pair.receiver]),
    rate: Number.isFinite(pair.average) ? pair.average : pair.bytes / pair.seconds
  }));
}
