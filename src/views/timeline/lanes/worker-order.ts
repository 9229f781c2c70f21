/** The order of workers and hosts in a timeline. */
import type { Run } from '../../../run/run';
import type { HostLanes, WorkerLanes } from './lanes';
import { busyShare } from './lane-words';

/** What an order sorts by, the smallest first; NaN if not known, which comes last. */
type Measure = (run: Run, workers: readonly WorkerLanes[]) => number;

const busy: Measure = (run, workers) => busyShare(run, workers, { from: run.origin, to: run.tasks.lastEnd, paused: () => 0 });

const least: Measure = (run, workers) =>
  eachLane(workers).reduce((first, lane) => {
    const track = run.tasks.lanes[lane]?.compute;
    return Math.min(first, track?.past?.first ?? track?.chunks[0]?.first ?? first);
  }, Number.POSITIVE_INFINITY);

const MEASURES: ReadonlyMap<string, Measure> = new Map<string, Measure>([
  ['busiest', (run, workers) => -busy(run, workers)],
  ['idlest', busy],
  ['first', least],
  [
    'tasks',
    (run, workers) =>
      -eachLane(workers).reduce((sum, lane) => {
        const track = run.tasks.lanes[lane]?.compute;
        return sum + (track?.length ?? 0) + (track?.past?.count ?? 0);
      }, 0)
  ],
  ['memory', (run, workers) => -workers.reduce((sum, { worker }) => sum + (run.workers.get(worker, 'process') || 0), 0)]
]);

function eachLane(workers: readonly WorkerLanes[]): readonly number[] {
  return workers.flatMap(({ lanes }) => lanes.filter(lane => lane >= 0));
}

/**
 * Hosts and their workers in an order, as it was when it was chosen: rows that change places could not be followed. What
 * joins later takes its place by what it is then.
 */
export class WorkerOrder {
  /** @param order - a value of the option of the plot; an unknown one, as `name`, leaves all where it is */
  sort(run: Run, order: string, hosts: readonly HostLanes[]): readonly HostLanes[] {
    const chosen = `${run.identity} ${order}`;
    if (chosen !== this.chosen) {
      this.chosen = chosen;
      this.sizes.clear();
    }
    const measure = MEASURES.get(order);
    if (measure === undefined) {
      return hosts;
    }
    const sizeOf = (key: string, workers: readonly WorkerLanes[]): number => {
      const known = this.sizes.get(key);
      if (known !== undefined) {
        return known;
      }
      const size = measure(run, workers);
      this.sizes.set(key, Number.isNaN(size) ? Number.POSITIVE_INFINITY : size);
      return this.sizes.get(key) ?? size;
    };
    return bySize(
      hosts.map(host => ({ ...host, workers: bySize(host.workers, worker => sizeOf(`w${worker.worker}`, [worker])) })),
      ({ host, workers }) => sizeOf(`h${host}`, workers)
    );
  }

  /** The order and the run of {@link sizes}. */
  private chosen = '';
  /** By worker and host. */
  private readonly sizes = new Map<string, number>();
}

/** The smallest first; of the same size in the given order. */
function bySize<T>(list: readonly T[], sizeOf: (item: T) => number): readonly T[] {
  return list
    .map(item => ({ item, size: sizeOf(item) }))
    .sort((a, b) => (a.size === b.size ? 0 : a.size - b.size))
    .map(({ item }) => item);
}
